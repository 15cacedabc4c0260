// Lists everything that a host provides to a domain.
import type { RpcName, RpcRequest, RpcResponse } from '#proto/gen/rpcs.ts';
import type { Actors } from '#runtime/actor/host.ts';
import type { Call, Refusal, Rendered, Tenant } from '#runtime/call/call.ts';
import type { JobRunner } from '#runtime/job/runner.ts';
import type { Bus } from '#runtime/nats/nats.ts';
import type { Notices } from '#runtime/nats/notice.ts';
import type { Resolve } from '#runtime/outbound/outbound.ts';
import type { Postgres } from '#runtime/postgres/database.ts';
import type { Clock } from '#runtime/process/clock.ts';
import type { Log } from '#runtime/process/log.ts';
import type { Seal } from '#runtime/process/seal.ts';
import type { Settings } from '#runtime/process/setting.ts';
import type { Domain } from './rpc.ts';

export interface Runtime {
  readonly postgres: Postgres;
  readonly bus: Bus;
  readonly clock: Clock;
  readonly log: Log;
  readonly seal: Seal;
  readonly notices: Notices;
  readonly actors: Actors;
  readonly jobs: Pick<JobRunner, 'wake'>;
  readonly ask: AskDomain;
  /** All domains of this host, complete once each is constructed. */
  readonly domains: readonly Domain[];
  /**
   * Blocks new calls of a sandbox and resolves once only the caller's call runs; throws after a time-out. Returns a
   * function that resumes the calls.
   */
  readonly pauseTenant: (tenant: Tenant) => Promise<() => void>;
  /** Resolves a host name that a merchant configured. The operating system's resolver by default. */
  readonly resolve?: Resolve | undefined;
  readonly settings: Settings;
  readonly namespace: string;
}

/**
 * Makes an internal call with its own deadline, such as `ask('Store/GetStore', tenant, {})`. With `reads` it returns
 * the handler's value without a copy, synchronously where the handler is synchronous.
 */
export interface AskDomain {
  <R extends RpcName>(
    rpc: R,
    tenant: Tenant,
    input: RpcRequest<R>,
    call: AskRenderedOptions,
  ): Awaitable<Rendered | Refusal>;
  <R extends RpcName>(
    rpc: R,
    tenant: Tenant,
    input: RpcRequest<R>,
    call: AskReadOptions,
  ): Awaitable<RpcResponse<R> | Refusal>;
  <R extends RpcName>(
    rpc: R,
    tenant: Tenant,
    input: RpcRequest<R>,
    call?: AskOptions,
  ): Promise<RpcResponse<R> | Refusal>;
}

type Awaitable<T> = T | Promise<T>;

export type AskOptions = Partial<Call> & { readonly reads?: false };
export type AskReadOptions = Partial<Call> & { readonly reads: true; readonly rendered?: false };
export type AskRenderedOptions = Partial<Call> & { readonly reads: true; readonly rendered: true };

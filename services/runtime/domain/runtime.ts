// What every domain stands on: the host gives it these and nothing else.
import type { RpcName, RpcRequest, RpcResponse } from '#proto/gen/rpcs.ts';
import type { Actors } from '#runtime/actor/host.ts';
import type { Call, Refusal, Rendered, Tenant } from '#runtime/call/call.ts';
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
  /** Encrypts secrets at rest. */
  readonly seal: Seal;
  /** Tells edges and other hosts that a tenant's catalogue has a new revision. */
  readonly notices: Notices;
  /** Tells actors, on whichever host they live. */
  readonly actors: Actors;
  /** Calls another domain: in process where it is hosted here, over gRPC elsewhere. */
  readonly ask: AskDomain;
  /** The domains hosted here, once all of them are made: none moves a sandbox's clock or clears its data alone. */
  readonly domains: readonly Domain[];
  /**
   * Keeps all others out of a sandbox: resolves once the caller alone is in, throws where that takes too long.
   * Returns how to open it again.
   */
  readonly pauseTenant: (tenant: Tenant) => Promise<() => void>;
  /** All addresses of a name that a merchant configured; the system's resolver where no other was given. */
  readonly resolve?: Resolve | undefined;
  readonly settings: Settings;
  /** First part of every subject and stream on the bus. */
  readonly namespace: string;
}

/**
 * `ask('Store/GetStore', tenant, {})`: an internal call with its own deadline, typed by the proto's map of rpcs. A caller
 * that only `reads` receives the value that the handler made, not a copy, and without a promise where the handler needs
 * none.
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
/** The answer is passed on as the handler rendered it. */
export type AskRenderedOptions = Partial<Call> & { readonly reads: true; readonly rendered: true };

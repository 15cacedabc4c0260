// What every domain stands on: the host gives it these and nothing else.
import type { Actors } from './actor/host.ts';
import type { Call, Reply, Tenant } from './call.ts';
import type { Clock } from './clock.ts';
import type { Log } from './log.ts';
import type { Bus } from './nats.ts';
import type { Notices } from './notice.ts';
import type { Resolve } from './outbound.ts';
import type { Postgres } from './postgres.ts';
import type { Domain } from './rpc.ts';
import type { Seal } from './seal.ts';

export interface Foundation {
  readonly postgres: Postgres;
  readonly bus: Bus;
  readonly clock: Clock;
  readonly log: Log;
  /** Encrypts secrets at rest. */
  readonly seal: Seal;
  /** Tells edges and other hosts that a tenant's catalogue has a new revision. */
  readonly notices: Notices;
  /** Tells actors, wherever they live. */
  readonly actors: Actors;
  /** Calls another domain: in process where it is hosted here, over gRPC elsewhere. */
  readonly ask: Ask;
  /** The domains hosted here, once all of them are made: none moves a sandbox's clock or clears its data alone. */
  readonly domains: readonly Domain[];
  /**
   * Keeps everybody else out of a sandbox: resolves once nobody but the caller is in, throws where that takes too long.
   * Returns how to open it again.
   */
  readonly still: (tenant: Tenant) => Promise<() => void>;
  /** All addresses of a name that a merchant configured; the system's resolver where nobody gave another. */
  readonly resolve?: Resolve | undefined;
  /** First part of every subject and stream on the bus. */
  readonly namespace: string;
}

/**
 * `ask('Store/GetStore', tenant, {})`: an internal call with its own deadline. With `rendered` the answer is passed on as
 * the handler rendered it, instead of being read. Who only `reads` is given what the handler made, and not a copy: at once
 * where that needs nobody.
 */
export interface Ask {
  <O>(rpc: string, tenant: Tenant, input: unknown, call: Reading): Reply<O> | Promise<Reply<O>>;
  <O>(rpc: string, tenant: Tenant, input: unknown, call?: AskOptions & { readonly reads?: false }): Promise<Reply<O>>;
}

export type AskOptions = Partial<Call> & { readonly rendered?: boolean };
export type Reading = AskOptions & { readonly reads: true };

// Defines the kinds of handlers and what else a domain declares to its host.
import type { Actors } from '#runtime/actor/host.ts';
import type { Call, Refusal, Reply, Tenant } from '#runtime/call/call.ts';
import type { RetentionRule } from '#runtime/flow/retention.ts';
import type { Transaction } from '#runtime/postgres/database.ts';
import type { SealedColumn } from '#runtime/postgres/reseal.ts';
import type { Sql } from '#runtime/postgres/sql.ts';
import type { Due } from './due.ts';

/**
 * The effect of a reset on a table. `cleared`: deletes its rows. `copied`: replaces them by production's where the
 * catalogue is copied, else deletes them. `replaced`: the same, but keeps them where nothing is copied. `retained`:
 * keeps them.
 */
export type ResetRule = 'cleared' | 'copied' | 'replaced' | 'retained';

export interface Reset {
  /**
   * Every table with rows of tenants, referenced tables first. Copies have the ids of their originals: `store` and
   * `environment` tell them apart.
   */
  readonly tables: Readonly<Record<string, ResetRule>>;
  /** SQL of the values that copies get in place of the original's, by table and column. */
  readonly replacements?: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** Before, while no call runs: ends background work of the tenant. */
  readonly quiesce?: (tenant: Tenant) => Promise<void>;
  readonly settle?: (tx: Transaction, tenant: Tenant, copied: boolean) => Promise<void>;
  /** Before, on every host: discards unwritten data in memory. */
  readonly discardPending?: (tenant: Tenant) => void;
  /** Afterwards, on every host: drops cached state of the tenant. */
  readonly forget?: (tenant: Tenant) => Promise<void> | void;
}

type Awaitable<T> = T | Promise<T>;

export interface ReadCall<I, O> {
  readonly kind: 'read';
  readonly run: (call: Call, input: I) => Awaitable<Reply<O>>;
}

/** Reads Postgres outside a transaction, or calls out. Writes nothing. */
export interface Query<I, O> {
  readonly kind: 'query';
  readonly run: (sql: Sql, call: Call, input: I) => Awaitable<Reply<O>>;
}

/**
 * Runs in one Postgres transaction with its idempotency record and its events. A refusal or fault rolls all of it
 * back.
 */
export interface Write<I, O> {
  readonly kind: 'transaction';
  readonly run: (tx: Transaction, call: Call, input: I) => Awaitable<Reply<O>>;
}

/**
 * Sends commands to actors. Exactly one command, the call's effect, gets `call.idempotency`. A retry repeats the steps
 * before it and may repeat those after it: they use `commandIdOf(call)`.
 */
export interface Command<I, O> {
  readonly kind: 'command';
  readonly run: (actors: Actors, call: Call, input: I) => Awaitable<Reply<O>>;
}

export interface PreparedCall<I, P> {
  readonly call: Call;
  readonly input: I;
  readonly prepared: P;
}

/**
 * Prepares without a connection, then runs one Postgres transaction with its idempotency record and events. `prepare`
 * calls other domains and reserves what the transaction needs. A retry repeats it, so its steps are named by
 * `commandIdOf(call)`. `undo` releases the reservations where the transaction surely had no effect. If that is unknown it is not called, and the reservation's holder asks later.
 */
export interface Staged<I, O, P> {
  readonly kind: 'staged';
  readonly prepare: (call: Call, input: I) => Awaitable<P | Refusal>;
  readonly run: (tx: Transaction, call: Call, input: I, prepared: P) => Awaitable<Reply<O>>;
  readonly undo: (call: Call, prepared: P) => Awaitable<void>;
  /**
   * Whether each attempt reserves for itself, though others of its key run at the same time: then every attempt
   * without the effect undoes. If not, attempts of one key share reservations, and one that was overtaken leaves them.
   */
  readonly ownsPrepared?: boolean;
  /** Whether `undo` itself asks for the outcome: then it is called after every fault. */
  readonly undoChecksOutcome?: boolean;
  /** Whether another call only got ahead: after `undo` the call starts again while there is time. */
  readonly overtaken?: (refusal: Refusal) => boolean;
  /** How calls of one tenant that come together share a transaction. */
  readonly group?: {
    /** Whether this call may join: nothing in it blocks the others for long. */
    readonly fits: (input: I, prepared: P) => boolean;
    /** Runs all of them; null where one would be refused: then each runs alone. */
    readonly run: (tx: Transaction, group: readonly PreparedCall<I, P>[]) => Awaitable<readonly O[] | null>;
  };
}

// biome-ignore-start lint/suspicious/noExplicitAny: a table of handlers of every request and response type
export type Handler =
  | ReadCall<any, any>
  | Query<any, any>
  | Write<any, any>
  | Command<any, any>
  | Staged<any, any, any>;
// biome-ignore-end lint/suspicious/noExplicitAny: the same

export const read = <I, O>(run: ReadCall<I, O>['run']): ReadCall<I, O> => ({ kind: 'read', run });
export const query = <I, O>(run: Query<I, O>['run']): Query<I, O> => ({ kind: 'query', run });
export const transaction = <I, O>(run: Write<I, O>['run']): Write<I, O> => ({ kind: 'transaction', run });
export const command = <I, O>(run: Command<I, O>['run']): Command<I, O> => ({ kind: 'command', run });
export const staged = <I, O, P>(steps: Omit<Staged<I, O, P>, 'kind'>): Staged<I, O, P> => ({
  kind: 'staged',
  ...steps,
});

export type Handlers<S> = {
  readonly [M in keyof S]: S[M] extends { request: infer I; response: infer O }
    ? // biome-ignore lint/suspicious/noExplicitAny: what a handler prepares is its own affair
      ReadCall<I, O> | Query<I, O> | Write<I, O> | Command<I, O> | Staged<I, O, any>
    : never;
};

export interface Domain {
  readonly name: string;
  /** Keyed by the proto service's short name, for example `Catalog`. */
  readonly services: Readonly<Record<string, Readonly<Record<string, Handler>>>>;
  readonly retention?: readonly RetentionRule[];
  readonly sealedColumns?: readonly SealedColumn[];
  readonly start?: () => Promise<void>;
  readonly stop?: () => Promise<void>;
  readonly due?: readonly Due[];
  /** How a sandbox reset treats its tables. Required for domains with rows of tenants. */
  readonly reset?: Reset;
}

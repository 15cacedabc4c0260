// Defines the kinds of handlers, and what a domain declares to its host.
import type { Actors } from '#runtime/actor/host.ts';
import type { Call, Refusal, Reply, Tenant } from '#runtime/call/call.ts';
import type { RetentionRule } from '#runtime/flow/retention.ts';
import type { DeclaredJob } from '#runtime/job/queue.ts';
import type { NoticeHandlers } from '#runtime/nats/notice.ts';
import type { Transaction } from '#runtime/postgres/database.ts';
import { STORED_ANSWERS } from '#runtime/postgres/idempotency.ts';
import type { SealedColumn } from '#runtime/postgres/reseal.ts';
import type { Sql } from '#runtime/postgres/sql.ts';
import type { Due } from './due.ts';
import type { ErasureRule } from './personal_data.ts';

/**
 * The effect of a sandbox reset on a table's rows. `cleared`: deletes them. `copied`: deletes them and copies
 * production's rows if the reset copies the catalogue. `replaced`: like `copied`, but keeps them if nothing is copied.
 * `retained`: keeps them.
 */
export type ResetRule = 'cleared' | 'copied' | 'replaced' | 'retained';

export interface Reset {
  /**
   * Every table with rows of tenants; a table comes after the tables that it references. Copied rows keep their ids and
   * differ in `environment`.
   */
  readonly tables: Readonly<Record<string, ResetRule>>;
  /** SQL values that copied rows get instead of the original's, by table and column. */
  readonly replacements?: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** Ends the tenant's background work before the reset, while no call runs. */
  readonly quiesce?: (tenant: Tenant) => Promise<void>;
  readonly settle?: (tx: Transaction, tenant: Tenant, copied: boolean) => Promise<void>;
  /** Discards unwritten data in memory before the reset, on every host. */
  readonly discardPending?: (tenant: Tenant) => void;
  /** Drops the tenant's cached state after the reset, on every host. */
  readonly forget?: (tenant: Tenant) => Promise<void> | void;
}

type Awaitable<T> = T | Promise<T>;

export interface ReadCall<I, O> {
  readonly kind: 'read';
  readonly run: (call: Call, input: I) => Awaitable<Reply<O>>;
}

/** A handler that reads Postgres outside a transaction, or calls other services. Writes nothing. */
export interface Query<I, O> {
  readonly kind: 'query';
  readonly run: (sql: Sql, call: Call, input: I) => Awaitable<Reply<O>>;
}

/**
 * A handler that runs in one Postgres transaction, together with its idempotency record and its events. A refusal or
 * fault rolls everything back.
 */
export interface Write<I, O> {
  readonly kind: 'transaction';
  readonly run: (tx: Transaction, call: Call, input: I) => Awaitable<Reply<O>>;
}

/**
 * A handler that sends commands to actors. Exactly one command is the call's effect and gets `call.idempotency`. A
 * retry may repeat the other commands, so they use `commandIdOf(call)`.
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
 * A handler that prepares without a database connection, then runs one Postgres transaction with its idempotency record
 * and events. `prepare` calls other domains and reserves what the transaction needs; a retry repeats these calls, so
 * they use ids from `commandIdOf(call)`. `undo` releases the reservations where the transaction is known to have had no
 * effect. If that is unknown, the domain that holds the reservation asks later.
 */
export interface Staged<I, O, P> {
  readonly kind: 'staged';
  readonly prepare: (call: Call, input: I) => Awaitable<P | Refusal>;
  readonly run: (tx: Transaction, call: Call, input: I, prepared: P) => Awaitable<Reply<O>>;
  readonly undo: (call: Call, prepared: P) => Awaitable<void>;
  /**
   * True: each attempt makes its own reservations, and undoes them unless it had the effect. False or absent:
   * concurrent attempts under one key share reservations, so an attempt that another preceded does not undo them.
   */
  readonly ownsPrepared?: boolean;
  /** Whether `undo` checks the outcome itself; it is then called after every fault. */
  readonly undoChecksOutcome?: boolean;
  /**
   * Tells whether the refusal means only that another call was faster. The call then undoes and starts again while
   * there is time.
   */
  readonly overtaken?: (refusal: Refusal) => boolean;
  readonly group?: {
    /** Returns whether the call may share a transaction; false for a call that would block the others for long. */
    readonly fits: (input: I, prepared: P) => boolean;
    /** Runs all calls of the group; null where one would be refused, in which case each runs alone. */
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

/**
 * How the audit log learns what a write changed in a record. `events`: from the events of the write. A function reads the
 * record in the write's transaction, as the API shows it; null if there is none.
 */
export type RecordSource = 'events' | ((sql: Sql, tenant: Tenant, id: string) => Awaitable<object | null>);

export interface Domain {
  readonly name: string;
  /** Handlers by service and method. A service is keyed by its short proto name, such as `Catalog`. */
  readonly services: Readonly<Record<string, Readonly<Record<string, Handler>>>>;
  readonly retention?: readonly RetentionRule[];
  readonly sealedColumns?: readonly SealedColumn[];
  /** Called for notices of this host and others, in the order of the domains. */
  readonly onNotice?: NoticeHandlers;
  readonly start?: () => Promise<void>;
  readonly stop?: () => Promise<void>;
  readonly due?: readonly Due[];
  /** Work that the domain's rows ask for. The host runs it between `start` and `stop`. */
  readonly jobs?: readonly DeclaredJob[];
  /**
   * Sources of records by kind (`tax_rate`), for kinds that no endpoint reads one by one from Postgres; the others are
   * read by their endpoint.
   */
  readonly records?: Readonly<Record<string, RecordSource>>;
  readonly personalRecords?: readonly string[];
  /** How the domain erases a person; required if it stores text of or about shoppers. */
  readonly erasures?: readonly ErasureRule[];
  /** How a sandbox reset treats the domain's tables; required if the domain stores rows of tenants. */
  readonly reset?: Reset;
}

/** Returns all columns with sealed values that may outlast a change of the master key. */
export const sealedColumnsOf = (domains: readonly Domain[]): readonly SealedColumn[] => [
  STORED_ANSWERS,
  ...domains.flatMap(({ sealedColumns }) => sealedColumns ?? []),
];

// The door's vocabulary: a handler says which kind it is, and the host runs each kind in its own way.
import type { Actors } from '#runtime/actor/host.ts';
import type { Call, Refusal, Reply, Tenant } from '#runtime/call/call.ts';
import type { RetentionRule } from '#runtime/flow/retention.ts';
import type { Transaction } from '#runtime/postgres/database.ts';
import type { SealedColumn } from '#runtime/postgres/reseal.ts';
import type { Sql } from '#runtime/postgres/sql.ts';
import type { Due } from './due.ts';

/**
 * `cleared`: its rows go. `copied`: they go, and where the catalogue is copied, production's take their place.
 * `replaced`: they stay, unless the catalogue is copied. `retained`: they stay.
 */
export type ResetRule = 'cleared' | 'copied' | 'replaced' | 'retained';

export interface Reset {
  /**
   * Every table of the domain's with rows of tenants, those first that others refer to. Copies bear the ids of what they
   * are copied from: the same product is the same product, and the columns `store` and `environment` say whose.
   */
  readonly tables: Readonly<Record<string, ResetRule>>;
  /** What copies do not take over: SQL of what stands there instead, by table and column. */
  readonly replacements?: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** Before, while no call is in: what was set going by those who were ends, or is told never to. */
  readonly quiesce?: (tenant: Tenant) => Promise<void>;
  /** In the same transaction, once the rows are what they will be. */
  readonly settle?: (tx: Transaction, tenant: Tenant, copied: boolean) => Promise<void>;
  /** Before, on every host: what was told here and is not written yet never will be. */
  readonly discardPending?: (tenant: Tenant) => void;
  /** Afterwards, on every host: whatever it remembers of the tenant counts for nothing. */
  readonly forget?: (tenant: Tenant) => Promise<void> | void;
}

type Awaitable<T> = T | Promise<T>;

/** From memory: no database, nothing is written. */
export interface ReadCall<I, O> {
  readonly kind: 'read';
  readonly run: (call: Call, input: I) => Awaitable<Reply<O>>;
}

/** Reads Postgres outside a transaction, or calls out; writes nothing. */
export interface Query<I, O> {
  readonly kind: 'query';
  readonly run: (sql: Sql, call: Call, input: I) => Awaitable<Reply<O>>;
}

/**
 * Runs in one Postgres transaction together with its idempotency record and its events: a refusal or a fault rolls all
 * of it back, a success commits all of it.
 */
export interface Write<I, O> {
  readonly kind: 'transaction';
  readonly run: (tx: Transaction, call: Call, input: I) => Awaitable<Reply<O>>;
}

/**
 * Tells actors. The one command that is the call's effect is given `call.idempotency`; a retry under the same key is
 * answered as the first time. Steps before it are repeated by a retry and steps after it may be: they know
 * `commandIdOf(call)`.
 */
export interface Command<I, O> {
  readonly kind: 'command';
  readonly run: (actors: Actors, call: Call, input: I) => Awaitable<Reply<O>>;
}

/** A call that is prepared, before the transaction that it may share. */
export interface PreparedCall<I, P> {
  readonly call: Call;
  readonly input: I;
  readonly prepared: P;
}

/**
 * Steps first, while no connection is held, then one Postgres transaction together with its idempotency record and its
 * events. `prepare` asks other domains and takes what the transaction will need; a retry repeats it, so that its steps
 * bear names that `commandIdOf(call)` gives them. `undo` gives back what was taken where the transaction surely had no
 * effect; where that is not known it is not called, and the giver asks later what became of it.
 */
export interface Staged<I, O, P> {
  readonly kind: 'staged';
  readonly prepare: (call: Call, input: I) => Awaitable<P | Refusal>;
  readonly run: (tx: Transaction, call: Call, input: I, prepared: P) => Awaitable<Reply<O>>;
  readonly undo: (call: Call, prepared: P) => Awaitable<void>;
  /**
   * Whether what a try takes is its own, though other tries of its key run at the same time, here or on another host: then it
   * is given back by each that did not have the effect itself. Else tries share what they take, and one that another came
   * before leaves it to that one.
   */
  readonly ownsPrepared?: boolean;
  /** Whether `undo` asks by itself what became of it: then it is called for any problem, though its end be unknown. */
  readonly undoChecksOutcome?: boolean;
  /** Whether what was prepared was merely overtaken: after `undo` all of it is done once more, while there is time. */
  readonly overtaken?: (refusal: Refusal) => boolean;
  /** Where calls of one tenant that come at once can share a transaction. */
  readonly group?: {
    /** Whether this one may: nothing that it does keeps others waiting for long. */
    readonly fits: (input: I, prepared: P) => boolean;
    /** What `run` does, for all of them; null where any would be refused: then each is run by itself. */
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

/**
 * The handlers of one proto service, typed by the generated map of its rpcs:
 * `{ GetProduct: { request: GetProductRequest; response: ProductDetail } }`.
 */
export type Handlers<S> = {
  readonly [M in keyof S]: S[M] extends { request: infer I; response: infer O }
    ? // biome-ignore lint/suspicious/noExplicitAny: what a handler prepares is its own affair
      ReadCall<I, O> | Query<I, O> | Write<I, O> | Command<I, O> | Staged<I, O, any>
    : never;
};

/** One domain as the host sees it: its services' handlers, what to start and what to stop. */
export interface Domain {
  readonly name: string;
  /** Keyed by the proto service's short name, for example `Catalog`. */
  readonly services: Readonly<Record<string, Readonly<Record<string, Handler>>>>;
  /** What of it is forgotten with time. */
  readonly retention?: readonly RetentionRule[];
  /** What of it is sealed anew while the master key is changed. */
  readonly sealedColumns?: readonly SealedColumn[];
  /** Loads and subscribes what the domain needs before its first call. */
  readonly start?: () => Promise<void>;
  /** Lets work in progress end, within the drain's time. */
  readonly stop?: () => Promise<void>;
  /** What comes about by time alone: a sandbox whose clock is moved has all of it happen, in order. */
  readonly due?: readonly Due[];
  /** What becomes of its data when a sandbox is reset. A domain with tables of tenants says so here. */
  readonly reset?: Reset;
}

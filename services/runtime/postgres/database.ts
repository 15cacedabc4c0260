// Postgres as a domain sees it: statements by themselves, transactions, sessions.
import type { Tenant } from '#runtime/call/call.ts';
import type { AnyOccurrence, Event, SerializedEvent } from '#runtime/event/event.ts';
import type { Clock } from '#runtime/process/clock.ts';
import type { Seal } from '#runtime/process/seal.ts';
import type { AnswerRows } from './answer_row.ts';
import type { CommitWatch } from './commit_watch.ts';
import type { Sql } from './sql.ts';

/** It ends with its connection, which is never replaced. */
export interface Session {
  readonly sql: Sql;
  readonly gone: boolean;
  /** Gives the connection back as it came: nothing was changed about it. */
  release(): void;
  /** Ends the connection with all that the server keeps for it. */
  close(): void;
}

export interface Postgres {
  /**
   * Each statement by itself, on any free connection: for reading. Where it cannot be answered now it throws
   * `Unavailable`, and it is not known whether a write was done.
   */
  readonly sql: Sql;
  /** False from the first sign that the server is gone until it answers again; callers are refused at once meanwhile. */
  readonly available: boolean;
  /** Whether the server had no room for another connection lately, which it may have for those there are. */
  readonly lacksConnections: boolean;
  /** Whether the server refused a write, for a full disk or since it only reads, and has taken none since. */
  readonly refusesWrites: boolean;
  /**
   * All of `run` or nothing: a refusal it returns or a fault it throws rolls back. Two transactions that met are tried
   * once more, so `run` must not act outside of `tx`. Throws `Unavailable` where nothing was done, `UnknownOutcome`
   * where the connection was lost under a commit. `tenant`: whose rows it writes, where that is known before it begins. A
   * sandbox is not cleared under it, on whichever host, and one that is being reset is waited for; production costs nothing.
   * `atOnce`: it is not waited for, and `SandboxShut` is thrown.
   */
  transaction<T>(run: (tx: Transaction) => Promise<T> | T, tenant?: Tenant, atOnce?: boolean): Promise<T>;
  /** A connection of the caller's own, for what the server keeps for a session. */
  session(): Promise<Session>;
  ping(): Promise<void>;
  /** Writes a page and drops it: throws where the server refuses writes. */
  probeWrite(): Promise<void>;
  /** Hears of every commit that wrote events to the outbox, and whether a caller waits for them. Returns how to stop. */
  onEmit(hear: (urgent: boolean) => void): () => void;
  /** Tells that transactions ended, of any host. */
  readonly commits: Pick<CommitWatch, 'count' | 'listen'>;
  /** Connections open, those of them that are lent, and callers who wait for one, for measures. */
  readonly load: { readonly connections: number; readonly busy: number; readonly waiting: number };
  close(): Promise<void>;
}

export interface EmitOptions {
  /** See the outbox. */
  readonly isOutboxLogged?: boolean | undefined;
  /** What is of a sandbox that is being reset is not told, instead of thrown back: the others' must not wait for it. */
  readonly skipsShutSandboxes?: boolean;
}

export interface Transaction {
  readonly sql: Sql;
  readonly clock: Clock;
  readonly seal: Seal;
  /**
   * Has the events written to the outbox, just before the commit. `created_at` is the tenant's clock. Nothing is committed
   * where that is a sandbox that is being reset: `Unavailable`.
   */
  emit(tenant: Tenant, events: readonly (Event | SerializedEvent)[]): Promise<void>;
  /** The same for events of several tenants and times. */
  emitAll(occurrences: readonly AnyOccurrence[], options?: EmitOptions): Promise<void>;
  /** Stores answers of idempotent calls just before the commit: see idempotency. Once a transaction. */
  storeAnswers(answers: AnswerRows): void;
  /** A mark among the events: see the outbox. Its id. */
  emitMarker(tenant: Tenant, type: string): Promise<string>;
  /** Runs after the commit and before the caller is answered; a failure there is logged, never shown. */
  afterCommit(run: () => Promise<void> | void): void;
}

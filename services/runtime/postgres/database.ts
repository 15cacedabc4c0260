// Defines Postgres as domains use it: statements, transactions and sessions.
import type { Tenant } from '#runtime/call/call.ts';
import type { AnyOccurrence, Event, SerializedEvent } from '#runtime/event/event.ts';
import type { Clock } from '#runtime/process/clock.ts';
import type { Seal } from '#runtime/process/seal.ts';
import type { AnswerRows } from './answer_row.ts';
import type { CommitWatch } from './commit_watch.ts';
import type { Sql } from './sql.ts';

/** Ends with its connection, which is never replaced. */
export interface Session {
  readonly sql: Sql;
  readonly gone: boolean;
  release(): void;
  close(): void;
}

export interface Postgres {
  /**
   * Runs single statements on any free connection, for reading. Throws `Unavailable` where there is no answer now;
   * whether a write was executed is then unknown.
   */
  readonly sql: Sql;
  /**
   * False from the first sign that the server is gone until it answers again; statements are refused at once
   * meanwhile.
   */
  readonly available: boolean;
  /** The server refused a connection within the last seconds. */
  readonly lacksConnections: boolean;
  /** The server refused the last write: a full disk, or read-only. */
  readonly refusesWrites: boolean;
  /**
   * Commits all of `run`, or nothing: a returned refusal or a thrown fault rolls back. `run` is repeated once after a
   * conflict, so it must act on `tx` alone. Throws `Unavailable` where nothing was done, `UnknownOutcome` where the
   * connection was lost during the commit. `tenant` names whose rows are written: a reset of that sandbox waits for
   * the transaction, and the transaction for a running reset. With `atOnce` it does not wait but throws `SandboxShut`.
   */
  transaction<T>(run: (tx: Transaction) => Promise<T> | T, tenant?: Tenant, atOnce?: boolean): Promise<T>;
  /** A dedicated connection, for session state on the server. */
  session(): Promise<Session>;
  ping(): Promise<void>;
  /** Creates and drops a temporary table; throws where the server refuses writes. */
  probeWrite(): Promise<void>;
  /** Called after every commit with events, and whether a caller waits for them. Returns how to stop. */
  onEmit(hear: (urgent: boolean) => void): () => void;
  readonly commits: Pick<CommitWatch, 'count' | 'listen'>;
  readonly load: { readonly connections: number; readonly busy: number; readonly waiting: number };
  close(): Promise<void>;
}

export interface EmitOptions {
  readonly isOutboxLogged?: boolean | undefined;
  /** Drops events of a sandbox that is being reset, instead of throwing. */
  readonly skipsShutSandboxes?: boolean;
}

export interface Transaction {
  readonly sql: Sql;
  readonly clock: Clock;
  readonly seal: Seal;
  /**
   * Writes the events to the outbox before the commit, with the tenant's clock as `created_at`. Throws `SandboxShut`
   * for a sandbox that is being reset.
   */
  emit(tenant: Tenant, events: readonly (Event | SerializedEvent)[]): Promise<void>;
  emitAll(occurrences: readonly AnyOccurrence[], options?: EmitOptions): Promise<void>;
  /** Stores answers of idempotent calls before the commit; at most once a transaction. */
  storeAnswers(answers: AnswerRows): void;
  emitMarker(tenant: Tenant, type: string): Promise<string>;
  /** Runs after the commit and before the caller is answered; a failure is only logged. */
  afterCommit(run: () => Promise<void> | void): void;
}

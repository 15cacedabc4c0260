// Defines the database interface for domains: statements, transactions and sessions.
import type { Tenant } from '#runtime/call/call.ts';
import type { AnyOccurrence, Event, SerializedEvent } from '#runtime/event/event.ts';
import type { Clock } from '#runtime/process/clock.ts';
import type { Seal } from '#runtime/process/seal.ts';
import type { AnswerRows } from './answer_row.ts';
import type { AuditRow } from './audit_row.ts';
import type { CommitWatch } from './commit_watch.ts';
import type { Sql } from './sql.ts';

/** A dedicated connection, for state that the server keeps by session. When it is lost, the session ends. */
export interface Session {
  readonly sql: Sql;
  readonly gone: boolean;
  release(): void;
  close(): void;
}

export interface Postgres {
  /**
   * Runs single statements on any free connection, for reads. Throws `Unavailable` where no answer comes; it is then
   * unknown whether a write took effect.
   */
  readonly sql: Sql;
  /**
   * False from the first sign that the server is gone until it answers again. Meanwhile statements are refused at once.
   */
  readonly available: boolean;
  /** Whether the server refused a connection within the last few seconds. */
  readonly lacksConnections: boolean;
  /** Whether the server refused the last write, because the disk is full or the server is read-only. */
  readonly refusesWrites: boolean;
  /**
   * Commits everything that `run` does, or nothing: a returned refusal or a thrown fault rolls back. Repeats `run` once
   * after a conflict, so `run` must act on `tx` alone. Throws `Unavailable` where nothing was done, `UnknownOutcome`
   * where the connection was lost during the commit. `tenant` is the owner of the written rows: a reset of that sandbox
   * and the transaction wait for each other. With `atOnce` the transaction throws `SandboxShut` instead of waiting.
   */
  transaction<T>(run: (tx: Transaction) => Promise<T> | T, tenant?: Tenant, atOnce?: boolean): Promise<T>;
  session(): Promise<Session>;
  ping(): Promise<void>;
  /** Tests writing with a temporary table; throws where the server refuses. */
  probeWrite(): Promise<void>;
  /**
   * Calls `hear` after every commit with events; `urgent` tells whether a caller waits for them. Returns a function
   * that stops this.
   */
  onEmit(hear: (urgent: boolean) => void): () => void;
  readonly commits: Pick<CommitWatch, 'count' | 'listen'>;
  readonly load: { readonly connections: number; readonly busy: number; readonly waiting: number };
  close(): Promise<void>;
}

/** Facts about a write for the audit log, given by its handler where request and response lack them. */
export interface AuditNote {
  readonly tenant?: Tenant;
  readonly resource?: string;
  readonly id?: string;
  /** The record before the write, as the API shows it, or as JSON. */
  readonly before?: object | string | null;
  readonly after?: object | string | null;
}

export interface AuditTrail {
  readonly events: readonly AnyOccurrence[];
  readonly notes: readonly AuditNote[];
}

export interface EmitOptions {
  readonly isOutboxLogged?: boolean | undefined;
  /** Whether to drop events of a sandbox that is being reset; otherwise they make the transaction throw. */
  readonly skipsShutSandboxes?: boolean;
}

export interface Transaction {
  readonly sql: Sql;
  readonly clock: Clock;
  readonly seal: Seal;
  /**
   * Adds events, written to the outbox before the commit with the tenant's time as `created_at`. Throws `SandboxShut`
   * for a sandbox that is being reset.
   */
  emit(tenant: Tenant, events: readonly (Event | SerializedEvent)[]): Promise<void>;
  emitAll(occurrences: readonly AnyOccurrence[], options?: EmitOptions): Promise<void>;
  note(note: AuditNote): void;
  /** Adds a record to the audit log before the commit. `make` returns null if there is nothing to record. */
  audit(make: (trail: AuditTrail) => AuditRow | null): void;
  /** Stores answers under idempotency keys before the commit. Callable once in a transaction. */
  storeAnswers(answers: AnswerRows): void;
  emitMarker(tenant: Tenant, type: string): Promise<string>;
  /** Runs work after the commit and before the caller gets the answer. A failure is only logged. */
  afterCommit(run: () => Promise<void> | void): void;
}

// One Postgres transaction as a domain sees it: its SQL, the events it causes, what happens once it is committed.
import type { Tenant } from './call.ts';
import type { Sql } from './postgres.ts';

/** An event of the specification's table; the outbox makes its envelope. */
export interface Event {
  readonly type: string;
  /** The resource as the API shows it: `data.object`. */
  readonly object: Record<string, unknown>;
  /** Only the changed fields, on update events. */
  readonly previousAttributes?: Record<string, unknown>;
}

export interface Transaction {
  readonly sql: Sql;
  /** Writes the events to the outbox within this transaction. `created_at` is the tenant's clock. */
  emit(tenant: Tenant, events: readonly Event[]): Promise<void>;
  /** Runs after the commit and before the caller is answered; a failure there is logged, never shown. */
  afterCommit(run: () => Promise<void> | void): void;
}

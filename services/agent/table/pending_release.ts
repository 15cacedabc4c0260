// SQL of releases that are pending for checkout intents.
import type { Tenant } from '#runtime/call/call.ts';
import type { JobTable } from '#runtime/job/job.ts';
import type { Sql } from '#runtime/postgres/sql.ts';
import type { IntentOffer } from '#services/agent/offer.ts';

export interface PendingRelease {
  readonly id: string;
  readonly intent: string;
  readonly offer: IntentOffer;
}

export const insertPendingRelease = async (
  sql: Sql,
  { store, environment }: Tenant,
  { id, intent, offer }: PendingRelease,
  at: Date,
  dueAt: Date,
): Promise<void> => {
  await sql`
    insert into agent.pending_release (store, environment, id, intent, offer, created_at, due_at)
    values (${store}, ${environment}, ${id}, ${intent}, ${JSON.stringify(offer)}::text::json, ${at}, ${dueAt})`;
};

export const deletePendingRelease = async (sql: Sql, { store, environment }: Tenant, id: string): Promise<void> => {
  await sql`delete from agent.pending_release where store = ${store} and environment = ${environment} and id = ${id}`;
};

export const pendingReleases: JobTable = {
  table: 'agent.pending_release',
  due: 'due_at',
  lease: 'due_at',
  claimed: (sql) => sql`attempts = job.attempts + 1`,
  columns: (sql) => sql`id, intent, offer, attempts`,
};

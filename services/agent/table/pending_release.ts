// SQL of releases that are pending for checkout intents.
import type { Tenant } from '#runtime/call/call.ts';
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
): Promise<void> => {
  await sql`
    insert into agent.pending_release (store, environment, id, intent, offer, created_at)
    values (${store}, ${environment}, ${id}, ${intent}, ${JSON.stringify(offer)}::text::json, ${at})`;
};

export const deletePendingRelease = async (sql: Sql, { store, environment }: Tenant, id: string): Promise<void> => {
  await sql`delete from agent.pending_release where store = ${store} and environment = ${environment} and id = ${id}`;
};

export const pendingReleasesUntil = (sql: Sql, until: Date, limit: number) =>
  sql<(Tenant & PendingRelease)[]>`
    select store, environment, id, intent, offer from agent.pending_release
    where created_at <= ${until} order by created_at limit ${limit}`;

// SQL of what is held of checkout intents and they say no more.
import type { Tenant } from '#runtime/call/call.ts';
import type { Sql } from '#runtime/postgres/sql.ts';
import type { IntentOffer } from '#services/agent/offer.ts';

export interface OwedHold {
  readonly id: string;
  readonly intent: string;
  /** What the intent promised before. */
  readonly offer: IntentOffer;
}

export const insertOwed = async (
  sql: Sql,
  { store, environment }: Tenant,
  { id, intent, offer }: OwedHold,
  at: Date,
): Promise<void> => {
  await sql`
    insert into agent.owed_hold (store, environment, id, intent, offer, created_at)
    values (${store}, ${environment}, ${id}, ${intent}, ${JSON.stringify(offer)}::text::json, ${at})`;
};

export const forgetOwed = async (sql: Sql, { store, environment }: Tenant, id: string): Promise<void> => {
  await sql`delete from agent.owed_hold where store = ${store} and environment = ${environment} and id = ${id}`;
};

/** Those of before then, the oldest first. */
export const owedUntil = (sql: Sql, until: Date, limit: number) =>
  sql<(Tenant & OwedHold)[]>`
    select store, environment, id, intent, offer from agent.owed_hold
    where created_at <= ${until} order by created_at limit ${limit}`;

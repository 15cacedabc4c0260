// SQL of quotes and checkout intents.
import type { AgentBuyerInput } from '#proto/gen/agent.ts';
import type { Tenant } from '#runtime/call/call.ts';
import type { Sql } from '#runtime/postgres/sql.ts';
import type { IntentRecord, OfferRecord } from '#services/agent/offer.ts';

const json = (value: unknown): string | null => (value === null ? null : JSON.stringify(value));

export const insertQuote = async (sql: Sql, { store, environment }: Tenant, quote: OfferRecord): Promise<void> => {
  await sql`
    insert into agent.quote (store, environment, id, offer, shipping_address, expires_at, created_at)
    values (${store}, ${environment}, ${quote.id}, ${json(quote.offer)}::text::json,
      ${json(quote.shipping_address)}::text::json, ${quote.expires_at}, ${quote.created_at})`;
};

export const findQuote = async (sql: Sql, { store, environment }: Tenant, id: string): Promise<OfferRecord | null> => {
  const [row] = await sql<OfferRecord[]>`
    select id, offer, shipping_address, order_id, intent_id, expires_at, created_at from agent.quote
    where store = ${store} and environment = ${environment} and id = ${id}`;
  return row ?? null;
};

export const takeQuote = async (
  sql: Sql,
  { store, environment }: Tenant,
  id: string,
  intent: string,
): Promise<boolean> => {
  const taken = await sql`
    update agent.quote set intent_id = ${intent}
    where store = ${store} and environment = ${environment} and id = ${id} and order_id is null and intent_id is null`;
  return taken.count === 1;
};

export const insertIntent = async (sql: Sql, { store, environment }: Tenant, intent: IntentRecord): Promise<void> => {
  await sql`
    insert into agent.intent (store, environment, id, hold, offer, email, shipping_address, billing_address, status, agent, buyer,
      note, language, expires_at, created_at)
    values (${store}, ${environment}, ${intent.id}, ${intent.hold}, ${json(intent.offer)}::text::json, ${intent.email},
      ${json(intent.shipping_address)}::text::json, ${json(intent.billing_address)}::text::json, ${intent.status}, ${json(intent.agent)}::text::json,
      ${json(intent.buyer)}::text::json, ${intent.note}, ${intent.language}, ${intent.expires_at}, ${intent.created_at})`;
};

const intents = (sql: Sql, { store, environment }: Tenant) => sql`
  select id, hold, offer, email, shipping_address, billing_address, status, order_id, version, agent, buyer, note,
    language, expires_at, created_at from agent.intent
  where store = ${store} and environment = ${environment}`;

export const findIntent = async (sql: Sql, tenant: Tenant, id: string): Promise<IntentRecord | null> => {
  const [row] = await sql<IntentRecord[]>`${intents(sql, tenant)} and id = ${id}`;
  return row ?? null;
};

export const holdIntent = async (sql: Sql, tenant: Tenant, id: string): Promise<IntentRecord | null> => {
  const [row] = await sql<IntentRecord[]>`${intents(sql, tenant)} and id = ${id} for no key update`;
  return row ?? null;
};

export type HoldingIntentRecord = Pick<IntentRecord, 'id' | 'hold' | 'order_id' | 'agent' | 'created_at'>;

export const intentsOfHolds = (
  sql: Sql,
  { store, environment }: Tenant,
  holds: readonly string[],
): Promise<readonly HoldingIntentRecord[]> =>
  sql<HoldingIntentRecord[]>`
    select id, hold, order_id, agent, created_at from agent.intent
    where store = ${store} and environment = ${environment} and hold = any(${holds as string[]}::uuid[])`;

/** Returns the newest intents first. `before` is the last id of the previous page. */
export const pageOfIntents = (
  sql: Sql,
  tenant: Tenant,
  before: string | null,
  limit: number,
): Promise<readonly IntentRecord[]> =>
  sql<IntentRecord[]>`
    ${intents(sql, tenant)} ${before === null ? sql`` : sql`and id < ${before}`} order by id desc limit ${limit}`;

export type IntentChange = Pick<
  IntentRecord,
  'offer' | 'email' | 'shipping_address' | 'billing_address' | 'buyer' | 'note' | 'language'
>;

export const updateIntent = async (
  sql: Sql,
  { store, environment }: Tenant,
  id: string,
  { offer, email, shipping_address, billing_address, buyer, note, language }: IntentChange,
): Promise<void> => {
  await sql`
    update agent.intent set offer = ${json(offer)}::text::json, email = ${email},
      shipping_address = ${json(shipping_address)}::text::json,
      billing_address = ${json(billing_address)}::text::json, buyer = ${json(buyer)}::text::json, note = ${note},
      language = ${language}, version = version + 1
    where store = ${store} and environment = ${environment} and id = ${id}`;
};

export const cancelIntent = async (sql: Sql, { store, environment }: Tenant, id: string): Promise<void> => {
  await sql`
    update agent.intent set status = 'cancelled'
    where store = ${store} and environment = ${environment} and id = ${id}`;
};

export interface UsedQuote {
  readonly id: string;
  readonly order: string;
}

export interface CompletedIntent extends UsedQuote {
  readonly version: number;
}

export interface IntentBuyer {
  readonly email?: string | null | undefined;
  readonly buyer?: AgentBuyerInput | null | undefined;
}

/** Marks unexpired, unused quotes as used, and locks them by id to avoid deadlocks. Returns their number. */
export const useQuotes = async (
  sql: Sql,
  { store, environment }: Tenant,
  quotes: readonly UsedQuote[],
  now: Date,
): Promise<number> => {
  const used = await sql`
    with locked as (
      select q.id, u.order_id
      from unnest(${quotes.map(({ id }) => id)}::uuid[], ${quotes.map(({ order }) => order)}::uuid[]) as u (id, order_id)
      join agent.quote q on q.store = ${store} and q.environment = ${environment} and q.id = u.id
      where q.order_id is null and q.intent_id is null and q.expires_at > ${now}
      order by q.id for no key update of q
    )
    update agent.quote q set order_id = locked.order_id
    from locked where q.store = ${store} and q.environment = ${environment} and q.id = locked.id`;
  return used.count;
};

/**
 * Completes open, unexpired intents that have the given versions, and locks them by id to avoid deadlocks. Returns
 * their number.
 */
export const completeIntents = async (
  sql: Sql,
  { store, environment }: Tenant,
  intents: readonly CompletedIntent[],
  now: Date,
): Promise<number> => {
  const completed = await sql`
    with locked as (
      select i.id, c.order_id
      from unnest(${intents.map(({ id }) => id)}::uuid[], ${intents.map(({ order }) => order)}::uuid[],
        ${intents.map(({ version }) => version)}::integer[]) as c (id, order_id, version)
      join agent.intent i on i.store = ${store} and i.environment = ${environment} and i.id = c.id
      where i.status = 'open' and i.version = c.version and i.expires_at > ${now}
      order by i.id for no key update of i
    )
    update agent.intent i set status = 'completed', order_id = locked.order_id
    from locked where i.store = ${store} and i.environment = ${environment} and i.id = locked.id`;
  return completed.count;
};

export const setBuyer = async (
  sql: Sql,
  { store, environment }: Tenant,
  id: string,
  { email, buyer }: IntentBuyer,
): Promise<void> => {
  await sql`
    update agent.intent set email = coalesce(${email ?? null}, email),
      buyer = coalesce(${json(buyer ?? null)}::text::json, buyer)
    where store = ${store} and environment = ${environment} and id = ${id}`;
};

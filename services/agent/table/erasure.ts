// Erases a person from drafts, checkout intents and quotes, which assistants made for them.
import { type ErasureRule, erasure, type Person, recordIds } from '#runtime/domain/personal_data.ts';
import type { Sql } from '#runtime/postgres/sql.ts';

const idsOf = (rows: readonly { readonly id: string }[]): string[] => rows.map(({ id }) => id);

const eraseDrafts = async (sql: Sql, person: Person, limit: number): Promise<string[]> =>
  idsOf(
    await sql<{ id: string }[]>`
      update agent.draft set email = null, buyer = null, shipping_address = null, billing_address = null,
        offer = (offer::jsonb - 'point')::json
      where ctid = any(array(
        select ctid from agent.draft
        where store = ${person.tenant.store} and environment = ${person.tenant.environment}
          and (lower(email) = any(${person.emails as string[]}::text[]) or intent = any(${recordIds(person)}::uuid[]))
          and num_nonnulls(email, buyer, shipping_address, billing_address) > 0
        limit ${limit}))
      returning id`,
  );

const eraseIntents = async (sql: Sql, person: Person, limit: number): Promise<string[]> =>
  idsOf(
    await sql<{ id: string }[]>`
      update agent.intent set email = null, buyer = null, shipping_address = null, billing_address = null, note = null,
        offer = (offer::jsonb - 'point')::json
      where ctid = any(array(
        select ctid from agent.intent
        where store = ${person.tenant.store} and environment = ${person.tenant.environment}
          and (lower(email) = any(${person.emails as string[]}::text[]) or order_id = any(${recordIds(person)}::uuid[]))
          and num_nonnulls(email, buyer, shipping_address, billing_address, note) > 0
        limit ${limit}))
      returning id`,
  );

const eraseQuotes = async (sql: Sql, person: Person, limit: number): Promise<string[]> =>
  idsOf(
    await sql<{ id: string }[]>`
      update agent.quote set shipping_address = null, offer = (offer::jsonb - 'point')::json
      where ctid = any(array(
        select ctid from agent.quote
        where store = ${person.tenant.store} and environment = ${person.tenant.environment} and shipping_address is not null
          and (order_id = any(${recordIds(person)}::uuid[]) or intent_id = any(${recordIds(person)}::uuid[]))
        limit ${limit}))
      returning id`,
  );

/** Intents come first: drafts and quotes are found by them. */
export const agentErasures: readonly ErasureRule[] = [
  erasure('checkout intents', ({ sql }, person, limit) => eraseIntents(sql, person, limit)),
  erasure('cart drafts', ({ sql }, person, limit) => eraseDrafts(sql, person, limit)),
  erasure('quotes', ({ sql }, person, limit) => eraseQuotes(sql, person, limit)),
];

// SQL of gift cards with the balances of their accounts.
import type { GiftCard } from '#proto/gen/value.ts';
import type { Tenant } from '#runtime/call/call.ts';
import { type DueItem, type DueQuery, type DueRow, dueItemOf } from '#runtime/domain/due.ts';
import type { Sql } from '#runtime/postgres/sql.ts';

export interface CardRow {
  readonly id: string;
  readonly code: Uint8Array;
  readonly code_last4: string;
  readonly currency: string;
  readonly initial_amount: number;
  readonly balance: number;
  readonly expires_at: Date | null;
  readonly disabled_at: Date | null;
  readonly customer_id: string | null;
  readonly created_at: Date;
}

const columns = (sql: Sql) => sql`
  c.id, c.code, c.code_last4, c.currency, c.initial_amount, c.expires_at, c.disabled_at, c.customer_id, c.created_at,
  coalesce((
    select a.balance from ledger.account a
    where a.store = c.store and a.environment = c.environment and a.kind = 'gift_card' and a.subject = c.id
      and a.currency = c.currency
  ), 0) as balance`;

export const insertCard = async (
  sql: Sql,
  { store, environment }: Tenant,
  card: CardRow,
  codeHash: Buffer,
): Promise<void> => {
  await sql`
    insert into ledger.gift_card (store, environment, id, code_hash, code, code_last4, currency, initial_amount,
      expires_at, customer_id, created_at)
    values (${store}, ${environment}, ${card.id}, ${codeHash}, ${card.code}, ${card.code_last4}, ${card.currency},
      ${card.initial_amount}, ${card.expires_at}, ${card.customer_id}, ${card.created_at})`;
};

export const findCardByCode = async (sql: Sql, tenant: Tenant, codeHash: Buffer): Promise<CardRow | null> => {
  const [card] = await sql<CardRow[]>`
    select ${columns(sql)} from ledger.gift_card c
    where c.store = ${tenant.store} and c.environment = ${tenant.environment} and c.code_hash = ${codeHash}`;
  return card ?? null;
};

export const lockCard = async (sql: Sql, tenant: Tenant, id: string): Promise<CardRow | null> => {
  const held = await sql`
    select 1 from ledger.gift_card
    where store = ${tenant.store} and environment = ${tenant.environment} and id = ${id} for no key update`;
  if (held.length === 0) return null;
  // A second statement, because its snapshot is taken after the lock was granted.
  return findCard(sql, tenant, id);
};

export const findCard = async (sql: Sql, tenant: Tenant, id: string): Promise<CardRow | null> => {
  const [card] = await sql<CardRow[]>`
    select ${columns(sql)} from ledger.gift_card c
    where c.store = ${tenant.store} and c.environment = ${tenant.environment} and c.id = ${id}`;
  return card ?? null;
};

export const holdCards = async (
  sql: Sql,
  { store, environment }: Tenant,
  hashes: readonly Buffer[],
): Promise<readonly (CardRow & { code_hash: Buffer })[]> => {
  if (hashes.length === 0) return [];
  const wanted = hashes.map((hash) => hash.toString('hex'));
  const held = await sql<{ id: string }[]>`
    select id from ledger.gift_card
    where store = ${store} and environment = ${environment}
      and code_hash in (select decode(hash, 'hex') from unnest(${wanted}::text[]) as hash)
    order by id for no key update`;
  return sql<(CardRow & { code_hash: Buffer })[]>`
    select c.code_hash, ${columns(sql)} from ledger.gift_card c
    where c.store = ${store} and c.environment = ${environment} and c.id = any(${held.map(({ id }) => id)}::uuid[])`;
};

export const setDisabled = async (sql: Sql, tenant: Tenant, id: string, at: Date): Promise<void> => {
  await sql`
    update ledger.gift_card set disabled_at = ${at}
    where store = ${tenant.store} and environment = ${tenant.environment} and id = ${id}`;
};

export const reopenCard = async (sql: Sql, tenant: Tenant, id: string, until: Date): Promise<void> => {
  await sql`
    update ledger.gift_card set disabled_at = null, expires_at = ${until}, expiry_published = false
    where store = ${tenant.store} and environment = ${tenant.environment} and id = ${id}`;
};

export const pageOfCards = (
  sql: Sql,
  { store, environment }: Tenant,
  customer: string,
  after: { readonly createdAt: Date; readonly id: string } | null,
  limit: number,
): Promise<readonly CardRow[]> => sql<CardRow[]>`
  select ${columns(sql)} from ledger.gift_card c
  where c.store = ${store} and c.environment = ${environment} and c.customer_id = ${customer}
    and ${after === null ? sql`true` : sql`(c.created_at, c.id) < (${after.createdAt}, ${after.id}::uuid)`}
  order by c.created_at desc, c.id desc limit ${limit}`;

export interface IssuedCardFilter {
  /** Last letters of the code. */
  readonly ending: string | null;
  readonly codeHash: Buffer | null;
  readonly status: GiftCard['status'] | null;
  readonly customer: string | null;
}

/** Returns the tenant's cards, the newest first, behind `after`. The status is that of `statusOf`. */
export const pageOfIssuedCards = (
  sql: Sql,
  { store, environment }: Tenant,
  { ending, codeHash, status, customer }: IssuedCardFilter,
  now: Date,
  after: { readonly createdAt: Date; readonly id: string } | null,
  limit: number,
): Promise<readonly CardRow[]> => sql<CardRow[]>`
  select * from (
    select ${columns(sql)} from ledger.gift_card c
    where c.store = ${store} and c.environment = ${environment}
      ${ending === null ? sql`` : sql`and reverse(c.code_last4) like reverse(${ending}) || '%'`}
      ${codeHash === null ? sql`` : sql`and c.code_hash = ${codeHash}`}
      ${customer === null ? sql`` : sql`and c.customer_id = ${customer}`}
      ${after === null ? sql`` : sql`and (c.created_at, c.id) < (${after.createdAt}, ${after.id}::uuid)`}
  ) as card
  ${
    status === null
      ? sql``
      : sql`where case when disabled_at is not null then 'disabled' when balance = 0 then 'redeemed'
          when expires_at <= ${now} then 'expired' else 'active' end = ${status}`
  }
  order by created_at desc, id desc limit ${limit}`;

/** Returns cards past their expiry whose event is not published yet. */
export const expiringCards = async (sql: Sql, { tenant, until, max }: DueQuery): Promise<readonly DueItem[]> => {
  const rows = await sql<DueRow[]>`
    select store, environment, id, expires_at as due_at from ledger.gift_card
    where expires_at <= ${until} and not expiry_published and disabled_at is null
      and ${tenant === null ? sql`true` : sql`store = ${tenant.store} and environment = ${tenant.environment}`}
    order by expires_at, id limit ${max}`;
  return rows.map(dueItemOf);
};

export const markExpiryPublished = async (sql: Sql, tenant: Tenant, id: string): Promise<boolean> => {
  const { count } = await sql`
    update ledger.gift_card set expiry_published = true
    where store = ${tenant.store} and environment = ${tenant.environment} and id = ${id} and not expiry_published`;
  return count === 1;
};

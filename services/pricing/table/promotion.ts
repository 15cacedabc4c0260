// Promotions, and the revision of a tenant's pricing rules, in Postgres.
import type { Tenant } from '#runtime/call/call.ts';
import { type DueItem, type DueQuery, type DueRow, dueItemOf } from '#runtime/domain/due.ts';
import { revisionOf, revisionsOf } from '#runtime/postgres/revision.ts';
import type { Sql } from '#runtime/postgres/sql.ts';
import { dueAt, type PromotionRecord, type PromotionStatus } from '#services/pricing/promotion.ts';

const TABLE = 'pricing.revision';

/** Raises the revision. The lock on its row makes a tenant's writes run one after another until commit. */
export const raiseRevision = async (sql: Sql, { store, environment }: Tenant): Promise<void> => {
  await sql`
    insert into pricing.revision as r (store, environment, revision) values (${store}, ${environment}, 1)
    on conflict (store, environment) do update set revision = r.revision + 1`;
};

export const currentRevision = (sql: Sql, tenant: Tenant): Promise<number> => revisionOf(sql, TABLE, tenant);

export const currentRevisions = (
  sql: Sql,
  tenants: readonly Tenant[],
): Promise<{ tenant: Tenant; revision: number }[]> => revisionsOf(sql, TABLE, tenants);

export type CountedPromotion = PromotionRecord & { readonly times_used: number };

const columns = (sql: Sql) => sql`
  p.id, p.name, p.code, p.type, p.value, p.currency, p.product_ids, p.category_ids, p.collection_ids, p.buy_quantity,
  p.get_quantity, p.get_discount, p.minimum_subtotal, p.usage_limit, p.usage_limit_per_customer, p.stackable, p.public,
  p.status, p.starts_at, p.ends_at, p.translations, p.created_at, p.updated_at`;

const selectCounted = (sql: Sql) => sql`
  select ${columns(sql)}, coalesce(u.times_used, 0) as times_used
  from pricing.promotion p
  left join pricing.promotion_use u on u.store = p.store and u.environment = p.environment and u.promotion = p.id`;

const isVisible = (sql: Sql, now: Date) => sql`
  p.public and p.status in ('scheduled', 'active') and (p.starts_at is null or p.starts_at <= ${now})
    and (p.ends_at is null or p.ends_at > ${now})`;

export const findPromotion = async (
  sql: Sql,
  { store, environment }: Tenant,
  id: string,
): Promise<CountedPromotion | null> => {
  const [row] = await sql<CountedPromotion[]>`
    ${selectCounted(sql)}
    where p.store = ${store} and p.environment = ${environment} and p.id = ${id} and p.deleted_at is null`;
  return row ?? null;
};

export const lockPromotion = async (
  sql: Sql,
  { store, environment }: Tenant,
  id: string,
): Promise<CountedPromotion | null> => {
  const [row] = await sql<CountedPromotion[]>`
    ${selectCounted(sql)}
    where p.store = ${store} and p.environment = ${environment} and p.id = ${id} and p.deleted_at is null
    for update of p`;
  return row ?? null;
};

export interface PromotionFilter {
  /** Whether only promotions that are public and active are listed. */
  readonly visible: boolean;
  /** A part of the name, or the beginning of the code. */
  readonly search: string | null;
  readonly status: PromotionStatus | null;
}

/** The status at a time, as `statusAt` derives it. */
const statusIs = (sql: Sql, status: PromotionStatus, now: Date) => sql`
  case when p.status in ('scheduled', 'active') and p.ends_at <= ${now} then 'expired'
    when p.status = 'scheduled' and p.starts_at <= ${now} then 'active' else p.status end = ${status}`;

const matches = (sql: Sql, search: string) => sql`
  (position(lower(${search}) in lower(p.name)) > 0 or starts_with(p.code, upper(${search})))`;

export const listPromotions = async (
  sql: Sql,
  { store, environment }: Tenant,
  { visible, search, status }: PromotionFilter,
  now: Date,
  after: { readonly createdAt: Date; readonly id: string } | null,
  limit: number,
): Promise<CountedPromotion[]> => sql<CountedPromotion[]>`
  ${selectCounted(sql)}
  where p.store = ${store} and p.environment = ${environment} and p.deleted_at is null
    and ${visible ? isVisible(sql, now) : sql`true`}
    and ${search === null ? sql`true` : matches(sql, search)}
    and ${status === null ? sql`true` : statusIs(sql, status, now)}
    and ${after === null ? sql`true` : sql`(p.created_at, p.id) < (${after.createdAt}, ${after.id}::uuid)`}
  order by p.created_at desc, p.id desc limit ${limit}`;

/**
 * Reads all promotions that pricing needs: no drafts, and ended ones only if they have a code, which a shopper may
 * still enter.
 */
export const allPromotions = async (sql: Sql, { store, environment }: Tenant): Promise<CountedPromotion[]> =>
  sql<CountedPromotion[]>`
    ${selectCounted(sql)}
    where p.store = ${store} and p.environment = ${environment} and p.deleted_at is null and p.status <> 'draft'
      and (p.code is not null or p.status not in ('ended', 'expired'))
    order by p.created_at, p.id`;

export const isCodeTaken = async (
  sql: Sql,
  { store, environment }: Tenant,
  code: string,
  exceptId: string,
): Promise<boolean> => {
  const rows = await sql`
    select 1 from pricing.promotion
    where store = ${store} and environment = ${environment} and code = ${code} and id <> ${exceptId}
      and status not in ('ended', 'expired')`;
  return rows.length > 0;
};

export const savePromotion = async (
  sql: Sql,
  { store, environment }: Tenant,
  record: PromotionRecord,
): Promise<void> => {
  const { id, created_at, ...rest } = record;
  const translations = record.translations && sql.json(record.translations);
  const row = { ...rest, translations, due_at: dueAt(record) };
  await sql`
    insert into pricing.promotion ${sql({ store, environment, id, created_at, ...row } as never)}
    on conflict (store, environment, id) do update set ${sql(row as never)}`;
};

/** Ends the promotion and hides its row, which stays: orders that were priced before still count their use. */
export const deletePromotion = async (
  sql: Sql,
  { store, environment }: Tenant,
  id: string,
  now: Date,
): Promise<void> => {
  await sql`
    update pricing.promotion set status = 'ended', due_at = null, updated_at = ${now}, deleted_at = ${now}
    where store = ${store} and environment = ${environment} and id = ${id}`;
};

/** Returns promotions whose status has to change. */
export const duePromotions = async (sql: Sql, { tenant, until, max }: DueQuery): Promise<readonly DueItem[]> => {
  const rows = await sql<DueRow[]>`
    select store, environment, id, due_at from pricing.promotion
    where due_at <= ${until}
      and ${tenant === null ? sql`true` : sql`store = ${tenant.store} and environment = ${tenant.environment}`}
    order by due_at, id limit ${max}`;
  return rows.map(dueItemOf);
};

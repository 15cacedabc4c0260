// SQL of marketplace operators and their merchants.
import type { SellingMerchant } from '#proto/gen/store_directory.ts';
import type { Sql } from '#runtime/postgres/sql.ts';

export interface OperatorRecord {
  readonly id: string;
  readonly name: string;
  /** Merchants that are not suspended. */
  readonly stores: readonly string[];
}

export interface MerchantRecord {
  readonly store_id: string;
  readonly name: string;
  readonly code: string;
  readonly logo_url: string | null;
  readonly website_url: string | null;
  readonly currency: string;
  readonly country: string | null;
  readonly suspended: boolean;
  readonly lapsed: boolean;
}

/**
 * Adds a store to an operator or removes it. Returns the operator's stores afterwards; null if the operator does not
 * exist.
 */
export const setMerchant = async (
  sql: Sql,
  operator: string,
  store: string,
  member: boolean,
): Promise<readonly string[] | null> => {
  const known = await sql`select 1 from store.operator where id = ${operator} for update`;
  if (known.length === 0) return null;
  if (member)
    await sql`
      insert into store.operator_store (operator, store) values (${operator}, ${store}) on conflict do nothing`;
  else await sql`delete from store.operator_store where operator = ${operator} and store = ${store}`;
  return findMerchants(sql, operator);
};

export const findOperator = async (sql: Sql, id: string): Promise<OperatorRecord | null> => {
  const [found] = await sql<{ name: string }[]>`select name from store.operator where id = ${id}`;
  return found ? { id, name: found.name, stores: await findMerchants(sql, id) } : null;
};

/** Leaves suspended merchants out. */
export const findMerchants = async (sql: Sql, operator: string): Promise<readonly string[]> => {
  const rows = await sql<{ store: string }[]>`
    select store from store.operator_store where operator = ${operator} and suspended_at is null order by store`;
  return rows.map(({ store }) => store);
};

/** Leaves suspended and lapsed merchants out. */
export const findSellingMerchants = (sql: Sql, operator: string): Promise<SellingMerchant[]> => sql<SellingMerchant[]>`
  select s.id as store_id, s.name, s.currency, s.language
  from store.operator_store m join store.store s on s.id = m.store
  where m.operator = ${operator} and m.suspended_at is null and not s.lapsed
  order by s.id`;

/** Leaves out operators that have suspended the store. */
export const findOperators = async (sql: Sql, store: string): Promise<readonly string[]> => {
  const rows = await sql<{ operator: string }[]>`
    select operator from store.operator_store where store = ${store} and suspended_at is null order by operator`;
  return rows.map(({ operator }) => operator);
};

const selectMerchants = (sql: Sql, operator: string) => sql`
  select s.id as store_id, s.name, s.code, s.logo_url, s.website_url, s.currency, s.country,
    m.suspended_at is not null as suspended, s.lapsed
  from store.operator_store m join store.store s on s.id = m.store
  where m.operator = ${operator}`;

/** Lists merchants by code, suspended ones too, behind the code `after`. */
export const pageOfMerchants = (
  sql: Sql,
  operator: string,
  after: string | null,
  limit: number,
): Promise<MerchantRecord[]> => sql<MerchantRecord[]>`
  ${selectMerchants(sql, operator)}
    and (${after}::text is null or s.code > ${after})
  order by s.code limit ${limit}`;

export const findMerchant = async (sql: Sql, operator: string, store: string): Promise<MerchantRecord | null> => {
  const [found] = await sql<MerchantRecord[]>`${selectMerchants(sql, operator)} and s.id = ${store}`;
  return found ?? null;
};

/** Returns false if the store is no merchant of the operator's. */
export const suspendMerchant = async (
  sql: Sql,
  operator: string,
  store: string,
  suspendedAt: Date | null,
): Promise<boolean> => {
  const changed = await sql`
    update store.operator_store set
      suspended_at = case when ${suspendedAt}::timestamptz is null then null else coalesce(suspended_at, ${suspendedAt}) end
    where operator = ${operator} and store = ${store}`;
  return changed.count > 0;
};

export const insertOperator = async (
  sql: Sql,
  operator: { readonly id: string; readonly name: string; readonly stores: readonly string[] },
  at: Date,
): Promise<void> => {
  await sql`insert into store.operator (id, name, created_at) values (${operator.id}, ${operator.name}, ${at})`;
  await sql`
    insert into store.operator_store (operator, store)
    select ${operator.id}::uuid, s::uuid from jsonb_array_elements_text(${sql.json(operator.stores as never)}) s
    on conflict do nothing`;
};

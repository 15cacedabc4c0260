// SQL of marketplace operators and their merchants.
import type { Sql } from '#runtime/postgres/sql.ts';

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

export const findMerchants = async (sql: Sql, operator: string): Promise<readonly string[]> => {
  const rows = await sql<{ store: string }[]>`
    select store from store.operator_store where operator = ${operator} order by store`;
  return rows.map(({ store }) => store);
};

export const findOperators = async (sql: Sql, store: string): Promise<readonly string[]> => {
  const rows = await sql<{ operator: string }[]>`
    select operator from store.operator_store where store = ${store} order by operator`;
  return rows.map(({ operator }) => operator);
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

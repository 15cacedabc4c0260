// SQL of API keys and operators.
import type { Environment } from '#runtime/call/call.ts';
import type { Sql } from '#runtime/postgres/sql.ts';
import type { ApiKeyType, NewKey } from '#services/store/secret.ts';

export interface KeyRecord {
  readonly id: string;
  readonly type: ApiKeyType;
  readonly environment: Environment;
  readonly store: string | null;
  readonly operator: string | null;
  /** Sealed signing secret; null for an operator's key. */
  readonly hmac_secret: Uint8Array | null;
  readonly operator_stores: readonly string[];
}

export const insertKey = async (
  sql: Sql,
  owner: { readonly store: string } | { readonly operator: string },
  key: NewKey,
  at: Date,
): Promise<void> => {
  const store = 'store' in owner ? owner.store : null;
  const operator = 'operator' in owner ? owner.operator : null;
  await sql`
    insert into store.api_key (store, environment, operator, id, type, hash, created_at)
    values (${store}, ${key.environment}, ${operator}, ${key.id}, ${key.type}, ${key.hash}, ${at})`;
};

export const findKey = async (sql: Sql, hash: Uint8Array): Promise<KeyRecord | null> => {
  const [key] = await sql<KeyRecord[]>`
    select k.id, k.type, k.environment, k.store, k.operator, e.hmac_secret,
      coalesce((select jsonb_agg(o.store order by o.store) from store.operator_store o
        where o.operator = k.operator), '[]') as operator_stores
    from store.api_key k
    left join store.environment e on e.store = k.store and e.environment = k.environment
    where k.hash = ${hash} and k.revoked_at is null`;
  return key ?? null;
};

export const revokeKeys = async (
  sql: Sql,
  store: string,
  environment: Environment,
  type: ApiKeyType,
  at: Date,
): Promise<void> => {
  await sql`
    update store.api_key set revoked_at = ${at}
    where store = ${store} and environment = ${environment} and type = ${type} and revoked_at is null`;
};

export const revokeKey = async (
  sql: Sql,
  name: { readonly hash: Uint8Array } | { readonly id: string },
  at: Date,
): Promise<{ readonly id: string; readonly owner: string } | null> => {
  const named = 'hash' in name ? sql`hash = ${name.hash}` : sql`id = ${name.id}`;
  const [key] = await sql<{ id: string; owner: string }[]>`
    update store.api_key set revoked_at = ${at} where ${named} and revoked_at is null
    returning id, coalesce(store, operator) as owner`;
  return key ?? null;
};

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

// SQL of API keys and their last use.
import type { Environment } from '#runtime/call/call.ts';
import type { Sql } from '#runtime/postgres/sql.ts';
import type { ApiKeyType, NewKey } from '#services/store/secret.ts';

export interface KeyRecord {
  readonly id: string;
  readonly name: string;
  readonly type: ApiKeyType;
  readonly environment: Environment;
  readonly store: string | null;
  readonly operator: string | null;
  /**
   * Sealed signing secret of the key itself; null: it signs with that of its environment, which an operator's key has
   * not.
   */
  readonly hmac_secret: Uint8Array | null;
  readonly environment_hmac_secret: Uint8Array | null;
  readonly previous_hmac_secret: Uint8Array | null;
  readonly previous_hmac_until: Date | null;
  readonly scopes: readonly string[] | null;
  readonly revoked_at: Date | null;
  readonly operator_stores: readonly string[];
}

export interface StoreKey {
  readonly id: string;
  readonly name: string;
  readonly type: 'secret' | 'publishable';
  readonly environment: Environment;
  readonly scopes: readonly string[] | null;
  readonly last_four: string | null;
  readonly created_at: Date;
  /** From then on the key opens nothing. */
  readonly revoked_at: Date | null;
  readonly used_at: Date | null;
  readonly address: string | null;
}

export interface KeyDetails {
  readonly name: string;
  readonly scopes: readonly string[] | null;
  readonly sealedHmacSecret: Uint8Array | null;
}

export interface KeyUse {
  readonly store_id: string;
  readonly key_id: string;
  readonly used_at_ms: number;
  readonly address: string | null;
}

const scopesJson = (sql: Sql, scopes: readonly string[] | null) => (scopes === null ? null : sql.json([...scopes]));

export const insertKey = async (
  sql: Sql,
  owner: { readonly store: string } | { readonly operator: string },
  key: NewKey,
  { name, scopes, sealedHmacSecret }: KeyDetails,
  at: Date,
): Promise<void> => {
  const store = 'store' in owner ? owner.store : null;
  const operator = 'operator' in owner ? owner.operator : null;
  await sql`
    insert into store.api_key (store, environment, operator, id, type, hash, name, last_four, scopes, hmac_secret, created_at)
    values (${store}, ${key.environment}, ${operator}, ${key.id}, ${key.type}, ${key.hash}, ${name}, ${key.lastFour},
      ${scopesJson(sql, scopes)}, ${sealedHmacSecret}, ${at})`;
};

const works = (sql: Sql, now: Date) => sql`(k.revoked_at is null or k.revoked_at > ${now})`;

export const findKey = async (sql: Sql, hash: Uint8Array, now: Date): Promise<KeyRecord | null> => {
  const [key] = await sql<KeyRecord[]>`
    select k.id, k.name, k.type, k.environment, k.store, k.operator, k.hmac_secret, k.scopes, k.revoked_at,
      e.hmac_secret as environment_hmac_secret, e.previous_hmac_secret, e.previous_hmac_until,
      coalesce((select jsonb_agg(o.store order by o.store) from store.operator_store o
        where o.operator = k.operator and o.suspended_at is null), '[]') as operator_stores
    from store.api_key k
    left join store.environment e on e.store = k.store and e.environment = k.environment
    where k.hash = ${hash} and ${works(sql, now)}`;
  return key ?? null;
};

export interface RevokedKey {
  readonly id: string;
  /** Id of the store or operator. */
  readonly owner: string;
  readonly environment: Environment;
}

const selectStoreKeys = (sql: Sql, store: string) => sql`
  select k.id, k.name, k.type, k.environment, k.scopes, k.last_four, k.created_at, k.revoked_at, u.used_at, u.address
  from store.api_key k
  left join store.key_use u on u.store = k.store and u.environment = k.environment and u.key = k.id
  where k.store = ${store}`;

export const pageOfKeys = (
  sql: Sql,
  store: string,
  {
    environment,
    after,
    limit,
  }: {
    readonly environment: Environment | undefined;
    readonly after: { readonly createdAt: Date; readonly id: string } | null;
    readonly limit: number;
  },
): Promise<StoreKey[]> => sql<StoreKey[]>`
  ${selectStoreKeys(sql, store)}
    and ${environment === undefined ? sql`true` : sql`k.environment = ${environment}`}
    and ${after === null ? sql`true` : sql`(k.created_at, k.id) < (${after.createdAt}, ${after.id}::uuid)`}
  order by k.created_at desc, k.id desc limit ${limit}`;

export const workingKeys = (sql: Sql, store: string, now: Date): Promise<StoreKey[]> => sql<StoreKey[]>`
  ${selectStoreKeys(sql, store)} and ${works(sql, now)} order by k.created_at desc, k.id desc`;

/** Returns a key that works. */
export const findStoreKey = async (sql: Sql, store: string, id: string, now: Date): Promise<StoreKey | null> => {
  const [key] = await sql<StoreKey[]>`${selectStoreKeys(sql, store)} and k.id = ${id} and ${works(sql, now)}`;
  return key ?? null;
};

export const updateKey = async (
  sql: Sql,
  store: string,
  { id, name, scopes }: Pick<StoreKey, 'id' | 'name' | 'scopes'>,
): Promise<void> => {
  await sql`
    update store.api_key set name = ${name}, scopes = ${scopesJson(sql, scopes)} where store = ${store} and id = ${id}`;
};

/** Ends a key from `at` on, which may lie ahead. */
export const endKey = async (sql: Sql, store: string, id: string, at: Date): Promise<void> => {
  await sql`update store.api_key set revoked_at = ${at} where store = ${store} and id = ${id}`;
};

/** Revokes the full keys of a type; restricted keys stay. */
export const revokeFullKeys = async (
  sql: Sql,
  store: string,
  environment: Environment,
  type: ApiKeyType,
  at: Date,
): Promise<void> => {
  await sql`
    update store.api_key k set revoked_at = ${at}
    where store = ${store} and environment = ${environment} and type = ${type} and scopes is null and ${works(sql, at)}`;
};

export const revokeKey = async (
  sql: Sql,
  name: { readonly hash: Uint8Array } | { readonly id: string },
  store: string | null,
  at: Date,
): Promise<RevokedKey | null> => {
  const named = 'hash' in name ? sql`hash = ${name.hash}` : sql`id = ${name.id}`;
  const [key] = await sql<RevokedKey[]>`
    update store.api_key k set revoked_at = ${at}
    where ${named} and ${store === null ? sql`true` : sql`store = ${store}`} and ${works(sql, at)}
    returning id, coalesce(store, operator) as owner, environment`;
  return key ?? null;
};

/** Records uses of stores' keys; ignores an older one than is stored. */
export const recordKeyUses = async (sql: Sql, uses: readonly KeyUse[]): Promise<void> => {
  // Sorted, so that two edges that report the same keys do not deadlock.
  await sql`
    insert into store.key_use (store, environment, key, used_at, address)
    select k.store, k.environment, k.id, to_timestamp(u.used_at_ms / 1000.0), u.address
    from unnest(${uses.map(({ store_id }) => store_id)}::uuid[], ${uses.map(({ key_id }) => key_id)}::uuid[],
      ${uses.map(({ used_at_ms }) => used_at_ms)}::bigint[], ${uses.map(({ address }) => address)}::text[])
      as u (store, key, used_at_ms, address)
    join store.api_key k on k.id = u.key and k.store = u.store
    order by k.store, k.environment, k.id
    on conflict (store, environment, key) do update set used_at = excluded.used_at, address = excluded.address
    where key_use.used_at < excluded.used_at`;
};

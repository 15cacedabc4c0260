// SQL of stores and of the settings of their environments.
import type { Environment, Tenant } from '#runtime/call/call.ts';
import type { Sql } from '#runtime/postgres/sql.ts';
import { isDomain } from '#services/store/domain.ts';
import type { LimitOverrides, Plan, SubscriptionState } from '#services/store/plan.ts';
import type { EnvironmentSettings, SharedSettings, StoreRecord } from '#services/store/profile.ts';
import type { HmacSecrets } from './hmac_secret.ts';

export interface NewStore {
  readonly id: string;
  readonly code: string;
  readonly name: string;
  readonly currency: string;
  readonly country: string | null;
  readonly plan: Plan;
  readonly trial: boolean;
  readonly wholesale: boolean;
  readonly createdAt: Date;
  readonly sealedHmacSecrets: Readonly<Record<Environment, Uint8Array>>;
}

export const insertStore = async (sql: Sql, store: NewStore): Promise<boolean> => {
  const { count } = await sql`
    insert into store.store (id, code, name, currency, country, plan, trial, wholesale_enabled, created_at, updated_at)
    values (${store.id}, ${store.code}, ${store.name}, ${store.currency}, ${store.country}, ${store.plan},
      ${store.trial}, ${store.wholesale}, ${store.createdAt}, ${store.createdAt})
    on conflict (code) do nothing`;
  if (count === 0) return false;
  await sql`
    insert into store.environment (store, environment, hmac_secret)
    values (${store.id}, 'production', ${store.sealedHmacSecrets.production}),
      (${store.id}, 'sandbox', ${store.sealedHmacSecrets.sandbox})`;
  await sql`insert into runtime.sandbox (store) values (${store.id})`;
  return true;
};

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** `name` is an id, a code or a domain; their formats differ. */
export const findStore = async (sql: Sql, name: string): Promise<StoreRecord | null> => {
  const named = UUID.test(name)
    ? sql`s.id = ${name}`
    : isDomain(name)
      ? sql`s.id = (select store from store.domain where domain = ${name})`
      : sql`s.code = ${name}`;
  const [store] = await sql<StoreRecord[]>`
    select s.id, s.code, s.name, s.description, s.logo_url, s.branding, s.website_url, s.contact_email,
      s.contact_phone, s.currency, s.country, s.timezone, s.wholesale_enabled, s.return_window_days,
      s.low_stock_threshold, s.tax_inclusive, s.llms_enabled, s.products_enabled, s.cart_abandoned_after_minutes,
      s.intent_ttl_minutes, s.review_approval, s.agents_mcp, s.agents_acp, s.agents_ucp, s.language, s.languages,
      s.currencies, s.updated_at, s.retention,
      array(select d.domain from store.domain d where d.store = s.id order by d.position) as domains, s.plan, s.trial, s.lapsed,
      jsonb_build_object('key_hour', s.limit_key_hour, 'key_day', s.limit_key_day,
        'network_hour', s.limit_network_hour, 'month', s.limit_month) as limits,
      (select jsonb_object_agg(e.environment, jsonb_build_object(
          'allowed_redirect_origins', e.allowed_redirect_origins, 'idp', e.idp,
          'exchange_rates', coalesce((
            select jsonb_agg(jsonb_build_object('currency', r.currency, 'base_currency', r.base_currency,
              'rate', r.rate, 'round_to', r.round_to, 'max_age_hours', r.max_age_hours,
              'updated_at_ms', floor(extract(epoch from r.updated_at) * 1000)) order by r.currency)
            from store.exchange_rate r where r.store = e.store and r.environment = e.environment
          ), '[]')))
        from store.environment e where e.store = s.id) as environments
    from store.store s where ${named}`;
  return store ?? null;
};

export const lockStore = async (sql: Sql, name: string): Promise<StoreRecord | null> => {
  const named = UUID.test(name) ? sql`id = ${name}` : sql`code = ${name}`;
  const [locked] = await sql<{ id: string }[]>`select id from store.store where ${named} for no key update`;
  // A second statement, which sees the changes that were committed while the first waited for the lock.
  return locked ? findStore(sql, locked.id) : null;
};

export const updateSharedSettings = async (
  sql: Sql,
  store: SharedSettings & Pick<StoreRecord, 'id' | 'updated_at'>,
): Promise<void> => {
  await sql`
    update store.store set name = ${store.name}, description = ${store.description}, logo_url = ${store.logo_url},
      branding = ${store.branding === null ? null : sql.json(store.branding as never)},
      website_url = ${store.website_url}, contact_email = ${store.contact_email},
      contact_phone = ${store.contact_phone}, currency = ${store.currency}, country = ${store.country},
      timezone = ${store.timezone}, wholesale_enabled = ${store.wholesale_enabled},
      return_window_days = ${store.return_window_days}, low_stock_threshold = ${store.low_stock_threshold},
      tax_inclusive = ${store.tax_inclusive}, llms_enabled = ${store.llms_enabled},
      products_enabled = ${store.products_enabled},
      cart_abandoned_after_minutes = ${store.cart_abandoned_after_minutes},
      intent_ttl_minutes = ${store.intent_ttl_minutes}, review_approval = ${store.review_approval},
      agents_mcp = ${store.agents_mcp}, agents_acp = ${store.agents_acp}, agents_ucp = ${store.agents_ucp},
      language = ${store.language}, languages = ${store.languages as string[]}::text[],
      currencies = ${sql.json(store.currencies as never)}, retention = jsonb_strip_nulls(${sql.json(store.retention as never)}),
      updated_at = ${store.updated_at}
    where id = ${store.id}`;
};

/**
 * Replaces the store's domains. Returns the first that belongs to another store, or null; the caller must then roll
 * back.
 */
export const updateDomains = async (sql: Sql, id: string, domains: readonly string[]): Promise<string | null> => {
  await sql`delete from store.domain where store = ${id}`;
  if (domains.length === 0) return null;
  // Sorted, so that two stores that request the same domains do not deadlock.
  const given = await sql<{ domain: string }[]>`
    insert into store.domain (domain, store, position)
    select domain, ${id}, position from unnest(${[...domains]}::text[]) with ordinality as wanted (domain, position)
    order by domain
    on conflict (domain) do nothing
    returning domain`;
  const ours = new Set(given.map(({ domain }) => domain));
  return domains.find((domain) => !ours.has(domain)) ?? null;
};

export const updateEnvironmentSettings = async (
  sql: Sql,
  id: string,
  environment: Environment,
  own: EnvironmentSettings,
): Promise<void> => {
  await sql`
    update store.environment set
      allowed_redirect_origins = ${sql.json(own.allowed_redirect_origins as never)},
      idp = ${own.idp === null ? null : sql.json(own.idp as never)}
    where store = ${id} and environment = ${environment}`;
};

export const updateSubscription = async (
  sql: Sql,
  id: string,
  { plan, trial, lapsed }: SubscriptionState,
  at: Date,
): Promise<void> => {
  await sql`
    update store.store set plan = ${plan}, trial = ${trial}, lapsed = ${lapsed}, updated_at = ${at} where id = ${id}`;
};

export const updateLimits = async (sql: Sql, id: string, limits: LimitOverrides, at: Date): Promise<void> => {
  await sql`
    update store.store set limit_key_hour = ${limits.key_hour}, limit_key_day = ${limits.key_day},
      limit_network_hour = ${limits.network_hour}, limit_month = ${limits.month}, updated_at = ${at}
    where id = ${id}`;
};

/** Locks a tenant's features until the transaction ends, so that changes run one after the other. */
export const lockEnvironment = async (sql: Sql, id: string, environment: Environment): Promise<void> => {
  await sql`
    select 1 from store.environment where store = ${id} and environment = ${environment} for no key update`;
};

export const findSecrets = async (
  sql: Sql,
  { store, environment }: Tenant,
): Promise<(HmacSecrets & { readonly external_auth_secret: Uint8Array | null }) | null> => {
  const [secrets] = await sql<(HmacSecrets & { external_auth_secret: Uint8Array | null })[]>`
    select hmac_secret, previous_hmac_secret, previous_hmac_until, external_auth_secret from store.environment
    where store = ${store} and environment = ${environment}`;
  return secrets ?? null;
};

export const updateExternalAuthSecret = async (
  sql: Sql,
  id: string,
  environment: Environment,
  sealed: Uint8Array,
): Promise<void> => {
  await sql`
    update store.environment set external_auth_secret = ${sealed} where store = ${id} and environment = ${environment}`;
};

/** Records a change of a store or operator, for hosts that miss the notice. */
export const markChanged = async (sql: Sql, owner: string): Promise<void> => {
  await sql`update store.store set changed_at = clock_timestamp() where id = ${owner}`;
  await sql`update store.operator set changed_at = clock_timestamp() where id = ${owner}`;
};

/** Lists stores and operators changed within the last minute, which is far longer than any transaction. */
export const recentlyChanged = async (sql: Sql): Promise<string[]> => {
  const rows = await sql<{ id: string }[]>`
    select id from store.store where changed_at > clock_timestamp() - interval '1 minute'
    union all
    select id from store.operator where changed_at > clock_timestamp() - interval '1 minute'`;
  return rows.map(({ id }) => id);
};

export interface StoreRetentionRow {
  readonly store_id: string;
  readonly days: Readonly<Record<string, number>>;
}

export const storesWithRetention = (sql: Sql) => sql<StoreRetentionRow[]>`
  select id as store_id, retention as days from store.store where retention <> '{}'`;

// Handlers of StoreDirectory, for the edge and other domains: resolve keys and read stores.
import type {
  ActForStoreRequest,
  GetIdentityRequest,
  GetProfileRequest,
  GetProfileResponse,
  RecordKeyUsesRequest,
  ReportFeatureRequest,
  ResolveKeyRequest,
  StoreColours,
  StoreDirectoryRpcs,
} from '#proto/gen/store_directory.ts';
import { type Environment, notFound, type Refusal, tenantKey } from '#runtime/call/call.ts';
import { type Handlers, query, read, transaction } from '#runtime/domain/rpc.ts';
import type { Clock } from '#runtime/process/clock.ts';
import { currencyOf } from '#values/currency.ts';
import type { StoreCaches } from './cache.ts';
import { isReportedFeature } from './feature.ts';
import { updateFeatures } from './feature_update.ts';
import { languagesOf } from './language.ts';
import { agentsOf, feedsOf, type StoreRecord } from './profile.ts';
import { recordKeyUses } from './table/key.ts';
import { findMerchants, findOperator, findOperators, findSellingMerchants } from './table/operator.ts';
import { findStore, lockEnvironment, storesWithRetention } from './table/store.ts';

const ENVIRONMENTS: readonly Environment[] = ['production', 'sandbox'];

const COLOUR = /^#(?:[0-9a-f]{3}|[0-9a-f]{6})$/i;

const coloursOf = (branding: StoreRecord['branding']): StoreColours => {
  const colour = (name: keyof StoreColours): string | null => {
    const value = branding?.[name];
    return typeof value === 'string' && COLOUR.test(value) ? value : null;
  };
  return {
    primary_color: colour('primary_color'),
    background_color: colour('background_color'),
    text_color: colour('text_color'),
  };
};

const profileOf = (store: StoreRecord | null): GetProfileResponse | Refusal => {
  if (store === null) return notFound('store');
  return {
    id: store.id,
    code: store.code,
    name: store.name,
    description: store.description,
    logo_url: store.logo_url,
    website_url: store.website_url,
    currency: store.currency,
    currency_symbol: currencyOf(store.currency).symbol,
    country: store.country,
    timezone: store.timezone,
    plan: store.plan,
    trial: store.trial,
    lapsed: store.lapsed,
    wholesale_enabled: store.wholesale_enabled,
    feeds: feedsOf(store),
    tax_inclusive: store.tax_inclusive,
    low_stock_threshold: store.low_stock_threshold,
    return_window_days: store.return_window_days,
    cart_abandoned_after_minutes: store.cart_abandoned_after_minutes,
    intent_ttl_minutes: store.intent_ttl_minutes,
    review_approval: store.review_approval,
    contact_email: store.contact_email,
    contact_phone: store.contact_phone,
    agents: agentsOf(store),
    domains: store.domains,
    languages: languagesOf(store),
    colours: coloursOf(store.branding),
    currencies: store.currencies,
    exchange_rates: ENVIRONMENTS.flatMap((environment) =>
      store.environments[environment].exchange_rates.map((rate) => ({ environment, ...rate })),
    ),
  };
};

export const directoryHandlers = (clock: Pick<Clock, 'real'>, caches: StoreCaches): Handlers<StoreDirectoryRpcs> => ({
  ResolveKey: read(async (_call, { key_hash }: ResolveKeyRequest) => {
    const key = await caches.keys.get(key_hash);
    if (key === null) return notFound('key');
    const { principal, scopes, endsAtMs, name } = key;
    const expires_in_ms = endsAtMs === null ? null : endsAtMs - clock.real();
    if (expires_in_ms !== null && expires_in_ms <= 0) return notFound('key');
    return { principal, scopes: scopes && [...scopes], expires_in_ms, name };
  }),

  RecordKeyUses: transaction(async (tx, _call, { uses }: RecordKeyUsesRequest) => {
    await recordKeyUses(
      tx.sql,
      uses.map((use) => ({ ...use, address: use.address ?? null })),
    );
    return {};
  }),

  ActForStore: read(async ({ tenant }, { key_id }: ActForStoreRequest) => {
    const principal = await caches.actors.get(tenantKey(tenant));
    return principal === null ? notFound('store') : { principal: { ...principal, key_id } };
  }),

  ActAsShopper: read(async ({ tenant }, { key_id }: ActForStoreRequest) => {
    const principal = await caches.actors.get(tenantKey(tenant));
    if (principal === null) return notFound('store');
    const signing = { hmac_secret: null, previous_hmac_secret: null };
    return { principal: { ...principal, key_id, key_type: 'publishable' as const, ...signing } };
  }),

  GetProfile: read((_call, input: GetProfileRequest) => {
    const store = caches.stores.get(input.store);
    return store instanceof Promise ? store.then(profileOf) : profileOf(store);
  }),

  GetIdentity: read(async ({ tenant }, _input: GetIdentityRequest) => {
    const identity = await caches.identities.get(tenantKey(tenant));
    return identity ?? notFound('store');
  }),

  GetOperator: query(async (sql, _call, { operator_id }) => {
    const operator = await findOperator(sql, operator_id);
    return operator === null ? notFound('operator') : { id: operator.id, name: operator.name };
  }),

  ListMerchants: query(async (sql, _call, { operator_id }) => ({ stores: await findMerchants(sql, operator_id) })),

  ListSellingMerchants: query(async (sql, _call, { operator_id }) => {
    const merchants = await findSellingMerchants(sql, operator_id);
    if (merchants.length === 0 && (await findOperator(sql, operator_id)) === null) return notFound('operator');
    return { merchants };
  }),

  ListOperators: query(async (sql, { tenant }) => ({ operators: await findOperators(sql, tenant.store) })),

  ListRetention: query(async (sql) => ({ stores: await storesWithRetention(sql) })),

  ReportFeature: transaction(async (tx, { tenant }, { feature, has_data }: ReportFeatureRequest) => {
    if (!isReportedFeature(feature)) return notFound('feature', 'feature');
    // Locks before reading, so that concurrent reports are applied one after the other.
    await lockEnvironment(tx.sql, tenant.store, tenant.environment);
    const store = await findStore(tx.sql, tenant.store);
    if (store === null) return notFound('store');
    const dataChange = { subject: { feature }, hasData: has_data } as const;
    await updateFeatures(tx, tx.clock, tenant, { before: store, after: store, dataChange });
    return {};
  }),
});

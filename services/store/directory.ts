// The door inside: who a key is, what a store is, what was counted.
import type { GetProfileRequest, ResolveKeyRequest, StoreDirectoryRpcs } from '#proto/gen/store.ts';
import { notFound } from '#runtime/call.ts';
import type { Foundation } from '#runtime/foundation.ts';
import { type Handlers, query, read, transaction } from '#runtime/rpc.ts';
import { currencyOf } from '#values/currency.ts';
import type { Memories } from './principal.ts';
import { feedsOf } from './profile.ts';
import { addUsage, readUsage } from './table/usage.ts';
import { windowStart } from './usage.ts';

export const directoryHandlers = ({ clock }: Foundation, memories: Memories): Handlers<StoreDirectoryRpcs> => ({
  ResolveKey: read(async (_call, { key_hash }: ResolveKeyRequest) => {
    const principal = await memories.principals.get(key_hash);
    return principal === null ? notFound('key') : { principal };
  }),

  GetProfile: read(async (_call, input: GetProfileRequest) => {
    const store = await memories.stores.get(input.store);
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
    };
  }),

  RecordUsage: transaction(async (tx, call, { entries = [] }) => {
    if (entries.length === 0) return { entries: [] };
    const counted = entries.map((entry) => ({
      ...entry,
      subject: entry.subject ?? '',
      store: entry.store ?? call.tenant.store,
    }));
    return { entries: await addUsage(tx.sql, counted) };
  }),

  ReadUsage: query(async (sql, call, { counters = [] }) => {
    const now = clock.real();
    const { store } = call.tenant;
    const windows = counters.map(({ scope, subject = '' }) => ({
      scope,
      subject,
      window_start: windowStart(scope, now),
      store,
    }));
    return { entries: windows.length === 0 ? [] : await readUsage(sql, windows) };
  }),
});

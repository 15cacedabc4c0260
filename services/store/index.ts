// The store domain: profiles, keys, plans, policies and features.

import type { Domain } from '#runtime/domain/rpc.ts';
import type { Runtime } from '#runtime/domain/runtime.ts';
import type { Inbox } from '#runtime/postgres/inbox.ts';
import type { SealedColumn } from '#runtime/postgres/reseal.ts';
import { adminHandlers } from './admin.ts';
import { adminKeyHandlers } from './admin_key.ts';
import { openStoreCaches } from './cache.ts';
import { directoryHandlers } from './directory.ts';
import { exchangeRateHandlers, readExchangeRate } from './exchange_rate_rpc.ts';
import { keyDocument, openKeys } from './key.ts';
import { keyHandlers } from './key_rpc.ts';
import { merchantHandlers } from './merchant.ts';
import { profileFor } from './profile.ts';
import { startReactor } from './reactor.ts';
import { storeHandlers } from './rpc.ts';
import { keySecretContext, secretContext } from './secret.ts';
import { findStoreKey } from './table/key.ts';
import { findStore } from './table/store.ts';

const sealedSecret = (kind: 'hmac' | 'external_auth'): SealedColumn => ({
  table: 'store.environment',
  column: `${kind}_secret`,
  id: null,
  context: ({ store, environment }) => secretContext(kind, store, environment),
});

const SEALED: readonly SealedColumn[] = [
  sealedSecret('hmac'),
  sealedSecret('external_auth'),
  { ...sealedSecret('hmac'), column: 'previous_hmac_secret' },
  {
    table: 'store.api_key',
    column: 'hmac_secret',
    id: 'id',
    context: ({ store, environment }, id) => keySecretContext(store, environment, id),
  },
];

export const store = (runtime: Runtime): Domain => {
  const caches = openStoreCaches(runtime);
  const keys = openKeys(runtime, caches);
  const { allowLocal } = runtime.settings;
  let reactor: Inbox | null = null;
  let stopPolling = (): void => {};

  return {
    name: 'store',
    sealedColumns: SEALED,
    services: {
      ExchangeRate: exchangeRateHandlers(runtime, caches),
      Key: keyHandlers(runtime, keys),
      Merchant: merchantHandlers(runtime, caches),
      Store: storeHandlers(runtime, caches, { allowLocal }),
      StoreDirectory: directoryHandlers(runtime.clock, caches),
      StoreAdmin: { ...adminHandlers(runtime, caches), ...adminKeyHandlers(runtime, caches, keys) },
    },
    records: {
      exchange_rate: readExchangeRate,
      key: async (sql, { store: owner }, id) => {
        const now = new Date(runtime.clock.real());
        const found = await findStoreKey(sql, owner, id, now);
        return found && keyDocument(found, now);
      },
      store: async (sql, { store: id, environment }) => {
        const found = await findStore(sql, id);
        return found && profileFor(found, environment, 'secret');
      },
    },
    reset: {
      tables: {
        'store.environment': 'retained',
        'store.exchange_rate': 'retained',
        'store.key_use': 'retained',
        'store.api_key': 'retained',
        'store.feature': 'cleared',
      },
    },
    onNotice: { store: ({ tenant }) => caches.forget(tenant.store) },
    start: async () => {
      stopPolling = caches.poll();
      reactor = startReactor(runtime);
    },
    stop: async () => {
      stopPolling();
      await reactor?.stop();
    },
  };
};

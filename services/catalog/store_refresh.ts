// Creates a catalogue revision when the store's currency or currency sign changes.
import { type Tenant, type TenantKey, tenantKey } from '#runtime/call/call.ts';
import type { Runtime } from '#runtime/domain/runtime.ts';
import { announceNow } from './announcement.ts';
import type { CataloguePool } from './memory/pool.ts';
import type { Profiles } from './profile.ts';
import { touchRevision } from './table/revision.ts';

export interface StoreRefresh {
  readonly refresh: (tenant: Tenant) => Promise<void>;
  readonly ensureRefreshed: (tenant: Tenant) => Promise<void>;
}

export const openStoreRefresh = (runtime: Runtime, profiles: Profiles, pool: CataloguePool): StoreRefresh => {
  /** Creates a revision, because every cached price contains the currency and the sign. */
  const reframe = async (tenant: Tenant): Promise<void> => {
    profiles.forget(tenant.store);
    const revision = await touchRevision(runtime.postgres.sql, tenant);
    if (revision !== null) void announceNow(runtime, pool, tenant, revision);
  };

  const running = new Map<TenantKey, Promise<void>>();
  const refresh = (tenant: Tenant): Promise<void> => {
    const key = tenantKey(tenant);
    const done = reframe(tenant).finally(() => {
      if (running.get(key) === done) running.delete(key);
    });
    running.set(key, done);
    return done;
  };
  const ensureRefreshed = (tenant: Tenant): Promise<void> => running.get(tenantKey(tenant)) ?? refresh(tenant);
  return { refresh, ensureRefreshed };
};

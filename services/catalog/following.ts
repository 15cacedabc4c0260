// Refreshes a catalogue when its store's currency or sign changes, once for each change.
import { type Tenant, type TenantKey, tenantKey } from '#runtime/call/call.ts';
import type { Runtime } from '#runtime/domain/runtime.ts';
import { announceNow } from './announcement.ts';
import type { CataloguePool } from './memory/pool.ts';
import type { Profiles } from './profile.ts';
import { touchRevision } from './table/revision.ts';

export interface Following {
  readonly follow: (tenant: Tenant) => Promise<void>;
  readonly followed: (tenant: Tenant) => Promise<void>;
}

export const followStores = (runtime: Runtime, profiles: Profiles, pool: CataloguePool): Following => {
  /** Every price shows the currency and sign, so every cached answer becomes stale. */
  const reframe = async (tenant: Tenant): Promise<void> => {
    profiles.forget(tenant.store);
    const revision = await touchRevision(runtime.postgres.sql, tenant);
    if (revision !== null) void announceNow(runtime, pool, tenant, revision);
  };

  const following = new Map<TenantKey, Promise<void>>();
  const follow = (tenant: Tenant): Promise<void> => {
    const key = tenantKey(tenant);
    const done = reframe(tenant).finally(() => {
      if (following.get(key) === done) following.delete(key);
    });
    following.set(key, done);
    return done;
  };
  const followed = (tenant: Tenant): Promise<void> => following.get(tenantKey(tenant)) ?? follow(tenant);
  return { follow, followed };
};

// A store's currency or sign may be others: its catalogue follows, once for each change.
import { type Tenant, type TenantKey, tenantKey } from '#runtime/call/call.ts';
import type { Runtime } from '#runtime/domain/runtime.ts';
import { announceNow } from './announcement.ts';
import type { CataloguePool } from './memory/pool.ts';
import type { Profiles } from './profile.ts';
import { touchRevision } from './table/revision.ts';

export interface Following {
  readonly follow: (tenant: Tenant) => Promise<void>;
  /** The change that is followed now, or a new look. */
  readonly followed: (tenant: Tenant) => Promise<void>;
}

export const followStores = (runtime: Runtime, profiles: Profiles, pool: CataloguePool): Following => {
  /** Every price is shown with the store's currency and sign: when they may be others, no kept answer is good. */
  const reframe = async (tenant: Tenant): Promise<void> => {
    profiles.forget(tenant.store);
    const revision = await touchRevision(runtime.postgres.sql, tenant);
    if (revision !== null) void announceNow(runtime, pool, tenant, revision);
  };

  /** The newest change of each store, while it is taken in. */
  const following = new Map<TenantKey, Promise<void>>();
  const follow = (tenant: Tenant): Promise<void> => {
    const key = tenantKey(tenant);
    const done = reframe(tenant).finally(() => {
      if (following.get(key) === done) following.delete(key);
    });
    following.set(key, done);
    return done;
  };
  /** The notice comes to this process before the caller who waits for it asks, as a rule. */
  const followed = (tenant: Tenant): Promise<void> => following.get(tenantKey(tenant)) ?? follow(tenant);
  return { follow, followed };
};

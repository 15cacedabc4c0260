// Determines whether a tenant has enough data for recommendations, and reports changes to the store's features.
import { Refusal, type Tenant, tenantKey } from '#runtime/call/call.ts';
import type { Runtime } from '#runtime/domain/runtime.ts';
import { enterSandboxes } from '#runtime/postgres/sandbox_lock.ts';
import type { RecommendationClients } from './client.ts';
import {
  findAvailability,
  lockAvailability,
  markPublished,
  saveAvailability,
  unpublishedTenants,
} from './table/availability.ts';
import { findPair, forgetProducts, pairSeenAt } from './table/interaction.ts';

const DAY_MS = 86_400_000;
export const RETENTION_DAYS = 90;

export interface RecommendationAvailability {
  retainedSince(tenant: Tenant): Date;
  isAvailable(tenant: Tenant): Promise<boolean>;
  checkAdded(tenant: Tenant, products: readonly string[]): Promise<void>;
  recheck(tenant: Tenant): Promise<boolean>;
  /**
   * When the product pair that proves availability becomes too old, in ms of the tenant's clock; null without a pair.
   */
  expiresAt(tenant: Tenant): Promise<number | null>;
  forgetDeleted(tenant: Tenant, products: readonly string[]): Promise<void>;
  publishAll(): Promise<void>;
}

const TENANTS_PER_ROUND = 100;

export const openAvailability = (
  { postgres, clock, ask, log }: Runtime,
  clients: RecommendationClients,
): RecommendationAvailability => {
  const since = (tenant: Tenant): Date => new Date(clock.now(tenant).getTime() - RETENTION_DAYS * DAY_MS);

  /** Reports availability to the store. The transaction delays a sandbox reset until the report is recorded. */
  const publish = (tenant: Tenant): Promise<void> =>
    postgres.transaction(async ({ sql }) => {
      const stateOf = await enterSandboxes(sql, [tenant]);
      const state = stateOf(tenant).shut ? null : await findAvailability(sql, tenant);
      if (state === null || state.published) return;
      const { available } = state;
      const reply = await ask('StoreDirectory/ReportFeature', tenant, {
        feature: 'recommendations',
        has_data: available,
      });
      if (reply instanceof Refusal && reply.code !== 'not_found') throw new Error(reply.message);
      await markPublished(sql, tenant, available);
    });

  const check = async (tenant: Tenant, products: readonly string[] | null): Promise<boolean> => {
    const changed = await postgres.transaction(async ({ sql }) => {
      const before = await lockAvailability(sql, tenant);
      const from = since(tenant);
      // Tries first the pair that proved availability last time.
      const proven = before.one === null ? null : await findPair(sql, tenant, [before.one], from);
      const pair = proven ?? (await findPair(sql, tenant, products, from));
      // If availability changes back before a change was published, the store still has the right value and nothing
      // needs publishing.
      const published = before.available === (pair !== null) ? before.published : !before.published;
      await saveAvailability(sql, tenant, pair, published);
      return !published;
    });
    if (!changed) return false;
    await publish(tenant).catch((problem) =>
      log.warn({ err: problem, tenant: tenantKey(tenant) }, 'failed to publish availability of recommendations'),
    );
    return true;
  };

  return {
    retainedSince: since,
    isAvailable: async (tenant) => {
      const state = await findAvailability(postgres.sql, tenant);
      if (!state?.available || state.one === null) return false;
      if (await findPair(postgres.sql, tenant, [state.one], since(tenant))) return true;
      await check(tenant, null);
      return (await findAvailability(postgres.sql, tenant))?.available ?? false;
    },
    checkAdded: async (tenant, products) => {
      if ((await findAvailability(postgres.sql, tenant))?.available) return;
      await check(tenant, products);
    },
    recheck: (tenant) => check(tenant, null),
    expiresAt: async (tenant) => {
      const { one, other } = (await findAvailability(postgres.sql, tenant)) ?? {};
      const seen = one && other ? await pairSeenAt(postgres.sql, tenant, one, other) : null;
      return seen && seen.getTime() + RETENTION_DAYS * DAY_MS;
    },
    forgetDeleted: async (tenant, products) => {
      const gone = await clients.deletedOf(tenant, products);
      if (gone.length > 0 && (await forgetProducts(postgres.sql, tenant, gone))) await check(tenant, null);
    },
    publishAll: async () => {
      for (const tenant of await unpublishedTenants(postgres.sql, TENANTS_PER_ROUND)) await publish(tenant);
    },
  };
};

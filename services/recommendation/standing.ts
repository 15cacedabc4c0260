// Judges whether a tenant's sightings say what is likely next, and tells the store's features when that changes.
import { Refusal, type Tenant, tenantKey } from '#runtime/call/call.ts';
import type { Runtime } from '#runtime/domain/runtime.ts';
import { enterSandboxes } from '#runtime/postgres/sandbox_lock.ts';
import type { RecommendationNeighbours } from './neighbour.ts';
import { findPair, forgetProducts, pairSeenAt } from './table/sighting.ts';
import { findStanding, lockStanding, noteTold, saveStanding, untoldStandings } from './table/standing.ts';

const DAY_MS = 86_400_000;
/** Older sightings say nothing of what is wanted now. */
export const KEPT_DAYS = 90;

export interface Standings {
  /** From when on a tenant's sightings count. */
  since(tenant: Tenant): Date;
  available(tenant: Tenant): Promise<boolean>;
  /** Products were met. */
  grew(tenant: Tenant, products: readonly string[]): Promise<void>;
  /** Sightings are gone, or too old. Whether it is another standing now. */
  shrank(tenant: Tenant): Promise<boolean>;
  /** When the pair that proves it is too old; null where none does. In ms by the tenant's clock. */
  until(tenant: Tenant): Promise<number | null>;
  /** These products may be gone for good: if they are, so is what is known of them. */
  forget(tenant: Tenant, products: readonly string[]): Promise<void>;
  /** Tells what could not be told before. */
  tellAll(): Promise<void>;
}

const UNTOLD_MAX = 100;

export const openStandings = (
  { postgres, clock, ask, log }: Runtime,
  neighbours: RecommendationNeighbours,
): Standings => {
  const since = (tenant: Tenant): Date => new Date(clock.now(tenant).getTime() - KEPT_DAYS * DAY_MS);

  /** What it tells still holds once it is told: a sandbox does not begin anew in between. */
  const tell = (tenant: Tenant): Promise<void> =>
    postgres.transaction(async ({ sql }) => {
      const stateOf = await enterSandboxes(sql, [tenant]);
      const standing = stateOf(tenant).shut ? null : await findStanding(sql, tenant);
      if (standing === null || standing.told) return;
      const { available } = standing;
      const reply = await ask('StoreDirectory/ReportFeature', tenant, {
        feature: 'recommendations',
        has_data: available,
      });
      if (reply instanceof Refusal && reply.code !== 'not_found') throw new Error(reply.message);
      await noteTold(sql, tenant, available);
    });

  /** Looks for a pair among these products, or among all. */
  const judge = async (tenant: Tenant, products: readonly string[] | null): Promise<boolean> => {
    const crossed = await postgres.transaction(async ({ sql }) => {
      const before = await lockStanding(sql, tenant);
      const from = since(tenant);
      // The pair that proved it last is the first to be asked.
      const kept = before.one === null ? null : await findPair(sql, tenant, [before.one], from);
      const pair = kept ?? (await findPair(sql, tenant, products, from));
      // Back again before it was told: the features never knew.
      const told = before.available === (pair !== null) ? before.told : !before.told;
      await saveStanding(sql, tenant, pair, told);
      return !told;
    });
    if (!crossed) return false;
    // Told again by the sweep.
    await tell(tenant).catch((problem) =>
      log.warn({ err: problem, tenant: tenantKey(tenant) }, 'a change of recommendations was not told'),
    );
    return true;
  };

  return {
    since,
    available: async (tenant) => {
      const standing = await findStanding(postgres.sql, tenant);
      if (!standing?.available || standing.one === null) return false;
      // What proved it may have grown too old since.
      if (await findPair(postgres.sql, tenant, [standing.one], since(tenant))) return true;
      await judge(tenant, null);
      return (await findStanding(postgres.sql, tenant))?.available ?? false;
    },
    grew: async (tenant, products) => {
      if ((await findStanding(postgres.sql, tenant))?.available) return;
      await judge(tenant, products);
    },
    shrank: (tenant) => judge(tenant, null),
    until: async (tenant) => {
      const { one, other } = (await findStanding(postgres.sql, tenant)) ?? {};
      const seen = one && other ? await pairSeenAt(postgres.sql, tenant, one, other) : null;
      return seen && seen.getTime() + KEPT_DAYS * DAY_MS;
    },
    forget: async (tenant, products) => {
      const gone = await neighbours.gone(tenant, products);
      if (gone.length > 0 && (await forgetProducts(postgres.sql, tenant, gone))) await judge(tenant, null);
    },
    tellAll: async () => {
      for (const tenant of await untoldStandings(postgres.sql, UNTOLD_MAX)) await tell(tenant);
    },
  };
};

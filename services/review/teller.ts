// Tells the catalogue what approved reviews come to, and the store's features whether there are any. What could not be
// told is told later: each row knows whether it was.
import { type Tenant, type TenantKey, tenantKey } from '#runtime/call/call.ts';
import type { DomainClient } from '#runtime/domain/domain_client.ts';
import type { Runtime } from '#runtime/domain/runtime.ts';
import { repeatedly } from '#runtime/flow/repetition.ts';
import { Semaphore } from '#runtime/flow/semaphore.ts';
import { enterSandboxes } from '#runtime/postgres/sandbox_lock.ts';
import { noteTold, untoldRatings } from './table/rating.ts';
import { lockUntold, noteFeatureTold, untoldTenants } from './table/standing.ts';

export interface ReviewTeller {
  /** In a moment, with what else comes about by then. */
  soon(tenant: Tenant): void;
  tellAll(): Promise<void>;
  start(): void;
  stop(): Promise<void>;
}

/** Products that the catalogue is told of at once; each time is a revision of the catalogue. */
const PRODUCTS_AT_ONCE = 500;
const GATHER_MS = 20;
/** What nothing told of, since its process ended, is found by looking. */
const LOOK_MS = 1_000;
const TENANTS_MAX = 100;
/** Each holds a connection while the other domain works. */
const TENANTS_AT_ONCE = 4;

interface Telling {
  /** Something came about since it began. */
  again: boolean;
  readonly done: Promise<void>;
}

export const openTeller = (
  { postgres, clock, log }: Pick<Runtime, 'postgres' | 'clock' | 'log'>,
  { askDetached: tellOther }: DomainClient,
): ReviewTeller => {
  const gathering = new Map<TenantKey, ReturnType<typeof setTimeout>>();
  const running = new Map<TenantKey, Telling>();
  const semaphore = new Semaphore(TENANTS_AT_ONCE);
  let stopLooking = (): void => {};
  let stopped = false;

  const tellRatings = async (tenant: Tenant): Promise<void> => {
    for (;;) {
      const untold = await untoldRatings(postgres.sql, tenant, PRODUCTS_AT_ONCE);
      if (untold.length === 0) return;
      await tellOther(
        'CatalogDirectory/TakeRatings',
        { tenant },
        { product_ids: untold.map(({ product_id }) => product_id) },
      );
      const noted = await postgres.transaction(async ({ sql }) => {
        const { shut } = (await enterSandboxes(sql, [tenant]))(tenant);
        if (!shut) await noteTold(sql, tenant, untold);
        return !shut;
      });
      if (!noted || untold.length < PRODUCTS_AT_ONCE) return;
    }
  };

  /** Under the lock of what it tells: of two changes the later is told later. */
  const tellFeature = (tenant: Tenant): Promise<void> =>
    postgres.transaction(async ({ sql }) => {
      const stateOf = await enterSandboxes(sql, [tenant]);
      const available = stateOf(tenant).shut ? null : await lockUntold(sql, tenant);
      if (available === null) return;
      await tellOther('StoreDirectory/ReportFeature', { tenant }, { feature: 'reviews', has_data: available });
      await noteFeatureTold(sql, tenant, available);
    });

  const round = async (tenant: Tenant): Promise<void> => {
    const key = tenantKey(tenant);
    let telling: Telling;
    do {
      telling = running.get(key)!;
      telling.again = false;
      await semaphore.run(async () => {
        await tellRatings(tenant);
        await tellFeature(tenant);
      });
    } while (telling.again && !stopped);
  };

  /** One at a time for each tenant; what comes about meanwhile is told by the same one once more. */
  const tell = (tenant: Tenant): Promise<void> => {
    const key = tenantKey(tenant);
    const known = running.get(key);
    if (known) {
      known.again = true;
      return known.done;
    }
    const done = Promise.resolve()
      .then(() => round(tenant))
      .finally(() => running.delete(key));
    running.set(key, { again: false, done });
    return done;
  };

  const tellLater = (tenant: Tenant): void => {
    tell(tenant).catch((problem) =>
      log.debug({ err: problem, tenant: tenantKey(tenant) }, 'what reviews come to is told later'),
    );
  };

  const untold = (): Promise<Tenant[]> => untoldTenants(postgres.sql, TENANTS_MAX);

  return {
    soon: (tenant) => {
      const key = tenantKey(tenant);
      if (stopped || gathering.has(key)) return;
      const timer = setTimeout(() => {
        gathering.delete(key);
        tellLater(tenant);
      }, GATHER_MS);
      gathering.set(key, timer);
    },
    tellAll: async () => {
      for (const tenant of await untold()) await tell(tenant);
    },
    start: () => {
      stopLooking = repeatedly({
        everyMs: LOOK_MS,
        able: () => postgres.available,
        resting: { postgres, clock, isDue: async () => (await untold()).length > 0 },
        work: async () => (await untold()).forEach(tellLater),
        failed: (problem) => log.debug({ err: problem }, 'failed to look for untold reviews'),
      });
    },
    stop: async () => {
      stopped = true;
      stopLooking();
      for (const timer of gathering.values()) clearTimeout(timer);
      gathering.clear();
      await Promise.allSettled([...running.values()].map(({ done }) => done));
    },
  };
};

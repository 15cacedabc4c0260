// Deletes old interactions, and retries failed reports of availability.
import { type Tenant, tenantKey } from '#runtime/call/call.ts';
import type { Runtime } from '#runtime/domain/runtime.ts';
import { repeatedly } from '#runtime/flow/repetition.ts';
import type { RecommendationAvailability } from './availability.ts';
import { tenantsAfter } from './table/availability.ts';
import { deleteOldInteractions } from './table/interaction.ts';

const SWEEP_MS = 30_000;
const TENANTS_PER_ROUND = 50;
const ROWS_PER_TENANT = 5_000;
const NEWEST_INTERACTIONS_RETAINED = 1_000_000;

const sweepTenant = async (
  { postgres }: Pick<Runtime, 'postgres'>,
  availability: RecommendationAvailability,
  tenant: Tenant,
): Promise<number> => {
  const gone = await deleteOldInteractions(
    postgres.sql,
    tenant,
    availability.retainedSince(tenant),
    NEWEST_INTERACTIONS_RETAINED,
    ROWS_PER_TENANT,
  );
  if (gone > 0) await availability.recheck(tenant);
  return gone;
};

export const startSweep = (runtime: Runtime, availability: RecommendationAvailability): (() => void) => {
  const { postgres, clock, log } = runtime;
  let last: Tenant | null = null;

  const round = async (): Promise<void> => {
    await availability.publishAll();
    const tenants = await tenantsAfter(postgres.sql, last, TENANTS_PER_ROUND);
    last = tenants.length < TENANTS_PER_ROUND ? null : (tenants[tenants.length - 1] ?? null);
    const due = new Map([...clock.moved(), ...tenants].map((tenant) => [tenantKey(tenant), tenant]));
    for (const { store, environment } of due.values()) await sweepTenant(runtime, availability, { store, environment });
  };

  return repeatedly({
    everyMs: SWEEP_MS,
    able: () => postgres.available,
    work: round,
    failed: (problem) => log.warn({ err: problem }, 'failed to delete old interactions'),
  });
};

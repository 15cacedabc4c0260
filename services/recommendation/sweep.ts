// What happens by time alone: sightings grow too old or too many, and what could not be told is told.
import { type Tenant, tenantKey } from '#runtime/call/call.ts';
import type { Runtime } from '#runtime/domain/runtime.ts';
import { repeatedly } from '#runtime/flow/repetition.ts';
import type { Standings } from './standing.ts';
import { sweepSightings } from './table/sighting.ts';
import { standingsAfter } from './table/standing.ts';

const LOOK_MS = 10_000;
/** Tenants looked at each time; the next ones follow. */
const TENANTS_AT_ONCE = 50;
const ROWS_AT_ONCE = 5_000;
/** The newest of a tenant; more of them say nothing new. */
const SIGHTINGS_MAX = 1_000_000;

/** Forgets what is too old by the tenant's clock; how much. */
const sweepTenant = async (
  { postgres }: Pick<Runtime, 'postgres'>,
  standings: Standings,
  tenant: Tenant,
): Promise<number> => {
  const gone = await sweepSightings(postgres.sql, tenant, standings.since(tenant), SIGHTINGS_MAX, ROWS_AT_ONCE);
  if (gone > 0) await standings.shrank(tenant);
  return gone;
};

/** Returns how to stop. */
export const startSweep = (runtime: Runtime, standings: Standings): (() => void) => {
  const { postgres, clock, log } = runtime;
  let last: Tenant | null = null;

  const round = async (): Promise<void> => {
    await standings.tellAll();
    const tenants = await standingsAfter(postgres.sql, last, TENANTS_AT_ONCE);
    last = tenants.length < TENANTS_AT_ONCE ? null : (tenants[tenants.length - 1] ?? null);
    const due = new Map([...clock.moved(), ...tenants].map((tenant) => [tenantKey(tenant), tenant]));
    for (const { store, environment } of due.values()) await sweepTenant(runtime, standings, { store, environment });
  };

  return repeatedly({
    everyMs: LOOK_MS,
    able: () => postgres.available,
    work: round,
    failed: (problem) => log.warn({ err: problem }, 'old storefront events were not forgotten'),
  });
};

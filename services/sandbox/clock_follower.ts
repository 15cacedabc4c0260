// Keeps a host's clocks of sandboxes as Postgres has them, whichever host moved them.

import type { Tenant } from '#runtime/call/call.ts';
import type { Runtime } from '#runtime/domain/runtime.ts';
import { repeatedly } from '#runtime/flow/repetition.ts';
import { retryWhileUnavailable } from '#runtime/postgres/startup_retry.ts';
import type { SandboxLeases } from './lease.ts';
import { findOffsets } from './table/sandbox.ts';

/** Finds what a lost notice would have told. */
const LOOK_MS = 5_000;

type Parts = Pick<Runtime, 'postgres' | 'clock' | 'notices' | 'log'>;

/** Resolves once every clock is followed, with how to stop. */
export const followClocks = async (
  { postgres, clock, notices, log }: Parts,
  leases: SandboxLeases,
): Promise<() => void> => {
  /** Of one tenant; null: of every clock that was moved, here or there. */
  const load = async (only: Tenant | null): Promise<void> => {
    const here = (only ? [only] : clock.moved()).map(({ store }) => store);
    const saved = await Promise.all([findOffsets(postgres.sql, here), only ? [] : findOffsets(postgres.sql, null)]);
    for (const { store, offset_ms } of saved.flat()) {
      const tenant: Tenant = { store, environment: 'sandbox' };
      if (!leases.has(tenant) && !clock.isFrozen(tenant) && clock.offset(tenant) !== offset_ms)
        clock.setOffset(tenant, offset_ms);
    }
  };
  await retryWhileUnavailable(() => load(null), log);
  const stopLooking = repeatedly({
    everyMs: LOOK_MS,
    able: () => postgres.available,
    resting: { postgres, clock },
    work: () => load(null),
    failed: (problem) => log.warn({ err: problem }, 'failed to compare the clocks of sandboxes'),
  });
  const stopPolling = notices.pollWhileDisconnected(() => (postgres.available ? load(null) : undefined));
  const stopListening = notices.listen(({ kind, tenant }) => {
    if (kind !== 'clock') return;
    load(tenant).catch((problem) => log.warn({ err: problem }, 'failed to follow a moved clock'));
  });
  return () => {
    stopLooking();
    stopPolling();
    stopListening();
  };
};

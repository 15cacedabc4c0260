// Sets a host's sandbox clocks to the offsets that other hosts have saved in Postgres.
import type { Tenant } from '#runtime/call/call.ts';
import type { Runtime } from '#runtime/domain/runtime.ts';
import { repeatedly } from '#runtime/flow/repetition.ts';
import { retryWhileUnavailable } from '#runtime/postgres/startup_retry.ts';
import type { SandboxLeases } from './lease.ts';
import { findOffsets } from './table/sandbox.ts';

/** Finds the clocks whose notice was lost. */
const POLL_MS = 5_000;

type FollowerRuntime = Pick<Runtime, 'postgres' | 'clock' | 'notices' | 'log'>;

interface ClockFollower {
  /** Loads the clock of one sandbox, or of all whose clock was moved. */
  load(only: Tenant | null): Promise<void>;
  /** Resolves once all clocks are loaded. Returns a function that stops the follower. */
  follow(): Promise<() => void>;
}

export const openClockFollower = (
  { postgres, clock, notices, log }: FollowerRuntime,
  leases: SandboxLeases,
): ClockFollower => {
  const load = async (only: Tenant | null): Promise<void> => {
    const here = (only ? [only] : clock.moved()).map(({ store }) => store);
    const saved = await Promise.all([findOffsets(postgres.sql, here), only ? [] : findOffsets(postgres.sql, null)]);
    for (const { store, offset_ms } of saved.flat()) {
      const tenant: Tenant = { store, environment: 'sandbox' };
      if (!leases.has(tenant) && !clock.isFrozen(tenant) && clock.offset(tenant) !== offset_ms)
        clock.setOffset(tenant, offset_ms);
    }
  };
  const follow = async (): Promise<() => void> => {
    await retryWhileUnavailable(() => load(null), log);
    const stopComparing = repeatedly({
      everyMs: POLL_MS,
      able: () => postgres.available,
      resting: { postgres, clock },
      work: () => load(null),
      failed: (problem) => log.warn({ err: problem }, 'failed to compare the clocks of sandboxes'),
    });
    const stopPolling = notices.pollWhileDisconnected(() => (postgres.available ? load(null) : undefined));
    return () => {
      stopComparing();
      stopPolling();
    };
  };
  return { load, follow };
};

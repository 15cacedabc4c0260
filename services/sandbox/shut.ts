// Shuts a sandbox: waits until its holder alone writes for it.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Tenant } from '#runtime/call/call.ts';
import { Unavailable } from '#runtime/call/fault.ts';
import type { Sql } from '#runtime/postgres/sql.ts';
import { hasWaitingEvents, isEmpty, shut } from './table/sandbox.ts';

/** A lease that is not renewed ends after this time: most attempts to clear a sandbox are shorter. */
export const LEASE_MS = 20_000;
const LOOK_MS = 5;

export const takenOver = (): Error => new Error('Another call took the sandbox.');

/**
 * Resolves once every transaction that was in the sandbox has ended and all its events are in the log; throws where that takes
 * too long. The sandbox stays shut until its holder releases it or the lease ends.
 */
export const shutSandbox = async (sql: Sql, tenant: Tenant, token: string, withinMs: number): Promise<void> => {
  const until = performance.now() + withinMs;
  const eventually = async (holds: () => Promise<boolean>, late: string): Promise<void> => {
    while (!(await holds())) {
      if (performance.now() > until) throw new Unavailable(late);
      await sleep(LOOK_MS);
    }
  };
  if (!(await shut(sql, tenant, token, LEASE_MS))) throw takenOver();
  await eventually(() => isEmpty(sql, tenant, token), 'Work for this sandbox is still running.');
  await eventually(
    async () => !(await hasWaitingEvents(sql, tenant)),
    'Events of this sandbox are still on their way to the log.',
  );
};

// Blocks all writers of a sandbox except the holder of its lease.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Tenant } from '#runtime/call/call.ts';
import { Unavailable } from '#runtime/call/fault.ts';
import type { Sql } from '#runtime/postgres/sql.ts';
import { hasWaitingEvents, isEmpty, shut } from './table/sandbox.ts';

/** Milliseconds until a lease expires unless it is renewed; longer than most attempts to clear a sandbox. */
export const LEASE_MS = 20_000;
const POLL_MS = 5;

export const lostLeaseError = (): Error => new Error('Another call has taken the sandbox.');

/**
 * Blocks new transactions in the sandbox, and resolves once the running ones have ended and their events are in the
 * log; throws after the time limit. New transactions stay blocked until the lease ends.
 */
export const shutSandbox = async (sql: Sql, tenant: Tenant, token: string, withinMs: number): Promise<void> => {
  const until = performance.now() + withinMs;
  const eventually = async (holds: () => Promise<boolean>, late: string): Promise<void> => {
    while (!(await holds())) {
      if (performance.now() > until) throw new Unavailable(late);
      await sleep(POLL_MS);
    }
  };
  if (!(await shut(sql, tenant, token, LEASE_MS))) throw lostLeaseError();
  await eventually(() => isEmpty(sql, tenant, token), `Work for this sandbox still runs after ${withinMs} ms. Retry.`);
  await eventually(
    async () => !(await hasWaitingEvents(sql, tenant)),
    `Events of this sandbox are not yet logged after ${withinMs} ms. Retry.`,
  );
};

// What ends by the clock alone: access tokens, of which a sandbox's journey tells, and rows that nothing refers to.
import type { Tenant } from '#runtime/call/call.ts';
import { type Apart, lapsing } from '#runtime/domain/due.ts';
import type { Runtime } from '#runtime/domain/runtime.ts';
import { repeatedly } from '#runtime/flow/repetition.ts';
import { inSlices } from '#runtime/flow/slice.ts';
import { countAccessEnds, firstAccessEnd, sweepCredentials } from './table/credential.ts';
import { sweepGrants } from './table/grant.ts';
import { sweepSessions } from './table/session.ts';

const LOOK_MS = 60_000;
/** A second use of what is over is still told from one that never was. */
const KEPT_MS = 30 * 86_400_000;

export const openDue = ({ clock, notices, postgres }: Runtime): Apart => {
  const ends = lapsing(clock, {
    type: 'access_token.expired',
    first: async (tenant, from, target) =>
      (await firstAccessEnd(postgres.sql, tenant, new Date(from), new Date(target)))?.getTime() ?? null,
    count: (tenant, from, until) => countAccessEnds(postgres.sql, tenant, new Date(from), new Date(until)),
  });
  return {
    ...ends,
    settle: async (tenant: Tenant) => {
      await ends.settle?.(tenant);
      // Edges have believed in tokens that are over by now.
      notices.publish({ kind: 'store', tenant });
    },
  };
};

/** Returns how to stop. */
export const startSweep = ({ postgres, clock, log }: Runtime): (() => void) => {
  const round = async (): Promise<void> => {
    const before = new Date(clock.real() - KEPT_MS);
    for (const sweep of [sweepCredentials, sweepSessions, sweepGrants])
      await inSlices((limit) => sweep(postgres.sql, before, limit));
  };
  return repeatedly({
    everyMs: LOOK_MS,
    able: () => postgres.available,
    work: round,
    failed: (problem) => log.warn({ err: problem }, 'old credentials of apps were not swept'),
  });
};

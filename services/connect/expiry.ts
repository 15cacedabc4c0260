// Counts the access tokens that expire during a clock advance, and deletes rows that expired long ago.
import type { Tenant } from '#runtime/call/call.ts';
import { expiryDue, type IndependentDue } from '#runtime/domain/due.ts';
import type { Runtime } from '#runtime/domain/runtime.ts';
import { repeatedly } from '#runtime/flow/repetition.ts';
import { inSlices } from '#runtime/flow/slice.ts';
import { countAccessTokenExpiries, deleteExpiredCredentials, firstAccessTokenExpiry } from './table/credential.ts';
import { deleteGrantsWithoutCredentials } from './table/grant.ts';
import { deleteExpiredSessions } from './table/session.ts';

const ROUND_MS = 60_000;
/** Time for which expired credentials are kept, so that a second use of one is still detected. */
const RETENTION_MS = 30 * 86_400_000;

export const openTokenExpiry = ({ clock, notices, postgres }: Runtime): IndependentDue => {
  const ends = expiryDue(clock, {
    type: 'access_token.expired',
    first: async (tenant, from, target) =>
      (await firstAccessTokenExpiry(postgres.sql, tenant, new Date(from), new Date(target)))?.getTime() ?? null,
    count: (tenant, from, until) => countAccessTokenExpiries(postgres.sql, tenant, new Date(from), new Date(until)),
  });
  return {
    ...ends,
    settle: async (tenant: Tenant) => {
      await ends.settle?.(tenant);
      // Edges may have cached tokens that have expired meanwhile.
      notices.publish({ kind: 'store', tenant });
    },
  };
};

export const startDeletingExpired = ({ postgres, clock, log }: Runtime): (() => void) => {
  const round = async (): Promise<void> => {
    const before = new Date(clock.real() - RETENTION_MS);
    for (const sweep of [deleteExpiredCredentials, deleteExpiredSessions, deleteGrantsWithoutCredentials])
      await inSlices((limit) => sweep(postgres.sql, before, limit));
  };
  return repeatedly({
    everyMs: ROUND_MS,
    able: () => postgres.available,
    work: round,
    failed: (problem) => log.warn({ err: problem }, 'failed to delete expired credentials of apps'),
  });
};

// Functions for another domain's transaction: storefront events and checkouts become steps of a purchase.
import type { Tenant } from '#runtime/call/call.ts';
import type { Sql } from '#runtime/postgres/sql.ts';
import { lockSums } from './recount.ts';
import { quarterOf, type StepName, type StepShare } from './sale.ts';
import { findSessions, saveSessions } from './table/session.ts';
import { addSteps } from './table/sum.ts';

export { insertStartedCheckout as noteCheckout } from './table/started_checkout.ts';

export interface SeenSession {
  readonly session: Uint8Array;
  readonly viewed: boolean;
  readonly addedToCart: boolean;
  readonly seenAt: Date;
}

const STEP_BITS: readonly (readonly [StepName, number])[] = [
  ['session', 1],
  ['view', 2],
  ['cart', 4],
];

const stepsIn = ({ viewed, addedToCart }: SeenSession): number => 1 + (viewed ? 2 : 0) + (addedToCart ? 4 : 0);

interface MergedSession {
  readonly session: string;
  readonly steps: number;
  readonly seenAt: Date;
}

const merged = (seen: readonly SeenSession[]): Map<string, MergedSession> => {
  const sessions = new Map<string, MergedSession>();
  for (const each of seen) {
    const session = Buffer.from(each.session).toString('hex');
    const known = sessions.get(session);
    const seenAt = known && known.seenAt > each.seenAt ? known.seenAt : each.seenAt;
    sessions.set(session, { session, steps: (known?.steps ?? 0) | stepsIn(each), seenAt });
  }
  return sessions;
};

/** Counts each step of a session once, at the time when the session first reached it. */
export const noteSessions = async (sql: Sql, tenant: Tenant, seen: readonly SeenSession[]): Promise<void> => {
  const sessions = merged(seen);
  const withNewSteps = async (): Promise<(MergedSession & { readonly reached: number })[]> => {
    const known = new Map(
      (await findSessions(sql, tenant, [...sessions.keys()])).map(({ session, steps }) => [session, steps]),
    );
    return [...sessions.values()]
      .map((each) => ({ ...each, reached: each.steps & ~(known.get(each.session) ?? 0) }))
      .filter(({ reached }) => reached !== 0);
  };
  // Most events repeat a step, and need no lock.
  if (sessions.size === 0 || (await withNewSteps()).length === 0) return;
  await lockSums(sql, tenant);
  const changed = await withNewSteps();
  if (changed.length === 0) return;
  await saveSessions(sql, tenant, changed);
  await addSteps(
    sql,
    tenant,
    changed.flatMap(({ reached, seenAt }) =>
      STEP_BITS.filter(([, bit]) => (reached & bit) !== 0).map(
        ([step]): StepShare => ({ step, quarter: quarterOf(seenAt.getTime()), count: 1 }),
      ),
    ),
  );
};

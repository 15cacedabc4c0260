// Releases units that a checkout intent no longer needs. The transaction that changes the intent records the release,
// which runs after the commit. A poll each second repeats releases that failed or were interrupted.
import { randomUUIDv7 } from 'bun';
import type { Call, Tenant } from '#runtime/call/call.ts';
import type { Runtime } from '#runtime/domain/runtime.ts';
import { dueAtOnce, repeatedly } from '#runtime/flow/repetition.ts';
import type { Transaction } from '#runtime/postgres/database.ts';
import { type IntentHolds, isLess } from './intent_hold.ts';
import { type IntentOffer, type IntentRecord, intentStatus } from './offer.ts';
import { findIntent, holdIntent } from './table/offer.ts';
import {
  deletePendingRelease,
  insertPendingRelease,
  type PendingRelease,
  pendingReleasesUntil,
} from './table/pending_release.ts';

type Caller = Pick<Call, 'tenant'>;
type OfferedIntent = Pick<IntentRecord, 'id' | 'offer'>;

export interface PendingReleases {
  /** Records a release in the transaction that changes or ends the intent, and runs `release` after the commit. */
  releaseAfterCommit(tx: Transaction, call: Caller, intent: OfferedIntent, release: () => Promise<void>): Promise<void>;
  /**
   * Releases the units of `intent.offer` that the stored intent does not have, and shows the changed holds to readers.
   * Called after a commit or a rollback. `other` is the intent's other offer, before or after the change.
   */
  releaseSurplus(call: Caller, intent: OfferedIntent, other: IntentOffer): Promise<void>;
  start(): () => void;
}

const LOOK_MS = 1_000;
/**
 * Minimum age of a pending release before the poll repeats it; the call that recorded a younger one may still be
 * releasing the hold.
 */
const AGE_MS_MIN = 3_000;
const AT_ONCE = 100;

export const openPendingReleases = (
  { postgres, bus, clock, log }: Pick<Runtime, 'postgres' | 'bus' | 'clock' | 'log'>,
  holds: IntentHolds,
): PendingReleases => {
  const releaseSurplus: PendingReleases['releaseSurplus'] = async (call, { id, offer }, other) => {
    if (isLess(offer, other))
      await postgres.transaction(async (tx) => {
        const intent = await holdIntent(tx.sql, call.tenant, id);
        if (intent === null) return;
        const change = { before: offer, after: intent.offer, expiresAt: intent.expires_at };
        const status = intentStatus(intent, clock.now(call.tenant));
        const lives = status === 'open' || status === 'ready';
        await (lives ? holds.releaseLess : holds.releaseRemoved)(call, intent.hold, change);
      }, call.tenant);
    await holds.show(call, offer, other);
  };

  const settle = async (tenant: Tenant, { id, intent: name, offer }: PendingRelease): Promise<void> => {
    const intent = await findIntent(postgres.sql, tenant, name);
    const status = intent && intentStatus(intent, clock.now(tenant));
    // An expired intent needs no release, because its hold has expired, too.
    if (intent && status === 'cancelled') await holds.release({ tenant }, intent.hold, offer);
    else if (intent && status !== 'expired') await releaseSurplus({ tenant }, { id: name, offer }, intent.offer);
    await deletePendingRelease(postgres.sql, tenant, id);
  };

  const look = async (): Promise<void> => {
    const until = new Date(clock.real() - AGE_MS_MIN);
    for (const { store, environment, ...pending } of await pendingReleasesUntil(postgres.sql, until, AT_ONCE))
      await settle({ store, environment }, pending).catch((problem) =>
        log.warn({ err: problem, intent: pending.intent }, 'failed to release surplus stock of an intent; retrying'),
      );
  };

  return {
    releaseAfterCommit: async (tx, call, { id: intent, offer }, release) => {
      const id = randomUUIDv7();
      await insertPendingRelease(tx.sql, call.tenant, { id, intent, offer }, new Date(clock.real()));
      tx.afterCommit(async () => {
        await release();
        await deletePendingRelease(postgres.sql, call.tenant, id);
      });
    },
    releaseSurplus,
    start: () =>
      repeatedly({
        everyMs: LOOK_MS,
        able: () => postgres.available && bus.connected,
        resting: {
          postgres,
          clock,
          nextDue: async (until) => dueAtOnce((await pendingReleasesUntil(postgres.sql, until, 1)).length > 0),
        },
        work: look,
        failed: (problem) => log.warn({ err: problem }, 'failed to read pending releases'),
      }),
  };
};

// Releases units that a checkout intent no longer needs. The transaction that changes the intent records the release,
// which runs after the commit. A job repeats releases that failed or were interrupted.
import { randomUUIDv7 } from 'bun';
import type { Call, Tenant } from '#runtime/call/call.ts';
import type { Runtime } from '#runtime/domain/runtime.ts';
import type { JobRow } from '#runtime/job/job.ts';
import { type DeclaredJob, job } from '#runtime/job/queue.ts';
import type { Transaction } from '#runtime/postgres/database.ts';
import { type IntentHolds, isLess } from './intent_hold.ts';
import { type IntentOffer, type IntentRecord, intentStatus } from './offer.ts';
import { findIntent, holdIntent } from './table/offer.ts';
import {
  deletePendingRelease,
  insertPendingRelease,
  type PendingRelease,
  pendingReleases,
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
  readonly job: DeclaredJob;
}

/** Time for the call that recorded a release, which is about to release the hold itself. */
const OWN_MS = 3_000;
const RETRY_MS = [1_000, 2_000, 5_000, 10_000] as const;

export const openPendingReleases = (
  { postgres, clock }: Pick<Runtime, 'postgres' | 'clock'>,
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

  return {
    releaseAfterCommit: async (tx, call, { id: intent, offer }, release) => {
      const id = randomUUIDv7();
      const real = clock.real();
      const dueAt = new Date(real + OWN_MS);
      await insertPendingRelease(tx.sql, call.tenant, { id, intent, offer }, new Date(real), dueAt);
      tx.afterCommit(async () => {
        await release();
        await deletePendingRelease(postgres.sql, call.tenant, id);
      });
    },
    releaseSurplus,
    job: job<PendingRelease & JobRow>({
      name: 'hold_release',
      rows: pendingReleases,
      clock: 'real',
      leaseMs: 15_000,
      atOnce: 8,
      perTenant: 4,
      retryMs: RETRY_MS,
      run: async ({ store, environment, ...pending }) => {
        await settle({ store, environment }, pending);
        return 'ended';
      },
    }),
  };
};

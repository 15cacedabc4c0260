// Repeats notifications of orders, and measures payments. Declares when simulated payments and gift cards expire; whether a
// card has expired does not depend on its event.
import { Refusal, type Tenant } from '#runtime/call/call.ts';
import type { ListedDue } from '#runtime/domain/due.ts';
import type { Runtime } from '#runtime/domain/runtime.ts';
import { dueAtOnce, repeatedly } from '#runtime/flow/repetition.ts';
import type { Transaction } from '#runtime/postgres/database.ts';
import type { Sql } from '#runtime/postgres/sql.ts';
import { gauge } from '#runtime/process/metric.ts';
import { expiringCards, lockCard, markExpiryPublished, shownCard } from '#services/ledger/index.ts';
import type { Settlement } from './settlement.ts';
import {
  deleteUnopened,
  findExpiredSimulated,
  findUnnotifiedPayments,
  isSweepDue,
  measurePayments,
} from './table/payment.ts';

let last = { needsReview: 0, pendingAgeS: 0 };

gauge('payments_needs_review', 'Payments that a person has to look at.', () => last.needsReview);
gauge(
  'payments_pending_age_seconds',
  'For how long the oldest payment that is not settled has been open.',
  () => last.pendingAgeS,
);

export const measure = async (sql: Sql): Promise<void> => {
  last = await measurePayments(sql);
};

const INTERVAL_MS = 1_000;
const BATCH_MAX = 200;
const UNOPENED_MS = 60_000;

/** Expires simulated payments that were not completed in time, and authorisations that were not captured. Each is reported to its order after its commit. */
export const paymentsDue = (settlement: Settlement): ListedDue => ({
  name: 'simulated payments',
  list: findExpiredSimulated,
  fire: async (tx, { tenant, id }) => {
    const ended = await settlement.settle(tx, tenant, id, { status: 'expired' });
    const isVoided = !(ended instanceof Refusal) && ended.status === 'voided';
    return { types: [isVoided ? 'payment.voided' : 'payment.failed'] };
  },
  separate: {},
});

const publishExpiry = async (tx: Transaction, tenant: Tenant, id: string): Promise<number> => {
  const card = await lockCard(tx.sql, tenant, id);
  if (card === null || !(await markExpiryPublished(tx.sql, tenant, id)) || card.balance === 0) return 0;
  const object = { ...shownCard(tx.seal, tenant, card, tx.clock.now(tenant)) };
  await tx.emit(tenant, [{ type: 'gift_card.expired', object }]);
  return 1;
};

export const cardsDue: ListedDue = {
  name: 'gift cards',
  list: expiringCards,
  fire: async (tx, { tenant, id }) => ({
    types: (await publishExpiry(tx, tenant, id)) > 0 ? ['gift_card.expired'] : [],
  }),
};

/** Notifies orders of payments whose commit was not followed by it, since the process ended. */
const notifyOrders = async ({ postgres }: Pick<Runtime, 'postgres'>, settlement: Settlement): Promise<void> => {
  for (const { store, environment, ...payment } of await findUnnotifiedPayments(postgres.sql, BATCH_MAX))
    await settlement.notifyOrder({ store, environment }, payment);
};

export const startSweep = (runtime: Runtime, settlement: Settlement): (() => void) => {
  const { postgres, log } = runtime;
  const failing = (failure: string) => (problem: unknown) => log.warn({ err: problem }, failure);
  const able = (): boolean => postgres.available;
  const stops = [
    repeatedly({
      everyMs: INTERVAL_MS,
      able,
      resting: { ...runtime, nextDue: async () => dueAtOnce(await isSweepDue(postgres.sql)) },
      work: async () => {
        await notifyOrders(runtime, settlement).catch(failing('failed to tell orders of payments'));
        await measure(postgres.sql);
      },
      failed: failing('failed to measure payments'),
    }),
    repeatedly({
      everyMs: UNOPENED_MS,
      able,
      work: () => deleteUnopened(postgres.sql, BATCH_MAX),
      failed: failing('failed to delete payments that were never opened'),
    }),
  ];
  return () => {
    for (const stop of stops) stop();
  };
};

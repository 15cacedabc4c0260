// Runs the periodic work of payments: expires gift cards and simulated payments, repeats notifications and refunds,
// polls providers.
import type { Tenant } from '#runtime/call/call.ts';
import { type Due, sequentialDue } from '#runtime/domain/due.ts';
import type { Runtime } from '#runtime/domain/runtime.ts';
import { dueAtOnce, repeatedly } from '#runtime/flow/repetition.ts';
import type { Sql } from '#runtime/postgres/sql.ts';
import { gauge } from '#runtime/process/metric.ts';
import { expiringCards } from '#services/ledger/index.ts';
import { publishExpiredCards } from './expiry.ts';
import type { Gateway } from './gateway.ts';
import { pollDue } from './poll.ts';
import type { Refunds } from './refund.ts';
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

export const expireSimulated = async (
  { postgres, clock }: Pick<Runtime, 'postgres' | 'clock'>,
  settlement: Settlement,
): Promise<number> => {
  const due: (Tenant & { readonly id: string })[] = [
    ...(await findExpiredSimulated(postgres.sql, new Date(clock.real()), null, BATCH_MAX)),
  ];
  for (const tenant of clock.moved())
    due.push(...(await findExpiredSimulated(postgres.sql, clock.now(tenant), tenant, BATCH_MAX)));
  for (const { store, environment, id } of due)
    await postgres.transaction((tx) => settlement.settle(tx, { store, environment }, id, { status: 'expired' }));
  return due.length;
};

export const paymentsDue = ({ postgres, clock }: Pick<Runtime, 'postgres' | 'clock'>, settlement: Settlement): Due =>
  sequentialDue(clock, {
    first: async (tenant, { target }) => {
      const [payment] = await findExpiredSimulated(postgres.sql, new Date(target), tenant, 1);
      return payment ? { id: payment.id, at: payment.expires_at.getTime() } : null;
    },
    fire: async (tenant, { id }) => {
      await postgres.transaction((tx) => settlement.settle(tx, tenant, id, { status: 'expired' }));
      return ['payment.failed'];
    },
  });

const notifyOrders = async ({ postgres }: Pick<Runtime, 'postgres'>, settlement: Settlement): Promise<void> => {
  for (const { store, environment, ...payment } of await findUnnotifiedPayments(postgres.sql, BATCH_MAX))
    await settlement.notifyOrder({ store, environment }, payment);
};

export const startSweep = (
  runtime: Runtime,
  gateway: Gateway,
  settlement: Settlement,
  refunds: Refunds,
): (() => void) => {
  const { postgres, log } = runtime;
  type Work = readonly [failure: string, work: () => Promise<unknown>];
  const nextDue = async (until: Date): Promise<Date | null> =>
    dueAtOnce(
      (await isSweepDue(postgres.sql, until)) || (await expiringCards(postgres.sql, until, null, 1)).length > 0,
    );
  const rounds: readonly (readonly Work[])[] = [
    [
      ['failed to tell of expired gift cards', () => publishExpiredCards(runtime)],
      ['failed to end lapsed payments', () => expireSimulated(runtime, settlement)],
      ['failed to tell orders of payments', () => notifyOrders(runtime, settlement)],
      ['failed to measure payments', () => measure(postgres.sql)],
    ],
    [['failed to send refunds', () => refunds.sendDue()]],
    [['failed to ask providers about payments', () => pollDue(runtime, gateway, settlement)]],
  ];
  const failing = (failure: string) => (problem: unknown) => log.warn({ err: problem }, failure);
  const able = (): boolean => postgres.available;
  const stops = rounds.map((works) =>
    repeatedly({
      everyMs: INTERVAL_MS,
      able,
      resting: { ...runtime, nextDue },
      work: async () => {
        for (const [failure, work] of works) await work().catch(failing(failure));
      },
      failed: failing('failed to sweep payments'),
    }),
  );
  stops.push(
    repeatedly({
      everyMs: UNOPENED_MS,
      able,
      work: () => deleteUnopened(postgres.sql, BATCH_MAX),
      failed: failing('failed to delete payments that were never opened'),
    }),
  );
  return () => {
    for (const stop of stops) stop();
  };
};

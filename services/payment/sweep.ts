// What happens by time alone: cards and simulated payments that end, orders that are still to be told, refunds that are
// still to be sent.
import type { Tenant } from '#runtime/call.ts';
import type { Foundation } from '#runtime/foundation.ts';
import { tellExpired } from './expiry.ts';
import type { Refunds } from './refund.ts';
import type { Settlement } from './settlement.ts';
import { lapsedPayments, sweepUnopened, untoldPayments } from './table/payment.ts';

const LOOK_MS = 1_000;
const AT_ONCE = 200;
const SWEEP_EVERY = 60;

/** Simulated payments whose time is over by their tenant's clock; how many. */
export const lapse = async (
  { postgres, clock }: Pick<Foundation, 'postgres' | 'clock'>,
  settlement: Settlement,
): Promise<number> => {
  const due: (Tenant & { readonly id: string })[] = [
    ...(await lapsedPayments(postgres.sql, new Date(clock.real()), null, AT_ONCE)),
  ];
  for (const tenant of clock.moved())
    due.push(...(await lapsedPayments(postgres.sql, clock.now(tenant), tenant, AT_ONCE)));
  for (const { store, environment, id } of due)
    await postgres.transaction((tx) => settlement.settle(tx, { store, environment }, id, { status: 'expired' }));
  return due.length;
};

const tellOrders = async ({ postgres }: Pick<Foundation, 'postgres'>, settlement: Settlement): Promise<void> => {
  for (const { store, environment, ...payment } of await untoldPayments(postgres.sql, AT_ONCE))
    await settlement.tellOrder({ store, environment }, payment);
};

/** Looks every second. Returns how to stop. */
export const startSweep = (foundation: Foundation, settlement: Settlement, refunds: Refunds): (() => void) => {
  const { postgres, log } = foundation;
  const works: readonly (readonly [string, () => Promise<unknown>])[] = [
    ['expired gift cards were not told of', () => tellExpired(foundation)],
    ['lapsed payments were not ended', () => lapse(foundation, settlement)],
    ['orders were not told of payments', () => tellOrders(foundation, settlement)],
    ['refunds were not sent', () => refunds.sendDue()],
  ];
  let looking = false;
  let looks = 0;
  const look = async (): Promise<void> => {
    if (looking || !postgres.available) return;
    looking = true;
    for (const [failure, work] of works) await work().catch((problem) => log.warn({ err: problem }, failure));
    if (++looks % SWEEP_EVERY === 0)
      await sweepUnopened(postgres.sql, AT_ONCE).catch((problem) => log.warn({ err: problem }, 'sweep failed'));
    looking = false;
  };
  const timer = setInterval(() => void look(), LOOK_MS);
  timer.unref();
  return () => clearInterval(timer);
};

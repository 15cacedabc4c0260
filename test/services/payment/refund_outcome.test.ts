// Random provider reports and random actions of store and shopper, in any order: no report fails, and payments,
// orders, ledger and the report of sales agree. STOA_SEED sets the seed.
import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { StoreOrder } from '#proto/gen/order.ts';
import type { SalesReport } from '#proto/gen/report.ts';
import {
  answer,
  type Buyer,
  type DeliveredOrders,
  startDeliveredOrders,
} from '#test/services/order/delivered_order.ts';
import { eventually } from '#test/support/server.ts';
import type { Reply } from '#test/support/stoa.ts';
import { startMerchant } from './provider/merchant.ts';
import type { Provider, Report } from './provider/stand_in.ts';

/** A key starts at most a hundred payments an hour. */
const HISTORIES = 25;
const SEED = Number(process.env.STOA_SEED ?? 20_261_127);
const QUANTITY = 3;
const PRICE = 10;

let shop: DeliveredOrders;
let buyer: Buyer;
let provider: Provider;
beforeAll(async () => {
  shop = await startDeliveredOrders();
  buyer = await shop.buyer();
  provider = await startMerchant(() => shop.clock.real());
  expect((await shop.store('POST', '/v1/payments/providers', provider.connection)).status).toBe(201);
});
afterAll(async () => {
  await shop.close();
  await provider.standIn.stop();
});

const step = fc.record({
  what: fc.constantFrom(
    'pay',
    'pay',
    'decline',
    'own',
    'own',
    'again',
    'refund',
    'refund',
    'dispute',
    'cancel',
    'taken',
    'begin',
  ),
  which: fc.nat(),
  amount: fc.oneof(fc.integer({ min: 1, max: QUANTITY * PRICE }), fc.constant(QUANTITY * PRICE)),
  resolution: fc.constantFrom('refund', 'store_credit'),
});
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

/** An order, its started payments and the reports sent for them. */
interface Course {
  readonly order: StoreOrder;
  readonly sessions: string[];
  readonly reports: Report[];
}

/** Refusals are expected here; faults are not. */
const tolerated = ({ status, text }: Reply): void => {
  expect([200, 201, 400, 409], text).toContain(status);
};

const signed = (method: string, path: string, body: object): Promise<Reply> =>
  shop.stoa.send(method, path, { key: shop.keys.secret_test_key, signWith: shop.keys.hmac_test_secret, body });

const startPayment = async ({ order, sessions }: Course): Promise<void> => {
  const body = { provider: provider.name, amount: order.amount_due, currency: order.currency, order_id: order.id };
  // The metadata makes each request distinct within a second.
  const started = await signed('POST', '/v1/payments/initialize', { ...body, metadata: { at: randomUUID() } });
  tolerated(started);
  if (started.status === 200) sessions.push(started.body.session_id);
};

const report = async ({ reports }: Course, sent: Report): Promise<void> => {
  reports.push(sent);
  const path = `/v1/payments/callbacks/${provider.name}/${shop.keys.store_id}/sandbox`;
  expect((await shop.stoa.send('POST', path, { headers: sent.headers, body: sent.body })).status).toBe(200);
};

const dispute = async (order: StoreOrder, { resolution, amount }: Step): Promise<void> => {
  const body = { order_id: order.id, reason_code: 'damaged', description: 'Everything is broken.' };
  const opened = await buyer.send('POST', '/v1/disputes', body);
  tolerated(opened);
  if (opened.status !== 201) return;
  const { id } = answer<{ id: string }>(opened, 201);
  await shop.store('PATCH', `/v1/disputes/${id}`, { status: 'under_review' });
  const resolved = await shop.store('PATCH', `/v1/disputes/${id}`, { status: 'resolved', resolution, amount });
  tolerated(resolved);
  if (resolved.status !== 200) await shop.store('PATCH', `/v1/disputes/${id}`, { status: 'rejected' });
};

const play = async (course: Course, given: Step): Promise<void> => {
  const { order, sessions, reports } = course;
  const { what, which, amount } = given;
  const session = sessions[which % sessions.length]!;
  const change = (body: object) =>
    signed('PATCH', `/v1/orders/${order.id}`, { ...body, note: randomUUID() }).then(tolerated);
  if (what === 'begin') return startPayment(course);
  if (what === 'pay') {
    provider.pay(session);
    return report(course, provider.report(session));
  }
  if (what === 'decline') {
    provider.decline(session);
    return report(course, provider.report(session));
  }
  if (what === 'own') return report(course, provider.reportRefund(session, amount, true));
  if (what === 'again') return reports.length > 0 ? report(course, reports[which % reports.length]!) : undefined;
  if (what === 'refund') return tolerated(await shop.store('POST', `/v1/orders/${order.id}/refunds`, { amount }));
  if (what === 'dispute') return dispute(order, given);
  return change(what === 'cancel' ? { order_status: 'cancelled' } : { payment_status: 'paid' });
};

/** Payments that the ledger disagrees with: it must hold the received amount, less refunded and pending parts. */
const paymentsAstray = () => shop.stoa.services.runtime.postgres.sql`
  select p.reference, p.status, p.amount, p.refunded, a.balance
  from payment.payment p
  left join ledger.account a
    on a.store = p.store and a.environment = p.environment and a.kind = 'payment' and a.subject = p.id
  where p.store = ${shop.keys.store_id} and -coalesce(a.balance, 0) <>
    case when p.status in ('succeeded', 'refunded') then p.amount - p.refunded - coalesce((
      select sum(r.amount) from payment.refund r
      where r.store = p.store and r.environment = p.environment and r.payment_id = p.id and r.status = 'pending'
    ), 0) else 0 end`;

test(`${HISTORIES} random histories of seed ${SEED} end with payments, orders and books that agree`, {
  timeout: 900_000,
}, async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 12 }), fc.boolean(), async (steps, atOnce) => {
      const course: Course = { order: await shop.place(buyer, QUANTITY), sessions: [], reports: [] };
      await startPayment(course);
      if (atOnce) await Promise.all(steps.map((each) => play(course, each)));
      else for (const each of steps) await play(course, each);
      expect(await paymentsAstray()).toEqual([]);
      const after = await shop.order(course.order.id);
      const whole = QUANTITY * PRICE;
      expect([0, whole]).toContain(after.amount_paid);
      expect(after.amount_refunded).toBeLessThanOrEqual(after.amount_paid);
      if (after.order_status !== 'cancelled') expect(after.amount_due).toBe(whole - after.amount_paid);
      if (after.amount_paid > 0)
        expect(after.payment_status).toBe(
          { 0: 'paid', [whole]: 'refunded' }[after.amount_refunded] ?? 'partially_refunded',
        );
    }),
    { numRuns: HISTORIES, seed: SEED, endOnFailure: true },
  );
  await shop.balanced();

  const { orders } = (await shop.store('GET', '/v1/orders?limit=100')).body as { orders: StoreOrder[] };
  const live = orders.filter(({ order_status }) => order_status !== 'cancelled');
  const sumOf = (amount: (order: StoreOrder) => number) => live.reduce((sum, order) => sum + amount(order), 0);
  await eventually(async () => {
    const { total } = (await shop.store('GET', '/v1/reports/sales')).body.sales as SalesReport;
    expect(total).toMatchObject({
      orders: live.length,
      total: sumOf(({ total_amount }) => total_amount),
      refunds: sumOf(({ amount_refunded }) => amount_refunded),
    });
  });
});

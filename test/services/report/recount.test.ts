// Compares every figure of random histories of orders, payments, refunds and cancellations with the orders that the API
// shows and with the ledger, to the cent. STOA_HISTORIES=20 for a longer run, STOA_SEED for another one.
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { StoreOrder } from '#proto/gen/order.ts';
import type { SalesFigures, SalesReport } from '#proto/gen/report.ts';
import { manualClock } from '#runtime/process/clock.ts';
import { startBackfill } from '#services/report/backfill.ts';
import { type Merchant, openMerchant } from '#test/support/catalog.ts';
import { eventually } from '#test/support/server.ts';
import { type Stoa, startStoa } from '#test/support/stoa.ts';
import { dayIn } from '#values/zone.ts';

const STEPS = 40 * Number(process.env.STOA_HISTORIES ?? 1);
const SEED = Number(process.env.STOA_SEED ?? 20_261_128);
const ZONE = 'America/St_Johns';
const START = Date.parse('2026-10-28T09:10:00Z');
const HOUR_MS = 3_600_000;
const BUYERS = ['ada@example.com', 'bob@example.com', 'cleo@example.com'];

const clock = manualClock(START);
let stoa: Stoa;
beforeAll(async () => {
  stoa = await startStoa({ clock });
});
afterAll(() => stoa?.stop());

const step = fc.record({
  what: fc.constantFrom('place', 'place', 'place', 'pay', 'pay', 'refund', 'refund', 'return', 'cancel'),
  hours: fc.integer({ min: 0, max: 30 }),
  which: fc.nat(),
  buyer: fc.constantFrom(...BUYERS),
  quantities: fc.tuple(fc.nat(3), fc.nat(2), fc.integer({ min: 1, max: 3 })),
  cents: fc.integer({ min: 1, max: 2_500 }),
  promoted: fc.boolean(),
  country: fc.constantFrom('KE', 'DE'),
});
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

interface Shop {
  readonly merchant: Merchant;
  readonly variants: readonly string[];
}

const openShop = async (isInclusive: boolean): Promise<Shop> => {
  const merchant = await openMerchant(stoa, { timezone: ZONE, plan: 'enterprise' });
  const write = async (method: string, path: string, body: object) => {
    const reply = await merchant.secret(method, path, body);
    expect(reply.status, reply.text).toBeLessThan(300);
    return reply.body;
  };
  await write('PATCH', '/v1/store', { timezone: ZONE, tax_inclusive: isInclusive });
  await write('PUT', '/v1/shipping/config', {
    locations: [],
    fallback: { rate: { fee: 4.99, estimate: '2 days' } },
  });
  await write('POST', '/v1/tax-rates', { name: 'VAT', country: 'KE', rate: 0.1625, applies_to_shipping: true });
  await write('POST', '/v1/promotions', {
    name: 'Tenth',
    type: 'percentage',
    value: 12.5,
    code: 'TENTH',
    status: 'active',
  });
  const cups = (await write('POST', '/v1/categories', { name: 'Cups' })).category.id;
  const products = [
    { name: 'Cup', price: 7.33, category_id: cups },
    { name: 'Mug', price: 12.49, category_id: cups },
    { name: 'Voucher', price: 0.99, shipping_info: { requires_shipping: false } },
  ];
  const variants: string[] = [];
  for (const product of products)
    variants.push((await merchant.createProduct({ stock: 10_000, ...product })).variant_id!);
  return { merchant, variants };
};

const signed = async ({ merchant }: Shop, method: string, path: string, body: unknown) => {
  const reply = await merchant.secret(method, path, body, { signWith: merchant.keys.hmac_secret });
  expect([200, 201, 409], reply.text).toContain(reply.status);
  return reply.body.order as StoreOrder;
};

const orderOf = async ({ merchant }: Shop, id: string): Promise<StoreOrder> =>
  (await merchant.secret('GET', `/v1/orders/${id}`)).body.order;

const play = async (shop: Shop, ids: string[], { what, which, ...given }: Step): Promise<void> => {
  clock.advance(given.hours * HOUR_MS);
  if (what === 'place' || ids.length === 0) {
    const items = given.quantities.flatMap((quantity, at) =>
      quantity === 0 ? [] : [{ variant_id: shop.variants[at]!, quantity }],
    );
    const placed = await signed(shop, 'POST', '/v1/orders', {
      items,
      email: given.buyer,
      shipping_address: { line1: '1 Road', city: 'Town', country: given.country },
      ...(given.promoted && { promotion_codes: ['TENTH'] }),
    });
    ids.push(placed.id);
    return;
  }
  const id = ids[which % ids.length]!;
  if (what === 'pay') await signed(shop, 'PATCH', `/v1/orders/${id}`, { payment_status: 'paid' });
  if (what === 'cancel') await signed(shop, 'PATCH', `/v1/orders/${id}`, { order_status: 'cancelled' });
  const order = await orderOf(shop, id);
  const [line] = order.items;
  const body =
    what === 'refund' ? { amount: given.cents / 100 } : { items: [{ order_item_id: line!.id, quantity: 1 }] };
  if (what === 'refund' || what === 'return') {
    const reply = await shop.merchant.secret('POST', `/v1/orders/${id}/refunds`, body);
    expect([201, 409], reply.text).toContain(reply.status);
  }
};

const cents = (major: number): number => Math.round(major * 100);
type Cents = Omit<Record<keyof SalesFigures, number>, 'average_order' | 'returning_customers'>;

const centsOf = ({
  average_order: _average,
  returning_customers: _returning,
  orders,
  units,
  ...amounts
}: SalesFigures): Cents => ({
  orders,
  units,
  ...(Object.fromEntries(Object.entries(amounts).map(([name, amount]) => [name, cents(amount)])) as Omit<
    Cents,
    'orders' | 'units'
  >),
});

/** Refunds of each order in the ledger, in cents, with the day of each. */
const ledgerRefunds = (shop: Shop) => stoa.services.runtime.postgres.sql<{ order: string; cents: number; at: Date }[]>`
  select p.order_id as order, -e.amount as cents, p.created_at as at
  from ledger.posting p join ledger.entry e on e.store = p.store and e.posting = p.id and e.kind = 'order'
  where p.store = ${shop.merchant.keys.store_id} and p.kind in ('refunded', 'refund_failed')`;

/** The figures of a day as the orders and the ledger have them. */
const expectedOn = (
  day: string,
  orders: readonly StoreOrder[],
  refunds: Awaited<ReturnType<typeof ledgerRefunds>>,
): Cents => {
  const live = orders.filter(({ order_status }) => order_status !== 'cancelled');
  const placed = live.filter(({ created_at }) => dayIn(ZONE, new Date(created_at)) === day);
  const add = (amount: (order: StoreOrder) => number): number =>
    placed.reduce((sum, order) => sum + cents(amount(order)), 0);
  const refunded = refunds
    .filter(({ order, at }) => live.some(({ id }) => id === order) && dayIn(ZONE, at) === day)
    .reduce((sum, refund) => sum + refund.cents, 0);
  const total = add(({ total_amount }) => total_amount);
  return {
    orders: placed.length,
    units: placed.flatMap(({ items }) => items).reduce((sum, { quantity }) => sum + quantity, 0),
    gross: add(({ subtotal }) => subtotal),
    discounts: add(({ discount_total }) => discount_total),
    refunds: refunded,
    tax: add(({ tax_total }) => tax_total),
    shipping: add(({ shipping_total }) => shipping_total),
    total,
    net: total - refunded,
  };
};

/** Buyers with an order on one of the days that was not their first. */
const returningOn = (days: readonly string[], orders: readonly StoreOrder[]): number => {
  const live = orders.filter(({ order_status }) => order_status !== 'cancelled');
  return BUYERS.filter((buyer) => {
    const own = live.filter(({ email }) => email === buyer).sort((a, b) => (a.created_at < b.created_at ? -1 : 1));
    return own.slice(1).some(({ created_at }) => days.includes(dayIn(ZONE, new Date(created_at))));
  }).length;
};

const compare = async (shop: Shop, ids: readonly string[], from: string, to: string): Promise<SalesReport> => {
  const orders: StoreOrder[] = [];
  for (const id of ids) orders.push(await orderOf(shop, id));
  const refunds = await ledgerRefunds(shop);
  const read = async (query: string): Promise<SalesReport> =>
    (await shop.merchant.secret('GET', `/v1/reports/sales?from=${from}&to=${to}${query}`)).body.sales;
  return eventually(async () => {
    const report = await read('');
    const days = report.intervals.map((interval) => dayIn(ZONE, new Date(interval.from)));
    expect(report.intervals.map(({ figures }) => centsOf(figures))).toEqual(
      days.map((day) => expectedOn(day, orders, refunds)),
    );
    expect(report.intervals.map(({ figures }) => figures.returning_customers)).toEqual(
      days.map((day) => returningOn([day], orders)),
    );
    expect(report.total.returning_customers).toBe(returningOn(days, orders));
    for (const by of ['channel', 'country', 'product', 'category']) {
      const { rows, total } = await read(`&by=${by}&interval=week&limit=20`);
      const { orders: _all, ...whole } = centsOf(total);
      const names = Object.keys(whole) as (keyof typeof whole)[];
      const added = names.map((name) => [name, rows.reduce((sum, row) => sum + centsOf(row.total)[name], 0)]);
      expect(Object.fromEntries(added)).toEqual(whole);
      if (by !== 'channel' && by !== 'country') continue;
      const returning = rows.reduce((sum, row) => sum + row.total.returning_customers!, 0);
      expect([rows.reduce((sum, row) => sum + row.total.orders, 0), returning]).toEqual([
        total.orders,
        total.returning_customers,
      ]);
    }
    return report;
  });
};

test.each([false, true])(
  'figures equal the orders and the ledger; tax included: %s',
  {
    timeout: 60_000 + STEPS * 2_000,
  },
  async (isInclusive) => {
    const shop = await openShop(isInclusive);
    const ids: string[] = [];
    const from = dayIn(ZONE, new Date(clock.real()));
    const history = fc.sample(step, { numRuns: STEPS, seed: SEED + (isInclusive ? 1 : 0) });
    for (const each of history) await play(shop, ids, each);
    const to = dayIn(ZONE, new Date(clock.real()));
    await compare(shop, ids, from, to);

    // The history has something of everything.
    const { total } = await compare(shop, ids, from, to);
    for (const figure of ['discounts', 'refunds', 'tax', 'shipping', 'returning_customers'] as const)
      expect(total[figure], figure).toBeGreaterThan(0);
    expect(total.orders).toBeLessThan(ids.length);

    // Once all orders are paid, the ledger holds for them what they cost less what went back.
    for (const id of ids) await signed(shop, 'PATCH', `/v1/orders/${id}`, { payment_status: 'paid' });
    const report = await compare(shop, ids, from, to);
    const { sql } = stoa.services.runtime.postgres;
    const store = shop.merchant.keys.store_id;
    const [held] = await sql<{ cents: number }[]>`
    select coalesce(sum(a.balance), 0)::bigint as cents from ledger.account a
    join orders.order o on o.store = a.store and o.environment = a.environment and o.id = a.subject
    where a.store = ${store} and a.kind = 'order' and o.order_status <> 'cancelled'`;
    const [due] = await sql<{ cents: number }[]>`
    select coalesce(sum(total_amount - gift_card_total - store_credit_total - amount_paid), 0)::bigint as cents
    from orders.order where store = ${store} and order_status <> 'cancelled'`;
    expect(cents(report.total.net)).toBe(held!.cents + due!.cents);

    // Counted anew from the orders, every figure is the same.
    for (const table of ['sale', 'step', 'counted', 'return'])
      await sql.unsafe(`delete from report.${table} where store = '${store}'`);
    await sql`delete from report.backfill`;
    const stop = startBackfill(stoa.services.runtime);
    const recounted = await compare(shop, ids, from, to);
    await stop();
    expect({ ...recounted, as_of: report.as_of }).toEqual(report);
  },
);

// Reports over HTTP: figures of each interval in the store's time zone, rows, returning customers, steps, and bad input.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { FunnelReport, SalesFigures, SalesReport } from '#proto/gen/report.ts';
import { manualClock } from '#runtime/process/clock.ts';
import { type Merchant, openMerchant } from '#test/support/catalog.ts';
import { eventually } from '#test/support/server.ts';
import { type Reply, type Stoa, startStoa } from '#test/support/stoa.ts';

const START = Date.parse('2026-10-24T21:30:00Z');
const HOUR_MS = 3_600_000;
const clock = manualClock(START);
let stoa: Stoa;
let merchant: Merchant;
let variant: string;
beforeAll(async () => {
  stoa = await startStoa({ clock });
});
afterAll(() => stoa?.stop());
beforeEach(async () => {
  merchant = await openMerchant(stoa, { timezone: 'UTC' });
  variant = await product({});
});

const product = async (body: object): Promise<string> =>
  (await merchant.createProduct({ price: 10, stock: 1_000, shipping_info: { requires_shipping: false }, ...body }))
    .variant_id as string;

const signed = async (method: string, path: string, body: unknown) => {
  const reply = await merchant.secret(method, path, body, { signWith: merchant.keys.hmac_secret });
  expect(reply.status, reply.text).toBeLessThan(300);
  return reply.body.order;
};
const place = (more: object = {}, quantity = 1) =>
  signed('POST', '/v1/orders', { items: [{ variant_id: variant, quantity }], email: 'ada@example.com', ...more });
const change = (id: string, body: object) => signed('PATCH', `/v1/orders/${id}`, body);

/** Advances the clock to a later moment. */
const at = (moment: string): void => clock.advance(Date.parse(moment) - clock.real());

const read = async (query: string): Promise<SalesReport> => {
  const reply = await merchant.secret('GET', `/v1/reports/sales?${query}`);
  expect(reply.status, reply.text).toBe(200);
  return reply.body.sales;
};
/** The report once it holds all these orders. */
const counted = (orders: number, query: string): Promise<SalesReport> =>
  eventually(async () => {
    const report = await read(query);
    expect(report.total.orders).toBe(orders);
    return report;
  });
const ordersIn = ({ intervals }: SalesReport): [number, number][] =>
  intervals.map(({ from, to, figures }) => [(Date.parse(to) - Date.parse(from)) / HOUR_MS, figures.orders]);
const problemOf = ({ status, body }: Reply): unknown[] => [status, body.error?.code, body.error?.param];

const zoneTo = async (timezone: string): Promise<void> => {
  expect((await merchant.secret('PATCH', '/v1/store', { timezone })).status).toBe(200);
};

describe('days of a report', () => {
  test('follow the store’s time zone when clocks change and when the zone changes', async () => {
    for (const moment of [
      '2026-10-24T21:59:00Z',
      '2026-10-24T22:00:00Z',
      '2026-10-25T00:30:00Z',
      '2026-10-25T01:30:00Z',
      '2026-10-25T18:10:00Z',
      '2026-10-25T18:20:00Z',
      '2026-10-25T22:59:00Z',
      '2026-10-25T23:00:00Z',
    ]) {
      at(moment);
      await place();
    }
    await zoneTo('Europe/Berlin');
    const days = 'from=2026-10-24&to=2026-10-26';
    const report = await counted(8, days);
    expect(report).toMatchObject({ timezone: 'Europe/Berlin', interval: 'day', currency: 'USD', currencies: ['USD'] });
    expect([report.from, report.to]).toEqual(['2026-10-23T22:00:00.000Z', '2026-10-26T23:00:00.000Z']);
    expect(ordersIn(report)).toEqual([
      [24, 1],
      [25, 6],
      [24, 1],
    ]);
    const hours = await read('from=2026-10-25&to=2026-10-25&interval=hour');
    expect(hours.intervals).toHaveLength(25);
    expect(ordersIn(hours).slice(0, 4)).toEqual([
      [1, 1],
      [1, 0],
      [1, 1],
      [1, 1],
    ]);
    expect((await read('from=2026-03-29&to=2026-03-29&interval=hour')).intervals).toHaveLength(23);
    expect(ordersIn(await read('from=2026-03-28&to=2026-03-30')).map(([length]) => length)).toEqual([24, 23, 24]);

    await zoneTo('Asia/Kathmandu');
    expect(ordersIn(await read(days))).toEqual([
      [24, 0],
      [24, 5],
      [24, 3],
    ]);
    expect(ordersIn(await read('from=2026-10-25T00:35:00Z&to=2026-10-25T18:10:00Z&interval=month'))).toEqual([
      [17.75, 3],
    ]);
    expect(ordersIn(await read('from=2026-10-01&to=2026-10-31&interval=week'))).toEqual([
      [96, 0],
      [168, 0],
      [168, 0],
      [168, 5],
      [144, 3],
    ]);
  });

  test('end with the current one where `to` is left out', async () => {
    await place();
    const report = await counted(1, '');
    expect(report.intervals).toHaveLength(30);
    expect(report.intervals.at(-1)!.figures.orders).toBe(1);
    expect((await read('')).as_of).toBe(new Date(clock.real()).toISOString());
  });
});

describe('figures of a report', () => {
  const NOTHING: Partial<SalesFigures> = { orders: 0, units: 0, gross: 0, total: 0, net: 0, average_order: null };

  test('count an order until it is cancelled, and a refund on its own day', async () => {
    at('2026-10-27T10:00:00Z');
    const [first, second] = [await place({}, 2), await place({ email: 'bob@example.com' })];
    await change(first.id, { payment_status: 'paid' });
    at('2026-10-28T10:00:00Z');
    const refunds = `/v1/orders/${first.id}/refunds`;
    expect((await merchant.secret('POST', refunds, { amount: 5 })).status).toBe(201);
    const days = 'from=2026-10-27&to=2026-10-28';
    await eventually(async () => expect((await read(days)).total.refunds).toBe(5));
    const { total, intervals } = await read(days);
    expect(intervals.map(({ figures }) => figures)).toMatchObject([
      { orders: 2, units: 3, gross: 30, refunds: 0, total: 30, net: 30, average_order: 15 },
      { ...NOTHING, refunds: 5, net: -5 },
    ]);
    expect(total).toMatchObject({ orders: 2, units: 3, gross: 30, refunds: 5, total: 30, net: 25 });

    await change(second.id, { order_status: 'cancelled' });
    expect((await counted(1, days)).total).toMatchObject({ units: 2, gross: 20, net: 15, average_order: 20 });
    await change(first.id, { order_status: 'cancelled' });
    expect((await counted(0, days)).total).toMatchObject({ ...NOTHING, refunds: 0 });
  });

  test('include the orders of one currency', async () => {
    at('2026-10-29T10:00:00Z');
    await place();
    await counted(1, 'from=2026-10-29&to=2026-10-29');
    const euros = await read('from=2026-10-29&to=2026-10-29&currency=EUR');
    expect([euros.currency, euros.currencies, euros.total.orders]).toEqual(['EUR', ['USD'], 0]);
  });

  test('follow a sandbox’s clock and are cleared by its reset', async () => {
    const key = merchant.keys.secret_test_key;
    const made = await merchant.test('POST', '/v1/products', {
      name: 'Mug',
      price: 10,
      stock: 9,
      shipping_info: { requires_shipping: false },
    });
    const to = new Date(clock.real() + 40 * 24 * HOUR_MS);
    expect((await merchant.test('POST', '/v1/sandbox/time-travel', { to: to.toISOString() })).status).toBe(200);
    const placed = await stoa.send('POST', '/v1/orders', {
      key,
      signWith: merchant.keys.hmac_test_secret,
      body: { items: [{ variant_id: made.body.variant_id, quantity: 1 }], email: 'ada@example.com' },
    });
    expect(placed.status, placed.text).toBe(201);
    const day = to.toISOString().slice(0, 10);
    const sales = async () => (await merchant.test('GET', `/v1/reports/sales?from=${day}&to=${day}`)).body.sales.total;
    const funnel = async () =>
      (await merchant.test('GET', `/v1/reports/funnel?from=${day}&to=${day}`)).body.funnel.total;
    await eventually(async () => expect((await sales()).orders).toBe(1));
    expect((await funnel()).orders_placed).toBe(1);
    expect((await read('')).total.orders).toBe(0);
    expect((await merchant.test('POST', '/v1/sandbox/reset', {})).status).toBe(200);
    expect(await sales()).toMatchObject(NOTHING);
    expect((await funnel()).orders_placed).toBe(0);
  });
});

describe('returning customers', () => {
  test('count once in each interval, from their second order on', async () => {
    const [ada, bob] = [{ email: 'ada@example.com' }, { email: 'Bob@Example.com' }];
    at('2026-11-02T08:00:00Z');
    await place(ada);
    await place(ada);
    at('2026-11-03T08:00:00Z');
    await place(bob);
    const late = await place(ada);
    await place(ada);
    at('2026-11-04T08:00:00Z');
    await place({ email: 'bob@example.com' });
    await place({ email: 'cleo@example.com' });
    const query = 'from=2026-11-02&to=2026-11-04';
    const returning = ({ total, intervals }: SalesReport) => [
      total.returning_customers,
      ...intervals.map(({ figures }) => figures.returning_customers),
    ];
    expect(returning(await counted(7, query))).toEqual([2, 1, 1, 1]);
    // A cancelled order is no order of its customer's.
    await change(late.id, { order_status: 'cancelled' });
    expect(returning(await counted(6, query))).toEqual([2, 1, 1, 1]);
    const whole = await read(`${query}&interval=week&by=channel`);
    expect(whole.rows.map(({ value, total }) => [value, total.returning_customers])).toEqual([['storefront', 2]]);
  });

  test('exclude a customer whose only other order was cancelled', async () => {
    at('2026-11-05T08:00:00Z');
    const first = await place();
    at('2026-11-06T08:00:00Z');
    await place();
    const query = 'from=2026-11-05&to=2026-11-06';
    expect((await counted(2, query)).total.returning_customers).toBe(1);
    await change(first.id, { order_status: 'cancelled' });
    expect((await counted(1, query)).total.returning_customers).toBe(0);
  });
});

describe('rows', () => {
  test('split the figures by product, category, country and channel', async () => {
    const category = (await merchant.secret('POST', '/v1/categories', { name: 'Cups' })).body.category;
    const cup = await product({ name: 'Cup', price: 7, category_id: category.id });
    at('2026-11-07T08:00:00Z');
    const address = { line1: '48 Ngong Road', city: 'Nairobi', country: 'KE' };
    await place({ shipping_address: address, items: [{ variant_id: cup, quantity: 3 }] });
    await place({
      items: [
        { variant_id: variant, quantity: 1 },
        { variant_id: cup, quantity: 1 },
      ],
    });
    const rowsBy = async (by: string, more = '') => {
      const report = await counted(2, `from=2026-11-07&to=2026-11-07&by=${by}${more}`);
      return report.rows.map(({ value, name, total }) => [value, name, total.orders, total.units, total.total]);
    };
    expect(await rowsBy('product')).toEqual([
      [expect.any(String), 'Cup', 2, 4, 28],
      [expect.any(String), 'Trail shoe', 1, 1, 10],
    ]);
    expect(await rowsBy('category')).toEqual([
      [category.id, 'Cups', 2, 4, 28],
      [null, null, 1, 1, 10],
    ]);
    expect(await rowsBy('country')).toEqual([
      ['KE', null, 1, 3, 21],
      [null, null, 1, 2, 17],
    ]);
    expect(await rowsBy('channel')).toEqual([['storefront', null, 2, 5, 38]]);

    const page = async (cursor = '') =>
      (await merchant.secret('GET', `/v1/reports/sales?from=2026-11-07&to=2026-11-07&by=product&limit=1${cursor}`))
        .body;
    const { sales, pagination } = await page();
    expect([sales.rows.length, sales.rows[0].name, pagination.has_more]).toEqual([1, 'Cup', true]);
    const rest = await page(`&cursor=${pagination.next_cursor}`);
    expect([rest.sales.rows.length, rest.sales.rows[0].name, rest.pagination.has_more]).toEqual([
      1,
      'Trail shoe',
      false,
    ]);
    const foreign = await merchant.secret('GET', `/v1/reports/sales?by=category&cursor=${pagination.next_cursor}`);
    expect(problemOf(foreign)).toEqual([400, 'invalid_request', 'cursor']);
  });
});

describe('the funnel', () => {
  test('counts each session and order once a step', async () => {
    at('2026-11-09T08:00:00Z');
    const look = (session_id: string, event_type: string) =>
      merchant.publishable('POST', '/v1/events', { event_type, variant_id: variant, session_id });
    for (const session of ['a', 'b', 'c']) await look(session, 'view');
    await look('a', 'view');
    await look('a', 'add_to_cart');
    await look('d', 'add_to_wishlist');
    const intent = await merchant.publishable('POST', '/v1/agent/checkout-intents', {
      items: [{ variant_id: variant, quantity: 1 }],
      email: 'ada@example.com',
    });
    expect(intent.status, intent.text).toBe(201);
    const { id } = await place();
    await place();
    await change(id, { payment_status: 'paid' });
    const funnel = async (query: string): Promise<FunnelReport> =>
      (await merchant.secret('GET', `/v1/reports/funnel?${query}`)).body.funnel;
    const report = await eventually(async () => {
      const found = await funnel('from=2026-11-09&to=2026-11-10');
      expect(found.total).toEqual({
        sessions: 4,
        product_views: 3,
        added_to_cart: 1,
        checkouts_started: 3,
        orders_placed: 2,
        orders_paid: 1,
      });
      return found;
    });
    expect(report.intervals.map(({ figures }) => figures.sessions)).toEqual([4, 0]);
    at('2026-11-10T08:00:00Z');
    await look('b', 'view');
    await look('b', 'add_to_cart');
    await eventually(async () => {
      const { intervals } = await funnel('from=2026-11-09&to=2026-11-10');
      expect(
        intervals.map(({ figures: { sessions, product_views, added_to_cart } }) => [
          sessions,
          product_views,
          added_to_cart,
        ]),
      ).toEqual([
        [4, 3, 1],
        [0, 0, 1],
      ]);
    });
  });
});

describe('bad input', () => {
  test.each([
    ['from=tomorrow', 'from'],
    ['to=2026-02-30', 'to'],
    ['from=2026-01-02&to=2026-01-01', 'from'],
    ['from=2026-01-01T10:00:00Z&to=2026-01-01T10:00:00Z', 'from'],
    ['from=1999-12-31', 'from'],
    ['to=3000-01-01', 'to'],
    ['from=2026-01-01&to=2026-03-01&interval=hour', 'from'],
    ['from=2020-01-01&to=2026-03-01', 'from'],
    ['interval=year', 'interval'],
  ])('%s is refused', async (query, param) => {
    for (const report of ['sales', 'funnel'])
      expect(problemOf(await merchant.secret('GET', `/v1/reports/${report}?${query}`))).toEqual([
        400,
        'invalid_request',
        param,
      ]);
  });

  test.each([
    ['by=colour', 'by'],
    ['by=product&from=2026-01-01&to=2026-06-01', 'from'],
    ['currency=XXQ', 'currency'],
    ['limit=101', 'limit'],
    ['by=product&limit=100', 'limit'],
    ['cursor=AAAA', 'cursor'],
  ])('%s is refused for sales', async (query, param) => {
    expect(problemOf(await merchant.secret('GET', `/v1/reports/sales?${query}`))).toEqual([
      400,
      'invalid_request',
      param,
    ]);
  });

  test('an unknown time zone is refused', async () => {
    expect(problemOf(await merchant.secret('PATCH', '/v1/store', { timezone: 'Mars/Olympus' }))).toEqual([
      400,
      'invalid_request',
      'timezone',
    ]);
  });

  test('a publishable key reads no report', async () => {
    expect((await merchant.publishable('GET', '/v1/reports/sales')).status).toBe(403);
    expect((await merchant.publishable('GET', '/v1/reports/funnel')).status).toBe(403);
  });
});

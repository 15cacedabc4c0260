// Seeding fills the wholesale demo shop, with a deal at each step, and an operator sees both shops.
import { beforeAll, describe, expect, test } from 'vitest';
import type { Invoice } from '#proto/gen/invoice.ts';
import type { PurchaseOrder } from '#proto/gen/purchase_order.ts';
import type { Rfq } from '#proto/gen/rfq.ts';
import type { CreateOperatorResponse } from '#proto/gen/store_admin.ts';
import type { WholesaleQuote } from '#proto/gen/wholesale_quote.ts';
import { NO_TENANT } from '#runtime/call/call.ts';
import { TRADE_PRODUCTS as PRODUCTS } from '#services/cli/demo/data.ts';
import { DEALS } from '#services/cli/demo/trade/deal.ts';
import { seedTrade } from '#services/cli/demo/trade/seed.ts';
import { TRADE_STORE } from '#services/cli/demo/trade/store.ts';
import { ok } from '#test/support/reply.ts';
import { type Keys, type Stoa, sharedStoa } from '#test/support/stoa.ts';

let stoa: Stoa;
let keys: Keys;
const seed = (baseUrl: string, { secret_key, secret_test_key, hmac_test_secret }: Keys): Promise<void> =>
  seedTrade({ baseUrl, secretKey: secret_key, secretTestKey: secret_test_key, hmacTestSecret: hmac_test_secret });
beforeAll(async () => {
  stoa = await sharedStoa();
  keys = await stoa.createStore({ ...TRADE_STORE });
  await seed(stoa.url, keys);
});

const LISTS = ['rfqs', 'quotes', 'purchase-orders', 'invoices'] as const;
const rows = async (list: (typeof LISTS)[number], { secret_test_key }: Keys = keys) =>
  (await stoa.send('GET', `/v1/b2b/${list}?limit=100`, { key: secret_test_key })).body.data;
const statuses = async (of: Keys = keys) => ({
  rfqs: (await rows('rfqs', of)).map(({ status }: Rfq) => status),
  quotes: (await rows('quotes', of)).map(({ status }: WholesaleQuote) => status),
  orders: (await rows('purchase-orders', of)).map(({ status, po_number }: PurchaseOrder) => [po_number, status]),
  invoices: (await rows('invoices', of)).map(({ status, payment_terms: _, ...given }: Invoice & PurchaseOrder) => [
    given.invoice_number,
    status,
  ]),
});
/** Newest first. */
const SEEDED = {
  rfqs: ['submitted', 'quoted', 'closed', 'closed', 'closed'],
  quotes: ['sent', 'accepted', 'accepted', 'accepted'],
  orders: [
    ['4500-77', 'issued'],
    ['BBH-2058', 'fulfilled'],
    ['BBH-2041', 'fulfilled'],
  ],
  invoices: [
    ['INV-1002', 'issued'],
    ['INV-1001', 'paid'],
  ],
};

test.each(['publishable_key', 'publishable_test_key'] as const)('lists every product with the %s', async (name) => {
  const { body } = await stoa.send('GET', '/v1/products?limit=100', { key: keys[name] });
  expect(body.products.map((product: { name: string }) => product.name)).toEqual(
    PRODUCTS.map((product) => product.name).reverse(),
  );
  const feed = await stoa.send('GET', `/v1/feeds/${keys.code}/llms.txt`);
  expect([feed.status, feed.text.includes('Milima Coffee Trade')]).toEqual([200, true]);
});

test('a deal stands at each step in the sandbox, and none in production', async () => {
  expect(await statuses()).toEqual(SEEDED);
  expect(await statuses({ ...keys, secret_test_key: keys.secret_key })).toEqual({
    rfqs: [],
    quotes: [],
    orders: [],
    invoices: [],
  });
});

test('quotes below the shop’s own prices, and marks the paid order as paid', async () => {
  const [, , , first] = await rows('quotes');
  expect(first).toMatchObject({ subtotal: 12 * 198 + 6 * 139, note: DEALS[0]!.answer, payment_terms: 'net_30' });
  const { orders } = (await stoa.send('GET', '/v1/orders', { key: keys.secret_test_key })).body;
  expect(orders.map((order: { payment_status: string }) => order.payment_status)).toEqual(['pending', 'paid']);
  expect(orders[1]).toMatchObject({ order_status: 'shipped', total_amount: first.total, amount_due: 0 });
  const skus = new Map(PRODUCTS.flatMap(({ variants }) => variants.map(({ sku, price }) => [sku, price])));
  for (const { sku, unit_price } of DEALS.flatMap(({ items }) => items))
    expect(unit_price).toBeLessThan(skus.get(sku)!);
});

test('an invoice of it can be printed', async () => {
  const [{ id }] = await rows('invoices');
  const { status, text } = await stoa.send('GET', `/v1/b2b/invoices/${id}/pdf`, { key: keys.secret_test_key });
  expect([status, text.slice(0, 5)]).toEqual([200, '%PDF-']);
});

describe('a second seeding', () => {
  test('changes nothing', async () => {
    const before = await Promise.all(LISTS.map((list) => rows(list)));
    await seed(stoa.url, keys);
    expect(await Promise.all(LISTS.map((list) => rows(list)))).toEqual(before);
  });

  test('completes one that was cut short', async () => {
    const other = await stoa.createStore({ ...TRADE_STORE });
    let count = 0;
    const line = Bun.serve({
      port: 0,
      hostname: '127.0.0.1',
      async fetch(request) {
        const { pathname, search } = new URL(request.url);
        if (++count > 70) return new Response('lost', { status: 503 });
        return fetch(`${stoa.url}${pathname}${search}`, {
          method: request.method,
          headers: { ...Object.fromEntries(request.headers), 'accept-encoding': 'identity' },
          body: request.method === 'GET' ? null : await request.arrayBuffer(),
        });
      },
    });
    await expect(seed(line.url.origin, other)).rejects.toThrow(/was answered 503/);
    await line.stop(true);
    expect((await rows('invoices', other)).length).toBeLessThan(2);
    await seed(stoa.url, other);
    expect(await statuses(other)).toEqual(SEEDED);
  });
});

test('an operator over it sees its shelves', async () => {
  const made: CreateOperatorResponse = ok(
    await stoa.services.runtime.ask('StoreAdmin/CreateOperator', NO_TENANT, {
      name: 'Soko Moja',
      stores: [keys.store_id],
    }),
  );
  const path = `/v1/products?store_id=${keys.store_id}&limit=100`;
  const { body } = await stoa.send('GET', path, { key: made.operator_test_key });
  expect(body.products).toHaveLength(PRODUCTS.length);
});

// Carts in further currencies than the store's: their prices, rates that are too old, merges, and changes that race orders.
import { beforeAll, describe, expect, test } from 'vitest';
import type { ShoppingCart } from '#proto/gen/cart.ts';
import type { StoreOrder } from '#proto/gen/order.ts';
import { type Reply, type Stoa, sharedStoa } from '#test/support/stoa.ts';
import { add, cartOf, openStorefront, problemOf, readCart, type Storefront, type Visitor } from './storefront.ts';

let stoa: Stoa;
let shop: Storefront;
let variant: string;

const merchant = async (store: Storefront, method: string, path: string, body: unknown): Promise<Reply['body']> => {
  const reply = await store.test(method, path, body);
  if (reply.status >= 300) throw new Error(`${path} ${reply.text}`);
  return reply.body;
};

const openShop = async (): Promise<Storefront> => {
  const opened = await openStorefront(stoa, { store: { currency: 'USD' }, environment: 'sandbox' });
  const currencies = [
    { currency: 'EUR', prices: 'rate' },
    { currency: 'JPY', prices: 'fixed' },
  ];
  const { status, text } = await opened.secret('PATCH', '/v1/store', { currencies });
  expect(status, text).toBe(200);
  for (const [code, rate] of [
    ['EUR', 0.9],
    ['JPY', 150],
  ] as const)
    await merchant(opened, 'PUT', `/v1/exchange-rates/${code}`, { rate, max_age_hours: 1 });
  return opened;
};

const product = { price: 20, stock: 500, shipping_info: { requires_shipping: false } };

beforeAll(async () => {
  stoa = await sharedStoa();
  shop = await openShop();
  variant = (await shop.createProduct(product)).variant_id!;
});

const change = ({ send }: Pick<Visitor, 'send'>, currency: string): Promise<Reply> =>
  send('PATCH', '/v1/cart', { currency });

const filled = async (store = shop, of = variant): Promise<Visitor> => {
  const visitor = store.visitor();
  cartOf(await add(visitor, { variant_id: of, quantity: 3 }));
  return visitor;
};

const placed = ({ session }: Visitor, more: object = {}, { keys } = shop): Promise<Reply> =>
  stoa.send('POST', '/v1/orders', {
    key: keys.secret_test_key,
    signWith: keys.hmac_test_secret,
    body: { cart: true, session_id: session, email: `${session}@example.com`, ...more },
  });

describe('a change of currency', () => {
  test('shows the items at their prices in it, without a warning, and back', async () => {
    const visitor = await filled();
    const changed = cartOf(await change(visitor, 'eur'));
    expect(changed).toMatchObject({
      currency: 'EUR',
      subtotal: 54,
      items: [{ unit_price: 18 }],
      warnings: [],
      version: 2,
    });
    expect(await readCart(visitor)).toEqual(changed);
    expect(cartOf(await change(visitor, 'EUR'))).toEqual(changed);
    expect(cartOf(await change(visitor, 'USD'))).toMatchObject({
      currency: 'USD',
      subtotal: 60,
      warnings: [],
      version: 3,
    });
  });

  test('sends the former currency and its amounts', async () => {
    const visitor = await filled();
    const { id } = cartOf(await change(visitor, 'EUR'));
    await expect
      .poll(() => shop.events.find(({ object }) => object.id === id && object.currency === 'EUR'), { timeout: 30_000 })
      .toMatchObject({ type: 'cart.updated', previous_attributes: { currency: 'USD', subtotal: 60 } });
  });

  test('lasts, in an empty cart, for what is put in, and for the next cart', async () => {
    const visitor = shop.visitor();
    expect(cartOf(await change(visitor, 'EUR'))).toMatchObject({ currency: 'EUR', items: [], total: 0 });
    expect(cartOf(await add(visitor, { variant_id: variant }))).toMatchObject({ currency: 'EUR', total: 18 });
    expect((await placed(visitor)).body.order).toMatchObject({ currency: 'EUR', total_amount: 18 });
    await expect.poll(async () => (await readCart(visitor)).item_count, { timeout: 30_000 }).toBe(0);
    expect(cartOf(await add(visitor, { variant_id: variant }))).toMatchObject({ currency: 'EUR', total: 18 });
  });

  test('leaves an item without a price in it in the cart, free and not for sale', async () => {
    const visitor = await filled();
    const changed = cartOf(await change(visitor, 'JPY'));
    expect(changed).toMatchObject({ currency: 'JPY', total: 0, items: [{ unit_price: 0, in_stock: false }] });
    expect(changed.warnings).toMatchObject([{ code: 'out_of_stock' }]);
    expect((await placed(visitor)).status).toBe(400);
    expect(cartOf(await change(visitor, 'USD'))).toMatchObject({ total: 60, warnings: [] });
  });

  test('refuses a currency that the store does not have, and changes nothing', async () => {
    const visitor = await filled();
    expect(problemOf(await change(visitor, 'GBP'))).toEqual([400, 'invalid_request', 'currency']);
    expect(problemOf(await change(visitor, 'XXX'))).toEqual([400, 'invalid_request', 'currency']);
    expect(await readCart(visitor)).toMatchObject({ currency: 'USD', version: 1 });
  });

  test('keeps every item that many callers add meanwhile', async () => {
    const visitor = shop.visitor();
    const products = await Promise.all(Array.from({ length: 4 }, () => shop.createProduct(product)));
    const retried = async (request: () => Promise<Reply>): Promise<void> => {
      for (;;) {
        const reply = await request();
        if (reply.status === 200) return;
        expect(reply.body.error, reply.text).toMatchObject({ code: 'conflict', retry_after: 1 });
      }
    };
    await Promise.all([
      ...products.map(({ variant_id }) => retried(() => add(visitor, { variant_id }))),
      retried(() => change(visitor, 'EUR')),
    ]);
    const cart = await readCart(visitor);
    expect(cart).toMatchObject({ currency: 'EUR', item_count: 4, total: 72, warnings: [] });
  });
});

describe('a read in another currency', () => {
  const readIn = ({ send }: Pick<Visitor, 'send'>, currency: string): Promise<Reply> =>
    send('GET', `/v1/cart?currency=${currency}`);

  test('shows its prices without a warning, and changes nothing', async () => {
    const visitor = await filled();
    const before = await readCart(visitor);
    expect(cartOf(await readIn(visitor, 'eur'))).toMatchObject({
      currency: 'EUR',
      subtotal: 54,
      total: 54,
      items: [{ unit_price: 18, total: 54 }],
      warnings: [],
      version: before.version,
    });
    expect(await readCart(visitor)).toEqual(before);
    expect((await placed(visitor)).body.order).toMatchObject({ currency: 'USD', total_amount: 60 });
  });

  test('shows a cart of a further currency in the store’s own', async () => {
    const visitor = await filled();
    const changed = cartOf(await change(visitor, 'EUR'));
    expect(cartOf(await readIn(visitor, 'USD'))).toMatchObject({ currency: 'USD', total: 60, warnings: [] });
    expect(await readCart(visitor)).toEqual(changed);
  });

  test('shows an item without a price in it as not for sale, and an empty cart', async () => {
    const visitor = await filled();
    const shown = cartOf(await readIn(visitor, 'JPY'));
    expect(shown).toMatchObject({ currency: 'JPY', total: 0, items: [{ unit_price: 0, in_stock: false }] });
    expect(shown.warnings).toMatchObject([{ code: 'out_of_stock' }]);
    expect(cartOf(await readIn(shop.visitor(), 'EUR'))).toMatchObject({ currency: 'EUR', items: [], version: 0 });
  });

  test('refuses a currency that the store does not have', async () => {
    const visitor = await filled();
    for (const code of ['GBP', 'XXX', 'EURO', '%00'])
      expect(problemOf(await readIn(visitor, code)), code).toEqual([400, 'invalid_request', 'currency']);
  });

  test('refuses a currency whose rate is too old', async () => {
    const aged = await openShop();
    const { variant_id } = await aged.createProduct(product);
    const visitor = await filled(aged, variant_id!);
    await merchant(aged, 'POST', '/v1/sandbox/time-travel', { advance_seconds: 3_601 });
    expect(problemOf(await readIn(visitor, 'EUR'))).toEqual([409, 'currency_not_available', 'currency']);
    expect(await readCart(visitor)).toMatchObject({ currency: 'USD', total: 60 });
  });
});

test('takes a shopper’s currency along into the customer’s empty cart, and not into one that holds items', async () => {
  const [ada, ben] = [await shop.newCustomer(), await shop.newCustomer()];
  const merge = async (customer: typeof ada, { session }: Visitor): Promise<ShoppingCart> =>
    cartOf(await customer.send('POST', '/v1/cart/merge', { customer_id: customer.id, session_id: session }));
  const visitor = await filled();
  cartOf(await change(visitor, 'EUR'));
  expect(await merge(ada, visitor)).toMatchObject({ currency: 'EUR', total: 54, warnings: [] });
  const other = await shop.createProduct(product);
  cartOf(await ben.send('POST', `/v1/cart/items?customer_id=${ben.id}`, { variant_id: other.variant_id }));
  const second = await filled();
  cartOf(await change(second, 'EUR'));
  expect(await merge(ben, second)).toMatchObject({ currency: 'USD', total: 80, warnings: [] });
});

test('reads and empties a cart whose rate is too old, but sells nothing of it', async () => {
  const own = await openShop();
  const { variant_id } = await own.createProduct(product);
  const visitor = await filled(own, variant_id!);
  cartOf(await change(visitor, 'EUR'));
  const order: StoreOrder = (await placed(visitor, {}, own)).body.order;
  const late = await filled(own, variant_id!);
  const { items } = cartOf(await change(late, 'EUR'));
  await merchant(own, 'POST', '/v1/sandbox/time-travel', { advance_seconds: 3_601 });
  const read = await readCart(late);
  expect(read).toMatchObject({ currency: 'EUR', subtotal: 54, items: [{ unit_price: 18, in_stock: false }] });
  expect(read.warnings[0]).toMatchObject({ code: 'currency_not_available', item_id: null });
  expect(problemOf(await placed(late, {}, own))).toEqual([409, 'currency_not_available', 'currency']);
  expect(problemOf(await add(late, { variant_id }))).toEqual([409, 'currency_not_available', 'currency']);
  expect(problemOf(await late.send('PATCH', `/v1/cart/items/${items[0]!.id}`, { quantity: 1 }))[1]).toBe(
    'currency_not_available',
  );
  expect(problemOf(await change(own.visitor(), 'EUR'))[1]).toBe('currency_not_available');
  const shown = await own.test('GET', `/v1/orders/${order.id}`);
  expect(shown.body.order).toMatchObject({ currency: 'EUR', total_amount: 54 });
  expect((await own.test('GET', '/v1/orders')).body.orders).toHaveLength(1);
  expect(cartOf(await late.send('DELETE', `/v1/cart/items/${items[0]!.id}`))).toMatchObject({ items: [] });
  expect(cartOf(await change(late, 'USD'))).toMatchObject({ currency: 'USD', warnings: [] });
});

test('shows a cart in the store’s currency once the store has its currency no longer', async () => {
  const own = await openShop();
  const { variant_id } = await own.createProduct(product);
  const visitor = await filled(own, variant_id!);
  cartOf(await change(visitor, 'EUR'));
  const fewer = await own.secret('PATCH', '/v1/store', { currencies: [{ currency: 'JPY', prices: 'fixed' }] });
  expect(fewer.status, fewer.text).toBe(200);
  await expect.poll(async () => (await readCart(visitor)).currency, { timeout: 30_000 }).toBe('USD');
  const read = await readCart(visitor);
  expect(read).toMatchObject({ subtotal: 60, items: [{ unit_price: 20 }] });
  expect(read.warnings).toMatchObject([{ code: 'price_changed', item_id: null }]);
  expect((await placed(visitor, {}, own)).body.order).toMatchObject({ currency: 'USD', total_amount: 60 });
});

test('orders a cart once, in one of its currencies, while many callers change it', async () => {
  for (let round = 1; round <= 4; round++) {
    const visitor = await filled();
    const replies = await Promise.all([
      ...Array.from({ length: 12 }, (_, at) => change(visitor, at % 2 === 0 ? 'EUR' : 'USD').then(() => null)),
      ...Array.from({ length: 4 }, () => placed(visitor)),
    ]);
    const orders = replies.filter((reply): reply is Reply => reply?.status === 201).map(({ body }) => body.order);
    expect(orders, JSON.stringify(replies.map((reply) => reply?.text))).toHaveLength(1);
    const [order] = orders as [StoreOrder];
    for (let turn = 0; turn < 2; turn++) {
      const { body } = await shop.test('GET', `/v1/orders/${order.id}`);
      const { currency, total_amount, store_amounts } = body.order as StoreOrder;
      const shown = [currency, total_amount, store_amounts?.total_amount ?? null];
      expect([
        ['USD', 60, null],
        ['EUR', 54, 60],
      ]).toContainEqual(shown);
      // A change after the order is one of the next cart.
      cartOf(await change(visitor, currency === 'EUR' ? 'USD' : 'EUR'));
    }
  }
}, 120_000);

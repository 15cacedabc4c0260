// Prices of carts over HTTP: price lists, groups, promotions, gift cards, and the same total everywhere.

import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ShoppingCart } from '#proto/gen/cart.ts';
import { manualClock } from '#runtime/process/clock.ts';
import { usedBy } from '#test/services/pricing/promotion_use.ts';
import { eventually } from '#test/support/server.ts';
import { type Reply, type Stoa, startStoa } from '#test/support/stoa.ts';
import { add, cartOf, openStorefront, problemOf, readCart, type Storefront, type Visitor } from './storefront.ts';

const clock = manualClock(Date.now());
let stoa: Stoa;
let shop: Storefront;
beforeAll(async () => {
  stoa = await startStoa({ clock });
  shop = await openStorefront(stoa);
});
afterAll(() => stoa?.stop());

const must = async (reply: Promise<Reply>) => {
  const { status, body, text } = await reply;
  if (status >= 300) throw new Error(`${status} ${text}`);
  return body;
};
const at = (seconds: number): string => new Date(clock.real() + seconds * 1_000).toISOString();
const list = (body: object) => must(shop.secret('POST', '/v1/price-lists', { name: 'List', ...body }));
const promote = async (body: object, of = shop): Promise<{ id: string; code: string }> => {
  const code = `C${randomUUID().slice(0, 8).toUpperCase()}`;
  const given = { name: 'A promotion', type: 'percentage', value: 10, code, ...body };
  return (await must(of.secret('POST', '/v1/promotions', given))).promotion;
};
const enter = (visitor: Pick<Visitor, 'send'>, code: string, more: object = {}): Promise<Reply> =>
  visitor.send('POST', '/v1/cart/promotions', { code, ...more });
const rejections = ({ rejected_codes }: ShoppingCart): string[] => rejected_codes.map(({ code }) => code);
const warned = ({ warnings }: ShoppingCart): string[] => warnings.map(({ code }) => code);
const member = async (group: string) => {
  const customer = await shop.newCustomer();
  await must(shop.secret('PUT', `/v1/customers/${customer.id}/group`, { group }));
  return customer;
};

describe('a line’s price', () => {
  test('follows quantity tiers, without a warning for the shopper’s own change', async () => {
    const { variant_id } = await shop.createProduct({ price: 10, stock: 50 });
    await list({
      prices: [
        { variant_id, min_quantity: 3, price: 9 },
        { variant_id, min_quantity: 10, price: 7 },
      ],
    });
    const visitor = shop.visitor();
    const prices: [number, number, string[]][] = [];
    for (const quantity of [2, 1, 7]) {
      const cart = cartOf(await add(visitor, { variant_id, quantity }));
      prices.push([cart.items[0]!.unit_price, cart.total, warned(cart)]);
    }
    expect(prices).toEqual([
      [10, 20, []],
      [9, 27, []],
      [7, 70, []],
    ]);
    const item = (await readCart(visitor)).items[0]!;
    const fewer = cartOf(await visitor.send('PATCH', `/v1/cart/items/${item.id}`, { quantity: 2 }));
    expect(fewer).toMatchObject({ items: [{ unit_price: 10 }], total: 20, warnings: [] });
  });

  test('uses group prices only in a member’s own cart', async () => {
    const { variant_id } = await shop.createProduct({ price: 10 });
    await list({ customer_group: 'trade', prices: [{ variant_id, price: 7 }] });
    const [trade, other] = [await member('trade'), await shop.newCustomer()];
    const visitor = shop.visitor();
    expect(cartOf(await add(visitor, { variant_id })).total).toBe(10);
    expect(cartOf(await add(other, { variant_id, customer_id: other.id })).total).toBe(10);
    const own = await add(trade, { variant_id, customer_id: trade.id });
    expect(cartOf(own)).toMatchObject({ total: 7, warnings: [] });
    // A later member pays less from then on, with a warning.
    await must(shop.secret('PUT', `/v1/customers/${other.id}/group`, { group: 'trade' }));
    await eventually(async () => {
      const joined = await other.send('GET', `/v1/cart?customer_id=${other.id}`);
      expect(cartOf(joined)).toMatchObject({ total: 7, warnings: [{ code: 'price_changed' }] });
    });
    // An anonymous cart costs the same for each customer who reads it.
    const seen = await trade.send('GET', '/v1/cart', undefined, { 'X-Session-Id': visitor.session });
    expect(cartOf(seen).total).toBe(10);
  });

  test('warns of a price change until the line is written again', async () => {
    const { visitor, made, item } = await shop.withItem(2, { price: 10 });
    await list({ prices: [{ variant_id: made.variant_id, min_quantity: 2, price: 8 }] });
    expect(await readCart(visitor)).toMatchObject({
      items: [{ unit_price: 8, total: 16 }],
      total: 16,
      warnings: [
        { code: 'price_changed', item_id: item.id, message: 'The price of Trail shoe changed from 10.00 to 8.00 USD.' },
      ],
    });
    const again = await visitor.send('PATCH', `/v1/cart/items/${item.id}`, { quantity: 2 });
    expect(cartOf(again)).toMatchObject({ total: 16, warnings: [] });
  });

  test('allows variants priced by a list alone, from its quantity on', async () => {
    const { id, variant_id } = await shop.createProduct({ price: null });
    const visitor = shop.visitor();
    expect(problemOf(await add(visitor, { variant_id }))).toEqual([409, 'insufficient_stock', 'quantity']);
    await list({ prices: [{ variant_id, min_quantity: 2, price: 6 }] });
    expect(problemOf(await add(visitor, { product_id: id }))).toEqual([400, 'invalid_request', 'quantity']);
    expect(cartOf(await add(visitor, { product_id: id, quantity: 2 })).total).toBe(12);
  });

  test('goes away with its list: the line stays as it was and cannot be bought', async () => {
    const { variant_id } = await shop.createProduct({ price: null });
    const { price_list } = await list({ prices: [{ variant_id, min_quantity: 1, price: 6 }] });
    const visitor = shop.visitor();
    await add(visitor, { variant_id });
    await must(shop.secret('DELETE', `/v1/price-lists/${price_list.id}`));
    expect(await readCart(visitor)).toMatchObject({
      items: [{ unit_price: 6, in_stock: false }],
      total: 6,
      warnings: [{ code: 'out_of_stock' }],
    });
  });
});

describe('promotions', () => {
  test('apply without a code, and follow changes at once', async () => {
    const store = await openStorefront(stoa);
    const { visitor } = await store.withItem(2, { price: 10 });
    const { id } = await promote({ code: null, name: 'Tenth off' }, store);
    expect(await readCart(visitor)).toMatchObject({
      items: [{ subtotal: 20, discount: 2, total: 18 }],
      subtotal: 20,
      discount_total: 2,
      total: 18,
      amount_due: 18,
      applied_promotions: [{ promotion_id: id, code: null, title: 'Tenth off', amount: 2 }],
      warnings: [],
      version: 1,
    });
    await must(store.secret('PATCH', `/v1/promotions/${id}`, { status: 'paused' }));
    expect(await readCart(visitor)).toMatchObject({ discount_total: 0, total: 20, applied_promotions: [] });
  });

  test('apply while their code is in the cart', async () => {
    const { visitor } = await shop.withItem(2, { price: 10 });
    const { id, code } = await promote({ name: 'Spring', value: 25 });
    const applied = cartOf(await enter(visitor, code.toLowerCase()));
    expect(applied).toMatchObject({
      promotion_codes: [code],
      applied_promotions: [{ promotion_id: id, code, title: 'Spring', amount: 5 }],
      rejected_codes: [],
      items: [{ discount: 5, total: 15 }],
      discount_total: 5,
      total: 15,
      version: 2,
    });
    expect(await readCart(visitor)).toEqual(applied);
    const removed = cartOf(await visitor.send('DELETE', `/v1/cart/promotions/${code}`));
    expect(removed).toMatchObject({ promotion_codes: [], applied_promotions: [], total: 20 });
  });

  test('stay in the cart with the reason while they do not apply, and are checked at each answer', async () => {
    const { visitor, item } = await shop.withItem(2, { price: 10 });
    const { code } = await promote({ minimum_subtotal: 30 });
    const early = cartOf(await enter(visitor, code));
    expect(early).toMatchObject({ promotion_codes: [code], discount_total: 0, warnings: [] });
    expect(early.rejected_codes).toEqual([
      { code, reason: 'The basket is below the minimum amount of this promotion.' },
    ]);
    const more = cartOf(await visitor.send('PATCH', `/v1/cart/items/${item.id}`, { quantity: 3 }));
    expect(more).toMatchObject({ rejected_codes: [], discount_total: 3, total: 27 });
  });

  test.each<[string, object, RegExp]>([
    ['a draft', { status: 'draft' }, /No promotion has this code/],
    ['one that has not started', { starts_at: at(3_600) }, /not started/],
    ['one that is paused', { status: 'paused' }, /is paused/],
    ['one that is over', { status: 'ended' }, /ended/],
    ['one for another currency', { type: 'fixed_amount', value: 5, currency: 'EUR' }, /EUR/],
    [
      'one that needs more units',
      { type: 'buy_x_get_y', value: null, buy: { quantity: 5 }, get: { quantity: 1 } },
      /at least 6 eligible units/,
    ],
  ])('of %s is rejected', async (_, given, reason) => {
    const { visitor } = await shop.withItem(2);
    const { code } = await promote(given);
    const cart = cartOf(await enter(visitor, code));
    expect(cart).toMatchObject({ promotion_codes: [code], discount_total: 0, applied_promotions: [] });
    expect(cart.rejected_codes).toEqual([{ code, reason: expect.stringMatching(reason) }]);
  });

  test('reject unknown codes, and those of other stores and the sandbox', async () => {
    const { visitor } = await shop.withItem(1);
    const [outsider, theirs] = [await openStorefront(stoa), `T${randomUUID().slice(0, 6)}`.toUpperCase()];
    await promote({ code: theirs }, outsider);
    await must(shop.test('POST', '/v1/promotions', { name: 'Test', code: 'SANDBOX', type: 'percentage', value: 10 }));
    for (const code of ['UNKNOWN', theirs, 'SANDBOX']) await enter(visitor, code);
    const cart = await readCart(visitor);
    expect(cart).toMatchObject({ discount_total: 0, warnings: [] });
    const reason = 'No promotion has this code.';
    expect(cart.rejected_codes).toEqual(['UNKNOWN', theirs, 'SANDBOX'].map((code) => ({ code, reason })));
  });

  test('choose the larger saving of those that do not combine', async () => {
    const { visitor } = await shop.withItem(1, { price: 100 });
    const codes = await Promise.all(
      [
        { value: 10, stackable: true },
        { value: 5, type: 'fixed_amount', stackable: true },
        { value: 12, stackable: false },
        { value: 30, stackable: false },
      ].map(async (given) => (await promote(given)).code),
    );
    const [tenth, five, eighth, third] = codes as [string, string, string, string];
    for (const code of [tenth, five, eighth]) await enter(visitor, code);
    // 10 % of 100.00, then 5.00: together cheaper than 12 % alone.
    const together = await readCart(visitor);
    expect([together.total, rejections(together)]).toEqual([85, [eighth]]);
    const alone = cartOf(await enter(visitor, third));
    expect([alone.total, rejections(alone)]).toEqual([70, [tenth, five, eighth]]);
    expect(alone.applied_promotions).toMatchObject([{ code: third, amount: 30 }]);
  });

  test('show free shipping without a discount of lines', async () => {
    const { visitor } = await shop.withItem(1, { price: 10 });
    const { code } = await promote({ type: 'free_shipping', value: null });
    const cart = cartOf(await enter(visitor, code));
    expect(cart).toMatchObject({ total: 10, rejected_codes: [], applied_promotions: [{ code, amount: 0 }] });
  });

  test('discount all requested units, and no deleted variant', async () => {
    const { visitor, made } = await shop.withItem(4, { price: 10 });
    const other = await shop.createProduct({ name: 'Sock', price: 5 });
    await add(visitor, { variant_id: other.variant_id });
    await enter(visitor, (await promote({ value: 50 })).code);
    await must(shop.secret('POST', '/v1/inventory/adjustments', { variant_id: made.variant_id, on_hand: 2 }));
    expect(await readCart(visitor)).toMatchObject({
      items: [{ quantity: 4, subtotal: 40, discount: 20, in_stock: false }, { discount: 2.5 }],
      subtotal: 45,
      total: 22.5,
    });
    await must(shop.secret('DELETE', `/v1/products/${made.id}`));
    expect(await readCart(visitor)).toMatchObject({
      items: [
        { quantity: 4, subtotal: 40, discount: 0, total: 40, in_stock: false },
        { discount: 2.5, total: 2.5 },
      ],
      subtotal: 45,
      discount_total: 2.5,
      total: 42.5,
    });
  });

  test('end with a warning for a cart that has the code', async () => {
    const store = await openStorefront(stoa);
    const { visitor } = await store.withItem(1, { price: 10 });
    const { code } = await promote({ ends_at: at(60) }, store);
    expect(cartOf(await enter(visitor, code))).toMatchObject({ total: 9, warnings: [] });
    clock.advance(60_000);
    const over = await readCart(visitor);
    expect(over).toMatchObject({ total: 10, promotion_codes: [code], rejected_codes: [{ code }] });
    expect(over.warnings).toEqual([
      { code: 'code_expired', item_id: null, message: `The promotion of the code ${code} is over.` },
    ]);
    expect(cartOf(await visitor.send('DELETE', `/v1/cart/promotions/${code}`)).warnings).toEqual([]);
  });

  test('obey limits in total and for each customer', async () => {
    const ada = await shop.newCustomer();
    const visitor = shop.visitor();
    const { variant_id } = await shop.createProduct({ price: 10 });
    await add(ada, { variant_id, customer_id: ada.id });
    await add(visitor, { variant_id });
    const once = await promote({ usage_limit_per_customer: 1 });
    const last = await promote({ usage_limit: 1, value: 20 });
    for (const { code } of [once, last]) {
      await enter(visitor, code);
      await enter(ada, code, { customer_id: ada.id });
    }
    const carts = async () =>
      [await readCart(visitor), cartOf(await ada.send('GET', `/v1/cart?customer_id=${ada.id}`))].map(rejections);
    expect(await carts()).toEqual([[once.code], [once.code]]);
    await usedBy(stoa, shop.keys.store_id, ada, [once.id, last.id]);
    expect(await carts()).toEqual([[last.code], [once.code, last.code]]);
  });

  test('wait for lines in an empty cart', async () => {
    const visitor = shop.visitor();
    const { code } = await promote({});
    const empty = cartOf(await enter(visitor, code));
    expect(empty).toMatchObject({ items: [], total: 0, version: 1, rejected_codes: [{ code }] });
    const { variant_id } = await shop.createProduct({ price: 10 });
    expect(cartOf(await add(visitor, { variant_id }))).toMatchObject({ total: 9, rejected_codes: [] });
  });
});

/** Random baskets, in the currency's smallest unit. */
const BASKET = fc.record({
  shoe: fc.integer({ min: 500, max: 40_000 }),
  sale: fc.integer({ min: 51, max: 100 }),
  sock: fc.integer({ min: 100, max: 5_000 }),
  shoes: fc.integer({ min: 1, max: 9 }),
  socks: fc.integer({ min: 1, max: 9 }),
});

describe('the same basket', () => {
  test.each([
    ['USD', false, 2],
    ['USD', true, 2],
    ['JPY', false, 0],
    ['KWD', true, 3],
  ] as const)(
    'costs the same in a cart, a query, a tax preview, an intent and an order: %s, tax included: %s',
    async (currency, tax_inclusive, decimals) => {
      const major = (units: number): number => Number((units / 10 ** decimals).toFixed(decimals));
      const store = await openStorefront(stoa, { store: { currency } });
      await must(store.secret('PATCH', '/v1/store', { tax_inclusive }));
      await promote({ code: null, value: 7.5, stackable: true }, store);
      const { code } = await promote({ type: 'fixed_amount', value: major(401), stackable: true }, store);
      for (const body of [
        { name: 'VAT', country: 'KE', rate: 0.16, applies_to_shipping: true },
        { name: 'Levy', country: 'KE', rate: 0.015, priority: 1, compound: true },
      ])
        await must(store.secret('POST', '/v1/tax-rates', body));
      const address = { first_name: 'A', last_name: 'B', line1: 'Street 1', city: 'Nairobi', country: 'KE' };
      const keys = { key: store.keys.secret_key, signWith: store.keys.hmac_secret };
      const near = (amount: number): unknown => expect.closeTo(amount, 6);
      const parts = ({ discount }: { discount: number }): number => discount;

      const known = { shoe: 1_999, sale: 87, sock: 333, shoes: 3, socks: 7 };
      for (const basket of [known, ...fc.sample(BASKET, { numRuns: 3, seed: 20_261_121 + decimals })]) {
        const { shoe: worn, sale, sock: units, shoes, socks } = basket;
        const sale_price = major(Math.ceil((worn * sale) / 100));
        const shoe = await store.createProduct({ stock: 50, price: major(worn), sale_price });
        const sock = await store.createProduct({ stock: 50, name: 'Sock', price: major(units) });
        const prices = [{ variant_id: sock.variant_id, min_quantity: 6, price: major(Math.ceil(units * 0.89)) }];
        await must(store.secret('POST', '/v1/price-lists', { name: 'Six', currency, prices }));
        const items = [
          { variant_id: shoe.variant_id, quantity: shoes },
          { variant_id: sock.variant_id, quantity: socks },
        ];
        const visitor = store.visitor();
        for (const item of items) await add(visitor, item);
        const cart = cartOf(await enter(visitor, code));
        const asked = { items, promotion_codes: [code] };
        const query = await must(store.publishable('POST', '/v1/pricing/query', asked));
        const preview = await must(
          store.publishable('POST', '/v1/tax/preview', { ...asked, address: { country: 'KE' } }),
        );
        const buyer = { email: 'a@example.com', shipping_address: address };
        const { data: intent } = await must(
          store.publishable('POST', '/v1/agent/checkout-intents', { ...asked, ...buyer, shipping_option_id: 'place' }),
        );
        const body = { cart: true, session_id: visitor.session, ...buyer };
        const { order } = await must(stoa.send('POST', '/v1/orders', { ...keys, body }));

        const { subtotal, discount_total, total, applied_promotions } = cart;
        expect(total).toBeLessThan(subtotal);
        expect(query).toMatchObject({ currency, subtotal, discount_total, total, applied_promotions });
        expect(order).toMatchObject({ currency, subtotal, discount_total, applied_promotions });
        expect(preview).toMatchObject({
          currency,
          tax_inclusive,
          taxable_amount: near(tax_inclusive ? total - preview.tax_amount : total),
          shipping_tax: 0,
        });
        expect(preview.tax_amount).toBeGreaterThan(0);
        expect(order).toMatchObject({
          tax_total: preview.tax_amount,
          total_amount: near(tax_inclusive ? total : total + preview.tax_amount),
        });
        expect(intent).toMatchObject({ currency, tax_total: order.tax_total, grand_total: order.total_amount });
        for (const lines of [query.lines, order.items]) expect(lines.map(parts)).toEqual(cart.items.map(parts));
        expect(await readCart(visitor)).toMatchObject({
          status: 'converted',
          items: [],
          promotion_codes: [],
          total: 0,
        });
      }
    },
  );
});

test('a merge is priced for its customer', async () => {
  const { variant_id } = await shop.createProduct({ price: 10 });
  await list({ customer_group: 'club', prices: [{ variant_id, price: 7 }] });
  const visitor = shop.visitor();
  await add(visitor, { variant_id, quantity: 2 });
  const club = await member('club');
  const merged = await club.send('POST', '/v1/cart/merge', { session_id: visitor.session, customer_id: club.id });
  expect(cartOf(merged)).toMatchObject({ total: 14, warnings: [{ code: 'price_changed' }] });
});

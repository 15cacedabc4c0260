// Tests pricing over HTTP: price lists, groups, promotions with conditions, each visible immediately after a change.

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { manualClock } from '#runtime/process/clock.ts';
import { openStorefront, type Storefront, type Visitor } from '#test/services/cart/storefront.ts';
import { usedBy } from '#test/services/pricing/promotion_use.ts';
import { eventually } from '#test/support/server.ts';
import { type Reply, type Stoa, startStoa } from '#test/support/stoa.ts';

const clock = manualClock(Date.now());
let stoa: Stoa;
beforeAll(async () => {
  stoa = await startStoa({ clock });
});
afterAll(() => stoa?.stop());

type Send = Visitor['send'];

const UNKNOWN_ID = '00000000-0000-4000-8000-000000000000';
const at = (seconds: number): string => new Date(clock.real() + seconds * 1_000).toISOString();

const shopOf = (store: object = {}): Promise<Storefront> => openStorefront(stoa, { store });
const must = async (reply: Promise<Reply>) => {
  const { status, body, text } = await reply;
  if (status >= 300) throw new Error(`${status} ${text}`);
  return body;
};
const promote = async (shop: Storefront, body: object) =>
  (await must(shop.secret('POST', '/v1/promotions', { name: 'Promotion', ...body }))).promotion;
const list = async (shop: Storefront, body: object) =>
  (await must(shop.secret('POST', '/v1/price-lists', { name: 'List', ...body }))).price_list;
const query = (shop: Storefront, body: object): Promise<Reply> => shop.publishable('POST', '/v1/pricing/query', body);

describe('a pricing query', () => {
  test('prices the documented example with its trace', async () => {
    const shop = await shopOf();
    const { variant_id } = await shop.createProduct({ price: 10, sale_price: 9 });
    const { id } = await list(shop, { prices: [{ variant_id, min_quantity: 12, price: 8 }] });
    const promotion = await promote(shop, { name: 'Six off', type: 'fixed_amount', value: 6 });
    const { body } = await query(shop, { items: [{ variant_id, quantity: 12 }] });
    expect(body).toEqual({
      currency: 'USD',
      lines: [
        {
          variant_id,
          quantity: 12,
          price: 10,
          sale_price: 9,
          unit_price: 8,
          subtotal: 96,
          discount: 6,
          total: 90,
          price_list_id: id,
          trace: [
            { step: 'base', amount: 10 },
            { step: 'sale', amount: 9 },
            { step: 'price_list', amount: 8 },
          ],
        },
      ],
      subtotal: 96,
      discount_total: 6,
      total: 90,
      applied_promotions: [{ promotion_id: promotion.id, code: null, title: 'Six off', amount: 6 }],
      rejected_codes: [],
    });
  });

  test('traces only the steps that lowered the price', async () => {
    const shop = await shopOf();
    const { variant_id } = await shop.createProduct({ price: 10, sale_price: 11 });
    await list(shop, { prices: [{ variant_id, price: 10 }] });
    const { body } = await query(shop, { items: [{ variant_id: variant_id!.toUpperCase(), quantity: 1 }] });
    expect(body.lines[0]).toMatchObject({ variant_id, sale_price: 11, unit_price: 10, price_list_id: null });
    expect(body.lines[0].trace).toEqual([{ step: 'base', amount: 10 }]);
  });

  test('uses price lists only when the currency is not the store’s', async () => {
    const shop = await shopOf();
    const [shoe, sock] = [await shop.createProduct(), await shop.createProduct()];
    const { id } = await list(shop, { currency: 'JPY', prices: [{ variant_id: shoe.variant_id, price: 1_500 }] });
    const ask = (variant_id: unknown) => query(shop, { currency: 'jpy', items: [{ variant_id, quantity: 2 }] });
    const { body } = await ask(shoe.variant_id);
    expect(body).toMatchObject({ currency: 'JPY', total: 3_000 });
    expect(body.lines[0]).toMatchObject({ price: null, sale_price: null, unit_price: 1_500, price_list_id: id });
    expect(body.lines[0].trace).toEqual([{ step: 'price_list', amount: 1_500 }]);
    const { status, body: refused } = await ask(sock.variant_id);
    expect([status, refused.error.param]).toEqual([400, 'items[0].variant_id']);
  });

  test.each<[object, number, string]>([
    [{ items: [] }, 400, 'items'],
    [{}, 400, 'items'],
    [{ items: Array.from({ length: 501 }, () => ({ variant_id: UNKNOWN_ID, quantity: 1 })) }, 400, 'items'],
    [{ items: [{ variant_id: 'x', quantity: 1 }] }, 400, 'items[0].variant_id'],
    [{ items: [{ quantity: 1 }] }, 400, 'items[0].variant_id'],
    [{ items: [{ variant_id: UNKNOWN_ID }] }, 400, 'items[0].quantity'],
    [{ items: [{ variant_id: UNKNOWN_ID, quantity: 0 }] }, 400, 'items[0].quantity'],
    [{ items: [{ variant_id: UNKNOWN_ID, quantity: -1 }] }, 400, 'items[0].quantity'],
    [{ items: [{ variant_id: UNKNOWN_ID, quantity: 1.5 }] }, 400, 'items[0].quantity'],
    [{ items: [{ variant_id: UNKNOWN_ID, quantity: '1' }] }, 400, 'items[0].quantity'],
    [{ items: [{ variant_id: UNKNOWN_ID, quantity: 1_000_001 }] }, 400, 'items[0].quantity'],
    [{ items: [{ variant_id: UNKNOWN_ID, quantity: 1 }] }, 404, 'items[0].variant_id'],
    [{ items: [{ variant_id: UNKNOWN_ID, quantity: 1 }], currency: 'XXX' }, 400, 'currency'],
    [{ items: [{ variant_id: UNKNOWN_ID, quantity: 1 }], currency: 'dollar' }, 400, 'currency'],
    [{ items: [{ variant_id: UNKNOWN_ID, quantity: 1 }], customer_group: '' }, 400, 'customer_group'],
    [{ items: [{ variant_id: UNKNOWN_ID, quantity: 1 }], promotion_codes: 'A' }, 400, 'promotion_codes'],
    [{ items: [{ variant_id: UNKNOWN_ID, quantity: 1 }], promotion_codes: [''] }, 400, 'promotion_codes[0]'],
    [
      { items: [{ variant_id: UNKNOWN_ID, quantity: 1 }], promotion_codes: Array(21).fill('A') },
      400,
      'promotion_codes',
    ],
  ])('of %j is refused: %d at %s', async (body, status, param) => {
    const shop = await shopOf();
    const reply = await query(shop, body);
    expect([reply.status, reply.body.error.param]).toEqual([status, param]);
  });

  test('refuses foreign, unpublished and unpriced variants and amounts beyond the limit', async () => {
    const [shop, other] = [await shopOf(), await shopOf()];
    const theirs = await other.createProduct();
    const draft = await shop.createProduct({ is_active: false });
    const free = await shop.createProduct({ price: null });
    const dear = await shop.createProduct({ price: 99_999_999.99 });
    const ask = async (variant_id: unknown, quantity = 1, send = shop.publishable) => {
      const { status, body } = await send('POST', '/v1/pricing/query', { items: [{ variant_id, quantity }] });
      return [status, body.error?.param];
    };
    expect(await ask(theirs.variant_id)).toEqual([404, 'items[0].variant_id']);
    expect(await ask(draft.variant_id)).toEqual([404, 'items[0].variant_id']);
    expect(await ask(draft.variant_id, 1, shop.secret)).toEqual([200, undefined]);
    expect(await ask(free.variant_id)).toEqual([400, 'items[0].variant_id']);
    expect(await ask(dear.variant_id, 1_000_000)).toEqual([400, 'items']);
    expect(await ask(dear.variant_id, 10_000)).toEqual([200, undefined]);
  });

  test('applies a changed price, list, promotion, collection or category at once', async () => {
    const shop = await shopOf();
    const product = await shop.createProduct({ price: 10 });
    const { variant_id } = product;
    const ask = async () => (await must(query(shop, { items: [{ variant_id, quantity: 1 }] }))).total;
    expect(await ask()).toBe(10);
    await must(shop.secret('PATCH', `/v1/products/${product.id}`, { price: 20 }));
    expect(await ask()).toBe(20);
    const { id: listId } = await list(shop, { prices: [{ variant_id, price: 15 }] });
    expect(await ask()).toBe(15);
    await must(shop.secret('PATCH', `/v1/price-lists/${listId}`, { prices: [{ variant_id, price: 12 }] }));
    expect(await ask()).toBe(12);
    await must(shop.secret('DELETE', `/v1/price-lists/${listId}`));
    expect(await ask()).toBe(20);
    const { collection } = await must(shop.secret('POST', '/v1/product-collections', { name: 'Summer' }));
    const summer = { collection_ids: [collection.id] };
    const promotion = await promote(shop, { type: 'percentage', value: 10, applies_to: summer });
    expect(await ask()).toBe(20);
    await must(shop.secret('PUT', `/v1/product-collections/${collection.id}/products`, { product_ids: [product.id] }));
    expect(await ask()).toBe(18);
    const { category } = await must(shop.secret('POST', '/v1/categories', { name: 'Shoes' }));
    const shoes = { category_ids: [category.id] };
    await must(shop.secret('PATCH', `/v1/promotions/${promotion.id}`, { applies_to: shoes }));
    expect(await ask()).toBe(20);
    await must(shop.secret('PATCH', `/v1/products/${product.id}`, { category_id: category.id }));
    expect(await ask()).toBe(18);
    await must(shop.secret('PATCH', `/v1/promotions/${promotion.id}`, { status: 'paused' }));
    expect(await ask()).toBe(20);
  });

  test('follows the clock without a notice', async () => {
    const shop = await shopOf();
    const { variant_id } = await shop.createProduct({ price: 10 });
    await list(shop, { starts_at: at(60), ends_at: at(120), prices: [{ variant_id, price: 5 }] });
    await promote(shop, { starts_at: at(90), ends_at: at(120), type: 'percentage', value: 10 });
    const ask = async () => (await must(query(shop, { items: [{ variant_id, quantity: 1 }] }))).total;
    expect(await ask()).toBe(10);
    clock.advance(60_000);
    expect(await ask()).toBe(5);
    clock.advance(30_000);
    expect(await ask()).toBe(4.5);
    clock.advance(30_000);
    expect(await ask()).toBe(10);
  });
});

describe('an invalid number', () => {
  const item = `{"variant_id":"${UNKNOWN_ID}","quantity":1}`;
  // Sends raw text: NaN and Infinity are not JSON, yet the refusal names their field.
  test.each<[string, string, string]>([
    ['/v1/pricing/query', `{"items":[{"variant_id":"${UNKNOWN_ID}","quantity":NaN}]}`, 'items[0].quantity'],
    ['/v1/pricing/query', `{"items":[{"variant_id":"${UNKNOWN_ID}","quantity":1e999}]}`, 'items[0].quantity'],
    ['/v1/pricing/query', `{"items":[{"variant_id":"${UNKNOWN_ID}","quantity":null}]}`, 'items[0].quantity'],
    ['/v1/tax/preview', `{"items":[${item}],"address":{"country":"KE"},"shipping_fee":NaN}`, 'shipping_fee'],
    ['/v1/tax/preview', `{"items":[${item}],"address":{"country":"KE"},"shipping_fee":1e999}`, 'shipping_fee'],
    ['/v1/tax/preview', `{"items":[${item}],"address":{"country":"KE"},"shipping_fee":-0.01}`, 'shipping_fee'],
    ['/v1/promotions', '{"name":"P","type":"percentage","value":NaN}', 'value'],
    ['/v1/promotions', '{"name":"P","type":"percentage","value":1e999}', 'value'],
    ['/v1/promotions', '{"name":"P","type":"fixed_amount","value":-1e999}', 'value'],
    ['/v1/promotions', '{"name":"P","type":"percentage","value":1e-7}', 'value'],
    ['/v1/tax-rates', '{"name":"VAT","country":"KE","rate":Infinity}', 'rate'],
    ['/v1/tax-rates', '{"name":"VAT","country":"KE","rate":1e999}', 'rate'],
    ['/v1/tax-rates', '{"name":"VAT","country":"KE","rate":1e-9}', 'rate'],
    ['/v1/price-lists', `{"name":"L","prices":[{"variant_id":"${UNKNOWN_ID}","price":-1}]}`, 'prices[0].price'],
    ['/v1/price-lists', `{"name":"L","prices":[{"variant_id":"${UNKNOWN_ID}","price":1e999}]}`, 'prices[0].price'],
    ['/v1/price-lists', `{"name":"L","prices":[{"variant_id":"${UNKNOWN_ID}","price":NaN}]}`, 'prices[0].price'],
    ['/v1/price-lists', `{"name":"L","prices":[{"variant_id":"${UNKNOWN_ID}","price":1}]}`, 'prices[0].variant_id'],
  ])('at %s as %s is refused at %s', async (path, body, param) => {
    const shop = await shopOf();
    const reply = await fetch(`${stoa.url}${path}`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${shop.keys.secret_key}`, 'Content-Type': 'application/json' },
      body,
    });
    const { error } = (await reply.json()) as { error: { code: string; param?: string } };
    const unknown = param === 'prices[0].variant_id';
    expect([reply.status, error.code, error.param]).toEqual(
      unknown ? [404, 'not_found', param] : [400, 'invalid_request', param],
    );
  });
});

describe('a group’s prices', () => {
  test('apply for a secret key that names the group, never for a publishable key', async () => {
    const shop = await shopOf();
    const { variant_id } = await shop.createProduct({ price: 10 });
    await list(shop, { customer_group: 'trade', prices: [{ variant_id, price: 7 }] });
    const ask = async (send: Send, body: object = { customer_group: 'trade' }) =>
      (await must(send('POST', '/v1/pricing/query', { items: [{ variant_id, quantity: 1 }], ...body }))).total;
    expect(await ask(shop.secret)).toBe(7);
    expect(await ask(shop.secret, {})).toBe(10);
    expect(await ask(shop.secret, { customer_group: ' TRADE' })).toBe(7);
    expect(await ask(shop.secret, { customer_group: 'staff' })).toBe(10);
    expect(await ask(shop.publishable)).toBe(10);
    const shopper = await shop.newCustomer();
    expect(await ask(shopper.send)).toBe(10);
  });

  test('apply to a customer by session or id', async () => {
    const shop = await shopOf();
    const { variant_id } = await shop.createProduct({ price: 10 });
    // Groups match regardless of letter case.
    await list(shop, { customer_group: ' VIP', prices: [{ variant_id, price: 7 }] });
    const [member, other] = [await shop.newCustomer(), await shop.newCustomer()];
    await must(shop.secret('PUT', `/v1/customers/${member.id}/group`, { group: 'vip ' }));
    const body = { items: [{ variant_id, quantity: 1 }] };
    const named = { ...body, customer_id: member.id };
    const ask = async (send: Send, asked: object) => {
      const { status, body: answer } = await send('POST', '/v1/pricing/query', asked);
      return answer.total ?? [status, answer.error.param];
    };
    expect(await ask(member.send, body)).toBe(7);
    expect(await ask(member.send, named)).toBe(7);
    expect(await ask(other.send, body)).toBe(10);
    expect(await ask(shop.secret, named)).toBe(7);
    expect(await ask(other.send, named)).toEqual([403, undefined]);
    expect(await ask(shop.publishable, named)).toEqual([401, undefined]);
    expect(await ask(shop.secret, { ...body, customer_id: UNKNOWN_ID })).toEqual([404, 'customer_id']);
    const outsider = await (await shopOf()).newCustomer();
    expect(await ask(shop.secret, { ...body, customer_id: outsider.id })).toEqual([404, 'customer_id']);
  });
});

describe('a customer’s group', () => {
  test('applies to prices immediately after it is set', async () => {
    const shop = await shopOf();
    const { variant_id } = await shop.createProduct({ price: 10 });
    await list(shop, { customer_group: 'trade', prices: [{ variant_id, price: 7 }] });
    const { id, send } = await shop.newCustomer();
    const ask = async () =>
      (await must(send('POST', '/v1/pricing/query', { items: [{ variant_id, quantity: 1 }] }))).total;
    expect(await ask()).toBe(10);
    await must(shop.secret('PUT', `/v1/customers/${id}/group`, { group: 'trade' }));
    await eventually(async () => expect(await ask()).toBe(7));
  });
});

describe('every type of promotion under every condition', () => {
  const TYPES: readonly (readonly [string, object, number])[] = [
    ['percentage', { type: 'percentage', value: 10 }, 6],
    ['fixed_amount', { type: 'fixed_amount', value: 5 }, 5],
    ['buy_x_get_y', { type: 'buy_x_get_y', buy: { quantity: 2 }, get: { quantity: 1 } }, 20],
    ['free_shipping', { type: 'free_shipping' }, 0],
  ];

  test.each(TYPES)('%s', async (_type, terms, amount) => {
    const shop = await shopOf();
    const { category } = await must(shop.secret('POST', '/v1/categories', { name: 'Shoes' }));
    const product = await shop.createProduct({ price: 20, category_id: category.id });
    const chair = await shop.createProduct({ price: 20 });
    const items = [{ variant_id: product.variant_id, quantity: 3 }];
    /** Whether a promotion with these conditions applies, without and with a code. */
    const applies = async (conditions: object, ask: object = {}): Promise<boolean> => {
      const promotion = await promote(shop, { ...terms, code: 'CODE', ...conditions });
      const without = await must(query(shop, { items, ...ask }));
      expect(without.applied_promotions).toEqual([]);
      const body = await must(query(shop, { items, promotion_codes: ['code'], ...ask }));
      const applied = [{ promotion_id: promotion.id, code: 'CODE', title: 'Promotion', amount }];
      const found = body.applied_promotions.length > 0;
      expect(body.applied_promotions).toEqual(found ? applied : []);
      expect(body.rejected_codes).toEqual(found ? [] : [{ code: 'code', reason: expect.stringMatching(/\.$/) }]);
      expect(body.total).toBe(body.subtotal - (found ? amount : 0));
      const { status } = promotion;
      if (status !== 'ended') {
        await must(shop.secret('PATCH', `/v1/promotions/${promotion.id}`, { code: null }));
        const alone = await must(query(shop, { items, ...ask }));
        expect(alone.applied_promotions.length > 0).toBe(found);
        if (status === 'active' || status === 'paused') {
          await must(shop.secret('PATCH', `/v1/promotions/${promotion.id}`, { status: 'ended' }));
        } else if (status === 'scheduled') {
          await must(shop.secret('PATCH', `/v1/promotions/${promotion.id}`, { status: 'active' }));
          await must(shop.secret('PATCH', `/v1/promotions/${promotion.id}`, { status: 'ended' }));
        }
      }
      return found;
    };
    expect(await applies({})).toBe(true);
    expect(await applies({ minimum_subtotal: 60 })).toBe(true);
    expect(await applies({ minimum_subtotal: 60.01 })).toBe(false);
    expect(await applies({ applies_to: { product_ids: [product.id] } })).toBe(true);
    expect(await applies({ applies_to: { product_ids: [chair.id] } })).toBe(false);
    expect(await applies({ applies_to: { category_ids: [category.id] } })).toBe(true);
    expect(await applies({ minimum_subtotal: 1, currency: 'EUR' })).toBe(false);
    expect(await applies({ starts_at: at(60) })).toBe(false);
    expect(await applies({ status: 'paused' })).toBe(false);
    expect(await applies({ status: 'ended' })).toBe(false);
    expect(await applies({ status: 'draft' })).toBe(false);
    expect(await applies({ usage_limit: 1 })).toBe(true);
  });

  test('reads current uses of a promotion with a limit', async () => {
    const shop = await shopOf();
    const { variant_id } = await shop.createProduct({ price: 10 });
    const customer = await shop.newCustomer();
    const once = await promote(shop, { code: 'ONCE', type: 'percentage', value: 10, usage_limit_per_customer: 1 });
    const last = await promote(shop, { code: 'LAST', type: 'percentage', value: 20, usage_limit: 1 });
    const body = { items: [{ variant_id, quantity: 1 }], promotion_codes: ['ONCE', 'LAST'] };
    const ask = async (send: Send, given: object = {}) => {
      const { applied_promotions, rejected_codes } = await must(
        send('POST', '/v1/pricing/query', { ...body, ...given }),
      );
      return [applied_promotions, rejected_codes].map((all) => all.map(({ code }: { code: string }) => code));
    };
    expect(await ask(shop.publishable)).toEqual([['LAST'], ['ONCE']]);
    await usedBy(stoa, shop.keys.store_id, customer, [once.id, last.id]);
    expect(await ask(shop.publishable)).toEqual([['ONCE'], ['LAST']]);
    expect(await ask(customer.send)).toEqual([[], ['ONCE', 'LAST']]);
    expect(await ask(shop.secret, { customer_id: customer.id })).toEqual([[], ['ONCE', 'LAST']]);
  });
});

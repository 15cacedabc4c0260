// Carts over HTTP: owners, items and answers.
import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import { type Stoa, sharedStoa } from '#test/support/stoa.ts';
import { add, cartOf, held, openStorefront, problemOf, readCart, type Storefront } from './storefront.ts';

let stoa: Stoa;
let shop: Storefront;
beforeAll(async () => {
  stoa = await sharedStoa();
  shop = await openStorefront(stoa);
});

const UNKNOWN_ID = '00000000-0000-4000-8000-000000000000';

describe('the owner of a cart', () => {
  // Every endpoint with a valid body.
  const endpoints: readonly (readonly [string, string, object | null])[] = [
    ['GET', '/v1/cart', null],
    ['DELETE', '/v1/cart', null],
    ['PATCH', '/v1/cart', { currency: 'USD' }],
    ['POST', '/v1/cart/items', { variant_id: UNKNOWN_ID, quantity: 1 }],
    ['PATCH', `/v1/cart/items/${UNKNOWN_ID}`, { quantity: 1 }],
    ['DELETE', `/v1/cart/items/${UNKNOWN_ID}`, null],
    ['POST', '/v1/cart/promotions', { code: 'SPRING' }],
    ['DELETE', '/v1/cart/promotions/SPRING', null],
    ['POST', '/v1/cart/gift-cards', { code: 'ABCD-EFGH-IJKL-MNOP' }],
    ['DELETE', '/v1/cart/gift-cards/ABCD-EFGH-IJKL-MNOP', null],
  ];

  test.each(endpoints)('%s %s needs a session id or a customer', async (method, path, given) => {
    const body = given ?? undefined;
    expect(problemOf(await shop.unnamed(method, path, body))).toEqual([400, 'invalid_request', 'X-Session-Id']);
    const tooLong = await shop.visitor('x'.repeat(129)).send(method, path, body);
    expect(problemOf(tooLong)).toEqual([400, 'invalid_request', 'X-Session-Id']);
  });

  test.each(endpoints)('%s %s of a customer needs that customer’s session', async (method, path, given) => {
    const body = given ?? undefined;
    const [ada, ben] = [await shop.newCustomer(), await shop.newCustomer()];
    const of = (id: string) => `${path}?customer_id=${id}`;
    expect(problemOf(await shop.visitor().send(method, of(ada.id), body))).toEqual([401, 'unauthorized', undefined]);
    expect(problemOf(await ben.send(method, of(ada.id), body))).toEqual([403, 'forbidden', undefined]);
    const inBody = { ...body, customer_id: ada.id };
    if (body) {
      expect(problemOf(await shop.visitor().send(method, path, inBody))).toEqual([401, 'unauthorized', undefined]);
      expect(problemOf(await ben.send(method, path, inBody))).toEqual([403, 'forbidden', undefined]);
    }
    expect([401, 403]).not.toContain((await ada.send(method, of(ada.id), body)).status);
  });

  test('a customer’s is named in the body or in the query, and takes precedence over the session', async () => {
    const { variant_id } = await shop.createProduct();
    const ada = await shop.newCustomer();
    const visitor = shop.visitor();
    const both = { 'X-Session-Id': visitor.session };
    const inBody = await ada.send('POST', '/v1/cart/items', { variant_id, quantity: 1, customer_id: ada.id }, both);
    expect(cartOf(inBody)).toMatchObject({ customer_id: ada.id, session_id: null });
    const inQuery = await ada.send('POST', `/v1/cart/items?customer_id=${ada.id.toUpperCase()}`, { variant_id }, both);
    expect(cartOf(inQuery)).toMatchObject({ customer_id: ada.id, item_count: 2, version: 2 });
    expect(await readCart(visitor)).toMatchObject({ session_id: visitor.session, items: [] });
    // A session of the customer's alone names no cart.
    expect(problemOf(await ada.send('GET', '/v1/cart'))).toEqual([400, 'invalid_request', 'X-Session-Id']);
    // `customer_id: null` names no customer.
    const anonymous = await visitor.send('POST', '/v1/cart/items', { variant_id, customer_id: null });
    expect(cartOf(anonymous)).toMatchObject({ session_id: visitor.session, customer_id: null, item_count: 1 });
  });

  test('an anonymous cart is the session’s, whatever else the caller is', async () => {
    const { visitor, cart } = await shop.withItem();
    const ada = await shop.newCustomer();
    const asAda = await ada.send('GET', '/v1/cart', undefined, { 'X-Session-Id': visitor.session });
    expect(cartOf(asAda).id).toBe(cart.id);
  });

  test('carts of other sessions, environments and stores are others', async () => {
    const { visitor, cart } = await shop.withItem();
    const outsider = await openStorefront(stoa);
    const carts = [
      await readCart(shop.visitor()),
      await readCart(outsider.visitor(visitor.session)),
      cartOf(await shop.test('GET', '/v1/cart', undefined, { headers: { 'X-Session-Id': visitor.session } })),
    ];
    for (const other of carts) expect(other).toMatchObject({ items: [], version: 0 });
    expect(new Set([cart.id, ...carts.map(({ id }) => id)]).size).toBe(4);
    const secret = await shop.secret('GET', '/v1/cart', undefined, { headers: { 'X-Session-Id': visitor.session } });
    expect(cartOf(secret)).toEqual(await readCart(visitor));
  });
});

describe('reading', () => {
  test('an empty cart writes nothing, and its id stays', async () => {
    const visitor = shop.visitor();
    const { variant_id } = await shop.createProduct();
    const empty = await readCart(visitor);
    expect(empty).toMatchObject({ status: 'active', currency: 'USD', version: 0, created_at: null, total: 0 });
    expect(cartOf(await visitor.send('DELETE', '/v1/cart'))).toEqual(empty);
    expect(cartOf(await add(visitor, { variant_id })).id).toBe(empty.id);
  });

  test('answers privately, with a tag and a field filter', async () => {
    const { visitor, cart } = await shop.withItem();
    const first = await visitor.send('GET', '/v1/cart');
    expect(first.headers.get('cache-control')).toBe('private, no-store');
    const etag = first.headers.get('etag') as string;
    const again = await visitor.send('GET', '/v1/cart', undefined, { 'If-None-Match': etag });
    expect([again.status, again.text]).toEqual([304, '']);
    await visitor.send('POST', '/v1/cart/promotions', { code: 'X' });
    expect((await visitor.send('GET', '/v1/cart', undefined, { 'If-None-Match': etag })).status).toBe(200);
    const named = await visitor.send('GET', '/v1/cart?fields=id,items.quantity');
    expect(named.body).toEqual({ cart: { id: cart.id, items: [{ quantity: 2 }] } });
    expect(problemOf(await visitor.send('GET', '/v1/cart?fields=nonsense'))).toEqual([
      400,
      'invalid_request',
      'fields',
    ]);
  });
});

describe('adding', () => {
  test('puts a variant in, and more of it into the same line', async () => {
    const { visitor, made, cart } = await shop.withItem(2, { price: 19.99, sale_price: 14.99, sku: 'SHOE' });
    expect(cart).toMatchObject({
      session_id: visitor.session,
      customer_id: null,
      currency: 'USD',
      status: 'active',
      item_count: 2,
      subtotal: 29.98,
      total: 29.98,
      amount_due: 29.98,
      warnings: [],
      version: 1,
    });
    expect(cart.items).toEqual([
      {
        id: expect.any(String),
        product_id: made.id,
        variant_id: made.variant_id,
        name: 'Trail shoe',
        variant_name: null,
        sku: 'SHOE',
        thumbnail_url: null,
        quantity: 2,
        unit_price: 14.99,
        subtotal: 29.98,
        discount: 0,
        total: 29.98,
        in_stock: true,
      },
    ]);
    const more = cartOf(await add(visitor, { variant_id: made.variant_id?.toUpperCase(), quantity: 3 }));
    expect(more).toMatchObject({ id: cart.id, item_count: 5, version: 2, created_at: cart.created_at });
    expect(more.items).toMatchObject([{ id: cart.items[0]?.id, quantity: 5 }]);
    expect(await readCart(visitor)).toEqual(more);
  });

  test('takes one piece unless told', async () => {
    const { variant_id } = await shop.createProduct();
    expect(cartOf(await add(shop.visitor(), { variant_id }))).toMatchObject({ item_count: 1 });
  });

  test('adds the default variant for a product id', async () => {
    const variants = [
      { variant_name: 'S', price: 10, stock: 1 },
      { variant_name: 'M', price: 12, stock: 3, is_default: true },
    ];
    const many = await shop.createProduct({ name: 'Shirt', price: undefined, stock: undefined, variants });
    const one = await shop.createProduct();
    const visitor = shop.visitor();
    await add(visitor, { product_id: one.id, quantity: 1 });
    const cart = cartOf(await add(visitor, { product_id: many.id, quantity: 3 }));
    expect(cart.items).toMatchObject([
      { product_id: one.id, variant_id: one.variant_id },
      { product_id: many.id, variant_name: 'M', unit_price: 12, quantity: 3 },
    ]);
    const [small] = many.variants ?? [];
    expect(cartOf(await add(visitor, { variant_id: small?.variant_id, product_id: many.id })).items).toHaveLength(3);
    const other = await add(visitor, { variant_id: small?.variant_id, product_id: one.id });
    expect(problemOf(other)).toEqual([400, 'invalid_request', 'product_id']);
  });

  test.each([
    [{ quantity: 1 }, 'variant_id'],
    [{ variant_id: 'x', quantity: 1 }, 'variant_id'],
    [{ variant_id: UNKNOWN_ID, quantity: 0 }, 'quantity'],
    [{ variant_id: UNKNOWN_ID, quantity: -1 }, 'quantity'],
    [{ variant_id: UNKNOWN_ID, quantity: 1.5 }, 'quantity'],
    [{ variant_id: UNKNOWN_ID, quantity: '1' }, 'quantity'],
    [{ variant_id: UNKNOWN_ID, quantity: 1_000_001 }, 'quantity'],
    [{ variant_id: UNKNOWN_ID, customer_id: 'x' }, 'customer_id'],
  ])('%j is a bad request', async (body, param) => {
    const visitor = shop.visitor();
    // A body that names a customer needs that customer's session.
    const expected = param === 'customer_id' ? [401, 'unauthorized', undefined] : [400, 'invalid_request', param];
    expect(problemOf(await add(visitor, body))).toEqual(expected);
    expect((await readCart(visitor)).version).toBe(0);
  });

  test('answers not_found for unknown, unpublished or other stores’ variants', async () => {
    const hidden = await shop.createProduct({ is_active: false });
    const foreign = await (await openStorefront(stoa)).createProduct();
    const visitor = shop.visitor();
    for (const body of [
      { variant_id: UNKNOWN_ID },
      { variant_id: hidden.variant_id },
      { variant_id: foreign.variant_id },
      { product_id: UNKNOWN_ID },
      { product_id: hidden.id },
      { product_id: foreign.id },
    ]) {
      expect(problemOf(await add(visitor, body))).toEqual([404, 'not_found', Object.keys(body)[0]]);
    }
    expect((await readCart(visitor)).version).toBe(0);
  });

  test('more than can be bought is refused, and the cart stays as it was', async () => {
    const { visitor, made, cart } = await shop.withItem(4);
    expect(problemOf(await add(visitor, { variant_id: made.variant_id, quantity: 2 }))).toEqual([
      409,
      'insufficient_stock',
      'quantity',
    ]);
    expect(await readCart(visitor)).toEqual(cart);
    const sold = await shop.createProduct({ stock: 0 });
    expect(problemOf(await add(visitor, { variant_id: sold.variant_id }))).toEqual([
      409,
      'insufficient_stock',
      'quantity',
    ]);
  });

  test('a product is there as soon as its creation was answered, and its price as soon as it was changed', async () => {
    const visitor = shop.visitor();
    for (let n = 0; n < 5; n++) {
      const { id, variant_id } = await shop.createProduct({ price: 1 });
      await shop.secret('PATCH', `/v1/products/${id}`, { price: 3 + n });
      expect(cartOf(await add(visitor, { variant_id })).items[n]).toMatchObject({ unit_price: 3 + n });
    }
  });

  test('edits that meet are all counted', async () => {
    const visitor = shop.visitor();
    const made = await Promise.all([1, 2, 3, 4].map(() => shop.createProduct({ stock: 1_000 })));
    const edits = Array.from({ length: 60 }, (_, n) =>
      add(visitor, { variant_id: made[n % 4]?.variant_id, quantity: 1 }),
    );
    const versions = (await Promise.all(edits)).map((reply) => cartOf(reply).version);
    expect(versions.sort((a, b) => a - b)).toEqual(Array.from({ length: 60 }, (_, n) => n + 1));
    const cart = await readCart(visitor);
    expect(cart.items.map(({ quantity }) => quantity)).toEqual([15, 15, 15, 15]);
    expect(cart).toMatchObject({ item_count: 60, version: 60 });
  });

  test('adds the last units to as many carts as there are units', async () => {
    const { variant_id } = await shop.createProduct({ stock: 7 });
    const visitor = shop.visitor();
    const replies = await Promise.all(Array.from({ length: 12 }, () => add(visitor, { variant_id, quantity: 1 })));
    const counts = [200, 409].map((status) => replies.filter((reply) => reply.status === status).length);
    expect(counts).toEqual([7, 5]);
    expect((await readCart(visitor)).item_count).toBe(7);
  });
});

describe('a cart', () => {
  test('holds no stock: two shoppers may mean to buy the same last pieces', async () => {
    const { visitor, made } = await shop.withItem(5);
    const other = shop.visitor();
    expect(cartOf(await add(other, { variant_id: made.variant_id, quantity: 5 }))).toMatchObject({ item_count: 5 });
    expect((await shop.publishable('GET', `/v1/products/${made.id}`)).body.stock).toBe(5);
    expect(await readCart(visitor)).toMatchObject({ items: [{ quantity: 5, in_stock: true }], warnings: [] });
  });

  test('refuses a secret key without the customer’s session', async () => {
    const ada = await shop.newCustomer();
    const reply = await shop.secret('GET', `/v1/cart?customer_id=${ada.id}`);
    expect(problemOf(reply)).toEqual([401, 'unauthorized', undefined]);
  });
});

describe('a retry under one key', () => {
  test('repeats the first answer, and counts once', async () => {
    const { variant_id } = await shop.createProduct();
    const visitor = shop.visitor();
    const key = { 'Idempotency-Key': randomUUID() };
    const first = await visitor.send('POST', '/v1/cart/items', { variant_id, quantity: 2 }, key);
    await visitor.send('POST', '/v1/cart/items', { variant_id, quantity: 1 });
    const again = await visitor.send('POST', '/v1/cart/items', { variant_id, quantity: 2 }, key);
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    expect(again.body).toEqual({ ...first.body, idempotent: true });
    expect((await readCart(visitor)).item_count).toBe(3);
    const other = await visitor.send('POST', '/v1/cart/items', { variant_id, quantity: 1 }, key);
    expect(problemOf(other)).toEqual([409, 'idempotency_conflict', undefined]);
  });

  test('treats two shoppers’ calls as two', async () => {
    const { variant_id } = await shop.createProduct();
    const key = { 'Idempotency-Key': randomUUID() };
    for (const visitor of [shop.visitor(), shop.visitor()]) {
      const reply = await visitor.send('POST', '/v1/cart/items', { variant_id }, key);
      expect(reply.headers.get('idempotent-replayed')).toBeNull();
      expect(cartOf(reply).session_id).toBe(visitor.session);
    }
  });
});

describe('changing a quantity', () => {
  test('sets it, and 0 takes the line out', async () => {
    const { visitor, item, made } = await shop.withItem(2);
    const other = await shop.createProduct({ name: 'Sock' });
    await add(visitor, { variant_id: other.variant_id });
    const set = cartOf(await visitor.send('PATCH', `/v1/cart/items/${item.id.toUpperCase()}`, { quantity: 5 }));
    expect(set).toMatchObject({ item_count: 6, version: 3 });
    expect(set.items[0]).toMatchObject({ id: item.id, variant_id: made.variant_id, quantity: 5 });
    const removed = cartOf(await visitor.send('PATCH', `/v1/cart/items/${item.id}`, { quantity: 0 }));
    expect(held(removed)).toEqual([['Sock', 1]]);
    const gone = await visitor.send('PATCH', `/v1/cart/items/${item.id}`, { quantity: 1 });
    expect(problemOf(gone)).toEqual([404, 'not_found', 'item_id']);
  });

  test.each([
    [{}, 'quantity'],
    [{ quantity: -1 }, 'quantity'],
    [{ quantity: 1_000_001 }, 'quantity'],
    [{ quantity: null }, 'quantity'],
  ])('to %j is a bad request', async (body, param) => {
    const { visitor, item, cart } = await shop.withItem();
    const reply = await visitor.send('PATCH', `/v1/cart/items/${item.id}`, body);
    expect(problemOf(reply)).toEqual([400, 'invalid_request', param]);
    expect(await readCart(visitor)).toEqual(cart);
  });

  test('refuses a quantity over the available units, also after stock fell', async () => {
    const { visitor, item, made } = await shop.withItem(4);
    const set = (quantity: number) => visitor.send('PATCH', `/v1/cart/items/${item.id}`, { quantity });
    expect(problemOf(await set(6))).toEqual([409, 'insufficient_stock', 'quantity']);
    await shop.secret('POST', '/v1/inventory/adjustments', { variant_id: made.variant_id, on_hand: 2 });
    expect(problemOf(await set(3))).toEqual([409, 'insufficient_stock', 'quantity']);
    expect(cartOf(await set(2))).toMatchObject({ item_count: 2, warnings: [] });
  });

  test('answers not_found for another shopper’s item', async () => {
    const { item } = await shop.withItem();
    const visitor = shop.visitor();
    for (const [method, body] of [
      ['PATCH', { quantity: 1 }],
      ['DELETE', undefined],
    ] as const) {
      const reply = await visitor.send(method, `/v1/cart/items/${item.id}`, body);
      expect(problemOf(reply)).toEqual([404, 'not_found', 'item_id']);
    }
  });
});

describe('removing an item', () => {
  test('one item, or all of them and the codes', async () => {
    const { visitor, item, cart } = await shop.withItem();
    const sock = await shop.createProduct({ name: 'Sock' });
    await add(visitor, { variant_id: sock.variant_id });
    expect(held(cartOf(await visitor.send('DELETE', `/v1/cart/items/${item.id}`)))).toEqual([['Sock', 1]]);
    await visitor.send('POST', '/v1/cart/promotions', { code: 'SPRING' });
    const empty = cartOf(await visitor.send('DELETE', '/v1/cart'));
    expect(empty).toMatchObject({
      id: cart.id,
      status: 'active',
      items: [],
      promotion_codes: [],
      total: 0,
      version: 5,
    });
    expect(await readCart(visitor)).toEqual(empty);
  });
});

describe('codes', () => {
  test('stores codes whatever their case, and names those that do not apply', async () => {
    const { visitor } = await shop.withItem();
    const send = (code: string) => visitor.send('POST', '/v1/cart/promotions', { code });
    await send('Spring-10%');
    const cart = cartOf(await send(' spring-10% '));
    expect(cart).toMatchObject({
      promotion_codes: ['SPRING-10%'],
      applied_promotions: [],
      rejected_codes: [{ code: 'SPRING-10%', reason: expect.any(String) }],
      discount_total: 0,
      version: 2,
    });
    const removed = await visitor.send('DELETE', `/v1/cart/promotions/${encodeURIComponent('spring-10%')}`);
    expect(cartOf(removed)).toMatchObject({ promotion_codes: [], rejected_codes: [] });
    const gone = await visitor.send('DELETE', '/v1/cart/promotions/SPRING');
    expect(problemOf(gone)).toEqual([404, 'not_found', 'code']);
  });

  test.each([[{}], [{ code: '' }], [{ code: '  ' }], [{ code: 'x'.repeat(65) }], [{ code: 7 }]])(
    '%j is a bad request',
    async (body) => {
      const visitor = shop.visitor();
      const reply = await visitor.send('POST', '/v1/cart/promotions', body);
      expect(problemOf(reply)).toEqual([400, 'invalid_request', 'code']);
    },
  );

  test('limits their number', async () => {
    const visitor = shop.visitor();
    for (let n = 0; n < 10; n++) cartOf(await visitor.send('POST', '/v1/cart/promotions', { code: `C${n}` }));
    const more = await visitor.send('POST', '/v1/cart/promotions', { code: 'C10' });
    expect(problemOf(more)).toEqual([409, 'conflict', 'code']);
  });

  test('refuses codes of unknown gift cards', async () => {
    const { visitor, cart } = await shop.withItem();
    const added = await visitor.send('POST', '/v1/cart/gift-cards', { code: 'ABCD-EFGH-IJKL-MNOP' });
    expect(problemOf(added)).toEqual([400, 'gift_card_not_applicable', 'code']);
    const removed = await visitor.send('DELETE', '/v1/cart/gift-cards/ABCD-EFGH-IJKL-MNOP');
    expect(problemOf(removed)).toEqual([404, 'not_found', 'code']);
    expect(await readCart(visitor)).toEqual(cart);
  });
});

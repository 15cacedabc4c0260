// An anonymous cart goes into a customer's, over HTTP.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Stoa, startStoa } from '#test/support/stoa.ts';
import { add, cartOf, held, openStorefront, problemOf, readCart, type Storefront, type Visitor } from './storefront.ts';

let stoa: Stoa;
let shop: Storefront;
beforeAll(async () => {
  stoa = await startStoa();
  shop = await openStorefront(stoa);
});
afterAll(() => stoa?.stop());

describe('merging', () => {
  const merge = (ada: { id: string; send: Visitor['send'] }, session_id: string) =>
    ada.send('POST', '/v1/cart/merge', { session_id, customer_id: ada.id });

  test('moves an anonymous cart into the customer’s, once', async () => {
    const { visitor, made, item } = await shop.withItem(2);
    const ada = await shop.newCustomer();
    const sock = await shop.createProduct({ name: 'Sock' });
    for (const variant_id of [made.variant_id, sock.variant_id]) {
      await add(ada, { variant_id, quantity: 1, customer_id: ada.id });
    }
    await visitor.send('POST', '/v1/cart/promotions', { code: 'SPRING' });
    const merged = cartOf(await merge(ada, visitor.session));
    expect(merged).toMatchObject({ customer_id: ada.id, promotion_codes: ['SPRING'], warnings: [], item_count: 4 });
    expect(held(merged)).toEqual([
      ['Trail shoe', 3],
      ['Sock', 1],
    ]);
    expect(await readCart(visitor)).toMatchObject({ status: 'merged', items: [], promotion_codes: [], total: 0 });
    expect(cartOf(await merge(ada, visitor.session))).toEqual(merged);
    // What is put in next is a new anonymous cart.
    const next = cartOf(await add(visitor, { variant_id: made.variant_id }));
    expect(next).toMatchObject({ status: 'active', item_count: 1, version: 1 });
    expect(next.items[0]?.id).not.toBe(item.id);
    expect(cartOf(await merge(ada, visitor.session))).toMatchObject({ item_count: 5 });
  });

  test('is capped by what can be bought, and says so', async () => {
    const { visitor, made, item } = await shop.withItem(4, { price: 10 });
    const ada = await shop.newCustomer();
    await add(ada, { variant_id: made.variant_id, quantity: 3, customer_id: ada.id });
    const merged = cartOf(await merge(ada, visitor.session));
    expect(merged).toMatchObject({ item_count: 5, total: 50, warnings: [{ code: 'quantity_reduced' }] });
    expect(merged.warnings[0]?.item_id).toBe(merged.items[0]?.id);
    expect(merged.items[0]?.id).not.toBe(item.id);
    const again = await ada.send('GET', `/v1/cart?customer_id=${ada.id}`);
    expect(cartOf(again)).toMatchObject({ item_count: 5, warnings: [] });
  });

  test('takes the session from the header too, and of nobody’s cart takes nothing', async () => {
    const { visitor } = await shop.withItem(2);
    const ada = await shop.newCustomer();
    const body = { customer_id: ada.id };
    const byHeader = await ada.send('POST', '/v1/cart/merge', body, { 'X-Session-Id': visitor.session });
    expect(cartOf(byHeader)).toMatchObject({ customer_id: ada.id, item_count: 2 });
    const ben = await shop.newCustomer();
    expect(cartOf(await merge(ben, randomUUID()))).toMatchObject({ customer_id: ben.id, items: [], version: 0 });
  });

  test('needs both names, and the customer’s own session', async () => {
    const [ada, ben] = [await shop.newCustomer(), await shop.newCustomer()];
    const { visitor, cart } = await shop.withItem();
    const of = (send: Visitor['send'], body: object) => send('POST', '/v1/cart/merge', body);
    const both = { session_id: visitor.session, customer_id: ada.id };
    expect(problemOf(await of(ada.send, { customer_id: ada.id }))).toEqual([400, 'invalid_request', 'session_id']);
    expect(problemOf(await of(ada.send, { session_id: visitor.session }))).toEqual([
      400,
      'invalid_request',
      'customer_id',
    ]);
    expect(problemOf(await of(ada.send, { ...both, session_id: 'a b' }))).toEqual([
      400,
      'invalid_request',
      'session_id',
    ]);
    expect(problemOf(await of(shop.nobody, both))).toEqual([401, 'unauthorized', undefined]);
    expect(problemOf(await of(ben.send, both))).toEqual([403, 'forbidden', undefined]);
    expect(await readCart(visitor)).toEqual(cart);
  });

  test('while the shopper goes on loses nothing and takes nothing twice', async () => {
    const { visitor, made } = await shop.withItem(1, { stock: 1_000 });
    const ada = await shop.newCustomer();
    const edits = Array.from({ length: 20 }, () => add(visitor, { variant_id: made.variant_id }));
    const merges = Array.from({ length: 3 }, () => merge(ada, visitor.session));
    for (const reply of await Promise.all([...edits, ...merges])) cartOf(reply);
    expect(cartOf(await merge(ada, visitor.session)).item_count).toBe(21);
    expect((await readCart(visitor)).items).toEqual([]);
  });

  test('under one key counts once', async () => {
    const { visitor } = await shop.withItem(2);
    const ada = await shop.newCustomer();
    const key = { 'Idempotency-Key': randomUUID() };
    const body = { session_id: visitor.session, customer_id: ada.id };
    const first = await ada.send('POST', '/v1/cart/merge', body, key);
    const again = await ada.send('POST', '/v1/cart/merge', body, key);
    expect(again.body).toEqual({ ...first.body, idempotent: true });
    expect(first.body.cart.item_count).toBe(2);
  });
});

// Wishlists over HTTP: owners, entries and current prices.
import { beforeAll, describe, expect, test } from 'vitest';
import type { ShopperWishlist } from '#proto/gen/wishlist.ts';
import { type Reply, type Stoa, sharedStoa } from '#test/support/stoa.ts';
import { type Customer, openStorefront, type Storefront } from './storefront.ts';

let stoa: Stoa;
let shop: Storefront;
beforeAll(async () => {
  stoa = await sharedStoa();
  shop = await openStorefront(stoa);
});

const UNKNOWN_ID = '00000000-0000-4000-8000-000000000000';

const listOf = (reply: Reply): ShopperWishlist => {
  expect([reply.status, reply.text]).toEqual([200, expect.any(String)]);
  return reply.body.wishlist;
};
const problemOf = ({ status, body }: Reply): unknown[] => [status, body.error.code, body.error.param];
const keep = ({ id, send }: Customer, body: object) => send('POST', '/v1/wishlist/items', { ...body, customer_id: id });
const read = async ({ id, send }: Customer) => listOf(await send('GET', `/v1/wishlist?customer_id=${id}`));
const drop = ({ id, send }: Customer, item: string) => send('DELETE', `/v1/wishlist/items/${item}?customer_id=${id}`);

describe('the owner of a wishlist', () => {
  const endpoints: readonly (readonly [string, string, object | null])[] = [
    ['GET', '/v1/wishlist', null],
    ['POST', '/v1/wishlist/items', { product_id: UNKNOWN_ID }],
    ['DELETE', `/v1/wishlist/items/${UNKNOWN_ID}`, null],
  ];

  test.each(endpoints)('%s %s needs a session, a customer_id, and that they are one', async (method, path, given) => {
    const body = given ?? undefined;
    const [ada, ben] = [await shop.newCustomer(), await shop.newCustomer()];
    const of = (id: string) => `${path}?customer_id=${id}`;
    expect(problemOf(await shop.unnamed(method, of(ada.id), body))).toEqual([401, 'unauthorized', undefined]);
    expect(problemOf(await ada.send(method, path, body))).toEqual([400, 'invalid_request', 'customer_id']);
    expect(problemOf(await ben.send(method, of(ada.id), body))).toEqual([403, 'forbidden', undefined]);
    expect([200, 404]).toContain((await ada.send(method, of(ada.id), body)).status);
    // No key acts for a shopper without their session.
    const secret = await shop.secret(method, of(ada.id), body);
    expect(problemOf(secret)).toEqual([401, 'unauthorized', undefined]);
  });

  test('customers of other stores and environments have others', async () => {
    const sandbox = await openStorefront(stoa, { environment: 'sandbox' });
    const [ada, ben] = [await shop.newCustomer(), await sandbox.newCustomer()];
    const { id } = await shop.createProduct();
    await keep(ada, { product_id: id });
    expect(await read(ben)).toMatchObject({ customer_id: ben.id, items: [] });
    expect(problemOf(await keep(ben, { product_id: id }))).toEqual([404, 'not_found', 'product_id']);
  });
});

describe('an entry', () => {
  test('stores products and variants once, newest first', async () => {
    const ada = await shop.newCustomer();
    const lamp = await shop.createProduct({ name: 'Lamp', price: 30, sale_price: 25 });
    expect(await read(ada)).toEqual({ id: expect.any(String), customer_id: ada.id, items: [] });
    await keep(ada, { product_id: lamp.id });
    await keep(ada, { variant_id: lamp.variant_id });
    const list = listOf(await keep(ada, { product_id: lamp.id.toUpperCase() }));
    const shown = { name: 'Lamp', price: 25, price_at_add: 25, in_stock: true, product_id: lamp.id };
    expect(list.items).toEqual([
      { ...shown, id: expect.any(String), variant_id: lamp.variant_id, added_at: expect.any(String) },
      { ...shown, id: expect.any(String), variant_id: null, added_at: expect.any(String) },
    ]);
    expect(await read(ada)).toEqual(list);
  });

  test('says what it costs now and what it cost then', async () => {
    const ada = await shop.newCustomer();
    const lamp = await shop.createProduct({ price: 30 });
    for (const named of [{ product_id: lamp.id }, { variant_id: lamp.variant_id }]) await keep(ada, named);
    await shop.secret('PATCH', `/v1/products/${lamp.id}`, { price: 20, stock: 0, name: 'Old lamp' });
    for (const item of (await read(ada)).items) {
      expect(item).toMatchObject({ name: 'Old lamp', price: 20, price_at_add: 30, in_stock: false });
    }
    await shop.secret('DELETE', `/v1/products/${lamp.id}`);
    for (const item of (await read(ada)).items) {
      expect(item).toMatchObject({ name: 'Trail shoe', price: 30, price_at_add: 30, in_stock: false });
    }
  });

  test('shows a product in stock while any variant is', async () => {
    const ada = await shop.newCustomer();
    const variants = [
      { variant_name: 'S', price: 10, stock: 0, is_default: true },
      { variant_name: 'M', price: 12, stock: 1 },
    ];
    const shirt = await shop.createProduct({ name: 'Shirt', price: undefined, stock: undefined, variants });
    const [small, medium] = shirt.variants ?? [];
    await keep(ada, { product_id: shirt.id });
    await keep(ada, { variant_id: small?.variant_id });
    await keep(ada, { variant_id: medium?.variant_id, product_id: shirt.id });
    const items = (await read(ada)).items.map(({ price, in_stock }) => [price, in_stock]);
    expect(items).toEqual([
      [12, true],
      [10, false],
      [10, true],
    ]);
  });

  test.each([
    [{}, 400, 'invalid_request', 'variant_id'],
    [{ product_id: 'x' }, 400, 'invalid_request', 'product_id'],
    [{ product_id: UNKNOWN_ID }, 404, 'not_found', 'product_id'],
    [{ variant_id: UNKNOWN_ID }, 404, 'not_found', 'variant_id'],
  ])('of %j is %i', async (body, status, code, param) => {
    expect(problemOf(await keep(await shop.newCustomer(), body))).toEqual([status, code, param]);
  });

  test('refuses unpublished products and variants of other products', async () => {
    const ada = await shop.newCustomer();
    const [hidden, lamp] = [await shop.createProduct({ is_active: false }), await shop.createProduct()];
    expect(problemOf(await keep(ada, { product_id: hidden.id }))).toEqual([404, 'not_found', 'product_id']);
    expect(problemOf(await keep(ada, { variant_id: hidden.variant_id }))).toEqual([404, 'not_found', 'variant_id']);
    const both = { variant_id: lamp.variant_id, product_id: hidden.id };
    expect(problemOf(await keep(ada, both))).toEqual([400, 'invalid_request', 'product_id']);
  });

  test('removes an item by its id', async () => {
    const ada = await shop.newCustomer();
    const { id } = await shop.createProduct();
    const [item] = listOf(await keep(ada, { product_id: id })).items;
    expect(listOf(await drop(ada, item?.id ?? '')).items).toEqual([]);
    expect(problemOf(await drop(ada, item?.id ?? ''))).toEqual([404, 'not_found', 'item_id']);
    expect(problemOf(await drop(ada, 'x'))).toEqual([400, 'invalid_request', 'item_id']);
  });

  test('stores one entry for concurrent calls', async () => {
    const ada = await shop.newCustomer();
    const { id } = await shop.createProduct();
    const replies = await Promise.all(Array.from({ length: 10 }, () => keep(ada, { product_id: id })));
    expect(new Set(replies.map((reply) => listOf(reply).items[0]?.id)).size).toBe(1);
    expect((await read(ada)).items).toHaveLength(1);
  });
});

test('the answer is personal, revalidated by its tag, and filtered by fields', async () => {
  const ada = await shop.newCustomer();
  const { id } = await shop.createProduct();
  await keep(ada, { product_id: id });
  const path = `/v1/wishlist?customer_id=${ada.id}`;
  const first = await ada.send('GET', path);
  expect(first.headers.get('cache-control')).toBe('private, no-store');
  const etag = first.headers.get('etag') as string;
  expect((await ada.send('GET', path, undefined, { 'If-None-Match': etag })).status).toBe(304);
  const named = await ada.send('GET', `${path}&fields=items.product_id`);
  expect(named.body).toEqual({ wishlist: { items: [{ product_id: id }] } });
});

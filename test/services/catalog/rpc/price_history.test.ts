// Former prices over HTTP: every way in which the price that shoppers see changes, and the lowest price before a reduction.
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ShownPrice } from '#proto/gen/catalog.ts';
import { manualClock } from '#runtime/process/clock.ts';
import { type Merchant, openMerchant } from '#test/support/catalog.ts';
import { eventually } from '#test/support/server.ts';
import { type Stoa, startStoa } from '#test/support/stoa.ts';

const DAY_MS = 86_400_000;
const clock = manualClock(Date.parse('2026-06-01T12:00:00Z'));
let stoa: Stoa;
let merchant: Merchant;
beforeAll(async () => {
  stoa = await startStoa({ clock });
  merchant = await openMerchant(stoa);
});
afterAll(() => stoa?.stop());

const history = async (id: string, query = ''): Promise<ShownPrice[]> =>
  (await merchant.publishable('GET', `/v1/products/${id}/price-history${query}`)).body.price_history;
const prices = async (id: string, query = ''): Promise<unknown[][]> =>
  (await history(id, query)).map(({ price, compare_at_price, source }) => [price, compare_at_price, source]);
const change = async (id: string, body: object): Promise<void> => {
  const reply = await merchant.secret('PATCH', `/v1/products/${id}`, body);
  if (reply.status !== 200) throw new Error(reply.text);
};
const lowestOf = async (id: string): Promise<unknown> =>
  (await merchant.publishable('GET', `/v1/products/${id}?fields=lowest_price_30d`)).body.lowest_price_30d;

test('retains each price that shoppers saw, with its time and its source', async () => {
  const { id, variant_id } = await merchant.createProduct({ price: 20 });
  const began = new Date(clock.real()).toISOString();
  clock.advance(DAY_MS);
  const reduced = new Date(clock.real()).toISOString();
  await change(id, { sale_price: 15 });
  await change(id, { name: 'Renamed' });
  expect(await history(id)).toEqual([
    { variant_id, currency: 'USD', price: 15, compare_at_price: 20, source: 'sale', from: reduced, to: null },
    { variant_id, currency: 'USD', price: 20, compare_at_price: null, source: 'price', from: began, to: reduced },
  ]);
  clock.advance(DAY_MS);
  await change(id, { sale_price: null });
  expect(await prices(id)).toEqual([
    [20, null, 'price'],
    [15, 20, 'sale'],
    [20, null, 'price'],
  ]);
  expect(await prices(id, `?to=${encodeURIComponent(reduced)}`)).toEqual([[20, null, 'price']]);
  expect(await prices(id, '?currency=EUR')).toEqual([]);
  const first = await merchant.publishable('GET', `/v1/products/${id}/price-history?limit=2`);
  expect(first.body.price_history).toHaveLength(2);
  const cursor = first.body.pagination.next_cursor;
  expect(await prices(id, `?limit=2&cursor=${cursor}`)).toEqual([[20, null, 'price']]);
  expect(
    (await merchant.publishable('GET', `/v1/products/${id}/price-history?limit=2&currency=USD&cursor=${cursor}`))
      .status,
  ).toBe(400);
});

test('retains no price of a hidden product, and shows none of it', async () => {
  const { id } = await merchant.createProduct({ price: 1, is_active: false });
  expect((await merchant.publishable('GET', `/v1/products/${id}/price-history`)).status).toBe(404);
  expect((await merchant.secret('GET', `/v1/products/${id}/price-history`)).body.price_history).toEqual([]);
  clock.advance(DAY_MS);
  await change(id, { is_active: true, price: 30 });
  clock.advance(DAY_MS);
  await change(id, { is_active: false });
  await change(id, { price: 2 });
  clock.advance(DAY_MS);
  await change(id, { is_active: true, price: 30, sale_price: 25 });
  expect(await prices(id)).toEqual([
    [25, 30, 'sale'],
    [30, null, 'price'],
  ]);
  expect(await lowestOf(id)).toBe(30);
});

test('retains the prices of lists for everybody alone, from their start to their end', async () => {
  const { id, variant_id } = await merchant.createProduct({ price: 50 });
  const list = (body: object) =>
    merchant.secret('POST', '/v1/price-lists', { name: 'List', prices: [{ variant_id, price: 40 }], ...body });
  await list({ customer_group: 'trade', prices: [{ variant_id, price: 10 }] });
  await list({ prices: [{ variant_id, min_quantity: 5, price: 11 }] });
  const time = (days: number): string => new Date(clock.real() + days * DAY_MS).toISOString();
  const [starts_at, ends_at] = [time(1), time(3)];
  const { price_list } = (await list({ starts_at, ends_at })).body;
  expect(await prices(id)).toEqual([[50, null, 'price']]);
  clock.advance(DAY_MS);
  await eventually(async () => expect(await lowestOf(id)).toBe(50));
  await eventually(async () => expect((await history(id))[0]).toMatchObject({ price: 40, from: starts_at, to: null }));
  clock.advance(DAY_MS);
  const raised = [{ variant_id, price: 45 }];
  expect((await merchant.secret('PATCH', `/v1/price-lists/${price_list.id}`, { prices: raised })).status).toBe(200);
  expect((await merchant.secret('PATCH', `/v1/price-lists/${price_list.id}`, { name: 'Renamed' })).status).toBe(200);
  expect(await lowestOf(id)).toBe(40);
  clock.advance(2 * DAY_MS);
  await eventually(async () =>
    expect(await prices(id)).toEqual([
      [50, null, 'price'],
      [45, 50, 'price_list'],
      [40, 50, 'price_list'],
      [50, null, 'price'],
    ]),
  );
  expect((await history(id))[1]!.to).toBe(ends_at);
  await eventually(async () => expect(await lowestOf(id)).toBeNull());
});

test('ends the prices of a list that is deleted, of a variant that goes, and of a deleted product', async () => {
  const { id, variant_id } = await merchant.createProduct({ price: 8 });
  const { price_list } = (
    await merchant.secret('POST', '/v1/price-lists', { name: 'L', prices: [{ variant_id, price: 7 }] })
  ).body;
  clock.advance(DAY_MS);
  await merchant.secret('DELETE', `/v1/price-lists/${price_list.id}`);
  expect(await prices(id)).toEqual([
    [8, null, 'price'],
    [7, 8, 'price_list'],
  ]);
  const added = await merchant.secret('POST', `/v1/products/${id}/variants`, {
    price: 9,
    variant_attributes: { size: 'L' },
  });
  const other = added.body.variants.find((each: { variant_id: string }) => each.variant_id !== variant_id).variant_id;
  clock.advance(DAY_MS);
  await merchant.secret('DELETE', `/v1/products/${id}/variants/${other}`);
  expect((await history(id, `?variant_id=${other}`)).map(({ price, to }) => [price, to])).toEqual([
    [9, new Date(clock.real()).toISOString()],
  ]);
  await merchant.secret('DELETE', `/v1/products/${id}`);
  expect((await merchant.publishable('GET', `/v1/products/${id}/price-history`)).status).toBe(404);
});

test('shows the lowest price of the 30 days before the reduction began, where it is asked for', async () => {
  const { id } = await merchant.createProduct({ name: 'Lantern omnibus', price: 100 });
  clock.advance(31 * DAY_MS);
  await change(id, { price: 90 });
  clock.advance(31 * DAY_MS);
  await change(id, { price: 95 });
  clock.advance(DAY_MS);
  expect(await lowestOf(id)).toBeNull();
  await change(id, { sale_price: 80 });
  expect(await lowestOf(id)).toBe(90);
  clock.advance(40 * DAY_MS);
  await change(id, { sale_price: 70 });
  expect(await lowestOf(id)).toBe(90);
  clock.advance(DAY_MS);
  await change(id, { sale_price: 75 });
  expect(await lowestOf(id)).toBe(70);
  const { body } = await merchant.publishable('GET', `/v1/products?ids=${id}&fields=id,lowest_price_30d`);
  expect(body.products).toEqual([{ id, lowest_price_30d: 70 }]);
  const plain = await merchant.publishable('GET', `/v1/products?ids=${id}`);
  expect(plain.body.products[0]).not.toHaveProperty('lowest_price_30d');
  await eventually(async () => {
    const found = await merchant.publishable('POST', '/v1/search', {
      query: 'Lantern omnibus',
      fields: 'id,lowest_price_30d',
    });
    expect(found.body.products).toContainEqual({ id, lowest_price_30d: 70 });
  });
});

test('retains one unbroken sequence of prices after concurrent changes', async () => {
  const { id } = await merchant.createProduct({ price: 1 });
  const replies = await Promise.all(
    Array.from({ length: 20 }, async (_, at) => {
      clock.advance(1_000);
      return merchant.secret('PATCH', `/v1/products/${id}`, { price: 10 + at });
    }),
  );
  expect(replies.map(({ status }) => status)).toEqual(replies.map(() => 200));
  const shown = await history(id, '?limit=100');
  const { body: product } = await merchant.publishable('GET', `/v1/products/${id}`);
  expect(shown[0]).toMatchObject({ price: product.price, to: null });
  for (const [at, { to }] of shown.entries()) expect(to).toBe(shown[at - 1]?.from ?? null);
});

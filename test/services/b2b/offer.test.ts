// Tests the largest line and total of a quote in currencies with different decimals.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { asStore, closeShop, errorOf, newBuyer, newVariant, openShop } from './shop.ts';

beforeAll(() => openShop({ currency: 'JPY', country: 'JP' }));
afterAll(closeShop);

test('refuses a line or a total one yen above the limit', async () => {
  const customer_id = (await newBuyer()).id;
  const [one, two] = [await newVariant(), await newVariant()];
  const quote = (...prices: readonly number[]) =>
    asStore()('POST', '/v1/b2b/quotes', {
      customer_id,
      items: prices.map((unit_price, at) => ({ variant_id: [one, two][at], quantity: 2, unit_price })),
    });
  expect((await quote(49_999_999)).body.data).toMatchObject({ total: 99_999_998 });
  expect(errorOf(await quote(50_000_000))).toEqual([400, 'invalid_request', 'items[0].unit_price']);
  expect((await quote(49_999_998, 1)).body.data).toMatchObject({ total: 99_999_998 });
  expect(errorOf(await quote(49_999_999, 1))).toEqual([400, 'invalid_request', 'items']);
});

// Products as a platform looks them up.
import { beforeAll, expect, test } from 'vitest';
import { callRaw, connect, type Document, judged, openShop } from '#test/edge/assistant/mcp/shop.ts';
import { sending } from '#test/edge/assistant/ucp/platform.ts';
import { eventually } from '#test/support/server.ts';
import { allowLocalVerifier } from '#test/support/session.ts';
import { type Stoa, sharedStoa } from '#test/support/stoa.ts';

allowLocalVerifier();
let stoa: Stoa;
beforeAll(async () => {
  stoa = await sharedStoa();
});

test('looks products up within filters', async () => {
  const shop = await openShop(stoa);
  const send = sending(shop);
  const ids = [shop.mug, shop.shirt];
  const titles = async (filters: object) =>
    (await send('POST', '/ucp/catalog/lookup', { body: { ids, filters } })).document.products.map(
      ({ title }: Document) => title,
    );
  expect(await titles({})).toEqual(['Blue mug', 'Shirt']);
  expect(await titles({ price: { max: 1_000 } })).toEqual(['Blue mug']);
  expect(await titles({ price: { min: 2_100 } })).toEqual(['Shirt']);
  expect(await titles({ price: { min: 2_100 }, available: true })).toEqual([]);
  expect(await titles({ categories: ['Kitchen'] })).toEqual([]);
  const large = await send('POST', '/ucp/catalog/product', {
    body: { id: shop.shirt, filters: { price: { min: 2_100 } } },
  });
  judged('shopping/catalog_lookup.json#/$defs/get_product_response', large.document);
  expect(large.document.product.variants.map(({ title }: Document) => title)).toEqual(['L']);
  const none = await send('POST', '/ucp/catalog/product', {
    body: { id: shop.mug, filters: { price: { min: 2_100 } } },
  });
  expect(none.document.messages[0].code).toBe('not_found');
});

test('shows prices and takes their bounds in the preferred currency where the store sells in it', async () => {
  const shop = await openShop(stoa);
  const send = sending(shop);
  await shop.merchant.secret('PATCH', '/v1/store', {
    currencies: [
      { currency: 'EUR', prices: 'rate' },
      { currency: 'GBP', prices: 'rate' },
    ],
  });
  await shop.merchant.test('PUT', '/v1/exchange-rates/EUR', { rate: 0.9 });
  const prices = async (operation: string, body: object): Promise<readonly unknown[]> => {
    const { status, text, document } = await send('POST', `/ucp/catalog/${operation}`, { body });
    expect(status, text).toBe(200);
    const products: readonly Document[] = document.products ?? [document.product];
    return products.map(({ price_range: { min } }) => min);
  };
  const context = { currency: 'eur' };
  const euros = [{ amount: 900, currency: 'EUR' }];
  // The edge has the store's former currencies for some seconds.
  await eventually(async () => expect(await prices('search', { query: 'mug', context })).toEqual(euros));
  expect(await prices('lookup', { ids: [shop.mug], context })).toEqual(euros);
  expect(await prices('product', { id: shop.mug, context })).toEqual(euros);
  expect(await prices('search', { query: 'mug', context, filters: { price: { max: 900 } } })).toEqual(euros);
  expect(await prices('search', { query: 'mug', context, filters: { price: { max: 899 } } })).toEqual([]);
  // GBP has no exchange rate.
  const dollars = [{ amount: 1_000, currency: 'USD' }];
  for (const currency of ['GBP', 'CHF', 'gold']) {
    expect(await prices('search', { query: 'mug', context: { currency } })).toEqual(dollars);
    expect(await prices('lookup', { ids: [shop.mug], context: { currency } })).toEqual(dollars);
    expect(await prices('product', { id: shop.mug, context: { currency } })).toEqual(dollars);
  }
});

const AMOUNTS = [Number.MAX_SAFE_INTEGER, 2 ** 54, 1e15, 10_000_000_000, 1e300, -1, 0.5];

test.each(['search', 'lookup', 'product'])('refuses a price that nothing can have, in a %s', async (operation) => {
  const shop = await openShop(stoa);
  const send = sending(shop);
  const asked = { search: { query: 'mug' }, lookup: { ids: [shop.mug] }, product: { id: shop.mug } }[operation];
  for (const bound of ['min', 'max'])
    for (const amount of AMOUNTS) {
      const body = { ...asked, filters: { price: { [bound]: amount } } };
      const { status, document } = await send('POST', `/ucp/catalog/${operation}`, { body });
      expect([status, document], `${bound} ${amount}`).toEqual([
        400,
        {
          code: 'invalid_request',
          content: expect.stringContaining(`\`filters.price.${bound}\``),
          path: `$.filters.price.${bound}`,
        },
      ]);
    }
  const most = { ...asked, filters: { price: { max: 9_999_999_999 } } };
  expect((await send('POST', `/ucp/catalog/${operation}`, { body: most })).status).toBe(200);
});

test('refuses such a price over MCP, too', async () => {
  const shop = await openShop(stoa);
  const client = await connect(shop, shop.merchant.keys.publishable_test_key);
  for (const amount of AMOUNTS)
    await expect(
      callRaw(client, 'search_catalog', { catalog: { query: 'mug', filters: { price: { max: amount } } } }),
      `${amount}`,
    ).rejects.toMatchObject({ code: -32602, data: { code: 'invalid_request', path: 'catalog.filters.price.max' } });
  await client.close();
});

// Tests lists of products over all merchants of an operator, over HTTP.
import { beforeAll, describe, expect, test } from 'vitest';
import {
  NOWHERE,
  names,
  openMarket as openMarketOf,
  pairs,
  sell as sellAt,
} from '#test/services/search/marketplace/market.ts';
import { type Keys, type Stoa, sharedStoa } from '#test/support/stoa.ts';

let stoa: Stoa;
beforeAll(async () => {
  stoa = await sharedStoa();
});

const openShop = (name: string, currency = 'USD'): Promise<Keys> =>
  stoa.createStore({ name, currency, plan: 'enterprise' });
const sell = (shop: Keys, rows: Parameters<typeof sellAt>[2]): Promise<string[]> => sellAt(stoa, shop, rows);
const openMarket = (shops: readonly Keys[]) => openMarketOf(stoa, shops);

describe('a list over all merchants', () => {
  test('sorts and filters as its parameters say', async () => {
    const [one, two] = [await openShop('One', 'KES'), await openShop('Two', 'EUR')];
    const [first] = await sell(one, [{ name: 'Lamp', price: 900, featured: true, tags: ['light'], stock: 0 }]);
    const [second] = await sell(two, [{ name: 'Chair', price: 30, brand: 'Acme' }]);
    const [third] = await sell(two, [{ name: 'Table', price: 8, brand: 'acme', condition: 'used' }]);
    const { list } = await openMarket([one, two]);
    const whole = await list();
    expect(names(whole)).toEqual(['Table', 'Chair', 'Lamp']);
    expect(whole.products[2]).toMatchObject({
      id: first,
      merchant_store_id: one.store_id,
      merchant_name: 'One',
      display_currency: 'KES',
      selling_price: 900,
    });
    expect(whole.products[0]).not.toHaveProperty('score');
    for (const [query, expected] of [
      ['currency=eur&sort=price_asc', ['Table', 'Chair']],
      ['currency=EUR&sort=price_desc&min_price=10', ['Chair']],
      ['brand=ACME', ['Table', 'Chair']],
      ['brand=ACME&condition=new', ['Chair']],
      ['tag=light', ['Lamp']],
      ['featured=true', ['Lamp']],
      ['featured=false&in_stock=true', ['Table', 'Chair']],
      ['in_stock=false', ['Lamp']],
      [`ids=${first},${third},${NOWHERE}`, ['Table', 'Lamp']],
      [`ids=${second}&brand=other`, []],
      [`category_id=${NOWHERE}`, []],
      ['limit=1', ['Table']],
    ] as const)
      expect(names(await list(query)), query).toEqual(expected);
  });

  test('filters by a merchant’s category and subcategory', async () => {
    const shop = await openShop('One');
    const made = async (body: object): Promise<string> =>
      (await stoa.send('POST', '/v1/categories', { key: shop.secret_key, body })).body.category.id;
    const [home, garden] = [await made({ name: 'Home' }), await made({ name: 'Garden' })];
    const kitchen = await made({ name: 'Kitchen', parent_id: home });
    await sell(shop, [
      { name: 'Rake', category_id: garden },
      { name: 'Pot', category_id: home, subcategory_id: kitchen },
    ]);
    const { list, search } = await openMarket([shop]);
    expect(names(await list(`category_id=${home}`))).toEqual(['Pot']);
    expect(names(await list(`subcategory_id=${kitchen}`))).toEqual(['Pot']);
    expect(names(await list(`category_id=${garden}&subcategory_id=${kitchen}`))).toEqual([]);
    expect(pairs((await search({ facets: ['category'] })).facets[0])).toEqual(
      expect.arrayContaining([
        [garden, 'Garden', 1],
        [home, 'Home', 1],
      ]),
    );
  });

  test('refuses what belongs to one store, and prices of several currencies', async () => {
    const { refusal } = await openMarket([await openShop('One', 'KES'), await openShop('Two', 'EUR')]);
    for (const [query, param] of [
      ['sort=name', 'sort'],
      ['sort=featured', 'sort'],
      ['sort=price_asc', 'sort'],
      ['min_price=5', 'min_price'],
      ['max_price=5', 'max_price'],
      ['search=lamp', 'search'],
      [`collection_id=${NOWHERE}`, 'collection_id'],
      ['is_active=false', 'is_active'],
      ['low_stock=true', 'low_stock'],
      ['fields=merchant', 'fields'],
      ['cursor=none', 'cursor'],
    ] as const)
      expect(await refusal('GET', `/v1/products?${query}`), query).toEqual([400, 'invalid_request', param]);
  });
});

// Tests search over all merchants of an operator, over HTTP.
import { beforeAll, describe, expect, test } from 'vitest';
import { NO_TENANT } from '#runtime/call/call.ts';
import { openOperator, refusalFields } from '#test/support/marketplace.ts';
import { ok } from '#test/support/reply.ts';
import { eventually } from '#test/support/server.ts';
import { type Keys, type Stoa, sharedStoa } from '#test/support/stoa.ts';
import { NOWHERE, names, openMarket as openMarketOf, pairs, type Shown, sell as sellAt, sorted } from './market.ts';

let stoa: Stoa;
let word = 0;
beforeAll(async () => {
  stoa = await sharedStoa();
});

const openShop = (name: string, currency = 'USD'): Promise<Keys> =>
  stoa.createStore({ name, currency, plan: 'enterprise' });
const sell = (shop: Keys, rows: Parameters<typeof sellAt>[2]): Promise<string[]> => sellAt(stoa, shop, rows);
const openMarket = (shops: readonly Keys[]) => openMarketOf(stoa, shops);

describe('a search over all merchants', () => {
  test('finds the products of each in one ranking, with its merchant and in its currency', async () => {
    const [kenyan, german, outsider] = [
      await openShop('Duka', 'KES'),
      await openShop('Laden', 'EUR'),
      await openShop('Far'),
    ];
    await sell(kenyan, [{ name: 'Red kettle' }, { name: 'Kettle lid', description: 'A lid for a red kettle.' }]);
    await sell(german, [{ name: 'Red kettle of steel' }, { name: 'Red chair' }]);
    await sell(outsider, [{ name: 'Red kettle from elsewhere' }]);
    const { search } = await openMarket([kenyan, german]);
    const { products, total } = await search({ query: 'red kettle', facets: ['merchant'] });
    expect(total).toBe(products.length);
    expect(products.slice(0, 3).map(({ name }: Shown) => name)).toEqual([
      'Red kettle',
      'Red kettle of steel',
      'Kettle lid',
    ]);
    expect(products.slice(0, 2)).toMatchObject([
      { merchant_store_id: kenyan.store_id, merchant_name: 'Duka', display_currency: 'KES' },
      { merchant_store_id: german.store_id, merchant_name: 'Laden', display_currency: 'EUR' },
    ]);
    expect(names({ products })).not.toContain('Red kettle from elsewhere');
  });

  test('ranks and scores as one store with all the products does', async () => {
    const shops = [await openShop('One'), await openShop('Two'), await openShop('Three')];
    const whole = await openShop('Whole');
    const rows = Array.from({ length: 24 }, (_, at) => ({
      name: `${['Blue', 'Green', 'Striped'][at % 3]} ${['mug', 'plate', 'bowl', 'mug holder'][at % 4]} ${at}`,
      description: at % 5 === 0 ? 'Made of clay, blue inside.' : 'Made of glass.',
      brand: ['Acme', 'Umoja'][at % 2],
    }));
    for (const [at, row] of rows.entries()) {
      await sell(shops[(at * 7) % 3]!, [row]);
      await sell(whole, [row]);
    }
    const market = await openMarket(shops);
    for (const query of ['blue mug', 'mug', 'clay', 'strippd bowl', 'umoja plate', 'green mug hold', '']) {
      const body = { query, mode: 'text', facets: ['brand'], limit: 30 };
      const own = (await stoa.send('POST', '/v1/search', { key: whole.secret_key, body })).body;
      const found = await market.search(body);
      const ranked = (answer: { products: readonly Shown[] }) =>
        answer.products.map(({ name, score }) => [name, score]);
      expect(ranked(found), query).toEqual(ranked(own));
      expect([found.total, found.facets, found.corrections], query).toEqual([own.total, own.facets, own.corrections]);
    }
  });

  test('counts and filters by merchant and by currency; each facet ignores its own filter', async () => {
    const [one, two, three] = [
      await openShop('One', 'KES'),
      await openShop('Two', 'EUR'),
      await openShop('Three', 'EUR'),
    ];
    await sell(one, [
      { name: 'Lamp', brand: 'Acme' },
      { name: 'Lamp stand', brand: 'Umoja' },
    ]);
    await sell(two, [{ name: 'Lamp shade', brand: 'Acme' }]);
    await sell(three, [
      {
        name: 'Lamp oil',
        variants: [
          { sku: `A${++word}`, variant_attributes: { size: 'S' }, price: 5, stock: 1 },
          { sku: `B${++word}`, variant_attributes: { size: 'L' }, price: 9, stock: 1 },
        ],
      },
    ]);
    const { search } = await openMarket([one, two, three]);
    const facets = ['merchant', 'currency', 'brand'];
    const whole = await search({ query: 'lamp', facets });
    expect(whole.facets.map(({ key }: { key: string }) => key)).toEqual(facets);
    expect(pairs(whole.facets[0])).toEqual(
      expect.arrayContaining([
        [one.store_id, 'One', 2],
        [two.store_id, 'Two', 1],
        [three.store_id, 'Three', 1],
      ]),
    );
    expect(pairs(whole.facets[1])).toEqual([
      ['EUR', 'EUR', 2],
      ['KES', 'KES', 2],
    ]);
    const euros = await search({ query: 'lamp', facets, filters: { currency: ['eur'] } });
    expect(sorted(euros)).toEqual(['Lamp oil', 'Lamp shade']);
    expect(
      pairs(euros.facets[0])
        .map(([store]) => store)
        .toSorted(),
    ).toEqual([two.store_id, three.store_id].toSorted());
    expect(pairs(euros.facets[1])).toEqual(pairs(whole.facets[1]));
    expect(pairs(euros.facets[2])).toEqual([['Acme', 'Acme', 1]]);
    const some = await search({
      query: 'lamp',
      filters: { merchant_store_id: [one.store_id, three.store_id.toUpperCase()] },
    });
    expect(sorted(some)).toEqual(['Lamp', 'Lamp oil', 'Lamp stand']);
    expect((await search({ filters: { merchant_store_id: [NOWHERE] } })).products).toEqual([]);
  });

  test('compares prices of one currency only', async () => {
    const [one, two] = [await openShop('One', 'KES'), await openShop('Two', 'EUR')];
    await sell(one, [{ name: 'Lamp', price: 900 }]);
    await sell(two, [
      { name: 'Dear lamp', price: 30 },
      { name: 'Cheap lamp', price: 8 },
    ]);
    const { search, refusal } = await openMarket([one, two]);
    for (const [body, param] of [
      [{ sort: 'price_asc' }, 'sort'],
      [{ facets: ['brand', 'price'] }, 'facets[1]'],
      [{ filters: { price: { gte: 1 } } }, 'filters.price'],
      [{ currency: 'EUR' }, 'currency'],
      [{ facets: ['merchants'] }, 'facets[0]'],
      [{ filters: { currency: ['Euro'] } }, 'filters.currency[0]'],
      [{ filters: { merchant_store_id: ['one'] } }, 'filters.merchant_store_id[0]'],
      [{ fields: 'id,merchant' }, 'fields'],
      [{ cursor: 'none' }, 'cursor'],
    ] as const)
      expect(await refusal('POST', '/v1/search', body), JSON.stringify(body)).toEqual([400, 'invalid_request', param]);
    const filters = { currency: ['EUR'], price: { gte: 5 } };
    const euros = await search({ filters, facets: ['price'], sort: 'price_asc' });
    expect(names(euros)).toEqual(['Cheap lamp', 'Dear lamp']);
    expect(euros.facets).toEqual([{ key: 'price', min: 8, max: 30 }]);
    const own = await search({ filters: { merchant_store_id: [one.store_id] }, sort: 'price_desc' });
    expect(names(own)).toEqual(['Lamp']);
  });

  test('returns the fields that it names', async () => {
    const shop = await openShop('Only');
    const [id] = await sell(shop, [{ name: 'Lamp' }]);
    const { search, list } = await openMarket([shop]);
    const product = { id, merchant_name: 'Only' };
    expect((await search({ fields: 'id,merchant_name' })).products).toEqual([product]);
    expect((await list('fields=id,merchant_name')).products).toEqual([product]);
  });

  test('finds changes of every merchant, and no inactive or deleted product', async () => {
    const [one, two] = [await openShop('One'), await openShop('Two')];
    const [lamp] = await sell(one, [{ name: 'Lamp' }]);
    const [chair] = await sell(two, [{ name: 'Chair' }]);
    const { search } = await openMarket([one, two]);
    const found = (expected: readonly string[]) =>
      eventually(async () => expect(sorted(await search({}))).toEqual(expected));
    await found(['Chair', 'Lamp']);
    const change = async (method: string, { secret_key: key }: Keys, id: string, body?: object) =>
      expect((await stoa.send(method, `/v1/products/${id}`, { key, ...(body && { body }) })).status).toBe(200);
    await change('PATCH', one, lamp!, { name: 'Lantern' });
    await sell(two, [{ name: 'Table' }]);
    await found(['Chair', 'Lantern', 'Table']);
    await change('PATCH', one, lamp!, { is_active: false });
    await change('DELETE', two, chair!);
    await found(['Table']);
    await change('PATCH', one, lamp!, { is_active: true });
    await found(['Lantern', 'Table']);
  });

  test('shows nothing of a merchant that is suspended, has lapsed or has left, until it sells again', async () => {
    const shops = [
      await openShop('Kept'),
      await openShop('Suspended'),
      await openShop('Lapsed'),
      await openShop('Left'),
    ];
    const [, suspended, lapsed, left] = shops as [Keys, Keys, Keys, Keys];
    for (const [at, shop] of shops.entries()) await sell(shop, [{ name: `Lamp ${at}` }]);
    const { search, list, send, operator_id } = await openMarket(shops);
    const { ask } = stoa.services.runtime;
    const set = async (sells: boolean) => {
      const path = `/v1/marketplace/merchants/${suspended.store_id}`;
      expect((await send('PATCH', path, { suspended: !sells })).status).toBe(200);
      ok(await ask('StoreAdmin/SetLapsed', NO_TENANT, { store: lapsed.store_id, lapsed: !sells }));
      ok(
        await ask('StoreAdmin/SetMerchant', NO_TENANT, { operator: operator_id, store: left.store_id, member: sells }),
      );
    };
    const shown = (expected: readonly string[]) =>
      eventually(async () => {
        const answer = await search({ query: 'lamp', facets: ['merchant'] });
        expect([sorted(answer), answer.total]).toEqual([expected, expected.length]);
        expect(answer.facets[0].values).toHaveLength(expected.length);
        expect(sorted(await list())).toEqual(expected);
      });
    const all = ['Lamp 0', 'Lamp 1', 'Lamp 2', 'Lamp 3'];
    await shown(all);
    await set(false);
    await shown(['Lamp 0']);
    await set(true);
    await shown(all);
  });

  test('covers the key’s environment and its own operator’s merchants', async () => {
    const [one, two] = [await openShop('One'), await openShop('Two')];
    await sell(one, [{ name: 'Lamp' }]);
    await sell(two, [{ name: 'Lamp of another' }]);
    const body = { name: 'Lamp of the sandbox', price: 1, stock: 1 };
    expect((await stoa.send('POST', '/v1/products', { key: one.secret_test_key, body })).status).toBe(201);
    const [market, other] = [await openMarket([one]), await openMarket([two])];
    expect(names(await market.search({ query: 'lamp' }))).toEqual(['Lamp']);
    expect(names(await market.search({ query: 'lamp' }, market.operator_test_key))).toEqual(['Lamp of the sandbox']);
    expect(names(await other.search({ query: 'lamp' }))).toEqual(['Lamp of another']);
    const foreign = await market.search({ query: 'lamp', filters: { merchant_store_id: [two.store_id] } });
    expect(foreign.products).toEqual([]);
    const named = await market.send('POST', `/v1/search?store_id=${two.store_id}`, { query: 'lamp' });
    expect(refusalFields(named)).toEqual([404, 'not_found', 'store_id']);
    const none = await openMarket([]);
    expect(await none.search({ query: 'lamp' })).toMatchObject({ products: [], total: 0 });
  });

  test('answers many callers that come at once with the same products', async () => {
    const shops = [await openShop('One'), await openShop('Two'), await openShop('Three')];
    for (const [at, shop] of shops.entries()) await sell(shop, [{ name: `Lamp ${at}` }, { name: `Chair ${at}` }]);
    const { search } = await openMarket(shops);
    const answers = await Promise.all(Array.from({ length: 50 }, () => search({ query: 'lamp' })));
    for (const answer of answers) expect(sorted(answer)).toEqual(['Lamp 0', 'Lamp 1', 'Lamp 2']);
  });
});

describe('pages over all merchants', () => {
  const pages = async (
    next: (cursor: string | null) => Promise<{ products: Shown[]; pagination: { next_cursor: string | null } }>,
    between: (page: number) => Promise<void>,
  ): Promise<string[]> => {
    const seen: string[] = [];
    let cursor: string | null = null;
    for (let page = 1; page === 1 || cursor !== null; page++) {
      const answer = await next(cursor);
      seen.push(...answer.products.map(({ name }) => name));
      cursor = answer.pagination.next_cursor;
      await between(page);
    }
    return seen;
  };

  test('repeat and lose no product while merchants change', async () => {
    const [one, two, three] = [await openShop('One'), await openShop('Two'), await openShop('Three')];
    const rows = Array.from({ length: 12 }, (_, at) => `Lamp ${String(at).padStart(2, '0')}`);
    for (const [at, name] of rows.entries()) await sell([one, two][at % 2]!, [{ name }]);
    const [, brief] = await sell(three, [{ name: 'Lamp of the third' }, { name: 'Lamp that goes' }]);
    const { search, list } = await openMarket([one, two, three]);
    const lists = [
      (cursor: string | null) => search({ query: 'lamp', limit: 3, ...(cursor !== null && { cursor }) }),
      (cursor: string | null) => list(`limit=3${cursor === null ? '' : `&cursor=${encodeURIComponent(cursor)}`}`),
    ];
    for (const next of lists) {
      const seen = await pages(next, async (page) => {
        await sell([one, two, three][page % 3]!, [{ name: `Lamp added ${++word}` }]);
        if (page === 1)
          await stoa.send('PATCH', `/v1/products/${brief}`, { key: three.secret_key, body: { price: 10 + word } });
      });
      expect(seen.filter((name) => /^Lamp \d/.test(name)).toSorted()).toEqual(rows);
      expect(new Set(seen).size).toBe(seen.length);
    }
  });

  test('refuse a cursor of another search, list or operator', async () => {
    const shop = await openShop('One');
    await sell(shop, [{ name: 'Lamp one' }, { name: 'Lamp two' }, { name: 'Lamp three' }]);
    const [market, other] = [await openMarket([shop]), await openMarket([shop])];
    const { next_cursor: cursor } = (await market.search({ query: 'lamp', limit: 1 })).pagination;
    const refused = [400, 'invalid_request', 'cursor'];
    expect((await market.search({ query: 'lamp', limit: 1, cursor })).products).toHaveLength(1);
    for (const [{ refusal }, body] of [
      [market, { query: 'lamps', cursor }],
      [market, { query: 'lamp', cursor, filters: { merchant_store_id: [shop.store_id] } }],
      [other, { query: 'lamp', cursor }],
    ] as const)
      expect(await refusal('POST', '/v1/search', body), JSON.stringify(body)).toEqual(refused);
    const { next_cursor: listed } = (await market.list('limit=1')).pagination;
    expect((await market.list(`limit=1&cursor=${listed}`)).products).toHaveLength(1);
    for (const [{ refusal }, query] of [
      [market, `cursor=${listed}&featured=true`],
      [market, `cursor=${cursor}`],
      [other, `cursor=${listed}`],
    ] as const)
      expect(await refusal('GET', `/v1/products?${query}`), query).toEqual(refused);
  });
});

test('a search of one store refuses filters over merchants', async () => {
  const shop = await openShop('One');
  const { operator_key } = await openOperator(stoa, [shop.store_id]);
  for (const [key, path] of [
    [shop.publishable_key, '/v1/search'],
    [operator_key, `/v1/search?store_id=${shop.store_id}`],
  ] as const)
    for (const [name, filter] of [
      ['merchant_store_id', [shop.store_id]],
      ['currency', ['USD']],
    ] as const) {
      const reply = await stoa.send('POST', path, { key, body: { filters: { [name]: filter } } });
      expect(refusalFields(reply)).toEqual([400, 'invalid_request', `filters.${name}`]);
    }
});

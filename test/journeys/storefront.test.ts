// A storefront developer with a publishable key: pages through the whole catalogue while the merchant works, filters and
// sorts, revalidates cached answers, chooses fields.
import { beforeAll, describe, expect, test } from 'vitest';
import type { ListedProduct } from '#proto/gen/product.ts';
import { type Merchant, openMerchant } from '#test/support/catalog.ts';
import { type Stoa, sharedStoa } from '#test/support/stoa.ts';

const PRODUCTS = 60;
const SORTS = ['newest', 'price_asc', 'price_desc', 'name', 'featured', 'rating'] as const;

let stoa: Stoa;
let merchant: Merchant;
let categoryId: string;
beforeAll(async () => {
  stoa = await sharedStoa();
  merchant = await openMerchant(stoa);
  categoryId = (await merchant.secret('POST', '/v1/categories', { name: 'Shoes' })).body.category.id;
  for (let n = 0; n < PRODUCTS; n++)
    await merchant.createProduct({
      // Few names and few prices: ties are what loses rows.
      name: `Shoe ${n % 4}`,
      price: 10 + (n % 3),
      sale_price: n % 5 === 0 ? 9.5 : null,
      stock: n % 6,
      brand: n % 2 === 0 ? 'Acme' : 'Zeta',
      tags: [`t${n % 3}`],
      featured: n % 4 === 0,
      featured_order: n % 2,
      condition: n % 10 === 0 ? 'used' : 'new',
      ...(n % 2 === 0 ? { category_id: categoryId } : {}),
    });
});

const page = async (query: string): Promise<{ products: ListedProduct[]; next: string | null }> => {
  const { status, body, text } = await merchant.publishable('GET', `/v1/products?${query}`);
  expect(status, text).toBe(200);
  return { products: body.products, next: body.pagination.next_cursor };
};

/** All pages, with something done between each two of them. */
const pages = async (
  query: string,
  between: (at: number) => Promise<unknown> = async () => {},
): Promise<ListedProduct[]> => {
  const found: ListedProduct[] = [];
  let cursor: string | null = '';
  for (let at = 0; cursor !== null; at++) {
    const { products, next } = await page(`${query}${cursor && `&cursor=${cursor}`}`);
    found.push(...products);
    await between(at);
    cursor = next;
  }
  return found;
};

const idsOf = (products: readonly ListedProduct[]): string[] => products.map(({ id }) => id);

describe('paging', () => {
  test.each(SORTS.flatMap((sort) => [1, 7, 100].map((limit) => [sort, limit] as const)))(
    'by %s, %i at a time, shows each product once, in one and the same order',
    async (sort, limit) => {
      const whole = (await page(`sort=${sort}&limit=100`)).products;
      const found = await pages(`sort=${sort}&limit=${limit}`);
      expect(idsOf(found)).toEqual(idsOf(whole));
      expect(new Set(idsOf(found)).size).toBe(PRODUCTS);
    },
  );

  test.each(SORTS)('pages by %s without loss or repetition while products are added and deleted', async (sort) => {
    const before = idsOf(await pages(`sort=${sort}&limit=100`));
    const made: string[] = [];
    const found = await pages(`sort=${sort}&limit=9`, async (at) => {
      const product = await merchant.createProduct({
        name: `Shoe ${at % 4}`,
        price: 8 + (at % 6),
        featured: at % 2 === 0,
      });
      made.push(product.id);
      if (at % 3 === 2) await merchant.secret('DELETE', `/v1/products/${made.shift()}`);
    });
    const ids = idsOf(found);
    expect(new Set(ids).size).toBe(ids.length);
    expect(before.filter((id) => !ids.includes(id))).toEqual([]);
    for (const id of made) await merchant.secret('DELETE', `/v1/products/${id}`);
  });

  test('goes on although the product that it stopped at is gone', async () => {
    const before = idsOf(await pages('sort=name&limit=100'));
    const extra = await merchant.createProduct({ name: 'Shoe 0', price: 1 });
    const { products, next } = await page('sort=name&limit=1');
    expect(products[0]!.id).toBe(extra.id);
    await merchant.secret('DELETE', `/v1/products/${extra.id}`);
    const rest = idsOf(await pages(`sort=name&limit=100&cursor=${next}`));
    expect(rest).toEqual(before);
  });

  test('ends where the cursor is of another list, sort, filter, tenant, environment or was touched', async () => {
    const { next } = await page('sort=name&limit=5');
    const outsider = await openMerchant(stoa);
    for (const [sender, query] of [
      [merchant.publishable, `sort=price_asc&cursor=${next}`],
      [merchant.publishable, `cursor=${next}`],
      [merchant.publishable, `sort=name&brand=Acme&cursor=${next}`],
      [merchant.publishable, `sort=name&cursor=${next}x`],
      [merchant.publishable, `sort=name&cursor=${next!.slice(1)}`],
      [merchant.test, `sort=name&cursor=${next}`],
      [outsider.publishable, `sort=name&cursor=${next}`],
    ] as const) {
      const { status, body } = await sender('GET', `/v1/products?${query}`);
      expect([status, body.error?.param], query).toEqual([400, 'cursor']);
    }
    const collections = await merchant.publishable('GET', `/v1/product-collections?cursor=${next}`);
    expect([collections.status, collections.body.error.param]).toEqual([400, 'cursor']);
  });
});

describe('filters', () => {
  const every = async () => pages('limit=100');

  test.each<[string, (product: ListedProduct) => boolean]>([
    ['brand=acme', ({ brand }) => brand === 'Acme'],
    ['tag=T1', ({ tags }) => tags!.includes('t1')],
    ['condition=used', ({ condition }) => condition === 'used'],
    ['featured=true', ({ featured }) => featured],
    ['featured=false', ({ featured }) => !featured],
    ['in_stock=true', ({ stock }) => stock! > 0],
    ['in_stock=false', ({ stock }) => stock === 0],
    ['min_price=10', ({ selling_price }) => selling_price! >= 10],
    ['max_price=9.5', ({ selling_price }) => selling_price! <= 9.5],
    ['min_price=10&max_price=11', ({ selling_price: price }) => price! >= 10 && price! <= 11],
    ['brand=Zeta&in_stock=true&max_price=10', (p) => p.brand === 'Zeta' && p.stock! > 0 && p.selling_price! <= 10],
    ['brand=unknown', () => false],
  ])('%s shows exactly what passes, on pages of any size', async (query, passes) => {
    const expected = idsOf((await every()).filter(passes));
    expect(idsOf(await pages(`${query}&limit=100`))).toEqual(expected);
    expect(idsOf(await pages(`${query}&limit=4`))).toEqual(expected);
  });

  test('follows a product into another category', async () => {
    const inShoes = async () => idsOf(await pages(`category_id=${categoryId}&limit=100`));
    const [id] = await inShoes();
    await merchant.secret('PATCH', `/v1/products/${id}`, { category_id: null });
    expect(await inShoes()).not.toContain(id);
    await merchant.secret('PATCH', `/v1/products/${id}`, { category_id: categoryId });
    expect(await inShoes()).toContain(id);
  });

  test('keeps a collection’s members, and its own order on request', async () => {
    const ids = idsOf(await pages('sort=price_desc&limit=100')).slice(0, 12);
    const shuffled = ids.toReversed();
    const { collection } = (await merchant.secret('POST', '/v1/product-collections', { name: 'Best' })).body;
    await merchant.secret('PUT', `/v1/product-collections/${collection.id}/products`, { product_ids: shuffled });
    expect(idsOf(await pages(`collection_id=${collection.id}&sort=price_desc&limit=5`))).toEqual(ids);
    expect(idsOf(await pages(`collection_id=${collection.id}&sort=collection&limit=5`))).toEqual(shuffled);
    await merchant.secret('PATCH', `/v1/product-collections/${collection.id}`, { is_active: false });
    expect(await pages(`collection_id=${collection.id}`)).toEqual([]);
    expect((await merchant.publishable('GET', `/v1/product-collections/${collection.slug}`)).status).toBe(404);
  });
});

describe('revalidation', () => {
  test('costs nothing until something changes, and then shows it at once', async () => {
    const shown = await merchant.createProduct({ name: 'Kept' });
    const urls = ['/v1/products?limit=3', `/v1/products/${shown.id}`, `/v1/products/by-slug/${shown.product_slug}`];
    const held = await Promise.all(
      urls.map(async (url) => (await merchant.publishable('GET', url)).headers.get('etag')!),
    );
    const ask = (at: number) =>
      merchant.publishable('GET', urls[at]!, undefined, { headers: { 'If-None-Match': held[at]! } });
    for (const at of urls.keys()) expect((await ask(at)).status, urls[at]).toBe(304);
    await merchant.secret('PATCH', `/v1/products/${shown.id}`, { description: 'changed' });
    for (const at of urls.keys()) {
      const reply = await ask(at);
      expect([reply.status, reply.text.includes('"changed"')], urls[at]).toEqual([200, true]);
    }
    const other = await merchant.createProduct({ name: 'Other' });
    const etag = (await merchant.publishable('GET', urls[1]!)).headers.get('etag')!;
    await merchant.secret('PATCH', `/v1/products/${other.id}`, { description: 'changed' });
    const same = await merchant.publishable('GET', urls[1]!, undefined, { headers: { 'If-None-Match': etag } });
    expect(same.status).toBe(304);
  });

  test('shows a renamed category, another currency sign and a stock level within the product', async () => {
    const [first] = await pages(`category_id=${categoryId}&limit=1&sort=price_asc`);
    const read = async () => (await merchant.publishable('GET', `/v1/products/${first!.id}`)).body;
    await read();
    await merchant.secret('PATCH', `/v1/categories/${categoryId}`, { name: 'Boots' });
    expect((await read()).category_name).toBe('Boots');
    await merchant.secret('POST', '/v1/inventory/adjustments', { variant_id: first!.variant_id, on_hand: 77 });
    expect((await read()).stock).toBe(77);
    const { price_list: list } = (
      await merchant.secret('POST', '/v1/price-lists', {
        name: 'Sale',
        prices: [{ variant_id: first!.variant_id, price: 3.5 }],
      })
    ).body;
    expect((await read()).selling_price).toBe(3.5);
    expect((await page('sort=price_asc&limit=1')).products[0]!.id).toBe(first!.id);
    await merchant.secret('DELETE', `/v1/price-lists/${list.id}`);
    expect((await read()).selling_price).toBe(first!.selling_price);
  });
});

describe('fields', () => {
  test('answers exactly the named fields, in lists and details', async () => {
    const { products } = await page('fields=name,selling_price,attributes.colour&limit=3');
    for (const product of products)
      expect(Object.keys(product).sort()).toEqual(['attributes', 'name', 'selling_price']);
    const restocked = await page('fields=id,last_restocked&limit=1');
    expect(Object.keys(restocked.products[0]!)).toEqual(['id', 'last_restocked']);
    expect((await page('limit=1')).products[0]).not.toHaveProperty('last_restocked');
  });
});

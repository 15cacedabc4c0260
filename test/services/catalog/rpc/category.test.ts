// Categories over HTTP: the tree with counts, and deletion.
import { beforeAll, describe, expect, test } from 'vitest';
import type { ProductCategory } from '#proto/gen/category.ts';
import { type Merchant, openMerchant } from '#test/support/catalog.ts';
import { type Stoa, sharedStoa } from '#test/support/stoa.ts';

let stoa: Stoa;
let merchant: Merchant;
beforeAll(async () => {
  stoa = await sharedStoa();
});

const UNKNOWN_ID = '00000000-0000-4000-8000-000000000000';

const create = async (name: string, parent_id?: string): Promise<string> => {
  const { status, body } = await merchant.secret('POST', '/v1/categories', {
    name,
    ...(parent_id ? { parent_id } : {}),
  });
  expect(status).toBe(201);
  return body.category.id;
};

const tree = async (): Promise<ProductCategory[]> =>
  (await merchant.publishable('GET', '/v1/categories')).body.categories;

describe('categories', () => {
  test('match ids in capitals, in products and counts', async () => {
    merchant = await openMerchant(stoa);
    const top = await create('Top');
    const sub = await create('Sub', top.toUpperCase());
    const capitals = { category_id: top.toUpperCase(), subcategory_id: sub.toUpperCase() };
    const { id } = await merchant.createProduct({ category_id: top });
    const placed = await merchant.secret('PATCH', `/v1/products/${id}`, capitals);
    expect(placed.status, placed.text).toBe(200);
    expect(placed.body).toMatchObject({ category_id: top, category_name: 'Top', subcategory_id: sub });
    const again = await merchant.secret('PATCH', `/v1/products/${id}`, { category_id: top.toUpperCase() });
    expect(again.body.subcategory_id).toBe(sub);
    await merchant.createProduct(capitals);
    expect(await tree()).toMatchObject([{ product_count: 2, subcategories: [{ product_count: 2 }] }]);
    for (const query of [`category_id=${top}`, `subcategory_id=${sub}`])
      expect((await merchant.publishable('GET', `/v1/products?${query}`)).body.products).toHaveLength(2);
  });

  test('list as a tree by name, with counts of active products', async () => {
    merchant = await openMerchant(stoa);
    const shoes = await create('Shoes');
    const hats = await create('hats');
    const running = await create('Running', shoes);
    const trail = await create('Trail', shoes);
    await merchant.createProduct({ category_id: shoes });
    await merchant.createProduct({ subcategory_id: running });
    await merchant.createProduct({ subcategory_id: running });
    await merchant.createProduct({ subcategory_id: running, is_active: false });
    await merchant.createProduct();
    const updated_at = expect.any(String);
    const expected = [
      { id: hats, name: 'hats', slug: 'hats', description: null, product_count: 0, updated_at, subcategories: [] },
      {
        id: shoes,
        name: 'Shoes',
        slug: 'shoes',
        description: null,
        product_count: 3,
        updated_at,
        subcategories: [
          { id: running, name: 'Running', slug: 'running', product_count: 2, updated_at },
          { id: trail, name: 'Trail', slug: 'trail', product_count: 0, updated_at },
        ],
      },
    ];
    expect(await tree()).toEqual(expected);
    expect((await merchant.secret('GET', '/v1/categories')).body.categories).toEqual(expected);
    const { body } = await merchant.publishable('GET', '/v1/categories?fields=name,subcategories.product_count');
    expect(body).toEqual({
      categories: [
        { name: 'hats', subcategories: [] },
        { name: 'Shoes', subcategories: [{ product_count: 2 }, { product_count: 0 }] },
      ],
    });
  });

  test('create below a top category with the documented fields', async () => {
    merchant = await openMerchant(stoa);
    const top = await merchant.secret('POST', '/v1/categories', { name: 'Schuhe & Söhne', description: 'All of them' });
    expect(top.body.category).toEqual({
      id: expect.any(String),
      name: 'Schuhe & Söhne',
      slug: 'schuhe-sohne',
      description: 'All of them',
      parent_id: null,
      product_count: 0,
      updated_at: expect.any(String),
      subcategories: [],
    });
    const { id } = top.body.category;
    const sub = await merchant.secret('POST', '/v1/categories', { name: 'Trail', parent_id: id });
    expect(sub.body.category).toMatchObject({ name: 'Trail', parent_id: id, subcategories: [] });
    const below = await merchant.secret('POST', '/v1/categories', { name: 'x', parent_id: sub.body.category.id });
    expect([below.status, below.body.error.param]).toEqual([400, 'parent_id']);
    const nowhere = await merchant.secret('POST', '/v1/categories', { name: 'x', parent_id: UNKNOWN_ID });
    expect([nowhere.status, nowhere.body.error.param]).toEqual([404, 'parent_id']);
    const nameless = await merchant.secret('POST', '/v1/categories', { parent_id: id });
    expect([nameless.status, nameless.body.error.param]).toEqual([400, 'name']);
    const renamed = await merchant.secret('PATCH', `/v1/categories/${id}`, { name: 'Shoes', description: null });
    expect(renamed.body.category).toMatchObject({
      name: 'Shoes',
      slug: 'schuhe-sohne',
      description: null,
      subcategories: [{ name: 'Trail', product_count: 0 }],
    });
    expect((await tree())[0]).toMatchObject({ id, name: 'Shoes' });
    expect((await merchant.secret('PATCH', `/v1/categories/${UNKNOWN_ID}`, { name: 'x' })).status).toBe(404);
  });

  test('move among their siblings, and stand in that order', async () => {
    merchant = await openMerchant(stoa);
    const [a, b, c] = [await create('A'), await create('B'), await create('C')];
    const below = [await create('A1', a), await create('A2', a)];
    const move = async (id: string, position: number): Promise<void> =>
      expect((await merchant.secret('PATCH', `/v1/categories/${id}`, { position })).status).toBe(200);
    const names = async () => (await tree()).map(({ name }) => name).join('');
    await move(c, 1);
    expect(await names()).toBe('CAB');
    await move(c, 2);
    expect(await names()).toBe('ACB');
    await move(a, 99);
    expect(await names()).toBe('CBA');
    await create('0');
    expect(await names()).toBe('CBA0');
    await move(below[1]!, 1);
    expect((await tree())[2]!.subcategories.map(({ name }) => name)).toEqual(['A2', 'A1']);
    const { body } = await merchant.secret('PATCH', `/v1/categories/${b}`, { position: 0 });
    expect(body.error).toMatchObject({ code: 'invalid_request', param: 'position' });
  });

  test('move below another category and to the top, with their products', async () => {
    merchant = await openMerchant(stoa);
    const [shoes, sport] = [await create('Shoes'), await create('Sport')];
    const trail = await create('Trail', shoes);
    const first = await create('Ball', sport);
    const { id } = await merchant.createProduct({ subcategory_id: trail });
    const move = async (body: object) =>
      (await merchant.secret('PATCH', `/v1/categories/${trail}`, body)).body.category;
    const shown = async () => (await merchant.publishable('GET', `/v1/products/${id}`)).body;
    expect(await move({ parent_id: sport.toUpperCase() })).toMatchObject({ parent_id: sport, product_count: 1 });
    expect(await shown()).toMatchObject({ category_id: sport, category_name: 'Sport', subcategory_id: trail });
    expect(await tree()).toMatchObject([
      { id: shoes, product_count: 0, subcategories: [] },
      { id: sport, product_count: 1, subcategories: [{ id: first }, { id: trail, product_count: 1 }] },
    ]);
    for (const [query, count] of [
      [`category_id=${shoes}`, 0],
      [`category_id=${sport}`, 1],
    ] as const)
      expect((await merchant.publishable('GET', `/v1/products?${query}`)).body.products).toHaveLength(count);
    expect(await move({ parent_id: null, position: 1 })).toMatchObject({ parent_id: null, product_count: 1 });
    expect(await shown()).toMatchObject({ category_id: trail, category_name: 'Trail', subcategory_id: null });
    expect((await tree()).map((each) => each.id)).toEqual([trail, shoes, sport]);
    expect(await move({ parent_id: sport, position: 1 })).toMatchObject({ parent_id: sport });
    expect((await tree())[1]!.subcategories.map((each) => each.id)).toEqual([trail, first]);
    expect(await shown()).toMatchObject({ category_id: sport, subcategory_id: trail });
  });

  test('refuse a parent that makes a circle, a third level or a parent of another store, and stay', async () => {
    merchant = await openMerchant(stoa);
    const [top, other] = [await create('Top'), await create('Other')];
    const sub = await create('Sub', top);
    const deep = await create('Deep', other);
    const outsider = await openMerchant(stoa);
    const foreign = (await outsider.secret('POST', '/v1/categories', { name: 'x' })).body.category.id;
    const before = await tree();
    const refused = async (id: string, parent_id: string) => {
      const { status, body } = await merchant.secret('PATCH', `/v1/categories/${id}`, { name: 'Gone', parent_id });
      return [status, body.error.code, body.error.param];
    };
    for (const [id, parent] of [
      [top, top],
      [sub, sub],
      [top, sub],
      [sub, deep],
    ] as const)
      expect(await refused(id, parent)).toEqual([400, 'invalid_request', 'parent_id']);
    expect(await refused(top, other)).toEqual([409, 'conflict', 'parent_id']);
    for (const parent of [UNKNOWN_ID, foreign])
      expect(await refused(sub, parent)).toEqual([404, 'not_found', 'parent_id']);
    expect(await tree()).toEqual(before);
  });

  test('never stand in a circle, however many calls move them below each other at once', async () => {
    merchant = await openMerchant(stoa);
    const ids = [await create('A'), await create('B'), await create('C')];
    const moves = Array.from({ length: 24 }, (_, at) =>
      merchant.secret('PATCH', `/v1/categories/${ids[at % 3]}`, { parent_id: ids[(at + 1 + (at % 2)) % 3] }),
    );
    expect(
      (await Promise.all(moves)).map(({ status }) => status).filter((status) => ![200, 400, 409].includes(status)),
    ).toEqual([]);
    const shown = (await tree()).flatMap(({ id, subcategories }) => [id, ...subcategories.map((each) => each.id)]);
    expect(shown.sort()).toEqual([...ids].sort());
  });

  test('get distinct slugs for equal names', async () => {
    merchant = await openMerchant(stoa);
    const slugs = [];
    for (const name of ['Shoes', 'shoes', 'SHOES!']) {
      slugs.push((await merchant.secret('POST', '/v1/categories', { name })).body.category.slug);
    }
    expect(slugs).toEqual(['shoes', 'shoes-2', 'shoes-3']);
  });

  test('show a new name in their products at once', async () => {
    merchant = await openMerchant(stoa);
    const shoes = await create('Shoes');
    const { id } = await merchant.createProduct({ category_id: shoes });
    const shown = async () => (await merchant.publishable('GET', `/v1/products/${id}`)).body.category_name;
    expect(await shown()).toBe('Shoes');
    await merchant.secret('PATCH', `/v1/categories/${shoes}`, { name: 'Footwear' });
    expect(await shown()).toBe('Footwear');
  });
});

describe('a deleted category', () => {
  const NONE = { category_id: null, category_name: null, subcategory_id: null, subcategory_name: null };

  test('above others leaves its products without a category, and deletes its subcategories', async () => {
    merchant = await openMerchant(stoa);
    const shoes = await create('Shoes');
    const running = await create('Running', shoes);
    const { id } = await merchant.createProduct({ subcategory_id: running });
    const { body } = await merchant.secret('DELETE', `/v1/categories/${shoes}`);
    expect(body).toEqual({ deleted: true, id: shoes });
    expect(await tree()).toEqual([]);
    expect((await merchant.publishable('GET', `/v1/products/${id}`)).body).toMatchObject(NONE);
    const { sql } = stoa.services.runtime.postgres;
    const left = await sql`
      select category_id, subcategory_id from catalog.product where store = ${merchant.tenant.store}`;
    expect([...left]).toEqual([{ category_id: null, subcategory_id: null }]);
    const again = await merchant.secret('POST', '/v1/products', { name: 'x', subcategory_id: running });
    expect([again.status, again.body.error.param]).toEqual([404, 'subcategory_id']);
    expect((await merchant.secret('DELETE', `/v1/categories/${shoes}`)).status).toBe(404);
  });

  test('below leaves its products in the parent category', async () => {
    merchant = await openMerchant(stoa);
    const shoes = await create('Shoes');
    const running = await create('Running', shoes);
    const { id } = await merchant.createProduct({ subcategory_id: running });
    await merchant.secret('DELETE', `/v1/categories/${running}`);
    const product = (await merchant.publishable('GET', `/v1/products/${id}`)).body;
    expect(product).toMatchObject({ ...NONE, category_id: shoes, category_name: 'Shoes' });
    expect(await tree()).toMatchObject([{ product_count: 1, subcategories: [] }]);
  });
});

test('categories of one tenant do not exist for another', async () => {
  merchant = await openMerchant(stoa);
  const shoes = await create('Shoes');
  const outsider = await openMerchant(stoa);
  for (const send of [outsider.secret, merchant.test]) {
    expect((await send('GET', '/v1/categories')).body.categories).toEqual([]);
    expect((await send('PATCH', `/v1/categories/${shoes}`, { name: 'x' })).status).toBe(404);
    expect((await send('DELETE', `/v1/categories/${shoes}`)).status).toBe(404);
    const { status } = await send('POST', '/v1/products', { name: 'x', category_id: shoes });
    expect(status).toBe(404);
  }
  expect((await merchant.publishable('POST', '/v1/categories', { name: 'x' })).status).toBe(403);
});

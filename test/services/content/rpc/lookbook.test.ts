// Lookbooks over HTTP: fields, hotspots that follow the catalogue, visibility and `lookbook.published`.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { StoreLookbook } from '#proto/gen/lookbook.ts';
import { manualClock } from '#runtime/process/clock.ts';
import { type Merchant, openMerchant } from '#test/support/catalog.ts';
import { subscribeEvents } from '#test/support/event.ts';
import { eventually } from '#test/support/server.ts';
import { type Reply, type Stoa, startStoa } from '#test/support/stoa.ts';

const clock = manualClock(Date.parse('2026-06-01T12:00:00Z'));
let stoa: Stoa;
let merchant: Merchant;
beforeAll(async () => {
  stoa = await startStoa({ clock });
  merchant = await openMerchant(stoa);
});
afterAll(() => stoa?.stop());

const UNKNOWN_ID = '00000000-0000-4000-8000-000000000000';
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const at = (seconds: number): string => new Date(clock.real() + seconds * 1_000).toISOString();
const problemOf = ({ status, body }: Reply): unknown[] => [status, body.error?.code, body.error?.param];

const create = async (body: object, of = merchant): Promise<StoreLookbook> => {
  const reply = await of.secret('POST', '/v1/lookbooks', body);
  if (reply.status !== 201) throw new Error(reply.text);
  return reply.body;
};
const change = (id: string, body: object, of = merchant): Promise<Reply> =>
  of.secret('PATCH', `/v1/lookbooks/${id}`, body);
const read = (slug: string, send = merchant.publishable, query = ''): Promise<Reply> =>
  send('GET', `/v1/lookbooks/${slug}${query}`);

const picture = (name: string, ...hotspots: object[]) => ({ url: `https://cdn.example/${name}.jpg`, hotspots });
const spot = (product_id: string, more: object = {}) => ({ x: 0.25, y: 0.5, product_id, ...more });

describe('a lookbook', () => {
  test('returns every field, with defaults for omitted ones', async () => {
    const bare = await create({ title: 'Slow mornings' });
    expect(bare).toEqual({
      id: expect.any(String),
      title: 'Slow mornings',
      slug: 'slow-mornings',
      description: '',
      featured_image: null,
      video: null,
      collection_id: null,
      status: 'draft',
      published_at: null,
      created_at: at(0),
      updated_at: at(0),
      images: [],
    });
    const nulls = { slug: null, description: null, images: null, status: null, published_at: null, video: null };
    expect(await create({ title: 'Nulls', ...nulls })).toMatchObject({ slug: 'nulls', images: [], status: 'draft' });
  });

  test('omits `status` when read by slug', async () => {
    const { collection } = (await merchant.secret('POST', '/v1/product-collections', { name: 'Backing' })).body;
    const product = await merchant.createProduct({ name: 'Kettle', price: 48, sale_price: 40 });
    const said = {
      title: 'Whole',
      slug: 'the-whole',
      description: 'All of it.',
      featured_image: 'https://cdn.example/poster.jpg',
      video: 'https://cdn.example/morning.mp4',
      collection_id: collection.id,
      status: 'published',
      published_at: at(-60),
    };
    const images = [picture('one', spot(product.id, { label: 'The kettle' })), picture('two')];
    const written = await create({ ...said, images });
    const hotspot = {
      id: expect.any(String),
      x: 0.25,
      y: 0.5,
      product_id: product.id,
      variant_id: null,
      label: 'The kettle',
      price: 40,
      currency: 'USD',
      in_stock: true,
      product_slug: product.product_slug,
    };
    const shown = [{ url: 'https://cdn.example/one.jpg', hotspots: [hotspot] }, { ...images[1] }];
    expect(written).toEqual({
      ...said,
      id: expect.stringMatching(UUID),
      created_at: at(0),
      updated_at: at(0),
      images: shown,
    });
    const { status, ...detail } = written;
    expect(status).toBe('published');
    for (const send of [merchant.publishable, merchant.secret]) {
      expect((await read('the-whole', send)).body).toEqual(detail);
      const { lookbooks } = (await send('GET', '/v1/lookbooks')).body;
      expect(lookbooks).toContainEqual(written);
    }
  });

  test('shows its first picture as poster if none is chosen', async () => {
    const { id, featured_image } = await create({ title: 'Posterless', images: [picture('first'), picture('next')] });
    expect(featured_image).toBe('https://cdn.example/first.jpg');
    const other = { featured_image: 'https://cdn.example/chosen.jpg' };
    expect((await change(id, other)).body).toMatchObject(other);
    expect((await change(id, { featured_image: null })).body.featured_image).toBe('https://cdn.example/first.jpg');
  });

  test('changes only named fields, and retains ids of returned hotspots', async () => {
    const [one, two] = [await merchant.createProduct(), await merchant.createProduct()];
    const before = await create({ title: 'Old', description: 'x', images: [picture('a', spot(one.id), spot(two.id))] });
    const [first, second] = before.images[0]?.hotspots ?? [];
    clock.advance(1_000);
    const renamed = (await change(before.id, { title: 'New', description: null, images: null })).body;
    expect(renamed).toEqual({ ...before, title: 'New', updated_at: at(0) });
    const images = [
      picture('b', spot(two.id, { id: second?.id, x: 1, y: 0 })),
      picture('a', spot(one.id, { id: UNKNOWN_ID })),
    ];
    const { body } = await change(before.id, { images });
    expect(body.images[0].hotspots[0]).toMatchObject({ id: second?.id, product_id: two.id, x: 1, y: 0 });
    expect([first?.id, second?.id, UNKNOWN_ID]).not.toContain(body.images[1].hotspots[0].id);
    expect(problemOf(await change(UNKNOWN_ID, {}))).toEqual([404, 'not_found', undefined]);
  });

  test('releases its slug when deleted', async () => {
    const { id } = await create({ title: 'Going', status: 'published' });
    const gone = await merchant.secret('DELETE', `/v1/lookbooks/${id}`);
    expect(gone.body).toEqual({ deleted: true, id });
    expect((await read('going')).status).toBe(404);
    expect((await merchant.secret('DELETE', `/v1/lookbooks/${id}`)).status).toBe(404);
    expect((await create({ title: 'Going' })).slug).toBe('going');
  });

  test('refuses a taken slug with 409', async () => {
    const first = await create({ title: 'The same' });
    expect((await create({ title: 'The Same!' })).slug).toBe('the-same-2');
    const given = await merchant.secret('POST', '/v1/lookbooks', { title: 'Other', slug: 'the-same' });
    expect(problemOf(given)).toEqual([409, 'conflict', 'slug']);
    const other = await create({ title: 'Another' });
    expect(problemOf(await change(other.id, { slug: 'the-same' }))).toEqual([409, 'conflict', 'slug']);
    expect((await change(first.id, { slug: 'the-same' })).status).toBe(200);
    // Posts have a namespace of their own.
    expect((await merchant.secret('POST', '/v1/blog/posts', { title: 'The same' })).status).toBe(201);
  });

  test.each([
    [{}, 'title'],
    [{ title: ' \n ' }, 'title'],
    [{ title: 'x', slug: 'Not One' }, 'slug'],
    [{ title: 'x', video: 'film.mp4' }, 'video'],
    [{ title: 'x', status: 'scheduled' }, 'status'],
    [{ title: 'x', status: 'published', published_at: '2099-01-01T00:00:00Z' }, 'published_at'],
    [{ title: 'x', images: [{}] }, 'images[0].url'],
    [{ title: 'x', images: [picture('a', { x: 1.1, y: 0, product_id: UNKNOWN_ID })] }, 'images[0].hotspots[0].x'],
    [{ title: 'x', images: [picture('a', { x: 1, y: -0.1, product_id: UNKNOWN_ID })] }, 'images[0].hotspots[0].y'],
    [{ title: 'x', images: [picture('a', { x: 1, y: 0 })] }, 'images[0].hotspots[0].product_id'],
    [{ title: 'x', images: Array(6).fill(picture('a', ...Array(100).fill(spot(UNKNOWN_ID)))) }, 'images'],
  ])('is refused as %j at %s', async (body, param) => {
    expect(problemOf(await merchant.secret('POST', '/v1/lookbooks', body))).toEqual([400, 'invalid_request', param]);
  });

  test('refuses products, variants and collections of other stores', async () => {
    const other = await openMerchant(stoa);
    const [product, theirs] = [await merchant.createProduct(), await other.createProduct()];
    const second = await merchant.createProduct();
    for (const [body, param] of [
      [{ collection_id: UNKNOWN_ID }, 'collection_id'],
      [{ images: [picture('a', spot(product.id), spot(UNKNOWN_ID))] }, 'images[0].hotspots[1].product_id'],
      [{ images: [picture('a'), picture('b', spot(theirs.id))] }, 'images[1].hotspots[0].product_id'],
      [
        { images: [picture('a', spot(product.id, { variant_id: second.variant_id }))] },
        'images[0].hotspots[0].variant_id',
      ],
    ] as const) {
      const created = await merchant.secret('POST', '/v1/lookbooks', { title: 'Nothing', ...body });
      expect(problemOf(created)).toEqual([404, 'not_found', param]);
      const { id } = await create({ title: `Changed to ${param}` });
      expect(problemOf(await change(id, body))).toEqual([404, 'not_found', param]);
    }
  });
});

describe('“404 (no published lookbook with that slug)”', () => {
  test('holds for any key; only a secret key lists drafts', async () => {
    const shop = await openMerchant(stoa);
    const { id } = await create({ title: 'Hidden' }, shop);
    const slugs = async (send: Merchant['secret'], query = ''): Promise<string[]> =>
      (await send('GET', `/v1/lookbooks${query}`)).body.lookbooks.map(({ slug }: StoreLookbook) => slug);
    for (const send of [shop.publishable, shop.secret]) expect((await read('hidden', send)).status).toBe(404);
    expect(await slugs(shop.publishable)).toEqual([]);
    expect(await slugs(shop.secret)).toEqual(['hidden']);
    expect((await change(id, { status: 'published' }, shop)).body.published_at).toBe(at(0));
    for (const send of [shop.publishable, shop.secret]) expect((await read('hidden', send)).status).toBe(200);
    expect((await change(id, { status: 'draft' }, shop)).body.status).toBe('draft');
    for (const send of [shop.publishable, shop.secret]) expect((await read('hidden', send)).status).toBe(404);
    expect(await slugs(shop.secret, '?status=published')).toEqual([]);
    expect(await slugs(shop.secret, '?status=draft')).toEqual(['hidden']);
    const refused = await shop.publishable('GET', '/v1/lookbooks?status=published');
    expect(problemOf(refused)).toEqual([403, 'forbidden', 'status']);
    expect((await read('nothing-of-the-kind')).status).toBe(404);
  });

  test('holds for the other environment', async () => {
    await create({ title: 'Live', status: 'published' });
    expect((await read('live', merchant.test)).status).toBe(404);
  });

  test('allows no write with a publishable key', async () => {
    const { id } = await create({ title: 'Kept' });
    for (const reply of [
      await merchant.publishable('POST', '/v1/lookbooks', { title: 'x' }),
      await merchant.publishable('PATCH', `/v1/lookbooks/${id}`, {}),
      await merchant.publishable('DELETE', `/v1/lookbooks/${id}`),
    ])
      expect([reply.status, typeof reply.body.error.hint]).toEqual([403, 'string']);
  });
});

describe('`fields`', () => {
  const ALLOWED = [
    'id',
    'title',
    'slug',
    'description',
    'featured_image',
    'video',
    'collection_id',
    'published_at',
    'created_at',
    'images',
  ];

  test('accepts the allowed names of a lookbook and no others', async () => {
    const product = await merchant.createProduct();
    await create({ title: 'Fields', status: 'published', images: [picture('a', spot(product.id))] });
    const { body } = await read('fields', merchant.publishable, `?fields=${ALLOWED.join(',')}`);
    expect(Object.keys(body).sort()).toEqual([...ALLOWED].sort());
    for (const name of ['status', 'updated_at', 'hotspots', 'nothing']) {
      const refused = await read('fields', merchant.publishable, `?fields=title,${name}`);
      expect(problemOf(refused)).toEqual([400, 'invalid_request', 'fields']);
      expect(refused.body.error.message).toContain(name);
    }
    expect((await read('fields', merchant.publishable, '?fields=images.hotspots.price')).body).toEqual({
      images: [{ hotspots: [{ price: 19.99 }] }],
    });
  });

  test('selects fields of the items in a list', async () => {
    const { body } = await merchant.publishable('GET', '/v1/lookbooks?limit=1&fields=slug,status,updated_at');
    expect(Object.keys(body.lookbooks[0]).sort()).toEqual(['slug', 'status', 'updated_at']);
  });
});

describe('a hotspot', () => {
  const only = async (slug: string, send = merchant.publishable) => (await read(slug, send)).body.images[0].hotspots[0];

  test('shows current price, stock and slug, and changes the ETag', async () => {
    const product = await merchant.createProduct({ price: 10, stock: 1 });
    await create({ title: 'Live prices', status: 'published', images: [picture('a', spot(product.id))] });
    let etag = '';
    const changes = async (): Promise<void> => {
      await eventually(async () => {
        const reply = await merchant.publishable('GET', '/v1/lookbooks/live-prices', undefined, {
          headers: { 'If-None-Match': etag },
        });
        expect(reply.status).toBe(200);
        etag = reply.headers.get('etag') as string;
      });
      const again = await merchant.publishable('GET', '/v1/lookbooks/live-prices', undefined, {
        headers: { 'If-None-Match': etag },
      });
      expect(again.status).toBe(304);
    };
    await changes();
    expect(await only('live-prices')).toMatchObject({ price: 10, in_stock: true, product_slug: product.product_slug });
    await merchant.secret('PATCH', `/v1/products/${product.id}`, { sale_price: 8.5 });
    await changes();
    expect(await only('live-prices')).toMatchObject({ price: 8.5 });
    await merchant.secret('POST', '/v1/inventory/adjustments', { variant_id: product.variant_id, on_hand: 0 });
    await changes();
    expect(await only('live-prices')).toMatchObject({ in_stock: false });
  });

  test('shows the named variant, or the product’s list price and any stock', async () => {
    const product = await merchant.createProduct({
      variants: [
        { sku: 'S', price: 10, stock: 0, variant_attributes: { size: 'S' } },
        { sku: 'L', price: 12, stock: 3, variant_attributes: { size: 'L' } },
      ],
    });
    const [small, large] = product.variants ?? [];
    const hotspots = [null, small?.variant_id, large?.variant_id].map((variant_id) => spot(product.id, { variant_id }));
    await create({ title: 'Variants', status: 'published', images: [picture('a', ...hotspots)] });
    const shown = (await read('variants')).body.images[0].hotspots;
    expect(shown).toMatchObject([
      { variant_id: null, price: 10, in_stock: true },
      { variant_id: small?.variant_id, price: 10, in_stock: false },
      { variant_id: large?.variant_id, price: 12, in_stock: true },
    ]);
  });

  test('leaves out inactive and deleted products for publishable keys', async () => {
    const [stays, hides, goes] = [
      await merchant.createProduct(),
      await merchant.createProduct(),
      await merchant.createProduct(),
    ];
    const images = [picture('a', ...[stays, hides, goes].map(({ id }) => spot(id)))];
    await create({ title: 'Left out', status: 'published', images });
    await merchant.secret('PATCH', `/v1/products/${hides.id}`, { is_active: false });
    await merchant.secret('DELETE', `/v1/products/${goes.id}`);
    const listed = async (send: Merchant['secret']) =>
      (await send('GET', '/v1/lookbooks?limit=100')).body.lookbooks.find(
        ({ slug }: StoreLookbook) => slug === 'left-out',
      );
    for (const { images } of [(await read('left-out')).body, await listed(merchant.publishable)]) {
      expect(images[0].hotspots).toMatchObject([{ product_id: stays.id }]);
    }
    for (const { images } of [(await read('left-out', merchant.secret)).body, await listed(merchant.secret)]) {
      expect(images[0].hotspots).toMatchObject([
        { product_id: stays.id, price: 19.99 },
        { product_id: hides.id, price: 19.99, product_slug: hides.product_slug },
        { product_id: goes.id, price: null, in_stock: false, product_slug: null },
      ]);
    }
    await merchant.secret('PATCH', `/v1/products/${hides.id}`, { is_active: true });
    expect((await read('left-out')).body.images[0].hotspots).toHaveLength(2);
  });

  test('may name an inactive product', async () => {
    const { id } = await merchant.createProduct({ is_active: false });
    await create({ title: 'Soon', status: 'published', images: [picture('a', spot(id))] });
    expect((await read('soon')).body.images[0].hotspots).toEqual([]);
  });
});

test('deleting a collection leaves its lookbooks without one', async () => {
  const { collection } = (await merchant.secret('POST', '/v1/product-collections', { name: 'Short-lived' })).body;
  const { id, collection_id } = await create({ title: 'Backed', status: 'published', collection_id: collection.id });
  expect(collection_id).toBe(collection.id);
  await merchant.secret('DELETE', `/v1/product-collections/${collection.id}`);
  expect((await read('backed')).body.collection_id).toBeNull();
  expect((await change(id, { title: 'Backed once' })).body.collection_id).toBeNull();
  expect((await change(id, { collection_id: null })).status).toBe(200);
});

test('`lookbook.published` is emitted once, at the first publication, with the resource', async () => {
  const shop = await openMerchant(stoa);
  const published: StoreLookbook[] = [];
  subscribeEvents(stoa.services.runtime, ({ type, data }, { store }) => {
    if (store === shop.keys.store_id && type === 'lookbook.published') published.push(data.object as StoreLookbook);
  });
  const product = await shop.createProduct();
  const { id } = await create({ title: 'Told', images: [picture('a', spot(product.id))] }, shop);
  const { body } = await change(id, { status: 'published' }, shop);
  for (const status of ['draft', 'published']) await change(id, { status }, shop);
  const other = await create({ title: 'At once', status: 'published' }, shop);
  await eventually(() => expect(published).toHaveLength(2));
  expect(published).toEqual([body, other]);
});

test('lists pages, newest publication first', async () => {
  const shop = await openMerchant(stoa);
  for (const [title, days] of [
    ['b', 2],
    ['c1', 3],
    ['c2', 3],
    ['a', 1],
  ] as const)
    await create({ title, status: 'published', published_at: at(-days * 86_400) }, shop);
  const walk = async (send: Merchant['secret']): Promise<string[]> => {
    const seen: string[] = [];
    for (let cursor: string | null = ''; cursor !== null; ) {
      const { body }: Reply = await send('GET', `/v1/lookbooks?limit=1${cursor && `&cursor=${cursor}`}`);
      seen.push(...body.lookbooks.map(({ title }: StoreLookbook) => title));
      cursor = body.pagination.next_cursor;
    }
    return seen;
  };
  expect(await walk(shop.publishable)).toEqual(['a', 'b', 'c2', 'c1']);
  expect(await walk(shop.secret)).toEqual(['a', 'c2', 'c1', 'b']);
});

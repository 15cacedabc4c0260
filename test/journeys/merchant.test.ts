// A merchant's back-end developer on the first day: pushes a catalogue, watches its job, reads everything back, mends
// products, publishes the feed, and follows the events.
import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import type { IngestionJob } from '#proto/gen/ingestion.ts';
import type { ListedProduct, Product } from '#proto/gen/product.ts';
import type { EventEnvelope } from '#runtime/event/envelope.ts';
import { type Merchant, openMerchant } from '#test/support/catalog.ts';
import { subscribeEvents } from '#test/support/event.ts';
import { eventually } from '#test/support/server.ts';
import { type Stoa, sharedStoa } from '#test/support/stoa.ts';

const ROWS = 320;
const CATEGORIES = ['Shoes > Trail', 'Shoes > Road', 'Bags', 'Lamps > Desk'] as const;

/** The merchant's own catalogue: every fifth product has variants, every seventh is out of stock. */
const homeRow = (n: number) => {
  const plain = {
    external_id: `SKU-${n}`,
    name: `Product ${String(n).padStart(3, '0')} “é” <&>`,
    description: `Number ${n}.`,
    category: CATEGORIES[n % CATEGORIES.length],
    brand: n % 3 === 0 ? 'Acme' : 'Ümlaut',
    tags: n % 2 === 0 ? ['even'] : ['odd', 'new'],
    attributes: { number: n, colour: n % 2 === 0 ? 'red' : 'blue' },
    media: [{ url: `https://cdn.example/${n}.jpg` }],
  };
  const stock = n % 7 === 0 ? 0 : n;
  if (n % 5 !== 0) return { ...plain, sku: `A-${n}`, price: n + 0.99, sale_price: n % 4 === 0 ? n : null, stock };
  return {
    ...plain,
    variants: ['S', 'M'].map((size, at) => ({
      sku: `A-${n}-${size}`,
      price: n + at + 0.5,
      stock,
      variant_attributes: { size },
    })),
  };
};

interface DeliveredEvent {
  readonly id: string;
  readonly type: string;
  readonly store_id: string;
  readonly api_version: string;
  readonly created_at: string;
  readonly data: { readonly object: Record<string, unknown> };
  readonly previous_attributes?: Record<string, unknown>;
}

let stoa: Stoa;
let merchant: Merchant;
const delivered: DeliveredEvent[] = [];
beforeAll(async () => {
  stoa = await sharedStoa();
  merchant = await openMerchant(stoa);
  subscribeEvents(stoa.services.runtime, (event, { store }) => {
    if (store === merchant.keys.store_id) delivered.push(event as EventEnvelope & DeliveredEvent);
  });
});

const push = async (body: unknown, key: string = randomUUID()): Promise<IngestionJob> => {
  const { keys, secret } = merchant;
  const reply = await secret('POST', '/v1/ingestion/push', body, {
    signWith: keys.hmac_secret,
    headers: { 'Idempotency-Key': key },
  });
  expect(reply.status, reply.text).toBe(202);
  return reply.body.job;
};

const ended = (job: IngestionJob): Promise<IngestionJob> =>
  eventually(async () => {
    const { body } = await merchant.secret('GET', `/v1/ingestion/jobs/${job.id}`);
    expect(body.job.finished_at).not.toBeNull();
    return body.job as IngestionJob;
  });

/** Everything, page by page. */
const everything = async (limit = 37): Promise<ListedProduct[]> => {
  const found: ListedProduct[] = [];
  for (let cursor = ''; ; ) {
    const { status, body } = await merchant.secret('GET', `/v1/products?limit=${limit}${cursor}`);
    expect(status).toBe(200);
    found.push(...body.products);
    expect(body.pagination.has_more).toBe(body.pagination.next_cursor !== null);
    if (!body.pagination.has_more) return found;
    expect(body.products).toHaveLength(limit);
    cursor = `&cursor=${encodeURIComponent(body.pagination.next_cursor)}`;
  }
};

const rows = Array.from({ length: ROWS }, (_, n) => homeRow(n));
const nameOf = (n: number): string => rows[n]!.name;

/** Steps of one story: each stands on those before it. */
describe('a merchant', () => {
  test('pushes the catalogue, with two bad rows in it that fail alone', async () => {
    const bad = [{ external_id: 'BAD-1', name: 'No amount', price: '10' }, { name: 'Unnamed' }];
    const job = await ended(await push({ mode: 'upsert', products: [...rows, ...bad] }));
    expect(job).toMatchObject({
      status: 'completed',
      rows_total: ROWS + 2,
      rows_created: ROWS,
      rows_updated: 0,
      rows_unchanged: 0,
      rows_failed: 2,
    });
    expect(job.errors).toMatchObject([
      { row: ROWS, external_id: 'BAD-1', code: 'invalid_request', param: 'price' },
      { row: ROWS + 1, external_id: null, code: 'invalid_request', param: 'external_id' },
    ]);
  });

  test('reads it all back, each product once and as it was at home', async () => {
    const listed = await everything();
    expect(listed.map(({ name }) => name).sort()).toEqual(rows.map(({ name }) => name).sort());
    const byName = new Map(listed.map((product) => [product.name, product]));
    for (const [n, row] of rows.entries()) {
      const product = byName.get(row.name)!;
      const [top, sub = null] = row.category!.split(' > ');
      expect(product).toMatchObject({
        description: row.description,
        brand: row.brand,
        tags: row.tags,
        attributes: row.attributes,
        thumbnail_url: row.media[0]!.url,
        category_name: top,
        subcategory_name: sub,
        has_variants: n % 5 === 0,
        price: n % 5 === 0 ? n + 0.5 : n + 0.99,
        selling_price: n % 5 === 0 ? n + 0.5 : n % 4 === 0 ? n : n + 0.99,
        stock: n % 7 === 0 ? 0 : n,
      });
    }
    const { body } = await merchant.publishable('GET', '/v1/categories');
    const counts = new Map<string, number>(
      body.categories.map(({ name, product_count }: { name: string; product_count: number }) => [name, product_count]),
    );
    expect(counts).toEqual(
      new Map([
        ['Bags', ROWS / 4],
        ['Lamps', ROWS / 4],
        ['Shoes', ROWS / 2],
      ]),
    );
  });

  test('sees one detail as the other: by id, by slug, by its fields', async () => {
    const [listed] = (await merchant.publishable('GET', '/v1/products?brand=ACME&sort=name&limit=1')).body.products;
    expect(listed.name).toBe(nameOf(0));
    const byId = await merchant.publishable('GET', `/v1/products/${listed.id}`);
    const bySlug = await merchant.publishable('GET', `/v1/products/by-slug/${listed.product_slug}`);
    expect(bySlug.body).toEqual(byId.body);
    expect(byId.body).toMatchObject({ variant_count: 2, total_stock: 0, price_range: { min: 0.5, max: 1.5 } });
    const fields = await merchant.publishable(
      'GET',
      `/v1/products/${listed.id}?fields=name,variants.sku,attributes.colour`,
    );
    expect(fields.body).toEqual({
      name: nameOf(0),
      attributes: { colour: 'red' },
      variants: [{ sku: 'A-0-S' }, { sku: 'A-0-M' }],
    });
  });

  test('sends the same again: nothing changes, neither a product nor a tag nor an event', async () => {
    const list = () => merchant.publishable('GET', '/v1/products?sort=name&limit=100');
    const before = await list();
    const changes = () => delivered.filter(({ type }) => /^product\.(created|updated|deleted)$/.test(type));
    await eventually(() => expect(changes()).toHaveLength(ROWS));
    const job = await ended(await push({ products: rows }));
    expect(job).toMatchObject({ rows_unchanged: ROWS, rows_created: 0, rows_updated: 0, rows_failed: 0 });
    const after = await list();
    expect([after.text, after.headers.get('etag')]).toEqual([before.text, before.headers.get('etag')]);
    expect(changes()).toHaveLength(ROWS);
  });

  test('mends one product, and reads what it wrote', async () => {
    const [listed] = (await merchant.secret('GET', '/v1/products?sort=name&limit=2')).body.products.slice(1);
    expect(listed.name).toBe(nameOf(1));
    const patched = await merchant.secret('PATCH', `/v1/products/${listed.id}`, {
      price: 5,
      sale_price: 4.5,
      stock: 0,
    });
    expect(patched.body).toMatchObject({ price: 5, sale_price: 4.5, selling_price: 4.5, stock: 0, name: nameOf(1) });
    expect((await merchant.publishable('GET', `/v1/products/${listed.id}`)).body).toEqual(patched.body);
    const { products } = (await merchant.publishable('GET', '/v1/products?sort=price_asc&limit=100')).body;
    const prices = (products as Product[]).map(({ selling_price }) => selling_price!);
    expect(prices).toEqual(prices.toSorted((a, b) => a - b));
    expect(prices).toContain(4.5);
    await eventually(() => {
      const updated = delivered.filter(({ type, data }) => type === 'product.updated' && data.object.id === listed.id);
      expect(updated).toHaveLength(1);
      expect(updated[0]!.previous_attributes).toEqual({ price: 1.99, sale_price: null, selling_price: 1.99, stock: 1 });
      expect(
        delivered.filter(({ type, data }) => type === 'product.out_of_stock' && data.object.id === listed.id),
      ).toHaveLength(1);
    });
  });

  test('publishes the feed, which says what the catalogue says', async () => {
    const { keys } = merchant;
    const feed = (file: string) => stoa.send('GET', `/v1/feeds/${keys.code}/${file}`);
    expect((await feed('products.json')).status).toBe(404);
    await merchant.secret('PATCH', '/v1/store', { feeds: { products_enabled: true } });
    const json = await eventually(async () => {
      const reply = await feed('products.json');
      expect(reply.status).toBe(200);
      return reply;
    });
    expect(json.body.store).toMatchObject({ id: keys.store_id, code: keys.code });
    expect(json.body.products.map(({ name }: Product) => name).sort()).toEqual(rows.map(({ name }) => name).sort());
    const xml = await feed('products.xml');
    const variants = rows.reduce((sum, _row, n) => sum + (n % 5 === 0 ? 2 : 1), 0);
    expect(xml.text.match(/<item>/g)).toHaveLength(variants);
    expect(xml.text).toContain('Product 002 “é” &lt;&amp;&gt;');
    expect((await feed('llms.txt')).text).toContain(`Products: ${ROWS}`);
  });

  test('replaces the catalogue by half of it: the rest is hidden, not gone', async () => {
    const half = rows.slice(0, ROWS / 2);
    const job = await ended(await push({ mode: 'replace', products: half }));
    // Manual changes are overwritten by the merchant's own catalogue.
    expect(job).toMatchObject({ rows_updated: 1, rows_unchanged: ROWS / 2 - 1, rows_deactivated: ROWS / 2 });
    const listed = await everything(100);
    expect(listed.filter(({ is_active }) => is_active)).toHaveLength(ROWS / 2);
    expect(listed).toHaveLength(ROWS);
    const first = await merchant.publishable('GET', '/v1/products?limit=100');
    const second = await merchant.publishable(
      'GET',
      `/v1/products?limit=100&cursor=${first.body.pagination.next_cursor}`,
    );
    expect(first.body.products.length + second.body.products.length).toBe(ROWS / 2);
    await eventually(async () =>
      expect((await stoa.send('GET', `/v1/feeds/${merchant.keys.code}/llms.txt`)).text).toContain(
        `Products: ${ROWS / 2}`,
      ),
    );
  });

  test('notifies a merchant of every event once, in verifiable envelopes', async () => {
    // One by hand, one back again, and half of them hidden; the second push of the same told nothing.
    await eventually(() =>
      expect(delivered.filter(({ type }) => type === 'product.updated')).toHaveLength(2 + ROWS / 2),
    );
    expect(new Set(delivered.map(({ id }) => id)).size).toBe(delivered.length);
    for (const event of delivered) {
      expect(event).toMatchObject({ store_id: merchant.keys.store_id, api_version: 'v1' });
      expect(event.id).toMatch(/^evt_\d+_\w+$/);
      expect(new Date(event.created_at).toISOString()).toBe(event.created_at);
    }
    const hidden = delivered.filter(
      ({ type, previous_attributes: previous }) => type === 'product.updated' && previous?.is_active === true,
    );
    expect(hidden).toHaveLength(ROWS / 2);
  });
});

// Seeding fills the demo shop through the API, and completes it after an interruption.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { BlogPost } from '#proto/gen/blog.ts';
import type { LookbookDetail } from '#proto/gen/lookbook.ts';
import type { Message, Thread } from '#proto/gen/message.ts';
import type { OrderReturn } from '#proto/gen/order_return.ts';
import type { ProductReview } from '#proto/gen/review.ts';
import { CATEGORIES, COLLECTIONS, LOOKBOOKS, POSTS, PRODUCTS } from '#services/cli/demo/data.ts';
import { PROMOTIONS, TAX_RATES } from '#services/cli/demo/price.ts';
import { DISPUTE, RETURNS } from '#services/cli/demo/purchase.ts';
import { relocatePictures } from '#services/cli/demo/relocation.ts';
import { DEMO_STORE } from '#services/cli/demo/retail.ts';
import { REVIEWS } from '#services/cli/demo/review.ts';
import { seedDemo } from '#services/cli/demo/seed.ts';
import { THREADS } from '#services/cli/demo/thread.ts';
import { DEMO_PICTURES } from '#services/cli/demo_store.ts';
import { eventually } from '#test/support/server.ts';
import { type Keys, type Stoa, startStoa } from '#test/support/stoa.ts';

let stoa: Stoa;
let keys: Keys;

const seed = (baseUrl: string, { secret_key, secret_test_key, hmac_test_secret }: Keys): Promise<void> =>
  seedDemo({ baseUrl, secretKey: secret_key, secretTestKey: secret_test_key, hmacTestSecret: hmac_test_secret });

const list = async (key: string, path = '/v1/products?sort=newest'): Promise<Record<string, unknown>[]> => {
  const rows: Record<string, unknown>[] = [];
  for (let cursor = ''; ; ) {
    const { body } = await stoa.send('GET', `${path}&limit=30${cursor && `&cursor=${cursor}`}`, { key });
    rows.push(...body[path.includes('collections') ? 'collections' : 'products']);
    cursor = body.pagination.next_cursor ?? '';
    if (!cursor) return rows;
  }
};
const names = (rows: readonly Record<string, unknown>[]): unknown[] => rows.map(({ name }) => name);
const sorted = (texts: readonly unknown[]): unknown[] => [...texts].sort();
const everyName = sorted(PRODUCTS.map(({ name }) => name));

beforeAll(async () => {
  stoa = await startStoa({ demoPictures: DEMO_PICTURES });
  keys = await stoa.createStore(DEMO_STORE);
  await seed(stoa.url, keys);
});
afterAll(() => stoa?.stop());

describe.each(['publishable_key', 'publishable_test_key'] as const)('with the %s a storefront sees', (name) => {
  test('every product, the shelf’s last one first', async () => {
    expect(names(await list(keys[name]))).toEqual(PRODUCTS.map((it) => it.name).reverse());
  });

  test('every category with what is in it', async () => {
    const { body } = await stoa.send('GET', '/v1/categories', { key: keys[name] });
    const seen = new Map(body.categories.map((it: { name: string }) => [it.name, it]));
    expect(seen.size).toBe(CATEGORIES.length);
    for (const category of CATEGORIES) {
      const subcategories = category.subcategories.map((it) => it.name);
      expect(seen.get(category.name)).toMatchObject({
        description: category.description,
        product_count: PRODUCTS.filter(({ subcategory }) => subcategories.includes(subcategory)).length,
      });
    }
  });

  test('every collection in its order', async () => {
    const collections = await list(keys[name], '/v1/product-collections?');
    expect(names(collections)).toEqual(COLLECTIONS.map((it) => it.name));
    for (const [index, { id }] of collections.entries())
      expect(names(await list(keys[name], `/v1/products?sort=collection&collection_id=${id}`))).toEqual(
        COLLECTIONS[index]?.products,
      );
  });
});

test.each([
  ['Westlands, Nairobi', { fee: 3.5, zone_name: 'Nairobi', options: 4 }],
  ['Mombasa, Kenya', { fee: 12, zone_name: 'Kenya', options: 2 }],
  ['Kampala', { fee: 32, zone_name: 'Uganda, Tanzania, Rwanda', options: 2 }],
  ['Lisbon, Portugal', { fee: 95, zone_name: null, options: 2 }],
])('delivery to %s costs what the policy promises', async (place_name, { options, ...expected }) => {
  const { body } = await stoa.send('POST', '/v1/shipping/calculate', {
    key: keys.publishable_key,
    body: { place_name },
  });
  expect(body).toMatchObject({ ...expected, currency: 'USD', deliverable: true });
  expect(body.options).toHaveLength(options);
  expect(body.options.at(-1)).toMatchObject({ method: 'pickup', name: 'The workshop' });
});

describe('a product comes out as it went in', () => {
  const read = async (name: string) => {
    const row = (await list(keys.publishable_key)).find((it) => it.name === name);
    const { body } = await stoa.send('GET', `/v1/products/${row?.id}`, { key: keys.publishable_key });
    const sheet = await stoa.send('GET', `/v1/products/${row?.id}/specifications`, { key: keys.publishable_key });
    return { product: body, specifications: sheet.body.specifications };
  };

  test('reads a product with several variants', async () => {
    const { product } = await read('Rift Valley Wool Blanket');
    expect(product).toMatchObject({
      brand: 'Ngong Loom',
      category_name: 'Textiles',
      subcategory_name: 'Blankets & Throws',
      featured: true,
      featured_order: 2,
      has_variants: true,
      variant_count: 4,
      total_stock: 58,
      price_range: { min: 128, max: 176, currency: 'USD' },
      thumbnail_url: `${stoa.url}/demo/pictures/blanket-sunset.svg`,
    });
    expect(product.variants[3]).toMatchObject({
      sku: 'TEX-RIFT-DUS-2',
      variant_name: 'Dusk / Double',
      price: 176,
      sale_price: 149,
      selling_price: 149,
      thumbnail_url: `${stoa.url}/demo/pictures/blanket-dusk.svg`,
    });
  });

  test('reads a simple product with its specifications', async () => {
    const { product, specifications } = await read('Tall Rift Vase');
    expect(product).toMatchObject({ sku: 'CER-RIFT', price: 89, selling_price: 89, stock: 3, has_variants: false });
    expect(product).not.toHaveProperty('variants');
    expect(specifications).toEqual([
      { group: 'Size', name: 'Height', value: 34, unit: 'cm' },
      { group: 'Size', name: 'Opening', value: 9, unit: 'cm' },
      { group: 'Making', name: 'Fired at', value: 1240, unit: '°C' },
    ]);
  });

  test('serves the picture of every product', async () => {
    const rows = await list(keys.publishable_key);
    const urls = rows.flatMap(({ media }) => (media as { url: string }[]).map(({ url }) => url));
    const statuses = await Promise.all(urls.map(async (url) => (await fetch(url)).status));
    expect(new Set(statuses)).toEqual(new Set([200]));
  });
});

describe('a basket of the demo shop', () => {
  const variantOf = async (name: string): Promise<string> => {
    const row = (await list(keys.publishable_key)).find((it) => it.name === name);
    return row?.variant_id as string;
  };
  const ask = async (path: string, body: object) =>
    (await stoa.send('POST', path, { key: keys.publishable_key, body })).body;

  test('gets the third cup for nothing, and ten per cent off by its code', async () => {
    const items = [{ variant_id: await variantOf('Highland Mug'), quantity: 3 }];
    const plain = await ask('/v1/pricing/query', { items });
    expect(plain).toMatchObject({ subtotal: 54, discount_total: 18, total: 36 });
    const coded = await ask('/v1/pricing/query', { items, promotion_codes: ['karibu10', 'MIAKA7'] });
    expect(coded).toMatchObject({ total: 32.4, rejected_codes: [{ code: 'MIAKA7' }] });
  });

  test('taxes each product by its category', async () => {
    const items = await Promise.all(
      ['Tall Rift Vase', 'Nyeri Hills Whole Bean'].map(async (name) => ({
        variant_id: await variantOf(name),
        quantity: 1,
      })),
    );
    const { lines } = await ask('/v1/tax/preview', { items, address: { country: 'KE' } });
    expect(lines.map(({ rates }: { rates: { rate: number }[] }) => rates.map(({ rate }) => rate))).toEqual([
      [0.16],
      [0],
    ]);
  });

  test.each(['secret_key', 'secret_test_key'] as const)('lists all promotions and taxes with the %s', async (name) => {
    const { promotions } = (await stoa.send('GET', '/v1/promotions?limit=100', { key: keys[name] })).body;
    expect(sorted(names(promotions))).toEqual(sorted(PROMOTIONS.map((it) => it.name)));
    const { tax_rates } = (await stoa.send('GET', '/v1/tax-rates?limit=100', { key: keys[name] })).body;
    expect(tax_rates).toHaveLength(TAX_RATES.length);
  });
});

test('the store introduces itself and has its five policies', async () => {
  const { store } = (await stoa.send('GET', '/v1/store', { key: keys.publishable_key })).body;
  expect(store).toMatchObject({ name: 'Jua & Udongo', currency: 'USD', timezone: 'Africa/Nairobi' });
  const { policies } = (await stoa.send('GET', '/v1/store/policies', { key: keys.publishable_key })).body;
  expect(sorted(policies.map((it: { type: string }) => it.type))).toEqual([
    'privacy',
    'refund',
    'returns',
    'shipping',
    'terms',
  ]);
  expect(policies.every((it: { version: number }) => it.version === 1)).toBe(true);
});

test('two conversations are in the sandbox, one settled and one that waits for the shop; production has none', async () => {
  const threadsOf = async (key: string) =>
    (await stoa.send('GET', '/v1/messaging/threads', { key })).body.threads as Thread[];
  expect(await threadsOf(keys.secret_key)).toEqual([]);
  const threads = await threadsOf(keys.secret_test_key);
  expect(threads.map(({ subject, status, unread_count }) => ({ subject, status, unread_count }))).toEqual([
    { subject: THREADS[1]!.subject, status: 'open', unread_count: 2 },
    { subject: THREADS[0]!.subject, status: 'closed', unread_count: 0 },
  ]);
  for (const [at, { id }] of threads.toReversed().entries()) {
    const path = `/v1/messaging/threads/${id}/messages`;
    const { messages } = (await stoa.send('GET', path, { key: keys.secret_test_key })).body;
    expect(messages.map(({ sender, body }: Message) => [sender === 'customer' ? 'shopper' : sender, body])).toEqual(
      THREADS[at]!.messages.map(({ from, body }) => [from, body]),
    );
  }
});

test('the sandbox has a return in each state and a dispute; production has none', async () => {
  const rows = async (path: string, key: string) => (await stoa.send('GET', path, { key })).body.data;
  for (const path of ['/v1/returns', '/v1/disputes']) expect(await rows(path, keys.secret_key), path).toEqual([]);
  const returns: OrderReturn[] = await rows('/v1/returns', keys.secret_test_key);
  expect(returns.map(({ status, reason_detail }) => [status, reason_detail])).toEqual(
    RETURNS.map(({ status, reason_detail }) => [status, reason_detail]).reverse(),
  );
  expect(new Set(returns.map(({ status }) => status)).size).toBe(7);
  expect(await rows('/v1/disputes', keys.secret_test_key)).toMatchObject([{ ...DISPUTE, status: 'open' }]);
});

test('four posts and two lookbooks are in the sandbox, one of the posts still to come; production has none', async () => {
  const read = async (path: string, key: string) => (await stoa.send('GET', path, { key })).body;
  for (const [path, list] of [
    ['/v1/blog/posts', 'posts'],
    ['/v1/lookbooks', 'lookbooks'],
  ] as const)
    expect((await read(path, keys.secret_key))[list], path).toEqual([]);
  const { posts } = await read('/v1/blog/posts', keys.secret_test_key);
  expect(posts.map(({ slug, status }: BlogPost) => [slug, status]).reverse()).toEqual(
    POSTS.map(({ slug, daysAgo }) => [slug, daysAgo < 0 ? 'scheduled' : 'published']),
  );
  const { posts: seen } = await read('/v1/blog/posts', keys.publishable_test_key);
  expect(seen.map(({ slug }: BlogPost) => slug)).toEqual(POSTS.slice(0, 3).map(({ slug }) => slug));
  for (const { slug, images } of LOOKBOOKS) {
    const lookbook: LookbookDetail = await read(`/v1/lookbooks/${slug}`, keys.publishable_test_key);
    expect(lookbook).toMatchObject({ collection_id: expect.any(String), featured_image: expect.any(String) });
    expect(lookbook.images.map(({ hotspots }) => hotspots.length)).toEqual(images.map((it) => it.hotspots.length));
    for (const { price, product_slug } of lookbook.images.flatMap(({ hotspots }) => hotspots))
      expect([price, product_slug]).toEqual([expect.any(Number), expect.any(String)]);
  }
});

const reviewsOf = async (key: string): Promise<ProductReview[]> =>
  (await stoa.send('GET', '/v1/reviews?limit=100', { key })).body.reviews;

describe('reviews', () => {
  const approved = REVIEWS.filter(({ verdict }) => verdict === 'approved');

  test('shows approved reviews in both environments, and counts them in the product’s rating', async () => {
    for (const key of [keys.publishable_key, keys.publishable_test_key]) {
      const reviews = await reviewsOf(key);
      expect(sorted(reviews.map(({ title }) => title))).toEqual(sorted(approved.map(({ title }) => title)));
      const mugs = approved.filter(({ product }) => product === 'Highland Mug');
      await eventually(async () => {
        const mug = (await list(key)).find(({ name }) => name === 'Highland Mug');
        expect([mug?.average_rating, mug?.review_count]).toEqual([4.3, mugs.length]);
      });
      for (const { title, helpful_count } of reviews)
        expect(helpful_count).toBe(approved.find((it) => it.title === title)!.votes);
    }
  });

  test('lists pending and rejected reviews, with their orders, in the sandbox only', async () => {
    expect(await reviewsOf(keys.secret_key)).toHaveLength(approved.length);
    const reviews = await reviewsOf(keys.secret_test_key);
    for (const { title, verdict, bought } of REVIEWS)
      expect(reviews.find((it) => it.title === title)).toMatchObject({
        status: verdict === null ? 'pending' : verdict === 'approved' ? 'approved' : 'rejected',
        verified_purchase: bought,
        order_id: bought ? expect.any(String) : null,
      });
    expect(reviews).toHaveLength(REVIEWS.length);
    expect((await stoa.send('GET', '/v1/orders', { key: keys.secret_key })).body.orders).toEqual([]);
  });
});

test('seeding again adds nothing', async () => {
  const before = await list(keys.secret_key);
  const conversations = () => stoa.send('GET', '/v1/messaging/threads', { key: keys.secret_test_key });
  const said = (await conversations()).body;
  const sent = async () =>
    Promise.all(
      [
        '/v1/returns',
        '/v1/disputes',
        '/v1/orders',
        '/v1/reviews',
        '/v1/blog/posts',
        '/v1/lookbooks',
        '/v1/agent/checkout-intents',
      ].map(async (path) => (await stoa.send('GET', path, { key: keys.secret_test_key })).body),
    );
  const firstRun = await sent();
  await seed(stoa.url, keys);
  expect((await conversations()).body).toEqual(said);
  expect(await sent()).toEqual(firstRun);
  expect(await list(keys.secret_key)).toEqual(before);
  const { promotions } = (await stoa.send('GET', '/v1/promotions?limit=100', { key: keys.secret_key })).body;
  expect(promotions).toHaveLength(PROMOTIONS.length);
  const { tax_rates } = (await stoa.send('GET', '/v1/tax-rates?limit=100', { key: keys.secret_key })).body;
  expect(tax_rates).toHaveLength(TAX_RATES.length);
  const { policies } = (await stoa.send('GET', '/v1/store/policies', { key: keys.secret_key })).body;
  expect(policies.every((it: { version: number }) => it.version === 1)).toBe(true);
});

describe('over a bad line', () => {
  /** Passes requests on, and loses the answer of each one whose number `loses` says yes to. */
  const badLine = (loses: (count: number) => boolean) => {
    let count = 0;
    return Bun.serve({
      port: 0,
      hostname: '127.0.0.1',
      async fetch(request) {
        const { pathname, search } = new URL(request.url);
        const body = request.method === 'GET' ? null : await request.arrayBuffer();
        const answer = await fetch(`${stoa.url}${pathname}${search}`, {
          method: request.method,
          // Passed on as it is, so nothing is unpacked on the way.
          headers: { ...Object.fromEntries(request.headers), 'accept-encoding': 'identity' },
          body,
          redirect: 'manual',
        });
        count += 1;
        return loses(count) ? new Response('lost', { status: 503 }) : answer;
      },
    });
  };

  test('lost answers are asked for again and nothing is there twice', async () => {
    const other = await stoa.createStore(DEMO_STORE);
    const line = badLine((count) => count % 23 === 0);
    await seed(line.url.origin, other);
    await line.stop(true);
    expect(sorted(names(await list(other.publishable_key)))).toEqual(everyName);
    expect(sorted(names(await list(other.publishable_test_key)))).toEqual(everyName);
    const { threads } = (await stoa.send('GET', '/v1/messaging/threads', { key: other.secret_test_key })).body;
    expect(threads.map(({ unread_count }: Thread) => unread_count)).toEqual([2, 0]);
    expect(await reviewsOf(other.secret_test_key)).toHaveLength(REVIEWS.length);
  });

  test('a seeding that was cut short is completed by the next one', async () => {
    const other = await stoa.createStore(DEMO_STORE);
    const line = badLine((count) => count > 130);
    await expect(seed(line.url.origin, other)).rejects.toThrow(/was answered 503/);
    await line.stop(true);
    expect((await list(other.publishable_key)).length).toBeLessThan(PRODUCTS.length);
    await seed(stoa.url, other);
    const { threads } = (await stoa.send('GET', '/v1/messaging/threads', { key: other.secret_test_key })).body;
    expect(threads.map(({ subject, unread_count }: Thread) => [subject, unread_count])).toEqual([
      [THREADS[1]!.subject, 2],
      [THREADS[0]!.subject, 0],
    ]);
    for (const key of [other.publishable_key, other.publishable_test_key]) {
      expect(sorted(names(await list(key)))).toEqual(everyName);
      expect(names(await list(key, '/v1/product-collections?'))).toEqual(COLLECTIONS.map((it) => it.name));
    }
  });
});

// The last one: it changes what the others look at.
test('served at another address, all pictures are named there, and no other store’s', async () => {
  const elsewhere = stoa.anotherEdge();
  const [first] = await list(keys.secret_key);
  const own = { type: 'image', url: 'https://pictures.example/own.jpg' };
  await stoa.send('PATCH', `/v1/products/${first?.id}`, { key: keys.secret_key, body: { media: [own] } });
  await relocatePictures({
    baseUrl: elsewhere.url,
    secretKey: keys.secret_key,
    secretTestKey: keys.secret_test_key,
  });
  for (const key of [keys.secret_key, keys.secret_test_key]) {
    const texts = [(await stoa.send('GET', '/v1/store', { key })).text];
    texts.push(JSON.stringify(await list(key, '/v1/product-collections?')));
    const rows = await list(key);
    texts.push(JSON.stringify(rows));
    const { id } = rows.find(({ name }) => name === 'Rift Valley Wool Blanket') ?? {};
    texts.push((await stoa.send('GET', `/v1/products/${id}`, { key })).text);
    for (const path of ['/v1/blog/posts', '/v1/lookbooks']) texts.push((await stoa.send('GET', path, { key })).text);
    const bases = new Set(texts.join().match(/https?:\/\/[^/"]+(?=\/demo\/pictures\/)/g));
    expect([...bases]).toEqual([elsewhere.url]);
  }
  const { body } = await stoa.send('GET', `/v1/products/${first?.id}`, { key: keys.secret_key });
  expect([body.media[0].url, body.thumbnail_url]).toEqual([own.url, own.url]);
}, 240_000);

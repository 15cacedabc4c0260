// Whole imports by the command line into a running system: once, a second time, dry, and cut short.
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ImportReport } from '#services/cli/import/run.ts';
import { type Merchant, openMerchant } from '#test/support/catalog.ts';
import {
  GOOGLE,
  MEDUSA_CSV,
  MEDUSA_JSON,
  SHOPIFY_CUSTOMERS,
  SHOPIFY_PRODUCTS,
  STOA_JSON_LINES,
  WOOCOMMERCE,
} from '#test/support/foreign_shop.ts';
import { eventually } from '#test/support/server.ts';
import { type Stoa, sharedStoa } from '#test/support/stoa.ts';

const MAIN = fileURLToPath(new URL('../../../services/cli/main.ts', import.meta.url));
const RUN_MS = 120_000;

let stoa: Stoa;
let folder: string;
beforeAll(async () => {
  stoa = await sharedStoa();
  folder = mkdtempSync(join(tmpdir(), 'stoa-import-'));
}, RUN_MS);
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
});

const spawned = ({ keys }: Merchant, args: readonly string[]): ChildProcess =>
  spawn(process.execPath, [MAIN, ...args], {
    env: {
      ...process.env,
      STOA_HOME: join(folder, 'home'),
      STOA_BASE_URL: stoa.url,
      STOA_SECRET_KEY: keys.secret_key,
      STOA_HMAC_SECRET: keys.hmac_secret,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });

const ended = (child: ChildProcess): Promise<{ code: number | null; out: string; err: string }> =>
  new Promise((done) => {
    let [out, err] = ['', ''];
    child.stdout!.on('data', (bytes) => {
      out += bytes;
    });
    child.stderr!.on('data', (bytes) => {
      err += bytes;
    });
    child.once('close', (code) => done({ code, out, err }));
  });

const run = async (merchant: Merchant, ...args: string[]): Promise<ImportReport> => {
  const { code, out, err } = await ended(spawned(merchant, [...args, '--json']));
  expect([code, err]).toEqual([0, '']);
  return JSON.parse(out) as ImportReport;
};

const written = (name: string, text: string): string => {
  const file = join(mkdtempSync(join(folder, 'file-')), name);
  writeFileSync(file, text);
  return file;
};

const listed = async ({ secret }: Merchant, list: string): Promise<{ name: string }[]> =>
  (await secret('GET', `/v1/${list}?limit=100`)).body[list === 'product-collections' ? 'collections' : list];

const FORMATS = [
  ['shopify', 'products.csv', SHOPIFY_PRODUCTS, { products: 4, variants: 6, stock: 24, price: 87.5 }],
  ['woocommerce', 'products.csv', WOOCOMMERCE, { products: 2, variants: 3, stock: 8, price: 95.5 }],
  ['medusa', 'products.csv', MEDUSA_CSV, { products: 2, variants: 3, stock: 14, price: 20 }],
  ['medusa', 'products.json', MEDUSA_JSON, { products: 2, variants: 3, stock: 14, price: 20 }],
  ['google', 'feed.xml', GOOGLE, { products: 2, variants: 3, stock: 4, price: 60 }],
  ['json', 'store.ndjson', STOA_JSON_LINES, { products: 2, variants: 3, stock: 6, price: 32.5 }],
] as const;

describe.each(FORMATS)('an import of %s, %s', (format, name, text, sums) => {
  test(
    'dry writes nothing, then brings everything once, and a second time changes nothing',
    async () => {
      const merchant = await openMerchant(stoa);
      const file = written(name, text);
      const dry = await run(merchant, 'import', format, file, '--dry-run');
      expect(dry).toMatchObject({ dry_run: true, done: null, found: { products: sums.products } });
      expect(await listed(merchant, 'products')).toEqual([]);
      expect(readdirSync(join(file, '..'))).toEqual([name]);

      const first = await run(merchant, 'import', format, file);
      expect(first.problems).toEqual(dry.problems);
      expect(first.done).toMatchObject({
        products: { created: sums.products, updated: 0, unchanged: 0, failed: 0 },
        reconciles: true,
        file: sums,
        store: sums,
      });
      expect(existsSync(`${file}.unfinished.json`)).toBe(false);
      const before = await listed(merchant, 'products');
      expect(before).toHaveLength(sums.products);

      const second = await run(merchant, 'import', format, file);
      expect(second.done).toMatchObject({
        products: { created: 0, updated: 0, unchanged: sums.products, failed: 0 },
        categories: { created: 0, changed: 0 },
        collections: { created: 0, changed: 0 },
        customers: { created: 0, changed: 0 },
        reconciles: true,
      });
      expect(await listed(merchant, 'products')).toEqual(before);
    },
    RUN_MS,
  );
});

test(
  'a report of more than a pipe holds at once comes whole',
  async () => {
    const merchant = await openMerchant(stoa);
    const bad = Array.from({ length: 2_000 }, (_, at) => `nameless-${at},,1.00,`);
    const file = written(
      'products.csv',
      `Handle,Title,Variant Price,Variant Inventory Qty\nmug,Mug,2,1\n${bad.join('\n')}\n`,
    );
    const { problems } = await run(merchant, 'import', 'shopify', file, '--dry-run');
    expect(new Set(problems.map(({ row }) => row)).size).toBe(bad.length);
  },
  RUN_MS,
);

test(
  'old handles lead to slugs, problems stand by row, and collections hold what the file says',
  async () => {
    const merchant = await openMerchant(stoa);
    const file = written('products.csv', SHOPIFY_PRODUCTS);
    const { done, problem_file } = await run(merchant, 'import', 'shopify', file);
    const [head, ...redirects] = readFileSync(done!.redirects!, 'utf8').trimEnd().split('\n');
    expect(head).toBe('old_handle,product_slug');
    expect(redirects.map((line) => line.split(',')[0])).toEqual(['river-shirt', 'clay-bowl', 'plain-cup', 'dear-vase']);
    const slug = redirects[1]!.split(',')[1];
    expect((await merchant.publishable('GET', `/v1/products/by-slug/${slug}`)).body.name).toBe('Clay Bowl');
    expect(readFileSync(problem_file!, 'utf8')).toMatch(/^9,no-title,name,all,/m);
    expect((await listed(merchant, 'product-collections')).map(({ name }) => name).sort()).toEqual([
      'Kitchen',
      'Summer',
    ]);
    expect((await listed(merchant, 'categories')).map(({ name }) => name).sort()).toEqual([
      'Bowls',
      'Cups',
      'Shirts',
      'Vases',
    ]);
  },
  RUN_MS,
);

test(
  'customers come once',
  async () => {
    const merchant = await openMerchant(stoa);
    const file = written('customers.csv', SHOPIFY_CUSTOMERS);
    const first = await run(merchant, 'import', 'shopify', file);
    expect(first.done!.customers).toEqual({ created: 2, changed: 0, unchanged: 0 });
    expect(first.problems.map(({ row, whole }) => [row, whole])).toEqual([
      [3, false],
      [4, true],
      [5, true],
    ]);
    const second = await run(merchant, 'import', 'shopify', file);
    expect(second.done!.customers).toEqual({ created: 0, changed: 0, unchanged: 2 });
  },
  RUN_MS,
);

test(
  'a run that is killed goes on where it ended, and nothing comes twice',
  async () => {
    const merchant = await openMerchant(stoa);
    const rows = Array.from({ length: 4_500 }, (_, at) =>
      JSON.stringify({ external_id: `p-${at}`, name: `Product ${at}`, sku: `S-${at}`, price: at % 90, stock: at % 7 }),
    );
    const file = written('store.ndjson', rows.join('\n'));
    const child = spawned(merchant, ['import', 'json', file]);
    const killed = ended(child);
    await eventually(() => expect(existsSync(`${file}.unfinished.json`)).toBe(true), RUN_MS);
    child.kill('SIGKILL');
    await killed;
    const { jobs } = JSON.parse(readFileSync(`${file}.unfinished.json`, 'utf8')) as { jobs: string[] };
    expect(jobs.length).toBeLessThan(5);

    const { done } = await run(merchant, 'import', 'json', file);
    expect(done).toMatchObject({
      products: { updated: 0, failed: 0 },
      reconciles: true,
      store: { products: 4_500, variants: 4_500 },
    });
    // A push that was accepted as the run was killed is sent again, and finds everything as it says.
    expect(done!.products.created + done!.products.unchanged).toBe(4_500);
    const pushed = (await merchant.secret('GET', '/v1/ingestion/jobs?limit=100')).body.jobs as { id: string }[];
    expect(pushed.map(({ id }) => id)).toEqual(expect.arrayContaining(jobs));
  },
  RUN_MS,
);

test(
  'what the store refuses stands by row, and the rest is brought and agrees',
  async () => {
    const merchant = await openMerchant(stoa);
    await merchant.createProduct({ name: 'Another bowl', sku: 'BOWL', price: 1 });
    const { done, problems } = await run(merchant, 'import', 'json', written('store.ndjson', STOA_JSON_LINES));
    expect(problems).toContainEqual({
      row: 3,
      id: 'bowl',
      param: 'sku',
      message: expect.stringContaining('BOWL'),
      whole: true,
    });
    expect(done).toMatchObject({
      products: { created: 1, failed: 1 },
      reconciles: true,
      file: { products: 1, variants: 2, stock: 3, price: 20 },
    });
  },
  RUN_MS,
);

test(
  'sums that do not agree, here for what a checkout holds, are told, with the exit code 1',
  async () => {
    const merchant = await openMerchant(stoa);
    const file = written('store.ndjson', STOA_JSON_LINES);
    await run(merchant, 'import', 'json', file);
    const [{ variant_id }] = (await merchant.secret('GET', '/v1/products?sort=name&limit=1')).body.products;
    const items = [{ variant_id, quantity: 1 }];
    const held = await merchant.publishable('POST', '/v1/agent/checkout-intents', { items });
    expect(held.status, held.text).toBe(201);
    const { code, out } = await ended(spawned(merchant, ['import', 'json', file]));
    expect([code, out]).toEqual([1, expect.stringContaining('Counts and sums differ in 1: bowl.')]);
  },
  RUN_MS,
);

test(
  'an export is an import of another store',
  async () => {
    const [from, into] = [await openMerchant(stoa), await openMerchant(stoa)];
    await run(from, 'import', 'json', written('store.ndjson', STOA_JSON_LINES));
    const file = written('export.ndjson', '');
    const exported = await ended(spawned(from, ['export', '--out', file]));
    expect([exported.code, exported.err]).toEqual([0, '2 products, 1 categories, 1 collections, 1 customers.\n']);
    const { done, problems } = await run(into, 'import', 'json', file);
    expect(problems).toEqual([]);
    expect(done).toMatchObject({
      products: { created: 2, failed: 0 },
      categories: { created: 2 },
      collections: { created: 1 },
      customers: { created: 1 },
      reconciles: true,
      store: { products: 2, variants: 3, stock: 6, price: 32.5 },
    });
    const [collection] = (await into.secret('GET', '/v1/product-collections')).body.collections;
    expect(collection).toMatchObject({ name: 'Kitchen', slug: 'the-kitchen', show_on_homepage: true });
    const { products } = (await into.secret('GET', `/v1/products?collection_id=${collection.id}`)).body;
    expect(products).toMatchObject([{ name: 'Bowl', category_name: 'Bowls', subcategory_name: 'Small bowls' }]);
  },
  RUN_MS,
);

test(
  'what is wrong is one sentence',
  async () => {
    const merchant = await openMerchant(stoa);
    const { code, err } = await ended(spawned(merchant, ['import', 'shopify', join(folder, 'none.csv')]));
    expect([code, err.split('\n').length]).toEqual([1, 2]);
    const other = written('orders.csv', 'Name,Financial Status\n#1001,paid\n');
    expect((await ended(spawned(merchant, ['import', 'shopify', other, '--dry-run']))).code).toBe(1);
    expect(err).toContain('cannot be read');
  },
  RUN_MS,
);

const HEAD = 'Handle,Title,Variant SKU,Variant Inventory Qty,Variant Price,Image Src';
const ROW = 'cup,Cup,CUP,1,2.00,https://pictures.example.com/cup.jpg';

test.each([
  ['a row that was cut off', 'shopify', `${HEAD}\n${ROW}\npot,Po`, 'Row 3 has 2 cells'],
  ['a quote that is never closed', 'shopify', `${HEAD}\n${ROW}\npot,"Po`, 'row 3 and never closed'],
  ['a first line alone', 'woocommerce', 'ID,SKU,Name\n', 'no rows below its first line'],
  ['an empty file', 'shopify', '', 'The file is empty.'],
  ['a binary file', 'medusa', 'PK\x03\x04\0\0\xff', 'The file is no text'],
  ['a feed that was cut off', 'google', GOOGLE.slice(0, -300), 'before it is complete'],
  ['JSON that was cut off', 'json', '{"products":[{"external_id":"a",', 'cut off or damaged'],
])(
  'refuses %s with one sentence, and writes nothing',
  async (_, format, text, message) => {
    const merchant = await openMerchant(stoa);
    const { code, out, err } = await ended(spawned(merchant, ['import', format, written('export', text)]));
    expect([code, out, err.trimEnd().split('\n').length]).toEqual([1, '', 1]);
    expect(err).toContain(message);
    expect(await listed(merchant, 'products')).toEqual([]);
  },
  RUN_MS,
);

test(
  'brings a product whose picture is no URL, names its row, and ends with the exit code 1',
  async () => {
    const merchant = await openMerchant(stoa);
    const file = written('products.csv', `${HEAD}\n${ROW}\npot,Pot,POT,1,3.00,https://c\n`);
    const { code, out } = await ended(spawned(merchant, ['import', 'shopify', file]));
    expect(code).toBe(1);
    expect(out).toContain('row 3 pot media: "https://c" is no public web address');
    expect(await listed(merchant, 'products')).toHaveLength(2);
  },
  RUN_MS,
);

test(
  'says that nothing can be brought where a dry run finds nothing',
  async () => {
    const merchant = await openMerchant(stoa);
    const file = written('store.json', '{"products":[]}');
    const { code, out } = await ended(spawned(merchant, ['import', 'json', file, '--dry-run']));
    expect([code, out]).toEqual([1, 'Nothing of the file can be brought.\nNothing was written.\n']);
  },
  RUN_MS,
);

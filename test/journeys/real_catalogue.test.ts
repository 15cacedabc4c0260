// A real catalogue over HTTP: in through the signed push, as it is given out by its makers, and out complete through the
// list's pages. A part of it by default; STOA_ICECAT_ROWS=19406 takes all.
import { beforeAll, describe, expect, test } from 'vitest';
import type { ListedProduct } from '#proto/gen/product.ts';
import { type Merchant, openMerchant } from '#test/support/catalog.ts';
import { hasIcecat, type IcecatRow, icecatPushes, someIcecatRows } from '#test/support/icecat.ts';
import { eventually } from '#test/support/server.ts';
import { type Stoa, sharedStoa } from '#test/support/stoa.ts';

const JOB_MS = 120_000;

/** Attribute values are stored composed (NFC): the makers' OHM SIGN becomes a Greek omega. */
const composed = (attributes: unknown): unknown => JSON.parse(JSON.stringify(attributes).normalize('NFC'));

describe.skipIf(!hasIcecat())('a real catalogue', () => {
  let stoa: Stoa;
  let merchant: Merchant;
  let rows: IcecatRow[];
  beforeAll(async () => {
    stoa = await sharedStoa();
    merchant = await openMerchant(stoa);
    rows = someIcecatRows();
  });

  const send = async (body: Uint8Array, mode: string) => {
    const { keys, secret } = merchant;
    const pushed = await secret('POST', `/v1/ingestion/push?mode=${mode}`, body, {
      signWith: keys.hmac_secret,
      headers: { 'Content-Type': 'application/x-ndjson' },
    });
    expect(pushed.status, pushed.text).toBe(202);
    return eventually(async () => {
      const { job } = (await secret('GET', `/v1/ingestion/jobs/${pushed.body.job.id}`)).body;
      expect(job.finished_at).not.toBeNull();
      return job;
    }, JOB_MS);
  };

  const everything = async (sort: string): Promise<ListedProduct[]> => {
    const found: ListedProduct[] = [];
    for (let cursor = ''; ; ) {
      const { body } = await merchant.publishable('GET', `/v1/products?sort=${sort}&limit=100${cursor}`);
      found.push(...body.products);
      if (!body.pagination.has_more) return found;
      cursor = `&cursor=${body.pagination.next_cursor}`;
    }
  };

  test(
    'goes in, and comes out of the pages as it went in',
    async () => {
      for (const body of icecatPushes(rows, 4 * 1024 * 1024)) {
        const job = await send(body, 'upsert');
        expect([job.status, job.rows_failed, job.errors]).toEqual(['completed', 0, []]);
      }
      const listed = await everything('newest');
      expect(listed).toHaveLength(rows.length);
      expect(new Set(listed.map(({ id }) => id)).size).toBe(rows.length);
      const bySku = new Map(listed.map((product) => [product.sku, product]));
      for (const row of rows) {
        const { name, price, description, brand, mpn, gtin, weight_grams, attributes, media, category, stock } = row;
        const product = bySku.get(row.sku)!;
        const [top = null, sub = null] = (category as string | null)?.split(' > ') ?? [];
        expect(product, row.sku).toMatchObject({
          ...{ name, price, description, brand, mpn, gtin, weight_grams, stock },
          ...{ selling_price: price, category_name: top, subcategory_name: sub },
          thumbnail_url: (media as { url: string }[])[0]?.url ?? null,
        });
        expect(product.attributes, row.sku).toEqual(composed(attributes));
      }
    },
    2 * JOB_MS,
  );

  test(
    'is in every order whole, and its categories count what is in them',
    async () => {
      const ids = (await everything('newest')).map(({ id }) => id).sort();
      for (const sort of ['name', 'price_asc', 'price_desc', 'featured', 'rating']) {
        const sorted = await everything(sort);
        expect(sorted.map(({ id }) => id).sort(), sort).toEqual(ids);
        const prices = sorted.map(({ selling_price }) => selling_price!);
        if (sort === 'price_asc') expect(prices).toEqual(prices.toSorted((a, b) => a - b));
        if (sort === 'price_desc') expect(prices).toEqual(prices.toSorted((a, b) => b - a));
      }
      const { categories } = (await merchant.publishable('GET', '/v1/categories')).body;
      const counted = categories.reduce((sum: number, one: { product_count: number }) => sum + one.product_count, 0);
      expect(counted).toBe(rows.filter(({ category }) => category !== null).length);
    },
    JOB_MS,
  );

  test(
    'changes nothing when it comes again, and one row when one changed',
    async () => {
      const [body] = icecatPushes(rows.slice(0, 1_000));
      expect(await send(body!, 'upsert')).toMatchObject({ rows_unchanged: 1_000, rows_updated: 0, rows_created: 0 });
      const changed = rows.slice(0, 1_000).map((row, at) => (at === 500 ? { ...row, price: 1.23 } : row));
      expect(await send(icecatPushes(changed)[0]!, 'upsert')).toMatchObject({ rows_unchanged: 999, rows_updated: 1 });
      const [first] = (await merchant.publishable('GET', '/v1/products?max_price=1.23&min_price=1.23')).body.products;
      expect(first.sku).toBe(rows[500]!.sku);
    },
    JOB_MS,
  );
});

// A real catalogue of electronics in its own index, and people's judgements of search results, in the folder that STOA_DATA
// names.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Product } from '#proto/gen/product.ts';
import { ProductIndex } from '#services/search/engine/product_index.ts';
import type { VectorSource } from '#services/search/engine/vector_space.ts';
import { trainVectors } from '#services/search/engine/vector_training.ts';
import type { SavedIndexes } from '#services/search/index_storage.ts';
import { MerchantIndex, type MerchantSource } from '#services/search/marketplace/merchant_index.ts';
import { documentOf } from '#services/search/product_document.ts';
import { DATA_FOLDER, type IcecatRow, icecatRows } from '#test/support/icecat.ts';

/** Ids of that catalogue are numbers, ours are not. */
export const uuidOf = (id: string): string => `00000000-0000-4000-8000-${id.padStart(12, '0')}`;

/** The product of a row as the catalogue would show it. */
export const productOf = (row: IcecatRow, at: number): Product =>
  ({
    id: uuidOf(row.external_id),
    name: row.name,
    description: row.description,
    brand: row.brand,
    category_id: null,
    category_name: row.category,
    subcategory_id: null,
    subcategory_name: null,
    tags: null,
    seo_keywords: null,
    attributes: row.attributes,
    sku: row.sku,
    gtin: row.gtin,
    mpn: row.mpn,
    condition: 'new',
    selling_price: row.price,
    stock: row.stock,
    is_active: true,
    average_rating: null,
    review_count: 0,
    created_at: new Date(at * 1_000).toISOString(),
  }) as unknown as Product;

export const openElectronics = async (): Promise<{ readonly index: ProductIndex; readonly rows: IcecatRow[] }> => {
  const rows = icecatRows();
  const index = new ProductIndex();
  index.beginLoad();
  for (const [at, row] of rows.entries()) index.put(documentOf(productOf(row, at)));
  index.endLoad();
  await trainVectors(index, async () => {});
  return { index, rows };
};

const NO_VECTORS: VectorSource = {
  ready: null,
  productChanged: () => {},
  restored: () => {},
  update: () => {},
  queryVector: () => undefined,
  close: () => {},
};

const NOTHING_SAVED: SavedIndexes = {
  read: async () => null,
  generation: async () => null,
  write: async () => {},
  last: async () => [],
};

/** The same products dealt out to merchants, in the index over all of them. */
export const openDealtElectronics = async (count: number): Promise<ProductIndex> => {
  const merchants = Array.from({ length: count }, (_, at) => ({
    store_id: uuidOf(String(at)),
    name: `Merchant ${at}`,
    currency: 'USD',
    language: 'en',
  }));
  const stalls = new Map<string, Product[]>(merchants.map(({ store_id }) => [store_id, []]));
  // The factor shares no divisor with the count, so that neighbours in the catalogue come to different merchants.
  for (const [at, row] of icecatRows().entries())
    stalls.get(merchants[(at * 37) % count]!.store_id)!.push(productOf(row, at));
  const source: MerchantSource = {
    changed: async ({ store }) => {
      const products = stalls.get(store) ?? [];
      return { instance: 'bench', revision: 1, edition: 1, round: 0, has_more: false, size: products.length, products };
    },
    ids: async ({ store }) => (stalls.get(store) ?? []).map(({ id }) => id),
    revisions: async (_, stores) => new Map(stores.map((store) => [store, 1])),
  };
  const operator = { store: uuidOf('999999'), environment: 'production' } as const;
  const whole = new MerchantIndex(
    operator,
    { source, saved: NOTHING_SAVED, openVectorSource: () => NO_VECTORS },
    merchants,
  );
  await whole.load();
  await trainVectors(whole.index, async () => {});
  return whole.index;
};

export interface Judgement {
  readonly query: string;
  /** Grades of 0 to 3 by product id. */
  readonly grades: ReadonlyMap<string, number>;
}

const JUDGEMENTS = join(DATA_FOLDER, 'icecat/ratings.csv');

export const judgementsAreThere = (): boolean => existsSync(JUDGEMENTS);

/** Queries of which at least one answer is good. */
export const readJudgements = (file = JUDGEMENTS): Judgement[] => {
  const byQuery = new Map<string, Map<string, number>>();
  for (const line of readFileSync(file, 'utf8').trim().split('\n').slice(1)) {
    const [, query = '', id = '', grade = ''] = /^(.*),([^,]*),([^,]*)$/.exec(line.trim()) ?? [];
    const grades = byQuery.get(query) ?? new Map<string, number>();
    byQuery.set(query, grades);
    grades.set(uuidOf(id), Number(grade));
  }
  return [...byQuery]
    .map(([query, grades]) => ({ query: query.replace(/^"|"$/g, '').replaceAll('""', '"'), grades }))
    .filter(({ grades }) => Math.max(...grades.values()) > 0);
};

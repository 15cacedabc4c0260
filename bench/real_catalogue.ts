// A real catalogue of electronics in its own index, and people's judgements of search results, in the folder that STOA_DATA
// names.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Product } from '#proto/gen/product.ts';
import { ProductIndex } from '#services/search/engine/product_index.ts';
import { trainVectors } from '#services/search/engine/vector_training.ts';
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

// Runs an import: categories, products, collections and customers. Then compares the result with the file, and writes
// redirects.
import { createHash } from 'node:crypto';
import { rmSync, writeFileSync } from 'node:fs';
import type { GetStoreResponse } from '#proto/gen/store.ts';
import { csvText } from '#values/csv.ts';
import type { ImportedCatalogue, Problem } from './catalogue.ts';
import { copyPictures, type PictureCounts } from './picture.ts';
import { type Counts, forget, pushProducts } from './push.ts';
import { type Reconciliation, reconcile, type Sums } from './reconciliation.ts';
import { checked } from './rule.ts';
import { ImportTarget, type ShopAccess } from './shop.ts';
import { bringCategories, bringCollections, bringCustomers, type Made } from './surrounding.ts';

export interface ImportReport {
  readonly dry_run: boolean;
  readonly found: {
    readonly products: number;
    readonly variants: number;
    readonly categories: number;
    readonly collections: number;
    readonly customers: number;
  };
  /** Null in a dry run. */
  readonly done: {
    /** Null if pictures stay where they are. */
    readonly pictures: PictureCounts | null;
    readonly products: Counts;
    readonly categories: Made;
    readonly collections: Made;
    readonly customers: Made;
    readonly file: Sums;
    readonly store: Sums;
    readonly reconciles: boolean;
    readonly differing: readonly string[];
    readonly redirects: string | null;
    readonly currency: string;
    readonly shown: string | null;
  } | null;
  readonly problems: readonly Problem[];
  readonly problem_file: string | null;
}

export interface Import {
  readonly file: string;
  readonly catalogue: ImportedCatalogue;
  readonly access: ShopAccess;
  readonly dryRun: boolean;
  readonly copiesPictures: boolean;
  readonly onProgress: (what: string, done: number, total: number) => void;
}

const cell = (value: string | number | null): string =>
  value === null ? '' : /[",\r\n]/.test(String(value)) ? `"${String(value).replaceAll('"', '""')}"` : String(value);

const csv = (lines: readonly (readonly (string | number | null)[])[]): string =>
  `${lines.map((line) => line.map(cell).join(',')).join('\n')}\n`;

const foundIn = ({ products, categories, collections, customers }: ImportedCatalogue): ImportReport['found'] => ({
  products: products.length,
  variants: products.reduce((sum, { product }) => sum + (product.variants?.length || 1), 0),
  categories: new Set([
    ...products.flatMap(({ product }) => product.category ?? []),
    ...categories.map(({ name }) => name),
  ]).size,
  collections: new Set([...products.flatMap((found) => found.collections), ...collections.map(({ name }) => name)])
    .size,
  customers: customers.length,
});

const writeRedirects = (file: string, { products }: ImportedCatalogue, { shown }: Reconciliation): string | null => {
  const lines = products.flatMap(({ handle, product }) => {
    const slug = shown.get(product.external_id)?.product_slug;
    return slug ? [[handle, slug]] : [];
  });
  if (lines.length === 0) return null;
  const path = `${file}.redirects.csv`;
  writeFileSync(path, csv([['old_handle', 'product_slug'], ...lines]));
  return path;
};

const writeProblems = (file: string, problems: readonly Problem[]): string | null => {
  const path = `${file}.problems.csv`;
  rmSync(path, { force: true });
  if (problems.length === 0) return null;
  const lines = problems.map(({ row, id, param, whole, message }) => [
    row,
    id,
    param,
    whole ? 'all' : 'field',
    message,
  ]);
  writeFileSync(path, csvText([['row', 'id', 'field', 'left_behind', 'why'], ...lines]));
  return path;
};

const targetOf = ({ baseUrl, key }: ShopAccess): string =>
  createHash('sha256').update(`${baseUrl}\n${key}`).digest('hex');

export const runImport = async ({
  file,
  catalogue: given,
  access,
  dryRun,
  copiesPictures,
  onProgress,
}: Import): Promise<ImportReport> => {
  let catalogue = checked(given);
  const found = foundIn(catalogue);
  const inOrder = (problems: readonly Problem[]) => problems.toSorted((a, b) => (a.row ?? 0) - (b.row ?? 0));
  if (dryRun) return { dry_run: true, found, done: null, problems: inOrder(catalogue.problems), problem_file: null };
  const shop = new ImportTarget(access);
  const problems = [...catalogue.problems];
  const pictures = copiesPictures
    ? await copyPictures(shop, file, targetOf(access), catalogue.products, (done, total) =>
        onProgress('pictures', done, total),
      )
    : null;
  if (pictures) {
    catalogue = { ...catalogue, products: pictures.products };
    problems.push(...pictures.problems);
  }
  const categories = await bringCategories(shop, catalogue.categories);
  const pushed = await pushProducts(shop, file, targetOf(access), catalogue.products, (done) =>
    onProgress('products', done, catalogue.products.length),
  );
  problems.push(...pushed.problems);
  const brought = catalogue.products.filter(({ product }) => !pushed.refused.has(product.external_id));
  const reconciliation = await reconcile(shop, brought);
  const ids = new Map([...reconciliation.shown].map(([external, { id }]) => [external, id]));
  const collections = await bringCollections(shop, catalogue, ids, problems);
  const customers = await bringCustomers(shop, catalogue.customers, problems, (done) =>
    onProgress('customers', done, catalogue.customers.length),
  );
  const redirects = writeRedirects(file, catalogue, reconciliation);
  const sorted = inOrder(problems);
  const problem_file = writeProblems(file, sorted);
  forget(file);
  const { file: said, store, matches: reconciles, differing } = reconciliation;
  const { currency } = (await shop.get<GetStoreResponse>('/v1/store')).store;
  const done = {
    pictures: pictures?.counts ?? null,
    products: pushed.counts,
    ...{ categories, collections, customers, file: said, store, reconciles, differing, redirects },
    ...{ currency, shown: access.shown },
  };
  return { dry_run: false, found, done, problems: sorted, problem_file };
};

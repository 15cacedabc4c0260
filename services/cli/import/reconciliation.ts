// Compares the file with the products that the store's API returns, one by one and in totals.
import type { ListedProduct } from '#proto/gen/product.ts';
import { type FoundProduct, type ImportedProduct, keyOf } from './catalogue.ts';
import { type ImportTarget, pause } from './shop.ts';

type Shown = Pick<
  ListedProduct,
  'id' | 'name' | 'sku' | 'product_slug' | 'price' | 'stock' | 'total_stock' | 'variant_count'
>;
const FIELDS = 'id,name,sku,product_slug,price,stock,total_stock,variant_count';

/** Maximum number of attempts to see the new products, because lists are updated with a short delay. */
const TRIES_MAX = 10;
const PAUSE_MS = 500;
/** Totals are counted in thousandths, the finest unit of any currency. */
const PARTS = 1_000;

export interface Sums {
  readonly products: number;
  readonly variants: number;
  readonly price: number;
  readonly stock: number;
}

export interface Reconciliation {
  readonly file: Sums;
  readonly store: Sums;
  readonly matches: boolean;
  readonly differing: readonly string[];
  readonly shown: ReadonlyMap<string, Shown>;
}

const sumsOf = (all: readonly Sums[]): Sums => {
  const sum = (field: keyof Sums): number => all.reduce((total, one) => total + one[field], 0);
  return {
    products: all.length,
    variants: sum('variants'),
    price: sum('price') / PARTS,
    stock: sum('stock'),
  };
};

const parts = (amount: number | null | undefined): number => Math.round((amount ?? 0) * PARTS);

/** Fields that the file lacks are not compared. */
const opening = ({ variants, sku: _sku, ...root }: ImportedProduct) => {
  const sold = variants?.length ? variants : [root];
  const listed = variants?.find((one) => one.is_default) ?? sold[0]!;
  return {
    count: sold.length,
    price: listed.price,
    stock: sold.every(({ stock }) => stock !== undefined)
      ? sold.reduce((total, { stock }) => total + (stock ?? 0), 0)
      : undefined,
  };
};

const compare = (products: readonly FoundProduct[], shown: ReadonlyMap<string, Shown>) => {
  const pairs = products.map(({ product }) => {
    const said = opening(product);
    const found = shown.get(product.external_id);
    const file: Sums = { products: 1, variants: said.count, price: parts(said.price), stock: said.stock ?? 0 };
    const store: Sums | null = found
      ? {
          products: 1,
          variants: found.variant_count ?? 1,
          price: said.price === undefined ? 0 : parts(found.price),
          stock: said.stock === undefined ? 0 : Number(found.total_stock ?? found.stock ?? 0),
        }
      : null;
    return { id: product.external_id, file, store };
  });
  const differing = pairs.filter(({ file, store }) => JSON.stringify(file) !== JSON.stringify(store));
  return {
    file: sumsOf(pairs.map(({ file }) => file)),
    store: sumsOf(pairs.flatMap(({ store }) => store ?? [])),
    differing: differing.map(({ id }) => id),
  };
};

export const reconcile = async (shop: ImportTarget, products: readonly FoundProduct[]): Promise<Reconciliation> => {
  if (products.length === 0) return { ...compare([], new Map()), matches: true, shown: new Map() };
  for (let attempt = 1; ; attempt++) {
    const listed = await shop.all<Shown>(`/v1/products?fields=${FIELDS}`, 'products', 100);
    const bySku = new Map(listed.map((one) => [one.sku, one]));
    const shown = new Map(
      products.flatMap(({ product }) => {
        const key = keyOf(product);
        const found = key === null ? undefined : bySku.get(key);
        return found ? [[product.external_id, found] as const] : [];
      }),
    );
    const compared = compare(products, shown);
    const matches = compared.differing.length === 0;
    if (matches || attempt === TRIES_MAX) return { ...compared, matches, shown };
    await pause(PAUSE_MS);
  }
};

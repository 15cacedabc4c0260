// One change of many products, as the values of each product before and after it. Pure.
import type { ListedProduct, ProductCategory, UpdateProductRequest, Variant } from '#proto/client/dashboard.ts';
import { categoryFields, categoryOptions } from './category_choice.ts';

export type BulkKind = 'status' | 'category' | 'price' | 'tags';

export interface BulkChange {
  readonly kind: BulkKind;
  readonly shown: boolean;
  /** '' takes products out of their category. */
  readonly category: string;
  readonly by: 'percent' | 'amount';
  /** Negative lowers prices. */
  readonly value: number;
  readonly addTags: readonly string[];
  readonly removeTags: readonly string[];
}

export type BulkProduct = ListedProduct & { readonly variants: readonly Variant[] };

export interface BulkRow {
  readonly product: string;
  /** Null: the product itself is changed. */
  readonly variant: string | null;
  /** The `updated_at` of the product that the row was made from. */
  readonly version: string | null;
  readonly name: string;
  readonly before: string;
  readonly after: string;
  readonly update: Omit<UpdateProductRequest, 'id'>;
}

interface BulkContext {
  readonly tree: readonly ProductCategory[];
  readonly money: (amount: number) => string;
  readonly decimals: number;
}

const rounded = (amount: number, decimals: number): number => Math.round(amount * 10 ** decimals) / 10 ** decimals;

/** Never below zero. */
export const changedPrice = (price: number, { by, value }: Pick<BulkChange, 'by' | 'value'>, decimals: number) =>
  Math.max(0, rounded(by === 'percent' ? price * (1 + value / 100) : price + value, decimals));

const priceRows = (product: BulkProduct, change: BulkChange, { money, decimals }: BulkContext): BulkRow[] => {
  const rowOf = (variant: string | null, name: string, price: number | null): BulkRow[] => {
    if (price === null) return [];
    const next = changedPrice(price, change, decimals);
    return next === price
      ? []
      : [
          {
            product: product.id,
            variant,
            version: product.updated_at,
            name,
            before: money(price),
            after: money(next),
            update: { price: next },
          },
        ];
  };
  if (!product.has_variants) return rowOf(null, product.name, product.price);
  return product.variants.flatMap(({ variant_id, variant_name, sku, price }) =>
    rowOf(variant_id, `${product.name}, ${variant_name ?? sku ?? variant_id}`, price),
  );
};

const changedTags = (tags: readonly string[], { addTags, removeTags }: BulkChange): readonly string[] => {
  const isAmong = (list: readonly string[], tag: string): boolean =>
    list.some((each) => each.toLowerCase() === tag.toLowerCase());
  const left = tags.filter((tag) => !isAmong(removeTags, tag));
  return [...left, ...addTags.filter((tag) => !isAmong(left, tag))];
};

const rowOf = (product: BulkProduct, before: string, after: string, update: BulkRow['update']): BulkRow[] =>
  before === after
    ? []
    : [{ product: product.id, variant: null, version: product.updated_at, name: product.name, before, after, update }];

const visibility = (isShown: boolean): string => (isShown ? 'shown' : 'hidden');

type RowMaker = (product: BulkProduct, change: BulkChange, context: BulkContext) => BulkRow[];

const statusRows: RowMaker = (product, { shown }) =>
  rowOf(product, visibility(product.is_active !== false), visibility(shown), { is_active: shown });

const categoryRows: RowMaker = (product, { category }, { tree }) => {
  const names = new Map(categoryOptions(tree).map(({ value, label }) => [value, label]));
  const nameOf = (id: string): string => names.get(id) ?? 'none';
  const before = product.subcategory_id ?? product.category_id ?? '';
  return rowOf(product, nameOf(before), nameOf(category), categoryFields(tree, category));
};

const tagRows: RowMaker = (product, change) => {
  const tags = product.tags ?? [];
  const next = changedTags(tags, change);
  return rowOf(product, tags.join(', ') || 'none', next.join(', ') || 'none', { tags: next });
};

const MAKERS: Readonly<Record<BulkKind, RowMaker>> = {
  price: priceRows,
  status: statusRows,
  category: categoryRows,
  tags: tagRows,
};

/** Leaves out products that the change leaves as they are. */
export const bulkRows = (
  products: readonly BulkProduct[],
  change: BulkChange,
  context: BulkContext,
): readonly BulkRow[] => products.flatMap((product) => MAKERS[change.kind](product, change, context));

// The variants of a product as a matrix: options with their values, and a row for each variant. Pure.
import { differences, mergeDraft } from '#edge/pages/dashboard/draft.ts';
import type { NewVariant, Product } from '#proto/client/dashboard.ts';
import { writeList } from './named_value.ts';

export interface VariantOption {
  readonly name: string;
  /** Separated by commas. */
  readonly values: string;
}

export interface MatrixRow {
  /** Stays while the row is edited. */
  readonly key: string;
  /** Null until it is saved. */
  readonly variant: string | null;
  readonly options: Readonly<Record<string, string>>;
  readonly sku: string;
  readonly price: number | null;
  readonly sale_price: number | null;
  readonly stock: number | null;
  readonly isDefault: boolean;
}

export interface VariantDraft {
  readonly version: string;
  readonly options: readonly VariantOption[];
  readonly rows: readonly MatrixRow[];
}

type Attributes = Readonly<Record<string, unknown>> | null | undefined;

const textsOf = (attributes: Attributes): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(attributes ?? {}).map(([name, value]) => [name, String(value)]));

const rowsOf = (product: Product): readonly MatrixRow[] => {
  if (product.variants)
    return product.variants.map((each) => ({
      key: each.variant_id,
      variant: each.variant_id,
      options: textsOf(each.variant_attributes),
      sku: each.sku ?? '',
      price: each.price,
      sale_price: each.sale_price,
      stock: each.stock,
      isDefault: each.is_default,
    }));
  const variant = product.variant_id ?? null;
  return [
    {
      key: variant ?? 'only',
      variant,
      options: textsOf(product.variant_attributes),
      sku: product.sku ?? '',
      price: product.price ?? null,
      sale_price: product.sale_price ?? null,
      stock: product.stock ?? 0,
      isDefault: true,
    },
  ];
};

const optionsOf = (rows: readonly MatrixRow[]): readonly VariantOption[] => {
  const values = new Map<string, Set<string>>();
  for (const { options } of rows)
    for (const [name, value] of Object.entries(options)) values.set(name, (values.get(name) ?? new Set()).add(value));
  return [...values].map(([name, found]) => ({ name, values: [...found].join(', ') }));
};

export const variantDraftOf = (product: Product): VariantDraft => {
  const rows = rowsOf(product);
  return { version: product.updated_at ?? '', options: optionsOf(rows), rows };
};

export const namedOptions = (options: readonly VariantOption[]): readonly VariantOption[] =>
  options.filter(({ name, values }) => name.trim() !== '' && writeList(values).length > 0);

/** Every way to choose one value of each option. */
export const combinations = (options: readonly VariantOption[]): readonly Readonly<Record<string, string>>[] =>
  namedOptions(options).reduce<readonly Readonly<Record<string, string>>[]>(
    (chosen, { name, values }) =>
      chosen.flatMap((each) => writeList(values).map((value) => ({ ...each, [name.trim()]: value }))),
    [{}],
  );

const keyOf = (options: Readonly<Record<string, string>>): string =>
  JSON.stringify(Object.entries(options).sort(([a], [b]) => (a < b ? -1 : 1)));

const hasNone = ({ options }: MatrixRow): boolean => Object.keys(options).length === 0;

/** Adds a row for each combination that has none. The row without options, of a product without variants, takes the first. */
export const withCombinations = (draft: VariantDraft): VariantDraft => {
  const wanted = combinations(draft.options);
  const known = new Map(draft.rows.filter((row) => !hasNone(row)).map((row) => [keyOf(row.options), row]));
  const bare = draft.rows.filter(hasNone);
  const like = draft.rows[0];
  const made = wanted.flatMap((options): MatrixRow[] => {
    if (known.has(keyOf(options))) return [];
    const taken = bare.shift();
    if (taken) return [{ ...taken, options }];
    return [
      {
        key: `new ${keyOf(options)}`,
        variant: null,
        options,
        sku: '',
        price: like?.price ?? null,
        sale_price: like?.sale_price ?? null,
        stock: 0,
        isDefault: false,
      },
    ];
  });
  return { ...draft, rows: [...bare, ...known.values(), ...made] };
};

export const rowName = ({ options, sku }: MatrixRow): string => Object.values(options).join(' / ') || sku || 'Variant';

/** Leaves out the stock of an existing row, which `stockDifferences` sets, and fields outside of the matrix. */
export const variantInput = (row: MatrixRow, before: MatrixRow | undefined): NewVariant => ({
  ...(row.variant === null ? { stock: row.stock ?? 0 } : { variant_id: row.variant }),
  sku: row.sku.trim() || null,
  price: row.price,
  sale_price: row.sale_price,
  is_default: row.isDefault,
  ...(before && keyOf(before.options) === keyOf(row.options)
    ? {}
    : { variant_attributes: { ...row.options }, variant_name: Object.values(row.options).join(' / ') || null }),
});

export interface StockDifference {
  readonly variant_id: string;
  readonly delta: number;
}

export const stockDifferences = (
  before: readonly MatrixRow[],
  after: readonly MatrixRow[],
): readonly StockDifference[] =>
  after.flatMap(({ variant, stock }) => {
    const was = before.find((row) => row.variant !== null && row.variant === variant);
    const delta = was ? (stock ?? 0) - (was.stock ?? 0) : 0;
    return variant !== null && delta !== 0 ? [{ variant_id: variant, delta }] : [];
  });

export const withStock = (draft: VariantDraft, { variant_id, delta }: StockDifference): VariantDraft => ({
  ...draft,
  rows: draft.rows.map((row) => (row.variant === variant_id ? { ...row, stock: (row.stock ?? 0) + delta } : row)),
});

export const removedRows = (before: readonly MatrixRow[], after: readonly MatrixRow[]): readonly MatrixRow[] =>
  before.filter(({ variant }) => variant !== null && !after.some((row) => row.variant === variant));

const isRow =
  ({ key, variant }: MatrixRow) =>
  (other: MatrixRow): boolean =>
    other.key === key || (variant !== null && other.variant === variant);

/** Merges input that came after `saved` into `now`, row by row: a new row has its variant's id in `now`. */
export const rebaseVariants = (saved: VariantDraft, now: VariantDraft, mine: VariantDraft): VariantDraft => {
  const rows = mine.rows.flatMap((row) => {
    const found = now.rows.find(isRow(row)) ?? now.rows.find(({ options }) => keyOf(options) === keyOf(row.options));
    const sent = saved.rows.find(isRow(row));
    if (!found) return sent ? [] : [row];
    const { key, variant } = found;
    return [{ ...found, ...(sent ? differences(sent, row) : row), key, variant }];
  });
  const added = now.rows.filter((row) => !rows.some(isRow(row)) && !saved.rows.some(isRow(row)));
  return { ...mergeDraft(saved, now, mine).draft, rows: [...rows, ...added] };
};

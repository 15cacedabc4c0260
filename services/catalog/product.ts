// A stored product, and the rules by which a write changes it. Pure: ids and time are parameters.
import { randomUUIDv7 } from 'bun';
import type { CategoryTranslation } from '#proto/gen/category.ts';
import type { UpdateProductRequest } from '#proto/gen/product_request.ts';
import type { NewVariant } from '#proto/gen/variant_request.ts';
import { invalid, notFound, Refusal, refuse } from '#runtime/call/call.ts';
import { changeTime, refuseOutdated } from '#services/commerce/record_version.ts';
import type { Currency } from '#values/currency.ts';
import { toMinor } from '#values/money.ts';
import { productSlug } from '#values/slug.ts';
import { nameKey, typedName } from '#values/text.ts';
import type { Translations } from '#values/translation.ts';
import { attributesText, mediaText, type ProductDocuments, readDocuments } from './document.ts';
import { readCategories } from './product_category.ts';
import { optionsKey, refuseRepeatedOptions, refuseSameOptions } from './variant_option.ts';

/** JSON documents are canonical texts; amounts are in the currency's smallest unit. */
export interface VariantRecord {
  readonly id: string;
  readonly is_default: boolean;
  readonly sku: string | null;
  readonly name: string | null;
  readonly attributes: string | null;
  readonly price: number | null;
  readonly sale_price: number | null;
  readonly condition: 'new' | 'refurbished' | 'used';
  readonly gtin: string | null;
  readonly mpn: string | null;
  readonly weight_grams: number | null;
  readonly dimensions_cm: string | null;
  readonly low_stock_threshold: number | null;
  readonly thumbnail_url: string | null;
  readonly media: string;
  readonly created_at: Date;
  readonly on_hand: number;
  readonly version: number;
  /** Units allocated to orders when the level had this `version`. */
  readonly allocated: number;
  readonly held: number;
  /** Date as 2026-01-31; null if stock has never risen. */
  readonly last_restocked: string | null;
}

export interface ProductRecord extends ProductDocuments {
  readonly id: string;
  readonly external_id: string | null;
  readonly slug: string;
  readonly name: string;
  readonly description: string;
  readonly category_id: string | null;
  readonly subcategory_id: string | null;
  readonly brand: string | null;
  readonly thumbnail_url: string | null;
  readonly seo_title: string | null;
  readonly seo_description: string | null;
  readonly featured: boolean;
  readonly featured_order: number;
  readonly google_product_category: string | null;
  readonly meta_product_category: string | null;
  readonly is_active: boolean;
  readonly has_variants: boolean;
  readonly average_rating: number | null;
  readonly review_count: number;
  readonly created_at: Date;
  readonly updated_at: Date;
  readonly published_at: Date | null;
  readonly variants: readonly VariantRecord[];
}

/** A write of a product, with the API's field names. Absent fields stay unchanged. */
export interface ProductRow extends Omit<UpdateProductRequest, 'id'> {
  /** Identifies the product; without it `external_id` does. A row with neither creates a product. */
  readonly id?: string;
  readonly external_id?: string;
  /**
   * Category names from the top, such as `Shoes > Running`; missing categories are created. Null removes the category.
   */
  readonly category?: string | null;
}

export interface CategoryRecord {
  readonly id: string;
  readonly parent_id: string | null;
  readonly name: string;
  readonly slug: string;
  readonly description: string | null;
  /** Counts from 1; null: behind those that have one, by name. */
  readonly position: number | null;
  readonly translations: Translations<CategoryTranslation> | null;
  readonly created_at: Date;
  readonly updated_at: Date;
}

export interface ProductContext {
  readonly currency: Currency;
  readonly now: Date;
  readonly today: string;
  /** The store's, its default one first. */
  readonly languages: readonly string[];
  readonly category: (id: string) => CategoryRecord | undefined;
}

const VARIANTS_MAX = 250;

const ROOT_ONLY_VARIANT_FIELDS = [
  'sku',
  'price',
  'sale_price',
  'stock',
  'low_stock_threshold',
  'condition',
  'gtin',
  'mpn',
  'weight_grams',
  'dimensions_cm',
  'variant_name',
  'variant_attributes',
] as const;

/** Fields that a variant inherits from its product when the variant's input omits them. */
const INHERITED = ['price', 'sale_price', 'condition', 'weight_grams', 'dimensions_cm', 'low_stock_threshold'] as const;

export const writeProduct = (
  before: ProductRecord | null,
  row: ProductRow,
  context: ProductContext,
): ProductRecord | Refusal => {
  if (before === null && row.name === undefined) return invalid('name', '`name` is required.');
  const outdated = before && refuseOutdated('product', before, row.version);
  if (outdated) return outdated;
  const documents = readDocuments(before, row, context.languages);
  if (documents instanceof Refusal) return documents;
  const categories = readCategories(before, row, context.category);
  if (categories instanceof Refusal) return categories;
  const variantSet = readVariants(before, row, context);
  if (variantSet instanceof Refusal) return variantSet;

  const id = before?.id ?? randomUUIDv7();
  const name = row.name ?? before!.name;
  const isActive = row.is_active ?? before?.is_active ?? true;
  const after: ProductRecord = {
    id,
    external_id: before?.external_id ?? row.external_id ?? null,
    slug: before?.slug ?? productSlug(name, id),
    name,
    description: row.description ?? before?.description ?? '',
    ...categories,
    brand: nameOr(row.brand, before?.brand),
    thumbnail_url: valueOr(row.thumbnail_url, before?.thumbnail_url),
    seo_title: valueOr(row.seo_title, before?.seo_title),
    seo_description: valueOr(row.seo_description, before?.seo_description),
    featured: row.featured ?? before?.featured ?? false,
    featured_order: row.featured_order ?? before?.featured_order ?? 0,
    google_product_category: valueOr(row.google_product_category, before?.google_product_category),
    meta_product_category: valueOr(row.meta_product_category, before?.meta_product_category),
    ...documents,
    is_active: isActive,
    ...variantSet,
    average_rating: before?.average_rating ?? null,
    review_count: before?.review_count ?? 0,
    created_at: before?.created_at ?? context.now,
    updated_at: before?.updated_at ?? context.now,
    published_at: before?.published_at ?? (isActive ? context.now : null),
  };
  return before !== null && sameProduct(before, after)
    ? before
    : { ...after, updated_at: changeTime(before, context.now) };
};

export const addVariant = (
  before: ProductRecord,
  variant: NewVariant,
  context: ProductContext,
): ProductRecord | Refusal => {
  if (before.variants.length >= VARIANTS_MAX) {
    return refuse(
      'conflict',
      `The product has ${before.variants.length} variants; at most ${VARIANTS_MAX} are allowed. Delete one first.`,
    );
  }
  const added = readVariant(null, variant, false, context, '');
  if (added instanceof Refusal) return added;
  const twin = refuseSameOptions(added, before.variants);
  if (twin) return twin;
  const variants = withOneDefault([...before.variants, added], variant.is_default === true ? added.id : null);
  return { ...before, has_variants: true, variants, updated_at: changeTime(before, context.now) };
};

export const changeVariant = (
  before: ProductRecord,
  id: string,
  change: NewVariant,
  context: ProductContext,
): ProductRecord | Refusal => {
  const old = before.variants.find((variant) => variant.id === id)!;
  const changed = readVariant(old, change, old.is_default, context, '');
  if (changed instanceof Refusal) return changed;
  const twin = changed.attributes === old.attributes ? null : refuseSameOptions(changed, before.variants);
  if (twin) return twin;
  if (change.is_default === false && old.is_default) {
    return invalid('is_default', 'The default variant cannot be unset. Set `is_default` on another variant instead.');
  }
  const variants = withOneDefault(
    before.variants.map((variant) => (variant === old ? changed : variant)),
    change.is_default === true ? id : null,
  );
  const after = { ...before, variants };
  return sameProduct(before, after) ? before : { ...after, updated_at: changeTime(before, context.now) };
};

export const removeVariant = (before: ProductRecord, id: string, now: Date): ProductRecord | Refusal => {
  if (before.variants.length === 1)
    return refuse(
      'conflict',
      `Variant ${id} is the last of its product and cannot be deleted. Delete the product instead.`,
    );
  const variants = before.variants.filter((variant) => variant.id !== id);
  return { ...before, variants: withOneDefault(variants, null), updated_at: changeTime(before, now) };
};

export const sameVariant = (a: VariantRecord, b: VariantRecord): boolean => sameFields(a, b);

const sameProduct = (a: ProductRecord, b: ProductRecord): boolean =>
  a.variants.length === b.variants.length &&
  a.variants.every((variant, at) => sameVariant(variant, b.variants[at]!)) &&
  sameFields(a, b, ['variants', 'updated_at']);

const sameFields = <T extends object>(a: T, b: T, except: readonly (keyof T)[] = []): boolean =>
  (Object.keys(a) as (keyof T)[]).every(
    (key) => except.includes(key) || a[key] === b[key] || (a[key] instanceof Date && +a[key] === +(b[key] as Date)),
  );

const valueOr = <T>(value: T | null | undefined, before: T | null | undefined): T | null =>
  value === undefined ? (before ?? null) : value;

const nameOr = (value: string | null | undefined, before: string | null | undefined): string | null =>
  valueOr(value && typedName(value), before);

type VariantSet = Pick<ProductRecord, 'has_variants' | 'variants'>;

const readVariants = (before: ProductRecord | null, row: ProductRow, context: ProductContext): VariantSet | Refusal => {
  if (row.variants && row.variants.length > 0) return readVariantSet(before, row.variants, row, context);
  if (before?.has_variants && row.variants === undefined) {
    const misplaced = ROOT_ONLY_VARIANT_FIELDS.find((name) => row[name] !== undefined);
    if (misplaced)
      return invalid(misplaced, `\`${misplaced}\` belongs to the variants of this product. Send it in \`variants\`.`);
    return { has_variants: true, variants: before.variants };
  }
  const only = before?.variants.find((variant) => variant.is_default) ?? null;
  const { thumbnail_url: _thumbnail, media: _media, ...fields } = row;
  const variant = readVariant(only, fields, true, context, '');
  return variant instanceof Refusal ? variant : { has_variants: false, variants: [variant] };
};

const readVariantSet = (
  before: ProductRecord | null,
  rows: readonly NewVariant[],
  root: ProductRow,
  context: ProductContext,
): VariantSet | Refusal => {
  const left = new Set(before?.variants);
  const recognise = (row: NewVariant): VariantRecord | null => {
    for (const old of left) {
      const same =
        row.variant_id !== undefined
          ? old.id === row.variant_id.toLowerCase()
          : row.sku !== undefined && row.sku !== null
            ? old.sku !== null && nameKey(old.sku) === nameKey(row.sku)
            : old.sku === null && optionsKey(old.attributes) === optionsKey(textOf(row.variant_attributes));
      if (same) {
        left.delete(old);
        return old;
      }
    }
    return null;
  };
  const variants: VariantRecord[] = [];
  let chosen: string | null = null;
  for (const [at, row] of rows.entries()) {
    const path = `variants[${at}].`;
    const old = recognise(row);
    if (row.variant_id !== undefined && old === null) {
      return notFound('variant', `${path}variant_id`);
    }
    const whole: Record<string, unknown> = { ...row };
    for (const name of INHERITED) if (whole[name] === undefined && root[name] !== undefined) whole[name] = root[name];
    const variant = readVariant(old, whole as NewVariant, false, context, path);
    if (variant instanceof Refusal) return variant;
    if (row.is_default) {
      if (chosen !== null) return invalid(`${path}is_default`, 'Two variants have `is_default`. Set it on one.');
      chosen = variant.id;
    }
    variants.push(variant);
  }
  return refuseRepeatedOptions(variants) ?? { has_variants: true, variants: withOneDefault(variants, chosen) };
};

const textOf = (attributes: Record<string, unknown> | null | undefined): string | null =>
  attributes ? JSON.stringify(attributes) : null;

const withOneDefault = (variants: readonly VariantRecord[], chosen: string | null): readonly VariantRecord[] => {
  const id = chosen ?? variants.find((variant) => variant.is_default)?.id ?? variants[0]!.id;
  return variants.map((variant) => {
    const isDefault = variant.id === id;
    return variant.is_default === isDefault ? variant : { ...variant, is_default: isDefault };
  });
};

const readVariant = (
  before: VariantRecord | null,
  row: NewVariant,
  isDefault: boolean,
  context: ProductContext,
  path: string,
): VariantRecord | Refusal => {
  const price = readAmount(row.price, before?.price, context.currency, `${path}price`);
  if (price instanceof Refusal) return price;
  const salePrice = readAmount(row.sale_price, before?.sale_price, context.currency, `${path}sale_price`);
  if (salePrice instanceof Refusal) return salePrice;
  const attributes =
    row.variant_attributes === undefined
      ? (before?.attributes ?? null)
      : attributesText(row.variant_attributes, `${path}variant_attributes`, true);
  if (attributes instanceof Refusal) return attributes;
  const onHand = row.stock ?? before?.on_hand ?? 0;
  const restocked = before !== null && onHand > before.on_hand;
  return {
    id: before?.id ?? randomUUIDv7(),
    is_default: before?.is_default ?? isDefault,
    sku: nameOr(row.sku, before?.sku),
    name: valueOr(row.variant_name, before?.name),
    attributes,
    price,
    sale_price: salePrice,
    condition: row.condition ?? before?.condition ?? 'new',
    gtin: valueOr(row.gtin, before?.gtin),
    mpn: valueOr(row.mpn, before?.mpn),
    weight_grams: valueOr(row.weight_grams, before?.weight_grams),
    dimensions_cm: valueOr(row.dimensions_cm, before?.dimensions_cm),
    low_stock_threshold: valueOr(row.low_stock_threshold, before?.low_stock_threshold),
    thumbnail_url: valueOr(row.thumbnail_url, before?.thumbnail_url),
    media: row.media === undefined ? (before?.media ?? '[]') : mediaText(row.media, before?.media),
    created_at: before?.created_at ?? context.now,
    on_hand: onHand,
    version: before?.version ?? 1,
    allocated: before?.allocated ?? 0,
    held: before?.held ?? 0,
    last_restocked: restocked ? context.today : (before?.last_restocked ?? null),
  };
};

const readAmount = (
  value: number | null | undefined,
  before: number | null | undefined,
  currency: Currency,
  param: string,
): number | null | Refusal => {
  if (value === undefined || value === null) return valueOr(value, before);
  const minor = toMinor(value, currency);
  if (minor !== null && minor >= 0) return minor;
  const range = `from 0 to 99999999.99 with at most ${currency.exponent} decimals`;
  return invalid(param, `\`${param}\` must be an amount ${range}.`);
};

// A product as the texts and numbers of its form, and the changed ones as the API's request. Pure.
import { type TextTable, textsOf, translationsOf } from '#edge/pages/dashboard/translation_draft.ts';
import type {
  MediaItem,
  MediaItemInput,
  Product,
  ProductCategory,
  Specification,
  UpdateProductRequest,
} from '#proto/client/dashboard.ts';
import { categoryFields } from './category_choice.ts';
import {
  type NamedValue,
  readAttributes,
  readList,
  readSpecifications,
  type SpecificationLine,
  writeAttributes,
  writeList,
  writeSpecifications,
} from './named_value.ts';
import { termTableOf, writeTerms } from './term.ts';

export interface ProductDraft {
  readonly version: string;
  readonly name: string;
  readonly description: string;
  readonly translations: TextTable;
  /** Translated words of options and specifications, by language. */
  readonly terms: TextTable;
  readonly brand: string;
  /** Id of the category, else of the subcategory; '' for none. */
  readonly category: string;
  readonly is_active: boolean;
  readonly featured: boolean;
  readonly tags: string;
  readonly media: readonly MediaItem[];
  readonly seo_title: string;
  readonly seo_description: string;
  readonly seo_keywords: string;
  readonly google_product_category: string;
  readonly meta_product_category: string;
  readonly attributes: readonly NamedValue[];
  readonly specifications: readonly SpecificationLine[];
  readonly requires_shipping: boolean;
  readonly parcel_weight: number | null;
  readonly length_cm: number | null;
  readonly width_cm: number | null;
  readonly height_cm: number | null;
  // Fields of a product without variants.
  readonly price: number | null;
  readonly sale_price: number | null;
  readonly sku: string;
  readonly condition: NonNullable<Product['condition']>;
  readonly gtin: string;
  readonly mpn: string;
  readonly weight_grams: number | null;
  readonly dimensions_cm: string;
  readonly low_stock_threshold: number | null;
}

export const FIELD_NAMES: Readonly<Record<Exclude<keyof ProductDraft, 'version'>, string>> = {
  name: 'Name',
  description: 'Description',
  translations: 'Texts in other languages',
  terms: 'Words in other languages',
  brand: 'Brand',
  category: 'Category',
  is_active: 'Shown in the shop',
  featured: 'Featured',
  tags: 'Tags',
  media: 'Pictures',
  seo_title: 'Title for search engines',
  seo_description: 'Description for search engines',
  seo_keywords: 'Keywords',
  google_product_category: 'Google product category',
  meta_product_category: 'Meta product category',
  attributes: 'Attributes',
  specifications: 'Specifications',
  requires_shipping: 'Needs shipping',
  parcel_weight: 'Parcel weight',
  length_cm: 'Parcel length',
  width_cm: 'Parcel width',
  height_cm: 'Parcel height',
  price: 'Price',
  sale_price: 'Sale price',
  sku: 'SKU',
  condition: 'Condition',
  gtin: 'GTIN',
  mpn: 'MPN',
  weight_grams: 'Weight',
  dimensions_cm: 'Dimensions',
  low_stock_threshold: 'Low stock below',
};

const shippingOf = ({ shipping_info: parcel }: Product) => ({
  requires_shipping: parcel?.requires_shipping ?? true,
  parcel_weight: parcel?.weight_grams ?? null,
  length_cm: parcel?.length_cm ?? null,
  width_cm: parcel?.width_cm ?? null,
  height_cm: parcel?.height_cm ?? null,
});

const translationsIn = ({ translations }: Product): TextTable =>
  textsOf(
    Object.fromEntries(
      Object.entries(translations ?? {}).map(([language, { seo_keywords, ...texts }]) => [
        language,
        { ...texts, ...(seo_keywords && { seo_keywords: readList(seo_keywords) }) },
      ]),
    ),
    ['name', 'description', 'seo_title', 'seo_description', 'seo_keywords'],
  );

export const draftOf = (
  product: Product,
  specifications: readonly Specification[],
  lowStock: number | null,
): ProductDraft => ({
  version: product.updated_at ?? '',
  name: product.name,
  description: product.description,
  translations: translationsIn(product),
  terms: termTableOf(product.translations),
  brand: product.brand ?? '',
  category: product.subcategory_id ?? product.category_id ?? '',
  is_active: product.is_active ?? true,
  featured: product.featured,
  tags: readList(product.tags),
  media: product.media,
  seo_title: product.seo_title ?? '',
  seo_description: product.seo_description ?? '',
  seo_keywords: readList(product.seo_keywords),
  google_product_category: product.google_product_category ?? '',
  meta_product_category: product.meta_product_category ?? '',
  attributes: readAttributes(product.attributes),
  specifications: readSpecifications(specifications),
  ...shippingOf(product),
  price: product.price ?? null,
  sale_price: product.sale_price ?? null,
  sku: product.sku ?? '',
  condition: product.condition ?? 'new',
  gtin: product.gtin ?? '',
  mpn: product.mpn ?? '',
  weight_grams: product.weight_grams ?? null,
  dimensions_cm: product.dimensions_cm ?? '',
  low_stock_threshold: lowStock,
});

const PARCEL = ['requires_shipping', 'parcel_weight', 'length_cm', 'width_cm', 'height_cm'] as const;
/** Texts that are null where they are empty. */
const OPTIONAL_TEXTS = [
  'brand',
  'seo_title',
  'seo_description',
  'google_product_category',
  'meta_product_category',
  'sku',
  'gtin',
  'mpn',
  'dimensions_cm',
] as const;
/** Sent as they stand in the draft. */
const PLAIN = [
  'name',
  'description',
  'is_active',
  'featured',
  'price',
  'sale_price',
  'condition',
  'weight_grams',
  'low_stock_threshold',
] as const;

const mediaInput = ({ position: _position, ...item }: MediaItem): MediaItemInput => ({
  ...item,
  alt_text: item.alt_text?.trim() || null,
});

const parcelOf = (draft: ProductDraft): UpdateProductRequest['shipping_info'] => ({
  requires_shipping: draft.requires_shipping,
  weight_grams: draft.parcel_weight,
  length_cm: draft.length_cm,
  width_cm: draft.width_cm,
  height_cm: draft.height_cm,
});

type TranslationChanges = NonNullable<UpdateProductRequest['translations']>;

const textChanges = (draft: ProductDraft): TranslationChanges =>
  Object.fromEntries(
    Object.entries(translationsOf(draft)).map(([language, { seo_keywords, ...texts }]) => [
      language,
      {
        ...texts,
        ...(seo_keywords !== undefined && { seo_keywords: seo_keywords === null ? null : writeList(seo_keywords) }),
      },
    ]),
  );

const translationChanges = (
  draft: ProductDraft,
  { translations, terms }: Partial<ProductDraft>,
): { readonly translations?: TranslationChanges } => {
  if (!translations && !terms) return {};
  const changes = translations ? textChanges(draft) : {};
  for (const [language, words] of Object.entries(terms ?? {}))
    changes[language] = { ...changes[language], terms: writeTerms(words) };
  return { translations: changes };
};

/** The changed fields alone, so that those of another person stay. */
export const changeOf = (
  draft: ProductDraft,
  changed: Partial<ProductDraft>,
  tree: readonly ProductCategory[],
): Omit<UpdateProductRequest, 'id'> => {
  const is = (name: keyof ProductDraft): boolean => name in changed;
  return {
    ...(draft.version === '' ? {} : { version: draft.version }),
    ...Object.fromEntries(PLAIN.filter(is).map((name) => [name, draft[name]])),
    ...Object.fromEntries(OPTIONAL_TEXTS.filter(is).map((name) => [name, draft[name].trim() || null])),
    ...(is('category') ? categoryFields(tree, draft.category) : {}),
    ...translationChanges(draft, changed),
    ...(is('tags') ? { tags: writeList(draft.tags) } : {}),
    ...(is('seo_keywords') ? { seo_keywords: writeList(draft.seo_keywords) } : {}),
    ...(is('attributes') ? { attributes: writeAttributes(draft.attributes) } : {}),
    ...(is('specifications') ? { specifications: writeSpecifications(draft.specifications) } : {}),
    ...(is('media') ? { media: draft.media.map(mediaInput) } : {}),
    ...(PARCEL.some(is) ? { shipping_info: parcelOf(draft) } : {}),
  };
};

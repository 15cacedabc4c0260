// Types of a demo shop's data, and its catalogue, which is read from the JSON files of this folder.
import { readFileSync } from 'node:fs';
import type { CreatePostRequest } from '#proto/gen/blog.ts';
import type { CreateCategoryRequest } from '#proto/gen/category.ts';
import type { CreateCollectionRequest } from '#proto/gen/collection.ts';
import type { PutExchangeRateRequest } from '#proto/gen/exchange_rate.ts';
import type { CreateLookbookRequest } from '#proto/gen/lookbook.ts';
import type { CreateProductRequest } from '#proto/gen/product_request.ts';
import type { CreatePromotionRequest } from '#proto/gen/promotion.ts';
import type { PutConfigRequest } from '#proto/gen/shipping_config.ts';
import type { PutPolicyRequest, UpdateStoreRequest } from '#proto/gen/store.ts';
import type { CreateTaxRateRequest } from '#proto/gen/tax_rate.ts';
import type { NewVariant } from '#proto/gen/variant_request.ts';

/** A variant. A product with only one is created as a product without variants. */
export interface DemoVariant
  extends Pick<NewVariant, 'sale_price' | 'low_stock_threshold' | 'condition' | 'mpn' | 'dimensions_cm'> {
  readonly sku: string;
  /** EAN-13 from the range reserved for use inside companies. */
  readonly gtin: string;
  readonly price: number;
  readonly stock: number;
  readonly weight_grams: number;
  readonly variant_attributes?: Readonly<Record<string, string | number>>;
  readonly picture: string;
}

export interface DemoProduct extends Pick<CreateProductRequest, 'featured_order'> {
  readonly name: string;
  readonly brand: string;
  readonly subcategory: string;
  readonly description: string;
  readonly seo_description: string;
  readonly tags: readonly string[];
  readonly attributes: Readonly<Record<string, string | number | boolean>>;
  readonly specifications: readonly (readonly [
    group: string,
    name: string,
    value: string | number | boolean,
    unit?: string,
  ])[];
  readonly parcel: readonly [lengthCm: number, widthCm: number, heightCm: number];
  readonly variants: readonly [DemoVariant, ...DemoVariant[]];
}

export interface DemoSubcategory {
  readonly name: string;
  readonly google_product_category: string;
  readonly meta_product_category: string;
}

export interface DemoCategory {
  readonly name: string;
  readonly description: string;
  readonly subcategories: readonly DemoSubcategory[];
}

export interface DemoCollection extends Required<Pick<CreateCollectionRequest, 'name' | 'description'>> {
  readonly slug: string;
  readonly collection_type: NonNullable<CreateCollectionRequest['collection_type']>;
  readonly show_on_homepage: boolean;
  readonly scene: string;
  readonly products: readonly string[];
}

export interface DemoHotspot {
  readonly product: string;
  readonly x: number;
  readonly y: number;
  readonly label?: string;
}

export interface DemoLookbook {
  readonly title: string;
  readonly slug: string;
  readonly description: string;
  readonly collection: string;
  /** Days since publication. */
  readonly daysAgo: number;
  readonly images: readonly {
    readonly scene: string;
    readonly hotspots: readonly DemoHotspot[];
  }[];
}

export interface DemoPost extends Pick<CreatePostRequest, 'title'> {
  readonly slug: string;
  readonly excerpt: string;
  readonly body: string;
  readonly author: string;
  readonly tags: readonly string[];
  readonly scene: string;
  /** Days since publication; negative for a scheduled post. */
  readonly daysAgo: number;
}

export type DemoPolicy = Readonly<Pick<PutPolicyRequest, 'type' | 'title' | 'body'>>;

export interface DemoPromotion extends Omit<CreatePromotionRequest, 'applies_to'> {
  /** Names of categories and subcategories; empty means all products. */
  readonly categories: readonly string[];
}

export interface DemoTaxRate extends Pick<CreateTaxRateRequest, 'name' | 'country' | 'rate'> {
  readonly category: string;
}

type Named<R extends { translations?: unknown }> = Readonly<Record<string, R['translations']>>;

/** Translations of records by their names, titles or types. */
export interface DemoTranslations {
  readonly products: Named<CreateProductRequest>;
  readonly categories: Named<CreateCategoryRequest>;
  readonly collections: Named<CreateCollectionRequest>;
  readonly posts: Named<CreatePostRequest>;
  readonly lookbooks: Named<CreateLookbookRequest>;
  readonly policies: Named<PutPolicyRequest>;
}

export interface DemoShop {
  readonly name: string;
  readonly profile: (pictures: string) => UpdateStoreRequest;
  readonly policies: readonly DemoPolicy[];
  readonly categories: readonly DemoCategory[];
  readonly products: readonly DemoProduct[];
  readonly collections: readonly DemoCollection[];
  readonly promotions: readonly DemoPromotion[];
  readonly taxRates: readonly DemoTaxRate[];
  readonly exchangeRates: readonly PutExchangeRateRequest[];
  readonly translations: DemoTranslations;
  readonly delivery: (categories: ReadonlyMap<string, string>) => PutConfigRequest;
}

const read = <T>(file: string): readonly T[] => JSON.parse(readFileSync(new URL(file, import.meta.url), 'utf8'));

export const CATEGORIES = read<DemoCategory>('category.json');
export const COLLECTIONS = read<DemoCollection>('collection.json');
export const LOOKBOOKS = read<DemoLookbook>('lookbook.json');
export const POLICIES = read<DemoPolicy>('policy.json');
export const POSTS = read<DemoPost>('post.json');
export const TRANSLATIONS: DemoTranslations = JSON.parse(
  readFileSync(new URL('translation.json', import.meta.url), 'utf8'),
);
export const NO_TRANSLATIONS: DemoTranslations = {
  products: {},
  categories: {},
  collections: {},
  posts: {},
  lookbooks: {},
  policies: {},
};

const PRODUCTS_BY_CATEGORY = [
  'outdoor',
  'stationery',
  'garden',
  'lighting',
  'kitchen',
  'bag',
  'coffee',
  'textile',
  'ceramic',
].map((category) => read<DemoProduct>(`product/${category}.json`));

/** Products in order of creation: one of each category in turn, the best last, because lists show the newest first. */
export const PRODUCTS: readonly DemoProduct[] = Array.from({
  length: Math.max(...PRODUCTS_BY_CATEGORY.map(({ length }) => length)),
})
  .flatMap((_, position) => PRODUCTS_BY_CATEGORY.flatMap((products) => products[position] ?? []))
  .reverse();

export const TRADE_CATEGORIES = read<DemoCategory>('trade/category.json');
export const TRADE_PRODUCTS = read<DemoProduct>('trade/product.json');

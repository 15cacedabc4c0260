// The words in which a demo shop is written down; `request.ts` turns them into bodies for the API.
import type { CreateCollectionRequest } from '#proto/gen/collection.ts';
import type { CreateProductRequest } from '#proto/gen/product_request.ts';
import type { CreatePromotionRequest } from '#proto/gen/promotion.ts';
import type { PutConfigRequest } from '#proto/gen/shipping_config.ts';
import type { PutPolicyRequest, UpdateStoreRequest } from '#proto/gen/store.ts';
import type { CreateTaxRateRequest } from '#proto/gen/tax_rate.ts';
import type { NewVariant } from '#proto/gen/variant_request.ts';

/** One thing on the shelf. A product with a single one is sold as a simple product. */
export interface DemoVariant
  extends Pick<NewVariant, 'sale_price' | 'low_stock_threshold' | 'condition' | 'mpn' | 'dimensions_cm'> {
  readonly sku: string;
  /** EAN-13 from the range that is reserved for use inside one company. */
  readonly gtin: string;
  readonly price: number;
  readonly stock: number;
  readonly weight_grams: number;
  /** What tells it from the product's other variants. */
  readonly variant_attributes?: Readonly<Record<string, string | number>>;
  /** Name of its drawing: `/demo/pictures/<picture>.svg`. */
  readonly picture: string;
}

export interface DemoProduct extends Pick<CreateProductRequest, 'featured_order'> {
  readonly name: string;
  readonly brand: string;
  /** Name of its subcategory; each stands in one category only. */
  readonly subcategory: string;
  readonly description: string;
  readonly seo_description: string;
  readonly tags: readonly string[];
  readonly attributes: Readonly<Record<string, string | number | boolean>>;
  /** Group, name, value, unit. */
  readonly specifications: readonly (readonly [string, string, string | number | boolean, string?])[];
  /** Length, width and height of the box it is sent in, in cm. */
  readonly parcel: readonly [number, number, number];
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
  /** Name of its scene: `/demo/pictures/scene-<scene>-wide.svg`, and `-tall` for telephones. */
  readonly scene: string;
  /** Names of its products, in order. */
  readonly products: readonly string[];
}

export interface DemoHotspot {
  /** Name of its product. */
  readonly product: string;
  readonly x: number;
  readonly y: number;
  readonly label?: string;
}

export interface DemoLookbook {
  readonly title: string;
  readonly slug: string;
  readonly description: string;
  /** Slug of the collection behind it. */
  readonly collection: string;
  /** How many days ago it was published. */
  readonly daysAgo: number;
  readonly images: readonly {
    /** Name of its scene, of which the wide form is shown. */
    readonly scene: string;
    readonly hotspots: readonly DemoHotspot[];
  }[];
}

export type DemoPolicy = Readonly<Pick<PutPolicyRequest, 'type' | 'title' | 'body'>>;

export interface DemoPromotion extends Omit<CreatePromotionRequest, 'applies_to'> {
  /** Names of categories and subcategories; none: everything. */
  readonly categories: readonly string[];
}

export interface DemoTaxRate extends Pick<CreateTaxRateRequest, 'name' | 'country' | 'rate'> {
  /** Name of a subcategory. */
  readonly category: string;
}

/** All that stands in a shop before its first customer comes. */
export interface DemoShop {
  readonly name: string;
  /** `pictures` is where its pictures are served. */
  readonly profile: (pictures: string) => UpdateStoreRequest;
  readonly policies: readonly DemoPolicy[];
  readonly categories: readonly DemoCategory[];
  /** In the order in which they are put on the shelf. */
  readonly products: readonly DemoProduct[];
  readonly collections: readonly DemoCollection[];
  readonly promotions: readonly DemoPromotion[];
  readonly taxRates: readonly DemoTaxRate[];
  /** `categories` gives the id of each by its name. */
  readonly delivery: (categories: ReadonlyMap<string, string>) => PutConfigRequest;
}

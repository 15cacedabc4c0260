// The types of a demo shop's data; `request.ts` converts them to request bodies.
import type { CreateCollectionRequest } from '#proto/gen/collection.ts';
import type { CreateProductRequest } from '#proto/gen/product_request.ts';
import type { CreatePromotionRequest } from '#proto/gen/promotion.ts';
import type { PutConfigRequest } from '#proto/gen/shipping_config.ts';
import type { PutPolicyRequest, UpdateStoreRequest } from '#proto/gen/store.ts';
import type { CreateTaxRateRequest } from '#proto/gen/tax_rate.ts';
import type { NewVariant } from '#proto/gen/variant_request.ts';

/** A product with a single variant is sold as a simple product. */
export interface DemoVariant
  extends Pick<NewVariant, 'sale_price' | 'low_stock_threshold' | 'condition' | 'mpn' | 'dimensions_cm'> {
  readonly sku: string;
  /** EAN-13 from the range reserved for use inside a company. */
  readonly gtin: string;
  readonly price: number;
  readonly stock: number;
  readonly weight_grams: number;
  /** Attributes that distinguish variants. */
  readonly variant_attributes?: Readonly<Record<string, string | number>>;
  /** The picture's name: `/demo/pictures/<picture>.svg`. */
  readonly picture: string;
}

export interface DemoProduct extends Pick<CreateProductRequest, 'featured_order'> {
  readonly name: string;
  readonly brand: string;
  /** The subcategory's name, unique among all categories. */
  readonly subcategory: string;
  readonly description: string;
  readonly seo_description: string;
  readonly tags: readonly string[];
  readonly attributes: Readonly<Record<string, string | number | boolean>>;
  /** Group, name, value, unit. */
  readonly specifications: readonly (readonly [string, string, string | number | boolean, string?])[];
  /** Length, width and height of the parcel in cm. */
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
  /** The scene's name: `/demo/pictures/scene-<scene>-wide.svg`, and `-tall` for telephones. */
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
  /** The slug of its collection. */
  readonly collection: string;
  /** Days since publication. */
  readonly daysAgo: number;
  readonly images: readonly {
    /** The scene's name; its wide form is shown. */
    readonly scene: string;
    readonly hotspots: readonly DemoHotspot[];
  }[];
}

export type DemoPolicy = Readonly<Pick<PutPolicyRequest, 'type' | 'title' | 'body'>>;

export interface DemoPromotion extends Omit<CreatePromotionRequest, 'applies_to'> {
  /** Category and subcategory names; all products where empty. */
  readonly categories: readonly string[];
}

export interface DemoTaxRate extends Pick<CreateTaxRateRequest, 'name' | 'country' | 'rate'> {
  readonly category: string;
}

/** The state of a shop before its first customer. */
export interface DemoShop {
  readonly name: string;
  /** `pictures` is the base address of pictures. */
  readonly profile: (pictures: string) => UpdateStoreRequest;
  readonly policies: readonly DemoPolicy[];
  readonly categories: readonly DemoCategory[];
  /** In the order of creation. */
  readonly products: readonly DemoProduct[];
  readonly collections: readonly DemoCollection[];
  readonly promotions: readonly DemoPromotion[];
  readonly taxRates: readonly DemoTaxRate[];
  /** `categories` maps names to ids. */
  readonly delivery: (categories: ReadonlyMap<string, string>) => PutConfigRequest;
}

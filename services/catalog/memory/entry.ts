// One product in memory: the JSON texts as bytes, and the fields used to filter, sort and price it.
import type { ProductRecord, VariantRecord } from '#services/catalog/product.ts';
import { type Figures, productText, sellingPrice, variantRest, variantText } from '#services/catalog/product_text.ts';
import type { StoredLevel } from '#services/catalog/table/product_reader.ts';
import { nameKey } from '#values/text.ts';

export interface SortKeys {
  readonly id: string;
  readonly createdAt: number;
  readonly nameKey: string;
  readonly featured: boolean;
  readonly featuredOrder: number;
  readonly rating: number | null;
  readonly reviews: number;
  readonly selling: number | null;
}

export const sortKeyOf = (name: string): string =>
  name
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase();

export interface VariantTexts {
  readonly name: string;
  readonly variant_name: string | null;
  readonly sku: string | null;
  readonly thumbnail_url: string | null;
  readonly requires_shipping: boolean;
}

const EMPTY: Buffer = Buffer.alloc(0);

export class VariantEntry implements Figures {
  readonly id: string;
  readonly entry: ProductEntry;
  readonly price: number | null;
  readonly sale_price: number | null;
  readonly condition: VariantRecord['condition'];
  readonly weight_grams: number | null;
  readonly low_stock_threshold: number | null;
  readonly skuKey: string;
  selling_price: number | null;
  stock = 0;
  on_hand = 0;
  version = 0;
  allocated = 0;
  held = 0;
  last_restocked: string | null = null;
  readonly text: Buffer;
  readonly rest: Buffer;
  texts: VariantTexts | null = null;

  constructor(entry: ProductEntry, record: VariantRecord, listPrice: number | null) {
    this.id = record.id;
    this.entry = entry;
    this.price = record.price;
    this.sale_price = record.sale_price;
    this.condition = record.condition;
    this.weight_grams = record.weight_grams;
    this.low_stock_threshold = record.low_stock_threshold;
    this.skuKey = record.sku === null ? '' : nameKey(record.sku);
    this.selling_price = sellingPrice(record.price, record.sale_price, listPrice);
    this.text = Buffer.from(variantText(record));
    this.rest = entry.has_variants ? Buffer.from(variantRest(record)) : EMPTY;
    this.setLevel(record);
  }

  reprice(listPrice: number | null): void {
    this.selling_price = sellingPrice(this.price, this.sale_price, listPrice);
    this.entry.fragment = 0;
  }

  setLevel({ on_hand, version, allocated, held, last_restocked }: StoredLevel): void {
    this.on_hand = on_hand;
    this.version = version;
    this.allocated = allocated;
    this.held = held;
    this.stock = Math.max(0, on_hand - held);
    this.last_restocked = last_restocked;
    this.entry.fragment = 0;
  }
}

export class ProductEntry implements SortKeys {
  readonly id: string;
  slug = '';
  active = false;
  has_variants = false;
  category_id: string | null = null;
  subcategory_id: string | null = null;
  brandKey = '';
  tagKeys: readonly string[] = [];
  nameKey = '';
  createdAt = 0;
  featured = false;
  featuredOrder = 0;
  rating: number | null = null;
  reviews = 0;
  variants: VariantEntry[] = [];
  defaultVariant!: VariantEntry;
  text = EMPTY;
  specifications = EMPTY;
  /** JSON of the translated fields by language; empty without any. */
  translations = EMPTY;
  deleted = false;
  /** Number of the list fragment; 0 after the product changed. */
  fragment = 0;
  /**
   * Number of a copy of the fragment without the closing brace, to which search appends a score. `openedFragment` is
   * the number of the original.
   */
  openFragment = 0;
  openedFragment = 0;
  /** Cached end of the list text (prices, stock). `restFragment` is the number of the fragment that has this end. */
  rest = EMPTY;
  restFragment = 0;

  constructor(id: string) {
    this.id = id;
  }

  get selling(): number | null {
    return this.defaultVariant.selling_price;
  }

  get textBytes(): number {
    let bytes = this.text.length + this.specifications.length + this.translations.length;
    for (const { text, rest } of this.variants) bytes += text.length + rest.length;
    return bytes;
  }

  update(
    record: ProductRecord,
    listPrice: (variantId: string) => number | null,
    intern: (text: string) => string,
  ): void {
    this.slug = record.slug;
    this.active = record.is_active;
    this.has_variants = record.has_variants;
    this.category_id = record.category_id && intern(record.category_id);
    this.subcategory_id = record.subcategory_id && intern(record.subcategory_id);
    this.brandKey = record.brand === null ? '' : intern(nameKey(record.brand));
    this.tagKeys = readTags(record.tags, intern);
    this.nameKey = sortKeyOf(record.name);
    this.createdAt = record.created_at.getTime();
    this.featured = record.featured;
    this.featuredOrder = record.featured_order;
    this.rating = record.average_rating;
    this.reviews = record.review_count;
    this.text = Buffer.from(productText(record));
    this.specifications = record.specifications === '[]' ? EMPTY : Buffer.from(record.specifications);
    this.translations = record.translations === null ? EMPTY : Buffer.from(record.translations);
    this.variants = record.variants.map((variant) => new VariantEntry(this, variant, listPrice(variant.id)));
    this.defaultVariant =
      this.variants[record.variants.findIndex((variant) => variant.is_default)] ?? this.variants[0]!;
  }
}

const NO_TAGS: readonly string[] = [];

const readTags = (tags: string | null, intern: (text: string) => string): readonly string[] =>
  tags === null || tags === '[]' ? NO_TAGS : (JSON.parse(tags) as string[]).map((tag) => intern(nameKey(tag)));

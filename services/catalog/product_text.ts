// Renders the JSON text of a product in parts: the stored part, and the part that changes while the product does not
// (prices, stock, category names, ratings).
import type { Currency } from '#values/currency.ts';
import { toMajor } from '#values/money.ts';
import { firstImage } from './document.ts';
import type { CategoryRecord, ProductRecord, VariantRecord } from './product.ts';

export interface ProductFrame {
  readonly currency: Currency;
  /** The JSON fragment `,"display_currency":…,"currency_symbol":…`. */
  readonly text: string;
  /** The store's, for variants without their own. */
  readonly lowStockThreshold: number;
}

export const frameOf = (currency: Currency, symbol: string, lowStockThreshold: number): ProductFrame => ({
  currency,
  lowStockThreshold,
  text: `,"display_currency":${JSON.stringify(currency.code)},"currency_symbol":${JSON.stringify(symbol)}`,
});

/** Amounts are in the currency's smallest unit. */
export interface Figures {
  readonly price: number | null;
  readonly sale_price: number | null;
  readonly selling_price: number | null;
  readonly stock: number;
  readonly last_restocked: string | null;
}

/** Returns the lowest of base price, sale price and list price; a sale price above the base price is ignored. */
export const sellingPrice = (price: number | null, sale: number | null, list: number | null): number | null => {
  let least = price;
  if (sale !== null && (least === null || sale < least)) least = sale;
  if (list !== null && (least === null || list < least)) least = list;
  return least;
};

const figuresOf = (variant: VariantRecord, listPrice: number | null): Figures => ({
  price: variant.price,
  sale_price: variant.sale_price,
  selling_price: sellingPrice(variant.price, variant.sale_price, listPrice),
  stock: Math.max(0, variant.on_hand - variant.held),
  last_restocked: variant.last_restocked,
});

const quote = (text: string | null): string => (text === null ? 'null' : JSON.stringify(text));

const time = (date: Date): string => `"${date.toISOString()}"`;

export const productText = (product: ProductRecord): string =>
  `{"id":"${product.id}","product_id":"${product.id}"` +
  `,"name":${JSON.stringify(product.name)},"description":${JSON.stringify(product.description)}` +
  `,"brand":${quote(product.brand)},"thumbnail_url":${quote(coverOf(product))},"media":${product.media}` +
  `,"product_slug":"${product.slug}","seo_title":${quote(product.seo_title)}` +
  `,"seo_description":${quote(product.seo_description)},"seo_keywords":${product.seo_keywords}` +
  `,"featured":${product.featured},"featured_order":${product.featured_order},"tags":${product.tags}` +
  `,"google_product_category":${quote(product.google_product_category)}` +
  `,"meta_product_category":${quote(product.meta_product_category)}` +
  `,"attributes":${product.attributes},"shipping_info":${product.shipping_info}` +
  `,"created_at":${time(product.created_at)},"updated_at":${time(product.updated_at)},"is_active":${product.is_active}`;

const coverOf = (product: ProductRecord): string | null => {
  const own = product.thumbnail_url ?? firstImage(product.media);
  if (own !== null || !product.has_variants) return own;
  const shown = product.variants.find((variant) => variant.is_default);
  return shown ? coverOfVariant(shown) : null;
};

const coverOfVariant = (variant: VariantRecord): string | null => variant.thumbnail_url ?? firstImage(variant.media);

export const variantText = (variant: VariantRecord): string =>
  `,"variant_id":"${variant.id}","sku":${quote(variant.sku)},"variant_attributes":${variant.attributes}` +
  `,"variant_name":${quote(variant.name)},"is_default":${variant.is_default},"condition":"${variant.condition}"` +
  `,"gtin":${quote(variant.gtin)},"mpn":${quote(variant.mpn)},"weight_grams":${variant.weight_grams}` +
  `,"dimensions_cm":${quote(variant.dimensions_cm)}`;

export const variantRest = (variant: VariantRecord): string =>
  `,"low_stock_threshold":${variant.low_stock_threshold},"thumbnail_url":${quote(coverOfVariant(variant))}` +
  `,"media":${variant.media}`;

const amount = (minor: number | null, currency: Currency): string =>
  minor === null ? 'null' : String(toMajor(minor, currency));

export const figuresText = ({ price, sale_price, selling_price, stock }: Figures, { currency }: ProductFrame): string =>
  `"price":${amount(price, currency)},"sale_price":${amount(sale_price, currency)}` +
  `,"selling_price":${amount(selling_price, currency)},"stock":${stock}`;

export const restockedText = ({ last_restocked }: Figures): string => `,"last_restocked":${quote(last_restocked)}`;

export const aggregateText = (variants: readonly Figures[], { currency }: ProductFrame): string => {
  let stock = 0;
  let min: number | null = null;
  let max: number | null = null;
  for (const { selling_price: selling, stock: available } of variants) {
    stock += available;
    if (selling === null) continue;
    if (min === null || selling < min) min = selling;
    if (max === null || selling > max) max = selling;
  }
  const range =
    min === null
      ? 'null'
      : `{"min":${amount(min, currency)},"max":${amount(max, currency)},"currency":"${currency.code}"}`;
  return `,"total_stock":${stock},"price_range":${range},"variant_count":${variants.length}`;
};

type Named = Pick<CategoryRecord, 'id' | 'name'> | undefined;

export const categoryText = (top: Named, sub: Named): string =>
  `,"category_id":${quote(top?.id ?? null)},"category_name":${quote(top?.name ?? null)}` +
  `,"subcategory_id":${quote(sub?.id ?? null)},"subcategory_name":${quote(sub?.name ?? null)}`;

export const ratingText = (rating: number | null, reviews: number, hasVariants: boolean, frame: ProductFrame): string =>
  `,"average_rating":${rating},"review_count":${reviews},"has_variants":${hasVariants}${frame.text}`;

export const detailText = (
  product: ProductRecord,
  category: (id: string) => Pick<CategoryRecord, 'id' | 'name'> | undefined,
  listPrice: (variantId: string) => number | null,
  frame: ProductFrame,
): string => {
  const top = product.category_id === null ? undefined : category(product.category_id);
  const sub = product.subcategory_id === null ? undefined : category(product.subcategory_id);
  const { average_rating: rating, review_count: reviews, has_variants: hasVariants } = product;
  const start = productText(product) + categoryText(top, sub) + ratingText(rating, reviews, hasVariants, frame);
  const figures = product.variants.map((variant) => figuresOf(variant, listPrice(variant.id)));
  const translations = product.translations === null ? '' : `,"translations":${product.translations}`;
  if (!hasVariants) {
    const [only] = figures;
    return `${start},${figuresText(only!, frame)}${restockedText(only!)}${variantText(product.variants[0]!)}${translations}}`;
  }
  const variants = product.variants.map((variant, at) => {
    const own = figures[at]!;
    return `{${figuresText(own, frame)}${restockedText(own)}${variantText(variant)}${variantRest(variant)}}`;
  });
  return `${start}${aggregateText(figures, frame)},"variants":[${variants.join(',')}]${translations}}`;
};

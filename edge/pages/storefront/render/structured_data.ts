// Structured data of a page for search engines, as schema.org names it: products with offers and ratings, and the path
// to them. Pure.
import type { ScreenAddress } from '#edge/pages/storefront/address.ts';
import type { Answers } from '#edge/pages/storefront/answer.ts';
import type { OpenShop } from '#edge/pages/storefront/client.ts';
import { plainText } from '#edge/pages/storefront/html.ts';
import { categoryNamed } from '#edge/pages/storefront/listing.tsx';
import { type TrailStep, trailOf } from '#edge/pages/storefront/trail.ts';
import type { Words } from '#edge/pages/storefront/wording.ts';
import type { Product } from '#proto/gen/client/message.ts';

const SCHEMA = 'https://schema.org';
const DESCRIPTION_MAX = 5_000;
const PICTURES_MAX = 10;
const OFFERS_MAX = 100;

const CONDITIONS = { new: 'NewCondition', refurbished: 'RefurbishedCondition', used: 'UsedCondition' } as const;

interface Offered {
  readonly selling_price?: number | null;
  readonly stock?: number | null;
  readonly sku?: string | null;
  readonly condition?: keyof typeof CONDITIONS;
}

const absolute = (url: string, shopUrl: string): string => URL.parse(url, shopUrl)?.href ?? url;

const offerOf = ({ selling_price: price, stock, sku, condition }: Offered, currency: string, url: string): object => ({
  '@type': 'Offer',
  url,
  price,
  priceCurrency: currency,
  availability: `${SCHEMA}/${(stock ?? 0) > 0 ? 'InStock' : 'OutOfStock'}`,
  ...(condition && { itemCondition: `${SCHEMA}/${CONDITIONS[condition]}` }),
  ...(sku && { sku }),
});

const offersOf = (product: Product, url: string): readonly object[] => {
  const { variants, display_currency: currency } = product;
  if (!variants?.length) return product.selling_price == null ? [] : [offerOf(product, currency, url)];
  return variants
    .filter(({ selling_price: price }) => price !== null)
    .slice(0, OFFERS_MAX)
    .map((variant) => offerOf(variant, currency, `${url}?variant=${variant.variant_id}`));
};

const picturesOf = ({ thumbnail_url: first, media }: Product, shopUrl: string): readonly string[] => {
  const all = [first, ...media.filter(({ type }) => type === 'image').map(({ url }) => url)];
  const known = [...new Set(all.filter((url) => url !== null))];
  return known.slice(0, PICTURES_MAX).map((url) => absolute(url, shopUrl));
};

export const productData = (product: Product, shopUrl: string): object => {
  const { name, description, brand, sku, gtin, mpn, average_rating: rating, review_count: reviews } = product;
  const url = `${shopUrl}/products/${product.product_slug ?? product.id}`;
  const images = picturesOf(product, shopUrl);
  const offers = offersOf(product, url);
  const words = plainText(description).slice(0, DESCRIPTION_MAX);
  return {
    '@context': SCHEMA,
    '@type': 'Product',
    '@id': url,
    name,
    url,
    ...(words && { description: words }),
    ...(images.length > 0 && { image: images }),
    ...(brand && { brand: { '@type': 'Brand', name: brand } }),
    ...(sku && { sku }),
    ...(gtin && { gtin }),
    ...(mpn && { mpn }),
    ...(offers.length > 0 && { offers }),
    ...(rating !== null &&
      reviews > 0 && {
        aggregateRating: { '@type': 'AggregateRating', ratingValue: rating, reviewCount: reviews, bestRating: 5 },
      }),
  };
};

export const breadcrumbData = (steps: readonly TrailStep[], shopUrl: string): object => ({
  '@context': SCHEMA,
  '@type': 'BreadcrumbList',
  itemListElement: steps.map(({ name, path }, at) => ({
    '@type': 'ListItem',
    position: at + 1,
    name,
    item: shopUrl + path,
  })),
});

interface DataContext {
  readonly shop: OpenShop;
  readonly address: ScreenAddress;
  readonly answers: Answers;
  readonly words: Words;
  /** URL of the shop's first page in the page's language, without a slash at its end. */
  readonly shopUrl: string;
}

/** Returns the objects of a page; empty for pages that search engines do not list. */
export const structuredData = ({ shop, address, answers, words, shopUrl }: DataContext): readonly object[] => {
  const { screen, name } = address;
  const products: TrailStep = { name: words.text('products'), path: '/products' };
  if (name === '') return [];
  if (screen === 'products') {
    const product = answers.get<Product>(`product/${name}`);
    if (product === null) return [];
    const own = { name: product.name, path: `/products/${product.product_slug ?? product.id}` };
    const steps = [products, ...trailOf(shop, product), own];
    return [productData(product, shopUrl), breadcrumbData(steps, shopUrl)];
  }
  const category = screen === 'categories' ? categoryNamed(shop, name) : null;
  if (category === null) return [];
  const above = [category.parent, category].flatMap((each) =>
    each ? [{ name: each.name, path: `/categories/${each.slug}` }] : [],
  );
  return [breadcrumbData([products, ...above], shopUrl)];
};

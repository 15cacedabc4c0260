// A product of the Agentic Commerce Protocol's feed: amounts in minor units, each variant with its own availability. Pure.
import type { Product } from '#proto/gen/product.ts';
import type { MediaItem } from '#proto/gen/shared.ts';
import { currencyOf } from '#values/currency.ts';
import { describedText } from '#values/html.ts';
import { validGtin } from '#values/text.ts';
import { type FeedOffer, type FeedSeller, offersOf, pageOf, titleOf } from './product_offer.ts';

/** Leaves out fields without a value: the feed has no nulls. */
const known = <T extends object>(fields: T): Partial<T> =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null && value !== undefined)) as Partial<T>;

const priceOf = (amount: number | null, code: string) => {
  if (amount === null) return null;
  return { amount: Math.round(amount * 10 ** currencyOf(code).exponent), currency: code };
};

const mediaOf = (thumbnail: string | null, media: readonly MediaItem[]) => {
  const images = media.map(({ type, url }) => ({ type, url }));
  const shown = thumbnail === null ? images : [{ type: 'image', url: thumbnail }, ...images];
  const distinct = [...new Map(shown.filter(({ url }) => URL.canParse(url)).map((each) => [each.url, each])).values()];
  return distinct.length > 0 ? distinct : null;
};

const optionsOf = ({ variant_attributes }: FeedOffer) => {
  const options = Object.entries(variant_attributes ?? {}).flatMap(([name, value]) =>
    ['string', 'number', 'boolean'].includes(typeof value) ? [{ name, value: String(value) }] : [],
  );
  return options.length > 0 ? options : null;
};

const variantOf = (shop: FeedSeller, product: Product, offer: FeedOffer) => {
  const { display_currency: currency } = product;
  const lowered = offer.price !== null && offer.selling_price !== null && offer.selling_price < offer.price;
  const categories = [
    ...(product.category_name === null ? [] : [{ value: product.category_name, taxonomy: 'merchant' }]),
    ...(product.google_product_category === null
      ? []
      : [{ value: product.google_product_category, taxonomy: 'google_product_category' }]),
  ];
  const gtin = validGtin(offer.gtin);
  return {
    id: offer.variant_id,
    title: titleOf(product, offer),
    ...known({
      url: pageOf(shop, product),
      barcodes: gtin === null ? null : [{ type: 'GTIN', value: gtin }],
      price: priceOf(offer.selling_price, currency),
      list_price: lowered ? priceOf(offer.price, currency) : null,
      availability: {
        available: offer.stock > 0 && offer.selling_price !== null,
        status: offer.stock > 0 ? 'in_stock' : 'out_of_stock',
      },
      categories: categories.length > 0 ? categories : null,
      condition: [offer.condition],
      variant_options: optionsOf(offer),
      media: mediaOf(offer.thumbnail_url, offer.media),
      seller: { name: shop.name },
    }),
  };
};

export const acpProduct = (shop: FeedSeller, product: Product) => ({
  id: product.id,
  title: product.name,
  ...known({
    description: describedText(product.description),
    url: pageOf(shop, product),
    media: mediaOf(product.thumbnail_url, product.media),
  }),
  variants: offersOf(product).map((offer) => variantOf(shop, product, offer)),
});

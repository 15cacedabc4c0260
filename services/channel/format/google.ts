// Renders a product as Google product data with the field names of the Content API: one offer per variant, grouped by
// product id.
import type { Product } from '#proto/gen/product.ts';
import type { MediaItem } from '#proto/gen/shared.ts';
import { type FeedOffer, type FeedSeller, offersOf, pageOf, titleOf } from '#proto/product_offer.ts';
import { currencyOf } from '#values/currency.ts';
import { plainText } from '#values/html.ts';
import { validGtin } from '#values/text.ts';

const TITLE_LENGTH_MAX = 150;
const DESCRIPTION_LENGTH_MAX = 5_000;
const ADDITIONAL_IMAGES_MAX = 10;

/** Google's attributes of variants, by the option names that merchants use. */
const ATTRIBUTES: Readonly<Record<string, string>> = {
  color: 'color',
  colour: 'color',
  material: 'material',
  pattern: 'pattern',
  gender: 'gender',
  age_group: 'ageGroup',
};

const truncate = (text: string, lengthMax: number): string =>
  text.length <= lengthMax ? text : [...text].slice(0, lengthMax).join('');

const isImage = ({ type }: MediaItem): boolean => type === 'image';

const attributesOf = ({ variant_attributes }: FeedOffer): Record<string, unknown> => {
  const attributes: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(variant_attributes ?? {})) {
    if (typeof value !== 'string' && typeof value !== 'number') continue;
    const known = ATTRIBUTES[name.toLowerCase()];
    if (known) attributes[known] = String(value);
    else if (name.toLowerCase() === 'size') attributes.sizes = [String(value)];
  }
  return attributes;
};

const offerOf = (seller: FeedSeller, product: Product, offer: FeedOffer): object => {
  const { price, selling_price: selling } = offer;
  const currency = product.display_currency;
  const amount = (value: number) => ({ value: value.toFixed(currencyOf(currency).exponent), currency });
  const lowered = price !== null && selling !== null && selling < price;
  const images = [offer.thumbnail_url, product.thumbnail_url]
    .concat([...offer.media, ...product.media].filter(isImage).map(({ url }) => url))
    .filter((url) => url !== null);
  const [image, ...more] = new Set(images);
  const gtin = validGtin(offer.gtin);
  const identifiers = gtin !== null || (offer.mpn !== null && product.brand !== null);
  const fields = {
    offerId: offer.variant_id,
    itemGroupId: product.id,
    channel: 'online',
    title: truncate(titleOf(product, offer), TITLE_LENGTH_MAX),
    description: truncate(plainText(product.description), DESCRIPTION_LENGTH_MAX),
    link: pageOf(seller, product),
    imageLink: image,
    additionalImageLinks: more.length > 0 ? more.slice(0, ADDITIONAL_IMAGES_MAX) : null,
    availability: offer.stock > 0 ? 'in_stock' : 'out_of_stock',
    price: price === null ? (selling === null ? null : amount(selling)) : amount(price),
    salePrice: lowered ? amount(selling) : null,
    condition: offer.condition,
    brand: product.brand,
    gtin,
    mpn: offer.mpn,
    identifierExists: identifiers,
    googleProductCategory: product.google_product_category,
    productTypes: product.category_name === null ? null : [product.category_name],
    ...attributesOf(offer),
  };
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null && value !== undefined));
};

export const googleLines = (seller: FeedSeller, product: Product): readonly object[] =>
  offersOf(product).map((offer) => offerOf(seller, product, offer));

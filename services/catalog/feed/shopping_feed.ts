// products.xml: RSS 2.0 with the `g:` namespace of shopping channels, one item per priced variant.

import type { Product, Variant } from '#proto/gen/product.ts';
import { yieldToEventLoop } from '#runtime/flow/slice.ts';
import { translatedDetail } from '#services/catalog/memory/answer.ts';
import type { Catalogue } from '#services/catalog/memory/catalogue.ts';
import { plainText } from '#values/html.ts';
import { validGtin } from '#values/text.ts';
import { type FeedStore, linkTo, PRODUCTS_PER_YIELD } from './feed_store.ts';

const ID_LENGTH_MAX = 50;
const TITLE_LENGTH_MAX = 150;
const DESCRIPTION_LENGTH_MAX = 5_000;
const MORE_IMAGES_MAX = 10;

/** Maps merchants' names of variant attributes to the names that shopping channels recognise. */
const ATTRIBUTES: Readonly<Record<string, string>> = {
  color: 'color',
  colour: 'color',
  size: 'size',
  material: 'material',
  pattern: 'pattern',
  gender: 'gender',
  age_group: 'age_group',
};

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
};

/** Removes characters that XML 1.0 cannot represent. */
export const xmlText = (text: string): string =>
  text
    .replace(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, '')
    .replace(/[&<>"']/g, (character) => ENTITIES[character]!);

const element = (name: string, value: string | null | undefined): string =>
  value === null || value === undefined || value === '' ? '' : `<${name}>${xmlText(value)}</${name}>`;

const cut = (text: string, lengthMax: number): string =>
  text.length <= lengthMax ? text : [...text].slice(0, lengthMax).join('');

type Shown = Pick<
  Variant,
  | 'variant_id'
  | 'sku'
  | 'variant_name'
  | 'variant_attributes'
  | 'price'
  | 'selling_price'
  | 'stock'
  | 'condition'
  | 'gtin'
  | 'mpn'
  | 'weight_grams'
  | 'thumbnail_url'
  | 'media'
>;

const isImage = ({ type }: { readonly type: string }): boolean => type === 'image';

const writeItem = (store: FeedStore, product: Product, variant: Shown, decimals: number): string => {
  const { price, selling_price: selling } = variant;
  if (price === null) return '';
  const amount = (value: number): string => `${value.toFixed(decimals)} ${product.display_currency}`;
  const several = product.has_variants;
  const title = several && variant.variant_name ? `${product.name} - ${variant.variant_name}` : product.name;
  const page = linkTo(store, `products/${product.product_slug}`);
  const images = [variant.thumbnail_url, product.thumbnail_url]
    .concat([...variant.media, ...product.media].filter(isImage).map(({ url }) => url))
    .filter((url) => url !== null);
  const [image, ...more] = new Set(images);
  const known = product.brand !== null && variant.mpn !== null;
  const gtin = validGtin(variant.gtin);
  const attributes = new Map<string, string>();
  for (const [name, value] of Object.entries(variant.variant_attributes ?? {})) {
    const attribute = ATTRIBUTES[name.toLowerCase()];
    if (attribute !== undefined) attributes.set(attribute, String(value));
  }
  return [
    '<item>',
    element(
      'g:id',
      variant.sku !== null && [...variant.sku].length <= ID_LENGTH_MAX ? variant.sku : variant.variant_id,
    ),
    element('title', cut(title, TITLE_LENGTH_MAX)),
    element('description', cut(plainText(product.description).trim() || product.name, DESCRIPTION_LENGTH_MAX)),
    element('link', page && (several ? `${page}?variant=${variant.variant_id}` : page)),
    element('g:image_link', image),
    ...more.slice(0, MORE_IMAGES_MAX).map((url) => element('g:additional_image_link', url)),
    element('g:availability', (variant.stock ?? 0) > 0 ? 'in_stock' : 'out_of_stock'),
    element('g:price', amount(price)),
    element('g:sale_price', selling !== null && selling < price ? amount(selling) : null),
    element('g:condition', variant.condition),
    element('g:brand', product.brand),
    element('g:gtin', gtin),
    element('g:mpn', variant.mpn),
    element('g:identifier_exists', gtin === null && !known ? 'no' : null),
    element('g:item_group_id', several ? product.id : null),
    element('g:google_product_category', product.google_product_category),
    element('g:product_type', [product.category_name, product.subcategory_name].filter(Boolean).join(' > ')),
    ...[...attributes].map(([name, value]) => element(`g:${name}`, value)),
    element('g:shipping_weight', variant.weight_grams === null ? null : `${variant.weight_grams} g`),
    element('g:average_rating', product.average_rating?.toFixed(1)),
    element('g:review_count', product.average_rating === null ? null : String(product.review_count)),
    '</item>\n',
  ].join('');
};

export const renderShoppingFeed = async (store: FeedStore, catalogue: Catalogue): Promise<Buffer> => {
  const decimals = catalogue.frame.currency.exponent;
  const parts: Buffer[] = [];
  let text = [
    '<?xml version="1.0" encoding="UTF-8"?>\n',
    '<rss version="2.0" xmlns:g="http://base.google.com/ns/1.0">\n<channel>\n',
    element('title', store.name),
    element('link', linkTo(store, '') ?? `urn:uuid:${store.id}`),
    element('description', plainText(store.description ?? '').trim() || store.name),
    element('language', store.language ?? null),
    '\n',
  ].join('');
  for (const [at, entry] of catalogue.sorted('newest').entries()) {
    if (at > 0 && at % PRODUCTS_PER_YIELD === 0) {
      parts.push(Buffer.from(text));
      text = '';
      await yieldToEventLoop();
    }
    if (!entry.active || entry.deleted) continue;
    const product = JSON.parse(translatedDetail(entry, catalogue, store.language).toString()) as Product;
    const variants = product.variants ?? [{ ...product, thumbnail_url: null, media: [] } as unknown as Variant];
    for (const variant of variants) text += writeItem(store, product, variant, decimals);
  }
  parts.push(Buffer.from(`${text}</channel>\n</rss>\n`));
  return Buffer.concat(parts);
};

// Writes the JSON documents inside a product (media, attributes, …) as canonical text, so that equal documents have
// equal texts.
import { randomUUIDv7 } from 'bun';
import type {
  ProductTranslation,
  ShippingInfo,
  ShippingInfoInput,
  Specification,
  SpecificationInput,
} from '#proto/gen/product.ts';
import type { UpdateProductRequest } from '#proto/gen/product_request.ts';
import type { MediaItem, MediaItemInput } from '#proto/gen/shared.ts';
import { Refusal, refuse } from '#runtime/call/call.ts';
import { mergeTranslations } from '#services/commerce/translation.ts';
import { typedName } from '#values/text.ts';

/** The JSON documents of a product, as canonical texts. */
export interface ProductDocuments {
  readonly media: string;
  readonly seo_keywords: string | null;
  readonly tags: string | null;
  readonly attributes: string | null;
  readonly shipping_info: string | null;
  readonly specifications: string;
  /** Translated fields by language; null if there are none. */
  readonly translations: string | null;
}

/** `languages` are the store's, its default one first. */
export const readDocuments = (
  before: ProductDocuments | null,
  row: Pick<UpdateProductRequest, keyof ProductDocuments>,
  languages: readonly string[],
): ProductDocuments | Refusal => {
  const attributes =
    row.attributes === undefined ? (before?.attributes ?? null) : attributesText(row.attributes, 'attributes');
  if (attributes instanceof Refusal) return attributes;
  const specifications =
    row.specifications === undefined ? (before?.specifications ?? '[]') : specificationText(row.specifications);
  if (specifications instanceof Refusal) return specifications;
  const translations = translationsText(before?.translations ?? null, row.translations, languages);
  if (translations instanceof Refusal) return translations;
  return {
    media: row.media === undefined ? (before?.media ?? '[]') : mediaText(row.media, before?.media),
    seo_keywords: row.seo_keywords === undefined ? (before?.seo_keywords ?? null) : textList(row.seo_keywords),
    tags: row.tags === undefined ? (before?.tags ?? null) : nameList(row.tags),
    attributes,
    shipping_info: row.shipping_info === undefined ? (before?.shipping_info ?? null) : shippingText(row.shipping_info),
    specifications,
    translations,
  };
};

const translationsText = (
  before: string | null,
  given: UpdateProductRequest['translations'],
  languages: readonly string[],
): string | null | Refusal => {
  if (given === undefined) return before;
  const known = before === null ? null : (JSON.parse(before) as Record<string, ProductTranslation>);
  const merged = mergeTranslations(known, given, languages);
  return merged === null || merged instanceof Refusal ? merged : JSON.stringify(merged);
};

const KEYS_MAX = 300;
const KEY_LENGTH_MAX = 100;
const ATTRIBUTES_LENGTH_MAX = 65_536;
const VARIANT_KEYS_MAX = 50;
const VARIANT_VALUE_LENGTH_MAX = 500;
const VALUE_LENGTH_MAX = 5_000;

export const textList = (list: readonly string[] | null): string | null =>
  list === null ? null : JSON.stringify(list);

export const nameList = (list: readonly string[] | null): string | null => textList(list?.map(typedName) ?? null);

/** Writes media items as text. An item without an id gets the id that the item with the same URL had before. */
export const mediaText = (items: readonly MediaItemInput[], before?: string): string => {
  if (items.length === 0) return '[]';
  const known = before === undefined || before === '[]' ? [] : (JSON.parse(before) as MediaItem[]);
  const taken = new Set<string>(items.flatMap((item) => item.id?.toLowerCase() ?? []));
  const idOf = (url: string): string => {
    const old = known.find((item) => item.url === url && !taken.has(item.id!));
    const id = old?.id ?? randomUUIDv7();
    taken.add(id);
    return id;
  };
  return JSON.stringify(
    items.map(
      (item, at): MediaItem => ({
        id: item.id?.toLowerCase() ?? idOf(item.url),
        type: item.type ?? 'image',
        url: item.url,
        alt_text: item.alt_text ?? null,
        width: item.width ?? null,
        height: item.height ?? null,
        position: at + 1,
        poster_url: item.poster_url ?? null,
      }),
    ),
  );
};

export const firstImage = (media: string): string | null =>
  media === '[]' ? null : ((JSON.parse(media) as MediaItem[]).find((item) => item.type === 'image')?.url ?? null);

export const shippingText = (info: ShippingInfoInput | null): string | null => {
  if (info === null) return null;
  const whole: ShippingInfo = {
    requires_shipping: info.requires_shipping ?? true,
    weight_grams: info.weight_grams ?? null,
    length_cm: info.length_cm ?? null,
    width_cm: info.width_cm ?? null,
    height_cm: info.height_cm ?? null,
  };
  return JSON.stringify(whole);
};

/** With `plain` (variants), refuses attribute values other than texts, numbers and booleans. */
export const attributesText = (
  attributes: Record<string, unknown> | null,
  param: string,
  plain = false,
): string | null | Refusal => {
  if (attributes === null) return null;
  const keys = Object.keys(attributes);
  const keysMax = plain ? VARIANT_KEYS_MAX : KEYS_MAX;
  if (keys.length > keysMax) return tooMuch(param, `at most ${keysMax} keys`);
  for (const key of keys) {
    const value = attributes[key];
    if (key === '' || key.length > KEY_LENGTH_MAX) return tooMuch(param, `keys of 1 to ${KEY_LENGTH_MAX} characters`);
    if (plain && !isPlain(value, VARIANT_VALUE_LENGTH_MAX)) {
      return tooMuch(
        `${param}.${key}`,
        `a text of at most ${VARIANT_VALUE_LENGTH_MAX} characters, a number or a boolean`,
      );
    }
  }
  const text = JSON.stringify(attributes, (_, value: unknown) =>
    typeof value === 'string' ? typedName(value) : value,
  );
  return text.length > ATTRIBUTES_LENGTH_MAX ? tooMuch(param, 'at most 64 kB of JSON') : text;
};

export const specificationText = (lines: readonly SpecificationInput[]): string | Refusal => {
  const whole: Specification[] = [];
  for (const [at, { group, name, value, unit }] of lines.entries()) {
    if (!isPlain(value, VALUE_LENGTH_MAX)) {
      return tooMuch(
        `specifications[${at}].value`,
        `a text of at most ${VALUE_LENGTH_MAX} characters, a number or a boolean`,
      );
    }
    whole.push({ group: group ?? null, name, value, unit: unit ?? null });
  }
  return JSON.stringify(whole);
};

const isPlain = (value: unknown, lengthMax: number): boolean =>
  typeof value === 'string' ? value.length <= lengthMax : typeof value === 'number' || typeof value === 'boolean';

const tooMuch = (param: string, allowed: string): Refusal =>
  refuse('invalid_request', `\`${param}\` must be ${allowed}.`, { param });

// Renders responses from memory as bytes: copies the stored texts of products, and writes prices and stock between
// them. Reads the texts of a variant back from there.
import type { Product } from '#proto/gen/product.ts';
import { type FragmentList, nameFragment } from '#runtime/call/fragment_list.ts';
import { aggregateText, figuresText, ratingText, restockedText } from '#services/catalog/product_text.ts';
import { pickFields, wantedFields } from '#values/field.ts';
import { toMajor } from '#values/money.ts';
import type { AnswerLanguage } from '#values/translation.ts';
import type { Catalogue } from './catalogue.ts';
import type { ProductEntry, VariantEntry, VariantTexts } from './entry.ts';
import { type ShownPrices, storedPrices } from './shown_price.ts';
import { isTranslated, translatedProduct, translatedSpecifications } from './translated_product.ts';

const COMMA = 0x2c;

const ratingTextOf = ({ rating, reviews, has_variants }: ProductEntry, { frame }: ShownPrices): string =>
  ratingText(rating, reviews, has_variants, frame);

const CLOSING = 0x7d;

const listedRest = (entry: ProductEntry, catalogue: Catalogue, prices: ShownPrices, withRestocked: boolean): string => {
  const { frame } = prices;
  return (
    `,${figuresText(prices.figures(entry.defaultVariant), frame)}${withRestocked ? restockedText(entry.defaultVariant) : ''}` +
    `${entry.has_variants ? aggregateText(entry.variants.map(prices.figures), frame) : ''}` +
    `${catalogue.categoryTextOf(entry)}${ratingTextOf(entry, prices)}`
  );
};

const cachedRest = (entry: ProductEntry, catalogue: Catalogue): Buffer => {
  const fragment = catalogue.fragmentOf(entry);
  if (entry.restFragment !== fragment) {
    entry.restFragment = fragment;
    entry.rest = Buffer.from(listedRest(entry, catalogue, storedPrices(catalogue), false));
  }
  return entry.rest;
};

const storedBytes = ({ text, defaultVariant }: ProductEntry): number => text.length + defaultVariant.text.length;

const copyStoredText = (into: Buffer, at: number, { text, defaultVariant }: ProductEntry): number => {
  const end = at + text.copy(into, at);
  return end + defaultVariant.text.copy(into, end);
};

const copyOpen = (into: Buffer, at: number, entry: ProductEntry, catalogue: Catalogue): number => {
  const end = copyStoredText(into, at, entry);
  return end + cachedRest(entry, catalogue).copy(into, end);
};

const openBytes = (entry: ProductEntry, catalogue: Catalogue): number =>
  storedBytes(entry) + cachedRest(entry, catalogue).length;

export interface ProductListPage {
  readonly entries: readonly ProductEntry[];
  readonly limit: number;
  readonly nextCursor: string | null;
}

const LIST_HEAD = Buffer.from('{"products":[');
const LIST_TAIL = Buffer.from(']}');
const OBJECT_END = Buffer.from('}');

const pageTail = ({ limit, nextCursor }: ProductListPage): Buffer =>
  Buffer.from(`],"pagination":${JSON.stringify({ limit, has_more: nextCursor !== null, next_cursor: nextCursor })}}`);

/** Lowest prices before the current reduction, in minor units of the shown currency, by the variant's id. */
export type LowestPrices = ReadonlyMap<string, number>;

/** Adds `lowest_price_30d` to a product and its variants. */
const withLowest = (text: string, lowest: LowestPrices, { frame }: ShownPrices): string => {
  const product = JSON.parse(text) as Product;
  const of = (id: string | null): number | null => {
    const found = id === null ? undefined : lowest.get(id);
    return found === undefined ? null : toMajor(found, frame.currency);
  };
  if (product.variant_id !== undefined) product.lowest_price_30d = of(product.variant_id);
  for (const variant of product.variants ?? []) variant.lowest_price_30d = of(variant.variant_id);
  return JSON.stringify(product);
};

export const withLowestPrices = (body: Uint8Array, lowest: LowestPrices, prices: ShownPrices): Buffer =>
  Buffer.from(withLowest(Buffer.from(body).toString(), lowest, prices));

export interface ListView {
  /** Without `fields`, lists omit `last_restocked`. */
  readonly fields?: string;
  readonly language?: AnswerLanguage;
  /** Shown where `fields` names `lowest_price_30d`. */
  readonly lowest?: LowestPrices | null;
}

export const listAnswer = (page: ProductListPage, catalogue: Catalogue, view: ListView = {}): FragmentList =>
  !view.fields && !page.entries.some((entry) => isTranslated(entry, catalogue, view.language))
    ? productList(page.entries, catalogue, pageTail(page))
    : viewedList(page, catalogue, view);

const viewedList = (page: ProductListPage, catalogue: Catalogue, { fields = '', language }: ListView): FragmentList => {
  const viewed = viewedProducts(page.entries, catalogue, fields, language);
  return {
    head: LIST_HEAD,
    names: viewed.map(({ name }) => name),
    fragment: (at) => viewed[at]!.bytes,
    tail: pageTail(page),
  };
};

const viewedProducts = (
  entries: readonly ProductEntry[],
  catalogue: Catalogue,
  fields: string,
  language: AnswerLanguage,
) => {
  const cuts = catalogue.cuts.of(fields, language);
  const prices = storedPrices(catalogue);
  return entries.map((entry) =>
    cuts.cut(entry, catalogue.fragmentOf(entry), () => {
      const text = wholeText(entry, catalogue, prices, fields !== '');
      return translatedProduct(JSON.parse(text), entry, catalogue, language);
    }),
  );
};

const wholeText = (entry: ProductEntry, catalogue: Catalogue, prices: ShownPrices, withRestocked: boolean): string => {
  const own = Buffer.allocUnsafe(storedBytes(entry));
  copyStoredText(own, 0, entry);
  return `${own}${listedRest(entry, catalogue, prices, withRestocked)}}`;
};

const translatedText = (text: string, entry: ProductEntry, catalogue: Catalogue, language: AnswerLanguage): string =>
  isTranslated(entry, catalogue, language)
    ? JSON.stringify(translatedProduct(JSON.parse(text), entry, catalogue, language))
    : text;

/** Renders products with prices that are not cached: converted ones, for example. */
export const pricedListAnswer = (
  page: ProductListPage,
  catalogue: Catalogue,
  prices: ShownPrices,
  { fields, language, lowest }: ListView,
): Buffer => {
  const texts = page.entries.map((entry) => {
    const text = translatedText(wholeText(entry, catalogue, prices, Boolean(fields)), entry, catalogue, language);
    return lowest ? withLowest(text, lowest, prices) : text;
  });
  const wanted = fields ? wantedFields(fields) : null;
  const shown = wanted ? texts.map((text) => JSON.stringify(pickFields(JSON.parse(text), wanted))) : texts;
  return Buffer.concat([LIST_HEAD, Buffer.from(shown.join(',')), pageTail(page)]);
};

export const productsAnswer = (entries: readonly ProductEntry[], catalogue: Catalogue): FragmentList =>
  productList(entries, catalogue, LIST_TAIL);

const productList = (entries: readonly ProductEntry[], catalogue: Catalogue, tail: Uint8Array): FragmentList => ({
  head: LIST_HEAD,
  names: entries.map((entry) => catalogue.fragmentOf(entry)),
  fragment: (at) => {
    const entry = entries[at] as ProductEntry;
    const bytes = Buffer.allocUnsafeSlow(openBytes(entry, catalogue) + 1);
    bytes[copyOpen(bytes, 0, entry, catalogue)] = CLOSING;
    return bytes;
  },
  tail,
  whole: wholeOf(
    entries,
    (entry) => openBytes(entry, catalogue) + 1,
    (into, at, entry) => {
      const end = copyOpen(into, at, entry, catalogue);
      into[end] = CLOSING;
      return end + 1;
    },
  ),
});

/**
 * Returns a function that copies all parts into one buffer. Summing the parts' lengths first also loads the parts into
 * the processor's cache. `copy` returns the position after the part.
 */
const wholeOf =
  <T>(
    parts: readonly T[],
    bytesMax: (part: T) => number,
    copy: (into: Buffer, at: number, part: T) => number,
  ): FragmentList['whole'] =>
  (head, tail) => {
    let bytes = head.length + tail.length + parts.length;
    for (let part = 0; part < parts.length; part++) bytes += bytesMax(parts[part]!);
    const into = Buffer.allocUnsafeSlow(bytes);
    into.set(head);
    let at = head.length;
    for (let part = 0; part < parts.length; part++) {
      if (part > 0) into[at++] = COMMA;
      at = copy(into, at, parts[part]!);
    }
    into.set(tail, at);
    return into.subarray(0, at + tail.length);
  };

const openedName = (entry: ProductEntry, catalogue: Catalogue): number => {
  const fragment = catalogue.fragmentOf(entry);
  if (entry.openedFragment !== fragment) {
    entry.openedFragment = fragment;
    entry.openFragment = nameFragment();
  }
  return entry.openFragment;
};

const SCORE_BYTES_MAX = ',"score":0.9999}'.length;

/** Rendered scores by their ten-thousandths: at most 10,001, since a score is between 0 and 1. */
const scoreEndings: Buffer[] = [];

const writeScore = (into: Buffer, start: number, score: number): number => {
  const rounded = Math.round(score * 10_000);
  const ending = scoreEndings[rounded] ?? Buffer.from(`,"score":${rounded / 10_000}}`);
  scoreEndings[rounded] = ending;
  into.set(ending, start);
  return start + ending.length;
};

export interface FoundProducts {
  readonly entry: ProductEntry;
  readonly score: number;
}

export const foundAnswer = (
  found: readonly FoundProducts[],
  catalogue: Catalogue,
  language?: AnswerLanguage,
): FragmentList =>
  found.some(({ entry }) => isTranslated(entry, catalogue, language))
    ? translatedFound(found, catalogue, language)
    : plainFound(found, catalogue);

const translatedFound = (
  found: readonly FoundProducts[],
  catalogue: Catalogue,
  language: AnswerLanguage,
): FragmentList => {
  const viewed = viewedProducts(
    found.map(({ entry }) => entry),
    catalogue,
    '',
    language,
  );
  return {
    head: LIST_HEAD,
    names: viewed.map(({ openName }) => openName),
    fragment: (at) => viewed[at]!.bytes.subarray(0, -1),
    ending: (into, start, at) => writeScore(into, start, found[at]!.score),
    tail: LIST_TAIL,
  };
};

const plainFound = (found: readonly FoundProducts[], catalogue: Catalogue): FragmentList => ({
  head: LIST_HEAD,
  names: found.map(({ entry }) => openedName(entry, catalogue)),
  fragment: (at) => {
    const { entry } = found[at]!;
    const bytes = Buffer.allocUnsafeSlow(openBytes(entry, catalogue));
    copyOpen(bytes, 0, entry, catalogue);
    return bytes;
  },
  ending: (into, start, at) => writeScore(into, start, found[at]!.score),
  tail: LIST_TAIL,
  whole: wholeOf(
    found,
    ({ entry }) => openBytes(entry, catalogue) + SCORE_BYTES_MAX,
    (into, at, { entry, score }) => writeScore(into, copyOpen(into, at, entry, catalogue), score),
  ),
});

export const pricedFoundAnswer = (
  found: readonly FoundProducts[],
  catalogue: Catalogue,
  prices: ShownPrices,
  { language, lowest }: ListView,
): Buffer => {
  const texts = found.map(({ entry, score }) => {
    const text = translatedText(wholeText(entry, catalogue, prices, false), entry, catalogue, language);
    const open = (lowest ? withLowest(text, lowest, prices) : text).slice(0, -1);
    return `${open},"score":${Math.round(score * 10_000) / 10_000}}`;
  });
  return Buffer.concat([LIST_HEAD, Buffer.from(texts.join(',')), LIST_TAIL]);
};

/** Renders a product's detail in a language. */
export const translatedDetail = (
  entry: ProductEntry,
  catalogue: Catalogue,
  language: AnswerLanguage,
  prices: ShownPrices = storedPrices(catalogue),
): Buffer => {
  const detail = detailAnswer(entry, catalogue, prices);
  if (!isTranslated(entry, catalogue, language)) return detail;
  return Buffer.from(translatedText(detail.toString(), entry, catalogue, language));
};

/**
 * Renders a product's detail. A single variant's fields are at the top level; several variants are listed in
 * `variants`, with aggregates at the top level.
 */
export const detailAnswer = (
  entry: ProductEntry,
  catalogue: Catalogue,
  prices: ShownPrices = storedPrices(catalogue),
): Buffer => {
  const { frame } = prices;
  const world = catalogue.categoryTextOf(entry) + ratingTextOf(entry, prices);
  const changing = (variant: VariantEntry): string =>
    `${figuresText(prices.figures(variant), frame)}${restockedText(variant)}`;
  if (!entry.has_variants)
    return Buffer.concat([
      entry.text,
      entry.defaultVariant.text,
      Buffer.from(`,${changing(entry.defaultVariant)}${world}}`),
    ]);
  const parts = [
    entry.text,
    Buffer.from(`${world}${aggregateText(entry.variants.map(prices.figures), frame)},"variants":[`),
  ];
  for (const [at, variant] of entry.variants.entries())
    parts.push(Buffer.from(`${at > 0 ? ',' : ''}{${changing(variant)}`), variant.text, variant.rest, OBJECT_END);
  parts.push(LIST_TAIL);
  return Buffer.concat(parts);
};

export const specificationAnswer = (entry: ProductEntry, language?: AnswerLanguage): Buffer => {
  const { specifications, translations } = entry;
  if (specifications.length === 0) return Buffer.from('{"specifications":[]}');
  if (language === undefined || translations.length === 0) return Buffer.from(`{"specifications":${specifications}}`);
  const lines = translatedSpecifications(entry, JSON.parse(specifications.toString()), language);
  return Buffer.from(JSON.stringify({ specifications: lines }));
};

/** Parses a variant's texts once; the cache needs no invalidation, because a changed variant is a new entry. */
export const textsOf = (variant: VariantEntry, catalogue: Catalogue): VariantTexts => {
  if (variant.texts) return variant.texts;
  const product = JSON.parse(detailAnswer(variant.entry, catalogue).toString()) as Product;
  const own = product.variants?.find(({ variant_id }) => variant_id === variant.id) ?? product;
  variant.texts = {
    name: product.name,
    variant_name: own.variant_name ?? null,
    sku: own.sku ?? null,
    thumbnail_url: own.thumbnail_url ?? product.thumbnail_url,
    requires_shipping: product.shipping_info?.requires_shipping ?? true,
  };
  return variant.texts;
};

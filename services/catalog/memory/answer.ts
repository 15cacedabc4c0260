// Answers from memory as bytes: a product's own texts copied as they stand, its figures written between them.
import { aggregateText, figuresText, restockedText, standingText } from '#services/catalog/product_text.ts';
import type { Catalogue } from './catalogue.ts';
import type { ProductEntry } from './entry.ts';
import { ByteWriter } from './shelf.ts';

const writer = new ByteWriter();

const standingOf = ({ rating, reviews, has_variants }: ProductEntry, { frame }: Catalogue): string =>
  standingText(rating, reviews, has_variants, frame);

/** Everything of a listed product that its own texts do not say, and its object's end. */
const listedRest = (entry: ProductEntry, catalogue: Catalogue, withRestocked: boolean): string =>
  `,${figuresText(entry.shown, catalogue.frame)}${withRestocked ? restockedText(entry.shown) : ''}` +
  `${entry.has_variants ? aggregateText(entry.variants, catalogue.frame) : ''}` +
  `${catalogue.placeOf(entry)}${standingOf(entry, catalogue)}}`;

const writeListed = (entry: ProductEntry, catalogue: Catalogue, withRestocked: boolean): void => {
  const { shown, textBytes } = entry;
  const start = entry.start + textBytes;
  if (entry.variants[0] === shown) writer.copy(entry.slab, entry.start, textBytes + shown.rootBytes);
  else {
    let at = start;
    for (const variant of entry.variants) {
      if (variant === shown) break;
      at += variant.bytes;
    }
    writer.copy(entry.slab, entry.start, textBytes);
    writer.copy(entry.slab, at, shown.rootBytes);
  }
  writer.text(listedRest(entry, catalogue, withRestocked));
};

export interface Page {
  readonly entries: readonly ProductEntry[];
  readonly limit: number;
  /** Null on the last page. */
  readonly nextCursor: string | null;
}

/** The list answer. `last_restocked` stands in it only when asked for. */
export const listAnswer = (
  { entries, limit, nextCursor }: Page,
  catalogue: Catalogue,
  withRestocked: boolean,
): Buffer => {
  writeProducts(entries, catalogue, withRestocked);
  const pagination = { limit, has_more: nextCursor !== null, next_cursor: nextCursor };
  writer.text(`,"pagination":${JSON.stringify(pagination)}}`);
  return writer.take();
};

/** Products in list shape, without pages. */
export const productsAnswer = (entries: readonly ProductEntry[], catalogue: Catalogue): Buffer => {
  writeProducts(entries, catalogue, false);
  writer.text('}');
  return writer.take();
};

const writeProducts = (entries: readonly ProductEntry[], catalogue: Catalogue, withRestocked: boolean): void => {
  writer.text('{"products":[');
  for (const [at, entry] of entries.entries()) {
    if (at > 0) writer.text(',');
    writeListed(entry, catalogue, withRestocked);
  }
  writer.text(']');
};

/** The bare detail: flat for a simple product, with aggregates and `variants` for a multi-variant one. */
export const detailAnswer = (entry: ProductEntry, catalogue: Catalogue): Buffer => {
  const { frame } = catalogue;
  const world = catalogue.placeOf(entry) + standingOf(entry, catalogue);
  if (!entry.has_variants) {
    writer.copy(entry.slab, entry.start, entry.textBytes + entry.shown.rootBytes);
    writer.text(`,${figuresText(entry.shown, frame)}${restockedText(entry.shown)}${world}}`);
    return writer.take();
  }
  writer.copy(entry.slab, entry.start, entry.textBytes);
  writer.text(`${world}${aggregateText(entry.variants, frame)},"variants":[`);
  let at = entry.start + entry.textBytes;
  for (const [index, variant] of entry.variants.entries()) {
    writer.text(`${index > 0 ? ',' : ''}{${figuresText(variant, frame)}${restockedText(variant)}`);
    writer.copy(entry.slab, at, variant.bytes);
    writer.text('}');
    at += variant.bytes;
  }
  writer.text(']}');
  return writer.take();
};

export const specificationAnswer = (entry: ProductEntry): Buffer => {
  writer.text('{"specifications":');
  if (entry.specificationBytes === 0) writer.text('[]');
  else writer.copy(entry.slab, entry.start + entry.bytes - entry.specificationBytes, entry.specificationBytes);
  writer.text('}');
  return writer.take();
};

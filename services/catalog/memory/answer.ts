// Answers from memory as bytes: a product's own texts copied as they stand, its figures written between them.
import { aggregateText, figuresText, placeText, restockedText } from '#services/catalog/product_text.ts';
import type { Catalogue } from './catalogue.ts';
import type { ProductEntry } from './entry.ts';
import { ByteWriter } from './shelf.ts';

const writer = new ByteWriter();

const placeOf = (entry: ProductEntry, catalogue: Catalogue): string =>
  placeText(
    entry.category_id === null ? undefined : catalogue.category(entry.category_id),
    entry.subcategory_id === null ? undefined : catalogue.category(entry.subcategory_id),
    entry.rating,
    entry.reviews,
    entry.has_variants,
    catalogue.frame,
  );

const writeListed = (entry: ProductEntry, catalogue: Catalogue, withRestocked: boolean): void => {
  const { frame } = catalogue;
  const { shown } = entry;
  writer.text('{');
  writer.copy(entry.slab, entry.start, entry.textBytes);
  writer.text(',');
  let at = entry.start + entry.textBytes;
  for (const variant of entry.variants) {
    if (variant === shown) break;
    at += variant.bytes;
  }
  writer.copy(entry.slab, at, shown.rootBytes);
  const figures = figuresText(shown, frame);
  const aggregates = entry.has_variants ? aggregateText(entry.variants, frame) : '';
  const restocked = withRestocked ? restockedText(shown) : '';
  writer.text(`${figures}${aggregates}${restocked}${placeOf(entry, catalogue)}}`);
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
  writer.text('{');
  writer.copy(entry.slab, entry.start, entry.textBytes);
  writer.text(placeOf(entry, catalogue));
  let at = entry.start + entry.textBytes;
  if (!entry.has_variants) {
    writer.text(',');
    writer.copy(entry.slab, at, entry.shown.rootBytes);
    writer.text(`${figuresText(entry.shown, frame)}${restockedText(entry.shown)}}`);
    return writer.take();
  }
  writer.text(`${aggregateText(entry.variants, frame)},"variants":[`);
  for (const [index, variant] of entry.variants.entries()) {
    writer.text(index > 0 ? ',{' : '{');
    writer.copy(entry.slab, at, variant.bytes);
    writer.text(`${figuresText(variant, frame)}${restockedText(variant)}}`);
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

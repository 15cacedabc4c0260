// Answers from memory as bytes: a product's own texts copied as they stand, its figures written between them.
import { namePiece, type PieceList } from '#runtime/link/piece.ts';
import { aggregateText, figuresText, restockedText, standingText } from '#services/catalog/product_text.ts';
import type { Catalogue } from './catalogue.ts';
import type { ProductEntry } from './entry.ts';
import { ByteWriter } from './shelf.ts';

const writer = new ByteWriter();
const COMMA = 0x2c;

const standingOf = ({ rating, reviews, has_variants }: ProductEntry, { frame }: Catalogue): string =>
  standingText(rating, reviews, has_variants, frame);

const CLOSING = 0x7d;

/** Everything of a listed product that its own texts do not say, but for its object's end. */
const listedRest = (entry: ProductEntry, catalogue: Catalogue, withRestocked: boolean): string =>
  `,${figuresText(entry.shown, catalogue.frame)}${withRestocked ? restockedText(entry.shown) : ''}` +
  `${entry.has_variants ? aggregateText(entry.variants, catalogue.frame) : ''}` +
  `${catalogue.placeOf(entry)}${standingOf(entry, catalogue)}`;

/** The same for as long as the product's piece is. */
const keptRest = (entry: ProductEntry, catalogue: Catalogue): string => {
  const piece = catalogue.pieceOf(entry);
  if (entry.restPiece !== piece) {
    entry.restPiece = piece;
    entry.rest = listedRest(entry, catalogue, false);
  }
  return entry.rest;
};

/** A listed product up to its object's end. */
const writeOpen = (entry: ProductEntry, catalogue: Catalogue, withRestocked = false): void => {
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
  writer.text(withRestocked ? listedRest(entry, catalogue, true) : keptRest(entry, catalogue));
};

const writeListed = (entry: ProductEntry, catalogue: Catalogue, withRestocked = false): void => {
  writeOpen(entry, catalogue, withRestocked);
  writer.byte(CLOSING);
};

export interface Page {
  readonly entries: readonly ProductEntry[];
  readonly limit: number;
  /** Null on the last page. */
  readonly nextCursor: string | null;
}

const LIST_HEAD = Buffer.from('{"products":[');
const LIST_TAIL = Buffer.from(']}');

const pageTail = ({ limit, nextCursor }: Page): Buffer =>
  Buffer.from(`],"pagination":${JSON.stringify({ limit, has_more: nextCursor !== null, next_cursor: nextCursor })}}`);

/** The list answer, of products that other pages show too. */
export const listAnswer = (page: Page, catalogue: Catalogue): PieceList =>
  productList(page.entries, catalogue, pageTail(page));

/** The list answer with `last_restocked`, which stands in it only when asked for. */
export const restockedListAnswer = (page: Page, catalogue: Catalogue): Buffer => {
  writer.copy(LIST_HEAD, 0, LIST_HEAD.length);
  for (const [at, entry] of page.entries.entries()) {
    if (at > 0) writer.byte(COMMA);
    writeListed(entry, catalogue, true);
  }
  const tail = pageTail(page);
  writer.copy(tail, 0, tail.length);
  return writer.take();
};

/** Products in list shape, without pages. */
export const productsAnswer = (entries: readonly ProductEntry[], catalogue: Catalogue): PieceList =>
  productList(entries, catalogue, LIST_TAIL);

const productList = (entries: readonly ProductEntry[], catalogue: Catalogue, tail: Uint8Array): PieceList => ({
  head: LIST_HEAD,
  names: entries.map((entry) => catalogue.pieceOf(entry)),
  piece: (at) => {
    writeListed(entries[at] as ProductEntry, catalogue);
    return writer.take();
  },
  tail,
  whole: wholeOf(entries, (entry) => writeListed(entry, catalogue)),
});

/** A whole list, each of its parts written straight behind the one before. */
const wholeOf =
  <T>(parts: readonly T[], write: (part: T) => void) =>
  (head: Uint8Array, tail: Uint8Array): Buffer => {
    writer.bytes(head);
    for (let at = 0; at < parts.length; at++) {
      if (at > 0) writer.byte(COMMA);
      write(parts[at]!);
    }
    writer.bytes(tail);
    return writer.take();
  };

/** Named anew when the product's own piece is. */
const openedName = (entry: ProductEntry, catalogue: Catalogue): number => {
  const piece = catalogue.pieceOf(entry);
  if (entry.openedPiece !== piece) {
    entry.openedPiece = piece;
    entry.openPiece = namePiece();
  }
  return entry.openPiece;
};

/** The pieces `"score":0.93}`, one for each score that was ever shown. */
const scores = new Map<number, number>();

const scoreText = (score: number): string => `"score":${score}}`;

const scoreName = (score: number): number => {
  let name = scores.get(score);
  if (name === undefined) {
    name = namePiece();
    scores.set(score, name);
  }
  return name;
};

export interface Found {
  readonly entry: ProductEntry;
  readonly score: number;
}

/** Products in list shape, each with its score (of at most four decimals) at its end. */
export const foundAnswer = (found: readonly Found[], catalogue: Catalogue): PieceList => {
  const names: number[] = [];
  for (const { entry, score } of found) names.push(openedName(entry, catalogue), scoreName(score));
  return {
    head: LIST_HEAD,
    names,
    piece: (at) => {
      const { entry, score } = found[at >> 1]!;
      if (at % 2 === 1) return Buffer.from(scoreText(score));
      writeOpen(entry, catalogue);
      return writer.take();
    },
    tail: LIST_TAIL,
    whole: wholeOf(found, ({ entry, score }) => {
      writeOpen(entry, catalogue);
      writer.byte(COMMA);
      writer.text(scoreText(score));
    }),
  };
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

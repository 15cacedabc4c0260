// Texts of a file as the values that our fields hold. What cannot be read is undefined, and noted for the report.
import type { MediaItemInput } from '#proto/gen/shared.ts';
import { looksLikeGtin } from '#values/gtin.ts';
import { plainNumber } from '#values/numeral.ts';
import type { Problem } from './catalogue.ts';

/** Notes what could not be brought of one row. */
export class Notes {
  readonly problems: Problem[] = [];

  field(row: number, id: string, param: string, message: string): void {
    this.problems.push({ row, id, param, message, whole: false });
  }

  whole(row: number, id: string | null, param: string | null, message: string): void {
    this.problems.push({ row, id, param, message, whole: true });
  }
}

export interface FieldContext {
  readonly notes: Notes;
  readonly row: number;
  readonly id: string;
}

/** Undefined where nothing stands. */
export const numberOf = (text: string, param: string, { notes, row, id }: FieldContext): number | undefined => {
  if (text === '') return undefined;
  // `.5` is written where a person typed it so.
  const whole = text.replace(/^(-?)\./, '$10.');
  const value = /^-?\d{1,15}(\.\d{1,10})?$/.test(whole) ? plainNumber(whole) : null;
  if (value !== null) return value;
  notes.field(row, id, param, `"${text}" is no number.`);
  return undefined;
};

/** Sold below nothing elsewhere, a stock here begins at 0. */
export const stockOf = (text: string, param: string, place: FieldContext): number | undefined => {
  const value = numberOf(text, param, place);
  if (value === undefined) return undefined;
  if (value >= 0) return Math.floor(value);
  place.notes.field(place.row, place.id, param, `A stock of ${text} is brought as 0.`);
  return 0;
};

/** What is paid now and what was asked before: the higher of the two is the price. */
export const pricesOf = (now: number | undefined, before: number | undefined) =>
  now !== undefined && before !== undefined && before > now
    ? { price: before, sale_price: now }
    : { price: now, sale_price: null };

export const truthOf = (text: string): boolean => /^(true|yes|1|active|published)$/i.test(text);

export const listOf = (text: string, separator: RegExp | string = ','): string[] => [
  ...new Set(
    text
      .split(separator)
      .map((part) => part.trim())
      .filter(Boolean),
  ),
];

const GRAMS: Readonly<Record<string, number>> = {
  g: 1,
  kg: 1_000,
  lb: 453.592_37,
  lbs: 453.592_37,
  oz: 28.349_523_125,
};

export const gramsOf = (text: string, unit: string, param: string, place: FieldContext): number | undefined => {
  const value = numberOf(text, param, place);
  const each = GRAMS[unit.trim().toLowerCase()];
  return value === undefined || each === undefined ? undefined : Math.round(value * each);
};

/** `Shoe Size` as attributes name it. */
export const attributeName = (text: string): string =>
  text
    .trim()
    .toLowerCase()
    .replace(/[\s.]+/g, '_');

/** A name as the last part of an address. */
export const handleOf = (text: string): string =>
  text
    .normalize('NFKD')
    .toLowerCase()
    .replace(/\p{M}/gu, '')
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-+|-+$/g, '');

export const pictures = (
  found: readonly { readonly url: string; readonly alt?: string }[],
  { notes, row, id }: FieldContext,
): MediaItemInput[] => {
  const media = new Map<string, MediaItemInput>();
  for (const { url, alt } of found) {
    if (!/^https?:\/\/\S+$/.test(url)) notes.field(row, id, 'media', `"${url}" is no web address.`);
    else if (!media.has(url))
      media.set(url, { type: 'image', url, position: media.size + 1, ...(alt && { alt_text: alt }) });
  }
  return [...media.values()];
};

/** As a member of a row; nothing where the text is none. */
export const gtinOf = (text: string, { notes, row, id }: FieldContext): { readonly gtin?: string } => {
  const gtin = text.replace(/^'/, '');
  if (looksLikeGtin(gtin)) return { gtin };
  if (gtin !== '') notes.field(row, id, 'gtin', `"${gtin}" is no GTIN.`);
  return {};
};

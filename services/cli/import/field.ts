// Parses a file's texts into field values. An unreadable text becomes undefined, and the report notes it.
import type { MediaItemInput } from '#proto/gen/shared.ts';
import { plainNumber } from '#values/numeral.ts';
import { looksLikeGtin } from '#values/text.ts';
import type { Problem } from './catalogue.ts';

const IDS_SHOWN = 5;

interface Loss {
  readonly row: number;
  readonly param: string;
  readonly message: string;
  readonly ids: Set<string>;
  rows: number;
}

const lossProblem = ({ row, param, message, ids, rows }: Loss): Problem => {
  const shown = [...ids].slice(0, IDS_SHOWN);
  const more = ids.size - shown.length;
  const names = shown.length === 0 ? '' : `: ${shown.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
  const count = `${rows} row${rows === 1 ? '' : 's'}`;
  return { row, id: null, param, message: `${message} (${count}${names}).`, whole: false };
};

export class Notes {
  readonly #problems: Problem[] = [];
  readonly #lossByText = new Map<string, Loss>();

  field(row: number, id: string, param: string, message: string): void {
    this.#problems.push({ row, id, param, message, whole: false });
  }

  damaged(row: number, id: string | null, param: string | null, message: string): void {
    this.#problems.push({ row, id, param, message, whole: id === null, damaged: true });
  }

  whole(row: number, id: string | null, param: string | null, message: string): void {
    this.#problems.push({ row, id, param, message, whole: true });
  }

  /** Counts the rows that lose the same field; `message` ends without a full stop. */
  loss({ row, id }: { readonly row: number; readonly id: string | null }, param: string, message: string): void {
    const key = `${param}\n${message}`;
    const loss = this.#lossByText.get(key) ?? { row, param, message, ids: new Set<string>(), rows: 0 };
    this.#lossByText.set(key, loss);
    loss.rows++;
    if (id !== null) loss.ids.add(id);
  }

  get problems(): Problem[] {
    return [...this.#problems, ...[...this.#lossByText.values()].map(lossProblem)];
  }
}

export const LOSS = {
  backorders: 'Sold beyond its stock there; here a variant without stock is not sold',
  untracked: 'Its stock is not counted there; here it is sold as far as the quantity of the file',
  quantity: 'The file tells no quantity: brought without a stock',
  unpublished: 'Unpublished products are brought hidden',
  status: (status: string): string => `Products of status "${status}" are brought hidden`,
};

export interface FieldContext {
  readonly notes: Notes;
  readonly row: number;
  readonly id: string;
}

export const numberOf = (text: string, param: string, { notes, row, id }: FieldContext): number | undefined => {
  if (text === '') return undefined;
  // Accepts a number without the leading zero, such as `.5`.
  const whole = text.replace(/^(-?)\./, '$10.');
  const value = /^-?\d{1,15}(\.\d{1,10})?$/.test(whole) ? plainNumber(whole) : null;
  if (value !== null) return value;
  notes.field(row, id, param, `"${text}" is no number.`);
  return undefined;
};

/** Raises negative stock, which other shops allow, to 0. */
export const stockOf = (text: string, param: string, place: FieldContext): number | undefined => {
  const value = numberOf(text, param, place);
  if (value === undefined) return undefined;
  if (value >= 0) return Math.floor(value);
  place.notes.field(place.row, place.id, param, `A stock of ${text} is brought as 0.`);
  return 0;
};

export const pricesOf = (now: number | undefined, before: number | undefined) =>
  now !== undefined && before !== undefined && before > now
    ? { price: before, sale_price: now }
    : { price: now, sale_price: null };

export const salePrices = (regular: number | undefined, sale: number | undefined, place: FieldContext) => {
  if (sale !== undefined && regular === undefined)
    place.notes.loss(
      place,
      'price',
      'A sale price stands without a regular one that can be read: brought as the price',
    );
  return pricesOf(sale ?? regular, regular);
};

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

export const gramsOf = (text: string, unit: string, place: FieldContext): number | undefined => {
  const value = numberOf(text, 'weight_grams', place);
  if (value === undefined) return undefined;
  const each = GRAMS[unit.trim().toLowerCase()];
  if (each === undefined) place.notes.loss(place, 'weight_grams', `Weights in "${unit}" are left out`);
  return each === undefined ? undefined : Math.round(value * each);
};

export const attributeName = (text: string): string =>
  text
    .trim()
    .toLowerCase()
    .replace(/[\s.]+/g, '_');

const LEVELS_MAX = 2;

export const categoryPath = (names: readonly string[], place: FieldContext): string | null => {
  const path = names.map((name) => name.trim()).filter(Boolean);
  if (path.length > LEVELS_MAX)
    place.notes.loss(place, 'category', 'Categories have two levels here; the deeper ones are left out');
  return path.slice(0, LEVELS_MAX).join(' > ') || null;
};

export const handleOf = (text: string): string =>
  text
    .normalize('NFKD')
    .toLowerCase()
    .replace(/\p{M}/gu, '')
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-+|(?<!-)-+$/g, '');

/** Requires a dot in the host, because a truncated URL may lack it. */
const isPublicAddress = (url: string): boolean =>
  /^https?:\/\/\S+$/.test(url) && URL.canParse(url) && new URL(url).hostname.includes('.');

export const pictures = (
  found: readonly { readonly url: string; readonly alt?: string; readonly row?: number }[],
  { notes, row, id }: FieldContext,
): MediaItemInput[] => {
  const media = new Map<string, MediaItemInput>();
  for (const { url, alt, row: own = row } of found) {
    if (!isPublicAddress(url)) notes.damaged(own, id, 'media', `"${url}" is no public web address of a picture.`);
    else if (!media.has(url))
      media.set(url, { type: 'image', url, position: media.size + 1, ...(alt && { alt_text: alt }) });
  }
  return [...media.values()];
};

export const gtinOf = (text: string, { notes, row, id }: FieldContext): { readonly gtin?: string } => {
  const gtin = text.replace(/^'/, '');
  if (looksLikeGtin(gtin)) return { gtin };
  if (gtin !== '') notes.field(row, id, 'gtin', `"${gtin}" is no GTIN.`);
  return {};
};

// Reports the fields of a file that the import ignores, each with the number of rows that use it.
import type { Notes } from './field.ts';
import type { UnreadValue } from './table.ts';

export type Harmless = readonly (readonly [name: RegExp, value: RegExp])[];

export const ANY = /^/;

/** Returns a common name for numbered fields, such as `Custom Label 0`, and for fields of shop extensions. */
const familyOf = (name: string): string =>
  name
    .replace(/ \d+(?= |$)/g, ' N')
    .replace(/^Meta: .*/i, 'Meta: …')
    .replace(/^.*\(product\.metafields\..*/i, 'product.metafields …');

export const noteUnread = (notes: Notes, values: readonly UnreadValue[], harmless: Harmless): void => {
  const seen = new Set<string>();
  for (const { row, name, value } of values) {
    if (harmless.some(([names, silent]) => names.test(name) && silent.test(value))) continue;
    const family = familyOf(name);
    const place = `${row}\n${family}`;
    if (!seen.has(place)) notes.loss({ row, id: null }, family, 'This field is not taken over');
    seen.add(place);
  }
};

const isEmptyValue = (value: unknown): boolean =>
  value === null || value === '' || value === false || (typeof value === 'object' && Object.keys(value).length === 0);

export const unreadOf = (value: object, row: number, known: ReadonlySet<string>): UnreadValue[] =>
  Object.entries(value).flatMap(([name, member]) =>
    known.has(name) || isEmptyValue(member) ? [] : [{ row, name, value: String(member) }],
  );

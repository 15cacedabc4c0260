// Writes CSV files for spreadsheets. Pure.
import { plainNumber } from './numeral.ts';

export type CsvValue = string | number | null;

/** Matches the beginning of a formula. The wide signs begin one in East Asian spreadsheets. */
const FORMULA = /^[=+\-@\t\r\n＝＋－＠]/;

/** A text that begins like a formula gets an apostrophe, so that no spreadsheet runs it; a negative number stays one. */
const cell = (value: CsvValue): string => {
  const text = String(value ?? '');
  const inert = typeof value === 'string' && FORMULA.test(text) && plainNumber(text) === null ? `'${text}` : text;
  return /[",\r\n]/.test(inert) ? `"${inert.replaceAll('"', '""')}"` : inert;
};

export const csvText = (rows: readonly (readonly CsvValue[])[]): string =>
  `${rows.map((row) => row.map(cell).join(',')).join('\r\n')}\r\n`;

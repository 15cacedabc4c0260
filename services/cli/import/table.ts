// Reads CSV, separated by commas, semicolons or tabs, into records by column.
import { CsvError, parse } from 'csv-parse/sync';
import { SetupError } from '#services/cli/local/child.ts';

/** One record: the row as in a spreadsheet, and the text of each column; empty if there is no such column. */
export interface TableRecord {
  readonly row: number;
  readonly text: (...columns: readonly string[]) => string;
}

export interface UnreadValue {
  readonly row: number;
  readonly name: string;
  readonly value: string;
}

export interface Table {
  readonly has: (column: string) => boolean;
  readonly columns: readonly string[];
  readonly records: readonly TableRecord[];
  readonly unread: () => UnreadValue[];
}

const SEPARATORS = [',', ';', '\t'];

const separatorOf = (text: string): string => {
  const [line = ''] = text.split('\n', 1);
  const counts = SEPARATORS.map((separator) => line.split(separator).length);
  return SEPARATORS[counts.indexOf(Math.max(...counts))]!;
};

const plain = (name: string): string => name.trim().toLowerCase();

const linesOf = (text: string): string[][] => {
  try {
    return parse(text, { delimiter: separatorOf(text), relax_column_count: true, relax_quotes: true });
  } catch (problem) {
    if (problem instanceof CsvError && problem.code === 'CSV_QUOTE_NOT_CLOSED')
      throw new SetupError(
        `A quote is opened in row ${Number(problem.records) + 1} and never closed: the file is cut off or damaged. Export it again.`,
      );
    throw new SetupError(`The file is not valid CSV: ${(problem as Error).message}`);
  }
};

interface Line {
  readonly row: number;
  readonly cells: readonly string[];
}

const checkWidth = ({ row, cells }: Line, columns: number): void => {
  if (cells.length < columns)
    throw new SetupError(
      `Row ${row} has ${cells.length} cells, and the first line names ${columns} columns: the file is cut off or damaged. Export it again.`,
    );
  if (cells.slice(columns).some(Boolean))
    throw new SetupError(
      `Row ${row} has ${cells.length} cells, and the first line names ${columns} columns: put quotes around texts that hold the separator.`,
    );
};

/**
 * Reads a table. Column names ignore case. If several columns are requested, the first one with text counts. Refuses a
 * file whose rows do not match the header.
 */
export const readTable = (source: string): Table => {
  const said = linesOf(source.replace(/^\uFEFF/, ''))
    .map((cells, index): Line => ({ cells, row: index + 1 }))
    .filter(({ cells }) => cells.some(Boolean));
  const [{ cells: header } = { cells: [] }, ...records] = said;
  if (records.length === 0)
    throw new SetupError('The file has no rows below its first line. Export it again, with its products or customers.');
  for (const line of records) checkWidth(line, header.length);
  const places = new Map(header.map((name, index) => [plain(name), index] as const).reverse());
  const read = new Set<number>();
  return {
    columns: header.map((name) => name.trim()),
    has: (column) => places.has(plain(column)),
    records: records.map(({ cells, row }) => ({
      row,
      text: (...columns) => {
        const asked = columns.flatMap((column) => places.get(plain(column)) ?? []);
        for (const place of asked) read.add(place);
        return asked.map((place) => cells[place]!.trim()).find(Boolean) ?? '';
      },
    })),
    unread: () =>
      records.flatMap(({ cells, row }) =>
        header.flatMap((name, place) => {
          const value = cells[place]!.trim();
          return value === '' || read.has(place) ? [] : [{ row, name: name.trim() || `column ${place + 1}`, value }];
        }),
      ),
  };
};

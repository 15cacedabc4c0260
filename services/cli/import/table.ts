// A file of comma-separated values as records by column; commas, semicolons and tabs separate.
import { parse } from 'csv-parse/sync';
import { SetupError } from '#services/cli/local/child.ts';

/** A record: its row as a spreadsheet counts, and the text of a column, empty where the file has no such column. */
export interface TableRecord {
  readonly row: number;
  readonly text: (...columns: readonly string[]) => string;
}

export interface Table {
  readonly has: (column: string) => boolean;
  readonly columns: readonly string[];
  readonly records: readonly TableRecord[];
}

const SEPARATORS = [',', ';', '\t'];

const separatorOf = (text: string): string => {
  const [line = ''] = text.split('\n', 1);
  const counts = SEPARATORS.map((separator) => line.split(separator).length);
  return SEPARATORS[counts.indexOf(Math.max(...counts))]!;
};

const plain = (name: string): string => name.trim().toLowerCase();

/** Letter case of column names is ignored; of several columns that are asked for the first that says something counts. */
export const readTable = (source: string): Table => {
  const text = source.replace(/^\uFEFF/, '');
  let lines: string[][];
  try {
    lines = parse(text, {
      delimiter: separatorOf(text),
      relax_column_count: true,
      relax_quotes: true,
    });
  } catch (problem) {
    throw new SetupError(`The file is not valid CSV: ${(problem as Error).message}`);
  }
  const said = lines.map((cells, index) => ({ cells, row: index + 1 })).filter(({ cells }) => cells.some(Boolean));
  const [{ cells: header } = { cells: [] }, ...records] = said;
  const places = new Map(header.map((name, index) => [plain(name), index] as const).reverse());
  return {
    columns: header.map((name) => name.trim()),
    has: (column) => places.has(plain(column)),
    records: records.map(({ cells, row }) => ({
      row,
      text: (...columns) => {
        for (const column of columns) {
          const found = cells[places.get(plain(column)) ?? -1]?.trim();
          if (found) return found;
        }
        return '';
      },
    })),
  };
};

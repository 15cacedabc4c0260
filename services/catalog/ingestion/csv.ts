// Reads CSV with a header line, separated by commas, semicolons, tabs or vertical bars.
import { parse } from 'csv-parse';
import { BadRow, BrokenDocument, documentText, type SourceRow } from './source_row.ts';
import { normalName, type TextRowOptions, textRow } from './text_row.ts';

const SEPARATORS = [',', ';', '\t', '|'];
const CHUNK_CHARACTERS = 64 * 1024;
const RECORD_CHARACTERS_MAX = 1024 * 1024;
const COLUMNS_MAX = 1_000;

const separatorOf = (text: string): string => {
  const [line = ''] = text.split(/\r?\n/, 1);
  const unquoted = line.replace(/"[^"]*"/g, '');
  const counts = SEPARATORS.map((separator) => unquoted.split(separator).length);
  return SEPARATORS[counts.indexOf(Math.max(...counts))]!;
};

const columnsOf = (header: readonly string[], options: TextRowOptions): string[] => {
  const columns = header.map(normalName);
  if (columns.length > COLUMNS_MAX) throw new BrokenDocument(`The file has more than ${COLUMNS_MAX} columns.`);
  const mappedName = options.mapping.external_id;
  const names = mappedName === undefined ? ['external_id', 'id'] : [normalName(mappedName)];
  if (!names.some((name) => columns.includes(name)))
    throw new BrokenDocument(`The file's first line names no column ${names[0]}.`);
  return columns;
};

export async function* csvRows(bytes: Uint8Array, options: TextRowOptions): AsyncGenerator<SourceRow> {
  const text = documentText(bytes);
  const records: string[][] = [];
  let failure: Error | null = null;
  const parser = parse({
    delimiter: separatorOf(text),
    // Accepts rows with too many or too few fields here, so that `rowOf` can report each of them without failing the
    // document.
    relax_column_count: true,
    relax_quotes: true,
    skip_empty_lines: true,
    max_record_size: RECORD_CHARACTERS_MAX,
    on_record: (record: string[]) => {
      records.push(record);
      return null;
    },
  });
  parser.on('error', (error) => {
    failure = error;
  });
  parser.resume();
  const ended = new Promise<void>((done) => {
    parser.on('end', done);
    parser.on('close', done);
  });

  let columns: readonly string[] | null = null;
  const taken = function* (): Generator<SourceRow> {
    for (const record of records.splice(0)) {
      if (columns === null) columns = columnsOf(record, options);
      else yield rowOf(record, columns, options);
    }
  };
  for (let from = 0; from < text.length && failure === null; from += CHUNK_CHARACTERS) {
    await new Promise<void>((done) => parser.write(text.slice(from, from + CHUNK_CHARACTERS), () => done()));
    yield* taken();
  }
  if (failure === null) {
    parser.end();
    await ended;
  }
  if (failure !== null) throw new BrokenDocument(`The file is not valid CSV: ${(failure as Error).message}`);
  yield* taken();
  if (columns === null) throw new BrokenDocument('The file is empty.');
}

const rowOf = (record: readonly string[], columns: readonly string[], options: TextRowOptions): SourceRow => {
  if (record.length !== columns.length)
    return new BadRow(`The line has ${record.length} fields, the first line ${columns.length}.`);
  const texts = new Map<string, string[]>();
  for (const [index, name] of columns.entries()) {
    const value = record[index]!.trim();
    const before = texts.get(name);
    if (before === undefined) texts.set(name, [value]);
    else before.push(value);
  }
  return textRow(texts, options);
};

// Reads a pushed or fetched document row by row, yielding so that a large one does not block the process.
import { parseStrict } from '#values/strict_json.ts';
import { csvRows } from './csv.ts';
import { googleXmlRows } from './google_xml.ts';
import { jsonRows } from './json_array.ts';
import { mapped } from './mapping.ts';
import { ndjsonRows } from './ndjson.ts';
import { BadRow, type DocumentOptions, type SourceRow } from './source_row.ts';

/** Bounds how long parsing one row blocks the process. */
const ROW_BYTES_MAX = 1024 * 1024;

/** Rows are numbered by their order; blank lines do not count. */
export const sourceRows = (
  bytes: Uint8Array,
  options: DocumentOptions,
): AsyncIterable<SourceRow> | Iterable<SourceRow> => {
  switch (options.format) {
    case 'json':
      return jsonRows(bytes);
    case 'ndjson':
      return ndjsonRows(bytes);
    case 'csv':
      return csvRows(bytes, options);
    case 'google_xml':
      return googleXmlRows(bytes, options);
  }
};

export const readRow = (source: SourceRow, { mapping }: DocumentOptions): Record<string, unknown> | BadRow => {
  if (source instanceof BadRow) return source;
  if (!(source instanceof Uint8Array)) return source;
  if (source.length > ROW_BYTES_MAX) return new BadRow(`A row has at most ${ROW_BYTES_MAX} bytes.`);
  const read = parseStrict(source);
  if (!read.ok) return new BadRow(read.message.replace('The body', 'The row'), read.param ?? null);
  if (typeof read.value !== 'object' || read.value === null || Array.isArray(read.value))
    return new BadRow('A row must be an object.');
  return mapped(read.value as Record<string, unknown>, mapping);
};

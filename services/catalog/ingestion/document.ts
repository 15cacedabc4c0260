// Reads a pushed or fetched document row by row, and yields to the event loop so that a large document does not block
// the process.
import { parseStrict } from '#values/json.ts';
import { csvRows } from './csv.ts';
import { googleXmlRows } from './google_xml.ts';
import { jsonRows } from './json_array.ts';
import { BadRow, type DocumentOptions, type SourceRow } from './source_row.ts';
import { mapped } from './text_row.ts';

const LINE_FEED = 0x0a;

const isBlank = (bytes: Uint8Array, from: number, to: number): boolean => {
  for (let at = from; at < to; at++) {
    const byte = bytes[at];
    if (byte !== 0x20 && byte !== 0x09 && byte !== 0x0d) return false;
  }
  return true;
};

export function* ndjsonRows(bytes: Uint8Array): Generator<Uint8Array> {
  for (let from = 0; from < bytes.length; ) {
    const end = bytes.indexOf(LINE_FEED, from);
    const to = end < 0 ? bytes.length : end;
    if (!isBlank(bytes, from, to)) yield bytes.subarray(from, to);
    from = to + 1;
  }
}

/** Bounds how long parsing one row blocks the process. */
const ROW_BYTES_MAX = 1024 * 1024;

/** Reads rows in document order and skips blank lines. Error reports number rows in this order. */
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

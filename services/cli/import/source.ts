// Decodes an export: UTF-8, as shops write it, or UTF-16 or Windows-1252, as spreadsheets save it.
import { SetupError } from '#services/cli/local/child.ts';
import type { Problem } from './catalogue.ts';

export interface Source {
  readonly text: string;
  readonly problems: readonly Problem[];
}

const GUESSED: Problem = {
  row: null,
  id: null,
  param: null,
  message: 'The file is not in UTF-8: it is read as Windows-1252. Look at names with accents.',
  whole: false,
};

type Encoding = 'utf-16le' | 'utf-16be' | 'utf-8';

const SAMPLE_BYTES = 1_000;
/** Share of zero bytes from which a file is UTF-16: Latin letters have one zero byte each. */
const ZEROS_MIN = 0.4;

const zeros = (bytes: Uint8Array, from: 0 | 1): number => {
  const sample = bytes.subarray(0, SAMPLE_BYTES).filter((_, at) => at % 2 === from);
  return sample.length === 0 ? 0 : sample.filter((byte) => byte === 0).length / sample.length;
};

const encodingOf = (bytes: Uint8Array): Encoding => {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be';
  const [even, odd] = [zeros(bytes, 0), zeros(bytes, 1)];
  if (even === 0 && odd >= ZEROS_MIN) return 'utf-16le';
  return odd === 0 && even >= ZEROS_MIN ? 'utf-16be' : 'utf-8';
};

const decoded = (bytes: Uint8Array): Source => {
  try {
    return { text: new TextDecoder(encodingOf(bytes), { fatal: true }).decode(bytes), problems: [] };
  } catch {
    return { text: new TextDecoder('windows-1252').decode(bytes), problems: [GUESSED] };
  }
};

const BINARY = /[\0-\x08\x0e-\x1a\x1c-\x1f]/;

export const decodeSource = (bytes: Uint8Array): Source => {
  const source = decoded(bytes);
  if (source.text.trim() === '') throw new SetupError('The file is empty. Export it again.');
  if (BINARY.test(source.text))
    throw new SetupError(
      'The file is no text, but a spreadsheet, an archive or a picture: export it as CSV, XML or JSON.',
    );
  return source;
};

// An export's bytes as text. Shops write UTF-8; spreadsheets that saved it anew may have written UTF-16 or Windows-1252.
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

const markOf = (bytes: Uint8Array): 'utf-16le' | 'utf-16be' | 'utf-8' => {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  return bytes[0] === 0xfe && bytes[1] === 0xff ? 'utf-16be' : 'utf-8';
};

export const decodeSource = (bytes: Uint8Array): Source => {
  try {
    return { text: new TextDecoder(markOf(bytes), { fatal: true }).decode(bytes), problems: [] };
  } catch {
    return { text: new TextDecoder('windows-1252').decode(bytes), problems: [GUESSED] };
  }
};

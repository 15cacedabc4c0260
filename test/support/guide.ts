// Reads the guides and the README for tests: their fenced code blocks, in order.
import { readdirSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';

export interface Block {
  /** The language of the fence: `sh`, `ts`, `text`; empty where it has none. */
  readonly language: string;
  /** The words after the language: `refused`, `background`, `by hand`. */
  readonly kind: string;
  readonly text: string;
  /** The line in the file at which its text begins. */
  readonly line: number;
}

export interface Guide {
  readonly name: string;
  readonly file: string;
  readonly source: string;
  readonly blocks: readonly Block[];
}

const FENCE = /^( *)```(\w*)([^\n]*)\n(.*?)^\1```$/gms;

/** Blocks in lists are indented; their text is returned without the indent. */
export const blocksOf = (source: string): Block[] =>
  [...source.matchAll(FENCE)].map(({ 1: indent = '', 2: language = '', 3: kind = '', 4: text = '', index }) => ({
    language,
    kind: kind.trim(),
    text: indent === '' ? text : text.replaceAll(new RegExp(`^ {1,${indent.length}}`, 'gm'), ''),
    line: source.slice(0, index).split('\n').length + 1,
  }));

const FOLDER = 'edge/pages/guide';

export const readGuide = (file: string): Guide => {
  const source = readFileSync(file, 'utf8');
  return { name: basename(file, '.md'), file, source, blocks: blocksOf(source) };
};

/** README first, then the guides by name. */
export const readGuides = (): Guide[] =>
  [
    'README.md',
    ...readdirSync(FOLDER)
      .sort()
      .map((name) => `${FOLDER}/${name}`),
  ].map(readGuide);

// Reads the documents of the API's requirements, if they lie beside the repository.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DATA_FOLDER } from './icecat.ts';

const FOLDER = join(DATA_FOLDER, '../spec');

/** Ends of sentences, and of parts of one. */
const SENTENCE_END = /;\s|\),\s|(?<=\.)\s+(?=[A-Z`])/;

/** Null where it is not. */
export const specification: string | null = existsSync(FOLDER)
  ? readdirSync(FOLDER)
      .filter((name) => name.endsWith('.txt'))
      .map((name) => readFileSync(join(FOLDER, name), 'utf8'))
      .join('\n')
  : null;

/**
 * The passages of a part, each a row of a table or a sentence: of a whole section by its heading, of one row or line by its
 * beginning. Text that the documents lack has none.
 */
export const passagesOf = (part: string): readonly string[] => {
  const lines = (specification ?? '').split('\n');
  const heading = lines.indexOf(part);
  const end = lines.findIndex((line, at) => at > heading && line.startsWith('#'));
  const within = part.startsWith('#') ? lines.slice(heading + 1, end) : lines.filter((line) => line.startsWith(part));
  const isHead = (line: string, at: number): boolean => line.startsWith('|---') || !!within[at + 1]?.startsWith('|---');
  return within
    .filter((line, at) => line !== '' && !isHead(line, at))
    .flatMap((line) => (line.startsWith('|') ? [line] : line.replace(/^- /, '').split(SENTENCE_END)))
    .filter((passage) => !passage.includes('not shown') && !passage.endsWith('see the endpoint below.'));
};

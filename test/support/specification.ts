// The specification's own text, where it is at hand beside the repository.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const FOLDER = join(fileURLToPath(new URL('../../../shared', import.meta.url)), 'spec');

/** Null where it is not. */
export const specification: string | null = existsSync(FOLDER)
  ? readdirSync(FOLDER)
      .filter((name) => name.endsWith('.txt'))
      .map((name) => readFileSync(join(FOLDER, name), 'utf8'))
      .join('\n')
  : null;

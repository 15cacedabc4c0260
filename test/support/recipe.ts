// Carries out a guide that shows how to write code: writes its files and applies its differences in a copy of the checkout.
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Block, Guide } from './guide.ts';

/** Entries of a checkout that are not the house's files. */
const LEFT_OUT = new Set(['node_modules', '.git', '.stoa']);

/** All files of the checkout, with the packages of this one. */
export const copyCheckout = (from: string, to: string): void => {
  for (const name of readdirSync(from))
    if (!LEFT_OUT.has(name)) cpSync(join(from, name), join(to, name), { recursive: true });
  symlinkSync(join(from, 'node_modules'), join(to, 'node_modules'));
};

/** A block that is a file, or a change of one, says so behind its language: `ts services/banner/rpc.ts`. */
export const isFile = ({ kind }: Block): boolean => /^[\w./-]+\.\w+$/.test(kind);

const linesOf = (block: Block, signs: string): string[] =>
  block.text
    .split('\n')
    .filter((line) => line !== '' && signs.includes(line[0]!))
    .map((line) => line.slice(1));

/**
 * Replaces the lines before (` ` and `-`), found exactly once in the file by their beginnings, with those after (` ` and
 * `+`).
 */
export const applyDifference = (text: string, block: Block): string => {
  const before = linesOf(block, ' -');
  const lines = text.split('\n');
  const places = lines.flatMap((_, at) =>
    before.every((line, offset) => lines[at + offset]?.startsWith(line)) ? [at] : [],
  );
  if (places.length !== 1)
    throw new Error(`Line ${block.line}: what the change stands beside is in ${block.kind} ${places.length} times.`);
  const found = lines.splice(places[0]!, before.length);
  const after = block.text
    .split('\n')
    .slice(0, -1)
    .filter((line) => line[0] !== '-')
    // An unchanged line stays as the file has it, of which the guide may show the beginning.
    .map((line) => (line[0] === ' ' ? found[before.indexOf(line.slice(1))]! : line.slice(1)));
  lines.splice(places[0]!, 0, ...after);
  return lines.join('\n');
};

/** Whether the file has all that the change adds. */
export const isDone = (text: string, block: Block): boolean => {
  const lines = new Set(text.split('\n'));
  return linesOf(block, '+').every((line) => lines.has(line));
};

export const followRecipe = (guide: Guide, folder: string): void => {
  for (const block of guide.blocks.filter(isFile)) {
    const file = join(folder, block.kind);
    if (block.language === 'diff') writeFileSync(file, applyDifference(readFileSync(file, 'utf8'), block));
    else {
      if (existsSync(file)) throw new Error(`${guide.file}:${block.line}: ${block.kind} is there already.`);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, block.text);
    }
  }
};

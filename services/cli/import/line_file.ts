// The file of an export: one object a line, under its name once it is whole. A pipe or a device takes each line as it comes.
import { closeSync, openSync, realpathSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { SetupError } from '#services/cli/local/child.ts';

const STANDARD_OUTPUT = 1;

export type WriteLine = (line: object) => void;

/** `out` undefined: standard output. What stood under the name stays where `run` fails. */
export const writeLines = async <T>(out: string | undefined, run: (write: WriteLine) => Promise<T>): Promise<T> => {
  const told = <R>(work: () => R): R => {
    try {
      return work();
    } catch (fault) {
      throw new SetupError(`${out ?? 'The standard output'} cannot be written: ${(fault as Error).message}`);
    }
  };
  const to = (target: number) => run((line) => told(() => writeFileSync(target, `${JSON.stringify(line)}\n`)));
  if (out === undefined) return to(STANDARD_OUTPUT);
  const there = told(() => statSync(out, { throwIfNoEntry: false }));
  const isFile = !there || there.isFile();
  // Of a link the file that it leads to is replaced.
  const file = there ? realpathSync(out) : out;
  const draft = isFile ? `${file}.${process.pid}.new` : file;
  const target = told(() => openSync(draft, 'w'));
  try {
    const done = await to(target);
    if (isFile) told(() => renameSync(draft, file));
    return done;
  } catch (problem) {
    if (isFile) rmSync(draft, { force: true });
    throw problem;
  } finally {
    closeSync(target);
  }
};

// Writes an export, one JSON object per line. A file gets its name only when it is complete; pipes and devices get each
// line at once.
import { closeSync, openSync, realpathSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { SetupError } from '#services/cli/local/child.ts';

const STANDARD_OUTPUT = 1;

export type WriteLine = (line: object) => void;

/** Writes to standard output if `out` is undefined. If `run` fails, an existing file stays unchanged. */
export const writeLines = async <T>(out: string | undefined, run: (write: WriteLine) => Promise<T>): Promise<T> => {
  const orThrow = <R>(work: () => R): R => {
    try {
      return work();
    } catch (fault) {
      throw new SetupError(`${out ?? 'The standard output'} could not be written: ${(fault as Error).message}`);
    }
  };
  const to = (target: number) => run((line) => orThrow(() => writeFileSync(target, `${JSON.stringify(line)}\n`)));
  if (out === undefined) return to(STANDARD_OUTPUT);
  const there = orThrow(() => statSync(out, { throwIfNoEntry: false }));
  const isFile = !there || there.isFile();
  const file = there ? realpathSync(out) : out;
  const draft = isFile ? `${file}.${process.pid}.new` : file;
  const target = orThrow(() => openSync(draft, 'w'));
  try {
    const done = await to(target);
    if (isFile) orThrow(() => renameSync(draft, file));
    return done;
  } catch (problem) {
    if (isFile) rmSync(draft, { force: true });
    throw problem;
  } finally {
    closeSync(target);
  }
};

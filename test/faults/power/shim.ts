// A disk that forgets what was not synced: builds the library that notes it, and takes it back once the writers are dead.
import {
  chmodSync,
  closeSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  statSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const SOURCE = fileURLToPath(new URL('./forget.c', import.meta.url));
const HEAD_BYTES = 24;

export interface ForgetfulDisk {
  /** For the processes that write below the folder. */
  readonly env: Readonly<Record<string, string>>;
  /** Takes back what was not synced; how many writes. All writers are dead. */
  forget(): number;
}

/** Null where there is no compiler. `root` need not be there yet. */
export const forgetfulDisk = (home: string, root: string): ForgetfulDisk | null => {
  const compiler = ['cc', 'gcc', 'clang'].find((name) => Bun.which(name) !== null);
  if (!compiler || process.platform !== 'linux') return null;
  const [library, shadow] = [join(home, 'forget.so'), join(home, 'shadow')];
  const built = Bun.spawnSync([compiler, '-O2', '-shared', '-fPIC', '-o', library, SOURCE, '-ldl']);
  if (built.exitCode !== 0) throw new Error(`The library is not built: ${built.stderr.toString()}`);
  mkdirSync(shadow, { recursive: true });
  // The writers may be of another account.
  chmodSync(shadow, 0o777);
  return {
    env: { LD_PRELOAD: library, POWER_ROOT: root, POWER_SHADOW: shadow },
    forget: () => takeBack(root, shadow),
  };
};

const filesOf = (root: string): Map<string, string> => {
  const files = new Map<string, string>();
  for (const name of readdirSync(root, { recursive: true }) as string[]) {
    const path = join(root, name);
    const found = statSync(path, { throwIfNoEntry: false });
    if (found?.isFile()) files.set(String(found.ino), path);
  }
  return files;
};

interface Note {
  readonly at: number;
  readonly bytes: Uint8Array;
  readonly size: number;
}

const notesOf = (text: Buffer): Note[] => {
  const notes: Note[] = [];
  for (let at = 0; at + HEAD_BYTES <= text.length; ) {
    const length = Number(text.readBigUInt64LE(at + 8));
    const end = at + HEAD_BYTES + length;
    if (end > text.length) break;
    notes.push({
      at: Number(text.readBigUInt64LE(at)),
      bytes: text.subarray(at + HEAD_BYTES, end),
      size: Number(text.readBigUInt64LE(at + 16)),
    });
    at = end;
  }
  return notes;
};

const takeBack = (root: string, shadow: string): number => {
  const files = filesOf(root);
  let count = 0;
  for (const inode of readdirSync(shadow)) {
    const notes = notesOf(readFileSync(join(shadow, inode)));
    writeFileSync(join(shadow, inode), '');
    const path = files.get(inode);
    if (!path || notes.length === 0) continue;
    const file = openSync(path, 'r+');
    for (const { at, bytes, size } of notes.toReversed()) {
      if (bytes.length > 0) writeSync(file, bytes, 0, bytes.length, at);
      truncateSync(path, size);
      count++;
    }
    closeSync(file);
  }
  return count;
};

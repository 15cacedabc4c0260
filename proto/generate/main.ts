// Writes proto/gen from the proto files; with --check says whether it is as they would make it.
//
// Usage: npm run generate -- [--check]
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { filesIn, generate } from './buf.ts';

const source = fileURLToPath(new URL('..', import.meta.url));
const target = join(source, 'gen');

mkdirSync(target, { recursive: true });

/** Names of files that differ, are missing or are left over. */
const differences = (fresh: string, committed: string): string[] => {
  const names = new Set([fresh, committed].flatMap((folder) => filesIn(folder).map((path) => relative(folder, path))));
  const isSame = (name: string): boolean => {
    const paths = [join(fresh, name), join(committed, name)] as const;
    return paths.every(existsSync) && readFileSync(paths[0]).equals(readFileSync(paths[1]));
  };
  return [...names].filter((name) => !isSame(name)).sort();
};

const fresh = mkdtempSync(join(tmpdir(), 'stoa-gen-'));
try {
  const mistake = generate(source, fresh);
  if (mistake !== null) {
    console.error(`The proto files cannot be read; proto/gen is left as it was.\n${mistake}`);
    process.exitCode = 1;
  } else if (process.argv.includes('--check')) {
    const stale = differences(fresh, target);
    if (stale.length > 0) {
      console.error(`proto/gen is stale (run \`bun proto/generate/main.ts\`): ${stale.join(', ')}`);
      process.exitCode = 1;
    }
  } else {
    // File by file, so that a reader of the folder meanwhile misses nothing that stays.
    const changed = differences(fresh, target);
    for (const name of changed) {
      if (existsSync(join(fresh, name))) cpSync(join(fresh, name), join(target, name));
      else rmSync(join(target, name));
    }
    console.log(changed.length === 0 ? 'proto/gen was fresh.' : `proto/gen: ${changed.join(', ')}`);
  }
} finally {
  rmSync(fresh, { recursive: true, force: true });
}

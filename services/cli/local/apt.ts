// Downloads one package of a newer Debian suite into a folder of the home, without changing the system's apt state.

import { execFile } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type AptSource, mainArchives, parseSources, sourcesOfSuite } from './apt_source.ts';
import { privileged, SetupError } from './child.ts';
import { type LocalVariables, variables } from './variable.ts';

const STEP_LIMIT_MS = 180_000;

export const unpackPackage = async (name: string, suite: string, folder: string): Promise<void> => {
  const codename = releaseField('VERSION_CODENAME');
  const archives = releaseField('ID') === 'debian' ? mainArchives(machineSources(), codename) : [];
  if (archives.length === 0) throw new SetupError("the machine's apt sources list no Debian archive");
  const work = mkdtempSync(join(tmpdir(), 'stoa-apt-'));
  try {
    // If root starts apt, apt downloads as the user `_apt`, who needs access to the folder.
    chmodSync(work, 0o755);
    const environment = await privateApt(work, archives, suite);
    await step('apt-get', ['-q', '-y', 'update'], work, environment);
    await step('apt-get', ['-q', '-y', 'download', name], work, environment);
    const file = readdirSync(work).find((entry) => entry.endsWith('.deb'));
    if (!file) throw new SetupError(`apt-get downloaded no package ${name}`);
    await step('dpkg-deb', ['-x', join(work, file), folder], work, variables);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
};

/**
 * Configures apt with separate folders. Proxies, certificates and trusted keys of the machine apply; hooks, preferences
 * and other sources do not.
 */
const privateApt = async (work: string, archives: readonly AptSource[], suite: string): Promise<LocalVariables> => {
  for (const folder of ['state/lists/partial', 'cache/archives/partial'])
    mkdirSync(join(work, folder), { recursive: true });
  const architecture = (await step('dpkg', ['--print-architecture'], work, variables)).trim();
  const settings = await step('apt-config', ['dump'], work, variables);
  const sources = join(work, 'suite.sources');
  writeFileSync(sources, sourcesOfSuite(archives, suite, architecture));
  const lines = [
    ...settings.split('\n').filter((line) => /^Acquire::(?!IndexTargets|Languages|Changelogs)\S/.test(line)),
    'Acquire::Languages "none";',
    'APT::Update::Error-Mode "any";',
    'Dir::Etc::main "/dev/null";',
    'Dir::Etc::parts "/dev/null";',
    'Dir::Etc::preferences "/dev/null";',
    'Dir::Etc::preferencesparts "/dev/null";',
    `Dir::Etc::sourcelist "${sources}";`,
    'Dir::Etc::sourceparts "/dev/null";',
    `Dir::State "${join(work, 'state')}";`,
    'Dir::State::status "/dev/null";',
    `Dir::Cache "${join(work, 'cache')}";`,
    'Dir::Cache::pkgcache "";',
    'Dir::Cache::srcpkgcache "";',
  ];
  const file = join(work, 'apt.conf');
  writeFileSync(file, `${lines.join('\n')}\n`);
  return { ...variables, APT_CONFIG: file, LC_ALL: 'C', DEBIAN_FRONTEND: 'noninteractive' };
};

const step = (command: string, args: readonly string[], cwd: string, env: LocalVariables): Promise<string> =>
  new Promise((resolve, reject) => {
    const options = { cwd, env: { ...env } as NodeJS.ProcessEnv, timeout: STEP_LIMIT_MS, maxBuffer: 64 * 1024 * 1024 };
    execFile(...privileged(command, args, null, 'SIGTERM'), options, (fault, stdout, stderr) => {
      if (!fault) return resolve(stdout);
      const said = `${stderr}\n${stdout}`.split('\n').find((line) => /^(E|Err|W):/.test(line));
      reject(new SetupError(`${command} ${args.at(-1)} failed: ${said ?? fault.message.split('\n')[0]}`));
    });
  });

const machineSources = (): AptSource[] => {
  const folder = '/etc/apt/sources.list.d';
  const files = existsSync(folder) ? readdirSync(folder).map((name) => join(folder, name)) : [];
  return ['/etc/apt/sources.list', ...files.sort()].flatMap((file) => {
    const format = /^[\w./-]+\.sources$/.test(file) ? 'deb822' : /^[\w./-]+\.list$/.test(file) ? 'one-line' : null;
    if (format === null || !existsSync(file)) return [];
    return parseSources(readFileSync(file, 'utf8'), format);
  });
};

const releaseField = (name: string): string => {
  try {
    const line = readFileSync('/etc/os-release', 'utf8').match(new RegExp(`^${name}="?([^"\\n]*)"?$`, 'm'));
    return line?.[1] ?? '';
  } catch {
    return '';
  }
};

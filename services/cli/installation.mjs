// Installs what a checkout needs: Bun in the version of package.json, and the locked packages, with or without the
// development packages.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
export const modules = join(root, 'node_modules');
const toolchain = join(modules, '.toolchain');
const stampFile = join(modules, '.stoa-installed');
const lock = join(modules, '.stoa-installing');
const LOCK_AGE_MS_MAX = 15 * 60_000;

export const say = (text) => process.stderr.write(`stoa: ${text}\n`);

export class SetupError extends Error {}

const bunVersion = () => {
  const { packageManager } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  return packageManager.replace(/^bun@/, '');
};

const runs = (program, version) => {
  const answer = spawnSync(program, ['--version'], { encoding: 'utf8', timeout: 20_000 });
  return answer.status === 0 && answer.stdout.trim() === version;
};

const findBun = (version) => {
  const own = join(toolchain, version);
  if (existsSync(own)) {
    const found = bunsIn(own).find((program) => runs(program, version));
    if (found) return found;
  }
  // npm puts packages' programs first on its PATH; a Bun among them may disappear with the next install.
  const folders = (process.env.PATH ?? '').split(delimiter).filter((folder) => folder && !folder.startsWith(modules));
  return folders.map((folder) => join(folder, 'bun')).find((program) => existsSync(program) && runs(program, version));
};

/**
 * Lists the launcher that npm's install script creates, and the platform packages' programs where scripts are disabled.
 */
const bunsIn = (folder) => {
  const packages = join(folder, 'node_modules');
  const platforms = join(packages, '@oven');
  const names = existsSync(platforms) ? readdirSync(platforms).sort() : [];
  return [join(packages, 'bun', 'bin', 'bun.exe'), ...names.map((name) => join(platforms, name, 'bin', 'bun'))].filter(
    (file) => existsSync(file),
  );
};

const fetchBun = (version) => {
  say(`Fetching Bun ${version} from npm (once).`);
  mkdirSync(toolchain, { recursive: true });
  const draft = join(toolchain, `draft-${process.pid}`);
  rmSync(draft, { recursive: true, force: true });
  mkdirSync(draft);
  writeFileSync(join(draft, 'package.json'), JSON.stringify({ private: true }));
  const options = [
    '--no-audit',
    '--no-fund',
    '--no-save',
    '--no-package-lock',
    '--no-update-notifier',
    '--loglevel=error',
  ];
  finish('npm', ['install', '--prefix', draft, ...options, `bun@${version}`], 'npm could not fetch Bun');
  const target = join(toolchain, version);
  rmSync(target, { recursive: true, force: true });
  renameSync(draft, target);
  const found = findBun(version);
  if (!found) throw new SetupError(`Bun ${version} from npm does not run on this machine.`);
  return found;
};

const LEFT_OUT = { running: ['--production', '--omit=peer'], all: [] };

/** Identifies what the packages were installed from; npm writes its own file when it installs. */
const stampOf = (packages, version) => {
  const hash = createHash('sha256');
  for (const name of ['package.json', 'bun.lock', 'bunfig.toml']) hash.update(readFileSync(join(root, name)));
  const npm = statSync(join(modules, '.package-lock.json'), { throwIfNoEntry: false });
  return [hash.digest('hex'), version, process.platform, process.arch, npm ? npm.mtimeMs : 'bun', packages].join(' ');
};

const stamp = () => {
  try {
    return readFileSync(stampFile, 'utf8');
  } catch {
    return '';
  }
};

/** The complete set contains the packages for production. */
const isInstalled = (packages, version) =>
  [packages, 'all'].some((set) => stamp() === stampOf(set, version)) && existsSync(join(modules, '.bin', 'stoa'));

/** Bun adds missing packages and does not touch present ones, so a system that is running is not disturbed. */
const install = (bun, packages, version) => {
  // A checkout with development packages retains them when the locked versions change.
  const set = stamp().endsWith(' all') ? 'all' : packages;
  say('Installing packages.');
  rmSync(stampFile, { force: true });
  // npm's own resolution would conflict with the locked versions.
  if (existsSync(join(modules, '.package-lock.json'))) clearModules();
  const env = { ...process.env, ...npmNetwork() };
  const options = ['--frozen-lockfile', '--no-progress', '--no-summary', ...LEFT_OUT[set]];
  finish(bun, ['install', ...options], 'bun could not install the packages', env);
  linkOwnCommand();
  writeFileSync(stampFile, stampOf(set, version));
};

const clearModules = () => {
  const retained = [toolchain, lock];
  for (const name of readdirSync(modules)) {
    const entry = join(modules, name);
    if (!retained.includes(entry)) rmSync(entry, { recursive: true, force: true });
  }
};

/** Passes the registry and certificates of npm's configuration to Bun. */
const npmNetwork = () => {
  const options = { encoding: 'utf8', cwd: root };
  const { stdout } = spawnSync('npm', ['config', 'get', 'registry', 'cafile', '--loglevel=silent'], options);
  const config = Object.fromEntries((stdout ?? '').split('\n').map((line) => line.split(/\s*=\s*(.*)/, 2)));
  const read = (name) => (['null', 'undefined'].includes(config[name]) ? '' : config[name]);
  const [registry, cafile] = [read('registry'), process.env.NODE_EXTRA_CA_CERTS ?? read('cafile')];
  return { ...(registry && { NPM_CONFIG_REGISTRY: registry }), ...(cafile && { NODE_EXTRA_CA_CERTS: cafile }) };
};

/** npx prefers installed commands, and so runs this checkout without a download. */
const linkOwnCommand = () => {
  const link = join(modules, '.bin', 'stoa');
  mkdirSync(dirname(link), { recursive: true });
  if (lstatSync(link, { throwIfNoEntry: false })) rmSync(link);
  symlinkSync(join('..', '..', 'services', 'cli', 'stoa.mjs'), link);
};

const finish = (command, args, failure, env = process.env) => {
  const done = spawnSync(command, args, {
    cwd: root,
    env,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
    maxBuffer: 2 ** 26,
  });
  if (done.status === 0) return;
  const said = done.error
    ? done.error.message
    : `${done.stdout}\n${done.stderr}`.trim().split('\n').slice(-12).join('\n');
  throw new SetupError(`${failure}:\n${said}`);
};

/** Lets one process install at a time; the others wait, then see the packages installed. */
const alone = async (work) => {
  try {
    mkdirSync(modules, { recursive: true });
  } catch (fault) {
    throw new SetupError(`${modules} cannot be written: ${fault.message}`);
  }
  for (let waited = false; ; ) {
    try {
      mkdirSync(lock);
      writeFileSync(join(lock, 'pid'), String(process.pid));
      break;
    } catch (fault) {
      if (fault.code !== 'EEXIST') throw new SetupError(`${modules} cannot be written: ${fault.message}`);
    }
    if (isLockStale()) rmSync(lock, { recursive: true, force: true });
    else {
      if (!waited) say('Another stoa is installing; waiting for it.');
      waited = true;
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
  }
  try {
    return work();
  } finally {
    rmSync(lock, { recursive: true, force: true });
  }
};

const isLockStale = () => {
  const made = statSync(lock, { throwIfNoEntry: false });
  if (!made) return false;
  const ageMs = Date.now() - made.mtimeMs;
  try {
    process.kill(Number(readFileSync(join(lock, 'pid'), 'utf8')), 0);
    return ageMs > LOCK_AGE_MS_MAX;
  } catch (fault) {
    // The lock has no pid yet: it is new, or its owner died at once.
    return fault.code === 'ESRCH' || (fault.code === 'ENOENT' && ageMs > 5000);
  }
};

export const prepare = async (packages) => {
  const version = bunVersion();
  const bun = findBun(version);
  if (bun && isInstalled(packages, version)) return bun;
  return alone(() => {
    const program = findBun(version) ?? fetchBun(version);
    if (!isInstalled(packages, version)) install(program, packages, version);
    return program;
  });
};

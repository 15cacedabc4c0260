#!/usr/bin/env node
// The door for Node: brings Bun and the packages where they are missing, then hands over to Bun.
import { spawn, spawnSync } from 'node:child_process';
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
import { constants } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const modules = join(root, 'node_modules');
const toolchain = join(modules, '.toolchain');
const stampFile = join(modules, '.stoa-installed');
const lock = join(modules, '.stoa-installing');
const LOCK_AGE_MS_MAX = 15 * 60_000;

const say = (text) => process.stderr.write(`stoa: ${text}\n`);

class SetupError extends Error {}

const bunVersion = () => {
  const { packageManager } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  return packageManager.replace(/^bun@/, '');
};

const runs = (program, version) => {
  const answer = spawnSync(program, ['--version'], { encoding: 'utf8', timeout: 20_000 });
  return answer.status === 0 && answer.stdout.trim() === version;
};

/** Bun of exactly this version: ours, else the user's own. */
const findBun = (version) => {
  const own = join(toolchain, version);
  if (existsSync(own)) {
    const found = bunsIn(own).find((program) => runs(program, version));
    if (found) return found;
  }
  // Packages' own programs stand first on npm's PATH; a Bun among them may go with the next install.
  const folders = (process.env.PATH ?? '').split(delimiter).filter((folder) => folder && !folder.startsWith(modules));
  return folders.map((folder) => join(folder, 'bun')).find((program) => existsSync(program) && runs(program, version));
};

/** The launcher that npm's install script makes, else (scripts switched off) the platform packages' programs. */
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

/** What the installed packages were made from; npm leaves its own mark when it installs. */
const stampNow = (version) => {
  const hash = createHash('sha256');
  for (const name of ['package.json', 'bun.lock', 'bunfig.toml']) hash.update(readFileSync(join(root, name)));
  const npm = statSync(join(modules, '.package-lock.json'), { throwIfNoEntry: false });
  return [hash.digest('hex'), version, process.platform, process.arch, npm ? npm.mtimeMs : 'bun'].join(' ');
};

const isInstalled = (version) => {
  try {
    return readFileSync(stampFile, 'utf8') === stampNow(version) && existsSync(join(modules, '.bin', 'stoa'));
  } catch {
    return false;
  }
};

const install = (bun, version) => {
  say('Installing packages.');
  rmSync(stampFile, { force: true });
  // What npm placed by its own resolution would stand in the way of the locked versions.
  if (existsSync(join(modules, '.package-lock.json'))) clearModules();
  const env = { ...process.env, ...npmNetwork() };
  finish(
    bun,
    ['install', '--frozen-lockfile', '--no-progress', '--no-summary'],
    'bun could not install the packages',
    env,
  );
  linkOwnCommand();
  writeFileSync(stampFile, stampNow(version));
};

const clearModules = () => {
  const kept = [toolchain, lock];
  for (const name of readdirSync(modules)) {
    const entry = join(modules, name);
    if (!kept.includes(entry)) rmSync(entry, { recursive: true, force: true });
  }
};

/** npm's registry and certificates hold for Bun too, wherever npm was told of them. */
const npmNetwork = () => {
  const read = (name) => {
    const answer = spawnSync('npm', ['config', 'get', name, '--loglevel=silent'], { encoding: 'utf8', cwd: root });
    const value = answer.status === 0 ? answer.stdout.trim() : '';
    return value === 'null' || value === 'undefined' ? '' : value;
  };
  const registry = read('registry');
  const cafile = process.env.NODE_EXTRA_CA_CERTS ?? read('cafile');
  return { ...(registry && { NPM_CONFIG_REGISTRY: registry }), ...(cafile && { NODE_EXTRA_CA_CERTS: cafile }) };
};

/** npx looks for a command among the installed ones first: there it finds this checkout's own, without the network. */
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

/** One installs at a time; the others wait for it and then find everything in place. */
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
    // No pid yet: it was made this instant, or its maker died right after.
    return fault.code === 'ESRCH' || (fault.code === 'ENOENT' && ageMs > 5000);
  }
};

const prepare = async () => {
  const version = bunVersion();
  const bun = findBun(version);
  if (bun && isInstalled(version)) return bun;
  return alone(() => {
    const program = findBun(version) ?? fetchBun(version);
    if (!isInstalled(version)) install(program, version);
    return program;
  });
};

/** A program that `stoa bun` runs describes itself, with its options, in the comment that it begins with. */
const describe = (file) => {
  const lines = readFileSync(file, 'utf8').split('\n');
  const end = lines.findIndex((line) => !line.startsWith('//'));
  return lines
    .slice(0, end < 0 ? lines.length : end)
    .map((line) => line.replace(/^\/\/ ?/, ''))
    .join('\n');
};

/** The file whose page a caller asks for: `stoa bun FILE --help`. */
const fileToDescribe = ([name, file, ...rest]) =>
  name === 'bun' && file && existsSync(file) && (rest.includes('--help') || rest.includes('-h')) ? file : null;

/** `stoa bun FILE` is for those who work on the house: the generator, the benches. */
const commandFor = (bun, [name, ...rest]) => {
  // With its page open Vitest stays and runs again what changes; without it ends with the tests.
  if (name === 'test')
    return [bun, '--bun', join(modules, '.bin', 'vitest'), rest.includes('--ui') ? 'watch' : 'run', ...rest];
  if (name === 'bun') return [bun, ...rest];
  return [bun, join(root, 'services', 'cli', 'main.ts'), ...(name === undefined ? [] : [name, ...rest])];
};

/** How long Bun keeps freed memory, in milliseconds, before the kernel gets it back. */
const FREED_KEPT_MS = '60000';

/**
 * Our own servers are spoken to directly, whatever proxy leads outside; text that goes to a file has no colours. Freed
 * memory is kept for a minute, over many garbage collections: given back after Bun's 100 ms, each large answer is written
 * to pages that the kernel has to clear first (11 page faults and a quarter of the edge's work a list, measured). What is
 * due to go back goes at once with what was freed a moment ago: after 2 s that was still 300 calls of the kernel a second,
 * and a tenth of a small answer's processor time.
 */
const manners = () => {
  const names = ['NO_PROXY', 'no_proxy'].filter((name) => process.env[name]);
  const direct = (name) => [process.env[name], '127.0.0.1', '::1', 'localhost'].filter(Boolean).join(',');
  return {
    ...Object.fromEntries((names.length ? names : ['NO_PROXY']).map((name) => [name, direct(name)])),
    MIMALLOC_PURGE_DELAY: process.env.MIMALLOC_PURGE_DELAY ?? FREED_KEPT_MS,
    ...(!process.stdout.isTTY && !process.env.FORCE_COLOR && { NO_COLOR: '1' }),
  };
};

/** Our parent and, where that is only the shell which npm put between, its parent too. */
const ancestry = () => {
  try {
    const [, name, grandparent] = /\((.*)\) \S (\d+)/s.exec(readFileSync(`/proc/${process.ppid}/stat`, 'utf8'));
    return /^(sh|dash|ash|bash|zsh)$/.test(name) ? `${process.ppid} ${grandparent}` : `${process.ppid}`;
  } catch {
    return `${process.ppid}`;
  }
};

/** Runs to its end in our place: it gets our signals, ends when we are killed, and its exit code is ours. */
const handOver = ([program, ...args], cwd) => {
  const linux = spawnSync('setpriv', ['--pdeathsig', 'TERM', 'true'], { stdio: 'ignore' }).status === 0;
  const command = linux ? ['setpriv', '--pdeathsig', 'TERM', program, ...args] : [program, ...args];
  const child = spawn(command[0], command.slice(1), { stdio: 'inherit', cwd, env: { ...process.env, ...manners() } });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  // npm killed without a word leaves us to another parent: then nothing is left that stops what we run.
  if (process.env.npm_lifecycle_event || process.env.npm_command) {
    const before = ancestry();
    setInterval(() => ancestry() !== before && child.kill('SIGTERM'), 500).unref();
  }
  child.on('error', (fault) => {
    say(fault.message);
    process.exit(1);
  });
  child.on('exit', (code, signal) => process.exit(code ?? 128 + constants.signals[signal]));
};

try {
  const args = process.argv.slice(2);
  const described = fileToDescribe(args);
  if (described) {
    process.stdout.write(`${describe(described)}\n`);
    process.exit(0);
  }
  const bun = await prepare();
  handOver(commandFor(bun, args), args[0] === 'test' ? root : process.cwd());
} catch (fault) {
  if (!(fault instanceof SetupError)) throw fault;
  say(fault.message);
  process.exit(1);
}

#!/usr/bin/env node
// The door for Node: has Bun and the packages brought where they are missing, then hands over to Bun.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { constants } from 'node:os';
import { join } from 'node:path';
import { modules, prepare, root, SetupError, say } from './installation.mjs';

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

/** Tests, programs of those who work on the house and a new shop's packing need its tools; all else is running it. */
const WITH_TOOLS = ['test', 'bun', 'shop'];
const packagesFor = ([name]) => (WITH_TOOLS.includes(name) ? 'all' : 'running');

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
  const bun = await prepare(packagesFor(args));
  handOver(commandFor(bun, args), args[0] === 'test' ? root : process.cwd());
} catch (fault) {
  if (!(fault instanceof SetupError)) throw fault;
  say(fault.message);
  process.exit(1);
}

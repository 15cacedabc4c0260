#!/usr/bin/env node
// Starts the command line from Node: installs Bun and the packages where they are missing, then runs Bun.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { constants } from 'node:os';
import { join } from 'node:path';
import { modules, prepare, root, SetupError, say } from './installation.mjs';

const describe = (file) => {
  const lines = readFileSync(file, 'utf8').split('\n');
  const end = lines.findIndex((line) => !line.startsWith('//'));
  return lines
    .slice(0, end < 0 ? lines.length : end)
    .map((line) => line.replace(/^\/\/ ?/, ''))
    .join('\n');
};

const fileToDescribe = ([name, file, ...rest]) =>
  name === 'bun' && file && existsSync(file) && (rest.includes('--help') || rest.includes('-h')) ? file : null;

const commandFor = (bun, [name, ...rest]) => {
  // With `--ui` Vitest stays and repeats the tests after a change; without it ends with them.
  if (name === 'test')
    return [bun, '--bun', join(modules, '.bin', 'vitest'), rest.includes('--ui') ? 'watch' : 'run', ...rest];
  if (name === 'bun') return [bun, ...rest];
  return [bun, join(root, 'services', 'cli', 'main.ts'), ...(name === undefined ? [] : [name, ...rest])];
};

const WITH_TOOLS = ['test', 'bun', 'shop'];
const packagesFor = ([name]) => (WITH_TOOLS.includes(name) ? 'all' : 'running');

const PURGE_DELAY_MS = '60000';

/**
 * Local servers are reached without a proxy, and text in a file has no colours. Bun returns freed memory after a
 * minute: after its default 100 ms, pages are cleared again for each large answer, a quarter of the time of a list.
 */
const manners = () => {
  const names = ['NO_PROXY', 'no_proxy'].filter((name) => process.env[name]);
  const direct = (name) => [process.env[name], '127.0.0.1', '::1', 'localhost'].filter(Boolean).join(',');
  return {
    ...Object.fromEntries((names.length ? names : ['NO_PROXY']).map((name) => [name, direct(name)])),
    MIMALLOC_PURGE_DELAY: process.env.MIMALLOC_PURGE_DELAY ?? PURGE_DELAY_MS,
    ...(!process.stdout.isTTY && !process.env.FORCE_COLOR && { NO_COLOR: '1' }),
  };
};

const ancestry = () => {
  try {
    const [, name, grandparent] = /\((.*)\) \S (\d+)/s.exec(readFileSync(`/proc/${process.ppid}/stat`, 'utf8'));
    return /^(sh|dash|ash|bash|zsh)$/.test(name) ? `${process.ppid} ${grandparent}` : `${process.ppid}`;
  } catch {
    return `${process.ppid}`;
  }
};

const handOver = ([program, ...args], cwd) => {
  const linux = spawnSync('setpriv', ['--pdeathsig', 'TERM', 'true'], { stdio: 'ignore' }).status === 0;
  const command = linux ? ['setpriv', '--pdeathsig', 'TERM', program, ...args] : [program, ...args];
  const child = spawn(command[0], command.slice(1), { stdio: 'inherit', cwd, env: { ...process.env, ...manners() } });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  // When npm is killed, this process gets another parent, and nothing else stops the program.
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

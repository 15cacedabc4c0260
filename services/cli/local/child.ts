// Starts a child process that ends with its parent and writes a log of bounded size. Stops the process by a sequence of
// signals.

import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { closeSync, copyFileSync, fstatSync, openSync, readFileSync, readSync, statSync, truncateSync } from 'node:fs';
import { variables } from './variable.ts';

export interface LocalServerOptions {
  readonly home: string;
  readonly log: (text: string) => void;
  /** Writes the server's log to standard error instead of the home's log folder. */
  readonly verbose?: boolean;
  /** False for a temporary server, which does not sync to disk. */
  readonly durable?: boolean;
  readonly signal?: AbortSignal;
}

export interface LocalServer {
  readonly url: string;
  readonly child: Child;
  readonly answers: () => Promise<boolean>;
  readonly stop: () => Promise<void>;
}

/** The user to run as, for programs that refuse to run as root. */
export interface SystemUser {
  readonly name: string;
  readonly uid: number;
  readonly gid: number;
}

export interface ChildOptions {
  readonly command: string;
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly cwd?: string;
  readonly account?: SystemUser | null;
  /** Path of the log; older output is in `<file>.1`. Null writes to this process's standard error. */
  readonly logFile: string | null;
  /** Signal that the kernel sends to the child when this process dies. */
  readonly deathSignal: 'SIGINT' | 'SIGTERM' | 'SIGKILL';
  /** Aborting it fails a start in progress and stops a running child. */
  readonly signal?: AbortSignal | undefined;
}

export interface Exit {
  readonly code: number | null;
  readonly signal: string | null;
}

export interface Child {
  readonly pid: number;
  readonly exited: Promise<Exit>;
  readonly running: () => boolean;
  /** Sends each signal in turn and waits for its time; then sends SIGKILL. */
  readonly stop: (steps: readonly StopStep[]) => Promise<void>;
}

export interface StopStep {
  readonly signal: NodeJS.Signals;
  readonly graceMs: number;
}

/** An error whose message is printed as one sentence, without a stack. */
export class SetupError extends Error {}

const LOG_BYTES_MAX = 16 * 1024 * 1024;
const LOG_CHECK_MS = 10_000;

let setpriv: boolean | undefined;

/**
 * Returns whether util-linux's setpriv, part of every Debian, is installed; other programs of that name lack its
 * options.
 */
const hasSetpriv = (): boolean => {
  setpriv ??= spawnSync('setpriv', ['--pdeathsig', 'TERM', 'true'], { stdio: 'ignore' }).status === 0;
  return setpriv;
};

export const privileged = (
  command: string,
  args: readonly string[],
  account: SystemUser | null | undefined,
  deathSignal: string | null,
): [string, string[]] => {
  if (!hasSetpriv()) {
    if (account)
      throw new SetupError('Postgres cannot run as root without the program setpriv. Install the package util-linux.');
    return [command, [...args]];
  }
  const options: string[] = [];
  if (account) options.push('--reuid', String(account.uid), '--regid', String(account.gid), '--clear-groups');
  if (deathSignal) options.push('--pdeathsig', deathSignal.replace('SIG', ''));
  return options.length === 0 ? [command, [...args]] : ['setpriv', [...options, command, ...args]];
};

export const startChild = (options: ChildOptions): Child => {
  options.signal?.throwIfAborted();
  const [command, args] = privileged(options.command, options.args, options.account, options.deathSignal);
  const log = options.logFile === null ? null : openSync(options.logFile, 'a+', 0o600);
  const child: ChildProcess = spawn(command, args, {
    cwd: options.cwd,
    env: { ...(options.env ?? variables) } as NodeJS.ProcessEnv,
    stdio: ['ignore', log ?? 2, log ?? 2],
    // Starts the child in a separate process group: a terminal's Ctrl-C then reaches only this process, which stops its
    // children in order.
    detached: true,
  });
  const rotation =
    options.logFile === null ? undefined : setInterval(rotate, LOG_CHECK_MS, options.logFile, LOG_BYTES_MAX);
  rotation?.unref();
  const end = (): void => void child.kill(options.deathSignal);
  options.signal?.addEventListener('abort', end, { once: true });
  let ended: Exit | undefined;
  const exited = new Promise<Exit>((resolve) => {
    const settle = (exit: Exit): void => {
      if (ended) return;
      ended = exit;
      clearInterval(rotation);
      options.signal?.removeEventListener('abort', end);
      if (log !== null) closeSync(log);
      resolve(exit);
    };
    child.once('exit', (code, signal) => settle({ code, signal }));
    child.once('error', () => settle({ code: 127, signal: null }));
  });
  const stop = async (steps: readonly StopStep[]): Promise<void> => {
    for (const { signal, graceMs } of steps) {
      if (ended) return;
      child.kill(signal);
      if (await settlesWithin(exited, graceMs)) return;
    }
    if (!ended) child.kill('SIGKILL');
    await exited;
  };
  return { pid: child.pid ?? 0, exited, running: () => ended === undefined, stop };
};

export const settlesWithin = async (promise: Promise<unknown>, limitMs: number): Promise<boolean> => {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(resolve, limitMs, false);
  });
  const settled = promise.then(
    () => true,
    () => true,
  );
  const inTime = await Promise.race([settled, late]);
  clearTimeout(timer);
  return inTime;
};

/**
 * Rotates a log that has grown too long: copies it, then truncates it, because the child keeps appending to the open
 * file. If there is no disk space for the copy, a later call tries again.
 */
export const rotate = (file: string, bytesMax: number): void => {
  try {
    if (statSync(file).size < bytesMax) return;
    copyFileSync(file, `${file}.1`);
    truncateSync(file);
  } catch {
    // A long log is better than a stopped system.
  }
};

export const lastLines = (file: string, linesMax: number): string => {
  const bytesMax = 8192;
  try {
    const descriptor = openSync(file, 'r');
    try {
      const { size } = fstatSync(descriptor);
      const bytes = Buffer.alloc(Math.min(size, bytesMax));
      readSync(descriptor, bytes, 0, bytes.length, Math.max(0, size - bytesMax));
      return bytes.toString('utf8').trimEnd().split('\n').slice(-linesMax).join('\n');
    } finally {
      closeSync(descriptor);
    }
  } catch {
    return '';
  }
};

export const commandLine = (pid: number): string => {
  if (!Number.isSafeInteger(pid) || pid <= 1) return '';
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim();
  } catch {
    if (process.platform === 'linux') return '';
  }
  const answer = spawnSync('ps', ['-ww', '-o', 'command=', '-p', String(pid)], { encoding: 'utf8' });
  return answer.status === 0 ? answer.stdout.trim() : '';
};

export const endStray = async (pid: number, signal: NodeJS.Signals, graceMs: number): Promise<void> => {
  for (const [step, limitMs] of [
    [signal, graceMs],
    ['SIGKILL', 2000],
  ] as const) {
    try {
      process.kill(pid, step);
    } catch {
      return;
    }
    const until = performance.now() + limitMs;
    while (performance.now() < until) {
      if (commandLine(pid) === '') return;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }
};

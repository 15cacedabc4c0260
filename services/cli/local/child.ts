// A child process that ends when its parent does: started with a log file of bounded size, stopped by signals in turn.

import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { closeSync, copyFileSync, fstatSync, openSync, readFileSync, readSync, statSync, truncateSync } from 'node:fs';
import { variables } from './variable.ts';

/** A user to run as, where the supervisor is root and the program refuses to be. */
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
  /** Where its output goes, `<file>.1` keeping what came before; null sends it to our standard error. */
  readonly logFile: string | null;
  /** What the kernel sends it when we die without a chance to say so. */
  readonly deathSignal: 'SIGINT' | 'SIGTERM' | 'SIGKILL';
  /** Once aborted, nothing is started any more, and what is running is told to end. */
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
  /** Sends each signal in turn, waiting for its time, then SIGKILL. */
  readonly stop: (steps: readonly StopStep[]) => Promise<void>;
}

export interface StopStep {
  readonly signal: NodeJS.Signals;
  readonly graceMs: number;
}

/** Anything a user should read as one sentence, without a stack. */
export class SetupError extends Error {}

const LOG_BYTES_MAX = 16 * 1024 * 1024;
const LOG_CHECK_MS = 10_000;

let setpriv: boolean | undefined;

/** util-linux's setpriv, which is part of every Debian; other programs of that name lack what we need of it. */
const hasSetpriv = (): boolean => {
  setpriv ??= spawnSync('setpriv', ['--pdeathsig', 'TERM', 'true'], { stdio: 'ignore' }).status === 0;
  return setpriv;
};

/** The command line that runs a program as an account, told of our death by the kernel. */
export const privileged = (
  command: string,
  args: readonly string[],
  account: SystemUser | null | undefined,
  deathSignal: string | null,
): [string, string[]] => {
  if (!hasSetpriv()) {
    if (account) throw new SetupError('Running Postgres as root needs the program setpriv (package util-linux).');
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
    // A group of its own: the terminal's Ctrl-C reaches only us, and we stop our children in the right order.
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

/** Whether a promise settles in time. */
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
 * Sets a log aside that has grown too long. Its child goes on appending to it, so it is copied and cut in place. Where there is no
 * room for the copy it stays as it is, until the next try.
 */
export const rotate = (file: string, bytesMax: number): void => {
  try {
    if (statSync(file).size < bytesMax) return;
    copyFileSync(file, `${file}.1`);
    truncateSync(file);
  } catch {
    // It is longer than it should be, which is better than that all parts end.
  }
};

/** The end of a log, for the message that says why a child would not start. */
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

/** The command line of a living process; empty for one that is dead, a zombie, or out of our sight. */
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

/** Ends a process that outlived its supervisor, and waits until it is gone. */
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

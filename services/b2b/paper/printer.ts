// Has papers drawn by a process of their own, which is begun when the first one is wanted and ends when none was for a
// while. Those that wait are few: what cannot be drawn soon is refused at once.
import { fileURLToPath } from 'node:url';
import { Unavailable } from '#runtime/call/fault.ts';
import type { Paper } from './paper.ts';

export interface Printer {
  print(paper: Paper): Promise<Uint8Array>;
  close(): void;
}

/** What the process says once, before any answer, … */
export const READY = 'ready';
/** … and to each paper. */
export type PrintAnswer = { readonly pdf: Uint8Array } | { readonly problem: string };

const FILE = fileURLToPath(new URL('./print_process.ts', import.meta.url));
const WAITING_MAX = 32;
/** Of one paper, and of the process' beginning. */
const PRINT_TIMEOUT_MS = 8_000;
const IDLE_MS = 60_000;
const CLOSED = 'Papers are not printed any more.';
const ENDED = 'The process that prints has ended.';
const LATE = 'The paper was not printed in time.';

interface Wish {
  readonly paper: Paper;
  readonly done: (pdf: Uint8Array) => void;
  readonly fail: (problem: unknown) => void;
}

export const openPrinter = (command: readonly string[] = [process.execPath, '--smol', FILE]): Printer => {
  const waiting: Wish[] = [];
  let drawn: Wish | null = null;
  let child: Bun.Subprocess | null = null;
  let isReady = false;
  let closed = false;
  let timer: ReturnType<typeof setTimeout> | undefined;

  const after = (ms: number, then: () => void): void => {
    clearTimeout(timer);
    timer = setTimeout(then, ms);
    timer.unref();
  };

  const end = (): void => {
    clearTimeout(timer);
    const ended = child;
    child = null;
    isReady = false;
    ended?.kill('SIGKILL');
  };

  /** What is drawn is given up, and the rest goes on in another process; one that never was ready is tried once. */
  const fault = (words: string): void => {
    const failed = [...(drawn ? [drawn] : []), ...(isReady ? [] : waiting.splice(0))];
    end();
    drawn = null;
    for (const { fail } of failed) fail(new Unavailable(words));
    if (waiting.length > 0) begin();
  };

  const begin = (): void => {
    const begun = Bun.spawn([...command], {
      // It is told what stands on a paper, and none of the house's secrets.
      env: {},
      stdio: ['ignore', 'ignore', 'inherit'],
      ipc: (message: typeof READY | PrintAnswer) => {
        if (begun !== child) return;
        if (message !== READY) return settle(message);
        isReady = true;
        next();
      },
      onExit: () => {
        if (begun === child) fault(ENDED);
      },
    });
    begun.unref();
    child = begun;
    after(PRINT_TIMEOUT_MS, () => fault(LATE));
  };

  const settle = (answer: PrintAnswer): void => {
    const wish = drawn;
    drawn = null;
    if ('pdf' in answer) wish?.done(answer.pdf);
    else wish?.fail(new Error(answer.problem));
    next();
  };

  const next = (): void => {
    if (drawn !== null || !isReady || child === null) return;
    drawn = waiting.shift() ?? null;
    if (drawn === null) after(IDLE_MS, end);
    else {
      after(PRINT_TIMEOUT_MS, () => fault(LATE));
      child.send(drawn.paper);
    }
  };

  return {
    print: (paper) =>
      new Promise((done, fail) => {
        if (closed) return fail(new Unavailable(CLOSED));
        if (waiting.length >= WAITING_MAX) return fail(new Unavailable('Too many papers are being printed.'));
        waiting.push({ paper, done, fail });
        if (child === null) begin();
        else next();
      }),
    close: () => {
      closed = true;
      const failed = [...(drawn ? [drawn] : []), ...waiting.splice(0)];
      drawn = null;
      end();
      for (const { fail } of failed) fail(new Unavailable(CLOSED));
    },
  };
};

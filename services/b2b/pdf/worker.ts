// Renders PDFs in a separate process, which starts on demand and stops when idle. Requests beyond its short queue are
// refused at once.
import { fileURLToPath } from 'node:url';
import { Unavailable } from '#runtime/call/fault.ts';
import type { PdfContent } from './content.ts';

export interface PdfWorker {
  render(content: PdfContent): Promise<Uint8Array>;
  close(): void;
}

export const READY = 'ready';
export type RenderResponse = { readonly pdf: Uint8Array } | { readonly error: string };

const FILE = fileURLToPath(new URL('./worker_process.ts', import.meta.url));
const WAITING_MAX = 32;
/** Applies to one document, and to the start of the process. */
const RENDER_TIMEOUT_MS = 8_000;
const IDLE_MS = 60_000;
const CLOSED = 'The PDF worker is shutting down.';
const ENDED = 'The PDF process exited.';
const TIMED_OUT = 'The PDF was not rendered in time.';

interface PdfJob {
  readonly content: PdfContent;
  readonly done: (pdf: Uint8Array) => void;
  readonly fail: (error: unknown) => void;
}

export const openPdfWorker = (command: readonly string[] = [process.execPath, '--smol', FILE]): PdfWorker => {
  const waiting: PdfJob[] = [];
  let current: PdfJob | null = null;
  let child: Bun.Subprocess | null = null;
  let isReady = false;
  let closed = false;
  let timer: ReturnType<typeof setTimeout> | undefined;

  const setTimer = (ms: number, then: () => void): void => {
    clearTimeout(timer);
    timer = setTimeout(then, ms);
    timer.unref();
  };

  const stopProcess = (): void => {
    clearTimeout(timer);
    const ended = child;
    child = null;
    isReady = false;
    ended?.kill('SIGKILL');
  };

  /**
   * Fails the current document and continues the queue in a new process. If the process was never ready, fails the
   * whole queue, too.
   */
  const failCurrent = (words: string): void => {
    const failed = [...(current ? [current] : []), ...(isReady ? [] : waiting.splice(0))];
    stopProcess();
    current = null;
    for (const { fail } of failed) fail(new Unavailable(words));
    if (waiting.length > 0) startProcess();
  };

  const startProcess = (): void => {
    const started = Bun.spawn([...command], {
      // Empty, because the process needs none of its parent's secrets.
      env: {},
      stdio: ['ignore', 'ignore', 'inherit'],
      ipc: (message: typeof READY | RenderResponse) => {
        if (started !== child) return;
        if (message !== READY) return settle(message);
        isReady = true;
        next();
      },
      onExit: () => {
        if (started === child) failCurrent(ENDED);
      },
    });
    started.unref();
    child = started;
    setTimer(RENDER_TIMEOUT_MS, () => failCurrent(TIMED_OUT));
  };

  const settle = (answer: RenderResponse): void => {
    const job = current;
    current = null;
    if ('pdf' in answer) job?.done(answer.pdf);
    else job?.fail(new Error(answer.error));
    next();
  };

  const next = (): void => {
    if (current !== null || !isReady || child === null) return;
    current = waiting.shift() ?? null;
    if (current === null) setTimer(IDLE_MS, stopProcess);
    else {
      setTimer(RENDER_TIMEOUT_MS, () => failCurrent(TIMED_OUT));
      child.send(current.content);
    }
  };

  return {
    render: (content) =>
      new Promise((done, fail) => {
        if (closed) return fail(new Unavailable(CLOSED));
        if (waiting.length >= WAITING_MAX)
          return fail(new Unavailable(`${WAITING_MAX} PDFs already wait to be rendered.`));
        waiting.push({ content, done, fail });
        if (child === null) startProcess();
        else next();
      }),
    close: () => {
      closed = true;
      const failed = [...(current ? [current] : []), ...waiting.splice(0)];
      current = null;
      stopProcess();
      for (const { fail } of failed) fail(new Unavailable(CLOSED));
    },
  };
};

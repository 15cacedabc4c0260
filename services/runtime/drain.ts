// The way out: on SIGTERM or SIGINT the process finishes what it began, in order and within a bound.
import type { Log } from './log.ts';

export interface DrainStep {
  readonly name: string;
  readonly run: () => Promise<void> | void;
  readonly limitMs?: number;
}

export interface DrainOptions {
  readonly log: Log;
  readonly steps: readonly DrainStep[];
  /** For all steps together; what is left then is left undone. */
  readonly limitMs?: number;
  readonly exit?: (code: number) => void;
}

const LIMIT_MS = 10_000;

/** Runs the steps one after the other; a step that fails or takes too long does not keep the next one from running. */
export const drain = async ({ log, steps, limitMs = LIMIT_MS }: DrainOptions): Promise<boolean> => {
  const until = performance.now() + limitMs;
  let clean = true;
  for (const step of steps) {
    const leftMs = Math.max(0, Math.min(step.limitMs ?? limitMs, until - performance.now()));
    let timer: ReturnType<typeof setTimeout> | undefined;
    const late = new Promise<string>((resolve) => {
      timer = setTimeout(resolve, leftMs, 'late');
    });
    try {
      const outcome = await Promise.race([Promise.resolve().then(step.run), late]);
      if (outcome === 'late') {
        clean = false;
        log.warn({ step: step.name, limit_ms: Math.round(leftMs) }, 'not drained in time');
      }
    } catch (problem) {
      clean = false;
      log.error({ err: problem, step: step.name }, 'not drained');
    } finally {
      clearTimeout(timer);
    }
  }
  return clean;
};

/** Drains on the first signal and exits; a second signal exits at once. */
export const drainOnSignal = (options: DrainOptions): void => {
  const exit = options.exit ?? ((code: number) => process.exit(code));
  let draining = false;
  const hear = (signal: string): void => {
    if (draining) {
      exit(130);
      return;
    }
    draining = true;
    options.log.info({ signal }, 'draining');
    void drain(options).then((clean) => {
      options.log.info({ clean }, 'drained');
      exit(clean ? 0 : 1);
    });
  };
  process.on('SIGTERM', () => hear('SIGTERM'));
  process.on('SIGINT', () => hear('SIGINT'));
};

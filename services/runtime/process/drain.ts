// Shuts a process down on SIGTERM: reports not ready and keeps serving for a while, so that load balancers stop sending
// requests, then runs the drain steps within a time limit.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Log } from './log.ts';

export interface DrainStep {
  readonly name: string;
  readonly run: () => Promise<void> | void;
  readonly limitMs?: number;
}

export interface DrainOptions {
  readonly log: Log;
  readonly steps: readonly DrainStep[];
  /**
   * `tell` runs first and announces the shutdown; the first step starts `seconds` later. SIGINT skips the wait, since a
   * terminal has no balancer.
   */
  readonly notice?: { readonly tell: () => void; readonly seconds: number };
  readonly limitMs?: number;
  readonly exit?: (code: number) => void;
}

const LIMIT_MS = 20_000;

const SECONDS_MAX = 600;
export const DRAIN_SECONDS_RULE = `STOA_DRAIN_SECONDS must be a number of seconds from 0 to ${SECONDS_MAX}.`;

/** Reads STOA_DRAIN_SECONDS, the number of seconds that a process keeps serving after SIGTERM. Null: invalid. */
export const readDrainSeconds = (
  variables: Readonly<Record<string, string | undefined>>,
  otherwise: number,
): number | null => {
  const text = variables.STOA_DRAIN_SECONDS ?? '';
  const seconds = text === '' ? otherwise : Number(text);
  return seconds >= 0 && seconds <= SECONDS_MAX ? seconds : null;
};

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
        log.warn({ step: step.name, limit_ms: Math.round(leftMs) }, 'failed to drain a step in time');
      }
    } catch (problem) {
      clean = false;
      log.error({ err: problem, step: step.name }, 'failed to drain a step');
    } finally {
      clearTimeout(timer);
    }
  }
  return clean;
};

/** Drains on the first signal, then exits; a second signal exits at once. */
export const drainOnSignal = (options: DrainOptions): void => {
  const exit = options.exit ?? ((code: number) => process.exit(code));
  let draining = false;
  const onSignal = (signal: string): void => {
    if (draining) {
      exit(130);
      return;
    }
    draining = true;
    const { log, notice } = options;
    const seconds = notice && signal === 'SIGTERM' ? notice.seconds : 0;
    log.info({ signal, seconds }, 'draining');
    notice?.tell();
    void sleep(seconds * 1_000)
      .then(() => drain(options))
      .then((clean) => {
        log.info({ clean }, 'drained');
        exit(clean ? 0 : 1);
      });
  };
  process.on('SIGTERM', () => onSignal('SIGTERM'));
  process.on('SIGINT', () => onSignal('SIGINT'));
};

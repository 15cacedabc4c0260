// Retries work at startup while the database is starting or refuses further connections.
import { setTimeout as sleep } from 'node:timers/promises';
import { isTransient } from '#runtime/call/fault.ts';
import type { Log } from '#runtime/process/log.ts';

const RETRY_MS_MAX = 60_000;
const PAUSE_MS = 250;

/**
 * Repeats `run` while its fault is transient; a failed `run` must have had no effect. Logs each distinct problem once.
 */
export const retryWhileUnavailable = async <T>(run: () => Promise<T>, log: Pick<Log, 'warn'>): Promise<T> => {
  const said = new Set<string>();
  for (const until = performance.now() + RETRY_MS_MAX; ; ) {
    try {
      return await run();
    } catch (problem) {
      if (!isTransient(problem) || performance.now() > until) throw problem;
      const why = problem.cause instanceof Error ? problem.cause.message : problem.message;
      if (!said.has(why)) log.warn({ err: problem }, 'failed to reach the database; will retry');
      said.add(why);
      await sleep(PAUSE_MS);
    }
  }
};

// Waits for a new rate-limit window if the current one ends soon. Windows follow real time, so a test must not begin at the end of
// one.
import { type Scope, windowAt } from '#values/window.ts';

/** Waits for the next window where less than this is left of the one that is open. */
export const awayFromWindowEnd = async (scope: Scope, leftMs: number): Promise<void> => {
  const left = windowAt(scope, Date.now()).end * 1_000 - Date.now();
  if (left < leftMs) await Bun.sleep(left + 50);
};

// Batches look-ups: keys that arrive while batches run share the next one. A result was always read after its caller
// asked. The number of waiting look-ups is bounded.
import { Unavailable } from '#runtime/call/fault.ts';
import type { Timers } from '#runtime/process/clock.ts';

interface Waiting<K, V> {
  readonly key: K;
  readonly resolve: (value: V) => void;
  readonly reject: (problem: unknown) => void;
}

export interface BatchLoaderOptions {
  readonly itemsMax: number;
  /** Maximum number of batches that run at once; 1 if absent. */
  readonly runningMax?: number;
  /** Maximum number of look-ups that wait; `WAITING_MAX` if absent. */
  readonly waitingMax?: number;
  /** Given if look-ups of one event-loop tick share a batch; otherwise the first starts at once. */
  readonly timers?: Pick<Timers, 'soon'>;
}

const WAITING_MAX = 20_000;

export const batchLoader = <K, V>(
  ask: (keys: readonly K[]) => Promise<readonly V[]>,
  { itemsMax, runningMax = 1, waitingMax = WAITING_MAX, timers }: BatchLoaderOptions,
): ((key: K) => Promise<V>) => {
  const waiting: Waiting<K, V>[] = [];
  let running = 0;
  let scheduled = false;

  const run = async (batch: readonly Waiting<K, V>[]): Promise<void> => {
    running++;
    try {
      const values = await ask(batch.map(({ key }) => key));
      for (const [at, { resolve }] of batch.entries()) resolve(values[at] as V);
    } catch (problem) {
      for (const { reject } of batch) reject(problem);
    } finally {
      running--;
      pump();
    }
  };

  const pump = (): void => {
    scheduled = false;
    while (waiting.length > 0 && running < runningMax) void run(waiting.splice(0, itemsMax));
  };

  return (key) => {
    if (waiting.length >= waitingMax) return Promise.reject(new Unavailable('Too many wait for the database.'));
    return new Promise((resolve, reject) => {
      waiting.push({ key, resolve, reject });
      if (!timers) pump();
      else if (!scheduled) {
        scheduled = true;
        timers.soon(pump);
      }
    });
  };
};

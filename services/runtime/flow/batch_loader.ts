// Batches look-ups: keys that arrive while a query runs share the next query. The first query starts at once, and a
// result was always read after its caller asked.

interface Waiting<K, V> {
  readonly key: K;
  readonly resolve: (value: V) => void;
  readonly reject: (problem: unknown) => void;
}

export const batchLoader = <K, V>(
  ask: (keys: readonly K[]) => Promise<readonly V[]>,
  atOnceMax: number,
): ((key: K) => Promise<V>) => {
  const waiting: Waiting<K, V>[] = [];
  let asking = false;

  const drive = async (): Promise<void> => {
    asking = true;
    while (waiting.length > 0) {
      const batch = waiting.splice(0, atOnceMax);
      try {
        const values = await ask(batch.map(({ key }) => key));
        for (const [at, { resolve }] of batch.entries()) resolve(values[at]!);
      } catch (problem) {
        for (const { reject } of batch) reject(problem);
      }
    }
    asking = false;
  };

  return (key) =>
    new Promise((resolve, reject) => {
      waiting.push({ key, resolve, reject });
      if (!asking) void drive();
    });
};

// Questions that come while one of their kind is under way are asked together, next: what a hundred callers look up at
// once is a few statements. No caller is answered by what was asked before they came, and none waits for company.

interface Waiting<K, V> {
  readonly key: K;
  readonly resolve: (value: V) => void;
  readonly reject: (problem: unknown) => void;
}

/** `ask` answers each key at its place. */
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

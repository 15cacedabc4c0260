// A low-priority process that hashes passwords one at a time. A low-priority thread would not do: garbage-collection
// threads would inherit its priority.
import { getPriority, setPriority } from 'node:os';

export interface HashTask {
  readonly password: string;
  readonly hash: string | null;
}

export type HashAnswer = { readonly hash: string } | { readonly right: boolean } | { readonly problem: string };

const NICENESS_MAX = 19;

export const READY = 'ready';

/** OWASP's recommendation: 19 MiB of memory, two passes, one lane. */
const ARGON2ID = { algorithm: 'argon2id', memoryCost: 19_456, timeCost: 2 } as const;

const runTask = ({ password, hash }: HashTask): HashAnswer => {
  try {
    return hash === null
      ? { hash: Bun.password.hashSync(password, ARGON2ID) }
      : { right: Bun.password.verifySync(password, hash) };
  } catch (problem) {
    return { problem: String(problem) };
  }
};

if (import.meta.main) {
  const niceness = Number(process.argv[2]);
  if (niceness > 0) setPriority(Math.min(NICENESS_MAX, getPriority() + niceness));
  // Exits only when the parent does: a Ctrl-C reaches this process too, while the parent still needs it.
  process.on('disconnect', () => process.exit());
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => {});
  process.on('message', (task: HashTask) => process.send?.(runTask(task)));
  process.send?.(READY);
}

// A process that hashes passwords, one at a time, and is nicer than all others: a priority is a process's, since the threads
// that a runtime starts, those of its garbage collector too, have the priority of the thread that starts them.
import { getPriority, setPriority } from 'node:os';

/** To hash a password, or to verify that a hash is a password's. */
export interface HashTask {
  readonly password: string;
  /** Null: make one. */
  readonly hash: string | null;
}

export type HashAnswer = { readonly hash: string } | { readonly right: boolean } | { readonly problem: string };

const NICENESS_MAX = 19;

/** Sent once, before any answer. */
export const READY = 'ready';

/** 19 MiB and two passes, as OWASP asks for with one lane. */
const ARGON2ID = { algorithm: 'argon2id', memoryCost: 19_456, timeCost: 2 } as const;

const answer = ({ password, hash }: HashTask): HashAnswer => {
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
  // It ends with the process that began it, and not before: a Ctrl-C is told to both.
  process.on('disconnect', () => process.exit());
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => {});
  process.on('message', (task: HashTask) => process.send?.(answer(task)));
  process.send?.(READY);
}

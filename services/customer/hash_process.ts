// A process that hashes passwords, one at a time, behind everybody else who wants the processor. A process of its own: the
// threads that a runtime begins, those of its garbage collector too, have the priority of the one that happens to begin
// them, so that a thread that stands back makes its neighbours wait for their own helpers.
import { standBack, stay } from './scheduling.ts';

/** What it is asked: to hash a password, or whether a hash is a password's. */
export interface HashTask {
  readonly password: string;
  /** Null: make one. */
  readonly hash: string | null;
}

export type HashAnswer = { readonly hash: string } | { readonly right: boolean } | { readonly problem: string };

/** Said once, before any answer. */
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
  const [manner, niceness = '0'] = process.argv.slice(2);
  const idle = manner === 'idle';
  if (idle || Number(niceness) > 0) standBack(idle ? 'idle' : 'steady', Number(niceness));
  // It ends with the process that began it, and not before: a Ctrl-C is told to both.
  process.on('disconnect', () => process.exit());
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => {});
  process.on('message', (task: HashTask) => process.send?.(idle ? stay(() => answer(task)) : answer(task)));
  process.send?.(READY);
}

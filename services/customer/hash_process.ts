// A process that hashes passwords, one at a time, behind everybody else who wants the processor. A process of its own: the
// threads that a runtime begins, those of its garbage collector too, have the priority of the one that happens to begin
// them, so that a thread that stands back makes its neighbours wait for their own helpers.
import { dlopen, ptr } from 'bun:ffi';
import { getPriority } from 'node:os';

/** `idle`: takes only what nobody else wants. `steady`: takes a little of what others want as well, by how nice it is. */
export type Manner = 'idle' | 'steady';

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
const POLICY = { idle: 5, steady: 0 } as const;
const NICENESS_MAX = 19;
/** The longest slice that Linux knows: whoever wakes with a shorter one, that is everybody else, goes before it at once. */
const SLICE_NS = 100_000_000n;
/** `sched_setattr`, which the C library of Debian 12 has no name for. */
const SYSCALL = { x64: 314, arm64: 274 } as const;
const ATTRIBUTE_BYTES = 48;

/** On Linux a priority is a thread's own. Where that cannot be said the thread is like any other. */
const standBack = (manner: Manner, niceness: number): void => {
  const number = SYSCALL[process.arch as keyof typeof SYSCALL];
  if (number === undefined) return;
  const attribute = new DataView(new ArrayBuffer(ATTRIBUTE_BYTES));
  attribute.setUint32(0, ATTRIBUTE_BYTES, true);
  attribute.setUint32(4, POLICY[manner], true);
  if (manner === 'steady') {
    attribute.setInt32(16, Math.min(NICENESS_MAX, getPriority() + niceness), true);
    attribute.setBigUint64(24, SLICE_NS, true);
  }
  try {
    const libc = dlopen('libc.so.6', { syscall: { args: ['i64', 'i32', 'ptr', 'u32'], returns: 'i64' } });
    libc.symbols.syscall(number, 0, ptr(new Uint8Array(attribute.buffer)), 0);
  } catch {
    // Another system's C library.
  }
};

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
  if (manner === 'idle') standBack('idle', 0);
  else if (Number(niceness) > 0) standBack('steady', Number(niceness));
  // It ends with whoever began it, and not before: a Ctrl-C is told to both.
  process.on('disconnect', () => process.exit());
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => {});
  process.on('message', (task: HashTask) => process.send?.(answer(task)));
  process.send?.(READY);
}

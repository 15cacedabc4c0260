// A thread that hashes passwords, one at a time, behind everybody else who wants the processor.
import { dlopen, ptr } from 'bun:ffi';

/** What it is asked: to hash a password, or whether a hash is a password's. */
export interface HashTask {
  readonly password: string;
  /** Null: make one. */
  readonly hash: string | null;
}

export type HashAnswer = { readonly hash: string } | { readonly right: boolean } | { readonly problem: string };

declare const self: Worker;

/** 19 MiB and two passes, as OWASP asks for with one lane. */
const ARGON2ID = { algorithm: 'argon2id', memoryCost: 19_456, timeCost: 2 } as const;
/** A tenth of what others get where the processor is short, all of it where it is not. 0: a thread like any other. */
const NICENESS = Number(process.env.STOA_HASH_NICENESS || 10);
/** The longest slice that Linux knows: whoever wakes with a shorter one, that is everybody else, goes before it at once. */
const SLICE_NS = 100_000_000n;
/** `sched_setattr`, which the C library of Debian 12 has no name for. */
const SYSCALL = { x64: 314, arm64: 274 } as const;
const ATTRIBUTE_BYTES = 48;

/** On Linux a priority is a thread's own. Where that cannot be said the thread is like any other. */
const standBack = (): void => {
  const number = SYSCALL[process.arch as keyof typeof SYSCALL];
  if (number === undefined) return;
  const attribute = new DataView(new ArrayBuffer(ATTRIBUTE_BYTES));
  attribute.setUint32(0, ATTRIBUTE_BYTES, true);
  attribute.setInt32(16, NICENESS, true);
  attribute.setBigUint64(24, SLICE_NS, true);
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

if (NICENESS > 0) standBack();
self.onmessage = ({ data }: MessageEvent<HashTask>) => self.postMessage(answer(data));

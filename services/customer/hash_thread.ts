// A thread that hashes passwords, one at a time, behind everybody else who wants the processor.
import { dlopen } from 'bun:ffi';

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
/** A tenth of what others get where the processor is short, all of it where it is not. */
const NICENESS = 10;

/** On Linux a priority is a thread's own. Where that cannot be said the thread is like any other. */
const standBack = (): void => {
  try {
    const libc = dlopen('libc.so.6', { setpriority: { args: ['i32', 'u32', 'i32'], returns: 'i32' } });
    libc.symbols.setpriority(0, 0, NICENESS);
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

standBack();
self.onmessage = ({ data }: MessageEvent<HashTask>) => self.postMessage(answer(data));

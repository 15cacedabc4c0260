// What the kernel is told of a thread that hashes, so that no request waits for it. Linux alone is told anything.
import { dlopen, ptr } from 'bun:ffi';
import { getPriority } from 'node:os';

/** `idle`: takes only what no other thread wants. `steady`: takes a little of what others want as well, by how nice it is. */
export type Manner = 'idle' | 'steady';

const POLICY = { idle: 5, steady: 0 } as const;
const NICENESS_MAX = 19;
/** The longest slice that Linux knows: a thread that wakes with a shorter one, as all others have, goes before it at once. */
const SLICE_NS = 100_000_000n;
/** `sched_setattr`, which the C library of Debian 12 has no name for. */
const SYSCALL = { x64: 314, arm64: 274 } as const;
const ATTRIBUTE_BYTES = 48;
/** A bit for each of a thousand cores, as the C library has it. */
const CORES_BYTES = 128;

const openLibrary = () => {
  try {
    return dlopen('libc.so.6', {
      syscall: { args: ['i64', 'i32', 'ptr', 'u32'], returns: 'i64' },
      sched_getcpu: { args: [], returns: 'i32' },
      sched_getaffinity: { args: ['i32', 'u64', 'ptr'], returns: 'i32' },
      sched_setaffinity: { args: ['i32', 'u64', 'ptr'], returns: 'i32' },
    }).symbols;
  } catch {
    // Another system's C library.
    return null;
  }
};
const library = openLibrary();

/** A priority is a thread's own: this one's. Where it cannot be said the thread is like any other. */
export const standBack = (manner: Manner, niceness: number): void => {
  const number = SYSCALL[process.arch as keyof typeof SYSCALL];
  if (number === undefined) return;
  const attribute = new DataView(new ArrayBuffer(ATTRIBUTE_BYTES));
  attribute.setUint32(0, ATTRIBUTE_BYTES, true);
  attribute.setUint32(4, POLICY[manner], true);
  if (manner === 'steady') {
    attribute.setInt32(16, Math.min(NICENESS_MAX, getPriority() + niceness), true);
    attribute.setBigUint64(24, SLICE_NS, true);
  }
  library?.syscall(number, 0, ptr(new Uint8Array(attribute.buffer)), 0);
};

/**
 * Runs on the core that this thread woke on, to the end. A core that runs out of work fetches some that waits at another:
 * that is to be a neighbour in a hurry, never a hash, beside which a core fetches nothing before its next tick.
 */
export const stay = <T>(run: () => T): T => {
  const any = new Uint8Array(CORES_BYTES);
  if (!library || library.sched_getaffinity(0, BigInt(CORES_BYTES), ptr(any)) < 0) return run();
  const core = library.sched_getcpu();
  const here = new Uint8Array(CORES_BYTES);
  here[core >> 3] = 1 << (core & 7);
  library.sched_setaffinity(0, BigInt(CORES_BYTES), ptr(here));
  try {
    return run();
  } finally {
    library.sched_setaffinity(0, BigInt(CORES_BYTES), ptr(any));
  }
};

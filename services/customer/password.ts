// Passwords: Argon2id in processes of its own, few at once, so that a flood of logins cannot take the machine.
import { availableParallelism } from 'node:os';
import { type Refusal, refuse } from '#runtime/call.ts';
import { type Hasher, openHasher } from './hasher.ts';

/** Of two cores one is left to everybody else, whatever comes. */
const HASHING_MAX = availableParallelism() > 2 ? 2 : 1;
/** A second or two of work; whoever comes after that is better told so at once. */
const WAITING_MAX = 64;
/** For so long edges believe that the queue is full: it is far from empty then. */
const STANDS_MS = 250;
/** Nobody waits longer than his caller does. */
const WAIT_MS_MAX = 8_000;

/** Said at once and to many: a value, which costs nobody a line in a log. */
export const BUSY: Refusal = refuse('service_unavailable', 'Too many passwords wait to be checked.', {
  retryAfterS: 2,
  standsMs: STANDS_MS,
});

/** Runs a few pieces of work at a time, in the order they came; past a bound of waiting ones it refuses. */
export class Queue {
  readonly #runningMax: number;
  readonly #waitingMax: number;
  readonly #waitMsMax: number;
  readonly #waiting: (() => void)[] = [];
  #running = 0;

  constructor(runningMax: number, waitingMax: number, waitMsMax = WAIT_MS_MAX) {
    this.#runningMax = runningMax;
    this.#waitingMax = waitingMax;
    this.#waitMsMax = waitMsMax;
  }

  get waiting(): number {
    return this.#waiting.length;
  }

  /** Whether whoever comes now would be refused. */
  get isFull(): boolean {
    return this.#running >= this.#runningMax && this.#waiting.length >= this.#waitingMax;
  }

  async run<T>(work: () => Promise<T>): Promise<T | Refusal> {
    let waitedMs = 0;
    if (this.#running >= this.#runningMax) {
      if (this.isFull) return BUSY;
      const cameAt = performance.now();
      // Whoever ends hands over its place: `#running` stays as it is.
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
      waitedMs = performance.now() - cameAt;
    } else this.#running++;
    try {
      return waitedMs > this.#waitMsMax ? BUSY : await work();
    } finally {
      const next = this.#waiting.shift();
      if (next) next();
      else this.#running--;
    }
  }
}

/** Everything is refused with `service_unavailable` while too many wait. */
export interface Passwords {
  /** To be asked before anything is looked up for a password that could not be checked. */
  readonly isFull: boolean;
  hash(password: string): Promise<string | Refusal>;
  /** Takes as long without a hash, as for an account that does not exist; the answer is false then. */
  verify(password: string, hash: string | null): Promise<boolean | Refusal>;
  close(): void;
}

/** One account typed in two ways is one password too. */
const spelled = (password: string): string => password.normalize('NFC');

export const openPasswords = (
  queue = new Queue(HASHING_MAX, WAITING_MAX),
  hasher: Hasher = openHasher(HASHING_MAX),
): Passwords => {
  // Nobody's password, hashed like everybody's: made on the first need, then known.
  let nobody: Promise<string> | null = null;
  const nobodysHash = (): Promise<string> => {
    nobody ??= hasher.hash(crypto.randomUUID()).catch((problem: unknown) => {
      nobody = null;
      throw problem;
    });
    return nobody;
  };
  return {
    get isFull() {
      return queue.isFull;
    },
    hash: (password) => queue.run(() => hasher.hash(spelled(password))),
    verify: (password, known) =>
      queue.run(async () => {
        const against = known ?? (await nobodysHash());
        const right = await hasher.verify(spelled(password), against);
        return right && known !== null;
      }),
    close: () => hasher.close(),
  };
};

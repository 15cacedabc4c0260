// Passwords: Argon2id in threads of its own, few at once, so that a flood of logins cannot take the machine.
import { Unavailable } from '#runtime/fault.ts';

/** 19 MiB and two passes, as OWASP asks for with one lane. */
const ARGON2ID = { algorithm: 'argon2id', memoryCost: 19_456, timeCost: 2 } as const;
const HASHING_MAX = 2;
/** A second or two of work; whoever comes after that is better told so at once. */
const WAITING_MAX = 64;

/** Runs a few pieces of work at a time, in the order they came; past a bound of waiting ones it refuses. */
export class Queue {
  readonly #runningMax: number;
  readonly #waitingMax: number;
  readonly #waiting: (() => void)[] = [];
  #running = 0;

  constructor(runningMax: number, waitingMax: number) {
    this.#runningMax = runningMax;
    this.#waitingMax = waitingMax;
  }

  get waiting(): number {
    return this.#waiting.length;
  }

  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.#running >= this.#runningMax) {
      if (this.#waiting.length >= this.#waitingMax)
        throw new Unavailable('Too many passwords wait to be checked.', { retryAfterS: 2 });
      // Whoever ends hands over its place: `#running` stays as it is.
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    } else this.#running++;
    try {
      return await work();
    } finally {
      const next = this.#waiting.shift();
      if (next) next();
      else this.#running--;
    }
  }
}

export interface Passwords {
  hash(password: string): Promise<string>;
  /** Takes as long without a hash, as for an account that does not exist; the answer is false then. */
  verify(password: string, hash: string | null): Promise<boolean>;
}

/** One account typed in two ways is one password too. */
const spelled = (password: string): string => password.normalize('NFC');

export const openPasswords = (queue = new Queue(HASHING_MAX, WAITING_MAX)): Passwords => {
  const hash = (password: string): Promise<string> => queue.run(() => Bun.password.hash(spelled(password), ARGON2ID));
  // Nobody's password, hashed like everybody's: made on the first need, then known.
  let nobody: Promise<string> | null = null;
  const nobodysHash = (): Promise<string> => {
    nobody ??= hash(crypto.randomUUID()).catch((problem: unknown) => {
      nobody = null;
      throw problem;
    });
    return nobody;
  };
  return {
    hash,
    verify: async (password, known) => {
      const against = known ?? (await nobodysHash());
      const right = await queue.run(() => Bun.password.verify(spelled(password), against));
      return right && known !== null;
    },
  };
};

// Hashes and verifies passwords with Argon2id. Bounds the concurrency, so that a flood of logins leaves processor time
// for other requests.
import { availableParallelism } from 'node:os';
import { type Refusal, refuse } from '#runtime/call/call.ts';
import { AdmissionQueue } from '#runtime/flow/admission_queue.ts';
import { type Hasher, openHasher } from './hasher.ts';

const HASHING_MAX = availableParallelism() > 2 ? 2 : 1;
/** Maximum number of callers that wait, one or two seconds of work; further callers are refused at once. */
const WAITING_MAX = 64;
const WAIT_MS_MAX = 8_000;

export const BUSY: Refusal = refuse(
  'service_unavailable',
  `${WAITING_MAX} passwords wait to be checked already. Retry after 2 seconds.`,
  {
    retryAfterS: 2,
  },
);

export interface Passwords {
  /** Refusal if the queue is full, else null. Lets a handler refuse a login before it reads the database. */
  readonly full: Refusal | null;
  hash(password: string): Promise<string | Refusal>;
  /**
   * Verifies a password. A null hash takes the same time and returns false, so that timing does not reveal whether an
   * account exists.
   */
  verify(password: string, hash: string | null): Promise<boolean | Refusal>;
  close(): void;
}

/** Normalises the text, because an accented letter can be one character or two. */
const normalised = (password: string): string => password.normalize('NFC');

export const openPasswords = (
  niceness: number,
  queue = new AdmissionQueue({
    runningMax: HASHING_MAX,
    waitingMax: WAITING_MAX,
    waitMsMax: WAIT_MS_MAX,
    refusal: BUSY,
  }),
  hasher: Hasher = openHasher(niceness),
): Passwords => {
  // Hash of a random password, verified in place of a missing account's; created on first use.
  let decoy: Promise<string> | null = null;
  const decoyHash = (): Promise<string> => {
    decoy ??= hasher.hash(crypto.randomUUID()).catch((problem: unknown) => {
      decoy = null;
      throw problem;
    });
    return decoy;
  };
  return {
    get full() {
      return queue.full;
    },
    hash: (password) => queue.run(() => hasher.hash(normalised(password))),
    verify: (password, known) =>
      queue.run(async () => {
        const against = known ?? (await decoyHash());
        const right = await hasher.verify(normalised(password), against);
        return right && known !== null;
      }),
    close: () => hasher.close(),
  };
};

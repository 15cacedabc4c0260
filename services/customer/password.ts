// Passwords: Argon2id in processes of its own, few at once, so that a flood of logins cannot take the machine.
import { availableParallelism } from 'node:os';
import { type Refusal, refuse } from '#runtime/call/call.ts';
import { AdmissionQueue } from '#runtime/flow/admission_queue.ts';
import { type Hasher, openHasher } from './hasher.ts';

/** Of two cores one is left to everybody else, whatever comes. */
const HASHING_MAX = availableParallelism() > 2 ? 2 : 1;
/** A second or two of work; a later caller is better told so at once. */
const WAITING_MAX = 64;
/** No hash waits longer than its caller does. */
const WAIT_MS_MAX = 8_000;

export const BUSY: Refusal = refuse('service_unavailable', 'Too many passwords wait to be checked.', {
  retryAfterS: 2,
});

/** Everything is refused with `service_unavailable` while too many wait. */
export interface Passwords {
  /** To be asked before anything is looked up for a password that could not be checked. */
  readonly full: Refusal | null;
  hash(password: string): Promise<string | Refusal>;
  /** Takes as long without a hash, as for an account that does not exist; the answer is false then. */
  verify(password: string, hash: string | null): Promise<boolean | Refusal>;
  close(): void;
}

/** One account typed in two ways is one password too. */
const spelled = (password: string): string => password.normalize('NFC');

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
  // A password of no account, hashed like all others: made on the first need, then known.
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
    hash: (password) => queue.run(() => hasher.hash(spelled(password))),
    verify: (password, known) =>
      queue.run(async () => {
        const against = known ?? (await decoyHash());
        const right = await hasher.verify(spelled(password), against);
        return right && known !== null;
      }),
    close: () => hasher.close(),
  };
};

// Hashes and verifies passwords with Argon2id, few at once, so that a flood of logins leaves CPU for other work.
import { availableParallelism } from 'node:os';
import { type Refusal, refuse } from '#runtime/call/call.ts';
import { AdmissionQueue } from '#runtime/flow/admission_queue.ts';
import { type Hasher, openHasher } from './hasher.ts';

const HASHING_MAX = availableParallelism() > 2 ? 2 : 1;
/** One or two seconds of work; later callers are refused at once. */
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
  /** Checked before other lookups for a password that could not be verified. */
  readonly full: Refusal | null;
  hash(password: string): Promise<string | Refusal>;
  /** Without a hash it takes as long and answers false, so that a missing account does not show. */
  verify(password: string, hash: string | null): Promise<boolean | Refusal>;
  close(): void;
}

/** Accents typed as one or as two characters count as the same password. */
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
  // A random password's hash, verified where no account exists; made on first use.
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

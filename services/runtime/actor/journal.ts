// Defines the journal: a log for each partition with one writer at a time. Two fences reject other writers' appends:
// the expected sequence, and a message id that only one batch of each number can have.

import { Unavailable, UnknownOutcome } from '#runtime/call/fault.ts';
import {
  type Appended,
  type Bus,
  OutOfSequence,
  type Stored,
  type Stream,
  type StreamOptions,
} from '#runtime/nats/bus.ts';
import type { Timers } from '#runtime/process/clock.ts';
import { openBatch, UnreadableBatch } from './journal_record.ts';

export interface BatchAppend {
  readonly number: number;
  readonly expected: number;
  readonly bytes: Uint8Array;
}

export interface Journal {
  /**
   * Throws `Unavailable` where the batch is known not to be stored, `OutOfSequence` where another message came first,
   * `UnknownOutcome` where no answer came in time.
   */
  append(partition: number, batch: BatchAppend): Promise<Appended>;
  last(partition: number): Promise<Stored | null>;
  at(partition: number, sequence: number): Promise<Stored | null>;
  read(partition: number, from: number, to: number): AsyncIterable<Stored>;
  trim(before: number): Promise<void>;
  head(): Promise<number>;
}

/**
 * How long batches are kept. Batches that are not in Postgres by then are lost, so this exceeds any outage of Postgres
 * that a deployment survives.
 */
const AGE_MS_MAX = 14 * 24 * 3_600_000;
const DUPLICATE_MS = 120_000;
const RESEND_FIRST_MS = 20;
const RESEND_LAST_MS = 500;

export const journalStream = (namespace: string, replicas: number): StreamOptions => ({
  name: `${namespace.toUpperCase().replace(/[^A-Z0-9_-]/g, '_')}_ACTORS`,
  subjects: [`${namespace}.actor.*`],
  ageMsMax: AGE_MS_MAX,
  messagesMax: -1,
  duplicateMs: DUPLICATE_MS,
  replicas,
});

export const natsJournal = (bus: Bus, namespace: string, replicas: number): Journal => {
  const options = journalStream(namespace, replicas);
  const subject = (partition: number): string => `${namespace}.actor.${partition}`;
  let ready: Promise<Stream> | null = null;
  bus.onState(() => {
    ready = null;
  });
  const stream = (): Promise<Stream> => {
    ready ??= bus.ensureStream(options).then(
      () => bus.stream(options.name),
      (problem) => {
        ready = null;
        throw problem;
      },
    );
    return ready;
  };
  return {
    append: async (partition, { number, expected, bytes }) => {
      await stream();
      return bus.append(subject(partition), bytes, {
        id: `${subject(partition)}:${number}`,
        expectedSubjectSequence: expected,
      });
    },
    last: async (partition) => (await stream()).last(subject(partition)),
    at: async (_, sequence) => (await stream()).at(sequence),
    read: async function* (partition, from, to) {
      yield* (await stream()).read(subject(partition), from, to);
    },
    trim: async (before) => (await stream()).trim(before),
    head: async () => (await stream()).head(),
  };
};

/**
 * `lost`: another owner's batch has this number, and this writer's batch was never stored. `unclear`: another owner has
 * written, and the log does not show whether this writer's batch was stored before.
 */
export type AppendOutcome =
  | { readonly kind: 'stored'; readonly sequence: number }
  | { readonly kind: 'lost' }
  | { readonly kind: 'unclear' };

export interface AppendAttempt extends BatchAppend {
  readonly nonce: string;
  readonly doubt: () => void;
}

const LOST: AppendOutcome = { kind: 'lost' };
const UNCLEAR: AppendOutcome = { kind: 'unclear' };

export class LogWriter {
  readonly #journal: Journal;
  readonly #partition: number;
  readonly #timers: Timers;
  #stopped = false;

  constructor(journal: Journal, partition: number, timers: Timers) {
    this.#journal = journal;
    this.#partition = partition;
    this.#timers = timers;
  }

  /**
   * Appends a batch and resends it until the outcome is known. Throws `Unavailable` where the batch is known not to be
   * stored, `UnknownOutcome` if stopped before.
   */
  async append(attempt: AppendAttempt): Promise<AppendOutcome> {
    if (this.#stopped) throw new Unavailable('This partition was let go.');
    let inDoubt = false;
    for (let pauseMs = RESEND_FIRST_MS; ; pauseMs = Math.min(pauseMs * 2, RESEND_LAST_MS)) {
      const answer = await this.#journal.append(this.#partition, attempt).catch((problem: unknown) => problem);
      if (isAppended(answer) && !answer.duplicate) return { kind: 'stored', sequence: answer.sequence };
      if (!inDoubt && answer instanceof Unavailable) throw answer;
      if (isAppended(answer) || answer instanceof OutOfSequence) {
        // Reads the log to see whose message was stored. A duplicate is this writer's batch or another owner's. A
        // message above the expected sequence may precede this batch, follow this batch, or be a second copy, since the
        // broker may receive a request twice.
        const outcome = await this.#look(attempt, answer).catch(() => null);
        // Sent once and refused, the batch is not stored: another owner wrote first, even if the log no longer shows that
        // owner's batch because it was trimmed.
        if (outcome?.kind === 'unclear' && !inDoubt && answer instanceof OutOfSequence) return LOST;
        if (outcome) return outcome;
      }
      if (!inDoubt) attempt.doubt();
      inDoubt = true;
      await this.#timers.sleep(pauseMs);
      if (this.#stopped) throw new UnknownOutcome('It is not known whether the batch was stored.');
    }
  }

  stop(): void {
    this.#stopped = true;
  }

  async #look(attempt: AppendAttempt, answer: Appended | OutOfSequence): Promise<AppendOutcome> {
    if (!(answer instanceof OutOfSequence))
      return compare(attempt, await this.#journal.at(this.#partition, answer.sequence));
    const last = await this.#journal.last(this.#partition);
    if (!last || last.sequence <= attempt.expected) return UNCLEAR;
    // If this writer's batch was stored, it is the first message after the expected one.
    for await (const stored of this.#journal.read(this.#partition, attempt.expected + 1, last.sequence))
      return compare(attempt, stored);
    return UNCLEAR;
  }
}

const isAppended = (answer: unknown): answer is Appended =>
  typeof answer === 'object' && answer !== null && 'duplicate' in answer;

const compare = ({ number, nonce }: AppendAttempt, stored: Stored | null): AppendOutcome => {
  if (!stored) return UNCLEAR;
  try {
    const batch = openBatch(stored.bytes);
    if (batch.number !== number) return UNCLEAR;
    return batch.nonce === nonce ? { kind: 'stored', sequence: stored.sequence } : LOST;
  } catch (problem) {
    if (problem instanceof UnreadableBatch) return UNCLEAR;
    throw problem;
  }
};

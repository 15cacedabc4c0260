// Groups commands into journal batches. Commands run on states that are not durable yet, and their facts are collected
// while the previous batch is in flight. A caller is answered once the batch that the answer depends on is
// acknowledged.
import { Unavailable, UnknownOutcome } from '#runtime/call/fault.ts';
import type { Timers } from '#runtime/process/clock.ts';
import { type ActorInstance, Batch, type CommandEnvelope } from './actor_instance.ts';
import type { AppendOutcome, LogWriter } from './journal.ts';
import { writeEnd } from './journal_record.ts';
import type { LogPosition } from './snapshot.ts';

const RECORDS_MAX = 256;
const BYTES_MAX = 512_000;
/** Number of records that one actor may add to a batch, so that a busy actor never excludes the others. */
const RECORDS_PER_ACTOR_MAX = 128;

export interface BatchWriterOptions {
  readonly writer: LogWriter;
  readonly timers: Timers;
  /** Returns a new unique value for each batch, by which a writer recognises its own batch in the log. */
  readonly nonce: () => string;
  readonly number: number;
  readonly sequence: number;
  readonly stored: (batch: Batch, sequence: number, tookMs: number) => void;
  readonly dropped: (batches: readonly Batch[], problem: Unavailable) => void;
  readonly lost: (outcome: AppendOutcome) => void;
  /** Runs a read-only command again: it read states that may be lost, and now reads the acknowledged ones. */
  readonly retry: (envelope: CommandEnvelope) => void;
  readonly onRoom: () => void;
}

export class BatchWriter {
  readonly #options: BatchWriterOptions;
  #open: Batch;
  #inFlight: Batch | null = null;
  #isInDoubt = false;
  #sequence: number;
  #scheduled = false;
  #closed = false;
  #ended = false;

  constructor(options: BatchWriterOptions) {
    this.#options = options;
    this.#sequence = options.sequence;
    this.#open = new Batch(options.number + 1, options.nonce());
  }

  get open(): Batch {
    return this.#open;
  }

  get inDoubt(): Batch | null {
    return this.#isInDoubt ? this.#inFlight : null;
  }

  get idle(): boolean {
    return this.#inFlight === null && !this.#wanted;
  }

  get #wanted(): boolean {
    return this.#open.envelopes.length > 0 || this.#open.isProof;
  }

  /** Sends the next batch even if it is empty. Once the batch is stored, no other owner has written before it. */
  prove(): Batch {
    this.#open.isProof = true;
    this.schedule();
    return this.#open;
  }

  get full(): boolean {
    return this.#open.records >= RECORDS_MAX || this.#open.bytes >= BYTES_MAX;
  }

  hasRoom(actor: ActorInstance): boolean {
    if (this.full) return false;
    return actor.entry?.batch !== this.#open || actor.entry.records < RECORDS_PER_ACTOR_MAX;
  }

  fits(bytes: number): 'now' | 'later' | 'never' {
    if (this.#open.bytes + bytes <= BYTES_MAX) return 'now';
    return bytes > BYTES_MAX ? 'never' : 'later';
  }

  schedule(): void {
    if (this.#scheduled || this.#inFlight || this.#ended || !this.#wanted) return;
    this.#scheduled = true;
    this.#options.timers.soon(() => {
      this.#scheduled = false;
      if (!this.#closed) this.#send();
    });
  }

  /** Writes the end mark of the log. Null: another owner has written. */
  async end(): Promise<{ readonly at: LogPosition; readonly bytes: number } | null> {
    this.#ended = true;
    const { number, nonce } = this.#open;
    const bytes = writeEnd(number, nonce);
    const outcome = await this.#options.writer.append({
      number,
      nonce,
      expected: this.#sequence,
      bytes,
      doubt: () => {},
    });
    return outcome.kind === 'stored'
      ? { at: { batch: number, sequence: outcome.sequence, nonce }, bytes: bytes.length }
      : null;
  }

  close(): readonly [inFlight: Batch | null, open: Batch] {
    this.#closed = true;
    this.#options.writer.stop();
    return [this.#inFlight, this.#open];
  }

  #send(): void {
    if (this.#inFlight || !this.#wanted) return;
    const batch = this.#open;
    this.#inFlight = batch;
    this.#open = new Batch(batch.number + 1, this.#options.nonce());
    void this.#append(batch);
    this.#options.onRoom();
  }

  async #append(batch: Batch): Promise<void> {
    const { writer, timers } = this.#options;
    const { number, nonce } = batch;
    const startedAt = timers.now();
    let outcome: AppendOutcome;
    try {
      outcome = await writer.append({
        number,
        nonce,
        expected: this.#sequence,
        bytes: batch.encode(),
        doubt: () => this.#doubt(),
      });
    } catch (problem) {
      if (!this.#closed) this.#drop(problem);
      return;
    }
    if (this.#closed) return;
    if (outcome.kind === 'stored') this.#commit(batch, outcome.sequence, timers.now() - startedAt);
    else this.#options.lost(outcome);
  }

  #commit(batch: Batch, sequence: number, tookMs: number): void {
    this.#inFlight = null;
    this.#isInDoubt = false;
    this.#sequence = sequence;
    for (const entry of batch.entries) {
      const { actor } = entry;
      actor.durable = entry.state;
      actor.changedIn = batch.number;
      if (actor.entry === entry) actor.entry = null;
    }
    this.#options.stored(batch, sequence, tookMs);
    batch.envelopes.forEach((envelope, at) => {
      const result = batch.outcomes[at];
      if (result) envelope.done(result);
    });
    this.schedule();
  }

  #reopen({ number }: Batch, dropped: readonly Batch[]): void {
    this.#open = new Batch(number, this.#options.nonce());
    this.#open.isProof = dropped.some(({ isProof }) => isProof);
  }

  #drop(problem: unknown): void {
    const dropped = this.#inFlight ? [this.#inFlight, this.#open] : [this.#open];
    for (const { entries } of dropped)
      for (const { actor } of entries) {
        actor.entry = null;
        actor.state = actor.durable;
      }
    this.#reopen(dropped[0] as Batch, dropped);
    this.#inFlight = null;
    this.#isInDoubt = false;
    const why = problem instanceof Unavailable ? problem : new Unavailable('Nothing was written.', { cause: problem });
    this.#options.dropped(dropped, why);
    for (const { envelopes } of dropped) for (const envelope of envelopes) envelope.fail(why);
  }

  /**
   * Handles an unknown outcome of the batch in flight: drops the unsent batch and fails its writing commands, and runs
   * read-only commands of both batches again.
   */
  #doubt(): void {
    if (this.#closed || !this.#inFlight) return;
    this.#isInDoubt = true;
    const unsent = this.#open;
    this.#reopen(unsent, [unsent]);
    for (const { actor, previous } of unsent.entries) {
      actor.entry = previous;
      actor.state = previous ? previous.state : actor.durable;
    }
    const why = new Unavailable('The journal does not answer.');
    this.#options.dropped([unsent], why);
    const { envelopes } = this.#inFlight;
    for (const envelope of unsent.envelopes) if (envelope.hasFactsInBatch) envelope.fail(why);
    for (const envelope of [...envelopes, ...unsent.envelopes])
      if (!envelope.hasFactsInBatch && !envelope.settled) this.#options.retry(envelope);
  }

  expire(realMs: number): void {
    if (!this.#isInDoubt || !this.#inFlight) return;
    for (const envelope of this.#inFlight.envelopes)
      if (envelope.deadline <= realMs)
        envelope.fail(new UnknownOutcome('It is not known whether the command was stored.'));
  }
}

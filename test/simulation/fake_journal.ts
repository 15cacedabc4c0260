// A broker that fences, forgets to answer, answers late, says no, changes its leader; and on wish has the fault of
// 2.9.10, in which two who expect the same sequence may both be stored.
import type { Journal } from '#runtime/actor/journal.ts';
import { type RecordedBatch, readBatch } from '#runtime/actor/journal_record.ts';
import { Unavailable, UnknownOutcome } from '#runtime/call/fault.ts';
import { type Appended, OutOfSequence, type Stored } from '#runtime/nats/bus.ts';
import type { Process, World } from './world.ts';

export interface JournalFaults {
  /** Requests that never arrive. */
  readonly lostRequest: number;
  /** Answers that never arrive. */
  readonly lostAnswer: number;
  /** Requests and answers that take up to 4 s. */
  readonly late: number;
  readonly duplicated: number;
  /** A definite no. */
  readonly refused: number;
  /** Reads that do not see the last moments, up to 3 s. */
  readonly stale: number;
  /** How long a message's id is known. */
  readonly duplicateMs: number;
  /** Compares the expected sequence with the one of some ms ago. */
  readonly fenceFault: boolean;
  /** Whether messages carry ids. */
  readonly ids: boolean;
}

interface Message extends Stored {
  readonly partition: number;
  readonly at: number;
  trimmed: boolean;
}

const TIMEOUT_MS = 1_500;
const LATE_MS = 4_000;
const LAG_MS = 12;
const STALE_MS = 3_000;

export class FakeBroker {
  readonly #world: World;
  readonly #faults: JournalFaults;
  readonly #messages: Message[] = [];
  readonly #ids = new Map<string, { sequence: number; at: number }>();
  readonly #cut = new Set<Process>();
  #awayUntil = 0;
  #faulty = true;

  constructor(world: World, faults: JournalFaults) {
    this.#world = world;
    this.#faults = faults;
  }

  /** Without a leader until then. */
  pauseFor(ms: number): void {
    this.#awayUntil = this.#world.now + ms;
  }

  cut(process: Process): void {
    this.#cut.add(process);
  }

  mend(process: Process): void {
    this.#cut.delete(process);
  }

  heal(): void {
    this.#faulty = false;
    this.#cut.clear();
  }

  /** All that was ever stored, trimmed or not. */
  history(partition: number): { readonly sequence: number; readonly batch: RecordedBatch }[] {
    return this.#messages
      .filter((message) => message.partition === partition)
      .map(({ sequence, bytes }) => ({ sequence, batch: readBatch(bytes) }));
  }

  open(process: Process): Journal {
    return {
      append: (partition, { number, expected, bytes }) =>
        this.#exchange(process, () => this.#store(partition, number, expected, bytes)),
      last: (partition) =>
        this.#ask(process, (seen) => seen.findLast((message) => message.partition === partition) ?? null),
      at: (partition, sequence) =>
        this.#ask(
          process,
          (seen) => seen.find((message) => message.partition === partition && message.sequence === sequence) ?? null,
        ),
      read: (partition, from, to) => this.#read(process, partition, from, to),
      trim: async (before) => {
        await this.#ask(process, () => {
          for (const message of this.#messages) if (message.sequence < before) message.trimmed = true;
        });
      },
      head: () => this.#ask(process, () => this.#messages.length),
    };
  }

  #store(partition: number, number: number, expected: number, bytes: Uint8Array): Appended {
    const { now } = this.#world;
    const id = `${partition}:${number}`;
    const known = this.#ids.get(id);
    if (this.#faults.ids && known && now - known.at < this.#faults.duplicateMs)
      return { sequence: known.sequence, duplicate: true };
    const lastBy = (time: number): number =>
      this.#messages.findLast((message) => message.partition === partition && !message.trimmed && message.at <= time)
        ?.sequence ?? 0;
    const lag = this.#faulty && this.#faults.fenceFault ? this.#world.chance.between(0, LAG_MS) : 0;
    if (lastBy(now) !== expected && lastBy(now - lag) !== expected)
      throw new OutOfSequence(`partition ${partition}`, undefined);
    const sequence = this.#messages.length + 1;
    this.#messages.push({ partition, sequence, bytes: bytes.slice(), at: now, trimmed: false });
    this.#ids.set(id, { sequence, at: now });
    return { sequence, duplicate: false };
  }

  #latency(): number {
    const { chance } = this.#world;
    if (this.#faulty && chance.happens(this.#faults.late)) return chance.between(50, LATE_MS);
    return 0.2 + 2 * chance.next();
  }

  #away(process: Process): boolean {
    return this.#faulty && (this.#cut.has(process) || this.#world.now < this.#awayUntil);
  }

  /** The server's work is done with or without an answer. */
  #exchange(process: Process, work: () => Appended): Promise<Appended> {
    const world = this.#world;
    const { chance } = world;
    const { lostRequest, lostAnswer, duplicated, refused } = this.#faults;
    return new Promise((done, fail) => {
      world.after(TIMEOUT_MS, process, () => fail(new UnknownOutcome('No answer came.')));
      const arrive = (): void => {
        if (this.#away(process)) return;
        let answer: () => void;
        try {
          const appended = work();
          answer = () => done(appended);
        } catch (problem) {
          answer = () => fail(problem);
        }
        if (this.#faulty && chance.happens(lostAnswer)) return;
        world.after(this.#latency(), process, () => {
          if (!this.#away(process)) answer();
        });
      };
      if (this.#faulty && chance.happens(refused)) {
        world.after(this.#latency(), process, () => fail(new Unavailable('No leader.')));
        return;
      }
      if (!(this.#faulty && chance.happens(lostRequest))) world.after(this.#latency(), null, arrive);
      if (this.#faulty && chance.happens(duplicated)) world.after(this.#latency(), null, arrive);
    });
  }

  /** Answers like a leader; one that was replaced without knowing it lacks the last moments. */
  #ask<T>(process: Process, look: (seen: readonly Message[]) => T): Promise<T> {
    const world = this.#world;
    return world.later(this.#latency(), process, () => {
      if (this.#away(process) || (this.#faulty && world.chance.happens(this.#faults.lostAnswer)))
        throw new Unavailable('The bus does not answer.');
      const stale = this.#faulty && world.chance.happens(this.#faults.stale);
      const until = stale ? world.now - world.chance.between(1, world.chance.pick([100, STALE_MS])) : world.now;
      return look(this.#messages.filter(({ at, trimmed }) => !trimmed && at <= until));
    });
  }

  async *#read(process: Process, partition: number, from: number, to: number): AsyncGenerator<Stored> {
    const messages = await this.#ask(process, () =>
      this.#messages.filter(
        (message) =>
          message.partition === partition && !message.trimmed && message.sequence >= from && message.sequence <= to,
      ),
    );
    if (messages.at(-1)?.sequence !== to) throw new Unavailable('The stream ends before it should.');
    yield* messages;
  }
}

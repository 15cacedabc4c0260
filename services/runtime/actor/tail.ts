// What the log holds beyond the snapshots when an owner begins. An actor takes its part of it in when a command tells the
// actor something, or when the next snapshots are written.

import { Unavailable } from '#runtime/call/fault.ts';
import type { Occurrence } from '#runtime/event/event.ts';
import { answerNameOf } from '#runtime/postgres/idempotency.ts';
import { ActorInstance, type RememberedAnswer } from './actor_instance.ts';
import type { Address, Kinds } from './address.ts';
import { BatchLoader } from './batch_loader.ts';
import type { ReportLoss } from './data_loss.ts';
import {
  type DamagedRecord,
  type JournalRecord,
  type OpenedBatch,
  readActor,
  UnreadableBatch,
  writeActor,
} from './journal_record.ts';
import { evolveFact, evolveFacts, FORGOTTEN, readState } from './kind.ts';
import type { Snapshots } from './snapshot.ts';
import type { Timers } from './timer.ts';

/** An actor that is told something meanwhile waits for a group to be read. */
const GROUP_MAX = 100;
const GROUPS_AT_ONCE = 4;
/** Of an answer that counts for nothing: it was forgotten before any time. */
const FORGOTTEN_AT = Number.NEGATIVE_INFINITY;

export interface TailOptions {
  readonly partition: number;
  /** The last batch that is in the snapshots. */
  readonly after: number;
  readonly snapshots: Snapshots;
  readonly kinds: Kinds;
  readonly timers: Timers;
  /** Another owner wrote some of it to Postgres: what is read there now is not what this tail follows upon. */
  readonly overtaken: () => void;
  /** An actor's records cannot be taken in: it stays as Postgres has it. */
  readonly lost: ReportLoss;
}

/** The records of one actor, in their order. */
interface ActorTail {
  readonly address: Address;
  readonly records: JournalRecord[];
  /** Each one's place among all records; a damaged one has a place as well. */
  readonly places: number[];
  /** What retries of its commands are answered with. */
  readonly answers: RememberedAnswer[];
  /** The last batch that has one. */
  batch: number;
  /** Why none of its records may be taken in; null: nothing is known against them. */
  problem: unknown;
}

interface EmittedEvents {
  readonly place: number;
  readonly events: readonly Occurrence[];
}

export class Tail {
  /** All actors in memory, those that had no part in it as well. */
  readonly actors = new Map<string, ActorInstance>();
  /** Of keyed commands, until Postgres has them. */
  readonly answers: RememberedAnswer[] = [];
  readonly #options: TailOptions;
  /** By the actor's text: those that were not read yet. */
  readonly #parts = new Map<string, ActorTail>();
  readonly #asked: BatchLoader<Address, undefined>;
  #read: ActorInstance[] = [];
  #emitted: EmittedEvents[] = [];
  #count = 0;

  constructor(options: TailOptions) {
    this.#options = options;
    const load = { itemsMax: GROUP_MAX, runningMax: GROUPS_AT_ONCE, waitingMax: Number.POSITIVE_INFINITY };
    this.#asked = new BatchLoader((addresses) => this.#load(addresses), options.timers, load);
  }

  /** Adds a batch, all of it or nothing; throws `UnreadableBatch` where it cannot be told whose its records are. */
  add({ number, actors, records }: OpenedBatch): void {
    const parts = actors.map((actor) => this.#parts.get(actor) ?? this.#partOf(actor));
    if (records.some(({ actor }) => parts[actor] === undefined))
      throw new UnreadableBatch('it has a record of an actor that it does not name.');
    actors.forEach((actor, at) => {
      this.#parts.set(actor, parts[at]!);
    });
    for (const record of records) {
      const part = parts[record.actor]!;
      part.batch = number;
      this.#take(part, record);
    }
  }

  #take(part: ActorTail, record: JournalRecord | DamagedRecord): void {
    part.places.push(this.#count++);
    if ('problem' in record) {
      part.problem ??= record.problem;
      return;
    }
    part.records.push(record);
    if (!record.answer) return;
    const { tenant } = part.address;
    const { answer: stored } = record;
    const name = answerNameOf(tenant, stored.hash);
    const answer = { stored, tenant, name, batch: null, response: null, forgetAt: Number.POSITIVE_INFINITY };
    this.answers.push(answer);
    part.answers.push(answer);
  }

  /** Whether the actor is still to be read. */
  has(address: Address): boolean {
    return this.#parts.size > 0 && this.#parts.has(textOf(address));
  }

  /** Brings the actor into memory; one that is there already and sleeps wakes. */
  async activate(address: Address): Promise<void> {
    await this.#asked.ask(address);
  }

  /** All of them. Returns them, and what they told in the order of the log. */
  async activateAll(): Promise<{ readonly cells: readonly ActorInstance[]; readonly events: readonly Occurrence[] }> {
    const parts = [...this.#parts.values()];
    const wake = async (): Promise<void> => {
      while (parts.length > 0) await this.#load(parts.splice(-GROUP_MAX).map(({ address }) => address));
    };
    await Promise.all(Array.from({ length: GROUPS_AT_ONCE }, wake));
    const events = this.#emitted.sort((a, b) => a.place - b.place).flatMap((result) => result.events);
    const cells = this.#read;
    this.#emitted = [];
    this.#read = [];
    return { cells, events };
  }

  /** A kind that is not known here is no damage: another version, or a host with other domains, can read its records. */
  #partOf(actor: string): ActorTail {
    const { kinds } = this.#options;
    const { kind, store, environment, id } = readActor(actor);
    const address = kinds.address(kinds.named(kind), { store, environment }, id);
    return { address, records: [], places: [], answers: [], batch: 0, problem: null };
  }

  /** An actor that was read meanwhile is left as it is. */
  async #load(addresses: readonly Address[]): Promise<undefined[]> {
    const { partition, after, snapshots, overtaken } = this.#options;
    const states = await snapshots.load(addresses);
    // Asked after the states: they are as of this batch, or of an earlier one.
    const { batch } = await snapshots.position(partition);
    addresses.forEach((address, at) => {
      const actor = textOf(address);
      const part = this.#parts.get(actor);
      if (!part) return;
      if (batch !== after) {
        overtaken();
        throw new Unavailable('Another owner still writes this partition to the database.');
      }
      this.#wake(part, states[at] ?? null);
      this.#parts.delete(actor);
    });
    return [];
  }

  #wake(part: ActorTail, snapshot: string | null): void {
    const { address } = part;
    const { kind, key } = address;
    // A command may have come for it since it was asked for.
    const cell = this.actors.get(key) ?? new ActorInstance(address);
    try {
      if (part.problem !== null) throw part.problem;
      const before = readState(kind, snapshot);
      const result: EmittedEvents[] = [];
      cell.activate(
        kind.announce
          ? this.#announced(part, before, result)
          : evolveFacts(
              kind,
              before,
              part.records.flatMap(({ facts }) => facts),
            ),
      );
      cell.changedIn = part.batch;
      this.actors.set(key, cell);
      this.#read.push(cell);
      for (const each of result) this.#emitted.push(each);
    } catch (problem) {
      this.#lose(part, problem);
      this.#restore(cell, snapshot);
    }
  }

  /** The actor is as Postgres has it, and so are the answers of its commands: their retries are decided anew. */
  #lose({ address, places, answers, batch }: ActorTail, problem: unknown): void {
    for (const answer of answers) answer.forgetAt = FORGOTTEN_AT;
    const lost = new Set(answers);
    const remaining = this.answers.filter((answer) => !lost.has(answer));
    this.answers.splice(0, this.answers.length, ...remaining);
    const { kind, tenant, id } = address;
    this.#options.lost({
      text: 'records of an actor cannot be read: it stays as the database has it',
      fields: { kind: kind.name, ...tenant, id, records: places.length, batch, err: problem },
    });
  }

  /** Where Postgres' state cannot be read either, its commands fail one by one and say so. */
  #restore(cell: ActorInstance, snapshot: string | null): void {
    const { kind, key } = cell.address;
    try {
      cell.activate(readState(kind, snapshot));
      this.actors.set(key, cell);
    } catch {
      cell.isLoaded = false;
    }
  }

  /** What becomes of the state, and what it tells on the way. */
  #announced({ address, records, places }: ActorTail, before: unknown, result: EmittedEvents[]): unknown {
    const { kind, tenant, id } = address;
    let state = before;
    records.forEach(({ commandId, now, facts }, at) => {
      const events: Occurrence[] = [];
      for (const fact of facts) {
        state = evolveFact(kind, state, fact);
        if (fact === FORGOTTEN || !kind.announce) continue;
        for (const event of kind.announce(state, fact, { tenant, id, now, commandId }))
          events.push({ tenant, event, createdAt: new Date(now) });
      }
      if (events.length > 0) result.push({ place: places[at]!, events });
    });
    return state;
  }
}

const textOf = ({ kind, tenant, id }: Address): string =>
  writeActor({ kind: kind.name, store: tenant.store, environment: tenant.environment, id });

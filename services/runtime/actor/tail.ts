// What the log holds beyond the snapshots when an owner begins. An actor's part of it lies unread until somebody tells
// the actor something, or the next snapshots are written.
import { Unavailable } from '#runtime/fault.ts';
import type { Occurrence } from '#runtime/outbox.ts';
import type { Address, Kinds } from './address.ts';
import { Cell, type Remembered } from './cell.ts';
import { evolveAllBy, evolveBy, FORGOTTEN, readState } from './kind.ts';
import { actorIn, factsIn, keptIn, type OpenedBatch, readActor, readRecord, writeActor } from './record.ts';
import type { Snapshots } from './snapshot.ts';
import type { Timers } from './timer.ts';
import { Gather } from './wake.ts';

/** Whoever is told something meanwhile waits for a group to be read. */
const GROUP_MAX = 100;
const GROUPS_AT_ONCE = 4;

export interface TailOptions {
  readonly partition: number;
  /** The last batch that is in the snapshots. */
  readonly after: number;
  readonly snapshots: Snapshots;
  readonly kinds: Kinds;
  readonly timers: Timers;
  /** Another owner wrote some of it to Postgres: what is read there now is not what this tail follows upon. */
  readonly overtaken: () => void;
}

/** The records of one actor, in their order. */
interface Part {
  readonly actor: string;
  readonly records: string[];
  /** Each one's place among all records. */
  readonly places: number[];
  /** The last batch that has one. */
  batch: number;
}

interface Told {
  readonly place: number;
  readonly events: readonly Occurrence[];
}

export class Tail {
  /** All actors in memory, those that had no part in it as well. */
  readonly cells = new Map<string, Cell>();
  /** Of keyed commands, until Postgres has them. */
  readonly answers: Remembered[] = [];
  readonly #options: TailOptions;
  /** By the actor's text: those that were not read yet. */
  readonly #parts = new Map<string, Part>();
  readonly #asked: Gather<Address, undefined>;
  #read: Cell[] = [];
  #told: Told[] = [];
  #count = 0;

  constructor(options: TailOptions) {
    this.#options = options;
    const load = { itemsMax: GROUP_MAX, runningMax: GROUPS_AT_ONCE, waitingMax: Number.POSITIVE_INFINITY };
    this.#asked = new Gather((addresses) => this.#load(addresses), options.timers, load);
  }

  /** Adds a batch. Returns how long the texts of its records are. */
  add({ number, actors, records }: OpenedBatch): number {
    const parts = actors.map((actor) => this.#partOf(actor));
    let length = 0;
    for (const record of records) {
      const part = parts[actorIn(record)];
      if (!part) throw new Error(`Batch ${number} names an actor that it does not have.`);
      part.records.push(record);
      part.places.push(this.#count++);
      part.batch = number;
      length += record.length;
      const kept = keptIn(record);
      if (!kept) continue;
      const { tenant } = this.#addressOf(part);
      this.answers.push({ kept, tenant, batch: null, response: null, forgetAt: Number.POSITIVE_INFINITY });
    }
    return length;
  }

  /** Whether the actor is still to be read. */
  has(address: Address): boolean {
    return this.#parts.size > 0 && this.#parts.has(textOf(address));
  }

  /** Brings the actor into memory; whoever is there already and sleeps wakes. */
  async wake(address: Address): Promise<void> {
    await this.#asked.ask(address);
  }

  /** All of them. Returns them, and what they told in the order of the log. */
  async wakeAll(): Promise<{ readonly cells: readonly Cell[]; readonly events: readonly Occurrence[] }> {
    const parts = [...this.#parts.values()];
    const wake = async (): Promise<void> => {
      while (parts.length > 0) await this.#load(parts.splice(-GROUP_MAX).map((part) => this.#addressOf(part)));
    };
    await Promise.all(Array.from({ length: GROUPS_AT_ONCE }, wake));
    const events = this.#told.sort((a, b) => a.place - b.place).flatMap((told) => told.events);
    const cells = this.#read;
    this.#told = [];
    this.#read = [];
    return { cells, events };
  }

  #partOf(actor: string): Part {
    let part = this.#parts.get(actor);
    if (!part) {
      part = { actor, records: [], places: [], batch: 0 };
      this.#parts.set(actor, part);
    }
    return part;
  }

  #addressOf({ actor }: Part): Address {
    const { kinds } = this.#options;
    const { kind, store, environment, id } = readActor(actor);
    return kinds.address(kinds.named(kind), { store, environment }, id);
  }

  /** Whoever was read meanwhile is left as he is. */
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
      this.#take(address, part, states[at] ?? null);
      this.#parts.delete(actor);
    });
    return [];
  }

  #take(address: Address, part: Part, snapshot: string | null): void {
    const { kind, key } = address;
    const before = readState(kind, snapshot);
    const state = kind.announce
      ? this.#announced(address, part, before)
      : evolveAllBy(kind, before, part.records.flatMap(factsIn));
    // Somebody may have been told something since it was asked for.
    const cell = this.cells.get(key) ?? new Cell(address);
    cell.wake(state);
    cell.changedIn = part.batch;
    this.cells.set(key, cell);
    this.#read.push(cell);
  }

  /** What becomes of the state; notes what was told on the way. */
  #announced({ kind, tenant, id }: Address, { records, places }: Part, before: unknown): unknown {
    let state = before;
    records.forEach((record, at) => {
      const { commandId, now, facts } = readRecord(record);
      const events: Occurrence[] = [];
      for (const fact of facts) {
        state = evolveBy(kind, state, fact);
        if (fact === FORGOTTEN || !kind.announce) continue;
        for (const event of kind.announce(state, fact, { tenant, id, now, commandId }))
          events.push({ tenant, event, createdAt: new Date(now) });
      }
      if (events.length > 0) this.#told.push({ place: places[at]!, events });
    });
    return state;
  }
}

const textOf = ({ kind, tenant, id }: Address): string =>
  writeActor({ kind: kind.name, store: tenant.store, environment: tenant.environment, id });

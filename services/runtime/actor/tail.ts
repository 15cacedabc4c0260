// What the log holds beyond the snapshots when an owner begins. An actor's part of it lies unread until somebody tells
// the actor something, or the next snapshots are written.
import { Unavailable } from '#runtime/fault.ts';
import type { Occurrence } from '#runtime/outbox.ts';
import type { Address, Kinds } from './address.ts';
import { Cell, type Remembered } from './cell.ts';
import { evolveBy, FORGOTTEN, readState } from './kind.ts';
import { actorIn, keptIn, type OpenedBatch, readActor, readRecord, writeActor } from './record.ts';
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
  /** In memory, each as its last record left it. */
  readonly cells = new Map<string, Cell>();
  /** Of keyed commands, until Postgres has them. */
  readonly answers: Remembered[] = [];
  readonly #options: TailOptions;
  /** By the actor's text: those that were not read yet. */
  readonly #parts = new Map<string, Part>();
  readonly #asked: Gather<Cell, undefined>;
  #told: Told[] = [];
  #count = 0;

  constructor(options: TailOptions) {
    this.#options = options;
    const load = { itemsMax: GROUP_MAX, runningMax: GROUPS_AT_ONCE, waitingMax: Number.POSITIVE_INFINITY };
    this.#asked = new Gather((cells) => this.#read(cells), options.timers, load);
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

  /** The actor as its last record left it. */
  async wake(cell: Cell): Promise<void> {
    await this.#asked.ask(cell).catch((problem) => {
      // Somebody else's question may have been answered.
      if (!cell.awake) throw problem;
    });
  }

  /** All of them. Returns what they told, in the order of the log. */
  async wakeAll(): Promise<readonly Occurrence[]> {
    const parts = [...this.#parts.values()];
    const wake = async (): Promise<void> => {
      while (parts.length > 0) await this.#read(parts.splice(-GROUP_MAX).map((part) => this.#cellOf(part)));
    };
    await Promise.all(Array.from({ length: GROUPS_AT_ONCE }, wake));
    const told = this.#told.sort((a, b) => a.place - b.place);
    this.#told = [];
    return told.flatMap(({ events }) => events);
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

  /** The one that somebody waits for, if anybody does. */
  #cellOf(part: Part): Cell {
    const address = this.#addressOf(part);
    return this.cells.get(address.key) ?? new Cell(address);
  }

  /** Whoever was read meanwhile is left as he is. */
  async #read(cells: readonly Cell[]): Promise<undefined[]> {
    const { partition, after, snapshots, overtaken } = this.#options;
    const states = await snapshots.load(cells.map(({ address }) => address));
    // Asked after the states: they are as of this batch, or of an earlier one.
    const { batch } = await snapshots.position(partition);
    cells.forEach((cell, at) => {
      const actor = textOf(cell.address);
      const part = this.#parts.get(actor);
      if (!part) return;
      if (batch !== after) {
        overtaken();
        throw new Unavailable('Another owner still writes this partition to the database.');
      }
      this.#take(cell, part, states[at] ?? null);
      this.#parts.delete(actor);
    });
    return [];
  }

  #take(cell: Cell, { records, places, batch }: Part, snapshot: string | null): void {
    const { kind, tenant, id, key } = cell.address;
    let state = readState(kind, snapshot);
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
    cell.wake(state);
    cell.changedIn = batch;
    this.cells.set(key, cell);
  }
}

const textOf = ({ kind, tenant, id }: Address): string =>
  writeActor({ kind: kind.name, store: tenant.store, environment: tenant.environment, id });

// Queues commands of a partition's actors in memory and schedules them fairly.

import type { Timers } from '#runtime/process/clock.ts';
import { ActorInstance, type CommandEnvelope } from './actor_instance.ts';
import type { Address } from './address.ts';
import { BatchLoader } from './batch_loader.ts';
import { readState } from './kind.ts';
import { type ActorCount, measure } from './measure.ts';
import type { Tail } from './tail.ts';

const MAILBOX_MAX = 1_024;
const WAITING_MAX = 8_192;
/** Commands of one actor before the next gets its turn. */
const QUANTUM = 16;
const LOOK_MS_MAX = 10_000;
const LOOKS_AN_IDLE_TIME = 10;
const LOAD = { itemsMax: 256, runningMax: 4, waitingMax: 20_000 };

export interface MailboxesOptions {
  readonly timers: Timers;
  readonly loadedMax: number;
  readonly idleMsMax: number;
  readonly load: (actors: readonly Address[]) => Promise<readonly (string | null)[]>;
  readonly hasRoom: (cell: ActorInstance) => boolean;
  readonly full: () => boolean;
  readonly run: (cell: ActorInstance, envelope: CommandEnvelope) => boolean;
  readonly shed: (envelope: CommandEnvelope, why: string) => void;
  readonly written: () => number;
}

export class Mailboxes {
  readonly #options: MailboxesOptions;
  readonly #states: BatchLoader<Address, string | null>;
  readonly #tail: Tail;
  readonly #actors: Map<string, ActorInstance>;
  /** Loaded, with commands that wait for room in a batch: round robin. */
  readonly #ring = new Set<ActorInstance>();
  readonly #loading = new Set<ActorInstance>();
  #waiting = 0;
  #lookedAt = Number.NEGATIVE_INFINITY;
  #closed = false;

  constructor(tail: Tail, options: MailboxesOptions) {
    this.#options = options;
    this.#tail = tail;
    this.#actors = tail.actors;
    this.#states = new BatchLoader(options.load, options.timers, LOAD);
  }

  get waiting(): number {
    return this.#waiting;
  }

  actor(key: string): ActorInstance | undefined {
    return this.#actors.get(key);
  }

  actors(): Iterable<ActorInstance> {
    return this.#actors.values();
  }

  counts(): ReadonlyMap<string, ActorCount> {
    const counted = new Map<string, { waiting: number; loaded: number }>();
    for (const { address, mailbox } of this.#actors.values()) {
      const { name } = address.kind;
      const of = counted.get(name) ?? { waiting: 0, loaded: 0 };
      of.waiting += mailbox.length;
      of.loaded++;
      counted.set(name, of);
    }
    return counted;
  }

  enter(envelope: CommandEnvelope): void {
    const { timers, hasRoom, run, shed } = this.#options;
    const { address } = envelope;
    let cell = this.#actors.get(address.key);
    if (!cell) {
      if (this.#waiting >= WAITING_MAX) {
        shed(envelope, 'Too many commands wait for this partition.');
        return;
      }
      cell = new ActorInstance(address);
      this.#actors.set(address.key, cell);
      void this.#load(cell);
    }
    cell.usedAt = timers.now();
    if (cell.isLoaded && cell.mailbox.length === 0 && hasRoom(cell) && run(cell, envelope)) return;
    if (cell.mailbox.length >= MAILBOX_MAX || this.#waiting >= WAITING_MAX) {
      shed(envelope, 'Too many commands wait for this actor.');
      return;
    }
    cell.mailbox.push(envelope);
    this.#waiting++;
    (cell.isLoaded ? this.#ring : this.#loading).add(cell);
  }

  pump(): void {
    const { hasRoom, full, run } = this.#options;
    const crowded: ActorInstance[] = [];
    for (const cell of this.#ring) {
      if (this.#closed || full()) break;
      this.#ring.delete(cell);
      let done = 0;
      for (let envelope = cell.mailbox[0]; envelope && done < QUANTUM && hasRoom(cell); envelope = cell.mailbox[0]) {
        if (!run(cell, envelope)) break;
        cell.mailbox.shift();
        this.#waiting--;
        done++;
      }
      if (cell.mailbox.length === 0) continue;
      if (done === QUANTUM) this.#ring.add(cell);
      else crowded.push(cell);
    }
    for (const cell of crowded) this.#ring.add(cell);
  }

  expire(realMs: number): void {
    const late = (envelope: CommandEnvelope): boolean => {
      if (!envelope.settled && envelope.deadline <= realMs)
        this.#options.shed(envelope, 'No caller waits for this command any more.');
      return envelope.settled;
    };
    for (const cells of [this.#loading, this.#ring])
      for (const cell of cells) {
        const before = cell.mailbox.length;
        cell.mailbox = cell.mailbox.filter((envelope) => !late(envelope));
        this.#waiting -= before - cell.mailbox.length;
        if (cell.mailbox.length === 0) cells.delete(cell);
      }
  }

  passivate(): void {
    const { timers, loadedMax, idleMsMax, written } = this.#options;
    const now = timers.now();
    const everyMs = Math.min(LOOK_MS_MAX, idleMsMax / LOOKS_AN_IDLE_TIME);
    if (this.#actors.size <= loadedMax && now - this.#lookedAt < everyMs) return;
    this.#lookedAt = now;
    const batch = written();
    const quiet: ActorInstance[] = [];
    for (const cell of this.#actors.values()) {
      const { isLoaded, entry, mailbox, isAlarmRunning, changedIn } = cell;
      if (!isLoaded || entry || mailbox.length > 0 || isAlarmRunning || changedIn > batch) continue;
      const over = changedIn > 0 && cell.address.kind.isDisposable(cell.durable);
      if (over || now - cell.usedAt >= idleMsMax) this.#actors.delete(cell.address.key);
      else quiet.push(cell);
    }
    const tooMany = this.#actors.size - loadedMax;
    if (tooMany <= 0) return;
    quiet.sort((a, b) => a.usedAt - b.usedAt);
    for (const { address } of quiet.slice(0, tooMany)) this.#actors.delete(address.key);
  }

  close(): CommandEnvelope[] {
    this.#closed = true;
    const envelopes: CommandEnvelope[] = [];
    for (const cells of [this.#loading, this.#ring]) {
      for (const cell of cells) envelopes.push(...cell.mailbox.splice(0));
      cells.clear();
    }
    this.#waiting = 0;
    return envelopes;
  }

  async #load(cell: ActorInstance): Promise<void> {
    const { address } = cell;
    let trouble: unknown = null;
    try {
      if (this.#tail.has(address)) await this.#tail.activate(address);
      else cell.activate(readState(address.kind, await this.#states.ask(address)));
    } catch (problem) {
      trouble = problem;
    }
    if (this.#closed) return;
    this.#loading.delete(cell);
    // The tail may have loaded it in spite of a fault.
    if (cell.isLoaded) {
      measure.loaded(address.kind.name);
      if (cell.mailbox.length === 0) return;
      this.#ring.add(cell);
      this.pump();
      return;
    }
    this.#actors.delete(address.key);
    this.#waiting -= cell.mailbox.length;
    for (const envelope of cell.mailbox.splice(0)) envelope.fail(trouble);
  }
}

// Queues commands for a partition's actors in memory and runs them in fair turns.

import { batchLoader } from '#runtime/flow/batch_loader.ts';
import type { Timers } from '#runtime/process/clock.ts';
import { ActorInstance, type CommandEnvelope } from './actor_instance.ts';
import type { Address } from './address.ts';
import { readState } from './kind.ts';
import { type ActorCount, measure } from './measure.ts';
import type { Tail } from './tail.ts';

const MAILBOX_MAX = 1_024;
const WAITING_MAX = 8_192;
const COMMANDS_PER_TURN = 16;
const LOOK_MS_MAX = 10_000;
const LOOKS_AN_IDLE_TIME = 10;
const LOAD = { itemsMax: 256, runningMax: 4 };

export interface MailboxesOptions {
  readonly timers: Timers;
  readonly loadedMax: number;
  readonly idleMsMax: number;
  readonly load: (actors: readonly Address[]) => Promise<readonly (string | null)[]>;
  readonly hasRoom: (actor: ActorInstance) => boolean;
  readonly full: () => boolean;
  readonly run: (actor: ActorInstance, envelope: CommandEnvelope) => boolean;
  readonly shed: (envelope: CommandEnvelope, why: string) => void;
  readonly written: () => number;
}

export class Mailboxes {
  readonly #options: MailboxesOptions;
  readonly #stateOf: (address: Address) => Promise<string | null>;
  readonly #tail: Tail;
  readonly #actors: Map<string, ActorInstance>;
  /** Loaded actors with commands that wait for room in a batch; they take turns (round robin). */
  readonly #ring = new Set<ActorInstance>();
  readonly #loading = new Set<ActorInstance>();
  #waiting = 0;
  #lookedAt = Number.NEGATIVE_INFINITY;
  #closed = false;

  constructor(tail: Tail, options: MailboxesOptions) {
    this.#options = options;
    this.#tail = tail;
    this.#actors = tail.actors;
    this.#stateOf = batchLoader(options.load, { ...LOAD, timers: options.timers });
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
    let actor = this.#actors.get(address.key);
    if (!actor) {
      if (this.#waiting >= WAITING_MAX) {
        shed(envelope, 'Too many commands wait for this partition.');
        return;
      }
      actor = new ActorInstance(address);
      this.#actors.set(address.key, actor);
      void this.#load(actor);
    }
    actor.usedAt = timers.now();
    if (actor.isLoaded && actor.mailbox.length === 0 && hasRoom(actor) && run(actor, envelope)) return;
    if (actor.mailbox.length >= MAILBOX_MAX || this.#waiting >= WAITING_MAX) {
      shed(envelope, 'Too many commands wait for this actor.');
      return;
    }
    actor.mailbox.push(envelope);
    this.#waiting++;
    (actor.isLoaded ? this.#ring : this.#loading).add(actor);
  }

  pump(): void {
    const { hasRoom, full, run } = this.#options;
    const crowded: ActorInstance[] = [];
    for (const actor of this.#ring) {
      if (this.#closed || full()) break;
      this.#ring.delete(actor);
      let done = 0;
      for (
        let envelope = actor.mailbox[0];
        envelope && done < COMMANDS_PER_TURN && hasRoom(actor);
        envelope = actor.mailbox[0]
      ) {
        if (!run(actor, envelope)) break;
        actor.mailbox.shift();
        this.#waiting--;
        done++;
      }
      if (actor.mailbox.length === 0) continue;
      if (done === COMMANDS_PER_TURN) this.#ring.add(actor);
      else crowded.push(actor);
    }
    for (const actor of crowded) this.#ring.add(actor);
  }

  expire(realMs: number): void {
    const late = (envelope: CommandEnvelope): boolean => {
      if (!envelope.settled && envelope.deadline <= realMs)
        this.#options.shed(envelope, 'No caller waits for this command any more.');
      return envelope.settled;
    };
    for (const actors of [this.#loading, this.#ring])
      for (const actor of actors) {
        const before = actor.mailbox.length;
        actor.mailbox = actor.mailbox.filter((envelope) => !late(envelope));
        this.#waiting -= before - actor.mailbox.length;
        if (actor.mailbox.length === 0) actors.delete(actor);
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
    for (const actor of this.#actors.values()) {
      const { isLoaded, entry, mailbox, isAlarmRunning, changedIn } = actor;
      if (!isLoaded || entry || mailbox.length > 0 || isAlarmRunning || changedIn > batch) continue;
      const over = changedIn > 0 && actor.address.kind.isDisposable(actor.durable);
      if (over || now - actor.usedAt >= idleMsMax) this.#actors.delete(actor.address.key);
      else quiet.push(actor);
    }
    const tooMany = this.#actors.size - loadedMax;
    if (tooMany <= 0) return;
    quiet.sort((a, b) => a.usedAt - b.usedAt);
    for (const { address } of quiet.slice(0, tooMany)) this.#actors.delete(address.key);
  }

  close(): CommandEnvelope[] {
    this.#closed = true;
    const envelopes: CommandEnvelope[] = [];
    for (const actors of [this.#loading, this.#ring]) {
      for (const actor of actors) envelopes.push(...actor.mailbox.splice(0));
      actors.clear();
    }
    this.#waiting = 0;
    return envelopes;
  }

  async #load(actor: ActorInstance): Promise<void> {
    const { address } = actor;
    let trouble: unknown = null;
    try {
      if (this.#tail.has(address)) await this.#tail.activate(address);
      else actor.activate(readState(address.kind, await this.#stateOf(address)));
    } catch (problem) {
      trouble = problem;
    }
    if (this.#closed) return;
    this.#loading.delete(actor);
    // Another load of the tail may have loaded the actor although this load failed.
    if (actor.isLoaded) {
      measure.loaded(address.kind.name);
      if (actor.mailbox.length === 0) return;
      this.#ring.add(actor);
      this.pump();
      return;
    }
    this.#actors.delete(address.key);
    this.#waiting -= actor.mailbox.length;
    for (const envelope of actor.mailbox.splice(0)) envelope.fail(trouble);
  }
}

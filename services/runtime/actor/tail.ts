// Holds the log records that Postgres does not have when an owner starts. An actor's records are applied with its first
// command, or with the next projection.

import type { TenantAudit } from '#runtime/audit/command_audit.ts';
import { Unavailable } from '#runtime/call/fault.ts';
import type { Occurrence } from '#runtime/event/event.ts';
import { batchLoader } from '#runtime/flow/batch_loader.ts';
import { answerNameOf } from '#runtime/postgres/idempotency.ts';
import type { Timers } from '#runtime/process/clock.ts';
import { ActorInstance, type RememberedAnswer } from './actor_instance.ts';
import type { Address, Kinds } from './address.ts';
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

/** Number of actors loaded together, which bounds how long a command for one of them waits. */
const GROUP_MAX = 100;
const GROUPS_AT_ONCE = 4;
const FORGOTTEN_AT = Number.NEGATIVE_INFINITY;

export interface TailOptions {
  readonly partition: number;
  readonly after: number;
  readonly snapshots: Snapshots;
  readonly kinds: Kinds;
  readonly timers: Timers;
  readonly overtaken: () => void;
  readonly lost: ReportLoss;
}

interface ActorTail {
  readonly address: Address;
  readonly records: JournalRecord[];
  readonly places: number[];
  readonly answers: RememberedAnswer[];
  batch: number;
  problem: unknown;
}

export interface TailRead {
  readonly actors: readonly ActorInstance[];
  readonly events: readonly Occurrence[];
  readonly audits: readonly TenantAudit[];
}

interface EmittedEvents {
  readonly place: number;
  readonly events: readonly Occurrence[];
}

export class Tail {
  readonly actors = new Map<string, ActorInstance>();
  readonly answers: RememberedAnswer[] = [];
  readonly #options: TailOptions;
  readonly #parts = new Map<string, ActorTail>();
  readonly activate: (address: Address) => Promise<undefined>;
  #read: ActorInstance[] = [];
  #emitted: EmittedEvents[] = [];
  #audits: TenantAudit[] = [];
  #count = 0;

  constructor(options: TailOptions) {
    this.#options = options;
    this.activate = batchLoader((addresses) => this.#load(addresses), {
      itemsMax: GROUP_MAX,
      runningMax: GROUPS_AT_ONCE,
      waitingMax: Number.POSITIVE_INFINITY,
      timers: options.timers,
    });
  }

  /** Adds a batch or nothing; throws `UnreadableBatch` where a record's actor is unknown. */
  add({ number, actors, records }: OpenedBatch): void {
    const parts = actors.map((actor) => this.#parts.get(actor) ?? this.#partOf(actor));
    if (records.some(({ actorIndex }) => parts[actorIndex] === undefined))
      throw new UnreadableBatch('it has a record of an actor that it does not name.');
    actors.forEach((actor, at) => {
      this.#parts.set(actor, parts[at]!);
    });
    for (const record of records) {
      const part = parts[record.actorIndex]!;
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

  has(address: Address): boolean {
    return this.#parts.size > 0 && this.#parts.has(textOf(address));
  }

  async activateAll(): Promise<TailRead> {
    const parts = [...this.#parts.values()];
    const wake = async (): Promise<void> => {
      while (parts.length > 0) await this.#load(parts.splice(-GROUP_MAX).map(({ address }) => address));
    };
    await Promise.all(Array.from({ length: GROUPS_AT_ONCE }, wake));
    const events = this.#emitted.sort((a, b) => a.place - b.place).flatMap((result) => result.events);
    const actors = this.#read;
    const audits = this.#audits;
    this.#emitted = [];
    this.#audits = [];
    this.#read = [];
    return { actors, events, audits };
  }

  /** Throws for an unknown kind, which is no damage: another version or host can read it. */
  #partOf(actor: string): ActorTail {
    const { kinds } = this.#options;
    const { kind, store, environment, id } = readActor(actor);
    const address = kinds.address(kinds.named(kind), { store, environment }, id);
    return { address, records: [], places: [], answers: [], batch: 0, problem: null };
  }

  async #load(addresses: readonly Address[]): Promise<undefined[]> {
    const { partition, after, snapshots, overtaken } = this.#options;
    const states = await snapshots.load(addresses);
    // Reads the position after the states, so that no state is newer than the position.
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
    // A command may have created the instance meanwhile.
    const actor = this.actors.get(key) ?? new ActorInstance(address);
    try {
      if (part.problem !== null) throw part.problem;
      const before = readState(kind, snapshot);
      const result: EmittedEvents[] = [];
      actor.activate(
        kind.announce
          ? this.#announced(part, before, result)
          : evolveFacts(
              kind,
              before,
              part.records.flatMap(({ facts }) => facts),
            ),
      );
      actor.changedIn = part.batch;
      this.actors.set(key, actor);
      this.#read.push(actor);
      for (const each of result) this.#emitted.push(each);
      for (const { now, audit } of part.records) if (audit) this.#audits.push({ tenant: address.tenant, now, audit });
    } catch (problem) {
      this.#lose(part, problem);
      this.#restore(actor, snapshot);
    }
  }

  /**
   * Discards an actor's unreadable records and their answers: the actor keeps Postgres' state, and retries are decided
   * again.
   */
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

  #restore(actor: ActorInstance, snapshot: string | null): void {
    const { kind, key } = actor.address;
    try {
      actor.activate(readState(kind, snapshot));
      this.actors.set(key, actor);
    } catch {
      actor.isLoaded = false;
    }
  }

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

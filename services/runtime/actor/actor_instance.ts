// Represents an actor in memory, its commands, and the batch that their facts are written in.
import type { Idempotency, Refusal, Tenant, TenantKey } from '#runtime/call/call.ts';
import type { Occurrence } from '#runtime/event/event.ts';
import { answerKeyOf } from '#runtime/postgres/idempotency.ts';
import type { Address } from './address.ts';
import { type StoredAnswer, writeActor, writeBatch } from './journal_record.ts';

const NOTHING: readonly string[] = [];

export interface Key {
  readonly tenant: Tenant;
  readonly hash: string;
  /** Unique among all tenants. */
  readonly name: TenantKey;
  /** The sealing context of the answer. */
  readonly context: string;
  readonly fingerprint: string;
  readonly replayOnly: boolean;
}

export interface CommandResult {
  readonly answer: unknown | Refusal;
  readonly replayed: boolean;
  readonly response: Uint8Array | null;
}

export interface CommandOptions {
  readonly address: Address;
  readonly command: unknown;
  readonly commandId: string;
  /** In real ms. */
  readonly deadline: number;
  readonly key?: Key | null;
  /** An alarm, which does nothing unless the actor is due. */
  readonly alarm?: boolean;
  readonly forget?: boolean;
  /** Overrides the tenant's clock, in ms. */
  readonly now?: number | null;
}

export class CommandEnvelope {
  readonly address: Address;
  readonly command: unknown;
  readonly commandId: string;
  readonly deadline: number;
  readonly key: Key | null;
  readonly alarm: boolean;
  readonly forget: boolean;
  readonly now: number | null;
  /** How often the journal refused the command's facts because another owner had written. */
  lostCount = 0;
  /** Whether Postgres has no answer under the key, as the owner asked. */
  answerLookedUp = false;
  hasFactsInBatch = false;
  settled = false;
  /** Types of the events that an alarm caused; the kind's name if it wrote facts without events. */
  firedTypes: readonly string[] = NOTHING;
  readonly #done: (result: CommandResult) => void;
  readonly #fail: (problem: unknown) => void;

  constructor(options: CommandOptions, done: (result: CommandResult) => void, fail: (problem: unknown) => void) {
    this.address = options.address;
    this.command = options.command;
    this.commandId = options.commandId;
    this.deadline = options.deadline;
    this.key = options.key ?? null;
    this.alarm = options.alarm ?? false;
    this.forget = options.forget ?? false;
    this.now = options.now ?? null;
    this.#done = done;
    this.#fail = fail;
  }

  done(result: CommandResult): void {
    if (this.settled) return;
    this.settled = true;
    this.#done(result);
  }

  fail(problem: unknown): void {
    if (this.settled) return;
    this.settled = true;
    this.#fail(problem);
  }
}

export class ActorInstance {
  readonly address: Address;
  state: unknown;
  /** The state after the last acknowledged batch; the same object while nothing is in flight. */
  durable: unknown;
  isLoaded = false;
  entry: BatchEntry | null = null;
  mailbox: CommandEnvelope[] = [];
  /** The last acknowledged batch that changed it; 0: none since it was loaded. */
  changedIn = 0;
  /** Ms by the tenant's clock; Infinity: never. */
  dueAt = Number.POSITIVE_INFINITY;
  isAlarmRunning = false;
  /** Monotonic. */
  usedAt = 0;

  constructor(address: Address) {
    this.address = address;
  }

  activate(state: unknown): void {
    this.state = state;
    this.durable = state;
    this.isLoaded = true;
    this.noteDue();
  }

  noteDue(): void {
    this.dueAt = this.address.kind.dueAt(this.durable) ?? Number.POSITIVE_INFINITY;
  }
}

export interface BatchEntry {
  readonly batch: Batch;
  readonly actor: ActorInstance;
  readonly index: number;
  /** The actor's entry in the unacknowledged batch before. */
  readonly previous: BatchEntry | null;
  state: unknown;
  records: number;
}

export interface RememberedAnswer {
  readonly stored: StoredAnswer;
  readonly tenant: Tenant;
  readonly name: TenantKey;
  batch: Batch | null;
  response: Uint8Array | null;
  /** Monotonic; set once Postgres has it. */
  forgetAt: number;
}

export class Batch {
  readonly number: number;
  readonly nonce: string;
  readonly entries: BatchEntry[] = [];
  readonly envelopes: CommandEnvelope[] = [];
  readonly outcomes: CommandResult[] = [];
  readonly events: Occurrence[] = [];
  readonly answers: RememberedAnswer[] = [];
  bytes = 0;
  isProof = false;
  readonly #actors: string[] = [];
  readonly #records: string[] = [];

  constructor(number: number, nonce: string) {
    this.number = number;
    this.nonce = nonce;
  }

  get records(): number {
    return this.#records.length;
  }

  entryOf(actor: ActorInstance): BatchEntry {
    if (actor.entry?.batch === this) return actor.entry;
    const { kind, tenant, id } = actor.address;
    const entry: BatchEntry = {
      batch: this,
      actor,
      index: this.entries.length,
      previous: actor.entry,
      state: actor.state,
      records: 0,
    };
    this.entries.push(entry);
    const written = writeActor({ kind: kind.name, store: tenant.store, environment: tenant.environment, id });
    this.#actors.push(written);
    this.bytes += Buffer.byteLength(written);
    actor.entry = entry;
    return entry;
  }

  write(entry: BatchEntry, record: string, bytes: number): void {
    entry.records++;
    this.#records.push(record);
    this.bytes += bytes;
  }

  answerWhenStored(envelope: CommandEnvelope, result: CommandResult): void {
    this.envelopes.push(envelope);
    this.outcomes.push(result);
  }

  encode(): Uint8Array {
    return writeBatch(this.number, this.nonce, this.#actors, this.#records);
  }
}

export const keyOf = (tenant: Tenant, idempotency: Idempotency | null): Key | null => {
  if (!idempotency) return null;
  const { key, name, context } = answerKeyOf(tenant, idempotency.scope, idempotency.key);
  const { fingerprint, replayOnly } = idempotency;
  return { tenant, hash: key.toString('hex'), name, context, fingerprint, replayOnly };
};

// One actor in memory, the commands that it is given, and the batch that their facts travel in.
import type { Idempotency, Refusal, Tenant, TenantKey } from '#runtime/call/call.ts';
import type { Occurrence } from '#runtime/event/event.ts';
import { answerKeyOf } from '#runtime/postgres/idempotency.ts';
import type { Address } from './address.ts';
import { type StoredAnswer, writeActor, writeBatch } from './journal_record.ts';

const NOTHING: readonly string[] = [];

/** The idempotency key of a command. */
export interface Key {
  readonly tenant: Tenant;
  /** SHA-256 in hex; another tenant's key may have the same. */
  readonly hash: string;
  /** Tells the answer under it from those of all tenants. */
  readonly name: TenantKey;
  /** What its sealed answer is bound to. */
  readonly context: string;
  readonly fingerprint: string;
  readonly replayOnly: boolean;
}

/** What a command came to. */
export interface CommandResult {
  readonly answer: unknown | Refusal;
  /** The answer of an earlier command under the same key. */
  readonly replayed: boolean;
  /** That one's whole response, where it is known; `answer` is null then. */
  readonly response: Uint8Array | null;
}

export interface CommandOptions {
  readonly address: Address;
  readonly command: unknown;
  readonly commandId: string;
  /** Real time in ms after which no caller waits. */
  readonly deadline: number;
  readonly key?: Key | null;
  /** Told because time has come: for nothing where it has not. */
  readonly alarm?: boolean;
  /** Told to forget all that it is, whatever its kind. */
  readonly forget?: boolean;
  /** Decided as of this time instead of the tenant's present, in ms. */
  readonly now?: number | null;
}

/** A command on its way, until it is settled once. */
export class CommandEnvelope {
  readonly address: Address;
  readonly command: unknown;
  readonly commandId: string;
  readonly deadline: number;
  readonly key: Key | null;
  readonly alarm: boolean;
  readonly forget: boolean;
  readonly now: number | null;
  /** How often its facts were lost to another owner. */
  lostCount = 0;
  /** Whether Postgres was asked for the key's answer. */
  recalled = false;
  /** Whether it has a record in the batch that it waits for. */
  wrote = false;
  settled = false;
  /** What an alarm led to: the types of the events, or the kind's name where there were none. */
  fired: readonly string[] = NOTHING;
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
  /** As of the last command decided here. */
  state: unknown;
  /** As of the last batch acknowledged: what survives. The same object where nothing is under way. */
  durable: unknown;
  /** False until its snapshot is here. */
  isLoaded = false;
  /** The newest batch under way that has facts of it. */
  entry: BatchEntry | null = null;
  /** Commands that wait for the snapshot or for room in a batch. */
  mailbox: CommandEnvelope[] = [];
  /** The last acknowledged batch that changed it; 0: none since it woke. */
  changedIn = 0;
  /** When it wants to be told, by the tenant's clock; Infinity: never. */
  dueAt = Number.POSITIVE_INFINITY;
  /** Whether it is being told. */
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

/** What one batch does to one actor. */
export interface BatchEntry {
  readonly batch: Batch;
  readonly actor: ActorInstance;
  readonly index: number;
  /** The batch before, under way as well, that had facts of it. */
  readonly previous: BatchEntry | null;
  /** After the last of its facts in this batch. */
  state: unknown;
  records: number;
}

/** An answer that is remembered until Postgres has it, and a little longer. */
export interface RememberedAnswer {
  readonly stored: StoredAnswer;
  readonly tenant: Tenant;
  readonly name: TenantKey;
  /** Under way in it; null once acknowledged. */
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
  /** At the same places as `envelopes`. */
  readonly outcomes: CommandResult[] = [];
  readonly events: Occurrence[] = [];
  readonly answers: RememberedAnswer[] = [];
  bytes = 0;
  /** Sent even if it is empty. */
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

  /** The place of the actor in this batch. */
  entryOf(cell: ActorInstance): BatchEntry {
    if (cell.entry?.batch === this) return cell.entry;
    const { kind, tenant, id } = cell.address;
    const touch: BatchEntry = {
      batch: this,
      actor: cell,
      index: this.entries.length,
      previous: cell.entry,
      state: cell.state,
      records: 0,
    };
    this.entries.push(touch);
    const written = writeActor({ kind: kind.name, store: tenant.store, environment: tenant.environment, id });
    this.#actors.push(written);
    this.bytes += Buffer.byteLength(written);
    cell.entry = touch;
    return touch;
  }

  write(touch: BatchEntry, record: string, bytes: number): void {
    touch.records++;
    this.#records.push(record);
    this.bytes += bytes;
  }

  /** Answers once this batch is durable. */
  await(envelope: CommandEnvelope, result: CommandResult): void {
    this.envelopes.push(envelope);
    this.outcomes.push(result);
  }

  encode(): Uint8Array {
    return writeBatch(this.number, this.nonce, this.#actors, this.#records);
  }
}

/** Where the answer of a command under this idempotency key is kept. */
export const keyOf = (tenant: Tenant, idempotency: Idempotency | null): Key | null => {
  if (!idempotency) return null;
  const { key, name, context } = answerKeyOf(tenant, idempotency.scope, idempotency.key);
  const { fingerprint, replayOnly } = idempotency;
  return { tenant, hash: key.toString('hex'), name, context, fingerprint, replayOnly };
};

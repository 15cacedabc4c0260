// Represents an actor in memory, the commands that it receives, and the batch that collects the facts of commands.
import type { CommandAudit, TenantAudit } from '#runtime/audit/command_audit.ts';
import type { Idempotency, Refusal, Tenant, TenantKey } from '#runtime/call/call.ts';
import type { Occurrence } from '#runtime/event/event.ts';
import { answerKeyOf } from '#runtime/postgres/idempotency.ts';
import type { Address } from './address.ts';
import { type StoredAnswer, writeActor, writeBatch } from './journal_record.ts';

const NOTHING: readonly string[] = [];

export interface Key {
  readonly tenant: Tenant;
  readonly hash: string;
  readonly name: TenantKey;
  /** Authenticated context under which the answer is encrypted. */
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
  /** Real time in ms since the epoch after which no caller waits for the command. */
  readonly deadline: number;
  readonly key?: Key | null;
  readonly audit?: CommandAudit | null;
  /** Whether the command is an alarm, which does nothing unless the actor is due. */
  readonly alarm?: boolean;
  readonly forget?: boolean;
  /** Time in ms to use in place of the tenant's clock; null: the tenant's clock. */
  readonly now?: number | null;
}

export class CommandEnvelope {
  readonly address: Address;
  readonly command: unknown;
  readonly commandId: string;
  readonly deadline: number;
  readonly key: Key | null;
  readonly audit: CommandAudit | null;
  readonly alarm: boolean;
  readonly forget: boolean;
  readonly now: number | null;
  /** How often the journal refused the command's facts because another owner had written. */
  lostCount = 0;
  answerLookedUp = false;
  hasFactsInBatch = false;
  settled = false;
  /** Event types that an alarm emitted; the kind's name if it wrote facts without events; empty if it did nothing. */
  firedTypes: readonly string[] = NOTHING;
  readonly #done: (result: CommandResult) => void;
  readonly #fail: (problem: unknown) => void;

  constructor(options: CommandOptions, done: (result: CommandResult) => void, fail: (problem: unknown) => void) {
    this.address = options.address;
    this.command = options.command;
    this.commandId = options.commandId;
    this.deadline = options.deadline;
    this.key = options.key ?? null;
    this.audit = options.audit ?? null;
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
  /** State as of the last acknowledged batch; the same object as `state` while no facts are in flight. */
  durable: unknown;
  isLoaded = false;
  entry: BatchEntry | null = null;
  mailbox: CommandEnvelope[] = [];
  /** Number of the last acknowledged batch that changed the actor; 0: unchanged since it was loaded. */
  changedIn = 0;
  /** Time of the actor's next alarm in ms of the tenant's clock; Infinity: none. */
  dueAt = Number.POSITIVE_INFINITY;
  isAlarmRunning = false;
  /** Time of the last command, in ms of the monotonic clock. */
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
  /**
   * When the answer may be forgotten, in ms of the monotonic clock. Infinity until Postgres has the answer; -Infinity:
   * the answer's batch was lost.
   */
  forgetAt: number;
}

export class Batch {
  readonly number: number;
  readonly nonce: string;
  readonly entries: BatchEntry[] = [];
  readonly envelopes: CommandEnvelope[] = [];
  readonly outcomes: CommandResult[] = [];
  readonly events: Occurrence[] = [];
  readonly audits: TenantAudit[] = [];
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

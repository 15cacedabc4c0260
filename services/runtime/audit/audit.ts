// Decides which calls the audit log records, and writes a call's record in the transaction that has its effect.
import { randomUUIDv7 } from 'bun';
import type { AuditedRpc } from '#proto/audited.ts';
import type { AuditActor } from '#proto/gen/audit_log.ts';
import { AUDITED } from '#proto/gen/auditing.ts';
import { type Call, Refusal } from '#runtime/call/call.ts';
import type { Domain, Handler } from '#runtime/domain/rpc.ts';
import type { AnyOccurrence } from '#runtime/event/event.ts';
import type { Ask } from '#runtime/link/frame.ts';
import type { AuditRow } from '#runtime/postgres/audit_row.ts';
import type { AuditNote, AuditTrail, Transaction } from '#runtime/postgres/database.ts';
import type { Sql } from '#runtime/postgres/sql.ts';
import { lockTenant } from '#runtime/postgres/tenant_lock.ts';
import type { Clock } from '#runtime/process/clock.ts';
import { actorOf } from './actor.ts';
import { auditChange } from './change.ts';
import type { CommandAudit } from './command_audit.ts';
import {
  fieldsOf,
  type ReadRecord,
  type RecordFields,
  type RecordKind,
  recordKinds,
  replyFields,
} from './record_reader.ts';

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const ID_NAMES = ['id', 'product_id', 'variant_id', 'customer_id', 'group_id', 'event_id', 'reference'];

const normalId = (id: string): string => (UUID.test(id) ? id.toLowerCase() : id);

const idIn = (fields: RecordFields): string | null => {
  for (const name of ID_NAMES) {
    const value = fields[name];
    if (typeof value === 'string') return value;
  }
  return null;
};

/** Returns the record in a response, which stands under its kind (`payment_provider`, `provider`) or the envelope. */
const documentIn = (
  response: RecordFields,
  { record, envelope }: Pick<AuditedRpc, 'record' | 'envelope'>,
): RecordFields => {
  for (const name of [record, record.split('_').at(-1)!, envelope]) {
    const document = fieldsOf(response[name]);
    if (document) return document;
  }
  return response;
};

const picked = (fields: RecordFields, names: readonly string[]): RecordFields =>
  Object.fromEntries(names.map((name) => [name, fields[name]]));

const parsed = (value: object | string | null): RecordFields | null =>
  fieldsOf(typeof value === 'string' ? JSON.parse(value) : value);

interface Sides {
  readonly before: RecordFields | null;
  readonly after: RecordFields | null;
}

const NOTHING: Sides = { before: null, after: null };

const noted = ({ before = null, after = null }: AuditNote): Sides | null =>
  before === null && after === null ? null : { before: parsed(before), after: parsed(after) };

const changeInEvents = (events: readonly AnyOccurrence[], id: string | null): Sides | null => {
  for (const { event } of events) {
    const { previousAttributes: before, object } = event;
    const resource = before ? parsed(object) : null;
    if (before && resource && idIn(resource) === id) return { before, after: picked(resource, Object.keys(before)) };
  }
  return null;
};

interface Recorded {
  readonly call: Call;
  readonly input: RecordFields;
  readonly response: RecordFields;
  readonly read: Sides;
}

export class AuditedCall {
  readonly #rpc: AuditedRpc;
  readonly #actor: AuditActor;
  readonly #ask: Ask;
  readonly #read: ReadRecord | null;
  readonly #hasPersons: boolean;
  #first: RecordFields | null = null;
  #isRecorded = false;

  constructor(rpc: AuditedRpc, actor: AuditActor, ask: Ask, { read, hasPersons }: RecordKind) {
    this.#hasPersons = hasPersons;
    this.#rpc = rpc;
    this.#actor = actor;
    this.#ask = ask;
    this.#read = read;
  }

  /** Reads the record before the preparation of a staged call, which may change it through another domain. */
  async prepare(sql: Sql, call: Call, input: unknown): Promise<void> {
    this.#first = this.#read && (await this.#read(sql, call, this.#named(fieldsOf(input) ?? {}) ?? ''));
  }

  async around(tx: Transaction, call: Call, input: unknown, run: () => unknown): Promise<unknown> {
    const before = await this.#readLocked(tx, call, fieldsOf(input) ?? {});
    const reply = await run();
    if (reply instanceof Refusal || this.#isRecorded) return reply;
    const after = before && (await this.#read!(tx.sql, call, this.#named(fieldsOf(input) ?? {}) ?? ''));
    const unchanged = this.#first && JSON.stringify(before) === JSON.stringify(after);
    this.add(tx, call, input, reply, { before: unchanged ? this.#first : before, after });
    return reply;
  }

  /** Whether the handler's own transaction has committed the record, or an actor's journal stores it. */
  get isRecorded(): boolean {
    return this.#isRecorded;
  }

  /** Adds the record to the handler's own transaction, which has the call's effect. */
  addInOwn(tx: Transaction, call: Call, input: unknown, reply: unknown): void {
    this.add(tx, call, input, reply);
    tx.afterCommit(() => {
      this.#isRecorded = true;
    });
  }

  /** Leaves the record to the journal of the actor whose command is the call's effect. */
  leaveToJournal({ requestId }: Call): CommandAudit {
    this.#isRecorded = true;
    const { endpoint, operation, record: resource } = this.#rpc;
    const address = this.#ask.clientAddress || null;
    return { actor: this.#actor, endpoint, operation, resource, address, requestId: requestId || null };
  }

  add(tx: Transaction, call: Call, input: unknown, reply: unknown, read: Sides = NOTHING): void {
    const recorded = { call, input: fieldsOf(input) ?? {}, response: replyFields(reply) ?? {}, read };
    tx.audit((trail) => this.#row(tx.clock, recorded, trail));
  }

  /**
   * Reads the record under a lock. Recorded writes of one record run one after the other, so that none is taken for the
   * author of another one's change.
   */
  async #readLocked(tx: Transaction, call: Call, input: RecordFields): Promise<RecordFields | null> {
    if (this.#read === null) return null;
    const id = this.#named(input) ?? '';
    const locked = lockTenant(tx.sql, call.tenant, `audit ${this.#rpc.record} ${id}`);
    const [, before] = await Promise.all([locked, this.#read(tx.sql, call, id)]);
    return before;
  }

  #named(input: RecordFields): string | null {
    const { param } = this.#rpc;
    const named = param === null ? null : input[param];
    return typeof named === 'string' ? normalId(named) : null;
  }

  #row(clock: Clock, recorded: Recorded, { events, notes }: AuditTrail): AuditRow | null {
    const { call, input, response } = recorded;
    const { record, endpoint, operation } = this.#rpc;
    const note: AuditNote = Object.assign({}, ...notes);
    const tenant = note.tenant ?? call.tenant;
    // A command names its store in its request; a handler that notes no tenant concerns no store.
    if (tenant.store === '') return null;
    const now = clock.now(tenant);
    const document = documentIn(response, this.#rpc);
    const resource = note.resource ?? record;
    const id =
      note.id ??
      this.#named(input) ??
      (record === 'store' ? tenant.store : (idIn(document) ?? idIn(input) ?? this.#own));
    const { before, after } = noted(note) ?? changeInEvents(events, id) ?? this.#sides(recorded, document, id);
    const change = auditChange(this.#hasPersons, before, after);
    return {
      id: randomUUIDv7(undefined, now),
      tenant,
      createdAt: now,
      recordedAt: new Date(clock.real()),
      actor: this.#actor,
      endpoint,
      operation,
      resource,
      resourceId: id,
      change,
      address: this.#ask.clientAddress || null,
      requestId: call.requestId || null,
    };
  }

  /** Returns the caller's id if the caller changed the own record, such as a password. */
  get #own(): string | null {
    return this.#actor.kind === this.#rpc.record ? this.#actor.id : null;
  }

  #sides({ response, read }: Recorded, document: RecordFields, id: string | null): Sides {
    if (response.deleted === true && response.id === id) return { before: read.before, after: null };
    if (read.before && read.after) return read;
    if (this.#rpc.endpoint === null) return NOTHING;
    return { before: null, after: document };
  }
}

export class Audit {
  readonly #handlers: ReadonlyMap<string, Handler>;
  readonly #kinds: ReadonlyMap<string, RecordKind>;

  constructor(handlers: ReadonlyMap<string, Handler>, domains: readonly Domain[]) {
    this.#handlers = handlers;
    this.#kinds = recordKinds(handlers, domains);
  }

  open(ask: Ask): AuditedCall | null {
    const rpc = AUDITED.get(ask.rpc);
    const actor = rpc && actorOf(ask.caller);
    const kind = this.#kinds.get(ask.rpc);
    if (!rpc || !actor || !kind) return null;
    // A query of the command line is no write.
    if (rpc.endpoint === null && this.#handlers.get(ask.rpc)?.kind === 'query') return null;
    return new AuditedCall(rpc, actor, ask, kind);
  }
}

// Implements a transaction: its SQL, its events, and work after the commit.

import { type Tenant, tenantKey } from '#runtime/call/call.ts';
import { concurrentKeyError } from '#runtime/call/fault.ts';
import type { AnyOccurrence, Event, SerializedEvent } from '#runtime/event/event.ts';
import type { Clock } from '#runtime/process/clock.ts';
import type { Log } from '#runtime/process/log.ts';
import type { Seal } from '#runtime/process/seal.ts';
import { type AnswerRows, insertAnswers } from './answer_row.ts';
import { type AuditRow, insertAudit } from './audit_row.ts';
import type { AuditNote, AuditTrail, EmitOptions, Transaction } from './database.ts';
import { insertOutbox, logEvents, numberedEvents, writeEvents, writeMarker } from './outbox_row.ts';
import { enterSandboxes, SandboxShut } from './sandbox_lock.ts';
import type { Sql, SqlFragment } from './sql.ts';

const withAll = (sql: Sql, parts: readonly SqlFragment[]): SqlFragment =>
  parts.reduce((before, part, at) => (at === 0 ? sql`with ${part}` : sql`${before}, ${part}`), sql``);

export class OpenTransaction implements Transaction {
  readonly sql: Sql;
  readonly clock: Clock;
  readonly seal: Seal;
  readonly #afterCommit: (() => Promise<void> | void)[] = [];
  readonly #events: AnyOccurrence[] = [];
  readonly #notes: AuditNote[] = [];
  readonly #audits: ((trail: AuditTrail) => AuditRow | null)[] = [];
  #answers: AnswerRows | null = null;
  #inside = '';
  #emitted = false;
  #marked = false;

  constructor(sql: Sql, clock: Clock, seal: Seal) {
    this.sql = sql;
    this.clock = clock;
    this.seal = seal;
  }

  get emitted(): boolean {
    return this.#emitted;
  }

  get hasMarker(): boolean {
    return this.#marked;
  }

  /** Shares the tenant's sandbox row; must be the transaction's first statement. */
  async enter(tenant: Tenant): Promise<void> {
    const stateOf = await enterSandboxes(this.sql, [tenant]);
    if (stateOf(tenant).shut) throw new SandboxShut([tenant.store]);
    this.#inside = tenantKey(tenant);
  }

  async emit(tenant: Tenant, events: readonly (Event | SerializedEvent)[]): Promise<void> {
    if (events.length === 0) return;
    const createdAt = this.clock.now(tenant);
    await this.emitAll(events.map((event) => ({ tenant, event, createdAt })));
  }

  async emitAll(all: readonly AnyOccurrence[], emission?: EmitOptions): Promise<void> {
    if (emission) await this.#write(all, emission);
    else this.#events.push(...all);
  }

  note(note: AuditNote): void {
    this.#notes.push(note);
  }

  audit(make: (trail: AuditTrail) => AuditRow | null): void {
    this.#audits.push(make);
  }

  storeAnswers(answers: AnswerRows): void {
    this.#answers = answers;
  }

  async conclude(): Promise<void> {
    const events = this.#events.splice(0);
    const trail = { events, notes: this.#notes };
    const audits = this.#audits.splice(0).flatMap((make) => make(trail) ?? []);
    const answers = this.#answers;
    if (answers === null && audits.length === 0) return this.#write(events);
    const occurrences = await this.#withoutShut(events);
    const { sql } = this;
    if (occurrences.length > 0) this.#emitted = true;
    const parts = [
      ...(occurrences.length > 0 ? [numberedEvents(sql, occurrences), sql`outbox as (${insertOutbox(sql)})`] : []),
      ...(audits.length > 0 ? [sql`audit as (${insertAudit(sql, audits)})`] : []),
    ];
    const { count } = await sql`${withAll(sql, parts)} ${answers === null ? sql`select` : insertAnswers(sql, answers)}`;
    // A request with this key committed between the look-up and the lock; the repeated transaction finds its answer.
    if (answers !== null && count !== answers.keys.length) throw concurrentKeyError();
  }

  async #write(all: readonly AnyOccurrence[], { isOutboxLogged, skipsShutSandboxes }: EmitOptions = {}): Promise<void> {
    const occurrences = await this.#withoutShut(all, skipsShutSandboxes);
    if (occurrences.length === 0) return;
    this.#emitted = true;
    if (isOutboxLogged) await logEvents(this.sql, occurrences, new Date(this.clock.real()));
    else await writeEvents(this.sql, occurrences);
  }

  async #withoutShut(all: readonly AnyOccurrence[], skipsShut = false): Promise<readonly AnyOccurrence[]> {
    const outside = this.#inside ? all.filter(({ tenant }) => tenantKey(tenant) !== this.#inside) : all;
    if (outside.length === 0) return all;
    const stateOf = await enterSandboxes(
      this.sql,
      outside.map(({ tenant }) => tenant),
    );
    const shut = outside.filter(({ tenant }) => stateOf(tenant).shut);
    if (shut.length > 0 && !skipsShut) throw new SandboxShut(shut.map(({ tenant }) => tenant.store));
    return shut.length === 0 ? all : all.filter((each) => !shut.includes(each));
  }

  async emitMarker(tenant: Tenant, type: string): Promise<string> {
    await this.#write(this.#events.splice(0));
    this.#emitted = true;
    this.#marked = true;
    return writeMarker(this.sql, tenant, type);
  }

  afterCommit(run: () => Promise<void> | void): void {
    this.#afterCommit.push(run);
  }

  async committed(log: Log): Promise<void> {
    for (const run of this.#afterCommit) {
      try {
        await run();
      } catch (problem) {
        log.error({ err: problem }, 'failed to run work after a commit');
      }
    }
  }
}

// Projects a partition's log to Postgres. The owner does this, because it has the states in memory.

import type { TenantAudit } from '#runtime/audit/command_audit.ts';
import type { TenantKey } from '#runtime/call/call.ts';
import { UnknownOutcome } from '#runtime/call/fault.ts';
import type { Occurrence } from '#runtime/event/event.ts';
import { answerNameOf } from '#runtime/postgres/idempotency.ts';
import type { Timers } from '#runtime/process/clock.ts';
import type { Log } from '#runtime/process/log.ts';
import type { ActorInstance, Batch, RememberedAnswer } from './actor_instance.ts';
import type { ReportLoss } from './data_loss.ts';
import { writeState } from './kind.ts';
import type { LogPosition, Projected, SavedActor, SavedAnswer, Snapshots } from './snapshot.ts';
import type { Tail } from './tail.ts';

const INTERVAL_MS = 300;
/**
 * Pause after a write, as a multiple of the write's duration. Without it, a state of megabytes that keeps changing
 * would be written all the time while commands wait. Bounded, so that stock holds are visible in Postgres within a
 * second.
 */
const REST_FACTOR = 9;
const REST_MS_MAX = 600;
/** Limits of records and bytes that Postgres does not have; beyond either, commands are refused. */
const UNWRITTEN_RECORDS_MAX = 400_000;
const UNWRITTEN_BYTES_MAX = 64 * 1024 * 1024;
/**
 * Time for which an answer stays in memory after Postgres has stored it. A caller that asked Postgres before that
 * moment never waits longer.
 */
const REMEMBER_MS = 20_000;
const LOG_AGAIN_MS = 30_000;

export interface ProjectorOptions {
  readonly partition: number;
  readonly snapshots: Snapshots;
  readonly timers: Timers;
  readonly log: Log;
  readonly overtaken: () => void;
  readonly lost: ReportLoss;
}

export class Projector {
  readonly #options: ProjectorOptions;
  #position: LogPosition;
  #reached: LogPosition;
  #tail: Tail | null = null;
  #dirty = new Set<ActorInstance>();
  #events: Occurrence[] = [];
  #audits: TenantAudit[] = [];
  #answers: RememberedAnswer[] = [];
  #responses = new Map<TenantKey, SavedAnswer>();
  #records = 0;
  #bytes = 0;
  #unwritten = { records: 0, bytes: 0 };
  #taken: {
    readonly projected: Projected;
    readonly answers: readonly RememberedAnswer[];
    records: number;
    bytes: number;
    readonly since: number;
  } | null = null;
  /** When the first batch arrived that no write has taken up, in ms of the monotonic clock; null: none. */
  #since: number | null = null;
  #running: Promise<void> | null = null;
  #cancel: (() => void) | null = null;
  #isFailing = false;
  #loggedAt = Number.NEGATIVE_INFINITY;
  #stopped = false;

  constructor(options: ProjectorOptions, position: LogPosition) {
    this.#options = options;
    this.#position = position;
    this.#reached = position;
  }

  get batch(): number {
    return this.#position.batch;
  }

  get full(): boolean {
    return this.#unwritten.records >= UNWRITTEN_RECORDS_MAX || this.#unwritten.bytes >= UNWRITTEN_BYTES_MAX;
  }

  get unwritten(): number {
    return this.#unwritten.records;
  }

  get stopped(): boolean {
    return this.#stopped;
  }

  get ageMs(): number {
    const since = this.#taken?.since ?? this.#since;
    return since === null ? 0 : this.#options.timers.now() - since;
  }

  get #pending(): boolean {
    return this.#taken !== null || this.#reached.batch > this.#position.batch;
  }

  stored(batch: Batch, sequence: number): void {
    for (const { actor } of batch.entries) this.#dirty.add(actor);
    for (const event of batch.events) this.#events.push(event);
    for (const audit of batch.audits) this.#audits.push(audit);
    for (const answer of batch.answers) this.#answers.push(answer);
    this.#reach({ batch: batch.number, sequence, nonce: batch.nonce }, batch.records, batch.bytes);
    this.#schedule(INTERVAL_MS);
  }

  replayed(at: LogPosition, tail: Tail, records: number, bytes: number): void {
    this.#tail = tail;
    this.#reach(at, records, bytes);
  }

  opened(at: LogPosition, bytes: number): void {
    this.#reach(at, 0, bytes);
  }

  /** Stops, because another host has projected this partition and the states in memory are outdated. */
  overtaken(): void {
    if (this.#stopped) return;
    this.#stopped = true;
    this.#cancel?.();
    this.#options.overtaken();
  }

  begin(): void {
    if (this.#pending) this.#schedule(0);
  }

  keep(response: SavedAnswer): void {
    this.#responses.set(answerNameOf(response, response.hash), response);
    this.#schedule(INTERVAL_MS);
  }

  /** Projects everything; throws where that is impossible now. */
  async drain(): Promise<void> {
    while (!this.#stopped && (this.#pending || this.#running)) {
      if (this.#running) await this.#running.catch(() => {});
      else await this.#project();
    }
  }

  async flush(): Promise<void> {
    await this.#running?.catch(() => {});
    if (!this.#stopped && this.#pending) await (this.#running ?? this.#project()).catch(() => {});
  }

  async settle(): Promise<void> {
    await this.#running?.catch(() => {});
    while (!this.#stopped && (this.#pending || this.#responses.size > 0)) await (this.#running ?? this.#project());
  }

  /** Stops and waits for the write in flight, which may still succeed, before the partition is read again. */
  async stop(): Promise<void> {
    this.#stopped = true;
    this.#cancel?.();
    await this.#running?.catch(() => {});
  }

  #reach(at: LogPosition, records: number, bytes: number): void {
    this.#reached = at;
    this.#records += records;
    this.#bytes += bytes;
    this.#unwritten.records += records;
    this.#unwritten.bytes += bytes;
    this.#since ??= this.#options.timers.now();
  }

  #schedule(ms: number): void {
    if (this.#cancel || this.#running || this.#stopped) return;
    this.#cancel = this.#options.timers.after(ms, () => {
      this.#cancel = null;
      this.#start();
    });
  }

  #start(): void {
    if (this.#running || this.#stopped) return;
    this.#project().catch((problem) => this.#trouble(problem));
  }

  #trouble(problem: unknown): void {
    const { log, partition, timers } = this.#options;
    const fields = { err: problem, partition, age_ms: Math.round(this.ageMs), records: this.#unwritten.records };
    const now = timers.now();
    if (!this.#isFailing) log.warn(fields, 'failed to write the projection; will retry');
    else if (now - this.#loggedAt >= LOG_AGAIN_MS) log.error(fields, 'failed to write the projection for long');
    else return;
    this.#isFailing = true;
    this.#loggedAt = now;
  }

  #project(): Promise<void> {
    const { timers } = this.#options;
    const startedAt = timers.now();
    const running = this.#write().finally(() => {
      this.#running = null;
      if (!this.#pending && this.#responses.size === 0) return;
      const restMs = REST_FACTOR * (timers.now() - startedAt);
      this.#schedule(Math.min(REST_MS_MAX, Math.max(INTERVAL_MS, restMs)));
    });
    this.#running = running;
    return running;
  }

  #take(): void {
    if (this.#taken || this.#reached.batch === this.#position.batch) return;
    const actors = [...this.#dirty].flatMap((actor) => this.#saved(actor) ?? []);
    // A map, since a key may occur twice: it can be used again after its answer expired.
    const answers = new Map<TenantKey, SavedAnswer>();
    for (const { stored, tenant, name } of this.#answers)
      answers.set(name, {
        store: tenant.store,
        environment: tenant.environment,
        hash: stored.hash,
        fingerprint: stored.fingerprint,
        answer: Buffer.from(stored.sealed, 'base64'),
        expiresAt: stored.expiresAt,
        rendered: false,
      });
    for (const [name, response] of this.#responses) {
      if (!answers.has(name)) continue;
      answers.set(name, response);
      this.#responses.delete(name);
    }
    this.#taken = {
      projected: {
        from: this.#position,
        to: this.#reached,
        actors,
        events: this.#events,
        audits: this.#audits,
        answers: [...answers.values()],
      },
      answers: this.#answers,
      records: this.#records,
      bytes: this.#bytes,
      since: this.#since ?? this.#options.timers.now(),
    };
    this.#since = null;
    this.#dirty = new Set();
    this.#events = [];
    this.#audits = [];
    this.#answers = [];
    this.#records = 0;
    this.#bytes = 0;
  }

  /** Returns the actor's row; null where its kind cannot write the state, so that other actors are still projected. */
  #saved({ address, durable, dueAt }: ActorInstance): SavedActor | null {
    const { kind, tenant, id } = address;
    try {
      const over = durable === kind.initial || kind.isDisposable(durable);
      const state = over ? null : writeState(kind, durable);
      const expiresAt = kind.expiresAt?.(durable) ?? null;
      return { address, durable, state, dueAt: Number.isFinite(dueAt) ? Math.ceil(dueAt) : null, expiresAt };
    } catch (problem) {
      this.#options.lost({
        text: 'the state of an actor cannot be written: the database keeps the one that it has',
        fields: { kind: kind.name, ...tenant, id, err: problem },
      });
      return null;
    }
  }

  /** Loads all actors of the tail, and puts the tail's events and answers before those recorded since. */
  async #takeIn(tail: Tail): Promise<void> {
    const { actors, events, audits } = await tail.activateAll();
    for (const actor of actors) this.#dirty.add(actor);
    this.#events = [...events, ...this.#events];
    this.#audits = [...audits, ...this.#audits];
    this.#answers = [...tail.answers.splice(0), ...this.#answers];
    this.#tail = null;
  }

  async #write(): Promise<void> {
    const { snapshots, partition, log } = this.#options;
    if (this.#tail) await this.#takeIn(this.#tail);
    if (this.#stopped) return;
    this.#take();
    const taken = this.#taken;
    if (taken) {
      const stands = await this.#projected(taken.projected);
      if (this.#stopped) return;
      if (!stands) return this.overtaken();
      if (this.#isFailing) log.info({ partition }, 'resumed the projection');
      this.#isFailing = false;
      this.#taken = null;
      this.#position = taken.projected.to;
      this.#unwritten.records -= taken.records;
      this.#unwritten.bytes -= taken.bytes;
      const forgetAt = this.#options.timers.now() + REMEMBER_MS;
      for (const answer of taken.answers) answer.forgetAt = forgetAt;
    }
    if (this.#responses.size > 0) {
      const responses = [...this.#responses.values()];
      this.#responses.clear();
      // A lost response is harmless, since a retry renders it again from the answer.
      await snapshots.keep(responses).catch((problem) => log.debug({ err: problem }, 'failed to store responses'));
    }
  }

  async #projected(projected: Projected): Promise<boolean> {
    const { snapshots, partition } = this.#options;
    try {
      return await snapshots.project(partition, projected);
    } catch (problem) {
      if (!(problem instanceof UnknownOutcome)) throw problem;
      const { batch } = await snapshots.position(partition);
      // If another owner has written up to this batch, it wrote the same data, since both read one log.
      if (batch === projected.to.batch) return true;
      if (batch === projected.from.batch) throw problem;
      return false;
    }
  }
}

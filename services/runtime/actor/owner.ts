// Runs a partition on its owner, from recovery until another owner writes or the partition is released.
//
// A command passes from mailbox.ts to its kind's `decide`. The decided facts join the open batch of batch_writer.ts, and
// the caller is answered once the journal has stored that batch. Later commands meanwhile run on the new state.
// projection.ts then writes the actors' states and events to Postgres.

import { journalAudit } from '#runtime/audit/command_audit.ts';
import { Refusal, refuse, type Tenant } from '#runtime/call/call.ts';
import { Unavailable, UnknownOutcome } from '#runtime/call/fault.ts';
import type { Occurrence } from '#runtime/event/event.ts';
import { batchLoader } from '#runtime/flow/batch_loader.ts';
import type { Clock, Timers } from '#runtime/process/clock.ts';
import { failpoint } from '#runtime/process/failpoint.ts';
import type { Log } from '#runtime/process/log.ts';
import type { Seal } from '#runtime/process/seal.ts';
import type { ActorInstance, Batch, CommandEnvelope, CommandResult, Key } from './actor_instance.ts';
import type { Kinds } from './address.ts';
import { AnswerLog } from './answer.ts';
import { BatchWriter } from './batch_writer.ts';
import { type AppendOutcome, type Journal, LogWriter } from './journal.ts';
import { type StoredAnswer, writeRecord } from './journal_record.ts';
import { type AnyKind, type Context, type Decision, evolveFact, FORGOTTEN } from './kind.ts';
import type { LayoutStore } from './layout_table.ts';
import type { LayoutView } from './layout_view.ts';
import { Mailboxes } from './mailbox.ts';
import { measure } from './measure.ts';
import type { Projector } from './projection.ts';
import type { Recovered } from './recovery.ts';
import type { AnswerQuestion, SavedAnswer, Snapshots } from './snapshot.ts';

export interface PartitionPorts {
  readonly journal: Journal;
  readonly snapshots: Snapshots;
  readonly timers: Timers;
  readonly clock: Clock;
  readonly seal: Seal;
  readonly kinds: Kinds;
  readonly log: Log;
  readonly nonce: () => string;
  readonly layouts: LayoutStore;
  readonly layout: LayoutView;
  /** Number of actors that all partitions together keep in memory; the least recently used are evicted. */
  readonly loadedMax: number;
  readonly idleMsMax: number;
}

export interface PartitionOwnerOptions {
  readonly partition: number;
  readonly ports: PartitionPorts;
  readonly recovered: Recovered;
  readonly lost: (outcome: AppendOutcome) => void;
  readonly retry: (envelope: CommandEnvelope) => void;
}

export type InFlightOutcome = AppendOutcome['kind'] | 'unknown';

const ANSWER_LOOKUP = { itemsMax: 256, runningMax: 4 };
const NOTHING: CommandResult = { answer: null, replayed: false, response: null };

export const shed = (envelope: CommandEnvelope, why: string): void => {
  measure.shed(envelope.address.kind.name);
  envelope.fail(new Unavailable(why));
};

/**
 * Returns the state after each fact; only the last state if the kind announces no events and `decide` has computed it.
 */
const statesAfter = (
  kind: AnyKind,
  before: unknown,
  { facts, state: last }: Decision<unknown, unknown, unknown>,
): readonly unknown[] => {
  if (last !== undefined && !kind.announce) return [last];
  let state = before;
  return facts.map((fact, at) => {
    state = last !== undefined && at === facts.length - 1 ? last : evolveFact(kind, state, fact);
    return state;
  });
};

const eventsOf = (
  kind: AnyKind,
  facts: readonly unknown[],
  states: readonly unknown[],
  context: Context,
): readonly Occurrence[] => {
  const { tenant, now } = context;
  return facts.flatMap((fact, at) => {
    const announced = fact === FORGOTTEN ? [] : (kind.announce?.(states[at], fact, context) ?? []);
    return announced.map((event) => ({ tenant, event, createdAt: new Date(now) }));
  });
};

export class PartitionOwner {
  readonly mailboxes: Mailboxes;
  readonly projector: Projector;
  readonly #options: PartitionOwnerOptions;
  readonly #writer: BatchWriter;
  readonly #answers: AnswerLog;
  readonly #savedAnswerOf: (question: AnswerQuestion) => Promise<SavedAnswer | null>;
  /**
   * The pending batch that, once stored, proves that no other host has written before it. Reads wait for it. Null: no
   * proof is pending.
   */
  #proof: Batch | null = null;
  #closed = false;

  constructor(options: PartitionOwnerOptions) {
    this.#options = options;
    const { partition, ports, recovered } = options;
    const { journal, snapshots, timers, seal, nonce, layout, idleMsMax } = ports;
    const loadedMax = Math.ceil(ports.loadedMax / layout.current.partitions);
    this.projector = recovered.projector;
    this.#answers = new AnswerLog(seal, recovered.tail.answers);
    this.#savedAnswerOf = batchLoader((questions) => snapshots.findAnswers(questions), { ...ANSWER_LOOKUP, timers });
    this.#writer = new BatchWriter({
      writer: new LogWriter(journal, partition, timers),
      timers,
      nonce,
      number: recovered.number,
      sequence: recovered.sequence,
      stored: (batch, sequence, tookMs) => this.#stored(batch, sequence, tookMs),
      dropped: (batches) => {
        this.#answers.drop(batches);
        if (this.#proof && batches.includes(this.#proof)) this.#proof = this.#writer.open;
        timers.soon(() => this.#pump());
      },
      lost: options.lost,
      retry: (envelope) => this.mailboxes.enter(envelope),
      onRoom: () => this.#pump(),
    });
    this.mailboxes = new Mailboxes(recovered.tail, {
      timers,
      loadedMax,
      idleMsMax,
      load: (actors) => snapshots.load(actors),
      hasRoom: (actor) => this.#writer.hasRoom(actor),
      full: () => this.#writer.full,
      run: (actor, envelope) => this.#run(actor, envelope),
      shed,
      written: () => this.projector.batch,
    });
  }

  prove(): void {
    this.#proof = this.#writer.prove();
  }

  get idle(): boolean {
    return this.#writer.idle && this.mailboxes.waiting === 0;
  }

  /**
   * Writes the log's end mark and projects the whole log; the partition must be idle. Returns the last batch's number.
   */
  async endLog(): Promise<number> {
    failpoint('end');
    const ended = await this.#writer.end();
    if (!ended) throw new Unavailable('Another owner writes to this partition.');
    failpoint('drain');
    this.projector.opened(ended.at, ended.bytes);
    await this.projector.drain();
    return ended.at.batch;
  }

  enter(envelope: CommandEnvelope): void {
    const { key } = envelope;
    if (key && !envelope.answerLookedUp && !this.#answers.holdsAnswerTo(key)) this.#lookUpAnswer(envelope, key);
    else this.mailboxes.enter(envelope);
  }

  keep(key: Key, response: Uint8Array, sealed: Uint8Array): void {
    const saved = this.#answers.respond(key, response, sealed);
    if (saved) this.projector.keep(saved);
  }

  forgetAnswers(tenant: Tenant): void {
    this.#answers.forgetAll(tenant);
  }

  tick(realMs: number): void {
    this.#writer.schedule();
    this.#writer.expire(realMs);
    this.mailboxes.expire(realMs);
  }

  sweep(): void {
    this.mailboxes.passivate();
    this.#answers.forget(this.#options.ports.timers.now());
  }

  /**
   * Stops. Returns unanswered commands that another owner may run, since they are known to have had no effect. `lost`: the
   * journal refused the batch in flight, so all of its commands are returned. Any other outcome: the batch may be stored,
   * and its commands with facts fail with `UnknownOutcome`.
   */
  close(outcome: InFlightOutcome): CommandEnvelope[] {
    this.#closed = true;
    const [inFlight, open] = this.#writer.close();
    for (const batch of outcome === 'unknown' ? [] : [inFlight, open])
      for (const { actor } of batch?.entries ?? []) measure.lost(actor.address.kind.name);
    const envelopes: CommandEnvelope[] = [];
    for (const envelope of inFlight?.envelopes ?? []) {
      if (envelope.hasFactsInBatch && outcome !== 'lost')
        envelope.fail(new UnknownOutcome('It is not known whether the command was stored.'));
      else if (envelope.hasFactsInBatch) envelope.lostCount++;
      envelopes.push(envelope);
    }
    envelopes.push(...(open?.envelopes ?? []), ...this.mailboxes.close());
    for (const envelope of envelopes) {
      envelope.hasFactsInBatch = false;
      envelope.answerLookedUp = false;
    }
    return envelopes.filter(({ settled }) => !settled);
  }

  #lookUpAnswer(envelope: CommandEnvelope, key: Key): void {
    const { tenant, hash } = key;
    this.#savedAnswerOf({ tenant, hash, now: this.#nowOf(envelope) }).then(
      (saved) => {
        envelope.answerLookedUp = !this.#closed;
        if (!saved) return this.#options.retry(envelope);
        try {
          envelope.done(this.#answers.replaySaved(key, saved));
        } catch (problem) {
          envelope.fail(problem);
        }
      },
      (problem) => envelope.fail(problem),
    );
  }

  #pump(): void {
    this.mailboxes.pump();
    this.#writer.schedule();
  }

  #nowOf({ now, address }: CommandEnvelope): number {
    const { clock } = this.#options.ports;
    return now ?? clock.real() + clock.offset(address.tenant);
  }

  /**
   * Returns whether the command is finished, as `#decide` and `#write` do. False: the command waits for the next batch.
   */
  #run(actor: ActorInstance, envelope: CommandEnvelope): boolean {
    if (envelope.settled) return true;
    try {
      return this.#decide(actor, envelope);
    } catch (problem) {
      envelope.fail(problem);
      return true;
    }
  }

  #decide(actor: ActorInstance, envelope: CommandEnvelope): boolean {
    const { clock } = this.#options.ports;
    const { kind, tenant, id } = actor.address;
    const { key, commandId } = envelope;
    if (clock.real() >= envelope.deadline) {
      shed(envelope, 'No caller waits for this command any more.');
      return true;
    }
    const now = this.#nowOf(envelope);
    if (envelope.alarm && (kind.dueAt(actor.state) ?? Number.POSITIVE_INFINITY) > now) {
      envelope.done(NOTHING);
      return true;
    }
    if (envelope.forget) {
      if (actor.state === kind.initial) this.#answer(envelope, NOTHING, actor.entry?.batch ?? null);
      else return this.#write(actor, envelope, { facts: [FORGOTTEN], answer: null }, { tenant, id, now, commandId });
      return true;
    }
    const remembered = key && this.#answers.find(key, now);
    if (key && remembered) {
      this.#answer(envelope, this.#answers.replay(key, remembered), remembered.batch);
      return true;
    }
    if (key?.replayOnly) {
      envelope.done({
        ...NOTHING,
        answer: refuse(
          'rate_limited',
          'No response is stored under this Idempotency-Key. Retry when the rate limit allows the request itself.',
        ),
      });
      return true;
    }
    const context = { tenant, id, now, commandId };
    // While it is unknown whether the batch in flight is stored, only the acknowledged states are certain.
    const inDoubt = this.#writer.inDoubt !== null;
    const decision = kind.decide(inDoubt ? actor.durable : actor.state, envelope.command, context);
    const refused = decision instanceof Refusal;
    if (!refused && (decision.facts.length > 0 || key || envelope.audit))
      return this.#write(actor, envelope, decision, context);
    const seen = inDoubt ? null : (actor.entry?.batch ?? null);
    this.#answer(envelope, { ...NOTHING, answer: refused ? decision : decision.answer }, seen);
    return true;
  }

  /**
   * Answers a command that wrote nothing. `seen` is the unstored batch whose state the command has read, null if that
   * state is stored. The answer waits until `seen` is stored, or without it until `#proof` is; if both are null, it is
   * sent at once.
   */
  #answer(envelope: CommandEnvelope, result: CommandResult, seen: Batch | null): void {
    const batch = seen ?? this.#proof;
    if (!batch) envelope.done(result);
    else if (this.#writer.inDoubt) shed(envelope, 'The journal does not answer.');
    else batch.answerWhenStored(envelope, result);
  }

  #write(
    actor: ActorInstance,
    envelope: CommandEnvelope,
    decision: Decision<unknown, unknown, unknown>,
    context: Context,
  ): boolean {
    const { facts, answer } = decision;
    const writer = this.#writer;
    if (writer.inDoubt) {
      shed(envelope, 'The journal does not answer.');
      return true;
    }
    if (this.projector.full) {
      shed(envelope, 'The database is too far behind the journal.');
      return true;
    }
    const { kind } = actor.address;
    const { open } = writer;
    const { key, commandId } = envelope;
    const { now } = context;
    const states = statesAfter(kind, actor.state, decision);
    const state = states.length > 0 ? states.at(-1) : actor.state;
    const events = eventsOf(kind, facts, states, context);
    const stored: StoredAnswer | null = key && this.#answers.seal(key, answer, now);
    const actorIndex = actor.entry?.batch === open ? actor.entry.index : open.entries.length;
    const audit =
      envelope.audit &&
      journalAudit(envelope.audit, kind.audited?.(actor.state) ?? null, kind.audited?.(state) ?? null);
    const record = writeRecord({ actorIndex, commandId, now, facts, answer: stored, audit });
    const bytes = Buffer.byteLength(record);
    const fits = writer.fits(bytes);
    if (fits === 'later') return false;
    if (fits === 'never') {
      envelope.done({
        ...NOTHING,
        answer: refuse('payload_too_large', 'The change is larger than 512,000 bytes. Split it into smaller requests.'),
      });
      return true;
    }
    const entry = open.entryOf(actor);
    entry.state = state;
    actor.state = state;
    open.write(entry, record, bytes);
    for (const event of events) open.events.push(event);
    if (audit) open.audits.push({ tenant: context.tenant, now, audit });
    if (key && stored) open.answers.push(this.#answers.remember(key, stored, open));
    if (envelope.alarm) envelope.firedTypes = events.length > 0 ? events.map(({ event }) => event.type) : [kind.name];
    envelope.hasFactsInBatch = true;
    open.answerWhenStored(envelope, { ...NOTHING, answer });
    writer.schedule();
    return true;
  }

  #stored(batch: Batch, sequence: number, tookMs: number): void {
    const records = new Map<string, number>();
    for (const { actor, records: count } of batch.entries) {
      actor.noteDue();
      const { name } = actor.address.kind;
      records.set(name, (records.get(name) ?? 0) + count);
    }
    for (const answer of batch.answers) answer.batch = null;
    if (batch === this.#proof) this.#proof = null;
    this.projector.stored(batch, sequence);
    measure.batch(records, tookMs);
  }
}

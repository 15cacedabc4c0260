// Runs a partition on its owner, from recovery until another owner writes or it is released. Commands are decided on
// states ahead of the journal; their callers wait for it.
import { Refusal, refuse, type Tenant } from '#runtime/call/call.ts';
import { Unavailable, UnknownOutcome } from '#runtime/call/fault.ts';
import type { Occurrence } from '#runtime/event/event.ts';
import type { Clock, Timers } from '#runtime/process/clock.ts';
import { failpoint } from '#runtime/process/failpoint.ts';
import type { Log } from '#runtime/process/log.ts';
import type { Seal } from '#runtime/process/seal.ts';
import type { ActorInstance, Batch, CommandEnvelope, CommandResult, Key } from './actor_instance.ts';
import type { Kinds } from './address.ts';
import { AnswerLog } from './answer.ts';
import { BatchLoader } from './batch_loader.ts';
import { BatchWriter } from './batch_writer.ts';
import { type AppendOutcome, type Journal, LogWriter } from './journal.ts';
import { type StoredAnswer, writeRecord } from './journal_record.ts';
import { type Context, type Decision, evolveFact, FORGOTTEN } from './kind.ts';
import type { LayoutStore } from './layout_table.ts';
import type { LayoutView } from './layout_view.ts';
import { Mailboxes } from './mailbox.ts';
import { measure } from './measure.ts';
import type { Projector } from './projection.ts';
import type { Recovered } from './recovery.ts';
import type { AnswerQuestion, SavedAnswer, Snapshots } from './snapshot.ts';

/** Resources and bounds shared by all partitions of a host. */
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
  /** Actors in memory of all partitions; the least recently used are evicted. */
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

export type BatchEnd = AppendOutcome['kind'] | 'unknown';

const RECALL = { itemsMax: 256, runningMax: 4, waitingMax: 20_000 };
const NOTHING: CommandResult = { answer: null, replayed: false, response: null };

export const shed = (envelope: CommandEnvelope, why: string): void => {
  measure.shed(envelope.address.kind.name);
  envelope.fail(new Unavailable(why));
};

export class PartitionOwner {
  readonly mailboxes: Mailboxes;
  readonly projector: Projector;
  readonly #options: PartitionOwnerOptions;
  readonly #writer: BatchWriter;
  readonly #answers: AnswerLog;
  readonly #keys: BatchLoader<AnswerQuestion, SavedAnswer | null>;
  /** Until it is stored, this host may have lost ownership. */
  #proof: Batch | null = null;
  #ended = false;

  constructor(options: PartitionOwnerOptions) {
    this.#options = options;
    const { partition, ports, recovered } = options;
    const { journal, snapshots, timers, seal, nonce, layout, idleMsMax } = ports;
    const awakeMax = Math.ceil(ports.loadedMax / layout.current.partitions);
    this.projector = recovered.projector;
    this.#answers = new AnswerLog(seal, recovered.tail.answers);
    this.#keys = new BatchLoader((questions) => snapshots.recall(questions), timers, RECALL);
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
        // Waiting commands are decided on the rolled-back states.
        timers.soon(() => this.#pump());
      },
      lost: options.lost,
      retry: (envelope) => this.mailboxes.enter(envelope),
      onRoom: () => this.#pump(),
    });
    this.mailboxes = new Mailboxes(recovered.tail, {
      timers,
      loadedMax: awakeMax,
      idleMsMax,
      load: (actors) => snapshots.load(actors),
      hasRoom: (actor) => this.#writer.hasRoom(actor),
      full: () => this.#writer.full,
      run: (actor, envelope) => this.#run(actor, envelope),
      shed,
      written: () => this.projector.batch,
    });
  }

  /** Another owner may have written: answers wait until an append of ours shows that none did. */
  prove(): void {
    this.#proof = this.#writer.prove();
  }

  get idle(): boolean {
    return this.#writer.idle && this.mailboxes.waiting === 0;
  }

  /** Writes the end mark, once idle. Returns the last batch; Postgres then has all of the log. */
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
    if (key && !envelope.recalled && !this.#answers.knows(key)) this.#recall(envelope, key);
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

  /** Returns accepted commands that surely had no effect and are not answered. */
  end(end: BatchEnd): CommandEnvelope[] {
    this.#ended = true;
    const [inFlight, open] = this.#writer.close();
    for (const batch of end === 'unknown' ? [] : [inFlight, open])
      for (const { actor } of batch?.entries ?? []) measure.lost(actor.address.kind.name);
    const envelopes: CommandEnvelope[] = [];
    for (const envelope of inFlight?.envelopes ?? []) {
      if (envelope.wrote && end !== 'lost')
        envelope.fail(new UnknownOutcome('It is not known whether the command was stored.'));
      else if (envelope.wrote) envelope.lostCount++;
      envelopes.push(envelope);
    }
    envelopes.push(...(open?.envelopes ?? []), ...this.mailboxes.close());
    for (const envelope of envelopes) {
      envelope.wrote = false;
      envelope.recalled = false;
    }
    return envelopes.filter(({ settled }) => !settled);
  }

  #recall(envelope: CommandEnvelope, key: Key): void {
    const { tenant, hash } = key;
    this.#keys.ask({ tenant, hash, now: this.#nowOf(envelope) }).then(
      (saved) => {
        envelope.recalled = !this.#ended;
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
    // While a batch is in doubt, only the states before it are certain.
    const inDoubt = this.#writer.inDoubt !== null;
    const decision = kind.decide(inDoubt ? actor.durable : actor.state, envelope.command, context);
    const refused = decision instanceof Refusal;
    if (!refused && (decision.facts.length > 0 || key)) return this.#write(actor, envelope, decision, context);
    const seen = inDoubt ? null : (actor.entry?.batch ?? null);
    this.#answer(envelope, { ...NOTHING, answer: refused ? decision : decision.answer }, seen);
    return true;
  }

  /** Answers with the batch that it saw; at once where everything is durable. */
  #answer(envelope: CommandEnvelope, result: CommandResult, seen: Batch | null): void {
    const batch = seen ?? this.#proof;
    if (!batch) envelope.done(result);
    else if (this.#writer.inDoubt) shed(envelope, 'The journal does not answer.');
    else batch.await(envelope, result);
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
    const { kind, tenant } = actor.address;
    const { open } = writer;
    const { key, commandId } = envelope;
    const { now } = context;
    let { state } = decision;
    const events: Occurrence[] = [];
    // Intermediate states are needed only for events.
    if (state === undefined || kind.announce) {
      state = actor.state;
      for (const [at, fact] of facts.entries()) {
        const known = at === facts.length - 1 ? decision.state : undefined;
        state = known === undefined ? evolveFact(kind, state, fact) : known;
        if (fact === FORGOTTEN) continue;
        for (const event of kind.announce?.(state, fact, context) ?? [])
          events.push({ tenant, event, createdAt: new Date(now) });
      }
    }
    const stored: StoredAnswer | null = key && this.#answers.seal(key, answer, now);
    const index = actor.entry?.batch === open ? actor.entry.index : open.entries.length;
    const record = writeRecord({ actor: index, commandId, now, facts, answer: stored });
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
    const touch = open.entryOf(actor);
    touch.state = state;
    actor.state = state;
    open.write(touch, record, bytes);
    for (const event of events) open.events.push(event);
    if (key && stored) open.answers.push(this.#answers.remember(key, stored, open));
    if (envelope.alarm) envelope.fired = events.length > 0 ? events.map(({ event }) => event.type) : [kind.name];
    envelope.wrote = true;
    open.await(envelope, { ...NOTHING, answer });
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

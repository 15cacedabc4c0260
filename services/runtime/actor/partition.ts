// Runs one partition on this host: recovers it, serves it, recovers it again after another owner wrote, and releases
// it.

import type { Tenant } from '#runtime/call/call.ts';
import { Unavailable } from '#runtime/call/fault.ts';
import { failpoint } from '#runtime/process/failpoint.ts';
import { type ActorInstance, CommandEnvelope, type Key } from './actor_instance.ts';
import type { Address } from './address.ts';
import { DataLossLog } from './data_loss.ts';
import { LogWriter } from './journal.ts';
import type { ActorCount } from './measure.ts';
import type { PartitionPorts } from './owner.ts';
import { type InFlightOutcome, PartitionOwner, shed } from './owner.ts';
import { Projector } from './projection.ts';
import { LogSealed, type Recovered, recover } from './recovery.ts';
import type { LogPosition } from './snapshot.ts';

/**
 * Thrown where the command was not executed because this host does not own the actor; the caller must look the owner up
 * again.
 */
export class NotOwner extends Error {
  constructor() {
    super('This partition is owned by another host.');
    this.name = 'NotOwner';
  }
}

const BACKLOG_MAX = 8_192;
const LOST_MAX = 1;
const TICK_MS = 250;
const TICKS_A_SWEEP = 4;
const FORGET_MS = 10_000;
/** Number of actors that are reset at once; below a partition's limit of waiting commands. */
const FORGET_AT_ONCE = 2_000;
const RECOVER_FIRST_MS = 50;
const RECOVER_LAST_MS = 1_000;
const LOG_AGAIN_MS = 30_000;
const EMPTY: ReadonlyMap<string, ActorCount> = new Map();

export class Partition {
  readonly number: number;
  readonly #ports: PartitionPorts;
  readonly #lost: () => void;
  readonly #sealed: () => void;
  readonly #dataLoss: DataLossLog;
  #phase: 'recovering' | 'serving' | 'ending' | 'releasing' | 'closed' = 'recovering';
  #isUnrecoverable = false;
  #loggedAt = Number.NEGATIVE_INFINITY;
  #recoveringSince: number | null = null;
  #owner: PartitionOwner | null = null;
  #projector: Projector | null = null;
  #writer: LogWriter | null = null;
  #backlog: CommandEnvelope[] = [];
  #ticks = 0;
  #cancelTick: () => void = () => {};

  /**
   * `lost` is called when another owner wrote, after which the partition recovers. `sealed` is called when the log is
   * sealed, which closes the partition.
   */
  constructor(number: number, ports: PartitionPorts, lost: () => void, sealed: () => void) {
    this.number = number;
    this.#ports = ports;
    this.#lost = lost;
    this.#sealed = sealed;
    this.#dataLoss = new DataLossLog(number, ports);
    this.#tick();
    void this.#recover();
  }

  get closed(): boolean {
    return this.#phase === 'closed';
  }

  get serving(): boolean {
    return this.#phase === 'serving';
  }

  get unwritten(): number {
    return this.#owner?.projector.unwritten ?? 0;
  }

  get lostData(): boolean {
    return this.#dataLoss.isRecent;
  }

  /** Age of the oldest record that is not in Postgres; during recovery, the time since recovery began. */
  get ageMs(): number {
    if (this.#recoveringSince !== null) return this.#ports.timers.now() - this.#recoveringSince;
    return this.#owner?.projector.ageMs ?? 0;
  }

  tell(envelope: CommandEnvelope): void {
    if (envelope.settled) return;
    if (this.#phase === 'serving') this.#owner?.enter(envelope);
    else if (this.#phase !== 'recovering') envelope.fail(new NotOwner());
    else if (this.#isUnrecoverable) shed(envelope, 'This partition cannot be recovered now.');
    else if (this.#backlog.length >= BACKLOG_MAX) shed(envelope, 'Too many commands wait for this partition.');
    else this.#backlog.push(envelope);
  }

  /**
   * Holds back answers until the journal shows that no other owner has written, because other hosts may have taken this
   * host for dead.
   */
  prove(): void {
    this.#owner?.prove();
  }

  keep(key: Key, response: Uint8Array, sealed: Uint8Array): void {
    this.#owner?.keep(key, response, sealed);
  }

  actor(key: string): ActorInstance | undefined {
    return this.#owner?.mailboxes.actor(key);
  }

  actors(): Iterable<ActorInstance> {
    return this.#owner?.mailboxes.actors() ?? [];
  }

  counts(): ReadonlyMap<string, ActorCount> {
    return this.#owner?.mailboxes.counts() ?? EMPTY;
  }

  async forget(tenant: Tenant): Promise<void> {
    const { snapshots, kinds, clock, nonce, layout } = this.#ports;
    // During a change of the layout an actor may have facts in two logs.
    if (layout.current.retiring.length > 0) throw new Unavailable('How actors are laid out is being changed.');
    // Projects first, so that the snapshots include all actors whose records a previous owner wrote.
    await this.settle();
    const addresses = new Map<string, Address>();
    for (const { address } of this.actors())
      if (address.tenant.store === tenant.store && address.tenant.environment === tenant.environment)
        addresses.set(address.key, address);
    for (const { kind, id } of await snapshots.all(kinds.names, tenant)) {
      const address = kinds.address(kinds.named(kind), tenant, id);
      if (layout.current.of(address.key) === this.number) addresses.set(address.key, address);
    }
    const deadline = clock.real() + FORGET_MS;
    const forget = (address: Address): Promise<unknown> =>
      new Promise((done, fail) =>
        this.tell(
          new CommandEnvelope({ address, command: null, commandId: nonce(), deadline, forget: true }, done, fail),
        ),
      );
    const all = [...addresses.values()];
    for (let at = 0; at < all.length; at += FORGET_AT_ONCE)
      await Promise.all(all.slice(at, at + FORGET_AT_ONCE).map(forget));
    this.#owner?.forgetAnswers(tenant);
    await this.settle();
  }

  async settle(): Promise<void> {
    await this.#owner?.projector.settle();
  }

  /**
   * Finishes accepted commands, projects their facts and releases the partition. Later commands fail with `NotOwner`.
   */
  async release(withinMs: number): Promise<void> {
    if (this.#phase === 'closed') return;
    const { timers } = this.#ports;
    const until = timers.now() + withinMs;
    const left = (): Promise<void> => timers.sleep(Math.max(1, until - timers.now()));
    await Promise.race([this.#owner?.projector.flush(), left()]);
    if (this.closed) return;
    this.#phase = 'releasing';
    for (const envelope of this.#backlog.splice(0)) envelope.fail(new NotOwner());
    while (this.#owner && !this.#owner.idle && timers.now() < until) await timers.sleep(1);
    const writing = this.#owner?.projector.drain().catch(() => {});
    if (writing) await Promise.race([writing, left()]);
    await this.close();
  }

  /**
   * Closes the log: finishes accepted commands, writes the end mark, projects everything and seals the log in Postgres.
   * Commands fail with `NotOwner` meanwhile, since their actors move to another log.
   */
  async end(): Promise<void> {
    const { timers } = this.#ports;
    const owner = this.#owner;
    if (this.#phase !== 'serving' || !owner) return;
    const startedAt = timers.now();
    await owner.projector.flush();
    if (!this.serving || this.#owner !== owner) return;
    // Postgres has not caught up with the log and may be down. Closing the log now would make the partition's actors
    // unreachable.
    if (owner.projector.ageMs > timers.now() - startedAt) return;
    this.#phase = 'ending';
    while (this.#owner === owner && !owner.idle) await timers.sleep(1);
    if (this.#owner !== owner) return;
    try {
      await this.#seal(owner.projector, await owner.endLog());
    } catch (problem) {
      this.#ports.log.warn({ err: problem, partition: this.number }, 'failed to close the log; will retry');
      if (this.#owner === owner) this.#lose('unknown');
    }
  }

  async #seal(projector: Projector, batch: number): Promise<void> {
    failpoint('seal');
    if (projector.stopped || !(await this.#ports.layouts.seal(this.number, batch)))
      throw new Unavailable('Another owner still writes this partition to the database.');
    failpoint('sealed');
    this.#ports.log.info({ partition: this.number, batch }, 'sealed the log');
    await this.#close();
  }

  async #close(): Promise<void> {
    await this.close();
    this.#sealed();
  }

  async close(): Promise<void> {
    this.#phase = 'closed';
    this.#cancelTick();
    this.#writer?.stop();
    for (const envelope of [...this.#backlog.splice(0), ...this.#closeOwner('unknown')]) envelope.fail(new NotOwner());
    await this.#projector?.stop();
  }

  #closeOwner(outcome: InFlightOutcome): CommandEnvelope[] {
    const owner = this.#owner;
    this.#owner = null;
    return owner?.close(outcome) ?? [];
  }

  async #recover(): Promise<void> {
    const { timers, journal, log } = this.#ports;
    const startedAt = timers.now();
    this.#recoveringSince = startedAt;
    for (
      let pauseMs = RECOVER_FIRST_MS;
      this.#phase === 'recovering';
      pauseMs = Math.min(pauseMs * 2, RECOVER_LAST_MS)
    ) {
      try {
        // Waits for a running projection, which could still change the position in Postgres.
        await this.#projector?.stop();
        await this.#dataLoss.load();
        this.#writer = new LogWriter(journal, this.number, timers);
        const recovered = await recover({
          ...this.#ports,
          partition: this.number,
          projector: (position) => this.#openProjector(position),
          writer: this.#writer,
          doubt: () => this.#trouble('The journal does not answer.'),
          lost: this.#dataLoss.report,
        });
        if (this.#phase !== 'recovering') return;
        if (this.#projector !== recovered.projector || recovered.projector.stopped) continue;
        if (recovered.ended) {
          await recovered.projector.drain();
          return await this.#seal(recovered.projector, recovered.number);
        }
        this.#begin(recovered);
        log.info({ partition: this.number, ms: Math.round(timers.now() - startedAt) }, 'recovered the partition');
      } catch (problem) {
        if (this.#phase !== 'recovering') return;
        if (problem instanceof LogSealed) return await this.#close();
        this.#trouble(problem);
        await timers.sleep(pauseMs);
      }
    }
  }

  #trouble(problem: unknown): void {
    const { timers, log } = this.#ports;
    const fields = { err: problem, partition: this.number, ms: Math.round(this.ageMs) };
    const again = this.#isUnrecoverable && timers.now() - this.#loggedAt >= LOG_AGAIN_MS;
    if (again) log.error(fields, 'failed to recover the partition for long');
    else if (!this.#isUnrecoverable) log.warn(fields, 'failed to recover the partition; will retry');
    if (again || !this.#isUnrecoverable) this.#loggedAt = timers.now();
    this.#isUnrecoverable = true;
    for (const envelope of this.#backlog.splice(0)) shed(envelope, 'This partition cannot be recovered now.');
  }

  #openProjector(position: LogPosition): Projector {
    const projector: Projector = new Projector(
      {
        ...this.#ports,
        partition: this.number,
        overtaken: () => {
          if (this.#projector === projector) this.#lose('unknown');
        },
        lost: this.#dataLoss.report,
      },
      position,
    );
    this.#projector = projector;
    return projector;
  }

  #begin(recovered: Recovered): void {
    this.#isUnrecoverable = false;
    const owner: PartitionOwner = new PartitionOwner({
      partition: this.number,
      ports: this.#ports,
      recovered,
      lost: (outcome) => {
        if (this.#owner === owner) this.#lose(outcome.kind);
      },
      retry: (envelope) => this.tell(envelope),
    });
    this.#owner = owner;
    this.#recoveringSince = null;
    this.#phase = 'serving';
    recovered.projector.begin();
    for (const envelope of this.#backlog.splice(0)) owner.enter(envelope);
  }

  /** Discards the actors in memory. Commands that are known to have had no effect are decided again. */
  #lose(outcome: InFlightOutcome): void {
    this.#ports.log.info({ partition: this.number, outcome }, 'lost the partition: another owner wrote');
    const envelopes = this.#closeOwner(outcome);
    if (this.#phase === 'releasing') {
      for (const envelope of envelopes) envelope.fail(new NotOwner());
      return;
    }
    const recovering = this.#phase === 'recovering';
    this.#phase = 'recovering';
    for (const envelope of envelopes)
      if (envelope.lostCount > LOST_MAX) shed(envelope, 'Another owner was first, twice.');
      else this.#backlog.push(envelope);
    this.#lost();
    if (!recovering) void this.#recover();
  }

  #tick(): void {
    const { timers, clock } = this.#ports;
    this.#cancelTick = timers.after(TICK_MS, () => {
      const real = clock.real();
      this.#owner?.tick(real);
      for (const envelope of this.#backlog)
        if (envelope.deadline <= real) shed(envelope, 'No caller waits for this command any more.');
      if (this.#backlog.length > 0) this.#backlog = this.#backlog.filter(({ settled }) => !settled);
      if (++this.#ticks % TICKS_A_SWEEP === 0) {
        this.#owner?.sweep();
        this.#dataLoss.save();
      }
      this.#tick();
    });
  }
}

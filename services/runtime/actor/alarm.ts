// Sends alarms to actors that are due by their tenant's clock. Finds loaded actors in memory and unloaded ones by the
// index in Postgres.
import { Refusal, type Tenant } from '#runtime/call/call.ts';
import type { CommitWatch } from '#runtime/postgres/commit_watch.ts';
import type { Clock, Timers } from '#runtime/process/clock.ts';
import type { Log } from '#runtime/process/log.ts';
import { type ActorInstance, CommandEnvelope, type CommandOptions } from './actor_instance.ts';
import type { Address, Kinds } from './address.ts';
import type { Fired } from './host.ts';
import type { LayoutView } from './layout_view.ts';
import type { Partition } from './partition.ts';
import type { DueActor, Snapshots } from './snapshot.ts';

export interface AlarmsOptions {
  readonly snapshots: Snapshots;
  readonly commits: Pick<CommitWatch, 'count'>;
  readonly kinds: Kinds;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly log: Log;
  readonly nonce: () => string;
  readonly layout: LayoutView;
  readonly partitions: () => readonly Partition[];
  readonly partition: (address: Address) => Partition | undefined;
}

const LOOK_MS = 1_000;
/**
 * How far ahead Postgres is asked for unloaded actors' due times: until the next commit no other due time can appear.
 */
const AHEAD_MS = 60_000;
const DEADLINE_MS = 5_000;
const RUN_MS_MAX = 50_000;
const SLEEPERS_MAX = 500;
const AT_ONCE_MAX = 2_000;

export class Alarms {
  readonly #options: AlarmsOptions;
  #cancel: () => void = () => {};
  #stopped = false;
  /**
   * No unloaded actor is due before `until` (real ms) while `state`, which names the commits and partitions, is
   * unchanged.
   */
  #noneDue = { until: 0, state: '' };

  constructor(options: AlarmsOptions) {
    this.#options = options;
  }

  start(): void {
    const { timers, log } = this.#options;
    this.#cancel = timers.after(LOOK_MS, () => {
      this.#look()
        .catch((problem) => log.debug({ err: problem }, 'failed to look for due alarms; will retry'))
        .finally(() => {
          if (!this.#stopped) this.start();
        });
    });
  }

  stop(): void {
    this.#stopped = true;
    this.#cancel();
  }

  async next(tenant: Tenant, untilMs: number): Promise<number | null> {
    await this.#settle();
    return (await this.#dueBy(tenant, untilMs))[0]?.dueAt ?? null;
  }

  /**
   * Sends alarms to the tenant's actors on this host in order of their due times, each with its due time as the time.
   * The outbox gets the events in the same order; Postgres has all changes when this returns.
   */
  async run(tenant: Tenant, untilMs: number): Promise<readonly Fired[]> {
    const { timers } = this.#options;
    const counts = new Map<string, number>();
    /**
     * The partition whose last events may not have reached the outbox. The loop projects this partition before it
     * alarms an actor of another, so that events stay in order.
     */
    let speaker: Partition | undefined;
    await this.#settle();
    for (const endAt = timers.now() + RUN_MS_MAX; timers.now() < endAt; ) {
      const due = await this.#dueBy(tenant, untilMs);
      if (due.length === 0) break;
      let alarmed = 0;
      for (const { address, dueAt } of due) {
        const partition = this.#options.partition(address);
        if (speaker !== partition) {
          await speaker?.settle();
          speaker = undefined;
        }
        const fired = await this.#tell(address, Math.max(dueAt, 0));
        if (fired.length > 0) alarmed++;
        if (fired.some((type) => type !== address.kind.name)) speaker = partition;
        for (const type of fired) counts.set(type, (counts.get(type) ?? 0) + 1);
        // This actor may be due again before the list's last actor: then the list is read again.
        if (fired.length > 0 && this.#dueAgain(address, due, untilMs)) break;
      }
      if (alarmed === 0) break;
    }
    await this.#settle();
    return Array.from(counts, ([type, count]) => ({ type, count }));
  }

  async #settle(): Promise<void> {
    await Promise.all(this.#options.partitions().map((partition) => partition.settle()));
  }

  #dueAgain(address: Address, due: readonly { dueAt: number }[], untilMs: number): boolean {
    const actor = this.#options.partition(address)?.actor(address.key);
    return actor !== undefined && actor.dueAt <= Math.min(untilMs, due.at(-1)?.dueAt ?? untilMs);
  }

  async #dueBy(tenant: Tenant, untilMs: number): Promise<{ address: Address; dueAt: number }[]> {
    const { partitions, kinds, snapshots } = this.#options;
    const owned = partitions();
    const due: { address: Address; dueAt: number }[] = [];
    for (const partition of owned)
      for (const actor of partition.actors())
        if (actor.dueAt <= untilMs && isOf(actor.address, tenant))
          due.push({ address: actor.address, dueAt: actor.dueAt });
    const query = { partitions: this.#storedUnder(owned), kinds: kinds.names, until: untilMs, tenant };
    for (let max = AT_ONCE_MAX; ; max *= 2) {
      const asleep = await snapshots.due({ ...query, max });
      const own = asleep.filter((row) => this.#options.partition(this.#addressOf(row)));
      if (own.length === 0 && asleep.length === max) continue;
      for (const row of own) {
        const address = this.#addressOf(row);
        if (!this.#isLoaded(address)) due.push({ address, dueAt: row.dueAt });
      }
      break;
    }
    return due.sort((a, b) => a.dueAt - b.dueAt);
  }

  async #look(): Promise<void> {
    const { partitions, clock, kinds, snapshots } = this.#options;
    const owned = partitions().filter(({ serving }) => serving);
    const real = clock.real();
    const moved = clock.moved();
    // One comparison excludes most actors, since clocks are rarely advanced.
    const latest = moved.reduce((most, tenant) => Math.max(most, real + clock.offset(tenant)), real);
    let alarmed = 0;
    for (const partition of owned)
      for (const actor of partition.actors()) {
        if (actor.dueAt > latest || actor.isAlarmRunning || clock.isFrozen(actor.address.tenant)) continue;
        if (actor.dueAt > real + clock.offset(actor.address.tenant)) continue;
        this.#alarm(actor);
        if (++alarmed >= AT_ONCE_MAX) return;
      }
    if (owned.length === 0) return;
    const query = { partitions: this.#storedUnder(owned), kinds: kinds.names, max: SLEEPERS_MAX };
    const state = `${this.#options.commits.count} ${query.partitions}`;
    if (moved.length === 0 && this.#noneDue.state === state && real < this.#noneDue.until) return;
    const ahead = await snapshots.due({ ...query, until: real + AHEAD_MS });
    const rows = ahead.filter(({ dueAt }) => dueAt <= real);
    this.#noneDue = { until: rows.length > 0 ? 0 : (ahead[0]?.dueAt ?? real + AHEAD_MS), state };
    for (const tenant of moved)
      rows.push(...(await snapshots.due({ ...query, until: clock.now(tenant).getTime(), tenant })));
    await Promise.all(
      rows.map((row) => {
        const address = this.#addressOf(row);
        return this.#isLoaded(address) || clock.isFrozen(address.tenant) ? null : this.#tell(address, null);
      }),
    );
  }

  #alarm(actor: ActorInstance): void {
    actor.isAlarmRunning = true;
    void this.#tell(actor.address, null).finally(() => {
      actor.isAlarmRunning = false;
    });
  }

  /** Includes the sealed logs' numbers, under which other hosts' actors are stored as well. */
  #storedUnder(owned: readonly Partition[]): number[] {
    return [...owned.map(({ number }) => number), ...this.#options.layout.current.sealed];
  }

  #isLoaded(address: Address): boolean {
    return this.#options.partition(address)?.actor(address.key)?.isLoaded ?? false;
  }

  #addressOf({ kind, tenant, id }: DueActor): Address {
    const { kinds } = this.#options;
    return kinds.address(kinds.named(kind), tenant, id);
  }

  /** Sends one alarm. Returns its event types; empty after a failure, since the next run repeats the alarm. */
  async #tell(address: Address, now: number | null): Promise<readonly string[]> {
    const { clock, log, nonce, partition: find } = this.#options;
    const partition = find(address);
    if (!partition) return [];
    const { kind } = address;
    const options: CommandOptions = {
      address,
      command: kind.due,
      commandId: nonce(),
      deadline: clock.real() + DEADLINE_MS,
      alarm: true,
      now,
    };
    try {
      const { envelope, answer } = await new Promise<{ envelope: CommandEnvelope; answer: unknown }>((done, fail) => {
        const made: CommandEnvelope = new CommandEnvelope(
          options,
          (result) => done({ envelope: made, answer: result.answer }),
          fail,
        );
        partition.tell(made);
      });
      if (answer instanceof Refusal)
        log.warn({ kind: kind.name, id: address.id, refusal: answer.message }, 'refused an alarm');
      return envelope.firedTypes;
    } catch (problem) {
      log.debug({ err: problem, kind: kind.name, id: address.id }, 'failed to deliver an alarm; will retry');
      return [];
    }
  }
}

const isOf = (address: Address, { store, environment }: Tenant): boolean =>
  address.tenant.store === store && address.tenant.environment === environment;

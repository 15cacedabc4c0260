// A database that is now and then away, and now and then commits without saying so.
import type { Address } from '#runtime/actor/address.ts';
import { Layout, type LayoutOptions, numbersOf } from '#runtime/actor/layout.ts';
import type { LayoutStore } from '#runtime/actor/layout_table.ts';
import type { DueActor, LogPosition, Projected, SavedAnswer, Snapshots } from '#runtime/actor/snapshot.ts';
import { tenantKey } from '#runtime/call/call.ts';
import { Unavailable, UnknownOutcome } from '#runtime/call/fault.ts';
import type { Occurrence } from '#runtime/event/event.ts';
import type { CommitWatch } from '#runtime/postgres/commit_watch.ts';
import type { Timers } from '#runtime/process/clock.ts';
import type { Process, World } from './world.ts';

export interface SnapshotFaults {
  readonly refused: number;
  /** The connection is lost in a commit. */
  readonly unclear: number;
  readonly slow: number;
}

const LOOK_MS = 1_000;

interface Row {
  readonly address: Address;
  readonly partition: number;
  readonly state: string;
  readonly dueAt: number | null;
}

export class FakeDatabase {
  readonly rows = new Map<string, Row>();
  readonly events: Occurrence[] = [];
  readonly answers = new Map<string, SavedAnswer>();
  readonly #logs: number[];
  readonly #sealed = new Set<number>();
  #laidOut: Omit<LayoutOptions, 'sealed'>;
  readonly #world: World;
  readonly #faults: SnapshotFaults;
  readonly #positions = new Map<number, LogPosition>();
  readonly #lostAt = new Map<number, number>();
  #awayUntil = 0;
  #faulty = true;

  constructor(world: World, faults: SnapshotFaults, partitions: number) {
    this.#world = world;
    this.#faults = faults;
    this.#laidOut = { epoch: 0, partitions, previous: null };
    this.#logs = numbersOf(this.#laidOut);
  }

  pauseFor(ms: number): void {
    this.#awayUntil = this.#world.now + ms;
  }

  heal(): void {
    this.#faulty = false;
  }

  position(partition: number): LogPosition {
    return this.#positions.get(partition) ?? { batch: 0, sequence: 0 };
  }

  get layout(): Layout {
    const { previous } = this.#laidOut;
    const sealed = previous ? numbersOf(previous).filter((number) => this.#sealed.has(number)) : [];
    return new Layout({ ...this.#laidOut, sealed });
  }

  /** Every log that there ever was. */
  get logs(): readonly number[] {
    return this.#logs;
  }

  /** False: the change before is not over. */
  layOut(partitions: number): boolean {
    const { epoch, partitions: before, previous } = this.#laidOut;
    if (previous) return false;
    this.#laidOut = { epoch: epoch + 1, partitions, previous: { epoch, partitions: before } };
    this.#logs.push(...numbersOf(this.#laidOut));
    for (const number of this.#logs)
      if (!this.#positions.has(number)) this.#positions.set(number, { batch: 0, sequence: 0 });
    return true;
  }

  #seal(partition: number, batch: number): boolean {
    if (this.#sealed.has(partition) || this.position(partition).batch !== batch) return false;
    this.#sealed.add(partition);
    this.#positions.set(partition, { batch, sequence: 0 });
    return true;
  }

  /** One at a time. */
  #refile(layout: Layout): boolean {
    for (const [key, row] of this.rows)
      if (layout.sealed.includes(row.partition) && row.dueAt !== null) {
        this.rows.set(key, { ...row, partition: layout.of(key) });
        return true;
      }
    if (layout.epoch === this.#laidOut.epoch) this.#laidOut = { ...this.#laidOut, previous: null };
    return false;
  }

  layouts(process: Process): LayoutStore {
    return {
      read: () => this.#ask(process, () => this.layout),
      seal: (partition, batch) => this.#commit(process, () => this.#seal(partition, batch)),
      reindex: (layout) => this.#commit(process, () => this.#refile(layout)),
    };
  }

  /** Each look of a process finds a commit. */
  commits(timers: Timers): Pick<CommitWatch, 'count' | 'listen'> {
    const world = this.#world;
    return {
      get count() {
        return world.now;
      },
      listen: (listener) => {
        const look = (): void => {
          listener();
          timers.after(LOOK_MS, look);
        };
        return timers.after(LOOK_MS, look);
      },
    };
  }

  open(process: Process): Snapshots {
    const ask = <T>(make: () => T): Promise<T> => this.#ask(process, make);
    return {
      position: (partition) => ask(() => this.position(partition)),
      lostAt: (partition) => ask(() => this.#lostAt.get(partition) ?? null),
      noteLoss: (partition, atMs) => ask(() => void this.#lostAt.set(partition, atMs)),
      positions: () => ask(() => new Map([...this.#positions].filter(([number]) => !this.#sealed.has(number)))),
      load: (actors) => ask(() => actors.map(({ key }) => this.rows.get(key)?.state ?? null)),
      findAnswers: (questions) =>
        ask(() =>
          questions.map(({ hash, now }) => {
            const saved = this.answers.get(hash);
            return saved && saved.expiresAt > now ? saved : null;
          }),
        ),
      project: (partition, projected) => this.#commit(process, () => this.#project(partition, projected)),
      keep: (answers) =>
        ask(() => {
          for (const answer of answers) this.answers.set(answer.hash, answer);
        }),
      all: (kinds, tenant) =>
        ask(() =>
          [...this.rows.values()]
            .filter(({ address }) => kinds.includes(address.kind.name))
            .filter(({ address }) => tenantKey(address.tenant) === tenantKey(tenant))
            .map(({ address }) => ({ kind: address.kind.name, id: address.id })),
        ),
      due: ({ partitions, until, max, tenant }) =>
        ask(() =>
          [...this.rows.values()]
            .filter(({ partition, dueAt }) => partitions.includes(partition) && dueAt !== null && dueAt <= until)
            .filter(({ address }) => !tenant || tenantKey(tenant) === tenantKey(address.tenant))
            .map(
              ({ address: { kind, tenant: of, id }, dueAt }): DueActor => ({
                kind: kind.name,
                tenant: of,
                id,
                dueAt: dueAt ?? 0,
              }),
            )
            .sort((a, b) => a.dueAt - b.dueAt)
            .slice(0, max),
        ),
    };
  }

  #project(partition: number, { from, to, actors, events, answers }: Projected): boolean {
    if (this.#sealed.has(partition) || this.position(partition).batch !== from.batch) return false;
    this.#positions.set(partition, to);
    for (const { address, state, dueAt } of actors)
      if (state === null) this.rows.delete(address.key);
      else this.rows.set(address.key, { address, partition, state, dueAt });
    this.events.push(...events);
    for (const answer of answers) this.answers.set(answer.hash, answer);
    return true;
  }

  #latency(): number {
    const { chance } = this.#world;
    if (this.#faulty && chance.happens(this.#faults.slow)) return chance.between(20, 2_500);
    return 0.5 + 3 * chance.next();
  }

  #away(): boolean {
    return this.#faulty && (this.#world.now < this.#awayUntil || this.#world.chance.happens(this.#faults.refused));
  }

  /** Seen as of some time between the question and the answer. */
  #ask<T>(process: Process, make: () => T): Promise<T> {
    const world = this.#world;
    return new Promise((done, fail) => {
      world.after(this.#latency(), null, () => {
        const away = this.#away();
        const answer = away ? null : { value: make() };
        world.after(this.#latency() / 2, process, () => {
          if (answer) done(answer.value);
          else fail(new Unavailable('The database does not answer.'));
        });
      });
    });
  }

  #commit(process: Process, work: () => boolean): Promise<boolean> {
    const world = this.#world;
    return new Promise((done, fail) => {
      world.after(this.#latency(), null, () => {
        if (this.#away()) {
          world.after(1, process, () => fail(new Unavailable('The database does not answer.')));
          return;
        }
        const unclear = this.#faulty && world.chance.happens(this.#faults.unclear);
        const did = unclear && world.chance.happens(0.5) ? null : work();
        world.after(this.#latency() / 2, process, () => {
          if (unclear || did === null) fail(new UnknownOutcome('The connection was lost in a commit.'));
          else done(did);
        });
      });
    });
  }
}

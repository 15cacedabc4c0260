// One Postgres transaction as a domain sees it: its SQL, the events it causes, what happens once it is committed.
import type { EventObjects, EventType } from '#proto/gen/event_map.ts';
import type { Tenant } from './call.ts';
import type { Clock } from './clock.ts';
import type { AnyOccurrence } from './envelope.ts';
import { Unavailable } from './fault.ts';
import type { Log } from './log.ts';
import { logEvents, writeEvents, writeMark } from './outbox_row.ts';
import type { Sql } from './postgres.ts';
import { enter } from './renewal.ts';
import type { Seal } from './seal.ts';

/** An event of one type: its resource as the API shows it becomes `data.object`; the outbox makes the envelope. */
export interface EventOf<T extends EventType> {
  readonly type: T;
  readonly object: EventObjects[T];
  /** Only the changed fields, on update events. */
  readonly previousAttributes?: Readonly<Record<string, unknown>>;
}

/** An event of any type: its type says what its object holds. */
export type Event = { readonly [T in EventType]: EventOf<T> }[EventType];

/** The same, where its writer has the resource as JSON already. */
export interface WrittenEvent extends Omit<EventOf<EventType>, 'object'> {
  readonly object: string;
}

export interface Emission {
  /** See the outbox. */
  readonly nothingWaited?: boolean | undefined;
  /** What is of a sandbox that is being reset is not told, instead of thrown back: the others' must not wait for it. */
  readonly leavesOutShut?: boolean;
}

export interface Transaction {
  readonly sql: Sql;
  readonly clock: Clock;
  readonly seal: Seal;
  /**
   * Writes the events to the outbox within this transaction. `created_at` is the tenant's clock. Throws `Unavailable` where
   * that is a sandbox that is being reset.
   */
  emit(tenant: Tenant, events: readonly (Event | WrittenEvent)[]): Promise<void>;
  /** The same for events of several tenants and times. */
  emitAll(occurrences: readonly AnyOccurrence[], options?: Emission): Promise<void>;
  /** A mark among the events: see the outbox. Its id. */
  mark(tenant: Tenant, type: string): Promise<string>;
  /** Runs after the commit and before the caller is answered; a failure there is logged, never shown. */
  afterCommit(run: () => Promise<void> | void): void;
}

/** The transaction as its opener sees it. */
export class OpenTransaction implements Transaction {
  readonly sql: Sql;
  readonly clock: Clock;
  readonly seal: Seal;
  readonly #sequels: (() => Promise<void> | void)[] = [];
  #emitted = false;
  #marked = false;

  constructor(sql: Sql, clock: Clock, seal: Seal) {
    this.sql = sql;
    this.clock = clock;
    this.seal = seal;
  }

  /** Whether the outbox has something new once this is committed. */
  get emitted(): boolean {
    return this.#emitted;
  }

  /** Whether somebody waits for it. */
  get marked(): boolean {
    return this.#marked;
  }

  async emit(tenant: Tenant, events: readonly (Event | WrittenEvent)[]): Promise<void> {
    if (events.length === 0) return;
    const createdAt = this.clock.now(tenant);
    await this.emitAll(events.map((event) => ({ tenant, event, createdAt })));
  }

  async emitAll(all: readonly AnyOccurrence[], { nothingWaited, leavesOutShut }: Emission = {}): Promise<void> {
    const life = await enter(
      this.sql,
      all.map(({ tenant }) => tenant),
    );
    const occurrences = all.filter(({ tenant }) => !life(tenant).shut);
    if (occurrences.length < all.length && !leavesOutShut) throw new Unavailable('The sandbox is being reset.');
    if (occurrences.length === 0) return;
    this.#emitted = true;
    if (nothingWaited) await logEvents(this.sql, occurrences, new Date(this.clock.real()));
    else await writeEvents(this.sql, occurrences);
  }

  mark(tenant: Tenant, type: string): Promise<string> {
    this.#emitted = true;
    this.#marked = true;
    return writeMark(this.sql, tenant, type);
  }

  afterCommit(run: () => Promise<void> | void): void {
    this.#sequels.push(run);
  }

  async committed(log: Log): Promise<void> {
    for (const run of this.#sequels) {
      try {
        await run();
      } catch (problem) {
        log.error({ err: problem }, 'what follows a commit failed');
      }
    }
  }
}

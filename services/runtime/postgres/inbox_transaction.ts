// Handles received events in one transaction: marks each as handled, drops those from before a sandbox's reset, and
// reads envelopes if the handler needs them.
import type { EventType } from '#proto/gen/event_map.ts';
import type { Tenant } from '#runtime/call/call.ts';
import type { EventHead } from '#runtime/event/batch.ts';
import type { EnvelopeOf, EventEnvelope } from '#runtime/event/envelope.ts';
import type { Bus } from '#runtime/nats/bus.ts';
import type { Log } from '#runtime/process/log.ts';
import type { Postgres, Transaction } from './database.ts';
import { enterSandboxes } from './sandbox_lock.ts';

export interface InboxOptions<T extends EventType = EventType> {
  readonly postgres: Postgres;
  readonly bus: Bus;
  readonly namespace: string;
  readonly log: Log;
  /** Name of the consumer. All processes that use the name share its events. */
  readonly name: string;
  /** Types to receive: `product.created`, `product.*` for a group, `*` for all. */
  readonly types: readonly (T | '*' | `${string}.*`)[];
  readonly handle?: (tx: Transaction, event: EventEnvelope<T>, tenant: Tenant) => Promise<void> | void;
  readonly handleAll?: (tx: Transaction, arrivals: readonly InboxEvent<T>[]) => Promise<void>;
  readonly handleHeads?: (tx: Transaction, heads: readonly EventHead[]) => Promise<void>;
  /** Returns the events that need work, before the transaction starts. Absent: all need work. */
  readonly due?: (heads: readonly EventHead[]) => readonly EventHead[] | Promise<readonly EventHead[]>;
  /** Tells whether handling an event of this type twice is harmless; the event is then not recorded as handled. */
  readonly repeatable?: (type: string) => boolean;
  /**
   * Waits so many ms for more events before it handles them together. Serves work that costs the same for one event as for
   * many. Absent: events are handled at once.
   */
  readonly gatherMs?: number;
  readonly deliveriesMax?: number;
  readonly retryMs?: number;
}

export interface InboxEvent<T extends EventType = EventType> {
  readonly tenant: Tenant;
  /** The event with its envelope; `text` is the envelope byte for byte. */
  readonly event: EventEnvelope<T> & { readonly text: string };
}

/** Parses the envelope when a field is first read, because many handlers need only the type. */
class LazyEnvelope implements EnvelopeOf<EventType> {
  readonly id: string;
  readonly type: EventType;
  readonly sequence: number;
  readonly text: string;
  #whole: EventEnvelope | null = null;

  constructor({ id, type, sequence }: EventHead, text: string) {
    this.id = id;
    this.type = type as EventType;
    this.sequence = sequence;
    this.text = text;
  }

  get created_at(): string {
    return this.#read().created_at;
  }
  get store_id(): string {
    return this.#read().store_id;
  }
  get api_version(): 'v1' {
    return this.#read().api_version;
  }
  get data(): EventEnvelope['data'] {
    return this.#read().data;
  }
  get previous_attributes(): Record<string, unknown> | undefined {
    return this.#read().previous_attributes;
  }

  #read(): EventEnvelope {
    this.#whole ??= JSON.parse(this.text) as EventEnvelope;
    return this.#whole;
  }
}

export interface InboxTransaction<T extends EventType> {
  handle(items: readonly EventHead[]): Promise<void>;
  /** Reads the events' envelopes from the log; leaves out events that a reset deleted. */
  read(by: Pick<Transaction, 'sql'>, heads: readonly EventHead[]): Promise<InboxEvent<T>[]>;
}

export const openInboxTransaction = <T extends EventType>(options: InboxOptions<T>): InboxTransaction<T> => {
  const { postgres, name } = options;

  const note = async ({ sql }: Transaction, heads: readonly EventHead[]): Promise<readonly EventHead[]> => {
    const ids = heads.flatMap(({ id, type }) => (options.repeatable?.(type) ? [] : [id]));
    if (ids.length === 0) return heads;
    const fresh = await sql<{ event: string }[]>`
      insert into runtime.inbox (consumer, event)
      select ${name}, id from unnest(${ids}::text[]) as id order by id
      on conflict do nothing
      returning event`;
    const due = new Set(fresh.map((row) => row.event));
    return heads.filter(({ id, type }) => options.repeatable?.(type) || due.delete(id));
  };

  const read = async ({ sql }: Pick<Transaction, 'sql'>, heads: readonly EventHead[]): Promise<InboxEvent<T>[]> => {
    const rows = await sql<{ place: number; payload: string }[]>`
      select wanted.place, event.payload
      from unnest(${heads.map(({ tenant }) => tenant.store)}::uuid[],
        ${heads.map(({ tenant }) => tenant.environment)}::text[], ${heads.map(({ id }) => id)}::text[]
      ) with ordinality as wanted (store, environment, id, place)
      cross join lateral (
        select payload from runtime.event as logged
        where logged.store = wanted.store and logged.environment = wanted.environment and logged.id = wanted.id limit 1
      ) as event
      order by wanted.place`;
    return rows.map(({ place, payload }) => {
      const head = heads[place - 1]!;
      return { tenant: head.tenant, event: new LazyEnvelope(head, payload) as unknown as InboxEvent<T>['event'] };
    });
  };

  /** Drops a sandbox's events if they precede its last reset or a reset is running. */
  const ofCurrentGeneration = async (
    { sql }: Transaction,
    heads: readonly EventHead[],
  ): Promise<readonly EventHead[]> => {
    const stateOf = await enterSandboxes(
      sql,
      heads.map(({ tenant }) => tenant),
    );
    return heads.filter(({ tenant, sequence }) => !stateOf(tenant).shut && sequence >= stateOf(tenant).generation);
  };

  const handle = async (items: readonly EventHead[]): Promise<void> => {
    const due = (await options.due?.(items)) ?? items;
    if (due.length === 0) return;
    await postgres.transaction(async (tx) => {
      const heads = await ofCurrentGeneration(tx, await note(tx, due));
      if (heads.length === 0) return;
      await options.handleHeads?.(tx, heads);
      if (!options.handle && !options.handleAll) return;
      const arrivals = await read(tx, heads);
      for (const { event, tenant } of arrivals) await options.handle?.(tx, event, tenant);
      if (arrivals.length > 0) await options.handleAll?.(tx, arrivals);
    });
  };

  return { handle, read };
};

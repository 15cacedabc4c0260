// Events on their way in: each is handled in one Postgres transaction together with the note that it was, so that a
// redelivered event does nothing. What it says is read from the log, where its handler wants to know.

import type { EventType } from '#proto/gen/event_map.ts';
import type { Tenant } from '#runtime/call/call.ts';
import { Unavailable } from '#runtime/call/fault.ts';
import { type Head, saysUnfollowed, unpackEvents, wantedSubjects } from '#runtime/event/batch.ts';
import type { EnvelopeOf, EventEnvelope } from '#runtime/event/envelope.ts';
import { inSlices } from '#runtime/flow/slice.ts';
import type { Bus, BusMessage } from '#runtime/nats/bus.ts';
import type { Log } from '#runtime/process/log.ts';
import type { Postgres, Transaction } from './database.ts';
import { eventStream } from './outbox.ts';
import { enter } from './renewal.ts';
import type { Sql } from './sql.ts';

export interface InboxOptions<T extends EventType = EventType> {
  readonly postgres: Postgres;
  readonly bus: Bus;
  readonly namespace: string;
  readonly log: Log;
  /** The consumer: every process of this name shares its events. */
  readonly name: string;
  /** Event types it wants: `product.created`, `product.*` for a group, `*` for all. */
  readonly types: readonly (T | '*' | `${string}.*`)[];
  readonly handle?: (tx: Transaction, event: EventEnvelope<T>, tenant: Tenant) => Promise<void> | void;
  /** For those that came together at once, where one statement can do for many. */
  readonly handleAll?: (tx: Transaction, arrivals: readonly Arrival<T>[]) => Promise<void>;
  /** The same for handlers for which it is enough that they happened. */
  readonly hearAll?: (tx: Transaction, heads: readonly Head[]) => Promise<void>;
  /** Which of them anything is to be done about, where that is known without a transaction; by default all. */
  readonly due?: (heads: readonly Head[]) => readonly Head[] | Promise<readonly Head[]>;
  /** To handle an event of this type twice does no harm: no note is kept that it was. */
  readonly repeatable?: (type: string) => boolean;
  /** An event that failed this often is kept in runtime.dead_event and not tried again. */
  readonly deliveriesMax?: number;
  readonly retryMs?: number;
}

/** An event that was not handled before, as far as that is noted. */
export interface Arrival<T extends EventType = EventType> {
  readonly tenant: Tenant;
  /** Its `text` is the envelope as it was written, byte for byte. */
  readonly event: EventEnvelope<T> & { readonly text: string };
}

export interface Inbox {
  /** Lets the batch in hand end. */
  stop(): Promise<void>;
}

/** Messages on their way at once, of up to 400 kB each. */
const PENDING_MAX = 32;
/** A transaction takes in messages until it has this many events. */
const EVENTS_WANTED = 256;
const WAIT_MS = 2_000;
const ACK_WAIT_MS = 30_000;
const TROUBLE_MS = 500;
const RETRY_MS = 1_000;
const RETRY_MS_MAX = 60_000;
const DELIVERIES_MAX = 15;

/** A message and what of it is wanted. */
interface Parcel {
  readonly delivery: BusMessage;
  readonly items: readonly Head[];
}

/** An envelope that is taken apart once it is read: many handlers want no more than its type. */
class Received implements EnvelopeOf<EventType> {
  readonly id: string;
  readonly type: EventType;
  readonly sequence: number;
  readonly text: string;
  #whole: EventEnvelope | null = null;

  constructor({ id, type, sequence }: Head, text: string) {
    this.id = id;
    // As its writer typed it: a Transaction emits no other.
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

const matcher = (types: readonly string[]): ((type: string) => boolean) => {
  const exact = new Set(types);
  const groups = types.filter((type) => type.endsWith('.*')).map((type) => type.slice(0, -1));
  if (exact.has('*')) return () => true;
  return (type) => exact.has(type) || groups.some((group) => type.startsWith(group));
};

export const startInbox = <T extends EventType>(options: InboxOptions<T>): Inbox => {
  const { postgres, bus, namespace, log, name } = options;
  const wants = matcher(options.types);
  const deliveriesMax = options.deliveriesMax ?? DELIVERIES_MAX;
  const retryMs = options.retryMs ?? RETRY_MS;
  let stopped = false;
  let streamReady = false;
  const stream = eventStream(namespace, bus.replicas);
  const consumer = bus.consumer({
    stream: stream.name,
    durable: name,
    filterSubjects: wantedSubjects(namespace, options.types),
    ackWaitMs: ACK_WAIT_MS,
    pendingMax: PENDING_MAX,
  });

  /** Those not handled before; from here on they count as handled. */
  const note = async ({ sql }: Transaction, heads: readonly Head[]): Promise<readonly Head[]> => {
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

  /** What the log says of them; what it does not hold any more, as of a sandbox that was reset, never happened. */
  const read = async ({ sql }: Pick<Transaction, 'sql'>, heads: readonly Head[]): Promise<Arrival<T>[]> => {
    const rows = await sql<{ place: number; payload: string }[]>`
      select told.place, event.payload
      from unnest(${heads.map(({ tenant }) => tenant.store)}::uuid[],
        ${heads.map(({ tenant }) => tenant.environment)}::text[], ${heads.map(({ id }) => id)}::text[]
      ) with ordinality as told (store, environment, id, place)
      cross join lateral (
        select payload from runtime.event as logged
        where logged.store = told.store and logged.environment = told.environment and logged.id = told.id limit 1
      ) as event
      order by told.place`;
    return rows.map(({ place, payload }) => {
      const head = heads[place - 1]!;
      // The stream is filtered by `types`: what comes is one of these.
      return { tenant: head.tenant, event: new Received(head, payload) as unknown as Arrival<T>['event'] };
    });
  };

  /** Without those of a sandbox that were told before it began anew, or is just doing so. */
  const living = async ({ sql }: Transaction, heads: readonly Head[]): Promise<readonly Head[]> => {
    const life = await enter(
      sql,
      heads.map(({ tenant }) => tenant),
    );
    return heads.filter(({ tenant, sequence }) => !life(tenant).shut && sequence >= life(tenant).since);
  };

  /** All in one transaction. */
  const handle = async (items: readonly Head[]): Promise<void> => {
    const due = (await options.due?.(items)) ?? items;
    if (due.length === 0) return;
    await postgres.transaction(async (tx) => {
      const heads = await living(tx, await note(tx, due));
      if (heads.length === 0) return;
      await options.hearAll?.(tx, heads);
      if (!options.handle && !options.handleAll) return;
      const arrivals = await read(tx, heads);
      for (const { event, tenant } of arrivals) await options.handle?.(tx, event, tenant);
      if (arrivals.length > 0) await options.handleAll?.(tx, arrivals);
    });
  };

  const bury = async (head: Head, problem: unknown): Promise<void> => {
    const { id, type } = head;
    const [arrival] = await read(postgres, [head]);
    await postgres.sql`
      insert into runtime.dead_event (consumer, event, payload, problem)
      values (${name}, ${id}, ${arrival?.event.text ?? ''}, ${String(problem).slice(0, 2_000)})
      on conflict (consumer, event) do update set problem = excluded.problem, died_at = now()`;
    log.error({ err: problem, consumer: name, event: id, type }, 'an event is given up');
  };

  /** Whether nothing more is to be done about it. */
  const handleOne = async (head: Head, deliveries: number): Promise<boolean> => {
    try {
      await handle([head]);
      return true;
    } catch (problem) {
      if (problem instanceof Unavailable) throw problem;
      if (deliveries < deliveriesMax) {
        log.warn({ err: problem, consumer: name, event: head.id, deliveries }, 'an event will be tried again');
        return false;
      }
      await bury(head, problem);
      return true;
    }
  };

  const handleApart = async ({ delivery, items }: Parcel): Promise<void> => {
    const { deliveries } = delivery;
    let done = true;
    for (const item of items) done = (await handleOne(item, deliveries)) && done;
    if (done) delivery.ack();
    else delivery.retry(Math.min(RETRY_MS_MAX, retryMs * 2 ** (deliveries - 1)));
  };

  const handleTogether = async (parcels: readonly Parcel[]): Promise<void> => {
    try {
      await handle(parcels.flatMap(({ items }) => items));
      for (const { delivery } of parcels) delivery.ack();
    } catch (problem) {
      if (problem instanceof Unavailable) throw problem;
      // One of the events is at fault: each by itself, so that the others pass.
      for (const parcel of parcels) await handleApart(parcel);
    }
  };

  const wanted = (delivery: BusMessage): Parcel => {
    const items: Head[] = [];
    for (const head of unpackEvents(delivery.bytes, !saysUnfollowed(delivery))) {
      if (head === null) log.error({ consumer: name, sequence: delivery.sequence }, 'no event: left out');
      else if (wants(head.type)) items.push(head);
    }
    return { delivery, items };
  };

  const handleAll = async (deliveries: readonly BusMessage[]): Promise<void> => {
    let parcels: Parcel[] = [];
    let events = 0;
    for (const delivery of deliveries) {
      const parcel = wanted(delivery);
      if (parcel.items.length === 0) {
        delivery.ack();
        continue;
      }
      parcels.push(parcel);
      events += parcel.items.length;
      if (events < EVENTS_WANTED) continue;
      await handleTogether(parcels);
      parcels = [];
      events = 0;
    }
    if (parcels.length > 0) await handleTogether(parcels);
  };

  const step = async (): Promise<void> => {
    let deliveries: readonly BusMessage[] = [];
    try {
      if (!postgres.available) throw new Unavailable('The database does not answer.');
      if (!streamReady) await bus.ensureStream(stream);
      streamReady = true;
      deliveries = await consumer.next(PENDING_MAX, WAIT_MS);
      await handleAll(deliveries);
    } catch (problem) {
      log.debug({ err: problem, consumer: name }, 'events wait');
      for (const delivery of deliveries) delivery.retry(TROUBLE_MS);
      streamReady = false;
      await new Promise((resolve) => setTimeout(resolve, TROUBLE_MS).unref());
    }
  };

  const running = (async () => {
    while (!stopped) await step();
  })();

  return {
    stop: async () => {
      stopped = true;
      consumer.close();
      await running;
      consumer.close();
    },
  };
};

const KEPT_DAYS = 14;

/** Forgets notes older than anything the stream could deliver again; returns how many. */
export const sweepInbox = ({ sql }: Postgres): Promise<number> =>
  inSlices(async (limit) => {
    const gone = await sql`
      delete from runtime.inbox where ctid in (
        select ctid from runtime.inbox where handled_at < now() - make_interval(days => ${KEPT_DAYS}) limit ${limit}
      )`;
    return gone.count;
  });

/** Forgets events that were given up before. At most a bounded number; how many. */
export const forgetDead = async (sql: Sql, before: Date, limit: number): Promise<number> => {
  const gone = await sql`
    delete from runtime.dead_event where ctid = any(array(
      select ctid from runtime.dead_event where died_at < ${before} limit ${limit}))`;
  return gone.count;
};

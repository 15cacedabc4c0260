// Events on their way out: written in the transaction that causes them, and put from there into the log, in the order
// written, without leaving Postgres; then JetStream tells that they happened, at least once and in the same order. While
// the bus is away that waits in Postgres and keeps no writer waiting.
import type { EventObjects, EventType } from '#proto/gen/event_map.ts';
import type { Bus, StreamOptions } from './bus.ts';
import { type Tenant, tenantKey } from './call.ts';
import type { Clock } from './clock.ts';
import { batchSubject, type Pack, packEvents } from './event_batch.ts';
import { eventId, eventSuffixes, momentIn } from './event_id.ts';
import { failpoint } from './failpoint.ts';
import type { Log } from './log.ts';
import type { Postgres, Sql } from './postgres.ts';
import type { Event, WrittenEvent } from './transaction.ts';

/** What stays of a resource that is too large for a webhook. */
export interface TruncatedObject {
  readonly id: string | null;
  readonly truncated: true;
}

/** The specification's webhook envelope, of one type of event. */
export interface EnvelopeOf<T extends EventType> {
  readonly id: string;
  readonly type: T;
  readonly created_at: string;
  readonly store_id: string;
  readonly api_version: 'v1';
  readonly data: { readonly object: EventObjects[T] | TruncatedObject };
  readonly previous_attributes?: Record<string, unknown>;
  /** Of two events of one object the later has the larger. */
  readonly sequence: number;
}

/** The envelope of one of these types: its type says what its object holds. */
export type Envelope<T extends EventType = EventType> = { readonly [K in T]: EnvelopeOf<K> }[T];

/** "Payload size: at most 256 KB"; read as thousands, which satisfies either reading. */
const ENVELOPE_BYTES_MAX = 256_000;
/** `,"sequence":9007199254740991}` is added to what is bounded here. */
const SEQUENCE_BYTES = 30;
const DRAFT_BYTES_MAX = ENVELOPE_BYTES_MAX - SEQUENCE_BYTES;

const fits = (text: string): boolean =>
  text.length * 3 <= DRAFT_BYTES_MAX || Buffer.byteLength(text) <= DRAFT_BYTES_MAX;

/** In one line, as all JSON is that this house writes. */
const objectText = (object: Event['object'] | string): string => {
  if (typeof object !== 'string') return JSON.stringify(object);
  return object.includes('\n') ? object.replaceAll('\n', ' ') : object;
};

const truncated = (object: Event['object'] | string): string => {
  const resource: { readonly id?: unknown } = typeof object === 'string' ? JSON.parse(object) : object;
  return JSON.stringify({ id: resource.id ?? null, truncated: true });
};

/**
 * The envelope without its end: its place in line is given by the database. What is too large for a webhook shrinks to
 * the resource's id; its reader fetches the rest.
 */
const draft = (id: string, { tenant, event, createdAt }: AnyOccurrence): string => {
  const { type, object, previousAttributes } = event;
  // Nothing of these needs to be escaped.
  const known = `"id":"${id}","type":"${type}","created_at":"${createdAt.toISOString()}","store_id":"${tenant.store}"`;
  const head = `{${known},"api_version":"v1","data":{"object":`;
  const previous =
    previousAttributes === undefined ? '' : `,"previous_attributes":${JSON.stringify(previousAttributes)}`;
  const whole = `${head}${objectText(object)}}${previous}`;
  if (fits(whole)) return whole;
  const small = `${head}${truncated(object)}}`;
  return fits(small + previous) ? small + previous : small;
};

/** An event, whose it is and when it came about by that tenant's clock. */
export interface Occurrence<E extends Event | WrittenEvent = Event> {
  readonly tenant: Tenant;
  readonly event: E;
  readonly createdAt: Date;
}

export type AnyOccurrence = Occurrence<Event | WrittenEvent>;

/** What goes into one row of the outbox, and so into the log with one statement. */
const PACK_EVENTS_MAX = 1_000;
const PACK_BYTES_WANTED = 700_000;
/** Stands in no JSON as it is. */
const BETWEEN_PACKS = '\u001e';

interface Draft {
  readonly tenant: Tenant;
  readonly heads: string[];
  readonly drafts: string[];
  length: number;
}

/** By tenant, each one's in their order. */
const packsOf = (occurrences: readonly AnyOccurrence[]): Draft[] => {
  const suffixes = eventSuffixes(occurrences.length);
  const packs: Draft[] = [];
  const open = new Map<string, Draft>();
  occurrences.forEach((occurrence, at) => {
    const { tenant, event, createdAt } = occurrence;
    const key = tenantKey(tenant);
    let pack = open.get(key);
    if (!pack || pack.heads.length >= PACK_EVENTS_MAX || pack.length >= PACK_BYTES_WANTED) {
      pack = { tenant, heads: [], drafts: [], length: 0 };
      packs.push(pack);
      open.set(key, pack);
    }
    const id = eventId(createdAt.getTime(), suffixes[at]);
    const text = draft(id, occurrence);
    pack.heads.push(`${event.type} ${id}`);
    pack.drafts.push(text);
    pack.length += text.length;
  });
  return packs;
};

/** What was told together, with the place in line of each event. */
const drawn = (sql: Sql, occurrences: readonly AnyOccurrence[]) => {
  const packs = packsOf(occurrences);
  // A line each: a list of long texts would be escaped here and read there character by character.
  const heads = packs.map((pack) => pack.heads.join('\n')).join(BETWEEN_PACKS);
  const drafts = packs.map((pack) => pack.drafts.join('\n')).join(BETWEEN_PACKS);
  return sql`
    drawn as materialized (
      select pack.*, array(select nextval('runtime.outbox_position_seq') from generate_series(1, events)) as positions
      from rows from (
        unnest(
          ${packs.map(({ tenant }) => tenant.store)}::uuid[], ${packs.map(({ tenant }) => tenant.environment)}::text[],
          ${packs.map((pack) => pack.heads.length)}::integer[]),
        string_to_table(${heads}::text, ${BETWEEN_PACKS}::text), string_to_table(${drafts}::text, ${BETWEEN_PACKS}::text)
      ) as pack (store, environment, events, heads, drafts)
    )`;
};

/** Puts each event of some packs into the log. */
const intoLog = (sql: Sql, loggedAt: Date) => sql`
  insert into runtime.event (store, environment, id, type, sequence, created_at, payload, logged_at)
  select store, environment, split_part(head, ' ', 2), split_part(head, ' ', 1), place,
    ${momentIn(sql, sql`head`)}, draft || ',"sequence":' || place || '}',
    ${loggedAt}::timestamptz`;

/**
 * Writes the events within the caller's transaction, all of them in one statement. Their places in line are drawn while
 * it holds whatever it changes, so that they follow the changes of each object.
 */
export const writeEvents = async (sql: Sql, occurrences: readonly AnyOccurrence[]): Promise<void> => {
  await sql`
    with ${drawn(sql, occurrences)}
    insert into runtime.outbox (position, store, environment, heads, positions, drafts)
    overriding system value
    select positions[events], store, environment, heads, positions, drafts from drawn`;
};

/**
 * Whether nothing that was told waits for the log. Asked before the transaction writes anything, whoever follows the log
 * meets what the transaction itself logs behind all that was told before. It asks for the first one: whether there is any
 * would be looked for row by row among all that waits for the bus.
 */
export const nothingWaits = (sql: Sql) =>
  sql`(select min(position) from runtime.outbox where drafts is not null) is null`;

/** The same where nothing waits: straight into the log, so that what is left to do is to publish it. */
export const logEvents = async (sql: Sql, occurrences: readonly AnyOccurrence[], loggedAt: Date): Promise<void> => {
  await sql`
    with ${drawn(sql, occurrences)}, logged as (
      ${intoLog(sql, loggedAt)}
      from drawn
      cross join lateral rows from (
        string_to_table(heads, chr(10)), unnest(positions), string_to_table(drafts, chr(10))
      ) as event (head, place, draft)
    )
    insert into runtime.outbox (position, store, environment, heads, positions)
    overriding system value
    select positions[events], store, environment, heads, positions from drawn`;
};

/** A mark among the events: it travels behind what was committed before it, and leaves nothing in the log. Its id. */
export const writeMark = async (sql: Sql, { store, environment }: Tenant, type: string): Promise<string> => {
  const id = eventId(0);
  await sql`
    insert into runtime.outbox (position, store, environment, heads, positions)
    overriding system value
    select place, ${store}, ${environment}, ${`${type} ${id}`}, array[place]
    from nextval('runtime.outbox_position_seq') as place`;
  return id;
};

export interface OutboxOptions {
  readonly postgres: Postgres;
  readonly bus: Bus;
  readonly namespace: string;
  /** When what is in the log was put there, by the house's clock, as whoever forgets old events asks. */
  readonly clock: Clock;
  readonly log: Log;
}

export interface Outbox {
  /** Publishes what is there now instead of at the next look. */
  wake(): void;
  /** Lets the batch in flight end. */
  stop(): Promise<void>;
}

/** Rows of the outbox. */
const BATCH_MAX = 256;
const LOGGED_BYTES_WANTED = 2_000_000;
/** Of heads: as lines they are less than three times as long, and less than a broker takes in one message, 1 MB. */
const PUBLISHED_BYTES_WANTED = 100_000;
const LOOK_MS = 1_000;
/** Another process publishes now: what we know of may have come after it looked. */
const BUSY_MS = 50;
const TROUBLE_MS = 500;
/** First half of a lock name of two integers; the second says which lock of the runtime's. */
const LOCK_SPACE = 1_937_010_529;
const LOCK_OUTBOX = 1;

export const eventStream = (namespace: string, replicas: number): StreamOptions => ({
  name: `${namespace.toUpperCase().replace(/[^A-Z0-9_-]/g, '_')}_EVENTS`,
  subjects: [`${namespace}.event.>`],
  ageMsMax: 7 * 24 * 3_600_000,
  messagesMax: -1,
  // A million events or two. A stream that filled the broker's disk would keep the actors from writing, too.
  bytesMax: 2 * 1024 ** 3,
  duplicateMs: 120_000,
  replicas,
});

/** Behind every position. */
const LAST = Number.MAX_SAFE_INTEGER;

interface Row extends Pack {
  readonly position: number;
}

type Progress = 'all' | 'more' | 'busy';

/** The last position of a batch that nobody heard the outcome of: sent again as it was, the broker recognises it. */
interface Doubt {
  until: number | null;
}

/** Under a lock that only one process of all can hold; the lock goes with the transaction. */
const alone = ({ postgres }: OutboxOptions, run: (sql: Sql) => Promise<Progress>): Promise<Progress> =>
  postgres.transaction(async ({ sql }): Promise<Progress> => {
    const [lock] = await sql<{ held: boolean }[]>`
      select pg_try_advisory_xact_lock(${LOCK_SPACE}, ${LOCK_OUTBOX}) as held`;
    return lock?.held ? run(sql) : 'busy';
  });

/** Whether anything waits, without a lock: asked where nobody said so. */
const anythingWaits = async (sql: Sql): Promise<boolean> => {
  const [row] = await sql<{ waits: boolean }[]>`select exists (select from runtime.outbox) as waits`;
  return row!.waits;
};

/** One batch into the log: one transaction after the other, so that who follows the log meets them in their order. */
const logBatch = (options: OutboxOptions): Promise<Progress> =>
  alone(options, async (sql) => {
    const { count } = await sql`
      with pack as materialized (
        select position from (
          select position, bytes, sum(bytes) over (order by position) as total
          from (
            select position, octet_length(drafts) as bytes from runtime.outbox
            where drafts is not null order by position limit ${BATCH_MAX}
          ) as first
        ) as counted
        where total - bytes < ${LOGGED_BYTES_WANTED}
      ), logged as (
        ${intoLog(sql, new Date(options.clock.real()))}
        from pack
        cross join lateral (select * from runtime.outbox as kept where kept.position = pack.position limit 1) as outbox
        cross join lateral rows from (
          string_to_table(heads, chr(10)), unnest(positions), string_to_table(drafts, chr(10))
        ) as event (head, place, draft)
        on conflict do nothing
      )
      update runtime.outbox set drafts = null where position in (select position from pack)`;
    return count === 0 ? 'all' : 'more';
  });

/** One batch of what stands in the log, up to what does not. */
const publishBatch = (options: OutboxOptions, doubt: Doubt): Promise<Progress> =>
  alone(options, async (sql) => {
    const { bus, namespace } = options;
    const { until } = doubt;
    // Whether the rows are gone for good need not be known at once: they would be published again, and recognised.
    await sql`set local synchronous_commit = off`;
    const rows = await sql<Row[]>`
      delete from runtime.outbox where position in (
        select position from (
          select position, bytes, sum(bytes) over (order by position) as total
          from (
            select position, octet_length(heads) as bytes from runtime.outbox
            where position < coalesce((select min(position) from runtime.outbox where drafts is not null), ${LAST})
              ${until === null ? sql`` : sql`and position <= ${until}`}
            order by position limit ${BATCH_MAX}
          ) as first
        ) as counted
        where total - bytes < ${PUBLISHED_BYTES_WANTED}
      )
      returning position, store, environment, heads, array_to_string(positions, ' ') as places`;
    doubt.until = null;
    if (rows.length === 0) return until === null ? 'all' : 'more';
    rows.sort((a, b) => a.position - b.position);
    for (const { store } of rows) failpoint('publish', store);
    const [first, last] = [rows[0]!, rows.at(-1)!];
    doubt.until = last.position;
    const [id] = first.heads.split('\n', 1);
    await bus.append(batchSubject(namespace, rows), packEvents(rows), { id: `${id} ${last.position} ${rows.length}` });
    return 'more';
  });

export const startOutbox = (options: OutboxOptions): Outbox => {
  const { postgres, bus, log } = options;
  let stopped = false;
  let woken = false;
  let rouse: (() => void) | null = null;
  let streamReady = false;
  let troubled = false;
  /** Nothing was left when it was last looked at. */
  let empty = false;
  const doubt: Doubt = { until: null };

  const wake = (): void => {
    woken = true;
    rouse?.();
  };
  const rest = (ms: number, wakeable: boolean): Promise<void> =>
    new Promise((resolve) => {
      const timer = setTimeout(done, ms);
      timer.unref();
      function done(): void {
        clearTimeout(timer);
        rouse = null;
        resolve();
      }
      rouse = () => {
        if (wakeable || stopped) done();
      };
      if (stopped || (wakeable && woken)) done();
    });

  const publish = async (): Promise<Progress> => {
    if (!bus.connected) {
      streamReady = false;
      return 'all';
    }
    if (!streamReady) await bus.ensureStream(eventStream(options.namespace, bus.replicas));
    streamReady = true;
    const progress = await publishBatch(options, doubt);
    if (progress !== 'busy') doubt.until = null;
    if (troubled) log.info('events are published again');
    troubled = false;
    return progress;
  };

  const step = async (): Promise<void> => {
    const called = woken;
    woken = false;
    try {
      if (called || !empty || !streamReady || (await anythingWaits(postgres.sql))) {
        empty = false;
        const progress = [await logBatch(options), await publish()];
        if (progress.includes('busy')) return await rest(BUSY_MS, false);
        if (progress.includes('more')) return;
        empty = true;
      }
      await rest(LOOK_MS * (0.75 + Math.random() / 2), true);
    } catch (problem) {
      empty = false;
      if (!troubled) log.warn({ err: problem }, 'events wait: they cannot be published now');
      troubled = true;
      await rest(TROUBLE_MS, false);
    }
  };

  const unhear = postgres.onEmit(wake);
  const unstate = bus.onState((connected) => {
    streamReady = false;
    if (connected) wake();
  });
  const running = (async () => {
    while (!stopped) await step();
  })();

  return {
    wake,
    stop: async () => {
      stopped = true;
      unhear();
      unstate();
      rouse?.();
      await running;
    },
  };
};

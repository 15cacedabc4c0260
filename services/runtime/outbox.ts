// Events on their way out: written in the transaction that causes them, published to JetStream from there. At least
// once, in the order written; while the bus is away they wait in Postgres and keep no writer waiting.
import { randomBytes } from 'node:crypto';
import type { Bus, StreamOptions } from './bus.ts';
import type { Tenant } from './call.ts';
import { batchSubject, type Packed, packEvents } from './event_batch.ts';
import { failpoint } from './failpoint.ts';
import type { Log } from './log.ts';
import type { Postgres, Sql } from './postgres.ts';
import type { Event, WrittenEvent } from './transaction.ts';

/** The specification's webhook envelope. */
export interface Envelope {
  readonly id: string;
  readonly type: string;
  readonly created_at: string;
  readonly store_id: string;
  readonly api_version: 'v1';
  readonly data: { readonly object: Record<string, unknown> };
  readonly previous_attributes?: Record<string, unknown>;
  /** Of two events of one object the later has the larger. */
  readonly sequence: number;
}

/** "Payload size: at most 256 KB"; read as thousands, which satisfies either reading. */
const ENVELOPE_BYTES_MAX = 256_000;
/** `,"sequence":9007199254740991}` is added to what is bounded here. */
const SEQUENCE_BYTES = 30;
const DRAFT_BYTES_MAX = ENVELOPE_BYTES_MAX - SEQUENCE_BYTES;
const ID_SUFFIX_BYTES = 8;

const fits = (text: string): boolean =>
  text.length * 3 <= DRAFT_BYTES_MAX || Buffer.byteLength(text) <= DRAFT_BYTES_MAX;

/** In one line, as all JSON is that this house writes. */
const objectText = (object: Event['object'] | string): string => {
  if (typeof object !== 'string') return JSON.stringify(object);
  return object.includes('\n') ? object.replaceAll('\n', ' ') : object;
};

const truncated = (object: Event['object'] | string): string => {
  const { id } = typeof object === 'string' ? (JSON.parse(object) as Record<string, unknown>) : object;
  return JSON.stringify({ id: id ?? null, truncated: true });
};

/**
 * The envelope without its end: its place in line is given by the database. What is too large for a webhook shrinks to
 * the resource's id; its reader fetches the rest.
 */
const draft = (id: string, { tenant, event, createdAt }: AnyOccurrence): string => {
  const { type, object, previousAttributes } = event;
  const known = { id, type, created_at: createdAt.toISOString(), store_id: tenant.store, api_version: 'v1' };
  const head = `${JSON.stringify(known).slice(0, -1)},"data":{"object":`;
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

/**
 * Writes the events within the caller's transaction, all of them in one statement. Their places in line are drawn while
 * it holds whatever it changes, so that they follow the changes of each object.
 */
export const writeEvents = async (sql: Sql, occurrences: readonly AnyOccurrence[]): Promise<void> => {
  const random = randomBytes(ID_SUFFIX_BYTES * occurrences.length).toString('hex');
  const width = 2 * ID_SUFFIX_BYTES;
  const ids = occurrences.map(
    ({ createdAt }, at) => `evt_${createdAt.getTime()}_${random.slice(at * width, at * width + width)}`,
  );
  // A line each: a list of long texts would be escaped here and read there character by character.
  const drafts = occurrences.map((occurrence, at) => draft(ids[at]!, occurrence)).join('\n');
  await sql`
    insert into runtime.outbox (position, id, store, environment, type, payload)
    overriding system value
    select position, id, store, environment, type, draft || ',"sequence":' || position || '}'
    from (
      select nextval(pg_get_serial_sequence('runtime.outbox', 'position')) as position, event.* from rows from (
        unnest(
          ${ids}::text[], ${occurrences.map(({ tenant }) => tenant.store)}::uuid[],
          ${occurrences.map(({ tenant }) => tenant.environment)}::text[],
          ${occurrences.map(({ event }) => event.type)}::text[]),
        string_to_table(${drafts}::text, chr(10))
      ) with ordinality as event (id, store, environment, type, draft, place)
      order by place
    ) as drawn`;
};

export interface OutboxOptions {
  readonly postgres: Postgres;
  readonly bus: Bus;
  readonly namespace: string;
  readonly log: Log;
  /** Copies of the stream in a cluster. */
  readonly replicas?: number;
}

export interface Outbox {
  /** Publishes what is there now instead of at the next look. */
  wake(): void;
  /** Lets the batch in flight end. */
  stop(): Promise<void>;
}

const BATCH_MAX = 256;
/** With one more event, and what stands before each, it is still less than a broker takes in one message: 1 MB. */
const BATCH_BYTES_WANTED = 700_000;
const LOOK_MS = 1_000;
/** Another process publishes now: what we know of may have come after it looked. */
const BUSY_MS = 50;
const TROUBLE_MS = 500;
/** First half of a lock name of two integers; the second says which lock of the runtime's. */
const LOCK_SPACE = 1_937_010_529;
const LOCK_OUTBOX = 1;

/** STOA_NATS_REPLICAS: copies of every stream in a NATS cluster. */
export const replicasWanted = (): number => Number(process.env.STOA_NATS_REPLICAS) || 1;

export const eventStream = (namespace: string, replicas = replicasWanted()): StreamOptions => ({
  name: `${namespace.toUpperCase().replace(/[^A-Z0-9_-]/g, '_')}_EVENTS`,
  subjects: [`${namespace}.event.>`],
  ageMsMax: 7 * 24 * 3_600_000,
  messagesMax: -1,
  // A million events or two. A stream that filled the broker's disk would keep the actors from writing, too.
  bytesMax: 2 * 1024 ** 3,
  duplicateMs: 120_000,
  replicas,
});

interface Row extends Packed {
  readonly position: number;
  readonly id: string;
}

type Progress = 'all' | 'more' | 'busy';

/** The last position of a batch that nobody heard the outcome of: sent again as it was, the broker recognises it. */
interface Doubt {
  until: number | null;
}

/** One batch, under a lock that only one process of all can hold; the lock goes with the transaction. */
const publishBatch = ({ postgres, bus, namespace }: OutboxOptions, doubt: Doubt): Promise<Progress> =>
  postgres.transaction(async ({ sql }): Promise<Progress> => {
    // Whether the rows are gone for good need not be known at once: they would be published again, and recognised.
    const [lock] = await sql<{ held: boolean }[]>`
      select pg_try_advisory_xact_lock(${LOCK_SPACE}, ${LOCK_OUTBOX}) as held,
        set_config('synchronous_commit', 'off', true)`;
    if (!lock?.held) return 'busy';
    const { until } = doubt;
    const rows = await sql<Row[]>`
      delete from runtime.outbox where position in (
        select position from (
          select position, octet_length(payload) as bytes, sum(octet_length(payload)) over (order by position) as total
          from (
            select position, payload from runtime.outbox
            ${until === null ? sql`` : sql`where position <= ${until}`} order by position limit ${BATCH_MAX}
          ) as first
        ) as counted
        where total - bytes < ${BATCH_BYTES_WANTED}
      )
      returning position, id, store, environment, type, payload`;
    doubt.until = null;
    if (rows.length === 0) return until === null ? 'all' : 'more';
    rows.sort((a, b) => a.position - b.position);
    for (const { store } of rows) failpoint('publish', store);
    const [first, last] = [rows[0]!, rows.at(-1)!];
    doubt.until = last.position;
    const packed = packEvents(rows);
    await bus.append(batchSubject(namespace, rows), packed, { id: `${first.id} ${last.id} ${rows.length}` });
    const filled = rows.length === BATCH_MAX || packed.length >= BATCH_BYTES_WANTED;
    return filled || until !== null ? 'more' : 'all';
  });

export const startOutbox = (options: OutboxOptions): Outbox => {
  const { postgres, bus, log } = options;
  let stopped = false;
  let woken = false;
  let rouse: (() => void) | null = null;
  let streamReady = false;
  let troubled = false;
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

  const step = async (): Promise<void> => {
    if (!bus.connected) {
      streamReady = false;
      return rest(LOOK_MS, false);
    }
    woken = false;
    try {
      if (!streamReady) await bus.ensureStream(eventStream(options.namespace, options.replicas));
      streamReady = true;
      const progress = await publishBatch(options, doubt);
      if (progress !== 'busy') doubt.until = null;
      if (troubled) log.info('events are published again');
      troubled = false;
      if (progress === 'all') await rest(LOOK_MS * (0.75 + Math.random() / 2), true);
      if (progress === 'busy') await rest(BUSY_MS, false);
    } catch (problem) {
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

// Events on their way out: written in the transaction that causes them, published to JetStream from there. At least
// once, in the order written; while the bus is away they wait in Postgres and keep no writer waiting.
import { randomBytes } from 'node:crypto';
import type { Bus, StreamOptions } from './bus.ts';
import type { Tenant } from './call.ts';
import { type Packed, packEvents } from './event_batch.ts';
import { failpoint } from './failpoint.ts';
import type { Log } from './log.ts';
import type { Postgres, Sql } from './postgres.ts';
import type { Event } from './transaction.ts';

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

/** What its writer knows: the place in line is given by the database. */
type Draft = Omit<Envelope, 'sequence'>;

/** "Payload size: at most 256 KB"; read as thousands, which satisfies either reading. */
const ENVELOPE_BYTES_MAX = 256_000;
/** `,"sequence":9007199254740991` is added to what is bounded here. */
const SEQUENCE_BYTES = 29;
const DRAFT_BYTES_MAX = ENVELOPE_BYTES_MAX - SEQUENCE_BYTES;
const ID_SUFFIX_BYTES = 8;

const envelope = (tenant: Tenant, event: Event, createdAt: Date, suffix: string): Draft => ({
  id: `evt_${createdAt.getTime()}_${suffix}`,
  type: event.type,
  created_at: createdAt.toISOString(),
  store_id: tenant.store,
  api_version: 'v1',
  data: { object: event.object },
  ...(event.previousAttributes === undefined ? {} : { previous_attributes: event.previousAttributes }),
});

/** What is too large for a webhook shrinks to the resource's id; its reader fetches the rest. */
const bounded = (whole: Draft): string => {
  const text = JSON.stringify(whole);
  if (text.length * 3 <= DRAFT_BYTES_MAX || Buffer.byteLength(text) <= DRAFT_BYTES_MAX) return text;
  const { previous_attributes: previous, ...rest } = whole;
  const object = { id: whole.data.object.id ?? null, truncated: true };
  const small = { ...rest, data: { object } };
  const told = JSON.stringify(previous === undefined ? small : { ...small, previous_attributes: previous });
  return Buffer.byteLength(told) <= DRAFT_BYTES_MAX ? told : JSON.stringify(small);
};

/** An event, whose it is and when it came about by that tenant's clock. */
export interface Occurrence {
  readonly tenant: Tenant;
  readonly event: Event;
  readonly createdAt: Date;
}

/**
 * Writes the events within the caller's transaction, all of them in one statement. Their places in line are drawn while
 * it holds whatever it changes, so that they follow the changes of each object.
 */
export const writeEvents = async (sql: Sql, occurrences: readonly Occurrence[]): Promise<void> => {
  const random = randomBytes(ID_SUFFIX_BYTES * occurrences.length).toString('hex');
  const width = 2 * ID_SUFFIX_BYTES;
  const envelopes = occurrences.map(({ tenant, event, createdAt }, at) =>
    envelope(tenant, event, createdAt, random.slice(at * width, at * width + width)),
  );
  await sql`
    insert into runtime.outbox (position, id, store, environment, type, payload)
    overriding system value
    select position, id, store, environment, type, payload || ',"sequence":' || position || '}'
    from (select nextval(pg_get_serial_sequence('runtime.outbox', 'position')) as position, event.* from unnest(
      ${envelopes.map(({ id }) => id)}::text[], ${occurrences.map(({ tenant }) => tenant.store)}::uuid[],
      ${occurrences.map(({ tenant }) => tenant.environment)}::text[], ${envelopes.map(({ type }) => type)}::text[],
      ${envelopes.map((each) => bounded(each).slice(0, -1))}::text[]
    ) with ordinality as event (id, store, environment, type, payload, place)
    order by place) as drawn`;
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
/** With one more event it is still less than a broker takes in one message: 1 MB. */
const BATCH_BYTES_WANTED = 512_000;
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

/** What events are published to, many in one message. */
export const eventSubject = (namespace: string): string => `${namespace}.event.batch`;

interface Row extends Packed {
  readonly position: number;
  readonly id: string;
}

type Progress = 'empty' | 'more' | 'busy';

/** The last position of a batch that nobody heard the outcome of: sent again as it was, the broker recognises it. */
interface Doubt {
  until: number | null;
}

/** One batch, under a lock that only one process of all can hold; the lock goes with the transaction. */
const publishBatch = ({ postgres, bus, namespace }: OutboxOptions, doubt: Doubt): Promise<Progress> =>
  postgres.transaction(async ({ sql }): Promise<Progress> => {
    const [lock] = await sql<{ held: boolean }[]>`
      select pg_try_advisory_xact_lock(${LOCK_SPACE}, ${LOCK_OUTBOX}) as held`;
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
    if (rows.length === 0) return until === null ? 'empty' : 'more';
    rows.sort((a, b) => a.position - b.position);
    for (const { store } of rows) failpoint('publish', store);
    const [first, last] = [rows[0]!, rows.at(-1)!];
    doubt.until = last.position;
    await bus.append(eventSubject(namespace), packEvents(rows), { id: `${first.id} ${last.id} ${rows.length}` });
    return 'more';
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
      if (progress === 'more') doubt.until = null;
      if (troubled) log.info('events are published again');
      troubled = false;
      if (progress === 'empty') await rest(LOOK_MS * (0.75 + Math.random() / 2), true);
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

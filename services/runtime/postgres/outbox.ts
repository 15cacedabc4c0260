// Events on their way out: written in the transaction that causes them, and put from there into the log, in the order
// written, without leaving Postgres; then JetStream tells that they happened, at least once and in the same order. While
// the bus is away that waits in Postgres and keeps no writer waiting.
//
// One process does so for all: whose session holds the lock. A commit in the same process wakes it, one elsewhere tells it
// over the bus, and now and then it looks by itself. The lock goes with the session, so that another process takes over at
// once when this one dies, and within seconds when it stands still.

import { batchSubject, packEvents, UNFOLLOWED } from '#runtime/event/batch.ts';
import type { Bus, StreamOptions } from '#runtime/nats/bus.ts';
import type { Clock } from '#runtime/process/clock.ts';
import { failpoint } from '#runtime/process/failpoint.ts';
import type { Log } from '#runtime/process/log.ts';
import type { Postgres, Session } from './database.ts';
import { drainOutbox, type IsFollowed, type PublishableRow } from './outbox_row.ts';

export interface OutboxOptions {
  readonly postgres: Postgres;
  readonly bus: Bus;
  readonly namespace: string;
  /** When what is in the log was put there, by the house's clock, as the sweep of old events asks. */
  readonly clock: Clock;
  readonly log: Log;
  /** Left out: any tenant may be followed. */
  readonly followed?: IsFollowed;
}

export interface Outbox {
  /** Publishes what is there now instead of at the next look. */
  wake(): void;
  /** Lets the batch in flight end. */
  stop(): Promise<void>;
}

/** Of heads: as lines they are less than three times as long, and less than a broker takes in one message, 1 MB. */
const PUBLISHED_BYTES_WANTED = 100_000;
/** What comes close together goes together: an order and its payment, say. */
const GATHER_MS = 20;
/** What was published is deleted with the next batch, or with the next look: never by a statement of its own. */
const LOOK_MS = 2_000;
const TROUBLE_MS = 500;
/** A publisher says something at each look: one that is silent for so long stands still, and its session ends. */
const SILENT_MS_MAX = 5_000;
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

/** How soon something is to be published; `free`: it is another process' turn. */
type Urgency = 'soon' | 'now' | 'free';

const encodeUrgency = (urgency: Urgency): Uint8Array => Buffer.from(urgency);
const decodeUrgency = (bytes: Uint8Array): Urgency => {
  const text = Buffer.from(bytes).toString();
  return text === 'now' || text === 'free' ? text : 'soon';
};

/** What goes into one message. */
const messagesOf = (rows: readonly PublishableRow[]): PublishableRow[][] => {
  const messages: PublishableRow[][] = [];
  let length = PUBLISHED_BYTES_WANTED;
  for (const row of rows) {
    if (length >= PUBLISHED_BYTES_WANTED) {
      messages.push([]);
      length = 0;
    }
    messages.at(-1)!.push(row);
    length += row.heads.length;
  }
  return messages;
};

/** The one who publishes, for as long as the session lasts. */
class Publisher {
  readonly #options: OutboxOptions;
  readonly #session: Session;
  /** Read, and not known to be published: sent again as they were, the broker recognises them. */
  readonly #unsent: PublishableRow[][] = [];
  /** Published, and not deleted yet. */
  #sent: number[] = [];

  constructor(options: OutboxOptions, session: Session) {
    this.#options = options;
    this.#session = session;
  }

  get isGone(): boolean {
    return this.#session.gone;
  }

  /** Into the log; whether more waits for it, or to be published. */
  async log(publishes: boolean): Promise<boolean> {
    const published = this.#sent;
    const read = this.#unsent.flat().map(({ position }) => position);
    const loggedAt = new Date(this.#options.clock.real());
    const { followed } = this.#options;
    const { rows, more } = await drainOutbox(this.#session.sql, { loggedAt, published, read, publishes, followed });
    this.#sent = this.#sent.slice(published.length);
    this.#unsent.push(...messagesOf(rows));
    return more;
  }

  async publish(): Promise<void> {
    const { bus, namespace } = this.#options;
    for (let rows = this.#unsent[0]; rows; rows = this.#unsent[0]) {
      for (const { store } of rows) failpoint('publish', store);
      const [first, last] = [rows[0]!, rows.at(-1)!];
      const [id] = first.heads.split('\n', 1);
      await bus.append(batchSubject(namespace, rows), packEvents(rows), {
        id: `${id} ${last.position} ${rows.length}`,
        ...(rows.some(({ followed }) => followed) ? {} : { headers: UNFOLLOWED }),
      });
      this.#sent.push(...rows.map(({ position }) => position));
      this.#unsent.shift();
    }
  }

  /** Whether it was still this one's turn. */
  async leave(): Promise<boolean> {
    try {
      if (this.#sent.length > 0)
        await this.#session.sql`delete from runtime.outbox where position = any(${this.#sent}::bigint[])`;
      await this.#session.sql`select pg_advisory_unlock(${LOCK_SPACE}, ${LOCK_OUTBOX})`;
      return true;
    } catch {
      return false;
    } finally {
      this.#session.close();
    }
  }
}

/** Null: another process publishes. */
const becomePublisher = async (options: OutboxOptions): Promise<Publisher | null> => {
  const session = await options.postgres.session();
  try {
    const [lock] = await session.sql<{ held: boolean }[]>`
      select pg_try_advisory_lock(${LOCK_SPACE}, ${LOCK_OUTBOX}) as held`;
    if (!lock!.held) {
      session.release();
      return null;
    }
    await session.sql.unsafe(`set idle_session_timeout = ${SILENT_MS_MAX}`);
    return new Publisher(options, session);
  } catch (problem) {
    session.close();
    throw problem;
  }
};

/** Waits that can be cut short. */
class InterruptibleSleep {
  #woken: Urgency | null = null;
  #over = false;
  #rouse: (() => void) | null = null;

  wake(urgency: Urgency): void {
    if (this.#woken !== 'now') this.#woken = urgency;
    this.#rouse?.();
  }

  /** From here on nothing waits any more. */
  end(): void {
    this.#over = true;
    this.#rouse?.();
  }

  /** What it was woken by; null: by nothing. */
  take(): Urgency | null {
    const woken = this.#woken;
    this.#woken = null;
    return woken;
  }

  /** Until it is woken by one of these, at most so long. */
  async for(ms: number, ...by: readonly Urgency[]): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, ms);
    timer.unref();
    this.#rouse = () => {
      if (this.#over || (this.#woken !== null && by.includes(this.#woken))) resolve();
    };
    this.#rouse();
    await promise;
    clearTimeout(timer);
    this.#rouse = null;
  }
}

export const startOutbox = (options: OutboxOptions): Outbox => {
  const { postgres, bus, namespace, log } = options;
  const subject = `${namespace}.outbox`;
  const rest = new InterruptibleSleep();
  let publisher: Publisher | null = null;
  let stopped = false;
  let streamReady = false;
  let troubled = false;

  const publish = async (own: Publisher): Promise<boolean> => {
    if (!bus.connected) streamReady = false;
    const more = await own.log(bus.connected);
    if (!bus.connected) return more;
    if (!streamReady) await bus.ensureStream(eventStream(namespace, bus.replicas));
    streamReady = true;
    await own.publish();
    if (troubled) log.info('events are published again');
    troubled = false;
    return more;
  };

  const step = async (): Promise<void> => {
    try {
      if (publisher?.isGone) publisher = null;
      publisher ??= await becomePublisher(options);
      // Each process that waits looks at a time of its own.
      if (!publisher) return await rest.for(LOOK_MS * (0.75 + Math.random() / 2), 'free');
      // What comes from here on is in this batch, or wakes for the next.
      rest.take();
      if (await publish(publisher)) return;
      await rest.for(LOOK_MS, 'soon', 'now');
      if (rest.take() === 'soon') await rest.for(GATHER_MS, 'now');
    } catch (problem) {
      if (!troubled) log.warn({ err: problem }, 'events wait: they cannot be published now');
      troubled = true;
      await rest.for(TROUBLE_MS);
    }
  };

  const run = async (): Promise<void> => {
    while (!stopped) await step();
    if (await publisher?.leave()) bus.publish(subject, encodeUrgency('free'));
  };

  /** This process hurries if it is the one, else the one is told. */
  const wakePublisher = (urgency: Urgency): void => {
    if (publisher) rest.wake(urgency);
    else bus.publish(subject, encodeUrgency(urgency));
  };
  const stops = [
    postgres.onEmit((urgent) => wakePublisher(urgent ? 'now' : 'soon')),
    bus.subscribe(subject, (bytes) => {
      const urgency = decodeUrgency(bytes);
      if ((urgency === 'free') === (publisher === null)) rest.wake(urgency);
    }),
    bus.onState((connected) => {
      streamReady = false;
      if (connected && publisher) rest.wake('now');
    }),
  ];
  const running = run();

  return {
    wake: () => rest.wake('now'),
    stop: async () => {
      stopped = true;
      for (const stop of stops) stop();
      rest.end();
      await running;
    },
  };
};

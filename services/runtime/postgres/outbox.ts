// Publishes events. Transactions write events to the outbox; one process moves them in order to the event log and
// publishes them on JetStream at least once. While the bus is disconnected they wait in Postgres and block no writer.
// The publisher is the process whose session holds an advisory lock. Local commits, messages from other processes and a
// timer wake it. The lock ends with the session, so another process takes over at once after a crash, and within
// seconds after a freeze.

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
  /** Real time, which the retention of events uses as well. */
  readonly clock: Clock;
  readonly log: Log;
  readonly followed?: IsFollowed;
}

export interface Outbox {
  wake(): void;
  stop(): Promise<void>;
}

/**
 * Target size of a message, counted in bytes of the events' head lines. The encoded message is less than three times as
 * long, and so stays below the broker's limit of 1 MB.
 */
const PUBLISHED_BYTES_WANTED = 100_000;
/** Pause in ms that gathers events in quick succession, such as those of an order and its payment. */
const GATHER_MS = 20;
/** Interval of polls in ms. Published rows are deleted together with the next batch or poll, to save a statement. */
const LOOK_MS = 3_000;
const TROUBLE_MS = 500;
/** Silence in ms after which a publisher counts as frozen and its session is ended. */
const SILENT_MS_MAX = 5_000;
/** First half of each advisory lock's name. The second half distinguishes the runtime's locks. */
const LOCK_SPACE = 1_937_010_529;
const LOCK_OUTBOX = 1;

export const eventStream = (namespace: string, replicas: number): StreamOptions => ({
  name: `${namespace.toUpperCase().replace(/[^A-Z0-9_-]/g, '_')}_EVENTS`,
  subjects: [`${namespace}.event.>`],
  ageMsMax: 7 * 24 * 3_600_000,
  messagesMax: -1,
  // Enough for one or two million events. A stream that filled the broker's disk would stop actors from writing.
  bytesMax: 2 * 1024 ** 3,
  duplicateMs: 120_000,
  replicas,
});

/** How soon to publish. `free`: the publisher has left, and another process may take over. */
type Urgency = 'soon' | 'now' | 'free';

const encodeUrgency = (urgency: Urgency): Uint8Array => Buffer.from(urgency);
const decodeUrgency = (bytes: Uint8Array): Urgency => {
  const text = Buffer.from(bytes).toString();
  return text === 'now' || text === 'free' ? text : 'soon';
};

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

class Publisher {
  readonly #options: OutboxOptions;
  readonly #session: Session;
  /**
   * Rows that were read and are not known to be published. These are resent in the same messages, so that the broker
   * recognises duplicates.
   */
  readonly #unsent: PublishableRow[][] = [];
  #sent: number[] = [];

  constructor(options: OutboxOptions, session: Session) {
    this.#options = options;
    this.#session = session;
  }

  get isGone(): boolean {
    return this.#session.gone;
  }

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

class InterruptibleSleep {
  #woken: Urgency | null = null;
  #over = false;
  #rouse: (() => void) | null = null;

  wake(urgency: Urgency): void {
    if (this.#woken !== 'now') this.#woken = urgency;
    this.#rouse?.();
  }

  end(): void {
    this.#over = true;
    this.#rouse?.();
  }

  take(): Urgency | null {
    const woken = this.#woken;
    this.#woken = null;
    return woken;
  }

  /** Sleeps until one of the given urgencies wakes it, at most `ms`. */
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
    if (troubled) log.info('resumed publishing events');
    troubled = false;
    return more;
  };

  const step = async (): Promise<void> => {
    try {
      if (publisher?.isGone) publisher = null;
      publisher ??= await becomePublisher(options);
      // Random variation makes waiting processes poll at different times.
      if (!publisher) return await rest.for(LOOK_MS * (0.75 + Math.random() / 2), 'free');
      rest.take();
      if (await publish(publisher)) return;
      await rest.for(LOOK_MS, 'soon', 'now');
      if (rest.take() === 'soon') await rest.for(GATHER_MS, 'now');
    } catch (problem) {
      if (!troubled) log.warn({ err: problem }, 'failed to publish events; will retry');
      troubled = true;
      await rest.for(TROUBLE_MS);
    }
  };

  const run = async (): Promise<void> => {
    while (!stopped) await step();
    if (await publisher?.leave()) bus.publish(subject, encodeUrgency('free'));
  };

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

// The way to NATS, with a bound on everything. A connection that is lost is replaced by a new one for as long as the
// process lives; nothing is queued in between: callers learn at once that the bus is away.
import { setTimeout as sleep } from 'node:timers/promises';
import {
  AckPolicy,
  type ConsumerConfig,
  connect,
  DeliverPolicy,
  DiscardPolicy,
  ErrorCode,
  type JetStreamClient,
  type JetStreamManager,
  type JsMsg,
  type NatsConnection,
  NatsError,
  nanos,
  RetentionPolicy,
  StorageType,
  type StreamConfig,
  type Subscription,
} from 'nats';
import { Unavailable, UnknownOutcome } from './fault.ts';
import type { Log } from './log.ts';

export interface BusOptions {
  /** `nats://host:port`, or several with commas in between. */
  readonly url: string;
  /** Shown in the server's list of connections. */
  readonly name: string;
  readonly log: Log;
}

export interface StreamOptions {
  readonly name: string;
  readonly subjects: readonly string[];
  readonly ageMsMax: number;
  readonly bytesMax: number;
  /** How long the server recognises a message id. */
  readonly duplicateMs: number;
  readonly replicas: number;
}

export interface AppendOptions {
  /** The server stores a message of this id once within the stream's `duplicateMs`. */
  readonly id: string;
  /** Store only if this is the sequence of the subject's last message. */
  readonly expectedSubjectSequence?: number;
}

export interface Appended {
  readonly sequence: number;
  readonly duplicate: boolean;
}

export interface ConsumerOptions {
  readonly stream: string;
  readonly durable: string;
  readonly filterSubject?: string;
  /** Redelivered when it was not answered within this time. */
  readonly ackWaitMs: number;
  /** Messages out for an answer at once. */
  readonly pendingMax: number;
}

export interface Delivery {
  readonly subject: string;
  readonly bytes: Uint8Array;
  readonly sequence: number;
  /** 1 the first time. */
  readonly deliveries: number;
  ack(): void;
  /** Wants it again, after a while. */
  retry(delayMs: number): void;
}

export interface Consumer {
  /** Up to `max` messages; waits up to `waitMs` for the first one. Throws `Unavailable` while the bus is away. */
  next(max: number, waitMs: number): Promise<Delivery[]>;
}

export interface Bus {
  readonly connected: boolean;
  /** Hears of every change of `connected`. Returns how to stop. */
  onState(hear: (connected: boolean) => void): () => void;
  /** At most once, to whoever listens now. False where nobody can hear it because the bus is away. */
  publish(subject: string, bytes: Uint8Array): boolean;
  /** Lives through reconnects. Of listeners with the same `group` one hears each message. Returns how to stop. */
  subscribe(
    subject: string,
    hear: (bytes: Uint8Array, subject: string) => void,
    options?: { group?: string },
  ): () => void;
  /** Creates the stream, or brings what may be changed of it up to date. */
  ensureStream(options: StreamOptions): Promise<void>;
  /**
   * Stores one message. Throws `Unavailable` where it surely was not stored, `OutOfSequence` where another one came
   * first, `UnknownOutcome` where nobody answered: append it again under the same id.
   */
  append(subject: string, bytes: Uint8Array, options: AppendOptions): Promise<Appended>;
  consumer(options: ConsumerOptions): Promise<Consumer>;
  /** Lets what was published reach the server, then leaves for good. */
  close(): Promise<void>;
}

export class OutOfSequence extends Error {
  constructor(subject: string, cause: unknown) {
    super(`Another message came first on ${subject}.`, { cause });
    this.name = 'OutOfSequence';
  }
}

const DEADLINE_MS = 1_500;
const PING_MS = 1_000;
const PINGS_UNANSWERED_MAX = 2;
const RECONNECT_MS = 100;
const RECONNECT_JITTER_MS = 250;
const WRONG_LAST_SEQUENCE = 10_071;
const STREAM_NAME_IN_USE = 10_058;
const STREAM_NOT_FOUND = 10_059;

const away = (cause?: unknown): Unavailable => new Unavailable('The message bus does not answer.', { cause });

const apiCode = (problem: unknown): number => (problem instanceof NatsError ? (problem.api_error?.err_code ?? 0) : 0);

/** Codes that are given before anything was sent, or by a server that has nobody to store it. */
const NOT_SENT = new Set<string>([ErrorCode.NoResponders, ErrorCode.JetStreamNotEnabled, ErrorCode.ConnectionClosed]);

/** Rejects once the time is up, whatever the library waits for. */
const within = async <T>(work: Promise<T>, limitMs: number): Promise<T> => {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(away()), limitMs);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
};

interface Interest {
  readonly subject: string;
  readonly hear: (bytes: Uint8Array, subject: string) => void;
  readonly group: string | undefined;
  live: Subscription | null;
}

interface Session {
  readonly connection: NatsConnection;
  readonly jetstream: JetStreamClient;
  manager: Promise<JetStreamManager> | null;
}

class NatsBus implements Bus {
  readonly #options: BusOptions;
  readonly #interests = new Set<Interest>();
  readonly #hearers = new Set<(connected: boolean) => void>();
  readonly #closing = new AbortController();
  #session: Session | null = null;

  constructor(options: BusOptions) {
    this.#options = options;
    void this.#live();
  }

  get connected(): boolean {
    return this.#session !== null;
  }

  onState(hear: (connected: boolean) => void): () => void {
    this.#hearers.add(hear);
    return () => this.#hearers.delete(hear);
  }

  publish(subject: string, bytes: Uint8Array): boolean {
    if (!this.#session) return false;
    try {
      this.#session.connection.publish(subject, bytes);
      return true;
    } catch {
      return false;
    }
  }

  subscribe(
    subject: string,
    hear: (bytes: Uint8Array, subject: string) => void,
    options: { group?: string } = {},
  ): () => void {
    const interest: Interest = { subject, hear, group: options.group, live: null };
    this.#interests.add(interest);
    if (this.#session) this.#listen(this.#session.connection, interest);
    return () => {
      this.#interests.delete(interest);
      try {
        interest.live?.unsubscribe();
      } catch {
        // The connection it stood on is gone already.
      }
    };
  }

  async ensureStream(options: StreamOptions): Promise<void> {
    const manager = await this.#manager();
    const changeable = {
      subjects: [...options.subjects],
      max_age: nanos(options.ageMsMax),
      max_bytes: options.bytesMax,
      duplicate_window: nanos(options.duplicateMs),
      num_replicas: options.replicas,
      discard: DiscardPolicy.Old,
    };
    const config: Partial<StreamConfig> = {
      ...changeable,
      name: options.name,
      storage: StorageType.File,
      retention: RetentionPolicy.Limits,
    };
    try {
      await within(manager.streams.info(options.name), DEADLINE_MS);
    } catch (problem) {
      if (apiCode(problem) !== STREAM_NOT_FOUND) throw away(problem);
      try {
        await within(manager.streams.add(config), DEADLINE_MS);
        return;
      } catch (again) {
        // Another process was first, perhaps with an older idea of it.
        if (apiCode(again) !== STREAM_NAME_IN_USE) throw away(again);
      }
    }
    try {
      await within(manager.streams.update(options.name, changeable), DEADLINE_MS);
    } catch (problem) {
      throw apiCode(problem) === 0 ? away(problem) : problem;
    }
  }

  async append(subject: string, bytes: Uint8Array, options: AppendOptions): Promise<Appended> {
    const session = this.#session;
    if (!session) throw away();
    try {
      const sequence = options.expectedSubjectSequence;
      const ack = await session.jetstream.publish(subject, bytes, {
        msgID: options.id,
        timeout: DEADLINE_MS,
        ...(sequence === undefined ? {} : { expect: { lastSubjectSequence: sequence } }),
      });
      return { sequence: ack.seq, duplicate: ack.duplicate };
    } catch (problem) {
      if (apiCode(problem) === WRONG_LAST_SEQUENCE) throw new OutOfSequence(subject, problem);
      if (apiCode(problem) !== 0) throw away(problem);
      if (problem instanceof NatsError && NOT_SENT.has(problem.code) && this.#session !== session)
        throw unheard(problem);
      if (problem instanceof NatsError && NOT_SENT.has(problem.code)) throw away(problem);
      throw unheard(problem);
    }
  }

  async consumer(options: ConsumerOptions): Promise<Consumer> {
    const manager = await this.#manager();
    const config: Partial<ConsumerConfig> = {
      durable_name: options.durable,
      ack_policy: AckPolicy.Explicit,
      deliver_policy: DeliverPolicy.All,
      ack_wait: nanos(options.ackWaitMs),
      max_ack_pending: options.pendingMax,
      ...(options.filterSubject === undefined ? {} : { filter_subject: options.filterSubject }),
    };
    try {
      await within(manager.consumers.add(options.stream, config), DEADLINE_MS);
    } catch (problem) {
      throw away(problem);
    }
    return { next: (max, waitMs) => this.#next(options, max, waitMs) };
  }

  async close(): Promise<void> {
    this.#closing.abort();
    const session = this.#session;
    if (!session) return;
    try {
      await within(session.connection.drain(), DEADLINE_MS);
    } catch {
      await session.connection.close().catch(() => {});
    }
  }

  async #next(options: ConsumerOptions, max: number, waitMs: number): Promise<Delivery[]> {
    const session = this.#session;
    if (!session) throw away();
    try {
      const consumer = await within(session.jetstream.consumers.get(options.stream, options.durable), DEADLINE_MS);
      const messages = await consumer.fetch({ max_messages: max, expires: Math.max(1_000, waitMs) });
      const found: Delivery[] = [];
      const gather = async (): Promise<void> => {
        for await (const message of messages) found.push(delivery(message));
      };
      await within(gather(), Math.max(1_000, waitMs) + DEADLINE_MS).catch(() => messages.stop());
      if (found.length === 0 && this.#session !== session) throw away();
      return found;
    } catch (problem) {
      throw problem instanceof Unavailable ? problem : away(problem);
    }
  }

  async #manager(): Promise<JetStreamManager> {
    const session = this.#session;
    if (!session) throw away();
    session.manager ??= session.connection.jetstreamManager({ timeout: DEADLINE_MS, checkAPI: false });
    return session.manager;
  }

  /** One connection after another until the bus is closed. */
  async #live(): Promise<void> {
    const { url, name, log } = this.#options;
    let complained = false;
    while (!this.#closing.signal.aborted) {
      try {
        const connection = await connect({
          ...address(url),
          name,
          timeout: DEADLINE_MS,
          pingInterval: PING_MS,
          maxPingOut: PINGS_UNANSWERED_MAX,
          // The library would queue without bound while it reconnects; a new connection queues nothing.
          reconnect: false,
        });
        if (this.#closing.signal.aborted) return await connection.close();
        log.info({ server: connection.getServer() }, 'the message bus answers');
        complained = false;
        this.#begin(connection);
        const problem = await connection.closed();
        this.#end();
        if (!this.#closing.signal.aborted) log.warn({ err: problem ?? undefined }, 'the message bus was lost');
      } catch (problem) {
        if (!complained) log.warn({ err: problem }, 'the message bus does not answer');
        complained = true;
      }
      await sleep(RECONNECT_MS + Math.random() * RECONNECT_JITTER_MS, undefined, {
        signal: this.#closing.signal,
        ref: false,
      }).catch(() => {});
    }
  }

  #begin(connection: NatsConnection): void {
    this.#session = { connection, jetstream: connection.jetstream({ timeout: DEADLINE_MS }), manager: null };
    for (const interest of this.#interests) this.#listen(connection, interest);
    for (const hear of this.#hearers) hear(true);
  }

  #end(): void {
    this.#session = null;
    for (const interest of this.#interests) interest.live = null;
    for (const hear of this.#hearers) hear(false);
  }

  #listen(connection: NatsConnection, interest: Interest): void {
    const { subject, hear, group } = interest;
    try {
      interest.live = connection.subscribe(subject, {
        ...(group === undefined ? {} : { queue: group }),
        callback: (problem, message) => {
          if (problem) this.#options.log.warn({ err: problem, subject }, 'a subscription failed');
          else hear(message.data, message.subject);
        },
      });
    } catch (problem) {
      // The connection just closed; the next one takes the interest up again.
      this.#options.log.debug({ err: problem, subject }, 'not subscribed');
    }
  }
}

/** The library does not read a user or a token from an address. */
const address = (url: string): ConnectionOptions => {
  const servers = url.split(',').map((text) => new URL(text.includes('://') ? text : `nats://${text}`));
  const [first] = servers;
  const [user, pass] = [first?.username, first?.password].map((part) => decodeURIComponent(part ?? ''));
  return {
    servers: servers.map(({ host }) => host),
    ...(first?.protocol === 'tls:' ? { tls: {} } : {}),
    ...(user && pass ? { user, pass } : user ? { token: user } : {}),
  };
};

const unheard = (cause: unknown): UnknownOutcome =>
  new UnknownOutcome('Nobody heard whether the message was stored.', { cause });

const delivery = (message: JsMsg): Delivery => ({
  subject: message.subject,
  bytes: message.data,
  sequence: message.seq,
  deliveries: message.info.redeliveryCount,
  ack: () => message.ack(),
  retry: (delayMs) => message.nak(delayMs),
});

/** Returns at once: the bus connects in the background, so that a process starts while it is away. */
export const connectBus = (options: BusOptions): Bus => new NatsBus(options);

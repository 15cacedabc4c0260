// Connects to NATS and bounds every operation by a deadline. A lost connection is replaced by a new one. Meanwhile
// nothing is queued, and calls fail at once.

import { setTimeout as sleep } from 'node:timers/promises';
import type { Log } from '#runtime/process/log.ts';
import { counter } from '#runtime/process/metric.ts';
import { NumberTable } from '#values/number_table.ts';
import { Appender } from './append.ts';
import type {
  Appended,
  AppendOptions,
  Bus,
  BusMessage,
  Consumer,
  ConsumerOptions,
  Stream,
  StreamOptions,
} from './bus.ts';
import {
  AckPolicy,
  type ConnectionOptions,
  type ConsumerConfig,
  connect,
  createInbox,
  DeliverPolicy,
  DiscardPolicy,
  headers,
  type JetStreamManager,
  type JsMsg,
  type NatsConnection,
  NatsError,
  nanos,
  RetentionPolicy,
  StorageType,
  type StreamConfig,
  type Subscription,
} from './library.ts';
import { busUnavailable, DEADLINE_MS, MessageBuffer, type Session, within } from './session.ts';
import { readStream } from './stream.ts';

export { type Bus, type BusMessage, type Consumer, OutOfSequence } from './bus.ts';

export interface BusOptions {
  /** `nats://host:port`, or several such addresses separated by commas. */
  readonly url: string;
  readonly name: string;
  readonly log: Log;
  readonly replicas?: number;
}

const PING_MS = 1_000;
const PINGS_UNANSWERED_MAX = 2;
const RECONNECT_MS = 100;
const RECONNECT_JITTER_MS = 250;
const STREAM_NAME_IN_USE = 10_058;
const STREAM_NOT_FOUND = 10_059;

const refusals = counter('nats_refusals_total', 'Messages that NATS refused to store.');

const apiCode = (problem: unknown): number => (problem instanceof NatsError ? (problem.api_error?.err_code ?? 0) : 0);

interface WantedSubscription {
  readonly subject: string;
  readonly listener: (bytes: Uint8Array, subject: string) => void;
  readonly group: string | undefined;
  live: Subscription | null;
}

class NatsBus implements Bus {
  readonly #options: BusOptions;
  readonly #interests = new Set<WantedSubscription>();
  readonly #hearers = new Set<(connected: boolean) => void>();
  readonly #closing = new AbortController();
  #session: Session | null = null;
  #storing = true;

  constructor(options: BusOptions) {
    this.#options = options;
    void this.#live();
  }

  get replicas(): number {
    return this.#options.replicas ?? 1;
  }

  get connected(): boolean {
    return this.#session !== null;
  }

  get storing(): boolean {
    return this.#storing;
  }

  onState(listener: (connected: boolean) => void): () => void {
    this.#hearers.add(listener);
    return () => this.#hearers.delete(listener);
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
    listener: (bytes: Uint8Array, subject: string) => void,
    options: { group?: string } = {},
  ): () => void {
    const interest: WantedSubscription = { subject, listener, group: options.group, live: null };
    this.#interests.add(interest);
    if (this.#session) this.#listen(this.#session.connection, interest);
    return () => {
      this.#interests.delete(interest);
      try {
        interest.live?.unsubscribe();
      } catch {
        // The connection is closed, and the subscription with it.
      }
    };
  }

  async ensureStream(options: StreamOptions): Promise<void> {
    const session = this.#current();
    const manager = await this.#manager(session);
    const changeable = {
      subjects: [...options.subjects],
      max_age: nanos(options.ageMsMax),
      max_msgs: options.messagesMax,
      max_bytes: options.bytesMax ?? -1,
      duplicate_window: nanos(options.duplicateMs),
      num_replicas: options.replicas,
      discard: options.isObjectStore ? DiscardPolicy.New : DiscardPolicy.Old,
      ...(options.isObjectStore ? { allow_direct: true, allow_rollup_hdrs: true } : {}),
    };
    const config: Partial<StreamConfig> = {
      ...changeable,
      name: options.name,
      storage: StorageType.File,
      retention: RetentionPolicy.Limits,
    };
    try {
      await within(session, manager.streams.info(options.name));
    } catch (problem) {
      if (apiCode(problem) !== STREAM_NOT_FOUND) throw busUnavailable(problem);
      try {
        await within(session, manager.streams.add(config));
        return;
      } catch (again) {
        // Another process created the stream, perhaps with an older configuration.
        if (apiCode(again) !== STREAM_NAME_IN_USE) throw busUnavailable(again);
      }
    }
    try {
      await within(session, manager.streams.update(options.name, changeable));
    } catch (problem) {
      throw apiCode(problem) === 0 ? busUnavailable(problem) : problem;
    }
  }

  async append(subject: string, bytes: Uint8Array, options: AppendOptions): Promise<Appended> {
    return this.#current().appender.append(subject, bytes, options);
  }

  stream(name: string): Stream {
    return readStream(name, async () => {
      const session = this.#current();
      const manager = await this.#manager(session);
      return { manager, jetstream: session.jetstream, within: (work) => within(session, work) };
    });
  }

  consumer(options: ConsumerOptions): Consumer {
    let buffer: MessageBuffer | null = null;
    const close = (): void => {
      buffer?.messages.stop();
      buffer?.end();
      for (const message of buffer?.received.splice(0) ?? []) message.retry(0);
      buffer = null;
    };
    const next = async (max: number, waitMs: number): Promise<BusMessage[]> => {
      const session = this.#current();
      if (buffer?.session !== session || buffer.ended) {
        close();
        buffer = await this.#consume(session, options);
      }
      const { received, ended } = buffer;
      if (received.length === 0 && !ended) await buffer.arrival(waitMs);
      return received.splice(0, max);
    };
    return { close, next };
  }

  async close(): Promise<void> {
    this.#closing.abort();
    const session = this.#session;
    if (!session) return;
    try {
      await within(session, session.connection.drain());
    } catch {
      await session.connection.close().catch(() => {});
    }
  }

  async #consume(session: Session, options: ConsumerOptions): Promise<MessageBuffer> {
    const config: Partial<ConsumerConfig> = {
      durable_name: options.durable,
      ack_policy: AckPolicy.Explicit,
      deliver_policy: DeliverPolicy.All,
      ack_wait: nanos(options.ackWaitMs),
      max_ack_pending: options.pendingMax,
      ...(options.filterSubjects ? { filter_subjects: [...options.filterSubjects] } : {}),
    };
    const open = async (): Promise<MessageBuffer> => {
      const manager = await this.#manager(session);
      await manager.consumers.add(options.stream, config);
      const consumer = await session.jetstream.consumers.get(options.stream, options.durable);
      const buffer = new MessageBuffer(session);
      // The server sends at most `pendingMax` unacknowledged messages.
      buffer.messages = await consumer.consume({
        max_messages: options.pendingMax,
        abort_on_missing_resource: true,
        callback: (message) => buffer.take(delivery(message)),
      });
      buffer.messages.closed().then(() => buffer.end());
      return buffer;
    };
    try {
      return await within(session, open());
    } catch (problem) {
      throw busUnavailable(problem);
    }
  }

  #current(): Session {
    if (!this.#session) throw busUnavailable();
    return this.#session;
  }

  #manager(session: Session): Promise<JetStreamManager> {
    session.manager ??= session.connection.jetstreamManager({ timeout: DEADLINE_MS, checkAPI: false });
    return session.manager;
  }

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
          // The library would queue without bound while it reconnects.
          reconnect: false,
          // The library would record a stack for each request, a fifth of the request's cost.
          noAsyncTraces: true,
        });
        if (this.#closing.signal.aborted) return await connection.close();
        log.info({ server: connection.getServer() }, 'the message bus answers');
        complained = false;
        this.#begin(connection);
        const problem = await connection.closed();
        this.#end(problem);
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
    const jetstream = connection.jetstream({ timeout: DEADLINE_MS });
    const stores = (storing: boolean): void => {
      this.#storing = storing;
      if (!storing) refusals.inc();
    };
    const appender = new Appender({ connection, inbox: createInbox(), headers, limitMs: DEADLINE_MS, stores });
    this.#session = { connection, jetstream, appender, manager: null, pending: new NumberTable(), startedCount: 0 };
    for (const interest of this.#interests) this.#listen(connection, interest);
    for (const listener of this.#hearers) listener(true);
  }

  #end(problem: unknown): void {
    const session = this.#session;
    this.#session = null;
    session?.appender.end(problem);
    for (const [, end] of session?.pending.entries() ?? []) end(busUnavailable(problem));
    for (const interest of this.#interests) interest.live = null;
    for (const listener of this.#hearers) listener(false);
  }

  #listen(connection: NatsConnection, interest: WantedSubscription): void {
    const { subject, listener, group } = interest;
    try {
      interest.live = connection.subscribe(subject, {
        ...(group === undefined ? {} : { queue: group }),
        callback: (problem, message) => {
          if (problem) this.#options.log.warn({ err: problem, subject }, 'failed to receive a message');
          else listener(message.data, message.subject);
        },
      });
    } catch (problem) {
      // The connection has closed meanwhile; the next connection subscribes again.
      this.#options.log.debug({ err: problem, subject }, 'failed to subscribe; the next connection will');
    }
  }
}

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

/** Sends an acknowledgement. Losing one is harmless, because the message is then delivered again. */
const answer = (send: () => void): void => {
  try {
    send();
  } catch {}
};

const delivery = (message: JsMsg): BusMessage => ({
  subject: message.subject,
  bytes: message.data,
  header: (name) => (message.headers?.has(name) ? message.headers.get(name) : null),
  sequence: message.seq,
  deliveries: message.info.redeliveryCount,
  ack: () => answer(() => message.ack()),
  retry: (delayMs) => answer(() => message.nak(delayMs)),
});

/** Returns at once and connects in the background, so that a process can start without the bus. */
export const connectBus = (options: BusOptions): Bus => new NatsBus(options);

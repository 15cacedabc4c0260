// Represents one connection to NATS. Pending requests end with the connection.
import { Unavailable } from '#runtime/call/fault.ts';
import type { NumberTable } from '#values/number_table.ts';
import type { Appender } from './append.ts';
import type { BusMessage } from './bus.ts';
import type { JetStreamClient, JetStreamManager, NatsConnection } from './library.ts';

export const DEADLINE_MS = 1_500;

export const busUnavailable = (cause?: unknown): Unavailable =>
  new Unavailable('The message bus does not answer.', { cause });

export interface Session {
  readonly connection: NatsConnection;
  readonly jetstream: JetStreamClient;
  readonly appender: Appender;
  manager: Promise<JetStreamManager> | null;
  /**
   * Functions that end pending requests; the library would let these wait for their time-outs after the connection is
   * lost.
   */
  readonly pending: NumberTable<(problem: unknown) => void>;
  startedCount: number;
}

export const within = <T>(session: Session, work: Promise<T>): Promise<T> =>
  new Promise<T>((resolve, reject) => {
    const number = ++session.startedCount;
    const timer = setTimeout(() => end(busUnavailable()), DEADLINE_MS);
    const end = (problem: unknown): void => {
      clearTimeout(timer);
      session.pending.take(number);
      reject(problem);
    };
    session.pending.set(number, end);
    work.then((value) => {
      clearTimeout(timer);
      session.pending.take(number);
      resolve(value);
    }, end);
  });

export class MessageBuffer {
  readonly session: Session;
  readonly received: BusMessage[] = [];
  messages: { stop(): void; closed(): Promise<unknown> } = { stop: () => {}, closed: async () => {} };
  ended = false;
  #rouse: (() => void) | null = null;

  constructor(session: Session) {
    this.session = session;
    session.pending.set(++session.startedCount, () => this.end());
  }

  take(message: BusMessage): void {
    this.received.push(message);
    this.#rouse?.();
  }

  end(): void {
    this.ended = true;
    this.#rouse?.();
  }

  arrival(waitMs: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(() => this.#rouse?.(), waitMs);
      this.#rouse = () => {
        clearTimeout(timer);
        this.#rouse = null;
        resolve();
      };
    });
  }
}

// Defines the message bus: subjects with at-most-once delivery, and durable streams.

export interface StreamOptions {
  readonly name: string;
  readonly subjects: readonly string[];
  readonly ageMsMax: number;
  /** The oldest are dropped; -1: no limit. */
  readonly messagesMax: number;
  readonly bytesMax?: number;
  /** How long the server recognises a message id. */
  readonly duplicateMs: number;
  readonly replicas: number;
}

export interface AppendOptions {
  readonly id: string;
  /** Stored only if this is the sequence of the subject's last message. */
  readonly expectedSubjectSequence?: number;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface Appended {
  readonly sequence: number;
  readonly duplicate: boolean;
}

export interface ConsumerOptions {
  readonly stream: string;
  readonly durable: string;
  /** Absent or null: all subjects. */
  readonly filterSubjects?: readonly string[] | null;
  readonly ackWaitMs: number;
  readonly pendingMax: number;
}

export interface BusMessage {
  readonly subject: string;
  readonly bytes: Uint8Array;
  header(name: string): string | null;
  readonly sequence: number;
  readonly deliveries: number;
  ack(): void;
  retry(delayMs: number): void;
}

export interface Consumer {
  /**
   * Up to `max` messages; waits up to `waitMs` for the first. Throws `Unavailable` while the bus is disconnected or
   * the stream is missing.
   */
  next(max: number, waitMs: number): Promise<BusMessage[]>;
  close(): void;
}

export interface Stored {
  readonly sequence: number;
  readonly bytes: Uint8Array;
}

/** Reads a stream at its leader. Every method throws `Unavailable` where there is no answer now. */
export interface Stream {
  /** The sequence of the newest message ever stored, deleted or not. */
  head(): Promise<number>;
  last(subject: string): Promise<Stored | null>;
  at(sequence: number): Promise<Stored | null>;
  /** The subject's messages of a range, in order; the last must exist. */
  read(subject: string, from: number, to: number): AsyncIterable<Stored>;
  trim(before: number): Promise<void>;
}

export interface Bus {
  readonly connected: boolean;
  /** False from a refused append, as with a full disk, to the next stored one. */
  readonly storing: boolean;
  readonly replicas: number;
  /** Called on every change of `connected`. Returns how to stop. */
  onState(listener: (connected: boolean) => void): () => void;
  /** Delivers at most once, to current listeners. False while disconnected. */
  publish(subject: string, bytes: Uint8Array): boolean;
  /** Survives reconnects. One of the listeners with the same `group` gets each message. Returns how to stop. */
  subscribe(
    subject: string,
    listener: (bytes: Uint8Array, subject: string) => void,
    options?: { group?: string },
  ): () => void;
  ensureStream(options: StreamOptions): Promise<void>;
  /**
   * Throws `Unavailable` where it surely was not stored, `OutOfSequence` where another message came first,
   * `UnknownOutcome` without an answer: append it again under the same id.
   */
  append(subject: string, bytes: Uint8Array, options: AppendOptions): Promise<Appended>;
  stream(name: string): Stream;
  /** A durable consumer, created on first use; all of one name share its messages. */
  consumer(options: ConsumerOptions): Consumer;
  /** Flushes published messages, then disconnects. */
  close(): Promise<void>;
}

export class OutOfSequence extends Error {
  constructor(subject: string, cause: unknown) {
    super(`Another message came first on ${subject}.`, { cause });
    this.name = 'OutOfSequence';
  }
}

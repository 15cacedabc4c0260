// Defines the message bus: subjects that deliver at most once, and durable streams.

export interface StreamOptions {
  readonly name: string;
  readonly subjects: readonly string[];
  readonly ageMsMax: number;
  /** Limit of messages, beyond which the oldest are dropped; -1: no limit. */
  readonly messagesMax: number;
  readonly bytesMax?: number;
  /** How long the server recognises a message id as a duplicate, in ms. */
  readonly duplicateMs: number;
  readonly replicas: number;
  /** Refuses messages when full instead of dropping old ones, and lets any replica answer for a single message. */
  readonly isObjectStore?: boolean;
}

export interface AppendOptions {
  readonly id: string;
  /** The message is stored only if this is the sequence of the subject's last message. */
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
   * Returns up to `max` messages; waits up to `waitMs` for the first. Throws `Unavailable` while the bus is
   * disconnected or the stream is missing.
   */
  next(max: number, waitMs: number): Promise<BusMessage[]>;
  close(): void;
}

export interface Stored {
  readonly sequence: number;
  readonly bytes: Uint8Array;
}

/** Reads a stream from its leader. Every method throws `Unavailable` where no answer comes. */
export interface Stream {
  /** Returns the highest sequence ever assigned, even if the message was deleted. */
  head(): Promise<number>;
  last(subject: string): Promise<Stored | null>;
  at(sequence: number): Promise<Stored | null>;
  /** Yields a subject's messages from one sequence to another, in order. The last must exist. */
  read(subject: string, from: number, to: number): AsyncIterable<Stored>;
  trim(before: number): Promise<void>;
  /** Returns a message's bytes from any replica, or from the leader where a replica lacks it; null if it is gone. */
  copy(sequence: number): Promise<Uint8Array | null>;
  erase(subject: string): Promise<void>;
}

export interface Bus {
  readonly connected: boolean;
  /** False after the server refused an append, as with a full disk, until an append succeeds. */
  readonly storing: boolean;
  readonly replicas: number;
  onState(listener: (connected: boolean) => void): () => void;
  /** Delivers at most once, to current listeners. Returns false while disconnected. */
  publish(subject: string, bytes: Uint8Array): boolean;
  /**
   * Listens to a subject, across reconnects. With `group`, only one of the group's listeners gets each message. Returns
   * a function that stops this.
   */
  subscribe(
    subject: string,
    listener: (bytes: Uint8Array, subject: string) => void,
    options?: { group?: string },
  ): () => void;
  ensureStream(options: StreamOptions): Promise<void>;
  /**
   * Throws `Unavailable` if the message is known not to be stored, `OutOfSequence` if another message came first, and
   * `UnknownOutcome` if no answer came. After `UnknownOutcome`, append the message again under the same id.
   */
  append(subject: string, bytes: Uint8Array, options: AppendOptions): Promise<Appended>;
  stream(name: string): Stream;
  /** Returns a durable consumer, which is created on first use. Consumers of the same name share the messages. */
  consumer(options: ConsumerOptions): Consumer;
  close(): Promise<void>;
}

export class OutOfSequence extends Error {
  constructor(subject: string, cause: unknown) {
    super(`Another message came first on ${subject}.`, { cause });
    this.name = 'OutOfSequence';
  }
}

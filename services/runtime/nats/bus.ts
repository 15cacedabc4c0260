// The message bus as the house sees it: subjects whose listeners hear a message at most once, and streams that are kept until they
// were handled.

export interface StreamOptions {
  readonly name: string;
  readonly subjects: readonly string[];
  readonly ageMsMax: number;
  /** The oldest go first; -1: no bound. */
  readonly messagesMax: number;
  /** The same; the server keeps this much of its disk for the stream. */
  readonly bytesMax?: number;
  /** How long the server recognises a message id. */
  readonly duplicateMs: number;
  readonly replicas: number;
}

export interface AppendOptions {
  /** The server stores a message of this id once within the stream's `duplicateMs`. */
  readonly id: string;
  /** Store only if this is the sequence of the subject's last message. */
  readonly expectedSubjectSequence?: number;
  /** What the message says beside its bytes. */
  readonly headers?: Readonly<Record<string, string>>;
}

export interface Appended {
  readonly sequence: number;
  readonly duplicate: boolean;
}

export interface ConsumerOptions {
  readonly stream: string;
  readonly durable: string;
  /** Left out or null: all of the stream's. */
  readonly filterSubjects?: readonly string[] | null;
  /** Redelivered when it was not answered within this time. */
  readonly ackWaitMs: number;
  /** Messages out for an answer at once. */
  readonly pendingMax: number;
}

export interface BusMessage {
  readonly subject: string;
  readonly bytes: Uint8Array;
  /** Null: the message has no such header. */
  header(name: string): string | null;
  readonly sequence: number;
  /** 1 the first time. */
  readonly deliveries: number;
  ack(): void;
  /** Wants it again, after a while. */
  retry(delayMs: number): void;
}

export interface Consumer {
  /**
   * What has come, up to `max` messages; waits up to `waitMs` for the first one. Throws `Unavailable` while the bus is
   * away or the stream is missing.
   */
  next(max: number, waitMs: number): Promise<BusMessage[]>;
  /** Gives back what came and was not asked for. */
  close(): void;
}

export interface Stored {
  readonly sequence: number;
  readonly bytes: Uint8Array;
}

/** What is kept in a stream, as its leader knows it. Each throws `Unavailable` where the answer cannot be had now. */
export interface Stream {
  /** The sequence of the newest message ever stored, kept or not. */
  head(): Promise<number>;
  /** The subject's newest message that is kept. */
  last(subject: string): Promise<Stored | null>;
  at(sequence: number): Promise<Stored | null>;
  /** The subject's messages from one sequence to another, in order; the last one must exist. */
  read(subject: string, from: number, to: number): AsyncIterable<Stored>;
  /** Deletes all messages before this sequence. */
  trim(before: number): Promise<void>;
}

export interface Bus {
  readonly connected: boolean;
  /** False once it refused to store a message, as with a full disk, until it stores one. */
  readonly storing: boolean;
  /** Copies of each stream that is made. */
  readonly replicas: number;
  /** Hears of every change of `connected`. Returns how to stop. */
  onState(listener: (connected: boolean) => void): () => void;
  /** At most once, to those who listen now. False where none can hear it because the bus is away. */
  publish(subject: string, bytes: Uint8Array): boolean;
  /** Lives through reconnects. Of listeners with the same `group` one hears each message. Returns how to stop. */
  subscribe(
    subject: string,
    listener: (bytes: Uint8Array, subject: string) => void,
    options?: { group?: string },
  ): () => void;
  /** Creates the stream, or brings what may be changed of it up to date. */
  ensureStream(options: StreamOptions): Promise<void>;
  /**
   * Stores one message. Throws `Unavailable` where it surely was not stored, `OutOfSequence` where another one came
   * first, `UnknownOutcome` where the server did not answer: append it again under the same id.
   */
  append(subject: string, bytes: Uint8Array, options: AppendOptions): Promise<Appended>;
  stream(name: string): Stream;
  /** A durable place in a stream, made on first use; all who open it under one name share its messages. */
  consumer(options: ConsumerOptions): Consumer;
  /** Lets what was published reach the server, then leaves for good. */
  close(): Promise<void>;
}

export class OutOfSequence extends Error {
  constructor(subject: string, cause: unknown) {
    super(`Another message came first on ${subject}.`, { cause });
    this.name = 'OutOfSequence';
  }
}

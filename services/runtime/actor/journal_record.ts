// What the journal holds: a batch of records, each the facts of one command, as JSON in one message, compressed where
// that pays.
import type { Environment } from '#runtime/call/call.ts';

/** What a retry of a keyed command is answered with. */
export interface StoredAnswer {
  /** SHA-256 of the key's place, in hex: see runtime/idempotency. */
  readonly hash: string;
  readonly fingerprint: string;
  /** The actor's answer as JSON, sealed, in base64. */
  readonly sealed: string;
  /** By the tenant's clock, in ms. */
  readonly expiresAt: number;
}

export interface JournalRecord {
  /** Which of the batch's actors. */
  readonly actor: number;
  readonly commandId: string;
  /** The tenant's clock when it was decided, in ms. */
  readonly now: number;
  readonly facts: readonly unknown[];
  readonly answer: StoredAnswer | null;
}

export interface RecordedActor {
  readonly kind: string;
  readonly store: string;
  readonly environment: Environment;
  readonly id: string;
}

interface Numbered {
  /** Whether it is the mark at the end of a log: no owner writes after it. */
  readonly ends: boolean;
  /** Counts the partition's batches from 1 on, without a gap. */
  readonly number: number;
  /** Whose it is: two writers of one number differ in it. */
  readonly nonce: string;
}

export interface RecordedBatch extends Numbered {
  readonly actors: readonly RecordedActor[];
  readonly records: readonly JournalRecord[];
}

/** A record that is no JSON, and whose it is, as far as that can be told. */
export interface DamagedRecord {
  readonly actor: number;
  readonly problem: unknown;
}

/** A batch as a new owner takes it in: of a record that cannot be read it loses that record's actor alone. */
export interface OpenedBatch extends Numbered {
  /** The text of each actor, always the same one. */
  readonly actors: readonly string[];
  readonly records: readonly (JournalRecord | DamagedRecord)[];
  /** Characters of its text. */
  readonly length: number;
}

const FORMAT = 1;
/** Of the mark at a log's end. */
const END_FORMAT = 2;
/** A smaller batch is written as it is. */
const COMPRESSED_FROM_BYTES = 1_000;
/** The fastest: most of what repeats are names and times, and ids do not get any shorter. */
const COMPRESSION = { level: 1 };
/** JSON never begins so. */
const ZSTD_FIRST_BYTE = 0x28;

type WrittenActor = [kind: string, store: string, environment: Environment, id: string];
type WrittenAnswer = [hash: string, fingerprint: string, sealed: string, expiresAt: number];
type WrittenRecord = [actor: number, commandId: string, now: number, facts: readonly unknown[], stored?: WrittenAnswer];
type WrittenBatch = [format: number, number: number, nonce: string, actors: WrittenActor[], records: WrittenRecord[]];

export const writeActor = ({ kind, store, environment, id }: RecordedActor): string =>
  JSON.stringify([kind, store, environment, id] satisfies WrittenActor);

/** Each record is written when it is decided, so that its size is known then. */
export const writeRecord = ({ actor, commandId, now, facts, answer }: JournalRecord): string => {
  if (!answer) return JSON.stringify([actor, commandId, now, facts] satisfies WrittenRecord);
  const written: WrittenAnswer = [answer.hash, answer.fingerprint, answer.sealed, answer.expiresAt];
  return JSON.stringify([actor, commandId, now, facts, written] satisfies WrittenRecord);
};

const SEPARATOR = ',\n';
const BETWEEN = '],[';
const ENDING = ']]';
const linesOf = (texts: readonly string[]): string => `\n${texts.join(SEPARATOR)}\n`;

/**
 * A line each, so that one that is damaged leaves the others readable. An answer waits for all of it to be on disk:
 * a quarter of the bytes is there sooner than it is compressed.
 */
export const writeBatch = (
  number: number,
  nonce: string,
  actors: readonly string[],
  records: readonly string[],
): Uint8Array => {
  const lines = records.length === 0 ? actors.join(',') + BETWEEN : linesOf(actors) + BETWEEN + linesOf(records);
  const bytes = Buffer.from(`[${FORMAT},${number},${JSON.stringify(nonce)},[${lines}]]`);
  return bytes.length < COMPRESSED_FROM_BYTES ? bytes : Bun.zstdCompressSync(bytes, COMPRESSION);
};

/** The mark at a log's end. */
export const writeEnd = (number: number, nonce: string): Uint8Array =>
  Buffer.from(JSON.stringify([END_FORMAT, number, nonce, [], []] satisfies WrittenBatch));

const textOf = (bytes: Uint8Array): string => {
  const { buffer, byteOffset, byteLength } = bytes[0] === ZSTD_FIRST_BYTE ? Bun.zstdDecompressSync(bytes) : bytes;
  return Buffer.from(buffer, byteOffset, byteLength).toString('utf8');
};

/** Bytes that are no batch: damaged, or written by another program. */
export class UnreadableBatch extends Error {
  constructor(why: string, options?: ErrorOptions) {
    super(`A batch of the journal cannot be read: ${why}`, options);
    this.name = 'UnreadableBatch';
  }
}

const headOf = (text: string): WrittenBatch => {
  const written: WrittenBatch = JSON.parse(text);
  if (!Array.isArray(written) || typeof written[0] !== 'number') throw new UnreadableBatch('it has no head.');
  // A later version wrote it, and can read it: nothing of it is damaged.
  if (written[0] !== FORMAT && written[0] !== END_FORMAT)
    throw new Error(`The journal holds a batch of format ${written[0]}.`);
  if (!Number.isSafeInteger(written[1]) || typeof written[2] !== 'string')
    throw new UnreadableBatch('it has no number.');
  return written;
};

const withoutComma = (line: string): string => (line.endsWith(',') ? line.slice(0, -1) : line);

/** Throws `UnreadableBatch` where the bytes are none. */
export const openBatch = (bytes: Uint8Array): OpenedBatch => {
  let text: string;
  try {
    text = textOf(bytes);
  } catch (problem) {
    throw new UnreadableBatch('it cannot be decompressed.', { cause: problem });
  }
  try {
    return opened(text);
  } catch (problem) {
    if (problem instanceof SyntaxError) throw new UnreadableBatch('it is no JSON.', { cause: problem });
    throw problem;
  }
};

const opened = (text: string): OpenedBatch => {
  const lines = text.split('\n');
  // A batch without records and the mark at a log's end are one line.
  if (lines.length === 1) {
    const [format, number, nonce, actors, records] = headOf(text);
    if (!Array.isArray(actors) || !Array.isArray(records)) throw new UnreadableBatch('it lacks its lists.');
    if (records.length > 0) throw new UnreadableBatch('its records are not a line each.');
    return {
      ends: format === END_FORMAT,
      number,
      nonce,
      actors: actors.map((actor) => JSON.stringify(actor)),
      records: [],
      length: text.length,
    };
  }
  const [, number, nonce] = headOf(`${lines[0]}${BETWEEN}]]`);
  const middle = lines.indexOf(BETWEEN);
  if (middle < 0 || lines.at(-1) !== ENDING) throw new UnreadableBatch('it is cut off.');
  return {
    ends: false,
    number,
    nonce,
    actors: lines.slice(1, middle).map(withoutComma),
    records: lines
      .slice(middle + 1, -1)
      .map(withoutComma)
      .map(openRecord),
    length: text.length,
  };
};

const isActor = (written: unknown): written is WrittenActor =>
  Array.isArray(written) &&
  written.length === 4 &&
  written.every((part) => typeof part === 'string') &&
  (written[2] === 'production' || written[2] === 'sandbox');

/** Throws `UnreadableBatch` where the text names no actor. */
export const readActor = (text: string): RecordedActor => {
  let written: unknown;
  try {
    written = JSON.parse(text);
  } catch (problem) {
    throw new UnreadableBatch('it names an actor that is no JSON.', { cause: problem });
  }
  if (!isActor(written)) throw new UnreadableBatch('it names no actor where it should.');
  const [kind, store, environment, id] = written;
  return { kind, store, environment, id };
};

const answerOf = (stored: WrittenAnswer | undefined): StoredAnswer | null =>
  stored ? { hash: stored[0], fingerprint: stored[1], sealed: stored[2], expiresAt: stored[3] } : null;

const readRecord = (text: string): JournalRecord => {
  const [actor, commandId, now, facts, stored]: WrittenRecord = JSON.parse(text);
  return { actor, commandId, now, facts, answer: answerOf(stored) };
};

const openRecord = (text: string): JournalRecord | DamagedRecord => {
  try {
    return readRecord(text);
  } catch (problem) {
    return { actor: Number(/^\[(\d+),/.exec(text)?.[1] ?? -1), problem };
  }
};

/** Throws what is wrong with the first record that cannot be read. */
export const readBatch = (bytes: Uint8Array): RecordedBatch => {
  const { ends, number, nonce, actors, records } = openBatch(bytes);
  const read = records.map((record) => {
    if ('problem' in record) throw record.problem;
    return record;
  });
  return { ends, number, nonce, actors: actors.map(readActor), records: read };
};

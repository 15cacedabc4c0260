// Encodes journal messages. A message is a batch of records in JSON, compressed where that pays; a record holds the
// facts of one command.
import type { JournalAudit } from '#runtime/audit/command_audit.ts';
import type { Environment } from '#runtime/call/call.ts';

export interface StoredAnswer {
  readonly hash: string;
  readonly fingerprint: string;
  /** The answer's JSON, encrypted, in base64. */
  readonly sealed: string;
  readonly expiresAt: number;
}

export interface JournalRecord {
  readonly actorIndex: number;
  readonly commandId: string;
  readonly now: number;
  readonly facts: readonly unknown[];
  readonly answer: StoredAnswer | null;
  readonly audit?: JournalAudit | null;
}

export interface RecordedActor {
  readonly kind: string;
  readonly store: string;
  readonly environment: Environment;
  readonly id: string;
}

interface Numbered {
  readonly ends: boolean;
  /** Numbers are consecutive within a partition and start at 1. */
  readonly number: number;
  readonly nonce: string;
}

export interface RecordedBatch extends Numbered {
  readonly actors: readonly RecordedActor[];
  readonly records: readonly JournalRecord[];
}

export interface DamagedRecord {
  readonly actorIndex: number;
  readonly problem: unknown;
}

export interface OpenedBatch extends Numbered {
  readonly actors: readonly string[];
  readonly records: readonly (JournalRecord | DamagedRecord)[];
  readonly length: number;
}

const FORMAT = 1;
const END_FORMAT = 2;
const COMPRESSED_FROM_BYTES = 1_000;
/** The fastest level of compression; higher ones gain little, since names and times repeat and ids do not compress. */
const COMPRESSION = { level: 1 };
/** First byte of Zstandard data, which JSON never starts with. */
const ZSTD_FIRST_BYTE = 0x28;

type WrittenActor = [kind: string, store: string, environment: Environment, id: string];
type WrittenAnswer = [hash: string, fingerprint: string, sealed: string, expiresAt: number];
type WrittenRecord = [
  actor: number,
  commandId: string,
  now: number,
  facts: readonly unknown[],
  stored?: WrittenAnswer | null,
  audit?: JournalAudit,
];
type WrittenBatch = [format: number, number: number, nonce: string, actors: WrittenActor[], records: WrittenRecord[]];

export const writeActor = ({ kind, store, environment, id }: RecordedActor): string =>
  JSON.stringify([kind, store, environment, id] satisfies WrittenActor);

/**
 * Encodes a record as soon as the command is decided, because the record's size decides whether it fits into the batch.
 */
export const writeRecord = ({ actorIndex, commandId, now, facts, answer, audit }: JournalRecord): string => {
  const stored: WrittenAnswer | null = answer && [answer.hash, answer.fingerprint, answer.sealed, answer.expiresAt];
  const written: WrittenRecord = [actorIndex, commandId, now, facts];
  if (stored || audit) written.push(stored);
  if (audit) written.push(audit);
  return JSON.stringify(written);
};

const SEPARATOR = ',\n';
const BETWEEN = '],[';
const ENDING = ']]';
const linesOf = (texts: readonly string[]): string => `\n${texts.join(SEPARATOR)}\n`;

/**
 * Encodes a batch with one line for each record, so that a damaged record leaves the others readable. Compresses it,
 * because writing a quarter of the bytes saves more time than compressing takes.
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

export const writeEnd = (number: number, nonce: string): Uint8Array =>
  Buffer.from(JSON.stringify([END_FORMAT, number, nonce, [], []] satisfies WrittenBatch));

const textOf = (bytes: Uint8Array): string => {
  const { buffer, byteOffset, byteLength } = bytes[0] === ZSTD_FIRST_BYTE ? Bun.zstdDecompressSync(bytes) : bytes;
  return Buffer.from(buffer, byteOffset, byteLength).toString('utf8');
};

export class UnreadableBatch extends Error {
  constructor(why: string, options?: ErrorOptions) {
    super(`A batch of the journal cannot be read: ${why}`, options);
    this.name = 'UnreadableBatch';
  }
}

const headOf = (text: string): WrittenBatch => {
  const written: WrittenBatch = JSON.parse(text);
  if (!Array.isArray(written) || typeof written[0] !== 'number') throw new UnreadableBatch('it has no head.');
  // A later version may have written this format, so the batch is not treated as damaged.
  if (written[0] !== FORMAT && written[0] !== END_FORMAT)
    throw new Error(`The journal holds a batch of format ${written[0]}.`);
  if (!Number.isSafeInteger(written[1]) || typeof written[2] !== 'string')
    throw new UnreadableBatch('it has no number.');
  return written;
};

const withoutComma = (line: string): string => (line.endsWith(',') ? line.slice(0, -1) : line);

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
  // A batch without records and an end mark are written as one line.
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

const answerOf = (stored: WrittenAnswer | null | undefined): StoredAnswer | null =>
  stored ? { hash: stored[0], fingerprint: stored[1], sealed: stored[2], expiresAt: stored[3] } : null;

const readRecord = (text: string): JournalRecord => {
  const [actor, commandId, now, facts, stored, audit]: WrittenRecord = JSON.parse(text);
  return { actorIndex: actor, commandId, now, facts, answer: answerOf(stored), ...(audit && { audit }) };
};

const openRecord = (text: string): JournalRecord | DamagedRecord => {
  try {
    return readRecord(text);
  } catch (problem) {
    return { actorIndex: Number(/^\[(\d+),/.exec(text)?.[1] ?? -1), problem };
  }
};

export const readBatch = (bytes: Uint8Array): RecordedBatch => {
  const { ends, number, nonce, actors, records } = openBatch(bytes);
  const read = records.map((record) => {
    if ('problem' in record) throw record.problem;
    return record;
  });
  return { ends, number, nonce, actors: actors.map(readActor), records: read };
};

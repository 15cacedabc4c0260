// What the journal holds: a batch of records, each the facts of one command, as JSON in one message, compressed where
// that pays.
import type { Environment } from '#runtime/call.ts';

/** What a retry of a keyed command is answered with. */
export interface KeptAnswer {
  /** SHA-256 of the key's place, in hex: see runtime/idempotency. */
  readonly hash: string;
  readonly fingerprint: string;
  /** The actor's answer as JSON, sealed, in base64. */
  readonly sealed: string;
  /** By the tenant's clock, in ms. */
  readonly expiresAt: number;
}

export interface Record {
  /** Which of the batch's actors. */
  readonly actor: number;
  readonly commandId: string;
  /** The tenant's clock when it was decided, in ms. */
  readonly now: number;
  readonly facts: readonly unknown[];
  readonly kept: KeptAnswer | null;
}

export interface RecordedActor {
  readonly kind: string;
  readonly store: string;
  readonly environment: Environment;
  readonly id: string;
}

export interface RecordedBatch {
  /** Counts the partition's batches from 1 on, without a gap. */
  readonly number: number;
  /** Whose it is: two writers of one number differ in it. */
  readonly nonce: string;
  readonly actors: readonly RecordedActor[];
  readonly records: readonly Record[];
}

const FORMAT = 1;
/** A smaller batch is written as it is. */
const COMPRESSED_FROM_BYTES = 1_000;
/** The fastest: most of what repeats are names and times, and ids do not get any shorter. */
const COMPRESSION = { level: 1 };
/** JSON never begins so. */
const ZSTD_FIRST_BYTE = 0x28;

type WrittenActor = [kind: string, store: string, environment: Environment, id: string];
type WrittenKept = [hash: string, fingerprint: string, sealed: string, expiresAt: number];
type WrittenRecord = [actor: number, commandId: string, now: number, facts: readonly unknown[], kept?: WrittenKept];
type WrittenBatch = [format: number, number: number, nonce: string, actors: WrittenActor[], records: WrittenRecord[]];

export const writeActor = ({ kind, store, environment, id }: RecordedActor): string =>
  JSON.stringify([kind, store, environment, id] satisfies WrittenActor);

/** Each record is written when it is decided, so that its size is known then. */
export const writeRecord = ({ actor, commandId, now, facts, kept }: Record): string => {
  if (!kept) return JSON.stringify([actor, commandId, now, facts] satisfies WrittenRecord);
  const written: WrittenKept = [kept.hash, kept.fingerprint, kept.sealed, kept.expiresAt];
  return JSON.stringify([actor, commandId, now, facts, written] satisfies WrittenRecord);
};

/** Whoever is answered waits for all of it to be on disk: a quarter of the bytes is there sooner than it is compressed. */
export const writeBatch = (
  number: number,
  nonce: string,
  actors: readonly string[],
  records: readonly string[],
): Uint8Array => {
  const bytes = Buffer.from(
    `[${FORMAT},${number},${JSON.stringify(nonce)},[${actors.join(',')}],[${records.join(',')}]]`,
  );
  return bytes.length < COMPRESSED_FROM_BYTES ? bytes : Bun.zstdCompressSync(bytes, COMPRESSION);
};

const textOf = (bytes: Uint8Array): string => {
  const { buffer, byteOffset, byteLength } = bytes[0] === ZSTD_FIRST_BYTE ? Bun.zstdDecompressSync(bytes) : bytes;
  return Buffer.from(buffer, byteOffset, byteLength).toString('utf8');
};

const parse = (bytes: Uint8Array): WrittenBatch => {
  const written: WrittenBatch = JSON.parse(textOf(bytes));
  if (written[0] !== FORMAT) throw new Error(`The journal holds a batch of format ${written[0]}.`);
  return written;
};

/** By place: taken apart as a list, a record takes as long as it takes to be parsed. */
const recordOf = (written: WrittenRecord): Record => {
  const kept = written[4];
  return {
    actor: written[0],
    commandId: written[1],
    now: written[2],
    facts: written[3],
    kept: kept ? { hash: kept[0], fingerprint: kept[1], sealed: kept[2], expiresAt: kept[3] } : null,
  };
};

export const readBatch = (bytes: Uint8Array): RecordedBatch => {
  const [, number, nonce, actors, records] = parse(bytes);
  return {
    number,
    nonce,
    actors: actors.map(([kind, store, environment, id]) => ({ kind, store, environment, id })),
    records: records.map(recordOf),
  };
};

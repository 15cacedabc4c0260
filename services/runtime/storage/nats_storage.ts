// Stores files in NATS as its object store does, so that `nats object` lists and reads them. Each object's entry also
// names the sequences of its parts, so that a part is read without those before it.
import { createHash, randomUUID } from 'node:crypto';
import type { TenantKey } from '#runtime/call/call.ts';
import { Unavailable } from '#runtime/call/fault.ts';
import type { Bus, Stream } from '#runtime/nats/bus.ts';
import { RecentMap } from '#values/recent_map.ts';
import { PART_BYTES, type Storage } from './storage.ts';

interface Entry {
  readonly name: string;
  readonly bucket: string;
  readonly nuid: string;
  readonly size: number;
  readonly chunks: number;
  readonly digest: string;
  readonly options: { readonly max_chunk_size: number };
  readonly headers: Readonly<Record<string, readonly string[]>>;
  /** `sequences`: those of the parts, comma-separated. */
  readonly metadata: { readonly sequences: string };
}

interface Placed {
  readonly size: number;
  readonly sequences: readonly number[];
}

/** Parts in flight at once; the library would publish all of them. */
const APPENDED_AT_ONCE = 4;
const ENTRIES_MAX = 2_000;
const DUPLICATE_MS = 120_000;

const decoder = new TextDecoder();
const encoder = new TextEncoder();

const padded = (base64url: string): string => base64url.padEnd(Math.ceil(base64url.length / 4) * 4, '=');

export const bucketOf = (namespace: string): string => `${namespace.replace(/[^A-Za-z0-9_-]/g, '_')}_media`;

const subjectsOf = (bucket: string, key: TenantKey) => {
  const nuid = createHash('sha256').update(key).digest('base64url');
  const name = padded(Buffer.from(key).toString('base64url'));
  return { nuid, parts: `$O.${bucket}.C.${nuid}`, entry: `$O.${bucket}.M.${name}` };
};

export interface StoredFile {
  readonly name: string;
  readonly bytes: number;
}

/** A storage that can tell which files it has, as a backup must know. */
export interface ListedStorage extends Storage {
  list(): AsyncIterable<StoredFile>;
}

class NatsStorage implements ListedStorage {
  readonly #bus: Bus;
  readonly #bucket: string;
  readonly #entries = new RecentMap<TenantKey, Placed>(ENTRIES_MAX);
  #stream: Promise<Stream> | null = null;

  constructor(bus: Bus, namespace: string) {
    this.#bus = bus;
    this.#bucket = bucketOf(namespace);
    bus.onState(() => {
      this.#stream = null;
    });
  }

  async put(key: TenantKey, bytes: Uint8Array, contentType: string): Promise<void> {
    await this.#opened();
    const { nuid, parts, entry } = subjectsOf(this.#bucket, key);
    const chunks = Math.ceil(bytes.length / PART_BYTES);
    const sequences: number[] = [];
    const attempt = randomUUID();
    for (let first = 0; first < chunks; first += APPENDED_AT_ONCE) {
      const batch = Array.from({ length: Math.min(APPENDED_AT_ONCE, chunks - first) }, (_, at) => first + at);
      const appended = await Promise.all(
        batch.map((number) =>
          this.#append(parts, bytes.subarray(number * PART_BYTES, (number + 1) * PART_BYTES), `${attempt}:${number}`),
        ),
      );
      sequences.push(...appended);
    }
    const written: Entry = {
      name: key,
      bucket: this.#bucket,
      nuid,
      size: bytes.length,
      chunks,
      digest: `SHA-256=${padded(createHash('sha256').update(bytes).digest('base64url'))}`,
      options: { max_chunk_size: PART_BYTES },
      headers: { 'Content-Type': [contentType] },
      metadata: { sequences: sequences.join() },
    };
    await this.#append(entry, encoder.encode(JSON.stringify(written)), attempt);
  }

  async read(key: TenantKey, from: number, length: number): Promise<Uint8Array | null> {
    const stream = await this.#opened();
    const placed = await this.#placed(stream, key);
    if (placed === null) return null;
    const end = Math.min(from + length, placed.size);
    const found: Uint8Array[] = [];
    for (let at = from; at < end; ) {
      const number = Math.floor(at / PART_BYTES);
      const start = number * PART_BYTES;
      const part = await stream.copy(placed.sequences[number]!);
      if (part === null) return null;
      found.push(part.subarray(at - start, end - start));
      at = start + PART_BYTES;
    }
    return found.length === 1 ? found[0]! : Buffer.concat(found);
  }

  async delete(key: TenantKey): Promise<void> {
    const stream = await this.#opened();
    const { parts, entry } = subjectsOf(this.#bucket, key);
    await stream.erase(entry);
    await stream.erase(parts);
    this.#entries.delete(key);
  }

  async *list(): AsyncGenerator<StoredFile> {
    const stream = await this.#opened();
    const entries = `$O.${this.#bucket}.M.>`;
    const last = await stream.last(entries);
    if (last === null) return;
    for await (const { bytes } of stream.read(entries, 1, last.sequence)) {
      const { name, size } = JSON.parse(decoder.decode(bytes)) as Entry;
      yield { name, bytes: size };
    }
  }

  /** Remembers entries, since an object is never changed. */
  async #placed(stream: Stream, key: TenantKey): Promise<Placed | null> {
    const known = this.#entries.get(key);
    if (known) return known;
    const stored = await stream.last(subjectsOf(this.#bucket, key).entry);
    if (stored === null) return null;
    const { size, metadata } = JSON.parse(decoder.decode(stored.bytes)) as Entry;
    const placed = { size, sequences: metadata.sequences.split(',').map(Number) };
    this.#entries.set(key, placed);
    return placed;
  }

  /** Throws `Unavailable` also for an unknown outcome: without its entry an object does not exist. */
  async #append(subject: string, bytes: Uint8Array, id: string): Promise<number> {
    try {
      return (await this.#bus.append(subject, bytes, { id: `${subject}:${id}` })).sequence;
    } catch (cause) {
      throw cause instanceof Unavailable ? cause : new Unavailable('The file may not be stored.', { cause });
    }
  }

  #opened(): Promise<Stream> {
    const name = `OBJ_${this.#bucket}`;
    this.#stream ??= this.#bus
      .ensureStream({
        name,
        subjects: [`$O.${this.#bucket}.C.>`, `$O.${this.#bucket}.M.>`],
        ageMsMax: 0,
        messagesMax: -1,
        duplicateMs: DUPLICATE_MS,
        replicas: this.#bus.replicas,
        isObjectStore: true,
      })
      .then(
        () => this.#bus.stream(name),
        (problem) => {
          this.#stream = null;
          throw problem;
        },
      );
    return this.#stream;
  }
}

export const natsStorage = (bus: Bus, namespace: string): ListedStorage => new NatsStorage(bus, namespace);

// Writes an arriving document to disk until it is complete, so that slow servers cost no memory. Then compresses it
// outside the event loop.
import { randomUUID } from 'node:crypto';
import { type FileHandle, open, unlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { constants, zstdCompress, zstdDecompress } from 'node:zlib';

export const DOCUMENT_BYTES_MAX = 16 * 1024 * 1024;

const compress = promisify(zstdCompress);
const decompress = promisify(zstdDecompress);
const OPTIONS = { params: { [constants.ZSTD_c_compressionLevel]: 1 } };

export const packDocument = (bytes: Uint8Array): Promise<Uint8Array> => compress(bytes, OPTIONS);

export const unpackDocument = (packed: Uint8Array): Promise<Uint8Array> =>
  decompress(packed, { maxOutputLength: DOCUMENT_BYTES_MAX * 2 });

export class Spool {
  readonly #file: FileHandle;
  #written: Promise<void> = Promise.resolve();
  #bytes = 0;

  constructor(file: FileHandle) {
    this.#file = file;
  }

  /** Resolves when the chunk is written. A disk error is thrown later, by `read`. */
  append(chunk: Uint8Array): Promise<void> {
    this.#bytes += chunk.length;
    this.#written = this.#written.then(() => this.#file.appendFile(chunk));
    return this.#written.catch(() => {});
  }

  async read(): Promise<Uint8Array> {
    await this.#written;
    const document = new Uint8Array(this.#bytes);
    for (let at = 0; at < document.length; ) {
      const { bytesRead } = await this.#file.read(document, at, document.length - at, at);
      if (bytesRead === 0) throw new Error(`A spooled document ends after ${at} of ${document.length} bytes.`);
      at += bytesRead;
    }
    return document;
  }

  async close(): Promise<void> {
    await this.#written.catch(() => {});
    await this.#file.close();
  }
}

/** Opens a file and unlinks it at once, so that the operating system deletes it even if the process crashes. */
export const openSpool = async (): Promise<Spool> => {
  const path = join(tmpdir(), `stoa-document-${randomUUID()}`);
  const file = await open(path, 'wx+', 0o600);
  await unlink(path);
  return new Spool(file);
};

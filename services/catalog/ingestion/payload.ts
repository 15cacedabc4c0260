// Compresses job documents off the event loop.
import { promisify } from 'node:util';
import { constants, zstdCompress, zstdDecompress } from 'node:zlib';

export const DOCUMENT_BYTES_MAX = 16 * 1024 * 1024;

const compress = promisify(zstdCompress);
const decompress = promisify(zstdDecompress);
const OPTIONS = { params: { [constants.ZSTD_c_compressionLevel]: 1 } };

export const packDocument = (bytes: Uint8Array): Promise<Uint8Array> => compress(bytes, OPTIONS);

export const unpackDocument = (packed: Uint8Array): Promise<Uint8Array> =>
  decompress(packed, { maxOutputLength: DOCUMENT_BYTES_MAX * 2 });

// Compresses responses as `Accept-Encoding` asks, and caches the compressed bodies of cached responses.
import { promisify } from 'node:util';
import { brotliCompress, brotliCompressSync, constants, gzip } from 'node:zlib';
import { RecentMap } from '#values/recent_map.ts';

export type Coding = 'zstd' | 'br' | 'gzip';

/** Codings from the fastest to the slowest; the first of those with the highest weight is chosen. */
const CODINGS: readonly Coding[] = ['zstd', 'br', 'gzip'];

/**
 * Bytes of the smallest body that is compressed, and of the largest that is compressed on the event loop; larger ones
 * are compressed in another thread.
 */
const WORTH_BYTES = 1_000;
const SYNC_BYTES_MAX = 128 * 1024;

/** How often the compressed body is sent; the more often, the higher the compression level. */
export type Effort = 'once' | 'often' | 'ever';

const LEVELS: Readonly<Record<Effort, Readonly<Record<Coding, number>>>> = {
  once: { zstd: 1, br: 1, gzip: 1 },
  often: { zstd: 3, br: 4, gzip: 6 },
  ever: { zstd: 15, br: 9, gzip: 9 },
};

export const isWorth = (bytes: number): boolean => bytes > WORTH_BYTES;

const HEADERS_MAX = 200;
const codingByHeader = new RecentMap<string, Coding | null>(HEADERS_MAX);

export const codingOf = (header: string | null): Coding | null =>
  header === null || header === '' ? null : codingByHeader.getOrInsertComputed(header, negotiate);

const ELEMENT = /^\s*([!#$%&'*+.^_`|~0-9a-z-]+)\s*(?:;\s*q=(0(?:\.\d{0,3})?|1(?:\.0{0,3})?)\s*)?$/i;

function negotiate(header: string): Coding | null {
  const weights = new Map<string, number>();
  for (const element of header.split(',')) {
    const [, name, weight = '1'] = ELEMENT.exec(element) ?? [];
    if (name) weights.set(name.toLowerCase().replace(/^x-gzip$/, 'gzip'), Number(weight));
  }
  const others = weights.get('*') ?? 0;
  let best: Coding | null = null;
  let bestWeight = weights.get('identity') ?? 0;
  for (const coding of CODINGS) {
    const weight = weights.get(coding) ?? others;
    if (weight > 0 && (best === null ? weight >= bestWeight : weight > bestWeight)) {
      best = coding;
      bestWeight = weight;
    }
  }
  return best;
}

const gzipAsync = promisify(gzip);
const brotliAsync = promisify(brotliCompress);

const brotli = (quality: number, bytes: number) => ({
  params: { [constants.BROTLI_PARAM_QUALITY]: quality, [constants.BROTLI_PARAM_SIZE_HINT]: bytes },
});

function packSync(body: Uint8Array<ArrayBuffer>, coding: Coding, level: number): Uint8Array {
  if (coding === 'zstd') return Bun.zstdCompressSync(body, { level });
  if (coding === 'gzip') return Bun.gzipSync(body, { level: level as 1 });
  return brotliCompressSync(body, brotli(level, body.length));
}

async function packAsync(body: Uint8Array<ArrayBuffer>, coding: Coding, level: number): Promise<Uint8Array> {
  if (coding === 'zstd') return Bun.zstdCompress(body, { level });
  return coding === 'gzip' ? gzipAsync(body, { level }) : brotliAsync(body, brotli(level, body.length));
}

/** Compresses on the event loop if that takes 1 ms at most, else in another thread. */
export function pack(body: Uint8Array, coding: Coding, effort: Effort): Uint8Array | Promise<Uint8Array> {
  const bytes = body as Uint8Array<ArrayBuffer>;
  const level = LEVELS[effort][coding];
  const isAsync = body.length > SYNC_BYTES_MAX || effort === 'ever';
  return isAsync ? packAsync(bytes, coding, level) : packSync(bytes, coding, level);
}

export class EncodedBodies {
  readonly #body: Uint8Array;
  readonly #effort: Effort;
  readonly #bodies: Partial<Record<Coding, Uint8Array | Promise<Uint8Array>>> = {};
  bytes = 0;
  onGrowth: ((bytes: number) => void) | null = null;

  constructor(body: Uint8Array, effort: Effort) {
    this.#body = body;
    this.#effort = effort;
  }

  of(coding: Coding): Uint8Array | Promise<Uint8Array> {
    const bodies = this.#bodies[coding];
    if (bodies) return bodies;
    const packed = pack(this.#body, coding, this.#effort);
    if (!(packed instanceof Promise)) return this.#store(coding, packed);
    const pending = packed.then(
      (bytes) => this.#store(coding, bytes),
      (problem) => {
        delete this.#bodies[coding];
        throw problem;
      },
    );
    this.#bodies[coding] = pending;
    return pending;
  }

  #store(coding: Coding, bytes: Uint8Array): Uint8Array {
    this.#bodies[coding] = bytes;
    this.bytes += bytes.length;
    this.onGrowth?.(bytes.length);
    return bytes;
  }
}

export const VARY_CODING = 'Accept-Encoding';

/** Compresses a page that is built per request. A HEAD request gets the headers of the uncompressed page. */
/** Pictures and videos are compressed already, drawings apart. */
const isPacked = (contentType: string): boolean => /^(image\/(?!svg)|video\/)/.test(contentType);

export async function compressed(request: Request, response: Response): Promise<Response> {
  if (response.status !== 200 || response.headers.has('content-encoding')) return response;
  if (isPacked(response.headers.get('content-type') ?? '')) return response;
  if (!response.headers.get('vary')?.includes(VARY_CODING)) response.headers.append('Vary', VARY_CODING);
  const coding = codingOf(request.headers.get('accept-encoding'));
  const { status, headers } = response;
  if (coding === null || request.method === 'HEAD' || !response.body) return response;
  const body = await response.bytes();
  if (!isWorth(body.length)) return new Response(body, { status, headers });
  headers.delete('Content-Length');
  headers.set('Content-Encoding', coding);
  return new Response((await pack(body, coding, 'once')) as Uint8Array<ArrayBuffer>, { status, headers });
}

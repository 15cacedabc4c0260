// Answers made smaller for those who ask for it (`Accept-Encoding`): in which coding, with how much effort, and once for what
// is given often.
import { promisify } from 'node:util';
import { brotliCompress, brotliCompressSync, constants, gzip } from 'node:zlib';

export type Coding = 'zstd' | 'br' | 'gzip';

/** Whichever the caller likes best; of several the one that takes least time to make. */
const CODINGS: readonly Coding[] = ['zstd', 'br', 'gzip'];

/** Nothing smaller is worth it. */
const WORTH_BYTES = 1_000;
/** More than this would keep the event loop from others: it is left to another thread. */
const AT_ONCE_BYTES_MAX = 128 * 1024;

/** How often it is given: once, from a cache, or for ever. */
export type Effort = 'once' | 'often' | 'ever';

const LEVELS: Readonly<Record<Effort, Readonly<Record<Coding, number>>>> = {
  once: { zstd: 1, br: 1, gzip: 1 },
  often: { zstd: 3, br: 4, gzip: 6 },
  ever: { zstd: 15, br: 9, gzip: 9 },
};

export const isWorth = (bytes: number): boolean => bytes > WORTH_BYTES;

// ── Which ────────────────────────────────────────────────────────────────────────────────────────────────────────────

const HEADERS_MAX = 200;
const chosen = new Map<string, Coding | null>();

/** By a header `Accept-Encoding`; null where the body goes as it is. */
export function codingOf(header: string | null): Coding | null {
  if (header === null || header === '') return null;
  let coding = chosen.get(header);
  if (coding === undefined) {
    coding = choose(header);
    if (chosen.size >= HEADERS_MAX) chosen.clear();
    chosen.set(header, coding);
  }
  return coding;
}

const ELEMENT = /^\s*([!#$%&'*+.^_`|~0-9a-z-]+)\s*(?:;\s*q=(0(?:\.\d{0,3})?|1(?:\.0{0,3})?)\s*)?$/i;

function choose(header: string): Coding | null {
  const weights = new Map<string, number>();
  for (const element of header.split(',')) {
    const [, name, weight = '1'] = ELEMENT.exec(element) ?? [];
    if (name) weights.set(name.toLowerCase().replace(/^x-gzip$/, 'gzip'), Number(weight));
  }
  const others = weights.get('*') ?? 0;
  let best: Coding | null = null;
  // Who would rather have it plain says so.
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

// ── How ──────────────────────────────────────────────────────────────────────────────────────────────────────────────

const gzipLate = promisify(gzip);
const brotliLate = promisify(brotliCompress);

const brotli = (quality: number, bytes: number) => ({
  params: { [constants.BROTLI_PARAM_QUALITY]: quality, [constants.BROTLI_PARAM_SIZE_HINT]: bytes },
});

function packNow(body: Uint8Array<ArrayBuffer>, coding: Coding, level: number): Uint8Array {
  if (coding === 'zstd') return Bun.zstdCompressSync(body, { level });
  if (coding === 'gzip') return Bun.gzipSync(body, { level: level as 1 });
  return brotliCompressSync(body, brotli(level, body.length));
}

async function packLate(body: Uint8Array<ArrayBuffer>, coding: Coding, level: number): Promise<Uint8Array> {
  if (coding === 'zstd') return Bun.zstdCompress(body, { level });
  return coding === 'gzip' ? gzipLate(body, { level }) : brotliLate(body, brotli(level, body.length));
}

/** At once where that takes less than a millisecond or so. */
export function pack(body: Uint8Array, coding: Coding, effort: Effort): Uint8Array | Promise<Uint8Array> {
  const bytes = body as Uint8Array<ArrayBuffer>;
  const level = LEVELS[effort][coding];
  const late = body.length > AT_ONCE_BYTES_MAX || effort === 'ever';
  return late ? packLate(bytes, coding, level) : packNow(bytes, coding, level);
}

/** A body in the codings that it was asked for in, each made once. */
export class EncodedBodies {
  readonly #body: Uint8Array;
  readonly #effort: Effort;
  readonly #made: Partial<Record<Coding, Uint8Array | Promise<Uint8Array>>> = {};
  /** Of all forms together. */
  bytes = 0;
  /** Told how many bytes a new form has. */
  onGrowth: ((bytes: number) => void) | null = null;

  constructor(body: Uint8Array, effort: Effort) {
    this.#body = body;
    this.#effort = effort;
  }

  of(coding: Coding): Uint8Array | Promise<Uint8Array> {
    const made = this.#made[coding];
    if (made) return made;
    const packed = pack(this.#body, coding, this.#effort);
    if (!(packed instanceof Promise)) return this.#keep(coding, packed);
    const kept = packed.then(
      (bytes) => this.#keep(coding, bytes),
      (problem) => {
        delete this.#made[coding];
        throw problem;
      },
    );
    this.#made[coding] = kept;
    return kept;
  }

  #keep(coding: Coding, bytes: Uint8Array): Uint8Array {
    this.#made[coding] = bytes;
    this.bytes += bytes.length;
    this.onGrowth?.(bytes.length);
    return bytes;
  }
}

/** The header that says which of a caller's headers pick the form of an answer. */
export const VARY_CODING = 'Accept-Encoding';

/** A page as it goes out: for what is made anew each time, and seldom asked for. HEAD is told of the plain one. */
export async function compressed(request: Request, response: Response): Promise<Response> {
  if (response.status !== 200 || response.headers.has('content-encoding')) return response;
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

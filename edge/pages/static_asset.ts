// Serves a file that stays the same while the process runs. Builds the file and its compressed forms once, at the first
// request. Clients may cache it for ever under a name that contains its hash.
import { createHash } from 'node:crypto';
import { commonHeaders } from '#edge/answer.ts';
import { codingOf, EncodedBodies, isWorth } from '#edge/compression.ts';
import { etagOf, matches } from '#edge/gates/etag.ts';
import type { RequestContext } from '#edge/request_context.ts';

interface BuiltAsset {
  readonly bytes: Uint8Array;
  readonly forms: EncodedBodies;
  readonly etag: string;
  /** 16 hexadecimal digits. */
  readonly hash: string;
}

export const REVALIDATED = 'public, max-age=0, must-revalidate';
export const IMMUTABLE = 'public, max-age=31536000, immutable';

export class StaticAsset {
  readonly #type: string;
  readonly #make: () => Uint8Array | Promise<Uint8Array>;
  #made: Promise<BuiltAsset> | null = null;

  constructor(type: string, make: () => Uint8Array | Promise<Uint8Array>) {
    this.#type = type;
    this.#make = make;
  }

  get hash(): Promise<string> {
    return this.#read().then(({ hash }) => hash);
  }

  async respond(context: RequestContext, cacheControl: string): Promise<Response> {
    const { bytes, forms, etag } = await this.#read();
    const { method, headers: asked } = context.request;
    const headers = commonHeaders(context, this.#type);
    Object.assign(headers, { 'Cache-Control': cacheControl, ETag: etag });
    if (matches(asked.get('if-none-match'), etag)) {
      headers['X-Cache'] = 'HIT-304';
      return new Response(null, { status: 304, headers });
    }
    headers['X-Cache'] = 'HIT';
    const coding = isWorth(bytes.length) ? codingOf(asked.get('accept-encoding')) : null;
    const body = coding === null ? bytes : await forms.of(coding);
    if (coding) headers['Content-Encoding'] = coding;
    if (method === 'HEAD') headers['Content-Length'] = `${body.length}`;
    return new Response(method === 'HEAD' ? null : (body as Uint8Array<ArrayBuffer>), { headers });
  }

  #read(): Promise<BuiltAsset> {
    this.#made ??= this.#begin().catch((problem) => {
      this.#made = null;
      throw problem;
    });
    return this.#made;
  }

  async #begin(): Promise<BuiltAsset> {
    const bytes = await this.#make();
    const hash = createHash('sha256').update(bytes).digest('hex').slice(0, 16);
    return { bytes, forms: new EncodedBodies(bytes, 'ever'), etag: etagOf('own', bytes), hash };
  }
}

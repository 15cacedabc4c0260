// Serves the files of uploaded pictures and videos at immutable addresses, in whole or by ranges. A file passes through
// in parts, each read from the service once the client has taken the one before.
import { commonHeaders, type HeaderTable, refusalResponse } from '#edge/answer.ts';
import { matches } from '#edge/gates/etag.ts';
import { withStatus } from '#edge/gates/refusal.ts';
import { type OwnCall, ownCall } from '#edge/own_call.ts';
import type { RequestContext } from '#edge/request_context.ts';
import type { FindFileResponse } from '#proto/gen/media.ts';
import { type Environment, notFound, Refusal, refuse, type Tenant } from '#runtime/call/call.ts';
import type { LinkClient } from '#runtime/link/frame.ts';
import { RENDITION_WIDTHS } from '#services/commerce/public_path.ts';

const FIND_MS = 5_000;
const READ_MS = 10_000;
/** The service reads parts of this size from its storage; answers of more than four are streamed. */
const PART_BYTES = 512 * 1024;
const COLLECTED_BYTES_MAX = 4 * PART_BYTES;

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const RENDITION = /^(\d+)\.webp$/;
const ENVIRONMENTS: readonly string[] = ['production', 'sandbox'] satisfies Environment[];

const NO_FILE = notFound('file');
const UNSATISFIABLE = withStatus(refuse('invalid_request', 'The range lies outside of the file.'), 416);

interface FileAddress {
  readonly tenant: Tenant;
  readonly id: string;
  /** Width of the rendition; null: the file itself. */
  readonly width: number | null;
}

const addressOf = ({ store = '', environment = '', id = '', file }: Record<string, string>): FileAddress | null => {
  if (!UUID.test(store) || !UUID.test(id) || !ENVIRONMENTS.includes(environment)) return null;
  const tenant = { store, environment: environment as Environment };
  if (file === undefined) return { tenant, id, width: null };
  const width = Number(RENDITION.exec(file)?.[1]);
  return RENDITION_WIDTHS.some((each) => each === width) ? { tenant, id, width } : null;
};

interface ByteRange {
  readonly from: number;
  /** The position after the last byte. */
  readonly to: number;
}

/** Reads a header with one range. Null means the whole file: several ranges and other units are ignored. */
export const rangeOf = (header: string | null, bytes: number): ByteRange | null | Refusal => {
  const [, first = '', last = ''] = /^bytes=(\d*)-(\d*)$/.exec(header?.replaceAll(' ', '') ?? '') ?? [];
  if (first === '' && last === '') return null;
  if (first === '') return Number(last) === 0 ? UNSATISFIABLE : { from: Math.max(0, bytes - Number(last)), to: bytes };
  const from = Number(first);
  if (last !== '' && Number(last) < from) return null;
  if (from >= bytes) return UNSATISFIABLE;
  return { from, to: last === '' ? bytes : Math.min(bytes, Number(last) + 1) };
};

const headersOf = (context: RequestContext, found: FindFileResponse, etag: string): HeaderTable => ({
  ...commonHeaders(context, found.content_type),
  ETag: etag,
  'Cache-Control': 'public, max-age=31536000, immutable',
  'Accept-Ranges': 'bytes',
  'Content-Security-Policy': "default-src 'none'; sandbox",
  'Cross-Origin-Resource-Policy': 'cross-origin',
  'Access-Control-Allow-Origin': '*',
});

type ReadPart = (from: number, length: number) => Promise<Uint8Array | Refusal>;

/** Returns the end of the storage's part in which a position lies, or of the range where that is nearer. */
const partEnd = (at: number, { to }: ByteRange): number => Math.min(to, (Math.floor(at / PART_BYTES) + 1) * PART_BYTES);

const streamed = (read: ReadPart, first: Uint8Array, range: ByteRange): ReadableStream<Uint8Array> => {
  let at = range.from;
  let next: Uint8Array | null = first;
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const part: Uint8Array | Refusal = next ?? (await read(at, partEnd(at, range) - at));
        next = null;
        if (part instanceof Refusal) return controller.error(new Error(part.message));
        controller.enqueue(part);
        at += part.length;
        if (at >= range.to) controller.close();
      },
    },
    { highWaterMark: 0 },
  );
};

/** Reads a whole range; an answer in one piece has a length, which a stream of Bun's has not. */
const collected = async (read: ReadPart, range: ByteRange): Promise<Uint8Array<ArrayBuffer> | Refusal> => {
  const parts: Uint8Array[] = [];
  for (let at = range.from; at < range.to; at = partEnd(at, range)) {
    const part = await read(at, partEnd(at, range) - at);
    if (part instanceof Refusal) return part;
    parts.push(part);
  }
  return (parts.length === 1 ? parts[0]! : Buffer.concat(parts)) as Uint8Array<ArrayBuffer>;
};

/** Reads the first part before the answer begins, so that a failure still has a status. */
const bodyOf = async (
  read: ReadPart,
  range: ByteRange,
): Promise<Uint8Array<ArrayBuffer> | ReadableStream | Refusal> => {
  if (range.to - range.from <= COLLECTED_BYTES_MAX) return collected(read, range);
  const first = await read(range.from, partEnd(range.from, range) - range.from);
  return first instanceof Refusal ? first : streamed(read, first, range);
};

type RespondWithFile = (context: RequestContext, params: Record<string, string>) => Promise<Response>;

export const mediaFile = (wire: LinkClient): RespondWithFile => {
  const readerOf =
    (context: RequestContext, { tenant, id }: FileAddress, file: string): ReadPart =>
    async (from, length) => {
      const answer = await wire.ask(
        {
          rpc: 'MediaDirectory/ReadFile',
          caller: { tenant, keyType: 'internal', keyId: '', customer: null },
          timeoutMs: READ_MS,
          requestId: context.requestId,
          trace: context.trace,
          input: JSON.stringify({ id, file, from, length }),
          rawBody: null,
          contentType: '',
          idempotency: null,
          revisionMin: 0,
        },
        false,
      );
      return answer.refused ?? answer.body;
    };

  return async (context, params) => {
    const address = addressOf(params);
    if (address === null) return refusalResponse(context, NO_FILE);
    context.isAsync = true;
    const { tenant, id, width } = address;
    const call: OwnCall = {
      caller: { tenant, keyType: 'internal', keyId: '', customer: null },
      timeoutMs: FIND_MS,
      origin: context,
    };
    const found = await ownCall(wire, 'MediaDirectory/FindFile', { id, ...(width !== null && { width }) }, call);
    if (found instanceof Refusal) return refusalResponse(context, found.code === 'not_found' ? NO_FILE : found);
    const { request } = context;
    const etag = `"${id}-${found.file}"`;
    const headers = headersOf(context, found, etag);
    if (matches(request.headers.get('if-none-match'), etag)) return new Response(null, { status: 304, headers });
    const condition = request.headers.get('if-range');
    const range = condition === null || condition === etag ? rangeOf(request.headers.get('range'), found.bytes) : null;
    if (range instanceof Refusal) return refusalResponse(context, range, { 'Content-Range': `bytes */${found.bytes}` });
    const served = range ?? { from: 0, to: found.bytes };
    headers['Content-Length'] = String(served.to - served.from);
    if (range) headers['Content-Range'] = `bytes ${range.from}-${range.to - 1}/${found.bytes}`;
    const body = request.method === 'HEAD' ? null : await bodyOf(readerOf(context, address, found.file), served);
    if (body instanceof Refusal) return refusalResponse(context, body);
    return new Response(body, { status: range ? 206 : 200, headers });
  };
};

// Reads a request's body within the route's size limit, or the file of a form, and checks its media type.
import type { Route } from '#proto/route.ts';
import { invalid, Refusal, refuse } from '#runtime/call/call.ts';
import { withStatus } from './refusal.ts';

export interface Body {
  readonly bytes: Uint8Array;
  readonly mediaType: string;
  readonly fileName?: string;
}

/** An upload that takes longer is cut off, because it occupies a connection. */
const READ_TIMEOUT_MS = 15_000;
/** A body that may be larger may take longer, as over a line of 2 Mbit/s. */
const LARGE_BYTES = 1024 * 1024;
const BYTES_PER_MS = 256;

const readTimeoutMsOf = (bytesMax: number): number =>
  READ_TIMEOUT_MS + Math.ceil(Math.max(0, bytesMax - LARGE_BYTES) / BYTES_PER_MS / 1_000) * 1_000;

const tooSlow = (timeoutMs: number): Refusal =>
  withStatus(refuse('invalid_request', `The body did not arrive within ${timeoutMs / 1_000} seconds.`), 408);

/** Media type of a route that judges bodies by their content. */
const ANY_TYPE = '*/*';

const FILE_PART = 'file';

const NO_FILE = invalid(FILE_PART, 'The form has no file. Send it as the part `file`, with a file name.');
const BROKEN = invalid(FILE_PART, 'The form cannot be read. Send it as multipart/form-data with its boundary.');

interface UploadedFile {
  readonly bytes: Uint8Array;
  readonly mediaType: string;
  readonly fileName: string;
}

const isForm = (contentType: string): boolean => /^multipart\/form-data\s*(;|$)/i.test(contentType);

/** Returns the form's file. A retry may have another boundary, so the file alone stands for the body. */
const readFilePart = async (form: Uint8Array, contentType: string): Promise<UploadedFile | Refusal> => {
  const headers = { 'Content-Type': contentType };
  const parts = await new Response(form as Uint8Array<ArrayBuffer>, { headers }).formData().catch(() => null);
  if (parts === null) return BROKEN;
  const file = parts.get(FILE_PART);
  if (!(file instanceof Blob)) return NO_FILE;
  const fileName = 'name' in file && typeof file.name === 'string' ? file.name : '';
  return { bytes: await file.bytes(), mediaType: file.type, fileName };
};

const NO_BODY: Body = { bytes: new Uint8Array(0), mediaType: '' };

const tooLarge = (bytesMax: number): Refusal =>
  refuse('payload_too_large', `The body is larger than ${bytesMax} bytes.`);

type Limits = NonNullable<Route['body']>;

export function readBody(
  request: Request,
  limits: Limits,
  timeoutMs = readTimeoutMsOf(limits.bytes_max),
): Body | Refusal | Promise<Body | Refusal> {
  const { headers } = request;
  const length = headers.get('content-length');
  if (length !== null && Number(length) > limits.bytes_max) return tooLarge(limits.bytes_max);
  if (length === '0' || (length === null && !request.body)) return NO_BODY;
  const reading = length === null ? readStream(request, limits.bytes_max) : request.bytes();
  return withTimeout(reading, timeoutMs).then(
    (bytes) => (bytes instanceof Refusal ? bytes : checkBody(bytes, headers, limits)),
    () => refuse('invalid_request', 'The connection closed before the whole body arrived.'),
  );
}

function withTimeout(reading: Promise<Uint8Array | Refusal>, timeoutMs: number): Promise<Uint8Array | Refusal> {
  return new Promise((done, fail) => {
    const timer = setTimeout(() => done(tooSlow(timeoutMs)), timeoutMs);
    reading.then(
      (bytes) => {
        clearTimeout(timer);
        done(bytes);
      },
      (problem) => {
        clearTimeout(timer);
        fail(problem);
      },
    );
  });
}

function checkBody(bytes: Uint8Array, headers: Headers, limits: Limits): Body | Refusal | Promise<Body | Refusal> {
  if (bytes.length > limits.bytes_max) return tooLarge(limits.bytes_max);
  if (bytes.length === 0) return NO_BODY;
  const encoding = headers.get('content-encoding');
  if (encoding !== null && encoding.toLowerCase() !== 'identity')
    return refuse('invalid_request', 'Compressed bodies are not accepted.');
  const contentType = headers.get('content-type') ?? '';
  if (limits.raw.includes(ANY_TYPE))
    return isForm(contentType) ? readFilePart(bytes, contentType) : { bytes, mediaType: contentType };
  const mediaType = mediaTypeOf(contentType, limits.raw);
  if (mediaType === null)
    return refuse(
      'unsupported_media_type',
      `The body must be ${[...new Set(['application/json', ...limits.raw])].join(' or ')}.`,
    );
  return { bytes, mediaType };
}

function mediaTypeOf(header: string, raw: readonly string[]): string | null {
  if (header === 'application/json') return header;
  const [type = '', ...parameters] = header
    .toLowerCase()
    .split(';')
    .map((part) => part.trim());
  if (type !== 'application/json' && !raw.includes(type)) return null;
  const charset = parameters.find((parameter) => parameter.startsWith('charset='));
  return charset === undefined || /^charset="?utf-?8"?$/.test(charset) ? type : null;
}

async function readStream(request: Request, bytesMax: number): Promise<Uint8Array | Refusal> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of request.body as unknown as AsyncIterable<Uint8Array>) {
    length += chunk.length;
    if (length > bytesMax) return tooLarge(bytesMax);
    chunks.push(chunk);
  }
  const bytes = new Uint8Array(length);
  let at = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, at);
    at += chunk.length;
  }
  return bytes;
}

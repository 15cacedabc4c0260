// Reads a request's body within its limit, and nothing but the media types that the endpoint takes.
import type { Route } from '#proto/route.ts';
import { Refusal, refuse } from '#runtime/call/call.ts';
import { withStatus } from './refusal.ts';

export interface Body {
  readonly bytes: Uint8Array;
  /** Lower-case, without parameters; empty where there is no body. */
  readonly mediaType: string;
}

/** A body that is on its way for longer keeps from others what it holds. */
const WITHIN_MS = 15_000;

const LATE = withStatus(refuse('invalid_request', 'The body took more than 15 seconds.'), 408);

const NO_BODY: Body = { bytes: new Uint8Array(0), mediaType: '' };

const tooLarge = (bytesMax: number): Refusal =>
  refuse('payload_too_large', `The body is larger than ${bytesMax} bytes.`);

type Limits = NonNullable<Route['body']>;

export function readBody(
  request: Request,
  limits: Limits,
  withinMs = WITHIN_MS,
): Body | Refusal | Promise<Body | Refusal> {
  const { headers } = request;
  const length = headers.get('content-length');
  if (length !== null && Number(length) > limits.bytes_max) return tooLarge(limits.bytes_max);
  if (length === '0' || (length === null && !request.body)) return NO_BODY;
  const reading = length === null ? readStream(request, limits.bytes_max) : request.bytes();
  return inTime(reading, withinMs).then(
    (bytes) => (bytes instanceof Refusal ? bytes : judge(bytes, headers, limits)),
    () => refuse('invalid_request', 'The body ended early.'),
  );
}

/** Nearly always the whole body came with its head, and is there before a timer would be. */
function inTime(reading: Promise<Uint8Array | Refusal>, withinMs: number): Promise<Uint8Array | Refusal> {
  return new Promise((done, fail) => {
    const late = setTimeout(done, withinMs, LATE);
    reading.then(
      (bytes) => {
        clearTimeout(late);
        done(bytes);
      },
      (problem) => {
        clearTimeout(late);
        fail(problem);
      },
    );
  });
}

function judge(bytes: Uint8Array, headers: Headers, limits: Limits): Body | Refusal {
  if (bytes.length > limits.bytes_max) return tooLarge(limits.bytes_max);
  if (bytes.length === 0) return NO_BODY;
  const encoding = headers.get('content-encoding');
  if (encoding !== null && encoding.toLowerCase() !== 'identity')
    return refuse('invalid_request', 'Compressed bodies are not accepted.');
  const mediaType = mediaTypeOf(headers.get('content-type') ?? '', limits.raw);
  if (mediaType === null)
    return refuse(
      'unsupported_media_type',
      `The body must be ${[...new Set(['application/json', ...limits.raw])].join(' or ')}.`,
    );
  return { bytes, mediaType };
}

/** The media type in lower case, or null when the endpoint does not take it; UTF-8 is the only charset. */
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

/** Without an announced length: piece by piece, given up at the limit. */
async function readStream(request: Request, bytesMax: number): Promise<Uint8Array | Refusal> {
  const pieces: Uint8Array[] = [];
  let length = 0;
  for await (const piece of request.body as unknown as AsyncIterable<Uint8Array>) {
    length += piece.length;
    if (length > bytesMax) return tooLarge(bytesMax);
    pieces.push(piece);
  }
  const bytes = new Uint8Array(length);
  let at = 0;
  for (const piece of pieces) {
    bytes.set(piece, at);
    at += piece.length;
  }
  return bytes;
}

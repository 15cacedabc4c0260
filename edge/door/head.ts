// The heads of HTTP/1.1 messages, read strictly (RFC 9112): how far each message goes, and what is no HTTP at all.

/** Bytes of a body, or that it comes in chunks, or that it ends with the connection. */
export type Framing = number | 'chunked' | 'open';

export interface RequestHead {
  readonly verb: string;
  readonly target: string;
  readonly framing: Exclude<Framing, 'open'>;
}

export interface ResponseHead {
  readonly status: number;
  readonly framing: Framing;
  /** The server ends the connection after it. */
  readonly last: boolean;
  /** One of the edge's own; the runtime answers what it cannot read without a name for the request. */
  readonly ours: boolean;
}

/** What is wrong with a request, in a caller's terms. */
export class Misread {
  readonly status: number;
  readonly message: string;
  readonly param: string | undefined;

  constructor(status: number, message: string, param?: string) {
    this.status = status;
    this.message = message;
    this.param = param;
  }
}

const TOKEN = "[!#$%&'*+.^_`|~0-9A-Za-z-]+";
const REQUEST_LINE = new RegExp(`^(${TOKEN}) ([\\x21-\\x7e\\x80-\\xff]+) HTTP/(\\d)\\.(\\d)\\r\\n`);
const VERB = new RegExp(`^${TOKEN}(?: |$)`);
const FIELDS = new RegExp(`^(?:${TOKEN}:[\\t\\x20-\\x7e\\x80-\\xff]*\\r\\n)*$`);
/** The fields that say how far a request goes, and for whom it is. */
const TOLD = /(?:^|\n)(content-length|transfer-encoding|host):[ \t]*([^\r]*?)[ \t]*(?=\r)/gi;
const LENGTH = /^\d{1,15}$/;

const NOT_HTTP = new Misread(400, 'The request is not well-formed HTTP/1.1.');
const VERSION = new Misread(505, 'Only HTTP/1.1 and HTTP/1.0 are spoken here.');
const TARGET = new Misread(400, 'The request must name a path.');
const HEADERS = new Misread(400, 'The headers are not well-formed.');
const HOST = new Misread(400, 'The request must name exactly one host.', 'Host');
const TWO_LENGTHS = new Misread(400, 'The length of the body is told in two ways.', 'Content-Length');
const BAD_LENGTH = new Misread(400, 'Content-Length must be a whole number.', 'Content-Length');
const CODING = new Misread(400, 'The only transfer coding is `chunked`.', 'Transfer-Encoding');

/** What is wrong with the beginning of a head, as soon as it shows; null while it may become one. */
export function misreadBeginning(text: string): Misread | null {
  const end = text.indexOf('\n');
  if (end >= 0) return REQUEST_LINE.test(text.slice(0, end + 1)) ? null : NOT_HTTP;
  // The first half of an empty line, which may stand before a request.
  return VERB.test(text) || text === '\r' ? null : NOT_HTTP;
}

/** `text` is a head with its last line's end, without the empty line. */
export function readRequestHead(text: string): RequestHead | Misread {
  const line = REQUEST_LINE.exec(text);
  if (!line) return NOT_HTTP;
  const [whole, verb, target, major, minor] = line as unknown as [string, string, string, string, string];
  if (major !== '1' || minor > '1') return VERSION;
  if (!target.startsWith('/') && !/^https?:\/\//i.test(target)) return TARGET;
  const fields = text.slice(whole.length);
  if (!FIELDS.test(fields)) return HEADERS;
  let hosts = 0;
  let length: string | null = null;
  let coding: string | null = null;
  for (const [, name = '', value = ''] of fields.matchAll(TOLD))
    if (name.length === 'host'.length) hosts++;
    else if (name.length === 'content-length'.length) {
      if (length !== null) return TWO_LENGTHS;
      length = value;
    } else coding = coding === null ? value : `${coding}, ${value}`;
  if (hosts > 1 || (hosts === 0 && minor === '1')) return HOST;
  if (coding !== null) {
    if (length !== null) return TWO_LENGTHS;
    return coding.toLowerCase() === 'chunked' && minor === '1' ? { verb, target, framing: 'chunked' } : CODING;
  }
  if (length !== null && !LENGTH.test(length)) return BAD_LENGTH;
  return { verb, target, framing: Number(length ?? 0) };
}

const STATUS_LINE = /^HTTP\/1\.1 (\d{3})/;
const CLOSING = /\nconnection:[ \t]*close[ \t]*\r/i;
const SENT_LENGTH = /\ncontent-length:[ \t]*(\d+)/i;
const SENT_CODING = /\ntransfer-encoding:[ \t]*chunked/i;
const NAMED = /\nx-request-id:/i;

/** The head of an answer of our own server. `bare`: to a request whose answer has no body whatever its head says. */
export function readResponseHead(text: string, bare: boolean): ResponseHead {
  const status = Number(STATUS_LINE.exec(text)?.[1] ?? 0);
  const last = CLOSING.test(text);
  const length = SENT_LENGTH.exec(text)?.[1];
  const without = bare || status < 200 || status === 204 || status === 304;
  const framing = without
    ? 0
    : length !== undefined
      ? Number(length)
      : SENT_CODING.test(text)
        ? 'chunked'
        : last
          ? 'open'
          : 0;
  return { status, framing, last, ours: status < 400 || NAMED.test(text) };
}

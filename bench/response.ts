// Reads HTTP/1.1 answers off a raw socket, as little of them as a load needs: the status, and where they end.
import { Buffer } from 'node:buffer';

const END_OF_HEAD = Buffer.from('\r\n\r\n');
const LENGTH = Buffer.from('ontent-Length: ');
const LENGTH_LOWER = Buffer.from('ontent-length: ');
const CHUNKED = Buffer.from('ransfer-Encoding: chunked');
const LAST_CHUNK = Buffer.from('0\r\n\r\n');
const LENGTH_DIGITS_MAX = 10;
const NOTHING = Buffer.alloc(0);
/** In place of a length: the body ends with its last chunk. */
const UNTIL_LAST_CHUNK = Number.MAX_SAFE_INTEGER;

/** Bytes that follow the head; 0 for statuses without a body. */
const bodyLength = (head: Buffer, status: number): number => {
  if (status === 304 || status === 204) return 0;
  let at = head.indexOf(LENGTH);
  if (at < 0) at = head.indexOf(LENGTH_LOWER);
  if (at < 0) return head.includes(CHUNKED) ? UNTIL_LAST_CHUNK : 0;
  const digits = head.toString('latin1', at + LENGTH.length, at + LENGTH.length + LENGTH_DIGITS_MAX);
  return Number.parseInt(digits, 10);
};

/** One connection's answers, one at a time. */
export class ResponseReader {
  #head: Buffer = NOTHING;
  /** Bytes of the answer still to come; -1 while its head is incomplete. */
  #missing = -1;
  #status = 0;
  /** Length of the last answer's body, if announced; else the bytes received. */
  bodyBytes = 0;

  /** The status once the answer is whole, else 0. */
  feed(chunk: Buffer): number {
    if (this.#missing < 0) {
      const seen = this.#head.length > 0 ? Buffer.concat([this.#head, chunk]) : chunk;
      const end = seen.indexOf(END_OF_HEAD);
      if (end < 0) {
        this.#head = Buffer.from(seen);
        return 0;
      }
      const head = seen.subarray(0, end);
      this.#head = NOTHING;
      this.#status = Number.parseInt(head.toString('latin1', 9, 12), 10);
      const [here, whole] = [seen.length - end - END_OF_HEAD.length, bodyLength(head, this.#status)];
      this.bodyBytes = whole === UNTIL_LAST_CHUNK ? here : whole;
      this.#missing = whole - here;
    } else {
      this.#missing -= chunk.length;
      if (this.#missing > UNTIL_LAST_CHUNK / 2) this.bodyBytes += chunk.length;
    }
    const chunked = this.#missing > UNTIL_LAST_CHUNK / 2;
    if (chunked ? !chunk.subarray(-LAST_CHUNK.length).equals(LAST_CHUNK) : this.#missing > 0) return 0;
    this.#missing = -1;
    return this.#status;
  }
}

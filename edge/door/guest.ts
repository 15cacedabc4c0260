// One connection from outside: its requests go on to the server one by one, each when the answer before it is through, and
// what is no HTTP is answered here.
import { METHODS } from 'node:http';
import type { Socket } from 'bun';
import type { AdmittedCall } from '#edge/admission/admission.ts';
import { Refusal } from '#runtime/call/call.ts';
import { Body } from './body.ts';
import { Farewell, LINGER_LAST_MS } from './farewell.ts';
import type { Admitted, DoorGate } from './gate.ts';
import { Misread, misreadBeginning, readRequestHead, readResponseHead } from './head.ts';
import { Outlet } from './outlet.ts';

/** Verbs that the server behind us knows. It ends the connection of any other without a word. */
const VERBS = new Set(METHODS);
/** Passed on in a stranger's place: no path takes either of them. */
const STRANGER = 'PROPFIND';

const HEAD_BYTES_MAX = 16 * 1024;
/** Of requests that wait for the one before them; then the sender is stopped. */
const HELD_BYTES_MAX = 64 * 1024;
const HEAD_MS = 15_000;
/** As long as the server's own connections. */
const IDLE_MS = 75_000;

const EMPTY_LINE = '\r\n\r\n';
const CLOSE = Buffer.from('connection: close\r\n');
const CR = 13;
const LF = 10;

const LATE = new Misread(408, 'The head of the request took more than 15 seconds.');
const TOO_LARGE = new Misread(431, `The headers are more than ${HEAD_BYTES_MAX} bytes, or too many.`);
const BODY_TOO_LARGE = new Misread(413, 'The body is too large.');
const ENDED = new Misread(400, 'The request ended early.');
const BROKEN = new Misread(400, 'The chunks of the body are not well-formed.');
const GONE = new Misread(503, 'The service is temporarily unavailable.');

/** What the runtime could not read, in our words. */
const unread = (status: number): Misread =>
  [TOO_LARGE, BODY_TOO_LARGE].find((misread) => misread.status === status) ??
  new Misread(status, 'The request is not well-formed HTTP/1.1.');

/** The answer whose head ends at `end`, with the word that nothing follows it on its connection. */
const saidLast = (answer: Buffer, end: number): Buffer => {
  const at = end + 2;
  return Buffer.concat([answer.subarray(0, at), CLOSE, answer.subarray(at)]);
};

/** What a connection needs of the door that it came through. */
export interface Hall {
  readonly closing: boolean;
  /** There are too many: none is heard out. */
  readonly crowded: boolean;
  readonly gate: DoorGate;
  /** Hears of a request that was turned away here. */
  turnedAway(requestId: string, address: string): void;
  /** The answer to what came from this address. */
  render(misread: Misread, address: string): Uint8Array;
  /** Connects it with the server. */
  lead(guest: Guest): void;
  /** A caller who is silent until the `deadline` is told `late`. */
  watch(guest: Guest): void;
  unwatch(guest: Guest): void;
  gone(guest: Guest): void;
}

/** Where it stands: between requests, in a body, waiting for an answer, or told all that it will be. */
type Phase = 'head' | 'body' | 'answer' | 'leaving';

export class Guest {
  readonly address: string;
  /** By which the server knows it. */
  serverPort = 0;
  readonly #hall: Hall;
  readonly #client: Socket<Guest>;
  readonly #toClient = new Outlet();
  #toServer = new Outlet();
  #server: Socket<Guest> | null = null;
  /** A connection to the server is there, or on its way. */
  #led = false;
  #phase: Phase = 'head';
  /** The beginning of a head. */
  #begun: Buffer | null = null;
  /** Its time counts from its first byte. */
  #timed = false;
  #held: Buffer[] = [];
  #heldBytes = 0;
  #body: Body | null = null;
  /** The answer has no body whatever its head says. */
  #bare = false;
  #answerBegun: Buffer | null = null;
  #answer: Body | null = null;
  #last = false;
  /** What may come in once all of it is there; null: it is let in uncounted. */
  #admitted: Admitted | null = null;
  #entry: AdmittedCall | null = null;
  /** Nothing more will come. */
  #ended = false;
  #farewell: Farewell | null = null;
  /** performance.now(); 0 while nothing is waited for. */
  deadline = 0;

  constructor(client: Socket<Guest>, hall: Hall) {
    this.address = client.remoteAddress;
    this.#client = client;
    this.#hall = hall;
    this.#toClient.open(client);
    this.#expect(IDLE_MS);
  }

  /** Between two requests, with nothing begun. */
  get #idle(): boolean {
    return this.#phase === 'head' && this.#begun === null;
  }

  // ── From the client ────────────────────────────────────────────────────────────────────────────────────────────────

  hear(bytes: Buffer): void {
    if (this.#phase === 'leaving') this.#farewell?.discard(bytes);
    else if (this.#phase === 'answer') this.#hold(bytes);
    else this.#advance(bytes);
  }

  /** The client has said all that it will. */
  end(): void {
    this.#ended = true;
    if (this.#phase === 'body' || this.#begun) this.#refuse(ENDED);
    else if (this.#phase === 'head') this.leave();
    else if (this.#farewell?.told) this.#client.end();
  }

  /** The client is gone. */
  lost(): void {
    this.#phase = 'leaving';
    this.#abandon();
    this.#rest();
    this.#server?.terminate();
    this.#hall.gone(this);
  }

  /** The client takes bytes again. */
  clientDrained(): void {
    if (this.#toClient.flush()) this.#server?.resume();
    else if (this.#phase === 'leaving') this.#expect(IDLE_MS);
  }

  #hold(bytes: Buffer): void {
    this.#held.push(bytes);
    this.#heldBytes += bytes.length;
    if (this.#heldBytes > HELD_BYTES_MAX) this.#client.pause();
  }

  #advance(given: Buffer): void {
    const bytes = this.#begun ? Buffer.concat([this.#begun, given]) : given;
    this.#begun = null;
    let at = 0;
    while (at < bytes.length) {
      if (this.#phase === 'head') at = this.#readHead(bytes, at);
      else if (this.#phase === 'body') at = this.#readBody(bytes, at);
      else break;
    }
    if (this.#phase === 'answer' && at < bytes.length) this.#hold(bytes.subarray(at));
  }

  /** Returns where to go on. */
  #readHead(bytes: Buffer, from: number): number {
    // An empty line before a request is nothing (RFC 9112, 2.2).
    if (bytes[from] === CR && bytes[from + 1] === LF) return from + 2;
    const end = bytes.indexOf(EMPTY_LINE, from);
    if ((end < 0 ? bytes.length : end) - from > HEAD_BYTES_MAX) return this.#refuse(TOO_LARGE, bytes);
    if (end < 0) {
      const misread = misreadBeginning(bytes.toString('latin1', from));
      if (misread) return this.#refuse(misread, bytes);
      if (!this.#timed) this.#expect(HEAD_MS);
      this.#timed = true;
      this.#begun = Buffer.from(bytes.subarray(from));
      return bytes.length;
    }
    const text = bytes.toString('latin1', from, end + 2);
    const head = readRequestHead(text);
    if (head instanceof Misread) return this.#refuse(head, bytes);
    this.#rest();
    const { verb, target, framing } = head;
    this.#bare = verb === 'HEAD';
    this.#body = framing === 0 ? null : new Body(framing);
    const start = end + EMPTY_LINE.length;
    const asked = this.#hall.gate.ask(verb, target, text);
    if (asked instanceof Refusal) return this.#turnAway(asked, text, bytes, start);
    this.#admitted = asked;
    if (this.#body) this.#phase = 'body';
    else this.#complete();
    if (!VERBS.has(verb)) {
      this.#pass(Buffer.from(`${STRANGER}${text.slice(verb.length)}\r\n`, 'latin1'));
      return start;
    }
    // Nearly always a head and its whole body are all that came.
    const till = this.#body ? this.#body.take(bytes, start) : start;
    if (till < 0) return this.#refuse(BROKEN, bytes);
    if (this.#body?.ended) this.#complete();
    this.#pass(from === 0 && till === bytes.length ? bytes : bytes.subarray(from, till));
    return till;
  }

  #readBody(bytes: Buffer, from: number): number {
    const body = this.#body as Body;
    const till = body.take(bytes, from);
    if (till < 0) return this.#refuse(BROKEN, bytes);
    if (body.ended) this.#complete();
    this.#pass(bytes.subarray(from, till));
    return till;
  }

  /** All of the request is there: what its caller needed for it is not held against us. */
  #complete(): void {
    this.#phase = 'answer';
    this.#entry = this.#admitted && this.#hall.gate.enter(this.#admitted);
    this.#admitted = null;
  }

  /** There is too much to do. A body that is not there yet is not waited for: its connection ends. */
  #turnAway(refusal: Refusal, head: string, bytes: Buffer, start: number): number {
    const { gate } = this.#hall;
    const till = this.#body ? this.#body.take(bytes, start) : start;
    if (till < 0) return this.#refuse(BROKEN, bytes);
    const closing = (this.#body !== null && !this.#body.ended) || gate.isLast(head) || this.#hall.closing;
    const answer = gate.answer(refusal, head, this.#bare, closing);
    this.#hall.turnedAway(answer.requestId, this.address);
    this.#toClient.write(answer.bytes);
    if (closing) {
      this.leave(this.#body !== null && !this.#body.ended);
      return bytes.length;
    }
    this.#expect(IDLE_MS);
    return till;
  }

  #abandon(): void {
    this.#entry?.abandoned();
    this.#entry = null;
  }

  #pass(bytes: Uint8Array): void {
    if (!this.#led) this.#hall.lead(this);
    this.#led = true;
    if (!this.#toServer.write(bytes)) this.#client.pause();
  }

  // ── From the server ────────────────────────────────────────────────────────────────────────────────────────────────

  served(server: Socket<Guest>): void {
    this.#server = server;
    if (this.#phase === 'leaving') {
      server.terminate();
      return;
    }
    this.#toServer.open(server);
    this.serverDrained();
  }

  unserved(): void {
    this.#refuse(GONE);
  }

  serverDrained(): void {
    if (this.#toServer.flush() && this.#heldBytes <= HELD_BYTES_MAX) this.#client.resume();
  }

  answer(given: Buffer): void {
    if (this.#phase === 'leaving') return;
    // An answer without a request.
    if (this.#phase === 'head') {
      this.leave();
      return;
    }
    let bytes = this.#answerBegun ? Buffer.concat([this.#answerBegun, given]) : given;
    this.#answerBegun = null;
    let at = 0;
    while (this.#answer === null && at < bytes.length) {
      const end = bytes.indexOf(EMPTY_LINE, at);
      if (end < 0) {
        this.#answerBegun = Buffer.from(bytes.subarray(at));
        break;
      }
      const head = readResponseHead(bytes.toString('latin1', at, end + 2), this.#bare);
      if (!head.ours) {
        this.#refuse(unread(head.status));
        return;
      }
      at = end + EMPTY_LINE.length;
      if (head.status < 200) continue;
      this.#entry?.answered(performance.now());
      this.#entry = null;
      // What is left of a body that was not wanted cannot be told from the next request.
      this.#last = head.last || this.#phase === 'body' || this.#hall.closing;
      this.#answer = new Body(head.framing);
      if (this.#last && !head.last) {
        bytes = saidLast(bytes, end);
        at += CLOSE.length;
      }
    }
    if (this.#answer) at = this.#answer.take(bytes, at);
    if (at < 0) {
      this.#client.terminate();
      return;
    }
    if (!this.#toClient.write(at === bytes.length ? bytes : bytes.subarray(0, at))) this.#server?.pause();
    if (this.#answer?.ended) this.#answered();
  }

  /** The server ended the connection: an answer may end so, and after a long silence it is meant. */
  serverGone(): void {
    if (this.#phase === 'leaving') return;
    if (this.#begun === null) this.leave();
    else {
      // It has just begun to speak again.
      this.#server = null;
      this.#led = false;
      this.#toServer = new Outlet();
    }
  }

  #answered(): void {
    this.#answer = null;
    this.#server?.resume();
    if (this.#last || this.#hall.closing) {
      this.leave();
      return;
    }
    this.#phase = 'head';
    if (this.#heldBytes > 0) {
      const held = this.#held.length === 1 ? (this.#held[0] as Buffer) : Buffer.concat(this.#held);
      this.#held = [];
      this.#heldBytes = 0;
      if (!this.#ended) this.#client.resume();
      this.#advance(held);
    }
    if (this.#ended && this.#phase === 'head') this.end();
  }

  // ── Ends ───────────────────────────────────────────────────────────────────────────────────────────────────────────

  /** Its time is up. */
  late(): void {
    if (this.#phase === 'leaving') this.#client.terminate();
    else if (this.#begun) this.#refuse(LATE);
    else this.leave();
  }

  /** Once all is written that it is owed. `sending`: it may not have said all that it has begun to say. */
  leave(sending = this.#phase === 'body' || this.#heldBytes > 0): void {
    if (this.#phase === 'leaving') return;
    this.#phase = 'leaving';
    const farewell = new Farewell(this.#client, sending && !this.#hall.crowded);
    this.#farewell = farewell;
    this.#abandon();
    this.#server?.end();
    this.#expect(IDLE_MS);
    this.#client.resume();
    this.#toClient.end(() => {
      const heardMs = farewell.tell(this.#ended, this.#hall.closing);
      if (heardMs > 0) this.#expect(heardMs);
    });
  }

  /** The edge stops. */
  hurry(): void {
    if (this.#idle) this.leave();
    else if (this.#farewell?.told) this.#expect(LINGER_LAST_MS);
  }

  /** Answered here; nothing of `bytes` is read any more. */
  #refuse(misread: Misread, bytes?: Buffer): number {
    if (this.#phase !== 'leaving') {
      // Half an answer cannot be followed by another.
      if (this.#answer === null) this.#toClient.write(this.#hall.render(misread, this.address));
      this.leave(true);
    }
    return bytes?.length ?? 0;
  }

  #expect(withinMs: number): void {
    this.deadline = performance.now() + withinMs;
    this.#hall.watch(this);
  }

  #rest(): void {
    this.deadline = 0;
    this.#timed = false;
    this.#hall.unwatch(this);
  }
}

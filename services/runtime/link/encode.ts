// Encodes frames of proto/stoa/v1/link.proto without a protobuf library, because reflection costs several times as
// much. The test compares the bytes with protobuf-es in both directions.
import { Buffer } from 'node:buffer';
import type { Dependency } from '#runtime/call/call.ts';
import { ENDING_BYTES_MAX, type FragmentList } from '#runtime/call/fragment_list.ts';
import type { Notice } from '#runtime/nats/notice.ts';
import type { SentFragments } from './fragment.ts';
import { type Answer, type Ask, BYTES, type Caller, type Frame, type Hello, VARINT } from './frame.ts';

const LENGTH_ROOM = 5;
/** Smallest size of bytes that are not copied into the buffer but directly into the finished message. */
const LARGE_BYTES_MIN = 4_096;

interface Large {
  readonly at: number;
  readonly bytes: Uint8Array;
}

export class FrameWriter {
  #buffer: Buffer = Buffer.allocUnsafe(64 * 1024);
  #end = 0;
  #large: Large[] = [];
  #largeBytes = 0;
  readonly #marks: number[] = [];
  /** Record of the fragments that the receiver stores; null if this receiver never stores any. */
  readonly #sent: SentFragments | null;

  constructor(sent: SentFragments | null = null) {
    this.#sent = sent;
  }

  get byteLength(): number {
    return this.#end + this.#largeBytes;
  }

  add(frame: Frame): void {
    const batch = this.#open(1);
    if ('id' in frame) this.#number(1, frame.id);
    switch (frame.kind) {
      case 'ask':
        this.#ask(frame.ask);
        break;
      case 'answer':
        this.#answer(frame.answer);
        break;
      case 'cancel':
        this.#number(4, 1);
        break;
      case 'hello':
        this.#hello(frame.hello);
        break;
      case 'changed':
        this.#changed(frame.notice);
    }
    this.#close(batch);
  }

  finish(): Buffer {
    const message = Buffer.allocUnsafeSlow(this.byteLength);
    let from = 0;
    let to = 0;
    for (const { at, bytes } of this.#large) {
      to += this.#buffer.copy(message, to, from, at);
      message.set(bytes, to);
      to += bytes.length;
      from = at;
    }
    this.#buffer.copy(message, to, from, this.#end);
    this.#end = 0;
    this.#large = [];
    this.#largeBytes = 0;
    return message;
  }

  #ask(ask: Ask): void {
    const open = this.#open(2);
    this.#text(1, ask.rpc);
    this.#raw(2, callerBytes(ask.caller));
    this.#number(3, Math.max(1, Math.floor(ask.timeoutMs)));
    this.#text(4, ask.requestId);
    this.#text(5, ask.trace);
    this.#text(6, ask.input);
    if (ask.rawBody) {
      this.#raw(7, ask.rawBody);
      this.#text(8, ask.contentType);
    }
    if (ask.idempotency) {
      const retry = this.#open(9);
      this.#text(1, ask.idempotency.key);
      this.#text(2, ask.idempotency.scope);
      this.#text(3, ask.idempotency.fingerprint);
      this.#number(4, ask.idempotency.replayOnly ? 1 : 0);
      this.#close(retry);
    }
    this.#number(10, ask.revisionMin);
    if (ask.session) this.#text(11, ask.session);
    if (ask.clientAddress) this.#text(12, ask.clientAddress);
    this.#close(open);
  }

  #answer(answer: Answer): void {
    const open = this.#open(3);
    if (answer.list && this.#sent) this.#list(answer.list, this.#sent);
    else if (answer.text !== undefined && answer.text.length < LARGE_BYTES_MIN) this.#text(1, answer.text);
    else this.#raw(1, answer.body);
    this.#number(4, answer.replayed ? 1 : 0);
    if (answer.refused) {
      const refused = this.#open(5);
      const { code, message, extra } = answer.refused;
      this.#text(1, code);
      this.#text(2, message);
      this.#text(3, extra.param ?? '');
      this.#text(4, extra.details ?? '');
      this.#text(5, extra.hint ?? '');
      this.#number(6, Math.ceil(extra.retryAfterS ?? 0));
      this.#text(7, extra.causes?.join(',') ?? '');
      this.#text(8, extra.oauth ?? '');
      this.#close(refused);
    }
    this.#number(7, answer.notStarted ? 1 : 0);
    for (const dependency of answer.dependsOn) this.#dependency(dependency);
    this.#number(9, answer.freshMs ?? 0);
    this.#close(open);
  }

  #dependency({ tenant, kind, revision, ids }: Dependency): void {
    const open = this.#open(8);
    this.#text(1, tenant?.store ?? '');
    this.#number(2, tenant?.environment === 'sandbox' ? 1 : 0);
    this.#text(3, kind);
    this.#number(4, revision);
    for (const id of ids) this.#text(5, id);
    this.#close(open);
  }

  #list({ head, names, fragment, ending, tail }: FragmentList, sent: SentFragments): void {
    const list = this.#open(6);
    this.#raw(1, head);
    const slots: number[] = [];
    for (let i = 0; i < names.length; i++) {
      const name = names[i] as number;
      let slot = sent.slotOf(name);
      if (slot === undefined) {
        const bytes = fragment(i);
        slot = sent.put(name, bytes.length);
        const fresh = this.#open(2);
        this.#number(1, slot);
        this.#raw(2, bytes);
        this.#close(fresh);
      }
      slots.push(slot);
    }
    this.#numbers(3, slots);
    this.#raw(4, tail);
    this.#numbers(5, sent.drop());
    if (ending) for (let i = 0; i < names.length; i++) this.#ending(6, ending, i);
    this.#close(list);
  }

  #ending(field: number, ending: NonNullable<FragmentList['ending']>, at: number): void {
    this.#room(ENDING_BYTES_MAX + 2);
    this.#buffer[this.#end] = (field << 3) | BYTES;
    const start = this.#end + 2;
    this.#end = ending(this.#buffer, start, at);
    this.#buffer[start - 1] = this.#end - start;
  }

  #hello(hello: Hello): void {
    const open = this.#open(5);
    for (const service of hello.services) this.#text(1, service);
    this.#number(2, hello.draining ? 1 : 0);
    this.#close(open);
  }

  #changed(notice: Notice): void {
    const open = this.#open(6);
    this.#text(1, notice.tenant.store);
    this.#number(2, notice.tenant.environment === 'sandbox' ? 1 : 0);
    const { revision, ids } = notice;
    this.#number(3, revision);
    this.#number(4, ids === null ? 1 : 0);
    for (const id of ids ?? []) this.#text(5, id);
    this.#text(6, notice.kind);
    this.#close(open);
  }

  #room(bytes: number): void {
    const needed = this.#end + bytes;
    if (needed <= this.#buffer.length) return;
    const larger = Buffer.allocUnsafe(Math.max(needed, this.#buffer.length * 2));
    this.#buffer.copy(larger, 0, 0, this.#end);
    this.#buffer = larger;
  }

  #varint(value: number): void {
    let rest = value;
    while (rest > 0x7f) {
      this.#buffer[this.#end++] = (rest % 128) | 0x80;
      rest = Math.floor(rest / 128);
    }
    this.#buffer[this.#end++] = rest;
  }

  #number(field: number, value: number): void {
    if (value === 0) return;
    this.#room(12);
    this.#buffer[this.#end++] = (field << 3) | VARINT;
    this.#varint(value);
  }

  #numbers(field: number, values: readonly number[]): void {
    if (values.length === 0) return;
    const packed = this.#open(field);
    this.#room(values.length * 5);
    for (const value of values) this.#varint(value);
    this.#close(packed);
  }

  #text(field: number, text: string): void {
    if (text === '') return;
    // A UTF-16 unit takes at most three bytes in UTF-8, so the length of a short text fits into one byte, which is
    // filled in after the text. The length of a long text is measured first.
    if (text.length < 42) {
      this.#room(130);
      this.#buffer[this.#end++] = (field << 3) | BYTES;
      const length = this.#buffer.write(text, this.#end + 1, 'utf8');
      this.#buffer[this.#end] = length;
      this.#end += 1 + length;
      return;
    }
    const length = Buffer.byteLength(text);
    this.#room(length + 12);
    this.#buffer[this.#end++] = (field << 3) | BYTES;
    this.#varint(length);
    this.#end += this.#buffer.write(text, this.#end, 'utf8');
  }

  #raw(field: number, bytes: Uint8Array): void {
    if (bytes.length === 0) return;
    this.#room(LARGE_BYTES_MIN + 12);
    this.#buffer[this.#end++] = (field << 3) | BYTES;
    this.#varint(bytes.length);
    if (bytes.length >= LARGE_BYTES_MIN) {
      this.#large.push({ at: this.#end, bytes });
      this.#largeBytes += bytes.length;
      return;
    }
    this.#buffer.set(bytes, this.#end);
    this.#end += bytes.length;
  }

  /**
   * Starts a field and reserves the most bytes that its length can take; `close` pads the length, which every decoder
   * accepts.
   */
  #open(field: number): number {
    this.#room(LENGTH_ROOM + 1);
    this.#buffer[this.#end++] = (field << 3) | BYTES;
    this.#end += LENGTH_ROOM;
    this.#marks.push(this.#largeBytes);
    return this.#end;
  }

  #close(start: number): void {
    let rest = this.#end - start + this.#largeBytes - (this.#marks.pop() as number);
    for (let i = LENGTH_ROOM; i > 1; i--) {
      this.#buffer[start - i] = (rest & 0x7f) | 0x80;
      rest >>>= 7;
    }
    this.#buffer[start - 1] = rest;
  }
}

const callers = new WeakMap<Caller, Uint8Array>();

/** Encodes a caller once, because requests with one API key share one object. */
function callerBytes(caller: Caller): Uint8Array {
  let bytes = callers.get(caller);
  if (bytes) return bytes;
  const parts: number[] = [];
  const text = (field: number, value: string): void => {
    const utf8 = Buffer.from(value);
    if (utf8.length === 0) return;
    if (utf8.length > 16_383) throw new RangeError('A caller field is at most 16,383 bytes.');
    parts.push((field << 3) | BYTES);
    if (utf8.length > 127) parts.push((utf8.length & 0x7f) | 0x80, utf8.length >>> 7);
    else parts.push(utf8.length);
    parts.push(...utf8);
  };
  text(1, caller.tenant.store);
  if (caller.tenant.environment === 'sandbox') parts.push((2 << 3) | VARINT, 1);
  text(3, caller.keyType);
  text(4, caller.keyId);
  text(5, caller.customer ?? '');
  text(6, caller.customerSession ?? '');
  text(7, caller.staffSession ?? '');
  text(8, caller.actorName ?? '');
  bytes = Uint8Array.from(parts);
  callers.set(caller, bytes);
  return bytes;
}

// The link's frames in protobuf, written by hand for proto/stoa/v1/link.proto: every hop pays for this code, and a
// reflective encoder costs several times as much. The test holds it against protobuf-es in both directions.
import { Buffer } from 'node:buffer';
import { type KeyType, Refusal, type RefusalCode } from '#runtime/call.ts';
import type { Notice } from '#runtime/notice.ts';
import { type Answer, type Ask, type Caller, type Frame, type Hello, NO_BYTES } from './frame.ts';

const VARINT = 0;
const BYTES = 2;
const LENGTH_ROOM = 5;

/** Grows as needed and is reused: `finish` copies out exactly what was written. */
export class FrameWriter {
  #buffer: Buffer = Buffer.allocUnsafe(64 * 1024);
  #end = 0;

  get byteLength(): number {
    return this.#end;
  }

  /** Adds one frame to the batch. */
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
    const bytes = Buffer.allocUnsafeSlow(this.#end);
    this.#buffer.copy(bytes, 0, 0, this.#end);
    this.#end = 0;
    if (this.#buffer.length > 4 * 1024 * 1024) this.#buffer = Buffer.allocUnsafe(64 * 1024);
    return bytes;
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
      this.#text(5, ask.idempotency.signature);
      this.#close(retry);
    }
    this.#number(10, ask.revisionMin);
    this.#close(open);
  }

  #answer(answer: Answer): void {
    const open = this.#open(3);
    this.#raw(1, answer.body);
    this.#number(2, answer.revision);
    this.#text(3, answer.subject);
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
      this.#close(refused);
    }
    this.#close(open);
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
    this.#number(3, notice.revision);
    this.#number(4, notice.subjects === null ? 1 : 0);
    for (const subject of notice.subjects ?? []) this.#text(5, subject);
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

  #text(field: number, text: string): void {
    if (text === '') return;
    // Three bytes a UTF-16 unit at the most; the length is known only afterwards, so a short text is written one
    // byte further on and a long one is measured first.
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
    this.#room(bytes.length + 12);
    this.#buffer[this.#end++] = (field << 3) | BYTES;
    this.#varint(bytes.length);
    this.#buffer.set(bytes, this.#end);
    this.#end += bytes.length;
  }

  /** Leaves room for the longest length; `close` fills it in, padded, which every decoder accepts. */
  #open(field: number): number {
    this.#room(LENGTH_ROOM + 1);
    this.#buffer[this.#end++] = (field << 3) | BYTES;
    this.#end += LENGTH_ROOM;
    return this.#end;
  }

  #close(start: number): void {
    let rest = this.#end - start;
    for (let i = LENGTH_ROOM; i > 1; i--) {
      this.#buffer[start - i] = (rest & 0x7f) | 0x80;
      rest >>>= 7;
    }
    this.#buffer[start - 1] = rest;
  }
}

const callers = new WeakMap<Caller, Uint8Array>();

/** A key's caller is one object for as long as the key is known: it is encoded once. */
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
  bytes = Uint8Array.from(parts);
  callers.set(caller, bytes);
  return bytes;
}

class FrameReader {
  readonly #buffer: Buffer;
  at: number;
  readonly end: number;

  constructor(buffer: Buffer, at: number, end: number) {
    this.#buffer = buffer;
    this.at = at;
    this.end = end;
  }

  varint(): number {
    let value = 0;
    let scale = 1;
    for (;;) {
      const byte = this.#buffer[this.at++];
      if (byte === undefined || scale > 2 ** 63) throw new RangeError('Broken frame: a number without an end.');
      value += (byte & 0x7f) * scale;
      if (byte < 0x80) return value;
      scale *= 128;
    }
  }

  /** The next field's number; its value waits to be read or skipped. */
  field(): { number: number; wire: number } | null {
    if (this.at >= this.end) return null;
    const tag = this.varint();
    return { number: tag >>> 3, wire: tag & 7 };
  }

  nested(): FrameReader {
    const length = this.varint();
    const start = this.at;
    this.at += length;
    if (this.at > this.end) throw new RangeError('Broken frame: a field reaches past its message.');
    return new FrameReader(this.#buffer, start, start + length);
  }

  text(): string {
    const { at, end } = this.nested();
    return this.#buffer.toString('utf8', at, end);
  }

  bytes(): Uint8Array {
    const { at, end } = this.nested();
    return this.#buffer.subarray(at, end);
  }

  skip(wire: number): void {
    if (wire === VARINT) this.varint();
    else if (wire === BYTES) this.nested();
    else if (wire === 1) this.at += 8;
    else if (wire === 5) this.at += 4;
    else throw new RangeError(`Broken frame: wire type ${wire}.`);
  }
}

export function decodeBatch(bytes: Buffer): Frame[] {
  const frames: Frame[] = [];
  const reader = new FrameReader(bytes, 0, bytes.length);
  for (let tag = reader.field(); tag; tag = reader.field()) {
    if (tag.number !== 1) reader.skip(tag.wire);
    else {
      const frame = decodeFrame(reader.nested());
      if (frame) frames.push(frame);
    }
  }
  return frames;
}

function decodeFrame(reader: FrameReader): Frame | null {
  let id = 0;
  for (let tag = reader.field(); tag; tag = reader.field()) {
    switch (tag.number) {
      case 1:
        id = reader.varint();
        break;
      case 2:
        return { kind: 'ask', id, ask: decodeAsk(reader.nested()) };
      case 3:
        return { kind: 'answer', id, answer: decodeAnswer(reader.nested()) };
      case 4:
        return { kind: 'cancel', id };
      case 5:
        return { kind: 'hello', hello: decodeHello(reader.nested()) };
      case 6:
        return { kind: 'changed', notice: decodeChanged(reader.nested()) };
      default:
        // A frame kind of a newer release.
        return null;
    }
  }
  return null;
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

function decodeAsk(reader: FrameReader): Ask {
  const ask: Mutable<Ask> = {
    rpc: '',
    caller: NOBODY,
    timeoutMs: 0,
    requestId: '',
    trace: '',
    input: '',
    rawBody: null,
    contentType: 'application/json',
    idempotency: null,
    revisionMin: 0,
  };
  for (let tag = reader.field(); tag; tag = reader.field()) {
    switch (tag.number) {
      case 1:
        ask.rpc = reader.text();
        break;
      case 2:
        ask.caller = decodeCaller(reader);
        break;
      case 3:
        ask.timeoutMs = reader.varint();
        break;
      case 4:
        ask.requestId = reader.text();
        break;
      case 5:
        ask.trace = reader.text();
        break;
      case 6:
        ask.input = reader.text();
        break;
      case 7:
        ask.rawBody = reader.bytes();
        break;
      case 8:
        ask.contentType = reader.text();
        break;
      case 9: {
        const retry = texts(reader.nested());
        ask.idempotency = {
          key: retry[1] ?? '',
          scope: retry[2] ?? '',
          fingerprint: retry[3] ?? '',
          replayOnly: retry[4] === '1',
          signature: retry[5] ?? '',
        };
        break;
      }
      case 10:
        ask.revisionMin = reader.varint();
        break;
      default:
        reader.skip(tag.wire);
    }
  }
  return ask;
}

const NOBODY: Caller = {
  tenant: { store: '', environment: 'production' },
  keyType: 'none',
  keyId: '',
  customer: null,
};

const CALLERS_MAX = 10_000;
const knownCallers = new Map<string, Caller>();

/** Callers repeat: the same bytes give the same object. */
function decodeCaller(reader: FrameReader): Caller {
  const bytes = reader.bytes() as Buffer;
  const name = bytes.toString('latin1');
  let caller = knownCallers.get(name);
  if (caller) return caller;
  const fields = texts(new FrameReader(bytes, 0, bytes.length));
  caller = {
    tenant: { store: fields[1] ?? '', environment: fields[2] === '1' ? 'sandbox' : 'production' },
    keyType: (fields[3] ?? 'none') as KeyType,
    keyId: fields[4] ?? '',
    customer: fields[5] ?? null,
  };
  if (knownCallers.size >= CALLERS_MAX) knownCallers.clear();
  knownCallers.set(name, caller);
  return caller;
}

/** A small message of texts and numbers, each as text under its field number. */
function texts(reader: FrameReader): string[] {
  const fields: string[] = [];
  for (let tag = reader.field(); tag; tag = reader.field())
    if (tag.wire === BYTES) fields[tag.number] = reader.text();
    else fields[tag.number] = String(reader.varint());
  return fields;
}

function decodeAnswer(reader: FrameReader): Answer {
  const answer: Mutable<Answer> = { body: NO_BYTES, revision: 0, subject: '', replayed: false, refused: null };
  for (let tag = reader.field(); tag; tag = reader.field()) {
    switch (tag.number) {
      case 1:
        answer.body = reader.bytes();
        break;
      case 2:
        answer.revision = reader.varint();
        break;
      case 3:
        answer.subject = reader.text();
        break;
      case 4:
        answer.replayed = reader.varint() === 1;
        break;
      case 5: {
        const fields = texts(reader.nested());
        answer.refused = new Refusal(fields[1] as RefusalCode, fields[2] ?? '', {
          ...(fields[3] ? { param: fields[3] } : {}),
          ...(fields[4] ? { details: fields[4] } : {}),
          ...(fields[5] ? { hint: fields[5] } : {}),
          ...(fields[6] ? { retryAfterS: Number(fields[6]) } : {}),
        });
        break;
      }
      default:
        reader.skip(tag.wire);
    }
  }
  return answer;
}

function decodeHello(reader: FrameReader): Hello {
  const services: string[] = [];
  let draining = false;
  for (let tag = reader.field(); tag; tag = reader.field())
    if (tag.number === 1) services.push(reader.text());
    else if (tag.number === 2) draining = reader.varint() === 1;
    else reader.skip(tag.wire);
  return { services, draining };
}

function decodeChanged(reader: FrameReader): Notice {
  const subjects: string[] = [];
  let store = '';
  let sandbox = false;
  let revision = 0;
  let all = false;
  for (let tag = reader.field(); tag; tag = reader.field())
    if (tag.number === 1) store = reader.text();
    else if (tag.number === 2) sandbox = reader.varint() === 1;
    else if (tag.number === 3) revision = reader.varint();
    else if (tag.number === 4) all = reader.varint() === 1;
    else if (tag.number === 5) subjects.push(reader.text());
    else reader.skip(tag.wire);
  return {
    tenant: { store, environment: sandbox ? 'sandbox' : 'production' },
    revision,
    subjects: all ? null : subjects,
  };
}

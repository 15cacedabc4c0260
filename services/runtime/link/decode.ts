// Decodes frames of proto/stoa/v1/link.proto. Accepts fields in any order and skips unknown ones. Throws on a malformed
// message before any frame is used.
import type { Buffer } from 'node:buffer';
import {
  type Dependency,
  type KeyType,
  type NoticeKind,
  type OauthError,
  Refusal,
  type RefusalCode,
  type Tenant,
} from '#runtime/call/call.ts';
import { joined } from '#runtime/call/fragment_list.ts';
import type { Notice } from '#runtime/nats/notice.ts';
import { RecentMap } from '#values/recent_map.ts';
import type { HeldFragments } from './fragment.ts';
import { type Answer, type Ask, BYTES, type Caller, type Frame, type Hello, NO_BYTES, VARINT } from './frame.ts';

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

/** Decodes all frames of a message. `held`: the fragments on this side, which frames may refer to. */
export function decodeBatch(bytes: Buffer, held: HeldFragments | null = null): Frame[] {
  const frames: Frame[] = [];
  const reader = new FrameReader(bytes, 0, bytes.length);
  for (let tag = reader.field(); tag; tag = reader.field()) {
    if (tag.number !== 1) reader.skip(tag.wire);
    else {
      const frame = decodeFrame(reader.nested(), held);
      if (frame) frames.push(frame);
    }
  }
  return frames;
}

function decodeFrame(reader: FrameReader, held: HeldFragments | null): Frame | null {
  let id = 0;
  for (let tag = reader.field(); tag; tag = reader.field()) {
    switch (tag.number) {
      case 1:
        id = reader.varint();
        break;
      case 2:
        return { kind: 'ask', id, ask: decodeAsk(reader.nested()) };
      case 3:
        return { kind: 'answer', id, answer: decodeAnswer(reader.nested(), held) };
      case 4:
        return { kind: 'cancel', id };
      case 5:
        return { kind: 'hello', hello: decodeHello(reader.nested()) };
      case 6:
        return { kind: 'changed', notice: decodeChanged(reader.nested()) };
      default:
        return null;
    }
  }
  return null;
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

function decodeAsk(reader: FrameReader): Ask {
  const ask: Mutable<Ask> = {
    rpc: '',
    caller: NO_CALLER,
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
        };
        break;
      }
      case 10:
        ask.revisionMin = reader.varint();
        break;
      case 11:
        ask.session = reader.text();
        break;
      case 12:
        ask.clientAddress = reader.text();
        break;
      default:
        reader.skip(tag.wire);
    }
  }
  return ask;
}

const NO_CALLER: Caller = {
  tenant: { store: '', environment: 'production' },
  keyType: 'none',
  keyId: '',
  customer: null,
};

const CALLERS_MAX = 10_000;
const knownCallers = new RecentMap<string, Caller>(CALLERS_MAX);

/** Returns the same object for the same bytes, since few callers send many requests. */
function decodeCaller(reader: FrameReader): Caller {
  const bytes = reader.bytes() as Buffer;
  const name = bytes.toString('latin1');
  let caller = knownCallers.peek(name);
  if (caller) return caller;
  const fields = texts(new FrameReader(bytes, 0, bytes.length));
  caller = {
    tenant: { store: fields[1] ?? '', environment: fields[2] === '1' ? 'sandbox' : 'production' },
    keyType: (fields[3] ?? 'none') as KeyType,
    keyId: fields[4] ?? '',
    customer: fields[5] ?? null,
    ...(fields[6] ? { customerSession: fields[6] } : {}),
    ...(fields[7] ? { staffSession: fields[7] } : {}),
    ...(fields[8] ? { actorName: fields[8] } : {}),
  };
  knownCallers.set(name, caller);
  return caller;
}

function texts(reader: FrameReader): string[] {
  const fields: string[] = [];
  for (let tag = reader.field(); tag; tag = reader.field())
    if (tag.wire === BYTES) fields[tag.number] = reader.text();
    else fields[tag.number] = String(reader.varint());
  return fields;
}

function decodeAnswer(reader: FrameReader, held: HeldFragments | null): Answer {
  const dependsOn: Dependency[] = [];
  const answer: Mutable<Answer> = { body: NO_BYTES, dependsOn, replayed: false, refused: null };
  for (let tag = reader.field(); tag; tag = reader.field()) {
    switch (tag.number) {
      case 1:
        answer.body = reader.bytes();
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
          ...(fields[7] ? { causes: fields[7].split(',') } : {}),
          ...(fields[8] ? { oauth: fields[8] as OauthError } : {}),
        });
        break;
      }
      case 6:
        if (!held) throw new RangeError('Broken frame: nothing is held here.');
        answer.body = decodeList(reader.nested(), held);
        break;
      case 7:
        answer.notStarted = reader.varint() === 1;
        break;
      case 8:
        dependsOn.push(decodeDependency(reader.nested()));
        break;
      case 9:
        answer.freshMs = reader.varint();
        break;
      default:
        reader.skip(tag.wire);
    }
  }
  return answer;
}

function decodeDependency(reader: FrameReader): Dependency {
  const ids: string[] = [];
  let kind = '';
  let store = '';
  let sandbox = false;
  let revision = 0;
  for (let tag = reader.field(); tag; tag = reader.field())
    if (tag.number === 1) store = reader.text();
    else if (tag.number === 2) sandbox = reader.varint() === 1;
    else if (tag.number === 3) kind = reader.text();
    else if (tag.number === 4) revision = reader.varint();
    else if (tag.number === 5) ids.push(reader.text());
    else reader.skip(tag.wire);
  const tenant: Tenant = { store, environment: sandbox ? 'sandbox' : 'production' };
  return { ...(store && { tenant }), kind: kind as NoticeKind, revision, ids };
}

function decodeList(reader: FrameReader, held: HeldFragments): Uint8Array {
  let head: Uint8Array = NO_BYTES;
  let tail: Uint8Array = NO_BYTES;
  let slots: number[] = [];
  let dropped: number[] = [];
  const endings: Uint8Array[] = [];
  for (let tag = reader.field(); tag; tag = reader.field())
    if (tag.number === 1) head = reader.bytes();
    else if (tag.number === 2) decodePiece(reader.nested(), held);
    else if (tag.number === 3) slots = numbers(reader.nested());
    else if (tag.number === 4) tail = reader.bytes();
    else if (tag.number === 5) dropped = numbers(reader.nested());
    else if (tag.number === 6) endings.push(reader.bytes());
    else reader.skip(tag.wire);
  const body = joined(
    head,
    slots.map((slot) => held.get(slot)),
    tail,
    endings,
  );
  for (const slot of dropped) held.drop(slot);
  return body;
}

function decodePiece(reader: FrameReader, held: HeldFragments): void {
  let slot = 0;
  let bytes: Uint8Array = NO_BYTES;
  for (let tag = reader.field(); tag; tag = reader.field())
    if (tag.number === 1) slot = reader.varint();
    else if (tag.number === 2) bytes = reader.bytes();
    else reader.skip(tag.wire);
  // Copies the fragment, which would otherwise keep the whole message in memory.
  held.put(slot, bytes.slice());
}

function numbers(reader: FrameReader): number[] {
  const values: number[] = [];
  while (reader.at < reader.end) values.push(reader.varint());
  return values;
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
  const ids: string[] = [];
  let kind = '';
  let store = '';
  let sandbox = false;
  let revision = 0;
  let all = false;
  for (let tag = reader.field(); tag; tag = reader.field())
    if (tag.number === 1) store = reader.text();
    else if (tag.number === 2) sandbox = reader.varint() === 1;
    else if (tag.number === 3) revision = reader.varint();
    else if (tag.number === 4) all = reader.varint() === 1;
    else if (tag.number === 5) ids.push(reader.text());
    else if (tag.number === 6) kind = reader.text();
    else reader.skip(tag.wire);
  const tenant: Tenant = { store, environment: sandbox ? 'sandbox' : 'production' };
  return { kind: kind as Notice['kind'], tenant, revision, ids: all ? null : ids };
}

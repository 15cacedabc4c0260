// The hand-written frames against protobuf-es: what either writes, the other reads as the same.
import { Buffer } from 'node:buffer';
import { create, fromBinary, type Message, toBinary } from '@bufbuild/protobuf';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { descriptors } from '#proto/descriptor.ts';
import { type Dependency, refuse } from '#runtime/call/call.ts';
import { decodeBatch } from '#runtime/link/decode.ts';
import { FrameWriter } from '#runtime/link/encode.ts';
import type { Answer, Ask, Frame } from '#runtime/link/frame.ts';

const BatchSchema = descriptors.getMessage('stoa.v1.Batch')!;

/** A batch as protobuf-es reads it. */
interface Batch extends Message {
  readonly frames: readonly { readonly kind: { readonly case: string } }[];
}

const write = (...frames: Frame[]): Buffer => {
  const writer = new FrameWriter();
  for (const frame of frames) writer.add(frame);
  return writer.finish();
};

const text = fc.string({ unit: 'grapheme', maxLength: 300 });
const bytes = fc.oneof(
  fc.uint8Array({ maxLength: 500 }),
  fc.nat({ max: 9_000 }).map((length) => new Uint8Array(length).fill(length % 251)),
);
const natural = fc.nat({ max: Number.MAX_SAFE_INTEGER });

const anyAsk: fc.Arbitrary<Ask> = fc.record({
  rpc: text,
  caller: fc.record({
    tenant: fc.record({ store: text, environment: fc.constantFrom('production' as const, 'sandbox' as const) }),
    keyType: fc.constantFrom('none' as const, 'publishable' as const, 'secret' as const),
    keyId: text,
    customer: fc.option(fc.uuid()),
    customerSession: fc.option(fc.uuid(), { nil: undefined }),
    staffSession: fc.option(fc.uuid(), { nil: undefined }),
  }),
  timeoutMs: fc.integer({ min: 1, max: 60_000 }),
  requestId: text,
  trace: text,
  input: text,
  rawBody: fc.option(fc.uint8Array({ minLength: 1, maxLength: 500 })),
  contentType: fc.constant('application/json'),
  idempotency: fc.option(fc.record({ key: text, scope: text, fingerprint: text, replayOnly: fc.boolean() })),
  revisionMin: natural,
  session: fc.option(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 300 }), { nil: undefined }),
});

const anyDependency: fc.Arbitrary<Dependency> = fc.record(
  {
    tenant: fc.record({
      store: fc.string({ unit: 'grapheme', minLength: 1 }),
      environment: fc.constantFrom('production' as const, 'sandbox' as const),
    }),
    kind: fc.constantFrom('catalog' as const, 'store' as const),
    revision: natural,
    ids: fc.array(fc.string({ minLength: 1 })),
  },
  { requiredKeys: ['kind', 'revision', 'ids'] },
);

const anyAnswer: fc.Arbitrary<Answer> = fc.record({
  body: bytes,
  dependsOn: fc.array(anyDependency),
  freshMs: fc.option(fc.integer({ min: 1, max: 60_000 }), { nil: undefined }),
  replayed: fc.boolean(),
  notStarted: fc.constantFrom(true, undefined),
  refused: fc.option(
    fc
      .record({ message: text, param: text, retryAfterS: fc.integer({ min: 1, max: 9_999 }) })
      .map(({ message, param, retryAfterS }) =>
        refuse('conflict', message, { ...(param ? { param } : {}), retryAfterS }),
      ),
  ),
});

const ids = fc.array(fc.string({ minLength: 1 }));
const anyTenant = fc.record({
  store: text,
  environment: fc.constantFrom('production' as const, 'sandbox' as const),
});

const anyFrame: fc.Arbitrary<Frame> = fc.oneof(
  fc.record({ kind: fc.constant('ask' as const), id: fc.integer({ min: 1, max: 0xffff_ffff }), ask: anyAsk }),
  fc.record({ kind: fc.constant('answer' as const), id: fc.integer({ min: 1, max: 0xffff_ffff }), answer: anyAnswer }),
  fc.record({ kind: fc.constant('cancel' as const), id: fc.integer({ min: 1, max: 0xffff_ffff }) }),
  fc.record({
    kind: fc.constant('hello' as const),
    hello: fc.record({ services: fc.array(fc.string({ minLength: 1 })), draining: fc.boolean() }),
  }),
  fc.record({
    kind: fc.constant('changed' as const),
    notice: fc.record({
      kind: fc.constantFrom('catalog', 'sessions', 'store'),
      tenant: anyTenant,
      revision: natural,
      ids: fc.option(ids),
    }),
  }),
);

/** Buffers and plain arrays of bytes count as the same. */
const plain = (frames: Frame[]): unknown =>
  JSON.parse(
    JSON.stringify(frames, (_, value) =>
      value?.type === 'Buffer' ? [...value.data] : value instanceof Uint8Array ? [...value] : value,
    ),
  );

describe('the frames of the link', () => {
  test('come back as they were sent, whatever they hold', () => {
    fc.assert(
      fc.property(fc.array(anyFrame, { maxLength: 5 }), (frames) => {
        expect(plain(decodeBatch(write(...frames)))).toEqual(plain(frames));
      }),
      { numRuns: 300 },
    );
  });

  test('round-trips through protobuf-es', () => {
    fc.assert(
      fc.property(fc.array(anyFrame, { minLength: 1, maxLength: 5 }), (frames) => {
        const batch = fromBinary(BatchSchema, write(...frames)) as Batch;
        expect(batch.frames.map(({ kind }) => kind.case)).toEqual(frames.map(({ kind }) => kind));
        expect(plain(decodeBatch(Buffer.from(toBinary(BatchSchema, batch))))).toEqual(plain(frames));
      }),
      { numRuns: 300 },
    );
  });

  test('skips frames of an unknown kind', () => {
    const batch = create(BatchSchema, { frames: [{ id: 7, kind: { case: 'cancel', value: true } }] });
    const unknown = Buffer.from([0x0a, 0x05, 0x08, 0x01, 0xa2, 0x06, 0x00]);
    expect(decodeBatch(Buffer.concat([unknown, Buffer.from(toBinary(BatchSchema, batch))]))).toEqual([
      { kind: 'cancel', id: 7 },
    ]);
  });

  test('throws on malformed frames instead of looping or reading past their end', () => {
    const whole = write({
      kind: 'answer',
      id: 1,
      answer: {
        body: new Uint8Array(50),
        dependsOn: [{ kind: 'catalog', revision: 1, ids: ['p'] }],
        replayed: false,
        refused: null,
      },
    });
    for (let length = 1; length < whole.length; length++)
      expect(() => decodeBatch(whole.subarray(0, length))).toThrow(RangeError);
  });
});

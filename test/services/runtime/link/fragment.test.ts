// Lists arrive over the link unchanged for any set of fragments in the cache of the edge.
import { Buffer } from 'node:buffer';
import { fromBinary, toBinary } from '@bufbuild/protobuf';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { descriptors } from '#proto/descriptor.ts';
import { type FragmentList, nameFragment, wholeList } from '#runtime/call/fragment_list.ts';
import { decodeBatch } from '#runtime/link/decode.ts';
import { FrameWriter } from '#runtime/link/encode.ts';
import { HeldFragments, SentFragments } from '#runtime/link/fragment.ts';

const BatchSchema = descriptors.getMessage('stoa.v1.Batch')!;

const encoder = new TextEncoder();
const decoder = new TextDecoder();

const POOL = 40;
/** Texts that stay what they are, under names of their own. */
const pool = Array.from({ length: POOL }, (_, i) => ({
  name: nameFragment(),
  bytes: encoder.encode(`{"fragment":${i},"text":"${'ü'.repeat((i * 397) % 6_000)}"}`),
}));

/** Fragments in an odd number are followed by something of the list's own. */
const listOf = (places: readonly number[]): FragmentList => ({
  head: encoder.encode('{"all":['),
  names: places.map((place) => pool[place]!.name),
  fragment: (at) => pool[places[at]!]!.bytes,
  ...(places.length % 2 === 1 && {
    ending: (into: Buffer, start: number, at: number) => start + into.write('+'.repeat((at * 31) % 128), start),
  }),
  tail: encoder.encode(`],"count":${places.length}}`),
});

/** One stream: what the host writes, the edge reads. `carried` counts its bytes. */
class Stream {
  readonly #writer: FrameWriter;
  readonly #held = new HeldFragments();
  carried = 0;

  constructor(bytesMax?: number) {
    this.#writer = new FrameWriter(new SentFragments(bytesMax));
  }

  send(lists: readonly FragmentList[], pass: (batch: Buffer) => Buffer = (batch) => batch): string[] {
    for (const [at, list] of lists.entries())
      this.#writer.add({
        kind: 'answer',
        id: at + 1,
        answer: { body: wholeList(list), list, dependsOn: [], replayed: false, refused: null },
      });
    const batch = this.#writer.finish();
    this.carried += batch.length;
    return decodeBatch(pass(batch), this.#held).map((frame) =>
      frame.kind === 'answer' ? decoder.decode(frame.answer.body) : frame.kind,
    );
  }
}

const anyList = fc.array(fc.nat(POOL - 1), { maxLength: 12 });
const anyBatches = fc.array(fc.array(anyList, { maxLength: 4 }), { maxLength: 12 });
const textOf = (list: FragmentList): string => decoder.decode(wholeList(list));

describe('lists on the link', () => {
  test.each([
    ['everything', undefined],
    ['a few', 20_000],
    ['less than one list', 1],
  ])('arrive whole where an edge may hold %s', (_name, bytesMax) => {
    fc.assert(
      fc.property(anyBatches, (batches) => {
        const stream = new Stream(bytesMax);
        for (const batch of batches) {
          const lists = batch.map(listOf);
          expect(stream.send(lists)).toEqual(lists.map(textOf));
        }
      }),
      { numRuns: 100 },
    );
  });

  test('round-trips through protobuf-es', () => {
    fc.assert(
      fc.property(anyBatches, (batches) => {
        const stream = new Stream(20_000);
        const through = (batch: Buffer): Buffer => Buffer.from(toBinary(BatchSchema, fromBinary(BatchSchema, batch)));
        for (const batch of batches) {
          const lists = batch.map(listOf);
          expect(stream.send(lists, through)).toEqual(lists.map(textOf));
        }
      }),
      { numRuns: 50 },
    );
  });

  test('carry a fragment once: a list whose fragments are held takes a hundredth of its bytes', () => {
    const stream = new Stream();
    const list = listOf(pool.map((_, place) => place));
    stream.send([list]);
    const first = stream.carried;
    expect(first).toBeGreaterThan(textOf(list).length);
    stream.send([list]);
    expect(stream.carried - first).toBeLessThan(first / 100);
  });

  test('drop the fragments that were longest unused', () => {
    const sent = new SentFragments(1_000);
    const [a, b, c] = [sent.put(1, 300), sent.put(2, 300), sent.put(3, 300)];
    expect(sent.slotOf(1)).toBe(a);
    expect(sent.drop()).toEqual([b]);
    expect([sent.slotOf(1), sent.slotOf(2), sent.slotOf(3)]).toEqual([a, undefined, c]);
    expect(sent.put(4, 10)).toBe(b);
  });

  test('throw where they name what was never sent', () => {
    const writer = new FrameWriter(new SentFragments());
    const answer = { body: new Uint8Array(0), dependsOn: [], replayed: false, refused: null };
    const write = (): Buffer => {
      writer.add({ kind: 'answer', id: 1, answer: { ...answer, list: listOf([1, 2]) } });
      return writer.finish();
    };
    write();
    expect(() => decodeBatch(write(), new HeldFragments())).toThrow(RangeError);
  });
});

// Texts on a shelf stay what they are, whatever comes, goes and is tidied around them.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ByteWriter, type SlabRange, TextStore } from '#services/catalog/memory/text_store.ts';

const textOf = ({ slab, start, bytes }: SlabRange): string => slab.toString('utf8', start, start + bytes);

test('a shelf gives back each text after any number of changes, and drops what no product uses', () => {
  const writer = new ByteWriter();
  fc.assert(
    fc.property(
      fc.array(fc.array(fc.tuple(fc.nat(9), fc.string({ unit: 'grapheme', maxLength: 60 })), { maxLength: 8 })),
      (batches) => {
        const shelf = new TextStore();
        const texts = new Map<number, { text: string; place: SlabRange }>();
        for (const batch of batches) {
          const put: SlabRange[] = [];
          for (const [name, text] of batch) {
            const old = texts.get(name);
            if (old?.place.slab) shelf.release(old.place);
            if (old && !old.place.slab) continue;
            const place = { start: writer.at, bytes: 0 } as SlabRange;
            place.bytes = writer.text(text);
            texts.set(name, { text, place });
            put.push(place);
          }
          const slab = writer.take();
          for (const place of put) place.slab = slab;
          shelf.add(slab);
          if (batch.length % 3 === 0) shelf.tidy([...texts.values()].map(({ place }) => place));
          for (const { text, place } of texts.values()) expect(textOf(place)).toBe(text);
        }
        shelf.tidy([...texts.values()].map(({ place }) => place));
        expect(shelf.bytes).toBe([...texts.values()].reduce((sum, { place }) => sum + place.bytes, 0));
        expect(shelf.wasteful).toBe(false);
        for (const { place } of texts.values()) shelf.release(place);
        expect(shelf.bytes).toBe(0);
      },
    ),
  );
});

test('a shelf of which more than half is waste says so', () => {
  const shelf = new TextStore();
  const places = Array.from({ length: 10 }, (): SlabRange => {
    const slab = Buffer.alloc(100_000);
    shelf.add(slab);
    return { slab, start: 0, bytes: 100_000 };
  });
  // Half of every fragment: none can be dropped.
  for (const place of places) shelf.release({ ...place, bytes: 60_000 });
  expect(shelf.bytes).toBe(1_000_000);
  expect(shelf.wasteful).toBe(true);
});

test('a writer grows with what it is given', () => {
  const writer = new ByteWriter();
  const long = 'é'.repeat(200_000);
  expect(writer.text(long)).toBe(400_000);
  writer.copy(Buffer.from('-end-'), 1, 3);
  expect(writer.take().toString()).toBe(`${long}end`);
  expect(writer.take()).toHaveLength(0);
});

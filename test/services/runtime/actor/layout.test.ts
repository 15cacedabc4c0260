// Which log an actor is of while the number of logs is changed: of one alone, at every step.
import { expect, test } from 'vitest';
import { partitionOf } from '#runtime/actor/address.ts';
import { Layout, numbersOf } from '#runtime/actor/layout.ts';

const KEYS = Array.from({ length: 500 }, (_, at) => `cart/store/production/${at}`);
const BEFORE = { epoch: 3, partitions: 4 };

test('the first layout numbers its logs as releases did that knew of no other', () => {
  const layout = new Layout({ epoch: 0, partitions: 4, previous: null, sealed: [] });
  expect(layout.numbers).toEqual([0, 1, 2, 3]);
  for (const key of KEYS) expect(layout.of(key)).toBe(partitionOf(key, 4));
});

test('an actor stays with its log until that one is sealed, and then is of a log of the next layout for ever', () => {
  const logs = numbersOf(BEFORE);
  expect(logs).toEqual([768, 769, 770, 771]);
  let version = new Layout({ ...BEFORE, previous: null, sealed: [] }).version;
  for (let count = 0; count <= logs.length; count++) {
    const sealed = logs.slice(0, count);
    const layout = new Layout({ epoch: 4, partitions: 7, previous: BEFORE, sealed });
    expect(layout.version).toBeGreaterThan(version);
    version = layout.version;
    expect(layout.numbers).toEqual([...logs.slice(count), 1024, 1025, 1026, 1027, 1028, 1029, 1030]);
    for (const key of KEYS) {
      const before = 768 + partitionOf(key, 4);
      const after = 1024 + partitionOf(key, 7);
      expect(layout.of(key)).toBe(sealed.includes(before) ? after : before);
      expect([layout.has(before, key), layout.has(after, key)]).toEqual([true, true]);
    }
  }
  const over = new Layout({ epoch: 4, partitions: 7, previous: null, sealed: [] });
  expect(over.version).toBeGreaterThan(version);
  expect(over.numbers).toHaveLength(7);
});

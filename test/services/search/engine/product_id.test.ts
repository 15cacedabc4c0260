// Product ids: returned as given, and found until deleted.
import { expect, test } from 'vitest';
import { ProductIds } from '#services/search/engine/product_id.ts';

test('ids are returned singly and in batches, and deleted ones are not found', () => {
  const identities = new ProductIds(512);
  const ids = Array.from({ length: 300 }, () => crypto.randomUUID());
  for (const [docId, id] of ids.entries()) identities.set(docId, id);
  const docIds = ids.map((_, docId) => docId).reverse();
  expect(identities.idsOf(docIds, docIds.length)).toEqual(ids.toReversed());
  expect(identities.idsOf(docIds, 1)).toEqual([ids[299]]);
  for (let docId = 0; docId < 300; docId += 2) identities.delete(docId);
  for (const [docId, id] of ids.entries()) {
    expect(identities.id(docId)).toBe(id);
    expect(identities.find(id)).toBe(docId % 2 === 0 ? -1 : docId);
  }
});

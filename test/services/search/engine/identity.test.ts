// Product ids: returned as given, and found until deleted.
import { expect, test } from 'vitest';
import { Identities } from '#services/search/engine/identity.ts';

test('ids are returned singly and in batches, and deleted ones are not found', () => {
  const identities = new Identities(512);
  const ids = Array.from({ length: 300 }, () => crypto.randomUUID());
  for (const [slot, id] of ids.entries()) identities.set(slot, id);
  const slots = ids.map((_, slot) => slot).reverse();
  expect(identities.idsOf(slots, slots.length)).toEqual(ids.toReversed());
  expect(identities.idsOf(slots, 1)).toEqual([ids[299]]);
  for (let slot = 0; slot < 300; slot += 2) identities.delete(slot);
  for (const [slot, id] of ids.entries()) {
    expect(identities.id(slot)).toBe(id);
    expect(identities.find(id)).toBe(slot % 2 === 0 ? -1 : slot);
  }
});

// The place of an edited address after another person changed the list.
import { expect, test } from 'vitest';
import { placeOfAddress } from '#edge/pages/dashboard/customer/address_place.ts';
import type { Address } from '#proto/client/dashboard.ts';

const address = (line1: string): Address => ({ line1, city: 'Nairobi', country: 'KE' }) as Address;
const isSame = (one: Address, other: Address): boolean => one.line1 === other.line1;
const BEFORE = ['A', 'B', 'C'];

const placeIn = (now: readonly string[], place: number): number =>
  placeOfAddress(now.map(address), BEFORE.map(address), place, isSame);

test.each([
  ['stays while nothing changed', ['A', 'B', 'C'], 1, 1],
  ['moves with its address', ['B', 'C'], 2, 1],
  ['stays where its address was changed', ['A', 'X', 'C'], 1, 1],
  ['is past the end when its address was removed', ['A', 'C'], 1, 2],
  ['is past the end for a new address', ['A', 'B', 'C', 'D'], 3, 4],
] as const)('%s', (_title, now, place, found) => {
  expect(placeIn(now, place)).toBe(found);
});

// Finds an edited address in a list that another person changed meanwhile.
import type { Address } from '#proto/client/dashboard.ts';

export type IsSame = (one: Address, other: Address) => boolean;

/**
 * The place in `now` of the address that was at `place` in `before`; an address that was changed in place counts as the same.
 * Past the end if it was removed or is new.
 */
export const placeOfAddress = (
  now: readonly Address[],
  before: readonly Address[],
  place: number,
  isSame: IsSame,
): number => {
  const edited = before[place];
  if (edited === undefined) return now.length;
  const there = now[place];
  if (there && isSame(there, edited)) return place;
  const moved = now.findIndex((each) => isSame(each, edited));
  if (moved !== -1) return moved;
  const isChanged = there !== undefined && !before.some((each) => isSame(each, there));
  return isChanged ? place : now.length;
};

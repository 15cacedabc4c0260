// The place of a dragged item. Pure.

export interface Placed {
  readonly id: string;
  /** Counts from 1. */
  readonly position: number;
}

const without = (ids: readonly string[], id: string): string => JSON.stringify(ids.filter((each) => each !== id));

/** The one item that was moved between two orders of the same ids; null where none was. */
export const movedItem = (before: readonly string[], after: readonly string[]): Placed | null => {
  const at = after.findIndex((id, index) => id !== before[index]);
  if (at < 0) return null;
  // An item that moved up stands at the first difference; one that moved down stood there before.
  const candidates = [after[at]!, before[at]!];
  const id = candidates.find((each) => without(before, each) === without(after, each)) ?? candidates[0]!;
  return { id, position: after.indexOf(id) + 1 };
};

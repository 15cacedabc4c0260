// Decides exactly on which side of a line a point lies: with floating point where its error cannot matter, with exact
// sums elsewhere.

/** Relative error bound: beyond it the rounded determinant has the right sign. */
const SURE = 3.3306690738754716e-16;
/** 2^27 + 1, which splits a double into two halves whose products are exact (Dekker). */
const SPLITTER = 134_217_729;

const TINY = 1e-100;

/** Rounds tiny coordinates, far below an atom's size, to 0, so that their products do not underflow. */
export const flushTiny = (coordinate: number): number => (Math.abs(coordinate) < TINY ? 0 : coordinate);

/** Returns a value above 0 where `c` is left of the line from `a` to `b`, below 0 right of it, 0 on it. */
export const orientation = (ax: number, ay: number, bx: number, by: number, cx: number, cy: number): number => {
  const left = (ax - cx) * (by - cy);
  const right = (ay - cy) * (bx - cx);
  const rounded = left - right;
  if ((left > 0 && right > 0) || (left < 0 && right < 0)) {
    if (Math.abs(rounded) < SURE * Math.abs(left + right)) return exactly(ax, ay, bx, by, cx, cy);
  }
  return rounded;
};

/**
 * Tells whether a point is left of an upward edge. A point on the edge's line counts as slightly above and to the
 * right.
 */
export const isLeft = (ax: number, ay: number, bx: number, by: number, x: number, y: number): boolean => {
  const side = orientation(ax, ay, bx, by, x, y);
  return bx > ax ? side >= 0 : side > 0;
};

const exactly = (ax: number, ay: number, bx: number, by: number, cx: number, cy: number): number => {
  const parts: number[] = [];
  for (const [a, b] of [
    [ax, by],
    [-ay, bx],
    [bx, cy],
    [-by, cx],
    [cx, ay],
    [-cy, ax],
  ] as const) {
    const product = a * b;
    add(parts, productRoundingError(a, b, product));
    add(parts, product);
  }
  return parts.findLast((part) => part !== 0) ?? 0;
};

const productRoundingError = (a: number, b: number, product: number): number => {
  const wideA = SPLITTER * a;
  const wideB = SPLITTER * b;
  const highA = wideA - (wideA - a);
  const highB = wideB - (wideB - b);
  const lowA = a - highA;
  const lowB = b - highB;
  return lowA * lowB - (product - highA * highB - lowA * highB - highA * lowB);
};

/** Adds a number to an exact sum, which is a list of non-overlapping doubles, smallest first (Shewchuk). */
const add = (parts: number[], number: number): void => {
  let carried = number;
  for (let at = 0; at < parts.length; at++) {
    const part = parts[at]!;
    const sum = carried + part;
    const of = sum - carried;
    parts[at] = carried - (sum - of) + (part - of);
    carried = sum;
  }
  parts.push(carried);
};

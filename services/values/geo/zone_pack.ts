// Packs the parts of a map so that a look-up touches few places in memory: a grid's cells lie right behind the grid, and a
// leaf holds the ends of its edges itself.
import { GRID, LEAF, type Parts } from './zone_split.ts';

/** Both are read as whole numbers too, two in the place of one that is not. */
export interface Packed {
  /** Each grid: x, y, width and height of a cell, their reciprocals, cells on a side; then its cells. */
  readonly grids: Float64Array;
  /** Each leaf: how many pieces it has, each piece in four whole numbers, then all their edges. */
  readonly leaves: Float64Array;
}

export const GRID_NUMBERS = 7;
/** Whole numbers: how many pieces, and nothing. */
export const LEAF_HEAD = 2;
/**
 * Whole numbers: whether the cell's corner is inside, the polygon (`~polygon` of its holes), its zone, its edges, or
 * `SHARED`.
 */
export const PIECE_NUMBERS = 4;
/** In place of how many edges: those of the piece before, as of a border between two zones. */
export const SHARED = -1;
/** Lower end first: ax, ay, bx, by. */
export const EDGE_NUMBERS = 4;

/** Of longer lists only equal ones that stand in one order anyway are shared. */
const SORTED_EDGES_MAX = 64;

const CACHE_LINE_NUMBERS = 8;
/** Leaves and grids packed in one step. */
const PACKED_A_STEP = 5_000;

export function* pack(parts: Parts): Generator<void, Packed> {
  // Where each leaf will begin, at the place where it began.
  const starts = new Int32Array(parts.leaves.length);
  const leaves = new Float64Array(yield* placeLeaves(parts, starts));
  yield* fillLeaves(parts, starts, leaves);
  return { grids: yield* packGrids(parts, starts), leaves };
}

function* placeLeaves(parts: Parts, starts: Int32Array): Generator<void, number> {
  const { leaves } = parts;
  let size = 0;
  let worked = 0;
  for (let at = 0; at < leaves.length; ) {
    if (++worked % PACKED_A_STEP === 0) yield;
    starts[at] = size;
    const count = leaves[at++]!;
    size += (LEAF_HEAD + PIECE_NUMBERS * count) / 2;
    for (let piece = 0, before = -1; piece < count; piece++) {
      sortEdges(parts, at);
      if (before < 0 || !haveSameEdges(parts, before, at)) size += EDGE_NUMBERS * leaves[at + 1]!;
      before = at;
      at += 2 + leaves[at + 1]!;
    }
  }
  return size;
}

/** So that those of two rings along one border stand in the same order. */
const sortEdges = ({ leaves, edges }: Parts, piece: number): void => {
  if (leaves[piece + 1]! > SORTED_EDGES_MAX) return;
  const from = piece + 2;
  for (let at = from + 1; at < from + leaves[piece + 1]!; at++) {
    const edge = leaves[at]!;
    let to = at;
    for (; to > from && isBefore(edges, edge, leaves[to - 1]!); to--) leaves[to] = leaves[to - 1]!;
    leaves[to] = edge;
  }
};

const isBefore = (edges: Float64Array, one: number, other: number): boolean => {
  for (let part = 0; part < EDGE_NUMBERS; part++) {
    const [a, b] = [edges[EDGE_NUMBERS * one + part]!, edges[EDGE_NUMBERS * other + part]!];
    if (a !== b) return a < b;
  }
  return false;
};

const haveSameEdges = ({ leaves, edges }: Parts, one: number, other: number): boolean => {
  const count = leaves[one + 1]!;
  if (leaves[other + 1] !== count) return false;
  for (let at = 2; at < 2 + count; at++) {
    const [a, b] = [EDGE_NUMBERS * leaves[one + at]!, EDGE_NUMBERS * leaves[other + at]!];
    for (let part = 0; part < EDGE_NUMBERS; part++) if (edges[a + part] !== edges[b + part]) return false;
  }
  return true;
};

function* fillLeaves(parts: Parts, starts: Int32Array, packed: Float64Array): Generator<void> {
  const { leaves, edges, ringPolygon, ringZone } = parts;
  const whole = new Int32Array(packed.buffer);
  let worked = 0;
  for (let at = 0; at < leaves.length; ) {
    if (++worked % PACKED_A_STEP === 0) yield;
    const start = starts[at]!;
    const count = leaves[at++]!;
    whole[2 * start] = count;
    let to = 2 * start + LEAF_HEAD;
    let edgeTo = start + (LEAF_HEAD + PIECE_NUMBERS * count) / 2;
    for (let piece = 0, before = -1; piece < count; piece++, to += PIECE_NUMBERS) {
      const ring = leaves[at]! >> 1;
      const shared = before >= 0 && haveSameEdges(parts, before, at);
      before = at;
      const end = at + 2 + leaves[at + 1]!;
      whole[to] = leaves[at]! & 1;
      whole[to + 1] = ringPolygon[ring]!;
      whole[to + 2] = ringZone[ring]!;
      whole[to + 3] = shared ? SHARED : leaves[at + 1]!;
      at += 2;
      for (; at < end && !shared; at++) {
        const edge = EDGE_NUMBERS * leaves[at]!;
        for (let part = 0; part < EDGE_NUMBERS; part++) packed[edgeTo++] = edges[edge + part]!;
      }
      at = end;
    }
  }
}

/** Each grid from a cache line of its own on; a cell says where its grid or its leaf begins. */
function* packGrids({ grids, cells }: Parts, leafStarts: Int32Array): Generator<void, Float64Array> {
  const { x, y, width, height, side, first } = grids;
  const starts: number[] = [];
  let size = 0;
  for (const count of side) {
    starts.push(size);
    size += CACHE_LINE_NUMBERS * Math.ceil((GRID_NUMBERS + (count * count) / 2) / CACHE_LINE_NUMBERS);
  }
  const packed = new Float64Array(size);
  const whole = new Int32Array(packed.buffer);
  const placed = (cell: number): number => {
    const kind = cell & 3;
    if (kind === GRID) return (starts[cell >> 2]! << 2) | GRID;
    return kind === LEAF ? (leafStarts[cell >> 2]! << 2) | LEAF : cell;
  };
  for (const [grid, start] of starts.entries()) {
    if (grid % PACKED_A_STEP === 0) yield;
    const [w, h, count] = [width[grid]!, height[grid]!, side[grid]!];
    packed.set([x[grid]!, y[grid]!, w, h, 1 / w, 1 / h, count], start);
    const to = 2 * (start + GRID_NUMBERS);
    for (let at = 0; at < count * count; at++) whole[to + at] = placed(cells[first[grid]! + at]!);
  }
  return packed;
}

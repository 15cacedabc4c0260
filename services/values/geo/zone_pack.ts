// Packs a zone map into one array in the order of look-ups: each grid's cells, then its leaves with the coordinates of
// their edges, then its inner grids.
import { GRID, INNER_SIDE, LEAF, type ZoneParts } from './zone_split.ts';

/**
 * Bits of a leaf's entry for a ring, below the zone's number: the cell's corner is inside the ring, the ring is a
 * hole in the last outer ring before it, the entry is the last of its leaf.
 */
export const CORNER = 1;
export const HOLE = 2;
export const LAST = 4;
export const ZONE_SHIFT = 3;
/**
 * An entry starts with two integers: its zone with the bits, and its number of edges. `SHARED` in place of the number:
 * the entry has the edges of the previous one, as along a border.
 */
export const SHARED = -1;
/** Numbers that describe an edge: ax, ay, bx, by, the lower end first. */
export const EDGE_NUMBERS = 4;

/** Longer lists of edges are not sorted, so they are shared only if their order happens to be the same. */
const SORTED_EDGES_MAX = 64;
const GRIDS_PER_YIELD = 500;

/**
 * Returns the map as one array. Readers also view the array as integers, two for each double. The outermost grid's
 * cells come first; a cell holds the offset of its leaf or inner grid.
 */
export function* pack(parts: ZoneParts): Generator<void, Float64Array> {
  const map = new Packing(parts);
  yield* map.walk();
  map.begin();
  yield* map.walk();
  return map.numbers;
}

/** Visits all grids twice: first to measure, then to write. */
class Packing {
  readonly #parts: ZoneParts;
  #at = 0;
  #numbers: Float64Array | null = null;
  #whole: Int32Array = new Int32Array(0);

  constructor(parts: ZoneParts) {
    this.#parts = parts;
  }

  get numbers(): Float64Array {
    return this.#numbers!;
  }

  begin(): void {
    this.#numbers = new Float64Array(this.#at);
    this.#whole = new Int32Array(this.#numbers.buffer);
    this.#at = 0;
  }

  *walk(): Generator<void> {
    const { cells, side } = this.#parts;
    const waiting: [first: number, count: number, from: number][] = [[0, side * side, -1]];
    for (let worked = 1; waiting.length > 0; worked++) {
      if (worked % GRIDS_PER_YIELD === 0) yield;
      const [first, count, from] = waiting.pop()!;
      if (from >= 0) this.#whole[from] = (this.#at << 2) | GRID;
      const start = 2 * this.#at;
      this.#at += (count + 1) >> 1;
      for (let at = 0; at < count; at++) {
        const cell = cells[first + at]!;
        const kind = cell & 3;
        if (kind === GRID) waiting.push([cell >> 2, INNER_SIDE * INNER_SIDE, start + at]);
        else if (kind === LEAF) {
          this.#whole[start + at] = (this.#at << 2) | LEAF;
          this.#leaf(cell >> 2);
        } else this.#whole[start + at] = cell;
      }
    }
  }

  #leaf(leaf: number): void {
    const { leaves, ringZone, ringPolygon } = this.#parts;
    const count = leaves[leaf]!;
    for (let piece = 0, at = leaf + 1, before = -1; piece < count; piece++) {
      const ring = leaves[at]! >> 1;
      const edges = leaves[at + 1]!;
      if (!this.#numbers) sortEdges(this.#parts, at);
      const shared = before >= 0 && haveSameEdges(this.#parts, before, at);
      const is = (leaves[at]! & CORNER) | (ringPolygon[ring]! < 0 ? HOLE : 0) | (piece === count - 1 ? LAST : 0);
      this.#whole[2 * this.#at] = (ringZone[ring]! << ZONE_SHIFT) | is;
      this.#whole[2 * this.#at + 1] = shared ? SHARED : edges;
      this.#at++;
      if (!shared) this.#edges(at + 2, edges);
      before = at;
      at += 2 + edges;
    }
  }

  #edges(from: number, count: number): void {
    const { leaves, edges } = this.#parts;
    if (this.#numbers)
      for (let at = 0; at < EDGE_NUMBERS * count; at++)
        this.#numbers[this.#at + at] = edges[EDGE_NUMBERS * leaves[from + (at >> 2)]! + (at & 3)]!;
    this.#at += EDGE_NUMBERS * count;
  }
}

/** Sorts a ring's edges within a cell, so that two rings along one border list them in the same order. */
const sortEdges = ({ leaves, edges }: ZoneParts, piece: number): void => {
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

const haveSameEdges = ({ leaves, edges }: ZoneParts, one: number, other: number): boolean => {
  const count = leaves[one + 1]!;
  if (leaves[other + 1] !== count) return false;
  for (let at = 2; at < 2 + count; at++) {
    const [a, b] = [EDGE_NUMBERS * leaves[one + at]!, EDGE_NUMBERS * leaves[other + at]!];
    for (let part = 0; part < EDGE_NUMBERS; part++) if (edges[a + part] !== edges[b + part]) return false;
  }
  return true;
};

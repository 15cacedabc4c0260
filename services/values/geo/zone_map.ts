// Which zone of a map holds a point: zones compiled once into a grid of grids, so that a look-up meets a handful of edges.
//
// A cell lies wholly in one zone, in none, or holds the edges that pass through it together with, for each ring, whether
// the cell's own corner is inside. From the corner to a point one walks up the cell's left side and then to the right;
// each edge that is crossed takes one out of the ring or into it. Sides of edges are decided exactly, and a point or a
// corner on a line counts as if it lay a hair above and to the right, so that no crossing is counted twice or missed.
// What lies on a boundary is in the zone; where two zones share it the first one has it.
import { isLeft, notTiny, orientation } from './orientation.ts';
import { EDGE_NUMBERS, GRID_NUMBERS, LEAF_HEAD, type Packed, PIECE_NUMBERS, pack, SHARED } from './zone_pack.ts';
import { Builder, LEAF, type Parts, type Piece, WHOLE } from './zone_split.ts';

/** Positions x, y, x, y, …, not closed; x may pass 180 where a ring crosses the antimeridian. */
export type Ring = Float64Array;
/** The outer ring, then its holes. */
export type Polygon = readonly Ring[];

export class ZoneMap {
  readonly #grids: Float64Array;
  /** The same memory in whole numbers. */
  readonly #cells: Int32Array;
  readonly #leaves: Float64Array;
  /** The same memory in whole numbers. */
  readonly #pieces: Int32Array;

  constructor({ grids, leaves }: Packed) {
    this.#grids = grids;
    this.#cells = new Int32Array(grids.buffer);
    this.#leaves = leaves;
    this.#pieces = new Int32Array(leaves.buffer);
  }

  /** Memory that it takes. */
  get bytes(): number {
    return this.#grids.byteLength + this.#leaves.byteLength;
  }

  /** The first zone that holds the point, -1 where none does. */
  find(longitude: number, latitude: number): number {
    const x = notTiny(longitude);
    const y = notTiny(latitude);
    const found = this.#find(x, y);
    if (x !== 180 && x !== -180) return found;
    const other = this.#find(-x, y);
    return found < 0 ? other : other < 0 ? found : Math.min(found, other);
  }

  #find(px: number, py: number): number {
    const grids = this.#grids;
    const cells = this.#cells;
    if (grids.length === 0 || this.#isBeyond(px, py)) return -1;
    let grid = 0;
    for (;;) {
      const left = grids[grid]!;
      const bottom = grids[grid + 1]!;
      const cellWidth = grids[grid + 2]!;
      const cellHeight = grids[grid + 3]!;
      let column = ((px - left) * grids[grid + 4]!) | 0;
      let row = ((py - bottom) * grids[grid + 5]!) | 0;
      // Rounding may put a point beside its cell.
      if (px < left + column * cellWidth) column--;
      else if (px >= left + (column + 1) * cellWidth) column++;
      if (py < bottom + row * cellHeight) row--;
      else if (py >= bottom + (row + 1) * cellHeight) row++;
      const last = (grids[grid + 6]! | 0) - 1;
      // A grid may end a rounding before the cell that it fills.
      if (column < 0) column = 0;
      else if (column > last) column = last;
      if (row < 0) row = 0;
      else if (row > last) row = last;
      const cell = cells[2 * (grid + GRID_NUMBERS) + row * (last + 1) + column]!;
      const kind = cell & 3;
      if (kind === WHOLE) return (cell >> 2) - 1;
      if (kind === LEAF) return this.#inLeaf(cell >> 2, left + column * cellWidth, bottom + row * cellHeight, px, py);
      grid = cell >> 2;
    }
  }

  /** Around the outermost grid there is nothing. */
  #isBeyond(px: number, py: number): boolean {
    const grids = this.#grids;
    const [left, bottom, side] = [grids[0]!, grids[1]!, grids[6]!];
    return px < left || py < bottom || px > left + side * grids[2]! || py > bottom + side * grids[3]!;
  }

  #inLeaf(leaf: number, cornerX: number, cornerY: number, px: number, py: number): number {
    const pieces = this.#pieces;
    const count = pieces[2 * leaf]!;
    let at = 2 * leaf + LEAF_HEAD;
    let edge = leaf + (LEAF_HEAD + PIECE_NUMBERS * count) / 2;
    let after = edge;
    let crossing = UNKNOWN;
    let polygon = -1;
    let zone = -1;
    for (const end = at + PIECE_NUMBERS * count; at < end; at += PIECE_NUMBERS) {
      const corner = pieces[at] === 1;
      const owner = pieces[at + 1]!;
      const own = pieces[at + 3]!;
      if (own !== SHARED) {
        edge = after;
        after = edge + EDGE_NUMBERS * own;
        crossing = UNKNOWN;
      }
      const outer = owner >= 0;
      // The next outer ring: nothing was cut out of the one before it.
      if (outer && zone >= 0) return zone;
      if (!outer && (zone < 0 || ~owner !== polygon)) continue;
      if (crossing === UNKNOWN) crossing = crossingOf(this.#leaves, edge, after, cornerX, cornerY, px, py);
      if (outer) {
        if (crossing !== ON && corner === (crossing === ODD)) continue;
        polygon = owner;
        zone = pieces[at + 2]!;
      } else if (crossing !== ON && corner !== (crossing === ODD)) zone = -1;
    }
    return zone;
  }
}

const EVEN = 0;
const ODD = 1;
const ON = 2;
const UNKNOWN = -1;

/**
 * How often the way from a cell's corner to a point crosses the edges of a ring that pass through the cell: an even
 * number of times, an odd one, or the point is on one of them.
 */
const crossingOf = (
  edges: Float64Array,
  from: number,
  to: number,
  cornerX: number,
  cornerY: number,
  px: number,
  py: number,
): number => {
  let odd = false;
  for (let edge = from; edge < to; edge += EDGE_NUMBERS) {
    const ax = edges[edge]!;
    const ay = edges[edge + 1]!;
    const bx = edges[edge + 2]!;
    const by = edges[edge + 3]!;
    const across = ax > cornerX !== bx > cornerX;
    if (py < ay || py > by) {
      // It may be met on the way up alone.
      if (across && isLeft(ax, ay, bx, by, cornerX, cornerY) !== isLeft(ax, ay, bx, by, cornerX, py)) odd = !odd;
      continue;
    }
    const [low, high] = ax < bx ? [ax, bx] : [bx, ax];
    let left: boolean;
    if (px < low) left = true;
    else if (px > high) left = false;
    else {
      const side = orientation(ax, ay, bx, by, px, py);
      if (side === 0) return ON;
      left = side > 0;
    }
    if (by > py) {
      const start = across ? cornerY : py;
      if (isLeft(ax, ay, bx, by, cornerX, start) !== left) odd = !odd;
    } else if (across && isLeft(ax, ay, bx, by, cornerX, cornerY) !== isLeft(ax, ay, bx, by, cornerX, py)) {
      odd = !odd;
    }
  }
  return odd ? ODD : EVEN;
};

/** Compiles zones, each made of polygons, in steps, so that other work can be done in between. */
export function* compileZoneMap(zones: readonly (readonly Polygon[])[]): Generator<void, ZoneMap> {
  const edges: number[] = [];
  const pieces: Piece[] = [];
  const ringZone: number[] = [];
  const ringPolygon: number[] = [];
  let polygons = 0;
  for (const [zone, shapes] of zones.entries()) {
    for (const polygon of shapes.flatMap(bothSides)) {
      for (const [at, ring] of polygon.entries()) {
        pieces.push({ ring: ringZone.length, inside: false, edges: addEdges(edges, ring) });
        ringZone.push(zone);
        ringPolygon.push(at === 0 ? polygons : ~polygons);
      }
      polygons++;
    }
    yield;
  }
  const grids: Parts['grids'] = { x: [], y: [], width: [], height: [], side: [], first: [] };
  const parts: Parts = { edges: new Float64Array(edges), ringZone, ringPolygon, grids, cells: [], leaves: [] };
  if (pieces.length > 0) yield* new Builder(parts).build(pieces);
  return new ZoneMap(yield* pack(parts));
}

/** Zones compiled at once. */
export const zoneMapOf = (zones: readonly (readonly Polygon[])[]): ZoneMap => {
  const steps = compileZoneMap(zones);
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
};

/** A polygon across the antimeridian lies on the map twice, once at either end. */
const bothSides = (polygon: Polygon): Polygon[] => {
  const outer = polygon[0]!;
  let east = Number.NEGATIVE_INFINITY;
  for (let at = 0; at < outer.length; at += 2) east = Math.max(east, outer[at]!);
  if (east <= 180) return [polygon];
  return [polygon, polygon.map((ring) => ring.map((value, at) => (at % 2 === 0 ? value - 360 : value)))];
};

const addEdges = (edges: number[], ring: Ring): number[] => {
  const own: number[] = [];
  for (let at = 0; at < ring.length; at += 2) {
    const next = (at + 2) % ring.length;
    const ends = [ring[at]!, ring[at + 1]!, ring[next]!, ring[next + 1]!] as const;
    const upwards = ends[1] < ends[3] || (ends[1] === ends[3] && ends[0] <= ends[2]);
    own.push(edges.length / 4);
    if (upwards) edges.push(...ends);
    else edges.push(ends[2], ends[3], ends[0], ends[1]);
  }
  return own;
};

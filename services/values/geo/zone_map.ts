// Which zone of a map holds a point: zones compiled once into a grid of grids, so that a look-up meets a handful of edges.
//
// A cell lies wholly in one zone, in none, or holds the edges that pass through it together with, for each ring, whether
// the cell's own corner is inside. From the corner to a point one walks up the cell's left side and then to the right;
// each edge that is crossed takes one out of the ring or into it. Sides of edges are decided exactly, and a point or a
// corner on a line counts as if it lay a hair above and to the right, so that no crossing is counted twice or missed.
// What lies on a boundary is in the zone; where two zones share it the first one has it.
import { isLeft, notTiny, orientation } from './orientation.ts';
import { Builder, LEAF, type Parts, type Piece, WHOLE } from './zone_split.ts';

/** Positions x, y, x, y, …, not closed; x may pass 180 where a ring crosses the antimeridian. */
export type Ring = Float64Array;
/** The outer ring, then its holes. */
export type Polygon = readonly Ring[];

export class ZoneMap {
  /** Lower end first: ax, ay, bx, by. */
  readonly #edges: Float64Array;
  readonly #ringZone: Int32Array;
  /** The polygon that a ring belongs to, negative (`~polygon`) where it is a hole of it. */
  readonly #ringPolygon: Int32Array;
  /** A cache line each: x, y, width and height of a cell, columns, rows, first cell. */
  readonly #grids: Float64Array;
  readonly #cells: Int32Array;
  readonly #leaves: Int32Array;

  constructor(parts: Parts) {
    this.#edges = parts.edges;
    this.#ringZone = new Int32Array(parts.ringZone);
    this.#ringPolygon = new Int32Array(parts.ringPolygon);
    this.#grids = packed(parts.grids);
    this.#cells = new Int32Array(parts.cells);
    this.#leaves = new Int32Array(parts.leaves);
  }

  /** Memory that it takes. */
  get bytes(): number {
    return (
      8 * (this.#edges.length + this.#grids.length) +
      4 * (this.#cells.length + this.#leaves.length + 2 * this.#ringZone.length)
    );
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
    if (grids.length === 0) return -1;
    let grid = 0;
    for (;;) {
      const at = grid * GRID_NUMBERS;
      const left = grids[at]!;
      const bottom = grids[at + 1]!;
      const cellWidth = grids[at + 2]!;
      const cellHeight = grids[at + 3]!;
      let column = Math.floor((px - left) / cellWidth);
      let row = Math.floor((py - bottom) / cellHeight);
      // Rounding may put a point beside its cell.
      if (px < left + column * cellWidth) column--;
      else if (px >= left + (column + 1) * cellWidth) column++;
      if (py < bottom + row * cellHeight) row--;
      else if (py >= bottom + (row + 1) * cellHeight) row++;
      const columnMax = grids[at + 4]! - 1;
      const rowMax = grids[at + 5]! - 1;
      // Beyond the outermost grid there is nothing. An inner one may end a rounding before the cell that it fills.
      if (grid === 0 && (column < 0 || row < 0 || column > columnMax || row > rowMax)) return -1;
      column = Math.min(Math.max(column, 0), columnMax);
      row = Math.min(Math.max(row, 0), rowMax);
      const cell = this.#cells[grids[at + 6]! + row * (columnMax + 1) + column]!;
      const kind = cell & 3;
      if (kind === WHOLE) return (cell >> 2) - 1;
      if (kind === LEAF) return this.#inLeaf(cell >> 2, left + column * cellWidth, bottom + row * cellHeight, px, py);
      grid = cell >> 2;
    }
  }

  #inLeaf(leaf: number, cornerX: number, cornerY: number, px: number, py: number): number {
    const leaves = this.#leaves;
    let at = leaf + 1;
    let polygon = -1;
    let zone = -1;
    for (let piece = leaves[leaf]!; piece > 0; piece--) {
      const ring = leaves[at]! >> 1;
      const corner = (leaves[at]! & 1) === 1;
      const count = leaves[at + 1]!;
      at += 2;
      const owner = this.#ringPolygon[ring]!;
      if (owner >= 0) {
        // The next outer ring: nothing was cut out of the one before it.
        if (zone >= 0) return zone;
        if (inRing(this.#edges, leaves, at, count, corner, cornerX, cornerY, px, py) !== OUT) {
          polygon = owner;
          zone = this.#ringZone[ring]!;
        }
      } else if (zone >= 0 && ~owner === polygon) {
        if (inRing(this.#edges, leaves, at, count, corner, cornerX, cornerY, px, py) === IN) zone = -1;
      }
      at += count;
    }
    return zone;
  }
}

const GRID_NUMBERS = 8;

const packed = ({ x, y, width, height, columns, rows, first }: Parts['grids']): Float64Array =>
  new Float64Array(
    x.flatMap((left, at) => [left, y[at]!, width[at]!, height[at]!, columns[at]!, rows[at]!, first[at]!, 0]),
  );

const OUT = 0;
const IN = 1;
const ON = 2;

/** Whether a point is out of a ring, in it or on it, going by the edges of the ring that pass through its cell. */
const inRing = (
  edges: Float64Array,
  list: Int32Array,
  from: number,
  count: number,
  cornerInside: boolean,
  cornerX: number,
  cornerY: number,
  px: number,
  py: number,
): number => {
  let inside = cornerInside;
  for (let at = from; at < from + count; at++) {
    const edge = 4 * list[at]!;
    const ax = edges[edge]!;
    const ay = edges[edge + 1]!;
    const bx = edges[edge + 2]!;
    const by = edges[edge + 3]!;
    const across = ax > cornerX !== bx > cornerX;
    if (py < ay || py > by) {
      // It may be met on the way up alone.
      if (across && isLeft(ax, ay, bx, by, cornerX, cornerY) !== isLeft(ax, ay, bx, by, cornerX, py)) inside = !inside;
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
      if (isLeft(ax, ay, bx, by, cornerX, start) !== left) inside = !inside;
    } else if (across && isLeft(ax, ay, bx, by, cornerX, cornerY) !== isLeft(ax, ay, bx, by, cornerX, py)) {
      inside = !inside;
    }
  }
  return inside ? IN : OUT;
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
  const grids: Parts['grids'] = { x: [], y: [], width: [], height: [], columns: [], rows: [], first: [] };
  const parts: Parts = { edges: new Float64Array(edges), ringZone, ringPolygon, grids, cells: [], leaves: [] };
  if (pieces.length > 0) yield* new Builder(parts).build(pieces);
  return new ZoneMap(parts);
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

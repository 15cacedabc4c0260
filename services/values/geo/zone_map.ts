// Which zone of a map holds a point: zones compiled once into a grid of grids, so that a look-up meets a handful of edges.
//
// A cell lies wholly in one zone, in none, or holds the edges that pass through it together with, for each ring, whether
// the cell's own corner is inside. From the corner to a point one walks up the cell's left side and then to the right;
// each edge that is crossed takes one out of the ring or into it. Sides of edges are decided exactly, and a point or a
// corner on a line counts as if it lay a hair above and to the right, so that no crossing is counted twice or missed.
// What lies on a boundary is in the zone; where two zones share it the first one has it.
import { flushTiny, isLeft, orientation } from './orientation.ts';
import { CORNER, EDGE_NUMBERS, HOLE, LAST, pack, SHARED, ZONE_SHIFT } from './zone_pack.ts';
import { type BoundingBox, Builder, INNER_SIDE, LEAF, WHOLE, type ZoneFragment, type ZoneParts } from './zone_split.ts';

/** Positions x, y, x, y, …, not closed; x may pass 180 where a ring crosses the antimeridian. */
export type Ring = Float64Array;
/** The outer ring, then its holes. */
export type Polygon = readonly Ring[];

export class ZoneMap {
  readonly #frame: BoundingBox;
  readonly #numbers: Float64Array;
  /** The same memory in whole numbers. */
  readonly #whole: Int32Array;

  constructor(frame: BoundingBox, numbers: Float64Array) {
    this.#frame = frame;
    this.#numbers = numbers;
    this.#whole = new Int32Array(numbers.buffer);
  }

  /** Memory that it takes. */
  get bytes(): number {
    return this.#numbers.byteLength;
  }

  /** The first zone that holds the point, -1 where none does. */
  find(longitude: number, latitude: number): number {
    const x = flushTiny(longitude);
    const y = flushTiny(latitude);
    const found = this.#find(x, y);
    if (x !== 180 && x !== -180) return found;
    const other = this.#find(-x, y);
    return found < 0 ? other : other < 0 ? found : Math.min(found, other);
  }

  #find(px: number, py: number): number {
    const cells = this.#whole;
    let { x, y, width, height, side } = this.#frame;
    // Around the outermost grid there is nothing.
    if (px < x || py < y || px > x + side * width || py > y + side * height) return -1;
    let perWidth = 1 / width;
    let perHeight = 1 / height;
    for (let first = 0; ; ) {
      // Rounding may tell the cell beside a point's own: both hold the edges that come so near to the other.
      let column = ((px - x) * perWidth) | 0;
      let row = ((py - y) * perHeight) | 0;
      if (column < 0) column = 0;
      else if (column >= side) column = side - 1;
      if (row < 0) row = 0;
      else if (row >= side) row = side - 1;
      const cell = cells[first + row * side + column]!;
      const kind = cell & 3;
      if (kind === WHOLE) return (cell >> 2) - 1;
      x += column * width;
      y += row * height;
      if (kind === LEAF) return this.#inLeaf(cell >> 2, x, y, px, py);
      first = (cell >> 2) << 1;
      side = INNER_SIDE;
      width /= INNER_SIDE;
      height /= INNER_SIDE;
      perWidth *= INNER_SIDE;
      perHeight *= INNER_SIDE;
    }
  }

  #inLeaf(leaf: number, cornerX: number, cornerY: number, px: number, py: number): number {
    const whole = this.#whole;
    let from = leaf;
    let to = leaf;
    let crossing = UNKNOWN;
    let zone = -1;
    for (let at = leaf; ; ) {
      const piece = whole[2 * at]!;
      const own = whole[2 * at + 1]!;
      at++;
      if (own !== SHARED) {
        from = at;
        at += EDGE_NUMBERS * own;
        to = at;
        crossing = UNKNOWN;
      }
      const outer = (piece & HOLE) === 0;
      // The next outer ring: nothing was cut out of the one before it.
      if (outer && zone >= 0) return zone;
      if (outer || zone >= 0) {
        if (crossing === UNKNOWN) crossing = crossingOf(this.#numbers, from, to, cornerX, cornerY, px, py);
        const inside = ((piece & CORNER) !== 0) !== (crossing === ODD);
        if (outer) {
          if (inside || crossing === ON) zone = piece >> ZONE_SHIFT;
        } else if (inside && crossing !== ON) zone = -1;
      }
      if ((piece & LAST) !== 0) return zone;
    }
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
    let left: boolean;
    if (px < ax && px < bx) left = true;
    else if (px > ax && px > bx) left = false;
    else {
      const side = orientation(ax, ay, bx, by, px, py);
      if (side === 0) return ON;
      left = side > 0;
    }
    if (by > py) {
      // An edge that does not cross the cell's left side lies beside it.
      const start = across ? isLeft(ax, ay, bx, by, cornerX, cornerY) : ax > cornerX;
      if (start !== left) odd = !odd;
    } else if (across && isLeft(ax, ay, bx, by, cornerX, cornerY) !== isLeft(ax, ay, bx, by, cornerX, py)) {
      odd = !odd;
    }
  }
  return odd ? ODD : EVEN;
};

/** Beyond every point. */
const NOWHERE: BoundingBox = { x: Number.POSITIVE_INFINITY, y: Number.POSITIVE_INFINITY, width: 0, height: 0, side: 0 };

/** Compiles zones, each made of polygons, in steps, so that other work can be done in between. */
export function* compileZoneMap(zones: readonly (readonly Polygon[])[]): Generator<void, ZoneMap> {
  const edges: number[] = [];
  const pieces: ZoneFragment[] = [];
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
  const parts: ZoneParts = { edges: new Float64Array(edges), ringZone, ringPolygon, side: 0, cells: [], leaves: [] };
  const frame = pieces.length > 0 ? yield* new Builder(parts).build(pieces) : NOWHERE;
  return new ZoneMap(frame, yield* pack(parts));
}

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

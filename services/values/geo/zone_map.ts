// Finds the zone that contains a point. Zones are compiled into nested grids, so that a look-up tests few edges. A grid
// cell lies in one zone, in none, or lists the edges within it and, for each ring, whether the cell's lower left corner
// is inside. A look-up counts the edges crossed on a path from that corner up the cell's left side and then right to
// the point. Points and corners on a line count as slightly above and to the right, so that no crossing is missed or
// counted twice. A boundary belongs to its zone; a shared boundary to the first of its zones.
import { flushTiny, isLeft, orientation } from './orientation.ts';
import { CORNER, EDGE_NUMBERS, HOLE, LAST, pack, SHARED, ZONE_SHIFT } from './zone_pack.ts';
import { type BoundingBox, Builder, INNER_SIDE, LEAF, WHOLE, type ZoneFragment, type ZoneParts } from './zone_split.ts';

/**
 * Coordinates x, y, x, y, …, without the repeated last position. x exceeds 180 where the ring crosses the antimeridian.
 */
export type Ring = Float64Array;
export type Polygon = readonly Ring[];

export class ZoneMap {
  readonly #frame: BoundingBox;
  readonly #numbers: Float64Array;
  readonly #whole: Int32Array;

  constructor(frame: BoundingBox, numbers: Float64Array) {
    this.#frame = frame;
    this.#numbers = numbers;
    this.#whole = new Int32Array(numbers.buffer);
  }

  get bytes(): number {
    return this.#numbers.byteLength;
  }

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
    if (px < x || py < y || px > x + side * width || py > y + side * height) return -1;
    let perWidth = 1 / width;
    let perHeight = 1 / height;
    for (let first = 0; ; ) {
      // Rounding may pick the adjacent cell, which is harmless: cells also list edges just outside of them.
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
      // A new outer ring starts. The previous one contains the point, and its holes do not: its zone is the answer.
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
 * Returns whether the path from the cell's corner to the point crosses an even or odd number of edges, or that the
 * point is on an edge.
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
      // An edge wholly above or below the point can cross only the vertical part of the path.
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
      // An edge that does not cross the line of the cell's left side is on the side where `ax` is.
      const start = across ? isLeft(ax, ay, bx, by, cornerX, cornerY) : ax > cornerX;
      if (start !== left) odd = !odd;
    } else if (across && isLeft(ax, ay, bx, by, cornerX, cornerY) !== isLeft(ax, ay, bx, by, cornerX, py)) {
      odd = !odd;
    }
  }
  return odd ? ODD : EVEN;
};

const NOWHERE: BoundingBox = { x: Number.POSITIVE_INFINITY, y: Number.POSITIVE_INFINITY, width: 0, height: 0, side: 0 };

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

// Rings of polygons: closed, of some area, not crossing themselves; laid out without a jump at the antimeridian.
import { notTiny, orientation } from './orientation.ts';
import type { Polygon, Ring } from './zone_map.ts';

export type Position = readonly [longitude: number, latitude: number];

/** Why a ring is none, in words that follow "The ring". */
export type RingFault = string;

const TURN = 360;
const HALF_TURN = 180;
/** Pairs of edges compared for one polygon; real shapes of 10,000 positions need some hundred thousand. */
const PAIRS_MAX = 20_000_000;

/** A ring of its positions, the last of which repeats the first; a sentence where it is none. */
export const ringOf = (positions: readonly Position[]): Ring | RingFault => {
  const [first] = positions;
  const last = positions.at(-1);
  if (!first || !last || first[0] !== last[0] || first[1] !== last[1])
    return 'is open: its last position must be its first';
  const own: Position[] = [];
  for (const position of positions.slice(0, -1)) {
    const before = own.at(-1);
    if (!before || before[0] !== position[0] || before[1] !== position[1]) own.push(position);
  }
  while (own.length > 1 && own[0]![0] === own.at(-1)![0] && own[0]![1] === own.at(-1)![1]) own.pop();
  if (own.length < 3) return 'has no area';
  const ring = unwrapped(own);
  if (ring === null) return 'goes around a pole';
  return areaOf(ring) === 0 ? 'has no area' : ring;
};

/** Positions without jumps: beyond 180 after the antimeridian is crossed. Null where the way does not come back. */
const unwrapped = (positions: readonly Position[]): Ring | null => {
  const step = (at: number): number => positions[(at + 1) % positions.length]![0] - positions[at]![0];
  // A step of a whole turn by itself is an edge around the world, beside shorter jumps it is one of them.
  const jumps = positions.some((_, at) => Math.abs(step(at)) > HALF_TURN && Math.abs(step(at)) < TURN);
  const ring = new Float64Array(2 * positions.length);
  let shift = 0;
  for (const [at, [x, y]] of positions.entries()) {
    ring[2 * at] = notTiny(x) + shift;
    ring[2 * at + 1] = notTiny(y);
    if (jumps && Math.abs(step(at)) > HALF_TURN) shift -= TURN * Math.sign(step(at));
  }
  if (shift !== 0) return null;
  const west = westOf(ring);
  return west < -HALF_TURN ? moved(ring, TURN) : ring;
};

const westOf = (ring: Ring): number => {
  let west = Number.POSITIVE_INFINITY;
  for (let at = 0; at < ring.length; at += 2) west = Math.min(west, ring[at]!);
  return west;
};

const eastOf = (ring: Ring): number => {
  let east = Number.NEGATIVE_INFINITY;
  for (let at = 0; at < ring.length; at += 2) east = Math.max(east, ring[at]!);
  return east;
};

const moved = (ring: Ring, by: number): Ring => ring.map((value, at) => (at % 2 === 0 ? value + by : value));

/** Twice the area, positive where the ring runs against the clock. */
const areaOf = (ring: Ring): number => {
  let area = 0;
  const [x, y] = [ring[0]!, ring[1]!];
  for (let at = 2; at + 3 < ring.length; at += 2)
    area += (ring[at]! - x) * (ring[at + 3]! - y) - (ring[at + 2]! - x) * (ring[at + 1]! - y);
  return area;
};

/** A polygon of rings that are known to be well: its holes laid beside the outer one, where that crosses the antimeridian. */
export const layPolygon = ([outer, ...holes]: readonly [Ring, ...Ring[]]): Polygon => {
  const [west, east] = [westOf(outer), eastOf(outer)];
  return [
    outer,
    ...holes.map((hole) => {
      if (eastOf(hole) < west) return moved(hole, TURN);
      return westOf(hole) > east ? moved(hole, -TURN) : hole;
    }),
  ];
};

/** A polygon of its rings, the outer one first; a sentence where they cross. */
export const polygonOf = (rings: readonly [Ring, ...Ring[]]): Polygon | RingFault => {
  const polygon = layPolygon(rings);
  return crossing(polygon) ?? polygon;
};

/** One edge, its ends also by west and east and by south and north. */
interface Edge {
  readonly ring: number;
  readonly at: number;
  readonly ax: number;
  readonly ay: number;
  readonly bx: number;
  readonly by: number;
  readonly west: number;
  readonly east: number;
  readonly south: number;
  readonly north: number;
}

const edgesOf = (polygon: Polygon): Edge[] =>
  polygon.flatMap((ring, index) => {
    const edges: Edge[] = [];
    for (let at = 0; at < ring.length; at += 2) {
      const [ax, ay] = [ring[at]!, ring[at + 1]!];
      const [bx, by] = vertex(ring, at + 2);
      const [west, east, south, north] = [Math.min(ax, bx), Math.max(ax, bx), Math.min(ay, by), Math.max(ay, by)];
      edges.push({ ring: index, at, ax, ay, bx, by, west, east, south, north });
    }
    return edges;
  });

const vertex = (ring: Ring, at: number): Position => {
  const index = (at + ring.length) % ring.length;
  return [ring[index]!, ring[index + 1]!];
};

/** A sweep from west to east over all edges of a polygon. */
const crossing = (polygon: Polygon): RingFault | null => {
  const edges = edgesOf(polygon).sort((a, b) => a.west - b.west);
  let open: Edge[] = [];
  let pairs = 0;
  for (const edge of edges) {
    pairs += open.length;
    if (pairs > PAIRS_MAX) return 'is too intricate to be checked';
    let kept = 0;
    for (const other of open) {
      if (other.east < edge.west) continue;
      open[kept++] = other;
      if (other.south > edge.north || other.north < edge.south) continue;
      const fault = between(polygon, edge, other);
      if (fault) return fault;
    }
    open = open.slice(0, kept);
    open.push(edge);
  }
  return null;
};

const CROSSES = 'crosses itself or another ring';

const between = (polygon: Polygon, e: Edge, f: Edge): RingFault | null => {
  const fa = Math.sign(orientation(e.ax, e.ay, e.bx, e.by, f.ax, f.ay));
  const fb = Math.sign(orientation(e.ax, e.ay, e.bx, e.by, f.bx, f.by));
  if (fa * fb > 0) return null;
  const ea = Math.sign(orientation(f.ax, f.ay, f.bx, f.by, e.ax, e.ay));
  const eb = Math.sign(orientation(f.ax, f.ay, f.bx, f.by, e.bx, e.by));
  if (ea * eb > 0) return null;
  // On one line they may lie on each other: a border that is shared, or gone to and fro, encloses nothing.
  if (fa === 0 && fb === 0) return null;
  if (fa !== 0 && fb !== 0 && ea !== 0 && eb !== 0) return CROSSES;
  const [x, y] = fa === 0 ? [f.ax, f.ay] : fb === 0 ? [f.bx, f.by] : ea === 0 ? [e.ax, e.ay] : [e.bx, e.by];
  return passes(polygon, e, f, x, y) ? CROSSES : null;
};

/** Whether the way through `e` at a point leads from one side of the way through `f` to the other. */
const passes = (polygon: Polygon, e: Edge, f: Edge, x: number, y: number): boolean => {
  const [from, to] = way(polygon, e, x, y);
  const [start, end] = way(polygon, f, x, y);
  return side(x, y, start, end, from) * side(x, y, start, end, to) < 0;
};

/** Where a ring comes from and goes to at a point of its edge. */
const way = (polygon: Polygon, edge: Edge, x: number, y: number): readonly [Position, Position] => {
  const ring = polygon[edge.ring]!;
  const [a, b] = [vertex(ring, edge.at), vertex(ring, edge.at + 2)];
  if (a[0] === x && a[1] === y) return [vertex(ring, edge.at - 2), b];
  if (b[0] === x && b[1] === y) return [a, vertex(ring, edge.at + 4)];
  return [a, b];
};

/** 1 where `to` lies between `start` and `end` turning against the clock around the point, -1 beyond, 0 on either. */
const side = (x: number, y: number, start: Position, end: Position, to: Position): number => {
  const turn = orientation(x, y, start[0], start[1], end[0], end[1]);
  const after = orientation(x, y, start[0], start[1], to[0], to[1]);
  const before = orientation(x, y, to[0], to[1], end[0], end[1]);
  if (along(x, y, start, to, after) || along(x, y, end, to, before)) return 0;
  if (turn > 0) return after > 0 && before > 0 ? 1 : -1;
  if (turn < 0) return after > 0 || before > 0 ? 1 : -1;
  return after > 0 ? 1 : -1;
};

/** Whether two ways from a point are one. */
const along = (x: number, y: number, a: Position, b: Position, turn: number): boolean =>
  turn === 0 && (a[0] - x) * (b[0] - x) + (a[1] - y) * (b[1] - y) > 0;

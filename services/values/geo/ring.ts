// Validates polygon rings: each must be closed, enclose an area and not cross itself or another ring. Rings that cross
// the antimeridian are made continuous.
import { findCrossing } from './crossing.ts';
import { flushTiny } from './orientation.ts';
import type { Polygon, Ring } from './zone_map.ts';

export type RingPosition = readonly [longitude: number, latitude: number];

export type RingFault = string;

const TURN = 360;
const HALF_TURN = 180;

/** Converts positions to a ring, or returns the fault. The last position must repeat the first. */
export const ringOf = (positions: readonly RingPosition[]): Ring | RingFault => {
  const [first] = positions;
  const last = positions.at(-1);
  if (!first || !last || first[0] !== last[0] || first[1] !== last[1])
    return 'is open: its last position must be its first';
  const own: RingPosition[] = [];
  for (const position of positions.slice(0, -1)) {
    const before = own.at(-1);
    if (!before || before[0] !== position[0] || before[1] !== position[1]) own.push(position);
  }
  while (own.length > 1 && own[0]![0] === own.at(-1)![0] && own[0]![1] === own.at(-1)![1]) own.pop();
  if (own.length < 3) return 'has no area';
  const ring = unwrapped(own);
  if (ring === null) return 'goes around a pole';
  return signedDoubleArea(ring) === 0 ? 'has no area' : ring;
};

/**
 * Makes a ring that crosses the antimeridian continuous, by longitudes beyond 180. Null where the ring encircles a
 * pole.
 */
const unwrapped = (positions: readonly RingPosition[]): Ring | null => {
  const step = (at: number): number => positions[(at + 1) % positions.length]![0] - positions[at]![0];
  // A step of exactly 360° is taken as an edge around the Earth, unless another step shows that the ring crosses the
  // antimeridian.
  const jumps = positions.some((_, at) => Math.abs(step(at)) > HALF_TURN && Math.abs(step(at)) < TURN);
  const ring = new Float64Array(2 * positions.length);
  let shift = 0;
  for (const [at, [x, y]] of positions.entries()) {
    ring[2 * at] = flushTiny(x) + shift;
    ring[2 * at + 1] = flushTiny(y);
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

const signedDoubleArea = (ring: Ring): number => {
  let area = 0;
  const [x, y] = [ring[0]!, ring[1]!];
  for (let at = 2; at + 3 < ring.length; at += 2)
    area += (ring[at]! - x) * (ring[at + 3]! - y) - (ring[at + 2]! - x) * (ring[at + 1]! - y);
  return area;
};

/**
 * Shifts holes by 360° where the outer ring crosses the antimeridian, so that they lie within it. The rings must be
 * valid.
 */
export const alignHoles = ([outer, ...holes]: readonly [Ring, ...Ring[]]): Polygon => {
  const [west, east] = [westOf(outer), eastOf(outer)];
  return [
    outer,
    ...holes.map((hole) => {
      if (eastOf(hole) < west) return moved(hole, TURN);
      return westOf(hole) > east ? moved(hole, -TURN) : hole;
    }),
  ];
};

/** Builds a polygon; the first ring is the outer one. The generator yields every few hundred positions. */
export function* polygonOf(rings: readonly [Ring, ...Ring[]]): Generator<void, Polygon | RingFault> {
  const polygon = alignHoles(rings);
  const crossing = yield* findCrossing(polygon);
  if (crossing === 'crosses') return 'crosses itself or another ring';
  return crossing === 'none' ? polygon : 'lies on itself too often to be checked';
}

// Zones of a map, against exhaustive search through each polygon's edges.
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { zstdDecompressSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { flushTiny, orientation } from '#values/geo/orientation.ts';
import { alignHoles, type RingPosition, ringOf } from '#values/geo/ring.ts';
import { compileZoneMap, type Polygon, type Ring, type ZoneMap } from '#values/geo/zone_map.ts';

/** Real polygons, where present: STOA_POINTS points from STOA_SEED. */
const DISTRICTS = fileURLToPath(
  new URL('../../../../../shared/data/geo/zones-uk-postcode-districts.ndjson.zst', import.meta.url),
);
const POINTS = Number(process.env.STOA_POINTS ?? 5_000);
const SEED = Number(process.env.STOA_SEED ?? 42);

/** Compiles without yielding. */
const zoneMapOf = (zones: readonly (readonly Polygon[])[]): ZoneMap => {
  const steps = compileZoneMap(zones);
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
};

/** Parses rings separated by bars. */
const polygon = (text: string): Polygon => {
  const rings = text.split('|').map((ring) => {
    const positions = ring.split(',').map((pair) => pair.trim().split(' ').map(Number) as unknown as RingPosition);
    return ringOf([...positions, positions[0]!]) as Ring;
  });
  return alignHoles(rings as [Ring, ...Ring[]]);
};

const box = (west: number, south: number, east: number, north: number): string =>
  `${west} ${south}, ${east} ${south}, ${east} ${north}, ${west} ${north}`;

/** Returns 0 outside a ring, 1 inside, 2 on it, by crossings of a ray to the east. */
const inRing = (ring: Ring, x: number, y: number): 0 | 1 | 2 => {
  let inside = false;
  for (let at = 0; at < ring.length; at += 2) {
    const next = (at + 2) % ring.length;
    const [ax, ay, bx, by] = [ring[at]!, ring[at + 1]!, ring[next]!, ring[next + 1]!];
    const side = orientation(ax, ay, bx, by, x, y);
    const beside = x >= Math.min(ax, bx) && x <= Math.max(ax, bx) && y >= Math.min(ay, by) && y <= Math.max(ay, by);
    if (side === 0 && beside) return 2;
    if (ay > y !== by > y && by > ay === side > 0) inside = !inside;
  }
  return inside ? 1 : 0;
};

const holds = ([outer, ...holes]: Polygon, x: number, y: number): boolean =>
  inRing(outer!, x, y) !== 0 && holes.every((hole) => inRing(hole, x, y) !== 1);

/** The oracle. A ring across the antimeridian exceeds 180, so western points are searched there too. */
const slowly = (zones: readonly (readonly Polygon[])[], x: number, y: number): number =>
  zones.findIndex((zone) =>
    zone.some((each) => holds(each, x, y) || holds(each, x + 360, y) || holds(each, x - 360, y)),
  );

describe('a point', () => {
  const map = (...zones: string[][]) => zoneMapOf(zones.map((zone) => zone.map(polygon)));

  test.each([
    ['in a zone', 1, 1, 0],
    ['in the zone beside it', 5, 1, 1],
    ['on the border of both is in the first', 4, 1, 0],
    ['on a corner of both is in the first', 4, 4, 0],
    ['on a border of one alone', 8, 2, 1],
    ['beside them', 9, 2, -1],
    ['above them', 2, 4.000001, -1],
    ['far away', -170, -80, -1],
  ])('%s', (_name, x, y, zone) => expect(map([box(0, 0, 4, 4)], [box(4, 0, 8, 4)]).find(x, y)).toBe(zone));

  test.each([
    ['in the ring around a hole', 1, 5, 0],
    ['in the hole is in what lies there', 5, 5, 1],
    ['in the hole beside that', 3.5, 3.5, -1],
    ['on the rim of the hole', 3, 5, 0],
    ['on the inner square’s rim', 4, 5, 1],
    ['in the second polygon of the first zone', 21, 1, 0],
    ['between the two polygons', 15, 1, -1],
  ])('%s', (_name, x, y, zone) =>
    expect(map([`${box(0, 0, 10, 10)}|${box(3, 3, 7, 7)}`, box(20, 0, 22, 2)], [box(4, 4, 6, 6)]).find(x, y)).toBe(
      zone,
    ),
  );

  test.each([
    ['east of it', 179, 1, 0],
    ['west of it', -179, 1, 0],
    ['on it', 180, 1, 0],
    ['on it from the other side', -180, 1, 0],
    ['where the zone ends', -178, 1, 0],
    ['beyond its end', -177.9, 1, -1],
    ['on the far side of the world', 0, 1, -1],
    ['in its hole', -179.5, 2.5, -1],
  ])('of a zone across the antimeridian, %s', (_name, x, y, zone) =>
    expect(map([`178 0, -178 0, -178 4, 178 4|-179.8 2, -179.2 2, -179.2 3, -179.8 3`]).find(x, y)).toBe(zone),
  );

  test.each([180, -180])('belongs to a zone that ends at %i on either side', (x) => {
    expect(map([box(170, 0, 180, 4)]).find(x, 1)).toBe(0);
    expect(map([box(-180, 0, -170, 4)]).find(x, 1)).toBe(0);
    expect(map([box(0, 0, 1, 1)], [box(-180, 0, -170, 4)], [box(170, 0, 180, 4)]).find(x, 1)).toBe(1);
  });

  test('anywhere is in the zone that is the world, its poles too', () => {
    const world = map([box(-180, -90, 180, 90)]);
    for (const [x, y] of [
      [0, 0],
      [180, 90],
      [-180, -90],
      [12, 90],
      [179.999, -89.999],
    ] as const)
      expect(world.find(x, y)).toBe(0);
  });

  test('a hair beyond the last line of an inner grid is in the cell that the grid fills', () => {
    // Many corners in a small area, so that cells split again; doubles are densest around 0.
    const gear = Array.from({ length: 60 }, (_, at) => {
      const [angle, radius] = [(at / 60) * 2 * Math.PI, at % 2 === 0 ? 1 : 0.5];
      return `${radius * Math.cos(angle)} ${radius * Math.sin(angle)}`;
    }).join(', ');
    const small = Array.from({ length: 12 }, (_, at) => [polygon(box(-(at + 1) * 1e-3, -1e-3, (at + 1) * 1e-3, 1e-3))]);
    const shapes = [...small, [polygon(gear)]];
    const whole = zoneMapOf(shapes);
    for (let power = 1; power < 320; power += 3)
      for (const x of [-(10 ** -power), 0, 10 ** -power])
        for (const y of [-(10 ** -power), 0, 10 ** -power])
          expect(whole.find(x, y), `${x} ${y}`).toBe(slowly(shapes, flushTiny(x), flushTiny(y)));
  });

  test('lies in no zone of an empty map', () => expect(zoneMapOf([]).find(0, 0)).toBe(-1));
});

describe('the grid agrees with exhaustive search and', () => {
  /** Stars around a centre: rings of any shape without crossings, on a coarse raster so that many points coincide. */
  const star = fc
    .record({
      x: fc.integer({ min: -12, max: 12 }),
      y: fc.integer({ min: -12, max: 12 }),
      radii: fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 3, maxLength: 24 }),
    })
    .map(({ x, y, radii }): Polygon => {
      const positions = radii.map((radius, at): RingPosition => {
        const angle = (at / radii.length) * 2 * Math.PI;
        return [Math.round((x + radius * Math.cos(angle)) * 2) / 2, Math.round((y + radius * Math.sin(angle)) * 2) / 2];
      });
      const ring = ringOf([...positions, positions[0]!]);
      return typeof ring === 'string' ? polygon(box(x, y, x + 1, y + 1)) : alignHoles([ring]);
    });
  const holed = fc
    .tuple(star, fc.option(star))
    .map(([outer, hole]): Polygon => (hole ? alignHoles([outer[0]!, hole[0]!]) : outer));
  const zones = fc.array(fc.array(holed, { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 12 });
  const coordinate = fc.oneof(
    fc.integer({ min: -44, max: 44 }).map((half) => half / 2),
    fc.double({ min: -22, max: 22, noNaN: true }),
  );

  test('finds zones of any shape that overlap, touch and have holes', () => {
    fc.assert(
      fc.property(
        zones,
        fc.array(fc.tuple(coordinate, coordinate), { minLength: 40, maxLength: 40 }),
        (shapes, points) => {
          const map = zoneMapOf(shapes);
          for (const [x, y] of points) {
            const [found, due] = [map.find(x, y), slowly(shapes, flushTiny(x), flushTiny(y))];
            if (found !== due) throw new Error(`${x} ${y} is in ${due}, not in ${found}`);
          }
        },
      ),
      { numRuns: 200, seed: SEED, interruptAfterTimeLimit: 15_000 },
    );
  });

  test('finds points among fifteen hundred nested zones', () => {
    const shapes = Array.from({ length: 1_500 }, (_, at) => [
      polygon(box(-at / 100 - 1, -1, at / 100 + 1, 1 + at / 1e4)),
    ]);
    const map = zoneMapOf(shapes);
    for (const [x, y] of [
      [0, 0],
      [1.5, 0.3],
      [-10.004, 1.1],
      [15.985, 1.14],
      [16, -1],
      [16.1, 0],
    ] as const)
      expect(map.find(x, y), `${x} ${y}`).toBe(slowly(shapes, x, y));
    expect(map.bytes).toBeLessThan(16 * 1024 * 1024);
  });

  test.skipIf(!existsSync(DISTRICTS))(
    `on 1,281 postcode districts, at ${POINTS} points by chance and on borders`,
    () => {
      const lines = zstdDecompressSync(readFileSync(DISTRICTS)).toString().trim().split('\n');
      const shapes = lines.map((line) => {
        const { geometry } = JSON.parse(line) as { geometry: { type: string; coordinates: never } };
        const polygons = (
          geometry.type === 'Polygon' ? [geometry.coordinates] : geometry.coordinates
        ) as RingPosition[][][];
        return polygons.map((rings) => alignHoles(rings.map((ring) => ringOf(ring)) as [Ring, ...Ring[]]));
      });
      const map = zoneMapOf(shapes);
      // Bounding boxes first: exhaustive search would be too slow.
      const bounds = shapes.map((zone) => zone.map(([outer]) => boundsOf(outer!)));
      const look = (x: number, y: number): number => {
        for (let zone = 0; zone < shapes.length; zone++)
          for (let part = 0; part < shapes[zone]!.length; part++) {
            const box = bounds[zone]![part]!;
            if (x < box[0] || x > box[2] || y < box[1] || y > box[3]) continue;
            if (holds(shapes[zone]![part]!, x, y)) return zone;
          }
        return -1;
      };
      const random = generator(SEED);
      let inside = 0;
      for (let point = 0; point < POINTS; point++) {
        let [x, y] = [-7.5 + random() * 9.5, 49.8 + random() * 9];
        if (point % 2 === 0) {
          // Near a border, on a corner or in the middle of an edge.
          const zone = shapes[Math.floor(random() * shapes.length)]!;
          const ring = zone[0]![0]!;
          const at = 2 * Math.floor((random() * ring.length) / 2);
          const next = (at + 2) % ring.length;
          const share = point % 6 === 0 ? 0 : 0.5;
          const off = point % 4 === 0 ? 0 : (random() - 0.5) * 0.02;
          x = ring[at]! + share * (ring[next]! - ring[at]!) + off;
          y = ring[at + 1]! + share * (ring[next + 1]! - ring[at + 1]!) - off;
        }
        const [found, due] = [map.find(x, y), look(x, y)];
        if (found >= 0) inside++;
        if (found !== due) expect.fail(`${x} ${y} is in ${due}, not in ${found}`);
      }
      expect(inside).toBeGreaterThan(0.4 * POINTS);
    },
  );
});

const boundsOf = (ring: Ring): [number, number, number, number] => {
  const bounds: [number, number, number, number] = [180, 90, -180, -90];
  for (let at = 0; at < ring.length; at += 2) {
    bounds[0] = Math.min(bounds[0], ring[at]!);
    bounds[1] = Math.min(bounds[1], ring[at + 1]!);
    bounds[2] = Math.max(bounds[2], ring[at]!);
    bounds[3] = Math.max(bounds[3], ring[at + 1]!);
  }
  return bounds;
};

/** Pseudo-random numbers from 0 to 1. */
const generator = (seed: number): (() => number) => {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
};

test('compilation yields, so that other work can run', () => {
  const steps = compileZoneMap(Array.from({ length: 50 }, (_, at) => [polygon(box(at, 0, at + 1, 1))]));
  let count = 0;
  while (!steps.next().done) count++;
  expect(count).toBeGreaterThan(49);
});

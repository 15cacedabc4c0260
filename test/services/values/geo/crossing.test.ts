// Compares the sweep with every edge against every other, on coordinates where nearly everything touches, and bounds
// its steps on large shapes.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Crossing, findCrossing } from '#values/geo/crossing.ts';
import { orientation } from '#values/geo/orientation.ts';
import type { Polygon, Ring } from '#values/geo/zone_map.ts';

type Point = readonly [number, number];

/** Returns the result, the processor time, which other programs hardly change, and the number of yields. */
const judged = (polygon: Polygon): { readonly found: Crossing; readonly cpuMs: number; readonly yields: number } => {
  const before = process.cpuUsage();
  const work = findCrossing(polygon);
  for (let yields = 0; ; yields++) {
    const step = work.next();
    if (!step.done) continue;
    const { user, system } = process.cpuUsage(before);
    return { found: step.value, cpuMs: (user + system) / 1_000, yields };
  }
};
const ringOf = (points: readonly Point[]): Ring => Float64Array.from(points.flat());

// ── Every edge against every other ───────────────────────────────────────────────────────────────────────────────────

const turn = (a: Point, b: Point, c: Point): number => Math.sign(orientation(a[0], a[1], b[0], b[1], c[0], c[1]));
const same = (a: Point, b: Point): boolean => a[0] === b[0] && a[1] === b[1];
const isOn = (a: Point, b: Point, c: Point): boolean =>
  turn(a, b, c) === 0 &&
  Math.min(a[0], b[0]) <= c[0] &&
  c[0] <= Math.max(a[0], b[0]) &&
  Math.min(a[1], b[1]) <= c[1] &&
  c[1] <= Math.max(a[1], b[1]);
const sameWay = (o: Point, a: Point, b: Point): boolean =>
  turn(o, a, b) === 0 && (a[0] - o[0]) * (b[0] - o[0]) + (a[1] - o[1]) * (b[1] - o[1]) > 0;

/** Returns whether a direction is strictly between two others, counter-clockwise. */
const isBetween = (o: Point, from: Point, to: Point, direction: Point): boolean => {
  const [wide, after, before] = [turn(o, from, to), turn(o, from, direction), turn(o, direction, to)];
  if (wide > 0) return after > 0 && before > 0;
  if (wide < 0) return after > 0 || before > 0;
  return after > 0;
};

/** Paths through a point, each by its two directions. */
const passes = (o: Point, [a, b]: readonly [Point, Point], [c, d]: readonly [Point, Point]): boolean => {
  if (sameWay(o, a, b) || sameWay(o, c, d)) return false;
  for (const mine of [a, b]) for (const other of [c, d]) if (sameWay(o, mine, other)) return false;
  return isBetween(o, a, b, c) !== isBetween(o, a, b, d);
};

const crossesByPairs = (rings: readonly (readonly Point[])[]): boolean => {
  const edges = rings.flatMap((ring) => ring.map((a, at) => ({ ring, at, a, b: ring[(at + 1) % ring.length]! })));
  const way = ({ ring, at, a, b }: (typeof edges)[number], o: Point): readonly [Point, Point] => {
    if (same(a, o)) return [ring.at(at - 1)!, b];
    return same(b, o) ? [a, ring[(at + 2) % ring.length]!] : [a, b];
  };
  for (const e of edges)
    for (const f of edges) {
      const [fa, fb, ea, eb] = [turn(e.a, e.b, f.a), turn(e.a, e.b, f.b), turn(f.a, f.b, e.a), turn(f.a, f.b, e.b)];
      if (fa === 0 && fb === 0) continue;
      if (fa * fb < 0 && ea * eb < 0) return true;
      for (const o of [f.a, f.b, e.a, e.b])
        if (isOn(e.a, e.b, o) && isOn(f.a, f.b, o) && passes(o, way(e, o), way(f, o))) return true;
    }
  return false;
};

/** Adjacent positions differ, as in parsed rings. */
const ring = (size: number, max: number): fc.Arbitrary<Point[]> =>
  fc
    .array(fc.tuple(fc.nat(size), fc.nat(size)), { minLength: 3, maxLength: max })
    .map((points) => points.filter((point, at) => !same(point, points.at(at - 1)!)))
    .filter((points) => points.length >= 3);

/** A ring that often touches itself and rarely crosses: dents in and out of a square's sides. */
const dented = fc.array(fc.record({ at: fc.nat(40), x: fc.nat(6), y: fc.nat(6) }), { maxLength: 6 }).map((dents) => {
  const points: Point[] = [
    [0, 0],
    [6, 0],
    [6, 6],
    [0, 6],
  ];
  for (const { at, x, y } of dents) points.splice(at % points.length, 0, [x, y]);
  return points.filter((point, at) => !same(point, points.at(at - 1)!));
});

describe('a sweep finds a crossing exactly where two edges cross', () => {
  test.each<[string, fc.Arbitrary<Point[][]>]>([
    ['in one ring on a small grid', fc.tuple(ring(3, 7))],
    ['in one ring on a larger one', fc.tuple(ring(9, 9))],
    ['between rings', fc.array(ring(4, 5), { minLength: 2, maxLength: 3 })],
    ['in a dented square', fc.tuple(dented)],
    ['between dented squares', fc.tuple(dented, dented)],
  ])('%s', (_what, rings) => {
    const seen = { crosses: 0, none: 0 };
    fc.assert(
      fc.property(rings, (points) => {
        const { found } = judged(points.map(ringOf));
        const expected = crossesByPairs(points) ? 'crosses' : 'none';
        seen[expected]++;
        expect(found).toBe(expected);
      }),
      { numRuns: Number(process.env.STOA_RINGS ?? 4_000) },
    );
    expect(Math.min(seen.crosses, seen.none)).toBeGreaterThan(50);
  });
});

// ── Large ones ───────────────────────────────────────────────────────────────────────────────────────────────────────

const turned = (points: readonly Point[], degrees: number): Point[] => {
  const [cos, sin] = [Math.cos((degrees * Math.PI) / 180), Math.sin((degrees * Math.PI) / 180)];
  return points.map(([x, y]) => [x * cos - y * sin, x * sin + y * cos]);
};

/** A base with leaning teeth. */
const comb = (vertices: number, length: number, lean: number): Point[] => {
  const teeth = (vertices - 2) / 2;
  const step = 100 / teeth;
  const edge = Array.from({ length: teeth }, (_, at): Point[] => [
    [at * step, 0],
    [at * step + step / 3 + lean, length],
  ]).flat();
  return [...edge, [100 + lean, -5], [-5, -5]];
};

const spiral = (vertices: number): Point[] => {
  const half = vertices / 2;
  const way = (radius: number): Point[] =>
    Array.from({ length: half }, (_, at): Point => {
      const angle = at / 20;
      return [(angle + radius) * Math.cos(angle), (angle + radius) * Math.sin(angle)];
    });
  return [...way(1), ...way(3).reverse()];
};

/** Lobes that all touch in one point. */
const flower = (lobes: number): Point[] =>
  Array.from({ length: lobes }, (_, at): Point[] => {
    const angle = (step: number): number => ((at + step) / lobes) * 2 * Math.PI;
    return [
      [0, 0],
      [50 * Math.cos(angle(0.2)), 50 * Math.sin(angle(0.2))],
      [50 * Math.cos(angle(0.8)), 50 * Math.sin(angle(0.8))],
    ];
  }).flat();

const LARGE: readonly [string, Point[]][] = [
  ['a comb of 8,002 vertices that points north', comb(8_002, 50, 0)],
  ['one that points east', turned(comb(8_002, 50, 0), -90)],
  ['one of 10,000 that points west', turned(comb(10_000, 50, 0), 90)],
  ['one whose teeth lean over', comb(10_000, 50, 60)],
  ['one that leans east', turned(comb(10_000, 50, 60), -90)],
  ['one that lies aslant', turned(comb(10_000, 50, 0), -37)],
  ['a spiral', spiral(10_000)],
  ['a flower', flower(3_333)],
  [
    'a saw',
    Array.from({ length: 10_000 }, (_, at): Point => (at < 9_998 ? [at, at % 2] : [at === 9_998 ? 9_998 : 0, -9])),
  ],
];

const CPU_MS_MAX = 1_000;
/** The check yields at least once in so many vertices. */
const VERTICES_A_STEP_MAX = 512;

describe('in a second of processor time at most, and in short steps', () => {
  test.each(LARGE)('%s is well', (_what, points) => {
    const { found, cpuMs, yields } = judged([ringOf(points)]);
    expect(found).toBe('none');
    expect(cpuMs).toBeLessThan(CPU_MS_MAX);
    expect(yields).toBeGreaterThanOrEqual(Math.floor(points.length / VERTICES_A_STEP_MAX));
  });

  test.each(LARGE)('%s with one vertex out of place is not', (_what, points) => {
    const at = Math.floor(points.length / 2);
    const [x, y] = points[at]!;
    // Moves the vertex past its surroundings.
    const [east, north] = points[at + 400]!;
    const broken = points.with(at, [x + 1.001 * (east - x), y + 1.001 * (north - y)]);
    const { found, cpuMs } = judged([ringOf(broken)]);
    expect(found).toBe('crosses');
    expect(cpuMs).toBeLessThan(CPU_MS_MAX);
  });

  test('one that lies on itself by the thousand is refused before it costs more', () => {
    const line = Array.from({ length: 9_000 }, (_, at): Point => [at % 2 === 0 ? at / 9 : 1_000 + at / 9, 0]);
    const { found, cpuMs } = judged([ringOf([...line, [500, 9]])]);
    expect(found).toBe('too intricate');
    expect(cpuMs).toBeLessThan(5 * CPU_MS_MAX);
  });
});

// Delivery zones of a bench: the postcode districts of Britain if their data lies beside the checkout, else a chessboard of
// squares, and points inside them.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Dice } from './scenario.ts';

const FILE = fileURLToPath(new URL('../../../shared/data/geo/zones-uk-postcode-districts.ndjson.zst', import.meta.url));
const BYTES_MAX = 64 * 1024 * 1024;
const SQUARES_A_SIDE = 35;
const VERTICES_MAX = 10_000;

type Ring = readonly (readonly [number, number])[];
type Geometry =
  | { readonly type: 'Polygon'; readonly coordinates: readonly Ring[] }
  | { readonly type: 'MultiPolygon'; readonly coordinates: readonly (readonly Ring[])[] };

export interface Zone {
  readonly name: string;
  readonly geometry: Geometry;
}

const real = (): Zone[] => {
  const { stdout, status } = spawnSync('zstd', ['-dc', FILE], { maxBuffer: BYTES_MAX });
  if (status !== 0) return [];
  return stdout
    .toString('utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as { properties: { zone: string }; geometry: Geometry })
    .map(({ properties, geometry }) => ({ name: properties.zone, geometry }));
};

const chessboard = (): Zone[] =>
  Array.from({ length: SQUARES_A_SIDE ** 2 }, (_, at) => {
    const [west, south] = [-8 + (at % SQUARES_A_SIDE) * 0.3, 50 + Math.floor(at / SQUARES_A_SIDE) * 0.25];
    const [east, north] = [west + 0.3, south + 0.25];
    const ring: Ring = [
      [west, south],
      [east, south],
      [east, north],
      [west, north],
      [west, south],
    ];
    return { name: `Square ${at}`, geometry: { type: 'Polygon', coordinates: [ring] } };
  });

const outerRings = ({ type, coordinates }: Geometry): Ring[] =>
  type === 'Polygon' ? [coordinates[0] as Ring] : coordinates.map(([outer]) => outer as Ring);

export const zones = (): Zone[] => {
  const found = existsSync(FILE) ? real() : [];
  const fit = found.filter(({ geometry }) => outerRings(geometry).flat().length <= VERTICES_MAX);
  return fit.length > 0 ? fit : chessboard();
};

/** A point near a border of a zone: most lie in it, some in its neighbour. */
export const pointNear = ({ geometry }: Zone, dice: Dice): { latitude: number; longitude: number } => {
  const ring = dice.pick(outerRings(geometry));
  const [[x1, y1], [x2, y2]] = [dice.pick(ring), dice.pick(ring)];
  const share = dice.next();
  const round = (value: number): number => Number(value.toFixed(5));
  return { latitude: round(y1 + (y2 - y1) * share), longitude: round(x1 + (x2 - x1) * share) };
};

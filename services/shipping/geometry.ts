// Parses a zone's GeoJSON when a configuration is written, and builds polygons when it is compiled.
import { alignHoles, polygonOf, type RingPosition, ringOf } from '#values/geo/ring.ts';
import type { Polygon, Ring } from '#values/geo/zone_map.ts';

export type Geometry =
  | { readonly type: 'Polygon'; readonly coordinates: Shape }
  | { readonly type: 'MultiPolygon'; readonly coordinates: readonly Shape[] };

type Shape = readonly (readonly RingPosition[])[];

/** A fault in a geometry; `path` is relative to the geometry, such as `.coordinates[0][3]`. */
export class GeometryFault {
  readonly path: string;
  readonly message: string;

  constructor(path: string, message: string) {
    this.path = path;
    this.message = message;
  }
}

export const VERTICES_MAX = 10_000;
/** A GeoJSON position may have a height and a measure, which are ignored. */
const POSITION_LENGTH_MAX = 4;

/** Parses a geometry. Yields after each ring, and within large polygons more often. */
export function* parseGeometry(value: unknown): Generator<void, Geometry | GeometryFault> {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return new GeometryFault('', 'must be a GeoJSON geometry');
  const { type, coordinates } = value as { type?: unknown; coordinates?: unknown };
  if (type !== 'Polygon' && type !== 'MultiPolygon')
    return new GeometryFault('.type', 'must be Polygon or MultiPolygon');
  const vertices = { left: VERTICES_MAX };
  if (type === 'Polygon') {
    const shape = yield* parseShape(coordinates, '.coordinates', vertices);
    return shape instanceof GeometryFault ? shape : { type, coordinates: shape };
  }
  if (!Array.isArray(coordinates) || coordinates.length === 0)
    return new GeometryFault('.coordinates', 'must be a list of polygons');
  const shapes: Shape[] = [];
  for (const [at, polygon] of coordinates.entries()) {
    const shape = yield* parseShape(polygon, `.coordinates[${at}]`, vertices);
    if (shape instanceof GeometryFault) return shape;
    shapes.push(shape);
  }
  return { type, coordinates: shapes };
}

function* parseShape(value: unknown, path: string, vertices: { left: number }): Generator<void, Shape | GeometryFault> {
  if (!Array.isArray(value) || value.length === 0) return new GeometryFault(path, 'must be a list of rings');
  const shape: RingPosition[][] = [];
  const rings: Ring[] = [];
  for (const [at, positions] of value.entries()) {
    const where = `${path}[${at}]`;
    const read = parsePositions(positions, where, vertices);
    if (read instanceof GeometryFault) return read;
    const ring = ringOf(read);
    if (typeof ring === 'string') return new GeometryFault(where, `${ring}`);
    shape.push(read);
    rings.push(ring);
    yield;
  }
  const polygon = yield* polygonOf(rings as [Ring, ...Ring[]]);
  return typeof polygon === 'string' ? new GeometryFault(path, polygon) : shape;
}

const parsePositions = (value: unknown, path: string, vertices: { left: number }): RingPosition[] | GeometryFault => {
  if (!Array.isArray(value)) return new GeometryFault(path, 'must be a list of positions');
  // Does not count a ring's last position, because it repeats the first.
  vertices.left -= Math.max(0, value.length - 1);
  if (vertices.left < 0) return new GeometryFault('', `must have at most ${VERTICES_MAX} vertices`);
  const positions: RingPosition[] = [];
  for (const [at, position] of value.entries()) {
    const [longitude, latitude] = Array.isArray(position) ? position : [];
    const length = Array.isArray(position) ? position.length : 0;
    if (!isWithin(longitude, 180) || !isWithin(latitude, 90) || length > POSITION_LENGTH_MAX)
      return new GeometryFault(
        `${path}[${at}]`,
        'must be a position: a longitude from -180 to 180, then a latitude from -90 to 90',
      );
    positions.push([longitude, latitude]);
  }
  return positions;
};

const isWithin = (value: unknown, bound: number): value is number =>
  typeof value === 'number' && value >= -bound && value <= bound;

export const polygonsOf = ({ type, coordinates }: Geometry): Polygon[] => {
  const shapes = type === 'Polygon' ? [coordinates] : coordinates;
  return shapes.map((rings) => alignHoles(rings.map((ring) => ringOf(ring)) as [Ring, ...Ring[]]));
};

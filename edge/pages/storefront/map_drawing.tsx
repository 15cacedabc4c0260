// Draws the map: towns as dots, the largest with names, pickup locations and the pin.
import type { ComponentChildren } from 'preact';
import { type MapTown, offsetKm, type Position } from './town.ts';

export const WIDTH = 360;
export const HEIGHT = 240;

const DOTS_MAX = 260;
const NAMES_MAX = 14;
const LETTER = 6.2;
const LINE = 14;
const SCALES_KM = [0.5, 1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000];

interface MapDrawingProps {
  readonly towns: readonly MapTown[];
  readonly pickups: readonly (Position & { readonly name: string })[];
  readonly centre: Position;
  /** Width of the map in km. */
  readonly span: number;
  readonly position: Position | null;
  /** Drawn over the towns; gets where a place is on the drawing. */
  readonly overlay?: (spotOf: (place: Position) => Spot) => ComponentChildren;
}

export interface Spot {
  readonly x: number;
  readonly y: number;
}

interface NamedSpot extends Spot {
  readonly name: string;
}

interface Box {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

/** Places each name beside its spot, in order; omits names that would overlap an earlier one. */
const placeNames = (spots: readonly NamedSpot[]): readonly (NamedSpot & { readonly at: 'start' | 'end' })[] => {
  const taken: Box[] = [];
  return spots.flatMap((spot) => {
    if (taken.length >= NAMES_MAX) return [];
    const wide = spot.name.length * LETTER + 8;
    const at = spot.x + wide < WIDTH ? 'start' : 'end';
    const left = at === 'start' ? spot.x : spot.x - wide;
    const box = { left, top: spot.y - LINE / 2, right: left + wide, bottom: spot.y + LINE / 2 };
    const free = taken.every(
      (other) => box.left > other.right || box.right < other.left || box.top > other.bottom || box.bottom < other.top,
    );
    if (!free || left < 0) return [];
    taken.push(box);
    return [{ ...spot, at }];
  });
};

const sizeOf = (population: number): number => Math.min(6, Math.max(1.4, Math.log10(population + 1) - 2.4));

export const MapDrawing = ({ towns, pickups, centre, span, position, overlay }: MapDrawingProps) => {
  const perKm = WIDTH / span;
  const spotOf = (place: Position, name: string): NamedSpot => {
    const [east, north] = offsetKm(centre, place);
    return { name, x: WIDTH / 2 + east * perKm, y: HEIGHT / 2 - north * perKm };
  };
  const isSeen = ({ x, y }: NamedSpot): boolean => x > 0 && x < WIDTH && y > 0 && y < HEIGHT;
  const dots = towns
    .map((town) => ({ ...spotOf(town, town.name), population: town.population }))
    .filter(isSeen)
    .slice(0, DOTS_MAX);
  const own = pickups.map((each) => spotOf(each, each.name)).filter(isSeen);
  const pin = position && spotOf(position, '');
  const scale = SCALES_KM.findLast((km) => km * perKm <= WIDTH / 4) ?? SCALES_KM[0]!;
  return (
    <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} aria-hidden="true">
      {dots.map(({ x, y, name, population }) => (
        <circle key={`${name} ${x} ${y}`} class="town" cx={x} cy={y} r={sizeOf(population)} />
      ))}
      {own.map(({ x, y, name }) => (
        <rect key={name} class="own" x={x - 5} y={y - 5} width={10} height={10} rx={2} />
      ))}
      {placeNames([...own, ...dots]).map(({ x, y, name, at }, index) => (
        <text
          key={`${name} ${x}`}
          class={index < own.length ? 'named own' : 'named'}
          x={at === 'start' ? x + 8 : x - 8}
          y={y + 4}
          text-anchor={at}
        >
          {name}
        </text>
      ))}
      {overlay?.((place) => spotOf(place, ''))}
      {pin && isSeen(pin) && (
        <path
          class="pin"
          d={`M${pin.x} ${pin.y}c-3-7-9-10-9-17a9 9 0 0 1 18 0c0 7-6 10-9 17zm0-14a3.4 3.4 0 1 0 0-6.800a3.4 3.4 0 0 0 0 6.800z`}
        />
      )}
      <path class="scale" d={`M12 ${HEIGHT - 18}v6h${scale * perKm}v-6`} />
      <text class="named" x={16} y={HEIGHT - 20}>
        {scale} km
      </text>
    </svg>
  );
};

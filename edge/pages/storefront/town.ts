// Computes distances and directions between towns and positions. Pure.
import type { Words } from './wording.ts';

export interface Position {
  readonly latitude: number;
  readonly longitude: number;
}

export interface MapTown extends Position {
  readonly name: string;
  readonly population: number;
}

const EARTH_KM = 6_371;
const RADIANS = Math.PI / 180;

/** Returns the offset in km; the approximation is exact enough for a country's map. */
export const offsetKm = (from: Position, to: Position): readonly [east: number, north: number] => {
  const turn = ((to.longitude - from.longitude + 540) % 360) - 180;
  const parallel = Math.cos(((from.latitude + to.latitude) / 2) * RADIANS);
  return [turn * RADIANS * EARTH_KM * parallel, (to.latitude - from.latitude) * RADIANS * EARTH_KM];
};

export const distanceKm = (from: Position, to: Position): number => Math.hypot(...offsetKm(from, to));

export const offsetBy = ({ latitude, longitude }: Position, east: number, north: number): Position => {
  const next = Math.max(-85, Math.min(85, latitude + north / (RADIANS * EARTH_KM)));
  const turned = longitude + east / (RADIANS * EARTH_KM * Math.cos(((latitude + next) / 2) * RADIANS));
  return { latitude: next, longitude: ((turned + 540) % 360) - 180 };
};

const normalised = (name: string): string => name.normalize('NFKD').replace(/\p{M}/gu, '').trim().toLowerCase();

export const townNamed = (towns: readonly MapTown[], name: string): MapTown | null =>
  (name.trim() && towns.find((town) => normalised(town.name) === normalised(name))) || null;

/** Returns the Damerau–Levenshtein distance: insertions, deletions, substitutions and swaps of adjacent letters. */
const editDistance = (one: string, other: string): number => {
  let above = Array.from({ length: other.length + 1 }, (_, at) => at);
  let before: readonly number[] = [];
  for (let at = 1; at <= one.length; at++) {
    const row = [at];
    for (let to = 1; to <= other.length; to++) {
      const same = one[at - 1] === other[to - 1] ? 0 : 1;
      let least = Math.min(above[to]! + 1, row[to - 1]! + 1, above[to - 1]! + same);
      if (one[at - 1] === other[to - 2] && one[at - 2] === other[to - 1]) least = Math.min(least, before[to - 2]! + 1);
      row.push(least);
    }
    [before, above] = [above, row];
  }
  return above[other.length]!;
};

const SUGGESTIONS_MAX = 3;

/**
 * Suggests names that resemble an unknown one, the most similar first, then by population. Returns none for a known
 * name.
 */
export const namesNear = (towns: readonly MapTown[], name: string): readonly string[] => {
  const typed = normalised(name);
  if (typed === '' || townNamed(towns, name)) return [];
  const most = Math.max(1, Math.floor(typed.length / 3));
  const near = towns
    .map((town) => ({ name: town.name, away: editDistance(typed, normalised(town.name)) }))
    .filter(({ away }) => away <= most)
    .sort((a, b) => a.away - b.away);
  return [...new Set(near.map((each) => each.name))].slice(0, SUGGESTIONS_MAX);
};

export const nearestTown = (towns: readonly MapTown[], to: Position): MapTown | null =>
  towns.length === 0 ? null : towns.reduce((a, b) => (distanceKm(to, b) < distanceKm(to, a) ? b : a));

const DIRECTIONS = ['east', 'northeast', 'north', 'northwest', 'west', 'southwest', 'south', 'southeast'] as const;
const NEAR_KM = 10;

export const positionText = (town: MapTown, to: Position, words: Words): string => {
  const [east, north] = offsetKm(town, to);
  const km = Math.hypot(east, north);
  const { text } = words;
  if (km < 1) return text('in_town', { town: town.name });
  const wind = DIRECTIONS[(Math.round(Math.atan2(north, east) / (Math.PI / 4)) + 8) % 8] ?? 'east';
  const distance = km < NEAR_KM ? words.mark(km) : Math.round(km);
  return text('away', { km: distance, wind: text(`wind.${wind}`), town: town.name });
};

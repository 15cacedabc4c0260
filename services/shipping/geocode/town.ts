// Geocodes names of towns offline. A region after a comma distinguishes towns of the same name.
import { distanceMeters } from '#values/geo/distance.ts';
import type { Town } from '#values/geo/town.ts';
import { foldName, type Gazetteer, openGazetteer } from './gazetteer.ts';
import type { GeocodedPlace, Geocoder } from './place.ts';
import { type Region, regionOf } from './region.ts';

/** Maps English and former names of towns to the names in the gazetteer. */
export const ALTERNATIVE_NAMES: Readonly<Record<string, string>> = {
  'new york': 'new york city',
  nyc: 'new york city',
  washington: 'washington d c',
  'washington dc': 'washington d c',
  'quebec city': 'quebec',
  cologne: 'koln',
  nuremberg: 'nurnberg',
  hanover: 'hannover',
  brunswick: 'braunschweig',
  bombay: 'mumbai',
  calcutta: 'kolkata',
  madras: 'chennai',
  bangalore: 'bengaluru',
  bengaluru: 'bangalore',
  kyiv: 'kiev',
  kiev: 'kyiv',
  saigon: 'ho chi minh city',
  peking: 'beijing',
  canton: 'guangzhou',
  rangoon: 'yangon',
  lisboa: 'lisbon',
  roma: 'rome',
  milano: 'milan',
  napoli: 'naples',
  torino: 'turin',
  firenze: 'florence',
  venezia: 'venice',
  munchen: 'munich',
  wien: 'vienna',
  praha: 'prague',
  warszawa: 'warsaw',
  moskva: 'moscow',
  bruxelles: 'brussels',
  brussel: 'brussels',
  geneva: 'geneve',
  genf: 'geneve',
  lucerne: 'luzern',
  frankfurt: 'frankfurt am main',
  kobenhavn: 'copenhagen',
  athina: 'athens',
  bucuresti: 'bucharest',
  beograd: 'belgrade',
  seville: 'sevilla',
  'ciudad de mexico': 'mexico city',
  'den haag': 'the hague',
  gothenburg: 'goteborg',
  antwerp: 'antwerpen',
  ghent: 'gent',
  bruges: 'brugge',
  saragossa: 'zaragoza',
  corunna: 'a coruna',
  'la coruna': 'a coruna',
  padua: 'padova',
  aarhus: 'arhus',
  marrakech: 'marrakesh',
  astana: 'nur sultan',
  cebu: 'cebu city',
  xian: 'xi an',
};

const SEGMENTS_MAX = 6;
const WORDS_MAX = 12;
/** Up to this distance, a place whose name is followed by a town's is a suburb of the town, as in `Ikeja, Lagos`. */
const SUBURB_METERS = 80_000;

export const openTownGeocoder = (): Geocoder => ({
  find: async (name, country) => findTowns(await openGazetteer(), name, country),
});

/**
 * Finds the town in an address such as `12 Moi Avenue, Nairobi, Kenya`. Reads from the right: first regions, then the
 * first town within them. If there is none, tries the leftmost region as a town, as in `Times Square, New York`.
 */
export const findTowns = (gazetteer: Gazetteer, name: string, country: string | null): GeocodedPlace[] => {
  const segments = name
    .split(',')
    .map((segment) => segment.trim())
    .filter((segment) => segment !== '')
    .slice(-SEGMENTS_MAX);
  const ends: Region[] = [];
  while (ends.length < segments.length - 1) {
    const region = regionOf(segments.at(-1 - ends.length)!);
    if (region === null) break;
    ends.push(region);
  }
  const sent: Region[] = country === null ? [] : [(town) => town.country === country];
  for (let known = ends.length; known >= 0; known--) {
    const named = segments.slice(0, segments.length - known).toReversed();
    const towns = rightmostTowns(gazetteer, named, [...sent, ...ends.slice(0, known)]);
    if (towns.length > 0) return towns.map(candidateOf);
  }
  return [];
};

const rightmostTowns = (
  gazetteer: Gazetteer,
  named: readonly string[],
  regions: readonly Region[],
): readonly Town[] => {
  for (const [at, segment] of named.entries()) {
    const towns = townsInRegions(gazetteer, segment, regions);
    if (towns.length === 0) continue;
    const before = named[at + 1];
    return before ? suburbOf(gazetteer, before, towns) : towns;
  }
  return [];
};

const candidateOf = ({ division: _division, ...town }: Town): GeocodedPlace => ({ ...town, postcode: null });

const suburbOf = (gazetteer: Gazetteer, segment: string, towns: readonly Town[]): readonly Town[] => {
  const [town] = towns;
  const near = gazetteer
    .find(foldName(segment))
    .filter((part) => part.country === town!.country && distanceMeters(part, town!) <= SUBURB_METERS);
  return near.length > 0 ? near : towns;
};

const townsInRegions = (gazetteer: Gazetteer, segment: string, regions: readonly Region[]): Town[] => {
  const towns = townsByName(gazetteer, foldName(segment)).filter((town) => regions.every((region) => region(town)));
  const words = segment.split(/\s+/);
  if (towns.length > 0 || words.length > WORDS_MAX) return towns;
  for (let at = 1; at < words.length; at++) {
    const region = regionOf(words.slice(at).join(' '));
    if (region === null) continue;
    const found = townsInRegions(gazetteer, words.slice(0, at).join(' '), [...regions, region]);
    if (found.length > 0) return found;
  }
  return [];
};

/** Returns towns by either name, the most populous first: Köln before the Italian town Cologne. */
const townsByName = (gazetteer: Gazetteer, key: string): Town[] => {
  const other = ALTERNATIVE_NAMES[key];
  const towns = gazetteer.find(key);
  if (other === undefined) return towns;
  return [...towns, ...gazetteer.find(other)].sort((a, b) => b.population - a.population);
};

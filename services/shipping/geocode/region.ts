// Resolves the country or state that follows a comma in a place name.
import { countries } from '#values/country.ts';
import type { Town } from '#values/geo/town.ts';
import { foldName } from './gazetteer.ts';

const COUNTRY_ALIASES: Readonly<Record<string, string>> = {
  usa: 'US',
  'united states of america': 'US',
  america: 'US',
  uk: 'GB',
  'great britain': 'GB',
  britain: 'GB',
  uae: 'AE',
  holland: 'NL',
  turkey: 'TR',
  'czech republic': 'CZ',
  'ivory coast': 'CI',
  burma: 'MM',
  swaziland: 'SZ',
  'hong kong': 'HK',
  macau: 'MO',
  deutschland: 'DE',
  espana: 'ES',
  italia: 'IT',
  brasil: 'BR',
  osterreich: 'AT',
  schweiz: 'CH',
  suisse: 'CH',
  mexico: 'MX',
  nederland: 'NL',
  sverige: 'SE',
  norge: 'NO',
  danmark: 'DK',
  suomi: 'FI',
  polska: 'PL',
  tanzania: 'TZ',
  russia: 'RU',
  'south korea': 'KR',
  'cape verde': 'CV',
};

// States of each country, as `GeoNames code=local code name`, or `code name` if both codes are equal.
const DIVISIONS: Readonly<Record<string, string>> = {
  US: `AL Alabama|AK Alaska|AZ Arizona|AR Arkansas|CA California|CO Colorado|CT Connecticut|DE Delaware|
DC District of Columbia|FL Florida|GA Georgia|HI Hawaii|ID Idaho|IL Illinois|IN Indiana|IA Iowa|KS Kansas|KY Kentucky|
LA Louisiana|ME Maine|MD Maryland|MA Massachusetts|MI Michigan|MN Minnesota|MS Mississippi|MO Missouri|MT Montana|
NE Nebraska|NV Nevada|NH New Hampshire|NJ New Jersey|NM New Mexico|NY New York|NC North Carolina|ND North Dakota|OH Ohio|
OK Oklahoma|OR Oregon|PA Pennsylvania|RI Rhode Island|SC South Carolina|SD South Dakota|TN Tennessee|TX Texas|UT Utah|
VT Vermont|VA Virginia|WA Washington|WV West Virginia|WI Wisconsin|WY Wyoming`,
  CA: `01=AB Alberta|02=BC British Columbia|03=MB Manitoba|04=NB New Brunswick|05=NL Newfoundland and Labrador|
07=NS Nova Scotia|08=ON Ontario|09=PE Prince Edward Island|10=QC Quebec|11=SK Saskatchewan|12=YT Yukon|
13=NT Northwest Territories|14=NU Nunavut`,
  AU: `01=ACT Australian Capital Territory|02=NSW New South Wales|03=NT Northern Territory|04=QLD Queensland|
05=SA South Australia|06=TAS Tasmania|07=VIC Victoria|08=WA Western Australia`,
  GB: 'ENG England|SCT Scotland|WLS Wales|NIR Northern Ireland',
};

interface Division {
  readonly code: string;
  /** The code that the country itself uses. */
  readonly own: string;
  readonly name: string;
}

const divisionsOf = (country: string): Division[] =>
  (DIVISIONS[country] ?? '').split('|').map((entry) => {
    const [, code, own = code, name] = /^\s*(\w+?)(?:=(\w+))? (.+)$/s.exec(entry)!;
    return { code: code!, own: own!, name: name! };
  });

export type Region = (town: Pick<Town, 'country' | 'division'>) => boolean;

interface RegionName {
  readonly countries: string[];
  readonly divisions: string[];
}

const buildRegionNames = (): Map<string, RegionName> => {
  const known = new Map<string, RegionName>();
  const of = (name: string): RegionName => {
    const key = foldName(name);
    const entry = known.get(key) ?? { countries: [], divisions: [] };
    known.set(key, entry);
    return entry;
  };
  const names = new Intl.DisplayNames(['en'], { type: 'region' });
  for (const code of countries) {
    of(code).countries.push(code);
    of(names.of(code) ?? code).countries.push(code);
  }
  for (const [name, code] of Object.entries(COUNTRY_ALIASES)) of(name).countries.push(code);
  for (const country of Object.keys(DIVISIONS))
    for (const { code, own, name } of divisionsOf(country)) {
      of(own).divisions.push(`${country}/${code}`);
      of(name).divisions.push(`${country}/${code}`);
    }
  return known;
};

/** Countries whose addresses carry the state's code. */
const POSTAL_STATES: readonly string[] = ['AU', 'CA', 'US'];

const buildStateCodes = (): Map<string, string> =>
  new Map(
    POSTAL_STATES.flatMap((country) =>
      divisionsOf(country).map(({ code, own }): [string, string] => [`${country}/${code}`, own]),
    ),
  );

let stateCodes: Map<string, string> | null = null;

/** Returns the state's code as addresses of the country carry it; null where they carry none. */
export const stateCodeOf = ({ country, division }: Pick<Town, 'country' | 'division'>): string | null => {
  stateCodes ??= buildStateCodes();
  return stateCodes.get(`${country}/${division}`) ?? null;
};

let regionNames: Map<string, RegionName> | null = null;

/** Returns null for an unknown region. `CA` means both Canada and California. */
export const regionOf = (words: string): Region | null => {
  regionNames ??= buildRegionNames();
  const found = regionNames.get(foldName(words));
  if (!found) return null;
  const divisions = new Set(found.divisions);
  return ({ country, division }) => found.countries.includes(country) || divisions.has(`${country}/${division}`);
};

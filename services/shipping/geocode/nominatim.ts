// Geocodes with a server that has Nominatim's API. Requests have a deadline, and responses are cached.
import { Unavailable } from '#runtime/call/fault.ts';
import { type Loaded, LookupCache } from '#runtime/flow/lookup_cache.ts';
import { type Outbound, OutboundFailure } from '#runtime/outbound/outbound.ts';
import { plainNumber } from '#values/numeral.ts';
import type { GeocodedPlace, Geocoder } from './place.ts';

const TIMEOUT_MS = 3_000;
const RESPONSE_BYTES_MAX = 256 * 1024;
const CANDIDATES_MAX = 5;
const CACHED_MAX = 10_000;
const CACHE_MS = 24 * 3_600_000;

interface NominatimResult {
  readonly lat?: unknown;
  readonly lon?: unknown;
  readonly address?: { readonly country_code?: unknown; readonly postcode?: unknown } | null;
  readonly extratags?: { readonly population?: unknown } | null;
}

export const openNominatim = (outbound: Outbound, baseUrl: string, realNowMs: () => number): Geocoder => {
  const search = async (query: string): Promise<Loaded<readonly GeocodedPlace[]>> => {
    const answer = await outbound.send({
      url: `${baseUrl.replace(/(?<!\/)\/+$/, '')}/search?${query}`,
      // Allows local addresses, because the operator of the installation configures the URL.
      environment: 'sandbox',
      headers: { accept: 'application/json', 'accept-language': 'en' },
      timeoutMs: TIMEOUT_MS,
      bytesMax: RESPONSE_BYTES_MAX,
    });
    if (answer instanceof OutboundFailure) throw new Unavailable(`The geocoder is unreachable: ${answer.message}`);
    if (answer.status !== 200) throw new Unavailable(`The geocoder responded with status ${answer.status}.`);
    let found: unknown;
    try {
      found = JSON.parse(new TextDecoder().decode(answer.body));
    } catch {
      throw new Unavailable('The geocoder did not respond with JSON.');
    }
    if (!Array.isArray(found)) throw new Unavailable('The geocoder did not respond with a list.');
    return { value: found.flatMap(candidateOf), ttlMs: CACHE_MS };
  };
  const cache = new LookupCache<string, readonly GeocodedPlace[]>({
    load: search,
    now: realNowMs,
    entriesMax: CACHED_MAX,
  });

  return {
    find: async (name, country) => {
      const query = new URLSearchParams({
        q: name.trim().replace(/\s+/g, ' '),
        format: 'jsonv2',
        addressdetails: '1',
        extratags: '1',
        limit: String(CANDIDATES_MAX),
        ...(country !== null && { countrycodes: country.toLowerCase() }),
      }).toString();
      return cache.get(query);
    },
  };
};

const candidateOf = (found: NominatimResult | null): GeocodedPlace[] => {
  const latitude = plainNumber(found?.lat) ?? Number.NaN;
  const longitude = plainNumber(found?.lon) ?? Number.NaN;
  if (!(Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180)) return [];
  const country = found?.address?.country_code;
  const postcode = found?.address?.postcode;
  const population = plainNumber(found?.extratags?.population) ?? 0;
  return [
    {
      latitude,
      longitude,
      country: typeof country === 'string' && /^[a-z]{2}$/i.test(country) ? country.toUpperCase() : null,
      postcode: typeof postcode === 'string' && postcode !== '' ? postcode.slice(0, 16) : null,
      population: Math.max(population, 0),
    },
  ];
};

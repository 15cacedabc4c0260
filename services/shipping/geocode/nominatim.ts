// A geocoder that speaks Nominatim's API, where the deployment names one: asked with a deadline, its answers kept.
import { Unavailable } from '#runtime/call/fault.ts';
import { type Outbound, OutboundFailure } from '#runtime/outbound/outbound.ts';
import { plainNumber } from '#values/numeral.ts';
import type { GeocodedPlace, Geocoder } from './place.ts';

const TIMEOUT_MS = 3_000;
const ANSWER_BYTES_MAX = 256 * 1024;
const CANDIDATES = 5;
const KEPT_MAX = 10_000;
const KEPT_MS = 24 * 3_600_000;

interface Found {
  readonly lat?: unknown;
  readonly lon?: unknown;
  readonly address?: { readonly country_code?: unknown; readonly postcode?: unknown } | null;
  readonly extratags?: { readonly population?: unknown } | null;
}

/** `realNow` is the real time in ms. */
export const openNominatim = (outbound: Outbound, baseUrl: string, realNow: () => number): Geocoder => {
  const kept = new Map<string, { readonly candidates: readonly GeocodedPlace[]; readonly until: number }>();
  const asking = new Map<string, Promise<readonly GeocodedPlace[]>>();

  const ask = async (query: string): Promise<readonly GeocodedPlace[]> => {
    const answer = await outbound.send({
      url: `${baseUrl.replace(/\/+$/, '')}/search?${query}`,
      // The address is the operator's own, so it may be on this machine.
      environment: 'sandbox',
      headers: { accept: 'application/json', 'accept-language': 'en' },
      timeoutMs: TIMEOUT_MS,
      bytesMax: ANSWER_BYTES_MAX,
    });
    if (answer instanceof OutboundFailure) throw new Unavailable(`The geocoder does not answer: ${answer.message}`);
    if (answer.status !== 200) throw new Unavailable(`The geocoder answers with status ${answer.status}.`);
    let found: unknown;
    try {
      found = JSON.parse(new TextDecoder().decode(answer.body));
    } catch {
      throw new Unavailable('The geocoder answers no JSON.');
    }
    if (!Array.isArray(found)) throw new Unavailable('The geocoder answers no list.');
    const candidates = found.flatMap(candidateOf);
    kept.delete(query);
    kept.set(query, { candidates, until: realNow() + KEPT_MS });
    if (kept.size > KEPT_MAX) kept.delete(kept.keys().next().value!);
    return candidates;
  };

  return {
    find: (name, country) => {
      const query = new URLSearchParams({
        q: name.trim().replace(/\s+/g, ' '),
        format: 'jsonv2',
        addressdetails: '1',
        extratags: '1',
        limit: String(CANDIDATES),
        ...(country !== null && { countrycodes: country.toLowerCase() }),
      }).toString();
      const known = kept.get(query);
      if (known && known.until > realNow()) return Promise.resolve(known.candidates);
      let running = asking.get(query);
      if (!running) {
        running = ask(query).finally(() => asking.delete(query));
        asking.set(query, running);
      }
      return running;
    },
  };
};

const candidateOf = (found: Found | null): GeocodedPlace[] => {
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

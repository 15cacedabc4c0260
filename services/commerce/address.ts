// Checks of addresses in request bodies, for all domains. Postal codes are compared with the formats of their countries,
// however a buyer spaces or hyphenates them.
import isPostalCode, { locales, type PostalCodeLocale } from 'validator/es/lib/isPostalCode.js';
import type { Address, AddressInput } from '#proto/gen/shared.ts';
import { invalid, quoted, type Refusal, refuse } from '#runtime/call/call.ts';
import { parseCountry } from '#values/country.ts';
import { unknownCountry } from './shared_refusal.ts';

export const wholeAddress = (given: AddressInput): Address => ({
  first_name: given.first_name ?? null,
  last_name: given.last_name ?? null,
  company: given.company ?? null,
  line1: given.line1 ?? '',
  line2: given.line2 ?? null,
  city: given.city ?? '',
  state: given.state ?? null,
  postal_code: given.postal_code ?? null,
  country: (given.country ?? '').toUpperCase(),
  phone: given.phone ?? null,
  latitude: given.latitude ?? null,
  longitude: given.longitude ?? null,
});

interface Located {
  readonly latitude?: number | null;
  readonly longitude?: number | null;
}

interface Addressed extends Located {
  readonly country?: string | null;
  readonly postal_code?: string | null;
}

/** Refuses a latitude without a longitude and the reverse. `path` is the body's field with the address. */
export const halfPoint = ({ latitude, longitude }: Located, path = ''): Refusal | null => {
  if ((latitude == null) === (longitude == null)) return null;
  const [given, missing] = latitude == null ? ['longitude', 'latitude'] : ['latitude', 'longitude'];
  const param = path === '' ? missing : `${path}.${missing}`;
  return refuse('invalid_request', `\`${given}\` needs \`${missing}\` beside it.`, { param });
};

const isKnown = (country: string): country is PostalCodeLocale => locales.some((locale) => locale === country);

const VEHICLE_SIGN = /^[A-Z]{1,3}[-\s](?=\d)/;

/** Returns the code's letters and digits, without the sign of a country before it, as in `D-10115` and `〒100-0001`. */
const bareCode = (code: string, country: string): string => {
  const bare = code.replace(VEHICLE_SIGN, '').replace(/[^\p{L}\p{N}]|〒/gu, '');
  return bare.startsWith(country) && /\d$/.test(bare) ? bare.slice(country.length) : bare;
};

const spellingsOf = (given: string, country: string): readonly string[] => {
  const code = given.normalize('NFKC').toUpperCase().trim();
  const bare = bareCode(code, country);
  const separated = Array.from(bare, (_, at) =>
    ['-', ' '].map((mark) => `${bare.slice(0, at)}${mark}${bare.slice(at)}`),
  );
  return [code, bare, `${country}${bare}`, `${country}-${bare}`, ...separated.flat()];
};

/** Returns whether the code cannot be one of the country. A country whose format is not known has every code. */
export const isForeignPostalCode = (code: string, country: string): boolean =>
  isKnown(country) && !spellingsOf(code, country).some((spelling) => isPostalCode(spelling, country));

/** Refuses a postal code that its country cannot have, at which no carrier delivers. */
export const foreignPostalCode = ({ postal_code: code, country }: Addressed, path: string): Refusal | null => {
  const known = country ? parseCountry(country) : null;
  if (!code?.trim() || known === null || !isForeignPostalCode(code, known)) return null;
  return invalid(`${path}.postal_code`, `${quoted(code)} is no postal code of ${known}. Correct it, or leave it out.`);
};

export const badAddress = (address: Addressed | null | undefined, path: string): Refusal | null => {
  if (!address) return null;
  if (address.country && parseCountry(address.country) === null)
    return unknownCountry(address.country, `${path}.country`);
  return foreignPostalCode(address, path) ?? halfPoint(address, path);
};

interface Posted extends Addressed {
  readonly line1?: string | null;
  readonly city?: string | null;
}

/** Refuses a shipping address without street, city or country, which nothing can be delivered to. */
export const unsendable = (address: Posted | null | undefined): Refusal | null => {
  if (!address) return null;
  const missing = (['line1', 'city', 'country'] as const).find((field) => !address[field]?.trim());
  if (missing === undefined) return badAddress(address, 'shipping_address');
  return refuse('invalid_request', 'A shipping address has `line1`, `city` and `country`.', {
    param: `shipping_address.${missing}`,
  });
};

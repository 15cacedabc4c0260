// Checks postal codes against the formats of their countries, however a buyer spaces or hyphenates them.
import isPostalCode, { locales, type PostalCodeLocale } from 'validator/es/lib/isPostalCode.js';

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

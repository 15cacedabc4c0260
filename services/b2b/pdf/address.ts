// Formats addresses in the style of their country. Pure.
import type { AddressInput } from '#proto/gen/shared.ts';

/** Countries that write the postcode before the city: "00100 Nairobi". */
const POSTCODE_FIRST = new Set(
  `AD AT BA BE BG BR CH CY CZ DE DK DZ EE EG ES ET FI FO FR GE GL GR HR HU IL IS IT KE KG KZ LI LT LU MA MC MD ME MG MK MX
   MY MZ NE NL NO PE PL PT RO RS SE SI SK SM SN TN TR TZ UA UY VA VE`.split(/\s+/),
);
/** Countries that write state and postcode after the city: "Springfield, IL 62701". */
const STATE_AND_POSTCODE = new Set('AU CA IN NG PR US'.split(' '));
const POSTCODE_LAST = new Set('GB GG GI IE IM JE SG ZA'.split(' '));

const joinParts = (between: string, ...parts: readonly (string | null | undefined)[]): string =>
  parts.filter(Boolean).join(between);

type CityAddress = Pick<AddressInput, 'city' | 'state' | 'postal_code' | 'country'>;

const cityLines = ({ city, state, postal_code, country }: CityAddress): readonly string[] => {
  if (POSTCODE_FIRST.has(country)) return [joinParts(' ', postal_code, city), state ?? ''];
  if (STATE_AND_POSTCODE.has(country)) return [joinParts(', ', city, joinParts(' ', state, postal_code))];
  if (POSTCODE_LAST.has(country)) return [joinParts(', ', city, state), postal_code ?? ''];
  return [joinParts(' ', city, postal_code), state ?? ''];
};

const NAMES = new Intl.DisplayNames(['en'], { type: 'region', fallback: 'code' });

export const countryName = (code: string): string => NAMES.of(code.toUpperCase()) ?? code;

export const addressLines = (address: AddressInput): readonly string[] => {
  const country = (address.country ?? '').toUpperCase();
  return [
    address.company ?? '',
    joinParts(' ', address.first_name, address.last_name),
    address.line1 ?? '',
    address.line2 ?? '',
    ...cityLines({ ...address, country }),
    countryName(country),
  ].filter((line) => line !== '');
};

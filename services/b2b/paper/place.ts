// An address as it is written on paper in its own country. Pure.
import type { AddressInput } from '#proto/gen/shared.ts';

/** "00100 Nairobi": the postcode stands before the place. */
const POSTCODE_FIRST = new Set(
  `AD AT BA BE BG BR CH CY CZ DE DK DZ EE EG ES ET FI FO FR GE GL GR HR HU IL IS IT KE KG KZ LI LT LU MA MC MD ME MG MK MX
   MY MZ NE NL NO PE PL PT RO RS SE SI SK SM SN TN TR TZ UA UY VA VE`.split(/\s+/),
);
/** "Springfield, IL 62701" */
const STATE_AND_POSTCODE = new Set('AU CA IN NG PR US'.split(' '));
/** The postcode has a line of its own. */
const POSTCODE_LAST = new Set('GB GG GI IE IM JE SG ZA'.split(' '));

const joined = (between: string, ...parts: readonly (string | null | undefined)[]): string =>
  parts.filter(Boolean).join(between);

type Place = Pick<AddressInput, 'city' | 'state' | 'postal_code' | 'country'>;

const placeLines = ({ city, state, postal_code, country }: Place): readonly string[] => {
  if (POSTCODE_FIRST.has(country)) return [joined(' ', postal_code, city), state ?? ''];
  if (STATE_AND_POSTCODE.has(country)) return [joined(', ', city, joined(' ', state, postal_code))];
  if (POSTCODE_LAST.has(country)) return [joined(', ', city, state), postal_code ?? ''];
  return [joined(' ', city, postal_code), state ?? ''];
};

const NAMES = new Intl.DisplayNames(['en'], { type: 'region', fallback: 'code' });

export const countryName = (code: string): string => NAMES.of(code.toUpperCase()) ?? code;

/** Its lines, the country last; what is not said has none. */
export const addressLines = (address: AddressInput): readonly string[] => {
  const country = (address.country ?? '').toUpperCase();
  return [
    address.company ?? '',
    joined(' ', address.first_name, address.last_name),
    address.line1 ?? '',
    address.line2 ?? '',
    ...placeLines({ ...address, country }),
    countryName(country),
  ].filter((line) => line !== '');
};

// What addresses in bodies have in common, whichever domain they are for.
import { parseCountry } from '#values/country.ts';
import { type Refusal, refuse } from './call.ts';

/** Refuses an address of a country that there is not, under the name that the body has for it. */
export const badCountry = (
  address: { readonly country?: string | null } | null | undefined,
  path: string,
): Refusal | null =>
  address?.country && parseCountry(address.country) === null
    ? refuse('invalid_request', 'No such country in ISO 3166-1.', { param: `${path}.country` })
    : null;

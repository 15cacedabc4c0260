// The addresses that a customer keeps: whole ones, in a country that exists.
import type { Address, AddressInput } from '#proto/gen/shared.ts';
import { type Refusal, refuse } from '#runtime/call/call.ts';
import { halfPoint, wholeAddress } from '#services/commerce/address.ts';
import { parseCountry } from '#values/country.ts';

const NEEDED = ['line1', 'city', 'country'] as const;

export const readAddresses = (given: readonly AddressInput[]): Address[] | Refusal => {
  const read: Address[] = [];
  for (const [index, address] of given.entries()) {
    const missing = NEEDED.find((name) => !address[name]?.trim());
    if (missing)
      return refuse('invalid_request', `An address needs ${missing}.`, { param: `addresses[${index}].${missing}` });
    const country = parseCountry(address.country!);
    if (country === null)
      return refuse('invalid_request', 'No such country in ISO 3166-1.', { param: `addresses[${index}].country` });
    const half = halfPoint(address, `addresses[${index}]`);
    if (half) return half;
    read.push({ ...wholeAddress(address), country });
  }
  return read;
};

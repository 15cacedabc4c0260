// The addresses that a customer keeps: whole ones, in a country that exists.
import type { Address, AddressInput } from '#proto/gen/shared.ts';
import { halfPoint } from '#runtime/address.ts';
import { type Refusal, refuse } from '#runtime/call.ts';
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
    read.push({
      first_name: address.first_name ?? null,
      last_name: address.last_name ?? null,
      company: address.company ?? null,
      line1: address.line1!,
      line2: address.line2 ?? null,
      city: address.city!,
      state: address.state ?? null,
      postal_code: address.postal_code ?? null,
      country,
      phone: address.phone ?? null,
      latitude: address.latitude ?? null,
      longitude: address.longitude ?? null,
    });
  }
  return read;
};

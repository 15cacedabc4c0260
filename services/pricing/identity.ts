// By whom uses per customer are counted: the customer and each normal address that they used.
import { normalEmail } from '#values/typed_name.ts';

export const identitiesOf = (customer: string | null, emails: readonly (string | null | undefined)[]): string[] => {
  const addresses = emails.filter((email): email is string => !!email).map(normalEmail);
  return [...new Set(customer === null ? addresses : [customer.toLowerCase(), ...addresses])];
};

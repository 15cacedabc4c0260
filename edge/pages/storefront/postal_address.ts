// The texts of an address's fields, and what each country's parcels need.
import type { Address, AddressInput } from '#proto/gen/client/message.ts';

/** Countries whose carriers sort by the state or province. */
const STATE_COUNTRIES: ReadonlySet<string> = new Set(['AU', 'BR', 'CA', 'CN', 'IN', 'JP', 'MX', 'US']);

export const needsState = (country: string): boolean => STATE_COUNTRIES.has(country);

export type AddressTexts = Readonly<
  Record<
    'first_name' | 'last_name' | 'company' | 'line1' | 'line2' | 'city' | 'state' | 'postal_code' | 'country' | 'phone',
    string
  >
>;

/** `country` is preselected where no address is known. */
export const textsOf = (known: Address | null, country: string | null): AddressTexts => ({
  first_name: known?.first_name ?? '',
  last_name: known?.last_name ?? '',
  company: known?.company ?? '',
  line1: known?.line1 ?? '',
  line2: known?.line2 ?? '',
  city: known?.city ?? '',
  state: known?.state ?? '',
  postal_code: known?.postal_code ?? '',
  country: known?.country ?? country ?? 'KE',
  phone: known?.phone ?? '',
});

export const addressOf = (texts: AddressTexts): AddressInput => ({
  first_name: texts.first_name.trim() || null,
  last_name: texts.last_name.trim() || null,
  company: texts.company.trim() || null,
  line1: texts.line1.trim(),
  line2: texts.line2.trim() || null,
  city: texts.city.trim(),
  state: texts.state.trim() || null,
  postal_code: texts.postal_code.trim() || null,
  country: texts.country,
  phone: texts.phone.trim() || null,
});

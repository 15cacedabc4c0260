// A postal address, and its form.

import { SelectField, TextField } from '#edge/pages/design/field.tsx';
import { COUNTRIES, countryName } from '#edge/pages/storefront/country.ts';
import type { Address } from '#proto/client/dashboard.ts';

const linesOf = (address: Address): readonly string[] =>
  [
    [address.first_name, address.last_name].filter(Boolean).join(' '),
    address.company,
    address.line1,
    address.line2,
    [address.postal_code, address.city].filter(Boolean).join(' '),
    address.state,
    countryName(address.country),
    address.phone,
  ].filter((line): line is string => !!line);

/** Returns whether the addresses have the same lines. */
export const isSameAddress = (one: Address, other: Address): boolean =>
  linesOf(one).join('\n') === linesOf(other).join('\n');

export const PostalAddress = ({ address }: { readonly address: Address | null }) =>
  address === null ? (
    <p class="soft">None</p>
  ) : (
    <address>
      {linesOf(address).map((line) => (
        <div key={line}>{line}</div>
      ))}
    </address>
  );

export interface AddressDraft {
  readonly first_name: string;
  readonly last_name: string;
  readonly company: string;
  readonly line1: string;
  readonly line2: string;
  readonly city: string;
  readonly state: string;
  readonly postal_code: string;
  readonly country: string;
  readonly phone: string;
}

export const draftOf = (address: Address | null, country: string): AddressDraft => ({
  first_name: address?.first_name ?? '',
  last_name: address?.last_name ?? '',
  company: address?.company ?? '',
  line1: address?.line1 ?? '',
  line2: address?.line2 ?? '',
  city: address?.city ?? '',
  state: address?.state ?? '',
  postal_code: address?.postal_code ?? '',
  country: address?.country ?? country,
  phone: address?.phone ?? '',
});

/** An empty field is sent as null. */
export const addressOf = ({ line1, city, country, ...optional }: AddressDraft) => ({
  ...Object.fromEntries(Object.entries(optional).map(([name, value]) => [name, value.trim() === '' ? null : value])),
  line1,
  city,
  country,
});

const OPTIONS = COUNTRIES.map(([value, label]) => ({ value, label }));

const FIELDS = [
  ['first_name', 'First name'],
  ['last_name', 'Last name'],
  ['company', 'Company'],
  ['line1', 'Address'],
  ['line2', 'Address, second line'],
  ['postal_code', 'Postal code'],
  ['city', 'City'],
  ['state', 'State or county'],
  ['phone', 'Phone'],
] as const;

export const ADDRESS_LABELS: Readonly<Record<string, string>> = { ...Object.fromEntries(FIELDS), country: 'Country' };

interface AddressFieldsProps {
  readonly draft: AddressDraft;
  readonly change: (draft: AddressDraft) => void;
  readonly problem: (field: keyof AddressDraft) => string | undefined;
}

export const AddressFields = ({ draft, change, problem }: AddressFieldsProps) => (
  <div class="columns">
    {FIELDS.map(([name, label]) => (
      <TextField
        key={name}
        label={label}
        value={draft[name]}
        change={(value) => change({ ...draft, [name]: value })}
        problem={problem(name)}
      />
    ))}
    <SelectField
      label="Country"
      options={OPTIONS}
      value={draft.country}
      change={(country) => change({ ...draft, country })}
      problem={problem('country')}
    />
  </div>
);

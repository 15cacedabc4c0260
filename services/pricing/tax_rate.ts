// Tax rates: the stored record, the API document and parsing of requests.
import type { CreateTaxRateRequest, StoreTaxRate } from '#proto/gen/tax_rate.ts';
import { invalid, type Refusal } from '#runtime/call/call.ts';
import { unknownCountry } from '#services/commerce/shared_refusal.ts';
import { parseCountry } from '#values/country.ts';
import { toFixedPoint, WHOLE } from '#values/share.ts';
import { stateCode } from '#values/state.ts';
import { plainPostcode } from '#values/text.ts';
import type { TaxRule } from './tax.ts';

export interface TaxRateRecord {
  readonly id: string;
  readonly name: string;
  readonly country: string;
  readonly state: string | null;
  readonly postal_prefix: string | null;
  /** In millionths. */
  readonly rate: number;
  readonly category_id: string | null;
  readonly applies_to_shipping: boolean;
  readonly priority: number;
  readonly compound: boolean;
  readonly created_at: Date;
  readonly updated_at: Date;
}

const RATE_DECIMALS = 6;

export const taxRateDocument = (record: TaxRateRecord): StoreTaxRate => ({
  id: record.id,
  name: record.name,
  country: record.country,
  state: record.state,
  postal_prefix: record.postal_prefix,
  rate: record.rate / WHOLE,
  category_id: record.category_id,
  applies_to_shipping: record.applies_to_shipping,
  priority: record.priority,
  compound: record.compound,
  created_at: record.created_at.toISOString(),
  updated_at: record.updated_at.toISOString(),
});

/** Parses a tax rate. Whether the category exists is not checked here. */
export const parseTaxRate = (
  input: CreateTaxRateRequest,
  metadata: Pick<TaxRateRecord, 'id' | 'created_at' | 'updated_at'>,
): TaxRateRecord | Refusal => {
  const country = parseCountry(input.country);
  if (country === null) return unknownCountry(input.country);
  const rate = toFixedPoint(input.rate, RATE_DECIMALS);
  if (rate === null)
    return invalid('rate', `\`rate\` must have at most ${RATE_DECIMALS} decimals; it is ${input.rate}.`);
  if (input.state != null && stateCode(country, input.state) === '')
    return invalid('state', '`state` must not be blank.');
  if (input.postal_prefix != null && plainPostcode(input.postal_prefix) === '')
    return invalid('postal_prefix', '`postal_prefix` must not be blank.');
  return {
    ...metadata,
    name: input.name,
    country,
    state: input.state ?? null,
    postal_prefix: input.postal_prefix ?? null,
    rate,
    category_id: input.category_id?.toLowerCase() ?? null,
    applies_to_shipping: input.applies_to_shipping ?? false,
    priority: input.priority ?? 0,
    compound: input.compound ?? false,
  };
};

export const taxRuleOf = (record: TaxRateRecord): TaxRule => ({
  id: record.id,
  name: record.name,
  country: record.country,
  state: record.state === null ? null : stateCode(record.country, record.state),
  postalPrefix: record.postal_prefix === null ? null : plainPostcode(record.postal_prefix),
  rate: record.rate,
  category: record.category_id,
  shipping: record.applies_to_shipping,
  priority: record.priority,
  compound: record.compound,
});

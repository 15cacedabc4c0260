// A tax rate as it is stored and shown, and what a caller may write of it.
import type { CreateTaxRateRequest, StoreTaxRate } from '#proto/gen/tax_rate.ts';
import { invalid, type Refusal } from '#runtime/call/call.ts';
import { parseCountry } from '#values/country.ts';
import { scaled, WHOLE } from '#values/share.ts';
import { stateCode } from '#values/state.ts';
import { plainPostcode } from '#values/typed_name.ts';
import type { TaxRule } from './tax.ts';

export interface TaxRateRecord {
  readonly id: string;
  readonly name: string;
  readonly country: string;
  readonly state: string | null;
  readonly postal_prefix: string | null;
  /** Millionths. */
  readonly rate: number;
  readonly category_id: string | null;
  readonly applies_to_shipping: boolean;
  readonly priority: number;
  readonly compound: boolean;
  readonly created_at: Date;
  readonly updated_at: Date;
}

const RATE_DECIMALS = 6;

export const shown = (record: TaxRateRecord): StoreTaxRate => ({
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

/** What it becomes; `frame` is what no caller writes. Whether its category exists is not looked at. */
export const readTaxRate = (
  wish: CreateTaxRateRequest,
  frame: Pick<TaxRateRecord, 'id' | 'created_at' | 'updated_at'>,
): TaxRateRecord | Refusal => {
  const country = parseCountry(wish.country);
  if (country === null) return invalid('country', 'There is no such country.');
  const rate = scaled(wish.rate, RATE_DECIMALS);
  if (rate === null) return invalid('rate', `\`rate\` has at most ${RATE_DECIMALS} decimals.`);
  if (wish.state != null && stateCode(country, wish.state) === '')
    return invalid('state', '`state` must not be blank.');
  if (wish.postal_prefix != null && plainPostcode(wish.postal_prefix) === '')
    return invalid('postal_prefix', '`postal_prefix` must not be blank.');
  return {
    ...frame,
    name: wish.name,
    country,
    state: wish.state ?? null,
    postal_prefix: wish.postal_prefix ?? null,
    rate,
    category_id: wish.category_id?.toLowerCase() ?? null,
    applies_to_shipping: wish.applies_to_shipping ?? false,
    priority: wish.priority ?? 0,
    compound: wish.compound ?? false,
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

// Generated from stoa/v1/tax_rate.proto by proto/generate: change the proto file and run `bun proto/generate/main.ts`.
import type { Deleted, Pagination } from './shared.ts';

/** A tax rate of a store. */
export type StoreTaxRate = {
  id: string;
  name: string;
  /** ISO 3166-1 alpha-2, upper case. */
  country: string;
  /** Null: all of the country. */
  state: string | null;
  /** Null: every postcode. */
  postal_prefix: string | null;
  /** 0.16 is 16 %. */
  rate: number;
  /** Null: everything. */
  category_id: string | null;
  applies_to_shipping: boolean;
  /** Lower ones are taken first. */
  priority: number;
  /** Whether it is taken on top of the taxes before it. */
  compound: boolean;
  created_at: string;
  updated_at: string;
};

export type ListTaxRatesRequest = {
  limit?: number;
  cursor?: string;
  /** Comma-separated names of a tax rate's fields to return. */
  fields?: string;
};

export type ListTaxRatesResponse = {
  tax_rates: readonly StoreTaxRate[];
  pagination: Pagination;
};

export type TaxRateResponse = {
  tax_rate: StoreTaxRate;
};

export type CreateTaxRateRequest = {
  name: string;
  country: string;
  /** ISO 3166-2's code or the English name: `TX`, `US-TX` and `Texas` are one. */
  state?: string | null;
  postal_prefix?: string | null;
  /** Rate with six decimals at most. */
  rate: number;
  category_id?: string | null;
  /** False where left out. */
  applies_to_shipping?: boolean;
  /** 0 where left out. */
  priority?: number;
  /** False where left out. */
  compound?: boolean;
};

export type UpdateTaxRateRequest = {
  id: string;
  name?: string;
  country?: string;
  /** ISO 3166-2's code or the English name: `TX`, `US-TX` and `Texas` are one. */
  state?: string | null;
  postal_prefix?: string | null;
  rate?: number;
  category_id?: string | null;
  applies_to_shipping?: boolean;
  priority?: number;
  compound?: boolean;
  /** The `updated_at` that the change is based on. If the tax rate has changed since then, the answer is 409 `conflict`. */
  version?: string;
};

export type DeleteTaxRateRequest = {
  id: string;
};

/**
 * Tax rates by place, and by category where they are special.
 * @internal
 */
export interface TaxRateRpcs {
  ListTaxRates: { request: ListTaxRatesRequest; response: ListTaxRatesResponse };
  CreateTaxRate: { request: CreateTaxRateRequest; response: TaxRateResponse };
  UpdateTaxRate: { request: UpdateTaxRateRequest; response: TaxRateResponse };
  DeleteTaxRate: { request: DeleteTaxRateRequest; response: Deleted };
}

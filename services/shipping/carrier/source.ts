// Interface of a source of rates and labels: a carrier account or a merchant's extension.
import type { AddressInput } from '#proto/gen/shared.ts';
import type { CarrierRate, Parcel, ShippingLine } from '#proto/gen/shipping.ts';
import type { ShippingLocation } from '#proto/gen/shipping_config.ts';
import type { Tenant } from '#runtime/call/call.ts';
import type { Currency } from '#values/currency.ts';
import { multiplyRate, toMajor, toMinor } from '#values/money.ts';
import { plainNumber } from '#values/numeral.ts';
import { externalText } from '#values/text.ts';

export interface Consignment {
  readonly tenant: Tenant;
  readonly currency: Currency;
  readonly sender: ShippingLocation | null;
  readonly address_to: AddressInput;
  readonly parcel: Parcel;
  readonly items: readonly ShippingLine[];
  /** In major units. */
  readonly order_total: number;
}

/** The rates, or a sentence that says why there are none. */
export type RateOffer = readonly CarrierRate[] | string;

export interface Label {
  readonly tracking_number: string | null;
  readonly tracking_url: string | null;
  readonly label_url: string | null;
}

/** The label; or a sentence that says why none was bought; or, as `unknown`, why a label may have been bought. */
export type LabelPurchase =
  | { readonly rate: CarrierRate; readonly label: Label }
  | string
  | { readonly unknown: string };

export interface RateSource {
  /** Text that is equal for equal consignments; the key of cached rates. */
  readonly body: string;
  fetchRates(): Promise<RateOffer>;
  /**
   * Fetches the rate again and buys its label. Just before buying, awaits `note` with the record that `findPurchase`
   * needs.
   */
  buyLabel(rateId: string, reference: string, note: (purchase: string) => Promise<void>): Promise<LabelPurchase>;
  findPurchase(purchase: string): Promise<LabelPurchase | null>;
  /**
   * Voids a label. Returns null if the label costs nothing now, otherwise a sentence that says why it could not be
   * voided.
   */
  voidLabel(purchase: string): Promise<string | null>;
}

export const NO_LABEL: Label = { tracking_number: null, tracking_url: null, label_url: null };

export const RATE_NOT_OFFERED = 'The carrier no longer offers this rate. Fetch the rates again.';

export const RATES_MAX = 100;

/** Parses an amount in major units and rounds it half up to the currency's decimals; null if invalid. */
export const amountOf = (value: unknown, currency: Currency): number | null => {
  const number = plainNumber(value);
  if (number === null || !(number >= 0 && number <= 99_999_999)) return null;
  return toMajor(toMinor(number, currency) ?? multiplyRate(10 ** currency.exponent, number), currency);
};

export const textOf = (value: unknown, lengthMax: number): string | null => externalText(value, lengthMax) || null;

export const daysOf = (value: unknown): number | null =>
  Number.isInteger(value) && (value as number) >= 0 && (value as number) < 1_000 ? (value as number) : null;

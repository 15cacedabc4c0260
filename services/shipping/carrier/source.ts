// Where live rates come from, as a port: a carrier account or an extension of the merchant's, asked about one parcel.
import type { AddressInput } from '#proto/gen/shared.ts';
import type { CarrierRate, Parcel, ShippingLine } from '#proto/gen/shipping.ts';
import type { ShippingLocation } from '#proto/gen/shipping_config.ts';
import type { Tenant } from '#runtime/call/call.ts';
import type { Currency } from '#values/currency.ts';
import { foreignText } from '#values/foreign_text.ts';
import { multiplyRate, toMajor, toMinor } from '#values/money.ts';
import { plainNumber } from '#values/numeral.ts';

/** What is to be sent where. */
export interface Consignment {
  readonly tenant: Tenant;
  readonly currency: Currency;
  /** Null where the store has no location that ships. */
  readonly sender: ShippingLocation | null;
  readonly address_to: AddressInput;
  readonly parcel: Parcel;
  readonly items: readonly ShippingLine[];
  /** Major units, as it was sent. */
  readonly order_total: number;
}

/** Its rates, or a sentence that says why there are none. */
export type RateOffer = readonly CarrierRate[] | string;

/** What is stuck on a parcel, and how it is followed. */
export interface Label {
  readonly tracking_number: string | null;
  readonly tracking_url: string | null;
  readonly label_url: string | null;
}

/** A label or a sentence that says why there is none; `unknown`: it may have been bought. */
export type LabelPurchase =
  | { readonly rate: CarrierRate; readonly label: Label }
  | string
  | { readonly unknown: string };

/** One provider of a tenant: the request that it would be sent, and what becomes of the answer. */
export interface RateSource {
  /** The same for the same consignment: what its rates are kept by. */
  readonly body: string;
  ask(): Promise<RateOffer>;
  /** Fetches the rate again and buys its label; `note` is awaited just before, with what `look` finds it by. */
  buy(rateId: string, reference: string, note: (purchase: string) => Promise<void>): Promise<LabelPurchase>;
  /** What became of a purchase whose answer was lost; null where nothing was bought. */
  look(purchase: string): Promise<LabelPurchase | null>;
  /** Voids what was bought. Null once nothing is left to pay for; else a sentence that says why it was not voided. */
  voidLabel(purchase: string): Promise<string | null>;
}

export const NO_LABEL: Label = { tracking_number: null, tracking_url: null, label_url: null };

/** Why a rate that was fetched again was not found. */
export const GONE = 'This rate is not offered any more.';

export const RATES_MAX = 100;

/** An amount in major units, a number or plain decimal text, rounded half up to what the currency can say; null where it is none. */
export const amountOf = (value: unknown, currency: Currency): number | null => {
  const number = plainNumber(value);
  if (number === null || !(number >= 0 && number <= 99_999_999)) return null;
  return toMajor(toMinor(number, currency) ?? multiplyRate(10 ** currency.exponent, number), currency);
};

export const textOf = (value: unknown, lengthMax: number): string | null => foreignText(value, lengthMax) || null;

export const daysOf = (value: unknown): number | null =>
  Number.isInteger(value) && (value as number) >= 0 && (value as number) < 1_000 ? (value as number) : null;

// Generated from stoa/v1/exchange_rate.proto by proto/generate: change the proto file and run `bun proto/generate/main.ts`.

/** Currency that a store has beside its own. Prices are shown in it while it has an exchange rate. */
export type StoreCurrency = {
  /** ISO 4217; in any letter case where it is sent. */
  currency: string;
  /**
   * `rate`: prices are converted by the exchange rate. `fixed`: prices are those of price lists in the currency, and a
   * variant that has none there has no price in it.
   */
  prices: "rate" | "fixed";
};

/** Currency that a store has beside its own. Prices are shown in it while it has an exchange rate. */
export type StoreCurrencyInput = {
  /** ISO 4217; in any letter case where it is sent. */
  currency: string;
  /**
   * `rate`: prices are converted by the exchange rate. `fixed`: prices are those of price lists in the currency, and a
   * variant that has none there has no price in it.
   */
  prices: "rate" | "fixed";
};

/** How converted prices end. Fees, discounts and taxes are rounded to the smallest unit instead. */
export type PriceRounding = {
  /**
   * Major units. Below 1 the decimals of each price, such as `0.99`; otherwise the whole number of which each price is a
   * multiple, such as `1` or `50`. The nearest price is taken.
   */
  to: string;
};

/** How converted prices end. Fees, discounts and taxes are rounded to the smallest unit instead. */
export type PriceRoundingInput = {
  /**
   * Major units. Below 1 the decimals of each price, such as `0.99`; otherwise the whole number of which each price is a
   * multiple, such as `1` or `50`. The nearest price is taken.
   */
  to: string;
};

/** The rate of one currency. */
export type StoreExchangeRate = {
  /** ISO 4217, upper case. */
  currency: string;
  /** The store's currency when the rate was set. After the store changed its own, the rate is not used. */
  base_currency: string;
  /** Major units of `currency` for one of `base_currency`. */
  rate: number;
  /** Null: prices are rounded to the currency's smallest unit. */
  rounding: PriceRounding | null;
  max_age_hours: number;
  updated_at: string;
  /** From then on the currency is neither shown nor sold, until the rate is set again. */
  expires_at: string;
};

export type ListExchangeRatesRequest = {
  /** Comma-separated names of a rate's fields to return. */
  fields?: string;
};

export type ListExchangeRatesResponse = {
  exchange_rates: readonly StoreExchangeRate[];
};

export type ExchangeRateResponse = {
  exchange_rate: StoreExchangeRate;
};

export type PutExchangeRateRequest = {
  /** In any letter case. */
  currency: string;
  /** Major units of `currency` for one of the store's: above 0, below 1,000,000,000, at most 10 decimals. */
  rate: number;
  /** Null or left out: prices are rounded to the currency's smallest unit. */
  rounding?: PriceRoundingInput | null;
  /** Hours until the rate is too old; 24 unless said. */
  max_age_hours?: number;
};

export type DeletedExchangeRate = {
  deleted: boolean;
  /** The currency. */
  id: string;
};

export type DeleteExchangeRateRequest = {
  /** In any letter case. */
  currency: string;
};

/**
 * Exchange rates from the store's currency into those of its `currencies`. Each environment has its own. The merchant
 * sets them; no rate is fetched from anywhere.
 * @internal
 */
export interface ExchangeRateRpcs {
  ListExchangeRates: { request: ListExchangeRatesRequest; response: ListExchangeRatesResponse };
  PutExchangeRate: { request: PutExchangeRateRequest; response: ExchangeRateResponse };
  DeleteExchangeRate: { request: DeleteExchangeRateRequest; response: DeletedExchangeRate };
}

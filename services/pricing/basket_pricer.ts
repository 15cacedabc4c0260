// Prices a basket: gathers variants, rules, the store's settings and the customer's group, then runs the pricing
// engine. Answers synchronously if all of them are cached.
import type { PricedItem } from '#proto/gen/pricing.ts';
import type { TaxLinesRequest, TaxLinesResponse } from '#proto/gen/pricing_directory.ts';
import { type Call, invalid, notFound, Refusal, type Tenant } from '#runtime/call/call.ts';
import type { Runtime } from '#runtime/domain/runtime.ts';
import {
  type SellingCurrency,
  type StoreCurrencies,
  sellingCurrency,
  storeCurrencies,
} from '#services/commerce/selling_currency.ts';
import { badAmount, unknownCountry } from '#services/commerce/shared_refusal.ts';
import { openStoreProfiles, type StoreProfiles } from '#services/commerce/store_profile.ts';
import { parseCountry } from '#values/country.ts';
import { type Currency, currencyOf, parseCurrency } from '#values/currency.ts';
import type { Conversion } from '#values/exchange.ts';
import { fromMajor, toMinor } from '#values/money.ts';
import { nameKey } from '#values/text.ts';
import { type Basket, type BasketInput, type BasketItem, priceBasket } from './basket.ts';
import { candidatePromotions, ruleIn, rulesWithUsageLimit } from './candidate.ts';
import { type CustomerCache, identitiesOf, type PricingCustomer } from './customer.ts';
import { taxFrozenLines } from './frozen.ts';
import { AmountTooLarge } from './price.ts';
import type { LoadedRule, RuleCache, Rules } from './rule_cache.ts';
import { findUses, type Uses } from './table/use.ts';
import type { TaxAddress } from './tax.ts';
import type { FoundVariants, VariantCache } from './variant_cache.ts';

export interface PricingStore {
  readonly currency: Currency;
  readonly currencies: StoreCurrencies;
  readonly taxInclusive: boolean;
  /** The default one first. */
  readonly languages: readonly string[];
}

export type PricingStores = StoreProfiles<PricingStore>;

export const openPricingStores = (runtime: Pick<Runtime, 'ask' | 'clock'>): PricingStores =>
  openStoreProfiles(runtime, (profile) => ({
    currency: currencyOf(profile.currency),
    currencies: storeCurrencies(profile),
    taxInclusive: profile.tax_inclusive,
    languages: profile.languages ?? [],
  }));

export interface PriceRequest {
  /** A line with a `unit_price` keeps this price, which was promised earlier. */
  readonly items: readonly (PricedItem & { readonly unit_price?: number })[];
  readonly currency?: string | null;
  readonly customer_id?: string | null;
  readonly customer_group?: string | null;
  /** Email address by which usage limits count if there is no customer. */
  readonly email?: string | null;
  readonly promotion_codes?: readonly string[];
  readonly shipping_fee?: number | null;
  readonly address?: {
    readonly country: string;
    readonly state?: string | null;
    readonly postal_code?: string | null;
  } | null;
  readonly leave_out_unpriced?: boolean;
  /** Whether the basket may be in a currency in which the store does not sell; only its price lists then have prices. */
  readonly unsold_currency?: boolean;
}

export interface PricedBasket {
  readonly basket: Basket;
  readonly currency: Currency;
  /** Conversion from the store's currency; null or absent if the basket is in it. */
  readonly exchange?: Conversion | null;
  readonly taxInclusive: boolean;
  readonly expiredCodes: readonly string[];
  readonly unusableCodes: readonly string[];
}

interface BasketCurrency {
  readonly currency: Currency;
  readonly exchange: Conversion | null;
  readonly prices: SellingCurrency['prices'] | 'stored';
}

const sellingOf = (
  { currency: own, currencies }: PricingStore,
  tenant: Tenant,
  { currency: code, unsold_currency }: Pick<PriceRequest, 'currency' | 'unsold_currency'>,
  now: number,
): BasketCurrency | Refusal => {
  if (!code) return { currency: own, exchange: null, prices: 'stored' };
  const selling = sellingCurrency(currencies, tenant, code, now);
  if (selling === null) return { currency: own, exchange: null, prices: 'stored' };
  if (!(selling instanceof Refusal)) return selling;
  const currency = parseCurrency(code);
  const isUnsold = currency !== null && !currencies.prices.has(currency.code);
  return unsold_currency && isUnsold ? { currency, exchange: null, prices: 'stored' } : selling;
};

/** Returns whether the caller may name any customer: the store itself, or another domain. */
const isTrusted = ({ keyType }: Call): boolean => keyType === 'secret' || keyType === 'internal';

const customerOf = (call: Call, named: string | null | undefined): string | null =>
  (isTrusted(call) ? named?.toLowerCase() : null) ?? call.customer;

const groupOrRefusal = (found: PricingCustomer | Refusal): string | null | Refusal =>
  found instanceof Refusal ? found : found.group;

export class BasketPricer {
  readonly #runtime: Pick<Runtime, 'clock' | 'postgres' | 'log'>;
  readonly #stores: PricingStores;
  readonly #customers: CustomerCache;
  readonly #variants: VariantCache;
  readonly #memory: RuleCache;

  constructor(
    runtime: Pick<Runtime, 'clock' | 'postgres' | 'log'>,
    parts: {
      readonly stores: PricingStores;
      readonly customers: CustomerCache;
      readonly variants: VariantCache;
      readonly ruleCache: RuleCache;
    },
  ) {
    this.#runtime = runtime;
    this.#stores = parts.stores;
    this.#customers = parts.customers;
    this.#variants = parts.variants;
    this.#memory = parts.ruleCache;
  }

  price<T>(call: Call, request: PriceRequest, render: (priced: PricedBasket) => T): T | Refusal | Promise<T | Refusal> {
    const ids = request.items.map(({ variant_id }) => variant_id.toLowerCase());
    const store = this.#stores.get(call.tenant);
    const rules = this.#memory.get(call);
    const variants = this.#variants.get(call, ids);
    const group = this.groupOf(call, request);
    if (
      store instanceof Promise ||
      rules instanceof Promise ||
      variants instanceof Promise ||
      group instanceof Promise
    ) {
      return Promise.all([store, rules, variants, group]).then((all) => this.#price(call, request, ...all, render));
    }
    return this.#price(call, request, store, rules, variants, group, render);
  }

  async taxes(call: Call, input: TaxLinesRequest): Promise<TaxLinesResponse> {
    const ids = (input.lines ?? []).map(({ variant_id }) => variant_id ?? '');
    const [store, rules, variants] = await Promise.all([
      this.#stores.get(call.tenant),
      this.#memory.get(call),
      this.#variants.get(call, ids),
    ]);
    const { address } = input;
    const place: TaxAddress | null = address
      ? { country: address.country, state: address.state ?? null, postalCode: address.postal_code ?? null }
      : null;
    return taxFrozenLines(
      input,
      variants,
      place && rules.taxes(place, store.taxInclusive),
      input.currency ? currencyOf(input.currency) : store.currency,
      store.taxInclusive,
    );
  }

  groupOf(
    call: Call,
    { customer_id, customer_group }: Pick<PriceRequest, 'customer_id' | 'customer_group'>,
  ): string | null | Refusal | Promise<string | null | Refusal> {
    if (isTrusted(call) && customer_group) return nameKey(customer_group);
    const customer = customerOf(call, customer_id);
    if (customer === null) return null;
    const found = this.#customers.find(call, customer);
    return found instanceof Promise ? found.then(groupOrRefusal) : groupOrRefusal(found);
  }

  async #identitiesOf(
    call: Call,
    { customer_id, email }: Pick<PriceRequest, 'customer_id' | 'email'>,
  ): Promise<readonly string[]> {
    const customer = customerOf(call, customer_id);
    const found = customer === null ? null : await this.#customers.find(call, customer);
    return identitiesOf(customer, [email, found instanceof Refusal ? null : found?.email]);
  }

  #price<T>(
    call: Call,
    request: PriceRequest,
    store: PricingStore,
    rules: Rules,
    variants: FoundVariants,
    group: string | null | Refusal,
    render: (priced: PricedBasket) => T,
  ): T | Refusal | Promise<T | Refusal> {
    if (group instanceof Refusal) return group;
    const now = this.#runtime.clock.now(call.tenant).getTime();
    const selling = sellingOf(store, call.tenant, request, now);
    if (selling instanceof Refusal) return selling;
    const { currency, exchange, prices } = selling;
    const fee = request.shipping_fee ?? null;
    const shippingFee = fee === null ? null : toMinor(fee, currency);
    if (fee !== null && shippingFee === null) {
      return badAmount('shipping_fee', fee, currency);
    }
    const { address } = request;
    if (address && parseCountry(address.country) === null) {
      return unknownCountry(address.country, 'address.country');
    }
    const items: BasketItem[] = [];
    for (const [at, { quantity, unit_price }] of request.items.entries()) {
      const variant = variants[at];
      if (variant && (variant.active || isTrusted(call)))
        items.push(
          unit_price === undefined
            ? { variant, quantity }
            : { variant, quantity, promisedUnit: fromMajor(unit_price, currency) },
        );
      else if (!request.leave_out_unpriced) return notFound('variant', `items[${at}].variant_id`);
    }
    const place: TaxAddress | null = address
      ? { country: address.country, state: address.state ?? null, postalCode: address.postal_code ?? null }
      : null;
    const enteredCodes = request.promotion_codes ?? [];
    const priceWith = (uses: ReadonlyMap<string, Uses> | null): T | Refusal => {
      const { automatic, codes, expiredCodes, unusableCodes } = candidatePromotions(rules, enteredCodes, now, uses);
      try {
        const order: BasketInput = {
          items,
          buyer: {
            currency: currency.code,
            storeCurrency: store.currency.code,
            group,
            now,
            exchange: prices === 'rate' ? exchange : null,
          },
          automatic: exchange ? automatic.map((rule) => ruleIn(rule, exchange)) : automatic,
          codes: exchange
            ? codes.map(({ code, found }) => ({ code, found: 'cause' in found ? found : ruleIn(found, exchange) }))
            : codes,
          shippingFee,
          taxes: place && rules.taxes(place, store.taxInclusive),
        };
        let basket = priceBasket(order);
        while ('unpriced' in basket) {
          const param = `items[${basket.unpriced}].variant_id`;
          if (!request.leave_out_unpriced) return invalid(param, `This variant has no price in ${currency.code}.`);
          items.splice(basket.unpriced, 1);
          basket = priceBasket(order);
        }
        return render({ basket, currency, exchange, taxInclusive: store.taxInclusive, expiredCodes, unusableCodes });
      } catch (error) {
        if (error instanceof AmountTooLarge) return invalid('items', error.message);
        throw error;
      }
    };
    const limited = rulesWithUsageLimit(rules, enteredCodes, now);
    if (limited.length === 0) return priceWith(null);
    return this.#identitiesOf(call, request)
      .then((identities) => this.#uses(call.tenant, limited, identities))
      .then(priceWith);
  }

  /**
   * Reads current numbers of uses from Postgres, because an order may just have used the last one. Returns null while
   * the database is unavailable; cached numbers then apply.
   */
  async #uses(
    tenant: Tenant,
    rules: readonly LoadedRule[],
    identities: readonly string[],
  ): Promise<ReadonlyMap<string, Uses> | null> {
    const { postgres, log } = this.#runtime;
    if (!postgres.available) return null;
    try {
      const ids = rules.map(({ id }) => id);
      return await findUses(postgres.sql, tenant, ids, identities);
    } catch (error) {
      log.warn({ err: error }, 'failed to count promotion uses; pricing with cached counts');
      return null;
    }
  }
}

// Prices a basket: gathers what that depends on (variants, rules, the store, the customer's group) and asks the
// engine. As a rule all of it is at hand, and then the answer is too.
import type { PricedItem } from '#proto/gen/pricing.ts';
import type { TaxLinesRequest, TaxLinesResponse } from '#proto/gen/pricing_directory.ts';
import { type Call, invalid, notFound, Refusal, type Tenant } from '#runtime/call/call.ts';
import type { Runtime } from '#runtime/domain/runtime.ts';
import { parseCountry } from '#values/country.ts';
import { type Currency, parseCurrency } from '#values/currency.ts';
import { fromMajor, toMinor } from '#values/money.ts';
import { nameKey } from '#values/typed_name.ts';
import { admit, limitedRules } from './admission.ts';
import { AmountTooLarge } from './amount.ts';
import { type Basket, type BasketItem, type PricedOrder, priceBasket } from './basket.ts';
import type { Customers, PricedShopper } from './customer.ts';
import { taxFrozen } from './frozen.ts';
import { identitiesOf } from './identity.ts';
import type { LoadedRule, PricingMemory, Rules } from './memory.ts';
import type { PricingStore, PricingStores } from './shop.ts';
import { findUses, type Uses } from './table/use.ts';
import type { TaxAddress } from './tax.ts';
import type { VariantCache, Wares } from './variant_cache.ts';

/** What a caller asks to be priced, as the API writes it. */
export interface PriceQuestion {
  /** Those with a `unit_price` were promised at it. */
  readonly items: readonly (PricedItem & { readonly unit_price?: number })[];
  readonly currency?: string | null;
  readonly customer_id?: string | null;
  readonly customer_group?: string | null;
  /** Whose uses count where no customer is named. */
  readonly email?: string | null;
  readonly promotion_codes?: readonly string[];
  readonly shipping_fee?: number | null;
  readonly address?: {
    readonly country: string;
    readonly state?: string | null;
    readonly postal_code?: string | null;
  } | null;
  /** Leaves out what has no price, instead of refusing it. */
  readonly leave_out_unpriced?: boolean;
}

/** A basket with what it is written down in. */
export interface Bill {
  readonly basket: Basket;
  readonly currency: Currency;
  readonly taxInclusive: boolean;
  /** Codes, as entered, whose promotion is over. */
  readonly expired: readonly string[];
  /** Codes, as entered, whose promotion cannot be used now, whatever the basket. */
  readonly unusable: readonly string[];
}

/** Whether the caller is the store itself, or a part of the house: it may say whose prices it wants. */
const isTrusted = ({ keyType }: Call): boolean => keyType === 'secret' || keyType === 'internal';

/** A shopper's own account alone: that they name another counts for nothing. */
const customerOf = (call: Call, named: string | null | undefined): string | null =>
  (isTrusted(call) ? named?.toLowerCase() : null) ?? call.customer;

const groupIn = (found: PricedShopper | Refusal): string | null | Refusal =>
  found instanceof Refusal ? found : found.group;

export class BasketPricer {
  readonly #runtime: Pick<Runtime, 'clock' | 'postgres' | 'log'>;
  readonly #shops: PricingStores;
  readonly #customers: Customers;
  readonly #variants: VariantCache;
  readonly #memory: PricingMemory;

  constructor(
    runtime: Pick<Runtime, 'clock' | 'postgres' | 'log'>,
    parts: {
      readonly shops: PricingStores;
      readonly customers: Customers;
      readonly variants: VariantCache;
      readonly memory: PricingMemory;
    },
  ) {
    this.#runtime = runtime;
    this.#shops = parts.shops;
    this.#customers = parts.customers;
    this.#variants = parts.variants;
    this.#memory = parts.memory;
  }

  /** What a basket costs; `show` writes it down. */
  price<T>(call: Call, question: PriceQuestion, show: (bill: Bill) => T): T | Refusal | Promise<T | Refusal> {
    const ids = question.items.map(({ variant_id }) => variant_id.toLowerCase());
    const shop = this.#shops.get(call.tenant);
    const rules = this.#memory.get(call.tenant);
    const wares = this.#variants.get(call, ids);
    const group = this.groupOf(call, question);
    if (shop instanceof Promise || rules instanceof Promise || wares instanceof Promise || group instanceof Promise) {
      return Promise.all([shop, rules, wares, group]).then((all) => this.#priced(call, question, ...all, show));
    }
    return this.#priced(call, question, shop, rules, wares, group, show);
  }

  /** The taxes of lines whose prices are frozen. */
  async taxes(call: Call, input: TaxLinesRequest): Promise<TaxLinesResponse> {
    const ids = (input.lines ?? []).map(({ variant_id }) => variant_id ?? '');
    const [shop, rules, wares] = await Promise.all([
      this.#shops.get(call.tenant),
      this.#memory.get(call.tenant),
      this.#variants.get(call, ids),
    ]);
    const { address } = input;
    const place: TaxAddress | null = address
      ? { country: address.country, state: address.state ?? null, postalCode: address.postal_code ?? null }
      : null;
    return taxFrozen(input, wares, place && rules.taxes(place, shop.taxInclusive), shop.currency, shop.taxInclusive);
  }

  /** Whose price lists apply. */
  groupOf(
    call: Call,
    { customer_id, customer_group }: Pick<PriceQuestion, 'customer_id' | 'customer_group'>,
  ): string | null | Refusal | Promise<string | null | Refusal> {
    if (isTrusted(call) && customer_group) return nameKey(customer_group);
    const customer = customerOf(call, customer_id);
    if (customer === null) return null;
    const found = this.#customers.find(call, customer);
    return found instanceof Promise ? found.then(groupIn) : groupIn(found);
  }

  /** By whom uses per customer are counted. */
  async #identitiesOf(
    call: Call,
    { customer_id, email }: Pick<PriceQuestion, 'customer_id' | 'email'>,
  ): Promise<readonly string[]> {
    const customer = customerOf(call, customer_id);
    const found = customer === null ? null : await this.#customers.find(call, customer);
    return identitiesOf(customer, [email, found instanceof Refusal ? null : found?.email]);
  }

  #priced<T>(
    call: Call,
    question: PriceQuestion,
    shop: PricingStore,
    rules: Rules,
    wares: Wares,
    group: string | null | Refusal,
    show: (bill: Bill) => T,
  ): T | Refusal | Promise<T | Refusal> {
    if (group instanceof Refusal) return group;
    const currency = question.currency ? parseCurrency(question.currency) : shop.currency;
    if (currency === null) return invalid('currency', 'There is no such currency.');
    const fee = question.shipping_fee ?? null;
    const shippingFee = fee === null ? null : toMinor(fee, currency);
    if (fee !== null && shippingFee === null) {
      return invalid('shipping_fee', `\`shipping_fee\` must be an amount with at most ${currency.exponent} decimals.`);
    }
    const { address } = question;
    if (address && parseCountry(address.country) === null) {
      return invalid('address.country', 'There is no such country.');
    }
    const items: BasketItem[] = [];
    for (const [at, { quantity, unit_price }] of question.items.entries()) {
      const ware = wares[at];
      if (ware && (ware.active || isTrusted(call)))
        items.push(
          unit_price === undefined ? { ware, quantity } : { ware, quantity, unit: fromMajor(unit_price, currency) },
        );
      else if (!question.leave_out_unpriced) return notFound('variant', `items[${at}].variant_id`);
    }
    const now = this.#runtime.clock.now(call.tenant).getTime();
    const place: TaxAddress | null = address
      ? { country: address.country, state: address.state ?? null, postalCode: address.postal_code ?? null }
      : null;
    const codes = question.promotion_codes ?? [];
    const bill = (uses: ReadonlyMap<string, Uses> | null): T | Refusal => {
      const { automatic, entries, expired, unusable } = admit(rules, codes, now, uses);
      try {
        const order: PricedOrder = {
          items,
          buyer: { currency: currency.code, storeCurrency: shop.currency.code, group, now },
          automatic,
          entries,
          shippingFee,
          taxes: place && rules.taxes(place, shop.taxInclusive),
        };
        let basket = priceBasket(order);
        while ('unpriced' in basket) {
          const param = `items[${basket.unpriced}].variant_id`;
          if (!question.leave_out_unpriced) return invalid(param, `This variant has no price in ${currency.code}.`);
          items.splice(basket.unpriced, 1);
          basket = priceBasket(order);
        }
        return show({ basket, currency, taxInclusive: shop.taxInclusive, expired, unusable });
      } catch (problem) {
        if (problem instanceof AmountTooLarge) return invalid('items', problem.message);
        throw problem;
      }
    };
    const limited = limitedRules(rules, codes, now);
    if (limited.length === 0) return bill(null);
    return this.#identitiesOf(call, question)
      .then((identities) => this.#uses(call.tenant, limited, identities))
      .then(bill);
  }

  /** As of now: an order may have been the last that a limit allows. Without the database what was known must do. */
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
    } catch (problem) {
      log.warn({ err: problem }, 'the uses of promotions could not be counted');
      return null;
    }
  }
}

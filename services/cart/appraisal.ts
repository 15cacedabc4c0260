// Prices a cart at this moment: looks up its variants and gift cards, and has its lines and codes priced.
import type { PriceBasketResponse } from '#proto/gen/pricing_directory.ts';
import type { SpendableCard } from '#proto/gen/value.ts';
import type { Call, Refusal } from '#runtime/call/call.ts';
import { openDomainClient } from '#runtime/domain/domain_client.ts';
import type { Runtime } from '#runtime/domain/runtime.ts';
import { type Conversion, rateText } from '#values/exchange.ts';
import { type CartSettings, type CartState, type CartUnits, giftCardsOf } from './cart.ts';
import type { CartCatalogue } from './catalogue.ts';
import { giftCardCodes, type OfferedCard, offeredCard } from './gift_card.ts';
import type { CartVariant } from './line.ts';

/** How a cart is priced. */
export interface CartPricing {
  /** The settings that the actor needs. */
  readonly settings: CartSettings;
  /** Conversion from the store's currency; null if the cart is in it. */
  readonly exchange: Conversion | null;
  /** Why the store cannot sell in the cart's currency now; null if it can. */
  readonly obstacle: Refusal | null;
  /** Whether a reader named the currency, which needs no warning that it differs from the cart's. */
  readonly isRequested?: boolean;
}

export interface CartAppraisal {
  readonly variants: ReadonlyMap<string, CartVariant>;
  readonly basket: PriceBasketResponse | null;
  readonly cards: readonly SpendableCard[];
  /** Why the store cannot sell in the cart's currency now; null or absent if it can. */
  readonly obstacle?: Refusal | null;
  readonly isRequested?: boolean | undefined;
}

export interface Appraiser {
  /**
   * Names variants and promotions in a language, or in the store's default one. The variants in `known` have the default
   * language and are not looked up again in it.
   */
  appraise(
    call: Call,
    cart: CartState,
    pricing: CartPricing,
    known: readonly CartVariant[],
    language?: string,
  ): Promise<CartAppraisal>;
  giftCard(call: Call, typed: string, pricing: CartPricing): Promise<OfferedCard>;
}

const NO_APPRAISAL: CartAppraisal = { variants: new Map(), basket: null, cards: [] };

export const openAppraiser = (runtime: Pick<Runtime, 'ask' | 'seal'>, catalogue: CartCatalogue): Appraiser => {
  const { askOrThrow } = openDomainClient(runtime);

  const priced = (
    call: Call,
    cart: CartState,
    { settings: { currency } }: CartPricing,
    items: readonly CartUnits[],
    language: string | undefined,
  ): Promise<PriceBasketResponse> =>
    askOrThrow('PricingDirectory/PriceBasket', call, {
      items,
      currency,
      customer_id: cart.customer_id,
      promotion_codes: cart.codes,
      leave_out_unpriced: true,
      language,
    });

  const spendable = async (
    call: Call,
    codes: readonly string[],
    { settings: { currency }, exchange }: CartPricing,
  ): Promise<readonly SpendableCard[]> => {
    if (codes.length === 0) return [];
    const pinned = exchange ? { base_currency: exchange.from.code, rate: rateText(exchange.rate) } : null;
    const asked = { codes, currency, exchange: pinned };
    return (await askOrThrow('GiftCardDirectory/FindSpendable', call, asked)).cards;
  };

  return {
    async appraise(call, cart, pricing, known, language) {
      const { lines, codes } = cart;
      if (pricing.obstacle !== null) return { ...NO_APPRAISAL, obstacle: pricing.obstacle };
      if (lines.length === 0 && codes.length === 0 && giftCardsOf(cart).length === 0) return NO_APPRAISAL;
      const variants = new Map((language === undefined ? known : []).map((variant) => [variant.variant_id, variant]));
      const stored: CartUnits[] = lines.map(({ variant_id, quantity }) => ({ variant_id, quantity }));
      const missing = stored.map(({ variant_id }) => variant_id).filter((id) => !variants.has(id));
      const cardCodes = giftCardCodes(runtime.seal, call.tenant, giftCardsOf(cart));
      // Priced before the variants are looked up, to save time: usually all are still sold.
      const asking = priced(call, cart, pricing, stored, language);
      const alone = missing.length === 0 && cardCodes.length === 0;
      const [asStored, cards, found] = alone
        ? [await asking, [], []]
        : await Promise.all([asking, spendable(call, cardCodes, pricing), catalogue.variants(call, missing, language)]);
      for (const [id, variant] of found) variants.set(id, variant);
      const sold = stored.filter(({ variant_id }) => variants.get(variant_id)?.is_active);
      return {
        variants,
        basket: sold.length === stored.length ? asStored : await priced(call, cart, pricing, sold, language),
        cards,
      };
    },

    async giftCard(call, typed, pricing) {
      const [card] = await spendable(call, [typed], pricing);
      return offeredCard(runtime.seal, call.tenant, card);
    },
  };
};

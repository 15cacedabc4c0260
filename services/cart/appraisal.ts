// What a cart comes to at this moment: its variants as they are sold now, its lines and codes as the pricing engine prices
// them, its gift cards as far as they pay.
import type { PriceBasketResponse } from '#proto/gen/pricing_directory.ts';
import type { SpendableCard } from '#proto/gen/value.ts';
import type { Call } from '#runtime/call/call.ts';
import { openDomainClient } from '#runtime/domain/domain_client.ts';
import type { Runtime } from '#runtime/domain/runtime.ts';
import { type CartState, giftCardsOf } from './cart.ts';
import type { CartCatalogue } from './catalogue.ts';
import { giftCardCodes, type OfferedCard, offeredCard } from './gift_card.ts';
import type { Article } from './line.ts';

export interface CartAppraisal {
  /** By id; what is gone is not there. */
  readonly articles: ReadonlyMap<string, Article>;
  /** Without lines of what has no price; null where there is nothing to price. */
  readonly basket: PriceBasketResponse | null;
  /** One for each kept card, in its order. */
  readonly cards: readonly SpendableCard[];
}

export interface Appraiser {
  /** `known`: variants that were looked up for this very call. */
  appraise(call: Call, cart: CartState, currency: string, known: readonly Article[]): Promise<CartAppraisal>;
  giftCard(call: Call, typed: string, currency: string): Promise<OfferedCard>;
}

const NO_APPRAISAL: CartAppraisal = { articles: new Map(), basket: null, cards: [] };

interface Piece {
  readonly variant_id: string;
  readonly quantity: number;
}

export const openAppraiser = (runtime: Pick<Runtime, 'ask' | 'seal'>, catalogue: CartCatalogue): Appraiser => {
  const { askOrThrow } = openDomainClient(runtime);

  const priced = (call: Call, cart: CartState, items: readonly Piece[]): Promise<PriceBasketResponse> =>
    askOrThrow('PricingDirectory/PriceBasket', call, {
      items,
      customer_id: cart.customer_id,
      promotion_codes: cart.codes,
      leave_out_unpriced: true,
    });

  const spendable = async (
    call: Call,
    codes: readonly string[],
    currency: string,
  ): Promise<readonly SpendableCard[]> => {
    if (codes.length === 0) return [];
    const asked = { codes, currency };
    return (await askOrThrow('GiftCardDirectory/FindSpendable', call, asked)).cards;
  };

  return {
    async appraise(call, cart, currency, known) {
      const { lines, codes } = cart;
      if (lines.length === 0 && codes.length === 0 && giftCardsOf(cart).length === 0) return NO_APPRAISAL;
      const articles = new Map(known.map((article) => [article.variant_id, article]));
      const kept: Piece[] = lines.map(({ variant_id, quantity }) => ({ variant_id, quantity }));
      const missing = kept.map(({ variant_id }) => variant_id).filter((id) => !articles.has(id));
      const cardCodes = giftCardCodes(runtime.seal, call.tenant, giftCardsOf(cart));
      // Priced as it is kept while the variants are looked up: as a rule that is how it is sold.
      const pricing = priced(call, cart, kept);
      const alone = missing.length === 0 && cardCodes.length === 0;
      const [asKept, cards, found] = alone
        ? [await pricing, [], []]
        : await Promise.all([pricing, spendable(call, cardCodes, currency), catalogue.articles(call, missing)]);
      for (const [id, article] of found) articles.set(id, article);
      const sold = kept.filter(({ variant_id }) => articles.get(variant_id)?.is_active);
      return { articles, basket: sold.length === kept.length ? asKept : await priced(call, cart, sold), cards };
    },

    async giftCard(call, typed, currency) {
      const [card] = await spendable(call, [typed], currency);
      return offeredCard(runtime.seal, call.tenant, card);
    },
  };
};

// Reads what an order is placed from (items in the body, a cart, a quote or a checkout intent) into one form.
import type { CreateOrderRequest } from '#proto/gen/order.ts';
import type { PriceBasketResponse } from '#proto/gen/pricing_directory.ts';
import type { AddressInput, AgentName } from '#proto/gen/shared.ts';
import { type Call, Refusal, refuse } from '#runtime/call/call.ts';
import type { DomainClient } from '#runtime/domain/domain_client.ts';
import { derivedId } from '#runtime/process/derived_id.ts';
import { mergeLines, type RequestedLine, sourceOf } from './basket.ts';
import type { BoughtCart, ChosenRate, OrderRecord } from './order.ts';

export interface ChosenDelivery {
  readonly optionId: string | null;
  readonly name: string | null;
  /** In major units, before free shipping is deducted. */
  readonly fee: number;
  readonly rate: ChosenRate | null;
  readonly carrier: string | null;
}

export interface OrderOrigin {
  readonly kind: 'items' | 'cart' | 'quote' | 'intent' | 'purchase_order' | 'group';
  /** Key of the cart, or id of the quote, intent, purchase order or checkout group; null if `kind` is `items`. */
  readonly id: string | null;
  readonly requested: readonly RequestedLine[];
  readonly promotionCodes: readonly string[];
  readonly giftCardCodes: readonly string[];
  readonly customer: string | null;
  readonly email: string | null;
  readonly shippingAddress: AddressInput | null;
  readonly billingAddress: AddressInput | null;
  readonly shippingOption: string | null;
  readonly note: string | null;
  /** BCP 47 tag of the buyer; null if unknown. */
  readonly language: string | null;
  readonly agent: AgentName | null;
  /** Currency that the buyer chose; null for the store's. */
  readonly currency: string | null;
  readonly version: number;
  readonly cart: BoughtCart | null;
  /**
   * Key under which the outcome is recorded, besides the attempt's id. All attempts to order one cart share this key,
   * so that only one succeeds; null: only the attempt's id is used.
   */
  readonly decision: string | null;
  /** Hold of the checkout intent, used instead of a new hold; null for other origins. */
  readonly hold: string | null;
  /** Prices promised by a quote or intent; null if the order is priced now. */
  readonly promised: { readonly priced: PriceBasketResponse; readonly delivery: ChosenDelivery | null } | null;
}

export const NO_ORIGIN: OrderOrigin = {
  kind: 'items',
  id: null,
  requested: [],
  promotionCodes: [],
  giftCardCodes: [],
  customer: null,
  email: null,
  shippingAddress: null,
  billingAddress: null,
  shippingOption: null,
  note: null,
  language: null,
  agent: null,
  currency: null,
  version: 0,
  cart: null,
  decision: null,
  hold: null,
  promised: null,
};

export interface Origins {
  /** `asShown` refuses an order whose delivery the buyer of the checkout intent has not seen. */
  read(call: Call, input: CreateOrderRequest, asShown?: boolean): Promise<OrderOrigin | Refusal>;
  /** Converts the cart that the order came from, if any. Idempotent. */
  convertCart(call: Pick<Call, 'tenant'>, origin: OrderRecord['origin']): Promise<void>;
}

const EMPTY = refuse('invalid_request', 'The cart is empty. Add items first.', { param: 'cart' });

export const openOrigins = ({ ask, askDetached }: DomainClient): Origins => {
  const fromCart = async (call: Call, input: CreateOrderRequest): Promise<OrderOrigin | Refusal> => {
    const { session_id, customer_id } = input;
    if (!session_id && !customer_id)
      return refuse('invalid_request', 'Name the cart with `session_id` or `customer_id`.', { param: 'session_id' });
    const named = customer_id ? { customer_id } : { session_id: session_id ?? '' };
    const cart = await ask('CartDirectory/ReadCart', call, named);
    if (cart instanceof Refusal) return cart;
    if (cart.lines.length === 0) return EMPTY;
    return {
      ...NO_ORIGIN,
      kind: 'cart',
      id: cart.key,
      version: cart.version,
      // The decision key does not contain the cart's version: items added later go to the shopper's next cart.
      decision: derivedId('cart', cart.id),
      cart: {
        id: cart.id,
        lines: cart.lines,
        codes: cart.promotion_codes,
        giftCards: cart.gift_card_ids,
      },
      requested: cart.lines.map(({ variant_id, quantity }) => ({ variant: variant_id, quantity, param: 'cart' })),
      promotionCodes: cart.promotion_codes,
      giftCardCodes: cart.gift_card_codes,
      currency: cart.currency,
    };
  };

  const fromOffer = async (
    call: Call,
    input: CreateOrderRequest,
    kind: 'quote' | 'intent',
    id: string,
    asShown = false,
  ): Promise<OrderOrigin | Refusal> => {
    const rpc = kind === 'quote' ? 'AgentDirectory/OfferOfQuote' : 'AgentDirectory/OfferOfIntent';
    const address = input.shipping_address ?? null;
    const offer = await ask(rpc, call, {
      id,
      email: input.email ?? null,
      shipping_address: address,
      as_shown: asShown,
    });
    if (offer instanceof Refusal) return offer;
    const { priced, hold_id, version } = offer;
    return {
      ...NO_ORIGIN,
      kind,
      id,
      version,
      requested: priced.lines.map(({ variant_id, quantity }) => ({
        variant: variant_id,
        quantity,
        param: kind === 'quote' ? 'quote_id' : 'checkout_intent_id',
      })),
      email: offer.email,
      shippingAddress: offer.shipping_address,
      billingAddress: offer.billing_address,
      shippingOption: offer.shipping_option_id,
      note: offer.note,
      language: offer.language ?? null,
      hold: hold_id,
      promised: {
        priced,
        delivery: {
          optionId: offer.shipping_option_id,
          name: offer.shipping_option_name,
          fee: offer.shipping_fee,
          rate: null,
          carrier: null,
        },
      },
    };
  };

  return {
    async read(call, input, asShown) {
      const source = sourceOf(input);
      if (source instanceof Refusal) return source;
      if (source === 'cart') return fromCart(call, input);
      if (source === 'quote_id') return fromOffer(call, input, 'quote', input.quote_id!);
      if (source === 'checkout_intent_id') return fromOffer(call, input, 'intent', input.checkout_intent_id!, asShown);
      const requested = mergeLines('items', input.items!.entries());
      return requested instanceof Refusal ? requested : { ...NO_ORIGIN, requested, currency: input.currency ?? null };
    },

    async convertCart({ tenant }, { id, version, cart }) {
      if (!cart || id === null) return;
      await askDetached(
        'CartDirectory/ConvertCart',
        { tenant },
        {
          key: id,
          version,
          id: cart.id,
          lines: cart.lines,
          promotion_codes: cart.codes,
          gift_card_ids: cart.giftCards,
        },
      );
    },
  };
};

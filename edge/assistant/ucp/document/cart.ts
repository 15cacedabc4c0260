// Formats a cart draft as a UCP cart.
import type { CartDraft } from '#proto/gen/agent.ts';
import { minorOf, totalsOf } from '#services/commerce/ucp_basket.ts';
import { buyerOf, discountsOf, lineItemOf, linksOf } from './basket.ts';
import { envelopeOf, type Setting } from './envelope.ts';
import { codeMessages } from './message.ts';
import type { Cart } from './schema.ts';

export const cartDocument = (setting: Setting, cart: CartDraft): Cart => {
  const minor = minorOf(cart.currency);
  return {
    ucp: envelopeOf('cart', 'discount'),
    id: cart.id,
    currency: cart.currency,
    // Lines of a cart have no ids; the variant identifies its line.
    line_items: cart.items.map((item) => lineItemOf({ ...item, id: item.variant_id, tax_amount: 0 }, minor, true)),
    totals: totalsOf(
      {
        subtotal: cart.subtotal,
        discount_total: cart.discount_total,
        shipping_total: 0,
        tax_total: 0,
        grand_total: cart.total,
      },
      minor,
      { delivered: false, taxInclusive: true },
    ),
    buyer: buyerOf(cart.email, cart.buyer),
    discounts: discountsOf(cart, minor),
    messages: codeMessages(cart),
    links: linksOf(setting),
    expires_at: cart.expires_at,
  };
};

// The checkout of a cart in another currency than the store's. The intent, which is in the store's, takes address and delivery;
// the order is placed in the cart's, and shows delivery and tax before it is paid.
import type { CheckoutIntent, ShoppingCart } from '#proto/gen/client/message.ts';
import { goTo } from './address.ts';
import type { OpenShop } from './client.ts';
import { Discounts, Picture, useAction } from './component.tsx';
import { storedCards } from './gift_card.ts';
import { closeIntent } from './intent.ts';
import { Link } from './link.tsx';
import { useProductNames } from './product_name.ts';
import { ShopRefusal } from './refusal.ts';
import { askServer, storedSession } from './server.ts';
import { useWords } from './wording_context.ts';

interface SummaryProps {
  readonly shop: OpenShop;
  readonly cart: ShoppingCart;
}

export const CartSummary = ({ shop, cart }: SummaryProps) => {
  const nameOf = useProductNames(shop, cart.items);
  const { text, count, money } = useWords();
  const { currency } = cart;
  return (
    <section class="sheet" aria-labelledby="bought">
      <h2 id="bought">{text('your_order')}</h2>
      <ul class="bought">
        {cart.items.map((item) => (
          <li key={item.id}>
            <Picture url={item.thumbnail_url} name="" />
            <span>
              {nameOf(item)}
              <small>
                {item.variant_name ? `${item.variant_name}, ` : ''}
                {count(item.quantity, 'item')}
              </small>
            </span>
            <span>{money(item.subtotal, currency)}</span>
          </li>
        ))}
      </ul>
      <dl class="totals">
        <dt>{text('subtotal')}</dt>
        <dd>{money(cart.subtotal, currency)}</dd>
        <Discounts promotions={cart.applied_promotions} currency={currency} />
        {cart.gift_cards.map(({ code_last4: last, amount }) => (
          <div key={last}>
            <dt>{text('card_ending', { last })}</dt>
            <dd>−{money(amount, currency)}</dd>
          </div>
        ))}
        <div class="whole">
          <dt>{text('before_delivery')}</dt>
          <dd>{money(cart.amount_due, currency)}</dd>
        </div>
      </dl>
      <p class="soft">
        {text('total_with_order')} <Link to="/cart">{text('change_cart')}</Link>
      </p>
    </section>
  );
};

interface PlaceProps {
  readonly shop: OpenShop;
  readonly intent: CheckoutIntent;
  readonly cart: ShoppingCart;
  readonly placed: () => void;
  /** The refused order has released the intent, so that the next attempt needs another. */
  readonly refused: (why: string) => void;
}

/** Returns the name of the order's page. The outcome of a call without an answer is unknown: it is thrown, to be sent again. */
const placeOrder = async (intent: CheckoutIntent, cart: ShoppingCart): Promise<string | ShopRefusal> => {
  const { access_token, expires_at } = storedSession() ?? {};
  try {
    const { checkout } = await askServer<{ checkout: string }>('place', {
      intent: intent.id,
      currency: cart.currency,
      gift_cards: storedCards().join(' '),
      ...(access_token && expires_at && { access_token, expires_at }),
    });
    return checkout;
  } catch (problem) {
    if (problem instanceof ShopRefusal && problem.status >= 400 && problem.status < 500) return problem;
    throw problem;
  }
};

export const PlaceOrder = ({ shop, intent, cart, placed, refused }: PlaceProps) => {
  const { text } = useWords();
  const { busy, message, run } = useAction();
  const place = (): Promise<void> =>
    run(async () => {
      const checkout = await placeOrder(intent, cart);
      if (checkout instanceof ShopRefusal) {
        refused(checkout.message);
        return '';
      }
      await closeIntent(shop).catch(() => {});
      placed();
      goTo(`/orders/${checkout}`, true);
      return '';
    });
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        void place();
      }}
    >
      <p class="soft">{text('total_with_order')}</p>
      <button type="submit" class="go wide" aria-disabled={busy}>
        {text(busy ? 'processing' : 'place_order')}
      </button>
      <p role="alert">{message}</p>
    </form>
  );
};

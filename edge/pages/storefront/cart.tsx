// Screen of the cart: lines, promotion codes, gift cards, and warnings about changes since the last visit.
import { useState } from 'preact/hooks';
import type { CartItem, CartResponse, ShoppingCart } from '#proto/gen/client/message.ts';
import { useRequest } from './answer.ts';
import type { OpenShop } from './client.ts';
import { Discounts, Field, LoadingOrError, money, Picture, QuantityField, useAction } from './component.tsx';
import { removeCard, storeCard } from './gift_card.ts';
import { Link } from './link.tsx';
import { ShopRefusal } from './refusal.ts';

interface CartProps {
  readonly shop: OpenShop;
  readonly change: number;
  readonly changed: (items?: number) => void;
}

type Run = (work: () => Promise<CartResponse>, said?: (cart: ShoppingCart) => string) => void;

const Line = ({ shop, item, currency, run }: { shop: OpenShop; item: CartItem; currency: string; run: Run }) => (
  <li>
    <Picture url={item.thumbnail_url} name="" />
    <div>
      <b>{item.name}</b>
      {item.variant_name && <small>{item.variant_name}</small>}
      <small>{money(item.unit_price, currency)} each</small>
      {!item.in_stock && <small class="gone">Sold out</small>}
    </div>
    <QuantityField
      name={item.name}
      value={item.quantity}
      change={(quantity) => run(() => shop.api.cart.items.update({ item_id: item.id, quantity }))}
    />
    <b class="sum">{money(item.subtotal, currency)}</b>
    <button
      type="button"
      class="plain"
      aria-label={`Remove ${item.name}`}
      onClick={() =>
        run(
          () => shop.api.cart.items.remove({ item_id: item.id }),
          () => `${item.name} is removed.`,
        )
      }
    >
      Remove
    </button>
  </li>
);

interface CodeProps {
  readonly id: string;
  readonly label: string;
  readonly action: string;
  readonly send: (code: string) => void;
}

const CodeField = ({ id, label, action, send }: CodeProps) => {
  const [code, setCode] = useState('');
  return (
    <form
      class="code"
      onSubmit={(event) => {
        event.preventDefault();
        if (code.trim() === '') return;
        send(code.trim());
        setCode('');
      }}
    >
      <Field label={label}>
        <input id={id} value={code} autocomplete="off" onInput={({ currentTarget }) => setCode(currentTarget.value)} />
      </Field>
      <button type="submit">{action}</button>
    </form>
  );
};

const rejectionOf = (cart: ShoppingCart, code: string) =>
  cart.rejected_codes.find((each) => each.code === code.toUpperCase());

const addCode = async ({ api: { cart } }: OpenShop, code: string): Promise<CartResponse> => {
  const answer = await cart.promotions.add({ code });
  const rejected = rejectionOf(answer.cart, code);
  if (!rejected) return answer;
  await cart.promotions.remove({ code });
  throw new ShopRefusal(`${rejected.code} is not applied: ${rejected.reason}`);
};

const Codes = ({ shop, cart, run }: { shop: OpenShop; cart: ShoppingCart; run: Run }) => {
  const { promotions, giftCards } = shop.api.cart;
  return (
    <div class="codes">
      <CodeField
        id="promotion"
        label="Promotion code"
        action="Apply"
        send={(code) =>
          run(
            () => addCode(shop, code),
            () => `${code.toUpperCase()} is applied.`,
          )
        }
      />
      <CodeField
        id="gift-card"
        label="Gift card"
        action="Apply"
        send={(code) =>
          run(
            async () => {
              const answer = await giftCards.add({ code });
              storeCard(code);
              return answer;
            },
            () => 'The gift card is applied.',
          )
        }
      />
      <ul class="chips">
        {cart.promotion_codes.map((code) => (
          <li key={code}>
            {code}
            {rejectionOf(cart, code) && <small> (does not apply now: {rejectionOf(cart, code)!.reason})</small>}
            <button
              type="button"
              aria-label={`Remove ${code}`}
              onClick={() =>
                run(
                  () => promotions.remove({ code }),
                  () => `${code} is removed.`,
                )
              }
            >
              ×
            </button>
          </li>
        ))}
        {cart.gift_cards.map(({ code_last4: last }) => (
          <li key={last}>
            Gift card …{last}
            <button
              type="button"
              aria-label={`Remove the gift card ending in ${last}`}
              onClick={() =>
                run(
                  async () => {
                    const answer = await giftCards.remove({ code: last });
                    removeCard(last);
                    return answer;
                  },
                  () => 'The gift card is removed.',
                )
              }
            >
              ×
            </button>
          </li>
        ))}
      </ul>
    </div>
  );
};

const Totals = ({ cart }: { readonly cart: ShoppingCart }) => (
  <dl class="totals">
    <dt>Subtotal</dt>
    <dd>{money(cart.subtotal, cart.currency)}</dd>
    <Discounts promotions={cart.applied_promotions} currency={cart.currency} />
    {cart.gift_cards.map(({ code_last4: last, amount }) => (
      <div key={last}>
        <dt>Gift card …{last}</dt>
        <dd>−{money(amount, cart.currency)}</dd>
      </div>
    ))}
    <div class="whole">
      <dt>Total before delivery</dt>
      <dd>{money(cart.amount_due, cart.currency)}</dd>
    </div>
  </dl>
);

export const CartScreen = ({ shop, change, changed }: CartProps) => {
  const answer = useRequest(async () => (await shop.api.cart.get()).cart, [change], 'cart');
  const { message, run: work } = useAction();
  const run: Run = (ask, said = () => '') =>
    void work(async () => {
      try {
        const { cart } = await ask();
        changed(cart.item_count);
        return said(cart);
      } catch (problem) {
        changed();
        throw problem;
      }
    });
  const { value } = answer;
  if (value === null) return <LoadingOrError {...answer} />;
  if (value.items.length === 0)
    return (
      <div class="notice">
        <h1>Your cart is empty</h1>
        <Link class="go" to="/products">
          Browse products
        </Link>
        <p role="status">{message}</p>
      </div>
    );
  return (
    <>
      <h1>Your cart</h1>
      {value.warnings.map(({ message }) => (
        <p key={message} role="alert" class="warning">
          {message}
        </p>
      ))}
      <div class="two">
        <ul class="lines">
          {value.items.map((item) => (
            <Line key={item.id} shop={shop} item={item} currency={value.currency} run={run} />
          ))}
        </ul>
        <section class="sheet" aria-label="What it costs">
          <Codes shop={shop} cart={value} run={run} />
          <p role="status">{message}</p>
          <Totals cart={value} />
          <Link class="go" to="/checkout">
            Go to checkout
          </Link>
        </section>
      </div>
    </>
  );
};

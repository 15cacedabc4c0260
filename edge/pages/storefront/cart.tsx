// The cart: its lines, the codes and gift cards that lower what is due, and what changed since it was last seen.

import { useState } from 'preact/hooks';
import type { CartResponse, ShoppingCart } from '#proto/gen/client/message.ts';
import type { OpenShop } from './client.ts';
import { keepCard } from './kept_card.ts';
import { Field, money, Picture, sentenceOf, useAnswer, Waits } from './part.tsx';

interface CartProps {
  readonly shop: OpenShop;
  /** Counts the changes that other screens made. */
  readonly change: number;
  readonly changed: () => void;
}

export const CartScreen = ({ shop, change, changed }: CartProps) => {
  const { value, problem } = useAnswer(async () => (await shop.api.cart.get()).cart, [change]);
  const [told, setTold] = useState('');
  const [code, setCode] = useState('');
  const [card, setCard] = useState('');
  const does = async (work: () => Promise<CartResponse>, said = ''): Promise<void> => {
    try {
      await work();
      setTold(said);
    } catch (fault) {
      setTold(sentenceOf(fault));
    }
    changed();
  };
  if (value === null) return <Waits problem={problem} />;
  if (value.items.length === 0)
    return (
      <>
        <h1>Your cart</h1>
        <p>
          It is empty. <a href="#/products">Look around</a>
        </p>
      </>
    );
  const { api } = shop;
  return (
    <>
      <h1>Your cart</h1>
      {value.warnings.map(({ message }) => (
        <p key={message} role="alert">
          {message}
        </p>
      ))}
      <ul class="lines">
        {value.items.map((item) => (
          <li key={item.id}>
            <Picture url={item.thumbnail_url} name="" />
            <div>
              <b>{item.name}</b> {item.variant_name && <small>{item.variant_name}</small>}
              <p>{money(item.unit_price, value.currency)} each</p>
            </div>
            <Field label="Pieces">
              <input
                type="number"
                min={1}
                value={item.quantity}
                onChange={({ currentTarget }) => {
                  const quantity = Math.max(1, Math.floor(Number(currentTarget.value) || 1));
                  void does(() => api.cart.items.update({ item_id: item.id, quantity }));
                }}
              />
            </Field>
            <b>{money(item.total, value.currency)}</b>
            <button type="button" onClick={() => void does(() => api.cart.items.remove({ item_id: item.id }))}>
              Remove {item.name}
            </button>
          </li>
        ))}
      </ul>
      <form
        class="inline"
        onSubmit={(event) => {
          event.preventDefault();
          void does(() => api.cart.promotions.add({ code }), 'The code applies.');
        }}
      >
        <Field label="Promotion code">
          <input value={code} onInput={({ currentTarget }) => setCode(currentTarget.value)} />
        </Field>
        <button type="submit">Use the code</button>
      </form>
      <form
        class="inline"
        onSubmit={(event) => {
          event.preventDefault();
          void does(async () => {
            const kept = await api.cart.giftCards.add({ code: card });
            keepCard(card);
            return kept;
          }, 'The gift card pays its part.');
        }}
      >
        <Field label="Gift card">
          <input value={card} onInput={({ currentTarget }) => setCard(currentTarget.value)} />
        </Field>
        <button type="submit">Use the card</button>
      </form>
      <p role="status">{told}</p>
      <Totals cart={value} />
      <a class="go" href="#/checkout">
        Go to checkout
      </a>
    </>
  );
};

const Totals = ({ cart }: { readonly cart: ShoppingCart }) => (
  <dl class="totals">
    <dt>Goods</dt>
    <dd>{money(cart.subtotal, cart.currency)}</dd>
    {cart.applied_promotions.map(({ title, amount }) => (
      <>
        <dt>{title}</dt>
        <dd>−{money(amount, cart.currency)}</dd>
      </>
    ))}
    {cart.gift_cards.map(({ code_last4: last, amount }) => (
      <>
        <dt>Gift card …{last}</dt>
        <dd>−{money(amount, cart.currency)}</dd>
      </>
    ))}
    <dt>Due, without delivery</dt>
    <dd>
      <b>{money(cart.amount_due, cart.currency)}</b>
    </dd>
  </dl>
);

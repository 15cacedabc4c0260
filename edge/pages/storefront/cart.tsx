// Screen of the cart: lines, promotion codes, gift cards, and warnings about changes since the last visit.
import { useState } from 'preact/hooks';
import type { CartItem, CartResponse, ShoppingCart } from '#proto/gen/client/message.ts';
import { useRequest } from './answer.ts';
import type { OpenShop } from './client.ts';
import { Discounts, Field, LoadingOrError, Picture, QuantityField, useAction } from './component.tsx';
import { readCart } from './currency.ts';
import { removeCard, storeCard } from './gift_card.ts';
import { Link, useShopPath } from './link.tsx';
import { refusalText, ShopRefusal } from './refusal.ts';
import type { Text } from './wording.ts';
import { useWords } from './wording_context.ts';

interface CartProps {
  readonly shop: OpenShop;
  readonly change: number;
  readonly changed: (items?: number) => void;
}

type Run = (work: () => Promise<CartResponse>, said?: (cart: ShoppingCart) => string) => void;

interface LineProps {
  readonly shop: OpenShop;
  readonly item: CartItem;
  readonly currency: string;
  readonly run: Run;
}

/** Handles presses of the line's buttons while no script runs. Enter presses the first button, which is hidden. */
const LineForm = ({ id, item }: { readonly id: string; readonly item: CartItem }) => (
  <form id={id} hidden method="post" action={useShopPath('/cart')} onSubmit={(event) => event.preventDefault()}>
    <input type="hidden" name="item_id" value={item.id} />
    <button type="submit" />
  </form>
);

const Line = ({ shop, item, currency, run }: LineProps) => {
  const { name } = item;
  const { text, money } = useWords();
  const form = `line-${item.id}`;
  return (
    <li>
      <LineForm id={form} item={item} />
      <Picture url={item.thumbnail_url} name="" />
      <div>
        <b>{name}</b>
        {item.variant_name && <small>{item.variant_name}</small>}
        <small>{text('each', { price: money(item.unit_price, currency) })}</small>
        {!item.in_stock && <small class="gone">{text('sold_out')}</small>}
      </div>
      <QuantityField
        name={name}
        value={item.quantity}
        form={form}
        change={(quantity) => run(() => shop.api.cart.items.update({ item_id: item.id, quantity }))}
      />
      <b class="sum">{money(item.subtotal, currency)}</b>
      <button
        type="submit"
        form={form}
        name="step"
        value="0"
        class="plain"
        aria-label={text('remove_item', { name })}
        onClick={(event) => {
          event.preventDefault();
          run(
            () => shop.api.cart.items.remove({ item_id: item.id }),
            () => text('item_removed', { name }),
          );
        }}
      >
        {text('remove')}
      </button>
    </li>
  );
};

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

const reasonOf = ({ reason }: { readonly reason: string }, text: Text): string =>
  refusalText({ code: 'promotion_not_applicable', message: reason }, text);

const addCode = async ({ api: { cart } }: OpenShop, code: string, text: Text): Promise<CartResponse> => {
  const answer = await cart.promotions.add({ code });
  const rejected = rejectionOf(answer.cart, code);
  if (!rejected) return answer;
  await cart.promotions.remove({ code });
  throw new ShopRefusal(text('code_rejected', { code: rejected.code, reason: reasonOf(rejected, text) }));
};

const Codes = ({ shop, cart, run }: { shop: OpenShop; cart: ShoppingCart; run: Run }) => {
  const { text } = useWords();
  const { promotions, giftCards } = shop.api.cart;
  return (
    <div class="codes">
      <CodeField
        id="promotion"
        label={text('promotion_code')}
        action={text('apply')}
        send={(code) =>
          run(
            () => addCode(shop, code, text),
            () => text('code_applied', { code: code.toUpperCase() }),
          )
        }
      />
      <CodeField
        id="gift-card"
        label={text('gift_card')}
        action={text('apply')}
        send={(code) =>
          run(
            async () => {
              const answer = await giftCards.add({ code });
              storeCard(code);
              return answer;
            },
            () => text('card_applied'),
          )
        }
      />
      <ul class="chips">
        {cart.promotion_codes.map((code) => (
          <li key={code}>
            {code}
            {rejectionOf(cart, code) && (
              <small> {text('not_applied_now', { reason: reasonOf(rejectionOf(cart, code)!, text) })}</small>
            )}
            <button
              type="button"
              aria-label={text('remove_item', { name: code })}
              onClick={() =>
                run(
                  () => promotions.remove({ code }),
                  () => text('item_removed', { name: code }),
                )
              }
            >
              ×
            </button>
          </li>
        ))}
        {cart.gift_cards.map(({ code_last4: last }) => (
          <li key={last}>
            {text('card_ending', { last })}
            <button
              type="button"
              aria-label={text('card_remove', { last })}
              onClick={() =>
                run(
                  async () => {
                    const answer = await giftCards.remove({ code: last });
                    removeCard(last);
                    return answer;
                  },
                  () => text('card_removed'),
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

const Totals = ({ cart }: { readonly cart: ShoppingCart }) => {
  const { text, money } = useWords();
  return (
    <dl class="totals">
      <dt>{text('subtotal')}</dt>
      <dd>{money(cart.subtotal, cart.currency)}</dd>
      <Discounts promotions={cart.applied_promotions} currency={cart.currency} />
      {cart.gift_cards.map(({ code_last4: last, amount }) => (
        <div key={last}>
          <dt>{text('card_ending', { last })}</dt>
          <dd>−{money(amount, cart.currency)}</dd>
        </div>
      ))}
      <div class="whole">
        <dt>{text('before_delivery')}</dt>
        <dd>{money(cart.amount_due, cart.currency)}</dd>
      </div>
    </dl>
  );
};

export const CartScreen = ({ shop, change, changed }: CartProps) => {
  const { text } = useWords();
  const answer = useRequest(() => readCart(shop), [change], 'cart');
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
        <h1>{text('cart_empty')}</h1>
        <Link class="go" to="/products">
          {text('browse')}
        </Link>
        <p role="status">{message}</p>
      </div>
    );
  return (
    <>
      <h1>{text('your_cart')}</h1>
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
        <section class="sheet" aria-label={text('costs')}>
          <Codes shop={shop} cart={value} run={run} />
          <p role="status">{message}</p>
          <Totals cart={value} />
          <Link class="go" to="/checkout">
            {text('to_checkout')}
          </Link>
        </section>
      </div>
    </>
  );
};

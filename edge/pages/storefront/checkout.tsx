// The checkout: an intent holds the goods while the buyer says where they go; the store's own page takes the payment, and
// the buyer comes back to an order.

import { useState } from 'preact/hooks';
import type { AddressInput, CheckoutIntent, ShippingChoice } from '#proto/gen/client/message.ts';
import { type OpenShop, storeUrl } from './client.ts';
import { forgetCards, keptCards } from './kept_card.ts';
import { Field, money, sentenceOf, useAnswer, Waits } from './part.tsx';

const INTENT = 'stoa-shop-checkout';
const REQUIREMENTS: Readonly<Record<string, string>> = {
  missing_address: 'Say where it goes.',
  missing_email: 'Give an e-mail address.',
  missing_shipping_option: 'Choose how it travels.',
  not_deliverable: 'The shop does not deliver there: choose another place, or fetch it.',
};

interface CheckoutProps {
  readonly shop: OpenShop;
  readonly changed: () => void;
}

/** The checkout that this browser began, where it is not over; else a new one of what is in the cart. */
const openIntent = async ({ api }: OpenShop): Promise<CheckoutIntent | null> => {
  const known = localStorage.getItem(INTENT);
  if (known) {
    const { data } = await api.agent.checkoutIntents.get({ id: known });
    if (data.status === 'open' || data.status === 'ready' || data.status === 'completed') return data;
    localStorage.removeItem(INTENT);
  }
  const { cart } = await api.cart.get();
  if (cart.items.length === 0) return null;
  const { data } = await api.agent.checkoutIntents.create({
    items: cart.items.map(({ variant_id, quantity }) => ({ variant_id, quantity })),
    promotion_codes: cart.promotion_codes,
  });
  localStorage.setItem(INTENT, data.id);
  return data;
};

/** It was paid at the store's page: the cart has done its work. */
const finish = async ({ api }: OpenShop): Promise<void> => {
  localStorage.removeItem(INTENT);
  forgetCards();
  await api.cart.empty();
};

interface WhereProps {
  readonly intent: CheckoutIntent;
  readonly save: (change: { email: string; shipping_address: AddressInput }) => Promise<void>;
}

const Where = ({ intent, save }: WhereProps) => {
  const known = intent.shipping_address;
  const [email, setEmail] = useState(intent.email ?? '');
  const [line, setLine] = useState(known?.line1 ?? '');
  const [city, setCity] = useState(known?.city ?? '');
  const [country, setCountry] = useState(known?.country ?? 'KE');
  const [place, setPlace] = useState<{ latitude: number; longitude: number } | null>(null);
  const [told, setTold] = useState('');
  const locate = (): void =>
    navigator.geolocation.getCurrentPosition(
      ({ coords }) => {
        setPlace({ latitude: coords.latitude, longitude: coords.longitude });
        setTold('Your position is used.');
      },
      () => setTold('The browser does not tell where you are. The town is enough.'),
    );
  return (
    <form
      class="where"
      onSubmit={(event) => {
        event.preventDefault();
        void save({ email, shipping_address: { line1: line, city, country, ...place } });
      }}
    >
      <Field label="E-mail">
        <input
          id="email"
          type="email"
          required
          value={email}
          onInput={({ currentTarget }) => setEmail(currentTarget.value)}
        />
      </Field>
      <Field label="Street and number">
        <input id="line" required value={line} onInput={({ currentTarget }) => setLine(currentTarget.value)} />
      </Field>
      <Field label="Town or place">
        <input id="city" required value={city} onInput={({ currentTarget }) => setCity(currentTarget.value)} />
      </Field>
      <Field label="Country">
        <input
          id="country"
          required
          maxLength={2}
          value={country}
          onInput={({ currentTarget }) => setCountry(currentTarget.value.toUpperCase())}
        />
      </Field>
      <button type="button" onClick={locate}>
        Use my position
      </button>
      <p role="status">{told}</p>
      <button type="submit" class="go">
        Show how it can travel
      </button>
    </form>
  );
};

interface WaysProps {
  readonly options: readonly ShippingChoice[];
  readonly chosen: string | null;
  readonly choose: (id: string) => void;
}

const Ways = ({ options, chosen, choose }: WaysProps) => (
  <fieldset>
    <legend>How it travels</legend>
    {options
      .filter(({ available }) => available)
      .map((option) => (
        <label key={option.id} class="choice">
          <input type="radio" name="way" checked={option.id === chosen} onChange={() => choose(option.id)} />
          {option.method === 'pickup' ? `Fetch it at ${option.name}` : option.name}
          {option.estimate ? `, ${option.estimate}` : ''}:{' '}
          {option.is_free ? 'free' : money(option.fee, option.currency)}
        </label>
      ))}
  </fieldset>
);

const Sums = ({ intent }: { readonly intent: CheckoutIntent }) => (
  <dl class="totals">
    <dt>Goods</dt>
    <dd>{money(intent.subtotal, intent.currency)}</dd>
    {intent.discount_total > 0 && (
      <>
        <dt>Taken off</dt>
        <dd>−{money(intent.discount_total, intent.currency)}</dd>
      </>
    )}
    <dt>Delivery</dt>
    <dd>{money(intent.shipping_total, intent.currency)}</dd>
    <dt>{intent.tax_inclusive ? 'Tax, in the prices' : 'Tax'}</dt>
    <dd>{money(intent.tax_total, intent.currency)}</dd>
    <dt>Total</dt>
    <dd>
      <b>{money(intent.grand_total, intent.currency)}</b>
    </dd>
  </dl>
);

interface PayProps {
  /** The store's own page of this checkout. */
  readonly page: string;
  readonly intent: CheckoutIntent;
  readonly cards: readonly string[];
}

/** Gift cards are sent by a form: an address would stand in histories. */
const Pay = ({ page, intent, cards }: PayProps) =>
  cards.length === 0 ? (
    <a class="go" href={page}>
      Pay {money(intent.grand_total, intent.currency)}
    </a>
  ) : (
    <form method="post" action={page}>
      <input type="hidden" name="gift_card_codes" value={cards.join(' ')} />
      <button type="submit" class="go">
        Pay {money(intent.grand_total, intent.currency)}, with {cards.length === 1 ? 'a gift card' : 'gift cards'}
      </button>
    </form>
  );

export const CheckoutScreen = ({ shop, changed }: CheckoutProps) => {
  const [step, setStep] = useState(0);
  const [told, setTold] = useState('');
  const base = storeUrl(shop.setting);
  const { value, problem } = useAnswer(async () => {
    const intent = await openIntent(shop);
    if (intent?.status === 'completed') await finish(shop).then(changed);
    return { intent };
  }, [step]);
  if (value === null) return <Waits problem={problem} />;
  const { intent } = value;
  if (intent === null)
    return (
      <p>
        There is nothing to pay for. <a href="#/products">Look around</a>
      </p>
    );
  if (intent.status === 'completed')
    return (
      <>
        <h1>Thank you</h1>
        <p>Your order is placed and paid.</p>
        <a class="go" href={`${base}/orders/${intent.order_id}`}>
          See the order
        </a>
      </>
    );
  const update = async (change: object): Promise<void> => {
    try {
      await shop.api.agent.checkoutIntents.update({ id: intent.id, ...change });
      setTold('');
    } catch (fault) {
      setTold(sentenceOf(fault));
    }
    setStep((at) => at + 1);
  };
  return (
    <>
      <h1>Checkout</h1>
      <p>The goods are yours until {new Date(intent.expires_at).toLocaleTimeString()}.</p>
      <Where key={intent.id} intent={intent} save={update} />
      <p role="alert">{told}</p>
      {intent.shipping_options.length > 0 && (
        <Ways
          options={intent.shipping_options}
          chosen={intent.shipping_option_id}
          choose={(id) => void update({ shipping_option_id: id })}
        />
      )}
      <Sums intent={intent} />
      {intent.status === 'ready' ? (
        <Pay page={`${base}/checkout/${intent.id}`} intent={intent} cards={keptCards()} />
      ) : (
        <ul>
          {intent.requirements.map(({ code }) => (
            <li key={code}>{REQUIREMENTS[code] ?? code}</li>
          ))}
        </ul>
      )}
    </>
  );
};

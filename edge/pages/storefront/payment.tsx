// The part of the checkout that takes the payment: on this page with card fields, on the provider's page, or on the
// store's page if the shop has no server.
import { useState } from 'preact/hooks';
import type { CheckoutIntent, PaymentElement, PaymentMethod, StoreOrder } from '#proto/gen/client/message.ts';
import { goTo, noteChoice, shopUrl, showAddress } from './address.ts';
import { useRequest } from './answer.ts';
import { CardFields } from './card_fields.tsx';
import { type OpenShop, storeUrl } from './client.ts';
import { Loading, useAction } from './component.tsx';
import { storedCards } from './gift_card.ts';
import { closeIntent } from './intent.ts';
import { askServer, storedSession } from './server.ts';
import { ENGLISH, isTextName, type Text } from './wording.ts';
import { useWords } from './wording_context.ts';

/** Providers that can return to any URL; the first is preselected. */
const PROVIDERS = ['card_checkout', 'bank_africa'];

interface PayProps {
  readonly shop: OpenShop;
  readonly intent: CheckoutIntent;
  readonly paid: () => void;
  /** Reads the checkout again, whose total another page may have changed. */
  readonly refused: () => void;
}

/**
 * A button to the store's checkout page, which takes the payment if the shop has no server. Gift card codes are sent by
 * a form, because a URL with them would stay in browser histories.
 */
export const PayAtStore = ({ shop, intent }: Pick<PayProps, 'shop' | 'intent'>) => {
  const page = `${storeUrl(shop.setting)}/checkout/${intent.id}`;
  const { text, money } = useWords();
  const cards = storedCards();
  const amount = money(intent.grand_total, intent.currency);
  if (cards.length === 0)
    return (
      <a class="go" href={page}>
        {text('pay_amount', { amount })}
      </a>
    );
  return (
    <form method="post" action={page}>
      <input type="hidden" name="gift_card_codes" value={cards.join(' ')} />
      <button type="submit" class="go">
        {text(cards.length === 1 ? 'pay_with_card' : 'pay_with_cards', { amount })}
      </button>
    </form>
  );
};

/** Returns the name that the merchant gave; the shop's own text for a built-in provider that the API names in English. */
const methodName = ({ provider, name }: PaymentMethod, text: Text): string => {
  const own = `payment.${provider}`;
  return isTextName(own) && name === ENGLISH.text(own) ? text(own) : name;
};

const methodsOf = (methods: readonly PaymentMethod[], currency: string): readonly PaymentMethod[] =>
  methods.filter(
    ({ provider, currencies }) =>
      PROVIDERS.includes(provider) && (currencies.length === 0 || currencies.includes(currency)),
  );

interface StartedPayment {
  readonly checkout_url: string | null;
  readonly element: PaymentElement | null;
  readonly amount: number;
  readonly currency: string;
}

/** A payment that is made on this page: its card fields, and the amount that the order was placed at. */
type CardPayment = Pick<StartedPayment, 'amount' | 'currency'> & { readonly element: PaymentElement };

/**
 * Places the order and begins its payment. Returns the payment if it is made on this page; otherwise leaves for the
 * provider's page, or for the order's.
 */
const beginPayment = async (
  shop: OpenShop,
  intent: string,
  { provider, element: library }: Pick<PaymentMethod, 'provider' | 'element'>,
  /** That the shopper has seen; without one the order is placed already. */
  total?: number,
): Promise<CardPayment | null> => {
  const { access_token, expires_at } = storedSession() ?? {};
  const { checkout_url, element, amount, currency } = await askServer<StartedPayment>('pay', {
    intent,
    provider,
    ...(total !== undefined && { total: String(total) }),
    ...(library && { presentation: 'element' }),
    gift_cards: storedCards().join(' '),
    page: shopUrl(),
    ...(access_token && expires_at && { access_token, expires_at }),
  });
  await closeIntent(shop).catch(() => {});
  // A return to this history entry, or a reload, must show the order.
  if (element || checkout_url) noteChoice(`/orders/${intent}`);
  if (element) return { element, amount, currency };
  if (checkout_url) location.assign(checkout_url);
  else goTo(`/orders/${intent}`, true);
  return null;
};

interface PayByCardProps {
  readonly intent: string;
  readonly payment: CardPayment;
  readonly paid: () => void;
}

const PayByCard = ({ intent, payment: { element, amount, currency }, paid }: PayByCardProps) => (
  <CardFields
    element={element}
    amount={useWords().money(amount, currency)}
    returnUrl={`${shopUrl()}/orders/${intent}`}
    paid={paid}
  />
);

export const PayHere = ({ shop, intent, paid, refused }: PayProps) => {
  const { text, count, money } = useWords();
  const { value } = useRequest(
    async () => methodsOf((await shop.api.payments.methods.list()).methods, intent.currency),
    [intent.currency],
    'methods',
  );
  const [picked, setPicked] = useState<string | null>(null);
  const [card, setCard] = useState<CardPayment | null>(null);
  const { busy, message, run } = useAction();
  if (card) return <PayByCard intent={intent.id} payment={card} paid={showAddress} />;
  if (value === null) return <Loading />;
  if (value.length === 0) return <PayAtStore shop={shop} intent={intent} />;
  const method = value.find(({ provider }) => provider === picked) ?? value[0]!;
  const cards = storedCards().length;
  const pay = (): Promise<void> =>
    run(async () => {
      try {
        setCard(await beginPayment(shop, intent.id, method, intent.grand_total));
      } catch (problem) {
        refused();
        throw problem;
      }
      paid();
      return '';
    });
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        void pay();
      }}
    >
      <fieldset class="ways">
        <legend class="unseen">{text('payment_method')}</legend>
        {value.map((each) => (
          <label key={each.provider} class="way">
            <input
              type="radio"
              name="provider"
              checked={each.provider === method.provider}
              onChange={() => setPicked(each.provider)}
            />
            <span>
              <b>{methodName(each, text)}</b>
              {each.environment === 'sandbox' && <small>{text('simulated')}</small>}
            </span>
          </label>
        ))}
      </fieldset>
      {cards > 0 && <p class="soft">{count(cards, 'cards_first')}</p>}
      <button type="submit" class="go wide" aria-disabled={busy}>
        {busy ? text('processing') : text('pay_amount', { amount: money(intent.grand_total, intent.currency) })}
      </button>
      <p role="alert">{message}</p>
    </form>
  );
};

interface PayAgainProps {
  readonly shop: OpenShop;
  /** Id of the checkout. */
  readonly id: string;
  readonly order: StoreOrder;
}

export const PayAgain = ({ shop, id, order }: PayAgainProps) => {
  const { text, money } = useWords();
  const [card, setCard] = useState<CardPayment | null>(null);
  const { busy, message, run } = useAction();
  if (card) return <PayByCard intent={id} payment={card} paid={() => location.reload()} />;
  const pay = async (): Promise<string> => {
    const { methods } = await shop.api.payments.methods.list();
    const [method = { provider: PROVIDERS[0]!, element: null }] = methodsOf(methods, order.currency);
    setCard(await beginPayment(shop, id, method));
    return '';
  };
  return (
    <>
      <button type="button" class="go" aria-disabled={busy} onClick={() => void run(pay)}>
        {text('pay_amount', { amount: money(order.amount_due, order.currency) })}
      </button>
      <p role="alert">{message}</p>
    </>
  );
};

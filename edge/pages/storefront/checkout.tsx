// Screen of the checkout. An intent reserves the items while the buyer enters address and delivery; after the payment
// the buyer returns to the order.
import { useState } from 'preact/hooks';
import type { CheckoutIntent, ShippingChoice } from '#proto/gen/client/message.ts';
import { goTo } from './address.ts';
import { AddressForm, type DeliveryInput } from './address_form.tsx';
import { errorText, useRequest } from './answer.ts';
import type { OpenShop } from './client.ts';
import { Discounts, LoadingOrError, Picture } from './component.tsx';
import { arrivalOf, deliveryName, isDeliveryFree, zoneOf } from './delivery.ts';
import { closeIntent, openIntent } from './intent.ts';
import { Link } from './link.tsx';
import { AddressLines } from './order.tsx';
import { PayAtStore, PayHere } from './payment.tsx';
import { useProductNames } from './product_name.ts';
import type { TextName, Words } from './wording.ts';
import { useWords } from './wording_context.ts';

/** Requirements that a shopper can meet here. */
const REQUIREMENTS: Readonly<Record<string, TextName>> = {
  missing_address: 'missing.missing_address',
  missing_email: 'missing.missing_email',
  missing_shipping_option: 'missing.missing_shipping_option',
  not_deliverable: 'missing.not_deliverable',
};

interface DeliveryOptionsProps {
  readonly options: readonly ShippingChoice[];
  readonly free: boolean;
  readonly chosen: string | null;
  readonly choose: (id: string) => void;
}

const optionDetails = (option: ShippingChoice, words: Words): string => {
  const { location } = option;
  if (option.method !== 'pickup' || !location)
    return [zoneOf(option.id, option.name), arrivalOf(option, words)].filter(Boolean).join(', ');
  return [location.address.line1, location.address.city, location.hours].filter(Boolean).join(', ');
};

const DeliveryOptions = ({ options, free, chosen, choose }: DeliveryOptionsProps) => {
  const words = useWords();
  const { text, deliveryFee } = words;
  return (
    <fieldset class="ways">
      <legend class="unseen">{text('delivery_method')}</legend>
      {options.map((option) => (
        <label key={option.id} class="way">
          <input
            type="radio"
            name="way"
            disabled={!option.available}
            checked={option.id === chosen}
            onChange={() => choose(option.id)}
          />
          <span>
            <b>{deliveryName(option.id, option.name, text)}</b>
            <small>{option.available ? optionDetails(option, words) : text('larger_orders')}</small>
          </span>
          <b>{free || option.is_free ? text('free') : deliveryFee(option.fee, option.currency)}</b>
        </label>
      ))}
    </fieldset>
  );
};

const Summary = ({ shop, intent }: { readonly shop: OpenShop; readonly intent: CheckoutIntent }) => {
  const nameOf = useProductNames(shop, intent.lines);
  const words = useWords();
  const { text, money } = words;
  const { currency } = intent;
  const way = intent.shipping_option_id !== null || !intent.requires_shipping;
  const located = intent.shipping_address !== null || !intent.requires_shipping;
  return (
    <section class="sheet" aria-labelledby="bought">
      <h2 id="bought">{text('your_order')}</h2>
      <ul class="bought">
        {intent.lines.map((line) => (
          <li key={line.id}>
            <Picture url={line.thumbnail_url} name="" />
            <span>
              {nameOf(line)}
              <small>
                {line.variant_name ? `${line.variant_name}, ` : ''}
                {words.count(line.quantity, 'item')}
              </small>
            </span>
            <span>{money(line.subtotal, currency)}</span>
          </li>
        ))}
      </ul>
      <dl class="totals">
        <dt>{text('subtotal')}</dt>
        <dd>{money(intent.subtotal, currency)}</dd>
        <Discounts promotions={intent.applied_promotions} currency={currency} />
        <dt>{text('delivery')}</dt>
        <dd>{way ? words.deliveryFee(intent.shipping_total, currency) : text('chosen_later')}</dd>
        <dt>{text(intent.tax_inclusive ? 'tax_included' : 'tax')}</dt>
        <dd>{located ? money(intent.tax_total, currency) : text('depends_on_address')}</dd>
        <div class="whole">
          <dt>{text(located && way ? 'total' : 'total_so_far')}</dt>
          <dd>{money(intent.grand_total, currency)}</dd>
        </div>
      </dl>
      <p class="soft">
        {text('held_until', { time: words.clock(intent.expires_at) })} <Link to="/cart">{text('change_cart')}</Link>
      </p>
    </section>
  );
};

interface CheckoutProps {
  readonly shop: OpenShop;
  readonly changed: () => void;
}

export const CheckoutScreen = ({ shop, changed }: CheckoutProps) => {
  const { text } = useWords();
  const [step, setStep] = useState(0);
  const [message, setMessage] = useState('');
  const answer = useRequest(() => openIntent(shop).then((intent) => ({ intent })), [step]);
  const { value, busy } = answer;
  if (value === null)
    return (
      <>
        <h1>{text('checkout')}</h1>
        <LoadingOrError {...answer} />
        {answer.problem && <Link to="/cart">{text('back_to_cart')}</Link>}
      </>
    );
  const { intent } = value;
  if (intent === null)
    return (
      <div class="notice">
        <h1>{text('cart_empty')}</h1>
        <Link class="go" to="/products">
          {text('browse')}
        </Link>
      </div>
    );
  if (intent.status === 'completed') {
    void closeIntent(shop).then(
      () => changed(),
      () => {},
    );
    goTo(`/orders/${intent.id}`, true);
    return null;
  }
  const update: StepsProps['update'] = async (change) => {
    try {
      await shop.api.agent.checkoutIntents.update({ id: intent.id, ...change });
      setMessage('');
      return true;
    } catch (problem) {
      setMessage(errorText(problem, text));
      return false;
    } finally {
      setStep((at) => at + 1);
    }
  };
  const refused = (): void => setStep((at) => at + 1);
  return <Steps {...{ shop, intent, busy, message, update, refused, changed }} />;
};

interface StepsProps {
  readonly shop: OpenShop;
  readonly intent: CheckoutIntent;
  readonly busy: boolean;
  readonly message: string;
  readonly update: (change: Partial<DeliveryInput> & { readonly shipping_option_id?: string }) => Promise<boolean>;
  readonly refused: () => void;
  readonly changed: () => void;
}

const Steps = ({ shop, intent, busy, message, update, refused, changed }: StepsProps) => {
  const { text } = useWords();
  const known = intent.email !== null && (intent.shipping_address !== null || !intent.requires_shipping);
  const [editing, setEditing] = useState(!known);
  const asks = known && !editing;
  const Pay = shop.setting.server ? PayHere : PayAtStore;
  return (
    <>
      <h1>{text('checkout')}</h1>
      <div class="two" aria-busy={busy}>
        <div>
          <section class="sheet" aria-labelledby="where">
            <h2 id="where">1. {text('delivery_address')}</h2>
            {asks ? (
              <SavedAddress intent={intent} change={() => setEditing(true)} />
            ) : (
              <AddressForm
                key={intent.id}
                shop={shop}
                intent={intent}
                save={async (said) => setEditing(!(await update(said)))}
              />
            )}
            <p role="alert">{message}</p>
          </section>
          {asks && intent.requires_shipping && (
            <section class="sheet" aria-labelledby="how">
              <h2 id="how">2. {text('delivery_method')}</h2>
              <DeliveryOptions
                options={intent.shipping_options}
                free={isDeliveryFree(intent)}
                chosen={intent.shipping_option_id}
                choose={(id) => void update({ shipping_option_id: id })}
              />
            </section>
          )}
          {asks && (
            <section class="sheet" aria-labelledby="pay">
              <h2 id="pay">
                {intent.requires_shipping ? '3' : '2'}. {text('pay')}
              </h2>
              {intent.status === 'ready' ? (
                <Pay shop={shop} intent={intent} paid={changed} refused={refused} />
              ) : (
                <ul class="soft">
                  {intent.requirements.map(({ code }) => (
                    <li key={code}>{REQUIREMENTS[code] ? text(REQUIREMENTS[code]) : code}</li>
                  ))}
                </ul>
              )}
            </section>
          )}
        </div>
        <Summary shop={shop} intent={intent} />
      </div>
    </>
  );
};

const SavedAddress = ({ intent, change }: { readonly intent: CheckoutIntent; readonly change: () => void }) => {
  const { text } = useWords();
  const { email, shipping_address: place, billing_address: billing } = intent;
  return (
    <>
      <p>{email}</p>
      {place && <AddressLines place={place} />}
      {place?.latitude != null && (
        <p class="soft">{text('pin_at', { latitude: place.latitude, longitude: place.longitude ?? '' })}</p>
      )}
      {billing && (
        <>
          <h3>{text('billing_address')}</h3>
          <AddressLines place={billing} />
        </>
      )}
      <button type="button" class="plain" onClick={change}>
        {text('change')}
      </button>
    </>
  );
};

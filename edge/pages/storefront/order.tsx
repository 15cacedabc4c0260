// Screen of an order: progress, items, totals and parcels, and the form that requests a return.
import { useState } from 'preact/hooks';
import type { Address, StoreOrder } from '#proto/gen/client/message.ts';
import { useRequest } from './answer.ts';
import type { OpenShop } from './client.ts';
import { Field, useAction } from './component.tsx';
import { countryName } from './country.ts';
import { deliveryName } from './delivery.ts';
import { useWords } from './wording_context.ts';

const STEPS = ['placed', 'paid', 'packed', 'shipped', 'delivered'] as const;
const PACKED = 2;

const stepOf = ({ order_status: status, payment_status: payment }: StoreOrder): number => {
  const at = ['processing', 'shipped', 'delivered'].indexOf(status);
  if (at >= 0) return PACKED + 1 + at;
  return payment === 'pending' || payment === 'failed' || payment === 'voided' ? 1 : PACKED;
};

const Steps = ({ order }: { readonly order: StoreOrder }) => {
  const { text } = useWords();
  const done = stepOf(order);
  if (order.order_status === 'cancelled') return <p class="gone">{text('order_cancelled')}</p>;
  return (
    <ol class="steps">
      {STEPS.map((step, at) => (
        <li key={step} class={at < done ? 'done' : ''} aria-current={at === done - 1 ? 'step' : undefined}>
          {text(`step.${step}`)}
        </li>
      ))}
    </ol>
  );
};

const Totals = ({ order }: { readonly order: StoreOrder }) => {
  const { text, money, deliveryFee } = useWords();
  const { currency } = order;
  const given = order.gift_card_total + order.store_credit_total;
  return (
    <dl class="totals">
      <dt>{text('subtotal')}</dt>
      <dd>{money(order.subtotal, currency)}</dd>
      {order.discount_total > 0 && (
        <div>
          <dt>{text('discount')}</dt>
          <dd>−{money(order.discount_total, currency)}</dd>
        </div>
      )}
      <dt>{text('delivery')}</dt>
      <dd>{deliveryFee(order.shipping_total, currency)}</dd>
      <dt>{text('tax')}</dt>
      <dd>{money(order.tax_total, currency)}</dd>
      <div class="whole">
        <dt>{text('total')}</dt>
        <dd>{money(order.total_amount, currency)}</dd>
      </div>
      {given > 0 && (
        <div>
          <dt>{text('paid_by_credit')}</dt>
          <dd>−{money(given, currency)}</dd>
        </div>
      )}
      {order.amount_refunded > 0 && (
        <div>
          <dt>{text('refunded')}</dt>
          <dd>{money(order.amount_refunded, currency)}</dd>
        </div>
      )}
    </dl>
  );
};

export const AddressLines = ({ place }: { readonly place: Address }) => {
  const { language } = useWords();
  return (
    <address>
      {[
        [place.first_name, place.last_name].filter(Boolean).join(' '),
        place.company,
        place.line1,
        place.line2,
        [place.postal_code, place.city].filter(Boolean).join(' '),
        place.state,
        place.country && countryName(place.country, language),
        place.phone,
      ]
        .filter(Boolean)
        .map((line, at) => (
          <span key={at}>{line}</span>
        ))}
    </address>
  );
};

/** Returns the order's shipments; if there are none, a parcel with the order's tracking number. */
const parcelsOf = ({ shipments, carrier, tracking_number, tracking_url, updated_at }: StoreOrder) => {
  if (shipments.length > 0) return shipments;
  return tracking_number || carrier ? [{ carrier, tracking_number, tracking_url, created_at: updated_at }] : [];
};

const Parcels = ({ order }: { readonly order: StoreOrder }) => {
  const { text, date } = useWords();
  const parcels = parcelsOf(order);
  if (parcels.length === 0) return null;
  return (
    <ul class="parcels" aria-label={text('parcels')}>
      {parcels.map(({ carrier, tracking_number: number, tracking_url: url, created_at: sent }) => (
        <li key={`${carrier} ${number} ${sent}`}>
          <span>{carrier ? text('sent_with', { date: date(sent), carrier }) : text('sent', { date: date(sent) })}</span>
          {number && <b>{number}</b>}
          {url && /^https?:/.test(url) && <a href={url}>{text('follow_parcel')}</a>}
        </li>
      ))}
    </ul>
  );
};

export const OrderDetails = ({ order }: { readonly order: StoreOrder }) => {
  const { text, money, date } = useWords();
  const place = order.shipping_address;
  return (
    <>
      <Steps order={order} />
      <div class="two">
        <section class="sheet" aria-label={text('bought')}>
          <ul class="bought">
            {order.items.map((item) => (
              <li key={item.id}>
                <span>
                  {item.quantity} × {item.name} {item.variant_name && <small>{item.variant_name}</small>}
                  {item.quantity_returned > 0 && <small> {text('returned', { count: item.quantity_returned })}</small>}
                </span>
                <span>{money(item.subtotal, order.currency)}</span>
              </li>
            ))}
          </ul>
          <Totals order={order} />
        </section>
        <section class="sheet" aria-label={text('delivery')}>
          {order.shipping_option_name && (
            <p>
              <b>{deliveryName(order.shipping_option_id, order.shipping_option_name, text)}</b>
            </p>
          )}
          {place && <AddressLines place={place} />}
          <Parcels order={order} />
          <p class="soft">
            {order.email}
            <br />
            {date(order.created_at)}
          </p>
        </section>
      </div>
    </>
  );
};

const REASONS = ['no_longer_needed', 'wrong_size', 'damaged', 'defective', 'wrong_item', 'not_as_described'] as const;
type Reason = (typeof REASONS)[number];

const RESOLUTIONS = ['full_refund', 'exchange', 'store_credit'] as const;
type Resolution = (typeof RESOLUTIONS)[number];

interface ReturnProps {
  readonly shop: OpenShop;
  readonly order: StoreOrder;
}

const ReturnForm = ({ shop, order, asked }: ReturnProps & { readonly asked: () => void }) => {
  const { text } = useWords();
  const items = order.items.filter((item) => item.quantity > item.quantity_returned);
  const [picked, setPicked] = useState<readonly string[]>(items.map(({ id }) => id));
  const [reason, setReason] = useState<Reason>('no_longer_needed');
  const [resolution, setResolution] = useState<Resolution>('full_refund');
  const { busy, message, run } = useAction();
  const send = (): Promise<void> =>
    run(async () => {
      await shop.api.orders.returns.create({
        id: order.id,
        reason_code: reason,
        resolution,
        items: items
          .filter(({ id }) => picked.includes(id))
          .map((item) => ({ order_item_id: item.id, quantity: item.quantity - item.quantity_returned })),
      });
      asked();
      return '';
    });
  return (
    <form
      class="form"
      onSubmit={(event) => {
        event.preventDefault();
        void send();
      }}
    >
      <fieldset>
        <legend>{text('return_items')}</legend>
        {items.map(({ id, name, quantity, quantity_returned: returned }) => (
          <label key={id} class="choice">
            <input
              type="checkbox"
              checked={picked.includes(id)}
              onChange={() => setPicked(picked.includes(id) ? picked.filter((each) => each !== id) : [...picked, id])}
            />
            <span>
              {quantity - returned} × {name}
            </span>
          </label>
        ))}
      </fieldset>
      <Field label={text('return_reason')}>
        <select id="reason" value={reason} onChange={({ currentTarget }) => setReason(currentTarget.value as Reason)}>
          {REASONS.map((code) => (
            <option key={code} value={code}>
              {text(`reason.${code}`)}
            </option>
          ))}
        </select>
      </Field>
      <Field label={text('return_wish')}>
        <select value={resolution} onChange={({ currentTarget }) => setResolution(currentTarget.value as Resolution)}>
          {RESOLUTIONS.map((code) => (
            <option key={code} value={code}>
              {text(`resolution.${code}`)}
            </option>
          ))}
        </select>
      </Field>
      <button type="submit" class="go" disabled={picked.length === 0} aria-disabled={busy}>
        {text('return_request')}
      </button>
      <p role="status">{message}</p>
    </form>
  );
};

export const Returns = ({ shop, order }: ReturnProps) => {
  const words = useWords();
  const { text, money } = words;
  const [change, setChange] = useState(0);
  const { value } = useRequest(async () => {
    const { data } = await shop.api.returns.list({ order_id: order.id });
    return data;
  }, [order.id, change]);
  const wait = order.order_status === 'shipped' || order.order_status === 'delivered';
  const ended = order.return_window_ends_at !== null && new Date(order.return_window_ends_at).getTime() < Date.now();
  const all = order.items.every((item) => item.quantity_returned >= item.quantity);
  const open = value?.some(({ status }) => ['requested', 'approved', 'received'].includes(status)) ?? true;
  return (
    <section aria-labelledby="returns">
      <h2 id="returns">{text('returns')}</h2>
      {value?.map((each) => (
        <p key={each.id} class="note" role="status">
          <b>{text(`return.${each.status}`)}.</b>{' '}
          {words.count(
            each.items.reduce((sum, one) => sum + one.quantity, 0),
            'item',
          )}
          {each.refund_amount !== null &&
            `, ${text('money_back', { amount: money(each.refund_amount, each.currency) })}`}
          {each.note && ` “${each.note}”`}
        </p>
      ))}
      {!wait && <p class="soft">{text('return_early')}</p>}
      {wait && ended && <p class="soft">{text('return_late')}</p>}
      {wait && !ended && !all && !open && (
        <ReturnForm shop={shop} order={order} asked={() => setChange((at) => at + 1)} />
      )}
    </section>
  );
};

// Tab of a sandbox's orders: search, details, shipping and refunds.
import { useEffect, useState } from 'preact/hooks';
import { amountText, money } from '#edge/pages/amount.ts';
import type { Api } from './api.ts';
import { AmountField, ParcelFields, type ParcelInput } from './field.tsx';
import { type ConsoleAction, momentOf, useAction, usePolling } from './polling.ts';

interface Agent {
  readonly name: string;
  readonly protocol: string;
}

interface Line {
  readonly id: string;
  readonly name: string;
  readonly variant_name: string | null;
  readonly quantity: number;
  readonly quantity_fulfilled: number;
  readonly total: number;
}

interface Order {
  readonly id: string;
  readonly order_number: string;
  readonly email: string | null;
  readonly order_status: string;
  readonly payment_status: string;
  readonly currency: string;
  readonly total_amount: number;
  readonly amount_due: number;
  readonly amount_paid: number;
  readonly amount_refunded: number;
  readonly items: readonly Line[];
  readonly checkout_group_id: string | null;
  readonly checkout_intent_id: string | null;
  readonly agent: Agent | null;
  readonly created_at: string;
}

const POLL_MS = 5_000;
const TONES: Readonly<Record<string, string>> = {
  paid: 'go',
  delivered: 'go',
  cancelled: 'no',
  failed: 'no',
  refunded: 'warn',
};

const StatusBadge = ({ text }: { readonly text: string }) => (
  <span class={`sign ${TONES[text] ?? ''}`}>{text.replaceAll('_', ' ')}</span>
);

interface FormProps {
  readonly api: Api;
  readonly order: Order;
  readonly work: ConsoleAction;
}

const Ship = ({ api, order, work }: FormProps) => {
  const [parcel, setParcel] = useState<ParcelInput>({ carrier: '', tracking: '' });
  const { carrier, tracking } = parcel;
  const ship = async (): Promise<string> => {
    await api.post(`/v1/orders/${order.id}/shipments`, { carrier, tracking_number: tracking });
    return `Order ${order.order_number} is shipped.`;
  };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        void work.run(ship);
      }}
    >
      <h3>Ship</h3>
      <ParcelFields parcel={parcel} set={setParcel} />
      <button type="submit" disabled={work.busy || carrier === '' || tracking === ''}>
        Record the shipment
      </button>
    </form>
  );
};

const Refund = ({ api, order, work }: FormProps) => {
  const [amount, setAmount] = useState('');
  const [reason, setReason] = useState('');
  const refund = async (): Promise<string> => {
    await api.post(`/v1/orders/${order.id}/refunds`, { amount: Number(amount), ...(reason === '' ? {} : { reason }) });
    setAmount('');
    return `${money(Number(amount), order.currency)} of order ${order.order_number} is refunded.`;
  };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        void work.run(refund);
      }}
    >
      <h3>Refund</h3>
      <AmountField name="amount" label={`Amount in ${order.currency}`} value={amount} set={setAmount} />
      <label>
        Reason
        <input name="reason" value={reason} onInput={({ currentTarget }) => setReason(currentTarget.value)} />
      </label>
      <button type="submit" disabled={work.busy || !(Number(amount) > 0)}>
        Refund
      </button>
    </form>
  );
};

const Agents = ({ api, order }: { readonly api: Api; readonly order: Order }) => {
  const [began, setBegan] = useState<Agent | null>(null);
  const { checkout_intent_id: checkout, agent } = order;
  useEffect(() => {
    if (checkout !== null)
      api.get(`/v1/agent/checkout-intents/${checkout}`).then(
        ({ body }) => setBegan(body.data.agent),
        () => setBegan(null),
      );
  }, [api, checkout]);
  if (checkout === null || (began === null && agent === null)) return null;
  const named = ({ name, protocol }: Agent): string => `${name} over ${protocol.toUpperCase()}`;
  return (
    <p class="assistants">
      Checkout <code>{checkout}</code>
      {began && `, started by ${named(began)}`}, completed by {agent ? named(agent) : 'the buyer'}.
    </p>
  );
};

const Lines = ({ order }: { readonly order: Order }) => (
  <div class="wide agreed">
    <table>
      <thead>
        <tr>
          <th>Item</th>
          <th class="number">Quantity</th>
          <th class="number">Shipped</th>
          <th class="number">{order.currency}</th>
        </tr>
      </thead>
      <tbody>
        {order.items.map(({ id, name, variant_name, quantity, quantity_fulfilled, total }) => (
          <tr key={id}>
            <td>
              {name} {variant_name && <small>{variant_name}</small>}
            </td>
            <td class="number">{quantity}</td>
            <td class="number">{quantity_fulfilled}</td>
            <td class="number">{amountText(total, order.currency)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  </div>
);

export const Orders = ({ api }: { readonly api: Api }) => {
  const [number, setNumber] = useState('');
  const [open, setOpen] = useState('');
  const { value, problem, refresh } = usePolling(async () => {
    const filter = number === '' ? '' : `&order_number=${encodeURIComponent(number)}`;
    return (await api.get(`/v1/orders?limit=50${filter}`)).body.orders as Order[];
  }, POLL_MS);
  const work = useAction(refresh);
  return (
    <>
      <label>
        Order number
        <input
          id="number"
          value={number}
          placeholder="1001"
          onInput={({ currentTarget }) => setNumber(currentTarget.value.trim())}
          onChange={refresh}
        />
      </label>
      <p role="status">{problem || work.message}</p>
      {value?.length === 0 && (
        <p id="none">{number === '' ? 'The store has no orders yet.' : `There is no order ${number}.`}</p>
      )}
      <div id="orders">
        {value?.map((order) => (
          <details
            key={order.id}
            open={open === order.id}
            onToggle={({ currentTarget }) => {
              if (currentTarget.open) setOpen(order.id);
              else if (open === order.id) setOpen('');
            }}
          >
            <summary>
              <b>{order.order_number}</b> {money(order.total_amount, order.currency)}{' '}
              <time>{momentOf(order.created_at)}</time>
              {order.agent && <small> {order.agent.name}</small>}
              <StatusBadge text={order.order_status} />
              <StatusBadge text={order.payment_status} />
            </summary>
            <p>
              {order.email} <code>{order.id}</code>
            </p>
            {order.checkout_group_id && (
              <p>
                Part of the checkout <code>{order.checkout_group_id}</code>, which its operator placed.
              </p>
            )}
            {open === order.id && <Agents api={api} order={order} />}
            <Lines order={order} />
            <p>
              Paid {amountText(order.amount_paid, order.currency)}, due {amountText(order.amount_due, order.currency)},
              refunded {money(order.amount_refunded, order.currency)}.
            </p>
            {open === order.id && (
              <div class="forms">
                <Ship api={api} order={order} work={work} />
                <Refund api={api} order={order} work={work} />
              </div>
            )}
            <details>
              <summary>JSON</summary>
              <pre>{JSON.stringify(order, null, 2)}</pre>
            </details>
          </details>
        ))}
      </div>
    </>
  );
};

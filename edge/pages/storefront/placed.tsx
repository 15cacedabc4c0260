// What became of a checkout: its order, whether it is paid, and where not, another try.
import { useEffect, useState } from 'preact/hooks';
import type { StoreOrder } from '#proto/gen/client/message.ts';
import { beginPayment, PROVIDERS } from './checkout.tsx';
import { type OpenShop, storeUrl } from './client.ts';
import { OrderShown } from './order.tsx';
import { money, useAnswer, useWork, Waits } from './part.tsx';
import { askServer, storedSession } from './server.ts';

const LOOK_MS = 2_500;
const LOOKS_MAX = 8;

interface PlacedProps {
  readonly shop: OpenShop;
  /** The checkout. */
  readonly id: string;
}

/** Without a server of its own the shop knows no orders: the store's page shows them. */
const AtStore = ({ shop, id }: PlacedProps) => {
  const answer = useAnswer(async () => (await shop.api.agent.checkoutIntents.get({ id })).data, [id]);
  const { value } = answer;
  if (value === null) return <Waits {...answer} />;
  if (value.order_id === null)
    return (
      <p>
        It is no order yet. <a href="#/checkout">Back to the checkout</a>
      </p>
    );
  return (
    <div class="notice">
      <h1>Thank you</h1>
      <p>Your order is placed.</p>
      <a class="go" href={`${storeUrl(shop.setting)}/checkout/${id}`}>
        See the order
      </a>
    </div>
  );
};

const PayAgain = ({ shop, id, order }: PlacedProps & { readonly order: StoreOrder }) => {
  const { busy, told, run } = useWork();
  return (
    <>
      <button
        type="button"
        class="go"
        aria-disabled={busy}
        onClick={() => void run(() => beginPayment(shop, id, PROVIDERS[0]!).then(() => ''))}
      >
        Pay {money(order.amount_due, order.currency)}
      </button>
      <p role="alert">{told}</p>
    </>
  );
};

const isDue = (order: StoreOrder): boolean => order.amount_due > 0 && order.order_status !== 'cancelled';

const unpaidSentence = ({ payment_status: status, order_number: number }: StoreOrder): string =>
  status === 'failed' ? `Nothing was taken. Order ${number} is kept for you: pay it again.` : 'It is not paid yet.';

const headingOf = (order: StoreOrder): string => {
  if (!isDue(order)) return 'Thank you';
  return order.payment_status === 'failed' ? 'The payment was declined' : `Order ${order.order_number} is placed`;
};

/** Who is signed in with the address of the order follows it at once. */
const Next = ({ order }: { readonly order: StoreOrder }) => {
  const own = storedSession()?.email.toLowerCase() === order.email.toLowerCase();
  return own ? (
    <>
      <a href={`#/account/${order.order_number}`}>Follow the order</a>
      {order.customer_id && ', or send something back'}.
    </>
  ) : (
    <>
      <a href="#/account">Sign in</a> with that address to follow it, or to send something back.
    </>
  );
};

const AtShop = ({ shop, id }: PlacedProps) => {
  const [looks, setLooks] = useState(0);
  const answer = useAnswer(
    () =>
      askServer<{ order: StoreOrder | null }>('placed', {
        intent: id,
      }),
    [id, looks],
  );
  const order = answer.value?.order ?? null;
  const waits = order !== null && isDue(order) && looks < LOOKS_MAX;
  useEffect(() => {
    if (!waits || answer.busy) return;
    const timer = setTimeout(() => setLooks((at) => at + 1), LOOK_MS);
    return () => clearTimeout(timer);
  }, [waits, answer.busy, looks]);
  if (answer.value === null) return <Waits {...answer} />;
  if (order === null)
    return (
      <p>
        It is no order yet. <a href="#/checkout">Back to the checkout</a>
      </p>
    );
  return (
    <>
      <h1>{headingOf(order)}</h1>
      {isDue(order) ? (
        <div class="note">
          <p role="status">{unpaidSentence(order)}</p>
          <PayAgain shop={shop} id={id} order={order} />
        </div>
      ) : (
        <p role="status">
          Order <b>{order.order_number}</b> is {order.order_status === 'cancelled' ? 'cancelled' : 'with the shop'}.
          What comes next is written to {order.email}. <Next order={order} />
        </p>
      )}
      <OrderShown order={order} />
    </>
  );
};

export const PlacedScreen = (props: PlacedProps) =>
  props.shop.setting.server ? <AtShop {...props} /> : <AtStore {...props} />;

// Screen after a checkout: the order, whether it is paid, and a button to pay again.
import { useEffect, useState } from 'preact/hooks';
import type { StoreOrder } from '#proto/gen/client/message.ts';
import { useRequest } from './answer.ts';
import { beginPayment, PROVIDERS } from './checkout.tsx';
import { type OpenShop, storeUrl } from './client.ts';
import { LoadingOrError, money, useAction } from './component.tsx';
import { Link } from './link.tsx';
import { OrderDetails } from './order.tsx';
import { askServer, storedSession } from './server.ts';

const POLL_MS = 2_500;
const POLLS_MAX = 8;

interface PlacedProps {
  readonly shop: OpenShop;
  readonly id: string;
}

/** Links to the order on the store's page, because a shop without a server cannot read orders. */
const AtStore = ({ shop, id }: PlacedProps) => {
  const answer = useRequest(async () => (await shop.api.agent.checkoutIntents.get({ id })).data, [id]);
  const { value } = answer;
  if (value === null) return <LoadingOrError {...answer} />;
  if (value.order_id === null)
    return (
      <p>
        This checkout has no order yet. <Link to="/checkout">Back to the checkout</Link>
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
  const { busy, message, run } = useAction();
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
      <p role="alert">{message}</p>
    </>
  );
};

const isDue = (order: StoreOrder): boolean => order.amount_due > 0 && order.order_status !== 'cancelled';

const unpaidSentence = ({ payment_status: status, order_number: number }: StoreOrder): string =>
  status === 'failed'
    ? `No money was taken. Order ${number} is reserved for you. Try the payment again.`
    : 'It is not paid yet.';

const headingOf = (order: StoreOrder): string => {
  if (!isDue(order)) return 'Thank you';
  return order.payment_status === 'failed' ? 'The payment was declined' : `Order ${order.order_number} is placed`;
};

const Next = ({ order }: { readonly order: StoreOrder }) => {
  const own = storedSession()?.email.toLowerCase() === order.email.toLowerCase();
  return own ? (
    <>
      <Link to={`/account/${order.order_number}`}>Follow the order</Link>
      {order.customer_id && ', or send something back'}.
    </>
  ) : (
    <>
      <Link to="/account">Sign in</Link> with that address to follow it, or to send something back.
    </>
  );
};

const AtShop = ({ shop, id }: PlacedProps) => {
  const [polls, setPolls] = useState(0);
  const answer = useRequest(
    () =>
      askServer<{ order: StoreOrder | null }>('placed', {
        intent: id,
      }),
    [id, polls],
  );
  const order = answer.value?.order ?? null;
  const isPending = order !== null && isDue(order) && polls < POLLS_MAX;
  useEffect(() => {
    if (!isPending || answer.busy) return;
    const timer = setTimeout(() => setPolls((at) => at + 1), POLL_MS);
    return () => clearTimeout(timer);
  }, [isPending, answer.busy, polls]);
  if (answer.value === null) return <LoadingOrError {...answer} />;
  if (order === null)
    return (
      <p>
        This checkout has no order yet. <Link to="/checkout">Back to the checkout</Link>
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
          Order <b>{order.order_number}</b> is {order.order_status === 'cancelled' ? 'cancelled' : 'with the shop'}. The
          shop sends updates to {order.email}. <Next order={order} />
        </p>
      )}
      <OrderDetails order={order} />
    </>
  );
};

export const PlacedScreen = (props: PlacedProps) =>
  props.shop.setting.server ? <AtShop {...props} /> : <AtStore {...props} />;

// Screen after a checkout: the order, whether it is paid, and a button to pay again.
import { useEffect, useState } from 'preact/hooks';
import type { StoreOrder } from '#proto/gen/client/message.ts';
import { useRequest } from './answer.ts';
import { type OpenShop, storeUrl } from './client.ts';
import { LoadingOrError } from './component.tsx';
import { Link } from './link.tsx';
import { OrderDetails } from './order.tsx';
import { PayAgain } from './payment.tsx';
import { askServer, storedSession } from './server.ts';
import type { Text } from './wording.ts';
import { useWords } from './wording_context.ts';

const POLL_MS = 2_500;
const POLLS_MAX = 8;

interface PlacedProps {
  readonly shop: OpenShop;
  readonly id: string;
}

/** Links to the order on the store's page, because a shop without a server cannot read orders. */
const AtStore = ({ shop, id }: PlacedProps) => {
  const { text } = useWords();
  const answer = useRequest(async () => (await shop.api.agent.checkoutIntents.get({ id })).data, [id]);
  const { value } = answer;
  if (value === null) return <LoadingOrError {...answer} />;
  if (value.order_id === null)
    return (
      <p>
        {text('no_order_yet')} <Link to="/checkout">{text('back_to_checkout')}</Link>
      </p>
    );
  return (
    <div class="notice">
      <h1>{text('thank_you')}</h1>
      <p>{text('order_placed')}</p>
      <a class="go" href={`${storeUrl(shop.setting)}/checkout/${id}`}>
        {text('see_order')}
      </a>
    </div>
  );
};

const isDue = (order: StoreOrder): boolean => order.amount_due > 0 && order.order_status !== 'cancelled';

const unpaidSentence = ({ payment_status: status, order_number: number }: StoreOrder, text: Text): string =>
  status === 'failed' ? text('payment_failed', { number }) : text('not_paid');

const headingOf = (order: StoreOrder, text: Text): string => {
  if (!isDue(order)) return text('thank_you');
  if (order.payment_status === 'failed') return text('payment_declined');
  return text('number_placed', { number: order.order_number });
};

const Next = ({ order }: { readonly order: StoreOrder }) => {
  const { text } = useWords();
  const own = storedSession()?.email.toLowerCase() === order.email.toLowerCase();
  if (!own) return <Link to="/account">{text('sign_in_to_follow')}</Link>;
  return (
    <Link to={`/account/${order.order_number}`}>{text(order.customer_id ? 'follow_or_return' : 'follow_order')}</Link>
  );
};

const AtShop = ({ shop, id }: PlacedProps) => {
  const { text } = useWords();
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
        {text('no_order_yet')} <Link to="/checkout">{text('back_to_checkout')}</Link>
      </p>
    );
  return (
    <>
      <h1>{headingOf(order, text)}</h1>
      {isDue(order) ? (
        <div class="note">
          <p role="status">{unpaidSentence(order, text)}</p>
          <PayAgain shop={shop} id={id} order={order} />
        </div>
      ) : (
        <p role="status">
          {text(order.order_status === 'cancelled' ? 'order_ended' : 'order_received', {
            number: order.order_number,
            email: order.email,
          })}{' '}
          <Next order={order} />
        </p>
      )}
      <OrderDetails order={order} />
    </>
  );
};

export const PlacedScreen = (props: PlacedProps) =>
  props.shop.setting.server ? <AtShop {...props} /> : <AtStore {...props} />;

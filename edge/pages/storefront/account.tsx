// Screens of the account: sign-in by magic link, the shopper's orders, and one order. The shop's server makes the calls
// that need a secret key.
import { useEffect, useState } from 'preact/hooks';
import type { SessionTokens } from '#proto/client/storefront.ts';
import type { StoreOrder } from '#proto/gen/client/message.ts';
import { noteChoice } from './address.ts';
import { useRequest } from './answer.ts';
import { apiUrl, type OpenShop } from './client.ts';
import { countText, dateText, Field, LoadingOrError, money, useAction } from './component.tsx';
import { Link } from './link.tsx';
import { OrderDetails, Returns } from './order.tsx';
import type { StoredSession } from './renewal.ts';
import { askServer, mailedToken, storedSession, storeSession } from './server.ts';

interface AccountProps {
  readonly shop: OpenShop;
  readonly name: string;
  readonly changed: () => void;
}

interface SignInProps {
  readonly shop: OpenShop;
  readonly entered: (session: StoredSession) => void;
}

interface VerifyAnswer {
  readonly session: SessionTokens;
  readonly customer: { readonly email: string };
}

const SignIn = ({ shop, entered }: SignInProps) => {
  const [email, setEmail] = useState('');
  const [token, setToken] = useState<string | null>(null);
  const { busy, message, run } = useAction();
  const send = (): Promise<void> =>
    run(async () => {
      const answer = await askServer<{ token: string | null }>('sign-in', { email });
      setToken(answer.token);
      return answer.token ? 'The link is in the sandbox’s outbox.' : 'Check your mail for a link that signs you in.';
    });
  const open = (link: string): Promise<void> =>
    run(async () => {
      const { session, customer } = await askServer<VerifyAnswer>('verify', { token: link });
      entered({ ...session, email: customer.email });
      return '';
    });
  useEffect(() => {
    const link = mailedToken();
    if (link === null) return;
    noteChoice('/account');
    void open(link);
  }, []);
  return (
    <div class="narrow">
      <h1>Sign in</h1>
      <p class="soft">No password is needed: the shop e-mails you a link that signs you in.</p>
      <form
        class="form"
        onSubmit={(event) => {
          event.preventDefault();
          void send();
        }}
      >
        <Field label="E-mail">
          <input
            id="email"
            type="email"
            required
            autocomplete="email"
            value={email}
            onInput={({ currentTarget }) => setEmail(currentTarget.value)}
          />
        </Field>
        <button type="submit" class="go" aria-disabled={busy}>
          Mail me a link
        </button>
      </form>
      <p role="status">{message}</p>
      {token && (
        <div class="note">
          <p>
            A sandbox sends no mail. Read the message in the{' '}
            <a href={`${apiUrl(shop.setting)}/sandbox/outbox`}>outbox</a>, or open it here:
          </p>
          <button type="button" class="go" aria-disabled={busy} onClick={() => void open(token)}>
            Open the link of the mail
          </button>
        </div>
      )}
    </div>
  );
};

const STATUS: Readonly<Record<StoreOrder['order_status'], string>> = {
  pending: 'Placed',
  confirmed: 'Paid',
  processing: 'Being packed',
  shipped: 'On its way',
  delivered: 'Delivered',
  cancelled: 'Cancelled',
};

interface OrdersProps {
  readonly shop: OpenShop;
  readonly session: StoredSession;
  readonly name: string;
}

const Orders = ({ shop, session, name }: OrdersProps) => {
  const answer = useRequest(async () => {
    const { access_token, expires_at } = storedSession() ?? session;
    return askServer<{ orders: readonly StoreOrder[] }>('orders', { access_token, expires_at });
  }, [session.access_token, name]);
  const { value } = answer;
  if (value === null) return <LoadingOrError {...answer} />;
  if (name !== '') {
    const order = value.orders.find(({ order_number }) => order_number === name);
    return (
      <>
        <nav class="trail" aria-label="Where this is">
          <Link to="/account">Your orders</Link>
        </nav>
        <h1>{order ? `Order ${order.order_number}` : 'No such order'}</h1>
        {order && <OrderDetails order={order} />}
        {order?.customer_id && <Returns shop={shop} order={order} />}
        {order && !order.customer_id && (
          <p class="soft">This order was placed without signing in. Sign in with its e-mail address to return items.</p>
        )}
      </>
    );
  }
  return (
    <>
      <h1>Your orders</h1>
      {value.orders.length === 0 ? (
        <p>
          There are none yet. <Link to="/products">Browse products</Link>
        </p>
      ) : (
        <ul class="orders">
          {value.orders.map((order) => (
            <li key={order.id}>
              <Link to={`/account/${order.order_number}`}>
                <b>Order {order.order_number}</b>
                <span>{order.items.map(({ name: item, quantity }) => `${quantity} × ${item}`).join(', ')}</span>
                <small>
                  {dateText(order.created_at)},{' '}
                  {countText(
                    order.items.reduce((sum, item) => sum + item.quantity, 0),
                    'item',
                  )}
                </small>
                <span class="tag">{STATUS[order.order_status]}</span>
                <b>{money(order.total_amount, order.currency)}</b>
              </Link>
            </li>
          ))}
        </ul>
      )}
    </>
  );
};

export const AccountScreen = ({ shop, name, changed }: AccountProps) => {
  const [session, setSession] = useState(storedSession);
  const enter = (next: StoredSession | null): void => {
    storeSession(next);
    if (next) shop.api.shopper.signIn(next);
    else shop.api.shopper.signOut();
    setSession(next);
    changed();
  };
  if (session === null) return <SignIn shop={shop} entered={enter} />;
  return (
    <>
      <Orders shop={shop} session={session} name={name} />
      <p class="soft">
        {session.email}{' '}
        <button type="button" class="plain" onClick={() => enter(null)}>
          Sign out
        </button>
      </p>
    </>
  );
};

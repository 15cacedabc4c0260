// Screens of the account: sign-in by magic link, the shopper's orders, and one order. The shop's server makes the calls
// that need a secret key.
import { useEffect, useState } from 'preact/hooks';
import type { SessionTokens } from '#proto/client/storefront.ts';
import type { StoreOrder } from '#proto/gen/client/message.ts';
import { noteChoice } from './address.ts';
import { useRequest } from './answer.ts';
import { apiUrl, type OpenShop } from './client.ts';
import { Field, LoadingOrError, useAction } from './component.tsx';
import { Link } from './link.tsx';
import { OrderDetails, Returns } from './order.tsx';
import type { StoredSession } from './renewal.ts';
import { askServer, mailedToken, storedSession, storeSession } from './server.ts';
import { useWords } from './wording_context.ts';

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
  const { text } = useWords();
  const [email, setEmail] = useState('');
  const [token, setToken] = useState<string | null>(null);
  const { busy, message, run } = useAction();
  const send = (): Promise<void> =>
    run(async () => {
      const answer = await askServer<{ token: string | null }>('sign-in', { email });
      setToken(answer.token);
      return text(answer.token ? 'link_in_outbox' : 'link_sent');
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
      <h1>{text('sign_in')}</h1>
      <p class="soft">{text('sign_in_why')}</p>
      <form
        class="form"
        onSubmit={(event) => {
          event.preventDefault();
          void send();
        }}
      >
        <Field label={text('email')}>
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
          {text('mail_link')}
        </button>
      </form>
      <p role="status">{message}</p>
      {token && (
        <div class="note">
          <p>
            {text('sandbox_mail')} <a href={`${apiUrl(shop.setting)}/sandbox/outbox`}>{text('outbox')}</a>
          </p>
          <button type="button" class="go" aria-disabled={busy} onClick={() => void open(token)}>
            {text('open_link')}
          </button>
        </div>
      )}
    </div>
  );
};

interface OrdersProps {
  readonly shop: OpenShop;
  readonly session: StoredSession;
  readonly name: string;
}

const Orders = ({ shop, session, name }: OrdersProps) => {
  const words = useWords();
  const { text } = words;
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
        <nav class="trail" aria-label={text('trail')}>
          <Link to="/account">{text('your_orders')}</Link>
        </nav>
        <h1>{order ? text('order_number', { number: order.order_number }) : text('no_order')}</h1>
        {order && <OrderDetails order={order} />}
        {order?.customer_id && <Returns shop={shop} order={order} />}
        {order && !order.customer_id && <p class="soft">{text('anonymous_order')}</p>}
      </>
    );
  }
  return (
    <>
      <h1>{text('your_orders')}</h1>
      {value.orders.length === 0 ? (
        <p>
          {text('no_orders')} <Link to="/products">{text('browse')}</Link>
        </p>
      ) : (
        <ul class="orders">
          {value.orders.map((order) => (
            <li key={order.id}>
              <Link to={`/account/${order.order_number}`}>
                <b>{text('order_number', { number: order.order_number })}</b>
                <span>{order.items.map(({ name: item, quantity }) => `${quantity} × ${item}`).join(', ')}</span>
                <small>
                  {words.date(order.created_at)},{' '}
                  {words.count(
                    order.items.reduce((sum, item) => sum + item.quantity, 0),
                    'item',
                  )}
                </small>
                <span class="tag">{text(`status.${order.order_status}`)}</span>
                <b>{words.money(order.total_amount, order.currency)}</b>
              </Link>
            </li>
          ))}
        </ul>
      )}
    </>
  );
};

export const AccountScreen = ({ shop, name, changed }: AccountProps) => {
  const { text } = useWords();
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
          {text('sign_out')}
        </button>
      </p>
    </>
  );
};

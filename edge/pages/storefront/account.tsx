// Signing in by a magic link, a shopper's orders, and what goes back. The shop's own server does what needs a secret key.
import { useState } from 'preact/hooks';
import type { SessionTokens } from '#proto/client/storefront.ts';
import type { StoreOrder } from '#proto/gen/client/message.ts';
import type { OpenShop } from './client.ts';
import { Field, money, sentenceOf, useAnswer, Waits } from './part.tsx';
import { askServer, keepSession, keptSession } from './server.ts';

const REASONS = [
  ['no_longer_needed', 'I do not need it'],
  ['damaged', 'It came damaged'],
  ['wrong_item', 'It is not what I ordered'],
  ['not_as_described', 'It is not as described'],
] as const;
type Reason = (typeof REASONS)[number][0];

interface AccountProps {
  readonly shop: OpenShop;
  readonly changed: () => void;
}

const SignIn = ({ entered }: { readonly entered: (session: SessionTokens) => void }) => {
  const [email, setEmail] = useState('');
  const [token, setToken] = useState<string | null>(null);
  const [told, setTold] = useState('');
  const does = (work: () => Promise<void>): void => {
    work().catch((problem) => setTold(problem instanceof Error ? problem.message : sentenceOf(problem)));
  };
  const send = async (): Promise<void> => {
    const answer = await askServer<{ token: string | null }>('sign-in', { email });
    setToken(answer.token);
    setTold(answer.token ? 'A link is on its way.' : 'The mail is in the outbox.');
  };
  const open = async (): Promise<void> => {
    const { session } = await askServer<{ session: SessionTokens }>('verify', { token: token ?? '' });
    entered(session);
  };
  return (
    <>
      <h1>Sign in</h1>
      <form
        class="where"
        onSubmit={(event) => {
          event.preventDefault();
          does(send);
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
        <button type="submit" class="go">
          Mail me a link
        </button>
      </form>
      <p role="status">{told}</p>
      {token && (
        <p>
          A sandbox mails nothing: the mail waits in the <a href="/sandbox/outbox">outbox</a>.{' '}
          <button type="button" onClick={() => does(open)}>
            Open the link of the mail
          </button>
        </p>
      )}
    </>
  );
};

interface ReturnProps {
  readonly shop: OpenShop;
  readonly order: StoreOrder;
}

const AskReturn = ({ shop, order }: ReturnProps) => {
  const [reason, setReason] = useState<Reason>('no_longer_needed');
  const [told, setTold] = useState('');
  const send = async (): Promise<void> => {
    try {
      await shop.api.orders.returns.create({ id: order.id, reason_code: reason, resolution: 'full_refund' });
      setTold('The shop has your request.');
    } catch (problem) {
      setTold(sentenceOf(problem));
    }
  };
  return (
    <form
      class="inline"
      onSubmit={(event) => {
        event.preventDefault();
        void send();
      }}
    >
      <Field label={`Why ${order.order_number} goes back`}>
        <select value={reason} onChange={({ currentTarget }) => setReason(currentTarget.value as Reason)}>
          {REASONS.map(([code, words]) => (
            <option key={code} value={code}>
              {words}
            </option>
          ))}
        </select>
      </Field>
      <button type="submit">Send it back</button>
      <p role="status">{told}</p>
    </form>
  );
};

const STATUS: Readonly<Record<StoreOrder['order_status'], string>> = {
  pending: 'placed',
  confirmed: 'paid',
  processing: 'being packed',
  shipped: 'on its way',
  delivered: 'delivered',
  cancelled: 'cancelled',
};

const Orders = ({ shop, session }: { readonly shop: OpenShop; readonly session: SessionTokens }) => {
  const { value, problem } = useAnswer(
    () =>
      askServer<{ orders: readonly StoreOrder[] }>('orders', {
        access_token: session.access_token,
        expires_at: session.expires_at,
      }),
    [session.access_token],
  );
  if (value === null) return <Waits problem={problem} />;
  if (value.orders.length === 0) return <p>There are none yet.</p>;
  return (
    <ul class="reviews">
      {value.orders.map((order) => (
        <li key={order.id}>
          <b>
            {order.order_number}, {money(order.total_amount, order.currency)}
          </b>
          , {STATUS[order.order_status]}
          <p>{order.items.map(({ name, quantity }) => `${quantity} × ${name}`).join(', ')}</p>
          {order.customer_id ? (
            <AskReturn shop={shop} order={order} />
          ) : (
            <small>It was placed as a guest: the shop is asked for a return by mail.</small>
          )}
        </li>
      ))}
    </ul>
  );
};

export const AccountScreen = ({ shop, changed }: AccountProps) => {
  const [session, setSession] = useState(keptSession);
  const enter = (next: SessionTokens | null): void => {
    keepSession(next);
    if (next) shop.api.shopper.signIn(next);
    else shop.api.shopper.signOut();
    setSession(next);
    changed();
  };
  if (session === null) return <SignIn entered={enter} />;
  return (
    <>
      <h1>Your orders</h1>
      <Orders shop={shop} session={session} />
      <button type="button" onClick={() => enter(null)}>
        Sign out
      </button>
    </>
  );
};

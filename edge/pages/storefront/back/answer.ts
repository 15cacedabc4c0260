// What the shop's own server answers, with the secret key that no browser has: it signs shoppers in by a magic link, lists
// a signed-in shopper's orders, places the order of a checkout and begins its payment. In the sandbox it reads the link's
// mail from the outbox; a real shop has it mailed.
import {
  type SentMessage,
  type Server,
  type ServerApi,
  type SessionTokens,
  StoaError,
  type StoreOrder,
} from '#proto/client/server.ts';

const ORDERS_SHOWN = 20;
const ORDERS_READ = 100;
const LOOKS_MAX = 10;
const LOOK_MS = 100;

export type Asked = Readonly<Record<string, string>>;
/** The client on behalf of the visitor who asks, with their session where there is one. */
export type BackFor = (credential?: SessionTokens) => ServerApi;
export type ServerAnswer = (backFor: BackFor, asked: Asked) => Promise<object>;

/** `ip` is the visitor's address: sign-ins are limited by network, and all visitors would share the server's own. */
export const onBehalf =
  (server: Server, ip: string): BackFor =>
  (credential) =>
    server.as({ ...(ip !== '' && { ip }), ...(credential && { credential }) });

/** The newest email to this address; null: none was sent yet; undefined: the store has no outbox and sends real ones. */
const newestEmail = async (back: ServerApi, email: string): Promise<SentMessage | null | undefined> => {
  try {
    const { messages } = await back.sandbox.messages.list({ email });
    return messages[0] ?? null;
  } catch (problem) {
    if (problem instanceof StoaError && problem.status > 0 && problem.status < 500) return undefined;
    throw problem;
  }
};

/** Waits for the outbox to show an email that is newer than `before`, since it is recorded after the call that sends it. */
const nextLink = async (back: ServerApi, email: string, before: SentMessage | null): Promise<string | null> => {
  for (let look = 1; look <= LOOKS_MAX; look++) {
    const newest = await newestEmail(back, email);
    if (newest && newest.id !== before?.id) return newest.link;
    if (look < LOOKS_MAX) await new Promise<void>((done) => setTimeout(done, LOOK_MS));
  }
  return null;
};

const tokenOf = (link: string | null): string | null =>
  link === null ? null : new URL(link).searchParams.get('token');

/** An account is made where there is none, so that the first context needs no form of its own. */
const makeKnown = async (back: ServerApi, email: string): Promise<void> => {
  try {
    await back.customers.create({ email });
  } catch (problem) {
    if (!(problem instanceof StoaError) || problem.status !== 409) throw problem;
  }
};

const signIn: ServerAnswer = async (backFor, { email = '' }) => {
  const back = backFor();
  await makeKnown(back, email);
  const before = await newestEmail(back, email);
  await back.auth.magicLink.send({ email });
  return { token: before === undefined ? null : tokenOf(await nextLink(back, email, before)) };
};

const verify: ServerAnswer = (backFor, { token = '' }) => backFor().auth.magicLink.verify({ token });

const renew: ServerAnswer = (backFor, { refresh_token = '' }) => backFor().auth.refresh({ refresh_token });

/** Who is signed in by what the browser sent; null: the visitor is not. */
const shopperOf = async (backFor: BackFor, { access_token, expires_at }: Asked) => {
  if (!access_token || !expires_at) return null;
  const credential: SessionTokens = { access_token, expires_at };
  return (await backFor(credential).auth.me.get()).customer;
};

const ownOrders = async (backFor: BackFor, asked: Asked): Promise<readonly StoreOrder[]> => {
  const customer = await shopperOf(backFor, asked);
  if (customer === null) return [];
  const { orders } = await backFor().orders.list({ limit: ORDERS_READ });
  // The account's, and those that a guest placed with its proved address.
  return orders.filter(({ customer_id, email }) => customer_id === customer.id || email === customer.email);
};

const orders: ServerAnswer = async (backFor, asked) => ({
  orders: (await ownOrders(backFor, asked)).slice(0, ORDERS_SHOWN),
});

/** The order that a checkout became; null while it is none. */
const orderOf = async (back: ServerApi, intent: string): Promise<StoreOrder | null> => {
  const { data } = await back.agent.checkoutIntents.get({ id: intent });
  return data.order_id === null ? null : (await back.orders.get({ id: data.order_id })).order;
};

/** Placed once, however often the button is pressed, and in however many tabs. */
const placeOrder = async (backFor: BackFor, asked: Asked): Promise<StoreOrder> => {
  const back = backFor();
  const { intent = '', gift_cards = '' } = asked;
  const known = await orderOf(back, intent);
  if (known) return known;
  const customer = await shopperOf(backFor, asked);
  try {
    const { order } = await back.orders.create({
      checkout_intent_id: intent,
      gift_card_codes: gift_cards.split(' ').filter(Boolean),
      ...(customer && { customer_id: customer.id }),
    });
    return order;
  } catch (problem) {
    if (!(problem instanceof StoaError) || problem.status !== 409) throw problem;
    const meanwhile = await orderOf(back, intent);
    if (meanwhile) return meanwhile;
    throw problem;
  }
};

/** Places the order of a checkout and begins its payment; a null address: nothing is left to pay. `page` is the shop's own. */
const pay: ServerAnswer = async (backFor, asked) => {
  const { intent = '', provider = '', page = '' } = asked;
  const order = await placeOrder(backFor, asked);
  if (order.amount_due === 0 || order.order_status === 'cancelled') return { checkout_url: null };
  const after = `${page}#/placed/${intent}`;
  const { checkout_url } = await backFor().payments.initialize({
    provider,
    amount: order.amount_due,
    currency: order.currency,
    email: order.email,
    order_id: order.id,
    success_url: after,
    cancel_url: after,
    callback_url: after,
  });
  return { checkout_url };
};

/** Asks the providers how the order's payments stand that they have not told of yet. */
const lookAfter = async (back: ServerApi, { id }: StoreOrder): Promise<void> => {
  const { payments } = await back.payments.list({ order_id: id, status: 'pending' });
  await Promise.all(payments.map(({ provider, reference }) => back.payments.verify({ provider, reference })));
};

/** How the order of a checkout stands, for who has the checkout. */
const placed: ServerAnswer = async (backFor, { intent = '' }) => {
  const back = backFor();
  const order = await orderOf(back, intent);
  if (order === null || order.amount_due === 0) return { order };
  // What a provider does not say now it says later.
  await lookAfter(back, order).catch(() => {});
  return { order: await orderOf(back, intent) };
};

export const answers: Readonly<Record<string, ServerAnswer>> = {
  'sign-in': signIn,
  verify,
  renew,
  orders,
  pay,
  placed,
};

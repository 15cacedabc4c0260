// Handles the requests that need the secret key: signs shoppers in by magic link, lists their orders, places a
// checkout's order and starts its payment. The sandbox's link is read from the outbox; a real shop would mail it.
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
const POLLS_MAX = 10;
const POLL_MS = 100;

export type RequestFields = Readonly<Record<string, string>>;
/** Returns an API client that acts for a visitor, with the visitor's session if there is one. */
export type ApiFor = (credential?: SessionTokens) => ServerApi;
export type ServerHandler = (apiFor: ApiFor, fields: RequestFields) => Promise<object>;

/**
 * `ip` is the visitor's address. Sign-ins are limited by network, and without it all visitors would share this
 * server's.
 */
export const forVisitor =
  (server: Server, ip: string): ApiFor =>
  (credential) =>
    server.as({ ...(ip !== '' && { ip }), ...(credential && { credential }) });

/** Returns null if no email was sent yet; undefined if the store sends real mail and has no outbox. */
const newestEmail = async (api: ServerApi, email: string): Promise<SentMessage | null | undefined> => {
  try {
    const { messages } = await api.sandbox.messages.list({ email });
    return messages[0] ?? null;
  } catch (problem) {
    if (problem instanceof StoaError && problem.status > 0 && problem.status < 500) return undefined;
    throw problem;
  }
};

/** Polls the outbox, which shows an email only some time after the call that sends it. */
const waitForLink = async (api: ServerApi, email: string, before: SentMessage | null): Promise<string | null> => {
  for (let look = 1; look <= POLLS_MAX; look++) {
    const newest = await newestEmail(api, email);
    if (newest && newest.id !== before?.id) return newest.link;
    if (look < POLLS_MAX) await new Promise<void>((done) => setTimeout(done, POLL_MS));
  }
  return null;
};

const tokenOf = (link: string | null): string | null =>
  link === null ? null : new URL(link).searchParams.get('token');

/** The language of the visitor's page, for mails. */
const languageIn = ({ language }: RequestFields) => (language ? { language } : {});

const ensureCustomer = async (api: ServerApi, email: string, fields: RequestFields): Promise<void> => {
  try {
    await api.customers.create({ email, ...languageIn(fields) });
  } catch (problem) {
    if (!(problem instanceof StoaError) || problem.status !== 409) throw problem;
  }
};

const signIn: ServerHandler = async (apiFor, fields) => {
  const { email = '' } = fields;
  const api = apiFor();
  await ensureCustomer(api, email, fields);
  const before = await newestEmail(api, email);
  await api.auth.magicLink.send({ email, ...languageIn(fields) });
  return { token: before === undefined ? null : tokenOf(await waitForLink(api, email, before)) };
};

const verify: ServerHandler = (apiFor, { token = '' }) => apiFor().auth.magicLink.verify({ token });

const renew: ServerHandler = (apiFor, { refresh_token = '' }) => apiFor().auth.refresh({ refresh_token });

const shopperOf = async (apiFor: ApiFor, { access_token, expires_at }: RequestFields) => {
  if (!access_token || !expires_at) return null;
  const credential: SessionTokens = { access_token, expires_at };
  return (await apiFor(credential).auth.me.get()).customer;
};

const ownOrders = async (apiFor: ApiFor, fields: RequestFields): Promise<readonly StoreOrder[]> => {
  const customer = await shopperOf(apiFor, fields);
  if (customer === null) return [];
  const { orders } = await apiFor().orders.list({ limit: ORDERS_READ });
  // Includes orders that were placed without an account under the customer's verified address.
  return orders.filter(({ customer_id, email }) => customer_id === customer.id || email === customer.email);
};

const orders: ServerHandler = async (apiFor, fields) => ({
  orders: (await ownOrders(apiFor, fields)).slice(0, ORDERS_SHOWN),
});

const orderOf = async (api: ServerApi, intent: string): Promise<StoreOrder | null> => {
  const { data } = await api.agent.checkoutIntents.get({ id: intent });
  return data.order_id === null ? null : (await api.orders.get({ id: data.order_id })).order;
};

/** Places one order, even if the button is pressed several times or in several tabs. */
const placeOrder = async (apiFor: ApiFor, fields: RequestFields): Promise<StoreOrder> => {
  const api = apiFor();
  const { intent = '', gift_cards = '', total } = fields;
  const known = await orderOf(api, intent);
  if (known) return known;
  const customer = await shopperOf(apiFor, fields);
  try {
    const { order } = await api.orders.create({
      checkout_intent_id: intent,
      ...(total && { expected_total: Number(total) }),
      ...languageIn(fields),
      gift_card_codes: gift_cards.split(' ').filter(Boolean),
      ...(customer && { customer_id: customer.id }),
    });
    return order;
  } catch (problem) {
    if (!(problem instanceof StoaError) || problem.status !== 409) throw problem;
    const meanwhile = await orderOf(api, intent);
    if (meanwhile) return meanwhile;
    throw problem;
  }
};

/**
 * Returns the URL of the payment's page, or what the shop's page mounts the card fields with; neither if nothing is due.
 * `page` is the URL of the shop's first page.
 */
const pay: ServerHandler = async (apiFor, fields) => {
  const { intent = '', provider = '', page = '', presentation } = fields;
  const order = await placeOrder(apiFor, fields);
  if (order.amount_due === 0 || order.order_status === 'cancelled') return { checkout_url: null, element: null };
  const after = `${page.replace(/\/$/, '')}/orders/${intent}`;
  const { checkout_url, element } = await apiFor().payments.initialize({
    provider,
    ...(presentation === 'element' && { presentation }),
    amount: order.amount_due,
    currency: order.currency,
    email: order.email,
    order_id: order.id,
    success_url: after,
    cancel_url: after,
    callback_url: after,
  });
  return { checkout_url, element, amount: order.amount_due, currency: order.currency };
};

const verifyPending = async (api: ServerApi, { id }: StoreOrder): Promise<void> => {
  const { payments } = await api.payments.list({ order_id: id, status: 'pending' });
  await Promise.all(payments.map(({ provider, reference }) => api.payments.verify({ provider, reference })));
};

const placed: ServerHandler = async (apiFor, { intent = '' }) => {
  const api = apiFor();
  const order = await orderOf(api, intent);
  if (order === null || order.amount_due === 0) return { order };
  await verifyPending(api, order).catch(() => {});
  return { order: await orderOf(api, intent) };
};

export const serverHandlers: Readonly<Record<string, ServerHandler>> = {
  'sign-in': signIn,
  verify,
  renew,
  orders,
  pay,
  placed,
};

// Simulates two shopping assistants over ACP: one pays with a token, the other leaves the payment to the buyer.
import { randomUUID } from 'node:crypto';
import type { CheckoutIntent } from '#proto/gen/agent.ts';
import type { ListedProduct } from '#proto/gen/product.ts';
import type { GetStoreResponse } from '#proto/gen/store.ts';
import type { Client } from './client.ts';
import { HOME, MWANGI } from './purchase.ts';

const VERSION = '2026-04-17';
const BUYS = { name: 'Parrot/1.0', product: 'Planting Trowel' };
const LEAVES = { name: 'Magpie/2.3', product: 'Brass Plant Mister' };
const PAGE = 100;

interface Session {
  readonly id: string;
  readonly line_items: readonly { readonly id: string }[];
  readonly fulfillment_options: readonly { readonly type: string; readonly id: string }[];
}

type Visitor = typeof BUYS;

const wanted = async (store: Client, name: string): Promise<object> => {
  const path = '/v1/products?fields=name,variant_id&';
  const listed = await store.all<Pick<ListedProduct, 'name' | 'variant_id'>>(path, 'products', PAGE);
  const id = listed.find((product) => product.name === name)?.variant_id;
  return { line_items: [{ id, quantity: 1 }], currency: 'usd', capabilities: {} };
};

/** Uses a new key in each run, because the session of an interrupted run may have expired. */
const acpClient =
  (store: Client, code: string, { name }: Visitor) =>
  <T>(path: string, body: object): Promise<T> =>
    store
      .with({ 'api-version': VERSION, 'user-agent': name, 'idempotency-key': randomUUID() })
      .renew<T>(`/s/${code}/acp${path}`, body);

const buy = async (store: Client, store_id: string, code: string): Promise<void> => {
  const say = acpClient(store, code, BUYS);
  const { email, first_name, last_name } = MWANGI;
  const name = `${first_name} ${last_name}`;
  const { line1, city, country, postal_code } = HOME;
  const session = await say<Session>('/checkout_sessions', {
    ...(await wanted(store, BUYS.product)),
    buyer: { email, first_name, last_name },
    fulfillment_details: { name, address: { name, line_one: line1, city, state: '', country, postal_code } },
  });
  const [{ type, id: option_id } = { type: '', id: '' }] = session.fulfillment_options;
  const item_ids = session.line_items.map(({ id }) => id);
  const at = `/checkout_sessions/${session.id}`;
  await say(at, { selected_fulfillment_options: [{ type, option_id, item_ids }] });
  const { id: token } = await say<{ id: string }>('/agentic_commerce/delegate_payment', {
    payment_method: {
      type: 'card',
      card_number_type: 'fpan',
      number: '4242424242424242',
      display_card_funding_type: 'credit',
      metadata: {},
    },
    allowance: {
      reason: 'one_time',
      max_amount: 100_000,
      currency: 'usd',
      checkout_session_id: session.id,
      merchant_id: store_id,
      expires_at: '2099-01-01T00:00:00Z',
    },
    risk_signals: [],
    metadata: {},
  });
  const instrument = { type: 'card', credential: { type: 'spt', token } };
  await say(`${at}/complete`, { payment_data: { handler_id: 'card_token', instrument } });
};

export const seedAssistants = async (store: Client): Promise<void> => {
  const { id, code } = (await store.get<GetStoreResponse>('/v1/store')).store;
  const existing = await store.all<CheckoutIntent>('/v1/agent/checkout-intents?', 'data', PAGE);
  const was = ({ name }: Visitor, order: boolean): boolean =>
    existing.some(({ agent, order_id }) => agent?.name === name && (order_id !== null || !order));
  if (!was(BUYS, true)) await buy(store, id, code);
  if (!was(LEAVES, false))
    await acpClient(store, code, LEAVES)<Session>('/checkout_sessions', await wanted(store, LEAVES.product));
};

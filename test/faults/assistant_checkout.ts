// Checkouts that only wait for their payment, in a store of a cluster, and what completes each of them over a protocol: always
// under the same key.

import { expect } from 'vitest';
import { descriptors } from '#proto/descriptor.ts';
import { Refusal } from '#runtime/call/call.ts';
import { ServiceRegistry } from '#runtime/grpc/registry.ts';
import { connectUnary } from '#runtime/grpc/unary.ts';
import type { Postgres } from '#runtime/postgres/database.ts';
import { UCP_AGENT } from '#test/edge/assistant/ucp/platform.ts';
import { eventually } from '#test/support/server.ts';
import { type Keys, type Reply, sendTo } from '#test/support/stoa.ts';
import type { Cluster } from './cluster.ts';

export const UNITS = 2;

export const PROTOCOLS = ['mcp', 'ucp', 'acp'] as const;
export type Protocol = (typeof PROTOCOLS)[number];

/** The store on sale, and its assistant. */
export interface Seller {
  readonly keys: Keys;
  readonly variant: string;
  ask(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Reply>;
}

export interface Checkout {
  readonly id: string;
  readonly token: string;
}

export const openSeller = async ({ edges, createStore }: Cluster, stock: number): Promise<Seller> => {
  const keys = await createStore();
  const ask: Seller['ask'] = (method, path, body, headers = {}) =>
    sendTo(edges[0]!.address, method, path, {
      key: keys.secret_test_key,
      headers,
      ...(body === undefined ? {} : { body }),
    });
  const product = { name: 'Lesson', price: 10, stock, shipping_info: { requires_shipping: false } };
  const made = await ask('POST', '/v1/products', product);
  expect(made.status, made.text).toBe(201);
  return { keys, variant: made.body.variant_id, ask };
};

export const beginCheckout = async ({ hosts, token }: Cluster, { keys, variant, ask }: Seller): Promise<Checkout> => {
  const items = [{ variant_id: variant, quantity: UNITS }];
  const started = await ask('POST', '/v1/agent/checkout-intents', { items, email: 'ada@example.com' });
  expect(started.body?.data?.status, started.text).toBe('ready');
  const { id } = started.body.data;
  const link = connectUnary(hosts[0]!.address, token, new ServiceRegistry(descriptors));
  const tenant = { store: keys.store_id, environment: 'sandbox' } as const;
  const issued = await link.call<{ token: string }>('PaymentToken/IssueToken', tenant, {
    checkout_intent_id: id,
    max_amount: 20,
    currency: 'USD',
    expires_at: new Date(Date.now() + 600_000).toISOString(),
  });
  link.close();
  if (issued instanceof Refusal) throw new Error(issued.message);
  return { id, token: issued.token };
};

/** A process is to die of nothing but what the test asks. */
export const isQuiet = ({ sql }: Postgres, { keys }: Seller): Promise<void> =>
  eventually(async () => {
    const left = await sql`select 1 from runtime.outbox where store = ${keys.store_id}`;
    expect(left.length).toBe(0);
  });

const instrumentOf = (type: string, token: string) => ({ type: 'card', credential: { type, token } });

/** Under one key, in each protocol's own words. */
const asked: Readonly<Record<Protocol, (seller: Seller, checkout: Checkout) => Promise<Reply>>> = {
  mcp: ({ keys, ask }, { id, token }) => {
    const instruments = [{ id: 'i', handler_id: 'card_token', ...instrumentOf('token', token) }];
    const args = { meta: { 'idempotency-key': 'once' }, id, checkout: { payment: { instruments } } };
    const call = {
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'complete_checkout', arguments: args },
    };
    return ask('POST', `/s/${keys.code}/mcp`, call, { Accept: 'application/json, text/event-stream' });
  },
  ucp: ({ keys, ask }, { id, token }) => {
    const instruments = [{ id: 'i', handler_id: 'card_token', ...instrumentOf('token', token) }];
    const path = `/s/${keys.code}/ucp/checkout-sessions/${id}/complete`;
    return ask('POST', path, { payment: { instruments } }, { ...UCP_AGENT, 'Idempotency-Key': 'once' });
  },
  acp: ({ keys, ask }, { id, token }) => {
    const headers = { 'API-Version': '2026-04-17', 'Idempotency-Key': 'once' };
    const body = { payment_data: { handler_id: 'card_token', instrument: instrumentOf('spt', token) } };
    return ask('POST', `/s/${keys.code}/acp/checkout_sessions/${id}/complete`, body, headers);
  },
};

/** An answer that is no completed checkout counts as none. */
export const complete = async (seller: Seller, protocol: Protocol, checkout: Checkout): Promise<Reply> => {
  const reply = await asked[protocol](seller, checkout);
  const answer = protocol === 'mcp' ? reply.body?.result?.structuredContent : reply.body;
  return answer?.status === 'completed' ? { ...reply, body: answer } : { ...reply, status: 503 };
};

/** Checks that every checkout is one paid order, the stock matches, and the ledger is balanced. */
export const areOrders = async (
  { sql }: Postgres,
  { keys, variant, ask }: Seller,
  {
    orders,
    stock,
  }: { readonly orders: readonly { readonly checkout: string; readonly order: string }[]; readonly stock: number },
): Promise<void> => {
  const sold = orders.length * UNITS;
  await eventually(async () => {
    const placed = (await ask('GET', '/v1/orders?limit=100')).body.orders as Record<string, unknown>[];
    const answer = placed.map(({ id, checkout_intent_id }) => ({ checkout: checkout_intent_id, order: id }));
    expect(new Set(answer.map((each) => JSON.stringify(each)))).toEqual(
      new Set(orders.map((each) => JSON.stringify(each))),
    );
    expect(placed).toHaveLength(orders.length);
    for (const order of placed) expect(order).toMatchObject({ payment_status: 'paid', amount_paid: 20, amount_due: 0 });
    const { payments } = (await ask('GET', '/v1/payments?limit=100')).body;
    expect(payments).toHaveLength(orders.length);
    for (const payment of payments) expect(payment).toMatchObject({ status: 'succeeded', amount: 20 });
    const { inventory } = (await ask('GET', `/v1/inventory/${variant}`)).body;
    expect(inventory).toMatchObject({ on_hand: stock - sold, held: 0, available: stock - sold });
  }, 60_000);
  const [books] = await sql<[{ sum: number; paid: number }]>`
    select sum(amount)::int as sum, (sum(amount) filter (where kind = 'order'))::int as paid
    from ledger.entry where store = ${keys.store_id}`;
  expect(books).toEqual({ sum: 0, paid: orders.length * 2_000 });
};

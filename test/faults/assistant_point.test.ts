// A process that dies while an assistant completes a checkout with a payment token: it is started again, the assistant repeats
// the call under its key, and there is one order, paid once, its stock taken once, and the token is used up.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { descriptors } from '#proto/gen/descriptor.ts';
import { Refusal } from '#runtime/call/call.ts';
import { connectUnary, ServiceRegistry } from '#runtime/grpc/unary.ts';
import type { Postgres } from '#runtime/postgres/database.ts';
import type { Failpoint } from '#runtime/process/failpoint.ts';
import { eventually, freshDatabase, openPostgres, type TestDatabase } from '#test/support/server.ts';
import { type Keys, type Reply, sendTo } from '#test/support/stoa.ts';
import { type Cluster, type Member, startCluster } from './cluster.ts';
import { dieAndRetry } from './death.ts';

const PIECES = 2;
const STOCK = 5;
const LONG = { timeout: 240_000 };

let home: string;
let database: TestDatabase;
let postgres: Postgres;
let cluster: Cluster;
let host: Member;
beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'stoa-assistant-point-'));
  database = await freshDatabase();
  postgres = openPostgres(database.url);
  cluster = await startCluster({ home, databaseUrl: database.url, hosts: 1, edges: 1, nats: 1 });
  host = cluster.hosts[0]!;
});
afterAll(async () => {
  await cluster.stop();
  await postgres.close();
  await database.drop();
  await rm(home, { recursive: true, force: true });
});

const ask = (keys: Keys, method: string, path: string, body?: unknown, headers = {}): Promise<Reply> =>
  sendTo(cluster.edges[0]!.address, method, path, {
    key: keys.secret_test_key,
    headers,
    ...(body === undefined ? {} : { body }),
  });

interface Checkout {
  readonly keys: Keys;
  readonly id: string;
  readonly variant: string;
  readonly token: string;
}

const begin = async (): Promise<Checkout> => {
  const keys = await cluster.createStore();
  const product = { name: 'Lesson', price: 10, stock: STOCK, shipping_info: { requires_shipping: false } };
  const variant = (await ask(keys, 'POST', '/v1/products', product)).body.variant_id;
  const items = [{ variant_id: variant, quantity: PIECES }];
  const begun = await ask(keys, 'POST', '/v1/agent/checkout-intents', { items, email: 'ada@example.com' });
  expect(begun.body?.data?.status, begun.text).toBe('ready');
  const { id } = begun.body.data;
  const link = connectUnary(host.address, cluster.token, new ServiceRegistry(descriptors));
  const tenant = { store: keys.store_id, environment: 'sandbox' } as const;
  const issued = await link.call<{ token: string }>('PaymentToken/IssueToken', tenant, {
    checkout_intent_id: id,
    max_amount: 20,
    currency: 'USD',
    expires_at: new Date(Date.now() + 600_000).toISOString(),
  });
  link.close();
  if (issued instanceof Refusal) throw new Error(issued.message);
  // A process is to die of nothing but what the test asks.
  await eventually(async () => {
    const left = await postgres.sql`select 1 from runtime.outbox where store = ${keys.store_id}`;
    expect(left.length).toBe(0);
  });
  return { keys, id, variant, token: issued.token };
};

type Protocol = 'mcp' | 'ucp' | 'acp';

const instrumentOf = (type: string, token: string) => ({ type: 'card', credential: { type, token } });

/** Under one key, in each protocol's own words. */
const asked: Readonly<Record<Protocol, (checkout: Checkout) => Promise<Reply>>> = {
  mcp: ({ keys, id, token }) => {
    const instruments = [{ id: 'i', handler_id: 'card_token', ...instrumentOf('token', token) }];
    const args = { meta: { 'idempotency-key': 'once' }, id, checkout: { payment: { instruments } } };
    const call = {
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'complete_checkout', arguments: args },
    };
    return ask(keys, 'POST', `/s/${keys.code}/mcp`, call, { Accept: 'application/json, text/event-stream' });
  },
  ucp: ({ keys, id, token }) => {
    const instruments = [{ id: 'i', handler_id: 'card_token', ...instrumentOf('token', token) }];
    const path = `/s/${keys.code}/ucp/checkout-sessions/${id}/complete`;
    return ask(keys, 'POST', path, { payment: { instruments } }, { 'Idempotency-Key': 'once' });
  },
  acp: ({ keys, id, token }) => {
    const headers = { 'API-Version': '2026-04-17', 'Idempotency-Key': 'once' };
    const body = { payment_data: { handler_id: 'card_token', instrument: instrumentOf('spt', token) } };
    return ask(keys, 'POST', `/s/${keys.code}/acp/checkout_sessions/${id}/complete`, body, headers);
  },
};

/** An answer that is no completed checkout counts as none. */
const complete = async (protocol: Protocol, checkout: Checkout): Promise<Reply> => {
  const reply = await asked[protocol](checkout);
  const told = protocol === 'mcp' ? reply.body?.result?.structuredContent : reply.body;
  return told?.status === 'completed' ? { ...reply, body: told } : { ...reply, status: 503 };
};

describe('a completion whose process dies', () => {
  test.each<[where: string, place: Failpoint, protocol: Protocol]>([
    ['after its key was looked up', 'claim', 'mcp'],
    ['after its token was set aside', 'reply', 'ucp'],
    ['inside the transaction that places and pays the order', 'transaction', 'acp'],
    ['after the commit, its payment not settled yet', 'commit', 'mcp'],
    ['after the commit, its payment not settled yet', 'commit', 'ucp'],
    ['after the commit, its payment not settled yet', 'commit', 'acp'],
    ['before its events are published', 'publish', 'ucp'],
  ])('%s (%s, over %s) is one paid order once it is asked for again', LONG, async (_where, place, protocol) => {
    const checkout = await begin();
    const { keys, id, variant } = checkout;
    const { body: told } = await dieAndRetry({ member: host, place, shop: keys }, () => complete(protocol, checkout));
    await eventually(async () => {
      const { orders } = (await ask(keys, 'GET', '/v1/orders')).body;
      expect(orders).toMatchObject([
        { id: told.order.id, checkout_intent_id: id, payment_status: 'paid', amount_paid: 20, amount_due: 0 },
      ]);
      const { payments } = (await ask(keys, 'GET', '/v1/payments')).body;
      expect(payments).toMatchObject([{ status: 'succeeded', amount: 20, order_id: told.order.id }]);
      const { inventory } = (await ask(keys, 'GET', `/v1/inventory/${variant}`)).body;
      expect(inventory).toMatchObject({ on_hand: STOCK - PIECES, held: 0, available: STOCK - PIECES });
    }, 60_000);
    const [books] = await postgres.sql<[{ sum: number; paid: number }]>`
      select sum(amount)::int as sum, (sum(amount) filter (where kind = 'order'))::int as paid
      from ledger.entry where store = ${keys.store_id}`;
    expect(books).toEqual({ sum: 0, paid: 2_000 });
  });
});

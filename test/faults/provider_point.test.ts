// A process that dies after a provider has answered and before that is written down: at the beginning of a payment, when
// it is asked about, and when money goes back; with a provider that knows a repeated request by its name, and with one
// that does not. A caller who asks again finds one payment, one charge, one refund, and books that add up.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Postgres } from '#runtime/postgres/database.ts';
import { startPaypal } from '#test/services/payment/provider/paypal.ts';
import { startPaystack } from '#test/services/payment/provider/paystack.ts';
import type { Provider } from '#test/services/payment/provider/stand_in.ts';
import { eventually, freshDatabase, openPostgres, type TestDatabase } from '#test/support/server.ts';
import { type Keys, type Reply, sendTo } from '#test/support/stoa.ts';
import { type Cluster, type Member, startCluster } from './cluster.ts';

const RETRY_MS = 1_000;
/** While the edge finds the host again. A hundred payments an hour may be begun, and refused ones count. */
const DYING_MS = 500;

let home: string;
let database: TestDatabase;
let postgres: Postgres;
let cluster: Cluster;
let host: Member;
const providers = new Map<string, Provider>();
beforeAll(async () => {
  for (const provider of [await startPaypal(), await startPaystack()]) {
    providers.set(provider.name, provider);
    process.env[provider.variable] = provider.standIn.url;
  }
  home = await mkdtemp(join(tmpdir(), 'stoa-provider-point-'));
  database = await freshDatabase();
  postgres = openPostgres(database.url);
  cluster = await startCluster({ home, databaseUrl: database.url, hosts: 1, edges: 1, nats: 1 });
  host = cluster.hosts[0]!;
});
afterAll(async () => {
  await cluster.stop();
  await postgres.close();
  await database.drop();
  for (const { standIn } of providers.values()) await standIn.stop();
  await rm(home, { recursive: true, force: true });
});

const ask = (keys: Keys, method: string, path: string, body?: unknown, key?: string): Promise<Reply> =>
  sendTo(cluster.edges[0]!.address, method, path, {
    key: keys.secret_test_key,
    signWith: keys.hmac_test_secret,
    ...(body === undefined ? {} : { body }),
    ...(key ? { headers: { 'Idempotency-Key': key } } : {}),
  });

/** The process dies at the provider's answer to this request; then it is started, and asked again until it answers. */
const dieAndRetry = async (keys: Keys, request: () => Promise<Reply>): Promise<Reply> => {
  host.arm({ place: 'provider', store_id: keys.store_id });
  await eventually(async () => {
    await request().catch(() => null);
    if (host.alive) await Bun.sleep(DYING_MS);
    expect(host.alive).toBe(false);
  }, 60_000);
  host.arm(null);
  await host.start();
  return eventually(async () => {
    const reply = await request();
    // Respects `Retry-After` like a client: another call holds the started payment for a while, and payments are limited.
    if (reply.status >= 300) await Bun.sleep(RETRY_MS);
    expect(reply.status, reply.text).toBeLessThan(300);
    return reply;
  }, 60_000);
};

/** With STOA_KILLS=all, a minute each: the table of kill points always tries one of them. */
const CASES = [
  ['wallet', 'EUR', 1_800],
  ['bank_africa', 'USD', 2_000],
] as const;

describe.skipIf(process.env.STOA_KILLS !== 'all').each(CASES)('%s in %s', (name, currency, units) => {
  test('starts, settles and refunds a payment once, though its process dies at each answer', {
    timeout: 180_000,
  }, async () => {
    const provider = providers.get(name)!;
    const keys = await cluster.createStore();
    const connected = await ask(keys, 'POST', '/v1/payments/providers', provider.connection);
    expect(connected.status, connected.text).toBe(201);
    const product = await ask(keys, 'POST', '/v1/products', {
      name: 'Lesson',
      price: 20,
      stock: 5,
      shipping_info: { requires_shipping: false },
    });
    const items = [{ variant_id: product.body.variant_id, quantity: 1 }];
    const currencies = [{ currency: 'EUR', prices: 'rate' }];
    const saved = await ask({ ...keys, secret_test_key: keys.secret_key }, 'PATCH', '/v1/store', { currencies });
    expect(saved.status, saved.text).toBe(200);
    expect((await ask(keys, 'PUT', '/v1/exchange-rates/EUR', { rate: 0.9 })).status).toBe(200);
    const { order } = (await ask(keys, 'POST', '/v1/orders', { items, currency, email: 'ada@example.com' })).body;
    const amount = units / 100;
    const input = { provider: name, amount, currency, email: 'ada@example.com', order_id: order.id };

    const { body: payment } = await dieAndRetry(keys, () =>
      ask(keys, 'POST', '/v1/payments/initialize', input, 'begin'),
    );
    const payments = await postgres.sql`select 1 from payment.payment where store = ${keys.store_id}`;
    expect(payments.length).toBe(1);

    provider.pay(payment.session_id);
    const verified = await dieAndRetry(keys, () =>
      ask(keys, 'POST', '/v1/payments/verify', { provider: name, reference: payment.reference }),
    );
    expect(verified.body).toMatchObject({ status: 'succeeded', amount, currency });
    const paid = (await ask(keys, 'GET', `/v1/orders/${order.id}`)).body.order;
    expect(paid).toMatchObject({ payment_status: 'paid', amount_paid: amount, order_status: 'confirmed' });
    expect(provider.chargedCount).toBe(1);

    // Recorded by the first try, which is answered once it is asked again under its key.
    const made = await dieAndRetry(keys, () =>
      ask(keys, 'POST', `/v1/orders/${order.id}/refunds`, { amount: amount / 4 }, 'back'),
    );
    await eventually(async () => {
      const { refunds } = (await ask(keys, 'GET', `/v1/orders/${order.id}`)).body.order;
      expect(refunds).toMatchObject([{ id: made.body.refund.id, amount: amount / 4, status: 'succeeded' }]);
    }, 60_000);
    expect(provider.refundedAmounts).toEqual([units / 4]);
    const books = await postgres.sql<{ currency: string; sum: number; held: number }[]>`
      select currency, sum(amount)::int as sum, (sum(amount) filter (where kind = 'order'))::int as held
      from ledger.entry where store = ${keys.store_id} group by currency order by currency`;
    const own = { currency, sum: 0, held: (units * 3) / 4 };
    expect([...books]).toEqual(currency === 'USD' ? [own] : [own, { currency: 'USD', sum: 0, held: 1_500 }]);
  });
});

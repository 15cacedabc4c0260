// Crashes a process while an assistant starts a checkout, or completes one with a payment token. After the restart the
// assistant repeats the call under its key. One checkout and one order exist, paid once, with stock taken once and the token
// used.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Postgres } from '#runtime/postgres/database.ts';
import type { Failpoint } from '#runtime/process/failpoint.ts';
import { freshDatabase, openPostgres, type TestDatabase } from '#test/support/server.ts';
import { allowLocalVerifier } from '#test/support/session.ts';
import {
  areOrders,
  beginCheckout,
  complete,
  isQuiet,
  openSeller,
  type Protocol,
  type Seller,
  UNITS,
} from './assistant_checkout.ts';
import { type Cluster, type Member, startCluster } from './cluster.ts';
import { crash, crashAndRetry, retryUntilAnswered } from './crash.ts';

const STOCK = 5;
const LONG = { timeout: 240_000 };

/** Hosts read the profile of a UCP platform that runs in this process. */
allowLocalVerifier();
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
    const seller = await openSeller(cluster, STOCK);
    const checkout = await beginCheckout(cluster, seller);
    await isQuiet(postgres, seller);
    const death = { member: host, place, shop: seller.keys };
    const { body: completed } = await crashAndRetry(death, () => complete(seller, protocol, checkout));
    await areOrders(postgres, seller, { orders: [{ checkout: checkout.id, order: completed.order.id }], stock: STOCK });
  });
});

describe('a completion whose process dies before the checkout is changed', () => {
  test('pays no other total with what was set aside for it', LONG, async () => {
    const seller = await openSeller(cluster, STOCK);
    const checkout = await beginCheckout(cluster, seller);
    await isQuiet(postgres, seller);
    await crash({ member: host, place: 'transaction', shop: seller.keys }, () => complete(seller, 'ucp', checkout));
    await host.start();
    const less = { items: [{ variant_id: seller.variant, quantity: UNITS - 1 }] };
    await retryUntilAnswered(() => seller.ask('PATCH', `/v1/agent/checkout-intents/${checkout.id}`, less));
    await retryUntilAnswered(() => complete(seller, 'ucp', checkout));
    const { orders } = (await seller.ask('GET', '/v1/orders')).body;
    expect(orders).toMatchObject([{ total_amount: 10, amount_paid: 10 }]);
    const { payments } = (await seller.ask('GET', '/v1/payments')).body;
    expect(payments).toMatchObject([{ status: 'succeeded', amount: 10 }]);
  });
});

describe('a change of a checkout whose process dies', () => {
  test.each<[to: string, quantity: number, place: Failpoint]>([
    ['less', UNITS - 1, 'transaction'],
    ['less', UNITS - 1, 'commit'],
    ['more', UNITS + 1, 'transaction'],
    ['more', UNITS + 1, 'commit'],
  ])('to %s (%i, %s) leaves all held that the checkout says', LONG, async (_to, quantity, place) => {
    const seller = await openSeller(cluster, STOCK);
    const items = (count: number) => ({ items: [{ variant_id: seller.variant, quantity: count }] });
    const { id } = (await begin(seller, items(UNITS))).body.data;
    await isQuiet(postgres, seller);
    const checkout = `/v1/agent/checkout-intents/${id}`;
    const change = () => seller.ask('PATCH', checkout, items(quantity), { 'Idempotency-Key': 'change' });
    await crash({ member: host, place, shop: seller.keys }, change);
    await host.start();
    const { body: found } = await retryUntilAnswered(() => seller.ask('GET', checkout));
    const [line] = found.data.lines;
    expect(line.quantity).toBe(place === 'commit' ? quantity : UNITS);
    const rest = await seller.ask('POST', '/v1/agent/checkout-intents', items(STOCK - line.quantity + 1));
    expect(rest.body.error, rest.text).toMatchObject({ code: 'insufficient_stock' });
    expect((await retryUntilAnswered(change)).body.data.lines).toMatchObject([{ quantity }]);
  });
});

const held = async ({ ask, variant }: Seller): Promise<number> =>
  (await ask('GET', `/v1/inventory/${variant}`)).body.inventory.held;
const begin = ({ ask }: Seller, body: object) =>
  ask('POST', '/v1/agent/checkout-intents', body, { 'Idempotency-Key': 'begin' });

describe('the beginning of a checkout whose process dies', () => {
  test.each<Failpoint>(['claim', 'transaction', 'commit', 'reply'])(
    'at “%s” is one checkout, with its pieces held once, when it is asked for again',
    LONG,
    async (place) => {
      const seller = await openSeller(cluster, STOCK);
      await isQuiet(postgres, seller);
      const body = { items: [{ variant_id: seller.variant, quantity: UNITS }] };
      const { body: started } = await crashAndRetry({ member: host, place, shop: seller.keys }, () =>
        begin(seller, body),
      );
      const { data } = (await seller.ask('GET', '/v1/agent/checkout-intents')).body;
      expect(data).toMatchObject([{ id: started.data.id, status: 'open' }]);
      expect(await held(seller)).toBe(UNITS);
    },
  );

  test('keeps a checkout open while its stock is held, however late it is repeated', LONG, async () => {
    const seller = await openSeller(cluster, STOCK);
    await isQuiet(postgres, seller);
    const body = { items: [{ variant_id: seller.variant, quantity: UNITS }] };
    await crash({ member: host, place: 'transaction', shop: seller.keys }, () => begin(seller, body));
    await host.start();
    const travel = (advance_seconds: number) =>
      retryUntilAnswered(() => seller.ask('POST', '/v1/sandbox/time-travel', { advance_seconds }));
    await travel(20 * 60);
    const { id } = (await retryUntilAnswered(() => begin(seller, body))).body.data;
    const look = async () => {
      const { data } = (await seller.ask('GET', `/v1/agent/checkout-intents/${id}`)).body;
      return [data.status, await held(seller)];
    };
    expect(await look()).toEqual(['open', UNITS]);
    await travel(15 * 60);
    expect(await look()).toEqual(['expired', 0]);
  });

  test('holds stock once for a checkout whose cart changed before its repetition', LONG, async () => {
    const seller = await openSeller(cluster, 20);
    const items = (quantity: number) => ({ items: [{ variant_id: seller.variant, quantity }] });
    const { id } = (await seller.ask('POST', '/v1/agent/cart-drafts', items(UNITS))).body.data;
    await isQuiet(postgres, seller);
    const death = { member: host, place: 'transaction', shop: seller.keys } as const;
    const body = { cart_draft_id: id };
    await crash(death, () => begin(seller, body));
    await host.start();
    await retryUntilAnswered(() => seller.ask('PATCH', `/v1/agent/cart-drafts/${id}`, items(UNITS + 1)));
    expect(await held(seller)).toBe(UNITS);
    await crashAndRetry(death, () => begin(seller, body));
    // Holds without a purpose expire.
    expect(await held(seller)).toBe(UNITS + UNITS + 1);
  });
});

// The shop's own server, as the edge runs it and as a handler of Node's: one order of a checkout however often it is asked for,
// and to each shopper their own.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { forVisitor, serverHandlers } from '#edge/pages/storefront/back/handler.ts';
import { shopServer } from '#edge/pages/storefront/back/respond.ts';
import { nodeListener } from '#edge/pages/storefront/host/node_listener.ts';
import { type Fetch, server as serverClient } from '#proto/client/server.ts';
import { type Keys, type Stoa, startStoa } from '#test/support/stoa.ts';

const AT_ONCE = 12;

let stoa: Stoa;
let keys: Keys;
let folder: string;
let own: Server;
let variant: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'stoa-shop-server-'));
  stoa = await startStoa({ demoFile: join(folder, 'demo.json'), trustedProxies: '127.0.0.1' });
  keys = await stoa.createStore();
  await writeFile(join(folder, 'demo.json'), JSON.stringify(keys));
  const { body } = await stoa.send('POST', '/v1/products', {
    key: keys.secret_test_key,
    body: { name: 'Mug', price: 12, stock: 100, shipping_info: { requires_shipping: false } },
  });
  variant = body.variant_id;
  const respond = shopServer(stoa.url, { key: keys.secret_test_key, hmacSecret: keys.hmac_test_secret });
  own = createServer(
    nodeListener((request, address) =>
      respond(
        request,
        new URL(request.url).pathname.replace('/server/', ''),
        request.headers.get('x-forwarded-for') ?? address,
      ),
    ),
  );
  await new Promise<void>((listening) => void own.listen(0, '127.0.0.1', listening));
});
afterAll(async () => {
  own?.close();
  await stoa?.stop();
  if (folder) await rm(folder, { recursive: true, force: true });
});

const SERVERS = [
  ['of the edge', () => `${stoa.url}/shop/server`],
  ['of Node', () => `http://127.0.0.1:${(own.address() as AddressInfo).port}/server`],
] as const;

describe.each(SERVERS)('the server %s', (_, base) => {
  // biome-ignore lint/suspicious/noExplicitAny: answers of every shape
  type Answer = { status: number; body: any };
  const ask = async (what: string, body: object | string, from = '127.0.0.1'): Promise<Answer> => {
    const answer = await fetch(`${base()}/${what}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-forwarded-for': from },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    });
    return { status: answer.status, body: await answer.json() };
  };
  const begin = async (email: string): Promise<string> => {
    const { body, status, text } = await stoa.send('POST', '/v1/agent/checkout-intents', {
      key: keys.publishable_test_key,
      body: { items: [{ variant_id: variant, quantity: 1 }], email },
    });
    expect(status, text).toBe(201);
    return body.data.id;
  };
  const ordersOf = async (email: string): Promise<Record<string, unknown>[]> => {
    const { body } = await stoa.send('GET', '/v1/orders?limit=100', { key: keys.secret_test_key });
    return body.orders.filter((order: { email: string }) => order.email === email);
  };
  let visitors = 0;
  const visitor = (): string => `203.0.${base().endsWith('/shop/server') ? 113 : 114}.${++visitors}`;
  const signIn = async (email: string) => {
    const from = visitor();
    const { token } = (await ask('sign-in', { email }, from)).body;
    const { session } = (await ask('verify', { token }, from)).body;
    return { access_token: session.access_token as string, expires_at: session.expires_at as string };
  };

  test('places one order of a checkout under concurrent requests, and shows its state', async () => {
    const email = `${crypto.randomUUID()}@example.com`;
    const intent = await begin(email);
    expect((await ask('placed', { intent })).body).toEqual({ order: null });
    const page = 'http://localhost:5173/';
    const asked = Array.from({ length: AT_ONCE }, () => ask('pay', { intent, provider: 'card_checkout', page }));
    const answers = await Promise.all(asked);
    expect(answers.filter(({ status }) => status === 200).length).toBeGreaterThan(0);
    expect(await ordersOf(email)).toHaveLength(1);
    const { checkout_url } = (await ask('pay', { intent, provider: 'card_checkout', page })).body;
    expect((await ask('placed', { intent })).body.order).toMatchObject({ payment_status: 'pending', amount_due: 12 });
    const paid = await fetch(checkout_url, {
      method: 'POST',
      body: new URLSearchParams({ outcome: 'succeed' }),
      redirect: 'manual',
    });
    expect(paid.headers.get('location')).toBe(`${page}orders/${intent}`);
    expect((await ask('placed', { intent })).body.order).toMatchObject({ payment_status: 'paid', amount_due: 0 });
    expect((await ask('pay', { intent, provider: 'card_checkout', page })).body).toEqual({
      checkout_url: null,
      element: null,
    });
  });

  test('shows a shopper only their own orders', async () => {
    const [ada, bo] = [`${crypto.randomUUID()}@example.com`, `${crypto.randomUUID()}@example.com`];
    const session = await signIn(ada);
    const intent = await begin(ada);
    await ask('pay', { intent, provider: 'card_checkout', page: 'http://localhost:5173/', ...session });
    const { orders } = (await ask('orders', session)).body;
    expect(orders).toMatchObject([{ email: ada, customer_id: expect.any(String) }]);
    expect((await ask('orders', await signIn(bo))).body).toEqual({ orders: [] });
    expect((await ask('orders', {})).body).toEqual({ orders: [] });
    expect((await ask('orders', { ...session, access_token: 'at_none' })).status).toBe(401);
  });

  test('refuses to renew a session with a token that is not one, with a status that ends it', async () => {
    expect((await ask('renew', { refresh_token: 'rt_none' }, visitor())).status).toBe(401);
    expect((await ask('renew', {}, visitor())).status).toBe(400);
  });

  test('signs in more visitors than one network’s limit, on behalf of each', async () => {
    const emails = Array.from({ length: 12 }, () => `${crypto.randomUUID()}@example.com`);
    const sessions = await Promise.all(emails.map(signIn));
    expect(new Set(sessions.map(({ access_token }) => access_token)).size).toBe(emails.length);
  });

  test('refuses malformed bodies and unknown checkouts with a message', async () => {
    expect((await ask('pay', { intent: crypto.randomUUID(), provider: 'card_checkout' })).status).toBe(404);
    for (const body of ['', '[1', '7', 'x'.repeat(20_000)]) {
      const { status, body: refusal } = await ask('pay', body);
      expect([400, 413]).toContain(status);
      expect(refusal.error.message).toMatch(/./);
    }
    expect((await ask('toString', {})).status).toBe(404);
  });
});

describe('the outbox after a link was sent', () => {
  /** Signs in while the outbox shows an email only from the look after `hidden` looks on. */
  const signInLate = async (email: string, hidden: number): Promise<string | null> => {
    let sent = false;
    let looks = 0;
    const late: Fetch = async (address, init) => {
      if (address.endsWith('/magic-link')) sent = true;
      const isHidden = sent && address.includes('/v1/sandbox/messages') && ++looks <= hidden;
      const answer = await fetch(address, init);
      if (!isHidden || !answer.ok) return answer;
      const { messages, ...rest } = (await answer.json()) as { messages: unknown[] };
      return Response.json({ ...rest, messages: messages.slice(1) });
    };
    const { secret_test_key: key, hmac_test_secret: hmacSecret } = keys;
    const back = serverClient({ url: stoa.url, key, hmacSecret, fetch: late });
    return ((await serverHandlers['sign-in']!(forVisitor(back, '203.0.115.1'), { email })) as { token: string | null })
      .token;
  };
  const email = `${crypto.randomUUID()}@example.com`;

  test('shows the link of an email that is recorded late, and never an older one', async () => {
    const first = await signInLate(email, 3);
    const second = await signInLate(email, 3);
    expect([first, second]).toEqual([expect.stringMatching(/./), expect.stringMatching(/./)]);
    expect(second).not.toBe(first);
  });

  test('shows no link when no email is recorded', async () => {
    expect(await signInLate(email, Number.POSITIVE_INFINITY)).toBeNull();
  });
});

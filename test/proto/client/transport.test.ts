// How calls are sent: again where that is safe and once where it is not, until the deadline, with one effect; against the real
// system behind a proxy that loses requests and answers.
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type Server, server } from '#proto/client/server.ts';
import { StoaError, type Storefront, storefront } from '#proto/client/storefront.ts';
import type { Exchange } from '#proto/client/transport.ts';
import { type Merchant, openMerchant } from '#test/support/catalog.ts';
import { type FlakyProxy, startFlakyProxy } from '#test/support/flaky_proxy.ts';
import { type Stoa, sharedStoa } from '#test/support/stoa.ts';

let stoa: Stoa;
let merchant: Merchant;
let flaky: FlakyProxy;
let shop: Storefront;
let back: Server;
let productId: string;
let variantId: string;
const exchanges: Exchange[] = [];
beforeAll(async () => {
  stoa = await sharedStoa();
  merchant = await openMerchant(stoa);
  flaky = await startFlakyProxy(stoa.url);
  const product = await merchant.createProduct({ name: 'Mug', price: 12, stock: 50 });
  productId = product.id;
  variantId = product.variant_id!;
  const observe = (exchange: Exchange): number => exchanges.push(exchange);
  shop = storefront({ url: flaky.url, key: merchant.keys.publishable_key, observe });
  const { secret_key: key, hmac_secret: hmacSecret } = merchant.keys;
  back = server({ url: flaky.url, key, hmacSecret, observe });
});
afterEach(() => {
  flaky.faults.length = 0;
  flaky.requests.length = 0;
  exchanges.length = 0;
});
afterAll(async () => {
  await flaky.close();
});

const failureOf = async (call: Promise<unknown>): Promise<unknown> =>
  call.then(
    () => null,
    (problem: unknown) => problem,
  );
const refused = async (call: Promise<unknown>): Promise<StoaError> => {
  const error = await failureOf(call);
  expect(error).toBeInstanceOf(StoaError);
  return error as StoaError;
};
const keysSent = (): unknown[] => flaky.requests.map(({ headers }) => headers['idempotency-key']);

const ORDER = {
  email: 'ada@example.com',
  shipping_address: { line1: '1 Moi Avenue', city: 'Nairobi', country: 'KE' },
};
const THROTTLED = JSON.stringify({ error: { code: 'rate_limited', message: 'Slow down.', request_id: 'r' } });

describe('a call is sent again', () => {
  it.each([
    ['is lost on the way', 'lose request' as const],
    ['loses its answer', 'lose answer' as const],
    ['comes to a gateway without a server', { status: 502, body: '<html>' }],
    ['is answered by a server that cannot now', { status: 503, headers: { 'retry-after': '0' } }],
  ])('when it %s, and has one effect', async (_, fault) => {
    const before = (await shop.cart.get()).cart.item_count;
    flaky.requests.length = 0;
    flaky.faults.push(fault, fault);
    const { cart } = await shop.cart.items.add({ product_id: productId, quantity: 1 });
    expect(cart.item_count).toBe(before + 1);
    expect(flaky.requests.length).toBe(3);
    expect(new Set(keysSent()).size).toBe(1);
  });

  it('repeats a signed call with its first signature, and makes one order', async () => {
    flaky.faults.push('lose answer', 'lose answer');
    const { order } = await back.orders.create({ ...ORDER, items: [{ variant_id: variantId, quantity: 1 }] });
    const { orders } = await back.orders.list({ fields: ['id'] });
    expect(orders).toEqual([{ id: order.id }]);
  });

  it('after as long as Retry-After asks, when it is throttled', async () => {
    flaky.faults.push({ status: 429, headers: { 'retry-after': '1' }, body: THROTTLED });
    expect((await shop.store.get({ fields: ['currency'] })).store.currency).toBe('USD');
    expect(exchanges.map(({ status, attempt }) => [status, attempt])).toEqual([
      [429, 1],
      [200, 2],
    ]);
  });

  it('gives up when Retry-After is past the deadline, and reports the wait', async () => {
    flaky.faults.push({ status: 429, headers: { 'retry-after': '1800' }, body: THROTTLED });
    const error = await refused(shop.store.get());
    expect(error).toMatchObject({ code: 'rate_limited', retryAfterMs: 1_800_000, attempts: 1, unknown: false });
    expect(flaky.requests).toHaveLength(1);
  });

  it('gives up at the system’s own throttle, and reports its end', async () => {
    // From a network each, whose own minute would end now and then while a call waits: what slows down here is the account.
    const attempt = (from: number) => {
      const visitor = back.as({ ip: `203.0.113.${from}` });
      return refused(visitor.auth.login({ email: 'ada@example.com', password: 'a wrong word' }, { timeoutMs: 20_000 }));
    };
    for (let from = 1; from <= 10; from++) expect((await attempt(from)).code).toBe('unauthorized');
    exchanges.length = 0;
    const throttled = await attempt(11);
    expect(throttled).toMatchObject({ code: 'rate_limited', status: 429, attempts: 1 });
    expect(throttled.retryAfterMs).toBeGreaterThan(20_000);
    expect(exchanges.map(({ status }) => status)).toEqual([429]);
  });

  it('gives up when the request itself is refused', async () => {
    await refused(shop.products.get({ id: crypto.randomUUID() }));
    expect(flaky.requests).toHaveLength(1);
  });

  it('repeats a call as often as allowed and no more', async () => {
    flaky.faults.push('lose request', 'lose request', 'lose request');
    const error = await refused(shop.store.get({}, { retries: 1 }));
    expect(error).toMatchObject({ code: 'network_error', status: 0, attempts: 2 });
    // `fetch` itself repeats a request on a reused connection: that is not the client's repetition.
    expect(exchanges).toHaveLength(2);
  });
});

describe('an outcome', () => {
  it('stays unknown when what follows only puts the call off, and is known once it is refused', async () => {
    const busy = { status: 503, headers: { 'retry-after': '0' } };
    flaky.faults.push('lose answer', busy, busy, busy);
    expect(await refused(shop.cart.empty())).toMatchObject({ status: 503, unknown: true, attempts: 4 });
    flaky.faults.push(busy, busy, busy, busy);
    expect(await refused(shop.cart.empty())).toMatchObject({ status: 503, unknown: false });
    flaky.faults.push('lose request');
    const item_id = crypto.randomUUID();
    expect(await refused(shop.cart.items.remove({ item_id }))).toMatchObject({ status: 404, unknown: false });
  });
});

describe('a write that takes no key', () => {
  const register = (email: string) => back.auth.register({ email, password: 'a long enough word' });

  it('gives up on a write without a key when its outcome is unknown, and reports that', async () => {
    flaky.faults.push('lose answer');
    expect(await refused(register('ada@example.com'))).toMatchObject({ code: 'network_error', unknown: true });
    expect(keysSent()).toEqual([undefined]);
    expect((await refused(register('ada@example.com'))).code).toBe('conflict');
  });

  it('repeats a write without a key that certainly did not happen', async () => {
    flaky.faults.push({ status: 503, headers: { 'retry-after': '0' } });
    expect((await register('grace@example.com')).customer.email).toBe('grace@example.com');
  });
});

describe('a key of the caller’s own', () => {
  it('makes a call that is made anew the same call', async () => {
    const options = { idempotencyKey: crypto.randomUUID() };
    const first = await back.products.create({ name: 'Plate', price: 3 }, options);
    expect((await back.products.create({ name: 'Plate', price: 3 }, options)).id).toBe(first.id);
    expect(await refused(back.products.create({ name: 'Bowl' }, options))).toMatchObject({
      code: 'idempotency_conflict',
      idempotencyKey: options.idempotencyKey,
    });
  });
});

describe('many calls of one key at once', () => {
  it('acts once for many concurrent calls of one key, and answers all of them', async () => {
    const options = { idempotencyKey: crypto.randomUUID(), retries: 10 };
    const made = await Promise.all(
      Array.from({ length: 20 }, () => back.products.create({ name: 'Bowl', price: 4 }, options)),
    );
    expect(new Set(made.map(({ id }) => id)).size).toBe(1);
  });
});

describe('time', () => {
  it('ends an attempt that hangs, and the next one is answered', async () => {
    const hasty = storefront({ url: flaky.url, key: merchant.keys.publishable_key, attemptTimeoutMs: 300 });
    flaky.faults.push('hang');
    expect((await hasty.store.get()).store.currency).toBe('USD');
  });

  it('waits forever under an infinite deadline', async () => {
    const endless = { timeoutMs: Infinity, attemptTimeoutMs: Infinity, retries: 0 };
    const patient = storefront({ url: flaky.url, key: merchant.keys.publishable_key, ...endless });
    expect((await patient.store.get()).store.currency).toBe('USD');
  });

  it('ends a call: of a write the outcome is unknown', async () => {
    flaky.faults.push('hang', 'hang', 'hang', 'hang', 'hang');
    const error = await refused(shop.cart.empty({}, { timeoutMs: 200 }));
    expect(error).toMatchObject({ code: 'timeout', status: 0, unknown: true });
  });

  it('rejects with the caller’s reason, on its way and between two attempts', async () => {
    const controller = new AbortController();
    flaky.faults.push('hang');
    const call = failureOf(shop.store.get({}, { signal: controller.signal }));
    await expect.poll(() => flaky.requests.length).toBe(1);
    controller.abort('changed my mind');
    expect(await call).toBe('changed my mind');
    const waiting = new AbortController();
    flaky.faults.push({ status: 503, headers: { 'retry-after': '30' } });
    const late = failureOf(shop.store.get({}, { signal: waiting.signal }));
    await expect.poll(() => exchanges.at(-1)?.status).toBe(503);
    waiting.abort('no longer');
    expect(await late).toBe('no longer');
  });
});

describe('what was read before', () => {
  it('sends the ETag of a cached answer: 304 answers from the cache, and a change brings the new one', async () => {
    const ask = () => shop.products.get({ id: productId, fields: ['name', 'price'] });
    const first = await ask();
    first.name = 'written over';
    expect(await ask()).toEqual({ name: 'Mug', price: 12 });
    expect(exchanges.map(({ status }) => status)).toEqual([200, 304]);
    expect(flaky.requests[1]!.headers['if-none-match']).toMatch(/^"/);
    await back.products.update({ id: productId, price: 13 });
    expect(await ask()).toEqual({ name: 'Mug', price: 13 });
  });
});

describe('an attempt', () => {
  it('follows no redirect, which would take the key to another place', async () => {
    flaky.faults.push({ status: 302, headers: { location: `${stoa.url}/v1/store` } });
    expect(await refused(shop.store.get())).toMatchObject({ code: 'unreadable_answer', status: 302 });
  });

  it('reports every attempt to the observer, without a secret', async () => {
    await shop.cart.items.add({ product_id: productId, quantity: 2 });
    expect(exchanges).toEqual([
      {
        name: 'cart.items.add',
        request: { product_id: productId, quantity: 2 },
        operation: 'POST /v1/cart/items',
        method: 'POST',
        url: `${flaky.url}/v1/cart/items`,
        body: JSON.stringify({ product_id: productId, quantity: 2 }),
        attempt: 1,
        status: 200,
        requestId: expect.any(String),
        durationMs: expect.any(Number),
      },
    ]);
  });
});

// Tests how long and for which requests an out-of-stock refusal is repeated, and over HTTP that the edge repeats it
// without the services.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type RunningEdge, startEdge } from '#edge/edge.ts';
import { Freshness } from '#edge/gates/freshness.ts';
import { OutOfStockCache } from '#edge/gates/out_of_stock_cache.ts';
import { refuse, type Tenant } from '#runtime/call/call.ts';
import { connectLinks } from '#runtime/link/client.ts';
import type { LinkClient } from '#runtime/link/frame.ts';
import { type Merchant, openMerchant } from '#test/support/catalog.ts';
import { eventually, testLog } from '#test/support/server.ts';
import { type Stoa, sendTo, sharedStoa } from '#test/support/stoa.ts';

const TENANT: Tenant = { store: 's', environment: 'production' };
const OTHER: Tenant = { store: 's', environment: 'sandbox' };

describe('a hint', () => {
  const open = () => {
    const freshness = new Freshness();
    let now = 0;
    const hints = new OutOfStockCache(freshness, () => now);
    const attempt = (body: object, { tenant = TENANT, rpc = 'Cart/AddItem', session = 'x' } = {}) =>
      hints.attemptOf(rpc, tenant, session, body as Record<string, unknown>)!;
    const remember = (body: object, ...causes: string[]) =>
      hints.remember(attempt(body), refuse('insufficient_stock', 'Gone.', { causes }));
    return {
      freshness,
      attempt,
      remember,
      pass: (ms: number) => {
        now += ms;
      },
      refusalOf: (...given: Parameters<typeof attempt>) => hints.refusal(attempt(...given))?.message ?? null,
      hints,
    };
  };

  test('repeats the refusal for 300 ms', () => {
    const { remember, refusalOf, pass } = open();
    const body = { variant_id: 'a', quantity: 1 };
    expect(refusalOf(body)).toBeNull();
    remember(body, 'a');
    pass(299);
    expect(refusalOf(body)).toBe('Gone.');
    pass(1);
    expect(refusalOf(body)).toBeNull();
  });

  test.each([
    ['another variant', { variant_id: 'b', quantity: 1 }, {}],
    ['another quantity', { variant_id: 'a', quantity: 2 }, {}],
    ['a product beside it', { variant_id: 'a', quantity: 1, product_id: 'p' }, {}],
    ['another endpoint', { variant_id: 'a', quantity: 1 }, { rpc: 'Agent/CreateIntent' }],
    ['another environment', { variant_id: 'a', quantity: 1 }, { tenant: OTHER }],
    ['a cart without a session', { variant_id: 'a', quantity: 1 }, { session: '' }],
  ])('does not apply to %s', (_, body, options) => {
    const { remember, refusalOf } = open();
    remember({ variant_id: 'a', quantity: 1 }, 'a');
    expect(refusalOf(body, options)).toBeNull();
  });

  test('covers lists only if every variant is out of stock', () => {
    const { remember, refusalOf } = open();
    const [a, b] = [
      { variant_id: 'a', quantity: 1 },
      { variant_id: 'b', quantity: 2 },
    ];
    remember({ items: [a, b] }, 'a');
    expect(refusalOf({ items: [a, b] })).toBeNull();
    remember({ items: [a, b] }, 'a', 'b');
    expect(refusalOf({ items: [a, b] })).toBe('Gone.');
    expect(refusalOf({ items: [b, a] })).toBeNull();
  });

  test('ignores bodies that name no variant', () => {
    const { hints } = open();
    for (const body of [{}, { items: [] }, { items: [{ quantity: 1 }] }, { variant_id: 7 }, { items: 'a' }])
      expect(hints.attemptOf('Cart/AddItem', TENANT, '', body as Record<string, unknown>)).toBeNull();
  });

  test('expires with the tenant’s next revision and is not stored across one', () => {
    const { remember, refusalOf, attempt, freshness, hints } = open();
    const body = { variant_id: 'a', quantity: 1 };
    remember(body, 'a');
    freshness.apply({ kind: 'catalog', tenant: TENANT, revision: 7, ids: ['p'] });
    expect(refusalOf(body)).toBeNull();
    const asked = attempt(body);
    freshness.apply({ kind: 'catalog', tenant: TENANT, revision: 8, ids: ['p'] });
    hints.remember(asked, refuse('insufficient_stock', 'Gone.', { causes: ['a'] }));
    expect(refusalOf(body)).toBeNull();
    freshness.apply({ kind: 'catalog', tenant: OTHER, revision: 9, ids: null });
    remember(body, 'a');
    freshness.apply({ kind: 'catalog', tenant: OTHER, revision: 10, ids: null });
    expect(refusalOf(body)).toBe('Gone.');
  });
});

describe('an edge', () => {
  let stoa: Stoa;
  let merchant: Merchant;
  let edge: RunningEdge;
  let wire: LinkClient;
  let hops = 0;
  beforeAll(async () => {
    stoa = await sharedStoa();
    merchant = await openMerchant(stoa);
    const log = testLog();
    const link = connectLinks({ addresses: [stoa.services.address], token: '', log });
    wire = {
      ...link,
      serves: (service) => link.serves(service),
      cancelWaits: () => link.cancelWaits(),
      listen: (hear) => link.listen(hear),
      close: () => link.close(),
      ask: (ask, write) => {
        if (ask.rpc === 'Cart/AddItem') hops++;
        return link.ask(ask, write);
      },
    };
    edge = startEdge({
      host: '127.0.0.1',
      port: 0,
      wire,
      redis: null,
      log,
      trustedProxies: '',
      publicUrl: null,
      cacheBytesMax: 1 << 20,
    });
    await eventually(async () => expect((await fetch(`${edge.url}/v1/health`)).status).toBe(200));
  });
  afterAll(async () => {
    await edge?.stop();
    await wire?.close();
  });

  const add = (
    variant_id: string | null | undefined,
    headers: Readonly<Record<string, string>> = { 'X-Session-Id': randomUUID() },
  ) =>
    sendTo(edge.url, 'POST', '/v1/cart/items', { key: merchant.keys.publishable_key, body: { variant_id }, headers });

  test('refuses what is sold out without asking, in the services’ own words, until stock comes', async () => {
    const { variant_id } = await merchant.createProduct({ stock: 0 });
    // The notices of the product's creation have arrived.
    const first = await eventually(async () => {
      await add(variant_id);
      const before = hops;
      const reply = await add(variant_id);
      expect(hops).toBe(before);
      return reply;
    });
    const asked = await merchant.publishable(
      'POST',
      '/v1/cart/items',
      { variant_id },
      { headers: { 'X-Session-Id': 'x' } },
    );
    const { request_id: _a, ...own } = first.body.error;
    const { request_id: _b, ...theirs } = asked.body.error;
    expect([first.status, own]).toEqual([asked.status, theirs]);
    expect(own).toEqual({
      code: 'insufficient_stock',
      message: 'This item is not available. Choose another one.',
      param: 'quantity',
      details: 'available: 0',
    });
    await merchant.secret('POST', '/v1/inventory/adjustments', { variant_id, on_hand: 5 });
    await eventually(async () => expect((await add(variant_id)).status).toBe(200));
  });

  test('asks for a caller with an idempotency key, who may be the one that got the last', async () => {
    const { variant_id } = await merchant.createProduct({ stock: 0 });
    await add(variant_id);
    const before = hops;
    await add(variant_id, { 'X-Session-Id': 'y', 'Idempotency-Key': randomUUID() });
    expect(hops).toBe(before + 1);
  });
});

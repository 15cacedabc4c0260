// Retries at every write: one effect, the first answer again, and no other caller's (specification, "Idempotency"; contract §1).
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { routes } from '#proto/gen/routes.ts';
import type { Route } from '#proto/route.ts';
import { type StillClock, stillClock } from '#runtime/process/clock.ts';
import { eventually } from '#test/support/server.ts';
import { type Reply, type Stoa, sendTo, startStoa } from '#test/support/stoa.ts';
import { farFromEnd } from '#test/support/window.ts';
import { type Ledger, openLedger } from './ledger.ts';
import type { Owner } from './record.ts';
import { pathOf, secretOf } from './target.ts';
import { hostedRoutes, jobsEnded, openLasting, openOwner } from './world.ts';

let stoa: Stoa;
let clock: StillClock;
let ledger: Ledger;
beforeAll(async () => {
  clock = stillClock(Date.now());
  stoa = await startStoa({ clock });
  ledger = await openLedger(stoa);
});
afterAll(() => stoa.stop());

/** A body that does something, and another one. */
const BODIES: Readonly<Record<string, (owner: Owner) => readonly [unknown, unknown]>> = {
  'PATCH /v1/store': () => [{ description: 'once' }, { description: 'twice' }],
  'PUT /v1/store/policies/:type': () => [
    { title: 'T', body: 'once', publish: true },
    { title: 'T', body: 'twice', publish: true },
  ],
  'POST /v1/products': () => [
    { name: 'Once', price: 1 },
    { name: 'Twice', price: 1 },
  ],
  'PATCH /v1/products/:id': () => [{ name: 'Once' }, { name: 'Twice' }],
  'POST /v1/products/:id/variants': () => [{ price: 1 }, { price: 2 }],
  'PATCH /v1/products/:id/variants/:variant_id': () => [{ price: 1 }, { price: 2 }],
  'POST /v1/categories': () => [{ name: 'Once' }, { name: 'Twice' }],
  'PATCH /v1/categories/:id': () => [{ name: 'Once' }, { name: 'Twice' }],
  'POST /v1/product-collections': () => [{ name: 'Once' }, { name: 'Twice' }],
  'PATCH /v1/product-collections/:id': () => [{ name: 'Once' }, { name: 'Twice' }],
  'PUT /v1/product-collections/:id/products': ({ records }) => [
    { product_ids: [] },
    { product_ids: [records.product] },
  ],
  'POST /v1/price-lists': () => [{ name: 'Once' }, { name: 'Twice' }],
  'PATCH /v1/price-lists/:id': () => [{ name: 'Once' }, { name: 'Twice' }],
  'POST /v1/search': () => [{ query: 'once' }, { query: 'twice' }],
  'POST /v1/events': ({ records }) => [
    { event_type: 'view', product_id: records.product, session_id: 'once' },
    { event_type: 'view', product_id: records.product, session_id: 'twice' },
  ],
  'POST /v1/recommendations': ({ records }) => [{ product_id: records.product }, { intent: 'trending' }],
  'POST /v1/promotions': () => [
    { name: 'Once', type: 'percentage', value: 1 },
    { name: 'Twice', type: 'percentage', value: 2 },
  ],
  'PATCH /v1/promotions/:id': () => [{ name: 'Once' }, { name: 'Twice' }],
  'POST /v1/blog/posts': () => [{ title: 'Once' }, { title: 'Twice' }],
  'PATCH /v1/blog/posts/:id': () => [{ title: 'Once' }, { title: 'Twice' }],
  'POST /v1/lookbooks': () => [{ title: 'Once' }, { title: 'Twice' }],
  'PATCH /v1/lookbooks/:id': () => [{ title: 'Once' }, { title: 'Twice' }],
  'POST /v1/tax-rates': () => [
    { name: 'Once', country: 'KE', rate: 0.1 },
    { name: 'Twice', country: 'KE', rate: 0.2 },
  ],
  'PATCH /v1/tax-rates/:id': () => [{ name: 'Once' }, { name: 'Twice' }],
  'POST /v1/inventory/adjustments': ({ records }) => [
    { variant_id: records.variant, delta: 1 },
    { variant_id: records.variant, delta: 2 },
  ],
  'POST /v1/customers': () => [{ email: 'once@example.com' }, { email: 'twice@example.com' }],
  'PUT /v1/customers/:id/group': () => [{ group: 'once' }, { group: 'twice' }],
  'PATCH /v1/reviews/:id': () => [
    { status: 'rejected', rejection_reason: 'Once' },
    { status: 'rejected', rejection_reason: 'Twice' },
  ],
  'PATCH /v1/messaging/threads/:id': () => [{ status: 'closed' }, { status: 'open' }],
  'PATCH /v1/returns/:id': () => [{ status: 'approved' }, { status: 'received' }],
  'PATCH /v1/disputes/:id': () => [{ status: 'under_review' }, { status: 'rejected' }],
  'POST /v1/b2b/quotes': ({ records }) => [
    { customer_id: records.customer, items: [{ variant_id: records.variant, quantity: 1, unit_price: 1 }] },
    { customer_id: records.customer, items: [{ variant_id: records.variant, quantity: 2, unit_price: 1 }] },
  ],
  'POST /v1/b2b/invoices': ({ records }) => [
    { purchase_order_id: records.confirmedOrder },
    { purchase_order_id: records.confirmedOrder, items: null, again: true },
  ],
  'POST /v1/b2b/invoices/:id/pay': () => [{ amount: 8 }, { amount: 8, reference: 'Twice' }],
  'POST /v1/b2b/purchase-orders/:id/fulfill': () => [{ carrier: 'Once' }, { carrier: 'Twice' }],
  'PUT /v1/marketplace/collections/:slug': () => [
    { name: 'Once', placement_kind: 'merchant', items: [] },
    { name: 'Twice', placement_kind: 'merchant', items: [] },
  ],
  'POST /v1/cart/checkout': ({ keys, records }) =>
    ['Once', 'Twice'].map((note) => ({
      lines: [{ store_id: keys.store_id, variant_id: records.variant, quantity: 1 }],
      email: 'ada@example.com',
      shipping_address: { line1: '1', city: 'Nairobi', country: 'KE' },
      note,
    })) as [unknown, unknown],
  'POST /v1/cart/checkout/:group_id/pay': () => [
    { provider: 'card_checkout' },
    { provider: 'card_checkout', email: 'twice@example.com' },
  ],
  'POST /v1/marketplace/payment-providers': () => [
    { provider: 'once', custom_provider: true, ...OWN_PROVIDER },
    { provider: 'twice', custom_provider: true, ...OWN_PROVIDER },
  ],
  'POST /v1/gift-cards': () => [{ amount: 1 }, { amount: 2 }],
  'PATCH /v1/gift-cards/:id': () => [{ status: 'disabled' }, { status: 'disabled', again: true }],
  'POST /v1/store-credit': ({ records }) => [
    { customer_id: records.customer, amount: 1 },
    { customer_id: records.customer, amount: 2 },
  ],
  'POST /v1/ingestion/push': () => [{ products: [{ external_id: 'once', name: 'Once' }] }, { products: [] }],
  'POST /v1/ingestion/feeds': () => [
    { url: 'https://feed.invalid/once', format: 'csv' },
    { url: 'https://feed.invalid/twice', format: 'csv' },
  ],
  'POST /v1/shipping/calculate': () => [
    { latitude: -1.28, longitude: 36.82 },
    { latitude: -4.05, longitude: 39.66 },
  ],
  'PUT /v1/shipping/config': () => [{ fallback: { rate: { fee: 1 } } }, { fallback: { rate: { fee: 2 } } }],
  'POST /v1/shipping/providers': () => [
    { kind: 'custom', name: 'Once', url: 'https://rates.invalid/once' },
    { kind: 'custom', name: 'Twice', url: 'https://rates.invalid/twice' },
  ],
  'PATCH /v1/ingestion/feeds/:id': () => [{ name: 'Once' }, { name: 'Twice' }],
  'POST /v1/orders': ({ records }) => [
    { items: [{ variant_id: records.variant, quantity: 1 }], email: 'once@example.com' },
    { items: [{ variant_id: records.variant, quantity: 1 }], email: 'twice@example.com' },
  ],
  'PATCH /v1/orders/:id': () => [{ note: 'Once' }, { note: 'Twice' }],
  'POST /v1/orders/:id/refunds': () => [{ amount: 1 }, { amount: 2 }],
  'POST /v1/orders/:id/shipments': () => [
    { carrier: 'Once', tracking_number: '1' },
    { carrier: 'Twice', tracking_number: '2' },
  ],
  'POST /v1/agent/quotes': ({ records }) => [
    { items: [{ variant_id: records.variant, quantity: 1 }] },
    { items: [{ variant_id: records.variant, quantity: 2 }] },
  ],
  'POST /v1/agent/cart-drafts': ({ records }) => [
    { items: [{ variant_id: records.variant, quantity: 1 }] },
    { items: [{ variant_id: records.variant, quantity: 2 }] },
  ],
  'PATCH /v1/agent/cart-drafts/:id': () => [{ email: 'once@example.com' }, { email: 'twice@example.com' }],
  'POST /v1/agent/checkout-intents': ({ records }) => [
    { items: [{ variant_id: records.variant, quantity: 1 }] },
    { items: [{ variant_id: records.variant, quantity: 2 }] },
  ],
  'PATCH /v1/agent/checkout-intents/:id': () => [{ email: 'once@example.com' }, { email: 'twice@example.com' }],
  'POST /v1/payments/initialize': () => [
    { provider: 'card_checkout', amount: 1, email: 'ada@example.com' },
    { provider: 'card_checkout', amount: 2, email: 'ada@example.com' },
  ],
  'POST /v1/payments/verify': ({ records }) => [
    { provider: 'card_checkout', reference: records.payment },
    { provider: 'wallet', reference: records.payment },
  ],
  'POST /v1/payments/providers': () => [
    { provider: 'once', custom_provider: true, ...OWN_PROVIDER },
    { provider: 'twice', custom_provider: true, ...OWN_PROVIDER },
  ],
  'POST /v1/channels': () => [
    { provider: 'once', name: 'Once', url: 'https://channel.invalid/once', format: 'stoa' },
    { provider: 'twice', name: 'Twice', url: 'https://channel.invalid/twice', format: 'stoa' },
  ],
  'PATCH /v1/channels/:id': () => [{ name: 'Once' }, { name: 'Twice' }],
  'POST /v1/connect/sessions': () => [
    { client_name: 'Once', redirect_uri: 'https://app.invalid/once', scopes: ['orders:read'] },
    { client_name: 'Twice', redirect_uri: 'https://app.invalid/twice', scopes: ['orders:read'] },
  ],
  'POST /v1/webhook-endpoints': () => [
    { url: 'https://hooks.invalid/once', events: ['*'], enabled: false },
    { url: 'https://hooks.invalid/twice', events: ['*'], enabled: false },
  ],
  'PATCH /v1/webhook-endpoints/:id': () => [{ description: 'once' }, { description: 'twice' }],
  'POST /v1/webhook-endpoints/:id/test': () => [{ event_type: 'order.created' }, { event_type: 'order.paid' }],
  'POST /v1/sandbox/webhooks/replay': ({ records }) => [{ event_id: records.sandboxEvent }, { event_id: 'evt_twice' }],
  'POST /v1/sandbox/reset': () => [{}, { copy_catalogue: true }],
  'POST /v1/sandbox/time-travel': () => [{ advance_seconds: 60 }, { advance_seconds: 61 }],
  'POST /v1/sandbox/payments/:reference': () => [{ outcome: 'succeed' }, { outcome: 'fail' }],
};

const OWN_PROVIDER = {
  name: 'Own',
  initialize_url: 'https://pay.invalid/initialize',
  verify_url: 'https://pay.invalid/verify',
  signing_secret: 'a-secret-of-both-sides',
};

/** What the same request is told a day later where that is too late, or once too often. */
const LATE: Readonly<Record<string, number>> = {
  'POST /v1/customers': 409,
  'POST /v1/orders/:id/shipments': 409,
  'PATCH /v1/agent/cart-drafts/:id': 409,
  'PATCH /v1/agent/checkout-intents/:id': 409,
  'POST /v1/agent/checkout-intents/:id/cancel': 409,
  'POST /v1/b2b/purchase-orders/:id/confirm': 409,
  'POST /v1/b2b/invoices': 409,
  'POST /v1/b2b/invoices/:id/pay': 409,
  'POST /v1/b2b/invoices/:id/void': 409,
  'POST /v1/b2b/purchase-orders/:id/fulfill': 409,
  'POST /v1/sandbox/payments/:reference': 409,
};

/**
 * What only adds something, or changes what lasts, can be asked of one owner all day; what is deleted, ends, or is worked off
 * later, of its own.
 */
const ALONE =
  /^DELETE|^\w+ \/v1\/(agent\/.*:|b2b|cart|connect\/.*:|customers|disputes|ingestion|orders\/.*:|payments|returns|sandbox|webhook-events)/;
const shared = new Map<string, Promise<Owner>>();
const ownerOf = (name: string, { path }: Route): Promise<Owner> => {
  if (ALONE.test(name)) return openOwner(stoa, 'blackbird');
  // A day passes with each: of one owner alone, things would run out that are meant to last.
  const whose = path.includes(':') ? 'changes' : 'additions';
  const owner = shared.get(whose) ?? openLasting(stoa, 'blackbird');
  shared.set(whose, owner);
  return owner;
};

const WRITES = routes
  .filter(({ verb, path, access }) => verb !== 'GET' && !path.startsWith('/v1/auth/') && access.session === 'none')
  // Providers send callbacks as they please: there, what was settled is what a retry finds.
  .filter(({ access }) => access.key !== 'none')
  .map((route) => [`${route.verb} ${route.path}`, route] as const);

const write = (route: Route, owner: Owner, key: string, body: unknown, path = pathOf(route, owner)): Promise<Reply> =>
  sendTo(stoa.url, route.verb, path, {
    ...secretOf(route, owner),
    ...(body === undefined ? {} : { body }),
    headers: { 'Idempotency-Key': key },
  });

/** What is there of the owner. */
const effects = async ({ keys }: Owner): Promise<string> => (await ledger(keys.store_id))[0]!.whole;

describe.each(WRITES)('%s', (name, route) => {
  test('is nothing where it is refused, once under one key, free again after 24 hours of the tenant’s clock', async () => {
    if (!hostedRoutes(stoa).includes(route)) return;
    const owner = await ownerOf(name, route);
    const [body, other] = BODIES[name]?.(owner) ?? [undefined, { any: 'thing' }];
    const key = `~ ${randomUUID()} !`;

    const named =
      route.path.includes(':') &&
      !route.path.endsWith(':type') &&
      !route.path.endsWith(':reference') &&
      !route.path.startsWith('/v1/webhook-events/');
    const refused = await (named
      ? write(route, owner, key, body, pathOf(route, owner).replace(/[0-9a-f-]{36}|section-[^/]+/, 'No_ne'))
      : write(route, owner, key, '{'));
    expect(refused.status, refused.text).toBe(400);

    const first = await write(route, owner, key, body);
    expect([first.status, first.headers.get('idempotent-replayed')], first.text).toEqual([route.status, null]);
    expect(first.body).not.toHaveProperty('idempotent');
    if (route.path.startsWith('/v1/ingestion/')) await jobsEnded(stoa, owner.keys);

    const before = await effects(owner);
    const retry = await write(route, owner, key, body);
    expect([retry.status, retry.headers.get('idempotent-replayed')]).toEqual([first.status, 'true']);
    expect(retry.body).toEqual({ ...first.body, idempotent: true });
    expect(await effects(owner)).toBe(before);
    const retried = await effects(owner);
    const conflict = await write(route, owner, key, other);
    expect([conflict.status, conflict.body.error.code]).toEqual([409, 'idempotency_conflict']);
    expect(await effects(owner)).toBe(retried);

    clock.advance(24 * 3_600_000 - 1);
    expect((await write(route, owner, key, body)).headers.get('idempotent-replayed')).toBe('true');
    clock.advance(1);
    const late = await write(route, owner, key, body);
    expect(late.headers.get('idempotent-replayed')).toBeNull();
    expect(late.status, late.text).toBe(route.verb === 'DELETE' ? 404 : (LATE[name] ?? route.status));
  });
});

describe('a key', () => {
  const category = (key: string, idempotencyKey: string, body: unknown = { name: 'Lamps' }, path = '/v1/categories') =>
    stoa.send('POST', path, { key, body, headers: { 'Idempotency-Key': idempotencyKey } });

  test('is another one in another tenant, environment, path and verb', async () => {
    const [mine, theirs] = [await stoa.createStore(), await stoa.createStore()];
    const replies = [
      await category(mine.secret_key, 'k'),
      await category(theirs.secret_key, 'k'),
      await category(mine.secret_test_key, 'k'),
      await category(mine.secret_key, 'k', { name: 'Lamps' }, '/v1/product-collections'),
    ];
    for (const { status, body } of replies) expect([status, body.idempotent]).toEqual([201, undefined]);
    const ids = replies.map(({ body }) => (body.category ?? body.collection).id);
    expect(new Set(ids).size).toBe(4);
    const patched = await stoa.send('PATCH', `/v1/categories/${ids[0]}`, {
      key: mine.secret_key,
      body: { name: 'Lamps' },
      headers: { 'Idempotency-Key': 'k' },
    });
    expect([patched.status, patched.body.idempotent]).toEqual([200, undefined]);
  });

  test('compares bytes: another spelling of the same JSON is another body, letter case in a key counts', async () => {
    const { secret_key: key } = await stoa.createStore();
    expect((await category(key, 'k', '{"name":"Lamps"}')).status).toBe(201);
    expect((await category(key, 'k', '{ "name":"Lamps"}')).status).toBe(409);
    expect((await category(key, 'K', '{"name":"Lamps"}')).body.idempotent).toBeUndefined();
  });

  test.each(['a', '~'.repeat(255), '!"#$%&\'()*+,-./:;<=>?@[]^_`{|}~', 'a b'])('may be "%s"', async (text) => {
    const { secret_key: key } = await stoa.createStore();
    expect((await category(key, text)).status).toBe(201);
    expect((await category(key, text)).body.idempotent).toBe(true);
  });

  test('of forty callers at once lets one through; the others hear its answer or are told to wait', async () => {
    const { secret_key: key } = await stoa.createStore();
    const replies = await Promise.all(Array.from({ length: 40 }, () => category(key, 'storm')));
    const fresh = replies.filter(({ status, body }) => status === 201 && !body.idempotent);
    expect(fresh).toHaveLength(1);
    for (const { status, body, headers } of replies)
      if (status === 201) expect(body.category.id).toBe(fresh[0]!.body.category.id);
      else expect([status, body.error.code, headers.get('retry-after')]).toEqual([409, 'conflict', '1']);
    expect((await stoa.send('GET', '/v1/categories', { key })).body.categories).toHaveLength(1);
  });

  test('on a read is ignored', async () => {
    const { secret_key: key } = await stoa.createStore();
    const read = () => stoa.send('GET', '/v1/categories', { key, headers: { 'Idempotency-Key': 'k' } });
    expect((await read()).body).toEqual({ categories: [] });
    await category(key, 'k');
    expect((await read()).body.categories).toHaveLength(1);
  });

  test('keeps its answer where no reader finds it', async () => {
    const { secret_key: key, store_id: store } = await stoa.createStore();
    await category(key, 'secret-of-a-key', { name: 'Secret of an answer' });
    const { sql } = stoa.services.foundation.postgres;
    const rows = await sql`select r::text as text, answer from runtime.idempotency r where store = ${store}`;
    expect(rows).toHaveLength(1);
    for (const word of ['Secret of an answer', 'secret-of-a-key'])
      expect([rows[0]!.text.includes(word), Buffer.from(rows[0]!.answer).includes(word)]).toEqual([false, false]);
  });
});

describe('signed calls', () => {
  beforeEach(() => farFromEnd('key_hour', 20_000));

  const push = (owner: Owner['keys'], headers: Record<string, string>, body: unknown = { products: [] }) =>
    stoa.send('POST', '/v1/ingestion/push', { key: owner.secret_key, signWith: owner.hmac_secret, body, headers });

  test('need an idempotency key', async () => {
    const keys = await stoa.createStore();
    const { status, body } = await push(keys, { 'Idempotency-Key': '' });
    expect([status, body.error.param]).toEqual([400, 'Idempotency-Key']);
  });

  test('are replayed with a newer signature, and even at the limit', async () => {
    const keys = await stoa.createStore();
    const first = await push(keys, { 'Idempotency-Key': 'nightly' });
    await stoa.services.foundation.ask(
      'StoreAdmin/SetLimits',
      { store: '', environment: 'production' },
      { store: keys.store_id, key_hour: 1 },
    );
    await eventually(async () => {
      const limited = await push(keys, { 'Idempotency-Key': randomUUID() });
      expect([limited.status, limited.body.error?.code]).toEqual([429, 'rate_limited']);
    });
    const retry = await push(keys, { 'Idempotency-Key': 'nightly' });
    expect([retry.status, retry.body.job.id, retry.body.idempotent]).toEqual([202, first.body.job.id, true]);
    // Whatever else would be wrong with it, the limit comes first.
    for (const [headers, body] of [
      [{ 'X-Signature': 'AAAA' }],
      [{ 'X-Timestamp': '' }],
      [{}, { products: 'none' }],
      [{}, { products: [{ external_id: 'a', name: 'A', price: 1 }] }],
    ] as const) {
      const other = await push(keys, { 'Idempotency-Key': 'nightly', ...headers }, body);
      expect([other.status, other.body.error?.code]).toEqual([429, 'rate_limited']);
    }
  });
});

// Who may call what: the contract's tables of endpoints, copied out by hand, against a running system with every kind of
// key (contract §2.1, §2.2; specification, "Keys" and "Environments").
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { NO_TENANT } from '#runtime/call/call.ts';
import { ok } from '#test/support/reply.ts';
import { eventually } from '#test/support/server.ts';
import { type Keys, type Reply, type SendOptions, type Stoa, startStoa } from '#test/support/stoa.ts';

const ID = '00000000-0000-7000-8000-000000000000';

/** — nobody's key, P publishable or secret, S secret, T secret of the sandbox, O an operator's. */
type Key = '—' | 'P' | 'S' | 'T' | 'O';

const ENDPOINTS: readonly (readonly [Key, string, string])[] = [
  ['—', 'GET', '/'],
  ['—', 'GET', '/v1/health'],
  ['P', 'GET', '/v1/store'],
  ['S', 'PATCH', '/v1/store'],
  ['P', 'GET', '/v1/store/policies'],
  ['P', 'GET', '/v1/store/policies/terms'],
  ['S', 'PUT', '/v1/store/policies/terms'],
  ['P', 'GET', '/v1/features'],
  ['S', 'GET', '/v1/usage'],
  ['—', 'GET', '/v1/feeds/nobody/llms.txt'],
  ['—', 'GET', '/v1/feeds/nobody/products.json'],
  ['—', 'GET', '/v1/feeds/nobody/products.xml'],
  ['P', 'GET', '/v1/products'],
  ['P', 'GET', `/v1/products/${ID}`],
  ['P', 'GET', '/v1/products/by-slug/nothing-00000000'],
  ['P', 'GET', `/v1/products/${ID}/specifications`],
  ['S', 'POST', '/v1/products'],
  ['S', 'PATCH', `/v1/products/${ID}`],
  ['S', 'DELETE', `/v1/products/${ID}`],
  ['S', 'POST', `/v1/products/${ID}/variants`],
  ['S', 'PATCH', `/v1/products/${ID}/variants/${ID}`],
  ['S', 'DELETE', `/v1/products/${ID}/variants/${ID}`],
  ['P', 'POST', '/v1/search'],
  ['P', 'POST', '/v1/events'],
  ['S', 'POST', '/v1/recommendations'],
  ['P', 'GET', '/v1/categories'],
  ['S', 'POST', '/v1/categories'],
  ['S', 'PATCH', `/v1/categories/${ID}`],
  ['S', 'DELETE', `/v1/categories/${ID}`],
  ['P', 'GET', '/v1/product-collections'],
  ['P', 'GET', `/v1/product-collections/${ID}`],
  ['S', 'POST', '/v1/product-collections'],
  ['S', 'PATCH', `/v1/product-collections/${ID}`],
  ['S', 'DELETE', `/v1/product-collections/${ID}`],
  ['S', 'PUT', `/v1/product-collections/${ID}/products`],
  ['S', 'GET', '/v1/price-lists'],
  ['S', 'POST', '/v1/price-lists'],
  ['S', 'PATCH', `/v1/price-lists/${ID}`],
  ['S', 'DELETE', `/v1/price-lists/${ID}`],
  ['P', 'POST', '/v1/pricing/query'],
  ['P', 'POST', '/v1/tax/preview'],
  ['P', 'GET', '/v1/blog/posts'],
  ['P', 'GET', `/v1/blog/posts/${ID}`],
  ['S', 'POST', '/v1/blog/posts'],
  ['S', 'PATCH', `/v1/blog/posts/${ID}`],
  ['S', 'DELETE', `/v1/blog/posts/${ID}`],
  ['P', 'GET', '/v1/lookbooks'],
  ['P', 'GET', `/v1/lookbooks/${ID}`],
  ['S', 'POST', '/v1/lookbooks'],
  ['S', 'PATCH', `/v1/lookbooks/${ID}`],
  ['S', 'DELETE', `/v1/lookbooks/${ID}`],
  ['S', 'GET', '/v1/content/analytics'],
  ['S', 'GET', '/v1/tax-rates'],
  ['S', 'POST', '/v1/tax-rates'],
  ['S', 'PATCH', `/v1/tax-rates/${ID}`],
  ['S', 'DELETE', `/v1/tax-rates/${ID}`],
  ['P', 'GET', '/v1/promotions'],
  ['P', 'GET', `/v1/promotions/${ID}`],
  ['S', 'POST', '/v1/promotions'],
  ['S', 'PATCH', `/v1/promotions/${ID}`],
  ['S', 'GET', `/v1/inventory/${ID}`],
  ['S', 'POST', '/v1/inventory/adjustments'],
  ['P', 'GET', '/v1/gift-cards'],
  ['S', 'POST', '/v1/gift-cards'],
  ['S', 'PATCH', `/v1/gift-cards/${ID}`],
  ['P', 'GET', '/v1/store-credit'],
  ['S', 'POST', '/v1/store-credit'],
  ['P', 'POST', '/v1/shipping/calculate'],
  ['S', 'GET', '/v1/shipping/config'],
  ['S', 'PUT', '/v1/shipping/config'],
  ['P', 'GET', '/v1/pickup-locations'],
  ['S', 'GET', '/v1/shipping/providers'],
  ['S', 'POST', '/v1/shipping/providers'],
  ['S', 'DELETE', `/v1/shipping/providers/${ID}`],
  ['S', 'GET', '/v1/orders'],
  ['S', 'GET', `/v1/orders/${ID}`],
  ['S', 'POST', '/v1/orders'],
  ['S', 'PATCH', `/v1/orders/${ID}`],
  ['S', 'POST', `/v1/orders/${ID}/refunds`],
  ['S', 'POST', `/v1/orders/${ID}/shipments`],
  ['P', 'POST', '/v1/agent/quotes'],
  ['P', 'GET', `/v1/agent/quotes/${ID}`],
  ['P', 'POST', '/v1/agent/cart-drafts'],
  ['P', 'GET', `/v1/agent/cart-drafts/${ID}`],
  ['P', 'PATCH', `/v1/agent/cart-drafts/${ID}`],
  ['P', 'POST', '/v1/agent/checkout-intents'],
  ['S', 'GET', '/v1/agent/checkout-intents'],
  ['P', 'GET', `/v1/agent/checkout-intents/${ID}`],
  ['P', 'PATCH', `/v1/agent/checkout-intents/${ID}`],
  ['P', 'POST', `/v1/agent/checkout-intents/${ID}/cancel`],
  ['P', 'GET', '/v1/payments/methods'],
  ['S', 'GET', '/v1/payments/providers'],
  ['S', 'POST', '/v1/payments/providers'],
  ['S', 'DELETE', `/v1/payments/providers/${ID}`],
  ['S', 'POST', '/v1/payments/initialize'],
  ['S', 'POST', '/v1/payments/verify'],
  ['S', 'GET', '/v1/customers'],
  ['S', 'POST', '/v1/customers'],
  ['P', 'GET', `/v1/customers/${ID}`],
  ['P', 'PATCH', `/v1/customers/${ID}`],
  ['S', 'DELETE', `/v1/customers/${ID}`],
  ['S', 'PUT', `/v1/customers/${ID}/group`],
  ['T', 'GET', '/v1/sandbox/messages'],
  ['P', 'GET', '/v1/reviews'],
  ['P', 'GET', `/v1/reviews/${ID}`],
  ['P', 'POST', '/v1/reviews'],
  ['S', 'PATCH', `/v1/reviews/${ID}`],
  ['P', 'DELETE', `/v1/reviews/${ID}`],
  ['P', 'POST', `/v1/reviews/${ID}/helpful`],
  ['P', 'GET', '/v1/returns/reasons'],
  ['P', 'POST', `/v1/orders/${ID}/returns`],
  ['P', 'GET', '/v1/returns'],
  ['P', 'GET', `/v1/returns/${ID}`],
  ['S', 'PATCH', `/v1/returns/${ID}`],
  ['P', 'POST', `/v1/returns/${ID}/cancel`],
  ['P', 'POST', `/v1/returns/${ID}/accept-credit`],
  ['P', 'GET', '/v1/disputes'],
  ['P', 'POST', '/v1/disputes'],
  ['P', 'GET', `/v1/disputes/${ID}`],
  ['S', 'PATCH', `/v1/disputes/${ID}`],
  ['P', 'POST', `/v1/disputes/${ID}/cancel`],
  ['P', 'GET', '/v1/messaging/threads'],
  ['P', 'POST', '/v1/messaging/threads'],
  ['S', 'PATCH', `/v1/messaging/threads/${ID}`],
  ['P', 'GET', `/v1/messaging/threads/${ID}/messages`],
  ['P', 'POST', `/v1/messaging/threads/${ID}/messages`],
  ['P', 'POST', `/v1/messaging/threads/${ID}/read`],
  ['P', 'DELETE', `/v1/messaging/messages/${ID}`],
  ['P', 'POST', '/v1/b2b/rfqs'],
  ['P', 'GET', '/v1/b2b/rfqs'],
  ['P', 'GET', `/v1/b2b/rfqs/${ID}`],
  ['P', 'POST', `/v1/b2b/rfqs/${ID}/cancel`],
  ['S', 'POST', '/v1/b2b/quotes'],
  ['P', 'GET', '/v1/b2b/quotes'],
  ['P', 'GET', `/v1/b2b/quotes/${ID}`],
  ['P', 'POST', `/v1/b2b/quotes/${ID}/accept`],
  ['P', 'POST', `/v1/b2b/quotes/${ID}/reject`],
  ['P', 'POST', '/v1/b2b/purchase-orders'],
  ['P', 'GET', '/v1/b2b/purchase-orders'],
  ['P', 'GET', `/v1/b2b/purchase-orders/${ID}`],
  ['S', 'POST', `/v1/b2b/purchase-orders/${ID}/confirm`],
  ['S', 'POST', `/v1/b2b/purchase-orders/${ID}/fulfill`],
  ['P', 'POST', `/v1/b2b/purchase-orders/${ID}/cancel`],
  ['S', 'POST', '/v1/b2b/invoices'],
  ['P', 'GET', '/v1/b2b/invoices'],
  ['P', 'GET', `/v1/b2b/invoices/${ID}`],
  ['P', 'GET', `/v1/b2b/invoices/${ID}/pdf`],
  ['S', 'POST', `/v1/b2b/invoices/${ID}/pay`],
  ['S', 'POST', `/v1/b2b/invoices/${ID}/void`],
  ['S', 'POST', '/v1/ingestion/push'],
  ['S', 'GET', '/v1/ingestion/feeds'],
  ['S', 'POST', '/v1/ingestion/feeds'],
  ['S', 'PATCH', `/v1/ingestion/feeds/${ID}`],
  ['S', 'DELETE', `/v1/ingestion/feeds/${ID}`],
  ['S', 'POST', `/v1/ingestion/feeds/${ID}/sync`],
  ['S', 'GET', '/v1/ingestion/jobs'],
  ['S', 'GET', `/v1/ingestion/jobs/${ID}`],
  ['P', 'GET', '/v1/webhook-endpoints'],
  ['S', 'POST', '/v1/webhook-endpoints'],
  ['S', 'GET', `/v1/webhook-endpoints/${ID}`],
  ['S', 'PATCH', `/v1/webhook-endpoints/${ID}`],
  ['S', 'DELETE', `/v1/webhook-endpoints/${ID}`],
  ['S', 'POST', `/v1/webhook-endpoints/${ID}/test`],
  ['S', 'POST', `/v1/webhook-endpoints/${ID}/rotate-secret`],
  ['S', 'GET', '/v1/webhook-events'],
  ['S', 'GET', `/v1/webhook-events/${ID}`],
  ['S', 'POST', `/v1/webhook-events/${ID}/retry`],
  ['T', 'POST', '/v1/sandbox/webhooks/replay'],
  ['S', 'GET', '/v1/channels'],
  ['S', 'POST', '/v1/channels'],
  ['S', 'GET', `/v1/channels/${ID}`],
  ['S', 'PATCH', `/v1/channels/${ID}`],
  ['S', 'DELETE', `/v1/channels/${ID}`],
  ['S', 'POST', `/v1/channels/${ID}/sync`],
  ['S', 'GET', `/v1/channels/${ID}/rejections`],
  ['S', 'GET', '/v1/connect/sessions'],
  ['S', 'POST', '/v1/connect/sessions'],
  ['S', 'GET', '/v1/connect/grants'],
  ['S', 'DELETE', `/v1/connect/grants/${ID}`],
  ['O', 'GET', '/v1/marketplace/collections'],
  ['O', 'GET', '/v1/marketplace/collections/rain'],
  ['O', 'PUT', '/v1/marketplace/collections/rain'],
  ['O', 'DELETE', '/v1/marketplace/collections/rain'],
  ['O', 'POST', '/v1/cart/checkout'],
  ['O', 'GET', '/v1/cart/checkout'],
  ['O', 'GET', `/v1/cart/checkout/${ID}`],
  ['O', 'POST', `/v1/cart/checkout/${ID}/pay`],
  ['O', 'GET', '/v1/marketplace/payment-providers'],
  ['O', 'POST', '/v1/marketplace/payment-providers'],
  ['O', 'DELETE', `/v1/marketplace/payment-providers/${ID}`],
];

/** Written with a live key only, because both environments share them. */
const LIVE_ONLY = ['PUT /v1/store/policies/terms'];

/** What an operator does not do for its merchants, though shoppers' keys may. */
const STORE_ONLY = /^\/v1\/(agent|b2b|webhook-endpoints)\b/;

let stoa: Stoa;
let keys: Keys;
let operatorKey: string;
/** A store that is no merchant of the operator's. */
let stranger: string;
beforeAll(async () => {
  stoa = await startStoa();
  keys = await stoa.createStore({ wholesale: true });
  const made = await stoa.services.foundation.ask('StoreAdmin/CreateOperator', NO_TENANT, {
    name: 'Mall',
    stores: [keys.store_id],
  });
  operatorKey = ok(made).operator_key;
  stranger = (await stoa.createStore()).store_id;
});
afterAll(() => stoa.stop());

const statusOf = async (verb: string, path: string, options: SendOptions): Promise<number> =>
  (await stoa.send(verb, path, verb === 'GET' || verb === 'DELETE' ? options : { body: '{', ...options })).status;

// A body that is no JSON: whoever is let in is told so, which is how far a key has come.
describe.each(ENDPOINTS)('%s %s %s', (key, verb, path) => {
  const open = key === '—';

  test('is closed without a key, and with one that nobody has', async () => {
    for (const authorization of [undefined, 'Bearer svc_sk_live_0000000000000000', 'Bearer svc_mk_test_00000000']) {
      const status = await statusOf(verb, path, authorization ? { headers: { Authorization: authorization } } : {});
      if (open) expect([200, 404]).toContain(status);
      else expect(status, authorization).toBe(401);
    }
  });

  test('lets in whose key it takes, in both environments', async () => {
    for (const environment of ['live', 'test'] as const) {
      const [secret, publishable] =
        environment === 'live'
          ? [keys.secret_key, keys.publishable_key]
          : [keys.secret_test_key, keys.publishable_test_key];
      const forbidden =
        environment === 'test' ? LIVE_ONLY.includes(`${verb} ${path}`) || key === 'O' : key === 'T' || key === 'O';
      expect((await statusOf(verb, path, { key: secret })) === 403, `secret ${environment}`).toBe(forbidden);
      expect((await statusOf(verb, path, { key: publishable })) === 403, `publishable ${environment}`).toBe(
        key === 'S' || key === 'T' || key === 'O',
      );
    }
  });

  test('takes an operator’s key for a merchant where shoppers do as much, and nowhere else', async () => {
    if (open) return;
    const sent = verb === 'GET' ? {} : { body: '{' };
    const asOperator = (store: string | null) =>
      stoa.send(verb, `${path}${store === null ? '' : `?store_id=${store}`}`, { key: operatorKey, ...sent });
    const told = ({ status, body }: Reply) => [status, body.error.code, body.error.param];
    const nameless = await asOperator(null);
    if (key === 'O') return expect([401, 403]).not.toContain(nameless.status);
    if (key !== 'P' || STORE_ONLY.test(path)) {
      for (const reply of [nameless, await asOperator(keys.store_id)])
        expect([...told(reply), typeof reply.body.error.hint]).toEqual([403, 'forbidden', undefined, 'string']);
      return;
    }
    expect(told(nameless)).toEqual([400, 'invalid_request', 'store_id']);
    expect(told(await asOperator('x'))).toEqual([400, 'invalid_request', 'store_id']);
    expect(told(await asOperator(stranger))).toEqual([404, 'not_found', 'store_id']);
    const publishable = await stoa.send(verb, path, { key: keys.publishable_key, ...sent });
    const merchant = await asOperator(keys.store_id);
    expect(merchant.status, merchant.text).toBe(publishable.status);
    expect(merchant.headers.get('svc-environment')).toBe('production');
    // It is no key for a browser.
    expect(merchant.headers.get('access-control-allow-origin')).toBeNull();
  });

  test('tells which key it wants and the environment', async () => {
    if (open) return;
    const sent = verb === 'GET' ? {} : { body: '{' };
    const publishable = await stoa.send(verb, path, { key: keys.publishable_test_key, ...sent });
    expect(publishable.headers.get('svc-environment')).toBe('sandbox');
    if (key === 'S' || key === 'T') {
      expect(publishable.body.error.message).toMatch(/secret key/i);
      expect(publishable.body.error.hint).toMatch(/server/i);
    }
  });

  test('is there with no other verb, and says so', async () => {
    const verbs = [...new Set(ENDPOINTS.filter((other) => patternOf(other[2]).test(path)).map((other) => other[1]))];
    if (verbs.includes('GET')) verbs.push('HEAD');
    for (const other of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']) {
      if (verbs.includes(other)) continue;
      const { status, headers } = await stoa.send(other, path, { key: keys.secret_key });
      expect([status, headers.get('allow')?.split(', ').sort()], other).toEqual([405, verbs.sort()]);
    }
  });
});

test.each(['card_checkout', 'wallet', 'bank_africa', 'mobile_money', 'own_bank'])(
  'a callback of %s that nobody signed is refused before anything is looked up',
  async (provider) => {
    for (const store of [keys.store_id, ID])
      for (const environment of ['production', 'sandbox']) {
        const { status, body } = await stoa.send('POST', `/v1/payments/callbacks/${provider}/${store}/${environment}`, {
          body: { event: 'charge.success' },
        });
        expect([status, body.error.code], `${store} ${environment}`).toEqual([401, 'unauthorized']);
      }
  },
);

/** An id may be any word. */
const patternOf = (path: string): RegExp => new RegExp(`^${path.replaceAll('.', '\\.').replaceAll(ID, '[^/]+')}$`);

describe('keys', () => {
  test('of one store do not open another, and the prefix picks the environment', async () => {
    const other = await stoa.createStore();
    for (const [key, store, environment] of [
      [keys.secret_key, keys.store_id, 'production'],
      [keys.publishable_test_key, keys.store_id, 'sandbox'],
      [other.secret_test_key, other.store_id, 'sandbox'],
      [other.publishable_key, other.store_id, 'production'],
    ] as const) {
      const { body, headers } = await stoa.send('GET', '/v1/store', { key });
      expect([body.store.id, headers.get('svc-environment')]).toEqual([store, environment]);
    }
  });

  test('are of the forms that the specification names', () => {
    expect([
      keys.secret_key,
      keys.secret_test_key,
      keys.publishable_key,
      keys.publishable_test_key,
      operatorKey,
    ]).toEqual(
      [/^svc_sk_live_/, /^svc_sk_test_/, /^svc_pk_live_/, /^svc_pk_test_/, /^svc_mk_live_/].map((form) =>
        expect.stringMatching(form),
      ),
    );
  });

  test('stand nowhere in the database as they are', async () => {
    const { sql } = stoa.services.foundation.postgres;
    const tables = await sql<{ name: string }[]>`
      select quote_ident(table_schema) || '.' || quote_ident(table_name) as name from information_schema.tables
      where table_schema not in ('pg_catalog', 'information_schema') and table_type = 'BASE TABLE'`;
    const secrets = Object.entries(keys).filter(([name]) => /key|secret/.test(name));
    expect(secrets).toHaveLength(6);
    for (const { name } of tables) {
      const rows = (await sql.unsafe(`select t::text as text from ${name} t`))
        .map(({ text }) => text as string)
        .join('\n');
      for (const [what, secret] of secrets)
        for (const form of [secret, Buffer.from(secret).toString('hex')])
          expect(rows.includes(form), `${what} in ${name}`).toBe(false);
    }
  });
});

describe('a rotated key', () => {
  test('ends the old one at once and still finds what was stored under its idempotency keys', async () => {
    const store = await stoa.createStore();
    const write = (key: string) =>
      stoa.send('POST', '/v1/categories', {
        key,
        body: { name: 'Lamps' },
        headers: { 'Idempotency-Key': 'lamps' },
      });
    const first = await write(store.secret_key);
    const rotated = await stoa.services.foundation.ask('StoreAdmin/RotateKeys', NO_TENANT, {
      store: store.store_id,
    });
    const { value: key } = ok(rotated);
    await eventually(async () => expect((await write(store.secret_key)).status).toBe(401));
    const replay = await write(key);
    expect([replay.status, replay.body.category.id, replay.body.idempotent]).toEqual([
      201,
      first.body.category.id,
      true,
    ]);
  });
});

describe('an operator', () => {
  const shown = async (key: string, store: string) => {
    const { status, body } = await stoa.send('GET', `/v1/store?store_id=${store}`, { key });
    return status === 200 ? body.store.id : status;
  };

  test('sees each merchant’s production with its live key, the sandbox with its test key, and nothing of any other', async () => {
    const [one, two] = [await stoa.createStore(), await stoa.createStore()];
    const asked = { name: 'Two', stores: [one.store_id, two.code] };
    const made = ok(await stoa.services.foundation.ask('StoreAdmin/CreateOperator', NO_TENANT, asked));
    for (const [store, word] of [
      [one, 'one'],
      [two, 'two'],
    ] as const)
      for (const key of [store.secret_key, store.secret_test_key])
        await stoa.send('POST', '/v1/products', {
          key,
          body: { name: `${word} ${key === store.secret_key ? 'live' : 'test'}`, price: 5, stock: 1 },
        });
    const names = async (key: string, store: Keys) =>
      (await stoa.send('GET', `/v1/products?store_id=${store.store_id}`, { key })).body.products.map(
        ({ name }: { name: string }) => name,
      );
    expect(await names(made.operator_key, one)).toEqual(['one live']);
    expect(await names(made.operator_key, two)).toEqual(['two live']);
    expect(await names(made.operator_test_key, one)).toEqual(['one test']);
    expect(await names(made.operator_test_key, two)).toEqual(['two test']);
    expect(await shown(made.operator_key, stranger)).toBe(404);
    expect(await shown(made.operator_key, one.store_id.toUpperCase())).toBe(one.store_id);
  });

  test('has a merchant at once once it joins, and no longer once it leaves', async () => {
    const [one, two] = [await stoa.createStore(), await stoa.createStore()];
    const asked = { name: 'One', stores: [one.store_id] };
    const { operator_id: operator, operator_key: key } = ok(
      await stoa.services.foundation.ask('StoreAdmin/CreateOperator', NO_TENANT, asked),
    );
    expect([await shown(key, one.store_id), await shown(key, two.store_id)]).toEqual([one.store_id, 404]);
    const set = async (store: string, member: boolean) =>
      ok(await stoa.services.foundation.ask('StoreAdmin/SetMerchant', NO_TENANT, { operator, store, member })).stores;
    expect(await set(two.code, true)).toEqual([one.store_id, two.store_id].sort());
    await eventually(async () => expect(await shown(key, two.store_id)).toBe(two.store_id));
    expect(await set(one.code, false)).toEqual([two.store_id]);
    expect(await set(one.code, false)).toEqual([two.store_id]);
    await eventually(async () => expect(await shown(key, one.store_id)).toBe(404));
  });
});

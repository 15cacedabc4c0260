// Tests shopping over UCP's REST binding: profile, search to order, negotiation and refusals.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  BUYER,
  call as callTool,
  connect,
  type Document,
  fieldsSaying,
  HOSTILE_NAME,
  judged,
  openShop,
  paidWith,
  type Shop,
  sellHostile,
  tokenFor,
} from '#test/edge/assistant/mcp/shop.ts';
import { isProof, sending, sent, VERSION } from '#test/edge/assistant/ucp/platform.ts';
import { eventually } from '#test/support/server.ts';
import { allowLocalVerifier } from '#test/support/session.ts';
import { type Stoa, sharedStoa } from '#test/support/stoa.ts';

allowLocalVerifier();
let stoa: Stoa;
/** The platform's profiles by path; a number is the status of the response. */
const profiles = new Map<string, unknown>();
let platform: ReturnType<typeof Bun.serve>;

beforeAll(async () => {
  platform = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch: (request) => {
      const said = profiles.get(new URL(request.url).pathname);
      if (typeof said === 'number') return new Response('', { status: said, headers: { Location: '/ours' } });
      return typeof said === 'string' ? new Response(said) : Response.json(said ?? null);
    },
  });
  stoa = await sharedStoa();
});
afterAll(async () => {
  await platform.stop(true);
});

/** A checkout that only waits for its payment. */
const openReady = async (shop: Shop) => {
  const send = sending(shop);
  const { document: created } = await send('POST', '/ucp/checkout-sessions', { body: sent(shop) });
  const [method] = created.fulfillment.methods;
  const { id: option } = method.groups[0].options[0];
  const groups = [{ id: method.groups[0].id, selected_option_id: option }];
  const { document } = await send('PUT', `/ucp/checkout-sessions/${created.id}`, {
    body: { ...sent(shop), fulfillment: { methods: [{ id: method.id, groups }] } },
  });
  expect(document.status).toBe('ready_for_complete');
  return document;
};

describe('the profile', () => {
  test('names where the store is reached and what it can do, at its base and at its domains', async () => {
    const shop = await openShop(stoa);
    const send = sending(shop);
    const { status, headers, document } = await send('GET', '/.well-known/ucp', { key: null });
    expect(status).toBe(200);
    judged('ucp.json#/$defs/business_schema', document.ucp);
    expect(document.ucp).toMatchObject({
      version: VERSION,
      services: {
        'dev.ucp.shopping': [
          { transport: 'rest', endpoint: `${shop.base}/ucp` },
          { transport: 'mcp', endpoint: `${shop.base}/mcp` },
        ],
      },
    });
    expect(Object.keys(document.ucp.capabilities)).toHaveLength(7);
    expect(headers.get('cache-control')).toBe('public, max-age=60');
    const again = await send('GET', '/.well-known/ucp', {
      key: null,
      headers: { 'If-None-Match': headers.get('etag')! },
    });
    expect(again.status).toBe(304);

    const domain = `shop-${randomUUID()}.example`;
    await shop.merchant.secret('PATCH', '/v1/store', { domains: [domain] });
    await eventually(async () => {
      const answer = await fetch(`${stoa.url}/.well-known/ucp`, { headers: { Host: domain } });
      expect(answer.status).toBe(200);
      const { ucp } = (await answer.json()) as Document;
      expect(ucp.services['dev.ucp.shopping'][0].endpoint).toBe(`http://${domain}/ucp`);
    });
  });

  test('answers 404 once the store disables UCP', async () => {
    const shop = await openShop(stoa);
    await shop.merchant.secret('PATCH', '/v1/store', { agents: { ucp: false } });
    await eventually(async () => expect((await sending(shop)('GET', '/.well-known/ucp')).status).toBe(404));
    expect((await sending(shop)('POST', '/ucp/checkout-sessions', { body: sent(shop) })).status).toBe(404);
  });
});

describe('a platform', () => {
  test('searches, fills a cart, checks out, pays and reads the order', async () => {
    const shop = await openShop(stoa);
    const send = sending(shop);
    const found = await eventually(async () => {
      const { document } = await send('POST', '/ucp/catalog/search', { body: { query: 'mug' } });
      expect(document.products).toHaveLength(1);
      return document;
    });
    judged('shopping/catalog_search.json#/$defs/search_response', found);
    const looked = await send('POST', '/ucp/catalog/lookup', { body: { ids: [shop.mug, 'nothing'] } });
    judged('shopping/catalog_lookup.json#/$defs/lookup_response', looked.document);
    expect(looked.document.messages).toEqual([{ type: 'info', code: 'not_found', content: 'nothing' }]);
    const one = await send('POST', '/ucp/catalog/product', { body: { id: shop.shirt } });
    judged('shopping/catalog_lookup.json#/$defs/detail_product', one.document.product);

    const { line_items } = sent(shop);
    const cart = await send('POST', '/ucp/carts', { body: { line_items, buyer: BUYER } });
    expect(cart.status).toBe(201);
    judged('shopping/cart.json', cart.document);
    const changed = await send('PUT', `/ucp/carts/${cart.document.id}`, {
      body: { line_items: [{ item: { id: shop.mug }, quantity: 1 }] },
    });
    expect(changed.document.totals[0]).toEqual({ type: 'subtotal', display_text: 'Subtotal', amount: 1000 });
    expect((await send('GET', `/ucp/carts/${cart.document.id}`)).document.line_items[0].quantity).toBe(1);

    const created = await send('POST', '/ucp/checkout-sessions', { body: { cart_id: cart.document.id, buyer: BUYER } });
    expect(created.status).toBe(201);
    judged('shopping/checkout.json', created.document);
    expect(created.document.messages.map(({ code }: Document) => code)).toEqual([
      'missing_address',
      'missing_fulfillment_option',
    ]);
    const ready = await openReady(shop);
    judged('shopping/checkout.json', ready);
    const key = { 'Idempotency-Key': randomUUID() };
    const pay = { body: paidWith(await tokenFor(stoa, shop, ready.id)), headers: key };
    const done = await send('POST', `/ucp/checkout-sessions/${ready.id}/complete`, pay);
    judged('shopping/checkout.json', done.document);
    expect([done.status, done.document.status]).toEqual([200, 'completed']);
    const again = await send('POST', `/ucp/checkout-sessions/${ready.id}/complete`, pay);
    expect(again.document.order).toEqual(done.document.order);

    const path = `/ucp/orders/${done.document.order.id}`;
    // A shopper's key proves nothing about who bought it.
    expect((await send('GET', path)).document).toMatchObject({
      ucp: { status: 'error' },
      messages: [{ code: 'not_found' }],
    });
    const order = await send('GET', path, { key: shop.merchant.keys.secret_test_key });
    judged('shopping/order.json', order.document);
    expect(order.document.checkout_id).toBe(ready.id);
    const { signing_keys } = (await send('GET', '/.well-known/ucp', { key: null })).document;
    for (const answer of [done, again, order]) expect(isProof(answer, signing_keys)).toBe(true);
    expect(isProof({ ...done, text: `${done.text} ` }, signing_keys)).toBe(false);
    expect(isProof({ ...done, status: 201 }, signing_keys)).toBe(false);
    expect(created.headers.get('signature')).toBeNull();
  });

  test('meets a product’s text as data alone, and in no message of ours', async () => {
    const shop = await openShop(stoa);
    const send = sending(shop);
    const id = await sellHostile(shop);
    const line = (quantity: number) => ({ body: { line_items: [{ item: { id }, quantity }] } });
    const looked = await send('POST', '/ucp/catalog/lookup', { body: { ids: [id] } });
    expect(fieldsSaying(HOSTILE_NAME, looked.document)).toEqual(['plain', 'title']);
    const created = await send('POST', '/ucp/checkout-sessions', line(1));
    expect(fieldsSaying(HOSTILE_NAME, created.document)).toEqual(['title']);
    expect(created.document.messages.length).toBeGreaterThan(0);
    const outOfStock = await send('POST', '/ucp/checkout-sessions', line(1));
    expect(outOfStock.document.messages.length).toBeGreaterThan(0);
    expect(fieldsSaying(HOSTILE_NAME, outOfStock.document.messages)).toEqual([]);
  });

  test('cancels a cart and a checkout, whose goods others can buy again', async () => {
    const shop = await openShop(stoa);
    const send = sending(shop);
    const cart = await send('POST', '/ucp/carts', { body: { line_items: sent(shop).line_items } });
    expect((await send('POST', `/ucp/carts/${cart.document.id}/cancel`)).status).toBe(200);
    expect((await send('GET', `/ucp/carts/${cart.document.id}`)).document.ucp.status).toBe('error');
    const five = { ...sent(shop), line_items: [{ item: { id: shop.mug }, quantity: 5 }] };
    const first = await send('POST', '/ucp/checkout-sessions', { body: five });
    const second = await send('POST', '/ucp/checkout-sessions', { body: five });
    expect([second.status, second.document.messages[0].code]).toEqual([200, 'out_of_stock']);
    const over = await send('POST', `/ucp/checkout-sessions/${first.document.id}/cancel`);
    judged('shopping/checkout.json', over.document);
    expect(over.document.status).toBe('canceled');
    expect((await send('POST', '/ucp/checkout-sessions', { body: five })).status).toBe(201);
    // A closed checkout refuses changes in its messages.
    const late = await send('PUT', `/ucp/checkout-sessions/${first.document.id}`, { body: five });
    expect([late.status, late.document.status, late.document.messages[0].type]).toEqual([200, 'canceled', 'error']);
  });

  test('changes what another protocol began, and both see it', async () => {
    const shop = await openShop(stoa);
    const send = sending(shop);
    const client = await connect(shop, shop.merchant.keys.publishable_test_key);
    const created = await callTool(client, 'create_checkout', { checkout: sent(shop) });
    const quantities = await Promise.all(
      [1, 2, 3, 4].map(async (quantity) => {
        const body = { ...sent(shop), line_items: [{ item: { id: shop.mug }, quantity }] };
        const document =
          quantity % 2 === 0
            ? (await send('PUT', `/ucp/checkout-sessions/${created.id}`, { body })).document
            : await callTool(client, 'update_checkout', { id: created.id, checkout: body }).catch(() => null);
        return document?.line_items?.[0].quantity;
      }),
    );
    const { document } = await send('GET', `/ucp/checkout-sessions/${created.id}`);
    const seen = await callTool(client, 'get_checkout', { id: created.id });
    expect(seen.line_items).toEqual(document.line_items);
    expect(quantities).toContain(document.line_items[0].quantity);
  });
});

describe('negotiation', () => {
  const agent = (path: string, more = '') => ({
    'UCP-Agent': `profile="http://127.0.0.1:${platform.port}${path}"${more}`,
  });
  const capability = (...names: string[]) =>
    Object.fromEntries(names.map((name) => [`dev.ucp.shopping.${name}`, [{ version: VERSION }]]));

  test('answers with what both speak, and names the agent', async () => {
    const shop = await openShop(stoa);
    const send = sending(shop);
    profiles.set('/some', { ucp: { version: VERSION, capabilities: capability('checkout', 'discount') } });
    const created = await send('POST', '/ucp/checkout-sessions', { body: sent(shop), headers: agent('/some') });
    expect(created.status).toBe(201);
    expect(Object.keys(created.document.ucp.capabilities).sort()).toEqual([
      'dev.ucp.shopping.checkout',
      'dev.ucp.shopping.discount',
    ]);
    expect(created.document.fulfillment).toBeUndefined();
    const intent = await shop.merchant.test('GET', `/v1/agent/checkout-intents/${created.document.id}`);
    expect(intent.body.data.agent).toEqual({ name: '127.0.0.1', protocol: 'ucp' });
    profiles.set('/orphan', { ucp: { version: VERSION, capabilities: capability('fulfillment') } });
    const none = await send('POST', '/ucp/checkout-sessions', { body: sent(shop), headers: agent('/orphan') });
    judged('shopping/types/error_response.json', none.document);
    expect([none.status, none.document.messages[0].code]).toEqual([200, 'capabilities_incompatible']);
  });

  test.each([
    ['/version', { ucp: { version: '2025-01-01' } }, 422, 'version_unsupported'],
    ['/text', 'not JSON', 422, 'profile_malformed'],
    ['/other', { name: 'not a profile' }, 422, 'profile_malformed'],
    ['/gone', 500, 424, 'profile_unreachable'],
    ['/moved', 302, 424, 'profile_unreachable'],
  ])('of the profile %s fails', async (path, said, status, code) => {
    const shop = await openShop(stoa);
    profiles.set(path, said);
    const answer = await sending(shop)('POST', '/ucp/checkout-sessions', { body: sent(shop), headers: agent(path) });
    expect([answer.status, answer.document.code]).toEqual([status, code]);
    expect(answer.document.continue_url).toBeTruthy();
  });

  test.each([
    ['no profile', 'something', 400, 'invalid_profile_url'],
    ['no address', 'profile="later"', 400, 'invalid_profile_url'],
    ['a long address', `profile="https://platform.example/${'x'.repeat(2_048)}"`, 400, 'invalid_profile_url'],
    ['our own network', 'profile="https://10.0.0.1/profile"', 400, 'invalid_profile_url'],
    ['another version', 'profile="https://platform.example/p";version="2025-01-01"', 422, 'version_unsupported'],
  ])('of %s fails', async (_, header, status, code) => {
    const shop = await openShop(stoa);
    const answer = await sending(shop)('GET', `/ucp/checkout-sessions/${randomUUID()}`, {
      headers: { 'UCP-Agent': header },
    });
    expect([answer.status, answer.document.code]).toEqual([status, code]);
  });

  test('negotiates over MCP by the profile in a call’s metadata', async () => {
    const shop = await openShop(stoa);
    const client = await connect(shop, shop.merchant.keys.publishable_test_key);
    const meta = (path: string) => ({ meta: { 'ucp-agent': { profile: `http://127.0.0.1:${platform.port}${path}` } } });
    profiles.set('/tools', { ucp: { version: VERSION, capabilities: capability('checkout') } });
    const created = await callTool(client, 'create_checkout', { ...meta('/tools'), checkout: sent(shop) });
    judged('shopping/checkout.json', created);
    expect(Object.keys(created.ucp.capabilities)).toEqual(['dev.ucp.shopping.checkout']);
    expect([created.fulfillment, created.discounts]).toEqual([undefined, undefined]);
    const { structuredContent, isError } = await client.callTool({
      name: 'create_cart',
      arguments: { ...meta('/tools'), cart: { line_items: sent(shop).line_items } },
    });
    judged('shopping/types/error_response.json', structuredContent);
    expect([isError, (structuredContent as Document).messages[0].code]).toEqual([true, 'capabilities_incompatible']);
    profiles.set('/lost', 500);
    await expect(callTool(client, 'get_checkout', { ...meta('/lost'), id: created.id })).rejects.toMatchObject({
      code: -32001,
      data: { code: 'profile_unreachable' },
    });
    await client.close();
  });

  test.each(['', 'nowhere', 'javascript:alert(1)', `https://a.example/${'x'.repeat(2_048)}`])(
    'passes over an address for orders that is none: %#',
    async (webhook_url) => {
      const shop = await openShop(stoa);
      const order = { 'dev.ucp.shopping.order': [{ version: VERSION, config: { webhook_url } }] };
      profiles.set('/orders', { ucp: { version: VERSION, capabilities: { ...capability('checkout'), ...order } } });
      const headers = agent(`/orders?${randomUUID()}`);
      const created = await sending(shop)('POST', '/ucp/checkout-sessions', { body: sent(shop), headers });
      expect([created.status, created.document.status], created.text).toEqual([201, 'incomplete']);
    },
  );

  test('reaches this machine with test keys alone', async () => {
    const shop = await openShop(stoa);
    profiles.set('/live', { ucp: { version: VERSION, capabilities: capability('checkout') } });
    const answer = await sending(shop)('GET', `/ucp/checkout-sessions/${randomUUID()}`, {
      key: null,
      headers: agent('/live'),
    });
    expect([answer.status, answer.document.code]).toEqual([400, 'invalid_profile_url']);
  });
});

describe('a bad request', () => {
  test.each([
    ['no JSON', 'POST', '/ucp/checkout-sessions', '{', 400, 'invalid_request', undefined],
    ['a list', 'POST', '/ucp/checkout-sessions', [], 400, 'invalid_request', undefined],
    [
      'a quantity of nothing',
      'POST',
      '/ucp/checkout-sessions',
      { line_items: [{ item: { id: 'a' }, quantity: 0 }] },
      400,
      'invalid_request',
      '$.line_items[0].quantity',
    ],
    ['a cart of nothing', 'POST', '/ucp/carts', {}, 400, 'invalid_request', '$.line_items'],
    ['a checkout of nothing', 'POST', '/ucp/checkout-sessions', {}, 400, 'invalid_request', '$.line_items'],
    ['a search for nothing', 'POST', '/ucp/catalog/search', {}, 400, 'invalid_request', '$.query'],
    [
      'too many at once',
      'POST',
      '/ucp/catalog/lookup',
      { ids: Array.from({ length: 51 }, () => 'a') },
      400,
      'request_too_large',
      '$.ids',
    ],
    ['another method', 'DELETE', '/ucp/carts', undefined, 405, 'method_not_allowed', undefined],
  ])('of %s is told why', async (_, method, path, body, status, code, at) => {
    const shop = await openShop(stoa);
    const answer = await sending(shop)(method, path, { body });
    expect([answer.status, answer.document.code, answer.document.path]).toEqual([status, code, at]);
  });

  test('treats a malformed variant id as an unknown item', async () => {
    const shop = await openShop(stoa);
    const body = { line_items: [{ item: { id: 'x' }, quantity: 1 }] };
    const { status, document } = await sending(shop)('POST', '/ucp/checkout-sessions', { body });
    judged('shopping/types/error_response.json', document);
    expect([status, document.messages]).toMatchObject([
      200,
      [
        {
          code: 'item_unavailable',
          content: '`line_items[0].item.id` must be a UUID.',
          path: '$.line_items[0].item.id',
          severity: 'unrecoverable',
        },
      ],
    ]);
  });

  test('leaves nothing behind for keys and tokens of another environment or store', async () => {
    const shop = await openShop(stoa);
    const other = await openShop(stoa);
    const send = sending(shop);
    const headers = { 'Idempotency-Key': randomUUID() };
    expect((await send('POST', '/ucp/checkout-sessions', { body: sent(shop), headers })).status).toBe(201);
    const crossed = { ...sent(shop), buyer: { email: 'eve@example.com' } };
    const conflict = await send('POST', '/ucp/checkout-sessions', { body: crossed, headers });
    expect([conflict.status, conflict.document.code]).toEqual([409, 'idempotency_conflict']);
    expect((await send('GET', '/ucp/carts/x', { key: other.merchant.keys.secret_test_key })).status).toBe(404);
    expect((await send('GET', '/ucp/carts/x', { key: 'svc_pk_test_nothing' })).status).toBe(401);
    const ready = await openReady(shop);
    const theirs = await openReady(other);
    const token = await tokenFor(stoa, other, theirs.id);
    const refusedPay = await send('POST', `/ucp/checkout-sessions/${ready.id}/complete`, { body: paidWith(token) });
    expect([refusedPay.status, refusedPay.document.status, refusedPay.document.messages[0].code]).toEqual([
      200,
      'ready_for_complete',
      'payment_failed',
    ]);
  });

  test('answers 404 to an unknown path', async () => {
    const shop = await openShop(stoa);
    expect((await sending(shop)('GET', '/ucp/nothing')).status).toBe(404);
  });
});

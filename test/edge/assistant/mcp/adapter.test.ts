// Tests the MCP endpoint: addresses, access and errors.
import { beforeAll, describe, expect, test } from 'vitest';
import { NO_TENANT } from '#runtime/call/call.ts';
import { openShop, type Shop } from '#test/edge/assistant/mcp/shop.ts';
import { eventually } from '#test/support/server.ts';
import { type Stoa, sharedStoa } from '#test/support/stoa.ts';

let stoa: Stoa;
beforeAll(async () => {
  stoa = await sharedStoa();
});

describe('the address', () => {
  const post = (shop: Shop, body: unknown, headers: Record<string, string> = {}, path = '/mcp') =>
    fetch(`${shop.base}${path}`, {
      method: 'POST',
      headers: {
        'Content-Type': 'application/json',
        Accept: 'application/json, text/event-stream',
        ...headers,
      },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    });
  const LIST = { jsonrpc: '2.0', id: 1, method: 'tools/list' };

  test('answers each POST by itself, and nothing else', async () => {
    const shop = await openShop(stoa);
    const listed = await post(shop, LIST);
    expect([listed.status, listed.headers.get('content-type')]).toEqual([200, 'application/json']);
    expect(listed.headers.get('access-control-allow-origin')).toBe('*');
    for (const method of ['GET', 'DELETE']) {
      const reply = await fetch(`${shop.base}/mcp`, { method });
      expect([reply.status, reply.headers.get('allow')]).toEqual([405, 'POST']);
    }
    expect((await post(shop, LIST, {}, '/mcp/more')).status).toBe(404);
    expect((await post(shop, `"${'x'.repeat(1024 * 1024)}"`)).status).toBe(413);
  });

  test.each([
    ['no JSON', '{"jsonrpc":', -32700],
    ['several messages', [LIST, LIST], -32600],
    ['an argument twice', '{"a":1,"a":2}', -32602],
  ])('calls %s by its code of JSON-RPC', async (_what, body, code) => {
    const reply = await post(await openShop(stoa), body);
    expect([reply.status, await reply.json()]).toMatchObject([400, { jsonrpc: '2.0', id: null, error: { code } }]);
  });

  // "servers MUST return the corresponding HTTP status code alongside the JSON-RPC error"
  test('tells what is wrong by the status of HTTP, too, but to a client that has initialised', async () => {
    const shop = await openShop(stoa);
    const cart = (quantity: number, headers: Record<string, string> = {}) => {
      const args = {
        meta: { 'idempotency-key': 'once' },
        cart: { line_items: [{ item: { id: shop.mug }, quantity }] },
      };
      const params = { name: 'create_cart', arguments: args };
      const key = { Authorization: `Bearer ${shop.merchant.keys.publishable_test_key}` };
      return post(shop, { jsonrpc: '2.0', id: 7, method: 'tools/call', params }, { ...key, ...headers });
    };
    expect((await cart(1)).status).toBe(200);
    const crossed = { jsonrpc: '2.0', id: 7, error: { code: -32000, data: { code: 'idempotency_conflict' } } };
    for (const [headers, status] of [
      [{}, 409],
      [{ 'Mcp-Session-Id': 'agent.UGFycm90' }, 200],
    ] as const) {
      const reply = await cart(2, headers);
      expect([reply.status, await reply.json()]).toMatchObject([status, crossed]);
    }
    const wrong = await cart(0);
    expect([wrong.status, await wrong.json()]).toMatchObject([
      200,
      { error: { code: -32602, message: '`cart.line_items[0].quantity` must be at least 1.' } },
    ]);
  });

  test.each([
    ['tools/call', { name: 'search_catalog', arguments: [1] }, 'arguments', '`arguments` must be an object.'],
    ['tools/call', { name: 'search_catalog', arguments: null }, 'arguments', '`arguments` must be an object.'],
    ['tools/call', { arguments: {} }, 'name', '`name` must be a string.'],
    ['tools/call', 'search', 'params', '`params` must be an object.'],
    ['resources/read', {}, 'uri', '`uri` must be a string.'],
    ['tools/list', { cursor: 5 }, 'cursor', '`cursor` must be as the protocol has it.'],
    ['resources/list', { cursor: {} }, 'cursor', '`cursor` must be as the protocol has it.'],
    ['tools/call', { name: 'get_cart', arguments: {}, task: 5 }, 'task', '`task` must be as the protocol has it.'],
    ['initialize', {}, 'protocolVersion', '`protocolVersion` must be as the protocol has it.'],
    [
      'tools/call',
      { name: 'search_catalog', arguments: { catalog: { query: 'x'.repeat(501) } } },
      'catalog.query',
      '`catalog.query` must be at most 500 characters.',
    ],
  ])('says what of %s is wrong: %#', async (method, params, path, message) => {
    const shop = await openShop(stoa);
    const reply = await post(shop, { jsonrpc: '2.0', id: 'seven', method, params });
    expect([reply.status, await reply.json()]).toEqual([
      200,
      { jsonrpc: '2.0', id: 'seven', error: { code: -32602, message, data: { code: 'invalid_request', path } } },
    ]);
  });

  test('takes the store’s keys alone', async () => {
    const [shop, other] = [await openShop(stoa), await openShop(stoa)];
    const status = async (key: string) => (await post(shop, LIST, { Authorization: `Bearer ${key}` })).status;
    expect(await status(shop.merchant.keys.secret_key)).toBe(200);
    expect(await status('svc_pk_live_nonsense1')).toBe(401);
    expect(await status(other.merchant.keys.publishable_key)).toBe(404);
  });

  test('answers while the store has MCP enabled', async () => {
    const shop = await openShop(stoa);
    const set = async (body: object) =>
      expect((await shop.merchant.secret('PATCH', '/v1/store', body)).status).toBe(200);
    const status = async () => (await post(shop, LIST)).status;
    await set({ agents: { mcp: false } });
    expect(await status()).toBe(404);
    await set({ agents: { mcp: true } });
    expect(await status()).toBe(200);
    await set({ wholesale_enabled: true });
    expect(await status()).toBe(404);
    await set({ wholesale_enabled: false });
    expect(await status()).toBe(200);
    // An expired store's keys are refused over each protocol.
    const key = { Authorization: `Bearer ${shop.merchant.keys.secret_test_key}`, 'API-Version': '2026-04-17' };
    const found = async (path: string) => (await fetch(`${shop.base}${path}`, { headers: key })).status;
    const all = async () => [await status(), await found('/.well-known/ucp'), await found('/acp/feed')];
    expect(await all()).toEqual([200, 200, 200]);
    for (const [lapsed, as] of [
      [true, 404],
      [false, 200],
    ] as const) {
      const store = shop.merchant.keys.store_id;
      await stoa.services.runtime.ask('StoreAdmin/SetLapsed', NO_TENANT, { store, lapsed });
      await eventually(async () => expect(await all()).toEqual([as, as, as]));
    }
    expect((await fetch(`${stoa.url}/s/no-such-store/mcp`, { method: 'POST', body: '{}' })).status).toBe(404);
  });

  test('answers at the root of the store’s domains', async () => {
    const shop = await openShop(stoa);
    const host = `${shop.merchant.keys.code}.example`;
    const reply = () =>
      fetch(`${stoa.url}/mcp`, {
        method: 'POST',
        headers: {
          Host: host,
          'Content-Type': 'application/json',
          Accept: 'application/json, text/event-stream',
        },
        body: JSON.stringify(LIST),
      });
    expect((await reply()).status).toBe(404);
    await shop.merchant.secret('PATCH', '/v1/store', { domains: [host] });
    expect((await reply()).status).toBe(200);
  });

  test('counts who comes without a key by their network', async () => {
    const shop = await openShop(stoa);
    await stoa.services.runtime.ask(
      'StoreAdmin/SetLimits',
      { store: '', environment: 'production' },
      { store: shop.merchant.keys.store_id, network_hour: 3 },
    );
    const replies: Response[] = [];
    for (let count = 0; count < 5; count++) replies.push(await post(shop, LIST));
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 200, 429, 429]);
    expect(Number(replies.at(-1)!.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(await replies.at(-1)!.json()).toMatchObject({ jsonrpc: '2.0', error: { code: -32000 } });
  });
});

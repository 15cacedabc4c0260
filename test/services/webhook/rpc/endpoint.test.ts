// Webhook endpoints over HTTP: made, read, changed, rotated, tried out and deleted (contract §2.8 and §6).
import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { failing, ok, type Receiver, startReceiver } from '#test/services/webhook/receiver.ts';
import { eventually } from '#test/support/server.ts';
import { type Keys, type SendOptions, type Stoa, sharedStoa } from '#test/support/stoa.ts';

let stoa: Stoa;
let keys: Keys;
let receiver: Receiver;
beforeAll(async () => {
  stoa = await sharedStoa();
  keys = await stoa.createStore();
  receiver = await startReceiver();
});
afterAll(async () => {
  await receiver.close();
});

const send = (method: string, path: string, body?: unknown, options: SendOptions = {}) =>
  stoa.send(method, path, { key: keys.secret_test_key, ...(body === undefined ? {} : { body }), ...options });

const create = async (body: Record<string, unknown> = {}) => {
  const reply = await send('POST', '/v1/webhook-endpoints', { url: receiver.url, events: ['*'], ...body });
  expect(reply.status, reply.text).toBe(201);
  return reply.body.webhook_endpoint;
};

describe('an endpoint', () => {
  test('creates an endpoint and shows its secret once', async () => {
    const made = await create({ events: ['order.created', 'order.paid', 'order.created'], description: 'Warehouse' });
    expect(made).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      url: receiver.url,
      description: 'Warehouse',
      events: ['order.created', 'order.paid'],
      enabled: true,
      format: 'stoa',
      signing_secret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{32}$/),
      created_at: expect.any(String),
      updated_at: expect.any(String),
    });
    const { signing_secret: _, ...shown } = made;
    const read = await send('GET', `/v1/webhook-endpoints/${made.id}`);
    expect(read.body.webhook_endpoint).toEqual({
      ...shown,
      statistics: { pending: 0, retrying: 0, delivered: 0, dead_lettered: 0 },
    });
    const list = await send('GET', '/v1/webhook-endpoints');
    expect(list.body.webhook_endpoints[0]).toEqual(shown);
    expect(list.text).not.toContain('whsec_');
  });

  test('shows a publishable key only an endpoint’s id, events and state', async () => {
    const { id, events, enabled } = await create({ description: 'Warehouse' });
    const listed = () => stoa.send('GET', '/v1/webhook-endpoints', { key: keys.publishable_test_key });
    const { body, text } = await listed();
    expect(body.webhook_endpoints[0]).toEqual({ id, events, enabled });
    for (const word of ['url', 'http', 'Warehouse', '_at']) expect(text.split('"pagination"')[0]).not.toContain(word);
    await send('PATCH', `/v1/webhook-endpoints/${id}`, { enabled: false });
    expect((await listed()).body.webhook_endpoints[0]).toEqual({ id, events, enabled: false });
  });

  test('changes only the fields that are sent', async () => {
    const { id, signing_secret: _, ...made } = await create({ description: 'Warehouse' });
    const change = async (body: unknown) => {
      const { status, body: answer } = await send('PATCH', `/v1/webhook-endpoints/${id}`, body);
      expect(status).toBe(200);
      const { id: same, updated_at: _, ...rest } = answer.webhook_endpoint;
      expect(same).toBe(id);
      return rest;
    };
    const { updated_at: __, ...before } = made;
    expect(await change({})).toEqual(before);
    expect(await change({ enabled: false })).toEqual({ ...before, enabled: false });
    expect(await change({ events: ['order.paid'], description: null })).toEqual({
      ...before,
      enabled: false,
      events: ['order.paid'],
      description: null,
    });
    expect((await change({ url: `${receiver.url}/other` })).url).toBe(`${receiver.url}/other`);
  });

  test('deletes an endpoint for every caller', async () => {
    const { id } = await create();
    const gone = await send('DELETE', `/v1/webhook-endpoints/${id}`);
    expect([gone.status, gone.body]).toEqual([200, { deleted: true, id }]);
    for (const [method, path] of [
      ['GET', `/v1/webhook-endpoints/${id}`],
      ['PATCH', `/v1/webhook-endpoints/${id}`],
      ['DELETE', `/v1/webhook-endpoints/${id}`],
      ['POST', `/v1/webhook-endpoints/${id}/test`],
      ['POST', `/v1/webhook-endpoints/${id}/rotate-secret`],
    ] as const)
      expect((await send(method, path, method === 'GET' || method === 'DELETE' ? undefined : {})).status).toBe(404);
    const list = await send('GET', '/v1/webhook-endpoints?limit=100');
    expect(list.body.webhook_endpoints.map((each: { id: string }) => each.id)).not.toContain(id);
  });

  test('finds no endpoint of another tenant', async () => {
    const { id } = await create();
    const others = await stoa.createStore();
    for (const key of [others.secret_test_key, keys.secret_key]) {
      const theirs = await send('GET', `/v1/webhook-endpoints/${id}`, undefined, { key });
      expect([theirs.status, theirs.body.error.message]).toEqual([404, `No such webhook endpoint: ${id}.`]);
      const unknownId = '00000000-0000-7000-8000-000000000000';
      const unknown = await send('GET', `/v1/webhook-endpoints/${unknownId}`, undefined, { key });
      expect([unknown.status, unknown.body.error.message]).toEqual([404, `No such webhook endpoint: ${unknownId}.`]);
    }
  });

  test('lists endpoints newest first, 50 at a time, each once', async () => {
    const store = await stoa.createStore();
    const key = store.secret_test_key;
    const made: string[] = [];
    for (let at = 0; at < 53; at++) {
      const reply = await send('POST', '/v1/webhook-endpoints', { url: receiver.url, events: ['order.paid'] }, { key });
      made.unshift(reply.body.webhook_endpoint.id);
    }
    const first = await send('GET', '/v1/webhook-endpoints', undefined, { key });
    expect(first.body.pagination).toEqual({ limit: 50, has_more: true, next_cursor: expect.any(String) });
    const { next_cursor: cursor } = first.body.pagination;
    const second = await send('GET', `/v1/webhook-endpoints?cursor=${cursor}`, undefined, { key });
    expect(second.body.pagination).toEqual({ limit: 50, has_more: false, next_cursor: null });
    const ids = [...first.body.webhook_endpoints, ...second.body.webhook_endpoints].map(({ id }) => id);
    expect(ids).toEqual(made);
    for (const [foreign, as] of [
      [cursor, keys.secret_test_key],
      [cursor, store.secret_key],
      [`${cursor.slice(0, -2)}AA`, key],
      ['WzE3Njk4NTA2MDAwMDAsMV0', key],
    ] as const) {
      const refused = await send('GET', `/v1/webhook-endpoints?cursor=${foreign}`, undefined, { key: as });
      expect([refused.status, refused.body.error.param]).toEqual([400, 'cursor']);
    }
  });

  test.each([
    [{ events: ['*'] }, 'url'],
    [{ url: 'ftp://example.com/', events: ['*'] }, 'url'],
    [{ url: 'https://user:secret@example.com/', events: ['*'] }, 'url'],
    [{ url: 'https://10.0.0.1/', events: ['*'] }, 'url'],
    [{ url: 'https://example.com:22/', events: ['*'] }, 'url'],
    [{ url: 'https://example.com/' }, 'events'],
    [{ url: 'https://example.com/', events: [] }, 'events'],
    [{ url: 'https://example.com/', events: ['order.paid', 'order.eaten'] }, 'events[1]'],
    [{ url: 'https://example.com/', events: [1] }, 'events[0]'],
    [{ url: 'https://example.com/', events: ['*'], enabled: 'yes' }, 'enabled'],
  ])('cannot be %j', async (body, param) => {
    const { status, body: answer } = await send('POST', '/v1/webhook-endpoints', body);
    expect([status, answer.error.code, answer.error.param]).toEqual([400, 'invalid_request', param]);
  });

  test.each([
    'http://shop.example.com/',
    'http://127.0.0.1/',
    'https://localhost/',
    'https://localhost./',
    'https://hooks.localhost/',
    'https://127.1/',
    'https://2130706433/',
    'https://0x7f.1/',
    'https://017700000001/',
    'https://%31%32%37.0.0.1/',
    'https://１２７.０.０.１/',
    'https://0/',
    'https://[::1]/',
    'https://[::ffff:127.0.0.1]/',
    'https://[::ffff:a00:1]/',
    'https://[64:ff9b::a00:1]/',
    'https://[2002:a00:1::]/',
    'https://[fe80::1]/',
    'https://100.64.0.1/',
    'https://intranet/',
    'https://example.com:25/',
  ])('of production cannot be at %s', async (url) => {
    const { status } = await send('POST', '/v1/webhook-endpoints', { url, events: ['*'] }, { key: keys.secret_key });
    expect(status).toBe(400);
  });

  test.each([
    'https://10.1.2.3/',
    'https://169.254.169.254/',
    'https://192.168.0.1/',
    'https://[fd00::1]/',
    'https://0x0a000001/',
  ])('even of a sandbox cannot be at %s', async (url) => {
    const { status } = await send('POST', '/v1/webhook-endpoints', { url, events: ['*'] });
    expect(status).toBe(400);
  });
});

describe('a test event', () => {
  test('sends a test event once, signed, and reports the response', async () => {
    const { id, signing_secret: secret } = await create({ url: `${receiver.url}/try`, events: ['order.paid'] });
    const before = receiver.received.length;
    const { status, body } = await send('POST', `/v1/webhook-endpoints/${id}/test`, { event_type: 'order.created' });
    expect([status, body]).toEqual([200, { success: true, status_code: 200 }]);
    const [got, ...more] = receiver.received.slice(before).filter(({ path }) => path === '/try');
    expect(more).toEqual([]);
    expect(got!.event).toMatchObject({ type: 'order.created', store_id: keys.store_id, api_version: 'v1' });
    const [, t, v1] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(got!.headers['x-svc-signature']!)!;
    expect(createHmac('sha256', secret).update(`${t}.${got!.body}`).digest('hex')).toBe(v1);
    expect((await send('POST', `/v1/webhook-endpoints/${id}/test`, {})).body.success).toBe(true);
    expect(receiver.received.at(-1)!.event.type).toBe('order.paid');
  });

  test('reports a refusal, an unfollowed redirect, and silence', async () => {
    const { id } = await create();
    const sendTest = async () => (await send('POST', `/v1/webhook-endpoints/${id}/test`, {})).body;
    receiver.answer(failing(503));
    expect(await sendTest()).toEqual({ success: false, status_code: 503 });
    receiver.answer((_request, response) => response.writeHead(302, { location: `${receiver.url}/else` }).end());
    expect(await sendTest()).toEqual({ success: false, status_code: 302 });
    expect(receiver.received.some(({ path }) => path === '/else')).toBe(false);
    receiver.answer((request) => request.socket.destroy());
    expect(await sendTest()).toEqual({ success: false, status_code: null });
    receiver.answer(ok);
  });

  test('refuses an unknown event type', async () => {
    const { id } = await create();
    const { status, body } = await send('POST', `/v1/webhook-endpoints/${id}/test`, { event_type: 'order.eaten' });
    expect([status, body.error.param]).toEqual([400, 'event_type']);
  });
});

test('signs with both secrets for a day after a rotation', async () => {
  const { id, signing_secret: old } = await create({ url: `${receiver.url}/rotated`, events: ['order.paid'] });
  const rotated = await send('POST', `/v1/webhook-endpoints/${id}/rotate-secret`, {});
  const { signing_secret: fresh } = rotated.body.webhook_endpoint;
  expect([rotated.status, fresh === old]).toEqual([200, false]);
  await send('POST', `/v1/webhook-endpoints/${id}/test`, {});
  await eventually(() => expect(receiver.received.at(-1)!.path).toBe('/rotated'));
  const { headers, body } = receiver.received.at(-1)!;
  const [, t, first, second] = /^t=(\d+),v1=([0-9a-f]{64}),v1=([0-9a-f]{64})$/.exec(headers['x-svc-signature']!)!;
  const sign = (secret: string) => createHmac('sha256', secret).update(`${t}.${body}`).digest('hex');
  expect([first, second]).toEqual([sign(fresh), sign(old)]);
  expect(headers['webhook-signature']!.split(' ')).toHaveLength(2);
});

test('stores no secret in readable form', async () => {
  const { signing_secret: secret } = await create();
  const rows = await stoa.services.runtime.postgres.sql<{ text: string }[]>`
    select t::text as text from webhook.endpoint t`;
  for (const form of [secret, secret.slice(6), Buffer.from(secret).toString('hex')])
    expect(rows.some(({ text }) => text.includes(form))).toBe(false);
});

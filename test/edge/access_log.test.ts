// The access log: a line a request with its id, as much of it as was asked for, and no secret in it.
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type AccessLogging, readAccessLogging } from '#edge/access_log.ts';
import { type RunningEdge, startEdge } from '#edge/edge.ts';
import { connectLinks } from '#runtime/link/client.ts';
import { createLog } from '#runtime/process/log.ts';
import { eventually, testLog } from '#test/support/server.ts';
import { type Keys, type Stoa, sharedStoa } from '#test/support/stoa.ts';

interface Line {
  readonly msg: string;
  readonly log: string;
  readonly level: string;
  readonly request_id: string;
  readonly method: string | null;
  readonly path: string | null;
  readonly status: number;
}

let stoa: Stoa;
let keys: Keys;
beforeAll(async () => {
  stoa = await sharedStoa();
  keys = await stoa.createStore();
});

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

const open = async (accessLog: AccessLogging): Promise<{ edge: RunningEdge; lines: () => Line[] }> => {
  const written: string[] = [];
  // The log has no other line of this edge.
  const log = createLog({ name: 'edge', level: 'silent', write: (line) => void written.push(line) });
  const wire = connectLinks({ addresses: [stoa.services.address], token: '', log: testLog() });
  const edge = startEdge({
    host: '127.0.0.1',
    port: 0,
    publicUrl: null,
    wire,
    redis: null,
    log,
    trustedProxies: '',
    cacheBytesMax: 1_000_000,
    accessLog,
  });
  closing.push(async () => {
    await edge.stop();
    await wire.close();
  });
  await eventually(() => expect(wire.serves('Host')).toBe(true));
  return { edge, lines: () => written.map((line) => JSON.parse(line) as Line) };
};
const send = (edge: RunningEdge, path: string, init: RequestInit = {}) =>
  fetch(`${edge.url}${path}`, {
    ...init,
    headers: { Authorization: `Bearer ${keys.publishable_key}`, ...(init.headers as Record<string, string>) },
  });

test('logs each request with its tenant and outcome in `all`', async () => {
  const { edge, lines } = await open('all');
  const found = await send(edge, '/v1/products?limit=2', { headers: { 'User-Agent': 'curl/8' } });
  const lost = await send(edge, '/v1/nothing', { headers: { 'X-Request-Id': 'mine-1' } });
  const page = await fetch(`${edge.url}/docs`);
  expect([found.status, lost.status, page.status]).toEqual([200, 404, 200]);
  const tenant = { store: keys.store_id, environment: 'production', key_type: 'publishable' };
  expect(lines()).toMatchObject([
    {
      msg: 'request',
      log: 'access',
      level: 'info',
      request_id: found.headers.get('x-request-id'),
      method: 'GET',
      path: '/v1/products',
      query: 'limit=2',
      endpoint: '/v1/products',
      status: 200,
      took_ms: expect.any(Number),
      address: '127.0.0.1',
      user_agent: 'curl/8',
      ...tenant,
    },
    { request_id: 'mine-1', path: '/v1/nothing', endpoint: null, status: 404, refusal: 'not_found', ...tenant },
    { method: 'GET', path: '/docs', endpoint: '/docs', status: 200 },
  ]);
});

test('logs only refused and failed requests in `errors`', async () => {
  const { edge, lines } = await open('errors');
  await send(edge, '/v1/products');
  await fetch(`${edge.url}/v1/products`);
  await send(edge, '/v1/products?limit=0');
  expect(lines()).toMatchObject([
    { status: 401, refusal: 'unauthorized' },
    { status: 400, refusal: 'invalid_request' },
  ]);
});

test('logs nothing in `off`', async () => {
  const { edge, lines } = await open('off');
  await send(edge, '/v1/nothing');
  expect(lines()).toEqual([]);
});

test('holds no key, no token and no code', async () => {
  const { edge, lines } = await open('all');
  await send(edge, '/v1/gift-cards?code=GIFT-1234-5678', { headers: { 'x-auth-token': `at_${'x'.repeat(43)}` } });
  await send(edge, '/v1/cart/gift-cards/GIFT-1234-5678', { method: 'DELETE', headers: { 'X-Session-Id': 'v' } });
  await send(edge, '/v1/products?api_key=abcdef');
  const text = JSON.stringify(lines());
  expect(lines()).toHaveLength(3);
  for (const secret of [keys.publishable_key, 'GIFT-1234', 'xxxx', 'abcdef']) expect(text).not.toContain(secret);
});

describe('STOA_ACCESS_LOG', () => {
  test.each([
    [undefined, 'off'],
    ['', 'off'],
    ['errors', 'errors'],
    ['all', 'all'],
  ])('%s is %s', (text, logging) => {
    expect(readAccessLogging({ STOA_ACCESS_LOG: text })).toBe(logging);
  });

  test('refuses an unknown value of STOA_ACCESS_LOG', () => {
    expect(() => readAccessLogging({ STOA_ACCESS_LOG: 'some' })).toThrow('STOA_ACCESS_LOG must be');
  });
});

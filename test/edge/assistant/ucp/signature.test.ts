// Tests that signatures of platforms are verified with the keys of their profiles.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { contentDigest, messageSignature, newKeyPair } from '#runtime/outbound/message_signature.ts';
import {
  ADDRESS,
  BUYER,
  type Document,
  openShop,
  paidWith,
  type Shop,
  tokenFor,
} from '#test/edge/assistant/mcp/shop.ts';
import { allowLocalVerifier } from '#test/support/session.ts';
import { type Stoa, sharedStoa } from '#test/support/stoa.ts';

const VERSION = '2026-04-08';
const PAIR = newKeyPair();
const KEY = { kid: 'platform', kty: 'EC', crv: 'P-256', x: PAIR.x, y: PAIR.y };
const PATH = '/ucp/checkout-sessions';

allowLocalVerifier();
let stoa: Stoa;
let shop: Shop;
let platform: ReturnType<typeof Bun.serve>;
/** Key of the platform at `/rotating`. */
let rotating: object[] = [];
let fetches = 0;

beforeAll(async () => {
  platform = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch: (request) => {
      fetches++;
      const published = new URL(request.url).pathname === '/rotating' ? rotating : [KEY];
      return Response.json({
        ucp: {
          version: VERSION,
          capabilities: Object.fromEntries(
            ['checkout', 'fulfillment', 'order'].map((name) => [`dev.ucp.shopping.${name}`, [{ version: VERSION }]]),
          ),
        },
        signing_keys: [...published, { kid: 'rsa', kty: 'RSA', n: 'AQAB', e: 'AQAB' }],
      });
    },
  });
  stoa = await sharedStoa();
  shop = await openShop(stoa);
});
afterAll(async () => {
  await platform.stop(true);
});

interface SignedRequest {
  /** The request differs from the signed one. */
  readonly sent?: { readonly path?: string; readonly key?: string; readonly body?: string; readonly digest?: string };
  readonly kid?: string;
  readonly without?: string;
  readonly atMs?: number;
  readonly headers?: Readonly<Record<string, string | null>>;
}

const begin = async ({ sent = {}, kid = KEY.kid, without, atMs = Date.now(), headers = {} }: SignedRequest = {}) => {
  const body = JSON.stringify({ line_items: [{ item: { id: shop.mug }, quantity: 1 }] });
  const target = new URL(`${shop.base}${PATH}`);
  const own: Record<string, string> = {
    'ucp-agent': `profile="http://127.0.0.1:${platform.port}/profile"`,
    'idempotency-key': randomUUID(),
    'content-digest': contentDigest(body),
    'content-type': 'application/json',
  };
  const components = [
    ['@method', 'POST'],
    ['@authority', target.host],
    ['@path', target.pathname],
    ...Object.entries(own),
  ] as [string, string][];
  const covered = components.filter(([name]) => name !== without);
  const all: Record<string, string | null> = {
    Authorization: `Bearer ${shop.merchant.keys.publishable_test_key}`,
    ...own,
    ...messageSignature(covered, { kid, secret: PAIR.secret }, atMs),
    ...(sent.key && { 'idempotency-key': sent.key }),
    ...(sent.digest && { 'content-digest': sent.digest }),
    ...headers,
  };
  const given = Object.entries(all).filter((entry): entry is [string, string] => entry[1] !== null);
  const answer = await fetch(`${shop.base}${sent.path ?? PATH}`, {
    method: 'POST',
    headers: Object.fromEntries(given),
    body: sent.body ?? body,
  });
  return { status: answer.status, document: (await answer.json()) as Document, headers: Object.fromEntries(given) };
};

test('a signed request is served, and sent again as it is it has the effect of the first time', async () => {
  const first = await begin();
  expect([first.status, first.document.code]).toEqual([201, undefined]);
  const body = JSON.stringify({ line_items: [{ item: { id: shop.mug }, quantity: 1 }] });
  const again = await fetch(`${shop.base}${PATH}`, { method: 'POST', headers: first.headers, body });
  expect(((await again.json()) as Document).id).toBe(first.document.id);
});

test.each<[string, SignedRequest, number, string]>([
  ['at another path', { sent: { path: `${PATH}/x/cancel` } }, 401, 'signature_invalid'],
  ['under another idempotency key', { sent: { key: 'another' } }, 401, 'signature_invalid'],
  ['with another body', { sent: { body: '{"line_items":[]}' } }, 400, 'digest_mismatch'],
  [
    'with another body and its digest',
    { sent: { body: '{"line_items":[]}', digest: contentDigest('{"line_items":[]}') } },
    401,
    'signature_invalid',
  ],
  ['whose key is not published', { kid: 'other' }, 401, 'key_not_found'],
  ['whose key is of another kind', { kid: 'rsa' }, 400, 'algorithm_unsupported'],
  ['that leaves out its idempotency key', { without: 'idempotency-key' }, 401, 'signature_missing'],
  ['that leaves out its host', { without: '@authority' }, 401, 'signature_missing'],
  ['of the day before yesterday', { atMs: Date.now() - 2 * 86_400_000 }, 401, 'signature_invalid'],
  ['of tomorrow', { atMs: Date.now() + 86_400_000 }, 401, 'signature_invalid'],
  ['without its parameters', { headers: { 'signature-input': null } }, 401, 'signature_missing'],
  ['that cannot be read', { headers: { signature: 'nothing' } }, 401, 'signature_invalid'],
])('a signature %s is refused', async (_, request, status, code) => {
  const { status: answer, document } = await begin(request);
  expect([answer, document.code]).toEqual([status, code]);
});

/** Headers of a signed request without a body. */
const signed = (path: string, { profile = '/profile', kid = KEY.kid, secret = PAIR.secret } = {}) => {
  const target = new URL(`${shop.base}${path}`);
  const agent = `profile="http://127.0.0.1:${platform.port}${profile}"`;
  const components = [
    ['@method', 'GET'],
    ['@authority', target.host],
    ['@path', target.pathname],
    ['ucp-agent', agent],
  ] as [string, string][];
  return {
    Authorization: `Bearer ${shop.merchant.keys.publishable_test_key}`,
    'ucp-agent': agent,
    ...messageSignature(components, { kid, secret }, Date.now()),
  };
};
const get = async (path: string, headers: Readonly<Record<string, string>>) => {
  const answer = await fetch(`${shop.base}${path}`, { headers });
  return { status: answer.status, headers: answer.headers, document: (await answer.json()) as Document };
};

test('a request that names no platform is refused', async () => {
  const { status, document } = await begin({
    headers: { 'ucp-agent': null, signature: null, 'signature-input': null },
  });
  expect([status, document.code]).toEqual([400, 'invalid_profile_url']);
  const read = await get('/ucp/orders/x', { Authorization: `Bearer ${shop.merchant.keys.secret_test_key}` });
  expect([read.status, read.document.code]).toEqual([400, 'invalid_profile_url']);
});

test('a platform reads an order that it placed, and no other, with its signature alone', async () => {
  const place = async (headers: Readonly<Record<string, string>>): Promise<string> => {
    const all = { ...headers, 'content-type': 'application/json' };
    const ask = async (path: string, body: object): Promise<Document> => {
      const answer = await fetch(`${shop.base}${PATH}${path}`, {
        method: 'POST',
        headers: { ...all, 'idempotency-key': randomUUID() },
        body: JSON.stringify(body),
      });
      return (await answer.json()) as Document;
    };
    const { id } = await ask('', {
      line_items: [{ item: { id: shop.mug }, quantity: 1 }],
      buyer: BUYER,
      fulfillment: {
        methods: [{ type: 'shipping', destinations: [ADDRESS], groups: [{ selected_option_id: 'place' }] }],
      },
    });
    const done = await ask(`/${id}/complete`, paidWith(await tokenFor(stoa, shop, id)));
    expect(done.status, JSON.stringify(done)).toBe('completed');
    return done.order.id;
  };
  const key = `Bearer ${shop.merchant.keys.publishable_test_key}`;
  const agent = (profile: string) => `profile="http://127.0.0.1:${platform.port}${profile}"`;
  const own = await place({ Authorization: key, 'ucp-agent': agent('/profile') });
  const others = await place({ Authorization: key, 'ucp-agent': agent('/another') });
  const idOf = async (id: string, headers: Readonly<Record<string, string>>) =>
    (await get(`/ucp/orders/${id}`, headers)).document.id;
  const path = `/ucp/orders/${own}`;
  expect(await idOf(own, signed(path))).toBe(own);
  expect(await idOf(own, { Authorization: key, 'ucp-agent': agent('/profile') })).toBeUndefined();
  expect(await idOf(own, signed(path, { profile: '/another' }))).toBeUndefined();
  expect(await idOf(others, signed(`/ucp/orders/${others}`))).toBeUndefined();
  expect((await get(path, { ...signed(path), signature: 'sig1=:AAAA:' })).status).toBe(401);
  const etag = (await get(path, signed(path))).headers.get('etag')!;
  const again = await fetch(`${shop.base}${path}`, { headers: { ...signed(path), 'If-None-Match': etag } });
  expect(again.status).toBe(304);
});

test('a key that the profile has published since is found at once, and looked for ten times a minute at most', async () => {
  const fresh = newKeyPair();
  const read = (kid: string, secret = fresh.secret) =>
    get('/ucp/orders/x', signed('/ucp/orders/x', { profile: '/rotating', kid, secret }));
  rotating = [KEY];
  expect((await read(KEY.kid, PAIR.secret)).status).toBe(200);
  rotating = [{ kid: 'fresh', kty: 'EC', crv: 'P-256', x: fresh.x, y: fresh.y }];
  expect((await read('fresh')).status).toBe(200);
  const before = fetches;
  for (let at = 0; at < 20; at++) expect((await read(`none-${at}`)).document.code).toBe('key_not_found');
  expect(fetches - before).toBeLessThanOrEqual(10);
});

test('serves unsigned requests', async () => {
  const { status } = await begin({ headers: { signature: null, 'signature-input': null } });
  expect(status).toBe(201);
});

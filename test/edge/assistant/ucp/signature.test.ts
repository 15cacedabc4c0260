// What a platform signs is verified by the keys of its profile.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { contentDigest, messageSignature, newKeyPair } from '#runtime/outbound/message_signature.ts';
import { type Document, openShop, type Shop } from '#test/edge/assistant/mcp/shop.ts';
import { allowLocalVerifier } from '#test/support/session.ts';
import { type Stoa, startStoa } from '#test/support/stoa.ts';

const VERSION = '2026-04-08';
const PAIR = newKeyPair();
const KEY = { kid: 'platform', kty: 'EC', crv: 'P-256', x: PAIR.x, y: PAIR.y };
const PATH = '/ucp/checkout-sessions';

allowLocalVerifier();
let stoa: Stoa;
let shop: Shop;
let platform: ReturnType<typeof Bun.serve>;

beforeAll(async () => {
  platform = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch: () =>
      Response.json({
        ucp: { version: VERSION, capabilities: { 'dev.ucp.shopping.checkout': [{ version: VERSION }] } },
        signing_keys: [KEY, { kid: 'rsa', kty: 'RSA', n: 'AQAB', e: 'AQAB' }],
      }),
  });
  stoa = await startStoa();
  shop = await openShop(stoa);
});
afterAll(async () => {
  await stoa.stop();
  await platform.stop(true);
});

interface Wish {
  /** What is sent is other than what was signed. */
  readonly sent?: { readonly path?: string; readonly key?: string; readonly body?: string; readonly digest?: string };
  readonly kid?: string;
  readonly without?: string;
  readonly atMs?: number;
  readonly headers?: Readonly<Record<string, string | null>>;
}

const begin = async ({ sent = {}, kid = KEY.kid, without, atMs = Date.now(), headers = {} }: Wish = {}) => {
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

test.each<[string, Wish, number, string]>([
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
])('a signature %s is refused', async (_, wish, status, code) => {
  const { status: told, document } = await begin(wish);
  expect([told, document.code]).toEqual([status, code]);
});

test('without a signature a request is served as before', async () => {
  const { status } = await begin({ headers: { signature: null, 'signature-input': null } });
  expect(status).toBe(201);
});

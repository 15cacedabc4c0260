// Tests platform, key and signature of tool calls, sent in headers or in `meta`, with the same checks as over REST.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { contentDigest, messageSignature, newKeyPair } from '#runtime/outbound/message_signature.ts';
import { type Document, openShop, type Shop } from '#test/edge/assistant/mcp/shop.ts';
import { allowLocalVerifier } from '#test/support/session.ts';
import { type Stoa, sharedStoa } from '#test/support/stoa.ts';

const VERSION = '2026-04-08';
const PAIR = newKeyPair();
const KEY = { kid: 'platform', kty: 'EC', crv: 'P-256', x: PAIR.x, y: PAIR.y };

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
        ucp: {
          version: VERSION,
          capabilities: Object.fromEntries(
            ['checkout', 'catalog.search'].map((name) => [`dev.ucp.shopping.${name}`, [{ version: VERSION }]]),
          ),
        },
        signing_keys: [KEY],
      }),
  });
  stoa = await sharedStoa();
  shop = await openShop(stoa);
});
afterAll(async () => {
  await platform.stop(true);
});

interface SignedCall {
  /** Place of the idempotency key and the platform's profile. */
  readonly said?: 'headers' | 'meta' | 'nowhere';
  readonly tool?: 'create_checkout' | 'search_catalog';
  /** Another body than the one that was signed. */
  readonly body?: string;
  readonly without?: string;
  readonly kid?: string;
  readonly signed?: boolean;
}

const ARGUMENTS = {
  create_checkout: () => ({ checkout: { line_items: [{ item: { id: shop.mug }, quantity: 1 }] } }),
  search_catalog: () => ({ catalog: { query: 'mug' } }),
} as const;

const ask = async (
  { said = 'headers', tool = 'create_checkout', ...request }: SignedCall = {},
  key: string = randomUUID(),
) => {
  const profile = `http://127.0.0.1:${platform.port}/profile`;
  const meta = { 'ucp-agent': { profile }, ...(said === 'meta' && { 'idempotency-key': key }) };
  const message = JSON.stringify({
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name: tool, arguments: { ...ARGUMENTS[tool](), ...(said !== 'headers' && { meta }) } },
  });
  const target = new URL(`${shop.base}/mcp`);
  const own: Record<string, string> = {
    ...(said === 'headers' && { 'ucp-agent': `profile="${profile}"`, 'idempotency-key': key }),
    'content-digest': contentDigest(message),
    'content-type': 'application/json',
  };
  const components = [
    ['@method', 'POST'],
    ['@authority', target.host],
    ['@path', target.pathname],
    ...Object.entries(own),
  ] as [string, string][];
  const covered = components.filter(([name]) => name !== request.without);
  const signature = messageSignature(covered, { kid: request.kid ?? KEY.kid, secret: PAIR.secret }, Date.now());
  const answer = await fetch(target, {
    method: 'POST',
    headers: {
      Authorization: `Bearer ${shop.merchant.keys.publishable_test_key}`,
      Accept: 'application/json, text/event-stream',
      ...own,
      ...(request.signed !== false && signature),
    },
    body: request.body ?? message,
  });
  return { ...((await answer.json()) as Document), status: answer.status } as Document;
};

test.each<[string, SignedCall]>([
  ['in headers', { said: 'headers' }],
  ['in its arguments', { said: 'meta' }],
])('a signed call whose platform and key stand %s is served, and once', async (_, request) => {
  const key = randomUUID();
  const [first, again] = [await ask(request, key), await ask(request, key)];
  expect(first.error).toBeUndefined();
  expect(first.result.structuredContent.id).toMatch(/^[0-9a-f-]{36}$/);
  expect(again.result.structuredContent.id).toBe(first.result.structuredContent.id);
});

// The protocol's table of errors: 401 is -32000, 400 is -32600.
test.each<[string, SignedCall, string, number?]>([
  [
    'of another message',
    { body: '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"search_catalog"}}' },
    'digest_mismatch',
    400,
  ],
  ['whose key is not published', { kid: 'other' }, 'key_not_found'],
  ['that leaves out its idempotency key', { without: 'idempotency-key' }, 'signature_missing'],
  ['that leaves out its body', { without: 'content-digest' }, 'signature_missing'],
  ['that leaves out its platform', { without: 'ucp-agent' }, 'signature_missing'],
  ['of a call that writes without a key', { said: 'nowhere' }, 'signature_missing'],
])('a signature %s is refused', async (_, request, code, refused = 401) => {
  const { error, status } = await ask(request);
  expect([status, error.code, error.data.code]).toEqual([refused, refused === 401 ? -32000 : -32600, code]);
});

test('a signed call that only reads needs no key', async () => {
  expect((await ask({ said: 'nowhere', tool: 'search_catalog' })).result.structuredContent.products).toBeDefined();
});

test('serves unsigned calls', async () => {
  expect((await ask({ said: 'nowhere', signed: false })).result.structuredContent.id).toBeDefined();
});

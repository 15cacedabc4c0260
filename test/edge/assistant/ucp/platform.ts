// A platform that shops over UCP's REST binding.
import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { CAPABILITIES } from '#edge/assistant/ucp/document/envelope.ts';
import {
  isDigestOf,
  isSignedBy,
  type PublicJwk,
  readSignatures,
  signatureBase,
} from '#runtime/outbound/message_signature.ts';
import { ADDRESS, BUYER, type Document, type Shop } from '#test/edge/assistant/mcp/shop.ts';
import { retryWhileBusy } from '#test/support/busy_retry.ts';

export const VERSION = '2026-04-08';

/** A platform with all capabilities of stores. `allowLocalVerifier` lets sandboxes read its profile from this machine. */
const platform = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  fetch: () =>
    Response.json({
      ucp: {
        version: VERSION,
        capabilities: Object.fromEntries(Object.values(CAPABILITIES).map((name) => [name, [{ version: VERSION }]])),
      },
    }),
});
platform.unref();
export const UCP_AGENT = { 'UCP-Agent': `profile="http://127.0.0.1:${platform.port}/profile"` };

interface Sent {
  readonly key?: string | null;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

export const sending =
  (shop: Shop) =>
  async (method: string, path: string, { key = shop.merchant.keys.publishable_test_key, body, headers }: Sent = {}) => {
    const once: Record<string, string> = method === 'GET' ? {} : { 'Idempotency-Key': randomUUID() };
    const answer = await retryWhileBusy(() =>
      fetch(`${shop.base}${path}`, {
        method,
        headers: {
          ...(key === null ? {} : { Authorization: `Bearer ${key}` }),
          ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
          ...UCP_AGENT,
          ...once,
          ...headers,
        },
        ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      }),
    );
    const text = await answer.text();
    return {
      status: answer.status,
      headers: answer.headers,
      text,
      document: (text ? JSON.parse(text) : null) as Document,
    };
  };

/** Body of a first checkout. */
export const sent = (shop: Shop) => ({
  line_items: [{ item: { id: shop.mug }, quantity: 2 }],
  buyer: BUYER,
  fulfillment: { methods: [{ type: 'shipping', destinations: [ADDRESS] }] },
});

/** Whether the store has signed the answer as it came. */
export const isProof = (
  { status, headers, text }: { status: number; headers: Headers; text: string },
  keys: readonly PublicJwk[],
): boolean => {
  const [sent] = readSignatures(headers.get('signature-input') ?? '', headers.get('signature') ?? '') ?? [];
  if (!sent || !isDigestOf(headers.get('content-digest') ?? '', Buffer.from(text))) return false;
  const values: Readonly<Record<string, string>> = { '@status': String(status) };
  const components = sent.components.map((name) => [name, values[name] ?? headers.get(name) ?? ''] as const);
  expect(components.map(([name]) => name)).toEqual(['@status', 'content-digest', 'content-type']);
  const key = keys.find(({ kid }) => kid === sent.keyid);
  return key !== undefined && isSignedBy(key, signatureBase(components, sent.params), sent.value);
};

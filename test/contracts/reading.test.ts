// Checks lost answers of calls that only read: these did nothing, so no caller gets an unknown outcome.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type RunningEdge, startEdge } from '#edge/edge.ts';
import { routes } from '#proto/gen/routes.ts';
import { connectLinks } from '#runtime/link/client.ts';
import type { LinkClient } from '#runtime/link/frame.ts';
import { startProxy, type TestProxy } from '#test/support/proxy.ts';
import { eventually, testLog } from '#test/support/server.ts';
import { type Keys, type Reply, type Stoa, sendTo, sharedStoa } from '#test/support/stoa.ts';

let stoa: Stoa;
let proxy: TestProxy;
let wire: LinkClient;
/** An edge whose link passes through the proxy. */
let edge: RunningEdge;
let keys: Keys;
let variant: string;

beforeAll(async () => {
  stoa = await sharedStoa();
  proxy = await startProxy(stoa.services.address);
  wire = connectLinks({ addresses: [`127.0.0.1:${proxy.port}`], token: '', log: testLog() });
  edge = startEdge({
    host: '127.0.0.1',
    port: 0,
    publicUrl: null,
    wire,
    redis: null,
    log: testLog(),
    trustedProxies: '',
    cacheBytesMax: 1024 * 1024,
  });
  keys = await stoa.createStore();
  const made = await stoa.send('POST', '/v1/products', { key: keys.secret_key, body: { name: 'Mug', price: 9 } });
  variant = made.body.variant_id;
});
afterAll(async () => {
  await edge.stop();
  await wire.close();
  await proxy.close();
});

interface Case {
  readonly verb: string;
  readonly path: string;
  readonly rpc: string;
  /** The route's path, where it differs. */
  readonly route?: string;
  readonly body?: () => unknown;
}

const READS: readonly Case[] = [
  { verb: 'GET', path: '/v1/orders', rpc: 'Order/ListOrders' },
  { verb: 'POST', path: '/v1/search', rpc: 'Search/SearchProducts', body: () => ({ query: 'mug' }) },
  {
    verb: 'POST',
    path: '/v1/shipping/calculate',
    rpc: 'Shipping/Calculate',
    body: () => ({ latitude: -1.27, longitude: 36.81 }),
  },
  {
    verb: 'POST',
    path: '/v1/pricing/query',
    rpc: 'Pricing/QueryPrices',
    body: () => ({ items: [{ variant_id: variant, quantity: 1 }] }),
  },
  {
    verb: 'POST',
    path: '/v1/tax/preview',
    rpc: 'Pricing/PreviewTax',
    body: () => ({ items: [{ variant_id: variant, quantity: 1 }], address: { country: 'KE' } }),
  },
  {
    verb: 'POST',
    path: '/v1/mail-templates/order_paid/preview',
    rpc: 'MailTemplate/PreviewMailTemplate',
    route: '/v1/mail-templates/:kind/preview',
    body: () => ({ subject: '{{ order.number }}' }),
  },
  {
    verb: 'POST',
    path: '/v1/recommendations',
    rpc: 'Recommendation/Recommend',
    body: () => ({ intent: 'trending' }),
  },
];
const WRITES: readonly Case[] = [
  { verb: 'POST', path: '/v1/categories', rpc: 'Category/CreateCategory', body: () => ({ name: 'Mugs' }) },
  {
    verb: 'POST',
    path: '/v1/events',
    rpc: 'Recommendation/RecordEvent',
    body: () => ({ event_type: 'view', variant_id: variant, session_id: 's' }),
  },
];

/** The answer to a call whose host is lost during the call, and comes back at once or never. */
const lost = async ({ verb, path, rpc, body }: Case, back: boolean): Promise<Reply> => {
  const send = (): Promise<Reply> =>
    sendTo(edge.url, verb, path, { key: keys.secret_key, ...(body && { body: body() }) });
  await eventually(async () => expect((await send()).status).toBeLessThan(300));
  proxy.freeze();
  const asked = new Promise<void>((received) => {
    let sent = '';
    proxy.onSent = (bytes) => {
      sent += bytes.toString('latin1');
      if (sent.includes(rpc)) received();
    };
  });
  const reply = send();
  await asked;
  proxy.onSent = null;
  proxy.cut();
  if (back) proxy.thaw();
  const answer = await reply;
  proxy.thaw();
  return answer;
};

describe('a call whose host is lost while it is under way', () => {
  test.each(READS)('answers 503 when a read loses its host: $verb $path', async (read) => {
    const { status, body, headers } = await lost(read, false);
    expect([status, body.error.code]).toEqual([503, 'service_unavailable']);
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
  });

  test.each(READS)('repeats a read when another host is back: $verb $path', async (read) => {
    expect((await lost(read, true)).status).toBe(200);
  });

  test.each(WRITES)('answers 500 when a write loses its host: $verb $path', async (write) => {
    const { status, body } = await lost(write, true);
    expect([status, body.error.code]).toEqual([500, 'server_error']);
  });
});

describe('an endpoint', () => {
  const kinds = (): Map<string, string> =>
    new Map(
      stoa.services.runtime.domains.flatMap(({ services }) =>
        Object.entries(services).flatMap(([service, rpcs]) =>
          Object.entries(rpcs).map(([name, { kind }]) => [`${service}/${name}`, kind] as const),
        ),
      ),
    );

  test('gives every endpoint that only reads a handler that cannot write', () => {
    const known = kinds();
    const writing = routes
      .filter(({ writes }) => !writes)
      .filter(({ rpc }) => !['read', 'query', undefined].includes(known.get(rpc)));
    expect(writing.map(({ rpc }) => rpc)).toEqual([]);
  });

  test('marks every endpoint without a transaction as a read, listed ones apart', () => {
    const known = kinds();
    const silent = routes.filter(({ writes, rpc }) => writes && known.get(rpc) === 'read').map(({ rpc }) => rpc);
    // Two have their own transactions, which commit a refusal; one writes later.
    expect(silent.sort()).toEqual(['Connect/IssueToken', 'Connect/RevokeToken', 'Recommendation/RecordEvent']);
  });

  test('marks as reads only GETs and calls whose question needs a body', () => {
    const posts = routes
      .filter(({ writes, verb, access }) => !writes && verb !== 'GET' && access.key !== 'none')
      .map(({ verb, path }) => `${verb} ${path}`);
    expect(posts).toEqual(
      READS.filter(({ verb }) => verb !== 'GET')
        .map(({ verb, path, route = path }) => `${verb} ${route}`)
        .sort(),
    );
  });
});

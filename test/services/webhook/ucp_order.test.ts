// Orders of assistants as UCP's platforms hear of them.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  contentDigest,
  isSignedBy,
  type PublicJwk,
  readSignatures,
  signatureBase,
} from '#runtime/outbound/message_signature.ts';
import {
  ADDRESS,
  BUYER,
  type Document,
  openShop,
  paidWith,
  type Shop,
  tokenFor,
} from '#test/edge/assistant/mcp/shop.ts';
import { UCP_AGENT } from '#test/edge/assistant/ucp/platform.ts';
import { eventually } from '#test/support/server.ts';
import { allowLocalVerifier } from '#test/support/session.ts';
import { type Stoa, sharedStoa } from '#test/support/stoa.ts';
import { hasUcpSchemas, ucpSchemaErrors } from '#test/support/ucp_schema.ts';

const VERSION = '2026-04-08';
const CAPABILITIES = ['checkout', 'fulfillment', 'order'].map((name) => `dev.ucp.shopping.${name}`);
const WEEK_S = 7 * 86_400;

interface Received {
  readonly path: string;
  readonly headers: Headers;
  readonly body: string;
}

allowLocalVerifier();
let stoa: Stoa;
let host: ReturnType<typeof Bun.serve>;
const received: Received[] = [];
/** How often an address refuses before it accepts. */
const refusals = new Map<string, number>();

/** Every path but an address for orders is the profile of a platform that hears of them at `/orders` and that path. */
const answer = async (request: Request): Promise<Response> => {
  const { pathname, search, origin } = new URL(request.url);
  if (pathname.startsWith('/orders')) {
    received.push({ path: `${pathname}${search}`, headers: request.headers, body: await request.text() });
    const left = refusals.get(pathname) ?? 0;
    refusals.set(pathname, left - 1);
    return new Response('', { status: left > 0 ? 500 : 200 });
  }
  const url = pathname === '/private' ? 'http://10.0.0.1/orders' : `${origin}/orders${pathname}?from=stoa`;
  const capabilities = Object.fromEntries(CAPABILITIES.map((name) => [name, [{ version: VERSION }]]));
  const order = [{ version: VERSION, config: { webhook_url: url } }];
  return Response.json({
    ucp: { version: VERSION, capabilities: { ...capabilities, 'dev.ucp.shopping.order': order } },
  });
};

beforeAll(async () => {
  host = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: answer });
  stoa = await sharedStoa();
});
afterAll(async () => {
  await host.stop(true);
});

const platform = (path: string): string => `http://127.0.0.1:${host.port}${path}`;

const send = async (shop: Shop, profile: string | null, verb: string, path: string, body: object) => {
  const given = await fetch(`${shop.base}/ucp/checkout-sessions${path}`, {
    method: verb,
    headers: {
      Authorization: `Bearer ${shop.merchant.keys.publishable_test_key}`,
      'Content-Type': 'application/json',
      'Idempotency-Key': randomUUID(),
      ...(profile ? { 'UCP-Agent': `profile="${profile}"` } : UCP_AGENT),
    },
    body: JSON.stringify(body),
  });
  const document = (await given.json()) as Document;
  expect(given.status, JSON.stringify(document)).toBeLessThan(300);
  return document;
};

/** The id of a checkout that is ready to be completed. */
const begin = async (
  shop: Shop,
  profile: string | null,
  quantity = 1,
  line_items: readonly object[] = [{ item: { id: shop.mug }, quantity }],
): Promise<string> => {
  const sent = {
    line_items,
    buyer: BUYER,
    fulfillment: { methods: [{ type: 'shipping', destinations: [ADDRESS] }] },
  };
  const started = await send(shop, profile, 'POST', '', sent);
  const [method] = started.fulfillment.methods;
  const groups = [{ id: method.groups[0].id, selected_option_id: method.groups[0].options[0].id }];
  await send(shop, profile, 'PUT', `/${started.id}`, {
    ...sent,
    fulfillment: { methods: [{ id: method.id, groups }] },
  });
  return started.id;
};

/** The order's id. */
const complete = async (shop: Shop, profile: string | null, id: string, allowed: object = {}): Promise<string> => {
  const token = await tokenFor(stoa, shop, id, allowed);
  const done = await send(shop, profile, 'POST', `/${id}/complete`, paidWith(token));
  return done.order.id;
};

const receivedAt = (path: string): Received[] => received.filter((each) => each.path.startsWith(`/orders${path}`));

const keysOf = async (profile: string): Promise<readonly PublicJwk[]> => {
  const { signing_keys = [] } = (await (await fetch(profile)).json()) as { signing_keys?: PublicJwk[] };
  return signing_keys;
};

/** The key that signed it, by the profile that it names. */
const verified = async ({ path, headers, body }: Received): Promise<string> => {
  const profile = /^profile="([^"]+)"$/.exec(headers.get('ucp-agent')!)![1]!;
  const [sent] = readSignatures(headers.get('signature-input')!, headers.get('signature')!)!;
  const key = (await keysOf(profile)).find(({ kid }) => kid === sent!.keyid);
  expect(key, `${profile} publishes ${sent!.keyid}`).toMatchObject({ use: 'sig', alg: 'ES256' });
  expect(headers.get('content-digest')).toBe(contentDigest(body));
  const [pathname, search] = path.split('?');
  const derived: Readonly<Record<string, string>> = {
    '@method': 'POST',
    '@authority': `127.0.0.1:${host.port}`,
    '@path': pathname!,
    '@query': `?${search}`,
  };
  const components = sent!.components.map((name) => [name, derived[name] ?? headers.get(name)!] as const);
  const needed = [...Object.keys(derived), 'ucp-agent', 'idempotency-key', 'content-digest', 'content-type'];
  expect(components.map(([name]) => name)).toEqual(expect.arrayContaining(needed));
  expect(isSignedBy(key!, signatureBase(components, sent!.params), sent!.value)).toBe(true);
  return sent!.keyid!;
};

/** In two steps, a while apart. */
const deliver = async ({ merchant }: Shop, order: string): Promise<void> => {
  const parcel = { carrier: 'DHL', tracking_number: '0034', tracking_url: 'https://dhl.example/0034' };
  expect((await merchant.test('POST', `/v1/orders/${order}/shipments`, parcel)).status).toBe(201);
  await merchant.test('POST', '/v1/sandbox/time-travel', { advance_seconds: 86_400 });
  const signWith = merchant.keys.hmac_test_secret;
  const done = await merchant.test('PATCH', `/v1/orders/${order}`, { order_status: 'delivered' }, { signWith });
  expect([done.status, done.body.order.delivered_at], done.text).toEqual([200, done.body.order.updated_at]);
};

const refund = async ({ merchant }: Shop, order: string): Promise<void> => {
  const { status, text } = await merchant.test(
    'POST',
    `/v1/orders/${order}/refunds`,
    { amount: 5, reason: 'Chipped' },
    { signWith: merchant.keys.hmac_test_secret },
  );
  expect(status, text).toBe(201);
};

describe('a platform whose profile says where it hears of orders', () => {
  test('receives orders of checkouts that it started, whole and signed, and no others', async () => {
    const shop = await openShop(stoa);
    const [mine, theirs] = [await begin(shop, platform('/ada'), 2), await begin(shop, platform('/bob'))];
    const order = await complete(shop, platform('/ada'), mine);
    // The buyer completes the other checkout elsewhere: its platform receives the order too.
    const other = await complete(shop, null, theirs);
    await refund(shop, order);
    await deliver(shop, order);
    const received = await eventually(() => {
      const all = receivedAt('/ada');
      expect(all.some(({ body }) => JSON.parse(body).adjustments.length > 0)).toBe(true);
      expect(all.some(({ body }) => JSON.parse(body).fulfillment.events.length > 1)).toBe(true);
      expect(receivedAt('/bob').length).toBeGreaterThan(0);
      return all;
    });
    for (const { body } of received) {
      const document = JSON.parse(body);
      expect(document).toMatchObject({ id: order, checkout_id: mine, line_items: [{ quantity: { original: 2 } }] });
      if (hasUcpSchemas) expect(ucpSchemaErrors('shopping/order.json', document)).toEqual([]);
    }
    // Published shipment events are append-only.
    const events = received.flatMap(({ body }) => JSON.parse(body).fulfillment.events as Document[]);
    const ids = [...new Set(events.map(({ id }) => id))];
    const versions = new Set(events.map((event) => JSON.stringify(event)));
    expect([ids.length, versions.size]).toEqual([2, 2]);
    const longest = events.slice(-2);
    expect(longest.map(({ type }) => type)).toEqual(['shipped', 'delivered']);
    expect(longest[0].occurred_at < longest[1].occurred_at).toBe(true);
    expect(new Set(receivedAt('/bob').map(({ body }) => JSON.parse(body).id))).toEqual(new Set([other]));
    const { webhook_events } = (await shop.merchant.test('GET', '/v1/webhook-events?limit=100')).body;
    for (const each of received) {
      await verified(each);
      const event = webhook_events.find(({ id }: Document) => id === each.headers.get('webhook-id'));
      expect(event.type).toMatch(/^order\./);
      expect(Number(each.headers.get('webhook-timestamp'))).toBe(Math.floor(Date.parse(event.created_at) / 1000));
    }
    const listed = (await shop.merchant.test('GET', '/v1/webhook-endpoints')).body.webhook_endpoints;
    expect(listed.map(({ url, format, enabled }: Document) => [new URL(url).pathname, format, enabled]).sort()).toEqual(
      [
        ['/orders/ada', 'ucp', true],
        ['/orders/bob', 'ucp', true],
      ],
    );
  });

  test('receives the order of a checkout that another platform started and it completes', async () => {
    const shop = await openShop(stoa);
    const order = await complete(shop, platform('/cleo'), await begin(shop, null));
    const [received] = await eventually(() => {
      expect(receivedAt('/cleo').length).toBeGreaterThan(0);
      return receivedAt('/cleo');
    });
    expect(JSON.parse(received!.body).id).toBe(order);
  });

  test('receives a refused event again under the same id', async () => {
    const shop = await openShop(stoa);
    refusals.set('/orders/dora', 1);
    await complete(shop, platform('/dora'), await begin(shop, platform('/dora')));
    const [first] = await eventually(() => {
      expect(receivedAt('/dora').length).toBeGreaterThan(0);
      return receivedAt('/dora');
    });
    await shop.merchant.test('POST', '/v1/sandbox/time-travel', { advance_seconds: 3_600 });
    const id = first!.headers.get('webhook-id');
    await eventually(() =>
      expect(receivedAt('/dora').filter(({ headers }) => headers.get('webhook-id') === id)).toHaveLength(2),
    );
    for (const each of receivedAt('/dora')) await verified(each);
  });

  test('creates one endpoint for a platform, however many checkouts it starts at once', async () => {
    const shop = await openShop(stoa);
    await Promise.all(Array.from({ length: 3 }, () => begin(shop, platform('/erin'))));
    const listed = (await shop.merchant.test('GET', '/v1/webhook-endpoints')).body.webhook_endpoints;
    expect(listed).toMatchObject([{ format: 'ucp', description: 'Orders of the assistant 127.0.0.1' }]);
    const path = `/v1/webhook-endpoints/${listed[0].id}`;
    const moved = await shop.merchant.test('PATCH', path, { url: platform('/orders/else') });
    expect([moved.status, moved.body.error.param]).toEqual([400, 'url']);
    expect((await shop.merchant.test('PATCH', path, { enabled: false })).body.webhook_endpoint.enabled).toBe(false);
    await complete(shop, platform('/erin'), await begin(shop, platform('/erin')));
    expect((await shop.merchant.test('GET', '/v1/webhook-endpoints')).body.webhook_endpoints).toHaveLength(1);
  });

  // "MUST send full order entity", also where an event of ours has room for its id alone.
  test('receives an order of any size whole', async () => {
    const shop = await openShop(stoa);
    const { merchant } = shop;
    const variants = Array.from({ length: 64 }, (_, at) => ({
      variant_name: `${at} ${'字'.repeat(290)}`,
      variant_attributes: { number: `${at}` },
      price: 1,
      stock: 50,
    }));
    const items: Document[] = [];
    for (let at = 0; at < 2; at++) {
      const made = await merchant.test('POST', '/v1/products', { name: `${at} ${'字'.repeat(290)}`, variants });
      expect(made.status, made.text).toBe(201);
      items.push(...made.body.variants.map(({ variant_id: id }: Document) => ({ item: { id }, quantity: 1 })));
    }
    await merchant.test('POST', '/v1/webhook-endpoints', {
      url: platform('/orders/jan'),
      events: ['*'],
      format: 'acp',
    });
    const id = await begin(shop, platform('/ida'), 1, items);
    const order = await complete(shop, platform('/ida'), id, { max_amount: 100_000 });
    const received = await eventually(() => {
      expect(receivedAt('/ida').length).toBeGreaterThan(0);
      expect(receivedAt('/jan').length).toBeGreaterThan(0);
      return [receivedAt('/ida')[0]!, receivedAt('/jan')[0]!].map(({ body }) => JSON.parse(body));
    });
    expect(received).toMatchObject([{ id: order, checkout_id: id }, { data: { id: order, checkout_session_id: id } }]);
    expect([received[0].line_items.length, received[1].data.line_items.length]).toEqual([128, 128]);
    if (hasUcpSchemas) expect(ucpSchemaErrors('shopping/order.json', received[0])).toEqual([]);
    await verified(receivedAt('/ida')[0]!);
  });

  test('refuses an address that webhooks are not sent to', async () => {
    const shop = await openShop(stoa);
    await complete(shop, platform('/private'), await begin(shop, platform('/private')));
    expect((await shop.merchant.test('GET', '/v1/webhook-endpoints')).body.webhook_endpoints).toEqual([]);
  });
});

describe('an endpoint of this format that a merchant makes', () => {
  const open = async (path: string) => {
    const shop = await openShop(stoa);
    const made = await shop.merchant.test('POST', '/v1/webhook-endpoints', {
      url: platform(`/orders${path}?from=stoa`),
      events: ['*'],
      format: 'ucp',
    });
    expect(made.status, made.text).toBe(201);
    expect(made.body.webhook_endpoint.signing_secret).toBeUndefined();
    return { shop, endpoint: `/v1/webhook-endpoints/${made.body.webhook_endpoint.id}` };
  };

  test('receives every assistant’s order', async () => {
    const { shop } = await open('/fay');
    const order = await complete(shop, null, await begin(shop, null));
    const received = await eventually(() => {
      expect(receivedAt('/fay').length).toBeGreaterThan(0);
      return receivedAt('/fay');
    });
    expect(new Set(received.map(({ body }) => JSON.parse(body).id))).toEqual(new Set([order]));
    for (const each of received) await verified(each);
  });

  test('tests with an order, signed by a key published before and after', async () => {
    const { shop, endpoint } = await open('/gil');
    const { merchant } = shop;
    const profile = `${shop.base}/.well-known/ucp`;
    const signedNow = async (): Promise<string> => {
      expect((await merchant.test('POST', `${endpoint}/test`, {})).body).toEqual({ success: true, status_code: 200 });
      return verified(receivedAt('/gil').at(-1)!);
    };
    const published = async (count: number) =>
      eventually(async () => {
        const kids = (await keysOf(profile)).map(({ kid }) => kid);
        expect(kids).toHaveLength(count);
        return kids;
      });
    const travel = (advance_seconds: number) => merchant.test('POST', '/v1/sandbox/time-travel', { advance_seconds });

    const first = await signedNow();
    const rotated = await merchant.test('POST', `${endpoint}/rotate-secret`, {});
    expect([rotated.status, rotated.body.webhook_endpoint.signing_secret]).toEqual([200, undefined]);
    const [second] = await published(2);
    expect(await signedNow()).toBe(first);
    await travel(600);
    expect(await signedNow()).toBe(second);
    expect(await published(2)).toContain(first);
    await travel(WEEK_S);
    expect(await published(1)).toEqual([second]);
    expect(await signedNow()).toBe(second);
  });

  test('exposes no private key in rows or answers', async () => {
    const { shop, endpoint } = await open('/hal');
    const rows = await stoa.services.runtime.postgres.sql<
      { text: string }[]
    >`select t::text as text from webhook.signing_key t`;
    expect(rows.length).toBeGreaterThan(0);
    for (const { text } of rows) expect(text).not.toContain('"d":');
    const shown = [await shop.merchant.test('GET', endpoint), await shop.merchant.test('GET', '/v1/webhook-endpoints')];
    for (const { text } of shown) expect(text).not.toMatch(/secret|"d":/);
    const keys = await keysOf(`${shop.base}/.well-known/ucp`);
    for (const key of keys) expect(Object.keys(key).sort()).toEqual(['alg', 'crv', 'kid', 'kty', 'use', 'x', 'y']);
  });
});

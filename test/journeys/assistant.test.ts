// One checkout over three protocols: started, changed and completed over any of them, it is one paid order, valid by each
// protocol's published schemas. The same holds for concurrent callers.
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { McpError } from '@modelcontextprotocol/sdk/types.js';
import { beforeAll, describe, expect, test } from 'vitest';
import {
  ADDRESS,
  BUYER,
  callRaw,
  connect,
  type Document,
  judged,
  openShop,
  paidWith,
  type Shop,
} from '#test/edge/assistant/mcp/shop.ts';
import { UCP_AGENT } from '#test/edge/assistant/ucp/platform.ts';
import { acpSchemaErrors, hasAcpSchemas } from '#test/support/acp_schema.ts';
import { eventually } from '#test/support/server.ts';
import { allowLocalVerifier } from '#test/support/session.ts';
import { type Stoa, sharedStoa } from '#test/support/stoa.ts';

allowLocalVerifier();
let stoa: Stoa;
beforeAll(async () => {
  stoa = await sharedStoa();
});

type Protocol = 'mcp' | 'ucp' | 'acp';

/** A protocol's view of a checkout. */
interface CheckoutView {
  readonly id: string;
  /** In the protocol's own words. */
  readonly status: string;
  readonly pieces: number;
  readonly total: number;
  readonly order: string | null;
  /** Refused, or no checkout came back. */
  readonly refused: boolean;
}

interface Speaker {
  begin(): Promise<CheckoutView>;
  /** Changes the quantity. */
  order(id: string, pieces: number): Promise<CheckoutView>;
  /** Sets the buyer, the address and the first delivery option. */
  deliver(id: string): Promise<CheckoutView>;
  complete(id: string, token: string): Promise<CheckoutView>;
  read(id: string): Promise<CheckoutView>;
  close(): Promise<void>;
}

const checkoutView = (document: Document, refused: boolean): CheckoutView => ({
  id: document?.id ?? '',
  status: document?.status ?? '',
  pieces: (document?.line_items ?? []).reduce((sum: number, { quantity }: Document) => sum + quantity, 0),
  total: (document?.totals ?? []).find(({ type }: Document) => type === 'total')?.amount ?? 0,
  order: document?.order?.id ?? null,
  refused,
});

const send = async (shop: Shop, method: string, path: string, body?: object, headers: Record<string, string> = {}) => {
  const answer = await fetch(`${shop.base}${path}`, {
    method,
    headers: {
      Authorization: `Bearer ${shop.merchant.keys.secret_test_key}`,
      ...(body && { 'Content-Type': 'application/json' }),
      ...headers,
    },
    ...(body && { body: JSON.stringify(body) }),
  });
  return { status: answer.status, document: (await answer.json()) as Document };
};

const lines = (shop: Shop, quantity: number) => [{ item: { id: shop.mug }, quantity }];

/** MCP's tools and UCP's operations take and give the same documents. */
const speakUcp = (
  shop: Shop,
  act: (
    operation: string,
    id: string | null,
    checkout?: object,
  ) => Promise<CheckoutView & { readonly document: Document }>,
): Omit<Speaker, 'close'> => {
  const stand = async (id: string, change: object): Promise<object> => {
    const { document } = await act('get', id);
    const quantity = document.line_items[0].quantity;
    return { line_items: lines(shop, quantity), ...(document.buyer && { buyer: document.buyer }), ...change };
  };
  return {
    begin: () => act('create', null, { line_items: lines(shop, 1) }),
    order: async (id, pieces) => act('update', id, await stand(id, { line_items: lines(shop, pieces) })),
    deliver: async (id) => {
      const sent = await stand(id, { buyer: BUYER });
      const placed = await act('update', id, {
        ...sent,
        fulfillment: { methods: [{ type: 'shipping', destinations: [ADDRESS] }] },
      });
      const method = placed.document.fulfillment.methods.find(({ type }: Document) => type === 'shipping');
      const [group] = method.groups;
      const groups = [{ id: group.id, selected_option_id: group.options[0].id }];
      return act('update', id, { ...sent, fulfillment: { methods: [{ id: method.id, groups }] } });
    },
    complete: (id, token) => act('complete', id, paidWith(token)),
    read: (id) => act('get', id),
  };
};

/** Another was at it in the same moment. */
const comeAgain = (problem: unknown): null => {
  if (problem instanceof McpError && (problem.data as Document)?.retry_after) return null;
  throw problem;
};

const VERBS = { create: 'POST', get: 'GET', update: 'PUT', complete: 'POST' } as const;

const speakers: Readonly<Record<Protocol, (shop: Shop) => Promise<Speaker>>> = {
  mcp: async (shop) => {
    const client = await connect(shop, shop.merchant.keys.publishable_test_key, 'Mia');
    return {
      ...speakUcp(shop, async (operation, id, checkout) => {
        const args = { ...(id && { id }), ...(checkout && { checkout }) };
        const answer = await callRaw(client, `${operation}_checkout`, args).catch(comeAgain);
        if (answer === null) return { ...checkoutView(null, true), document: null };
        const { structuredContent, isError } = answer;
        if (!isError) judged('shopping/checkout.json', structuredContent);
        return { ...checkoutView(structuredContent, isError === true), document: structuredContent };
      }),
      close: () => client.close(),
    };
  },
  ucp: async (shop) => ({
    ...speakUcp(shop, async (operation, id, checkout) => {
      const path = `/ucp/checkout-sessions${id ? `/${id}` : ''}${operation === 'complete' ? '/complete' : ''}`;
      const { status, document } = await send(
        shop,
        VERBS[operation as keyof typeof VERBS],
        path,
        checkout ?? (operation === 'get' ? undefined : {}),
        UCP_AGENT,
      );
      // A closed checkout is answered as it is, with the refused change among its messages.
      const failed = document.messages?.some(({ severity }: Document) => severity === 'unrecoverable') === true;
      const refused = status >= 400 || document.ucp?.status === 'error' || document.id === undefined || failed;
      if (!refused) judged('shopping/checkout.json', document);
      return { ...checkoutView(document, refused), document };
    }),
    close: async () => {},
  }),
  acp: async (shop) => {
    const act = async (path: string, body?: object): Promise<CheckoutView & { readonly document: Document }> => {
      const { status, document } = await send(shop, body ? 'POST' : 'GET', `/acp/checkout_sessions${path}`, body, {
        'API-Version': '2026-04-17',
        'User-Agent': 'Alba/1.0',
        ...(body && { 'Idempotency-Key': randomUUID() }),
      });
      if (hasAcpSchemas && status < 400)
        expect(
          acpSchemaErrors(
            'agentic_checkout',
            document.order ? 'CheckoutSessionWithOrder' : 'CheckoutSession',
            document,
          ),
        ).toEqual([]);
      return { ...checkoutView(document, status >= 400), document };
    };
    const address = {
      name: 'Ada Mwangi',
      line_one: ADDRESS.street_address,
      city: ADDRESS.address_locality,
      state: '',
      country: ADDRESS.address_country,
      postal_code: '00100',
    };
    return {
      begin: () => act('', { line_items: [{ id: shop.mug, quantity: 1 }], currency: 'usd', capabilities: {} }),
      order: (id, quantity) => act(`/${id}`, { line_items: [{ id: shop.mug, quantity }] }),
      deliver: async (id) => {
        const { document } = await act(`/${id}`, {
          buyer: BUYER,
          fulfillment_details: { name: 'Ada Mwangi', address },
        });
        const option = document.fulfillment_options.find(({ type }: Document) => type === 'shipping');
        const item_ids = document.line_items.map((line: Document) => line.id);
        return act(`/${id}`, { selected_fulfillment_options: [{ type: 'shipping', option_id: option.id, item_ids }] });
      },
      complete: (id, token) =>
        act(`/${id}/complete`, {
          payment_data: { handler_id: 'card_token', instrument: { type: 'card', credential: { type: 'spt', token } } },
        }),
      read: (id) => act(`/${id}`),
      close: async () => {},
    };
  },
};

/** Delegates a payment like the buyer's own card, at the sandbox's simulator. */
const delegate = async (shop: Shop, checkout: string, max_amount = 100_000): Promise<string> => {
  const body = {
    payment_method: {
      type: 'card',
      card_number_type: 'fpan',
      number: '4242424242424242',
      display_card_funding_type: 'credit',
      metadata: {},
    },
    allowance: {
      reason: 'one_time',
      max_amount,
      currency: 'usd',
      checkout_session_id: checkout,
      merchant_id: shop.merchant.keys.store_id,
      expires_at: new Date(Date.now() + 600_000).toISOString(),
    },
    risk_signals: [],
    metadata: {},
  };
  const headers = { 'API-Version': '2026-04-17', 'Idempotency-Key': randomUUID() };
  const { status, document } = await send(shop, 'POST', '/acp/agentic_commerce/delegate_payment', body, headers);
  expect(status, JSON.stringify(document)).toBe(201);
  return document.id;
};

const NAMES = { mcp: 'Mia', acp: 'Alba/1.0' } as const;

const open = async () => {
  const shop = await openShop(stoa);
  const [mcp, ucp, acp] = await Promise.all([speakers.mcp(shop), speakers.ucp(shop), speakers.acp(shop)]);
  return { shop, callers: { mcp, ucp, acp }, close: () => mcp.close() };
};

const isOnePaidOrder = (shop: Shop, checkout: string, pieces: number): Promise<Document> =>
  eventually(async () => {
    const { orders } = (await shop.merchant.test('GET', '/v1/orders')).body;
    expect(orders).toMatchObject([
      { checkout_intent_id: checkout, payment_status: 'paid', amount_due: 0, items: [{ quantity: pieces }] },
    ]);
    const { payments } = (await shop.merchant.test('GET', '/v1/payments')).body;
    expect(payments).toMatchObject([{ status: 'succeeded', amount: orders[0].total_amount, order_id: orders[0].id }]);
    const { inventory } = (await shop.merchant.test('GET', `/v1/inventory/${shop.mug}`)).body;
    expect(inventory).toMatchObject({ on_hand: 5 - pieces, held: 0, available: 5 - pieces });
    return orders[0];
  });

describe('a checkout', () => {
  test.each<readonly [Protocol, Protocol, Protocol]>([
    ['mcp', 'ucp', 'acp'],
    ['mcp', 'acp', 'ucp'],
    ['ucp', 'mcp', 'acp'],
    ['ucp', 'acp', 'mcp'],
    ['acp', 'mcp', 'ucp'],
    ['acp', 'ucp', 'mcp'],
  ])('begun over %s, changed over %s and completed over %s is one paid order', async (begins, changes, completes) => {
    const { shop, callers, close } = await open();
    const { id } = await callers[begins].begin();
    await callers[changes].order(id, 2);
    const ready = await callers[changes].deliver(id);
    expect(ready).toMatchObject({ id, pieces: 2, refused: false });
    expect(ready.status).toMatch(/^ready_for_/);
    const seen = await Promise.all(Object.values(callers).map((speaker) => speaker.read(id)));
    for (const { pieces, total } of seen) expect([pieces, total]).toEqual([2, ready.total]);
    const done = await callers[completes].complete(id, await delegate(shop, id));
    expect([done.refused, done.status]).toEqual([false, 'completed']);
    const order = await isOnePaidOrder(shop, id, 2);
    expect([order.id, Math.round(order.total_amount * 100)]).toEqual([done.order, ready.total]);
    for (const speaker of Object.values(callers))
      expect(await speaker.read(id)).toMatchObject({ status: 'completed', order: done.order });
    const { data: intent } = (await shop.merchant.test('GET', `/v1/agent/checkout-intents/${id}`)).body;
    expect([intent.agent.protocol, order.agent.protocol]).toEqual([begins, completes]);
    if (begins !== 'ucp') expect(intent.agent.name).toBe(NAMES[begins]);
    if (completes !== 'ucp') expect(order.agent.name).toBe(NAMES[completes]);
    await close();
  });

  test('completed over all three at once, and by its buyer on the page, is one paid order', async () => {
    const { shop, callers, close } = await open();
    const { id } = await callers.mcp.begin();
    const { total } = await callers.ucp.deliver(id);
    const token = await delegate(shop, id);
    const pay = new URLSearchParams({ do: 'card', total: `${total / 100}` });
    const [page, ...answers] = await Promise.all([
      fetch(`${shop.base}/checkout/${id}`, { method: 'POST', body: pay, redirect: 'manual' }),
      ...[callers.mcp, callers.ucp, callers.acp, callers.ucp, callers.acp].map((speaker) =>
        speaker.complete(id, token),
      ),
    ]);
    const won = answers.filter(({ refused, order }) => !refused && order !== null).length;
    // The page leads to the order after any payment: this call is one of those that completed the checkout, or comes after.
    expect([0, 1], JSON.stringify([page.status, answers])).toContain(won);
    if (won === 0) expect(page.status).toBe(303);
    await isOnePaidOrder(shop, id, 1);
    await close();
  });

  test('changed over all three at once says the same to each, and holds as much as it says', async () => {
    const { shop, callers, close } = await open();
    const { id } = await callers.acp.begin();
    await callers.acp.deliver(id);
    await Promise.all([callers.mcp.order(id, 2), callers.ucp.order(id, 3), callers.acp.order(id, 4)]);
    const [first, ...others] = await Promise.all(Object.values(callers).map((speaker) => speaker.read(id)));
    for (const other of others) expect([other.pieces, other.total]).toEqual([first!.pieces, first!.total]);
    expect([2, 3, 4]).toContain(first!.pieces);
    const { inventory } = (await shop.merchant.test('GET', `/v1/inventory/${shop.mug}`)).body;
    expect(inventory).toMatchObject({ held: first!.pieces, available: 5 - first!.pieces });
    await close();
  });
});

describe.each<Protocol>(['mcp', 'ucp', 'acp'])('over %s', (protocol) => {
  const ready = async () => {
    const { shop, callers, close } = await open();
    const speaker = callers[protocol];
    const { id } = await speaker.begin();
    const { total } = await speaker.deliver(id);
    return { shop, speaker, id, total, close };
  };

  test('a token of another store, for less, of another checkout or spent pays nothing and changes nothing', async () => {
    const [mine, theirs] = await Promise.all([ready(), ready()]);
    const { shop, speaker, id, total } = mine;
    const { id: second } = await speaker.begin();
    await speaker.deliver(second);
    const spent = await delegate(shop, second);
    const tokens = [await delegate(theirs.shop, theirs.id), await delegate(shop, id, total - 1), spent, 'vt_nothing'];
    for (const token of tokens) {
      expect((await speaker.complete(id, token)).order, token).toBeNull();
      expect(await speaker.read(id)).toMatchObject({
        total,
        order: null,
        status: expect.stringMatching(/^ready_for_/),
      });
    }
    expect((await speaker.complete(second, spent)).order).not.toBeNull();
    expect((await speaker.complete(id, spent)).order).toBeNull();
    expect((await speaker.complete(id, await delegate(shop, id))).order).not.toBeNull();
    expect((await shop.merchant.test('GET', '/v1/orders')).body.orders).toHaveLength(2);
    await Promise.all([mine.close(), theirs.close()]);
  });

  test('a checkout that expires while it is completed is one paid order, or takes nothing', async () => {
    for (const lead of [0, 0, 5, 20]) {
      const { shop, speaker, id, close } = await ready();
      const token = await delegate(shop, id);
      const jump = shop.merchant.test('POST', '/v1/sandbox/time-travel', { advance_seconds: 7 * 86_400 });
      await sleep(lead);
      const [{ order, refused }] = await Promise.all([speaker.complete(id, token), jump]);
      const { orders } = (await shop.merchant.test('GET', '/v1/orders')).body;
      const { payments } = (await shop.merchant.test('GET', '/v1/payments')).body;
      const { inventory } = (await shop.merchant.test('GET', `/v1/inventory/${shop.mug}`)).body;
      const stands = await speaker.read(id);
      if (order === null) {
        expect([refused, orders, payments.filter(({ status }: Document) => status === 'succeeded')]).toEqual([
          true,
          [],
          [],
        ]);
        expect(inventory).toMatchObject({ on_hand: 5, held: 0, available: 5 });
        expect(stands).toMatchObject({ order: null, status: expect.stringMatching(/expired|canceled/) });
      } else {
        expect(orders).toMatchObject([{ id: order, payment_status: 'paid', amount_due: 0 }]);
        expect(payments).toMatchObject([{ status: 'succeeded', amount: orders[0].total_amount }]);
        expect(inventory).toMatchObject({ on_hand: 4, held: 0, available: 4 });
        expect(stands).toMatchObject({ order, status: 'completed' });
      }
      await close();
    }
  });

  test('a checkout that is over by then is not completed, and says so', async () => {
    const { shop, speaker, id, close } = await ready();
    const token = await delegate(shop, id);
    await shop.merchant.test('POST', '/v1/sandbox/time-travel', { advance_seconds: 7 * 86_400 });
    expect(await speaker.complete(id, token)).toMatchObject({ order: null, refused: true });
    expect(await speaker.read(id)).toMatchObject({ order: null, status: expect.stringMatching(/expired|canceled/) });
    expect((await shop.merchant.test('GET', '/v1/orders')).body.orders).toEqual([]);
    await close();
  });

  test('arguments of more than a mebibyte are refused unread', async () => {
    const { shop, close } = await open();
    const path = { mcp: '/mcp', ucp: '/ucp/checkout-sessions', acp: '/acp/checkout_sessions' }[protocol];
    const headers = {
      ...UCP_AGENT,
      'API-Version': '2026-04-17',
      'Idempotency-Key': randomUUID(),
      Accept: 'application/json, text/event-stream',
    };
    const { status } = await send(shop, 'POST', path, { note: 'x'.repeat(1024 * 1024) }, headers);
    expect(status).toBe(413);
    await close();
  });
});

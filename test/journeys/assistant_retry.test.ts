// Many callers with one idempotency key: what they ask for happens once, and each is answered as the first, or told to come
// again because the first is not done yet.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  ADDRESS,
  BUYER,
  type Document,
  openShop,
  paidWith,
  type Shop,
  tokenFor,
} from '#test/edge/assistant/mcp/shop.ts';
import { comingBack } from '#test/support/busy.ts';
import { eventually } from '#test/support/server.ts';
import { type Stoa, startStoa } from '#test/support/stoa.ts';

const CALLERS = 24;

let stoa: Stoa;
beforeAll(async () => {
  stoa = await startStoa();
});
afterAll(() => stoa.stop());

interface Answer {
  readonly status: number;
  /** Seconds that the header `Retry-After` tells; null: it is not there. */
  readonly retryAfter: number | null;
  readonly document: Document;
  /** The checkout that was answered with; null: a refusal was. */
  readonly checkout: Document;
}

type Operation = 'create' | 'update' | 'complete' | 'cancel';

interface Asked {
  readonly id: string;
  readonly token: string;
}

type Ask = (operation: Operation, key: string, asked?: Partial<Asked>) => Promise<Answer>;

const send = async (shop: Shop, method: string, path: string, body: object, headers: Record<string, string>) => {
  const answer = await comingBack(() =>
    fetch(`${shop.base}${path}`, {
      method,
      headers: {
        Authorization: `Bearer ${shop.merchant.keys.publishable_test_key}`,
        'Content-Type': 'application/json',
        ...headers,
      },
      body: JSON.stringify(body),
    }),
  );
  const retryAfter = answer.headers.get('retry-after');
  return {
    status: answer.status,
    retryAfter: retryAfter === null ? null : Number(retryAfter),
    document: (await answer.json()) as Document,
  };
};

/** A checkout that only waits for its payment, in UCP's words. */
const checkoutOf = (shop: Shop) => ({
  line_items: [{ item: { id: shop.mug }, quantity: 2 }],
  buyer: BUYER,
  fulfillment: {
    methods: [{ type: 'shipping', destinations: [ADDRESS], groups: [{ id: 'g', selected_option_id: 'place' }] }],
  },
});

const isRefused = (document: Document): boolean =>
  document.ucp?.status !== 'success' || document.messages.some(({ type }: Document) => type === 'error');

const speakers: Readonly<Record<string, (shop: Shop) => Ask>> = {
  mcp:
    (shop) =>
    async (operation, key, { id, token = '' } = {}) => {
      const checkout = operation === 'complete' ? paidWith(token) : checkoutOf(shop);
      const args = {
        meta: { 'idempotency-key': key },
        ...(id && { id }),
        ...(operation !== 'cancel' && { checkout }),
      };
      const call = {
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: { name: `${operation}_checkout`, arguments: args },
      };
      const answer = await send(shop, 'POST', '/mcp', call, { Accept: 'application/json, text/event-stream' });
      const given = answer.document.result?.structuredContent;
      return { ...answer, checkout: given === undefined || isRefused(given) ? null : given };
    },
  ucp:
    (shop) =>
    async (operation, key, { id, token = '' } = {}) => {
      const path = `/ucp/checkout-sessions${id ? `/${id}` : ''}`;
      const headers = { 'Idempotency-Key': key };
      const answer =
        operation === 'update' || operation === 'create'
          ? await send(shop, operation === 'create' ? 'POST' : 'PUT', path, checkoutOf(shop), headers)
          : await send(shop, 'POST', `${path}/${operation}`, operation === 'complete' ? paidWith(token) : {}, headers);
      const refused = answer.status >= 400 || isRefused(answer.document);
      return { ...answer, checkout: refused ? null : answer.document };
    },
  acp:
    (shop) =>
    async (operation, key, { id, token = '' } = {}) => {
      const address = {
        name: 'Ada Mwangi',
        line_one: '12 Moi Avenue',
        city: 'Nairobi',
        state: '',
        country: 'KE',
        postal_code: '',
      };
      const wanted = {
        line_items: [{ id: shop.mug, quantity: 2 }],
        buyer: BUYER,
        fulfillment_details: { address },
        selected_fulfillment_options: [{ type: 'shipping', option_id: 'place', item_ids: [] }],
      };
      const instrument = { type: 'card', credential: { type: 'spt', token } };
      const body = {
        create: { ...wanted, currency: 'usd', capabilities: {} },
        update: wanted,
        complete: { payment_data: { handler_id: 'card_token', instrument } },
        cancel: {},
      }[operation];
      const end = operation === 'create' || operation === 'update' ? '' : `/${operation}`;
      const path = `/acp/checkout_sessions${id ? `/${id}` : ''}${end}`;
      const headers = { 'API-Version': '2026-04-17', 'Idempotency-Key': key };
      const answer = await send(shop, 'POST', path, body, headers);
      return { ...answer, checkout: answer.status >= 400 ? null : answer.document };
    },
};

const isInFlight = ({ status, retryAfter, document }: Answer): boolean => {
  const code = document.code ?? document.error?.data?.code;
  return status === 409 && (retryAfter ?? 0) >= 1 && (code === 'conflict' || code === 'idempotency_in_flight');
};

/** What all of them were answered with, and are at every retry: the same checkout. */
const once = async (ask: () => Promise<Answer>): Promise<Document> => {
  const answers = await Promise.all(Array.from({ length: CALLERS }, ask));
  const told = answers.filter(({ checkout }) => checkout !== null);
  for (const answer of answers)
    if (answer.checkout === null)
      expect(isInFlight(answer), `${answer.status} ${JSON.stringify(answer.document)}`).toBe(true);
  const again = await eventually(async () => {
    const answer = await ask();
    expect(answer.checkout, JSON.stringify(answer.document)).not.toBeNull();
    return answer.checkout;
  });
  for (const { checkout } of told) expect(checkout).toEqual(again);
  return again;
};

const heldOf = async (shop: Shop): Promise<[onHand: number, held: number]> => {
  const { inventory } = (await shop.merchant.test('GET', `/v1/inventory/${shop.mug}`)).body;
  return [inventory.on_hand, inventory.held];
};

describe.each(Object.keys(speakers))('over %s', (protocol) => {
  test('many at once with one key begin, change, complete and cancel a checkout once', async () => {
    const shop = await openShop(stoa);
    const ask = speakers[protocol]!(shop);
    const keys = Array.from({ length: 5 }, () => randomUUID());
    const { id } = await once(() => ask('create', keys[0]!));
    expect(await heldOf(shop)).toEqual([5, 2]);
    expect((await once(() => ask('update', keys[1]!, { id }))).id).toBe(id);
    const token = await tokenFor(stoa, shop, id);
    const done = await once(() => ask('complete', keys[2]!, { id, token }));
    expect([done.id, done.status]).toEqual([id, 'completed']);
    await eventually(async () => {
      const { orders } = (await shop.merchant.test('GET', '/v1/orders')).body;
      expect(orders).toMatchObject([{ id: done.order.id, payment_status: 'paid', amount_due: 0 }]);
      const { payments } = (await shop.merchant.test('GET', '/v1/payments')).body;
      expect(payments).toMatchObject([{ status: 'succeeded', amount: orders[0].total_amount, amount_refunded: 0 }]);
      expect(await heldOf(shop)).toEqual([3, 0]);
    });
    const second = await once(() => ask('create', keys[3]!));
    expect((await once(() => ask('cancel', keys[4]!, { id: second.id }))).status).toBe('canceled');
    await eventually(async () => expect(await heldOf(shop)).toEqual([3, 0]));
    expect((await shop.merchant.test('GET', '/v1/agent/checkout-intents')).body.data).toHaveLength(2);
  });

  test.each<Operation>(['update', 'complete', 'cancel'])(
    'a second %s while the first runs is told to come again',
    async (operation) => {
      const shop = await openShop(stoa);
      const ask = speakers[protocol]!(shop);
      const { id } = (await ask('create', randomUUID())).checkout;
      const token = await tokenFor(stoa, shop, id);
      const key = randomUUID();
      const asked: Promise<Answer>[] = [];
      await stoa.services.foundation.postgres.transaction(async ({ sql }) => {
        await sql`select from agent.intent where id = ${id} for update`;
        asked.push(...[0, 1].map(() => ask(operation, key, { id, token })));
        const early = await Promise.race(asked);
        expect(isInFlight(early), `${early.status} ${JSON.stringify(early.document)}`).toBe(true);
      });
      const answers = await Promise.all(asked);
      expect(answers.filter(({ checkout }) => checkout !== null)).toHaveLength(1);
      const [first] = answers.filter(({ checkout }) => checkout !== null);
      expect((await ask(operation, key, { id, token })).checkout).toEqual(first!.checkout);
    },
  );
});

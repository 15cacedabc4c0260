// Callers at a checkout over one protocol, with their own idempotency keys, and their answers.
import { ADDRESS, BUYER, type Document, paidWith, type Shop } from '#test/edge/assistant/mcp/shop.ts';
import { UCP_AGENT } from '#test/edge/assistant/ucp/platform.ts';
import { retryWhileBusy } from '#test/support/busy_retry.ts';

export interface Answer {
  readonly status: number;
  /** Seconds that the header `Retry-After` tells; null: it is not there. */
  readonly retryAfter: number | null;
  readonly document: Document;
  /** The checkout that was answered with; null: a refusal was. */
  readonly checkout: Document;
}

export type Operation = 'create' | 'update' | 'complete' | 'cancel';

interface Asked {
  readonly id: string;
  readonly token: string;
}

export type Ask = (operation: Operation, key: string, asked?: Partial<Asked>) => Promise<Answer>;

const send = async (shop: Shop, method: string, path: string, body: object, headers: Record<string, string>) => {
  const answer = await retryWhileBusy(() =>
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

export const protocolCallers: Readonly<Record<string, (shop: Shop) => Ask>> = {
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
      const headers = { ...UCP_AGENT, 'Idempotency-Key': key };
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

export const isInFlight = ({ status, retryAfter, document }: Answer): boolean => {
  const code = document.code ?? document.error?.data?.code;
  return status === 409 && (retryAfter ?? 0) >= 1 && (code === 'conflict' || code === 'idempotency_in_flight');
};

/** Stock on hand of the mug, five at first, and the held part of it. */
export const stockLevelOf = async (shop: Shop): Promise<[onHand: number, held: number]> => {
  const { inventory } = (await shop.merchant.test('GET', `/v1/inventory/${shop.mug}`)).body;
  return [inventory.on_hand, inventory.held];
};

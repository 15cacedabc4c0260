// An agent that shops over ACP, with the store's secret test key unless it is given another.
import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import type { Document, Shop } from '#test/edge/assistant/mcp/shop.ts';
import { acpSchemaErrors, hasAcpSchemas } from '#test/support/acp_schema.ts';
import { retryWhileBusy } from '#test/support/busy_retry.ts';

export const VERSION = '2026-04-17';

export const judged = (
  definition: string,
  document: Document,
  name: Parameters<typeof acpSchemaErrors>[0] = 'agentic_checkout',
) => {
  if (hasAcpSchemas) expect(acpSchemaErrors(name, definition, document)).toEqual([]);
};

interface Sent {
  readonly key?: string | null;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string | undefined>>;
}

export const sending =
  (shop: Shop) =>
  async (method: string, path: string, { key = shop.merchant.keys.secret_test_key, body, headers = {} }: Sent = {}) => {
    const all: Record<string, string | undefined> = {
      ...(key === null ? {} : { Authorization: `Bearer ${key}` }),
      'API-Version': VERSION,
      'User-Agent': 'Parrot/1.0',
      ...(method === 'POST' ? { 'Idempotency-Key': randomUUID() } : {}),
      ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
      ...headers,
    };
    const sent = Object.entries(all).flatMap(([name, value]): [string, string][] =>
      value === undefined ? [] : [[name, value]],
    );
    const answer = await retryWhileBusy(() =>
      fetch(`${shop.base}${path}`, {
        method,
        headers: sent,
        ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      }),
    );
    const text = await answer.text();
    const document: Document = text ? JSON.parse(text) : null;
    if (answer.status >= 400 && answer.status !== 404) judged('Error', document);
    return { status: answer.status, headers: answer.headers, document };
  };

export const ADDRESS = {
  name: 'Ada Mwangi',
  line_one: '12 Moi Avenue',
  city: 'Nairobi',
  state: '',
  country: 'KE',
  postal_code: '00100',
};
export const BUYER = { email: 'ada@example.com', first_name: 'Ada', last_name: 'Mwangi' };

export const wanted = (shop: Shop, quantity = 2) => ({
  line_items: [{ id: shop.mug, quantity }],
  currency: 'usd',
  capabilities: {},
});

/** A session that only waits for its payment. */
export const openReady = async (shop: Shop) => {
  const send = sending(shop);
  const created = await send('POST', '/acp/checkout_sessions', {
    body: { ...wanted(shop), buyer: BUYER, fulfillment_details: { name: 'Ada Mwangi', address: ADDRESS } },
  });
  const option = created.document.fulfillment_options.find(({ type }: Document) => type === 'shipping');
  const ready = await send('POST', `/acp/checkout_sessions/${created.document.id}`, {
    body: {
      selected_fulfillment_options: [
        { type: 'shipping', option_id: option.id, item_ids: created.document.line_items.map(({ id }: Document) => id) },
      ],
    },
  });
  expect([ready.status, ready.document.status], JSON.stringify(ready.document)).toEqual([200, 'ready_for_payment']);
  return ready.document;
};

export const card = (number: string) => ({
  type: 'card',
  card_number_type: 'fpan',
  number,
  exp_month: '11',
  exp_year: '2030',
  name: 'Ada Mwangi',
  cvc: '223',
  display_card_funding_type: 'credit',
  metadata: {},
});

export const allowance = (shop: Shop, session: string, more: object = {}) => ({
  reason: 'one_time',
  max_amount: 100_000,
  currency: 'usd',
  checkout_session_id: session,
  merchant_id: shop.merchant.keys.store_id,
  expires_at: new Date(Date.now() + 600_000).toISOString(),
  ...more,
});

export const delegated = (shop: Shop, session: string, { number = '4242424242424242', more = {} } = {}) =>
  sending(shop)('POST', '/acp/agentic_commerce/delegate_payment', {
    body: { payment_method: card(number), allowance: allowance(shop, session, more), risk_signals: [], metadata: {} },
  });

export const paidWith = (token: string) => ({
  payment_data: { handler_id: 'card_token', instrument: { type: 'card', credential: { type: 'spt', token } } },
});

// Starts a Stoa with a still clock and a wholesale store for tests, and calls both sides' endpoints.
import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import type { Invoice } from '#proto/gen/invoice.ts';
import type { StoreOrder } from '#proto/gen/order.ts';
import type { PurchaseOrder } from '#proto/gen/purchase_order.ts';
import type { Rfq } from '#proto/gen/rfq.ts';
import type { WebhookEvent } from '#proto/gen/webhook.ts';
import type { WholesaleQuote } from '#proto/gen/wholesale_quote.ts';
import { type ManualClock, manualClock } from '#runtime/process/clock.ts';
import { isBalanced, trialBalance } from '#services/ledger/index.ts';
import { eventually } from '#test/support/server.ts';
import { allowLocalVerifier, openShopperSessions, type Shopper, type ShopperSessions } from '#test/support/session.ts';
import { type Keys, type Reply, type Stoa, startStoa } from '#test/support/stoa.ts';

export let clock: ManualClock;
export let stoa: Stoa;
export let keys: Keys;
export let doorkeeper: ShopperSessions;

export const DAY_MS = 86_400_000;
export const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
export const ANY_ID = '00000000-0000-7000-8000-000000000000';
export const NAIROBI = { line1: '12 Moi Avenue', city: 'Nairobi', country: 'KE', company: 'Kibo Traders' };

/** One day ahead of real time, so that rate limits, which use real time, never apply. */
export const openShop = async (store: Readonly<Record<string, unknown>> = {}): Promise<void> => {
  allowLocalVerifier();
  clock = manualClock(Date.now() + DAY_MS);
  stoa = await startStoa({ clock });
  keys = await stoa.createStore({ wholesale: true, country: 'KE', ...store });
  doorkeeper = await openShopperSessions(stoa);
};

export const closeShop = async (): Promise<void> => {
  doorkeeper?.stop();
  await stoa?.stop();
};

/** Calls of one side in the sandbox. */
export type Caller = (method: string, path: string, body?: unknown, headers?: Record<string, string>) => Promise<Reply>;

const caller =
  (key: string, session: Readonly<Record<string, string>>): Caller =>
  (method, path, body, headers = {}) =>
    stoa.send(method, path, {
      key,
      patient: true,
      headers: { ...session, ...headers },
      ...(body === undefined ? {} : { body }),
    });

/** Uses the secret key without a session. */
export const asStore = (of: Keys = keys): Caller => caller(of.secret_test_key, {});

/** A buyer in a browser. */
export const as = ({ headers }: Shopper, of: Keys = keys): Caller => caller(of.publishable_test_key, headers);

/** The session lasts as long as the store's verifier says, however far the clock moves. */
export const newBuyer = (of: Keys = keys): Promise<Shopper> => doorkeeper.signIn(of, { header: 'x-idp-token' });

export const signed: Caller = (method, path, body, headers = {}) =>
  stoa.send(method, path, { key: keys.secret_test_key, signWith: keys.hmac_test_secret, patient: true, body, headers });

/** Retries with the same idempotency key while the outcome is unknown. */
export const insist = async (ask: (key: Record<string, string>) => Promise<Reply>): Promise<Reply> => {
  const key = { 'Idempotency-Key': randomUUID() };
  for (;;) {
    const reply = await ask(key);
    const later = reply.status >= 500 || (reply.status === 409 && reply.headers.has('retry-after'));
    if (!later) return reply;
    await Bun.sleep(100);
  }
};

export const errorOf = ({ status, body }: Reply) => [status, body.error?.code, body.error?.param];

/** Returns the body of a successful response. */
export const made = async (reply: Promise<Reply>): Promise<Reply['body']> => {
  const { status, body, text } = await reply;
  expect(status, text).toBeLessThan(300);
  return body;
};

/** Creates a product with one variant. */
export const newVariant = async (given: Readonly<Record<string, unknown>> = {}, of: Keys = keys): Promise<string> => {
  const body = { name: 'Trail shoe', price: 10, stock: 1_000, ...given };
  return (await made(asStore(of)('POST', '/v1/products', body))).variant_id;
};

export const newRfq = async (buyer: Shopper, items: readonly unknown[]): Promise<Rfq> =>
  (await made(as(buyer)('POST', '/v1/b2b/rfqs', { items }))).data;

export const sendQuote = async (body: Readonly<Record<string, unknown>>): Promise<WholesaleQuote> =>
  (await made(asStore()('POST', '/v1/b2b/quotes', body))).data;

export const accept = async (buyer: Shopper, { id }: WholesaleQuote): Promise<WholesaleQuote> =>
  (await made(as(buyer)('POST', `/v1/b2b/quotes/${id}/accept`))).data;

let numbers = 0;

/** Issues a purchase order from an accepted quote. */
export const issue = async (
  buyer: Shopper,
  items: readonly unknown[],
  { quote = {}, ...given }: Readonly<Record<string, unknown>> & { readonly quote?: object } = {},
): Promise<PurchaseOrder> => {
  const { id } = await accept(buyer, await sendQuote({ customer_id: buyer.id, items, ...quote }));
  const body = { quote_id: id, po_number: `PO-${++numbers}`, shipping_address: NAIROBI, ...given };
  return (await made(as(buyer)('POST', '/v1/b2b/purchase-orders', body))).data;
};

export const confirm = async ({ id }: PurchaseOrder): Promise<PurchaseOrder> =>
  (await made(asStore()('POST', `/v1/b2b/purchase-orders/${id}/confirm`))).data;

/** Invoices everything not yet invoiced, or these items. */
export const invoice = async ({ id }: PurchaseOrder, items?: readonly unknown[]): Promise<Invoice> =>
  (await made(asStore()('POST', '/v1/b2b/invoices', { purchase_order_id: id, items }))).data;

export const pay = async ({ id, amount_due: amount }: Invoice): Promise<Invoice> =>
  (await made(asStore()('POST', `/v1/b2b/invoices/${id}/pay`, { amount }))).data;

/** Asserts that every posting and account balances. */
export const balanced = async (): Promise<boolean> => {
  const { sql } = stoa.services.runtime.postgres;
  return (await trialBalance(sql, { store: keys.store_id, environment: 'sandbox' })).every(isBalanced);
};

export const orderOf = async ({ order_id }: PurchaseOrder): Promise<StoreOrder> =>
  (await made(asStore()('GET', `/v1/orders/${order_id}`))).order;

/** Units on hand and available. */
export const levelOf = async (variant: string): Promise<readonly [number, number]> => {
  const { inventory } = await made(asStore()('GET', `/v1/inventory/${variant}`));
  return [inventory.on_hand, inventory.available];
};

/** Waits for this many wholesale events of the sandbox and returns them, oldest first. */
export const publishedEvents = (
  count: number,
  which: (event: WebhookEvent) => boolean = ({ type }) => type.startsWith('b2b.'),
) =>
  eventually(async (): Promise<readonly WebhookEvent[]> => {
    const found: WebhookEvent[] = [];
    for (let cursor: string | null = ''; cursor !== null; ) {
      const { webhook_events, pagination } = await made(
        asStore()('GET', `/v1/webhook-events?limit=100${cursor && `&cursor=${cursor}`}`),
      );
      found.push(...webhook_events.filter(which));
      cursor = pagination.next_cursor;
    }
    expect(found.map(({ type }) => type)).toHaveLength(count);
    return found.toSorted((a, b) => a.sequence - b.sequence);
  });

/** Selects events of one type about one record. */
export const about =
  (type: string, ...ids: readonly string[]) =>
  (event: WebhookEvent): boolean =>
    event.type === type && ids.includes(event.data.object.id as string);

// Ninety days of one deal in a sandbox, from the first question to the last payment, by time travel. Both sides' views are
// checked on the way, and the same story leaves the same log of events each time.
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Invoice } from '#proto/gen/invoice.ts';
import type { PurchaseOrder } from '#proto/gen/purchase_order.ts';
import type { WebhookEvent } from '#proto/gen/webhook.ts';
import type { WholesaleQuote } from '#proto/gen/wholesale_quote.ts';
import { isBalanced, trialBalance } from '#services/ledger/index.ts';
import {
  as,
  asStore,
  type Caller,
  closeShop,
  made,
  NAIROBI,
  newBuyer,
  newVariant,
  openShop,
  stoa,
} from '#test/services/b2b/shop.ts';
import { eventually } from '#test/support/server.ts';
import type { Keys } from '#test/support/stoa.ts';

beforeAll(() => openShop());
afterAll(() => closeShop());

const DAY_MS = 86_400_000;

/** One run of the story: a new store, its buyer, and the day that the story has reached. */
const openStory = async () => {
  const keys: Keys = await stoa.createStore({ wholesale: true, country: 'KE' });
  const store = asStore(keys);
  const buyer = await newBuyer(keys);
  const shoe = await newVariant({ name: 'Trail shoe', sku: 'TRAIL', stock: 1_000, low_stock_threshold: 20 }, keys);
  await made(store('POST', '/v1/tax-rates', { name: 'VAT', country: 'KE', rate: 0.16 }));
  // The events of the shop's opening are sent before the story begins.
  await eventually(async () => {
    const { webhook_events } = await made(store('GET', '/v1/webhook-events?type=feature.status_changed'));
    expect(webhook_events).toHaveLength(2);
  });
  const moment = (): number => stoa.clock.now({ store: keys.store_id, environment: 'sandbox' }).getTime();
  const start = moment();
  return {
    keys,
    store,
    buyer: as(buyer, keys),
    customer: buyer.id,
    shoe,
    start,
    at: (day: number): string => new Date(start + day * DAY_MS).toISOString(),
    /** The events up to that day. */
    until: async (day: number): Promise<readonly unknown[]> => {
      const to = new Date(start + day * DAY_MS).toISOString();
      const { now, fired } = await made(store('POST', '/v1/sandbox/time-travel', { to }));
      expect(now).toBe(to);
      return fired;
    },
  };
};
type Story = Awaited<ReturnType<typeof openStory>>;

const post = async (call: Caller, path: string, body?: object) =>
  (await made(call('POST', `/v1/b2b${path}`, body))).data;
const statusOf = async (call: Caller, path: string): Promise<string> =>
  (await made(call('GET', `/v1/b2b${path}`))).data.status;

/** Days 0 to 7: a first quote is not answered in time, a second one is accepted. */
const agree = async ({ store, buyer, shoe, at, until }: Story): Promise<WholesaleQuote> => {
  const rfq = await post(buyer, '/rfqs', { items: [{ variant_id: shoe, quantity: 990, target_unit_price: 7 }] });
  await until(1);
  const items = [{ variant_id: shoe, quantity: 990, unit_price: 8 }];
  const first = await post(store, '/quotes', { rfq_id: rfq.id, items, valid_until: at(4) });
  expect(await until(5)).toEqual([{ type: 'b2b_quote', count: 1 }]);
  expect(await statusOf(buyer, `/quotes/${first.id}`)).toBe('expired');
  expect((await buyer('POST', `/v1/b2b/quotes/${first.id}/accept`)).status).toBe(409);
  const better = [{ ...items[0], unit_price: 7.5 }];
  const second = await post(store, '/quotes', { rfq_id: rfq.id, items: better, payment_terms: 'net_60' });
  await until(7);
  const accepted = await post(buyer, `/quotes/${second.id}/accept`, { reason: 'As talked about.' });
  expect(await statusOf(store, `/rfqs/${rfq.id}`)).toBe('closed');
  return accepted;
};

/** Days 8 to 12: ordered, confirmed, sent. */
const deliver = async ({ store, buyer, shoe, until }: Story, quote: WholesaleQuote): Promise<PurchaseOrder> => {
  await until(8);
  const body = { quote_id: quote.id, po_number: 'PO-2031-07', shipping_address: NAIROBI };
  const { id } = await post(buyer, '/purchase-orders', body);
  await until(9);
  await post(store, `/purchase-orders/${id}/confirm`);
  await eventually(async () => {
    const { inventory } = await made(store('GET', `/v1/inventory/${shoe}`));
    expect([inventory.on_hand, inventory.available]).toEqual([10, 10]);
  });
  await until(12);
  return post(store, `/purchase-orders/${id}/fulfill`, { carrier: 'DHL', tracking_number: '0034' });
};

const orderOf = async ({ store }: Story, { order_id }: PurchaseOrder) =>
  (await made(store('GET', `/v1/orders/${order_id}`))).order;

/** Days 12 to 90: billed by two invoices on 60 days; one is paid in time, the other after it is overdue. */
const settle = async (story: Story, order: PurchaseOrder): Promise<void> => {
  const { store, buyer, until } = story;
  const items = [{ item_id: order.items[0]!.id, quantity: 400 }];
  const one: Invoice = await post(store, '/invoices', { purchase_order_id: order.id, items });
  const two: Invoice = await post(store, '/invoices', { purchase_order_id: order.id });
  expect([one.total, two.total]).toEqual([3_480, 5_133]);
  await until(40);
  await post(store, `/invoices/${one.id}/pay`, { amount: 3_480, reference: 'MT103 1' });
  await eventually(async () =>
    expect(await orderOf(story, order)).toMatchObject({ payment_status: 'pending', amount_paid: 3_480 }),
  );
  expect(await until(71)).toEqual([]);
  expect(await statusOf(buyer, `/invoices/${two.id}`)).toBe('issued');
  expect(await until(75)).toEqual([{ type: 'b2b.invoice.overdue', count: 1 }]);
  expect(await statusOf(buyer, `/invoices/${two.id}`)).toBe('overdue');
  expect(await statusOf(buyer, `/invoices/${one.id}`)).toBe('paid');
  await until(90);
  const paid = await post(store, `/invoices/${two.id}/pay`, { amount: 5_133, reference: 'MT103 2' });
  expect(paid).toMatchObject({ status: 'paid', amount_due: 0, paid_at: story.at(90) });
  await eventually(async () =>
    expect(await orderOf(story, order)).toMatchObject({ payment_status: 'paid', amount_paid: 8_613, amount_due: 0 }),
  );
};

const logOf = async ({ store }: Story): Promise<readonly WebhookEvent[]> => {
  const events: WebhookEvent[] = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const page = await made(store('GET', `/v1/webhook-events?limit=100${cursor && `&cursor=${cursor}`}`));
    events.push(...page.webhook_events);
    cursor = page.pagination.next_cursor;
  }
  return events.toReversed();
};

/** A log in comparable form: an id becomes its ordinal number, a time the milliseconds since the beginning. */
const retold = (log: readonly WebhookEvent[], start: number): unknown => {
  const ids: string[] = [];
  const nameOf = (id: string): string => {
    if (!ids.includes(id)) ids.push(id);
    return `#${ids.indexOf(id)}`;
  };
  const comparable = (key: string, value: unknown): unknown => {
    if (key === 'sequence') return null;
    if (typeof value !== 'string') return value;
    if (/^\d{4}-\d\d-\d\dT/.test(value)) return `${Date.parse(value) - start} ms`;
    return value
      .replace(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, nameOf)
      .replace(/^evt_\w+$/, nameOf)
      .replace(/(?<=^trail-shoe-)\w+$/, nameOf);
  };
  return JSON.parse(JSON.stringify(log, comparable));
};

const tell = async () => {
  const story = await openStory();
  const quote = await agree(story);
  await settle(story, await deliver(story, quote));
  const tenant = { store: story.keys.store_id, environment: 'sandbox' } as const;
  const books = await trialBalance(stoa.services.runtime.postgres.sql, tenant);
  expect(books.every(isBalanced)).toBe(true);
  const log = await eventually(async () => {
    const events = await logOf(story);
    expect(events.at(-1)?.type).toBe('order.paid');
    return events;
  });
  return { log, start: story.start };
};

test('ninety days from a question to an overdue invoice that is paid, told twice in the same words', async () => {
  const [first, second] = [await tell(), await tell()];
  const days = first.log.map(({ type, created_at }) => [type, (Date.parse(created_at) - first.start) / DAY_MS]);
  expect(days.filter(([type]) => /^(b2b|order|product\.stock)/.test(String(type)))).toEqual([
    ['b2b.rfq.created', 0],
    ['b2b.quote.sent', 1],
    ['b2b.quote.sent', 5],
    ['b2b.quote.accepted', 7],
    ['b2b.po.issued', 8],
    ['order.created', 9],
    ['b2b.po.confirmed', 9],
    ['product.stock_low', 9],
    ['order.fulfilled', 12],
    ['b2b.po.fulfilled', 12],
    ['b2b.invoice.issued', 12],
    ['b2b.invoice.issued', 12],
    ['b2b.invoice.paid', 40],
    ['b2b.invoice.overdue', 72],
    ['b2b.invoice.paid', 90],
    ['order.paid', 90],
  ]);
  expect(retold(second.log, second.start)).toEqual(retold(first.log, first.start));
}, 120_000);

// Triggers every type of event that has an action, and checks the delivered event.
import { Value } from '@sinclair/typebox/value';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { EventType } from '#proto/gen/event_map.ts';
import { eventTypes } from '#proto/gen/event_table.ts';
import { ACTIONS } from '#services/cli/trigger/action.ts';
import { trigger } from '#services/cli/trigger/command.ts';
import { Sandbox } from '#services/cli/trigger/sandbox.ts';
import { type Receiver, startReceiver } from '#test/services/webhook/receiver.ts';
import { eventually } from '#test/support/server.ts';
import { type Keys, type Stoa, sharedStoa } from '#test/support/stoa.ts';

/** Event types that only a live key causes, which triggers do not have. This list may only shrink. */
const UNCAUSED = ['store.updated'];

/** "On update events; only the changed fields." */
const PREVIOUS: Readonly<Record<string, Record<string, unknown>>> = {
  'order.paid': { payment_status: 'pending' },
  'order.fulfilled': { order_status: 'pending' },
  'order.cancelled': { order_status: 'pending' },
  'order.refunded': { payment_status: 'paid', amount_refunded: 0 },
  'order.updated': { note: null },
  'customer.updated': { first_name: null },
  'product.updated': { price: 20 },
  'cart.updated': { item_count: 1 },
  'promotion.deactivated': { status: 'active' },
  'collection.updated': { name: expect.any(String) },
  'b2b.quote.accepted': { status: 'sent' },
  'b2b.quote.rejected': { status: 'sent' },
  'b2b.po.confirmed': { status: 'issued', order_id: null },
  'b2b.po.fulfilled': { status: 'confirmed' },
  'b2b.invoice.paid': { status: 'issued', amount_due: 75, paid_at: null },
  'b2b.invoice.overdue': { status: 'issued' },
};

/** Fields that each event must contain. */
const EXTRAS: Readonly<Record<string, Record<string, unknown>>> = {
  'order.created': {
    id: expect.any(String),
    order_number: expect.any(String),
    payment_status: 'pending',
    total_amount: 20,
    currency: 'USD',
  },
  'order.shipped': { carrier: 'Trigger', tracking_number: null, tracking_url: null },
  'order.refunded': { refund: expect.objectContaining({ amount: 5 }) },
  'review.approved': { product_id: expect.any(String), rating: 5, verified_purchase: false, status: 'approved' },
  'payment_provider.connected': { provider: expect.stringMatching(/^trigger_/) },
  'shipping_provider.connected': { provider: expect.stringMatching(/^Carrier/) },
  'feature.status_changed': { feature: expect.any(String), status: 'available', previous_status: 'awaiting_data' },
  'channel.connected': { provider: 'trigger', status: 'connected' },
  'channel.sync.completed': {
    provider: 'trigger',
    status: 'completed',
    items_total: expect.any(Number),
    items_rejected: 0,
  },
  'feed.sync.completed': {
    status: 'failed',
    rows_created: 0,
    rows_updated: 0,
    rows_failed: 0,
    errors: [expect.objectContaining({ code: expect.any(String) })],
  },
};

let stoa: Stoa;
let keys: Keys;
let receiver: Receiver;
let secret: string;

const listen = async ({ secret_test_key: key }: Keys): Promise<string> => {
  const { body } = await stoa.send('POST', '/v1/webhook-endpoints', {
    key,
    body: { url: receiver.url, events: ['*'] },
  });
  return body.webhook_endpoint.signing_secret;
};

const sandboxOf = ({ secret_test_key: key, hmac_test_secret: hmacSecret }: Keys): Sandbox =>
  new Sandbox({ baseUrl: stoa.url, key, hmacSecret });

beforeAll(async () => {
  stoa = await sharedStoa();
  receiver = await startReceiver();
  keys = await stoa.createStore({ wholesale: true });
  secret = await listen(keys);
});
afterAll(async () => {
  await receiver.close();
});

test('every type of the table can be caused, but for those that are named here', () => {
  const types = Object.keys(eventTypes).sort();
  expect(types).toHaveLength(52);
  expect([...Object.keys(ACTIONS), ...UNCAUSED].sort()).toEqual(types);
});

const TYPES = Object.keys(ACTIONS).filter((type) => type !== 'feature.status_changed');

describe('on the wire', () => {
  const arrives = async (type: string, store: Keys, signedWith: string): Promise<void> => {
    const logged = await trigger(sandboxOf(store), type);
    const got = await eventually(() => {
      const found = receiver.received.find(({ event }) => event.id === logged.id);
      expect(found, type).toBeDefined();
      return found!;
    });
    const { event, headers, body } = got;
    expect(new Webhook(signedWith).verify(body, headers)).toEqual(event);
    const { deliveries: _, ...envelope } = logged;
    expect(event).toEqual(envelope);
    expect(event).toMatchObject({ type, store_id: store.store_id, api_version: 'v1' });
    const { object } = event.data;
    const [problem] = [...Value.Errors(eventTypes[type as EventType].schema, { object, extra: object })];
    expect(problem && `${problem.path} ${problem.message}: ${JSON.stringify(problem.value)}`, body).toBeUndefined();
    expect(object).toMatchObject(EXTRAS[type] ?? {});
    if (PREVIOUS[type]) expect(event.previous_attributes).toMatchObject(PREVIOUS[type]);
    for (const [name, was] of Object.entries(event.previous_attributes ?? {}))
      expect(JSON.stringify(object[name]), `${name} did not change`).not.toBe(JSON.stringify(was));
  };

  test.each(TYPES)('%s', (type) => arrives(type, keys, secret));

  test('feature.status_changed, by a first product and by a first approved review', async () => {
    const fresh = await stoa.createStore();
    const signedWith = await listen(fresh);
    for (let first = 0; first < 2; first++) await arrives('feature.status_changed', fresh, signedWith);
    await expect(trigger(sandboxOf(fresh), 'feature.status_changed')).rejects.toThrow(/reset it first/);
  });

  test('store.updated, in the log of production, whose receivers have to be public', async () => {
    await stoa.send('PATCH', '/v1/store', { key: keys.secret_key, body: { name: 'Another name' } });
    const event = await eventually(async () => {
      const { body } = await stoa.send('GET', '/v1/webhook-events?type=store.updated', { key: keys.secret_key });
      expect(body.webhook_events).toHaveLength(1);
      return body.webhook_events[0];
    });
    const { object } = event.data;
    expect([...Value.Errors(eventTypes['store.updated']!.schema, { object, extra: object })]).toEqual([]);
    expect(object).toMatchObject({ name: 'Another name', changed_fields: ['name'] });
    expect(event.previous_attributes).toEqual({ name: expect.stringMatching(/^Store /) });
  });
});

test.each(['store.updated', 'order.eaten'])('%s cannot be triggered, and that is said', async (type) => {
  await expect(trigger(sandboxOf(keys), type)).rejects.toThrow(/What can be triggered: order.created/);
});

test('wholesale of a store that does not sell to businesses cannot be triggered, and the answer says what turns it on', async () => {
  const sandbox = sandboxOf(await stoa.createStore());
  await expect(trigger(sandbox, 'b2b.quote.sent')).rejects.toThrow(/status 403: .*wholesale_enabled/);
});

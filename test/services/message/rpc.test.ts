// Conversations over HTTP: each side writes, reads and deletes, and invalid calls are refused.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Shopper } from '#test/support/session.ts';
import {
  as,
  asStore,
  begin,
  clock,
  closeShop,
  doorkeeper,
  errorOf,
  keys,
  made,
  messagesOf,
  NO_ID,
  newShopper,
  openShop,
  other,
  read,
  shown,
  stoa,
  write,
} from './shop.ts';

let ada: Shopper;
let eve: Shopper;
beforeAll(async () => {
  await openShop();
  ada = await newShopper();
  eve = await newShopper();
});
afterAll(closeShop);
/** Advances the clock, so that no two messages have the same time. */
beforeEach(() => clock.advance(1_000));

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const attachment = (given: Record<string, unknown> = {}) => ({
  url: 'https://cdn.example.com/label.jpg',
  name: 'label.jpg',
  content_type: 'image/jpeg',
  ...given,
});

/** An order of this customer's, or a guest's. */
const orderOf = async (customer: string | null): Promise<string> => {
  const product = await made(
    stoa.send('POST', '/v1/products', {
      key: keys.secret_test_key,
      body: { name: 'Mug', price: 10, stock: 50, shipping_info: { requires_shipping: false } },
    }),
  );
  const { order } = await made(
    stoa.send('POST', '/v1/orders', {
      key: keys.secret_test_key,
      signWith: keys.hmac_test_secret,
      body: {
        items: [{ variant_id: product.variant_id, quantity: 1 }],
        ...(customer ? { customer_id: customer } : { email: 'guest@example.com' }),
      },
    }),
  );
  return order.id;
};

describe('a thread', () => {
  test('opens a shopper’s thread as theirs, unread by the store', async () => {
    const order = await orderOf(ada.id);
    const sent = { order_id: order, attachments: [attachment()] };
    const { thread, message } = await begin(as(ada), sent);
    // "Identifiers of records are UUID strings unless stated otherwise. Timestamps are ISO 8601 date-time strings."
    expect(thread).toEqual({
      id: expect.stringMatching(UUID),
      subject: 'Where is my parcel?',
      order_id: order,
      customer_id: ada.id,
      status: 'open',
      unread_count: 0,
      last_message_at: clock.now({ store: keys.store_id, environment: 'sandbox' }).toISOString(),
    });
    expect(message).toEqual({
      id: expect.stringMatching(UUID),
      thread_id: thread.id,
      sender: 'customer',
      body: 'It was to come on Monday.',
      attachments: [attachment()],
      read_at: null,
      created_at: thread.last_message_at,
    });
    expect(await shown(as(ada), thread.id)).toEqual(thread);
    expect(await shown(asStore(), thread.id)).toEqual({ ...thread, unread_count: 1 });
    expect(await messagesOf(as(ada), thread.id)).toEqual([message]);
    expect(await messagesOf(asStore(), thread.id)).toEqual([message]);
  });

  test('opens a store’s thread for a customer, unread by them', async () => {
    const order = await orderOf(ada.id);
    const { thread, message } = await begin(asStore(), { customer_id: ada.id.toUpperCase(), order_id: order });
    expect([thread.customer_id, thread.order_id, thread.unread_count]).toEqual([ada.id, order, 0]);
    expect(message.sender).toBe('store');
    expect((await shown(as(ada), thread.id)).unread_count).toBe(1);
    expect((await shown(asStore(), thread.id)).unread_count).toBe(0);
  });

  test('refuses a store’s thread without a customer or with an unknown one', async () => {
    const start = (customer_id?: string | null) =>
      asStore()('POST', '/v1/messaging/threads', { subject: 'S', body: 'B', customer_id });
    const outsider = await newShopper(other);
    expect(errorOf(await start())).toEqual([400, 'invalid_request', 'customer_id']);
    expect(errorOf(await start(null))).toEqual([400, 'invalid_request', 'customer_id']);
    expect(errorOf(await start(NO_ID))).toEqual([404, 'not_found', 'customer_id']);
    expect(errorOf(await start(outsider.id))).toEqual([404, 'not_found', 'customer_id']);
    const live = await doorkeeper.signIn(keys, { environment: 'production' });
    expect(errorOf(await start(live.id))).toEqual([404, 'not_found', 'customer_id']);
    const gone = await newShopper();
    await made(asStore()('DELETE', `/v1/customers/${gone.id}`));
    expect(errorOf(await start(gone.id))).toEqual([404, 'not_found', 'customer_id']);
  });

  test('refuses a shopper who names another customer and accepts their own id', async () => {
    const body = { subject: 'S', body: 'B', customer_id: eve.id };
    expect((await as(ada)('POST', '/v1/messaging/threads', body)).status).toBe(403);
    const { thread } = await begin(as(ada), { customer_id: ada.id.toUpperCase() });
    expect(thread.customer_id).toBe(ada.id);
  });

  test('accepts an order of the same customer, or none', async () => {
    const [eves, guests] = [await orderOf(eve.id), await orderOf(null)];
    for (const order_id of [eves, guests, NO_ID]) {
      const body = { subject: 'S', body: 'B', order_id };
      const reply = await as(ada)('POST', '/v1/messaging/threads', body);
      expect(errorOf(reply)).toEqual([404, 'not_found', 'order_id']);
      const store = await asStore()('POST', '/v1/messaging/threads', { ...body, customer_id: ada.id });
      expect(errorOf(store)).toEqual([404, 'not_found', 'order_id']);
    }
    const { thread } = await begin(as(ada), { order_id: null, attachments: null });
    expect(thread.order_id).toBeNull();
  });
});

describe('unread counts', () => {
  test('counts unread messages for each side; writing marks none as read', async () => {
    const { thread } = await begin(as(ada));
    const counts = async () => [
      (await shown(as(ada), thread.id)).unread_count,
      (await shown(asStore(), thread.id)).unread_count,
    ];
    await write(as(ada), thread.id);
    expect(await counts()).toEqual([0, 2]);
    await write(asStore(), thread.id);
    expect(await counts()).toEqual([1, 2]);
    await messagesOf(asStore(), thread.id);
    expect(await counts()).toEqual([1, 2]);
    expect((await read(asStore(), thread.id)).unread_count).toBe(0);
    expect(await counts()).toEqual([1, 0]);
    expect((await read(as(ada), thread.id)).unread_count).toBe(0);
    expect(await counts()).toEqual([0, 0]);
  });

  test('records when each message was first read', async () => {
    const { thread } = await begin(as(ada));
    clock.advance(60_000);
    const at = clock.now({ store: keys.store_id, environment: 'sandbox' }).toISOString();
    await read(asStore(), thread.id);
    clock.advance(60_000);
    await write(as(ada), thread.id);
    await write(asStore(), thread.id);
    await read(as(ada), thread.id);
    const readAt = (await messagesOf(as(ada), thread.id)).map(({ sender, read_at }) => [sender, read_at]);
    const later = clock.now({ store: keys.store_id, environment: 'sandbox' }).toISOString();
    expect(readAt).toEqual([
      ['customer', at],
      ['customer', null],
      ['store', later],
    ]);
    clock.advance(60_000);
    const again = await read(as(ada), thread.id);
    expect(again).toEqual(await shown(as(ada), thread.id));
    expect((await messagesOf(as(ada), thread.id)).at(-1)!.read_at).toBe(later);
  });
});

describe('closing and opening again', () => {
  const status = async (thread: string) => (await shown(asStore(), thread)).status;
  const set = async (thread: string, to: unknown) =>
    asStore()('PATCH', `/v1/messaging/threads/${thread}`, { status: to });

  test('lets the store close and reopen a thread, repeatedly, and shows it to the shopper', async () => {
    const { thread } = await begin(as(ada));
    for (const to of ['closed', 'closed', 'open', 'open']) {
      const { status: code, body } = await set(thread.id, to);
      expect([code, body.thread]).toEqual([200, { ...thread, unread_count: 1, status: to }]);
      expect((await shown(as(ada), thread.id)).status).toBe(to);
    }
  });

  test('reopens a closed thread by a shopper’s message and not by a store’s', async () => {
    const { thread } = await begin(as(ada));
    await set(thread.id, 'closed');
    await write(asStore(), thread.id);
    expect(await status(thread.id)).toBe('closed');
    await read(as(ada), thread.id);
    expect(await status(thread.id)).toBe('closed');
    await write(as(ada), thread.id);
    expect(await status(thread.id)).toBe('open');
  });

  test('requires a valid status and a thread of the store', async () => {
    const { thread } = await begin(as(ada));
    for (const to of [undefined, null, '', 'archived', 1])
      expect(errorOf(await set(thread.id, to))).toEqual([400, 'invalid_request', 'status']);
    expect(errorOf(await set(NO_ID, 'closed'))).toEqual([404, 'not_found', undefined]);
    const elsewhere = await asStore(other)('PATCH', `/v1/messaging/threads/${thread.id}`, { status: 'closed' });
    expect(elsewhere.status).toBe(404);
  });

  // "A publishable key used for any other write or a restricted endpoint: 403 `forbidden`, message stating a secret key is
  // required, with a `hint` to call from the server with a secret key."
  test('refuses to close with a publishable key, with a session or without', async () => {
    const { thread } = await begin(as(ada));
    for (const headers of [{}, ada.headers]) {
      const { status: code, body } = await stoa.send('PATCH', `/v1/messaging/threads/${thread.id}`, {
        key: keys.publishable_test_key,
        headers,
        body: { status: 'closed' },
      });
      expect([code, body.error.code]).toEqual([403, 'forbidden']);
      expect([body.error.message, body.error.hint]).toEqual([
        expect.stringMatching(/secret key/i),
        expect.stringMatching(/server/),
      ]);
    }
  });
});

describe('a deleted message', () => {
  const remove = (call: ReturnType<typeof as>, id: string) => call('DELETE', `/v1/messaging/messages/${id}`);

  test('keeps a deleted message’s place without its text, and accepts another delete', async () => {
    const { thread, message } = await begin(as(ada), { attachments: [attachment()] });
    await write(asStore(), thread.id, 'It is on its way.');
    const before = await shown(asStore(), thread.id);
    for (let time = 0; time < 2; time++) {
      expect(await made(remove(as(ada), message.id))).toEqual({ deleted: true, id: message.id });
      const [first, second] = await messagesOf(asStore(), thread.id);
      expect(first).toEqual({ ...message, body: null, attachments: [], deleted: true });
      expect(second).not.toHaveProperty('deleted');
      expect(await shown(asStore(), thread.id)).toEqual({ ...before, unread_count: 0 });
    }
    const { sql } = stoa.services.runtime.postgres;
    const stored = await sql`select m::text as text from message.message m where id = ${message.id}`;
    expect(stored[0]!.text).not.toMatch(/Monday|label/);
  });

  test('stops counting a deleted unread message and keeps the count for a read one', async () => {
    const { thread, message } = await begin(asStore(), { customer_id: ada.id });
    const second = await write(asStore(), thread.id);
    await read(as(ada), thread.id);
    const third = await write(asStore(), thread.id);
    const unread = async () => (await shown(as(ada), thread.id)).unread_count;
    await remove(asStore(), message.id);
    await remove(asStore(), second.id);
    expect(await unread()).toBe(1);
    await remove(asStore(), third.id);
    expect(await unread()).toBe(0);
    expect((await read(as(ada), thread.id)).unread_count).toBe(0);
    expect((await messagesOf(as(ada), thread.id)).map(({ deleted }) => deleted)).toEqual([true, true, true]);
  });

  test('lets only the sender delete; others get not_found', async () => {
    const { thread, message } = await begin(as(ada));
    const answer = await write(asStore(), thread.id);
    for (const [call, id] of [
      [asStore(), message.id],
      [as(ada), answer.id],
      [as(eve), message.id],
      [asStore(other), answer.id],
      [as(ada), NO_ID],
    ] as const) {
      const { status, body } = await remove(call, id);
      expect([status, body.error.code, body.error.message]).toEqual([404, 'not_found', `No such message: ${id}.`]);
    }
    expect((await messagesOf(as(ada), thread.id)).map(({ deleted }) => deleted)).toEqual([undefined, undefined]);
  });
});

describe('bounds', () => {
  const long = (length: number) => 'x'.repeat(length);
  const many = (count: number) => Array.from({ length: count }, () => attachment());

  test.each<[string, Record<string, unknown>, string]>([
    ['no subject', { subject: undefined }, 'subject'],
    ['an empty subject', { subject: '' }, 'subject'],
    ['a subject of blanks', { subject: '   ' }, 'subject'],
    ['a body of blanks', { body: ' \n ' }, 'body'],
    ['a subject of 201', { subject: long(201) }, 'subject'],
    ['no body', { body: undefined }, 'body'],
    ['an empty body', { body: '' }, 'body'],
    ['a body of 5,001', { body: long(5_001) }, 'body'],
    ['a body that is no text', { body: ['B'] }, 'body'],
    ['eleven attachments', { attachments: many(11) }, 'attachments'],
    ['an attachment without url', { attachments: [attachment({ url: undefined })] }, 'attachments[0].url'],
    [
      'one of a url of 2,049',
      { attachments: [attachment({ url: `https://a.b/${long(2_037)}` })] },
      'attachments[0].url',
    ],
    ['one that is a file', { attachments: [attachment({ url: 'file:///etc/passwd' })] }, 'attachments[0].url'],
    ['one that is a script', { attachments: [attachment({ url: 'javascript:alert(1)' })] }, 'attachments[0].url'],
    ['one without name', { attachments: [attachment({ name: undefined })] }, 'attachments[0].name'],
    ['one of an empty name', { attachments: [attachment({ name: '' })] }, 'attachments[0].name'],
    ['one of a name of 256', { attachments: [attachment({ name: long(256) })] }, 'attachments[0].name'],
    [
      'one without content_type',
      { attachments: [attachment({ content_type: undefined })] },
      'attachments[0].content_type',
    ],
    [
      'one of a content_type of 101',
      { attachments: [attachment(), attachment({ content_type: long(101) })] },
      'attachments[1].content_type',
    ],
    ['an order that is no id', { order_id: '1001' }, 'order_id'],
    ['a customer that is no id', { customer_id: 'ada' }, 'customer_id'],
  ])('refuse %s', async (_what, given, param) => {
    const { thread } = await begin(asStore(), { customer_id: ada.id });
    const body = { subject: 'S', body: 'B', customer_id: ada.id, ...given };
    expect(errorOf(await asStore()('POST', '/v1/messaging/threads', body))).toEqual([400, 'invalid_request', param]);
    if (!/body|attachments/.test(param)) return;
    const reply = await asStore()('POST', `/v1/messaging/threads/${thread.id}/messages`, { body: 'B', ...given });
    expect(errorOf(reply)).toEqual([400, 'invalid_request', param]);
    expect(await messagesOf(asStore(), thread.id)).toHaveLength(1);
  });

  test('accepts text and attachments at their limits unchanged', async () => {
    const words = {
      body: `${long(4_998)} é`,
      attachments: [...many(9), attachment({ name: long(255), content_type: long(100) })],
    };
    const { thread, message } = await begin(as(ada), { subject: long(200), ...words });
    expect([thread.subject, message.body, message.attachments]).toEqual([long(200), words.body, words.attachments]);
    const url = `https://a.b/${long(2_036)}`;
    const { message: second } = await made(
      as(ada)('POST', `/v1/messaging/threads/${thread.id}/messages`, {
        body: '<b>"\\\n',
        attachments: [{ ...attachment({ url }), size: 7 }],
      }),
    );
    expect(await messagesOf(asStore(), thread.id)).toEqual([message, second]);
    expect([second.body, second.attachments]).toEqual(['<b>"\\\n', [attachment({ url })]]);
  });

  test.each(['threads/none/messages', 'threads/none/read', 'messages/none'])(
    'refuses %s as a path with no valid id',
    async (path) => {
      const method = path.startsWith('messages') ? 'DELETE' : 'POST';
      expect(
        errorOf(await as(ada)(method, `/v1/messaging/${path}`, method === 'POST' ? { body: 'B' } : undefined)),
      ).toEqual([400, 'invalid_request', 'id']);
    },
  );
});

describe('a retry', () => {
  test('writes once under its key, separately for two shoppers', async () => {
    const { thread } = await begin(as(ada));
    const retry = { 'Idempotency-Key': 'once' };
    const path = `/v1/messaging/threads/${thread.id}/messages`;
    const [first, second] = [
      await as(ada)('POST', path, { body: 'B' }, retry),
      await as(ada)('POST', path, { body: 'B' }, retry),
    ];
    expect(second.body).toEqual({ ...first.body, idempotent: true });
    const store = await asStore()('POST', path, { body: 'B' }, retry);
    expect([store.body.idempotent, store.body.message.sender]).toEqual([undefined, 'store']);
    expect(await messagesOf(as(ada), thread.id)).toHaveLength(3);
    const opened = [];
    for (const shopper of [ada, ada, eve])
      opened.push(await made(as(shopper)('POST', '/v1/messaging/threads', { subject: 'S', body: 'B' }, retry)));
    expect(opened.map(({ thread: { customer_id } }) => customer_id)).toEqual([ada.id, ada.id, eve.id]);
    expect(opened[1].thread.id).toBe(opened[0].thread.id);
  });
});

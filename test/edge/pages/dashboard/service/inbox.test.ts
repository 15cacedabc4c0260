// The service inbox in a real browser: a return, a dispute, a review and a conversation are answered.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { join } from '#test/services/staff/client.ts';
import { type Browser, chromiumProgram, openBrowser } from '#test/support/browser.ts';
import { visitDashboard } from '#test/support/dashboard.ts';
import { eventually } from '#test/support/server.ts';
import { type Keys, type Reply, type Stoa, sharedStoa } from '#test/support/stoa.ts';

const program = chromiumProgram();
const ADDRESS = { line1: '12 Moi Avenue', city: 'Nairobi', postal_code: '00100', country: 'KE' };

describe.skipIf(!program)('the service inbox', { timeout: 120_000 }, () => {
  let stoa: Stoa;
  let keys: Keys;
  let browser: Browser;
  let customer: Record<string, string>;
  let product: string;
  let order: string;
  const { read, shows, press, fill, signInAs, goTo, checkLooks } = visitDashboard(
    () => browser.page,
    () => stoa.url,
  );
  const done = async (reply: Promise<Reply>): Promise<Reply['body']> => {
    const { status, body, text } = await reply;
    expect(status, text).toBeLessThan(300);
    return body;
  };
  const merchant = (method: string, path: string, body?: unknown): Promise<Reply['body']> =>
    done(stoa.send(method, path, { key: keys.secret_key, body, signWith: keys.hmac_secret }));
  const shopper = (path: string, body: unknown): Promise<Reply['body']> =>
    done(stoa.send('POST', path, { key: keys.secret_key, body, headers: customer }));
  const submit = (): Promise<unknown> => read(`document.querySelector('dialog form, main form').requestSubmit()`);

  beforeAll(async () => {
    stoa = await sharedStoa();
    keys = await stoa.createStore({ plan: 'growth' });
    browser = await openBrowser(program!);
    await browser.page.resize(1280, 900);
    const made = await merchant('POST', '/v1/products', { name: 'Lamp', price: 10, stock: 10, weight_grams: 100 });
    product = made.id;
    const account = await merchant('POST', '/v1/auth/register', {
      email: 'ada@example.com',
      password: 'correct horse battery',
      first_name: 'Ada',
    });
    customer = { 'x-auth-token': account.session.access_token };
    const placed = await merchant('POST', '/v1/orders', {
      items: [{ variant_id: made.variant_id, quantity: 2 }],
      customer_id: account.customer.id,
      shipping_address: ADDRESS,
    });
    order = placed.order.id;
    await merchant('PATCH', `/v1/orders/${order}`, { payment_status: 'paid' });
    await merchant('PATCH', `/v1/orders/${order}`, { order_status: 'delivered' });
    await signInAs((await join(stoa, keys, 'support')).cookie, 'service');
  }, 90_000);
  afterAll(async () => {
    await browser?.close();
  });

  test('leads a return from its request to the refund', async () => {
    const { data } = await shopper(`/v1/orders/${order}/returns`, { reason_code: 'damaged' });
    await goTo('service?kind=returns&status=requested');
    await shows('table', /Damaged/);
    await checkLooks('service');
    await goTo(`service/returns/${data.id}`);
    await shows('main h1', 'Return: Damaged');
    await press('Approve');
    await submit();
    await press('Mark as received');
    await submit();
    await press('Refund');
    await submit();
    await shows('.page-head', /Refunded/);
    expect((await merchant('GET', `/v1/orders/${order}`)).order.amount_refunded).toBe(20);
    await checkLooks('return');
  });

  test('rejects a dispute', async () => {
    const { data } = await shopper('/v1/disputes', {
      order_id: order,
      reason_code: 'item_not_received',
      description: 'One of two lamps is missing.',
    });
    await goTo(`service/disputes/${data.id}`);
    await shows('main', /One of two lamps is missing/);
    await press('Begin the review');
    await shows('.page-head', /Under review/);
    await fill('Settlement', 'rejected');
    await checkLooks('dispute');
    await press('Settle the dispute');
    await shows('.page-head', /Rejected/);
  });

  test('approves a review', async () => {
    const { review } = await shopper('/v1/reviews', {
      product_id: product,
      rating: 4,
      title: 'Warm light',
      body: 'Good.',
    });
    await goTo('service?kind=reviews&status=pending');
    await shows('table', /Warm light/);
    await goTo(`service/reviews/${review.id}`);
    await shows('main h1', 'Warm light');
    await press('Approve');
    await shows('.page-head', /Approved/);
    await checkLooks('review');
  });

  test('answers a conversation and marks it as read', async () => {
    const { thread } = await shopper('/v1/messaging/threads', { subject: 'My lamp', body: 'Where is my lamp?' });
    await goTo('service?kind=messages&unread=true');
    await shows('table', /My lamp/);
    await goTo(`service/messages/${thread.id}`);
    await shows('.messages', /Where is my lamp/);
    await fill('Message', 'It is on its way.');
    await press('Send');
    await shows('.messages', /It is on its way/);
    await checkLooks('conversation');
    await eventually(async () => {
      const { threads } = await merchant('GET', '/v1/messaging/threads?unread=true');
      expect(threads).toEqual([]);
    });
  });
});

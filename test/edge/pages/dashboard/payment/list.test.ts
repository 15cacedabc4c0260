// Payments in the dashboard, in a real browser: an authorised payment is captured in part, in whole, and voided.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { StoreOrder } from '#proto/gen/order.ts';
import { join } from '#test/services/staff/client.ts';
import { type Browser, chromiumProgram, openBrowser } from '#test/support/browser.ts';
import { visitDashboard } from '#test/support/dashboard.ts';
import { eventually } from '#test/support/server.ts';
import { type Keys, type Reply, type Stoa, sharedStoa } from '#test/support/stoa.ts';

const program = chromiumProgram();

describe.skipIf(!program)('the payments of the dashboard', { timeout: 120_000 }, () => {
  let stoa: Stoa;
  let keys: Keys;
  let browser: Browser;
  let variant: string;
  const { read, shows, press, fill, signInAs, goTo, checkLooks } = visitDashboard(
    () => browser.page,
    () => stoa.url,
  );
  const write = async (method: string, path: string, body?: unknown): Promise<Reply> => {
    const sent = { key: keys.secret_test_key, signWith: keys.hmac_test_secret };
    const reply = await stoa.send(method, path, { ...sent, ...(body === undefined ? {} : { body }) });
    expect(reply.status, reply.text).toBeLessThan(300);
    return reply;
  };
  const orderOf = async ({ id }: StoreOrder): Promise<StoreOrder> =>
    (await write('GET', `/v1/orders/${id}`)).body.order;
  const authorized = async (): Promise<{ order: StoreOrder; reference: string }> => {
    const items = [{ variant_id: variant, quantity: 2 }];
    const { order } = (await write('POST', '/v1/orders', { items, email: 'ada@example.com' })).body;
    const { reference } = (
      await write('POST', '/v1/payments/initialize', {
        provider: 'card_checkout',
        capture: 'manual',
        amount: order.amount_due,
        email: order.email,
        order_id: order.id,
      })
    ).body;
    await write('POST', `/v1/sandbox/payments/${reference}`, { outcome: 'succeed' });
    await eventually(async () => expect((await orderOf(order)).payment_status).toBe('authorized'));
    return { order, reference };
  };
  const submit = (): Promise<unknown> => read(`document.querySelector('dialog form').requestSubmit()`);

  beforeAll(async () => {
    stoa = await sharedStoa();
    keys = await stoa.createStore();
    const product = { name: 'Lamp', price: 20, stock: 100, shipping_info: { requires_shipping: false } };
    variant = (await write('POST', '/v1/products', product)).body.variant_id;
    browser = await openBrowser(program!);
    await browser.page.resize(1280, 900);
    await signInAs((await join(stoa, keys, 'owner')).cookie, 'sandbox/payments');
  }, 90_000);
  afterAll(async () => {
    await browser?.close();
  });

  test('captures a part of an authorised payment on its order', async () => {
    const { order } = await authorized();
    await goTo(`orders/${order.id}`);
    await shows('main h1', `Order ${order.order_number}`);
    await shows('main', /Authorized/);
    await checkLooks('authorised-order');
    await press('Capture');
    await fill('Amount to capture', '25');
    await shows('dialog', /15\.00 goes back to the customer/);
    await checkLooks('capture');
    await submit();
    await eventually(async () =>
      expect(await orderOf(order)).toMatchObject({ payment_status: 'paid', amount_paid: 25, amount_released: 15 }),
    );
    await shows('main', /Released/);
  });

  test('captures a payment in whole from the list, and refuses more at the field', async () => {
    const { order, reference } = await authorized();
    await goTo('payments?status=authorized');
    await shows('table', new RegExp(reference));
    await checkLooks('authorised-payments');
    await press('Capture');
    await fill('Amount to capture', '41');
    expect(await read(`document.querySelector('dialog button[type=submit]').disabled`)).toBe(true);
    await fill('Amount to capture', '40');
    await submit();
    await eventually(async () => expect((await orderOf(order)).payment_status).toBe('paid'));
  });

  test('voids a payment after a question', async () => {
    const { order } = await authorized();
    await goTo(`orders/${order.id}`);
    await shows('main h1', `Order ${order.order_number}`);
    await press('Void');
    await shows('dialog', /is released to the customer/);
    await checkLooks('void');
    await press('Void the payment');
    await eventually(async () => expect((await orderOf(order)).payment_status).toBe('voided'));
    expect(browser.page.complaints).toEqual([]);
  });
});

// Orders in the dashboard, in a real browser: found, shipped, refunded, cancelled, taken by hand.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  basket,
  createSingleProductStore,
  placeOrder,
  type SingleProductStore,
} from '#test/services/order/single_product_store.ts';
import { join, PASSWORD } from '#test/services/staff/client.ts';
import { type Browser, chromiumProgram, openBrowser } from '#test/support/browser.ts';
import { visitDashboard } from '#test/support/dashboard.ts';
import { eventually } from '#test/support/server.ts';
import { type Stoa, sharedStoa } from '#test/support/stoa.ts';

const program = chromiumProgram();
const ADDRESS = { line1: '12 Moi Avenue', city: 'Nairobi', postal_code: '00100', country: 'KE' };

describe.skipIf(!program)('the orders of the dashboard', { timeout: 120_000 }, () => {
  let stoa: Stoa;
  let shop: SingleProductStore;
  let browser: Browser;
  const { read, shows, press, click, type, fill, signInAs, goTo, checkLooks } = visitDashboard(
    () => browser.page,
    () => stoa.url,
  );
  const orderOf = async (id: string) => (await shop.read(`/v1/orders/${id}`)).body.order;
  const placed = async (email = 'ada@example.com') => {
    const order = await placeOrder(shop, { ...basket(shop, 2), email, shipping_address: ADDRESS });
    return order;
  };
  const paid = async () => {
    const order = await placed();
    const reply = await shop.sign('PATCH', `/v1/orders/${order.id}`, { payment_status: 'paid' });
    expect(reply.status, reply.text).toBe(200);
    return order;
  };

  beforeAll(async () => {
    stoa = await sharedStoa();
    shop = await createSingleProductStore(stoa, {
      stock: 100,
      sku: 'GIFT-1',
      weight_grams: 100,
      shipping_info: { requires_shipping: true },
    });
    browser = await openBrowser(program!);
    await browser.page.resize(1280, 900);
    await signInAs((await join(stoa, shop, 'orders')).cookie, 'orders');
  }, 90_000);
  afterAll(async () => {
    await browser?.close();
  });

  test('searches orders by the beginning of an e-mail address', async () => {
    await placed('grace@example.com');
    await placed('ada@example.com');
    await goTo('orders?search=grace');
    await shows('table', /grace@example\.com/);
    expect(await read<string>(`document.querySelector('table').textContent`)).not.toContain('ada@');
    await goTo('orders');
    await shows('table', /ada@example\.com/);
    await checkLooks('orders');
  });

  test('ships an order with a tracking number', async () => {
    const order = await paid();
    await goTo(`orders/${order.id}`);
    await shows('main h1', `Order ${order.order_number}`);
    await press('Ship');
    await fill('Carrier', 'DHL');
    await fill('Tracking number', '00340434161094042557');
    await read(`document.querySelector('dialog form').requestSubmit()`);
    await shows('.time-line', /Shipped with DHL, 00340434161094042557/);
    expect((await orderOf(order.id)).order_status).toBe('shipped');
    await checkLooks('order');
  });

  test('refunds an amount, and shows a refusal at its field', async () => {
    const order = await paid();
    await goTo(`orders/${order.id}`);
    await shows('main h1', `Order ${order.order_number}`);
    await press('More');
    await press('Refund');
    await fill('Amount', '1000');
    await read(`document.querySelector('dialog form').requestSubmit()`);
    await shows('dialog .refusal', /./);
    await fill('Amount', '5');
    await fill('Reason', 'Came too late');
    await read(`document.querySelector('dialog form').requestSubmit()`);
    await shows('.time-line', /Refund of .*5\.00.*Came too late/);
    expect((await orderOf(order.id)).amount_refunded).toBe(5);
  });

  test('refunds units of a line, with and without their return to stock', async () => {
    const order = await paid();
    const onHand = async () => (await shop.read(`/v1/inventory?variant_ids=${shop.variant}`)).body.inventory[0].on_hand;
    const before = await onHand();
    const refundUnit = async (restock: boolean, reason: string) => {
      await press('More');
      await press('Refund');
      await fill('Units of Gift wrap', '1');
      await shows('dialog label', /Put these units back into stock/);
      if (!restock) await read(`document.querySelector('dialog input[type=checkbox]').click()`);
      await fill('Reason', reason);
      await read(`document.querySelector('dialog form').requestSubmit()`);
      await shows('.time-line', new RegExp(`Refund of .*10\\.00.*${reason}`));
    };
    await goTo(`orders/${order.id}`);
    await shows('main h1', `Order ${order.order_number}`);
    await refundUnit(true, 'Too small');
    await eventually(async () => expect(await onHand()).toBe(before + 1));
    await refundUnit(false, 'Came broken');
    expect((await orderOf(order.id)).amount_refunded).toBe(20);
    expect(await onHand()).toBe(before + 1);
  });

  test('cancels an order after a question', async () => {
    const order = await placed();
    await goTo(`orders/${order.id}`);
    await shows('main h1', `Order ${order.order_number}`);
    await press('More');
    await press('Cancel the order');
    await shows('dialog', /go back into stock/);
    await press('Cancel the order');
    await eventually(async () => expect((await orderOf(order.id)).order_status).toBe('cancelled'));
  });

  test('takes an order by hand', async () => {
    await goTo('orders/new');
    await shows('main h1', 'New order');
    await fill('Find a product', 'gift');
    await press('Add Gift wrap');
    await fill('E-mail', 'counter@example.com');
    await fill('Address', '12 Moi Avenue');
    await fill('City', 'Nairobi');
    await fill('Country', 'KE');
    await checkLooks('new-order');
    await press('Place the order');
    await shows('main h1', /^Order \d+$/);
    const [order] = (await shop.read('/v1/orders?search=counter@example.com')).body.orders;
    expect(order).toMatchObject({ email: 'counter@example.com', total_amount: 10 });
  });

  test('makes a payment link for an order taken by hand, which pays it', async () => {
    await signInAs((await join(stoa, shop, 'orders')).cookie, 'sandbox/orders/new');
    const product = { name: 'Gift wrap', price: 10, stock: 5, shipping_info: { requires_shipping: false } };
    const made = await stoa.send('POST', '/v1/products', { key: shop.secret_test_key, body: product });
    expect(made.status, made.text).toBe(201);
    await shows('main h1', 'New order');
    expect(
      await read(
        `[...document.querySelectorAll('button')].find((each) => each.textContent === 'Place the order').disabled`,
      ),
    ).toBe(true);
    await fill('Find a product', 'gift');
    await press('Add Gift wrap');
    await fill('E-mail', 'phone@example.com');
    await read(
      `[...document.querySelectorAll('label')].find((each) => each.textContent === 'The order is delivered').click()`,
    );
    await press('Place the order');
    await shows('main h1', /^Order \d+$/);
    await shows('.page-head', /Pending/);
    const url = await read<string>('location.href');
    await press('More');
    await press('Payment link');
    await shows('dialog option', /./);
    await press('Make a link over $10.00');
    await shows('dialog', /Send this link to phone@example\.com\. It works until/);
    await checkLooks('payment-link');
    await browser.page.resize(1280, 900);
    await browser.page.open(await read<string>(`document.querySelector('dialog input').value`));
    await click('button[value=succeed]');
    await eventually(async () => expect(await read('document.body.textContent')).not.toContain('Approve the payment'));
    await eventually(async () => {
      await browser.page.open(url);
      await shows('.page-head', /Confirmed.*Paid/);
    });
    await shows('.time-line', /Payment of \$10\.00/);
    await signInAs((await join(stoa, shop, 'orders')).cookie, 'orders');
  });

  test('prints a packing slip without prices and an invoice with prices', async () => {
    const order = await paid();
    await goTo(`orders/${order.id}/slip`);
    await shows('main h1', `Packing slip ${order.order_number}`);
    expect(await read<string>(`document.querySelector('.paper').textContent`)).not.toContain('10.00');
    await goTo(`orders/${order.id}/invoice`);
    await shows('main h1', `Invoice ${order.order_number}`);
    await shows('.paper', /20\.00/);
    await checkLooks('invoice');
  });

  test('shows an analyst no button', async () => {
    const order = await paid();
    await signInAs((await join(stoa, shop, 'analyst')).cookie, `orders/${order.id}`);
    await shows('main h1', `Order ${order.order_number}`);
    expect(await read<string>(`document.querySelector('.page-head').textContent`)).not.toContain('Ship');
    // The refused refunds are the only failed calls.
    expect(browser.page.complaints.filter((text) => !text.includes('/refunds'))).toEqual([]);
  });

  test('retains a refund’s input when the session ends', async () => {
    const order = await paid();
    await signInAs((await join(stoa, shop, 'orders')).cookie, `orders/${order.id}`);
    await shows('main h1', `Order ${order.order_number}`);
    await press('More');
    await press('Refund');
    await fill('Amount', '3');
    await fill('Reason', 'A scratch');
    const headers = `{ 'X-Stoa-Dashboard': 'production' }`;
    await read(`window.ended = 0; fetch('/v1/staff/session', { method: 'DELETE', headers: ${headers} })
      .then(({ status }) => { window.ended = status; }); 0`);
    await eventually(async () => expect(await read('window.ended')).toBe(200));
    await read(`document.querySelector('dialog form').requestSubmit()`);
    await shows('dialog', 'Your session has ended. Your input is still here.');
    await type('dialog #password', PASSWORD);
    await click('dialog:last-of-type form:has(#password) button[type=submit]');
    await shows('.time-line', /Refund of .*3\.00.*A scratch/);
    expect((await orderOf(order.id)).amount_refunded).toBe(3);
  });
});

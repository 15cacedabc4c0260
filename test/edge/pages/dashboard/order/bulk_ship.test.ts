// The list of orders in a real browser: found by number, address and SKU, its filters and columns in the address, several
// shipped at once, and CSV files.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { StoreOrder } from '#proto/gen/order.ts';
import {
  basket,
  createSingleProductStore,
  placeOrder,
  type SingleProductStore,
} from '#test/services/order/single_product_store.ts';
import { join } from '#test/services/staff/client.ts';
import { type Browser, chromiumProgram, openBrowser } from '#test/support/browser.ts';
import { visitDashboard } from '#test/support/dashboard.ts';
import { eventually } from '#test/support/server.ts';
import { type Stoa, sharedStoa } from '#test/support/stoa.ts';

const program = chromiumProgram();
const ADDRESS = { line1: '12 Moi Avenue', city: 'Nairobi', postal_code: '00100', country: 'KE' };

describe.skipIf(!program)('the list of orders', { timeout: 120_000 }, () => {
  let stoa: Stoa;
  let shop: SingleProductStore;
  let browser: Browser;
  let ada: StoreOrder;
  let grace: StoreOrder;
  let open: StoreOrder;
  const { read, shows, press, click, fill, signInAs, goTo, checkLooks } = visitDashboard(
    () => browser.page,
    () => stoa.url,
  );
  const statusOf = async ({ id }: StoreOrder): Promise<string> =>
    (await shop.read(`/v1/orders/${id}`)).body.order.order_status;
  const placed = (email: string) => placeOrder(shop, { ...basket(shop, 2), email, shipping_address: ADDRESS });
  const paid = async (email: string): Promise<StoreOrder> => {
    const order = await placed(email);
    const reply = await shop.sign('PATCH', `/v1/orders/${order.id}`, { payment_status: 'paid' });
    expect(reply.status, reply.text).toBe(200);
    return order;
  };
  const listed = () => read<string>(`document.querySelector('table')?.textContent ?? ''`);
  const showsOnly = (one: StoreOrder, ...others: readonly StoreOrder[]): Promise<void> =>
    eventually(async () => {
      const text = await listed();
      expect(text).toContain(`#${one.order_number}`);
      for (const other of others) expect(text).not.toContain(`#${other.order_number}`);
    });
  /** Collects the texts of files that the page saves. */
  const catchFiles = (): Promise<unknown> =>
    read(
      `window.files = []; URL.createObjectURL = (blob) => { blob.text().then((text) => window.files.push(text)); return '#'; }; 0`,
    );
  const savedRows = async (): Promise<string[]> => {
    const text = await eventually(async () => {
      const last = await read<string | undefined>('window.files.at(-1)');
      expect(last).toBeDefined();
      return last!;
    });
    await read('window.files = []');
    return text.trim().split('\r\n');
  };

  beforeAll(async () => {
    stoa = await sharedStoa();
    shop = await createSingleProductStore(stoa, {
      stock: 100,
      sku: 'GIFT-1',
      weight_grams: 100,
      shipping_info: { requires_shipping: true },
    });
    [ada, grace, open] = [
      await paid('ada@example.com'),
      await paid('grace@example.com'),
      await placed('joan@example.com'),
    ];
    browser = await openBrowser(program!);
    await browser.page.resize(1280, 900);
    await signInAs((await join(stoa, shop, 'orders')).cookie, 'orders');
  }, 90_000);
  afterAll(async () => {
    await browser?.close();
  });

  test('finds orders by number, e-mail address and SKU', async () => {
    await shows('table', new RegExp(`#${open.order_number}`));
    await fill('Search', String(grace.order_number));
    await showsOnly(grace, ada, open);
    await fill('Search', 'joan@');
    await showsOnly(open, ada, grace);
    await fill('Search', 'GIFT-1');
    await shows('table', new RegExp(`#${grace.order_number}.*#${ada.order_number}`));
    await fill('Search', 'GIFT-2');
    await shows('.empty', 'No order matches');
    await fill('Search', '');
  });

  test('keeps filters and columns in the address, for another person to open', async () => {
    await goTo('orders');
    await fill('Payment', 'pending');
    await showsOnly(open, ada, grace);
    await fill('Payment', '');
    await fill('Status', 'confirmed');
    await shows('table', new RegExp(`#${ada.order_number}`));
    await goTo('orders?order_status=confirmed&to=2020-01-01');
    await shows('.empty', 'No order matches');
    await goTo('orders?order_status=confirmed');
    await shows('thead', /Placed.*Total/);
    await click('.column-choice summary');
    await checkLooks('orders-columns');
    await browser.page.resize(1280, 900);
    const choose = (name: string) =>
      read(
        `[...document.querySelectorAll('.column-choice label')].find((each) => each.textContent === '${name}').click()`,
      );
    await choose('City');
    await choose('Placed');
    await shows('table', /Nairobi/);
    const url = await read<string>('location.href');
    await browser.page.open(`${stoa.url}/dashboard`);
    await browser.page.open(url);
    await showsOnly(ada, open);
    await shows('table', /Nairobi/);
    expect(await read(`document.querySelector('thead').textContent`)).not.toContain('Placed');
    expect(
      await read(`[...document.querySelectorAll('label')].find((each) => each.textContent === 'Status').control.value`),
    ).toBe('confirmed');
  });

  test('saves the selected orders and the filtered ones as CSV', async () => {
    await goTo('orders');
    await shows('table', new RegExp(`#${ada.order_number}`));
    await catchFiles();
    await press('CSV');
    const all = await savedRows();
    expect(all).toHaveLength(4);
    expect(all[0]).toMatch(/^Number,Placed,Status,Payment,E-mail,/);
    expect(all[1]).toMatch(new RegExp(`^${open.order_number},.*,pending,pending,joan@example\\.com,2,USD,20,`));
    await click(`input[aria-label="Select order ${grace.order_number}"]`);
    await read(
      `[...document.querySelectorAll('.selection-bar button')].find((each) => each.textContent === 'CSV').click()`,
    );
    const selected = await savedRows();
    expect(selected.slice(1)).toEqual([expect.stringMatching(new RegExp(`^${grace.order_number},.*grace@`))]);
    await press('Select none');
    await fill('Payment', 'pending');
    await showsOnly(open, ada, grace);
    await press('CSV');
    expect((await savedRows()).slice(1)).toEqual([expect.stringMatching(/joan@example\.com/)]);
    await fill('Payment', '');
  });

  test('ships several orders at once, and leaves a refused one with its reason', async () => {
    await shows('table', new RegExp(`#${ada.order_number}`));
    for (const { order_number } of [ada, grace, open]) await click(`input[aria-label="Select order ${order_number}"]`);
    await shows('.selection-bar', '3 selected');
    await press('Ship');
    // The unpaid one is not ready to ship.
    await shows('dialog h2', 'Ship 2 orders');
    await checkLooks('orders-bulk-ship');
    await browser.page.resize(1280, 900);
    await fill('Carrier', 'DHL');
    await fill(`Tracking number of #${ada.order_number}`, 'A-1');
    await fill(`Tracking number of #${grace.order_number}`, 'G-1');
    const cancelled = await shop.sign('PATCH', `/v1/orders/${grace.id}`, { order_status: 'cancelled' });
    expect(cancelled.status, cancelled.text).toBe(200);
    await press('Ship 2');
    await shows('dialog .refusal', /cancelled/);
    expect(await read(`document.querySelector('dialog').textContent`)).not.toContain(`#${ada.order_number}`);
    expect(await statusOf(ada)).toBe('shipped');
    await press('Close');
    await eventually(async () => expect(await read(`document.querySelector('.selection-bar')`)).toBeNull());
    await shows('table', new RegExp(`#${ada.order_number}.*Shipped`));
    expect(browser.page.complaints.filter((text) => !text.includes('/shipments'))).toEqual([]);
  });
});

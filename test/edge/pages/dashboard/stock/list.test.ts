// Stock in the dashboard, in a real browser: searched, filtered, adjusted, undone, with its history.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
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

describe.skipIf(!program)('the stock of the dashboard', { timeout: 120_000 }, () => {
  let stoa: Stoa;
  let shop: SingleProductStore;
  let browser: Browser;
  const { read, shows, press, fill, signInAs, goTo, checkLooks } = visitDashboard(
    () => browser.page,
    () => stoa.url,
  );
  const onHand = async () => (await shop.read(`/v1/inventory/${shop.variant}`)).body.inventory.on_hand;
  const submit = () => read(`document.querySelector('dialog form').requestSubmit()`);

  beforeAll(async () => {
    stoa = await sharedStoa();
    shop = await createSingleProductStore(stoa, {
      name: 'Gift box',
      stock: 100,
      sku: 'GIFT-1',
      low_stock_threshold: 5,
    });
    const second = await shop.write('POST', '/v1/products', {
      name: 'Rare lamp',
      price: 3,
      stock: 1,
      low_stock_threshold: 4,
    });
    expect(second.status, second.text).toBe(201);
    browser = await openBrowser(program!);
    await browser.page.resize(1280, 900);
    await signInAs((await join(stoa, shop, 'catalogue')).cookie, 'stock');
  }, 90_000);
  afterAll(async () => {
    await browser?.close();
  });

  test('lists levels, and filters them by SKU and low stock in the address', async () => {
    await shows('table', /Gift box.*GIFT-1.*100/);
    await shows('table', /Rare lamp.*Low/);
    await checkLooks('stock');
    await goTo('stock?level=low');
    await eventually(async () =>
      expect(await read(`document.querySelector('table').textContent`)).not.toContain('Gift box'),
    );
    await shows('table', /Rare lamp/);
    await goTo('stock?search=gift-');
    await eventually(async () =>
      expect(await read(`document.querySelector('table').textContent`)).not.toContain('Rare lamp'),
    );
    await shows('table', /Gift box/);
  });

  test('refuses to take more than is on hand, then takes less, and undoes it', async () => {
    await goTo('stock?search=gift');
    await shows('table', /GIFT-1/);
    await press('Adjust Gift box');
    await fill('Units', '-500');
    await submit();
    await shows('dialog [role=alert]', /Only 100 are on hand/);
    await fill('Units', '-3');
    await fill('Reason', 'Broken on the way');
    await checkLooks('stock-adjust');
    await submit();
    await eventually(async () => expect(await onHand()).toBe(97));
    await shows('table', /97/);
    await press('Undo');
    await eventually(async () => expect(await onHand()).toBe(100));
    await shows('table', /100/);
  });

  test('shows the adjustments and the orders of a variant, and sets it to a counted number', async () => {
    const order = await placeOrder(shop, basket(shop, 2));
    await goTo(`stock/${shop.variant}`);
    await shows('main h1', 'Gift box');
    await shows('main', /Undone: Broken on the way/);
    await press('Adjust');
    await fill('How', 'to');
    await fill('Units', '40');
    await fill('Reason', 'Yearly count');
    await submit();
    await shows('main', /Yearly count/);
    await shows('.facts', /On hand40/);
    expect(await onHand()).toBe(40);
    await signInAs((await join(stoa, shop, 'manager')).cookie, `stock/${shop.variant}`);
    await shows('main', new RegExp(`#${order.order_number}`));
    await checkLooks('stock-level');
  });

  test('shows what holds units of a variant, until the checkout becomes an order', async () => {
    const { body } = await shop.write('POST', '/v1/agent/checkout-intents', basket(shop, 3));
    const { id } = body.data;
    await goTo('stock');
    await goTo(`stock/${shop.variant}`);
    await shows('table[aria-label="Holds"]', new RegExp(`Checkout.*${id}`));
    await shows('.facts', /Held3/);
    await checkLooks('stock-hold');
    const order = await placeOrder(shop, { checkout_intent_id: id });
    expect(order.items.map(({ quantity }) => quantity)).toEqual([3]);
    await eventually(async () => {
      await goTo('stock');
      await goTo(`stock/${shop.variant}`);
      await shows('main', /Nothing holds it/);
    });
  });

  test('books an adjustment once the telephone is connected again, and books it once', async () => {
    const before = await onHand();
    await goTo('stock?search=gift-');
    await shows('table', /Gift box/);
    await press('Adjust Gift box');
    await fill('Units', '3');
    await fill('Reason', 'Found in the store room');
    await browser.page.connect(false);
    await submit();
    await shows('dialog button[aria-busy]', 'Adjust');
    await browser.page.connect(true);
    await eventually(async () => expect(await read(`document.querySelector('dialog')`)).toBeNull());
    expect(await onHand()).toBe(before + 3);
  });

  test('shows an analyst no button', async () => {
    await signInAs((await join(stoa, shop, 'analyst')).cookie, 'stock');
    await shows('table', /GIFT-1/);
    expect(await read<string>(`document.querySelector('table').textContent`)).not.toContain('Adjust');
    // The refused adjustment is the only failed call.
    expect(browser.page.complaints.filter((text) => !text.includes('/adjustments'))).toEqual([]);
  });
});

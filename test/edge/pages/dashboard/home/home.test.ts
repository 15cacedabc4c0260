// Home in a real browser: sales of each period against the time before, and work that waits, in both themes and widths.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { server } from '#proto/client/server.ts';
import { type Browser, chromiumProgram, openBrowser } from '#test/support/browser.ts';
import { visitDashboard } from '#test/support/dashboard.ts';
import { KENYA } from '#test/support/marketplace.ts';
import { eventually } from '#test/support/server.ts';
import { type Keys, type Stoa, sharedStoa } from '#test/support/stoa.ts';

const program = chromiumProgram();

describe.skipIf(!program)('home', { timeout: 120_000 }, () => {
  let stoa: Stoa;
  let keys: Keys;
  let browser: Browser;
  const { checkLooks, read, shows, signIn, click } = visitDashboard(
    () => browser.page,
    () => stoa.url,
  );

  const sell = async (): Promise<void> => {
    const { secret_test_key: key, hmac_test_secret: hmacSecret } = keys;
    const back = server({ url: stoa.url, key, hmacSecret });
    const product = await back.products.create({ name: 'Lamp', price: 10, stock: 5 });
    await back.products.create({ name: 'Rare vase', price: 3, stock: 1, low_stock_threshold: 4 });
    const { order } = await back.orders.create({
      items: [{ variant_id: product.variant_id!, quantity: 2 }],
      email: 'ada@example.com',
      shipping_address: KENYA,
    });
    const payment = await back.payments.initialize({
      provider: 'card_checkout',
      amount: order.amount_due,
      email: 'ada@example.com',
      order_id: order.id,
    });
    await back.sandbox.payments.settle({ reference: payment.reference, outcome: 'succeed' });
    // A report is a moment behind the orders, and a page reads it once.
    await eventually(async () => expect((await back.reports.sales.get()).sales.total.total).toBe(20));
  };

  beforeAll(async () => {
    stoa = await sharedStoa();
    keys = await stoa.createStore();
    await sell();
    browser = await openBrowser(program!);
    await browser.page.resize(1280, 900);
  }, 90_000);
  afterAll(async () => {
    await browser?.close();
  });

  test('shows sales of a period that the address names', async () => {
    await signIn(keys.secret_test_key, 'sandbox');
    await shows('.figures', /Sales\$20\.00before: \$0\.00/);
    await click('.periods button');
    await shows('.figures', /Orders1before: 0/);
    expect(await read('location.search')).toBe('?days=1');
  });

  test('counts work that waits, and leads to it', async () => {
    await shows('.waiting-card', /1Orders to ship/);
    await shows('.waiting-card', /0Failing webhooks/);
    expect(await read(`document.querySelector('.waiting-card').getAttribute('href')`)).toBe(
      '/dashboard/sandbox/orders?order_status=confirmed',
    );
  });

  test('leads from the count of products low in stock to these products', async () => {
    // Three lamps are left. A product without a threshold has the store's, which is five.
    await shows('.waiting-card', /2Products low in stock/);
    await read(
      `[...document.querySelectorAll('.waiting-card')].find((each) => each.textContent.includes('low in stock')).click()`,
    );
    await shows('.frame main h1', 'Products');
    expect(await read('location.search')).toBe('?stock=low');
    await shows('table', /Rare vase.*Lamp/);
    await read('history.back()');
    await shows('.frame main h1', 'Home');
  });

  test('fits both widths and is accessible in both themes', async () => {
    await checkLooks('home');
    expect(browser.page.complaints).toEqual([]);
  });
});

// Home in a real browser: sales of each period against the time before, and work that waits, in both themes and widths.
import { mkdirSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { server } from '#proto/client/server.ts';
import { isAccessible } from '#test/support/axe.ts';
import { type Browser, chromiumProgram, openBrowser } from '#test/support/browser.ts';
import { visitDashboard } from '#test/support/dashboard.ts';
import { KENYA } from '#test/support/marketplace.ts';
import { type Keys, type Stoa, sharedStoa } from '#test/support/stoa.ts';

const program = chromiumProgram();

describe.skipIf(!program)('home', { timeout: 120_000 }, () => {
  let stoa: Stoa;
  let keys: Keys;
  let browser: Browser;
  const { read, shows, signIn, goTo, click, fits } = visitDashboard(
    () => browser.page,
    () => stoa.url,
  );

  const sell = async (): Promise<void> => {
    const { secret_test_key: key, hmac_test_secret: hmacSecret } = keys;
    const back = server({ url: stoa.url, key, hmacSecret });
    const product = await back.products.create({ name: 'Lamp', price: 10, stock: 5 });
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

  test.each([
    [390, 'phone'],
    [1280, 'desk'],
  ])('is accessible at %i pixels, in light and dark', async (width, name) => {
    await browser.page.resize(width, 844);
    await goTo('');
    await shows('.figures', 'Sales');
    await fits();
    await isAccessible(browser.page);
    const folder = process.env.STOA_PICTURES;
    if (folder)
      for (const shade of ['light', 'dark'] as const) {
        mkdirSync(folder, { recursive: true });
        await browser.page.theme(shade);
        await Bun.sleep(300);
        writeFileSync(`${folder}/Sales-${name}-${shade}.png`, Buffer.from(await browser.page.picture(), 'base64'));
      }
    expect(browser.page.complaints).toEqual([]);
  });
});

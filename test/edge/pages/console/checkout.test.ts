// Checkouts over several merchants in the console, in a real browser on a phone's width: their operator sees what each merchant's
// order stands at, and pays one in the sandbox; a merchant sees which of its orders belong to one.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Browser, chromiumProgram, openBrowser } from '#test/support/browser.ts';
import { visitConsole } from '#test/support/console.ts';
import { type Marketplace, openMarketplace } from '#test/support/marketplace.ts';
import { type Stoa, sharedStoa } from '#test/support/stoa.ts';

const program = chromiumProgram();

describe.skipIf(!program)('checkouts in the console', { timeout: 120_000 }, () => {
  let stoa: Stoa;
  let marketplace: Marketplace;
  let browser: Browser;
  const { read, shows, press, signIn, fitsPhone } = visitConsole(
    () => browser.page,
    () => stoa.url,
  );
  const rooms = () => read<string[]>('[...document.querySelectorAll("nav button")].map((b) => b.textContent)');
  beforeAll(async () => {
    stoa = await sharedStoa();
    marketplace = await openMarketplace(stoa, { store: { name: 'Kiosk on the Quay' } });
    browser = await openBrowser(program!);
    await browser.page.resize(360, 640);
  }, 90_000);
  afterAll(async () => {
    await browser?.close();
  });

  test('lists checkouts for their operator and pays one in the sandbox', async () => {
    await signIn(marketplace.operator.operator_test_key);
    await shows('#store', 'Operator');
    expect(await rooms()).toEqual(['Checkouts']);
    await shows('#groups', 'No checkout over several merchants was placed yet.');
    const { checkout } = (await marketplace.checkout()).body;
    await shows('#groups summary', /20.00 USD 2 merchants.*pending/);
    await read(`document.querySelector('#groups summary').click()`);
    await shows('#groups td', /Kiosk on the Quay.*pending, pending.*1001/);
    await fitsPhone();
    await press('Pay 20.00 USD, simulated');
    await shows('[role=status]', '20.00 USD is paid by one payment.');
    await shows('#groups summary', /20.00 USD 2 merchants.*paid/);
    await shows('#groups td', 'confirmed, paid');
    const { body } = await marketplace.send('GET', `/v1/cart/checkout/${checkout.group_id}`);
    expect(body.checkout).toMatchObject({ status: 'paid', amount_due: 0 });
  });

  test('shows checkouts in production without a payment button', async () => {
    const live = await openMarketplace(stoa, { environment: 'production' });
    await live.checkout();
    await signIn(live.operator.operator_key);
    await shows('header', 'production');
    await shows('#groups summary', /20.00 USD.*pending/);
    await read(`document.querySelector('#groups summary').click()`);
    expect(await read('[...document.querySelectorAll("main button")].length')).toBe(0);
  });

  test('names the checkout in a merchant’s orders', async () => {
    const [order] = await marketplace.members[0]!.orders();
    await signIn(marketplace.members[0]!.keys.secret_test_key);
    await press('Orders');
    await shows('#orders', `Part of the checkout ${order!.checkout_group_id}`);
    expect(browser.page.complaints.filter((text) => !/40[0139]/.test(text))).toEqual([]);
  });
});

// A new merchant's way in a real browser, on a telephone: from an invitation to an empty store to the first order that is
// shipped. The merchant sends no call by hand.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { invite, newEmail, PASSWORD } from '#test/services/staff/client.ts';
import { type Browser, chromiumProgram, openBrowser } from '#test/support/browser.ts';
import { visitDashboard } from '#test/support/dashboard.ts';
import { eventually } from '#test/support/server.ts';
import { type Keys, type Stoa, sharedStoa } from '#test/support/stoa.ts';

const program = chromiumProgram();
const MINUTES_MAX = 10;
const CLICKS_MAX = 25;
const MINUTE_MS = 60_000;

describe.skipIf(!program)('a new merchant', { timeout: MINUTES_MAX * MINUTE_MS }, () => {
  let stoa: Stoa;
  let keys: Keys;
  let browser: Browser;
  let link = '';
  let order = '';
  let clicks = 0;
  const { read, shows, fill, goTo, ...pointer } = visitDashboard(
    () => browser.page,
    () => stoa.url,
  );
  const press = (text: string): Promise<boolean> => {
    clicks++;
    return pointer.press(text);
  };
  const click = (selector: string): Promise<void> => {
    clicks++;
    return pointer.click(selector);
  };
  /** Follows a link that the screen shows. */
  const follow = (text: string): Promise<void> => {
    clicks++;
    return eventually(async () => {
      const found = await read<boolean>(`(() => {
        const link = [...document.querySelectorAll('a')].find((each) => each.textContent.trim() === ${JSON.stringify(text)} && each.checkVisibility());
        link?.click();
        return link !== undefined;
      })()`);
      expect(found, text).toBe(true);
    });
  };
  /** Submits the form of the dialog, as its first button of that kind does. */
  const submit = (): Promise<void> => click('dialog button[type=submit]');

  beforeAll(async () => {
    stoa = await sharedStoa();
    keys = await stoa.createStore({ name: 'Lamps and Light' });
    browser = await openBrowser(program!);
    await browser.page.resize(390, 844);
  }, 90_000);
  afterAll(async () => {
    await browser?.close();
  });

  test('joins by the mailed invitation', async () => {
    const { body } = await invite(stoa, keys, { email: newEmail(), role: 'owner' });
    const { pathname, search } = new URL(body.link);
    await browser.page.open(`${stoa.url}${pathname}${search}`);
    await fill('Your name', 'Wanjiru Kamau');
    await fill('Password', PASSWORD);
    await press('Join the staff');
    await shows('.frame main h1', 'Home');
  });

  test('tells customers where to write, and goes to the sandbox', async () => {
    await press('Menu');
    await follow('Settings');
    await fill('E-mail', 'hello@lamps.example');
    await press('Save');
    await shows('.toast', /saved/);
    await press('Menu');
    await click('dialog .environment a:last-child');
    await eventually(async () => expect(await read('location.pathname')).toBe('/dashboard/sandbox/settings'));
    await follow('Home');
    await shows('.waiting-card', /0Orders to ship/);
  });

  test('adds the first product', async () => {
    await follow('Products');
    await shows('.frame main h1', 'Products');
    await follow('New product');
    await fill('Name', 'Desk lamp');
    await fill('Price', '49.5');
    await fill('Units in stock', '12');
    await fill('SKU', 'LAMP-1');
    await press('Create');
    await shows('.frame main h1', 'Desk lamp');
  });

  test('takes an order by hand, and makes a payment link', async () => {
    await follow('Orders');
    await shows('.frame main h1', 'Orders');
    await follow('New order');
    await fill('Find a product', 'lamp');
    await press('Add Desk lamp');
    await fill('E-mail', 'grace@example.com');
    await fill('Address', '12 Moi Avenue');
    await fill('City', 'Nairobi');
    await fill('Country', 'KE');
    await press('Place the order');
    await shows('.frame main h1', /^Order \d+$/);
    order = await read<string>('location.href');
    await press('More');
    await press('Payment link');
    await shows('dialog option', /./);
    await submit();
    await shows('dialog label', 'Link');
    link = await read<string>(`document.querySelector('dialog input').value`);
    expect(link).toContain('/pay/');
    await press('Close');
  });

  test('receives the customer’s payment', async () => {
    await browser.page.open(link);
    await click('button[value=succeed]');
    await eventually(async () => expect(await read('document.body.textContent')).not.toContain('Approve the payment'));
    // A report is a moment behind the orders: a page that was read before it stays as it is.
    await eventually(async () => {
      await browser.page.open(`${stoa.url}/dashboard/sandbox`);
      await shows('.waiting-card', /1Orders to ship/);
      await eventually(
        async () => expect(await read(`document.querySelector('.figures').textContent`)).toMatch(/Sales\$49\.50/),
        2_000,
      );
    });
  });

  test('ships the order', async () => {
    await browser.page.open(order);
    await press('Ship');
    await fill('Carrier', 'DHL');
    await fill('Tracking number', '00340434161094042557');
    await submit();
    await shows('.time-line', /Shipped with DHL/);
    await goTo('');
    await shows('.waiting-card', /0Orders to ship/);
    expect(browser.page.complaints).toEqual([]);
    expect(clicks).toBeLessThanOrEqual(CLICKS_MAX);
  });
});

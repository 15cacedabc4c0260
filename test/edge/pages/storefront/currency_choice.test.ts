// A shop in two currencies, in a real browser: the choice at the end of a product's page, and euros from there to a paid order.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isAccessible } from '#test/support/axe.ts';
import { type Browser, chromiumProgram, openBrowser } from '#test/support/browser.ts';
import { payByCard } from '#test/support/card_field.ts';
import { followLink, visitConsole } from '#test/support/console.ts';
import { eventually } from '#test/support/server.ts';
import { type Keys, type Stoa, startStoa } from '#test/support/stoa.ts';

const program = chromiumProgram();
const SIZES = [
  ['a phone', 390, 844],
  ['a desk', 1280, 900],
] as const;

describe.skipIf(!program)('a shop of dollars and euros', { timeout: 180_000 }, () => {
  let stoa: Stoa;
  let keys: Keys;
  let folder: string;
  let browser: Browser;
  let slug: string;

  const write = async (method: string, path: string, body: object, key = keys.secret_test_key) => {
    const reply = await stoa.send(method, path, { key, body });
    expect(reply.status, reply.text).toBeLessThan(300);
    return reply.body;
  };

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'stoa-currency-'));
    stoa = await startStoa({ demoFile: join(folder, 'demo.json') });
    keys = await stoa.createStore({ name: 'Kiosk', currency: 'USD' });
    await writeFile(join(folder, 'demo.json'), JSON.stringify(keys));
    await write('PATCH', '/v1/store', { currencies: [{ currency: 'EUR', prices: 'rate' }] }, keys.secret_key);
    await write('PUT', '/v1/exchange-rates/EUR', { rate: 0.9, max_age_hours: 24 });
    slug = (await write('POST', '/v1/products', { name: 'Clay bowl', price: 1234.5, stock: 9 })).product_slug;
    await write('PUT', '/v1/shipping/config', { fallback: { rate: { fee: 10 } } });
    await write('POST', '/v1/tax-rates', { name: 'VAT', country: 'KE', rate: 0.16 });
    browser = await openBrowser(program!);
  }, 180_000);
  afterAll(async () => {
    await browser?.close();
    await stoa?.stop();
    if (folder) await rm(folder, { recursive: true, force: true });
  });

  const { read, shows, press, click, type, fitsPhone } = visitConsole(
    () => browser.page,
    () => stoa.url,
  );
  const fits = async (width: number): Promise<void> => {
    for (const theme of ['light', 'dark'] as const) {
      await browser.page.theme(theme);
      await isAccessible(browser.page);
    }
    if (width < 500) await fitsPhone();
  };
  const choose = async (currency: string): Promise<void> => {
    await read(`document.querySelector('footer select[name=currency]').value = '${currency}'`);
    await click('footer form button');
  };

  test.each(SIZES)('sells in euros from the product’s page to the paid order on %s', async (_, width, height) => {
    await browser.page.resize(width, height);
    await browser.page.open(`${stoa.url}/shop/products/${slug}`);
    await shows('.buy .price', '$1,234.50');
    await choose('EUR');
    await shows('.buy .price', '€1,111.05');
    expect(await read('location.pathname')).toBe(`/shop/products/${slug}`);
    await fits(width);
    await press('Add to cart');
    await shows('.buy [role=status]', '1 × Clay bowl');
    await followLink(read, '/shop/cart');
    await shows('.totals .whole', '€1,111.05');
    await fits(width);
    await followLink(read, '/shop/checkout');
    await shows('.bought', '€1,111.05');
    await eventually(async () => expect(await read("document.querySelector('#city') !== null")).toBe(true));
    await type('#email', 'ada@example.com');
    await type('#line', '12 Moi Avenue');
    await type('#city', 'Nairobi');
    await press('Continue');
    await shows('.way', '€9.00');
    await click('input[name=way]');
    await shows('.totals', /Delivery\s*€9\.00\s*Tax\s*€177\.77\s*Total\s*€1,297\.82/);
    await fits(width);
    await press('Pay €1,297.82');
    await shows('.card-fields .go', 'Pay €1,297.82');
    await fits(width);
    await payByCard(browser.page);
    await shows('h1', 'Thank you');
    await shows('.totals .whole', '€1,297.82');
    await fits(width);
    const { orders } = (await stoa.send('GET', '/v1/orders?limit=1', { key: keys.secret_test_key })).body;
    expect(orders).toMatchObject([{ payment_status: 'paid', currency: 'EUR', total_amount: 1297.82, amount_due: 0 }]);
    await followLink(read, '/shop');
    await shows('.card', '€1,111.05');
    await choose('USD');
    await shows('.card', '$1,234.50');
    expect(browser.page.complaints.filter((text) => !/status of 5\d\d|favicon\.ico$/.test(text))).toEqual([]);
  });
});

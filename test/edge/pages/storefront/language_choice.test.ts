// The demo shop in two languages, in a real browser: from the product's page to a paid order, and back by the language choice.
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

describe.skipIf(!program)('a shop in English and German', { timeout: 180_000 }, () => {
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
    folder = await mkdtemp(join(tmpdir(), 'stoa-language-'));
    stoa = await startStoa({ demoFile: join(folder, 'demo.json') });
    keys = await stoa.createStore({ name: 'Kiosk' });
    await writeFile(join(folder, 'demo.json'), JSON.stringify(keys));
    await write('PATCH', '/v1/store', { languages: ['de'] }, keys.secret_key);
    const product = {
      name: 'Clay bowl',
      description: 'Holds soup.',
      price: 1234.5,
      stock: 9,
      translations: { de: { name: 'Tonschale', description: 'Für Suppe.' } },
    };
    slug = (await write('POST', '/v1/products', product)).product_slug;
    const rate = { fee: 0, estimate: '2 days', translations: { de: { estimate: '2 Tage' } } };
    await write('PUT', '/v1/shipping/config', { fallback: { rate } });
    browser = await openBrowser(program!);
    await browser.page.resize(390, 844);
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
  const fits = async (): Promise<void> => {
    for (const theme of ['light', 'dark'] as const) {
      await browser.page.theme(theme);
      await isAccessible(browser.page);
    }
    await fitsPhone();
  };
  const language = (): Promise<unknown> => read('document.documentElement.lang');

  test('sells in German from the product’s page to the paid order', async () => {
    await browser.page.open(`${stoa.url}/shop/de/products/${slug}`);
    await shows('h1', 'Tonschale');
    await shows('.price', '1.234,50');
    await shows('.there', 'Auf Lager');
    await fits();
    await press('In den Warenkorb');
    await shows('.buy [role=status]', '1 × Tonschale liegt im Warenkorb.');
    await followLink(read, '/shop/de/cart');
    await shows('h1', 'Ihr Warenkorb');
    await shows('.lines', 'Tonschale');
    await type('#promotion', 'NONE');
    await click('.codes button[type=submit]');
    await shows('main', 'NONE gilt nicht: Der Code ist unbekannt, abgelaufen oder passt nicht zu diesem Warenkorb.');
    await fits();
    await followLink(read, '/shop/de/checkout');
    await shows('h2', 'Lieferadresse');
    await shows('.bought', 'Tonschale');
    await eventually(async () => expect(await read("document.querySelector('#city') !== null")).toBe(true));
    expect(await read("[...document.querySelector('#country').options].some((each) => each.text === 'Schweden')")).toBe(
      true,
    );
    await type('#email', 'ada@example.com');
    await type('#line', '12 Moi Avenue');
    await type('#city', 'Nairobi');
    await press('Weiter');
    await shows('.way', /Standardlieferung[\s\S]*2 Tage[\s\S]*Kostenlos/);
    await click('input[name=way]');
    await shows('.totals', /Lieferung\s*Kostenlos\s*Steuer[\s\S]*Gesamtbetrag\s*1\.234,50/);
    await fits();
    await shows('.ways', /Karte[\s\S]*Bank oder Karte/);
    await shows('.ways', /^(?:(?!Card)[\s\S])*$/);
    await shows('.go.wide', /1\.234,50\s\$ bezahlen/);
    await click('.go.wide');
    await payByCard(browser.page);
    await shows('h1', 'Vielen Dank');
    expect(await read('location.pathname')).toMatch(/^\/shop\/de\/orders\//);
    await shows('.steps [aria-current=step]', 'Bezahlt');
    await fits();
    const { orders } = (await stoa.send('GET', '/v1/orders', { key: keys.secret_test_key })).body;
    expect(orders.map(({ payment_status }: { payment_status: string }) => payment_status)).toEqual(['paid']);
  });

  test('changes the language of a page, and keeps the cart', async () => {
    await browser.page.open(`${stoa.url}/shop/de/products/${slug}`);
    await press('In den Warenkorb');
    await shows('header .cart', 'Warenkorb 1');
    await click('footer a[hreflang=en]');
    await shows('h1', 'Clay bowl');
    expect([await language(), await read('location.pathname')]).toEqual(['en', `/shop/products/${slug}`]);
    await shows('header .cart', 'Cart 1');
    await followLink(read, '/shop/products');
    await shows('h1', 'All products');
    await shows('.card', 'Clay bowl');
    await click('footer a[hreflang=de]');
    await shows('h1', 'Alle Produkte');
    await shows('.card', 'Tonschale');
    expect(await language()).toBe('de');
    await fits();
    expect(browser.page.complaints.filter((text) => !/status of 5\d\d|favicon\.ico$/.test(text))).toEqual([]);
  });
});

// A newcomer's whole way, in a real browser: from what a search engine reads of a product, by a search in the shop, to the
// paid order and its mails. On a telephone and a desk, light and dark, in two languages and two currencies.
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { SentMessage } from '#proto/gen/mail.ts';
import { DEMO_PICTURES } from '#services/cli/demo_store.ts';
import { isAccessible } from '#test/support/axe.ts';
import { type Browser, chromiumProgram, openBrowser } from '#test/support/browser.ts';
import { payByCard } from '#test/support/card_field.ts';
import { followLink, visitConsole } from '#test/support/console.ts';
import { eventually } from '#test/support/server.ts';
import { type Keys, type Stoa, startStoa } from '#test/support/stoa.ts';

const program = chromiumProgram();
const LOCALES = {
  en: {
    path: '',
    name: 'Clay bowl',
    description: 'Holds soup for two.',
    word: 'bowl',
    add: 'Add to cart',
    next: 'Continue',
    thanks: 'Thank you',
  },
  de: {
    path: '/de',
    name: 'Tonschale',
    description: 'Für Suppe zu zweit.',
    word: 'Schale',
    add: 'In den Warenkorb',
    next: 'Weiter',
    thanks: 'Vielen Dank',
  },
} as const;
/** Amounts of one bowl, its delivery and 16 % tax, as numbers. */
const TOTALS = { USD: 28.2, EUR: 25.38 } as const;
const VISITS = [
  ['phone', 'light', 'en', 'USD'],
  ['phone', 'dark', 'de', 'EUR'],
  ['desk', 'dark', 'en', 'EUR'],
  ['desk', 'light', 'de', 'USD'],
] as const;
const SIZES = { phone: [390, 844], desk: [1280, 900] } as const;

describe.skipIf(!program)('a newcomer', { timeout: 240_000 }, () => {
  let stoa: Stoa;
  let keys: Keys;
  let folder: string;
  let browser: Browser;
  let slug: string;

  const write = async (method: string, path: string, body: object, key = keys.secret_test_key) => {
    const signed = path.endsWith('/shipments') ? { signWith: keys.hmac_test_secret } : {};
    const reply = await stoa.send(method, path, { key, body, ...signed });
    expect(reply.status, reply.text).toBeLessThan(300);
    return reply.body;
  };

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'stoa-newcomer-'));
    stoa = await startStoa({ demoFile: join(folder, 'demo.json'), demoPictures: DEMO_PICTURES });
    keys = await stoa.createStore({ name: 'Kiosk on the Quay', currency: 'USD' });
    await writeFile(join(folder, 'demo.json'), JSON.stringify(keys));
    const setting = { languages: ['de'], currencies: [{ currency: 'EUR', prices: 'rate' }], country: 'KE' };
    await write('PATCH', '/v1/store', setting, keys.secret_key);
    await write('PUT', '/v1/exchange-rates/EUR', { rate: 0.9 });
    await write('POST', '/v1/tax-rates', { name: 'VAT', country: 'KE', rate: 0.16, applies_to_shipping: false });
    await write('PUT', '/v1/shipping/config', { fallback: { rate: { fee: 5, estimate: '2 days' } } });
    const { en, de } = LOCALES;
    const product = {
      name: en.name,
      description: en.description,
      seo_description: en.description,
      price: 20,
      stock: 40,
      media: [{ type: 'image', url: `${stoa.url}/demo/pictures/bowl-sage.svg` }],
      translations: { de: { name: de.name, description: de.description, seo_description: de.description } },
    };
    slug = (await write('POST', '/v1/products', product)).product_slug;
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

  const htmlOf = async (path: string): Promise<string> => (await fetch(`${stoa.url}/shop${path}`)).text();

  test.each(['en', 'de'] as const)(
    'reads title, description, languages and offer of a product in %s',
    async (language) => {
      const { path, name, description } = LOCALES[language];
      const html = await htmlOf(`${path}/products/${slug}`);
      expect(html).toContain(`<html lang="${language}">`);
      expect(html).toMatch(new RegExp(`<title>${name}[^<]*Kiosk on the Quay</title>`));
      expect(html).toContain(`<meta name="description" content="${description}">`);
      expect(html).toContain(`<link rel="canonical" href="${stoa.url}/shop${path}/products/${slug}">`);
      for (const each of ['en', 'de'] as const)
        expect(html).toContain(
          `<link rel="alternate" hreflang="${each}" href="${stoa.url}/shop${LOCALES[each].path}/products/${slug}">`,
        );
      const data = [...html.matchAll(/<script type="application\/ld\+json">(.*?)<\/script>/g)].map(([, text]) =>
        JSON.parse(text!),
      );
      expect(data).toContainEqual(
        expect.objectContaining({
          '@type': 'Product',
          name,
          offers: expect.arrayContaining([expect.objectContaining({ price: 20, priceCurrency: 'USD' })]),
        }),
      );
    },
  );

  test.each(VISITS)('buys on a %s, %s, in %s and %s', async (size, theme, language, currency) => {
    const { path, name, word, add, next, thanks } = LOCALES[language];
    const email = `${size}-${theme}@example.com`;
    const amount = new Intl.NumberFormat(language, { style: 'currency', currency }).format(TOTALS[currency]);
    const keepPicture = async (screen: string): Promise<void> => {
      const pictures = process.env.STOA_PICTURES;
      if (!pictures) return;
      await mkdir(pictures, { recursive: true });
      const file = join(pictures, `newcomer-${size}-${theme}-${screen}.png`);
      await writeFile(file, Buffer.from(await browser.page.picture(), 'base64'));
    };
    const sees = async (screen: string): Promise<void> => {
      await eventually(async () => expect(await read("document.querySelectorAll('h1').length")).toBe(1));
      await isAccessible(browser.page);
      if (size === 'phone') await fitsPhone();
      await browser.page.theme(theme);
      await keepPicture(screen);
    };
    const [width, height] = SIZES[size];
    await browser.page.resize(width, height);
    await browser.page.theme(theme);
    await browser.page.open(`${stoa.url}/shop${path}?before-${size}-${theme}`);
    // Clears what earlier visits have left.
    await read(
      "localStorage.clear(); sessionStorage.clear(); document.cookie = 'stoa-shop-session=; Path=/shop; Max-Age=0'",
    );
    await browser.page.open(`${stoa.url}/shop${path}?${size}-${theme}`);
    await read(`document.querySelector('footer select[name=currency]').value = '${currency}'`);
    await click('footer form button');
    await eventually(async () => expect(await read('document.cookie')).toContain(`stoa-shop-currency=${currency}`));
    await eventually(async () => expect(await read('document.readyState')).toBe('complete'));
    await sees('1-home');
    await type('#search', word);
    // The first page may show the same card.
    await eventually(async () => expect(await read('location.href')).toContain('/search'));
    await shows('.card', name);
    await sees('2-search');
    await click('.card');
    await shows('h1', name);
    await sees('3-product');
    await press(add);
    await shows('.buy [role=status]', `1 × ${name}`);
    await followLink(read, `/shop${path}/cart`);
    await shows('.lines', name);
    await sees('4-cart');
    await followLink(read, `/shop${path}/checkout`);
    await eventually(async () => expect(await read("document.querySelector('#city') !== null")).toBe(true));
    const fields = { email, first: 'Ada', last: 'Mwangi', line: '12 Moi Avenue', line2: 'Flat 3', city: 'Nairobi' };
    for (const [id, text] of Object.entries({ ...fields, code: '00100', phone: '+254700000000' }))
      await type(`#${id}`, text);
    await sees('5-address');
    await press(next);
    await click('input[name=way]');
    await shows('.totals .whole', amount);
    await sees('6-delivery');
    await click('.go.wide');
    await shows('.card-fields .go', amount);
    await sees('7-card');
    await payByCard(browser.page);
    await shows('h1', thanks);
    await shows('.totals .whole', amount);
    await sees('8-paid');
    const { orders } = (await stoa.send('GET', '/v1/orders?limit=1', { key: keys.secret_test_key })).body;
    expect(orders).toMatchObject([
      {
        email,
        currency,
        total_amount: TOTALS[currency],
        payment_status: 'paid',
        shipping_address: { first_name: 'Ada', line2: 'Flat 3', postal_code: '00100', phone: '+254700000000' },
      },
    ]);
    await write('POST', `/v1/orders/${orders[0].id}/shipments`, { carrier: 'Sendy', tracking_number: 'SN-4471' });
    const mails = await eventually(async () => {
      const path = `/v1/sandbox/messages?email=${email}`;
      const { messages } = (await stoa.send('GET', path, { key: keys.secret_test_key })).body;
      const kinds = messages.map(({ kind }: SentMessage) => kind).sort();
      expect(kinds).toEqual(['order_paid', 'order_placed', 'order_shipped']);
      return messages as readonly SentMessage[];
    });
    for (const { kind, html, text } of mails) {
      const number = orders[0].order_number;
      expect([kind, text.includes(number), html?.includes(number)]).toEqual([kind, true, true]);
      await browser.page.open(`${stoa.url}/dashboard/mail-preview?${kind}`);
      await read(`postMessage(${JSON.stringify(html)}, '*')`);
      await shows('body', number);
      await keepPicture(`9-${kind}`);
    }
    const complaints = browser.page.complaints.filter((each) => !/status of 5\d\d|favicon\.ico$/.test(each));
    expect(complaints).toEqual([]);
  });
});

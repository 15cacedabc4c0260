// The demo shop's checkout in a real browser: codes, discounts, delivery, payments, parcels and brand colours.
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { filledPercent } from '#edge/pages/storefront/rating.ts';
import { DEMO_PICTURES } from '#services/cli/demo_store.ts';
import { isAccessible } from '#test/support/axe.ts';
import { type Browser, chromiumProgram, openBrowser } from '#test/support/browser.ts';
import { payByCard } from '#test/support/card_field.ts';
import { followLink, visitConsole } from '#test/support/console.ts';
import { eventually } from '#test/support/server.ts';
import { type Keys, type Stoa, startStoa } from '#test/support/stoa.ts';

const program = chromiumProgram();
const BRANDING = { primary_color: '#c4704b', background_color: '#f7ead6', text_color: '#3b2d25' };
const DELIVERY = { fee: 6, estimate: '2 days', estimate_days: { min: 1, max: 2 } };
const FREE_AND_DATED = /Standard delivery\s*Kenya, 2 days, \p{L}+ \d+\s–\s(\p{L}+ )?\d+\s*Free/u;
const BACKGROUND = 'rgb(247, 234, 214)';

test.each([
  [5, 100],
  [4.5, 90],
  [4.3, 90],
  [4.2, 80],
  [0, 0],
])('a rating of %d fills %d of a hundred parts of the stars', (rating, percent) => {
  expect(filledPercent(rating)).toBe(percent);
});

describe.skipIf(!program)('the demo shop', { timeout: 180_000 }, () => {
  let stoa: Stoa;
  let keys: Keys;
  let folder: string;
  let browser: Browser;
  let blanket: string;

  // biome-ignore lint/suspicious/noExplicitAny: answers of every shape
  const write = async (method: string, path: string, body: object, signWith?: string): Promise<any> => {
    const reply = await stoa.send(method, path, { key: keys.secret_test_key, body, ...(signWith && { signWith }) });
    expect(reply.status, reply.text).toBeLessThan(300);
    return reply.body;
  };

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'stoa-shopping-'));
    stoa = await startStoa({ demoFile: join(folder, 'demo.json'), demoPictures: DEMO_PICTURES });
    keys = await stoa.createStore({ name: 'Kiosk' });
    await writeFile(join(folder, 'demo.json'), JSON.stringify(keys));
    const profile = {
      branding: BRANDING,
      logo_url: `${stoa.url}/demo/pictures/mark.svg`,
      website_url: `${stoa.url}/shop`,
    };
    const { status, text } = await stoa.send('PATCH', '/v1/store', { key: keys.secret_key, body: profile });
    expect(status, text).toBe(200);
    const [textiles, coffee] = await Promise.all(
      ['Textiles', 'Coffee'].map(async (name) => (await write('POST', '/v1/categories', { name })).category.id),
    );
    const product = async (name: string, price: number, category_id: string) =>
      write('POST', '/v1/products', { name, price, stock: 50, category_id });
    blanket = (await product('Blanket', 128, textiles)).product_slug;
    await product('Towel', 20, textiles);
    await product('Beans', 14, coffee);
    const promotion = { status: 'active', stackable: true };
    await write('POST', '/v1/promotions', { ...promotion, name: 'Ten', code: 'TEN', type: 'percentage', value: 10 });
    await write('POST', '/v1/promotions', {
      ...promotion,
      name: 'We carry',
      type: 'free_shipping',
      minimum_subtotal: 100,
    });
    await write('PUT', '/v1/shipping/config', {
      zones: [{ name: 'Kenya', kind: 'countries', countries: ['KE'], rate: DELIVERY }],
      fallback: { rate: { fee: 40 } },
    });
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
  const goes = (path: string): Promise<void> => followLink(read, `/shop${path}`);
  /** With STOA_PICTURES=FOLDER and a name, a picture is written there. */
  const fits = async (name?: string): Promise<void> => {
    await isAccessible(browser.page);
    await fitsPhone();
    const pictures = process.env.STOA_PICTURES;
    if (!pictures || !name) return;
    await mkdir(pictures, { recursive: true });
    await read('document.activeElement?.scrollIntoView({ block: "center", behavior: "instant" })');
    for (const theme of ['light', 'dark'] as const) {
      await browser.page.theme(theme);
      await writeFile(join(pictures, `${name}-${theme}.png`), Buffer.from(await browser.page.picture(), 'base64'));
    }
  };
  const applies = async (code: string): Promise<void> => {
    await type('#promotion', code);
    await click('.code button');
  };
  const backgroundOf = async (theme: 'light' | 'dark' = 'light'): Promise<string> => {
    await browser.page.theme(theme);
    return read('getComputedStyle(document.body).backgroundColor');
  };

  test('removes a rejected code, and shows free delivery in words', async () => {
    await browser.page.open(`${stoa.url}/shop/products/${blanket}`);
    await shows('h1', 'Blanket');
    expect(await backgroundOf()).toBe(BACKGROUND);
    await press('Add to cart');
    await shows('.buy [role=status]', '1 × Blanket in your cart.');
    await goes('/cart');
    await shows('.lines .sum', '$128.00');
    await applies('nope');
    await shows('.sheet [role=status]', 'NOPE is not applied: No promotion has this code.');
    await eventually(async () => expect(await read("document.querySelectorAll('.chips li').length")).toBe(0));
    await applies('ten');
    await shows('.chips', 'TEN');
    await shows(
      '.totals',
      /Subtotal\s*\$128\.00\s*Ten\s*−\$12\.80\s*We carry\s*Free delivery\s*Total before delivery\s*\$115\.20/,
    );
    await shows('.lines .sum', '$128.00');
    expect(await read("document.body.innerText.includes('−$0.00')")).toBe(false);
    await fits();
  });

  test('suggests towns while one is typed, for the keyboard and the pointer', async () => {
    await goes('/checkout');
    await eventually(async () => expect(await read("document.querySelector('#city') !== null")).toBe(true));
    const suggested = (): Promise<readonly string[]> =>
      read("[...document.querySelectorAll('.suggestions [role=option]')].map((each) => each.textContent)");
    const field = (name: string): Promise<string> => read(`document.querySelector('#city').getAttribute('${name}')`);
    await read("document.querySelector('#city').focus()");
    await type('#city', 'nak');
    await eventually(async () => expect((await suggested())[0]).toBe('Nakuru'));
    expect([await field('role'), await field('aria-expanded'), await field('aria-activedescendant')]).toEqual([
      'combobox',
      'true',
      null,
    ]);
    await fits('suggestions-phone');
    await browser.page.resize(1280, 900);
    await fits('suggestions-desk');
    await browser.page.resize(390, 844);
    await browser.page.press('ArrowDown');
    await eventually(async () =>
      expect(
        await read(
          "document.getElementById(document.querySelector('#city').getAttribute('aria-activedescendant'))?.ariaSelected",
        ),
      ).toBe('true'),
    );
    await browser.page.press('Enter');
    await eventually(async () => expect(await read("document.querySelector('#city').value")).toBe('Nakuru'));
    expect([await field('aria-expanded'), await suggested()]).toEqual(['false', []]);
    await type('#city', 'Momb');
    await eventually(async () => expect((await suggested())[0]).toBe('Mombasa'));
    await click('.suggestions [role=option]');
    await eventually(async () => expect(await read("document.querySelector('#city').value")).toBe('Mombasa'));
    await type('#city', 'Kis');
    await eventually(async () => expect((await suggested()).length).toBeGreaterThan(1));
    await browser.page.press('Escape');
    await eventually(async () => expect(await suggested()).toEqual([]));
    expect(await read("document.querySelector('#city').value")).toBe('Kis');
  });

  test('suggests names similar to an unknown town, and names delivery options', async () => {
    await shows('.totals', /Tax\s*Depends on the address\s*Total so far/);
    await type('#email', 'ada@example.com');
    await type('#line', '12 Moi Avenue');
    await type('#city', 'Nairobbi');
    // The shop asks back once the towns are loaded.
    await eventually(async () => {
      await press('Continue');
      expect(await read("document.querySelector('.warning')?.textContent ?? ''")).toContain('knows no town “Nairobbi”');
    });
    await fits();
    await press('Nairobi');
    expect(await read("document.querySelector('#city').value")).toBe('Nairobi');
    await press('Continue');
    await shows('.way', FREE_AND_DATED);
    await click('input[name=way]');
    await shows('.totals', /Delivery\s*Free\s*Tax\s*\$0\.00\s*Total\s*\$115\.20/);
    await shows('.way', FREE_AND_DATED);
    await fits();
  });

  test('keeps an unknown town if the shopper continues', async () => {
    await press('Change');
    await type('#city', 'Nairobbi');
    await press('Continue');
    await shows('.warning', 'Did you mean');
    await press('Continue');
    await shows('address', 'Nairobbi');
    await click('input[name=way]');
  });

  const choose = (id: string, value: string): Promise<unknown> =>
    read(`(() => {
      const field = document.getElementById('${id}');
      field.value = '${value}';
      field.dispatchEvent(new Event('change', { bubbles: true }));
    })()`);

  test('takes another billing address, and asks for a state where the country has them', async () => {
    await press('Change');
    await click('#billing-differs');
    await choose('billing-country', 'US');
    await type('#billing-line', '1 Canal Street');
    await type('#billing-city', 'San Francisco');
    await type('#billing-code', '94107');
    await fits('billing-phone');
    await browser.page.resize(1280, 900);
    await fits('billing-desk');
    await browser.page.resize(390, 844);
    expect(await read("document.querySelector('#state').required")).toBe(false);
    expect(await read("document.querySelector('#billing-state').required")).toBe(true);
    expect(await read("document.querySelector('form.form').checkValidity()")).toBe(false);
    await type('#billing-state', 'CA');
    await type('#city', 'Nairobi');
    await type('#code', '1');
    await press('Continue');
    await shows('[role=alert]', '"1" is no postal code of KE.');
    await type('#code', '00100');
    await press('Continue');
    await shows('h3', 'Billing address');
    await shows('#where ~ address:last-of-type', /1 Canal Street\s*94107 San Francisco\s*CA/);
    await fits();
    await click('input[name=way]');
  });

  test('shows a payment that was declined at the provider’s page', async () => {
    await shows('.go.wide', /^Pay/);
    await click('.way input[name=provider]:not(:checked)');
    await click('.go.wide');
    await shows('.payee', 'Kiosk');
    expect(await backgroundOf()).toBe(BACKGROUND);
    expect(await read("document.querySelector('.payee img').naturalWidth > 0")).toBe(true);
    await fits();
    await click('button[value=fail]');
    await shows('h1', 'The payment was declined');
    await shows('.note', /No money was taken\. Order \d+ is reserved for you/);
    await fits();
  });

  const payWith = async (number: string): Promise<void> => {
    await eventually(async () =>
      expect(await read("document.querySelector('iframe')?.contentDocument?.forms.length")).toBe(1),
    );
    await read(`document.querySelector('iframe').contentDocument.forms[0].number.value = '${number}'`);
    await press('Pay $115.20');
  };

  test('takes a card on its own page: one that is declined, and the next', async () => {
    await press('Pay $115.20');
    await payWith('4000 0000 0000 0002');
    await shows('.card-fields [role=alert]', 'The card was declined.');
    await fits('card-declined-phone');
    await browser.page.resize(1280, 900);
    await fits('card-declined-desk');
    await browser.page.resize(390, 844);
    await payWith('4242 4242 4242 4242');
    await shows('h1', 'Thank you');
    await shows('header .cart', 'Cart 0');
  });

  test('signs in by the link that was mailed, and shows where the parcel is', async () => {
    const { orders } = (await stoa.send('GET', '/v1/orders', { key: keys.secret_test_key })).body;
    expect(orders[0].billing_address).toMatchObject({ line1: '1 Canal Street', state: 'CA', country: 'US' });
    const parcel = { carrier: 'Sendy', tracking_number: 'SN-4471', tracking_url: 'https://track.example/SN-4471' };
    await write('POST', `/v1/orders/${orders[0].id}/shipments`, parcel, keys.hmac_test_secret);
    await goes('/account');
    await type('#email', 'ada@example.com');
    await press('Mail me a link');
    await shows('.note', 'A sandbox sends no mail');
    const { messages } = (
      await stoa.send('GET', '/v1/sandbox/messages?email=ada@example.com', { key: keys.secret_test_key })
    ).body;
    const [{ link }] = messages.filter(({ kind }: { kind: string }) => kind === 'magic_link');
    expect(link).toContain(`${stoa.url}/shop?token=`);
    await read(`location.assign(${JSON.stringify(link)})`);
    await shows('h1', 'Your orders');
    expect(await read('location.href')).not.toContain('token');
    await goes(`/account/${orders[0].order_number}`);
    await shows('.parcels', /with Sendy\s*SN-4471\s*Follow the parcel/);
    await shows('[aria-label=Delivery] b', 'Standard delivery');
    await fits();
    await goes(`/orders/${orders[0].checkout_intent_id}`);
    await shows('main [role=status]', 'Follow the order');
  });

  test('leads a shopper who is signed in from the cart to the payment, with the last address and delivery', async () => {
    await browser.page.open(`${stoa.url}/shop/products/${blanket}`);
    await press('Add to cart');
    await shows('.buy [role=status]', '1 × Blanket in your cart.');
    await goes('/checkout');
    await shows('.go.wide', /^Pay/);
    await shows('address', '12 Moi Avenue');
    await shows('h3', 'Billing address');
    expect(await read("document.querySelector('input[name=way]').checked")).toBe(true);
    await shows('.way', FREE_AND_DATED);
    await fits('express-phone');
    await click('.go.wide');
    await payByCard(browser.page);
    await shows('h1', 'Thank you');
    const { orders } = (await stoa.send('GET', '/v1/orders', { key: keys.secret_test_key })).body;
    expect(orders.slice(0, 2)).toMatchObject([
      { payment_status: 'paid', customer_id: expect.any(String), shipping_option_id: 'place' },
      { shipping_address: orders[0].shipping_address, billing_address: orders[0].billing_address },
    ]);
  });

  test('filters by several categories and by price, and clears the filters', async () => {
    await goes('/products');
    await shows('main [role=status]', '3 products');
    await press('Filters');
    const tick = (name: string): Promise<unknown> =>
      read(`[...document.querySelectorAll('.choice')].find((each) => each.innerText.includes('${name}')).click()`);
    // Both before the first is drawn.
    await read(`for (const each of [...document.querySelectorAll('.choice')].slice(1, 3)) each.click()`);
    await shows('.facets > button', 'Filters (2)');
    await shows('main [role=status]', '3 products');
    await tick('Coffee');
    await shows('main [role=status]', '2 products');
    await shows('#filters', /Coffee\s*1/);
    await type('#price-to', '50');
    await read("document.querySelector('#price-to').dispatchEvent(new Event('change', { bubbles: true }))");
    await shows('main [role=status]', '1 product');
    await shows('.card', 'Towel');
    await shows('.facets > button', 'Filters (2)');
    expect(await read('location.search')).toMatch(/category=.*to=50/);
    await fits();
    await press('Clear the filters');
    await shows('main [role=status]', '3 products');
    expect(await read('location.pathname + location.search')).toBe('/shop/products');
  });

  test('requests the cart’s item count once, not on each screen', async () => {
    await browser.page.open(`${stoa.url}/shop?anew`);
    await shows('.cards', 'Towel');
    await goes('/cart');
    await shows('h1', 'Your cart is empty');
    await goes('/products');
    await shows('.card', 'Towel');
    const asked = "performance.getEntriesByType('resource').filter(({ name }) => name.includes('item_count')).length";
    expect(await read(asked)).toBe(1);
    expect(browser.page.complaints.filter((text) => !/status of (?:40[02]|5\d\d)|favicon\.ico$/.test(text))).toEqual(
      [],
    );
  });

  test('shows the hosted checkout in the store’s colours with its logo', async () => {
    const { variant_id } = (await stoa.send('GET', '/v1/products?limit=1', { key: keys.secret_test_key })).body
      .products[0];
    const { data } = await write('POST', '/v1/agent/checkout-intents', { items: [{ variant_id, quantity: 1 }] });
    await browser.page.open(`${stoa.url}/s/${keys.code}/checkout/${data.id}`);
    await shows('header', 'Kiosk');
    expect(await backgroundOf()).toBe(BACKGROUND);
    expect(await read("document.querySelector('header img').naturalWidth > 0")).toBe(true);
    await fits();
    expect(await backgroundOf('dark')).toBe('rgb(22, 21, 18)');
    await fits();
    expect(browser.page.complaints.filter((text) => !/status of (?:40[02]|5\d\d)|favicon\.ico$/.test(text))).toEqual(
      [],
    );
  });
});

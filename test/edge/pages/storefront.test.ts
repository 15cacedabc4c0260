// The demo storefront: its files, and in a real browser a shopper's visit from the first screen to a paid order and a return.
import { spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { DEMO_PICTURES } from '#services/cli/demo_store.ts';
import { isAccessible } from '#test/support/axe.ts';
import { type Browser, chromiumProgram, openBrowser } from '#test/support/browser.ts';
import { payByCard } from '#test/support/card_field.ts';
import { followLink, visitConsole } from '#test/support/console.ts';
import { eventually } from '#test/support/server.ts';
import { type Keys, type Stoa, startStoa } from '#test/support/stoa.ts';
import { overflowingParts } from '#test/support/text_overflow.ts';

let stoa: Stoa;
let keys: Keys;
let folder: string;
// biome-ignore lint/suspicious/noExplicitAny: the same
let mug: Record<string, any>;

// biome-ignore lint/suspicious/noExplicitAny: answers of every shape
const write = async (method: string, path: string, body: object): Promise<Record<string, any>> => {
  const reply = await stoa.send(method, path, { key: keys.secret_test_key, body });
  expect(reply.status, reply.text).toBeLessThan(300);
  return reply.body;
};

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'stoa-shop-'));
  stoa = await startStoa({ demoFile: join(folder, 'demo.json'), demoPictures: DEMO_PICTURES });
  keys = await stoa.createStore({ name: 'Kiosk on the Quay' });
  await writeFile(join(folder, 'demo.json'), JSON.stringify(keys));
  mug = await write('POST', '/v1/products', {
    name: 'Blue mug',
    description: '<p>Holds <b>tea</b>.</p><script>window.ran = 1</script><img src="/none.png">',
    price: 12.5,
    stock: 5,
  });
  await write('POST', '/v1/products', {
    name: 'Shirt',
    variants: [
      { variant_attributes: { colour: 'Red', size: 'M' }, price: 20, stock: 3 },
      { variant_attributes: { colour: 'Red', size: 'L' }, price: 22, stock: 0 },
      { variant_attributes: { colour: 'Blue', size: 'L' }, price: 22, stock: 9 },
    ],
  });
  const { collection } = await write('POST', '/v1/product-collections', { name: 'For mornings', is_active: true });
  await write('PUT', `/v1/product-collections/${collection.id}/products`, { product_ids: [mug.id] });
  await write('POST', '/v1/lookbooks', {
    title: 'Mornings',
    description: 'Before eight.',
    status: 'published',
    images: [{ url: `${stoa.url}/demo/pictures/mark.svg`, hotspots: [{ x: 0.25, y: 0.5, product_id: mug.id }] }],
  });
  await write('POST', '/v1/promotions', { name: 'Ten', code: 'TEN', type: 'percentage', value: 10, status: 'active' });
  await write('PUT', '/v1/shipping/config', {
    locations: [
      {
        name: 'Quay',
        latitude: -1.28,
        longitude: 36.82,
        address: { line1: '1 Road', city: 'Nairobi', country: 'KE' },
        pickup: true,
        primary: true,
      },
    ],
    fallback: { rate: { fee: 5, estimate: '2 days', options: [] } },
  });
});
afterAll(async () => {
  await stoa?.stop();
  if (folder) await rm(folder, { recursive: true, force: true });
});

describe('what is served', () => {
  test.each([
    ['/shop', 'Kiosk on the Quay'],
    ['/shop/products', 'Blue mug'],
    ['/shop/search?q=shirt', 'Shirt'],
  ])('%s is rendered here, loads nothing from elsewhere, and is kept by its tag', async (path, word) => {
    const response = await fetch(`${stoa.url}${path}`);
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    expect(await response.text()).toContain(word);
    const policy = response.headers.get('content-security-policy')!;
    expect(policy).toContain("default-src 'none'");
    // Pictures lie where merchants keep them; nothing else is from elsewhere.
    expect(policy.replace('https: http:', '')).not.toMatch(/unsafe|\*|https?:/);
    const tag = response.headers.get('etag')!;
    expect((await fetch(`${stoa.url}${path}`, { headers: { 'If-None-Match': tag } })).status).toBe(304);
  });

  test('the setting names the sandbox\u2019s publishable key and no other', async () => {
    const text = await (await fetch(`${stoa.url}/shop/setting.json`)).text();
    expect(JSON.parse(text)).toEqual({
      key: keys.publishable_test_key,
      code: keys.code,
      server: '/shop/server',
    });
  });

  test('means what its types say', () => {
    const { status, stdout } = spawnSync('node_modules/.bin/tsc', ['-p', 'edge/pages/storefront'], {
      encoding: 'utf8',
    });
    expect([stdout, status]).toEqual(['', 0]);
  });
});

const program = chromiumProgram();
if (!program)
  console.warn('No Chromium is installed (Debian: apt-get install chromium): the shop is not tried in one.');

describe.skipIf(!program)('in a browser', { timeout: 180_000 }, () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await openBrowser(program!);
    await browser.page.resize(360, 740);
  });
  afterAll(() => browser?.close());
  const { read, shows, press, click, type, fitsPhone } = visitConsole(
    () => browser.page,
    () => stoa.url,
  );
  /** Ignores 503 answers, which the client retries, and the product that does not exist. */
  const complaints = (): readonly string[] =>
    browser.page.complaints.filter((text) => !/status of 5\d\d|(by-slug|products)\/none$|shop\/nowhere$/.test(text));
  const goes = (path: string): Promise<void> => followLink(read, `/shop${path}`);
  const orders = async (): Promise<Record<string, unknown>[]> =>
    (await stoa.send('GET', '/v1/orders', { key: keys.secret_test_key })).body.orders;
  const noBarrier = (): Promise<void> => isAccessible(browser.page);
  const fitsAll = async (): Promise<void> => {
    await noBarrier();
    await fitsPhone();
  };

  /** In a browser that has never been here. */
  const fillCart = async (): Promise<void> => {
    await browser.page.open(`${stoa.url}/shop?clean`);
    await shows('h1', 'Kiosk on the Quay');
    await read(
      "localStorage.clear(); sessionStorage.clear(); document.cookie = 'stoa-shop-session=; Path=/shop; Max-Age=0'",
    );
    await browser.page.open(`${stoa.url}/shop/products/${mug.product_slug}`);
    await shows('h1', 'Blue mug');
    await eventually(async () => expect(await read('document.cookie')).toContain('stoa-shop-session='));
    await press('Add to cart');
    await shows('header .cart', 'Cart 1');
  };
  const signIn = async (): Promise<void> => {
    await goes('/account');
    await type('#email', 'ada@example.com');
    await press('Mail me a link');
    await shows('.note', 'A sandbox sends no mail');
    await noBarrier();
    await press('Open the link of the mail');
    await shows('h1', 'Your orders');
  };
  const sayWhere = async (): Promise<void> => {
    await goes('/checkout');
    await shows('h1', 'Checkout');
    await eventually(async () => expect(await read("document.querySelector('#city') !== null")).toBe(true));
    // All at once, as a browser fills a form in.
    await read(`for (const [id, text] of Object.entries({ email: 'ada@example.com', line: '12 Moi Avenue', city: 'Nairobi' })) {
      const field = document.getElementById(id);
      field.value = text;
      field.dispatchEvent(new Event('input', { bubbles: true }));
    }`);
    await press('Continue');
    await shows('.way', '2 days');
    await click('input[name=way]');
  };

  test('a shopper searches, fills a cart, uses a code, checks out, pays and sees the order', async () => {
    await browser.page.open(`${stoa.url}/shop`);
    await shows('h1', 'Kiosk on the Quay');
    await shows('.collection', 'For mornings');
    await shows('.spot', /Blue mug \$12\.50/);
    expect(await read("document.querySelector('.spot').style.left")).toBe('25%');
    await fitsAll();
    await type('#search', 'mgu');
    await shows('.card', 'Blue mug');
    await shows('main [role=status]', '“mug” instead of “mgu”');
    await fitsAll();
    await click('.card');
    await shows('h1', 'Blue mug');
    await shows('.there', 'Only 5 left');
    await shows('.text b', 'tea');
    expect(await read("[window.ran ?? 'nothing ran', document.querySelectorAll('.text img').length].join()")).toBe(
      'nothing ran,0',
    );
    await fitsAll();
    await press('Add to cart');
    await shows('header .cart', 'Cart 1');
    await goes('/cart');
    await shows('.lines', 'Blue mug');
    await type('#promotion', 'TEN');
    await click('.code button');
    await shows('.totals', '11.25');
    await fitsAll();
    expect(await overflowingParts(browser, read, '.lines div, header a', () => click('.drawer .handle'))).toBe('');
    await sayWhere();
    await shows('.go.wide', /^Pay .*16\.25/);
    await fitsAll();
    await shows('.drawer .handle', /requests behind this page \([1-9]/);
    await click('.drawer .handle');
    await shows('.drawer pre', 'await shop.agent.checkoutIntents.update({');
    await shows('.drawer pre', 'curl -X PATCH ');
    await noBarrier();
    await click('.drawer .handle');

    // Twice, as an impatient hand does.
    await read("for (let times = 2; times > 0; times--) document.querySelector('.go.wide').click()");
    await shows('.card-fields .go', '16.25');
    await noBarrier();
    await payByCard(browser.page);
    await shows('h1', 'Thank you');
    await shows('.steps [aria-current]', 'Paid');
    await shows('header .cart', 'Cart 0');
    await fitsAll();
    expect(await orders()).toMatchObject([
      { email: 'ada@example.com', payment_status: 'paid', order_status: 'confirmed', total_amount: 16.25 },
    ]);

    await goes('/account');
    await shows('h1', 'Sign in');
    await fitsAll();
    await signIn();
    await shows('.orders', '1 × Blue mug');
    await fitsAll();
    expect(complaints()).toEqual([]);
  });

  test('keeps options and filters, and leaves a search by going back', async () => {
    await browser.page.open(`${stoa.url}/shop/search?q=shirt`);
    await shows('.card', 'Shirt');
    await click('.card');
    await shows('h1', 'Shirt');
    await shows('.option', 'Red');
    await read("[...document.querySelectorAll('.option')].find((each) => each.innerText === 'Blue').click()");
    // The size that there is in blue.
    await shows('.option:has(:checked)', 'Blue L');
    await noBarrier();
    await read('history.back()');
    await shows('h1', '“shirt”');
    expect(await read("document.querySelector('#search').value")).toBe('shirt');
    expect(await read("getComputedStyle(document.querySelector('#filters')).display")).toBe('none');
    await press('Filters');
    await click('#filters input');
    await shows('.facets > button', 'Filters (1)');
    expect(await read('location.pathname + location.search')).toBe('/shop/search?q=shirt&stock=yes');
    await fitsAll();
    await type('#search', 'zzzz');
    await shows('main .notice', 'No products match with these filters');
    await noBarrier();
    await goes('/products/none');
    await shows('h1', 'This product cannot be shown');
    await noBarrier();
    await goes('/nowhere');
    await shows('h1', 'There is no such page');
    await fitsAll();
    // Addresses of the time when the part after `#` named the screen, in a new page and in an open one.
    await read("location.assign('/shop?earlier#/products?query=shirt')");
    await shows('h1', '“shirt”');
    await read(`location.hash = '#/product/${mug.product_slug}'`);
    await shows('h1', 'Blue mug');
    expect(await read('location.pathname + location.hash')).toBe(`/shop/products/${mug.product_slug}`);
    await goes('');
    await click('.collection');
    await shows('h1', 'For mornings');
    await shows('.card', 'Blue mug');
    await fitsAll();
    expect(complaints()).toEqual([]);
  });

  test('a checkout follows the cart, survives a reload, and knows a place by a pin on its map', async () => {
    await fillCart();
    await goes('/checkout');
    await shows('h1', 'Checkout');
    await type('#email', 'ada@example.com');
    await type('#line', 'By the gate');
    await type('#city', 'Nairobi');
    await click('.mapping summary');
    await shows('.map .named', 'Quay');
    await read(`(() => {
      const map = document.querySelector('.map');
      const { left, top, width, height } = map.getBoundingClientRect();
      map.dispatchEvent(new MouseEvent('click', { bubbles: true, clientX: left + width / 2, clientY: top + height / 4 }));
    })()`);
    await shows('.mapping [role=status]', /km .*Delivery there: \$5\.00/);
    const north = await read<number>("document.querySelector('#latitude').valueAsNumber");
    await read(
      "document.querySelector('.map').dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowDown', bubbles: true }))",
    );
    await eventually(async () =>
      expect(await read<number>("document.querySelector('#latitude').valueAsNumber")).toBeLessThan(north),
    );
    await fitsAll();
    await press('Continue');
    await shows('.soft', 'With a pin at -1.2');
    await browser.page.open(`${stoa.url}/shop/cart?again`);
    await shows('.lines', 'Blue mug');
    await read(`document.querySelector('[aria-label="More: Blue mug"]').click()`);
    await shows('header .cart', 'Cart 2');
    await goes('/checkout');
    await shows('.bought', '2 items');
    await shows('.soft', 'With a pin at -1.2');
    const id = await read<string>("localStorage.getItem('stoa-shop-checkout')");
    // A shop without a server takes the payment on the store's page.
    await click('input[name=way]');
    await shows('.go.wide', /Pay/);
    await browser.page.open(`${stoa.url}/s/${keys.code}/checkout/${id}`);
    await shows('.folded summary', 'ada@example.com, By the gate, Nairobi');
    await fitsAll();
    await stoa.send('POST', `/v1/agent/checkout-intents/${id}/cancel`, { key: keys.publishable_test_key });
    // Over meanwhile: the next one is begun of the same cart.
    await browser.page.open(`${stoa.url}/shop/checkout?once-more`);
    await shows('h2', 'Delivery address');
    await shows('.bought', '2 items');
    await goes('/cart');
    // Leaving the checkout loads a page, whose script has run once it is complete.
    const loaded = "location.pathname + ' ' + document.readyState";
    await eventually(async () => expect(await read(loaded)).toBe('/shop/cart complete'));
    await press('Remove');
    await shows('h1', 'Your cart is empty');
    await fitsAll();
    expect(complaints()).toEqual([]);
  });

  test('pays an abandoned payment later, and gift cards first', async () => {
    const { gift_card: card } = (
      await stoa.send('POST', '/v1/gift-cards', { key: keys.secret_test_key, body: { amount: 10 } })
    ).body;
    await fillCart();
    await goes('/cart');
    await type('#gift-card', card.code);
    await click('.code:has(#gift-card) button');
    await shows('.totals', `Gift card …${card.code.slice(-4)}`);
    await sayWhere();
    await shows('.soft', '1 gift card of your cart will be used first');
    await click('.go.wide');
    await shows('.card-fields .go', '7.50');
    await read('location.reload()');
    await shows('h1', /Order \d+ is placed/);
    await shows('.note', 'It is not paid yet.');
    await noBarrier();
    await press('Pay $7.50');
    await payByCard(browser.page);
    await shows('h1', 'Thank you');
    await shows('.totals', /Gift cards and credit−\$10\.00/);
    const [last] = await orders();
    expect(last).toMatchObject({ payment_status: 'paid', gift_card_total: 10, amount_paid: 7.5 });
    expect(await read('localStorage.getItem("stoa-shop-gift-cards")')).toBeNull();
    expect(complaints()).toEqual([]);
  });

  test('pays with a gift card alone, and returns the order of a signed-in customer', async () => {
    const { gift_card: card } = await write('POST', '/v1/gift-cards', { amount: 100 });
    await fillCart();
    await signIn();
    await goes('/cart');
    await type('#gift-card', card.code);
    await click('.code:has(#gift-card) button');
    await shows('.totals', `Gift card …${card.code.slice(-4)}`);
    await goes('/checkout');
    // Address and delivery are those of the shopper's last order.
    await shows('.way', '2 days');
    await click('.go.wide');
    await shows('h1', 'Thank you');
    const [last] = await orders();
    expect(last).toMatchObject({ payment_status: 'paid', amount_paid: 0, customer_id: expect.any(String) });
    const { status, text } = await stoa.send('PATCH', `/v1/orders/${last!.id}`, {
      key: keys.secret_test_key,
      signWith: keys.hmac_test_secret,
      body: { order_status: 'delivered' },
    });
    expect(status, text).toBe(200);
    await goes('/account');
    await shows('.tag', 'Delivered');
    await click('.orders a');
    await shows('.steps [aria-current]', 'Delivered');
    await fitsAll();
    await click('.drawer .handle');
    await shows('.drawer h3', 'POST /shop/server/orders');
    await noBarrier();
    const command = await read<string>(
      "[...document.querySelectorAll('.drawer pre')].find((each) => each.innerText.includes('/server/orders')).innerText",
    );
    const paste = async () => JSON.parse(await Bun.$`bash -c ${`${command} -s`}`.text());
    // The tests above share the address, whose reads of accounts are limited by the minute.
    await eventually(async () => expect((await paste()).orders?.[0]).toMatchObject({ id: last!.id }), 90_000);
    await click('.drawer .handle');
    await press('Request a return');
    await shows('.note', 'Requested');
    const { body } = await stoa.send('GET', '/v1/returns', { key: keys.secret_test_key });
    expect(body.data).toMatchObject([{ order_id: last!.id, reason_code: 'no_longer_needed' }]);
    await fitsAll();
    expect(complaints()).toEqual([]);
  });
});

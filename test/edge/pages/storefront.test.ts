// The demo storefront: what is served, and in a real browser a shopper's way from the first screen to a paid order.
import { spawnSync } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Browser, chromiumProgram, openBrowser } from '#test/support/browser.ts';
import { visitConsole } from '#test/support/console.ts';
import { eventually } from '#test/support/server.ts';
import { type Keys, type Stoa, startStoa } from '#test/support/stoa.ts';

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
  stoa = await startStoa({ demoFile: join(folder, 'demo.json') });
  keys = await stoa.createStore({ name: 'Kiosk on the Quay' });
  await writeFile(join(folder, 'demo.json'), JSON.stringify(keys));
  mug = await write('POST', '/v1/products', {
    name: 'Blue mug',
    description: 'Holds tea.',
    price: 12.5,
    stock: 5,
  });
  await write('POST', '/v1/products', {
    name: 'Shirt',
    variants: [
      { variant_name: 'M', variant_attributes: { size: 'M' }, price: 20, stock: 3 },
      { variant_name: 'L', variant_attributes: { size: 'L' }, price: 22, stock: 0 },
    ],
  });
  const { collection } = await write('POST', '/v1/product-collections', { name: 'For mornings', is_active: true });
  await write('PUT', `/v1/product-collections/${collection.id}/products`, { product_ids: [mug.id] });
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
    ['/shop', 'text/html; charset=utf-8', 'Shop'],
    ['/shop/main.js', 'text/javascript; charset=utf-8', '/v1/cart'],
    ['/shop/style.css', 'text/css; charset=utf-8', '.cards'],
  ])('%s is from here alone, and kept by its tag', async (path, type, word) => {
    const response = await fetch(`${stoa.url}${path}`);
    expect([response.status, response.headers.get('content-type')]).toEqual([200, type]);
    expect(await response.text()).toContain(word);
    const policy = response.headers.get('content-security-policy')!;
    expect(policy).toContain("default-src 'none'");
    expect(policy).not.toMatch(/unsafe|\*|https?:/);
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

describe.skipIf(!program)('in a browser', { timeout: 120_000 }, () => {
  let browser: Browser;
  let axe: string;
  beforeAll(async () => {
    axe = await readFile(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8');
    browser = await openBrowser(program!);
    await browser.page.resize(360, 740);
  }, 60_000);
  afterAll(() => browser?.close());

  const { read, shows, press, click, type, fitsPhone } = visitConsole(
    () => browser.page,
    () => stoa.url,
  );
  const goes = (hash: string): Promise<unknown> => read(`location.hash = ${JSON.stringify(hash)}`);

  /** axe-core finds nothing that keeps anyone out. */
  const isAccessible = async (): Promise<void> => {
    await read(axe);
    await read(
      'window.found = null; axe.run().then(({ violations }) => { window.found = violations.map(({ id, nodes }) => id + " " + nodes.map(({ html }) => html).join()); }); 0',
    );
    const found = await eventually(async () => {
      const list = await read<string[] | null>('window.found');
      expect(list).not.toBeNull();
      return list;
    });
    expect(found).toEqual([]);
  };

  test('a shopper searches, fills a cart, uses a code, checks out, pays and sees the order', async () => {
    await browser.page.open(`${stoa.url}/shop`);
    await shows('h1', 'Kiosk on the Quay');
    await shows('.collection', 'For mornings');
    await isAccessible();
    await fitsPhone();

    await type('#search', 'mgu');
    await shows('.card', 'Blue mug');
    await shows('[role=status]', /for .mug. instead/);
    await isAccessible();
    await click('.card');
    await shows('h1', 'Blue mug');
    await shows('.there', 'Only 5 left');
    await isAccessible();
    await press('Add to cart');
    await shows('header .cart', 'Cart (1)');
    await goes('#/cart');
    await shows('.lines', 'Blue mug');
    await type('form.inline:first-of-type input', 'TEN');
    await press('Use the code');
    await shows('.totals', '11.25');
    await isAccessible();
    await fitsPhone();

    await goes('#/checkout');
    await shows('h1', 'Checkout');
    await type('#email', 'ada@example.com');
    await type('#line', '12 Moi Avenue');
    await type('#city', 'Nairobi');
    await press('Show how it can travel');
    await shows('legend', 'How it travels');
    await isAccessible();
    await fitsPhone();
    await click('input[name=way]');
    await shows('.go', /^.*Pay .*16\.25/);
    await shows('.drawer summary', /requests behind this page \([1-9]/);
    await shows('.drawer', 'shop.agent.checkoutIntents.update(');

    await click('a.go');
    await shows('h1', /./);
    await shows('button[value=card]', /./);
    await click('button[value=card]');
    await shows('body', 'Thank you');
    await browser.page.open(`${stoa.url}/shop#/checkout`);
    await shows('h1', 'Thank you');
    await shows('header .cart', 'Cart (0)');
    const { body } = await stoa.send('GET', '/v1/orders', { key: keys.secret_test_key });
    expect(body.orders).toMatchObject([{ email: 'ada@example.com', payment_status: 'paid', total_amount: 16.25 }]);

    await goes('#/account');
    await shows('h1', 'Sign in');
    await isAccessible();
    await type('#email', 'ada@example.com');
    await press('Mail me a link');
    await press('Open the link of the mail');
    await shows('h1', 'Your orders');
    await shows('.reviews', '1 × Blue mug');
    await isAccessible();
    expect(browser.page.complaints).toEqual([]);
  });

  test('a gift card of the cart pays at the checkout', async () => {
    const { gift_card: card } = (
      await stoa.send('POST', '/v1/gift-cards', { key: keys.secret_test_key, body: { amount: 100 } })
    ).body;
    await browser.page.open(`${stoa.url}/shop`);
    await type('#search', 'mug');
    await shows('h1', '“mug”');
    await shows('.card', 'Blue mug');
    await click('.card');
    await shows('h1', 'Blue mug');
    await press('Add to cart');
    await shows('header .cart', 'Cart (1)');
    await goes('#/cart');
    await shows('.lines', 'Blue mug');
    await type('form.inline:nth-of-type(2) input', card.code);
    await press('Use the card');
    await shows('.totals', `Gift card …${card.code.slice(-4)}`);
    await goes('#/checkout');
    await shows('h1', 'Checkout');
    await type('#email', 'ada@example.com');
    await type('#line', '12 Moi Avenue');
    await type('#city', 'Nairobi');
    await press('Show how it can travel');
    await shows('legend', 'How it travels');
    await click('input[name=way]');
    await shows('button.go', /with a gift card/);
    await isAccessible();
    await click('form[method=post] button.go');
    await shows('.sum', `Gift card …${card.code.slice(-4)}`);
    await shows('h2', 'Nothing to pay');
    await fitsPhone();
    await press('Place the order');
    await shows('h1', 'Thank you');
    await browser.page.open(`${stoa.url}/shop#/checkout`);
    await shows('h1', 'Thank you');
    expect(await read('localStorage.getItem("stoa-shop-gift-cards")')).toBeNull();
    expect(browser.page.complaints).toEqual([]);
  });

  test('a customer sends a delivered order back', async () => {
    const { customers } = (await stoa.send('GET', '/v1/customers', { key: keys.secret_test_key })).body;
    const signed = async (method: string, path: string, body: object) => {
      const reply = await stoa.send(method, path, { key: keys.secret_test_key, signWith: keys.hmac_test_secret, body });
      expect(reply.status, reply.text).toBeLessThan(300);
      return reply.body.order;
    };
    const { id } = await signed('POST', '/v1/orders', {
      items: [{ variant_id: mug.variant_id, quantity: 1 }],
      customer_id: customers[0].id,
      shipping_option_id: 'place',
      shipping_address: { line1: '12 Moi Avenue', city: 'Nairobi', country: 'KE' },
    });
    await signed('PATCH', `/v1/orders/${id}`, { payment_status: 'paid' });
    await signed('PATCH', `/v1/orders/${id}`, { order_status: 'delivered' });
    await goes('#/');
    await goes('#/account');
    await shows('.reviews', 'delivered');
    await press('Send it back');
    await shows('.reviews [role=status]', 'The shop has your request.');
    const { body } = await stoa.send('GET', '/v1/returns', { key: keys.secret_test_key });
    expect(body.data).toMatchObject([{ order_id: id, reason_code: 'no_longer_needed' }]);
  });
});

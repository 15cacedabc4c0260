// The console: its files, and a developer's work in a real browser.
import { spawnSync } from 'node:child_process';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Browser, chromiumProgram, openBrowser } from '#test/support/browser.ts';
import { visitConsole } from '#test/support/console.ts';
import { eventually } from '#test/support/server.ts';
import { type Keys, type Stoa, sharedStoa } from '#test/support/stoa.ts';

let stoa: Stoa;
let keys: Keys;
/** Receives webhooks and refuses the first ones. */
let receiver: ReturnType<typeof Bun.serve>;
let wanted = false;
const received: string[] = [];

beforeAll(async () => {
  stoa = await sharedStoa();
  keys = await stoa.createStore();
  receiver = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    fetch: async (request) => {
      if (wanted) received.push(((await request.json()) as { type: string }).type);
      return new Response('', { status: wanted ? 200 : 500 });
    },
  });
});
afterAll(async () => {
  await receiver?.stop(true);
});

describe('what is served', () => {
  test.each([
    ['/console', 'text/html; charset=utf-8', 'Console'],
    ['/console/main.js', 'text/javascript; charset=utf-8', 'x-ratelimit'],
    ['/console/style.css', 'text/css; charset=utf-8', '.uplot'],
  ])('%s is from here alone, and kept by its tag', async (path, type, word) => {
    const response = await fetch(`${stoa.url}${path}`);
    expect([response.status, response.headers.get('content-type')]).toEqual([200, type]);
    expect((await response.text()).toLowerCase()).toContain(word.toLowerCase());
    const policy = response.headers.get('content-security-policy')!;
    expect(policy).toContain("default-src 'none'");
    expect(policy).not.toMatch(/unsafe|\*|https?:/);
    const tag = response.headers.get('etag')!;
    expect((await fetch(`${stoa.url}${path}`, { headers: { 'If-None-Match': tag } })).status).toBe(304);
    const head = await fetch(`${stoa.url}${path}`, { method: 'HEAD' });
    expect([head.status, head.headers.get('etag'), await head.text()]).toEqual([200, tag, '']);
    expect((await fetch(`${stoa.url}${path}`, { method: 'POST' })).status).toBe(405);
  });

  test('means what its types say', () => {
    const { status, stdout } = spawnSync('node_modules/.bin/tsc', ['-p', 'edge/pages/console'], { encoding: 'utf8' });
    expect([stdout, status]).toEqual(['', 0]);
  });
});

const program = chromiumProgram();
if (!program)
  console.warn('No Chromium is installed (Debian: apt-get install chromium): the console is not tried in one.');

describe.skipIf(!program)('in a browser', { timeout: 120_000 }, () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await openBrowser(program!);
    await browser.page.resize(360, 640);
  });
  afterAll(() => browser?.close());

  const { read, shows, press, click, type, signIn, fitsPhone } = visitConsole(
    () => browser.page,
    () => stoa.url,
  );

  test('refuses a visitor without a secret key', async () => {
    await signIn(keys.publishable_test_key);
    await shows('[role=alert]', 'svc_sk_live_');
    await type('#key', `svc_sk_test_${'x'.repeat(32)}`);
    await press('Sign in');
    await shows('[role=alert]', /key/i);
    await fitsPhone();
  });

  test('a developer sees requests and events, replays an event, advances the clock, resets the sandbox', async () => {
    const key = keys.secret_test_key;
    const send = (path: string, body: unknown) => stoa.send('POST', path, { key, body });
    await send('/v1/webhook-endpoints', { url: receiver.url.href, events: ['product.created'] });
    await send('/v1/products', { name: 'Lamp', price: 20, stock: 3 });
    await send('/v1/promotions', {
      name: 'Tomorrow',
      type: 'percentage',
      value: 10,
      status: 'scheduled',
      starts_at: new Date(Date.now() + 12 * 3_600_000).toISOString(),
    });

    await signIn(key);
    await shows('#requests', /POST \/v1\/products/);
    await shows('#store', /./);
    expect(await read('document.title')).toContain('Console');
    await shows('figcaption', 'Requests a second');
    // Drawn only after its caption stands there.
    await eventually(async () => expect(await read('document.querySelectorAll(".chart canvas").length')).toBe(2));
    await fitsPhone();

    await press('Events');
    await shows('#events summary', /product\.created.*retrying/);
    wanted = true;
    await read(`document.querySelector('#events details:has(.sign.warn) summary').click()`);
    await fitsPhone();
    await press('Retry');
    await eventually(() => expect(received).toContain('product.created'));
    await shows('#events summary', /product\.created.*delivered/);

    await press('Sandbox');
    await press('Forward a day');
    await shows('#fired', 'promotion.activated');
    const { body } = await stoa.send('GET', '/v1/sandbox/clock', { key });
    expect(body.offset_seconds).toBeGreaterThan(86_000);
    await fitsPhone();
    await press('Reset …');
    await press('Delete all records of the sandbox');
    await shows('[role=status]', 'The sandbox is reset.');
    expect((await stoa.send('GET', '/v1/products', { key })).body.products).toEqual([]);

    await press('Usage');
    await shows('#used', /requests/);
    await fitsPhone();
  });

  test('a refused request shows what was sent and answered; a filter says when nothing matches', async () => {
    const own = await stoa.createStore({ name: 'Kiosk on the Quay' });
    const key = own.secret_test_key;
    await stoa.send('POST', '/v1/auth/register', {
      key,
      body: { email: 'ada@example.com', password: 'sesame', phone: 5 },
    });
    await stoa.send('GET', '/v1/produkts?limit=5', { key });
    await signIn(key);
    await shows('#store', 'Kiosk on the Quay');
    await shows('#requests', /GET \/v1\/produkts\?limit=5/);
    // Times use 24 hours in every browser language.
    await shows('#requests td', /^\d\d:\d\d:\d\d/);
    await press('POST /v1/auth/register');
    await shows('.detail', /"password": "…"[\s\S]*invalid_request/);
    expect(await read('document.body.textContent')).not.toContain('sesame');
    await fitsPhone();
    await type('#wanted', 'produkts 404');
    await eventually(async () => expect(await read('document.querySelectorAll("#requests tbody").length')).toBe(1));
    await type('#wanted', 'teapot');
    await shows('#none', 'No request matches');
    await press('Events');
    await type('input', 'order.created');
    await read(`document.querySelector('input').dispatchEvent(new Event('change', { bubbles: true }))`);
    await shows('#none', 'No event matches');
  });

  test('draws a single second between gaps', async () => {
    const key = (await stoa.createStore()).secret_test_key;
    await stoa.send('GET', '/v1/products', { key });
    await signIn(key);
    // The dot of p95 covers that of p50 where the second holds one request: either colour shows the second.
    const painted = `(() => {
      const canvas = document.querySelectorAll('.chart canvas')[1];
      const style = getComputedStyle(document.documentElement);
      const colours = ['--go', '--warn'].map((name) => {
        const text = style.getPropertyValue(name).trim();
        return [1, 3, 5].map((at) => parseInt(text.slice(at, at + 2), 16));
      });
      const copy = Object.assign(document.createElement('canvas'), { width: canvas.width, height: canvas.height });
      const context = copy.getContext('2d', { willReadFrequently: true });
      context.drawImage(canvas, 0, 0);
      const { data } = context.getImageData(0, 0, copy.width, copy.height);
      let count = 0;
      for (let at = 0; at < data.length; at += 4)
        if (data[at + 3] === 255 && colours.some((colour) => colour.every((value, part) => data[at + part] === value))) count++;
      return count;
    })()`;
    await eventually(async () => expect(await read(painted)).toBeGreaterThan(8));
  });

  test('an endpoint is made, tried, given a new secret, switched off and deleted', async () => {
    const key = (await stoa.createStore()).secret_test_key;
    await signIn(key);
    await press('Webhooks');
    await shows('main', 'There is no webhook endpoint yet.');
    await type('#url', receiver.url.href);
    await type('#types', 'order.created');
    await press('Add endpoint');
    await shows('#secret', /whsec_/);
    const first = await read<string>('document.querySelector("#secret code").textContent');
    wanted = true;
    await press('Send a test event');
    await shows('[role=status]', 'The endpoint accepted the test event with status 200.');
    expect(received).toContain('order.created');
    await press('Rotate the secret');
    await eventually(async () =>
      expect(await read('document.querySelector("#secret code").textContent')).not.toBe(first),
    );
    await press('Switch off');
    await shows('[role=status]', 'The endpoint receives no event');
    await fitsPhone();
    const { body } = await stoa.send('GET', '/v1/webhook-endpoints', { key });
    expect(body.webhook_endpoints).toMatchObject([{ enabled: false, events: ['order.created'] }]);
    await press('Delete …');
    await press('Delete it');
    await shows('main', 'There is no webhook endpoint yet.');
  });

  test('an undelivered event is found and retried at once', async () => {
    const key = (await stoa.createStore()).secret_test_key;
    wanted = false;
    received.length = 0;
    const send = (path: string, body: unknown) => stoa.send('POST', path, { key, body });
    await send('/v1/webhook-endpoints', { url: receiver.url.href, events: ['product.created'] });
    for (const name of ['Lamp', 'Shade', 'Bulb']) await send('/v1/products', { name, price: 20, stock: 3 });
    await signIn(key);
    await press('Events');
    const choose = (status: string): Promise<void> =>
      read(`(() => {
        const select = document.querySelector('#delivery');
        select.value = ${JSON.stringify(status)};
        select.dispatchEvent(new Event('change', { bubbles: true }));
      })()`);
    await shows('#events', /Lamp/);
    await choose('delivered');
    await shows('#none', 'No event matches');
    await choose('retrying');
    await eventually(async () => expect(await read('document.querySelectorAll("#events details").length')).toBe(3));
    wanted = true;
    await press('Retry all that are shown');
    await eventually(() => expect(received).toHaveLength(3));
    await choose('delivered');
    await eventually(async () => expect(await read('document.querySelectorAll("#events details").length')).toBe(3));
  });

  test('an order of the sandbox is found, shipped and refunded', async () => {
    const own = await stoa.createStore();
    const key = own.secret_test_key;
    const product = await stoa.send('POST', '/v1/products', { key, body: { name: 'Lamp', price: 20, stock: 3 } });
    const placed = await stoa.send('POST', '/v1/orders', {
      key,
      signWith: own.hmac_test_secret,
      body: {
        items: [{ variant_id: product.body.variant_id, quantity: 2 }],
        email: 'ada@example.com',
        shipping_address: { line1: '12 Moi Avenue', city: 'Nairobi', country: 'KE' },
      },
    });
    const { id, order_number } = placed.body.order;
    await stoa.send('PATCH', `/v1/orders/${id}`, {
      key,
      signWith: own.hmac_test_secret,
      body: { payment_status: 'paid' },
    });
    await signIn(key);
    await press('Orders');
    await type('#number', '999999');
    await read(`document.querySelector('#number').dispatchEvent(new Event('change', { bubbles: true }))`);
    await shows('#none', 'There is no order 999999.');
    await type('#number', order_number);
    await read(`document.querySelector('#number').dispatchEvent(new Event('change', { bubbles: true }))`);
    await shows('#orders summary', order_number);
    await read(`document.querySelector('#orders summary').click()`);
    await shows('#orders', 'Record the shipment');
    await shows('#orders summary', `${order_number} 40.00 USD`);
    await fitsPhone();
    await type('[name=carrier]', 'DHL');
    await type('[name=tracking]', '00340434161094042557');
    await press('Record the shipment');
    await shows('#orders summary', 'shipped');
    await type('[name=amount]', '5');
    await press('Refund');
    await shows('#orders summary', 'partially refunded');
    const { body } = await stoa.send('GET', `/v1/orders/${id}`, { key });
    expect(body.order).toMatchObject({ amount_refunded: 5, payment_status: 'partially_refunded' });
  });

  test('reviews, returns, disputes and conversations are decided in the sandbox', async () => {
    const own = await stoa.createStore();
    const key = own.secret_test_key;
    const shopper = await stoa.send('POST', '/v1/auth/register', {
      key,
      body: { email: 'ada@example.com', password: 'correct horse battery' },
    });
    const headers = { 'x-auth-token': shopper.body.session.access_token };
    const asShopper = async (path: string, body: object) => {
      const made = await stoa.send('POST', path, { key: own.publishable_test_key, headers, body });
      expect(made.status, made.text).toBe(201);
      return made.body;
    };
    const product = await stoa.send('POST', '/v1/products', {
      key,
      body: { name: 'Lamp', price: 20, stock: 3, shipping_info: { requires_shipping: false } },
    });
    const signed = (method: string, path: string, body: object) =>
      stoa.send(method, path, { key, signWith: own.hmac_test_secret, body });
    const placed = await signed('POST', '/v1/orders', {
      items: [{ variant_id: product.body.variant_id, quantity: 2 }],
      customer_id: shopper.body.customer.id,
    });
    const { id } = placed.body.order;
    await signed('PATCH', `/v1/orders/${id}`, { payment_status: 'paid', order_status: 'delivered' });
    const review = { product_id: product.body.id, rating: 4, title: 'Bright', body: 'As day.' };
    const { review: written } = await asShopper('/v1/reviews', review);
    const { data: asked } = await asShopper(`/v1/orders/${id}/returns`, { reason_code: 'damaged' });
    const complaint = { order_id: id, reason_code: 'damaged', description: 'It arrived in pieces.' };
    const { data: dispute } = await asShopper('/v1/disputes', complaint);
    const { thread } = await asShopper('/v1/messaging/threads', { subject: 'Where is it?', body: 'I wait.' });

    await signIn(key);
    await press('Waiting');
    await shows('#reviews summary', 'Bright');
    await shows('#threads summary', '1 unread');
    const inSight = '(({ left, right }) => left >= 0 && right <= innerWidth)';
    const current = 'document.querySelector("nav [aria-current]").getBoundingClientRect()';
    expect(await read(`${inSight}(${current})`)).toBe(true);
    for (const pile of ['reviews', 'returns', 'disputes', 'threads'])
      await read(`document.querySelector('#${pile} summary').click()`);
    await shows('#threads li', /Shopper.*I wait\./);
    await fitsPhone();
    await press('Take under review');
    await shows('#disputes .sign', 'under review');
    await press('Resolve by a replacement');
    await shows('#disputes', 'No dispute needs a decision.');
    await type('[name=answer]', 'It is on its way.');
    await press('Send');
    await shows('#threads', 'Every conversation is read.');
    await asShopper(`/v1/messaging/threads/${thread.id}/messages`, { body: 'It came.\nThank you.' });
    await shows('#threads summary', '1 unread');
    await click('#threads summary');
    await shows('#threads li', /Store.*It is on its way\..*Shopper.*new.*Thank you\./s);
    await press('Close it');
    await shows('#threads', 'Every conversation is read.');
    // The review's button stands first.
    await press('Approve');
    await shows('#reviews', 'No review needs a decision.');
    await press('Approve');
    await shows('#returns .sign', 'approved');
    await press('Received, back into stock');
    await shows('#returns .sign', 'received');
    await press('Refund the price of the items');
    await shows('#returns', 'No return needs a decision.');
    const found = async (path: string) => (await stoa.send('GET', path, { key })).body;
    expect((await found('/v1/messaging/threads')).threads).toMatchObject([{ status: 'closed', unread_count: 0 }]);
    expect((await found(`/v1/reviews/${written.id}`)).review.status).toBe('approved');
    expect((await found(`/v1/returns/${asked.id}`)).data).toMatchObject({ status: 'refunded', refund_amount: 40 });
    expect((await found(`/v1/disputes/${dispute.id}`)).data).toMatchObject({ resolution: 'replacement' });
    expect((await found(`/v1/orders/${id}`)).order).toMatchObject({ payment_status: 'refunded' });
  });

  test('the key is in the page’s memory alone, and the page breaks no policy', async () => {
    await signIn(keys.secret_key);
    await shows('header', 'production');
    // No sandbox stands behind a live key.
    expect(await read('[...document.querySelectorAll("nav button")].map((b) => b.textContent)')).toEqual([
      'Traffic',
      'Events',
      'Webhooks',
      'Assistants',
      'Channels',
      'Grants',
      'Usage',
    ]);
    expect(await read('[localStorage.length, sessionStorage.length, document.cookie, location.href]')).toEqual([
      0,
      0,
      '',
      `${stoa.url}/console`,
    ]);
    expect(await read('document.documentElement.outerHTML')).not.toContain(keys.secret_key);
    await browser.page.open(`${stoa.url}/console`);
    await shows('button', 'Sign in');
    expect(browser.page.complaints.filter((text) => !/40[013]/.test(text))).toEqual([]);
  });
});

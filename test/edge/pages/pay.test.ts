// The sandbox's pay page: contents, decisions and redirects, over HTTP and in a real browser.
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { backOf } from '#edge/pages/pay.ts';
import { type Browser, chromiumProgram, openBrowser } from '#test/support/browser.ts';
import { eventually } from '#test/support/server.ts';
import { type Keys, type Stoa, sharedStoa } from '#test/support/stoa.ts';

let stoa: Stoa;
let keys: Keys;
/** The store's own site, where shoppers come back to. */
let site: Server;
let home: string;

beforeAll(async () => {
  stoa = await sharedStoa();
  keys = await stoa.createStore();
  site = createServer((request, response) => {
    const to = new URL(request.url!, home).searchParams.get('to');
    if (to !== null) return response.writeHead(302, { location: to }).end();
    response.setHeader('content-type', 'text/html');
    response.end(`<!doctype html><title>Shop</title><p id="at">${request.url}</p>`);
  });
  await new Promise<void>((ready) => site.listen(0, '127.0.0.1', ready));
  home = `http://127.0.0.1:${(site.address() as AddressInfo).port}`;
});
afterAll(async () => {
  site.closeAllConnections();
  site.close();
});

const begin = async (more: Record<string, unknown> = {}): Promise<{ reference: string; checkout_url: string }> => {
  const reply = await stoa.send('POST', '/v1/payments/initialize', {
    key: keys.secret_test_key,
    signWith: keys.hmac_test_secret,
    body: {
      provider: 'card_checkout',
      amount: 1_299.5,
      email: 'ada@example.com',
      success_url: `${home}/thanks`,
      cancel_url: `${home}/cart`,
      ...more,
    },
  });
  expect(reply.status, reply.text).toBe(200);
  return reply.body;
};
const statusOf = async (reference: string, provider = 'card_checkout'): Promise<string> =>
  (
    await stoa.send('POST', '/v1/payments/verify', {
      key: keys.secret_test_key,
      body: { provider, reference },
    })
  ).body.status;
const post = (url: string, body: string, headers: Record<string, string> = {}): Promise<Response> =>
  fetch(url, {
    method: 'POST',
    body,
    headers: { 'Content-Type': 'application/x-www-form-urlencoded', ...headers },
    redirect: 'manual',
  });

describe('the page', () => {
  test('shows what is to be paid, alone and unframed, with no script and nothing from elsewhere', async () => {
    const { checkout_url: url, reference } = await begin();
    expect(url).toBe(`${stoa.url}/pay/${reference}`);
    const response = await fetch(url);
    const html = await response.text();
    expect(response.status).toBe(200);
    for (const text of ['1299.50', 'USD', 'Card', reference, 'no money moves']) expect(html).toContain(text);
    expect(html.replace('<link rel="icon" href="data:,">', '')).not.toMatch(/<script|<link|<img|@import|https?:\/\//i);
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(response.headers.get('referrer-policy')).toBe('no-referrer');
    const policy = response.headers.get('content-security-policy') ?? '';
    expect(policy).toMatch(
      /^default-src 'none'; style-src 'sha256-[^']+'; img-src data:; form-action 'self' https: http:;/,
    );
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toContain('unsafe');
    const head = await fetch(url, { method: 'HEAD' });
    expect([head.status, head.headers.get('content-length')]).toEqual([200, `${html.length}`]);
  });

  test.each([
    ['succeed', '/thanks', 'succeeded', 'approved'],
    ['fail', '/cart', 'failed', 'declined'],
    ['expire', '/cart', 'expired', 'Nothing was paid'],
  ])('takes "%s", leads to %s, and shows it ever after', async (outcome, path, status, text) => {
    const { checkout_url: url, reference } = await begin();
    const response = await post(url, `outcome=${outcome}`);
    expect([response.status, response.headers.get('location')]).toEqual([303, `${home}${path}`]);
    expect(await statusOf(reference)).toBe(status);
    const html = await (await fetch(url)).text();
    expect(html).toContain(text);
    expect(html).toContain(`href="${home}${path}"`);
    expect(html).not.toContain('<button');
    // Decided once: another decision leads where the first one did.
    const again = await post(url, 'outcome=fail');
    expect(again.headers.get('location')).toBe(`${home}${path}`);
    expect(await statusOf(reference)).toBe(status);
  });

  test('stays if a payment names no return address', async () => {
    const { checkout_url: url, reference } = await begin({ success_url: undefined, cancel_url: undefined });
    const response = await post(url, 'outcome=succeed');
    expect(response.headers.get('location')).toBe(`/pay/${reference}`);
    expect(await (await fetch(url)).text()).not.toContain('Back to the store');
  });

  test('leads a bank-africa payment to its callback_url with the reference, as its provider does', async () => {
    const { checkout_url: url, reference } = await begin({
      provider: 'bank_africa',
      currency: 'NGN',
      success_url: undefined,
      cancel_url: undefined,
      callback_url: `${home}/done?order=7`,
    });
    const response = await post(url, 'outcome=succeed');
    expect(response.headers.get('location')).toBe(`${home}/done?order=7&reference=${reference}`);
  });

  test.each([
    ['nothing', ''],
    ['something else', 'outcome=give+me+money'],
    ['a prototype', 'outcome=__proto__'],
    ['far too much', `outcome=${'x'.repeat(5_000)}`],
  ])('takes %s for no decision', async (_name, body) => {
    const { checkout_url: url, reference } = await begin();
    expect((await post(url, body)).status).toBe(400);
    expect((await post(url, 'outcome=succeed', { 'Content-Type': 'text/plain' })).status).toBe(400);
    expect(await statusOf(reference)).toBe('pending');
  });

  test.each([
    ['pay_aaaaaaaaaaaaaaaaaaaaaaaa', 404],
    ['pay_', 404],
    ['..%2f..', 404],
    ["pay_'or'1", 404],
    ['pay_%00', 400],
  ])('of "%s" is no payment, and says no more', async (reference, status) => {
    for (const method of ['GET', 'POST']) {
      const response = await fetch(`${stoa.url}/pay/${reference}`, {
        method,
        ...(method === 'POST' ? { body: new URLSearchParams({ outcome: 'succeed' }) } : {}),
      });
      expect(response.status).toBe(status);
    }
  });

  test('keeps what a store wrote from becoming markup, and leads to web addresses alone', () => {
    const payment = {
      reference: 'pay_1',
      provider: 'card_checkout',
      store: 'b7c1a2de-0000-4000-8000-000000000000',
      method_name: 'Card',
      status: 'failed',
      amount: '1.00',
      currency: 'USD',
      order_number: null,
      phone: null,
      success_url: null,
    };
    expect(backOf({ ...payment, cancel_url: 'https://shop.example/?q="><script>' })).toBe(
      'https://shop.example/?q=%22%3E%3Cscript%3E',
    );
    expect(backOf({ ...payment, cancel_url: null })).toBeNull();
  });

  test('takes no other verbs', async () => {
    const { checkout_url: url } = await begin();
    const response = await fetch(url, { method: 'DELETE' });
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'GET, HEAD, POST']);
  });

  test('thanks the shopper after a provider’s own page', async () => {
    const response = await fetch(`${stoa.url}/pay/returned`);
    expect(response.status).toBe(200);
    expect(await response.text()).toContain('go back to the store');
  });
});

const program = chromiumProgram();
if (!program)
  console.warn('No Chromium is installed (Debian: apt-get install chromium): the pay page is not tried in one.');

describe.skipIf(!program)('in a browser', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await openBrowser(program!);
    await browser.page.resize(360, 640);
  });
  afterAll(() => browser?.close());

  /** Delays the call, since a page that navigates away never answers it. */
  const later = (work: string): Promise<void> => browser.page.read(`void setTimeout(() => ${work}, 1)`);
  const press = (value: string): Promise<void> => later(`document.querySelector('button[value="${value}"]').click()`);
  const arrivesAt = (url: string): Promise<void> =>
    eventually(async () => expect(await browser.page.read('location.href')).toBe(url));

  test.each([
    ['succeed', '/thanks', 'succeeded'],
    ['fail', '/cart', 'failed'],
    ['expire', '/cart', 'expired'],
  ])('a shopper who presses "%s" comes to %s of the store, and the payment has %s', async (value, path, status) => {
    const { checkout_url: url, reference } = await begin();
    await browser.page.open(url);
    await press(value);
    await arrivesAt(`${home}${path}`);
    expect(await statusOf(reference)).toBe(status);
  });

  test('reaches a store whose return address redirects', async () => {
    const other = home.replace('127.0.0.1', 'localhost');
    const { checkout_url: url } = await begin({
      success_url: `${home}/moved?to=${encodeURIComponent(`${other}/there`)}`,
    });
    await browser.page.open(url);
    await press('succeed');
    await arrivesAt(`${other}/there`);
  });

  test('fits a phone, uses its own style sheet, and breaks no policy', async () => {
    const { checkout_url: url } = await begin();
    await browser.page.open(url);
    const { read } = browser.page;
    expect(await read('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
    // Large enough for a thumb.
    expect(
      await read('Math.min(...[...document.querySelectorAll("button")].map((b) => b.getBoundingClientRect().height))'),
    ).toBeGreaterThanOrEqual(44);
    expect(await read('getComputedStyle(document.querySelector("main")).borderRadius')).not.toBe('0px');
    expect(await read('document.documentElement.lang')).toBe('en');
    expect(await read('document.querySelectorAll("main").length + document.querySelectorAll("h1").length')).toBe(2);
    expect(browser.page.complaints.filter((text) => /Content Security Policy|Refused/.test(text))).toEqual([]);
    if (process.env.STOA_PICTURE)
      await Bun.write(process.env.STOA_PICTURE, Buffer.from(await browser.page.picture(), 'base64'));
  });

  test('works with the keyboard alone', async () => {
    const { checkout_url: url, reference } = await begin({ success_url: undefined, cancel_url: undefined });
    await browser.page.open(url);
    const focused = await browser.page.read<string>(
      `(() => { const first = document.querySelector('button'); first.focus(); return document.activeElement.value; })()`,
    );
    expect(focused).toBe('succeed');
    await later('document.activeElement.click()');
    await eventually(async () =>
      expect(await browser.page.read('document.querySelector("[role=status]")?.textContent')).toContain('approved'),
    );
    expect(await statusOf(reference)).toBe('succeeded');
  });
});

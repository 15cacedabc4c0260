// The pages that assistants' links lead to: a buyer finishes a checkout, pays, follows the order, reads a policy; all of it
// without a key, without a script, and whatever a product is called.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type StillClock, stillClock } from '#runtime/process/clock.ts';
import { type Merchant, openMerchant } from '#test/support/catalog.ts';
import { type Stoa, startStoa } from '#test/support/stoa.ts';

const EVIL = '<img src=x onerror=alert(1)>"\'&';
const MINUTE_MS = 60_000;

let stoa: Stoa;
let clock: StillClock;
beforeAll(async () => {
  clock = stillClock(Date.now());
  stoa = await startStoa({ clock });
});
afterAll(() => stoa.stop());

interface Shop {
  readonly merchant: Merchant;
  readonly base: string;
  readonly variant: string;
}

const openShop = async (price = 10, currency = 'USD'): Promise<Shop> => {
  const merchant = await openMerchant(stoa, { currency });
  const { test: sandbox } = merchant;
  const made = await sandbox('POST', '/v1/products', { name: `Mug ${EVIL}`, price, stock: 5 });
  expect(made.status, made.text).toBe(201);
  await sandbox('PUT', '/v1/shipping/config', {
    zones: [
      {
        name: 'Kenya',
        kind: 'countries',
        countries: ['KE'],
        rate: { fee: 5, options: [{ name: `Express ${EVIL}`, fee: 12 }] },
      },
      { name: 'Uganda', kind: 'countries', countries: ['UG'], rate: { fee: 7 } },
    ],
  });
  return { merchant, base: `${stoa.url}/s/${merchant.keys.code}`, variant: made.body.variant_id };
};

const begin = async ({ merchant, variant }: Shop, more: object = {}): Promise<string> => {
  const { body, status, text } = await merchant.test('POST', '/v1/agent/checkout-intents', {
    items: [{ variant_id: variant, quantity: 2 }],
    ...more,
  });
  expect(status, text).toBe(201);
  return body.data.id;
};

interface Page {
  readonly status: number;
  readonly html: string;
  readonly headers: Headers;
}

const load = async (url: string, form?: Record<string, string>): Promise<Page> => {
  const response = await fetch(url, {
    redirect: 'manual',
    ...(form && { method: 'POST', body: new URLSearchParams(form) }),
  });
  return { status: response.status, html: await response.text(), headers: response.headers };
};

/** As a browser sends the form: everything that stands in it, and what the buyer typed. */
const submit = async (url: string, typed: Record<string, string>): Promise<Page> => {
  const { html } = await load(url);
  const standing: Record<string, string> = {};
  const unescaped = (text: string): string =>
    text.replace(
      /&(lt|gt|quot|#x27|amp);/g,
      (_, name) => ({ lt: '<', gt: '>', quot: '"', '#x27': "'" })[name as string] ?? '&',
    );
  new HTMLRewriter()
    .on('input', {
      element(input) {
        const name = input.getAttribute('name')!;
        if (input.getAttribute('type') === 'radio' && !input.hasAttribute('checked')) return;
        standing[name] = unescaped(input.getAttribute('value') ?? '');
      },
    })
    .transform(html);
  return load(url, { ...standing, ...typed });
};

const PERSON = { email: 'ada@example.com', 'buyer.first_name': 'Ada' };
const HOME = {
  'shipping_address.line1': '12 Moi Avenue',
  'shipping_address.city': 'Nairobi',
  'shipping_address.country': 'KE',
};
const READY = {
  email: 'ada@example.com',
  shipping_address: { line1: '12 Moi Avenue', city: 'Nairobi', country: 'KE' },
  shipping_option_id: 'place',
};

const isSafe = ({ html, headers }: Page): void => {
  expect(html).not.toContain('<img src=x');
  expect(html).not.toMatch(/<script|javascript:|svc_(?:sk|pk)_/i);
  expect(headers.get('content-security-policy')).toMatch(
    /^default-src 'none'; style-src 'sha256-[^']+'; (?:img-src [^;]+; )?form-action 'self'; base-uri 'none'; frame-ancestors 'none'$/,
  );
  expect(headers.get('cache-control')).toBe('no-store');
  expect(headers.get('referrer-policy')).toBe('no-referrer');
  expect(headers.get('access-control-allow-origin')).toBeNull();
};

const ordersOf = async ({ merchant }: Shop) => (await merchant.test('GET', '/v1/orders')).body.orders;

describe('a checkout’s page', () => {
  test('leads a buyer from nothing known to a paid order', async () => {
    const shop = await openShop();
    const page = `${shop.base}/checkout/${await begin(shop)}`;
    const first = await load(page);
    expect(first.status, first.html).toBe(200);
    isSafe(first);
    for (const text of ['Mug &lt;img', '20.00 USD', 'Still needed: a delivery address, your e-mail address', 'Sandbox'])
      expect(first.html).toContain(text);
    expect(first.html).not.toContain('test card');
    const saved = await submit(page, { ...PERSON, ...HOME, note: EVIL, do: 'save' });
    expect([saved.status, saved.headers.get('location')]).toEqual([303, page.split('/').at(-1)]);
    const chosen = await submit(page, { shipping_option_id: 'place', do: 'save' });
    expect(chosen.status, chosen.html).toBe(303);
    const ready = await load(page);
    isSafe(ready);
    expect(ready.html).toContain('Pay 25.00 USD with a test card');
    const paid = await submit(page, { do: 'card' });
    expect(paid.status, paid.html).toBe(303);
    const done = await load(page);
    isSafe(done);
    expect(done.html).toContain('Thank you');
    expect(done.html).toContain('<dd>Paid</dd>');
    // Of who bought it the address shows nothing any more.
    expect(done.html).not.toMatch(/ada@|Moi Avenue/);
    const [order, ...others] = await ordersOf(shop);
    expect(others).toEqual([]);
    expect(order).toMatchObject({
      payment_status: 'paid',
      total_amount: 25,
      email: 'ada@example.com',
      note: EVIL,
      agent: null,
    });
  });

  test('chooses the only way of delivery by itself', async () => {
    const shop = await openShop();
    const page = `${shop.base}/checkout/${await begin(shop)}`;
    await submit(page, { ...PERSON, ...HOME, 'shipping_address.country': 'UG', do: 'save' });
    expect((await load(page)).html).toContain('Pay 27.00 USD');
  });

  test.each(['card_checkout', 'wallet', 'bank_africa'])('pays by %s and comes back to the order', async (provider) => {
    const shop = await openShop();
    const narrowed = await shop.merchant.test('PATCH', '/v1/store', {
      allowed_redirect_origins: ['https://shop.example'],
    });
    expect(narrowed.status, narrowed.text).toBe(200);
    const page = `${shop.base}/checkout/${await begin(shop, READY)}`;
    const going = await submit(page, { do: `pay:${provider}` });
    expect(going.status, going.html).toBe(200);
    isSafe(going);
    const [, url] = /^0; url=(.*)$/.exec(going.headers.get('refresh') ?? '') ?? [];
    expect(url).toMatch(/\/pay\/pay_/);
    const unpaid = await load(page);
    expect(unpaid.html).toContain('Your order is placed');
    expect(unpaid.html).toContain('Pay by');
    const decided = await load(url!, { outcome: 'succeed' });
    expect(decided.headers.get('location')).toMatch(`${page}?paid=1`);
    expect((await load(`${page}?paid=1`)).html).toContain('Thank you');
    expect(await ordersOf(shop)).toMatchObject([{ payment_status: 'paid', amount_due: 0 }]);
  });

  test('lets a payment that failed be made again, for the one order', async () => {
    const shop = await openShop();
    const page = `${shop.base}/checkout/${await begin(shop, READY)}`;
    const [, failing] = /url=(.*)$/.exec((await submit(page, { do: 'pay:card_checkout' })).headers.get('refresh')!)!;
    await load(failing!, { outcome: 'fail' });
    expect((await load(page)).html).toContain('The payment failed');
    const [, second] = /url=(.*)$/.exec((await load(page, { do: 'pay:card_checkout' })).headers.get('refresh')!)!;
    await load(second!, { outcome: 'succeed' });
    expect(await ordersOf(shop)).toMatchObject([{ payment_status: 'paid' }]);
    const again = await load(page, { do: 'pay:card_checkout' });
    expect(again.status).toBe(303);
  });

  test('asks the buyer’s phone, and looks again until it has answered', async () => {
    const shop = await openShop(1_000, 'KES');
    const page = `${shop.base}/checkout/${await begin(shop, READY)}`;
    expect((await submit(page, { do: 'pay:mobile_money', payment_phone: '' })).html).toContain('Enter the phone');
    expect(await ordersOf(shop)).toEqual([]);
    const pushed = await submit(page, { do: 'pay:mobile_money', payment_phone: '254712345678' });
    // The sandbox's phone is a page, too.
    const [, phone] = /url=(.*\/pay\/pay_.*)$/.exec(pushed.headers.get('refresh') ?? '') ?? [];
    expect((await load(phone!)).html).toContain('254712345678');
    const waiting = await load(`${page}?paid=1`);
    expect(waiting.headers.get('refresh')).toBe('4; url=?paid=2');
    expect(waiting.html).toContain('Your payment is on its way');
    const [payment] = (await shop.merchant.test('GET', '/v1/payments')).body.payments;
    await shop.merchant.test('POST', `/v1/sandbox/payments/${payment.reference}`, { outcome: 'succeed' });
    expect((await load(`${page}?paid=2`)).html).toContain('Thank you');
  });

  test('pressed by many at once places and pays one order', async () => {
    const shop = await openShop();
    const page = `${shop.base}/checkout/${await begin(shop, READY)}`;
    const pages = await Promise.all(Array.from({ length: 8 }, () => load(page, { do: 'card', total: '25' })));
    for (const { status } of pages) expect([303, 409]).toContain(status);
    expect(await ordersOf(shop)).toMatchObject([{ payment_status: 'paid', total_amount: 25 }]);
  });

  test.each([
    ['a declined card', { do: 'declined' }, 402, 'The card was declined'],
    ['another total than was shown', { do: 'card', total: '1' }, 400, 'The total has changed'],
    ['no total', { do: 'card', total: '' }, 400, 'The total has changed'],
    ['a way that there is not', { do: 'pay:nothing' }, 400, 'Choose one of the ways to pay'],
    ['a bad address', { do: 'save', email: `ada at ${EVIL}` }, 400, 'Enter an e-mail address'],
    ['no country', { do: 'save', 'shipping_address.country': '' }, 400, 'Choose a country'],
    ['a country that there is not', { do: 'save', 'shipping_address.country': 'XX' }, 400, 'Choose a country'],
    ['a way of delivery that there is not', { do: 'save', shipping_option_id: 'opt:none' }, 400, 'does not deliver'],
    ['a way that takes other money', { do: 'pay:mobile_money' }, 400, 'Choose one of the ways to pay'],
    ['a note that is too long', { do: 'save', note: 'x'.repeat(2_001) }, 400, 'note'],
    ['too many codes', { do: 'save', promotion_codes: 'A '.repeat(21) }, 400, 'promotion_codes'],
    ['a form that is too large', { do: 'save', note: 'x'.repeat(20_000) }, 413, 'not understood'],
  ])('says what is wrong with %s, and nothing was ordered', async (_, typed, status, text) => {
    const shop = await openShop();
    const page = `${shop.base}/checkout/${await begin(shop, READY)}`;
    const answer = await submit(page, typed);
    expect([answer.status, answer.html.includes(text)], answer.html).toEqual([status, true]);
    isSafe(answer);
    expect(await ordersOf(shop)).toEqual([]);
  });

  test('keeps what was typed, without signs that are no text', async () => {
    const shop = await openShop();
    const id = await begin(shop, READY);
    const page = `${shop.base}/checkout/${id}`;
    const typed = { note: ' first\r\nsecond\0 ', 'shipping_address.line1': '\x0012 Moi\x07 Avenue' };
    expect((await submit(page, { ...typed, do: 'save' })).status).toBe(303);
    const { data } = (await shop.merchant.test('GET', `/v1/agent/checkout-intents/${id}`)).body;
    expect([data.note, data.shipping_address.line1]).toEqual(['first\nsecond', '12 Moi Avenue']);
    const json = await fetch(page, { method: 'POST', body: '{}', headers: { 'Content-Type': 'application/json' } });
    expect(json.status).toBe(400);
  });

  test('of one that is over says so', async () => {
    const shop = await openShop();
    const id = await begin(shop, READY);
    const expiring = await begin(shop, READY);
    await shop.merchant.test('POST', `/v1/agent/checkout-intents/${id}/cancel`);
    expect((await load(`${shop.base}/checkout/${id}`)).html).toContain('It was cancelled');
    clock.advance(31 * MINUTE_MS);
    const late = await load(`${shop.base}/checkout/${expiring}`, { do: 'card', total: '25' });
    expect(late.html).toContain('has expired');
    expect(await ordersOf(shop)).toEqual([]);
  });

  test('in production has no simulated card', async () => {
    const shop = await openShop();
    const { secret } = shop.merchant;
    const made = await secret('POST', '/v1/products', { name: 'Mug', price: 10, stock: 5 });
    const { body } = await secret('POST', '/v1/agent/checkout-intents', {
      items: [{ variant_id: made.body.variant_id, quantity: 1 }],
      ...READY,
      shipping_option_id: null,
      shipping_address: null,
    });
    const page = `${shop.base}/checkout/${body.data.id}`;
    const { html } = await load(page);
    expect(html).not.toContain('Sandbox');
    expect((await load(page, { do: 'card', total: '10' })).html).not.toContain('Thank you');
  });

  test('that costs nothing is placed without a payment', async () => {
    const shop = await openShop(0);
    await shop.merchant.test('PUT', '/v1/shipping/config', { fallback: { rate: { fee: 0 } } });
    const page = `${shop.base}/checkout/${await begin(shop, READY)}`;
    expect((await load(page)).html).toContain('Nothing to pay');
    expect((await submit(page, { do: 'place' })).status).toBe(303);
    expect((await load(page)).html).toContain('Thank you');
  });
});

describe('an order’s page', () => {
  test('opens to the e-mail address that it was placed with, and to nothing else', async () => {
    const shop = await openShop();
    const checkout = `${shop.base}/checkout/${await begin(shop, READY)}`;
    await submit(checkout, { do: 'card' });
    const [order] = await ordersOf(shop);
    const page = `${shop.base}/orders/${order.id}`;
    const door = await load(page);
    isSafe(door);
    expect(door.html).not.toMatch(/Mug|25\.00|1001/);
    const wrong = await load(page, { email: 'eve@example.com' });
    expect([wrong.status, wrong.html.includes('Mug')]).toEqual([403, false]);
    const shown = await load(page, { email: ' ADA@example.com ' });
    expect(shown.status, shown.html).toBe(200);
    isSafe(shown);
    for (const text of ['Mug &lt;img', '25.00 USD', '12 Moi Avenue', 'Paid']) expect(shown.html).toContain(text);
    const guesses = await Promise.all(Array.from({ length: 20 }, () => load(page, { email: 'eve@example.com' })));
    expect(guesses.some(({ status }) => status === 429)).toBe(true);
  });
});

describe('a policy’s page', () => {
  test('shows the published text, in which HTML and links to scripts are none', async () => {
    const shop = await openShop();
    await shop.merchant.secret('PUT', '/v1/store/policies/returns', {
      title: `Returns ${EVIL}`,
      body: `**Thirty** days. ${EVIL} [here](javascript:alert(1)) [there](https://shop.example/) ![p](https://x.example/p.png)`,
      publish: true,
    });
    const { html, ...page } = await load(`${shop.base}/policies/returns`);
    isSafe({ html, ...page });
    expect(html).toContain('<strong>Thirty</strong>');
    expect(html).toContain('href="https://shop.example/"');
    expect(html).not.toContain('p.png');
    expect((await load(`${shop.base}/policies/terms`)).status).toBe(404);
  });
});

describe('llms.txt', () => {
  test('is at the store’s address as in its feeds, and names what it speaks', async () => {
    const shop = await openShop();
    const here = await load(`${shop.base}/llms.txt`);
    expect([here.status, here.headers.get('content-type')]).toEqual([200, 'text/markdown; charset=utf-8']);
    expect(here.html).toBe((await load(`${stoa.url}/v1/feeds/${shop.merchant.keys.code}/llms.txt`)).html);
    expect(here.html).toContain(`${shop.base}/mcp`);
    const off = { agents: { mcp: false }, feeds: { llms_enabled: true } };
    expect((await shop.merchant.secret('PATCH', '/v1/store', off)).status).toBe(200);
    expect((await load(`${shop.base}/llms.txt`)).html).not.toContain(`${shop.base}/mcp`);
    await shop.merchant.secret('PATCH', '/v1/store', { feeds: { llms_enabled: false } });
    expect((await load(`${shop.base}/llms.txt`)).status).toBe(404);
  });
});

describe('an address', () => {
  test.each([
    ['checkout', randomUUID(), 'GET', 404],
    ['orders', randomUUID(), 'GET', 404],
    ['checkout', 'x', 'GET', 404],
    ['checkout', randomUUID(), 'PUT', 405],
    ['policies', 'returns', 'POST', 405],
    ['policies', 'constructor', 'GET', 404],
  ])('%s/%s by %s is %i', async (folder, name, method, status) => {
    const { base } = await openShop();
    const answer = await fetch(`${base}/${folder}/${name}`, { method });
    expect(answer.status).toBe(status);
  });

  test('of a store that sells wholesale is none', async () => {
    const shop = await openShop();
    const page = `${shop.base}/checkout/${await begin(shop)}`;
    const set = (wholesale_enabled: boolean) => shop.merchant.secret('PATCH', '/v1/store', { wholesale_enabled });
    await set(true);
    expect((await load(page)).status).toBe(404);
    await set(false);
    expect((await load(page)).status).toBe(200);
    const head = await fetch(page, { method: 'HEAD' });
    expect([head.status, await head.text()]).toEqual([200, '']);
  });

  test('is counted by network, as whatever is asked without a key', async () => {
    const shop = await openShop();
    const page = `${shop.base}/checkout/${await begin(shop)}`;
    const limits = { store: shop.merchant.keys.store_id, network_hour: 2 };
    await stoa.services.foundation.ask('StoreAdmin/SetLimits', { store: '', environment: 'production' }, limits);
    const pages = [await load(page), await load(page), await load(page)];
    expect(pages.map(({ status }) => status)).toEqual([200, 200, 429]);
    expect(Number(pages[2]!.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(pages[2]!.html).toContain('Too many requests');
  });

  test('of another store’s checkout is none', async () => {
    const [one, other] = [await openShop(), await openShop()];
    expect((await load(`${other.base}/checkout/${await begin(one)}`)).status).toBe(404);
  });
});

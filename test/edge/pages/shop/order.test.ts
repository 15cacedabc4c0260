// The hosted order, policy and summary pages, and addresses that answer 404.
import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import { type Stoa, sharedStoa } from '#test/support/stoa.ts';
import { type BuyerShop, begin, EVIL, isSafe, load, openShopOf, ordersOf, READY, submit } from './page.ts';

let stoa: Stoa;
beforeAll(async () => {
  stoa = await sharedStoa();
});

const openShop = (): Promise<BuyerShop> => openShopOf(stoa);

describe('an order’s page', () => {
  test('opens with the order’s e-mail address only', async () => {
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
  test('shows the published text without HTML or script links', async () => {
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
  test('serves the feed’s summary and names the store’s protocols', async () => {
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

  test('answers 404 for a wholesale store', async () => {
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

  test('limits requests by network', async () => {
    const shop = await openShop();
    const page = `${shop.base}/checkout/${await begin(shop)}`;
    const limits = { store: shop.merchant.keys.store_id, network_hour: 2 };
    await stoa.services.runtime.ask('StoreAdmin/SetLimits', { store: '', environment: 'production' }, limits);
    const pages = [await load(page), await load(page), await load(page)];
    expect(pages.map(({ status }) => status)).toEqual([200, 200, 429]);
    expect(Number(pages[2]!.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(pages[2]!.html).toContain('Too many requests');
  });

  test('answers 404 for another store’s checkout', async () => {
    const [one, other] = [await openShop(), await openShop()];
    expect((await load(`${other.base}/checkout/${await begin(one)}`)).status).toBe(404);
  });
});

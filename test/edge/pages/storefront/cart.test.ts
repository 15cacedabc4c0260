// The demo shop's cart in a real browser: amounts that are longer than most.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Browser, chromiumProgram, openBrowser } from '#test/support/browser.ts';
import { followLink, visitConsole } from '#test/support/console.ts';
import { type Stoa, startStoa } from '#test/support/stoa.ts';
import { overflowingParts } from '#test/support/text_overflow.ts';

const program = chromiumProgram();

describe.skipIf(!program)('a cart', { timeout: 120_000 }, () => {
  let stoa: Stoa;
  let folder: string;
  let slug: string;
  let mug: string;
  let browser: Browser;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'stoa-cart-'));
    const demoFile = join(folder, 'demo.json');
    stoa = await startStoa({ demoFile });
    const keys = await stoa.createStore();
    await writeFile(demoFile, JSON.stringify(keys));
    const piano = { name: 'Piano', price: 1_234_567.5, stock: 1 };
    slug = (await stoa.send('POST', '/v1/products', { key: keys.secret_test_key, body: piano })).body.product_slug;
    const cup = { name: 'Mug', price: 12, stock: 9 };
    mug = (await stoa.send('POST', '/v1/products', { key: keys.secret_test_key, body: cup })).body.product_slug;
    browser = await openBrowser(program!);
    await browser.page.resize(360, 740);
  }, 120_000);
  afterAll(async () => {
    await browser?.close();
    await stoa?.stop();
    await rm(folder, { recursive: true, force: true });
  });

  const { read, shows, press, click, fitsPhone } = visitConsole(
    () => browser.page,
    () => stoa.url,
  );

  test('shows an amount in millions on one line, beside nothing that it covers', async () => {
    await browser.page.open(`${stoa.url}/shop/products/${slug}`);
    await shows('h1', 'Piano');
    await press('Add to cart');
    await shows('header .cart', 'Cart 1');
    await followLink(read, '/shop/cart');
    await shows('.lines .sum', '1,234,567.50');
    await fitsPhone();
    const covers = `(() => {
      const place = (selector) => document.querySelector(selector).getBoundingClientRect();
      const [line, count, sum] = [place('.lines li'), place('.lines .count'), place('.lines .sum')];
      return sum.right > line.right + 1 || (sum.top < count.bottom && sum.left < count.right);
    })()`;
    expect(await read(covers)).toBe(false);
    expect(await overflowingParts(browser, read, '.lines .sum', async () => {})).toBe('');
  });

  test('takes presses that come before the shop’s script, in one session from the first on', async () => {
    await browser.page.open(`${stoa.url}/shop`);
    const script = await read<string>("document.querySelector('script[type=module]').src");
    await read("document.cookie = 'stoa-shop-session=; Path=/shop; Max-Age=0'");
    await browser.page.block([script]);
    await browser.page.open(`${stoa.url}/shop/products/${mug}`);
    const session = await read('document.cookie');
    expect(session).toMatch(/^stoa-shop-session=\w+$/);
    await press('Add to cart');
    await shows('.lines .sum', '$12.00');
    await click('.count button:last-child');
    await shows('.lines .sum', '$24.00');
    await read(
      "document.querySelector('.count input').value = '5'; document.querySelector('.lines form').requestSubmit()",
    );
    await shows('.lines .sum', '$60.00');
    await click('.count button');
    await shows('.lines .sum', '$48.00');
    await browser.page.block([]);
    await browser.page.open(`${stoa.url}/shop/cart?again`);
    await shows('header .cart', 'Cart 4');
    await click('.count button:last-child');
    await shows('.lines .sum', '$60.00');
    expect(await read('location.search')).toBe('?again');
    expect(await read('document.cookie')).toBe(session);
    await browser.page.block([script]);
    await browser.page.open(`${stoa.url}/shop/cart`);
    await click('.lines .plain');
    await shows('h1', 'Your cart is empty');
    await browser.page.block([]);
  });
});

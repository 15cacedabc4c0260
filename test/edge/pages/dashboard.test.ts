// The dashboard's frame in a real browser: sign-in, deep links, environments, the design system in both themes and widths.

import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Browser, chromiumProgram, openBrowser } from '#test/support/browser.ts';
import { visitDashboard } from '#test/support/dashboard.ts';
import { eventually } from '#test/support/server.ts';
import { type Keys, type Stoa, sharedStoa } from '#test/support/stoa.ts';

const program = chromiumProgram();
const FIRST_LOAD_BYTES_MAX = 150_000;

const SCREENS = [
  ['design', 'Design'],
  ['developers/sandbox', 'Developers'],
] as const;

describe.skipIf(!program)('the dashboard', { timeout: 120_000 }, () => {
  let stoa: Stoa;
  let keys: Keys;
  let browser: Browser;
  const { read, shows, press, type, signIn, goTo, checkLooks } = visitDashboard(
    () => browser.page,
    () => stoa.url,
  );
  beforeAll(async () => {
    stoa = await sharedStoa();
    keys = await stoa.createStore();
    browser = await openBrowser(program!);
  }, 90_000);
  afterAll(async () => {
    await browser?.close();
  });

  test('loads little at first, under names with a hash that never change', async () => {
    const document = await (await fetch(`${stoa.url}/dashboard/orders/ord_1`)).text();
    const names = [...document.matchAll(/\/dashboard\/file\/[^"]+/g)].map(([name]) => name);
    expect(names.map((name) => name.replace(/^.*\./, '')).sort()).toEqual(['css', 'js']);
    let bytes = document.length;
    const imports = async (name: string, seen: Set<string>): Promise<void> => {
      if (seen.has(name)) return;
      seen.add(name);
      const response = await fetch(stoa.url + name);
      expect(response.headers.get('cache-control')).toContain('immutable');
      const text = await response.text();
      bytes += gzipSync(text).length;
      for (const [, path] of text.matchAll(/from"([^"]+)"|import"([^"]+)"/g)) if (path) await imports(path, seen);
    };
    const seen = new Set<string>();
    for (const name of names) await imports(name, seen);
    expect(bytes).toBeLessThan(FIRST_LOAD_BYTES_MAX);
    expect((await fetch(`${stoa.url}/dashboard/file/main-older.js`)).status).toBe(404);
  });

  test('signs in and shows the screen that the address names', async () => {
    await browser.page.resize(1280, 900);
    await signIn(keys.secret_test_key, 'sandbox/design');
    await shows('main h1', 'Design');
    expect(await read('document.title')).toMatch(/^Design · .* \(sandbox\)$/);
    await goTo('');
    await shows('main h1', 'Home');
    expect(await read('location.pathname')).toBe('/dashboard/sandbox');
    await read('history.back()');
    await shows('main h1', 'Design');
    await goTo('nowhere');
    await shows('main', 'There is no such screen');
  });

  test('shows the calls that it made, as commands', async () => {
    await goTo('');
    await shows('main h1', 'Home');
    await read(`document.querySelector('[aria-label="The request behind this"]').click()`);
    await shows('dialog', /curl -X GET '.*\/v1\/orders\?order_status=confirmed/);
    await checkLooks('requests');
    await browser.page.resize(1280, 900);
    await press('Close');
  });

  test.each([
    ['orders', '/v1/orders?'],
    ['payments', '/v1/payments'],
    ['products', '/v1/products?'],
    ['categories', '/v1/categories'],
    ['collections', '/v1/product-collections'],
    ['stock', '/v1/inventory'],
    ['customers', '/v1/customers'],
    ['discounts', '/v1/promotions'],
    ['delivery', '/v1/shipping'],
    ['service', '/v1/returns'],
    ['content', '/v1/blog/posts'],
    ['settings/taxes', '/v1/tax-rates'],
    ['settings/audit-log', '/v1/audit-log'],
  ])('shows the call behind %s', async (screen, call) => {
    await goTo(screen);
    await shows('.frame main h1', /./);
    await read(`document.querySelector('[aria-label="The request behind this"]').click()`);
    await shows('dialog pre', new RegExp(`curl -X GET '.*${call.replace('?', '\\?')}`));
    await press('Close');
  });

  test('goes to a screen by a few typed letters', async () => {
    await read(`dispatchEvent(new KeyboardEvent('keydown', { key: 'k', ctrlKey: true, bubbles: true }))`);
    await type('[role=combobox]', 'devel');
    await shows('[role=option][aria-selected=true]', /Developers.*Screen/);
    await checkLooks('command');
    await browser.page.resize(1280, 900);
    await read(`document.querySelector('[role=combobox]').dispatchEvent(
      new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, cancelable: true }))`);
    await shows('main h1', 'Developers');
    expect(await read(`document.querySelector('dialog') === null`)).toBe(true);
  });

  test('walks and selects in a table of 100,000 rows', async () => {
    await goTo('design');
    await shows('main h1', 'Design');
    const key = (name: string): string => `document.activeElement.dispatchEvent(
      new KeyboardEvent('keydown', { key: '${name}', bubbles: true, cancelable: true }))`;
    await eventually(async () =>
      expect(await read(`document.querySelector('tbody tr[tabindex="0"]') !== null`)).toBe(true),
    );
    await read(`document.querySelector('tbody tr[tabindex="0"]').focus()`);
    await read(key('ArrowDown'));
    await eventually(async () => expect(await read('document.activeElement.textContent')).toContain('Lamp 2'));
    await read(key(' '));
    await shows('.selection-bar', '1 selected');
    await read(key('End'));
    await eventually(async () => expect(await read('document.activeElement.textContent')).toContain('Lamp 100000'));
    expect(await read('document.querySelectorAll("tbody tr").length')).toBeLessThan(200);
    await press('Select none');
  });

  test('shows the console’s tabs to developers', async () => {
    await goTo('developers/webhooks');
    await shows('nav[aria-label=Developers] [aria-current]', 'Webhooks');
    await shows('.developers', /endpoint/i);
    await goTo('developers/sandbox');
    await shows('.developers', /The clock shows real time/);
  });

  test.each(SCREENS)('fits both widths and is accessible in both themes: /%s', async (path, heading) => {
    await goTo(path);
    await shows('main h1', heading);
    await checkLooks(heading);
    expect(browser.page.complaints).toEqual([]);
  });
});

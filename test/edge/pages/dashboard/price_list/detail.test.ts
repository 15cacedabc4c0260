// Price lists in a real browser: created with prices by quantity, edited by two people, reached from a product, deleted.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { server } from '#proto/client/server.ts';
import { join } from '#test/services/staff/client.ts';
import { type Browser, chromiumProgram, openBrowser } from '#test/support/browser.ts';
import { visitDashboard } from '#test/support/dashboard.ts';
import { eventually } from '#test/support/server.ts';
import { type Keys, type Stoa, sharedStoa } from '#test/support/stoa.ts';

const program = chromiumProgram();

describe.skipIf(!program)('the screens of price lists', { timeout: 120_000 }, () => {
  let stoa: Stoa;
  let keys: Keys;
  let browser: Browser;
  let back: ReturnType<typeof server>;
  let mug = '';
  const { read, shows, press, click, fill, signInAs, goTo, checkLooks } = visitDashboard(
    () => browser.page,
    () => stoa.url,
  );
  /** Types into the second field with this label. */
  const fillSecond = (label: string, text: string): Promise<unknown> =>
    read(`(() => {
      const labels = [...document.querySelectorAll('label')].filter((each) => each.textContent === ${JSON.stringify(label)});
      const { control } = labels[1];
      control.value = ${JSON.stringify(text)};
      control.dispatchEvent(new Event('input', { bubbles: true }));
    })()`);
  const listed = async () => (await back.priceLists.list()).price_lists;

  beforeAll(async () => {
    stoa = await sharedStoa();
    keys = await stoa.createStore();
    back = server({ url: stoa.url, key: keys.secret_test_key, hmacSecret: keys.hmac_test_secret });
    mug = (await back.products.create({ name: 'Mug', sku: 'MUG-1', price: 10, stock: 0 })).id;
    browser = await openBrowser(program!);
    await browser.page.resize(1280, 900);
    await signInAs((await join(stoa, keys, 'catalogue')).cookie, 'sandbox/price-lists');
  }, 90_000);
  afterAll(async () => {
    await browser?.close();
  });

  test('create a list with two prices of a product without stock for a group', async () => {
    await shows('.empty', 'No price list yet');
    await goTo('price-lists/new');
    await press('Create');
    await shows('.field .refusal', /name/);
    await fill('Name', 'Trade');
    await fill('Customer group', 'trade');
    await fill('Ends', '2099-05-01T12:00');
    await fill('Find a product', 'mug');
    await press('Add Mug');
    await press('Add Mug');
    await fill('Mug, price', '9');
    await fillSecond('Mug, from units', '12');
    await fillSecond('Mug, price', '');
    await press('Create');
    await shows('.refusal', /prices\[1\]\.price/);
    await fillSecond('Mug, price', '7.5');
    await checkLooks('price-list');
    await browser.page.resize(1280, 900);
    await press('Create');
    await shows('.frame main h1', 'Trade');
    expect(await listed()).toMatchObject([
      {
        name: 'Trade',
        customer_group: 'trade',
        currency: 'USD',
        prices: [
          { min_quantity: 1, price: 9 },
          { min_quantity: 12, price: 7.5 },
        ],
      },
    ]);
  });

  test('show what another person changed, and lose no input', async () => {
    const [list] = await listed();
    await goTo('price-lists');
    await shows('table', /Trade.*trade.*2/);
    await checkLooks('price-lists');
    await browser.page.resize(1280, 900);
    await goTo(`price-lists/${list!.id}`);
    await shows('.frame main h1', 'Trade');
    await fill('Name', 'Trade and more');
    await click('[aria-label="Remove Mug from 12 units"]');
    await back.priceLists.update({ id: list!.id, customer_group: 'dealers' });
    await press('Save');
    await shows('dialog', /Customer group.*Theirs: dealers/);
    await press('Continue');
    await press('Save');
    await eventually(async () =>
      expect(await listed()).toMatchObject([
        { name: 'Trade and more', customer_group: 'dealers', prices: [{ min_quantity: 1, price: 9 }] },
      ]),
    );
  });

  test('lead from a product to its lists', async () => {
    await goTo(`products/${mug}`);
    await shows('table[aria-label="Price lists"]', /Trade and more.*dealers.*9\.00/);
    await click('table[aria-label="Price lists"] a');
    await shows('.frame main h1', 'Trade and more');
  });

  test('show an analyst no button that changes anything', async () => {
    const [list] = await listed();
    await signInAs((await join(stoa, keys, 'analyst')).cookie, `sandbox/price-lists/${list!.id}`);
    await shows('.frame main h1', 'Trade and more');
    await shows('main', /Mug/);
    const texts = await read<string[]>(`[...document.querySelectorAll('main button')].map((each) => each.textContent)`);
    expect(texts.filter((text) => /Save|Delete|Add/.test(text))).toEqual([]);
  });

  test('delete a list after a question', async () => {
    await signInAs((await join(stoa, keys, 'catalogue')).cookie, `sandbox/price-lists/${(await listed())[0]!.id}`);
    await press('Delete');
    await shows('dialog h2', 'Delete Trade and more?');
    await press('Delete the price list');
    await shows('.empty', 'No price list yet');
    expect(await listed()).toEqual([]);
    // One refused save each, and a version that was outdated.
    expect(browser.page.complaints.filter((text) => !/40[09] /.test(text))).toEqual([]);
  });
});

// A product's channel fields and preview in a real browser: the preview shows the draft before it is saved.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { server } from '#proto/client/server.ts';
import { join } from '#test/services/staff/client.ts';
import { type Browser, chromiumProgram, openBrowser } from '#test/support/browser.ts';
import { visitDashboard } from '#test/support/dashboard.ts';
import { type Keys, type Stoa, sharedStoa } from '#test/support/stoa.ts';

const program = chromiumProgram();

describe.skipIf(!program)('a product', { timeout: 120_000 }, () => {
  let stoa: Stoa;
  let keys: Keys;
  let browser: Browser;
  let back: ReturnType<typeof server>;
  let lamp = '';
  const { read, shows, press, fill, signInAs, checkLooks } = visitDashboard(
    () => browser.page,
    () => stoa.url,
  );

  beforeAll(async () => {
    stoa = await sharedStoa();
    keys = await stoa.createStore();
    back = server({ url: stoa.url, key: keys.secret_test_key, hmacSecret: keys.hmac_test_secret });
    lamp = (
      await back.products.create({
        name: 'Desk lamp',
        price: 40,
        stock: 3,
        is_active: false,
        description: 'Warm light.',
        specifications: [{ group: null, name: 'Height', value: 42, unit: 'cm' }],
      })
    ).id;
    browser = await openBrowser(program!);
    await browser.page.resize(1280, 900);
    await signInAs((await join(stoa, keys, 'catalogue')).cookie, `sandbox/products/${lamp}`);
    await shows('.frame main h1', 'Desk lamp');
  }, 90_000);
  afterAll(async () => {
    await browser?.close();
  });

  test('shows its draft as shoppers and search engines will see it, before it is saved', async () => {
    await fill('Name', 'Reading lamp');
    await fill('Sale price', '32');
    await fill('Title for search engines', 'A lamp to read by');
    await press('Preview');
    await shows(
      'dialog article',
      /hidden.*Reading lamp.*\$32\.00.*\$40\.00.*Warm light\..*Height42 cm.*A lamp to read by/s,
    );
    await checkLooks('product-preview');
    await browser.page.resize(1280, 900);
    await press('Close');
    expect((await back.products.get({ id: lamp })).name).toBe('Desk lamp');
  });

  test('saves its fields for sales channels', async () => {
    await fill('Google product category', 'Home & Garden > Lighting');
    await fill('Meta product category', 'home > lighting');
    await fill('GTIN', '4006381333931');
    await press('Save');
    await shows('.toasts', 'The product is saved.');
    expect(await back.products.get({ id: lamp })).toMatchObject({
      name: 'Reading lamp',
      sale_price: 32,
      google_product_category: 'Home & Garden > Lighting',
      meta_product_category: 'home > lighting',
      gtin: '4006381333931',
      seo_title: 'A lamp to read by',
    });
    // The screen is read again after a save.
    await shows('.frame main h1', 'Reading lamp');
    const long = 'x'.repeat(301);
    await fill('Google product category', long);
    await press('Save');
    await shows('.field .refusal', /google_product_category/);
    expect(await read(`document.querySelector('[aria-invalid]').value`)).toBe(long);
  });
});

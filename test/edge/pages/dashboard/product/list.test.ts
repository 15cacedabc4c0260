// Products in a real browser: edited in the grid, many at once and one by one, made, imported, and their looks.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { server } from '#proto/client/server.ts';
import { join } from '#test/services/staff/client.ts';
import { type Browser, chromiumProgram, openBrowser } from '#test/support/browser.ts';
import { visitDashboard } from '#test/support/dashboard.ts';
import { eventually } from '#test/support/server.ts';
import { type Keys, type Stoa, sharedStoa } from '#test/support/stoa.ts';

const program = chromiumProgram();

describe.skipIf(!program)('products', { timeout: 180_000 }, () => {
  let stoa: Stoa;
  let keys: Keys;
  let browser: Browser;
  let back: ReturnType<typeof server>;
  let mug = '';
  let shirt = '';
  const { checkLooks, read, shows, press, click, type, fill, signInAs, goTo } = visitDashboard(
    () => browser.page,
    () => stoa.url,
  );
  const key = (selector: string, name: string): Promise<unknown> =>
    read(`document.querySelector(${JSON.stringify(selector)})
      .dispatchEvent(new KeyboardEvent('keydown', { key: ${JSON.stringify(name)}, bubbles: true, cancelable: true }))`);
  /** Drops a file on the field with this name. */
  const drop = (label: string, name: string, content: string): Promise<unknown> =>
    read(`(() => {
      const files = new DataTransfer();
      const bytes = Uint8Array.from(atob(${JSON.stringify(btoa(content))}), (each) => each.charCodeAt(0));
      files.items.add(new File([bytes], ${JSON.stringify(name)}));
      document.querySelector('.file-drop[aria-label=' + ${JSON.stringify(JSON.stringify(label))} + ']')
        .dispatchEvent(new DragEvent('drop', { dataTransfer: files, bubbles: true, cancelable: true }));
    })()`);

  beforeAll(async () => {
    stoa = await sharedStoa();
    keys = await stoa.createStore();
    back = server({ url: stoa.url, key: keys.secret_test_key, hmacSecret: keys.hmac_test_secret });
    const { category } = await back.categories.create({ name: 'Kitchen' });
    mug = (await back.products.create({ name: 'Mug', sku: 'MUG-1', price: 10, stock: 2, category_id: category.id })).id;
    shirt = (
      await back.products.create({
        name: 'Shirt',
        variants: ['S', 'M'].map((size) => ({ price: 20, stock: 5, variant_attributes: { Size: size } })),
      })
    ).id;
    await back.products.create({ name: 'Lamp', price: 40, stock: 80, is_active: false, tags: ['Light'] });
    browser = await openBrowser(program!);
    await browser.page.resize(1280, 900);
    await signInAs((await join(stoa, keys, 'catalogue')).cookie, 'sandbox/products');
  }, 90_000);
  afterAll(async () => {
    await browser?.close();
  });

  test('filters products by the address', async () => {
    await shows('table', /Lamp.*Shirt.*Mug/);
    await fill('Search', 'mug-');
    await eventually(async () => expect(await read('location.search')).toBe('?search=mug-'));
    await shows('table', /^(?!.*Lamp).*Mug/);
    await fill('Search', '');
    await fill('Stock', 'low');
    await shows('table', /^(?!.*Lamp).*Mug/);
    await fill('Stock', '');
    await fill('Shop', 'no');
    await shows('table', /^(?!.*Mug).*Lamp/);
    await fill('Shop', '');
    await fill(
      'Category',
      await read(`[...document.querySelectorAll('option')].find((each) => each.text === 'Kitchen').value`),
    );
    await shows('table', /^(?!.*Lamp).*Mug/);
    await fill('Category', '');
    await shows('table', /Lamp.*Shirt.*Mug/);
  });

  test('change their price and stock in place, and back', async () => {
    const price = 'input[aria-label="Price of Mug"]';
    await type(price, '12.5');
    await key(price, 'Enter');
    await shows('.toasts', 'Mug now costs $12.50.');
    expect((await back.products.get({ id: mug })).price).toBe(12.5);
    await press('Undo');
    await eventually(async () => expect((await back.products.get({ id: mug })).price).toBe(10));
    const stock = 'input[aria-label="Stock of Mug"]';
    await type(stock, '9');
    await key(stock, 'Enter');
    await shows('.toasts', 'Mug: 9 in stock.');
    expect((await back.products.get({ id: mug })).stock).toBe(9);
    await type(price, '-3');
    await key(price, 'Enter');
    await shows('.edit-cell .refusal', /price/);
    await key(price, 'Escape');
    expect(await read(`document.querySelector('.edit-cell .refusal')`)).toBeNull();
  });

  test('ask where another person has changed the price meanwhile', async () => {
    const price = 'input[aria-label="Price of Mug"]';
    await back.products.update({ id: mug, price: 13, description: 'Holds tea' });
    await type(price, '14');
    await key(price, 'Enter');
    await shows('dialog h2', 'Another person changed this price meanwhile');
    await shows('dialog', /Theirs: \$13\.00.*Yours: \$14\.00/);
    await checkLooks('products-price-conflict');
    await browser.page.resize(1280, 900);
    expect((await back.products.get({ id: mug })).price).toBe(13);
    await press('Save $14.00');
    await eventually(async () => expect((await back.products.get({ id: mug })).price).toBe(14));
    // A change of another field is no conflict with a price.
    await back.products.update({ id: mug, description: 'Holds coffee' });
    await type(price, '10');
    await key(price, 'Enter');
    await eventually(async () =>
      expect(await back.products.get({ id: mug })).toMatchObject({ price: 10, description: 'Holds coffee' }),
    );
    await shows('.toasts', 'Mug now costs $10.00.');
  });

  test('refuses to change products together that another person saved since the preview', async () => {
    await click('input[aria-label="Select Mug"]');
    await click('input[aria-label="Select Lamp"]');
    await press('Change');
    await fill('Raise by', '50');
    await shows('dialog table', /Mug\$10\.00\$15\.00/);
    await back.products.update({ id: mug, price: 8 });
    await press('Change 2');
    await shows('dialog .refusals', /Mug: The product has changed since/);
    expect((await back.products.get({ id: mug })).price).toBe(8);
    await press('Close');
    const price = 'input[aria-label="Price of Mug"]';
    await eventually(async () => expect(await read(`document.querySelector('${price}').value`)).toBe('8'));
    await type(price, '10');
    await key(price, 'Enter');
    await eventually(async () => expect((await back.products.get({ id: mug })).price).toBe(10));
    await eventually(async () => expect(await read(`document.querySelector('[aria-busy=true]')`)).toBeNull());
  });

  test('change together after a preview, variants too', async () => {
    await click('input[aria-label="Select Mug"]');
    await click('input[aria-label="Select Shirt"]');
    await press('Change');
    await fill('Raise by', '10');
    await shows('dialog table', /Mug\$10\.00\$11\.00/);
    await shows('dialog table', /Shirt.*\$20\.00\$22\.00.*Shirt.*\$20\.00\$22\.00/);
    await press('Change 3');
    await shows('.toasts', 'The products are changed.');
    expect((await back.products.get({ id: mug })).price).toBe(11);
    const { variants = [] } = await back.products.get({ id: shirt });
    expect(variants.map(({ price }) => price)).toEqual([22, 22]);
  });

  test('creates a product with few fields, and opens its editor', async () => {
    await goTo('products/new');
    await press('Create');
    await shows('.field .refusal', /name/);
    await fill('Name', 'Bowl');
    await fill('Price', '15');
    await fill('Units in stock', '4');
    // A double click on a slow network creates one.
    await read(`(() => {
      const create = [...document.querySelectorAll('button')].find((each) => each.textContent.trim() === 'Create');
      for (let times = 0; times < 3; times++) create.click();
    })()`);
    await shows('.frame main h1', 'Bowl');
    const { products } = await back.products.list({ search: 'Bowl' });
    expect(products).toHaveLength(1);
    expect(products[0]).toMatchObject({ name: 'Bowl', price: 15, stock: 4, is_active: true });
  });

  test('take pictures by dropping them, and texts for each', async () => {
    const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
    await drop('Pictures', 'bowl.png', atob(png));
    await shows('label', 'Text for picture 1');
    await fill('Text for picture 1', 'A blue bowl');
    await drop('Pictures', 'notes.txt', 'no picture');
    await shows('[role=alert]', /notes\.txt/);
    await press('Save');
    await shows('.toasts', 'The product is saved.');
    const { products } = await back.products.list({ search: 'Bowl' });
    expect(products[0]!.media).toMatchObject([{ type: 'image', alt_text: 'A blue bowl' }]);
  });

  test('show what another person changed, and lose no input', async () => {
    await goTo(`products/${mug}`);
    await shows('.frame main h1', 'Mug');
    await fill('Name', 'Blue mug');
    await fill('Brand', 'Acme');
    await back.products.update({ id: mug, name: 'Green mug', description: 'New here' });
    await press('Save');
    await shows('dialog h2', 'Another person changed this meanwhile');
    await shows('dialog', /Name.*Theirs: Green mug.*Yours: Blue mug/);
    await shows('dialog', /Description.*New here/);
    await press('Continue');
    expect(await read(`document.querySelector('dialog')`)).toBeNull();
    await press('Save');
    // The toast of the save before may still be shown.
    await eventually(async () =>
      expect(await back.products.get({ id: mug })).toMatchObject({
        name: 'Blue mug',
        brand: 'Acme',
        description: 'New here',
      }),
    );
    await eventually(async () =>
      expect(await read(`document.querySelector('main').textContent`)).not.toContain('Not saved yet'),
    );
  });

  test('keep what is typed while a save is under way', async () => {
    await goTo(`products/${mug}`);
    await shows('.frame main h1', 'Blue mug');
    await read(`(() => {
      const send = fetch;
      window.fetch = (...request) => {
        if (request[1]?.method !== 'PATCH') return send(...request);
        window.fetch = send;
        return new Promise((answered) => (window.release = () => answered(send(...request))));
      };
    })()`);
    await fill('Keywords', 'mug, blue');
    await press('Save');
    await eventually(async () => expect(await read('typeof window.release')).toBe('function'));
    await fill('Brand', 'Typed meanwhile');
    await read(`void (window.field = document.getElementById(
      [...document.querySelectorAll('label')].find((each) => each.textContent.trim() === 'Brand').htmlFor))`);
    await read('window.release()');
    await shows('.toasts', 'The product is saved.');
    await eventually(async () => expect((await back.products.get({ id: mug })).seo_keywords).toEqual(['mug', 'blue']));
    await shows('main', 'Not saved yet');
    expect(await read('[window.field.isConnected, window.field.value]')).toEqual([true, 'Typed meanwhile']);
    await press('Save');
    await eventually(async () => expect((await back.products.get({ id: mug })).brand).toBe('Typed meanwhile'));
    await eventually(async () =>
      expect(await read(`document.querySelector('main').textContent`)).not.toContain('Not saved yet'),
    );
  });

  test('get variants as a matrix of options', async () => {
    await goTo(`products/${mug}/variants`);
    await shows('table', /Remove/);
    await press('Add an option');
    await fill('Option 1', 'Colour');
    await fill('Values of option 1', 'Red, Blue');
    await press('Add an option');
    await fill('Option 2', 'Size');
    await fill('Values of option 2', 'S, L');
    await press('Make the 4 variants');
    await shows('table', /Red \/ S.*Red \/ L.*Blue \/ S.*Blue \/ L/);
    await type('input[aria-label="Stock of Red / S"]', '12');
    await type('input[aria-label="Stock of Blue / L"]', '7');
    await type('input[aria-label="Price of Blue / L"]', '14');
    await click('button[aria-label="Remove Blue / S"]');
    await press('Save');
    await shows('.toasts', 'The variants are saved.');
    const { variants = [] } = await back.products.get({ id: mug });
    expect(variants.map(({ variant_attributes, price, stock }) => [variant_attributes, price, stock])).toEqual([
      [{ Colour: 'Red', Size: 'S' }, 11, 12],
      [{ Colour: 'Red', Size: 'L' }, 11, 0],
      [{ Colour: 'Blue', Size: 'L' }, 14, 7],
    ]);
    expect(variants[0]!.sku).toBe('MUG-1');
  });

  test('come from a file after a dry run', async () => {
    await goTo('products/import');
    await shows('.frame main h1', 'Import products');
    await drop('A file of products', 'list.csv', 'external_id,name,price,stock\nA,Plate,8,3\nB,Cup,much,1\n');
    await press('Check the file');
    await shows('h2', 'What the import would do');
    await shows('table[aria-label="Refused rows"]', /2B.*price/);
    expect((await back.products.list({ search: 'Plate' })).products).toEqual([]);
    await checkLooks('products-import');
    await browser.page.resize(1280, 900);
    await press('Import 1 product');
    await shows('h2', 'The import is finished');
    expect((await back.products.list({ search: 'Plate' })).products).toMatchObject([{ price: 8, stock: 3 }]);
  });

  test('deletes a product after a question', async () => {
    const { id } = await back.products.create({ name: 'Old thing' });
    await goTo(`products/${id}`);
    await shows('.frame main h1', 'Old thing');
    await press('Delete');
    await shows('dialog h2', 'Delete Old thing?');
    await press('Delete the product');
    await shows('.frame main h1', 'Products');
    await expect(back.products.get({ id })).rejects.toMatchObject({ status: 404 });
  });

  test('shows no field of a write to a role without the scope', async () => {
    await signInAs((await join(stoa, keys, 'analyst')).cookie, 'sandbox/products');
    await shows('table', /Lamp.*Shirt/);
    const writing = `[...document.querySelectorAll('main :is(button, a.button, input[type=number])')].map((each) => each.textContent)`;
    expect(await read(writing)).toEqual([]);
    await goTo(`products/${mug}`);
    await shows('.frame main h1', 'Blue mug');
    await shows('.sheet', /Price lists/);
    expect(
      await read(`[...document.querySelectorAll('button')].map((each) => each.textContent).includes('Save')`),
    ).toBe(false);
  });

  test('makes every screen accessible and fitting', async () => {
    await signInAs((await join(stoa, keys, 'catalogue')).cookie, 'sandbox/products');
    for (const [path, heading, name] of [
      ['products', 'Products', 'products'],
      ['products/new', 'New product', 'products-new'],
      [`products/${mug}`, 'Blue mug', 'products-detail'],
      [`products/${mug}/variants`, 'Blue mug', 'products-variants'],
    ] as const) {
      await goTo(path);
      await shows('.frame main h1', heading);
      await checkLooks(name);
    }
    expect(browser.page.complaints.filter((complaint) => !/40[09] /.test(complaint))).toEqual([]);
  });
});

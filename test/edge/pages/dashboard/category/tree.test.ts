// Categories and collections in a real browser: made, named, put in order, filled, deleted, and their looks.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { server } from '#proto/client/server.ts';
import { type Browser, chromiumProgram, openBrowser } from '#test/support/browser.ts';
import { visitDashboard } from '#test/support/dashboard.ts';
import { eventually } from '#test/support/server.ts';
import { type Keys, type Stoa, sharedStoa } from '#test/support/stoa.ts';

const program = chromiumProgram();

describe.skipIf(!program)('categories and collections', { timeout: 120_000 }, () => {
  let stoa: Stoa;
  let keys: Keys;
  let browser: Browser;
  let back: ReturnType<typeof server>;
  const { checkLooks, read, shows, press, click, fill, signIn, goTo } = visitDashboard(
    () => browser.page,
    () => stoa.url,
  );
  /** Moves an item by the arrow key on its handle. */
  const move = (name: string, arrow: 'ArrowUp' | 'ArrowDown'): Promise<unknown> =>
    read(`document.querySelector('[aria-label^="Move ${name},"]')
      .dispatchEvent(new KeyboardEvent('keydown', { key: '${arrow}', bubbles: true, cancelable: true }))`);
  const tree = async () => (await back.categories.list()).categories;

  beforeAll(async () => {
    stoa = await sharedStoa();
    keys = await stoa.createStore();
    back = server({ url: stoa.url, key: keys.secret_test_key, hmacSecret: keys.hmac_test_secret });
    for (const name of ['Apron', 'Bowl', 'Cup']) await back.products.create({ name, price: 5, stock: 3 });
    browser = await openBrowser(program!);
    await browser.page.resize(1280, 900);
    await signIn(keys.secret_test_key, 'sandbox/categories');
  }, 90_000);
  afterAll(async () => {
    await browser?.close();
  });

  test('make a tree of two levels', async () => {
    for (const name of ['Kitchen', 'Garden']) {
      await press('New category');
      await fill('Name', name);
      await press('Save');
      await shows('.drag-list', name);
    }
    for (const name of ['Pots', 'Knives']) {
      await click('[aria-label="Add to Kitchen"]');
      await shows('dialog h2', 'New in Kitchen');
      await fill('Name', name);
      await press('Save');
      await shows('.drag-list .drag-list', name);
    }
    expect((await tree()).map(({ name }) => name)).toEqual(['Garden', 'Kitchen']);
  });

  test('stand in the order into which they were moved', async () => {
    await move('Kitchen', 'ArrowUp');
    await shows('.toasts', 'The order is saved.');
    await eventually(async () => expect((await tree()).map(({ name }) => name)).toEqual(['Kitchen', 'Garden']));
    await move('Pots', 'ArrowUp');
    await eventually(async () =>
      expect((await tree())[0]!.subcategories.map(({ name }) => name)).toEqual(['Pots', 'Knives']),
    );
  });

  test('renames a category, and deletes it after a question', async () => {
    await press('Rename Garden');
    await fill('Name', 'Balcony');
    await press('Save');
    await shows('.drag-list', 'Balcony');
    await click('[aria-label="Delete Balcony"]');
    await press('Delete the category');
    await shows('.toasts', 'Balcony is deleted.');
    expect((await tree()).map(({ name }) => name)).toEqual(['Kitchen']);
    await checkLooks('categories');
    await browser.page.resize(1280, 900);
  });

  test('collect products in an order', async () => {
    await goTo('collections/new');
    await fill('Name', 'Gifts');
    await press('Create');
    await shows('.frame main h1', /^Gifts/);
    for (const name of ['Apron', 'Bowl']) {
      await fill('Add a product', name);
      await press(`Add ${name}`);
      await shows('.drag-list', name);
    }
    await move('Bowl', 'ArrowUp');
    await press('Save the products');
    await shows('.toasts', 'The products are saved.');
    const { collections } = await back.productCollections.list();
    const { products } = await back.products.list({ collection_id: collections[0]!.id, sort: 'collection' });
    expect(products.map(({ name }) => name)).toEqual(['Bowl', 'Apron']);
    await checkLooks('collections-detail');
    await browser.page.resize(1280, 900);
  });

  test('show collections in the order into which they were moved', async () => {
    await back.productCollections.create({ name: 'Sale', display_priority: 5 });
    await goTo('collections');
    await shows('.drag-list', /Gifts.*Sale/);
    await move('Sale', 'ArrowUp');
    await eventually(async () =>
      expect((await back.productCollections.list()).collections.map(({ name }) => name)).toEqual(['Sale', 'Gifts']),
    );
    await checkLooks('collections');
    expect(browser.page.complaints).toEqual([]);
  });
});

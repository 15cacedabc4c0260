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
  /** Moves an item by the arrow key on its handle, once the write before it has ended. */
  const move = async (name: string, arrow: 'ArrowUp' | 'ArrowDown' | 'ArrowLeft' | 'ArrowRight'): Promise<void> => {
    await eventually(async () => expect(await read(`document.querySelector('[aria-busy=true]') === null`)).toBe(true));
    await read(`document.querySelector('[aria-label^="Move ${name},"]')
      .dispatchEvent(new KeyboardEvent('keydown', { key: '${arrow}', bubbles: true, cancelable: true }))`);
  };
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

  const shape = async () =>
    (await tree()).map(({ name, subcategories }) => [name, ...subcategories.map((child) => child.name)].join(' '));

  test('moves below another category and to the top by the arrow keys, keeps the focus, and takes it back', async () => {
    await move('Knives', 'ArrowLeft');
    await shows('.toasts', 'Knives is at the top.');
    expect(await shape()).toEqual(['Kitchen Pots', 'Knives', 'Garden']);
    await eventually(async () =>
      expect(await read(`document.activeElement.getAttribute('aria-label')`)).toBe('Move Knives, 2 of 3'),
    );
    await press('Undo');
    await eventually(async () => expect(await shape()).toEqual(['Kitchen Pots Knives', 'Garden']));
    await shows('.drag-list .drag-list', /Knives/);
    await move('Garden', 'ArrowRight');
    await shows('.toasts', 'Garden is below Kitchen.');
    expect(await shape()).toEqual(['Kitchen Pots Knives Garden']);
    await shows('.drag-list .drag-list', /Garden/);
    await move('Garden', 'ArrowLeft');
    await eventually(async () => expect(await shape()).toEqual(['Kitchen Pots Knives', 'Garden']));
  });

  test('moves below the category on which it is dropped, and to the top when it is dragged to the left', async () => {
    /** Drags the handle of an item to a point, as a finger does. */
    const drag = (name: string, to: string): Promise<unknown> =>
      read(`(() => {
        const handle = document.querySelector('[aria-label^="Move ${name},"]');
        const { left, top } = handle.getBoundingClientRect();
        const from = { x: left + 5, y: top + 5 };
        const to = ${to};
        const send = (type, { x, y }) => handle.dispatchEvent(
          new PointerEvent(type, { pointerId: 1, clientX: x, clientY: y, bubbles: true }));
        handle.setPointerCapture = () => {};
        send('pointerdown', from);
        return new Promise((done) => setTimeout(() => {
          send('pointermove', to);
          setTimeout(() => { send('pointerup', to); done(); }, 50);
        }, 50));
      })()`);
    await eventually(async () => expect(await read(`document.querySelectorAll('[data-drop]').length`)).toBe(2));
    await drag(
      'Pots',
      `(({ left, top }) => ({ x: left + 20, y: top + 5 }))([...document.querySelectorAll('[data-drop]')]
      .find((each) => each.textContent.includes('Garden')).getBoundingClientRect())`,
    );
    await eventually(async () => expect(await shape()).toEqual(['Kitchen Knives', 'Garden Pots']));
    await shows('[aria-label="In Garden, in order"]', /Pots/);
    await drag('Pots', `({ x: from.x - 80, y: from.y })`);
    await eventually(async () => expect(await shape()).toEqual(['Kitchen Knives', 'Garden', 'Pots']));
  });

  test('moves by the dialog, and shows why a category with subcategories stays', async () => {
    await eventually(async () =>
      expect(await read(`document.querySelector('[aria-label="Move Pots, 3 of 3"]') !== null`)).toBe(true),
    );
    await press('Edit Pots');
    await fill('Below', (await tree())[0]!.id);
    await checkLooks('category-edit');
    await browser.page.resize(1280, 900);
    await press('Save');
    await eventually(async () => expect(await shape()).toEqual(['Kitchen Knives Pots', 'Garden']));
    await press('Edit Kitchen');
    await fill('Below', (await tree())[1]!.id);
    await press('Save');
    await shows('dialog .refusal', /has subcategories \(2\)/);
    await press('Back');
  });

  test('shows what another person changed in a category, and loses no input', async () => {
    await press('Edit Garden');
    await fill('Name', 'Garden and roof');
    const [, garden] = await tree();
    await back.categories.update({ id: garden!.id, name: 'Yard', description: 'Out of doors' });
    await press('Save');
    await shows('dialog dialog h2', 'Another person changed this meanwhile');
    await shows('dialog dialog', /Name.*Theirs: Yard.*Yours: Garden and roof/);
    await shows('dialog dialog', /Description.*Theirs: Out of doors/);
    await checkLooks('category-conflict');
    await browser.page.resize(1280, 900);
    await press('Continue');
    await press('Save');
    await eventually(async () =>
      expect((await tree())[1]).toMatchObject({ name: 'Garden and roof', description: 'Out of doors' }),
    );
    // A category that another person moved only in the order is saved without a question.
    await press('Edit Garden and roof');
    await fill('Name', 'Garden');
    await back.categories.update({ id: garden!.id, position: 2 });
    await press('Save');
    await shows('.drag-list', /Garden(?! and roof)/);
    expect(await read(`document.querySelector('dialog')`)).toBeNull();
  });

  test('finds categories by a part of a name, and shows where they belong', async () => {
    await fill('Search', 'knív');
    await shows('.categories .sheet', /^Kitchen(?!.*(Pots|Garden)).*Knives/);
    expect(await read(`document.querySelectorAll('.categories .handle').length`)).toBe(0);
    await checkLooks('category-search');
    await browser.page.resize(1280, 900);
    await fill('Search', 'nowhere');
    await shows('.categories .sheet', /No category matches/);
    await fill('Search', '');
    await shows('.categories .sheet', /Pots.*Garden/);
  });

  test('renames a category, and deletes it after a question', async () => {
    await press('Edit Garden');
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

  test('shows what another person changed in a collection and its products, and loses no input', async () => {
    const [gifts] = (await back.productCollections.list()).collections;
    const { id } = gifts!;
    const products = (await back.products.list({ sort: 'name' })).products;
    const idOf = (name: string): string => products.find((product) => product.name === name)!.id;
    const members = async (): Promise<string[]> =>
      (await back.products.list({ collection_id: id, sort: 'collection' })).products.map(({ name }) => name);
    await fill('Name', 'Presents');
    await fill('Add a product', 'Cup');
    await press('Add Cup');
    await back.productCollections.update({ id, name: 'Offers', description: 'For friends' });
    await back.productCollections.products.set({ id, product_ids: [idOf('Apron')] });
    await press('Save the products');
    await shows('dialog h2', 'Another person changed this meanwhile');
    await shows('dialog', /Products.*Theirs: Apron.*Yours: Bowl; Apron; Cup/);
    await checkLooks('collection-conflict');
    await browser.page.resize(1280, 900);
    await press('Continue');
    await press('Save the products');
    await eventually(async () => expect(await members()).toEqual(['Bowl', 'Apron', 'Cup']));
    // The screen's other form follows, and asks since its own input meets another person's.
    await shows('dialog', /Name.*Theirs: Offers.*Yours: Presents/);
    await press('Continue');
    await press('Save');
    await eventually(async () =>
      expect((await back.productCollections.get({ id })).collection).toMatchObject({
        name: 'Presents',
        description: 'For friends',
      }),
    );
    await back.productCollections.update({ id, name: 'Gifts' });
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
    // The refused move, and the records that two people changed.
    expect(browser.page.complaints.filter((text) => !/\b409\b/.test(text))).toEqual([]);
  });
});

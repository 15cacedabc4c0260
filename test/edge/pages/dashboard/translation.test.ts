// Languages in a real browser: they are added in the settings, and texts of five kinds of records are translated in their forms.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { join } from '#test/services/staff/client.ts';
import { type Browser, chromiumProgram, openBrowser } from '#test/support/browser.ts';
import { visitDashboard } from '#test/support/dashboard.ts';
import { eventually } from '#test/support/server.ts';
import { type Keys, type Reply, type Stoa, sharedStoa } from '#test/support/stoa.ts';

const program = chromiumProgram();

describe.skipIf(!program)('the screens of languages', { timeout: 120_000 }, () => {
  let stoa: Stoa;
  let keys: Keys;
  let browser: Browser;
  const { shows, press, fill, signInAs, goTo, checkLooks } = visitDashboard(
    () => browser.page,
    () => stoa.url,
  );
  const merchant = async (method: string, path: string, body?: unknown): Promise<Reply['body']> => {
    const reply = await stoa.send(method, path, { key: keys.secret_key, body });
    expect(reply.status, reply.text).toBeLessThan(300);
    return reply.body;
  };

  beforeAll(async () => {
    stoa = await sharedStoa();
    keys = await stoa.createStore({ plan: 'growth' });
    browser = await openBrowser(program!);
    await browser.page.resize(1280, 900);
    await signInAs((await join(stoa, keys, 'owner')).cookie, 'settings/languages');
  }, 90_000);
  afterAll(async () => {
    await browser?.close();
  });

  test('add and remove rows in the settings, which refuse a text that is no language', async () => {
    await shows('main h1', 'Languages');
    for (const tag of ['de', 'fr', 'klingon']) {
      await fill('Other language', tag);
      await press('Add');
      await shows('main li', tag);
    }
    await press('Save');
    await shows('main form [role=alert]', /klingon.* is no language tag/);
    await checkLooks('languages');
    await press('Remove klingon');
    await press('Save');
    const saved = async () => (await merchant('GET', '/v1/store?fields=language,languages')).store;
    await eventually(async () => expect(await saved()).toEqual({ language: 'en', languages: ['de', 'fr'] }));
  });

  test.each([
    ['a collection', '/v1/product-collections', 'collection', 'collections', 'name', 'Name', {}],
    ['a promotion', '/v1/promotions', 'promotion', 'discounts', 'name', 'Name', { type: 'free_shipping' }],
    ['a post', '/v1/blog/posts', 'post', 'content/posts', 'title', 'Title', {}],
    ['a lookbook', '/v1/lookbooks', null, 'content/lookbooks', 'title', 'Title', {}],
    ['a product', '/v1/products', null, 'products', 'name', 'Name', { price: 4, stock: 1 }],
  ])(
    'translate the name of %s, and remove it when it is emptied',
    async (_kind, path, envelope, screen, field, label, more) => {
      const answer = await merchant('POST', path, { [field]: 'Slow mornings', ...more });
      const made = envelope === null ? answer : answer[envelope];
      const place = screen === 'content/posts' ? made.slug : made.id;
      await goTo(`${screen}/${place}`);
      await shows('main h1', 'Slow mornings');
      const translated = async (): Promise<unknown> => {
        const body = await merchant('GET', `${path}?limit=20`);
        const [records] = Object.values(body) as { readonly id: string; readonly translations?: object }[][];
        return records!.find(({ id }) => id === made.id)?.translations;
      };
      await shows('main label', 'Language');
      await fill('Language', 'de');
      await fill(label, 'Langsame Morgen');
      await press('Save');
      await eventually(async () => expect(await translated()).toEqual({ de: { [field]: 'Langsame Morgen' } }));
      await goTo('settings/languages');
      await goTo(`${screen}/${place}`);
      await shows('main h1', 'Slow mornings');
      await fill('Language', 'de');
      await shows('.advice', 'Slow mornings');
      if (screen === 'products') await checkLooks('translated product');
      await fill(label, '');
      await press('Save');
      await eventually(async () => expect(await translated()).toBeUndefined());
    },
  );
});

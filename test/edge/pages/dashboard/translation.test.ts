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
  const { shows, press, click, fill, signInAs, goTo, checkLooks } = visitDashboard(
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

  /** Opens a screen with German texts. */
  const inGerman = async (path: string, title: string): Promise<void> => {
    await goTo(path);
    await shows('main h1', title);
    await fill('Language', 'de');
  };

  test('translate words of options and specifications of a product, and its keywords', async () => {
    const { id } = await merchant('POST', '/v1/products', {
      name: 'Shirt',
      seo_keywords: ['shirt'],
      variants: [{ price: 10, variant_name: 'Red', variant_attributes: { Colour: 'Red' } }],
      specifications: [{ name: 'Fabric', value: 'Wool' }],
      translations: { de: { name: 'Hemd', terms: { Wool: 'Wolle' } } },
    });
    await inGerman(`products/${id}`, 'Shirt');
    await fill('Keywords', 'hemd, leinenhemd');
    await fill('Red', 'Rot');
    await fill('Wool', '');
    await checkLooks('translated words');
    await press('Save');
    await eventually(async () =>
      expect((await merchant('GET', `/v1/products/${id}`)).translations).toEqual({
        de: { name: 'Hemd', seo_keywords: ['hemd', 'leinenhemd'], terms: { Red: 'Rot' } },
      }),
    );
  });

  test('translate a category in its dialog', async () => {
    await merchant('POST', '/v1/categories', { name: 'Cups', description: 'To drink from.' });
    await goTo('categories');
    await press('Edit Cups');
    await fill('Language', 'de');
    await fill('Name', 'Tassen');
    await fill('Description', 'Zum Trinken.');
    await checkLooks('translated category');
    await press('Save');
    await eventually(async () =>
      expect((await merchant('GET', '/v1/categories')).categories[0].translations).toEqual({
        de: { name: 'Tassen', description: 'Zum Trinken.' },
      }),
    );
  });

  test('translate a hotspot, and keep its translation when another field is saved', async () => {
    const { id: product_id } = await merchant('POST', '/v1/products', { name: 'Kettle', price: 4, stock: 1 });
    const hotspots = [{ x: 0.5, y: 0.5, product_id, label: 'The lid' }];
    const book = { title: 'Kitchen', images: [{ url: 'https://pictures.example/a.png', hotspots }] };
    const { id } = await merchant('POST', '/v1/lookbooks', book);
    const [label, reads] = ['Der Deckel', async () => (await merchant('GET', '/v1/lookbooks')).lookbooks];
    const saved = async () => reads().then((books) => books.find((each: { id: string }) => each.id === id).images[0]);
    await inGerman(`content/lookbooks/${id}`, 'Kitchen');
    await click('.hotspot-mark');
    await fill('Label', label);
    await press('Save');
    await eventually(async () => expect((await saved()).hotspots[0].translations).toEqual({ de: { label } }));
    await fill('From above', '12.5');
    await press('Save');
    await eventually(async () => expect((await saved()).hotspots[0].y).toBe(0.125));
    expect((await saved()).hotspots[0].translations).toEqual({ de: { label } });
  });

  test('translate a policy, whose translation a new text in the default language retains', async () => {
    await merchant('PUT', '/v1/store/policies/returns', {
      title: 'Returns',
      body: 'Within 30 days.',
      publish: true,
      translations: { de: { title: 'Rückgabe' } },
    });
    await inGerman('content/policies/returns', 'Returns');
    await shows('.advice', 'Within 30 days.');
    await fill('Text', 'Innerhalb von 30 Tagen.');
    await fill('Language', '');
    await fill('Text', 'Within 60 days.');
    await press('Save the draft');
    await eventually(async () =>
      expect((await merchant('GET', '/v1/store/policies/returns?draft=true')).policy).toMatchObject({
        body: 'Within 60 days.',
        translations: { de: { title: 'Rückgabe', body: 'Innerhalb von 30 Tagen.' } },
      }),
    );
  });

  test('translate names and times of delivery', async () => {
    const option = { name: 'By bicycle', fee: 9, minimum_order: 0, free_threshold: null, estimate: 'today' };
    const rate = { fee: 5, free_threshold: null, estimate: '2 days', weight_bands: [], category_rules: [] };
    const address = { line1: '1 Road', city: 'Nairobi', country: 'KE' };
    const place = { name: 'Workshop', latitude: 0, longitude: 0, address, ships: true, pickup: true, primary: true };
    const { locations, zones, tiers } = await merchant('PUT', '/v1/shipping/config', {
      restriction: 'none',
      fulfil_from: 'primary',
      locations: [{ ...place, hours: 'Mon-Sat', instructions: null }],
      zones: [{ name: 'Coast', kind: 'countries', countries: ['KE'], rate: { ...rate, options: [option] } }],
      tiers: [{ name: 'Near', from_meters: 0, to_meters: null, rate: { ...rate, options: [] } }],
      fallback: { rate: { ...rate, options: [] } },
    });
    const saved = async () => merchant('GET', '/v1/shipping/config');
    const save = async (): Promise<void> => {
      await press('Save');
      await shows('main h1', /^Delivery$/);
    };
    await inGerman(`delivery/zones/${zones[0].id}`, 'Coast');
    await fill('Name', 'Küste');
    await fill('Delivery time', '2 Tage');
    await fill('Time', 'heute');
    await checkLooks('translated zone');
    await save();
    await inGerman(`delivery/locations/${locations[0].id}`, 'Workshop');
    await fill('Name', 'Werkstatt');
    await fill('Opening hours', 'Mo–Sa');
    await save();
    await inGerman(`delivery/tiers/${tiers[0].id}`, 'Near');
    await fill('Name', 'Umland');
    await save();
    await inGerman('delivery/fallback', 'Everywhere else');
    await fill('Delivery time', '2 Tage');
    await save();
    const now = await saved();
    expect(
      [now.zones[0], now.locations[0], now.tiers[0], now.fallback.rate].map((each) => each.translations.de),
    ).toEqual([{ name: 'Küste' }, { name: 'Werkstatt', hours: 'Mo–Sa' }, { name: 'Umland' }, { estimate: '2 Tage' }]);
    const [zone] = now.zones;
    expect([zone.rate.translations.de, zone.rate.options[0].translations.de]).toEqual([
      { estimate: '2 Tage' },
      { estimate: 'heute' },
    ]);
  });
});

// Languages of a store: readers of several languages at once get no text of another language, and a secret key reads and
// writes every translation.
import { beforeAll, describe, expect, test } from 'vitest';
import { type Merchant, openMerchant } from '#test/support/catalog.ts';
import { eventually } from '#test/support/server.ts';
import { type Stoa, sharedStoa } from '#test/support/stoa.ts';

/** Rounds in which readers of several languages read the same address at once. */
const ROUNDS = 15;

let stoa: Stoa;
let shop: Merchant;
let product: { readonly id: string; readonly product_slug: string };
let collection: { readonly id: string };
let post: { readonly id: string; readonly slug: string };
let lookbook: { readonly slug: string };
let promotion: { readonly id: string };

const created = async (path: string, body: object, sender = shop.secret) => {
  const { status, text, body: answer } = await sender('POST', path, body);
  expect(status, text).toBe(201);
  return answer;
};

const translationsOf = ({ de, 'pt-BR': ptBR }: Translated['texts'], field: string) => ({
  de: { [field]: de },
  'pt-BR': { [field]: ptBR },
});

beforeAll(async () => {
  stoa = await sharedStoa();
  shop = await openMerchant(stoa);
  await shop.secret('PATCH', '/v1/store', { languages: ['de', 'pt-BR'] });
  product = await created('/v1/products', {
    name: 'Mug of clay',
    description: 'Holds coffee.',
    price: 10,
    stock: 3,
    specifications: [{ group: null, name: CLAY.en, value: 12, unit: null }],
    translations: {
      de: { name: 'Becher aus Ton', terms: { [CLAY.en]: CLAY.de } },
      'pt-BR': { name: 'Caneca de barro', seo_keywords: ['caneca'], terms: { [CLAY.en]: CLAY['pt-BR'] } },
    },
  });
  await created('/v1/products', { name: 'Plain plate', price: 4, stock: 1 });
  const cups = translationsOf(CUPS, 'name');
  const { category } = await created('/v1/categories', { name: CUPS.en, translations: cups });
  const { category: below } = await created('/v1/categories', {
    name: SMALL.en,
    parent_id: category.id,
    translations: { de: { name: SMALL.de, description: 'Nur klein.' }, 'pt-BR': { name: SMALL['pt-BR'] } },
  });
  await shop.secret('PATCH', `/v1/products/${product.id}`, { subcategory_id: below.id });
  ({ collection } = await created('/v1/product-collections', { name: CUPS.en, translations: cups }));
  ({ post } = await created('/v1/blog/posts', {
    title: STORY.en,
    body: 'In English.',
    status: 'published',
    translations: { de: { title: STORY.de, body: 'Auf Deutsch.' }, 'pt-BR': { title: STORY['pt-BR'] } },
  }));
  lookbook = await created('/v1/lookbooks', {
    title: MORNING.en,
    status: 'published',
    translations: translationsOf(MORNING, 'title'),
    images: [
      {
        url: 'https://cdn.example/morning.jpg',
        hotspots: [{ x: 0, y: 1, product_id: product.id, label: MUG.en, translations: translationsOf(MUG, 'label') }],
      },
    ],
  });
  ({ promotion } = await created('/v1/promotions', {
    name: SALE.en,
    type: 'free_shipping',
    translations: translationsOf(SALE, 'name'),
  }));
  const policy = { title: TERMS.en, body: 'Be kind.', publish: true };
  const titles = { de: { title: TERMS.de, body: 'Sei nett.' }, 'pt-BR': { title: TERMS['pt-BR'] } };
  await shop.secret('PUT', '/v1/store/policies/terms', { ...policy, translations: titles });
  await shop.secret('PUT', '/v1/store/policies/returns', { ...policy, title: 'Returns' });
});

interface Translated {
  /** Path of a read; names the record where it has one. */
  readonly path: () => string;
  /** A text that the answer has in each language. */
  readonly texts: Readonly<Record<'en' | 'de' | 'pt-BR', string>>;
}

const CUPS = { en: 'Cups', de: 'Tassen', 'pt-BR': 'Xícaras' };
const SMALL = { en: 'Small ones', de: 'Kleine', 'pt-BR': 'Pequenas' };
const MORNING = { en: 'Slow mornings', de: 'Langsame Morgen', 'pt-BR': 'Manhãs lentas' };
const SALE = { en: 'Spring sale', de: 'Frühlingsrabatt', 'pt-BR': 'Promoção de primavera' };
const CLAY = { en: 'Kind of clay', de: 'Tonart', 'pt-BR': 'Tipo de barro' };
const STORY = { en: 'How clay dries', de: 'Wie Ton trocknet', 'pt-BR': 'Como o barro seca' };
const TERMS = { en: 'Terms of sale', de: 'Verkaufsbedingungen', 'pt-BR': 'Termos de venda' };
const MUG = { en: 'Mug of clay', de: 'Becher aus Ton', 'pt-BR': 'Caneca de barro' };

const READS: readonly (readonly [string, Translated])[] = [
  ['products', { path: () => '/v1/products?limit=10', texts: MUG }],
  ['products cut to fields', { path: () => '/v1/products?fields=name,price', texts: MUG }],
  ['a product', { path: () => `/v1/products/${product.id}`, texts: MUG }],
  ['a product by its slug', { path: () => `/v1/products/by-slug/${product.product_slug}`, texts: MUG }],
  ['specifications', { path: () => `/v1/products/${product.id}/specifications?fields=name`, texts: CLAY }],
  ['categories', { path: () => '/v1/categories', texts: CUPS }],
  ['subcategories', { path: () => '/v1/categories?fields=subcategories', texts: SMALL }],
  ['collections', { path: () => '/v1/product-collections', texts: CUPS }],
  ['a collection', { path: () => `/v1/product-collections/${collection.id}`, texts: CUPS }],
  ['posts', { path: () => '/v1/blog/posts', texts: STORY }],
  ['a post', { path: () => `/v1/blog/posts/${post.slug}`, texts: STORY }],
  ['lookbooks', { path: () => '/v1/lookbooks', texts: MORNING }],
  ['a lookbook', { path: () => `/v1/lookbooks/${lookbook.slug}`, texts: MORNING }],
  ['hotspots of a lookbook', { path: () => '/v1/lookbooks?fields=images', texts: MUG }],
  ['promotions', { path: () => '/v1/promotions', texts: SALE }],
  ['a promotion', { path: () => `/v1/promotions/${promotion.id}`, texts: SALE }],
  ['policies', { path: () => '/v1/store/policies', texts: TERMS }],
  ['a policy', { path: () => '/v1/store/policies/terms', texts: TERMS }],
];

describe.each(READS)('%s', (_name, { path, texts }) => {
  const languages = Object.keys(texts) as (keyof typeof texts)[];
  const ask = (language: string, more: Readonly<Record<string, string>> = {}) =>
    shop.publishable('GET', path(), undefined, { headers: { 'Accept-Language': language, ...more } });

  test('answers readers of several languages at once, each in its own', async () => {
    const held = new Map<string, string>();
    for (let round = 0; round < ROUNDS; round++) {
      const replies = await Promise.all(languages.map(async (language) => [language, await ask(language)] as const));
      for (const [language, reply] of replies) {
        expect(reply.status, reply.text).toBe(200);
        expect(reply.headers.get('content-language')).toBe(language);
        expect(reply.headers.get('vary')).toContain('Accept-Language');
        for (const other of languages)
          expect(reply.text.includes(texts[other]), `${other} in an answer in ${language}`).toBe(other === language);
        expect(reply.text).not.toContain('"translations"');
        held.set(language, reply.headers.get('etag')!);
      }
    }
    expect(new Set(held.values()).size).toBe(languages.length);
    for (const asked of languages)
      for (const [language, etag] of held)
        expect((await ask(asked, { 'If-None-Match': etag })).status).toBe(asked === language ? 304 : 200);
  });

  test('prefers the language that the query names, and the nearest one', async () => {
    const named = async (language: string, header = 'en') => {
      const separator = path().includes('?') ? '&' : '?';
      return shop.publishable('GET', `${path()}${separator}language=${language}`, undefined, {
        headers: { 'Accept-Language': header },
      });
    };
    expect((await named('de')).text).toContain(texts.de);
    expect((await named('de-AT')).headers.get('content-language')).toBe('de');
    expect((await named('pt')).text).toContain(texts['pt-BR']);
    expect((await named('fr', 'de')).text).toContain(texts.en);
    expect((await named('klingon')).body.error.param).toBe('language');
    expect((await ask('fr, de-CH;q=0.4, *;q=0.1')).text).toContain(texts.de);
    expect((await ask('*')).text).toContain(texts.en);
  });

  test('shows a secret key the default language and every translation', async () => {
    const { text, headers } = await shop.secret('GET', path(), undefined, { headers: { 'Accept-Language': 'de' } });
    expect(headers.get('content-language')).toBe('en');
    expect(text).toContain(texts.en);
    if (!path().includes('fields=')) expect(text).toContain(texts.de);
    const separator = path().includes('?') ? '&' : '?';
    const chosen = await shop.secret('GET', `${path()}${separator}language=de`);
    expect(chosen.text).toContain(texts.de);
    expect(chosen.text).not.toContain('"translations"');
  });
});

test('falls back to the default language field by field', async () => {
  const { body } = await shop.publishable('GET', `/v1/products/${product.id}?language=de`);
  expect(body).toMatchObject({ name: 'Becher aus Ton', description: 'Holds coffee.', price: 10, seo_keywords: null });
});

test('says its language in a store without others, and does not vary', async () => {
  const other = await openMerchant(stoa);
  await other.createProduct();
  const reply = await other.publishable('GET', '/v1/products', undefined, { headers: { 'Accept-Language': 'de' } });
  expect(reply.headers.get('content-language')).toBe('en');
  expect(reply.headers.get('vary')).not.toContain('Accept-Language');
  await other.secret('PATCH', '/v1/store', { language: 'sw', languages: ['en'] });
  const after = await other.publishable('GET', '/v1/products', undefined, { headers: { 'Accept-Language': 'en' } });
  expect(after.headers.get('content-language')).toBe('en');
  expect(after.headers.get('vary')).toContain('Accept-Language');
});

test('writes each feed in the language of its address', async () => {
  await shop.secret('PATCH', '/v1/store', { feeds: { llms_enabled: true, products_enabled: true } });
  const feed = async (name: string, language: string) =>
    (await stoa.send('GET', `/v1/feeds/${shop.keys.code}/${name}?language=${language}`)).text;
  const languages = ['en', 'de', 'pt-BR'] as const;
  for (let round = 0; round < ROUNDS; round++)
    for (const name of ['llms.txt', 'products.json', 'products.xml']) {
      const texts = await Promise.all(languages.map((language) => feed(name, language)));
      for (const [at, text] of texts.entries())
        for (const language of languages) {
          const category = name === 'llms.txt' ? CUPS[language] : MUG[language];
          expect(text.includes(category), `${language} in ${name} in ${languages[at]}`).toBe(
            language === languages[at],
          );
        }
    }
  expect(await feed('llms.txt', 'de-AT')).toContain(STORY.de);
  expect(await feed('products.xml', 'de')).toContain('<language>de</language>');
  expect(await feed('products.json', 'fr')).toContain(MUG.en);
  const bad = await stoa.send('GET', `/v1/feeds/${shop.keys.code}/llms.txt?language=*`);
  expect([bad.status, bad.body.error.param]).toEqual([400, 'language']);
});

test('searches in the language of the reader, by its stems, compounds and stop words', async () => {
  const ask = (query: string, language: string) =>
    shop.publishable('POST', '/v1/search', { query }, { headers: { 'Accept-Language': language } });
  const names = async (query: string, language: string): Promise<string[]> =>
    (await ask(query, language)).body.products.map(({ name }: { name: string }) => name);
  await eventually(async () => expect(await names('die Bechern', 'de')).toEqual([MUG.de]));
  expect(await names('canecas', 'pt-BR')).toEqual([MUG['pt-BR']]);
  expect(await names('mugs', 'en')).toEqual([MUG.en]);
  expect(await names('Becher', 'en')).toEqual([]);
  expect(await names('plate', 'de')).toEqual(['Plain plate']);
  const { headers, body } = await ask('Becher', 'de');
  expect([headers.get('content-language'), headers.get('vary')?.includes('Accept-Language')]).toEqual(['de', true]);
  expect(body.products[0].category_name).toBe(CUPS.de);
  for (let round = 0; round < ROUNDS; round++) {
    const found = await Promise.all([names('Becher', 'de'), names('caneca', 'pt-BR'), names('mug', 'en')]);
    expect(found).toEqual([[MUG.de], [MUG['pt-BR']], [MUG.en]]);
  }
  await shop.secret('PATCH', `/v1/products/${product.id}`, { translations: { de: { name: 'Kaffeetasse aus Ton' } } });
  await eventually(async () => expect(await names('Tasse', 'de')).toEqual(['Kaffeetasse aus Ton']));
  await shop.secret('PATCH', `/v1/products/${product.id}`, { translations: { de: { name: MUG.de } } });
  await eventually(async () => expect(await names('Becher', 'de')).toEqual([MUG.de]));
  const other = await shop.publishable('POST', '/v1/search?language=de', { query: 'Becher' });
  expect(other.body.products[0].name).toBe(MUG.de);
  const { body: named } = await shop.publishable('POST', '/v1/search', { query: 'Becher', language: 'de' });
  expect(named.products[0].name).toBe(MUG.de);
  const bad = await shop.publishable('POST', '/v1/search', { query: 'Becher', language: '*' });
  expect([bad.status, bad.body.error.param]).toEqual([400, 'language']);
});

test('names the categories of products in the language', async () => {
  for (const path of ['/v1/products?limit=10', `/v1/products/${product.id}`]) {
    const { body } = await shop.publishable('GET', `${path}${path.includes('?') ? '&' : '?'}language=de`);
    const { category_name, subcategory_name } =
      body.products?.find(({ id }: { id: string }) => id === product.id) ?? body;
    expect([category_name, subcategory_name]).toEqual([CUPS.de, SMALL.de]);
  }
  const { body } = await shop.publishable('GET', `/v1/categories?language=de`);
  expect(body.categories[0].subcategories[0]).not.toHaveProperty('description');
});

test.each([
  ['category', '/v1/categories', { name: 'Bowls' }, 'name'],
  ['collection', '/v1/product-collections', { name: 'Bowls' }, 'name'],
  ['post', '/v1/blog/posts', { title: 'Bowls' }, 'title'],
  ['lookbook', '/v1/lookbooks', { title: 'Bowls' }, 'title'],
  ['promotion', '/v1/promotions', { name: 'Bowls', type: 'free_shipping' }, 'name'],
] as const)(
  'merges and removes the translations of a %s, and refuses unknown languages',
  async (kind, path, body, field) => {
    const refused = await shop.secret('POST', path, { ...body, translations: { fr: { [field]: 'Bols' } } });
    expect([refused.status, refused.body.error.param]).toEqual([400, 'translations.fr']);
    const record = (answer: Record<string, Record<string, unknown>>) => answer[kind] ?? answer;
    const made = record(await created(path, { ...body, translations: { de: { [field]: 'Schalen' } } }));
    const change = async (change: object) => (await shop.secret('PATCH', `${path}/${made.id}`, change)).body;
    expect(record(await change({ translations: { 'pt-BR': { [field]: 'Tigelas' } } })).translations).toEqual({
      de: { [field]: 'Schalen' },
      'pt-BR': { [field]: 'Tigelas' },
    });
    expect((await change({ translations: { en: { [field]: 'Bowls' } } })).error.param).toBe('translations.en');
    const left = { 'pt-BR': { [field]: 'Tigelas' } };
    expect(record(await change({ translations: { de: null } })).translations).toEqual(left);
    expect(record(await change({ [field]: 'Deep' }))).toMatchObject({ [field]: 'Deep', translations: left });
    expect(record(await change({ translations: null }))).not.toHaveProperty('translations');
  },
);

test('keeps the translations of a hotspot that a change of the pictures names, and refuses unknown languages', async () => {
  const hotspot = { x: 0, y: 0, product_id: product.id, label: 'Cup' };
  const pictures = (...hotspots: object[]) => ({ images: [{ url: 'https://cdn.example/cup.jpg', hotspots }] });
  const translations = { de: { label: 'Tasse' } };
  const made = await created('/v1/lookbooks', { title: 'Cups', ...pictures({ ...hotspot, translations }) });
  const { id } = made.images[0].hotspots[0];
  const change = async (...hotspots: object[]) =>
    (await shop.secret('PATCH', `/v1/lookbooks/${made.id}`, pictures(...hotspots))).body;
  const [same, added] = (await change({ ...hotspot, id }, hotspot)).images[0].hotspots;
  expect([same.id, same.translations, added.translations]).toEqual([id, translations, undefined]);
  const { error } = await change(hotspot, { ...hotspot, id, translations: { fr: { label: 'Tasse' } } });
  expect(error.param).toBe('images[0].hotspots[1].translations.fr');
  expect((await change({ ...hotspot, id, translations: null })).images[0].hotspots[0]).not.toHaveProperty(
    'translations',
  );
});

test('replaces the translations of a policy with the policy, drafts included', async () => {
  const path = '/v1/store/policies/privacy';
  const put = (body: object) => shop.secret('PUT', path, { title: 'Privacy', body: 'None of it.', ...body });
  const refused = await put({ translations: { fr: { title: 'Vie privée' } } });
  expect([refused.status, refused.body.error.param]).toEqual([400, 'translations.fr']);
  const translations = { de: { title: 'Datenschutz' } };
  expect((await put({ publish: true, translations })).body.policy.translations).toEqual(translations);
  expect((await put({ translations: { de: { title: 'Entwurf' } } })).body.policy.translations.de.title).toBe('Entwurf');
  const title = async () => (await shop.publishable('GET', `${path}?language=de`)).body.policy.title;
  expect(await title()).toBe('Datenschutz');
  expect((await shop.secret('GET', `${path}?draft=true`)).body.policy.translations.de.title).toBe('Entwurf');
  expect((await put({ publish: true })).body.policy).not.toHaveProperty('translations');
  expect(await title()).toBe('Privacy');
});

describe('a written translation', () => {
  test('survives a PATCH of the whole answer', async () => {
    const path = `/v1/products/${product.id}`;
    const { body: read } = await shop.secret('GET', path);
    expect(read.translations).toEqual({
      de: { name: 'Becher aus Ton', terms: { [CLAY.en]: CLAY.de } },
      'pt-BR': { name: 'Caneca de barro', seo_keywords: ['caneca'], terms: { [CLAY.en]: CLAY['pt-BR'] } },
    });
    const { variant_id: _variant, ...same } = read;
    const reply = await shop.secret('PATCH', path, { ...same, translations: read.translations });
    expect(reply.status, reply.text).toBe(200);
    expect(reply.body.translations).toEqual(read.translations);
    expect(reply.body.updated_at).toBe(read.updated_at);
  });

  test('reaches the next reader, and is gone after its removal', async () => {
    const { id } = await created('/v1/products', { name: 'Bowl', price: 5 });
    const name = async () => (await shop.publishable('GET', `/v1/products/${id}?language=de`)).body.name;
    for (let round = 0; round < ROUNDS; round++) {
      await shop.secret('PATCH', `/v1/products/${id}`, { translations: { de: { name: `Schale ${round}` } } });
      expect(await name()).toBe(`Schale ${round}`);
    }
    await shop.secret('PATCH', `/v1/products/${id}`, { translations: { de: null } });
    expect(await name()).toBe('Bowl');
  });

  test('stays when the store drops its language, unread', async () => {
    const other = await openMerchant(stoa);
    await other.secret('PATCH', '/v1/store', { languages: ['de'] });
    const { id } = await other.createProduct({ translations: { de: { name: 'Schuh' } } });
    const name = async () => (await other.publishable('GET', `/v1/products/${id}?language=de`)).body.name;
    expect(await name()).toBe('Schuh');
    await other.secret('PATCH', '/v1/store', { languages: [] });
    expect(await name()).toBe('Trail shoe');
    const { body } = await other.secret('GET', `/v1/products/${id}`);
    expect((await other.secret('PATCH', `/v1/products/${id}`, { translations: body.translations })).status).toBe(200);
    await other.secret('PATCH', '/v1/store', { languages: ['de'] });
    expect(await name()).toBe('Schuh');
  });

  test.each([
    ['an unknown language', { fr: { name: 'Tasse' } }, 'translations.fr'],
    ['the default language', { en: { name: 'Mug' } }, 'translations.en'],
    ['no tag', { __proto__x: { name: 'Mug' } }, 'translations.__proto__x'],
    ['a field of the wrong kind', { de: { name: 5 } }, 'translations.de.name'],
    ['a name of blanks', { de: { name: '  ' } }, 'translations.de.name'],
    ['a list', [], 'translations'],
    ['a text for a language', { de: 'Becher' }, 'translations.de'],
    ['many languages', Object.fromEntries(Array.from({ length: 51 }, (_, at) => [`x${at}`, {}])), 'translations'],
    ['a long key', { ['d'.repeat(10_000)]: {} }, 'translations'],
    [
      'too many bytes',
      { de: { description: 'ä'.repeat(50_000) }, 'pt-BR': { description: '€'.repeat(60_000) } },
      'translations["pt-BR"].description',
    ],
  ])('with %s is refused and leaves nothing', async (_name, translations, param) => {
    const before = (await shop.secret('GET', `/v1/products/${product.id}`)).text;
    const reply = await shop.secret('PATCH', `/v1/products/${product.id}`, { name: 'Changed', translations });
    expect([reply.status, reply.body.error.param]).toEqual([400, param]);
    expect((await shop.secret('GET', `/v1/products/${product.id}`)).text).toBe(before);
  });

  test('gets 413 if it has a megabyte', async () => {
    const translations = { de: { description: 'x'.repeat(1_100_000) } };
    expect((await shop.secret('PATCH', `/v1/products/${product.id}`, { translations })).status).toBe(413);
  });

  test('belongs to its store and environment', async () => {
    const other = await openMerchant(stoa);
    const reply = await other.secret('POST', '/v1/products', { name: 'Mug', translations: { de: { name: 'Becher' } } });
    expect([reply.status, reply.body.error.param]).toEqual([400, 'translations.de']);
    const trial = await created('/v1/products', { name: 'Mug', translations: { de: { name: 'Probe' } } }, shop.test);
    expect((await shop.publishable('GET', `/v1/products/${trial.id}`)).status).toBe(404);
  });
});

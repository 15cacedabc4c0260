// What feeds look like: the shape of each, and texts that would break them out of it.
import { XMLParser } from 'fast-xml-parser';
import { describe, expect, test } from 'vitest';
import { Refusal } from '#runtime/call.ts';
import { renderProductFeed } from '#services/catalog/feed/product_feed.ts';
import { linkTo, type Shop } from '#services/catalog/feed/shop.ts';
import { renderShoppingFeed, xmlText } from '#services/catalog/feed/shopping_feed.ts';
import { markdownText, renderSummary } from '#services/catalog/feed/summary.ts';
import { Catalogue } from '#services/catalog/memory/catalogue.ts';
import { type CategoryRecord, type ProductRow, writeProduct } from '#services/catalog/product.ts';
import { frameOf } from '#services/catalog/product_text.ts';
import { currencyOf } from '#values/currency.ts';

const NOW = new Date('2026-11-21T09:30:00Z');
const SHOES = '01900000-0000-7000-8000-000000000001';
const RUNNING = '01900000-0000-7000-8000-000000000002';

const shop: Shop = {
  id: '01900000-0000-7000-8000-00000000000a',
  code: 'acme-outdoor',
  name: 'Acme <Outdoor> & Söhne',
  description: 'Shoes "for" the road.\nAnd boots.',
  website_url: 'https://shop.example/en/',
  currency: 'USD',
  country: 'KE',
};

const category = (id: string, name: string, parent_id: string | null = null): CategoryRecord => ({
  id,
  parent_id,
  name,
  slug: name.toLowerCase(),
  description: null,
  created_at: NOW,
});
const categories = [category(SHOES, 'Shoes'), category(RUNNING, 'Running', SHOES)];

const catalogueOf = (rows: readonly ProductRow[], code = 'USD'): Catalogue => {
  const currency = currencyOf(code)!;
  const catalogue = new Catalogue(frameOf(currency, '$'));
  catalogue.putCategories(categories, []);
  catalogue.putProducts(
    rows.map((row, index) => {
      const now = new Date(NOW.getTime() + index * 1_000);
      const around = { currency, now, category: (id: string) => categories.find((one) => one.id === id) };
      const product = writeProduct(null, row, around);
      if (product instanceof Refusal) throw new Error(product.message);
      return product;
    }),
  );
  return catalogue;
};
const collection = (name: string, more: object = {}) => ({
  id: crypto.randomUUID(),
  name,
  slug: name.toLowerCase(),
  description: '',
  collection_type: 'custom' as const,
  is_active: true,
  show_on_homepage: true,
  display_priority: 0,
  image: null,
  image_mobile: null,
  video: null,
  created_at: NOW,
  updated_at: NOW,
  product_ids: [],
  ...more,
});

const shoe: ProductRow = {
  name: 'Trail shoe',
  description: 'Light <and> strong & "quick".',
  subcategory_id: RUNNING,
  brand: 'Acme & Co',
  media: [{ url: 'https://cdn.example/1.jpg?a=1&b=2' }, { url: 'https://cdn.example/2.jpg' }],
  google_product_category: '187',
  sku: 'TS-1',
  price: 100,
  sale_price: 79.5,
  stock: 3,
  gtin: '4006381333931',
  mpn: 'M-1',
  weight_grams: 850,
  featured: true,
};
const shirt: ProductRow = {
  name: 'Shirt',
  media: [{ url: 'https://cdn.example/shirt.jpg' }],
  variants: [
    { sku: 'S-M', price: 20, stock: 0, variant_name: 'M / red', variant_attributes: { Colour: 'red', size: 'M' } },
    {
      sku: 'x'.repeat(60),
      price: 25,
      stock: 9,
      variant_name: 'L',
      variant_attributes: { size: 'L', fit: 'slim' },
      media: [{ url: 'https://cdn.example/l.jpg' }],
    },
  ],
};

describe('links', () => {
  test.each([
    ['https://shop.example', 'https://shop.example/products/a'],
    ['https://shop.example/', 'https://shop.example/products/a'],
    ['https://shop.example/en//?x=1#y', 'https://shop.example/en/products/a'],
    [null, null],
    ['nonsense', null],
  ])('into %s', (website_url, link) => {
    expect(linkTo({ website_url }, 'products/a')).toBe(link);
  });
});

describe('llms.txt', () => {
  test('tells the store, its categories with counts, its featured products and its collections', () => {
    const catalogue = catalogueOf([
      shoe,
      shirt,
      { name: 'Hidden', price: 1, is_active: false, subcategory_id: RUNNING },
    ]);
    catalogue.putCollections(
      [
        collection('Summer', { description: 'Light *things*.', display_priority: 2 }),
        collection('New', { display_priority: 1 }),
        collection('Draft', { is_active: false }),
      ],
      [],
    );
    const slug = [...catalogue.sorted('featured')][0]!.slug;
    expect(renderSummary(shop, catalogue).toString()).toBe(`# Acme \\<Outdoor\\> & Söhne

> Shoes "for" the road. And boots.

- Website: https://shop.example/en/
- Products: 2
- Currency: USD
- Country: KE

## Categories

- [Shoes](https://shop.example/en/categories/shoes) (1 product)
  - [Running](https://shop.example/en/categories/running) (1 product)

## Featured products

- [Trail shoe](https://shop.example/en/products/${slug}), 79.5 USD: Light \\<and\\> strong & "quick".

## Collections

- [New](https://shop.example/en/collections/new)
- [Summer](https://shop.example/en/collections/summer): Light \\*things\\*.
`);
  });

  test('of a store without website, description or products has no links and no empty sections', () => {
    const bare = { ...shop, website_url: null, description: null, country: null };
    const text = renderSummary(bare, new Catalogue(frameOf(currencyOf('USD')!, '$'))).toString();
    expect(text).toBe('# Acme \\<Outdoor\\> & Söhne\n\n- Products: 0\n- Currency: USD\n');
  });

  test('shows the range of prices of a product with variants and shortens what is long', () => {
    const long = `${'word '.repeat(60)}end`;
    const catalogue = catalogueOf([{ ...shirt, featured: true, description: long }]);
    const line = renderSummary({ ...shop, website_url: null }, catalogue)
      .toString()
      .split('\n')
      .find((text) => text.startsWith('- Shirt'));
    expect(line).toBe(`- Shirt, 20 to 25 USD: ${'word '.repeat(39)}word…`);
  });

  test.each([
    ['# not a heading\n\n* nor a list', '\\# not a heading \\* nor a list'],
    ['[x](http://evil.example)', '\\[x\\](http://evil.example)'],
    ['<script>alert(1)</script>', '\\<script\\>alert(1)\\</script\\>'],
    ['`code` _and_ \\ | ~', '\\`code\\` \\_and\\_ \\\\ \\| \\~'],
    ['حذاء رياضي 👟', 'حذاء رياضي 👟'],
  ])('%j is text, not markup', (text, line) => {
    expect(markdownText(text)).toBe(line);
  });
});

describe('products.json', () => {
  test('holds the active products, newest first, as their own pages show them', async () => {
    const catalogue = catalogueOf([shoe, { name: 'Hidden', is_active: false }, shirt]);
    const feed = JSON.parse((await renderProductFeed(shop, catalogue, NOW)).toString());
    expect(feed).toMatchObject({
      store: { id: shop.id, code: shop.code, name: shop.name, website_url: shop.website_url },
      currency: 'USD',
      updated_at: '2026-11-21T09:30:00.000Z',
    });
    expect(feed.products.map(({ name, has_variants }: Record<string, unknown>) => [name, has_variants])).toEqual([
      ['Shirt', true],
      ['Trail shoe', false],
    ]);
    expect(feed.products[1]).toMatchObject({ sku: 'TS-1', price: 100, selling_price: 79.5, category_name: 'Shoes' });
    expect(feed.products[0].variants.length).toBe(2);
  });

  test('of nothing is an empty list', async () => {
    const feed = JSON.parse((await renderProductFeed(shop, catalogueOf([]), NOW)).toString());
    expect(feed.products).toEqual([]);
  });

  test('is whole whatever leaves the catalogue while it is written', async () => {
    const rows = Array.from({ length: 450 }, (_, index) => ({ name: `Product ${index}`, price: index }));
    const catalogue = catalogueOf(rows);
    const ids = catalogue.sorted('newest').map(({ id }) => id);
    const rendering = renderProductFeed(shop, catalogue, NOW);
    await new Promise((done) => setImmediate(done));
    catalogue.removeProducts(ids.slice(300));
    const { products } = JSON.parse((await rendering).toString());
    expect(products.map(({ id }: { id: string }) => id)).toEqual(ids.slice(0, 300));
  });
});

describe('products.xml', () => {
  const parser = new XMLParser({
    ignoreAttributes: false,
    parseTagValue: false,
    processEntities: true,
    htmlEntities: true,
  });
  const itemsOf = (text: string): Record<string, unknown>[] => [parser.parse(text).rss.channel.item ?? []].flat();

  test('is RSS with one item a variant and what the channels demand of each', async () => {
    const catalogue = catalogueOf([shoe, shirt]);
    const text = (await renderShoppingFeed(shop, catalogue)).toString();
    const { '?xml': declaration, rss } = parser.parse(text);
    expect(declaration).toEqual({ '@_version': '1.0', '@_encoding': 'UTF-8' });
    expect([rss['@_version'], rss['@_xmlns:g']]).toEqual(['2.0', 'http://base.google.com/ns/1.0']);
    expect(rss.channel).toMatchObject({
      title: 'Acme <Outdoor> & Söhne',
      link: 'https://shop.example/en/',
      description: 'Shoes "for" the road.\nAnd boots.',
    });
    const [shirtEntry, shoeEntry] = catalogue.sorted('newest');
    const [medium, large] = shirtEntry!.variants;
    expect(itemsOf(text)).toEqual([
      {
        'g:id': 'S-M',
        title: 'Shirt - M / red',
        description: 'Shirt',
        link: `https://shop.example/en/products/${shirtEntry!.slug}?variant=${medium!.id}`,
        'g:image_link': 'https://cdn.example/shirt.jpg',
        'g:availability': 'out_of_stock',
        'g:price': '20.00 USD',
        'g:condition': 'new',
        'g:identifier_exists': 'no',
        'g:item_group_id': shirtEntry!.id,
        'g:color': 'red',
        'g:size': 'M',
      },
      {
        'g:id': large!.id,
        title: 'Shirt - L',
        description: 'Shirt',
        link: `https://shop.example/en/products/${shirtEntry!.slug}?variant=${large!.id}`,
        'g:image_link': 'https://cdn.example/l.jpg',
        'g:additional_image_link': 'https://cdn.example/shirt.jpg',
        'g:availability': 'in_stock',
        'g:price': '25.00 USD',
        'g:condition': 'new',
        'g:identifier_exists': 'no',
        'g:item_group_id': shirtEntry!.id,
        'g:size': 'L',
      },
      {
        'g:id': 'TS-1',
        title: 'Trail shoe',
        description: 'Light <and> strong & "quick".',
        link: `https://shop.example/en/products/${shoeEntry!.slug}`,
        'g:image_link': 'https://cdn.example/1.jpg?a=1&b=2',
        'g:additional_image_link': 'https://cdn.example/2.jpg',
        'g:availability': 'in_stock',
        'g:price': '100.00 USD',
        'g:sale_price': '79.50 USD',
        'g:condition': 'new',
        'g:brand': 'Acme & Co',
        'g:gtin': '4006381333931',
        'g:mpn': 'M-1',
        'g:google_product_category': '187',
        'g:product_type': 'Shoes > Running',
        'g:shipping_weight': '850 g',
      },
    ]);
  });

  test('leaves out what is inactive or has no price, and sale prices that save nothing', async () => {
    const catalogue = catalogueOf([
      { name: 'Hidden', price: 1, is_active: false },
      { name: 'Unpriced' },
      { name: 'Dear', price: 10, sale_price: 10 },
    ]);
    const items = itemsOf((await renderShoppingFeed(shop, catalogue)).toString());
    expect(items.map((item) => [item.title, item['g:price'], item['g:sale_price']])).toEqual([
      ['Dear', '10.00 USD', undefined],
    ]);
  });

  test.each([
    ['JPY', 1200, '1200 JPY'],
    ['KWD', 1.5, '1.500 KWD'],
  ])('writes amounts with the decimals of %s', async (code, price, amount) => {
    const [item] = itemsOf((await renderShoppingFeed(shop, catalogueOf([{ name: 'A', price }], code))).toString());
    expect(item!['g:price']).toBe(amount);
  });

  test('of nothing, of a store without a website, is a channel without items', async () => {
    const text = (
      await renderShoppingFeed({ ...shop, website_url: null, description: null }, catalogueOf([]))
    ).toString();
    expect(parser.parse(text).rss.channel).toEqual({
      title: shop.name,
      link: `urn:uuid:${shop.id}`,
      description: shop.name,
    });
  });

  test('cuts what the channels would refuse, never through a character', async () => {
    const [item] = itemsOf(
      (
        await renderShoppingFeed(
          shop,
          catalogueOf([{ name: '👟'.repeat(200), description: 'ü'.repeat(6_000), price: 1 }]),
        )
      ).toString(),
    );
    expect(item!.title).toBe('👟'.repeat(150));
    expect(item!.description).toBe('ü'.repeat(5_000));
  });

  test.each([
    ['<b>"bold"</b> & \'more\'', '&lt;b&gt;&quot;bold&quot;&lt;/b&gt; &amp; &apos;more&apos;'],
    [']]>', ']]&gt;'],
    ['حذاء 👟 שלום', 'حذاء 👟 שלום'],
    ['a\u0001b\u000bc\u001fd\ufffee\tf\ng', 'abcde\tf\ng'],
    ['lone \ud800 half', 'lone  half'],
  ])('%j is text of an element', (text, written) => {
    expect(xmlText(text)).toBe(written);
  });
});

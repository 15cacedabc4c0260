// products.xml: fields that channels require, and texts that need escaping.
import { XMLParser } from 'fast-xml-parser';
import { describe, expect, test } from 'vitest';
import { renderShoppingFeed, xmlText } from '#services/catalog/feed/shopping_feed.ts';
import { catalogueOf, shirt, shoe, store } from './fixture.ts';

describe('products.xml', () => {
  const parser = new XMLParser({
    ignoreAttributes: false,
    parseTagValue: false,
    processEntities: true,
    htmlEntities: true,
  });
  const itemsOf = (text: string): Record<string, unknown>[] => [parser.parse(text).rss.channel.item ?? []].flat();

  test('renders RSS with one item per variant and the fields that channels require', async () => {
    const catalogue = catalogueOf([shoe, shirt]);
    const text = (await renderShoppingFeed(store, catalogue)).toString();
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

  test('leaves out inactive and unpriced variants, and sale prices without effect', async () => {
    const catalogue = catalogueOf([
      { name: 'Hidden', price: 1, is_active: false },
      { name: 'Unpriced' },
      { name: 'Dear', price: 10, sale_price: 10 },
    ]);
    const items = itemsOf((await renderShoppingFeed(store, catalogue)).toString());
    expect(items.map((item) => [item.title, item['g:price'], item['g:sale_price']])).toEqual([
      ['Dear', '10.00 USD', undefined],
    ]);
  });

  test('shows a GTIN only if it is valid', async () => {
    const numbers = ['4006381333931', '0-306-40615-X', 'barcode', '1'.repeat(100)];
    const rows = numbers.map((gtin) => ({ name: 'A', price: 1, gtin }));
    const items = itemsOf((await renderShoppingFeed(store, catalogueOf(rows))).toString());
    expect(new Set(items.map((item) => `${item['g:gtin']} ${item['g:identifier_exists']}`))).toEqual(
      new Set(['4006381333931 undefined', '0-306-40615-X undefined', 'undefined no']),
    );
  });

  test.each([
    ['JPY', 1200, '1200 JPY'],
    ['KWD', 1.5, '1.500 KWD'],
  ])('writes amounts with the decimals of %s', async (code, price, amount) => {
    const [item] = itemsOf((await renderShoppingFeed(store, catalogueOf([{ name: 'A', price }], code))).toString());
    expect(item!['g:price']).toBe(amount);
  });

  test('renders a channel without items for a store without products or website', async () => {
    const text = (
      await renderShoppingFeed({ ...store, website_url: null, description: null }, catalogueOf([]))
    ).toString();
    expect(parser.parse(text).rss.channel).toEqual({
      title: store.name,
      link: `urn:uuid:${store.id}`,
      description: store.name,
    });
  });

  test('cuts texts at the channels’ bounds, never within a character', async () => {
    const [item] = itemsOf(
      (
        await renderShoppingFeed(
          store,
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

// llms.txt: its shape, and texts that need escaping.
import { describe, expect, test } from 'vitest';
import { markdownText, NO_STORIES, renderSummary } from '#services/catalog/feed/summary.ts';
import { Catalogue } from '#services/catalog/memory/catalogue.ts';
import { frameOf } from '#services/catalog/product_text.ts';
import { currencyOf } from '#values/currency.ts';
import { catalogueOf, NOW, RUNNING, shirt, shoe, store } from './fixture.ts';

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
  translations: null,
  created_at: NOW,
  updated_at: NOW,
  product_ids: [],
  ...more,
});

describe('llms.txt', () => {
  test('shows descriptions as plain text without markup', () => {
    const about = { description: '<p class="lead"><strong>Care:</strong> wash &amp; dry</p>', featured: true };
    const catalogue = catalogueOf([{ ...shoe, ...about }]);
    catalogue.putCollections([collection('Summer', about)], []);
    const posts = [{ title: 'Care', slug: 'care', about: about.description }];
    const text = renderSummary({ ...store, description: about.description }, catalogue, {
      posts,
      lookbooks: [],
    }).toString();
    expect(text.split('Care: wash & dry')).toHaveLength(5);
    expect(text).not.toMatch(/strong|lead|amp;/);
  });

  test('lists the store, categories with counts, featured products and collections', () => {
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
    const stories = {
      posts: [{ title: 'How *we* weave', slug: 'how-we-weave', about: 'Sisal first.' }],
      lookbooks: [{ title: 'Slow mornings', slug: 'slow-mornings', about: '' }],
    };
    expect(renderSummary(store, catalogue, stories).toString()).toBe(`# Acme \\<Outdoor\\> & Söhne

> Shoes "for" the road. And boots.

- Website: https://shop.example/en/
- Products: 2
- Currency: USD
- Country: KE

## Shopping assistants

- MCP server (streamable HTTP, no key needed): https://api.example/s/acme-outdoor/mcp
- UCP profile (no key needed): https://api.example/s/acme-outdoor/.well-known/ucp

## Categories

- [Shoes](https://shop.example/en/categories/shoes) (1 product)
  - [Running](https://shop.example/en/categories/running) (1 product)

## Featured products

- [Trail shoe](https://shop.example/en/products/${slug}), 79.5 USD: Light \\<and\\> strong & "quick".

## Collections

- [New](https://shop.example/en/collections/new)
- [Summer](https://shop.example/en/collections/summer): Light \\*things\\*.

## Lookbooks

- [Slow mornings](https://shop.example/en/lookbooks/slow-mornings)

## Blog

- [How \\*we\\* weave](https://shop.example/en/blog/how-we-weave): Sisal first.
`);
  });

  test('omits links and empty sections for a store without website, description or products', () => {
    const agents = { mcp: false, acp: false, ucp: false };
    const bare = { ...store, website_url: null, description: null, country: null, agents };
    const text = renderSummary(bare, new Catalogue(frameOf(currencyOf('USD')!, '$', 5)), NO_STORIES).toString();
    expect(text).toBe('# Acme \\<Outdoor\\> & Söhne\n\n- Products: 0\n- Currency: USD\n');
  });

  test('shows the price range of a product with variants, and shortens long texts', () => {
    const long = `${'word '.repeat(60)}end`;
    const catalogue = catalogueOf([{ ...shirt, featured: true, description: long }]);
    const line = renderSummary({ ...store, website_url: null }, catalogue, NO_STORIES)
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

// Links into a storefront.
import { describe, expect, test } from 'vitest';
import { linkTo } from '#services/catalog/feed/feed_store.ts';

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

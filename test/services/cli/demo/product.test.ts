// The demo shops' goods are what a developer may rely on: complete, distinct and in good order.
import { describe, expect, test } from 'vitest';
import { picture } from '#edge/pages/picture.ts';
import { CATEGORIES } from '#services/cli/demo/category.ts';
import { PRODUCTS } from '#services/cli/demo/product.ts';
import { CATEGORIES as TRADE_CATEGORIES } from '#services/cli/demo/trade/category.ts';
import { PRODUCTS as TRADE_PRODUCTS } from '#services/cli/demo/trade/product.ts';

const BOTH = [...PRODUCTS, ...TRADE_PRODUCTS];
const variants = PRODUCTS.flatMap((product) => product.variants.map((variant) => ({ product, ...variant })));
const everyVariant = BOTH.flatMap((product) => product.variants);
const multiVariant = PRODUCTS.filter((product) => product.variants.length > 1);
const repeated = (texts: readonly string[]): string[] => texts.filter((text, index) => texts.indexOf(text) !== index);

/** GS1: the digits before the check digit weigh 1 and 3 in turn. */
const checkDigit = (gtin: string): number =>
  (10 - ([...gtin.slice(0, 12)].reduce((sum, digit, at) => sum + Number(digit) * (at % 2 ? 3 : 1), 0) % 10)) % 10;

describe('the shop as a whole', () => {
  test('has some sixty products, about a third of them in several variants', () => {
    expect(PRODUCTS.length).toBeGreaterThanOrEqual(60);
    expect(PRODUCTS.length).toBeLessThanOrEqual(70);
    expect(multiVariant.length / PRODUCTS.length).toBeGreaterThan(0.28);
    expect(multiVariant.length / PRODUCTS.length).toBeLessThan(0.42);
  });

  test.each([
    ['for shoppers', CATEGORIES, PRODUCTS],
    ['for businesses', TRADE_CATEGORIES, TRADE_PRODUCTS],
  ])('%s has something in every subcategory', (_, categories, products) => {
    const names = categories.flatMap(({ subcategories }) => subcategories.map(({ name }) => name));
    expect(repeated(names)).toEqual([]);
    expect(new Set(products.map(({ subcategory }) => subcategory))).toEqual(new Set(names));
  });

  test('has sales, scarce and sold-out things, refurbished and featured ones', () => {
    expect(variants.filter(({ sale_price }) => sale_price).length).toBeGreaterThanOrEqual(8);
    expect(
      variants.filter(({ stock, low_stock_threshold = 5 }) => stock > 0 && stock < (low_stock_threshold ?? 5)).length,
    ).toBeGreaterThanOrEqual(3);
    expect(PRODUCTS.filter((product) => product.variants.every(({ stock }) => stock === 0)).length).toBe(2);
    expect(variants.filter(({ condition }) => condition === 'refurbished').length).toBeGreaterThanOrEqual(3);
    const places = PRODUCTS.flatMap(({ featured_order }) => featured_order ?? []).sort((a, b) => a - b);
    expect(places).toEqual(Array.from({ length: places.length }, (_, at) => at + 1));
    expect(places.length).toBeGreaterThanOrEqual(8);
  });

  test('gives no name, SKU or GTIN twice', () => {
    expect(repeated(BOTH.map(({ name }) => name))).toEqual([]);
    expect(repeated(everyVariant.map(({ sku }) => sku))).toEqual([]);
    expect(repeated(everyVariant.map(({ gtin }) => gtin))).toEqual([]);
  });

  test('shows no two products with the same picture', () => {
    expect(repeated(BOTH.flatMap((product) => [...new Set(product.variants.map((it) => it.picture))]))).toEqual([]);
  });
});

describe.each(BOTH.map((product) => [product.name, product] as const))('%s', (_, product) => {
  test('is described in two to four sentences and in one for search engines', () => {
    const sentences = product.description.split(/[.!?](?:\s|$)/).filter(Boolean);
    expect(sentences.length).toBeGreaterThanOrEqual(2);
    expect(sentences.length).toBeLessThanOrEqual(4);
    expect(product.seo_description.length).toBeGreaterThan(40);
    expect(product.seo_description.length).toBeLessThanOrEqual(160);
    expect(product.tags.length).toBeGreaterThanOrEqual(2);
    expect(product.specifications.length).toBeGreaterThanOrEqual(2);
    expect(product.parcel.every((side) => side > 0)).toBe(true);
  });

  test('costs whole cents, less on sale, and can be weighed', () => {
    for (const { price, sale_price, weight_grams, stock } of product.variants) {
      for (const amount of [price, sale_price ?? price]) expect(Number(amount.toFixed(2))).toBe(amount);
      expect(price).toBeGreaterThan(0);
      if (sale_price) expect(sale_price).toBeLessThan(price);
      expect(Number.isInteger(weight_grams) && weight_grams > 0).toBe(true);
      expect(Number.isInteger(stock) && stock >= 0).toBe(true);
    }
  });

  test('carries GTINs from the range that no shop in the world uses, with right check digits', () => {
    for (const { gtin } of product.variants) {
      expect(gtin).toMatch(/^2\d{12}$/);
      expect(Number(gtin[12])).toBe(checkDigit(gtin));
    }
  });

  test('is drawn, each variant in its own colour', () => {
    for (const { picture: name, variant_attributes } of product.variants) {
      expect(picture(`${name}.svg`), name).not.toBeNull();
      const colour = variant_attributes?.colour ?? product.attributes.colour;
      if (colour !== undefined) expect(name.endsWith(`-${colour}`), `${name} in ${colour}`).toBe(true);
    }
  });

  test('tells its variants apart by the same attributes, never twice alike', () => {
    const attributes = product.variants.map((variant) => variant.variant_attributes ?? {});
    expect(new Set(attributes.map((it) => Object.keys(it).join())).size).toBe(1);
    expect(repeated(attributes.map((it) => JSON.stringify(it)))).toEqual([]);
    expect(product.variants.length > 1).toBe(Object.keys(attributes[0] ?? {}).length > 0);
  });
});

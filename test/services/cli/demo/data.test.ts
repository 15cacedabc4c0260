// The demo shops' goods, collections, lookbooks and drawings are what a developer may rely on: complete, distinct and in good
// order.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { XMLValidator } from 'fast-xml-parser';
import { describe, expect, test } from 'vitest';
import {
  CATEGORIES,
  COLLECTIONS,
  LOOKBOOKS,
  POSTS,
  PRODUCTS,
  TRADE_CATEGORIES,
  TRADE_PRODUCTS,
} from '#services/cli/demo/data.ts';
import { RETAIL_SHOP } from '#services/cli/demo/retail.ts';
import { TRADE_SHOP } from '#services/cli/demo/trade/shop.ts';
import { DEMO_PICTURES } from '#services/cli/demo_store.ts';

const BOTH = [...PRODUCTS, ...TRADE_PRODUCTS];
const variants = PRODUCTS.flatMap((product) => product.variants.map((variant) => ({ product, ...variant })));
const everyVariant = BOTH.flatMap((product) => product.variants);
const multiVariant = PRODUCTS.filter((product) => product.variants.length > 1);
const repeated = (texts: readonly string[]): string[] => texts.filter((text, index) => texts.indexOf(text) !== index);

/** GS1: the digits before the check digit weigh 1 and 3 in turn. */
const checkDigit = (gtin: string): number =>
  (10 - ([...gtin.slice(0, 12)].reduce((sum, digit, at) => sum + Number(digit) * (at % 2 ? 3 : 1), 0) % 10)) % 10;

describe('the shop as a whole', () => {
  test('contains some sixty products, about a third of them in several variants', () => {
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

  test('contains discounted, scarce, sold-out, refurbished and featured products', () => {
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
  test('describes each product in two to four sentences and one for search engines', () => {
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

  test('shows each variant in its own colour', () => {
    for (const { picture: name, variant_attributes } of product.variants) {
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

const byName = new Map(PRODUCTS.map((product) => [product.name, product]));

test('collections are of every type, some on the front page and some not', () => {
  expect(new Set(COLLECTIONS.map((it) => it.collection_type))).toEqual(
    new Set(['featured_collections', 'new_arrivals', 'best_selling', 'custom']),
  );
  expect(new Set(COLLECTIONS.map((it) => it.show_on_homepage))).toEqual(new Set([true, false]));
  expect(new Set(COLLECTIONS.map((it) => it.slug)).size).toBe(COLLECTIONS.length);
});

describe.each(COLLECTIONS.map((collection) => [collection.name, collection] as const))('%s', (_, collection) => {
  test('holds products that the shop sells, each once', () => {
    expect(collection.products.filter((name) => !byName.has(name))).toEqual([]);
    expect(new Set(collection.products).size).toBe(collection.products.length);
    expect(collection.products.length).toBeGreaterThanOrEqual(6);
  });
});

test('small gifts cost thirty dollars at most', () => {
  const gifts = COLLECTIONS.find(({ slug }) => slug === 'small-gifts');
  const prices = gifts?.products.flatMap(
    (name) => byName.get(name)?.variants.map((it) => it.sale_price ?? it.price) ?? [],
  );
  expect(Math.max(...(prices ?? [Number.NaN]))).toBeLessThanOrEqual(30);
});

describe.each(LOOKBOOKS.map((lookbook) => [lookbook.title, lookbook] as const))('%s', (_, { images, collection }) => {
  test('stands on a collection, and its products are sold', () => {
    expect(COLLECTIONS.map(({ slug }) => slug)).toContain(collection);
    const sold = PRODUCTS.map(({ name }) => name);
    const shown = images.flatMap(({ hotspots }) => hotspots.map(({ product }) => product));
    expect(shown.filter((name) => !sold.includes(name))).toEqual([]);
    expect(new Set(shown).size).toBe(shown.length);
  });

  test('places each hotspot on a drawn part of its product', () => {
    for (const { scene, hotspots } of images) {
      const svg = readFileSync(join(DEMO_PICTURES, `scene-${scene}-wide.svg`), 'utf8');
      // Each drawing is centred in its 800 by 800 square, with its base at y = 638.
      const places = [...svg.matchAll(/translate\((-?\d+) (-?\d+)\) scale\(([\d.]+)\)/g)].map(([, x, y, scale]) => ({
        x: (Number(x) + 400 * Number(scale)) / 1600,
        top: (Number(y) + 200 * Number(scale)) / 900,
        feet: (Number(y) + 638 * Number(scale)) / 900,
      }));
      for (const { product, x, y } of hotspots) {
        const there = places.filter((place) => Math.abs(place.x - x) < 0.02 && place.top < y && y < place.feet);
        expect(there, `${scene}: ${product}`).toHaveLength(1);
      }
    }
  });
});

const names = readdirSync(DEMO_PICTURES);

test('the pictures are those that the demo and the guides show', () => {
  const shops = [RETAIL_SHOP, TRADE_SHOP];
  const objects = shops.flatMap(({ products }) => products.flatMap(({ variants }) => variants));
  const scenes = [
    ...shops.flatMap(({ collections }) => collections.map(({ scene }) => scene)),
    ...LOOKBOOKS.flatMap(({ images }) => images.map(({ scene }) => scene)),
    ...POSTS.map(({ scene }) => scene),
  ].flatMap((scene) => [`scene-${scene}-wide`, `scene-${scene}-tall`]);
  const shown = new Set(['mark', 'mug-indigo', ...objects.map(({ picture }) => picture), ...scenes]);
  expect(names.sort()).toEqual([...shown].map((name) => `${name}.svg`).sort());
});

describe('a drawing', () => {
  test.each(names)('%s is well-formed, has the size of its kind and no broken number', (name) => {
    const svg = readFileSync(join(DEMO_PICTURES, name), 'utf8');
    const size = /-wide\./.test(name) ? '1600 900' : /-tall\./.test(name) ? '900 1200' : '800 800';
    expect(XMLValidator.validate(svg)).toBe(true);
    expect(svg).toMatch(new RegExp(`^<svg xmlns="http://www\\.w3\\.org/2000/svg" viewBox="0 0 ${size}"`));
    expect(svg).not.toMatch(/NaN|undefined|Infinity|null|<script|href|url\(|on\w+=/);
  });
});

// The effect of a written row on a product.
import { describe, expect, test } from 'vitest';
import { Refusal } from '#runtime/call/call.ts';
import {
  addVariant,
  type CategoryRecord,
  changeVariant,
  type ProductContext,
  type ProductRecord,
  type ProductRow,
  removeVariant,
  writeProduct,
} from '#services/catalog/product.ts';
import { productRecord, variantRecord } from '#test/support/catalog.ts';
import { currencyOf } from '#values/currency.ts';

const SHOES = '00000000-0000-4000-8000-00000000000a';
const RUNNING = '00000000-0000-4000-8000-00000000000b';
const HATS = '00000000-0000-4000-8000-00000000000c';
const NOWHERE = '00000000-0000-4000-8000-00000000000d';
const NOW = new Date('2026-06-01T12:00:00Z');

const category = (id: string, parent_id: string | null): CategoryRecord => ({
  id,
  parent_id,
  name: id.slice(-1),
  slug: id.slice(-1),
  description: null,
  position: null,
  translations: null,
  created_at: NOW,
  updated_at: NOW,
});
const categories = [category(SHOES, null), category(RUNNING, SHOES), category(HATS, null)];

const around = (currency = 'USD'): ProductContext => ({
  currency: currencyOf(currency),
  now: NOW,
  today: NOW.toISOString().slice(0, 10),
  languages: ['en', 'de', 'pt-BR'],
  category: (id) => categories.find((known) => known.id === id),
});

const written = (before: ProductRecord | null, row: ProductRow, currency = 'USD'): ProductRecord => {
  const after = writeProduct(before, row, around(currency));
  if (after instanceof Refusal) throw new Error(`${after.code} ${after.extra.param}: ${after.message}`);
  return after;
};

const refused = (before: ProductRecord | null, row: ProductRow, currency = 'USD'): [string, string | undefined] => {
  const after = writeProduct(before, row, around(currency));
  if (!(after instanceof Refusal)) throw new Error('it was written');
  return [after.code, after.extra.param];
};

const family = (): ProductRecord =>
  productRecord({
    variants: [
      variantRecord({ sku: 's', attributes: '{"size":"S"}' }),
      variantRecord({ sku: 'm', is_default: false, price: 2500 }),
    ],
  });

describe('translations', () => {
  test('merges by language and by field, and null removes one', () => {
    const before = written(null, { name: 'Shoe', translations: { de: { name: 'Schuh', description: 'Läuft.' } } });
    expect(before.translations).toBe('{"de":{"name":"Schuh","description":"Läuft."}}');
    const after = written(before, { translations: { 'pt-br': { name: 'Sapato' }, de: { description: null } } });
    expect(JSON.parse(after.translations!)).toEqual({ de: { name: 'Schuh' }, 'pt-BR': { name: 'Sapato' } });
    expect(written(after, { translations: { de: null } }).translations).toBe('{"pt-BR":{"name":"Sapato"}}');
    expect(written(after, { translations: null }).translations).toBeNull();
    expect(written(after, { translations: JSON.parse(after.translations!) })).toBe(after);
    expect(written(after, { name: 'Boot' }).translations).toBe(after.translations);
  });

  test('refuses a language that the store does not have', () => {
    expect(refused(null, { name: 'Shoe', translations: { fr: { name: 'Soulier' } } })).toEqual([
      'invalid_request',
      'translations.fr',
    ]);
  });
});

describe('a new product', () => {
  test('needs only a name', () => {
    expect(refused(null, {})).toEqual(['invalid_request', 'name']);
    const product = written(null, { name: 'Shoe' });
    expect(product).toMatchObject({
      name: 'Shoe',
      slug: `shoe-${product.id.slice(-8)}`,
      description: '',
      brand: null,
      media: '[]',
      tags: null,
      attributes: null,
      shipping_info: null,
      featured: false,
      featured_order: 0,
      is_active: true,
      has_variants: false,
      created_at: NOW,
      updated_at: NOW,
      published_at: NOW,
      variants: [
        { is_default: true, price: null, sale_price: null, on_hand: 0, condition: 'new', last_restocked: null },
      ],
    });
  });

  test('publishes once it is active', () => {
    const draft = written(null, { name: 'Shoe', is_active: false });
    expect(draft.published_at).toBeNull();
    expect(written(draft, { is_active: true }).published_at).toEqual(NOW);
  });

  test('takes variants from `variants`, and omitted fields from the product', () => {
    const product = written(null, {
      name: 'Shoe',
      price: 10,
      sku: 'root',
      stock: 7,
      variants: [{ sku: 's' }, { sku: 'm', price: 12.5, stock: 3, is_default: true }],
    });
    expect(product.has_variants).toBe(true);
    expect(product.variants).toMatchObject([
      { sku: 's', price: 1000, on_hand: 0, is_default: false },
      { sku: 'm', price: 1250, on_hand: 3, is_default: true },
    ]);
  });

  test.each([[null], [[]]])('contains a single variant when `variants` is %j', (variants) => {
    expect(written(null, { name: 'Shoe', price: 10, variants })).toMatchObject({ has_variants: false });
  });
});

describe('amounts', () => {
  test.each([
    ['USD', 19.99, 1999],
    ['USD', 0, 0],
    ['USD', 99_999_999.99, 9_999_999_999],
    ['JPY', 1999, 1999],
    ['KWD', 1.234, 1234],
  ])('in %s of %d are kept as %d of the smallest unit', (currency, price, minor) => {
    expect(written(null, { name: 'Shoe', price, sale_price: price }, currency).variants[0]).toMatchObject({
      price: minor,
      sale_price: minor,
    });
  });

  test.each([
    ['USD', { price: 1.999 }, 'price'],
    ['JPY', { price: 1.5 }, 'price'],
    ['USD', { price: 1, sale_price: 0.001 }, 'sale_price'],
    ['USD', { price: 100_000_000 }, 'price'],
    ['USD', { price: -1 }, 'price'],
    ['USD', { variants: [{ price: 1 }, { price: 0.001 }] }, 'variants[1].price'],
    ['USD', { variants: [{ sale_price: 1.005 }] }, 'variants[0].sale_price'],
  ])('in %s of %j are refused at %s', (currency, row, param) => {
    expect(refused(null, { name: 'Shoe', ...row }, currency)).toEqual(['invalid_request', param]);
  });
});

describe('a product’s categories', () => {
  test.each<[ProductRow, string | null, string | null]>([
    [{ category_id: SHOES }, SHOES, null],
    [{ category_id: SHOES, subcategory_id: RUNNING }, SHOES, RUNNING],
    [{ subcategory_id: RUNNING }, SHOES, RUNNING],
    [{ category_id: null }, null, null],
    [{}, null, null],
  ])('written as %j is category %s, subcategory %s', (row, category_id, subcategory_id) => {
    expect(written(null, { name: 'Shoe', ...row })).toMatchObject({ category_id, subcategory_id });
  });

  test.each<[ProductRow, string | null, string | null]>([
    [{}, SHOES, RUNNING],
    [{ category_id: SHOES }, SHOES, RUNNING],
    [{ category_id: HATS }, HATS, null],
    [{ category_id: null }, null, null],
    [{ subcategory_id: null }, SHOES, null],
  ])('in Shoes > Running, changed by %j is category %s, subcategory %s', (row, category_id, subcategory_id) => {
    const before = productRecord({ category_id: SHOES, subcategory_id: RUNNING });
    expect(written(before, row)).toMatchObject({ category_id, subcategory_id });
  });

  test.each<[ProductRow, string, string]>([
    [{ category_id: NOWHERE }, 'not_found', 'category_id'],
    [{ subcategory_id: NOWHERE }, 'not_found', 'subcategory_id'],
    [{ category_id: RUNNING }, 'invalid_request', 'category_id'],
    [{ subcategory_id: SHOES }, 'invalid_request', 'subcategory_id'],
    [{ category_id: HATS, subcategory_id: RUNNING }, 'invalid_request', 'subcategory_id'],
    [{ category_id: null, subcategory_id: RUNNING }, 'invalid_request', 'subcategory_id'],
  ])('written as %j is refused: %s at %s', (row, code, param) => {
    expect(refused(null, { name: 'Shoe', ...row })).toEqual([code, param]);
  });
});

describe('a change', () => {
  test('returns the same product if nothing changes', () => {
    const before = family();
    expect(written(before, {})).toBe(before);
    expect(written(before, { name: before.name, is_active: true, variants: [{ sku: 's' }, { sku: 'm' }] })).toBe(
      before,
    );
  });

  test('sets named fields, clears null ones, retains the rest, and updates the date', () => {
    const before = productRecord({ brand: 'Acme', tags: '["a"]', seo_title: 'T', description: 'D' });
    const after = written(before, { brand: null, tags: null, description: 'E' });
    expect(after).toEqual({ ...before, brand: null, tags: null, description: 'E', updated_at: NOW });
  });

  test('refuses an older version, also in the same millisecond', () => {
    const first = productRecord({ updated_at: NOW });
    const version = first.updated_at.toISOString();
    const second = written(first, { name: 'Second', version });
    expect(second.updated_at.getTime()).toBeGreaterThan(NOW.getTime());
    expect(refused(second, { name: 'Late', version })).toEqual(['conflict', 'version']);
    expect(written(second, { name: 'Third', version: second.updated_at.toISOString() }).name).toBe('Third');
  });

  test('preserves the slug when the name changes', () => {
    const before = productRecord();
    expect(written(before, { name: 'Another name' }).slug).toBe(before.slug);
  });

  test('sets last_restocked when stock rises, not when it falls', () => {
    const before = productRecord();
    expect(written(before, { stock: 4 }).variants[0]).toMatchObject({ on_hand: 4, last_restocked: null });
    expect(written(before, { stock: 6 }).variants[0]).toMatchObject({ on_hand: 6, last_restocked: '2026-06-01' });
  });

  test('retains a picture’s id for the same URL', () => {
    const before = written(null, {
      name: 'Shoe',
      media: [{ url: 'https://a.example/1' }, { url: 'https://a.example/2' }],
    });
    const [first, second] = JSON.parse(before.media);
    expect([first.position, second.position]).toEqual([1, 2]);
    expect(written(before, { media: [{ url: 'https://a.example/1' }, { url: 'https://a.example/2' }] })).toBe(before);
    const swapped = JSON.parse(written(before, { media: [{ url: second.url }, { url: first.url }] }).media);
    expect(swapped).toEqual([
      { ...second, position: 1 },
      { ...first, position: 2 },
    ]);
  });

  test.each(['price', 'sku', 'stock', 'condition', 'gtin', 'variant_attributes'] as const)(
    'of %s at the root of a multi-variant product is refused: it belongs to a variant',
    (name) => {
      expect(refused(family(), { [name]: null } as ProductRow)).toEqual(['invalid_request', name]);
    },
  );
});

describe('the variants of a product', () => {
  test('match by id, else by article number, else by options', () => {
    const before = productRecord({
      has_variants: true,
      variants: [
        variantRecord({ sku: 's' }),
        variantRecord({ sku: 'm', is_default: false }),
        variantRecord({ attributes: '{"size":"L"}', is_default: false }),
      ],
    });
    const [s, m, l] = before.variants;
    const after = written(before, {
      variants: [
        { variant_attributes: { size: 'L' }, price: 3 },
        { variant_id: m!.id.toUpperCase(), sku: 'medium' },
        { sku: 'new' },
      ],
    });
    expect(after.variants).toHaveLength(3);
    expect(after.variants[0]).toEqual({ ...l, price: 300, is_default: true });
    expect(after.variants[1]).toEqual({ ...m, sku: 'medium' });
    expect(before.variants.map((variant) => variant.id)).not.toContain(after.variants[2]!.id);
    expect(after.variants.map((variant) => variant.id)).not.toContain(s!.id);
  });

  test('exclude another product’s variants', () => {
    const row = { variants: [{ variant_id: NOWHERE }] };
    expect(refused(family(), row)).toEqual(['not_found', 'variants[0].variant_id']);
  });

  test('include one default', () => {
    const row = {
      variants: [
        { sku: 'a', is_default: true },
        { sku: 'b', is_default: true },
      ],
    };
    expect(refused(null, { name: 'Shoe', ...row })).toEqual(['invalid_request', 'variants[1].is_default']);
  });

  test('become one again with `variants: null`: the default one stays', () => {
    const before = family();
    const after = written(before, { variants: null, price: 5 });
    expect(after.has_variants).toBe(false);
    expect(after.variants).toEqual([{ ...before.variants[0], price: 500 }]);
  });

  test('one more makes a simple product a multi-variant one', () => {
    const before = productRecord();
    const after = addVariant(before, { sku: 'xl', price: 30 }, around()) as ProductRecord;
    expect(after.has_variants).toBe(true);
    expect(after.variants).toMatchObject([before.variants[0]!, { sku: 'xl', price: 3000, is_default: false }]);
    const leading = addVariant(before, { sku: 'xl', is_default: true }, around()) as ProductRecord;
    expect(leading.variants.map((variant) => variant.is_default)).toEqual([false, true]);
  });

  test('change singly, and always include a default', () => {
    const before = family();
    const [s, m] = before.variants;
    const changed = changeVariant(before, m!.id, { price: 1, is_default: true }, around()) as ProductRecord;
    expect(changed.variants).toEqual([
      { ...s, is_default: false },
      { ...m, price: 100, is_default: true },
    ]);
    const refusal = changeVariant(before, s!.id, { is_default: false }, around()) as Refusal;
    expect([refusal.code, refusal.extra.param]).toEqual(['invalid_request', 'is_default']);
    expect(changeVariant(before, m!.id, { sku: 'm' }, around())).toBe(before);
  });

  test('get another default when it is deleted, and refuse deleting the last', () => {
    const before = family();
    const [s, m] = before.variants;
    const after = removeVariant(before, s!.id, NOW) as ProductRecord;
    expect(after.variants).toEqual([{ ...m, is_default: true }]);
    expect(after.has_variants).toBe(true);
    expect((removeVariant(after, m!.id, NOW) as Refusal).code).toBe('conflict');
  });
});

describe('documents', () => {
  const manyKeys = Object.fromEntries(Array.from({ length: 301 }, (_, at) => [`k${at}`, at]));

  test.each<[string, ProductRow, string]>([
    ['more than 300 attributes', { attributes: manyKeys }, 'attributes'],
    ['an attribute without a name', { attributes: { '': 1 } }, 'attributes'],
    ['an attribute of a long name', { attributes: { ['k'.repeat(101)]: 1 } }, 'attributes'],
    ['more than 64 kB of attributes', { attributes: { text: 'x'.repeat(65_536) } }, 'attributes'],
    ['a variant attribute that is a list', { variant_attributes: { size: ['M'] } }, 'variant_attributes.size'],
    [
      'a variant attribute that is null',
      { variants: [{ variant_attributes: { size: null } }] },
      'variants[0].variant_attributes.size',
    ],
    [
      'a specification that is an object',
      { specifications: [{ name: 'a', value: {} as string }] },
      'specifications[0].value',
    ],
  ])('%s: refused', (_what, row, param) => {
    expect(refused(null, { name: 'Shoe', ...row })).toEqual(['invalid_request', param]);
  });

  test('store every given field, with null for omitted ones', () => {
    const product = written(null, {
      name: 'Shoe',
      attributes: { b: 1, a: [true, { deep: null }] },
      shipping_info: { weight_grams: 850 },
      specifications: [{ name: 'Weight', value: 850, unit: 'g' }],
      media: [{ url: 'https://a.example/1' }],
    });
    expect(product.attributes).toBe('{"b":1,"a":[true,{"deep":null}]}');
    expect(JSON.parse(product.shipping_info!)).toEqual({
      requires_shipping: true,
      weight_grams: 850,
      length_cm: null,
      width_cm: null,
      height_cm: null,
    });
    expect(JSON.parse(product.specifications)).toEqual([{ group: null, name: 'Weight', value: 850, unit: 'g' }]);
    expect(JSON.parse(product.media)).toEqual([
      {
        id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        type: 'image',
        url: 'https://a.example/1',
        alt_text: null,
        width: null,
        height: null,
        position: 1,
        poster_url: null,
      },
    ]);
  });
});

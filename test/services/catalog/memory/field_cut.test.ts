// Lists with `fields` equal the whole list cut to those fields.
import fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import { routes } from '#proto/gen/routes.ts';
import type { FieldTree } from '#proto/route.ts';
import { type Merchant, openMerchant } from '#test/support/catalog.ts';
import { type Stoa, sharedStoa } from '#test/support/stoa.ts';
import { pickFields, wantedFields } from '#values/field.ts';

const SEED = Number(process.env.STOA_SEED ?? 20_261_124);

let stoa: Stoa;
let merchant: Merchant;
beforeAll(async () => {
  stoa = await sharedStoa();
  merchant = await openMerchant(stoa);
  const { category } = (await merchant.secret('POST', '/v1/categories', { name: 'Tea & “Küche”' })).body;
  for (let at = 0; at < 12; at++)
    await merchant.createProduct({
      name: `Kanne ${at} “größer”`,
      description: at % 2 === 0 ? 'Zeile 1\nZeile 2\t✓' : '',
      brand: at % 3 === 0 ? null : 'Öko',
      tags: ['a', `t${at}`],
      attributes: { colour: 'red', 'a.b': [1, null, true] },
      ...(at % 4 === 0 ? { category_id: category.id } : {}),
      ...(at % 5 === 0
        ? { variants: [1, 2].map((n) => ({ price: 10.5 * n, stock: n, variant_attributes: { size: `${n}` } })) }
        : { price: at + 0.25, sale_price: at % 2 === 0 ? at + 0.1 : null, stock: at }),
    });
});

const namesOf = (tree: FieldTree, before = ''): string[] =>
  Object.entries(tree).flatMap(([name, below]) => {
    const path = `${before}${name}`;
    if (below === true) return [path];
    return below === 'any' ? [path, `${path}.colour`] : [path, ...namesOf(below, `${path}.`)];
  });
const NAMES = namesOf(routes.find(({ rpc }) => rpc === 'Catalog/ListProducts')!.fields!);

const list = async (fields?: string) => {
  const query = fields === undefined ? '' : `&fields=${encodeURIComponent(fields)}`;
  const { status, body, text } = await merchant.secret('GET', `/v1/products?limit=100${query}`);
  expect(status, text).toBe(200);
  return { body, text };
};

test(`random fields equal the whole list cut to them (seed ${SEED})`, async () => {
  // The whole list omits `last_restocked` and `lowest_price_30d`, which `fields` may name.
  const whole = (await list(NAMES.join(','))).body;
  expect(Object.keys(whole.products[0])).toEqual(expect.arrayContaining(['last_restocked', 'lowest_price_30d']));
  const { last_restocked: _, lowest_price_30d: __, ...shown } = whole.products[1];
  expect(shown).toEqual((await list()).body.products[1]);
  await fc.assert(
    fc.asyncProperty(fc.subarray(NAMES, { minLength: 1 }), async (names) => {
      const fields = names.join(',');
      const { body, text } = await list(fields);
      const expected = { ...whole, products: pickFields(whole.products, wantedFields(fields)) };
      expect(body).toEqual(expected);
      expect(text).toBe(JSON.stringify(expected));
    }),
    { seed: SEED, numRuns: 60 },
  );
});

test('shows a change of a product in its fields', async () => {
  const { id } = await merchant.createProduct({ name: 'Cup', price: 5, stock: 3 });
  const shown = async () =>
    (await list('id,name,price,stock')).body.products.find((product: { id: string }) => product.id === id);
  expect(await shown()).toEqual({ id, name: 'Cup', price: 5, stock: 3 });
  await merchant.secret('PATCH', `/v1/products/${id}`, { name: 'Big cup', price: 6, stock: 2 });
  expect(await shown()).toEqual({ id, name: 'Big cup', price: 6, stock: 2 });
  await merchant.secret('DELETE', `/v1/products/${id}`);
  expect(await shown()).toBeUndefined();
});

// Accepts the answer of a GET written back unchanged, even if something that it names has been deleted.
import { beforeAll, describe, expect, test } from 'vitest';
import { NO_TENANT } from '#runtime/call/call.ts';
import { type Merchant, openMerchant } from '#test/support/catalog.ts';
import { openMarketplace } from '#test/support/marketplace.ts';
import { ok } from '#test/support/reply.ts';
import { type Stoa, sharedStoa } from '#test/support/stoa.ts';

let stoa: Stoa;
let merchant: Merchant;
let category: string;
let collection: string;
let product: string;
let variant: string;
beforeAll(async () => {
  stoa = await sharedStoa();
});

const ask = async (method: string, path: string, body?: unknown) => {
  const reply = await merchant.secret(method, path, body);
  if (reply.status >= 300) throw new Error(`${method} ${path}: ${reply.status} ${reply.text}`);
  return reply.body;
};

const begin = async (): Promise<void> => {
  merchant = await openMerchant(stoa);
  category = (await ask('POST', '/v1/categories', { name: 'Heavy' })).category.id;
  collection = (await ask('POST', '/v1/product-collections', { name: 'Summer' })).collection.id;
  const made = await merchant.createProduct({ category_id: category });
  [product, variant] = [made.id, made.variant_id!];
};

const deleteAll = async (): Promise<void> => {
  await ask('DELETE', `/v1/products/${product}`);
  await ask('DELETE', `/v1/product-collections/${collection}`);
  await ask('DELETE', `/v1/categories/${category}`);
};

const UNKNOWN = '00000000-0000-4000-8000-000000000000';

interface Written {
  readonly path: string;
  readonly method: 'PUT' | 'PATCH';
  /** The answer of GET without fields that no body takes. */
  readonly body: Readonly<Record<string, unknown>>;
  /** The same with an id that never was. */
  readonly wrong: Readonly<Record<string, unknown>>;
}

const zone = (category_id: string) => ({
  name: 'Home',
  kind: 'countries',
  countries: ['KE'],
  rate: { fee: 1, category_rules: [{ category_id, surcharge: 2 }] },
});

const DOCUMENTS: Readonly<Record<string, () => Promise<Written>>> = {
  'the shipping configuration': async () => {
    await ask('PUT', '/v1/shipping/config', { zones: [zone(category)] });
    const body = await ask('GET', '/v1/shipping/config');
    return { path: '/v1/shipping/config', method: 'PUT', body, wrong: { zones: [zone(UNKNOWN)] } };
  },
  'a price list': async () => {
    const prices = [{ variant_id: variant, price: 5 }];
    const { id } = (await ask('POST', '/v1/price-lists', { name: 'List', prices })).price_list;
    const { price_lists } = await ask('GET', '/v1/price-lists');
    const wrong = { prices: [...prices, { variant_id: UNKNOWN, price: 5 }] };
    return { path: `/v1/price-lists/${id}`, method: 'PATCH', body: { prices: price_lists[0].prices }, wrong };
  },
  'a promotion': async () => {
    const applies_to = { product_ids: [product], category_ids: [category], collection_ids: [collection] };
    const made = { name: 'Promotion', type: 'percentage', value: 10, applies_to };
    const { id } = (await ask('POST', '/v1/promotions', made)).promotion;
    const { promotion } = await ask('GET', `/v1/promotions/${id}`);
    const wrong = { applies_to: { ...applies_to, product_ids: [product, UNKNOWN] } };
    return { path: `/v1/promotions/${id}`, method: 'PATCH', body: { applies_to: promotion.applies_to }, wrong };
  },
  'a tax rate': async () => {
    const { id } = (
      await ask('POST', '/v1/tax-rates', { name: 'VAT', country: 'KE', rate: 0.1, category_id: category })
    ).tax_rate;
    return {
      path: `/v1/tax-rates/${id}`,
      method: 'PATCH',
      body: { category_id: category },
      wrong: { category_id: UNKNOWN },
    };
  },
  'a lookbook': async () => {
    const images = [{ url: 'https://example.com/a.jpg', hotspots: [{ x: 0.5, y: 0.5, product_id: product }] }];
    const body = { images, collection_id: collection };
    const { id } = await ask('POST', '/v1/lookbooks', { title: 'Look', ...body });
    return { path: `/v1/lookbooks/${id}`, method: 'PATCH', body, wrong: { collection_id: UNKNOWN } };
  },
};

describe('what was read and is written back', () => {
  test.each(Object.keys(DOCUMENTS))('is accepted of %s, and of an id that never was it is not', async (name) => {
    await begin();
    const { path, method, body, wrong } = await DOCUMENTS[name]!();
    await deleteAll();
    const back = await merchant.secret(method, path, body);
    expect([back.status, back.text]).toEqual([200, expect.any(String)]);
    expect((await merchant.secret(method, path, wrong)).status).toBe(404);
    expect((await merchant.secret(method, path, body)).status).toBe(200);
  });

  test('accepts a collection’s products as they were read', async () => {
    await begin();
    const other = await merchant.createProduct();
    const path = `/v1/product-collections/${collection}/products`;
    const product_ids = [product, other.id];
    await ask('PUT', path, { product_ids });
    await ask('DELETE', `/v1/products/${product}`);
    await ask('PUT', path, { product_ids });
    expect((await merchant.secret('PUT', path, { product_ids: [UNKNOWN] })).status).toBe(404);
    const { products } = await ask('GET', `/v1/products?collection_id=${collection}&fields=id`);
    expect(products).toEqual([{ id: other.id }]);
  });

  // Promotions cannot be deleted, and neither can stores.
  test.each<[string, 'product_id' | 'promotion_id' | null]>([
    ['products, one of which was deleted', 'product_id'],
    ['promotions', 'promotion_id'],
    ['merchants', null],
  ])('is accepted of a marketplace’s section after a store has left that is in it, of %s', async (kind, named) => {
    const { operator, send, members } = await openMarketplace(stoa, { merchants: 2 });
    const items: Record<string, string>[] = [];
    for (const { send: ask, store } of members) {
      const { products } = (await ask('GET', '/v1/products')).body;
      const made = { name: 'Offer', type: 'percentage', value: 10, public: true };
      const promotion = (await ask('POST', '/v1/promotions', made)).body.promotion.id;
      const ids = { product_id: products[0].id, promotion_id: promotion };
      items.push({ merchant_store_id: store, ...(named && { [named]: ids[named] }) });
    }
    const path = '/v1/marketplace/collections/front';
    const section = { name: 'Front', placement_kind: kind.split('s')[0], items };
    expect((await send('PUT', path, section)).status).toBe(200);
    const { collection } = (await send('GET', path)).body;
    expect(collection.items).toMatchObject(items);

    const [{ product_id: gone }] = items as [Record<string, string>];
    if (gone) expect((await members[0]!.send('DELETE', `/v1/products/${gone}`)).status).toBe(200);
    const left = { operator: operator.operator_id, store: members[1]!.store, member: false };
    ok(await stoa.services.runtime.ask('StoreAdmin/SetMerchant', NO_TENANT, left));
    // Twice: nothing that the section named is lost by the first.
    for (let time = 0; time < 2; time++) {
      const back = await send('PUT', path, collection);
      expect([back.status, back.text]).toEqual([200, expect.any(String)]);
      const wrong = [...items, { ...items[1]!, ...(named ? { [named]: UNKNOWN } : { merchant_store_id: UNKNOWN }) }];
      expect((await send('PUT', path, { ...section, items: wrong })).status).toBe(404);
    }
    ok(await stoa.services.runtime.ask('StoreAdmin/SetMerchant', NO_TENANT, { ...left, member: true }));
    const shown = (await send('GET', path)).body.collection.items;
    expect(shown).toMatchObject(gone ? [items[1]] : items);
  });
});

// The storefront's client against the real system: reads, fields, pages, an anonymous cart, refusals.
import { beforeAll, describe, expect, it } from 'vitest';
import { StoaError, type Storefront, storefront } from '#proto/client/storefront.ts';
import { type Merchant, openMerchant } from '#test/support/catalog.ts';
import { type Stoa, sharedStoa } from '#test/support/stoa.ts';

let stoa: Stoa;
let merchant: Merchant;
let shop: Storefront;
beforeAll(async () => {
  stoa = await sharedStoa();
  merchant = await openMerchant(stoa);
  for (let n = 0; n < 7; n++) await merchant.createProduct({ name: `Mug ${n}`, price: 10 + n, stock: 3 });
  shop = storefront({ url: `${stoa.url}/`, key: merchant.keys.publishable_key });
});

const refused = async (call: Promise<unknown>): Promise<StoaError> => {
  const error = await call.then(
    () => null,
    (problem: unknown) => problem,
  );
  expect(error).toBeInstanceOf(StoaError);
  return error as StoaError;
};

describe('reads', () => {
  it('answer as the API does, with the fields chosen alone', async () => {
    const { store } = await shop.store.get({ fields: ['currency', 'branding'] });
    expect(Object.keys(store).sort()).toEqual(['branding', 'currency']);
    const { products, pagination } = await shop.products.list({ sort: 'price_asc', limit: 2, fields: ['id', 'name'] });
    expect(products.map(({ name }) => name)).toEqual(['Mug 0', 'Mug 1']);
    expect(pagination).toMatchObject({ limit: 2, has_more: true });
    expect(await shop.products.get({ id: products[0]!.id, fields: ['name', 'price'] })).toEqual({
      name: 'Mug 0',
      price: 10,
    });
  });

  it('iterate every item of every page, or page by page, and ask for no page too many', async () => {
    const names: string[] = [];
    for await (const { name } of shop.products.list({ sort: 'price_asc', limit: 3 })) names.push(name);
    expect(names).toEqual([0, 1, 2, 3, 4, 5, 6].map((n) => `Mug ${n}`));
    const sizes: number[] = [];
    for await (const { products } of shop.products.list({ limit: 3 }).pages()) sizes.push(products.length);
    expect(sizes).toEqual([3, 3, 1]);
    for await (const found of shop.search({ query: 'mug', limit: 2 })) {
      expect(found.name).toMatch(/^Mug/);
      break;
    }
  });

  it('reads feeds and the root without a key, also as texts', async () => {
    expect((await shop.getApiInfo()).version).toBe('1.0.0');
    expect(await shop.feeds.getLlmsTxt({ store: merchant.keys.code })).toContain('# ');
  });
});

describe('a cart', () => {
  it('belongs to the browsing session, which every client makes up for itself', async () => {
    const [product] = (await shop.products.list({ limit: 1 })).products;
    const { cart } = await shop.cart.items.add({ product_id: product!.id, quantity: 2 });
    expect(cart).toMatchObject({ item_count: 2, session_id: shop.shopper.sessionId });
    await shop.cart.items.update({ item_id: cart.items[0]!.id, quantity: 1 });
    expect((await shop.cart.get({ fields: ['item_count'] })).cart).toEqual({ item_count: 1 });
    expect((await shop.cart.items.remove({ item_id: cart.items[0]!.id })).cart.items).toEqual([]);
    const other = storefront({ url: stoa.url, key: merchant.keys.publishable_key });
    expect(other.shopper.sessionId).not.toBe(shop.shopper.sessionId);
  });

  it('says by its error what is wrong, where, and under which request', async () => {
    const [product] = (await shop.products.list({ limit: 1 })).products;
    const error = await refused(shop.cart.items.add({ product_id: product!.id, quantity: 99 }));
    expect(error).toMatchObject({
      code: 'insufficient_stock',
      status: 409,
      unknown: false,
      operation: 'POST /v1/cart/items',
    });
    expect(error.requestId).toMatch(/./);
    expect((await refused(shop.cart.items.add({ product_id: 'mug' }))).param).toBe('product_id');
    expect((await refused(shop.wishlist.get({ customer_id: crypto.randomUUID() }))).code).toBe('unauthorized');
  });
});

describe('keys', () => {
  it('refuses keys of another kind without showing them', () => {
    const key: string = merchant.keys.secret_key;
    expect(() => storefront({ url: stoa.url, key })).toThrow(
      'A storefront takes a publishable key, and this is a secret one.',
    );
    expect(() => storefront({ url: stoa.url, key: 'x' as string })).toThrow('none of Stoa’s');
  });
});

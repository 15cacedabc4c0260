// The client's types: answers narrow to the chosen fields, wrong requests and wrong keys are errors. The expectations hold
// when this file compiles.
import { describe, expectTypeOf, it } from 'vitest';
import type { ErrorCode } from '#proto/client/error.ts';
import type { FieldName } from '#proto/client/method.ts';
import { operator, server } from '#proto/client/server.ts';
import { cart, products, search, slim } from '#proto/client/slim.ts';
import { type Storefront, storefront } from '#proto/client/storefront.ts';
import type { CartResponse, Product, ShoppingCart } from '#proto/gen/client/message.ts';

/** Compiled and never run. */
const compiled = (_: (shop: Storefront) => unknown): void => {};

describe('answers', () => {
  it('narrow to the fields chosen', () =>
    compiled(async (shop) => {
      const { products } = await shop.products.list({ fields: ['id', 'price_range.min', 'attributes.colour'] });
      const first = products[0]!;
      expectTypeOf(first.id).toEqualTypeOf<string>();
      expectTypeOf(first.attributes).toEqualTypeOf<Record<string, unknown> | null>();
      expectTypeOf(first).not.toHaveProperty('name');
      expectTypeOf(await shop.cart.get({ fields: ['total', 'items.quantity'] })).toEqualTypeOf<{
        cart: { items: readonly { quantity: number }[]; total: number };
      }>();
      const product = await shop.products.getBySlug({ slug: 'mug', fields: ['variants.sku', 'variants.media.url'] });
      expectTypeOf(product.variants![0]!.media[0]!).toEqualTypeOf<{ url: string }>();
    }));

  it('types answers as whole without a choice, and as partial with an unknown one', () =>
    compiled(async (shop) => {
      expectTypeOf(await shop.cart.get()).toEqualTypeOf<CartResponse>();
      const chosen: FieldName<ShoppingCart>[] = [];
      expectTypeOf((await shop.cart.get({ fields: chosen })).cart.total).toEqualTypeOf<number | undefined>();
    }));

  it('types lists as a page when awaited and as items when iterated', () =>
    compiled(async (shop) => {
      for await (const product of shop.products.list()) expectTypeOf(product).toExtend<Product>();
      for await (const { name } of shop.search({ query: 'mug', fields: ['name'] })) expectTypeOf(name).toBeString();
      for await (const page of shop.reviews.list().pages()) expectTypeOf(page.pagination.has_more).toBeBoolean();
    }));
});

describe('requests', () => {
  it('name fields that there are, and give what is required', () =>
    compiled((shop) => [
      // @ts-expect-error There is no such field.
      shop.products.list({ fields: ['colour'] }),
      // @ts-expect-error Nor below a field.
      shop.cart.get({ fields: ['items.colour'] }),
      // @ts-expect-error A line's id is required.
      shop.cart.items.update({ quantity: 1 }),
      // @ts-expect-error So is something to add.
      shop.cart.items.add(),
      // @ts-expect-error One of the ways to sort.
      shop.products.list({ sort: 'colour' }),
      // @ts-expect-error What only a secret key opens is not there.
      shop.orders.create({}),
    ]));
});

describe('keys', () => {
  it('takes only keys of the constructor’s kind', () => {
    const url = 'https://api.example.com';
    compiled(() => [
      storefront({ url, key: 'svc_pk_test_1' }),
      server({ url, key: 'svc_sk_test_1' }),
      server({ url, key: 'svc_at_live_1' }),
      operator({ url, key: 'svc_mk_live_1' }),
      // @ts-expect-error A secret key in a storefront.
      storefront({ url, key: 'svc_sk_live_1' }),
      // @ts-expect-error An operator's key in a storefront.
      slim({ url, key: 'svc_mk_live_1' }, {}),
      // @ts-expect-error A publishable key on a server.
      server({ url, key: 'svc_pk_live_1' }),
      // @ts-expect-error A store's key for an operator.
      operator({ url, key: 'svc_sk_live_1' }),
    ]);
    const found: string = 'svc_pk_test_1';
    compiled(() => storefront({ url, key: found }));
  });
});

describe('clients', () => {
  it('types a client of a few resources with those alone', () =>
    compiled(async () => {
      const shop = slim({ url: '', key: 'svc_pk_test_1' }, { cart, products, search });
      expectTypeOf(shop.cart.items.add).toEqualTypeOf<Storefront['cart']['items']['add']>();
      expectTypeOf(shop.search).toEqualTypeOf<Storefront['search']>();
      // @ts-expect-error It was not named.
      shop.reviews.list();
    }));

  it('types a server’s client with a storefront’s methods and those of secret keys', () =>
    compiled(async () => {
      const shop = server({ url: '', key: 'svc_sk_test_1' });
      expectTypeOf(shop.products.list).toEqualTypeOf<Storefront['products']['list']>();
      expectTypeOf((await shop.products.create({ name: 'Mug' })).id).toBeString();
      const merchant = operator({ url: '', key: 'svc_mk_test_1' }).merchant('0');
      expectTypeOf(merchant.cart.get).toEqualTypeOf<Storefront['cart']['get']>();
      // @ts-expect-error An operator's key does not open it.
      merchant.b2b.quotes.list();
    }));

  it('throw codes that a switch knows', () => {
    expectTypeOf<'insufficient_stock' | 'rate_limited' | 'timeout'>().toExtend<ErrorCode>();
    expectTypeOf<'sold_out'>().not.toExtend<ErrorCode>();
  });
});

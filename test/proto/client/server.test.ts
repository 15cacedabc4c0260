// The clients of servers: what secret and operators' keys open, keys of the wrong kind, and where none of them belongs.
import { beforeAll, describe, expect, it } from 'vitest';
import { operator, server } from '#proto/client/server.ts';
import { KENYA, type Marketplace, openMarketplace } from '#test/support/marketplace.ts';
import { plainPng } from '#test/support/picture.ts';
import { type Stoa, sharedStoa } from '#test/support/stoa.ts';

let stoa: Stoa;
let marketplace: Marketplace;
beforeAll(async () => {
  stoa = await sharedStoa();
  marketplace = await openMarketplace(stoa);
});

const keysOf = (at: number) => marketplace.members[at]!.keys;
const openServer = () => {
  const { secret_test_key: key, hmac_test_secret: hmacSecret } = keysOf(0);
  return server({ url: stoa.url, key, hmacSecret });
};

describe('a server', () => {
  it('sells: an order, its payment at the simulator, its refund', async () => {
    const back = openServer();
    const { order } = await back.orders.create({
      items: [{ variant_id: marketplace.members[0]!.variants[0]!, quantity: 2 }],
      email: 'ada@example.com',
      shipping_address: KENYA,
    });
    const payment = await back.payments.initialize({
      provider: 'card_checkout',
      amount: order.amount_due,
      email: 'ada@example.com',
      order_id: order.id,
    });
    await back.sandbox.payments.settle({ reference: payment.reference, outcome: 'succeed' });
    expect((await back.payments.verify({ provider: 'card_checkout', reference: payment.reference })).status).toBe(
      'succeeded',
    );
    const paid = await back.orders.get({ id: order.id, fields: ['payment_status', 'total_amount'] });
    expect(paid).toEqual({ order: { payment_status: 'paid', total_amount: 20 } });
    await back.orders.refunds.create({ id: order.id, amount: 5, reason: 'Scratched' });
    const { order: noted } = await back.orders.update({ id: order.id, note: 'Call first' });
    expect(noted).toMatchObject({ note: 'Call first', amount_refunded: 5 });
  });

  it('uploads a picture under its name', async () => {
    const file = new File([plainPng(30, 20)], 'logo.png');
    const { media } = await openServer().media.upload({ file });
    expect(media).toMatchObject({ name: 'logo.png', width: 30, height: 20, type: 'image' });
    const named = await openServer().media.upload({ file: new Blob([plainPng(31, 20)]), name: 'shop.png' });
    expect(named.media.name).toBe('shop.png');
    const refused = openServer().media.upload({ file: new Blob(['<svg/>']), name: 'logo.svg' });
    await expect(refused).rejects.toMatchObject({ status: 400, param: 'file' });
  });

  it('reports a missing HMAC secret', async () => {
    const back = server({ url: stoa.url, key: keysOf(0).secret_test_key });
    const placed = back.orders.create({ items: [], email: 'ada@example.com' });
    await expect(placed).rejects.toMatchObject({ code: 'invalid_request', param: 'X-Timestamp' });
  });

  it('moves the sandbox’s clock, and pushes products', async () => {
    const back = openServer();
    expect((await back.sandbox.timeTravel({ advance_seconds: 60 })).fired).toBeInstanceOf(Array);
    const { job } = await back.ingestion.push({
      mode: 'upsert',
      products: [{ external_id: 'A', name: 'Pan', price: 9 }],
    });
    await expect
      .poll(async () => (await back.ingestion.jobs.get({ id: job.id })).job, { timeout: 20_000 })
      .toMatchObject({ status: 'completed', rows_created: 1 });
  });
});

describe('an operator', () => {
  it('acts for each of its merchants, and buys from several at once', async () => {
    const market = operator({ url: stoa.url, key: marketplace.operator.operator_test_key });
    const found = await Promise.all(
      marketplace.members.map(async ({ store }) => {
        const { products } = await market
          .merchant(store)
          .products.list({ sort: 'price_desc', fields: ['variant_id'], limit: 1 });
        return { store_id: store, variant_id: products[0]!.variant_id!, quantity: 1 };
      }),
    );
    expect(found.map(({ variant_id }) => variant_id)).toEqual(marketplace.members.map(({ variants }) => variants[0]!));
    const { checkout } = await market.cart.checkout.place({
      lines: found,
      email: 'ada@example.com',
      shipping_address: KENYA,
    });
    expect(checkout.orders).toHaveLength(2);
    const merchant = market.merchant(marketplace.members[0]!.store, { sessionId: 'one-shopper' });
    const { cart } = await merchant.cart.items.add({ variant_id: found[0]!.variant_id, quantity: 2 });
    expect(cart).toMatchObject({ item_count: 2, session_id: 'one-shopper' });
  });
});

describe('keys of another kind', () => {
  it('refuses keys of another kind', () => {
    const { publishable_key, secret_key } = keysOf(0);
    const takes = (key: string) => () => server({ url: stoa.url, key });
    expect(takes(publishable_key)).toThrow('server() takes a secret key, and this is a publishable one.');
    expect(takes(marketplace.operator.operator_key)).toThrow('this is an operator one.');
    expect(() => operator({ url: stoa.url, key: secret_key as string })).toThrow('operator() takes an operator key');
  });
});

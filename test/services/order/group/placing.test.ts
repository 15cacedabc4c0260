// What races with a checkout over several merchants: other bodies under its key, and shoppers who go on filling their carts.
import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import { lineOf, type Mall, openMall, type Stall } from '#test/support/mall.ts';
import type { Reply } from '#test/support/stoa.ts';
import { type Stoa, sharedStoa } from '#test/support/stoa.ts';

let stoa: Stoa;
beforeAll(async () => {
  stoa = await sharedStoa();
});

const STOCK = 100;
const BODIES = 10;

describe('one key with many bodies at once', () => {
  test('is one checkout: what the others held is free when they are told so', async () => {
    for (let turn = 0; turn < 5; turn++) {
      const mall = await openMall(stoa, { merchants: 3, stock: STOCK });
      const headers = { 'Idempotency-Key': randomUUID() };
      const bodies = Array.from({ length: BODIES }, (_, at) => mall.stalls.map((stall) => lineOf(stall, at + 1)));
      const replies = await Promise.all(bodies.map((lines) => mall.checkout(lines, {}, headers)));
      const placed = replies.flatMap(({ status }, at) => (status === 201 ? [at + 1] : []));
      expect(placed).toHaveLength(1);
      for (const { status, body } of replies.filter((reply) => reply.status !== 201)) {
        expect(status).toBe(409);
        expect(['conflict', 'idempotency_conflict']).toContain(body.error.code);
      }
      const on_hand = STOCK - placed[0]!;
      for (const stall of mall.stalls) {
        expect(await stall.level()).toMatchObject({ on_hand, available: on_hand });
        expect(await stall.orders()).toMatchObject([{ items: [{ quantity: placed[0] }] }]);
      }
    }
  });

  test('that want more than there is hold nothing once they are refused', async () => {
    const mall = await openMall(stoa, { merchants: 3, stock: STOCK });
    const headers = { 'Idempotency-Key': randomUUID() };
    const last = mall.stalls[2]!;
    const replies = await Promise.all(
      Array.from({ length: BODIES }, (_, at) =>
        mall.checkout([lineOf(mall.stalls[0]!, at + 1), lineOf(mall.stalls[1]!), lineOf(last, STOCK + 1)], {}, headers),
      ),
    );
    expect(replies.map(({ status }) => status)).toEqual(replies.map(() => 409));
    for (const stall of mall.stalls)
      expect(await stall.level()).toMatchObject({ on_hand: STOCK, held: 0, available: STOCK });
  });
});

describe('a shopper’s cart at a merchant', () => {
  const cartAt = ({ send }: Mall, { store, variants }: Stall) => {
    const headers = { 'X-Session-Id': randomUUID() };
    return {
      add: () => send('POST', `/v1/cart/items?store_id=${store}`, { variant_id: variants[0], quantity: 1 }, headers),
      read: async () => (await send('GET', `/v1/cart?store_id=${store}`, undefined, headers)).body.cart,
    };
  };

  test('keeps all that was acknowledged while its things are ordered by a checkout', async () => {
    const mall = await openMall(stoa, { merchants: 2, stock: STOCK });
    const carts = mall.stalls.map((stall) => cartAt(mall, stall));
    for (const { add } of carts) expect((await add()).status).toBe(200);
    const work: Promise<Reply>[] = [mall.checkout()];
    for (let at = 0; at < 12; at++) for (const { add } of carts) work.push(add());
    const [placed, ...added] = await Promise.all(work);
    expect(placed!.status, placed!.text).toBe(201);
    expect(added.map(({ status }) => status)).toEqual(added.map(() => 200));
    for (const { read } of carts) expect(await read()).toMatchObject({ status: 'active', item_count: 13 });
  });

  test('is ordered once while a checkout takes the same things and the shopper goes on', async () => {
    for (let turn = 0; turn < 5; turn++) {
      const mall = await openMall(stoa, { merchants: 2, stock: STOCK });
      const [one] = mall.stalls as [Stall, Stall];
      const headers = { 'X-Session-Id': randomUUID() };
      const add = () => one.send('POST', '/v1/cart/items', { variant_id: one.variants[0], quantity: 1 }, headers);
      await add();
      const body = { cart: true, session_id: headers['X-Session-Id'], email: 'ada@example.com' };
      const [checkout, order, ...added] = await Promise.all([
        mall.checkout(),
        one.sign('POST', '/v1/orders', body),
        ...Array.from({ length: 8 }, add),
      ]);
      expect([checkout!.status, order!.status]).toEqual([201, 201]);
      expect(added.map(({ status }) => status)).toEqual(added.map(() => 200));
      const left = (await one.send('GET', '/v1/cart', undefined, headers)).body.cart.item_count;
      const bought = order!.body.order.items[0].quantity;
      expect(left + bought).toBe(9);
      const on_hand = STOCK - bought - 1;
      expect(await one.level()).toMatchObject({ on_hand, available: on_hand });
    }
  });
});

describe('what is picked up', () => {
  const SHOPS = [
    { line1: '1 Shop Road', city: 'Nairobi', postal_code: '00100', country: 'KE' },
    { line1: '2 High Street', city: 'London', country: 'GB' },
  ];
  const PLACE = { latitude: -1.2864, longitude: 36.8172 };

  test('is taxed at each merchant’s own location, what is sent where it goes to', async () => {
    const mall = await openMall(stoa, { merchants: 3 });
    const lines = [];
    const options: Record<string, string> = {};
    for (const [at, stall] of mall.stalls.entries()) {
      const address = SHOPS[at];
      const made = await stall.send('PUT', '/v1/shipping/config', {
        locations: address ? [{ name: 'Shop', ...PLACE, address, pickup: true }] : [],
        fallback: { rate: { fee: 0 } },
      });
      expect(made.status, made.text).toBe(200);
      if (address) options[stall.store] = `pickup:${made.body.locations[0].id}`;
      for (const [country, rate] of [
        ['KE', 0.16],
        ['GB', 0.2],
        ['FR', 0.05],
      ] as const)
        await stall.send('POST', '/v1/tax-rates', { name: 'VAT', country, rate });
      const parcel = await stall.send('POST', '/v1/products', { name: 'Parcel', price: 100, stock: 10 });
      lines.push(lineOf(stall, 1, parcel.body.variant_id));
    }
    const shipping_address = { line1: '1 Rue', city: 'Paris', country: 'FR' };
    for (const billing_address of [null, { ...shipping_address, country: 'GB' }]) {
      const { status, text, body } = await mall.checkout(lines, {
        shipping_address,
        billing_address,
        shipping_option_ids: options,
      });
      expect(status, text).toBe(201);
      expect(body.checkout).toMatchObject({
        total: 116 + 120 + 105,
        orders: [{ total: 116 }, { total: 120 }, { total: 105 }],
      });
    }
    const taxes = [];
    for (const stall of mall.stalls) taxes.push((await stall.orders()).map(({ tax_total }) => tax_total));
    expect(taxes).toEqual([
      [16, 16],
      [20, 20],
      [5, 5],
    ]);
  });
});

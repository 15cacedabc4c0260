// Races with a checkout over several merchants: other bodies under its key, and shoppers who keep adding to their
// carts.
import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import { lineOf, type Marketplace, type Member, openMarketplace } from '#test/support/marketplace.ts';
import type { Reply } from '#test/support/stoa.ts';
import { type Stoa, sharedStoa } from '#test/support/stoa.ts';

let stoa: Stoa;
beforeAll(async () => {
  stoa = await sharedStoa();
});

const STOCK = 100;
const BODIES = 10;

describe('one key with many bodies at once', () => {
  test('places one checkout, and releases the holds of the others before it refuses them', async () => {
    for (let turn = 0; turn < 5; turn++) {
      const marketplace = await openMarketplace(stoa, { merchants: 3, stock: STOCK });
      const headers = { 'Idempotency-Key': randomUUID() };
      const bodies = Array.from({ length: BODIES }, (_, at) =>
        marketplace.members.map((member) => lineOf(member, at + 1)),
      );
      const replies = await Promise.all(bodies.map((lines) => marketplace.checkout(lines, {}, headers)));
      const placed = replies.flatMap(({ status }, at) => (status === 201 ? [at + 1] : []));
      expect(placed).toHaveLength(1);
      for (const { status, body } of replies.filter((reply) => reply.status !== 201)) {
        expect(status).toBe(409);
        expect(['conflict', 'idempotency_conflict']).toContain(body.error.code);
      }
      const on_hand = STOCK - placed[0]!;
      for (const member of marketplace.members) {
        expect(await member.level()).toMatchObject({ on_hand, available: on_hand });
        expect(await member.orders()).toMatchObject([{ items: [{ quantity: placed[0] }] }]);
      }
    }
  });

  test('releases every hold when each body exceeds the stock', async () => {
    const marketplace = await openMarketplace(stoa, { merchants: 3, stock: STOCK });
    const headers = { 'Idempotency-Key': randomUUID() };
    const last = marketplace.members[2]!;
    const replies = await Promise.all(
      Array.from({ length: BODIES }, (_, at) =>
        marketplace.checkout(
          [lineOf(marketplace.members[0]!, at + 1), lineOf(marketplace.members[1]!), lineOf(last, STOCK + 1)],
          {},
          headers,
        ),
      ),
    );
    expect(replies.map(({ status }) => status)).toEqual(replies.map(() => 409));
    for (const member of marketplace.members)
      expect(await member.level()).toMatchObject({ on_hand: STOCK, held: 0, available: STOCK });
  });
});

describe('a shopper’s cart at a merchant', () => {
  const cartAt = ({ send }: Marketplace, { store, variants }: Member) => {
    const headers = { 'X-Session-Id': randomUUID() };
    return {
      add: () => send('POST', `/v1/cart/items?store_id=${store}`, { variant_id: variants[0], quantity: 1 }, headers),
      read: async () => (await send('GET', `/v1/cart?store_id=${store}`, undefined, headers)).body.cart,
    };
  };

  test('keeps every acknowledged item while a checkout orders the same variants', async () => {
    const marketplace = await openMarketplace(stoa, { merchants: 2, stock: STOCK });
    const carts = marketplace.members.map((member) => cartAt(marketplace, member));
    for (const { add } of carts) expect((await add()).status).toBe(200);
    const work: Promise<Reply>[] = [marketplace.checkout()];
    for (let at = 0; at < 12; at++) for (const { add } of carts) work.push(add());
    const [placed, ...added] = await Promise.all(work);
    expect(placed!.status, placed!.text).toBe(201);
    expect(added.map(({ status }) => status)).toEqual(added.map(() => 200));
    for (const { read } of carts) expect(await read()).toMatchObject({ status: 'active', item_count: 13 });
  });

  test('converts to one order while a checkout takes the same variant and the shopper adds items', async () => {
    for (let turn = 0; turn < 5; turn++) {
      const marketplace = await openMarketplace(stoa, { merchants: 2, stock: STOCK });
      const [one] = marketplace.members as [Member, Member];
      const headers = { 'X-Session-Id': randomUUID() };
      const add = () => one.send('POST', '/v1/cart/items', { variant_id: one.variants[0], quantity: 1 }, headers);
      await add();
      const body = { cart: true, session_id: headers['X-Session-Id'], email: 'ada@example.com' };
      const [checkout, order, ...added] = await Promise.all([
        marketplace.checkout(),
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

  test('taxes pickup at the merchant’s location, and shipping at the destination', async () => {
    const marketplace = await openMarketplace(stoa, { merchants: 3 });
    const lines = [];
    const options: Record<string, string> = {};
    for (const [at, member] of marketplace.members.entries()) {
      const address = SHOPS[at];
      const made = await member.send('PUT', '/v1/shipping/config', {
        locations: address ? [{ name: 'Shop', ...PLACE, address, pickup: true }] : [],
        fallback: { rate: { fee: 0 } },
      });
      expect(made.status, made.text).toBe(200);
      if (address) options[member.store] = `pickup:${made.body.locations[0].id}`;
      for (const [country, rate] of [
        ['KE', 0.16],
        ['GB', 0.2],
        ['FR', 0.05],
      ] as const)
        await member.send('POST', '/v1/tax-rates', { name: 'VAT', country, rate });
      const parcel = await member.send('POST', '/v1/products', { name: 'Parcel', price: 100, stock: 10 });
      lines.push(lineOf(member, 1, parcel.body.variant_id));
    }
    const shipping_address = { line1: '1 Rue', city: 'Paris', country: 'FR' };
    for (const billing_address of [null, { ...shipping_address, country: 'GB' }]) {
      const { status, text, body } = await marketplace.checkout(lines, {
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
    for (const member of marketplace.members) taxes.push((await member.orders()).map(({ tax_total }) => tax_total));
    expect(taxes).toEqual([
      [16, 16],
      [20, 20],
      [5, 5],
    ]);
  });
});

// Holds of many lines over real actors, and the stock that shoppers and merchants see.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Refusal } from '#runtime/call/call.ts';
import { type ManualClock, manualClock } from '#runtime/process/clock.ts';
import { ok } from '#test/support/reply.ts';
import { eventually } from '#test/support/server.ts';
import { type Stoa, startStoa } from '#test/support/stoa.ts';
import { MINUTE_MS, openStockClient, type StockClient } from './stock_client.ts';

let clock: ManualClock;
let stoa: Stoa;
let client: StockClient;
beforeAll(async () => {
  clock = manualClock(Date.now());
  stoa = await startStoa({ clock });
  client = await openStockClient(stoa);
});
afterAll(() => stoa?.stop());

const line = (variant_id: string, quantity: number) => ({ variant_id, quantity });
const problemOf = (reply: unknown): unknown[] => {
  if (!(reply instanceof Refusal)) throw new Error(`It was not refused: ${JSON.stringify(reply)}`);
  return [reply.code, reply.extra.param, reply.extra.details];
};

describe('a hold', () => {
  test('holds all its lines', async () => {
    const [a, b] = [await client.newVariant(5), await client.newVariant(5)];
    const held = ok(await client.hold([line(a, 2), line(b, 3), line(a, 1)]));
    expect(Date.parse(held.expires_at) - clock.now(client.tenant).getTime()).toBeLessThan(5 * MINUTE_MS + 1_000);
    expect(await client.look(a)).toEqual([5, 3, 2]);
    expect(await client.look(b)).toEqual([5, 3, 2]);
  });

  test('holds no line when one is short, and names each short line', async () => {
    const [a, b, c] = [await client.newVariant(5), await client.newVariant(2), await client.newVariant(0)];
    const refused = await client.hold([line(a, 2), line(b, 3), line(c, 1)]);
    expect(problemOf(refused)).toEqual([
      'insufficient_stock',
      'lines[1].quantity',
      `${b}: 3 wanted, 2 available; ${c}: 1 wanted, 0 available`,
    ]);
    expect((refused as Refusal).extra.causes).toEqual([c]);
    for (const id of [a, b, c]) expect((await client.look(id))[1]).toBe(0);
  });

  test.each([
    ['a variant that does not exist', () => [line(randomUUID(), 1)], 'not_found', 'lines[0].variant_id'],
    [
      'another store’s variant',
      async () => [line(await (await openStockClient(stoa)).newVariant(5), 1)],
      'not_found',
      'lines[0].variant_id',
    ],
  ])('refuses %s', async (_, make, code, param) => {
    expect(problemOf(await client.hold(await make())).slice(0, 2)).toEqual([code, param]);
  });

  test('refuses an expiry in the past', async () => {
    const a = await client.newVariant(5);
    const refused = await client.hold([line(a, 1)], { expires_at: client.later(0) });
    expect(problemOf(refused).slice(0, 2)).toEqual(['invalid_request', 'expires_at']);
  });

  test('stays the same when repeated', async () => {
    const a = await client.newVariant(5);
    const hold_id = randomUUID();
    const first = ok(await client.hold([line(a, 2)], { hold_id }));
    expect(ok(await client.hold([line(a, 2)], { hold_id, expires_at: client.later(9 * MINUTE_MS) }))).toEqual(first);
    expect(await client.look(a)).toEqual([5, 2, 3]);
  });

  test('keeps acknowledged lines when a repetition asks for more', async () => {
    const [a, b] = [await client.newVariant(5), await client.newVariant(0)];
    const hold_id = randomUUID();
    ok(await client.hold([line(a, 2)], { hold_id }));
    expect(problemOf(await client.hold([line(a, 2), line(b, 1)], { hold_id }))[0]).toBe('insufficient_stock');
    expect(await client.look(a)).toEqual([5, 2, 3]);
  });

  test('expires by the tenant’s clock, to the millisecond for the next hold', async () => {
    const a = await client.newVariant(2);
    const { expires_at } = ok(await client.hold([line(a, 2)], { expires_at: client.later(MINUTE_MS) }));
    clock.advance(Date.parse(expires_at) - clock.now(client.tenant).getTime() - 1);
    expect(problemOf(await client.hold([line(a, 1)]))[0]).toBe('insufficient_stock');
    clock.advance(1);
    ok(await client.hold([line(a, 1)]));
  });

  test('commits any number of times once the order’s transaction has allocated its units', async () => {
    const a = await client.newVariant(5);
    const { hold_id } = ok(await client.hold([line(a, 2)]));
    await client.sell([line(a, 2)]);
    for (let time = 0; time < 2; time++) ok(await client.commit(hold_id, [a]));
    expect(await client.look(a)).toEqual([3, 0, 3]);
    expect(problemOf(await client.release(hold_id, [a]))[0]).toBe('conflict');
  });

  test('survives a merchant’s adjustments in between', async () => {
    const a = await client.newVariant(5);
    const { hold_id } = ok(await client.hold([line(a, 2)]));
    await client.secret('POST', '/v1/inventory/adjustments', { variant_id: a, delta: 10 });
    await client.sell([line(a, 2)]);
    await client.secret('POST', '/v1/inventory/adjustments', { variant_id: a, delta: -3 });
    ok(await client.commit(hold_id, [a]));
    expect(await client.look(a)).toEqual([10, 0, 10]);
    expect(problemOf(await client.hold([line(a, 11)]))[0]).toBe('insufficient_stock');
    ok(await client.hold([line(a, 10)]));
  });
});

describe('many concurrent holds', () => {
  test('get exactly the available units', async () => {
    const [a, b] = [await client.newVariant(30), await client.newVariant(60)];
    const replies = await Promise.all(
      Array.from({ length: 80 }, (_, at) =>
        client.hold(at % 2 === 0 ? [line(a, 1), line(b, 1)] : [line(b, 1), line(a, 1)]),
      ),
    );
    const held = replies.filter((reply) => !(reply instanceof Refusal)).length;
    expect(held).toBe(30);
    expect(await client.look(a)).toEqual([30, 30, 0]);
    expect(await client.look(b)).toEqual([60, 30, 30]);
  });
});

describe('held units', () => {
  test('show in every answer from the settled revision on', async () => {
    const [a, b] = [await client.newVariant(5), await client.newVariant(5)];
    expect([await client.shown(a), await client.shown(b)]).toEqual([5, 5]);
    const hold_id = randomUUID();
    await eventually(async () => {
      const held = ok(await client.hold([line(a, 2), line(b, 4)], { hold_id, settle: true }));
      expect(held.revision).toBeGreaterThan(0);
    });
    await eventually(async () => expect([await client.shown(a), await client.shown(b)]).toEqual([3, 1]));
    const inventory = (await client.secret('GET', `/v1/inventory/${a}`)).body.inventory;
    expect(inventory).toMatchObject({ on_hand: 5, held: 2, available: 3 });
    ok(await client.release(hold_id, [a, b], { settle: true }));
    await eventually(async () => expect([await client.shown(a), await client.shown(b)]).toEqual([5, 5]));
  });

  test('shows by itself in lists, filters, carts and inventory, and when it expires', async () => {
    const a = await client.newVariant(2, { name: 'Rare lamp', tags: ['rare'] });
    const listed = async () => {
      const { body } = await client.publishable('GET', '/v1/products?tag=rare');
      return body.products.map(({ stock }: { stock: number }) => stock);
    };
    const inStock = async () =>
      (await client.publishable('GET', '/v1/products?tag=rare&in_stock=true')).body.products.length;
    const feed = async () => (await client.secret('GET', `/v1/inventory/${a}`)).body.inventory.available;
    expect([await listed(), await inStock(), await feed()]).toEqual([[2], 1, 2]);
    ok(await client.hold([line(a, 2)], { expires_at: client.later(MINUTE_MS) }));
    await eventually(async () => expect([await listed(), await inStock(), await feed()]).toEqual([[0], 0, 0]));
    const session = { 'X-Session-Id': randomUUID() };
    const refused = await client.publishable('POST', '/v1/cart/items', { variant_id: a }, { headers: session });
    expect([refused.status, refused.body.error.code, refused.body.error.details]).toEqual([
      409,
      'insufficient_stock',
      'available: 0',
    ]);
    clock.advance(2 * MINUTE_MS);
    await eventually(async () => expect([await listed(), await inStock(), await feed()]).toEqual([[2], 1, 2]));
    await eventually(async () => {
      const { status } = await client.publishable('POST', '/v1/cart/items', { variant_id: a }, { headers: session });
      expect(status).toBe(200);
    });
  });

  test('shows in each variant of a product and in their sum', async () => {
    const variants = [1, 2].map((size) => ({
      sku: `${randomUUID()}`,
      price: 9,
      stock: 4,
      variant_attributes: { size },
    }));
    const made = await client.createProduct({ name: 'Shirt', price: undefined, stock: undefined, variants });
    const [first] = made.variants!;
    ok(await client.hold([line(first!.variant_id, 3)], { settle: true }));
    await eventually(async () => {
      const { body } = await client.publishable('GET', `/v1/products/${made.id}`);
      expect([body.total_stock, body.variants.map(({ stock }: { stock: number }) => stock)]).toEqual([5, [1, 4]]);
    });
  });

  test('leave the stock that a merchant writes as it is', async () => {
    const made = await client.createProduct({ stock: 5 });
    const a = made.variant_id!;
    ok(await client.hold([line(a, 2)], { settle: true }));
    const { body } = await client.secret('PATCH', `/v1/products/${made.id}`, { stock: 8 });
    expect(body.stock).toBe(6);
    expect(await client.look(a)).toEqual([8, 2, 6]);
    const inventory = (await client.secret('GET', `/v1/inventory/${a}`)).body.inventory;
    expect(inventory).toMatchObject({ on_hand: 8, held: 2, available: 6 });
  });
});

describe('events', () => {
  const of = (variantId: string): unknown[] =>
    client.events
      .filter(({ type, object }) =>
        type.startsWith('product.stock') || type === 'product.out_of_stock' ? object.variant_id === variantId : false,
      )
      .map(({ type, object }) => [type.slice('product.'.length), object.stock]);

  test('report low and exhausted stock once each time', async () => {
    const a = await client.newVariant(10, { low_stock_threshold: 5, sku: `sku-${randomUUID()}` });
    const first = ok(await client.hold([line(a, 3)], { settle: true }));
    ok(await client.hold([line(a, 3)], { settle: true }));
    await eventually(() => expect(of(a)).toEqual([['stock_low', 4]]));
    const last = ok(await client.hold([line(a, 4)], { settle: true }));
    await eventually(() =>
      expect(of(a)).toEqual([
        ['stock_low', 4],
        ['out_of_stock', 0],
      ]),
    );
    ok(await client.release(first.hold_id, [a], { settle: true }));
    ok(await client.release(last.hold_id, [a], { settle: true }));
    ok(await client.hold([line(a, 7)], { settle: true }));
    await eventually(() =>
      expect(of(a)).toEqual([
        ['stock_low', 4],
        ['out_of_stock', 0],
        ['stock_low', 0],
        ['out_of_stock', 0],
      ]),
    );
    const low = client.events.find(({ type, object }) => type === 'product.stock_low' && object.variant_id === a);
    expect(low?.object).toMatchObject({ name: 'Trail shoe', variant_id: a, low_stock_threshold: 5 });
  });

  test('ignore the allocation of held units', async () => {
    const a = await client.newVariant(10, { low_stock_threshold: 5 });
    const { hold_id } = ok(await client.hold([line(a, 4)], { settle: true }));
    await client.sell([line(a, 4)]);
    ok(await client.commit(hold_id, [a], { settle: true }));
    await eventually(async () => expect(await client.shown(a)).toBe(6));
    ok(await client.hold([line(a, 6)], { settle: true }));
    await eventually(() =>
      expect(of(a)).toEqual([
        ['stock_low', 0],
        ['out_of_stock', 0],
      ]),
    );
  });

  test('ignore units between their order and the commit of their hold', async () => {
    const a = await client.newVariant(4, { low_stock_threshold: 0 });
    const sold = ok(await client.hold([line(a, 2)], { settle: true }));
    const other = ok(await client.hold([line(a, 1)], { settle: true }));
    await client.sell([line(a, 2)]);
    ok(await stoa.services.runtime.ask('StockDirectory/SettleLevels', client.tenant, { levels: [], wait: true }));
    expect(problemOf(await client.hold([line(a, 2)]))[2]).toBe(`${a}: 2 wanted, 1 available`);
    ok(await client.release(other.hold_id, [a], { settle: true }));
    await eventually(async () => expect(await client.shown(a)).toBe(2));
    ok(await client.hold([line(a, 1)], { settle: true }));
    await eventually(async () => expect(await client.shown(a)).toBe(1));
    ok(await client.commit(sold.hold_id, [a], { settle: true }));
    ok(await client.hold([line(a, 1)], { settle: true }));
    await eventually(() => expect(of(a)).toEqual([['out_of_stock', 0]]));
    expect(await client.look(a)).toEqual([2, 2, 0]);
  });

  test('report stock that an order allocates without a hold', async () => {
    const a = await client.newVariant(3, { low_stock_threshold: 2 });
    await client.sell([line(a, 3)]);
    await eventually(() =>
      expect(of(a)).toEqual([
        ['stock_low', 0],
        ['out_of_stock', 0],
      ]),
    );
    await eventually(async () => expect(await client.shown(a)).toBe(0));
  });
});

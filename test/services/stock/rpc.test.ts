// Holds of many lines over real actors, and what shoppers and merchants see of them.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Refusal } from '#runtime/call/call.ts';
import { type ManualClock, manualClock } from '#runtime/process/clock.ts';
import { ok } from '#test/support/reply.ts';
import { eventually } from '#test/support/server.ts';
import { type Stoa, startStoa } from '#test/support/stoa.ts';
import { type Counter, MINUTE_MS, openCounter } from './counter.ts';

let clock: ManualClock;
let stoa: Stoa;
let counter: Counter;
beforeAll(async () => {
  clock = manualClock(Date.now());
  stoa = await startStoa({ clock });
  counter = await openCounter(stoa);
});
afterAll(() => stoa?.stop());

const line = (variant_id: string, quantity: number) => ({ variant_id, quantity });
const problemOf = (reply: unknown): unknown[] => {
  if (!(reply instanceof Refusal)) throw new Error(`It was not refused: ${JSON.stringify(reply)}`);
  return [reply.code, reply.extra.param, reply.extra.details];
};

describe('a hold', () => {
  test('is of all its lines', async () => {
    const [a, b] = [await counter.newVariant(5), await counter.newVariant(5)];
    const held = ok(await counter.hold([line(a, 2), line(b, 3), line(a, 1)]));
    expect(Date.parse(held.expires_at) - clock.now(counter.tenant).getTime()).toBeLessThan(5 * MINUTE_MS + 1_000);
    expect(await counter.look(a)).toEqual([5, 3, 2]);
    expect(await counter.look(b)).toEqual([5, 3, 2]);
  });

  test('or of none, and tells every line that is short', async () => {
    const [a, b, c] = [await counter.newVariant(5), await counter.newVariant(2), await counter.newVariant(0)];
    const refused = await counter.hold([line(a, 2), line(b, 3), line(c, 1)]);
    expect(problemOf(refused)).toEqual([
      'insufficient_stock',
      'lines[1].quantity',
      `${b}: 3 wanted, 2 available; ${c}: 1 wanted, 0 available`,
    ]);
    expect((refused as Refusal).extra.causes).toEqual([c]);
    for (const id of [a, b, c]) expect((await counter.look(id))[1]).toBe(0);
  });

  test.each([
    ['a variant that does not exist', () => [line(randomUUID(), 1)], 'not_found', 'lines[0].variant_id'],
    [
      'another store’s variant',
      async () => [line(await (await openCounter(stoa)).newVariant(5), 1)],
      'not_found',
      'lines[0].variant_id',
    ],
  ])('of %s is refused', async (_, make, code, param) => {
    expect(problemOf(await counter.hold(await make())).slice(0, 2)).toEqual([code, param]);
  });

  test('that would be over already is refused', async () => {
    const a = await counter.newVariant(5);
    const refused = await counter.hold([line(a, 1)], { expires_at: counter.later(0) });
    expect(problemOf(refused).slice(0, 2)).toEqual(['invalid_request', 'expires_at']);
  });

  test('is the same when it is repeated', async () => {
    const a = await counter.newVariant(5);
    const hold_id = randomUUID();
    const first = ok(await counter.hold([line(a, 2)], { hold_id }));
    expect(ok(await counter.hold([line(a, 2)], { hold_id, expires_at: counter.later(9 * MINUTE_MS) }))).toEqual(first);
    expect(await counter.look(a)).toEqual([5, 2, 3]);
  });

  test('keeps what was acknowledged when a repetition cannot have more', async () => {
    const [a, b] = [await counter.newVariant(5), await counter.newVariant(0)];
    const hold_id = randomUUID();
    ok(await counter.hold([line(a, 2)], { hold_id }));
    expect(problemOf(await counter.hold([line(a, 2), line(b, 1)], { hold_id }))[0]).toBe('insufficient_stock');
    expect(await counter.look(a)).toEqual([5, 2, 3]);
  });

  test('expires by the tenant’s clock, exactly for the caller who holds next', async () => {
    const a = await counter.newVariant(2);
    const { hold_id, expires_at } = ok(await counter.hold([line(a, 2)], { expires_at: counter.later(MINUTE_MS) }));
    clock.advance(Date.parse(expires_at) - clock.now(counter.tenant).getTime() - 1);
    expect(problemOf(await counter.hold([line(a, 1)]))[0]).toBe('insufficient_stock');
    clock.advance(1);
    ok(await counter.hold([line(a, 1)]));
    expect(problemOf(await counter.pin(hold_id, [a]))[0]).toBe('conflict');
  });

  test('of which one line expired cannot be pinned, and lets the others go', async () => {
    const [a, b] = [await counter.newVariant(2), await counter.newVariant(2)];
    const hold_id = randomUUID();
    ok(await counter.hold([line(a, 1)], { hold_id, expires_at: counter.later(MINUTE_MS) }));
    ok(await counter.hold([line(b, 1)], { hold_id }));
    clock.advance(2 * MINUTE_MS);
    expect(problemOf(await counter.pin(hold_id, [a, b]))[0]).toBe('conflict');
    expect(await counter.look(b)).toEqual([2, 0, 2]);
  });

  test('is sold: pinned, lowered by the order’s own transaction, committed as often as it is said', async () => {
    const a = await counter.newVariant(5);
    const { hold_id } = ok(await counter.hold([line(a, 2)]));
    expect(ok(await counter.pin(hold_id, [a])).lines).toEqual([{ variant_id: a, status: 'pinned' }]);
    await counter.sell([line(a, 2)]);
    for (let time = 0; time < 2; time++) ok(await counter.commit(hold_id, [a]));
    expect(await counter.look(a)).toEqual([3, 0, 3]);
    expect(problemOf(await counter.release(hold_id, [a]))[0]).toBe('conflict');
  });

  test('survives a merchant who counts again meanwhile', async () => {
    const a = await counter.newVariant(5);
    const { hold_id } = ok(await counter.hold([line(a, 2)]));
    await counter.secret('POST', '/v1/inventory/adjustments', { variant_id: a, delta: 10 });
    ok(await counter.pin(hold_id, [a]));
    await counter.sell([line(a, 2)]);
    await counter.secret('POST', '/v1/inventory/adjustments', { variant_id: a, delta: -3 });
    ok(await counter.commit(hold_id, [a]));
    expect(await counter.look(a)).toEqual([10, 0, 10]);
    expect(problemOf(await counter.hold([line(a, 11)]))[0]).toBe('insufficient_stock');
    ok(await counter.hold([line(a, 10)]));
  });
});

describe('many at once', () => {
  test('get exactly what there is', async () => {
    const [a, b] = [await counter.newVariant(30), await counter.newVariant(60)];
    const replies = await Promise.all(
      Array.from({ length: 80 }, (_, at) =>
        counter.hold(at % 2 === 0 ? [line(a, 1), line(b, 1)] : [line(b, 1), line(a, 1)]),
      ),
    );
    const held = replies.filter((reply) => !(reply instanceof Refusal)).length;
    expect(held).toBe(30);
    expect(await counter.look(a)).toEqual([30, 30, 0]);
    expect(await counter.look(b)).toEqual([60, 30, 30]);
  });
});

describe('what is held', () => {
  test('shows in every answer from the settled revision on', async () => {
    const [a, b] = [await counter.newVariant(5), await counter.newVariant(5)];
    expect([await counter.shown(a), await counter.shown(b)]).toEqual([5, 5]);
    const hold_id = randomUUID();
    // No caller waits long for it; one who wants to know says it again.
    await eventually(async () => {
      const held = ok(await counter.hold([line(a, 2), line(b, 4)], { hold_id, settle: true }));
      expect(held.revision).toBeGreaterThan(0);
    });
    await eventually(async () => expect([await counter.shown(a), await counter.shown(b)]).toEqual([3, 1]));
    const inventory = (await counter.secret('GET', `/v1/inventory/${a}`)).body.inventory;
    expect(inventory).toMatchObject({ on_hand: 5, held: 2, available: 3 });
    ok(await counter.release(hold_id, [a, b], { settle: true }));
    await eventually(async () => expect([await counter.shown(a), await counter.shown(b)]).toEqual([5, 5]));
  });

  test('shows by itself in lists, filters, carts and inventory, and when it expires', async () => {
    const a = await counter.newVariant(2, { name: 'Rare lamp', tags: ['rare'] });
    const listed = async () => {
      const { body } = await counter.publishable('GET', '/v1/products?tag=rare');
      return body.products.map(({ stock }: { stock: number }) => stock);
    };
    const inStock = async () =>
      (await counter.publishable('GET', '/v1/products?tag=rare&in_stock=true')).body.products.length;
    const feed = async () => (await counter.secret('GET', `/v1/inventory/${a}`)).body.inventory.available;
    expect([await listed(), await inStock(), await feed()]).toEqual([[2], 1, 2]);
    ok(await counter.hold([line(a, 2)], { expires_at: counter.later(MINUTE_MS) }));
    await eventually(async () => expect([await listed(), await inStock(), await feed()]).toEqual([[0], 0, 0]));
    const session = { 'X-Session-Id': randomUUID() };
    const refused = await counter.publishable('POST', '/v1/cart/items', { variant_id: a }, { headers: session });
    expect([refused.status, refused.body.error.code, refused.body.error.details]).toEqual([
      409,
      'insufficient_stock',
      'available: 0',
    ]);
    clock.advance(2 * MINUTE_MS);
    await eventually(async () => expect([await listed(), await inStock(), await feed()]).toEqual([[2], 1, 2]));
    await eventually(async () => {
      const { status } = await counter.publishable('POST', '/v1/cart/items', { variant_id: a }, { headers: session });
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
    const made = await counter.createProduct({ name: 'Shirt', price: undefined, stock: undefined, variants });
    const [first] = made.variants!;
    ok(await counter.hold([line(first!.variant_id, 3)], { settle: true }));
    await eventually(async () => {
      const { body } = await counter.publishable('GET', `/v1/products/${made.id}`);
      expect([body.total_stock, body.variants.map(({ stock }: { stock: number }) => stock)]).toEqual([5, [1, 4]]);
    });
  });

  test('is never counted against what a merchant writes as stock', async () => {
    const made = await counter.createProduct({ stock: 5 });
    const a = made.variant_id!;
    ok(await counter.hold([line(a, 2)], { settle: true }));
    const { body } = await counter.secret('PATCH', `/v1/products/${made.id}`, { stock: 8 });
    expect(body.stock).toBe(6);
    expect(await counter.look(a)).toEqual([8, 2, 6]);
    const inventory = (await counter.secret('GET', `/v1/inventory/${a}`)).body.inventory;
    expect(inventory).toMatchObject({ on_hand: 8, held: 2, available: 6 });
  });
});

describe('events', () => {
  const of = (variantId: string): unknown[] =>
    counter.events
      .filter(({ type, object }) =>
        type.startsWith('product.stock') || type === 'product.out_of_stock' ? object.variant_id === variantId : false,
      )
      .map(({ type, object }) => [type.slice('product.'.length), object.stock]);

  test('tell that stock runs low and out, once each time it does', async () => {
    const a = await counter.newVariant(10, { low_stock_threshold: 5, sku: `sku-${randomUUID()}` });
    const first = ok(await counter.hold([line(a, 3)], { settle: true }));
    ok(await counter.hold([line(a, 3)], { settle: true }));
    await eventually(() => expect(of(a)).toEqual([['stock_low', 4]]));
    const last = ok(await counter.hold([line(a, 4)], { settle: true }));
    await eventually(() =>
      expect(of(a)).toEqual([
        ['stock_low', 4],
        ['out_of_stock', 0],
      ]),
    );
    ok(await counter.release(first.hold_id, [a], { settle: true }));
    ok(await counter.release(last.hold_id, [a], { settle: true }));
    ok(await counter.hold([line(a, 7)], { settle: true }));
    await eventually(() =>
      expect(of(a)).toEqual([
        ['stock_low', 4],
        ['out_of_stock', 0],
        ['stock_low', 0],
        ['out_of_stock', 0],
      ]),
    );
    const told = counter.events.find(({ type, object }) => type === 'product.stock_low' && object.variant_id === a);
    expect(told?.object).toMatchObject({ name: 'Trail shoe', variant_id: a, low_stock_threshold: 5 });
  });

  test('say nothing of pieces that were held when they are sold', async () => {
    const a = await counter.newVariant(10, { low_stock_threshold: 5 });
    const { hold_id } = ok(await counter.hold([line(a, 4)], { settle: true }));
    ok(await counter.pin(hold_id, [a]));
    await counter.sell([line(a, 4)]);
    ok(await counter.commit(hold_id, [a], { settle: true }));
    await eventually(async () => expect(await counter.shown(a)).toBe(6));
    ok(await counter.hold([line(a, 6)], { settle: true }));
    await eventually(() =>
      expect(of(a)).toEqual([
        ['stock_low', 0],
        ['out_of_stock', 0],
      ]),
    );
  });

  test('say nothing of what was held and not pinned, an intent’s, between its order and the commit of its hold', async () => {
    const a = await counter.newVariant(4, { low_stock_threshold: 0 });
    const intent = ok(await counter.hold([line(a, 2)], { settle: true }));
    const other = ok(await counter.hold([line(a, 1)], { settle: true }));
    await counter.sell([line(a, 2)]);
    ok(await stoa.services.runtime.ask('StockDirectory/SettleLevels', counter.tenant, { levels: [], wait: true }));
    expect(problemOf(await counter.hold([line(a, 2)]))[2]).toBe(`${a}: 2 wanted, 1 available`);
    ok(await counter.release(other.hold_id, [a], { settle: true }));
    await eventually(async () => expect(await counter.shown(a)).toBe(2));
    ok(await counter.hold([line(a, 1)], { settle: true }));
    await eventually(async () => expect(await counter.shown(a)).toBe(1));
    ok(await counter.commit(intent.hold_id, [a], { settle: true }));
    ok(await counter.hold([line(a, 1)], { settle: true }));
    await eventually(() => expect(of(a)).toEqual([['out_of_stock', 0]]));
    expect(await counter.look(a)).toEqual([2, 2, 0]);
  });

  test('tell of stock that an order takes and no hold had', async () => {
    const a = await counter.newVariant(3, { low_stock_threshold: 2 });
    await counter.sell([line(a, 3)]);
    await eventually(() =>
      expect(of(a)).toEqual([
        ['stock_low', 0],
        ['out_of_stock', 0],
      ]),
    );
    await eventually(async () => expect(await counter.shown(a)).toBe(0));
  });
});

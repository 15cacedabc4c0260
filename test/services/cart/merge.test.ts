// Merges of anonymous carts over HTTP, interrupted at every step.
import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Actors } from '#runtime/actor/host.ts';
import { type Call, Refusal } from '#runtime/call/call.ts';
import { Unavailable, UnknownOutcome } from '#runtime/call/fault.ts';
import { type CartAnswer, type CartCommand, cartKey } from '#services/cart/cart.ts';
import type { CartCatalogue } from '#services/cart/catalogue.ts';
import { mergeCart } from '#services/cart/merge.ts';
import { type Stoa, sharedStoa } from '#test/support/stoa.ts';
import { CUSTOMER, livingCart, offer, SHOP, TENANT } from './shopper.ts';
import { add, cartOf, held, openStorefront, problemOf, readCart, type Storefront, type Visitor } from './storefront.ts';

let stoa: Stoa;
let settings: Storefront;
beforeAll(async () => {
  stoa = await sharedStoa();
  settings = await openStorefront(stoa);
});

describe('merging', () => {
  const merge = (ada: { id: string; send: Visitor['send'] }, session_id: string) =>
    ada.send('POST', '/v1/cart/merge', { session_id, customer_id: ada.id });

  test('moves an anonymous cart into the customer’s, once', async () => {
    const { visitor, made, item } = await settings.withItem(2);
    const ada = await settings.newCustomer();
    const sock = await settings.createProduct({ name: 'Sock' });
    for (const variant_id of [made.variant_id, sock.variant_id]) {
      await add(ada, { variant_id, quantity: 1, customer_id: ada.id });
    }
    await visitor.send('POST', '/v1/cart/promotions', { code: 'SPRING' });
    const merged = cartOf(await merge(ada, visitor.session));
    expect(merged).toMatchObject({ customer_id: ada.id, promotion_codes: ['SPRING'], warnings: [], item_count: 4 });
    expect(held(merged)).toEqual([
      ['Trail shoe', 3],
      ['Sock', 1],
    ]);
    expect(await readCart(visitor)).toMatchObject({ status: 'merged', items: [], promotion_codes: [], total: 0 });
    expect(cartOf(await merge(ada, visitor.session))).toEqual(merged);
    const next = cartOf(await add(visitor, { variant_id: made.variant_id }));
    expect(next).toMatchObject({ status: 'active', item_count: 1, version: 1 });
    expect(next.items[0]?.id).not.toBe(item.id);
    expect(cartOf(await merge(ada, visitor.session))).toMatchObject({ item_count: 5 });
  });

  test('caps quantities at available units, and says so', async () => {
    const { visitor, made, item } = await settings.withItem(4, { price: 10 });
    const ada = await settings.newCustomer();
    await add(ada, { variant_id: made.variant_id, quantity: 3, customer_id: ada.id });
    const merged = cartOf(await merge(ada, visitor.session));
    expect(merged).toMatchObject({ item_count: 5, total: 50, warnings: [{ code: 'quantity_reduced' }] });
    expect(merged.warnings[0]?.item_id).toBe(merged.items[0]?.id);
    expect(merged.items[0]?.id).not.toBe(item.id);
    const again = await ada.send('GET', `/v1/cart?customer_id=${ada.id}`);
    expect(cartOf(again)).toMatchObject({ item_count: 5, warnings: [] });
  });

  test('takes the session from the header too, and of a session without a cart takes nothing', async () => {
    const { visitor } = await settings.withItem(2);
    const ada = await settings.newCustomer();
    const body = { customer_id: ada.id };
    const byHeader = await ada.send('POST', '/v1/cart/merge', body, { 'X-Session-Id': visitor.session });
    expect(cartOf(byHeader)).toMatchObject({ customer_id: ada.id, item_count: 2 });
    const ben = await settings.newCustomer();
    expect(cartOf(await merge(ben, randomUUID()))).toMatchObject({ customer_id: ben.id, items: [], version: 0 });
  });

  test('needs both names, and the customer’s own session', async () => {
    const [ada, ben] = [await settings.newCustomer(), await settings.newCustomer()];
    const { visitor, cart } = await settings.withItem();
    const of = (send: Visitor['send'], body: object) => send('POST', '/v1/cart/merge', body);
    const both = { session_id: visitor.session, customer_id: ada.id };
    expect(problemOf(await of(ada.send, { customer_id: ada.id }))).toEqual([400, 'invalid_request', 'session_id']);
    expect(problemOf(await of(ada.send, { session_id: visitor.session }))).toEqual([
      400,
      'invalid_request',
      'customer_id',
    ]);
    expect(problemOf(await of(ada.send, { ...both, session_id: 'a b' }))).toEqual([
      400,
      'invalid_request',
      'session_id',
    ]);
    expect(problemOf(await of(settings.unnamed, both))).toEqual([401, 'unauthorized', undefined]);
    expect(problemOf(await of(ben.send, both))).toEqual([403, 'forbidden', undefined]);
    expect(await readCart(visitor)).toEqual(cart);
  });

  test('while the shopper goes on loses nothing and takes nothing twice', async () => {
    const { visitor, made } = await settings.withItem(1, { stock: 1_000 });
    const ada = await settings.newCustomer();
    const edits = Array.from({ length: 20 }, () => add(visitor, { variant_id: made.variant_id }));
    const merges = Array.from({ length: 3 }, () => merge(ada, visitor.session));
    for (const reply of await Promise.all([...edits, ...merges])) cartOf(reply);
    expect(cartOf(await merge(ada, visitor.session)).item_count).toBe(21);
    expect((await readCart(visitor)).items).toEqual([]);
  });

  test('while the cart is ordered leaves each piece in one place', async () => {
    for (let turn = 0; turn < 8; turn++) {
      const { visitor } = await settings.withItem(3, { stock: 1_000, shipping_info: { requires_shipping: false } });
      const ada = await settings.newCustomer();
      const body = { cart: true, session_id: visitor.session, email: 'ada@example.com' };
      const { secret_key: key, hmac_secret: signWith } = settings.keys;
      const [order, merged] = await Promise.all([
        stoa.send('POST', '/v1/orders', { key, signWith, body }),
        merge(ada, visitor.session),
      ]);
      cartOf(merged);
      const left = cartOf(await ada.send('GET', `/v1/cart?customer_id=${ada.id}`)).item_count;
      expect(order.status === 201 ? [3, left] : [0, left]).toEqual(order.status === 201 ? [3, 0] : [0, 3]);
      expect((await readCart(visitor)).item_count).toBe(0);
    }
  });

  test('under one key counts once', async () => {
    const { visitor } = await settings.withItem(2);
    const ada = await settings.newCustomer();
    const key = { 'Idempotency-Key': randomUUID() };
    const body = { session_id: visitor.session, customer_id: ada.id };
    const first = await ada.send('POST', '/v1/cart/merge', body, key);
    const again = await ada.send('POST', '/v1/cart/merge', body, key);
    expect(again.body).toEqual({ ...first.body, idempotent: true });
    expect(first.body.cart.item_count).toBe(2);
  });
});

describe('an interrupted merge', () => {
  const SOURCE = cartKey({ session: 'abc' });
  const TARGET = cartKey({ customer: CUSTOMER });
  const goods = [1, 2, 3].map((n) => offer(n, { stock: 9_999 }));

  /** The outcome of one command, and items added to the anonymous cart just before it. */
  const telling = fc.record({
    fate: fc.constantFrom('done', 'done', 'done', 'not done', 'done, but unheard'),
    added: fc.option(fc.integer({ min: 0, max: 2 }), { freq: 4 }),
  });

  test('and tried again takes over every piece once', async () => {
    const cases = fc.record({
      tellings: fc.array(telling, { maxLength: 30 }),
      first: fc.array(fc.integer({ min: 0, max: 2 }), { minLength: 1, maxLength: 4 }),
      own: fc.integer({ min: 0, max: 3 }),
      keyed: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(cases, async ({ tellings, first, own, keyed }) => {
        const carts = new Map([SOURCE, TARGET].map((key) => [key, livingCart(key)]));
        const [source, target] = [carts.get(SOURCE)!, carts.get(TARGET)!];
        let pieces = 0;
        const put = (n: number): void => {
          source.add(goods[n]!, 1);
          pieces++;
        };
        for (const n of first) put(n);
        if (own > 0) target.add(goods[0]!, own);
        const plan = [...tellings];
        const answers = new Map<string, CartAnswer>();
        const tell = async (
          _kind: unknown,
          _tenant: unknown,
          key: string,
          command: CartCommand,
          as: { idempotency?: unknown },
        ) => {
          const { fate, added } = plan.shift() ?? { fate: 'done', added: null };
          if (added !== null && source.state.status === 'active') put(added);
          if (fate === 'not done') throw new Unavailable('not now');
          const stored = as.idempotency ? answers.get('key') : undefined;
          const answer = stored ?? carts.get(key)!.do(JSON.parse(JSON.stringify(command)));
          if (as.idempotency) answers.set('key', answer);
          if (fate !== 'done') throw new UnknownOutcome('who knows');
          return answer;
        };
        const call = {
          tenant: TENANT,
          deadline: 0,
          idempotency: keyed ? { key: 'key', scope: '', fingerprint: '', replayOnly: false } : null,
        } as unknown as Call;
        const catalogue = {
          offers: async () => new Map(goods.map((each) => [each.variant_id, each])),
        } as unknown as CartCatalogue;

        for (let tries = 0; source.state.status === 'active'; tries++) {
          expect(tries).toBeLessThan(40);
          const before = target.state;
          try {
            const merged = await mergeCart({ tell } as unknown as Actors, catalogue, call, SHOP, {
              source: SOURCE,
              target: TARGET,
              customer: CUSTOMER,
            });
            expect(merged).not.toBeInstanceOf(Refusal);
          } catch (problem) {
            // A refusal that may be retried had no effect.
            if (problem instanceof Unavailable && !keyed) expect(target.state).toBe(before);
            else expect([Unavailable, UnknownOutcome].some((fault) => problem instanceof fault)).toBe(true);
          }
        }
        expect(source.state).toMatchObject({ status: 'merged', lines: [] });
        expect(target.state.lines.reduce((sum, { quantity }) => sum + quantity, 0)).toBe(own + pieces);
      }),
      { numRuns: 400 },
    );
  });
});

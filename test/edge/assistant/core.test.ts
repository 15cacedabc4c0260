// The core behind every agent protocol: carts and checkouts under an agent's name, lines that change while prices and
// stock stand, and the one order that a payment token pays.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { agentNameOf, Core } from '#edge/assistant/core.ts';
import type { Principal } from '#edge/gates/principal.ts';
import { RequestContext } from '#edge/request_context.ts';
import { Refusal } from '#runtime/call/call.ts';
import { type ManualClock, manualClock } from '#runtime/process/clock.ts';
import { type Merchant, openMerchant } from '#test/support/catalog.ts';
import { eventually } from '#test/support/server.ts';
import { type Stoa, startStoa } from '#test/support/stoa.ts';

const AGENT = agentNameOf('Test Assistant', 'mcp');
const ADDRESS = { line1: '12 Moi Avenue', city: 'Nairobi', country: 'KE' };
const MINUTE_MS = 60_000;

let stoa: Stoa;
let clock: ManualClock;
beforeAll(async () => {
  clock = manualClock(Date.now());
  stoa = await startStoa({ clock });
});
afterAll(() => stoa.stop());

interface Shop {
  readonly merchant: Merchant;
  readonly core: Core;
  readonly mug: string;
  readonly tea: string;
  available(variant: string): Promise<number>;
  price(variant: string, price: number): Promise<void>;
}

const coreOf = async (key: string): Promise<Core> => {
  const { edge } = stoa.edge;
  const principal = await edge.principals.resolve(`Bearer ${key}`);
  if (principal instanceof Refusal) throw new Error(principal.message);
  return new Core(edge, new RequestContext(new Request('http://localhost/'), randomUUID()), principal as Principal);
};

/** In the sandbox, since its tokens are simulated. */
const openShop = async (): Promise<Shop> => {
  const merchant = await openMerchant(stoa);
  const create = async (name: string, price: number): Promise<{ id: string; variant: string }> => {
    const { body, status, text } = await merchant.test('POST', '/v1/products', { name, price, stock: 5 });
    expect(status, text).toBe(201);
    return { id: body.id, variant: body.variant_id };
  };
  await merchant.test('PUT', '/v1/shipping/config', {
    fallback: { rate: { fee: 5, options: [{ name: 'Express', fee: 12 }] } },
  });
  const [mug, tea] = [await create('Mug', 10), await create('Tea', 4)];
  const ids = new Map([mug, tea].map(({ id, variant }) => [variant, id]));
  return {
    merchant,
    core: await coreOf(merchant.keys.publishable_test_key),
    mug: mug.variant,
    tea: tea.variant,
    available: async (variant) => (await merchant.test('GET', `/v1/inventory/${variant}`)).body.inventory.available,
    price: async (variant, price) => {
      expect((await merchant.test('PATCH', `/v1/products/${ids.get(variant)}`, { price })).status).toBe(200);
    },
  };
};

const good = <T>(answer: T | Refusal): T => {
  if (answer instanceof Refusal) throw new Error(`${answer.code}: ${answer.message} ${JSON.stringify(answer.extra)}`);
  return answer;
};
const why = (answer: unknown): [string, string | undefined] => {
  if (!(answer instanceof Refusal)) throw new Error(`not refused: ${JSON.stringify(answer)}`);
  return [answer.code, answer.extra.param];
};

const begin = async ({ core, mug }: Shop, more: object = {}) =>
  good(await core.beginCheckout(AGENT, { items: [{ variant_id: mug, quantity: 2 }], ...more }, null)).value;

const ready = { email: 'ada@example.com', shipping_address: ADDRESS, shipping_option_id: 'place' };

const tokenFor = async ({ core }: Shop, checkout: string, more: object = {}): Promise<string> =>
  good(
    await core.issueToken(
      {
        checkout_intent_id: checkout,
        max_amount: 100,
        currency: 'USD',
        expires_at: new Date(clock.real() + 10 * MINUTE_MS).toISOString(),
        ...more,
      },
      null,
    ),
  ).value.token;

describe('a cart', () => {
  test('creates a cart under its agent’s name, changes, cancels and checks it out', async () => {
    const shop = await openShop();
    const { core, mug, tea } = shop;
    const cart = good(await core.beginCart(AGENT, { items: [{ variant_id: mug, quantity: 1 }] }, null)).value;
    expect(cart).toMatchObject({ agent: AGENT, status: 'open', items: [{ name: 'Mug', unit_price: 10 }] });
    const buyer = { first_name: 'Ada', last_name: null, phone: null };
    const changed = good(
      await core.changeCart(cart.id, { items: [{ variant_id: tea, quantity: 3 }], buyer, email: 'a@b.example' }, null),
    ).value;
    expect(changed).toMatchObject({ total: 12, buyer, email: 'a@b.example' });
    const created = good(await core.beginCheckout(AGENT, { cart_draft_id: cart.id }, null)).value;
    expect(created).toMatchObject({ agent: AGENT, buyer, email: 'a@b.example', lines: [{ name: 'Tea', quantity: 3 }] });
    expect(why(await core.cancelCart(cart.id, null))).toEqual(['conflict', 'cart_draft_id']);
    const other = good(await core.beginCart(AGENT, { items: [{ variant_id: mug, quantity: 1 }] }, null)).value;
    expect(good(await core.cancelCart(other.id, null)).value.status).toBe('cancelled');
    expect(good(await core.cart(other.id)).status).toBe('cancelled');
    expect(why(await core.beginCheckout(AGENT, { cart_draft_id: other.id }, null))).toEqual([
      'conflict',
      'cart_draft_id',
    ]);
  });
});

describe('a checkout', () => {
  test('tells what is missing, where, and who can mend it', async () => {
    const shop = await openShop();
    const intent = await begin(shop);
    expect(intent.requirements).toEqual([
      { code: 'missing_address', path: 'shipping_address', resolver: 'agent' },
      { code: 'missing_email', path: 'email', resolver: 'agent' },
      { code: 'missing_shipping_option', path: 'shipping_option_id', resolver: 'agent' },
    ]);
    const complete = good(await shop.core.changeCheckout(intent.id, ready, null)).value;
    expect(complete).toMatchObject({ status: 'ready', requirements: [], grand_total: 25 });
    const { shipping_options } = complete;
    const express = shipping_options.find(({ name }) => name === 'Express')!;
    expect(
      good(await shop.core.changeCheckout(intent.id, { shipping_option_id: express.id }, null)).value.grand_total,
    ).toBe(32);
    const over = good(await shop.core.cancelCheckout(intent.id, null)).value;
    expect(over.requirements).toEqual([{ code: 'cancelled', path: 'status', resolver: 'nobody' }]);
  });

  test('asks the buyer of a checkout with an undeliverable address', async () => {
    const shop = await openShop();
    await shop.merchant.test('PUT', '/v1/shipping/config', {
      zones: [{ name: 'Kenya', kind: 'countries', countries: ['KE'], rate: { fee: 1 } }],
    });
    const intent = await begin(shop, { shipping_address: { ...ADDRESS, country: 'FR' } });
    expect(intent.requirements).toContainEqual({
      code: 'not_deliverable',
      path: 'shipping_address',
      resolver: 'buyer',
    });
    const { id } = intent;
    good(await shop.core.changeCheckout(id, ready, null));
    // The chosen option does not deliver to France, so another one must be chosen.
    const moved = good(
      await shop.core.changeCheckout(id, { shipping_address: { ...ADDRESS, country: 'FR' } }, null),
    ).value;
    expect(moved).toMatchObject({ status: 'open', shipping_option_id: null });
  });

  test('changes its lines: those that stay keep their price, and as much is held as it says', async () => {
    const shop = await openShop();
    const { core, mug, tea } = shop;
    const { id, lines } = await begin(shop, ready);
    expect(await shop.available(mug)).toBe(3);
    await shop.price(mug, 99);
    const more = [
      { variant_id: mug, quantity: 4 },
      { variant_id: tea, quantity: 1 },
    ];
    const grown = good(await core.changeCheckout(id, { items: more }, null)).value;
    expect(grown.lines).toMatchObject([
      { id: lines[0]!.id, unit_price: 10, quantity: 4, subtotal: 40 },
      { unit_price: 4, quantity: 1 },
    ]);
    expect(grown).toMatchObject({ status: 'ready', subtotal: 44, grand_total: 49 });
    expect([await shop.available(mug), await shop.available(tea)]).toEqual([1, 4]);
    const tooMany = [
      { variant_id: tea, quantity: 2 },
      { variant_id: mug, quantity: 6 },
    ];
    expect(why(await core.changeCheckout(id, { items: tooMany }, null))).toEqual([
      'insufficient_stock',
      'items[1].quantity',
    ]);
    expect([await shop.available(mug), await shop.available(tea)]).toEqual([1, 4]);
    expect(good(await core.checkout(id)).lines).toHaveLength(2);
    const less = good(await core.changeCheckout(id, { items: [{ variant_id: mug, quantity: 1 }] }, null)).value;
    expect(less).toMatchObject({ subtotal: 10, lines: [{ id: lines[0]!.id }] });
    expect([await shop.available(mug), await shop.available(tea)]).toEqual([4, 5]);
    const back = good(await core.changeCheckout(id, { items: [{ variant_id: tea, quantity: 5 }] }, null)).value;
    expect(back.lines).toMatchObject([{ name: 'Tea', quantity: 5 }]);
    expect([await shop.available(mug), await shop.available(tea)]).toEqual([5, 0]);
    expect(why(await core.changeCheckout(id, { items: [{ variant_id: randomUUID(), quantity: 1 }] }, null))).toEqual([
      'not_found',
      'items[0].variant_id',
    ]);
    expect(good(await core.cancelCheckout(id, null)).value.status).toBe('cancelled');
    await eventually(async () => expect(await shop.available(tea)).toBe(5));
  });

  test('changed by many at once holds what it says in the end', async () => {
    const shop = await openShop();
    const { core, mug } = shop;
    const { id } = await begin(shop, ready);
    const changes = await Promise.all(
      [1, 2, 3, 4, 5, 1, 2, 3].map((quantity) =>
        core.changeCheckout(id, { items: [{ variant_id: mug, quantity }] }, null),
      ),
    );
    for (const change of changes) if (change instanceof Refusal) expect(change.code).toBe('conflict');
    const { lines } = good(await core.checkout(id));
    expect(await shop.available(mug)).toBe(5 - lines[0]!.quantity);
  });

  test('answers a retry as the first time, and another body under its key not at all', async () => {
    const { core, mug } = await openShop();
    const input = { items: [{ variant_id: mug, quantity: 1 }] };
    const retry = { key: 'one', body: JSON.stringify(input) };
    const first = good(await core.beginCheckout(AGENT, input, retry));
    const again = good(await core.beginCheckout(AGENT, input, retry));
    expect([first.replayed, again.replayed]).toEqual([false, true]);
    expect(again.value).toEqual(first.value);
    expect(why(await core.beginCheckout(AGENT, input, { key: 'one', body: 'other' }))).toEqual([
      'idempotency_conflict',
      undefined,
    ]);
  });

  test('goes on without codes that do not apply, and tells of them', async () => {
    const shop = await openShop();
    const { core, mug } = shop;
    await shop.merchant.test('POST', '/v1/promotions', {
      name: 'Ten',
      code: 'TEN',
      type: 'percentage',
      value: 10,
      status: 'active',
    });
    const rejected = { code: 'WINTER', reason: expect.any(String), expired: false };
    const codes = { promotion_codes: ['WINTER', 'TEN'], email: 'a@b.example' };
    const intent = await begin(shop, codes);
    expect(intent).toMatchObject({ promotion_codes: ['TEN'], rejected_codes: [rejected], discount_total: 2 });
    const none = good(await core.changeCheckout(intent.id, { promotion_codes: ['WINTER'] }, null)).value;
    expect(none).toMatchObject({ promotion_codes: [], rejected_codes: [rejected], discount_total: 0 });
    const cleared = good(await core.changeCheckout(intent.id, { promotion_codes: [] }, null)).value;
    expect(cleared.rejected_codes).toEqual([]);
    const cart = good(await core.beginCart(AGENT, { items: [{ variant_id: mug, quantity: 1 }], ...codes }, null)).value;
    expect(cart).toMatchObject({ total: 9, rejected_codes: [rejected] });
  });

  test('names the field that is wrong as its caller named it', async () => {
    const { core, mug } = await openShop();
    const items = [{ variant_id: mug, quantity: 0 }];
    expect(why(await core.beginCheckout(AGENT, { items }, null))).toEqual(['invalid_request', 'items[0].quantity']);
    expect(
      why(await core.beginCheckout(AGENT, { items: [{ variant_id: mug, quantity: 1 }], email: 'x' }, null)),
    ).toEqual(['invalid_request', 'email']);
    expect(why(await core.checkout('not-an-id'))).toEqual(['not_found', undefined]);
  });
});

describe('completing', () => {
  test('places one order that its token has paid', async () => {
    const shop = await openShop();
    const { core, mug } = shop;
    const { id } = await begin(shop, { ...ready, note: 'Ring twice' });
    const token = await tokenFor(shop, id);
    const other = agentNameOf('Other', 'acp');
    const done = good(await core.completeCheckout(id, other, { token }, { key: 'k', body: 'b' }));
    expect(done.checkout).toMatchObject({ status: 'completed', agent: AGENT, order_id: done.order.id });
    expect(done.order).toMatchObject({
      total_amount: 25,
      amount_paid: 25,
      payment_status: 'paid',
      order_status: 'confirmed',
      checkout_intent_id: id,
      agent: other,
      note: 'Ring twice',
    });
    const again = good(await core.completeCheckout(id, other, { token }, { key: 'k', body: 'b' }));
    expect([again.replayed, again.order.id]).toEqual([true, done.order.id]);
    expect(why(await core.completeCheckout(id, other, { token }, null))).toEqual(['conflict', 'id']);
    await eventually(async () => {
      const { inventory } = (await shop.merchant.test('GET', `/v1/inventory/${mug}`)).body;
      expect(inventory).toMatchObject({ on_hand: 3, held: 0 });
    });
    const { body } = await shop.merchant.test('GET', `/v1/payments?order_id=${done.order.id}`);
    expect(body.payments).toMatchObject([{ provider: 'card_checkout', status: 'succeeded', amount: 25 }]);
  });

  test.each([
    ['of another total', { max_amount: 24 }, 'amount_mismatch'],
    ['in another currency', { currency: 'EUR' }, 'amount_mismatch'],
    ['of a declined card', { declines: true }, 'payment_declined'],
    ['for another checkout', { checkout_intent_id: randomUUID() }, 'invalid_request'],
  ])('with a token %s leaves all as it was', async (_, given, code) => {
    const shop = await openShop();
    const { id } = await begin(shop, ready);
    const token = await tokenFor(shop, id, given);
    expect(why(await shop.core.completeCheckout(id, AGENT, { token }, null))[0]).toBe(code);
    expect(good(await shop.core.checkout(id))).toMatchObject({ status: 'ready', order_id: null });
    expect(
      good(await shop.core.completeCheckout(id, AGENT, { token: await tokenFor(shop, id) }, null)).order,
    ).toMatchObject({
      payment_status: 'paid',
    });
  });

  test('takes no token of another store, none that is over, and none twice', async () => {
    const [shop, theirs] = [await openShop(), await openShop()];
    const { id } = await begin(shop, ready);
    const foreign = await tokenFor(theirs, id);
    expect(why(await shop.core.completeCheckout(id, AGENT, { token: foreign }, null))).toEqual([
      'invalid_request',
      'token',
    ]);
    expect(why(await shop.core.completeCheckout(id, AGENT, {}, null))).toEqual(['invalid_request', 'token']);
    const token = await tokenFor(shop, id);
    clock.advance(10 * MINUTE_MS);
    expect(why(await shop.core.completeCheckout(id, AGENT, { token }, null))).toEqual(['invalid_request', 'token']);
    const fresh = await tokenFor(shop, id);
    good(await shop.core.completeCheckout(id, AGENT, { token: fresh }, null));
    expect(why(await shop.core.completeCheckout(id, AGENT, { token: fresh }, null))[0]).toBe('conflict');
  });

  test('places one paid order for concurrent completions with equal or different tokens', async () => {
    const shop = await openShop();
    const { core } = shop;
    const { id } = await begin(shop, ready);
    const one = await tokenFor(shop, id);
    const tokens = [one, one, one, ...(await Promise.all([1, 2, 3].map(() => tokenFor(shop, id))))];
    const outcomes = await Promise.all(tokens.map((token) => core.completeCheckout(id, AGENT, { token }, null)));
    const done = outcomes.filter((outcome) => !(outcome instanceof Refusal));
    expect(done).toHaveLength(1);
    for (const outcome of outcomes) if (outcome instanceof Refusal) expect(outcome.code).toBe('conflict');
    const { body } = await shop.merchant.test('GET', '/v1/orders');
    expect(body.orders).toHaveLength(1);
    await eventually(async () => {
      const { payments } = (await shop.merchant.test('GET', '/v1/payments')).body;
      expect(payments.map(({ status }: { status: string }) => status)).toEqual(['succeeded']);
    });
  });

  test('places one paid order for twenty concurrent completions with one token', async () => {
    const shop = await openShop();
    const { core } = shop;
    const { id } = await begin(shop, ready);
    const token = await tokenFor(shop, id);
    const outcomes = await Promise.all(
      Array.from({ length: 20 }, (_, at) =>
        core.completeCheckout(id, AGENT, { token }, at % 2 === 0 ? null : { key: `k${at}`, body: 'b' }),
      ),
    );
    expect(outcomes.filter((outcome) => !(outcome instanceof Refusal))).toHaveLength(1);
    for (const outcome of outcomes) if (outcome instanceof Refusal) expect(outcome.code).toBe('conflict');
    await eventually(async () => {
      const { orders } = (await shop.merchant.test('GET', '/v1/orders')).body;
      expect(orders).toMatchObject([{ payment_status: 'paid', amount_paid: 25, amount_due: 0 }]);
      const { payments } = (await shop.merchant.test('GET', '/v1/payments')).body;
      expect(payments).toMatchObject([{ status: 'succeeded', amount: 25, amount_refunded: 0 }]);
    });
  });

  test('while the checkout expires either pays the one order or takes nothing', async () => {
    const shop = await openShop();
    const { core } = shop;
    const made = await shop.merchant.test('POST', '/v1/products', { name: 'Cup', price: 10, stock: 20 });
    const cup: string = made.body.variant_id;
    for (let waits = 0; waits < 12; waits++) {
      const held = await shop.available(cup);
      const { id } = good(
        await core.beginCheckout(AGENT, { items: [{ variant_id: cup, quantity: 1 }], ...ready }, null),
      ).value;
      const expires_at = new Date(clock.real() + 60 * MINUTE_MS).toISOString();
      const token = await tokenFor(shop, id, { expires_at });
      const completing = core.completeCheckout(id, AGENT, { token }, null);
      // A little later in its course each time.
      await Bun.sleep(waits * 2);
      clock.advance(31 * MINUTE_MS);
      const outcome = await completing;
      const checkout = good(await core.checkout(id));
      const { orders } = (await shop.merchant.test('GET', '/v1/orders')).body;
      const own = orders.filter((order: { checkout_intent_id: string }) => order.checkout_intent_id === id);
      if (outcome instanceof Refusal) {
        expect([checkout.status, outcome.code, own]).toEqual(['expired', 'conflict', []]);
        await eventually(async () => expect(await shop.available(cup)).toBe(held));
      } else {
        expect([checkout.status, checkout.order_id]).toEqual(['completed', outcome.order.id]);
        expect(own).toHaveLength(1);
        await eventually(async () => {
          const { order } = (await shop.merchant.test('GET', `/v1/orders/${outcome.order.id}`)).body;
          expect([order.payment_status, order.amount_due]).toEqual(['paid', 0]);
          expect(await shop.available(cup)).toBe(held - 1);
        });
      }
    }
  });

  test('an expired checkout takes nothing', async () => {
    const shop = await openShop();
    const { id } = await begin(shop, ready);
    const token = await tokenFor(shop, id, {
      expires_at: new Date(clock.real() + 60 * MINUTE_MS).toISOString(),
    });
    clock.advance(30 * MINUTE_MS);
    expect(good(await shop.core.checkout(id))).toMatchObject({
      status: 'expired',
      requirements: [{ code: 'expired', resolver: 'nobody' }],
    });
    expect(why(await shop.core.completeCheckout(id, AGENT, { token }, null))[0]).toBe('conflict');
  });

  test('tokens are issued in the sandbox alone, and a live store without cards takes none', async () => {
    const { merchant } = await openShop();
    const live = await coreOf(merchant.keys.publishable_key);
    const issue = {
      checkout_intent_id: randomUUID(),
      max_amount: 1,
      currency: 'USD',
      expires_at: '2099-01-01T00:00:00Z',
    };
    expect(why(await live.issueToken(issue, null))[0]).toBe('forbidden');
    const made = await merchant.secret('POST', '/v1/products', {
      name: 'Lesson',
      price: 3,
      stock: 1,
      shipping_info: { requires_shipping: false },
    });
    const items = [{ variant_id: made.body.variant_id, quantity: 1 }];
    const { id } = good(await live.beginCheckout(AGENT, { items, email: 'a@b.example' }, null)).value;
    expect(why(await live.completeCheckout(id, AGENT, { token: 'spt_1' }, null))).toEqual(['invalid_request', 'token']);
  });
});

describe('the catalogue', () => {
  test('finds products by search and by each kind of name', async () => {
    const shop = await openShop();
    const { core, mug } = shop;
    const found = await eventually(async () => {
      const answer = good(await core.find({ query: 'mug' }));
      expect(answer.products).toHaveLength(1);
      return answer;
    });
    const product = found.products[0]!;
    const looked = good(await core.lookUp([mug, product.product_slug!, product.id, randomUUID(), 'nothing']));
    expect(looked.products.map(({ id }) => id)).toEqual([product.id]);
    expect(looked.matches).toEqual([
      { id: mug, product_id: product.id, variant_id: mug },
      { id: product.product_slug, product_id: product.id, variant_id: null },
      { id: product.id, product_id: product.id, variant_id: null },
    ]);
    expect(good(await core.find({ categories: ['nowhere'] }))).toMatchObject({ total: 0, products: [] });
    expect(good(await core.find({ max_price: 5 })).products.map(({ name }) => name)).toEqual(['Tea']);
    const ways = good(await core.shippingOptions({ items: [{ variant_id: mug, quantity: 1 }], address: ADDRESS }));
    expect(ways.options.map(({ name, fee }) => [name, fee])).toContainEqual(['Express', 12]);
  });
});

// Storefront events and recommendations over HTTP.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type ManualClock, manualClock } from '#runtime/process/clock.ts';
import { subscribeEvents, untyped } from '#test/support/event.ts';
import { moveSandboxClock } from '#test/support/sandbox_clock.ts';
import { eventually } from '#test/support/server.ts';
import { type Keys, type Stoa, startStoa } from '#test/support/stoa.ts';

const UNKNOWN_ID = '00000000-0000-4000-8000-000000000000';

let stoa: Stoa;
let clock: ManualClock;
let keys: Keys;
beforeAll(async () => {
  clock = manualClock(Date.now());
  stoa = await startStoa({ clock });
  await openShop();
});
afterAll(() => stoa.stop());

const must = async (method: string, path: string, body: unknown, key = keys.secret_key) => {
  const reply = await stoa.send(method, path, { key, body });
  if (reply.status >= 300) throw new Error(`${reply.status} ${reply.text}`);
  return reply.body;
};

const tell = (body: object, headers: Record<string, string> = {}, key = keys.publishable_key) =>
  stoa.send('POST', '/v1/events', { key, body, headers });
const ask = (body: object, key = keys.secret_key) => stoa.send('POST', '/v1/recommendations', { key, body });

interface Item {
  readonly id: string;
  readonly variant_id: string;
}
const product = (name: string, more: object = {}): Promise<Item> =>
  must('POST', '/v1/products', { name, price: 10, stock: 50, ...more });

const namesOf = async (body: object): Promise<string[]> => {
  const reply = await ask(body);
  expect(reply.status, reply.text).toBe(200);
  return reply.body.recommendations.map(({ product: { name } }: { product: { name: string } }) => name);
};

const sessions = async (count: number, items: readonly Item[], event_type = 'view', key?: string): Promise<void> => {
  for (let n = 0; n < count; n++) {
    const session_id = randomUUID();
    for (const { id } of items) {
      const reply = await tell({ event_type, product_id: id, session_id }, {}, key);
      expect([reply.status, reply.body]).toEqual([200, { recorded: true }]);
    }
  }
};

const featureOf = async (key: string): Promise<{ status: string; previous_status: string | null }> => {
  const { features } = await must('GET', '/v1/features', undefined, key);
  return features.find(({ feature }: { feature: string }) => feature === 'recommendations');
};

let tent: Item;
let bag: Item;
let lamp: Item;
/** Opens a store without any events. */
const openShop = async (): Promise<void> => {
  keys = await stoa.createStore();
  tent = await product('Canvas tent');
  bag = await product('Sleeping bag');
  lamp = await product('Camping lamp');
};

describe('POST /v1/events', () => {
  test.each([
    [{ event_type: 'view' }, {}],
    [{ event_type: 'add_to_cart', session_id: 'abc', channel: 'marketplace' }, { 'x-svc-channel': 'storefront' }],
    [{ event_type: 'add_to_wishlist', session_id: null, customer_id: UNKNOWN_ID, channel: null }, {}],
    [{ event_type: 'view' }, { 'x-session-id': 'abc', 'x-svc-channel': 'marketplace' }],
    [{ event_type: 'view', channel: 'storefront' }, { 'x-svc-channel': 'magic' }],
  ])('records %j with the headers %j', async (body, headers) => {
    for (const key of [keys.publishable_key, keys.secret_key]) {
      expect((await tell({ ...body, product_id: tent.id }, headers, key)).body).toEqual({ recorded: true });
      expect((await tell({ ...body, variant_id: tent.variant_id }, headers, key)).body).toEqual({ recorded: true });
    }
  });

  test('allows browsers to send the channel header', async () => {
    const reply = await stoa.send('OPTIONS', '/v1/events', {
      headers: {
        Origin: 'https://shop.example',
        'Access-Control-Request-Method': 'POST',
        'Access-Control-Request-Headers': 'x-svc-channel',
      },
    });
    expect([reply.status, reply.headers.get('access-control-allow-headers')]).toEqual([204, 'x-svc-channel']);
  });

  test.each([
    [{}, {}, 'event_type'],
    [{ event_type: 'purchase' }, {}, 'event_type'],
    [{ event_type: 'view' }, {}, 'product_id'],
    [{ event_type: 'view', product_id: 'tent' }, {}, 'product_id'],
    [{ event_type: 'view', variant_id: 7 }, {}, 'variant_id'],
    [{ event_type: 'view', product_id: UNKNOWN_ID, channel: 'magic' }, {}, 'channel'],
    [{ event_type: 'view', product_id: UNKNOWN_ID, customer_id: 'ada' }, {}, 'customer_id'],
    [{ event_type: 'view', product_id: UNKNOWN_ID, session_id: '' }, {}, 'session_id'],
  ])('refuses %j with the headers %j', async (body, headers, param) => {
    const reply = await tell(body, headers);
    expect([reply.status, reply.body.error.code, reply.body.error.param]).toEqual([400, 'invalid_request', param]);
  });

  test('refuses an unknown channel in the header too', async () => {
    const reply = await tell({ event_type: 'view', product_id: tent.id }, { 'x-svc-channel': 'magic' });
    expect([reply.status, reply.body.error.param]).toEqual([400, 'X-Svc-Channel']);
  });

  test('answers 404 for a product that is missing, inactive or another store’s', async () => {
    const hidden = await product('Hidden', { is_active: false });
    const other = await stoa.createStore();
    for (const [body, param, key] of [
      [{ product_id: UNKNOWN_ID }, 'product_id', keys.publishable_key],
      [{ variant_id: UNKNOWN_ID }, 'variant_id', keys.secret_key],
      [{ product_id: hidden.id }, 'product_id', keys.publishable_key],
      [{ variant_id: hidden.variant_id }, 'variant_id', keys.publishable_key],
      [{ product_id: tent.id }, 'product_id', other.publishable_key],
      [{ product_id: tent.id }, 'product_id', keys.publishable_test_key],
    ] as const) {
      const reply = await tell({ event_type: 'view', ...body }, {}, key);
      expect([reply.status, reply.body.error?.code, reply.body.error?.param]).toEqual([404, 'not_found', param]);
    }
    expect((await tell({ event_type: 'view', product_id: hidden.id }, {}, keys.secret_key)).status).toBe(200);
  });
});

describe('POST /v1/recommendations', () => {
  beforeEach(openShop);

  test('awaits data until some pair of products was seen in five sessions, and shows others meanwhile', async () => {
    await sessions(4, [tent, bag]);
    // Repeats in one session and sessions with one product prove nothing.
    const again = randomUUID();
    for (let n = 0; n < 3; n++) await tell({ event_type: 'view', product_id: tent.id, session_id: again });
    const before = await ask({ product_id: tent.id });
    expect(before.body.status).toBe('awaiting_data');
    expect(before.body.recommendations.map(({ reason }: { reason: string }) => reason)).not.toContain(
      'viewed_together',
    );
    expect(before.body.recommendations.length).toBe(2);
    expect((await featureOf(keys.publishable_key)).status).toBe('awaiting_data');

    await tell({ event_type: 'view', product_id: bag.id, session_id: again });
    const after = await ask({ intent: 'next_likely', product_id: tent.id });
    expect(after.body.status).toBe('available');
    const [first] = after.body.recommendations;
    expect(first).toMatchObject({ product_id: bag.id, reason: 'viewed_together' });
    expect(first.score).toBeGreaterThan(0);
    expect(first.score).toBeLessThanOrEqual(1);
    const list = await stoa.send('GET', `/v1/products?ids=${bag.id}`, { key: keys.publishable_key });
    expect(first.product).toEqual(list.body.products[0]);
    await eventually(async () =>
      expect(await featureOf(keys.publishable_key)).toMatchObject({
        status: 'available',
        previous_status: 'awaiting_data',
      }),
    );
  });

  test('ranks products bought or carted together before those only viewed together', async () => {
    await sessions(6, [tent, lamp]);
    await sessions(6, [tent, bag], 'add_to_cart');
    const { body } = await ask({ product_id: tent.id });
    expect(body.recommendations.map(({ product_id, reason }: Record<string, string>) => [product_id, reason])).toEqual([
      [bag.id, 'bought_together'],
      [lamp.id, 'viewed_together'],
    ]);
  });

  test('learns from orders', async () => {
    for (let n = 0; n < 5; n++) {
      const reply = await stoa.send('POST', '/v1/orders', {
        key: keys.secret_key,
        signWith: keys.hmac_secret,
        body: {
          email: 'ada@example.com',
          items: [tent, lamp].map(({ variant_id }) => ({ variant_id, quantity: 1 })),
          shipping_address: { line1: '1 Road', city: 'Nairobi', country: 'KE' },
        },
      });
      expect(reply.status, reply.text).toBe(201);
    }
    await eventually(async () => {
      const { body } = await ask({ product_id: lamp.id, limit: 1 });
      expect([body.status, body.recommendations[0].product_id, body.recommendations[0].reason]).toEqual([
        'available',
        tent.id,
        'bought_together',
      ]);
    });
  });

  test('follows a session’s or a customer’s products, and leaves them out', async () => {
    await sessions(5, [tent, bag]);
    const { customer } = await must('POST', '/v1/customers', { email: 'grace@example.com' });
    const session_id = randomUUID();
    await tell({ event_type: 'add_to_cart', product_id: tent.id, session_id, customer_id: customer.id });
    for (const who of [{ session_id }, { customer_id: customer.id }, { session_id: 'new', customer_id: customer.id }]) {
      const names = await namesOf(who);
      expect(names[0]).toBe('Sleeping bag');
      expect(names).not.toContain('Canvas tent');
    }
    // A product in the cart is left out beside another product too; a viewed one is not.
    expect((await namesOf({ product_id: bag.id }))[0]).toBe('Canvas tent');
    for (const who of [{ session_id }, { customer_id: customer.id }])
      expect(await namesOf({ product_id: bag.id, ...who })).not.toContain('Canvas tent');
    await tell({ event_type: 'view', product_id: tent.id, session_id: 'looks' });
    expect((await namesOf({ product_id: bag.id, session_id: 'looks' }))[0]).toBe('Canvas tent');
    // An unknown customer's event is recorded without the customer.
    await tell({ event_type: 'view', product_id: tent.id, session_id: 'claims', customer_id: UNKNOWN_ID });
    expect((await ask({ customer_id: UNKNOWN_ID })).status).toBe(404);
  });

  test('answers 404 for a deleted customer, even after an earlier answer', async () => {
    const { customer } = await must('POST', '/v1/customers', { email: 'joan@example.com' });
    expect((await ask({ customer_id: customer.id })).status).toBe(200);
    expect((await stoa.send('DELETE', `/v1/customers/${customer.id}`, { key: keys.secret_key })).status).toBe(200);
    const gone = await ask({ customer_id: customer.id });
    expect([gone.status, gone.body.error?.param]).toEqual([404, 'customer_id']);
  });

  test('ranks trending products, and shows featured ones before the first visit', async () => {
    const nothing = await ask({ intent: 'trending' });
    expect([nothing.body.status, nothing.body.recommendations.length]).toEqual(['awaiting_data', 3]);
    await sessions(1, [lamp], 'add_to_cart');
    await sessions(2, [bag]);
    const { body } = await ask({ intent: 'trending', limit: 2 });
    expect(body.status).toBe('available');
    expect(body.recommendations.map(({ product_id }: { product_id: string }) => product_id)).toEqual([lamp.id, bag.id]);
    expect(body.recommendations.map(({ reason }: { reason: string }) => reason)).toEqual(['trending', 'trending']);
  });

  test('finds similar products without any event', async () => {
    const { category } = await must('POST', '/v1/categories', { name: 'Lamps' });
    const one = await product('Bright lamp', { category_id: category.id });
    await product('Dim lamp', { category_id: category.id });
    const { body } = await ask({ intent: 'similar', product_id: one.id, limit: 1 });
    expect([body.status, body.recommendations[0].product.name, body.recommendations[0].reason]).toEqual([
      'available',
      'Dim lamp',
      'similar',
    ]);
  });

  test('compares the words of products without other data', async () => {
    const red = await product('Red running shoe');
    await product('Blue running shoe');
    await product('Green trail shoe');
    const { body } = await ask({ intent: 'similar', product_id: red.id });
    expect(body.recommendations.map((each: { product: { name: string } }) => each.product.name)).toEqual([
      'Blue running shoe',
      'Green trail shoe',
    ]);
    const [near, far] = body.recommendations.map(({ score }: { score: number }) => score);
    expect(near).toBeGreaterThan(far);
    expect(far).toBeGreaterThan(0);
  });

  test('awaits data again when a product of the proving pair is deleted, and emits each change once', async () => {
    const changes: object[] = [];
    const unlisten = subscribeEvents(stoa.services.runtime, ({ type, data }, { store, environment }) => {
      if (type !== 'feature.status_changed' || store !== keys.store_id) return;
      if (untyped(data.object).feature === 'recommendations') changes.push({ environment, ...untyped(data.object) });
    });
    const feature = { environment: 'production', feature: 'recommendations' };
    const arrived = { ...feature, status: 'available', previous_status: 'awaiting_data' };
    const lost = { ...feature, status: 'awaiting_data', previous_status: 'available' };
    await sessions(5, [tent, bag]);
    await eventually(async () => expect((await featureOf(keys.publishable_key)).status).toBe('available'));
    await eventually(() => expect(changes).toEqual([arrived]));
    await must('DELETE', `/v1/products/${tent.id}`, undefined);
    await eventually(async () => {
      // A read that misses the product forgets it, in case no event announces it.
      expect((await ask({ product_id: bag.id })).status).toBe(200);
      expect(await featureOf(keys.publishable_key)).toMatchObject({
        status: 'awaiting_data',
        previous_status: 'available',
      });
    });
    await eventually(() => expect(changes).toEqual([arrived, lost]));
    unlisten();
  });

  test('leaves out inactive and deleted products, and awaits data again without the proving pair', async () => {
    const changes = async () => (await featureOf(keys.publishable_key)).status;
    await sessions(5, [tent, bag]);
    await eventually(async () => expect(await changes()).toBe('available'));
    await must('PATCH', `/v1/products/${bag.id}`, { is_active: false });
    expect(await namesOf({ product_id: tent.id })).not.toContain('Sleeping bag');
    expect((await ask({ product_id: tent.id })).body.status).toBe('available');
    await must('DELETE', `/v1/products/${bag.id}`, undefined);
    await eventually(async () => {
      await ask({ product_id: tent.id });
      expect(await changes()).toBe('awaiting_data');
    });
    expect((await ask({ product_id: tent.id })).body.status).toBe('awaiting_data');
  });

  test('keeps tenants and environments apart', async () => {
    await sessions(5, [tent, bag]);
    expect((await ask({ product_id: tent.id }, keys.secret_test_key)).status).toBe(404);
    expect((await ask({}, keys.secret_test_key)).body).toEqual({ recommendations: [], status: 'awaiting_data' });
    const other = await stoa.createStore();
    expect((await ask({}, other.secret_key)).body).toEqual({ recommendations: [], status: 'awaiting_data' });
  });

  test('awaits data again when the proving pair is too old by the tenant’s clock', async () => {
    const write = (path: string, body: unknown) => must('POST', path, body, keys.secret_test_key);
    const items: Item[] = [
      await write('/v1/products', { name: 'Kettle', price: 5, stock: 5 }),
      await write('/v1/products', { name: 'Cup', price: 5, stock: 5 }),
    ];
    await sessions(5, items, 'view', keys.publishable_test_key);
    const ours = async () => {
      const { status, body } = await ask({ product_id: items[0]!.id }, keys.secret_test_key);
      return [status, body.status, (await featureOf(keys.publishable_test_key)).status];
    };
    await eventually(async () => expect(await ours()).toEqual([200, 'available', 'available']));
    await moveSandboxClock(stoa.services.runtime, keys.store_id, 91 * 86_400_000);
    await eventually(async () => expect(await ours()).toEqual([200, 'awaiting_data', 'awaiting_data']));
  });
});

describe('an invalid request for recommendations', () => {
  test.each([
    [{ intent: 'magic' }, 400, 'intent'],
    [{ intent: 'similar' }, 400, 'product_id'],
    [{ product_id: 'tent' }, 400, 'product_id'],
    [{ limit: 0 }, 400, 'limit'],
    [{ limit: 101 }, 400, 'limit'],
    [{ product_id: UNKNOWN_ID }, 404, 'product_id'],
    [{ customer_id: UNKNOWN_ID }, 404, 'customer_id'],
  ])('refuses %j', async (body, status, param) => {
    const reply = await ask(body);
    expect([reply.status, reply.body.error.param]).toEqual([status, param]);
  });

  test('requires a secret key', async () => {
    const reply = await ask({}, keys.publishable_key);
    expect([reply.status, reply.body.error.code, typeof reply.body.error.hint]).toEqual([403, 'forbidden', 'string']);
  });
});

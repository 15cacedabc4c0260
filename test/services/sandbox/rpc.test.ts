// Clock advances over HTTP: everything due fires in order before the response.
import { beforeAll, describe, expect, test } from 'vitest';
import { type Keys, type Stoa, sharedStoa } from '#test/support/stoa.ts';

let stoa: Stoa;
beforeAll(async () => {
  stoa = await sharedStoa();
});

const HOUR_S = 3_600;
const DAY_S = 24 * HOUR_S;

/** A shop's sandbox as its developer has it. */
const openSandbox = async () => {
  const keys: Keys = await stoa.createStore();
  const key = keys.secret_test_key;
  const send = (method: string, path: string, body?: unknown, headers = {}) =>
    stoa.send(method, path, { key, headers, ...(body === undefined ? {} : { body }) });
  const made = async (method: string, path: string, body?: unknown, headers = {}) => {
    const reply = await send(method, path, body, headers);
    expect(reply.status, reply.text).toBeLessThan(300);
    return reply.body;
  };
  return {
    keys,
    send,
    made,
    travel: (body: unknown) => made('POST', '/v1/sandbox/time-travel', body),
    now: async () => Date.now() + (await made('GET', '/v1/sandbox/clock')).offset_seconds * 1_000,
    /** The log of events, oldest first. */
    events: async () => {
      const events: Event[] = [];
      for (let cursor = ''; ; ) {
        const page = await made('GET', `/v1/webhook-events?limit=100${cursor}`);
        events.push(...page.webhook_events);
        if (!page.pagination.has_more) return events.toReversed();
        cursor = `&cursor=${encodeURIComponent(page.pagination.next_cursor)}`;
      }
    },
  };
};

interface Event {
  readonly type: string;
  readonly created_at: string;
}

describe('the clock of a sandbox', () => {
  test('advances by seconds or to a moment', async () => {
    const { travel, now } = await openSandbox();
    const before = Date.now();
    const { now: then } = await travel({ advance_seconds: HOUR_S });
    expect(new Date(then).getTime()).toBeGreaterThanOrEqual(before + HOUR_S * 1_000);
    expect(await now()).toBeGreaterThanOrEqual(new Date(then).getTime());
    const target = new Date(before + 2 * DAY_S * 1_000).toISOString();
    expect(await travel({ to: target })).toEqual({ now: target, fired: [] });
    expect(await now()).toBeGreaterThanOrEqual(new Date(target).getTime());
  });

  test.each([
    ['neither', {}, 'advance_seconds'],
    ['both', { advance_seconds: 5, to: '2999-01-01T00:00:00Z' }, 'to'],
    ['nothing', { advance_seconds: 0 }, 'advance_seconds'],
    ['back', { advance_seconds: -1 }, 'advance_seconds'],
    ['a part of a second', { advance_seconds: 1.5 }, 'advance_seconds'],
    ['a word', { advance_seconds: 'long' }, 'advance_seconds'],
    ['too far', { advance_seconds: 400_000_000 }, 'advance_seconds'],
    ['the past', { to: '2001-01-01T00:00:00Z' }, 'to'],
    ['no time', { to: 'tomorrow' }, 'to'],
    ['too far a moment', { to: '2999-01-01T00:00:00Z' }, 'to'],
  ])('does not go by %s', async (_name, body, param) => {
    const { send } = await openSandbox();
    const { status, body: answer } = await send('POST', '/v1/sandbox/time-travel', body);
    expect([status, answer.error?.code, answer.error?.param]).toEqual([400, 'invalid_request', param]);
  });

  test('requires a secret test key and moves no other clock', async () => {
    const { keys, travel } = await openSandbox();
    for (const key of [keys.secret_key, keys.publishable_key, keys.publishable_test_key]) {
      const { status } = await stoa.send('POST', '/v1/sandbox/time-travel', { key, body: { advance_seconds: 60 } });
      expect(status).toBe(403);
    }
    await travel({ advance_seconds: DAY_S });
    const { clock } = stoa.services.runtime;
    expect(clock.offset({ store: keys.store_id, environment: 'production' })).toBe(0);
  });

  test('advances once under one idempotency key', async () => {
    const { made } = await openSandbox();
    const headers = { 'Idempotency-Key': 'to-tomorrow' };
    const first = await made('POST', '/v1/sandbox/time-travel', { advance_seconds: DAY_S }, headers);
    const clock = await made('GET', '/v1/sandbox/clock');
    // The advanced clock makes the key a day old, so that it is deleted; after a minute it is not.
    const short = { 'Idempotency-Key': 'a-minute' };
    const second = await made('POST', '/v1/sandbox/time-travel', { advance_seconds: 60 }, short);
    expect(await made('POST', '/v1/sandbox/time-travel', { advance_seconds: 60 }, short)).toEqual({
      ...second,
      idempotent: true,
    });
    expect(new Date(second.now).getTime() - new Date(first.now).getTime()).toBeLessThan(120_000);
    expect(clock.offset_seconds).toBeGreaterThan(DAY_S - 60);
  });

  test('keeps the clock when services restart', async () => {
    const { keys, travel } = await openSandbox();
    await travel({ advance_seconds: 5 * DAY_S });
    const tenant = { store: keys.store_id, environment: 'sandbox' as const };
    const { clock, domains } = stoa.services.runtime;
    const offset = clock.offset(tenant);
    clock.setOffset(tenant, 0);
    const sandbox = domains.find(({ name }) => name === 'sandbox');
    await sandbox?.start?.();
    expect(clock.offset(tenant)).toBe(offset);
    await sandbox?.stop?.();
  });
});

test('lets the advancing caller buy an expired intent’s stock at once', async () => {
  const { made, travel } = await openSandbox();
  const { id, variant_id } = await made('POST', '/v1/products', { name: 'Lamp', price: 20, stock: 3, sku: 'LAMP' });
  // Several times: what comes a moment later is now and then there in time.
  for (let round = 0; round < 6; round++) {
    await made('POST', '/v1/agent/checkout-intents', { items: [{ variant_id, quantity: 1 }] });
    expect((await made('GET', `/v1/products/${id}`)).stock).toBe(2);
    await travel({ advance_seconds: HOUR_S });
    const { inventory } = await made('GET', `/v1/inventory/${variant_id}`);
    const { stock } = await made('GET', `/v1/products/${id}`);
    expect({ held: inventory.held, stock }, `round ${round}`).toEqual({ held: 0, stock: 3 });
  }
});

/** Something of everything that waits for its time. */
const story = async ({ keys, made, travel, now }: Awaited<ReturnType<typeof openSandbox>>) => {
  const start = await now();
  const at = (seconds: number) => new Date(start + seconds * 1_000).toISOString();
  const product = await made('POST', '/v1/products', { name: 'Lamp', price: 20, stock: 3, sku: 'LAMP' });
  await made('POST', '/v1/price-lists', {
    name: 'Spring',
    starts_at: at(2 * DAY_S),
    ends_at: at(3 * DAY_S),
    prices: [{ variant_id: product.variant_id, price: 15 }],
  });
  await made('POST', '/v1/promotions', {
    name: 'Week',
    type: 'percentage',
    value: 10,
    status: 'scheduled',
    starts_at: at(DAY_S),
    ends_at: at(8 * DAY_S),
  });
  await made('POST', '/v1/gift-cards', { amount: 10, expires_at: at(4 * DAY_S) });
  await made('POST', '/v1/gift-cards', { amount: 20, expires_at: at(20 * DAY_S) });
  const { customer, session } = await made(
    'POST',
    '/v1/auth/register',
    { email: 'ann@example.com', password: 'correct horse battery' },
    { 'X-Shopper-IP': `2001:db8:7::${keys.store_id.slice(0, 4)}` },
  );
  const token = { 'x-auth-token': session.access_token };
  await made(
    'POST',
    '/v1/cart/items',
    { customer_id: customer.id, variant_id: product.variant_id, quantity: 1 },
    token,
  );
  const { data: intent } = await made('POST', '/v1/agent/checkout-intents', {
    items: [{ variant_id: product.variant_id, quantity: 2 }],
    email: 'bob@example.com',
  });
  const advance = await travel({ advance_seconds: 30 * DAY_S });
  return { product, intent, token, advance, start };
};

/** Removes ids, codes and times, so that runs can be compared. */
const masked = (value: unknown, start: number): unknown => {
  if (Array.isArray(value)) return value.map((each) => masked(each, start));
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(
      Object.entries(value).map(([key, each]) => [
        key,
        key === 'code' || key === 'sequence' ? '' : masked(each, start),
      ]),
    );
  if (typeof value !== 'string') return value;
  if (/^\d{4}-\d\d-\d\dT/.test(value)) return `+${Math.round((new Date(value).getTime() - start) / 60_000)} min`;
  return value
    .replace(/[0-9a-f]{8}-[0-9a-f-]{27}/g, '…')
    .replace(/^evt_\w+$/, '…')
    .replace(/lamp-\w+/, '…');
};

describe('a journey of thirty days', { timeout: 120_000 }, () => {
  test('fires everything due in order of time', async () => {
    const sandbox = await openSandbox();
    const { product, intent, token, advance, start } = await story(sandbox);
    expect(advance.fired).toEqual([
      { type: 'cart.abandoned', count: 1 },
      { type: 'checkout_intent', count: 1 },
      { type: 'gift_card.expired', count: 2 },
      { type: 'price_list', count: 2 },
      { type: 'promotion.activated', count: 1 },
      { type: 'promotion.deactivated', count: 1 },
      { type: 'stock', count: 2 },
    ]);
    const day = (created: string) => Math.round(((new Date(created).getTime() - start) / 86_400_000) * 100) / 100;
    const events = await sandbox.events();
    const late = events
      .map(({ type, created_at }) => [type, day(created_at)] as const)
      .filter(([, when]) => when > 0.01);
    expect(late).toEqual([
      ['cart.abandoned', 0.04],
      ['promotion.activated', 1],
      ['gift_card.expired', 4],
      ['promotion.deactivated', 8],
      ['gift_card.expired', 20],
    ]);
    const { made, send } = sandbox;
    const { data } = await made('GET', `/v1/agent/checkout-intents/${intent.id}`);
    expect([data.status, data.hold.status]).toEqual(['expired', 'released']);
    const { inventory } = await made('GET', `/v1/inventory/${product.variant_id}`);
    expect([inventory.available, inventory.held]).toEqual([3, 0]);
    expect((await send('GET', '/v1/auth/me', undefined, token)).status).toBe(401);
    expect((await made('GET', `/v1/products/${product.id}`)).selling_price).toBe(20);
  });

  test('fires the same in every run', async () => {
    const tell = async () => {
      const sandbox = await openSandbox();
      const { start } = await story(sandbox);
      const events = await sandbox.events();
      const isEarly = ({ created_at }: { created_at: string }) =>
        new Date(created_at).getTime() < start + HOUR_S * 1_000;
      const late = events.filter((event) => !isEarly(event)).map((event) => masked(event, start));
      return {
        early: events
          .filter(isEarly)
          .map(({ type }) => type)
          .sort(),
        late,
      };
    };
    expect(await tell()).toEqual(await tell());
  });
});

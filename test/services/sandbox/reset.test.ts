// A sandbox that begins anew over HTTP: nothing of it is left, nothing of production is touched.
import { beforeAll, describe, expect, test } from 'vitest';
import { resetRules } from '#services/sandbox/reset.ts';
import { plainPng } from '#test/support/picture.ts';
import { eventually } from '#test/support/server.ts';
import { type Keys, type Stoa, sharedStoa } from '#test/support/stoa.ts';

/** Much is done here, and machines may be busy. */
const PATIENCE_MS = 120_000;

let stoa: Stoa;
beforeAll(async () => {
  stoa = await sharedStoa();
});

const made = async (reply: ReturnType<Stoa['send']>) => {
  const { status, body, text } = await reply;
  expect(status, text).toBeLessThan(300);
  return body;
};

const caller =
  (key: string, signWith?: string) =>
  (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) =>
    made(
      stoa.send(method, path, {
        key,
        headers,
        ...(body === undefined ? {} : { body, ...(signWith ? { signWith } : {}) }),
      }),
    );

const lamp = async (send: ReturnType<typeof caller>): Promise<string> =>
  (
    await send('POST', '/v1/products', {
      name: 'Lamp',
      price: 20,
      stock: 9,
      shipping_info: { requires_shipping: false },
    })
  ).variant_id;

/** Something of everything that a store keeps, in one of its environments. */
const furnish = async (keys: Keys, environment: 'production' | 'sandbox') => {
  const live = environment === 'production';
  const send = caller(live ? keys.secret_key : keys.secret_test_key);
  const sign = caller(live ? keys.secret_key : keys.secret_test_key, live ? keys.hmac_secret : keys.hmac_test_secret);
  const { category } = await send('POST', '/v1/categories', { name: `Lamps of ${environment}` });
  const product = await send('POST', '/v1/products', {
    name: `Lamp of ${environment}`,
    price: 20,
    stock: 30,
    sku: `LAMP-${environment}`,
    category_id: category.id,
    shipping_info: { requires_shipping: false },
  });
  const { collection } = await send('POST', '/v1/product-collections', { name: environment, slug: environment });
  await send('PUT', `/v1/product-collections/${collection.id}/products`, { product_ids: [product.id] });
  await send('POST', '/v1/price-lists', { name: environment, prices: [{ variant_id: product.variant_id, price: 18 }] });
  await send('POST', '/v1/promotions', {
    name: environment,
    type: 'percentage',
    value: 10,
    status: 'active',
    code: 'TEN',
  });
  await send('POST', '/v1/media', plainPng(9, 9));
  await send('POST', '/v1/blog/posts', { title: environment, slug: 'told', status: 'published' });
  const hotspots = [{ x: 0.5, y: 0.5, product_id: product.id }];
  const images = [{ url: 'https://cdn.example/look.jpg', hotspots }];
  await send('POST', '/v1/lookbooks', { title: environment, slug: 'told', status: 'published', images });
  const shopper = live ? keys.publishable_key : keys.publishable_test_key;
  for (const path of ['/v1/lookbooks/told', '/v1/blog/posts/told']) await caller(shopper)('GET', path);
  await send('POST', '/v1/tax-rates', { name: environment, country: 'KE', rate: 0.16 });
  await send('PUT', '/v1/mail-templates/order_placed', { subject: environment, enabled: true });
  const { url: bounces } = await send('POST', '/v1/mail-suppressions/bounce-address', {});
  const events = [{ email: 'gone@example.com', type: 'hard_bounce' }];
  await stoa.send('POST', new URL(bounces).pathname, { body: { events } });
  await send('PUT', '/v1/shipping/config', { fallback: { rate: { fee: live ? 7 : 3 } } });
  await sign('POST', '/v1/ingestion/push', {
    products: [{ external_id: 'P', name: `Pushed to ${environment}`, price: 5 }],
  });
  await send('POST', '/v1/gift-cards', { amount: 10 });
  const account = { email: 'ann@example.com', password: 'correct horse battery' };
  const { customer, session: signedIn } = await send('POST', '/v1/auth/register', account);
  const session = { 'x-auth-token': signedIn.access_token };
  const { review } = await send(
    'POST',
    '/v1/reviews',
    { product_id: product.id, rating: 4, title: 'Bright', body: 'As day.' },
    session,
  );
  await send('PATCH', `/v1/reviews/${review.id}`, { status: 'approved' });
  await send('POST', `/v1/reviews/${review.id}/helpful`);
  await eventually(async () => expect((await send('GET', `/v1/products/${product.id}`)).review_count).toBe(1));
  const quote = await send('POST', '/v1/b2b/quotes', {
    customer_id: customer.id,
    items: [{ variant_id: product.variant_id, quantity: 5, unit_price: 15 }],
  });
  await send('POST', `/v1/b2b/quotes/${quote.data.id}/accept`, {}, session);
  const shipping_address = { line1: '1 High Street', city: 'Nairobi', country: 'KE' };
  const po = { quote_id: quote.data.id, po_number: 'PO-1', shipping_address };
  const purchaseOrder = await send('POST', '/v1/b2b/purchase-orders', po, session);
  await send('POST', `/v1/b2b/purchase-orders/${purchaseOrder.data.id}/confirm`);
  await send('POST', '/v1/b2b/invoices', { purchase_order_id: purchaseOrder.data.id });
  await send('POST', '/v1/messaging/threads', { customer_id: customer.id, subject: 'Welcome', body: 'To the lamps.' });
  const items = [{ variant_id: product.variant_id, quantity: 1 }];
  await send('POST', '/v1/cart/items', { ...items[0] }, { 'X-Session-Id': 'shopper' });
  await send('POST', '/v1/agent/quotes', { items });
  await send('POST', '/v1/agent/checkout-intents', { items });
  const { order } = await sign('POST', '/v1/orders', { items, email: 'ann@example.com' });
  const bought = await sign('POST', '/v1/orders', { items, customer_id: customer.id });
  await sign('PATCH', `/v1/orders/${bought.order.id}`, { payment_status: 'paid', order_status: 'delivered' });
  await send('POST', `/v1/orders/${bought.order.id}/returns`, { reason_code: 'damaged' }, session);
  const dispute = { order_id: bought.order.id, reason_code: 'damaged', description: 'It arrived in pieces.' };
  await send('POST', '/v1/disputes', dispute, session);
  await eventually(async () =>
    expect((await send('GET', '/v1/ingestion/jobs')).jobs.map(({ status }: { status: string }) => status)).toEqual([
      'completed',
    ]),
  );
  return { product, category, collection, order, send, sign };
};

/** Reads all rows of one tenant, except for those written later in the background. */
const rowsOf = async (keys: Keys, environment: string): Promise<Record<string, number>> => {
  const { sql } = stoa.services.runtime.postgres;
  const counted: Record<string, number> = {};
  for (const [table] of resetRules(stoa.services.runtime.domains)) {
    const [row] = await sql.unsafe<{ rows: number; newest: string }[]>(
      `select count(*)::integer as rows from ${table} where store = $1 and environment = $2`,
      [keys.store_id, environment],
    );
    if (row && row.rows > 0) counted[table] = row.rows;
  }
  return counted;
};

/** Waits for rows written after an event or a command. */
const FOLLOWING =
  /^(runtime|webhook|recommendation|report)\.|^mail\.message$|^catalog\.(held|on_hand)_change|^store\.(feature|key_use)/;
const writtenRowsOf = async (keys: Keys, environment: string): Promise<Record<string, number>> =>
  Object.fromEntries(Object.entries(await rowsOf(keys, environment)).filter(([table]) => !FOLLOWING.test(table)));

describe('every table with rows of tenants', () => {
  test('declares for every table what a reset does to it', async () => {
    const { sql } = stoa.services.runtime.postgres;
    const rows = await eventually(
      () => sql<{ name: string }[]>`
      select table_schema || '.' || table_name as name from information_schema.columns
      where table_schema not in ('pg_catalog', 'information_schema') and column_name in ('store', 'environment')
      group by 1 having count(*) = 2 order by 1`,
    );
    const events = resetRules(stoa.services.runtime.domains).map(([table]) => table);
    expect([...events].sort()).toEqual(rows.map(({ name }) => name));
  });
});

describe('a reset', { timeout: PATIENCE_MS }, () => {
  test('deletes everything but settings, and the same story can be repeated', async () => {
    const keys = await stoa.createStore({ wholesale: true });
    const { send, product, order } = await furnish(keys, 'sandbox');
    await send('POST', '/v1/sandbox/time-travel', { advance_seconds: 40 * 86_400 });
    const before = await send('GET', '/v1/shipping/config');
    const reply = await send('POST', '/v1/sandbox/reset', {}, { 'Idempotency-Key': 'once' });
    expect(reply).toEqual({ reset: true, now: expect.any(String) });
    expect(Math.abs(new Date(reply.now).getTime() - Date.now())).toBeLessThan(60_000);
    expect((await send('GET', '/v1/sandbox/clock')).offset_seconds).toBe(0);
    const retained = resetRules(stoa.services.runtime.domains)
      .filter(([, rule]) => rule === 'retained' || rule === 'replaced')
      .map(([table]) => table);
    // The reset's own answer, stored for retries, and its own audit record.
    const own = ['runtime.idempotency', 'runtime.audit'];
    const left = Object.keys(await rowsOf(keys, 'sandbox')).filter((table) => !own.includes(table));
    const { audit_log: recorded } = await send('GET', '/v1/audit-log');
    expect(recorded.map(({ operation }: { operation: string }) => operation)).toEqual(['resetSandbox']);
    expect(retained).toEqual(expect.arrayContaining(left));
    expect(left).not.toContain('runtime.actor');
    for (const [path, list] of [
      ['/v1/products', 'products'],
      ['/v1/categories', 'categories'],
      ['/v1/product-collections', 'collections'],
      ['/v1/price-lists', 'price_lists'],
      ['/v1/promotions', 'promotions'],
      ['/v1/tax-rates', 'tax_rates'],
      ['/v1/blog/posts', 'posts'],
      ['/v1/lookbooks', 'lookbooks'],
      ['/v1/orders', 'orders'],
      ['/v1/returns', 'data'],
      ['/v1/disputes', 'data'],
      ['/v1/media', 'media'],
      ['/v1/mail-suppressions', 'mail_suppressions'],
      ['/v1/messaging/threads', 'threads'],
      ['/v1/reviews', 'reviews'],
      ['/v1/b2b/rfqs', 'data'],
      ['/v1/b2b/quotes', 'data'],
      ['/v1/b2b/purchase-orders', 'data'],
      ['/v1/b2b/invoices', 'data'],
      ['/v1/ingestion/jobs', 'jobs'],
    ] as const)
      expect((await send('GET', path))[list], path).toEqual([]);
    const gone = async (path: string) => (await stoa.send('GET', path, { key: keys.secret_test_key })).status;
    expect(await gone(`/v1/products/${product.id}`)).toBe(404);
    expect(await gone(`/v1/orders/${order.id}`)).toBe(404);
    expect((await send('POST', '/v1/search', { query: 'lamp' })).products).toEqual([]);
    expect((await send('GET', '/v1/cart', undefined, { 'X-Session-Id': 'shopper' })).cart.items).toEqual([]);
    expect(await send('GET', '/v1/shipping/config')).toEqual(before);
    expect(await send('POST', '/v1/sandbox/reset', {}, { 'Idempotency-Key': 'once' })).toEqual({
      ...reply,
      idempotent: true,
    });

    const again = await furnish(keys, 'sandbox');
    expect(again.order.order_number).toBe(order.order_number);
    const { inventory } = await send('GET', `/v1/inventory/${again.product.variant_id}`);
    // Five pieces are sold on terms and two at once, one is held by an intent.
    expect([inventory.on_hand, inventory.available]).toEqual([23, 22]);
  });

  test('copies production’s catalogue with the same ids and leaves it unchanged', async () => {
    const keys = await stoa.createStore({ wholesale: true });
    const { send: test } = await furnish(keys, 'sandbox');
    const { send: live, product, category, collection } = await furnish(keys, 'production');
    const productionBefore = await writtenRowsOf(keys, 'production');
    const shown = await live('GET', `/v1/products/${product.id}`);
    await test('POST', '/v1/sandbox/reset', { copy_catalogue: true });

    const copy = await test('GET', `/v1/products/${product.id}`);
    // An intent of production's holds a piece; none holds any of the copy, and no review is of it.
    expect(copy).toEqual({ ...shown, stock: 23, average_rating: null, review_count: 0 });
    const names = async (path: string, list: string) =>
      (await test('GET', path))[list].map(({ name }: { name: string }) => name).sort();
    expect(await names('/v1/products', 'products')).toEqual(['Lamp of production', 'Pushed to production']);
    expect(await names('/v1/categories', 'categories')).toEqual([category.name]);
    expect(await names('/v1/product-collections', 'collections')).toEqual([collection.name]);
    for (const [path, list] of [
      ['/v1/price-lists', 'price_lists'],
      ['/v1/promotions', 'promotions'],
      ['/v1/tax-rates', 'tax_rates'],
    ] as const)
      expect(await names(path, list)).toEqual(['production']);
    expect((await test('GET', '/v1/shipping/config')).fallback.rate.fee).toBe(7);
    expect((await test('GET', '/v1/mail-templates/order_placed')).mail_template.subject).toBe('production');
    expect((await test('GET', '/v1/orders')).orders).toEqual([]);
    expect((await test('POST', '/v1/search', { query: 'lamp' })).products).toHaveLength(1);
    const priced = await test('POST', '/v1/pricing/query', {
      items: [{ variant_id: product.variant_id, quantity: 1 }],
      promotion_codes: ['TEN'],
    });
    expect(priced.total).toBe(16.2);

    await test('PATCH', `/v1/products/${product.id}`, { name: 'Changed' });
    await test('DELETE', `/v1/categories/${category.id}`);
    expect((await live('GET', `/v1/products/${product.id}`)).name).toBe('Lamp of production');
    expect(await writtenRowsOf(keys, 'production')).toEqual(productionBefore);
    await test('POST', '/v1/sandbox/reset', { copy_catalogue: true });
    expect((await test('GET', `/v1/products/${product.id}`)).name).toBe('Lamp of production');
  });

  test('leaves each concurrent write whole or gone', async () => {
    const keys = await stoa.createStore({ wholesale: true });
    const { send, sign } = await furnish(keys, 'sandbox');
    const retained = new Set<string>();
    let writing = true;
    let resets = 0;
    const write = async (shopper: number): Promise<void> => {
      for (let turn = 0; writing; turn++) {
        const sku = `W-${shopper}-${turn}`;
        const product = await send('POST', '/v1/products', {
          name: sku,
          sku,
          price: 5,
          stock: 9,
          shipping_info: { requires_shipping: false },
        });
        const began = resets;
        const answer = await stoa.send('POST', '/v1/cart/items', {
          key: keys.secret_test_key,
          body: { variant_id: product.variant_id, quantity: 1 },
          headers: { 'X-Session-Id': sku },
        });
        // Between two steps of a shopper everything may have begun anew.
        expect([200, 404], answer.text).toContain(answer.status);
        if (answer.status === 200 && began === resets) retained.add(product.id);
      }
    };
    const writers = Array.from({ length: 4 }, (_, shopper) => write(shopper));
    for (let round = 0; round < 3; round++) {
      await send('POST', '/v1/sandbox/reset', {});
      resets++;
      retained.clear();
    }
    await eventually(() => expect(retained.size).toBeGreaterThan(4));
    writing = false;
    await Promise.all(writers);
    for (const id of retained) expect((await send('GET', `/v1/products/${id}`)).id).toBe(id);
    const { sql } = stoa.services.runtime.postgres;
    const torn = await sql`
      select p.id from catalog.product p
      left join catalog.variant v on v.store = p.store and v.environment = p.environment and v.product_id = p.id
      left join catalog.inventory i on i.store = p.store and i.environment = p.environment and i.variant_id = v.id
      where p.store = ${keys.store_id} and (v.id is null or i.variant_id is null)`;
    expect(torn).toHaveLength(0);
    const items = [{ variant_id: (await send('GET', '/v1/products?limit=1')).products[0].variant_id, quantity: 1 }];
    expect((await sign('POST', '/v1/orders', { items, email: 'bob@example.com' })).order.order_status).toBe('pending');
  });

  test('completes even if a lock is delayed by another session', async () => {
    const keys = await stoa.createStore();
    const send = caller(keys.secret_test_key);
    await lamp(send);
    const { sql } = stoa.services.runtime.postgres;
    // A sequence counts on where its transaction is rolled back.
    await sql.unsafe(`
      create sequence refusals;
      create or replace function refuse() returns trigger language plpgsql as
        'begin if nextval(''refusals'') <= 2 then raise lock_not_available; end if; return old; end';
      create trigger refuse before delete on catalog.variant for each row execute function refuse()`);
    try {
      expect(await send('POST', '/v1/sandbox/reset', {})).toMatchObject({ reset: true });
      // Twice for the trigger; on a busy machine once more for a lock that another session has.
      const [refused] = await sql<{ tries: number }[]>`select last_value::integer as tries from refusals`;
      expect(refused!.tries).toBeGreaterThanOrEqual(3);
    } finally {
      await sql.unsafe('drop trigger refuse on catalog.variant; drop sequence refusals');
    }
    expect((await send('GET', '/v1/products')).products).toEqual([]);
  });

  describe('is not overtaken by who was told before it and writes after it:', () => {
    const KEY = 4_711;
    /** Blocks a session in the middle of an insert until released. */
    const whileInsertsWait = async (
      table: string,
      run: (release: () => Promise<void>) => Promise<void>,
    ): Promise<void> => {
      const { postgres } = stoa.services.runtime;
      await postgres.sql.unsafe(`
        create or replace function block_insert() returns trigger language plpgsql as
          'begin perform pg_advisory_xact_lock(${KEY}); return new; end';
        create trigger block_insert before insert on ${table} for each row execute function block_insert()`);
      const gate = { open: (): void => {} };
      const opened = new Promise<void>((done) => (gate.open = done));
      let held: Promise<void> = Promise.resolve();
      await new Promise<void>((locked) => {
        held = postgres.transaction(async ({ sql }) => {
          await sql`select pg_advisory_xact_lock(${KEY})`;
          locked();
          await opened;
        });
      });
      try {
        await run(async () => {
          gate.open();
          await held;
        });
      } finally {
        gate.open();
        await held;
        await postgres.sql.unsafe(`drop trigger block_insert on ${table}`);
      }
    };
    /** A session stands at the trigger. */
    const isHalted = () =>
      eventually(async () => {
        const { sql } = stoa.services.runtime.postgres;
        const waiting = await sql`
          select from pg_locks where locktype = 'advisory' and not granted and classid = 0 and objid = ${KEY}`;
        expect(waiting.length).toBeGreaterThan(0);
      });
    const sandboxOf = ({ store_id }: Keys) => ({ store: store_id, environment: 'sandbox' }) as const;
    /** Long enough for a reset that waits for no other session. */
    const OVERTAKING_MS = 400;
    const rows = async (table: string, { store_id }: Keys): Promise<number> =>
      (
        await stoa.services.runtime.postgres.sql.unsafe(
          `select from ${table} where store = $1 and environment = 'sandbox'`,
          [store_id],
        )
      ).length;

    test('excludes consumers that read interactions from orders', async () => {
      const keys = await stoa.createStore();
      const send = caller(keys.secret_test_key, keys.hmac_test_secret);
      const [one, two] = [await lamp(send), await lamp(send)];
      await whileInsertsWait('recommendation.interaction', async (release) => {
        const items = [one, two].map((variant_id) => ({ variant_id, quantity: 1 }));
        await send('POST', '/v1/orders', { items, email: 'ann@example.com' });
        await isHalted();
        const resetting = send('POST', '/v1/sandbox/reset', {});
        await Bun.sleep(OVERTAKING_MS);
        await release();
        await resetting;
      });
      await Bun.sleep(OVERTAKING_MS);
      expect(await rows('recommendation.interaction', keys)).toBe(0);
    });

    test('excludes consumers that record interactions of shoppers', async () => {
      const keys = await stoa.createStore();
      const send = caller(keys.secret_test_key);
      const variant_id = await lamp(send);
      await whileInsertsWait('recommendation.interaction', async (release) => {
        await send('POST', '/v1/events', { event_type: 'view', variant_id, session_id: 'shopper' });
        await isHalted();
        // These wait behind it.
        await send('POST', '/v1/events', { event_type: 'view', variant_id, session_id: 'another' });
        const resetting = send('POST', '/v1/sandbox/reset', {});
        await Bun.sleep(OVERTAKING_MS);
        await release();
        await resetting;
      });
      await Bun.sleep(OVERTAKING_MS);
      expect(await rows('recommendation.interaction', keys)).toBe(0);
    });

    test('excludes consumers that compute features', async () => {
      const keys = await stoa.createStore();
      const send = caller(keys.secret_test_key);
      await whileInsertsWait('store.feature', async (release) => {
        await lamp(send);
        await isHalted();
        const resetting = send('POST', '/v1/sandbox/reset', {});
        await Bun.sleep(OVERTAKING_MS);
        await release();
        await resetting;
      });
      await Bun.sleep(OVERTAKING_MS);
      expect([await rows('store.feature', keys), await rows('runtime.event', keys)]).toEqual([0, 0]);
      const { features } = await send('GET', '/v1/features');
      expect(features.map(({ status }: { status: string }) => status)).not.toContain('available');
    });

    test('excludes consumers that create deliveries', async () => {
      const keys = await stoa.createStore();
      const send = caller(keys.secret_test_key);
      await send('POST', '/v1/webhook-endpoints', { url: 'https://hooks.invalid/', events: ['product.created'] });
      await whileInsertsWait('webhook.delivery', async (release) => {
        await lamp(send);
        await isHalted();
        const resetting = send('POST', '/v1/sandbox/reset', {});
        await Bun.sleep(OVERTAKING_MS);
        await release();
        await resetting;
      });
      await Bun.sleep(OVERTAKING_MS);
      expect(await rows('webhook.delivery', keys)).toBe(0);
    });

    test('excludes projections of holds whose copies bear the same ids', async () => {
      const keys = await stoa.createStore();
      const [live, send] = [caller(keys.secret_key), caller(keys.secret_test_key)];
      const variant_id = await lamp(live);
      const begin = () => send('POST', '/v1/sandbox/reset', { copy_catalogue: true });
      await begin();
      const { ask, postgres } = stoa.services.runtime;
      const settle = (held: number, seq: number) =>
        ask('StockDirectory/SettleLevels', sandboxOf(keys), { levels: [{ variant_id, held, seq, committed: 0 }] });
      const session = await postgres.session();
      try {
        await session.sql`begin`;
        await session.sql`select from catalog.revision where store = ${keys.store_id} for update`;
        // The second waits behind the first, which waits for its turn.
        const events = [settle(3, 1), settle(4, 2)];
        await eventually(async () => {
          const waiting = await postgres.sql`select from pg_stat_activity where wait_event_type = 'Lock'
            and query like '%catalog.revision%'`;
          expect(waiting.length).toBeGreaterThan(0);
        });
        const resetting = begin();
        await Bun.sleep(OVERTAKING_MS);
        await session.sql`commit`;
        await Promise.all([resetting, Promise.allSettled(events)]);
      } finally {
        session.close();
      }
      await Bun.sleep(OVERTAKING_MS);
      const { inventory } = await send('GET', `/v1/inventory/${variant_id}`);
      expect(inventory).toMatchObject({ on_hand: 9, held: 0, available: 9 });
      // Events of the new generation count.
      await settle(2, 1);
      expect((await send('GET', `/v1/inventory/${variant_id}`)).inventory).toMatchObject({ held: 2 });
    });

    test('excludes the outbox that logs events', async () => {
      const keys = await stoa.createStore();
      const send = caller(keys.secret_test_key);
      await whileInsertsWait('runtime.event', async (release) => {
        await lamp(send);
        await isHalted();
        const resetting = send('POST', '/v1/sandbox/reset', {});
        await Bun.sleep(OVERTAKING_MS);
        await release();
        await resetting;
      });
      await Bun.sleep(OVERTAKING_MS);
      expect(await rows('runtime.event', keys)).toBe(0);
    });
  });

  test('requires a secret test key', async () => {
    const keys = await stoa.createStore({ wholesale: true });
    for (const key of [keys.secret_key, keys.publishable_key, keys.publishable_test_key])
      expect((await stoa.send('POST', '/v1/sandbox/reset', { key, body: {} })).status).toBe(403);
    const wrong = await stoa.send('POST', '/v1/sandbox/reset', {
      key: keys.secret_test_key,
      body: { copy_catalogue: 1 },
    });
    expect([wrong.status, wrong.body.error.param]).toEqual([400, 'copy_catalogue']);
    expect((await stoa.send('POST', '/v1/sandbox/reset', { key: keys.secret_test_key })).status).toBe(200);
  });
});

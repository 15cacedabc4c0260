// Split checkout over HTTP: what an operator places with several merchants at once, and what each of them has of it.
import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import { NO_TENANT } from '#runtime/call/call.ts';
import {
  KENYA,
  lineOf,
  type Marketplace,
  type Member,
  openMarketplace,
  openMember,
  openOperator,
  refusalFields,
} from '#test/support/marketplace.ts';
import { ok } from '#test/support/reply.ts';
import { eventually } from '#test/support/server.ts';
import { type Stoa, sharedStoa } from '#test/support/stoa.ts';

const NOWHERE = '00000000-0000-7000-8000-000000000000';

let stoa: Stoa;
beforeAll(async () => {
  stoa = await sharedStoa();
});

/** Checks that the members have no order and no hold, and their full stock. */
const untouched = async ({ members }: Marketplace, stock = 100): Promise<void> => {
  for (const member of members) {
    expect(await member.orders()).toEqual([]);
    await eventually(async () =>
      expect(await member.level()).toMatchObject({ on_hand: stock, held: 0, available: stock }),
    );
  }
};
const promote = async ({ send }: Member, promotion: object): Promise<void> => {
  const made = await send('POST', '/v1/promotions', { name: 'Offer', status: 'active', ...promotion });
  expect(made.status, made.text).toBe(201);
};
const eventsOf = async ({ send }: Member, type: string) =>
  (await send('GET', '/v1/webhook-events?limit=100')).body.webhook_events
    .filter((event: { type: string }) => event.type === type)
    .map(({ data }: { data: { object: Record<string, unknown> } }) => data.object);

describe('a checkout over several merchants', () => {
  test('places one order at each merchant, with its number, stock and event, in one group', async () => {
    const marketplace = await openMarketplace(stoa, { merchants: 3 });
    const [one, two, three] = marketplace.members as [Member, Member, Member];
    const lines = [lineOf(three), lineOf(one, 2), lineOf(two, 3), lineOf(one, 1)];
    const { status, body, text } = await marketplace.checkout(lines, { note: 'Ring twice' });
    expect(status, text).toBe(201);
    const { checkout } = body;
    expect(checkout).toMatchObject({
      status: 'pending',
      email: 'ada@example.com',
      currency: 'USD',
      total: 70,
      amount_due: 70,
    });
    expect(checkout.orders).toMatchObject([
      { store_id: three.store, order_number: '1001', total: 10, amount_due: 10, payment_status: 'pending' },
      { store_id: one.store, order_number: '1001', total: 30 },
      { store_id: two.store, order_number: '1001', total: 30 },
    ]);
    for (const [member, sold] of [
      [one, 3],
      [two, 3],
      [three, 1],
    ] as const) {
      const orders = await member.orders();
      expect(orders).toMatchObject([
        {
          checkout_group_id: checkout.group_id,
          store_id: member.store,
          customer_id: null,
          email: 'ada@example.com',
          note: 'Ring twice',
          total_amount: sold * 10,
          items: [{ variant_id: member.variants[0], quantity: sold }],
        },
      ]);
      await eventually(async () => {
        expect(await member.level()).toMatchObject({ on_hand: 100 - sold, held: 0, available: 100 - sold });
        expect(await eventsOf(member, 'order.created')).toMatchObject([
          { id: orders[0]!.id, checkout_group_id: checkout.group_id },
        ]);
      });
    }
    const read = await marketplace.send('GET', `/v1/cart/checkout/${checkout.group_id}`);
    expect([read.status, read.body.checkout]).toEqual([200, checkout]);
  });

  test('becomes paid once each order is paid or cancelled', async () => {
    const marketplace = await openMarketplace(stoa);
    const { checkout } = (await marketplace.checkout()).body;
    const shown = async () => (await marketplace.send('GET', `/v1/cart/checkout/${checkout.group_id}`)).body.checkout;
    const [one, two] = marketplace.members as [Member, Member];
    await one.sign('PATCH', `/v1/orders/${checkout.orders[0].order_id}`, { payment_status: 'paid' });
    expect(await shown()).toMatchObject({ status: 'pending', total: 20, amount_due: 10 });
    await two.sign('PATCH', `/v1/orders/${checkout.orders[1].order_id}`, { order_status: 'cancelled' });
    expect(await shown()).toMatchObject({ status: 'paid', total: 20, amount_due: 0 });
  });

  test('becomes paid at once when its total is zero', async () => {
    const marketplace = await openMarketplace(stoa, { price: 0 });
    const { body } = await marketplace.checkout();
    expect(body.checkout).toMatchObject({ status: 'paid', total: 0, amount_due: 0 });
  });

  test('accepts a total at the payment limit, and refuses one cent more', async () => {
    const marketplace = await openMarketplace(stoa, { merchants: 3, price: 33_333_333.3 });
    const last = marketplace.members[2]!;
    const { products } = (await last.send('GET', '/v1/products')).body;
    const at = (price: number) => last.send('PATCH', `/v1/products/${products[0].id}`, { price });
    // Floating-point addition of the prices would exceed the limit.
    await at(33_333_333.39);
    const { body, text } = await marketplace.checkout();
    expect(body.checkout, text).toMatchObject({ total: 99_999_999.99, amount_due: 99_999_999.99 });
    await at(33_333_333.4);
    expect(refusalFields(await marketplace.checkout())).toEqual([400, 'invalid_request', 'lines']);
  });

  test('belongs to its operator and environment alone', async () => {
    const marketplace = await openMarketplace(stoa);
    const { checkout } = (await marketplace.checkout()).body;
    const path = `/v1/cart/checkout/${checkout.group_id}`;
    const other = await openOperator(stoa, [marketplace.members[0]!.store]);
    for (const key of [marketplace.operator.operator_key, other.operator_test_key])
      expect((await stoa.send('GET', path, { key })).status).toBe(404);
    expect((await marketplace.send('GET', `/v1/cart/checkout/${NOWHERE}`)).status).toBe(404);
    expect(refusalFields(await marketplace.send('GET', '/v1/cart/checkout/x'))).toEqual([
      400,
      'invalid_request',
      'group_id',
    ]);
  });

  test('appears in its operator’s list, newest first, page by page', async () => {
    const marketplace = await openMarketplace(stoa);
    const placed = [];
    for (let count = 0; count < 3; count++) placed.unshift((await marketplace.checkout()).body.checkout);
    const list = async (query: string) => (await marketplace.send('GET', `/v1/cart/checkout?${query}`)).body;
    expect((await list('limit=10')).checkouts).toEqual(placed);
    const first = await list('limit=2');
    expect([first.checkouts, first.pagination.has_more]).toEqual([placed.slice(0, 2), true]);
    const rest = await list(`limit=2&cursor=${first.pagination.next_cursor}`);
    expect([rest.checkouts, rest.pagination]).toEqual([
      placed.slice(2),
      { limit: 2, has_more: false, next_cursor: null },
    ]);
    expect((await list('fields=status&limit=1')).checkouts).toEqual([{ status: 'pending' }]);
    const other = await openMarketplace(stoa);
    const foreign = await other.send('GET', `/v1/cart/checkout?cursor=${first.pagination.next_cursor}`);
    expect(refusalFields(foreign)).toEqual([400, 'invalid_request', 'cursor']);
    expect((await other.send('GET', '/v1/cart/checkout')).body.checkouts).toEqual([]);
    const live = await stoa.send('GET', '/v1/cart/checkout', { key: marketplace.operator.operator_key });
    expect(live.body.checkouts).toEqual([]);
    // A reset of every sandbox deletes the group.
    for (const member of marketplace.members) await member.send('POST', '/v1/sandbox/reset', {});
    expect((await list('limit=10')).checkouts).toEqual([]);
  });

  test('under one idempotency key is one group, however often it is sent', async () => {
    const marketplace = await openMarketplace(stoa);
    const headers = { 'Idempotency-Key': randomUUID() };
    const replies = await Promise.all(Array.from({ length: 20 }, () => marketplace.checkout(undefined, {}, headers)));
    const groups = replies.filter(({ status }) => status === 201).map(({ body }) => body.checkout.group_id);
    expect(new Set(groups).size).toBe(1);
    for (const reply of replies)
      if (reply.status !== 201) expect([reply.status, reply.body.error.code]).toEqual([409, 'conflict']);
    const again = await marketplace.checkout(undefined, {}, headers);
    expect([again.status, again.body.checkout.group_id, again.body.idempotent]).toEqual([201, groups[0], true]);
    for (const member of marketplace.members)
      await eventually(async () => expect(await member.level()).toMatchObject({ on_hand: 99, held: 0, available: 99 }));
  });

  test('loses the order of a merchant whose sandbox is reset, and keeps the others', async () => {
    const marketplace = await openMarketplace(stoa);
    const { checkout } = (await marketplace.checkout()).body;
    const [one, two] = marketplace.members as [Member, Member];
    expect((await one.send('POST', '/v1/sandbox/reset', {})).status).toBe(200);
    const { body } = await marketplace.send('GET', `/v1/cart/checkout/${checkout.group_id}`);
    expect(body.checkout.orders.map(({ store_id }: { store_id: string }) => store_id)).toEqual([two.store]);
  });
});

describe('each order of a checkout', () => {
  const sent = async (member: Member, fee: number): Promise<string> => {
    const rate = { fee, options: [{ name: 'Express', fee: fee + 5 }] };
    const zones = [{ name: 'Kenya', kind: 'countries', countries: ['KE'], rate }];
    await member.send('PUT', '/v1/shipping/config', { zones });
    const { body } = await member.send('POST', '/v1/products', { name: 'Parcel', price: 20, stock: 10 });
    return body.variant_id;
  };

  test('computes shipping, tax and promotions of its own merchant', async () => {
    const marketplace = await openMarketplace(stoa);
    const [one, two] = marketplace.members as [Member, Member];
    const parcels = [await sent(one, 3), await sent(two, 7)];
    await two.send('POST', '/v1/tax-rates', { name: 'VAT', country: 'KE', rate: 0.1 });
    await promote(one, { type: 'percentage', value: 50, code: 'HALF' });
    const lines = [lineOf(one, 1, parcels[0]), lineOf(two, 1, parcels[1])];
    const { body, text } = await marketplace.checkout(lines, { promotion_codes: ['half'] });
    expect(body.checkout, text).toMatchObject({ total: 13 + 29, orders: [{ total: 13 }, { total: 29 }] });
    const [first] = await one.orders();
    expect(first).toMatchObject({
      subtotal: 20,
      discount_total: 10,
      shipping_total: 3,
      tax_total: 0,
      applied_promotions: [{ code: 'HALF' }],
    });
    const [second] = await two.orders();
    expect(second).toMatchObject({ subtotal: 20, discount_total: 0, shipping_total: 7, tax_total: 2 });
    await eventually(async () => {
      expect(await eventsOf(one, 'promotion.applied')).toHaveLength(1);
      expect(await eventsOf(two, 'promotion.applied')).toHaveLength(0);
    });
  });

  test('takes its own shipping option, and a wrong one is named', async () => {
    const marketplace = await openMarketplace(stoa);
    const [one, two] = marketplace.members as [Member, Member];
    const parcels = [await sent(one, 3), await sent(two, 7)];
    const lines = [lineOf(one, 1, parcels[0]), lineOf(two, 1, parcels[1])];
    const { body } = await two.send('POST', '/v1/shipping/calculate', {
      latitude: -1.29,
      longitude: 36.82,
      country_code: 'KE',
    });
    const option = body.options.find(({ id }: { id: string }) => id.startsWith('opt:'));
    const placed = await marketplace.checkout(lines, { shipping_option_ids: { [two.store.toUpperCase()]: option.id } });
    expect(placed.status, placed.text).toBe(201);
    const [order] = await two.orders();
    expect([order!.shipping_option_id, order!.shipping_total]).toEqual([option.id, option.fee]);
    const wrong = await marketplace.checkout(lines, { shipping_option_ids: { [two.store]: `opt:${NOWHERE}` } });
    expect([wrong.status, wrong.body.error.param]).toEqual([404, `shipping_option_ids.${two.store}`]);
    const stray = await marketplace.checkout(lines, { shipping_option_ids: { [NOWHERE]: 'place' } });
    expect(refusalFields(stray)).toEqual([400, 'invalid_request', `shipping_option_ids.${NOWHERE}`]);
  });

  test('refuses the checkout when one merchant does not deliver to the address', async () => {
    const marketplace = await openMarketplace(stoa);
    const [one, two] = marketplace.members as [Member, Member];
    const parcels = [await sent(one, 3), await sent(two, 7)];
    const shipping_address = { ...KENYA, country: 'FR' };
    await one.send('PUT', '/v1/shipping/config', { fallback: { rate: { fee: 9 } } });
    const reply = await marketplace.checkout([lineOf(one, 1, parcels[0]), lineOf(two, 1, parcels[1])], {
      shipping_address,
    });
    expect([reply.status, reply.body.error.code]).toEqual([400, 'shipping_not_deliverable']);
    expect(reply.body.error.details).toContain(two.store);
    await untouched(marketplace);
  });
});

describe('a promotion code of a checkout', () => {
  test('applies at any merchant, and is refused when it applies at none', async () => {
    const marketplace = await openMarketplace(stoa);
    const [one, two] = marketplace.members as [Member, Member];
    await promote(one, { type: 'percentage', value: 10, code: 'ONE' });
    await promote(two, { type: 'percentage', value: 10, code: 'TWO' });
    const { body } = await marketplace.checkout(undefined, { promotion_codes: ['TWO', 'ONE'] });
    expect(body.checkout.orders).toMatchObject([{ total: 9 }, { total: 9 }]);
    const refused = await marketplace.checkout(undefined, { promotion_codes: ['ONE', 'NONE'] });
    expect(refusalFields(refused)).toEqual([400, 'promotion_not_applicable', 'promotion_codes[1]']);
  });

  test('refuses the whole checkout when another one takes the last use', async () => {
    const marketplace = await openMarketplace(stoa);
    await promote(marketplace.members[1]!, { type: 'percentage', value: 10, code: 'FEW', usage_limit: 3 });
    const replies = await Promise.all(
      Array.from({ length: 12 }, () => marketplace.checkout(undefined, { promotion_codes: ['FEW'] })),
    );
    expect(replies.filter(({ status }) => status === 201)).toHaveLength(3);
    for (const reply of replies)
      if (reply.status !== 201)
        expect(refusalFields(reply)).toEqual([400, 'promotion_not_applicable', 'promotion_codes[0]']);
    for (const member of marketplace.members) {
      expect(await member.orders()).toHaveLength(3);
      await eventually(async () => expect(await member.level()).toMatchObject({ on_hand: 97, held: 0 }));
    }
  });
});

describe('a checkout leaves nothing behind', () => {
  test('where one merchant has sold out', async () => {
    const marketplace = await openMarketplace(stoa, { merchants: 3 });
    const last = marketplace.members[2]!;
    const reply = await marketplace.checkout([
      ...marketplace.members.slice(0, 2).map((each) => lineOf(each)),
      lineOf(last, 101),
    ]);
    expect(refusalFields(reply)).toEqual([409, 'insufficient_stock', 'lines[2].quantity']);
    await untouched(marketplace);
  });

  test('where a merchant lapsed, left, or never was the operator’s', async () => {
    const marketplace = await openMarketplace(stoa, { merchants: 3 });
    const [one, two, three] = marketplace.members as [Member, Member, Member];
    const outsider = await openMember(stoa);
    const forged = await marketplace.checkout([lineOf(one), lineOf(outsider)]);
    expect(refusalFields(forged)).toEqual([404, 'not_found', 'lines[1].store_id']);
    const nowhere = await marketplace.checkout([lineOf(one), { ...lineOf(outsider), store_id: NOWHERE }]);
    expect(refusalFields(nowhere)).toEqual([404, 'not_found', 'lines[1].store_id']);
    // A merchant's variant under another merchant's store_id.
    const crossed = await marketplace.checkout([lineOf(one), lineOf(two, 1, one.variants[0])]);
    expect(refusalFields(crossed)).toEqual([404, 'not_found', 'lines[1].variant_id']);
    const { ask } = stoa.services.runtime;
    ok(await ask('StoreAdmin/SetLapsed', NO_TENANT, { store: two.store, lapsed: true }));
    expect(refusalFields(await marketplace.checkout())).toEqual([409, 'conflict', 'lines[1].store_id']);
    ok(await ask('StoreAdmin/SetLapsed', NO_TENANT, { store: two.store, lapsed: false }));
    const leaving = { operator: marketplace.operator.operator_id, store: three.store, member: false };
    ok(await ask('StoreAdmin/SetMerchant', NO_TENANT, leaving));
    expect(refusalFields(await marketplace.checkout())).toEqual([404, 'not_found', 'lines[2].store_id']);
    await untouched(marketplace);
    expect((await marketplace.checkout([lineOf(one), lineOf(two)])).status).toBe(201);
  });

  test('where merchants sell in different currencies', async () => {
    const [dollar, yen] = [await openMember(stoa), await openMember(stoa, { store: { currency: 'JPY' } })];
    const { operator_test_key: key } = await openOperator(stoa, [dollar.store, yen.store]);
    const lines = [lineOf(dollar), lineOf(yen)];
    const body = { lines, email: 'ada@example.com', shipping_address: KENYA };
    const reply = await stoa.send('POST', '/v1/cart/checkout', { key, body });
    expect(refusalFields(reply)).toEqual([400, 'invalid_request', 'lines[1].store_id']);
  });

  test('where a thing is inactive, or costs more than can be paid', async () => {
    const marketplace = await openMarketplace(stoa, { price: 60_000_000 });
    expect(refusalFields(await marketplace.checkout())).toEqual([400, 'invalid_request', 'lines']);
    const [one] = marketplace.members as [Member, Member];
    const { products } = (await one.send('GET', '/v1/products')).body;
    await one.send('PATCH', `/v1/products/${products[0].id}`, { is_active: false });
    expect(refusalFields(await marketplace.checkout())).toEqual([404, 'not_found', 'lines[0].variant_id']);
    await untouched(marketplace);
  });

  test('where the body is wrong', async () => {
    const marketplace = await openMarketplace(stoa);
    const good = marketplace.members.map((member) => lineOf(member));
    const many = Array.from({ length: 21 }, () => ({ ...good[0]!, store_id: randomUUID() }));
    for (const [lines, more, param] of [
      [[], {}, 'lines'],
      [many, {}, 'lines'],
      [Array(201).fill(good[0]), {}, 'lines'],
      [[{ ...good[0]!, quantity: 0 }], {}, 'lines[0].quantity'],
      [[{ ...good[0]!, store_id: 'x' }], {}, 'lines[0].store_id'],
      [[{ ...good[0]!, quantity: 1_000_000 }, good[0]!], {}, 'lines[1].quantity'],
      [good, { email: 'nobody' }, 'email'],
      [good, { email: undefined }, 'email'],
      [good, { shipping_address: undefined }, 'shipping_address'],
      [good, { shipping_address: { ...KENYA, country: 'XX' } }, 'shipping_address.country'],
      [good, { billing_address: { ...KENYA, country: 'XX' } }, 'billing_address.country'],
    ] as const)
      expect(refusalFields(await marketplace.checkout(lines, more)), param).toEqual([400, 'invalid_request', param]);
    await untouched(marketplace);
  });
});

describe('checkouts at once', () => {
  test('sell each of the last units once, with orders at all merchants or at none', async () => {
    const marketplace = await openMarketplace(stoa, { merchants: 3, stock: 7 });
    const replies = await Promise.all(
      Array.from({ length: 40 }, (_, at) => {
        const order = at % 2 === 0 ? marketplace.members : marketplace.members.toReversed();
        return marketplace.checkout(order.map((member) => lineOf(member)));
      }),
    );
    const placed = replies.filter(({ status }) => status === 201);
    expect(placed).toHaveLength(7);
    for (const reply of replies)
      if (reply.status !== 201) expect([reply.status, reply.body.error.code]).toEqual([409, 'insufficient_stock']);
    for (const member of marketplace.members) {
      expect(await member.orders()).toHaveLength(7);
      await eventually(async () => expect(await member.level()).toMatchObject({ on_hand: 0, held: 0, available: 0 }));
    }
  });

  test('all succeed without a deadlock when they take two variants in opposite order', async () => {
    const marketplace = await openMarketplace(stoa);
    const { sql } = stoa.services.runtime.postgres;
    const deadlocks = async () =>
      (
        await sql<{ n: number }[]>`
        select deadlocks::int as n from pg_stat_database where datname = current_database()`
      )[0]!.n;
    for (const member of marketplace.members) await promote(member, { type: 'percentage', value: 10 });
    const before = await deadlocks();
    const replies = await Promise.all(
      Array.from({ length: 40 }, (_, at) => {
        const order = at % 2 === 0 ? marketplace.members : marketplace.members.toReversed();
        return marketplace.checkout(order.map((member) => lineOf(member)));
      }),
    );
    expect(replies.map(({ status }) => status)).toEqual(replies.map(() => 201));
    expect(await deadlocks()).toBe(before);
  });
});

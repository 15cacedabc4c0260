// Payments of checkouts over several merchants: shares of each merchant, and refunds of single orders.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { CheckoutGroup } from '#proto/gen/checkout.ts';
import { NO_TENANT } from '#runtime/call/call.ts';
import {
  lineOf,
  type Marketplace,
  type Member,
  openMarketplace,
  openOperator,
  refusalFields,
} from '#test/support/marketplace.ts';
import { ok } from '#test/support/reply.ts';
import { eventually } from '#test/support/server.ts';
import { type Reply, type Stoa, startStoa } from '#test/support/stoa.ts';
import { startDaraja } from './provider/daraja.ts';
import { startMerchant } from './provider/merchant.ts';
import { startPaypal } from './provider/paypal.ts';
import { startPaystack } from './provider/paystack.ts';
import type { Provider, Report } from './provider/stand_in.ts';
import { startStripe } from './provider/stripe.ts';

let stoa: Stoa;
const providers = new Map<string, Provider>();
beforeAll(async () => {
  const started = [await startStripe(Date.now), await startPaypal(), await startPaystack(), await startDaraja()];
  for (const { variable, standIn } of started) process.env[variable] = standIn.url;
  for (const provider of [...started, await startMerchant(Date.now)]) providers.set(provider.name, provider);
  stoa = await startStoa({ allowLocal: true });
});
afterAll(async () => {
  await stoa.stop();
  for (const { standIn } of providers.values()) await standIn.stop();
});

const placed = async (market: Marketplace, ...lines: Parameters<Marketplace['checkout']>): Promise<CheckoutGroup> => {
  const { status, body, text } = await market.checkout(...lines);
  expect(status, text).toBe(201);
  return body.checkout;
};
const shown = async (market: Marketplace, { group_id }: CheckoutGroup): Promise<CheckoutGroup> =>
  (await market.send('GET', `/v1/cart/checkout/${group_id}`)).body.checkout;
const pay = (market: Marketplace, { group_id }: Pick<CheckoutGroup, 'group_id'>, more: object = {}, headers = {}) =>
  market.send('POST', `/v1/cart/checkout/${group_id}/pay`, { provider: 'card_checkout', ...more }, headers);
const startPayment = async (market: Marketplace, group: CheckoutGroup, more: object = {}): Promise<string> => {
  const { status, body, text } = await pay(market, group, more);
  expect(status, text).toBe(200);
  return body.reference;
};
const decide = (market: Marketplace, reference: string, outcome: string) =>
  market.send('POST', `/v1/sandbox/payments/${reference}`, { outcome });
const orderOf = async (member: Member) => (await member.orders())[0]!;
const eventsOf = async ({ send }: Member, type: string) =>
  (await send('GET', '/v1/webhook-events?limit=100')).body.webhook_events
    .filter((event: { type: string }) => event.type === type)
    .map(({ data }: { data: { object: Record<string, unknown> } }) => data.object);
const paymentsOf = async ({ send }: Member) => (await send('GET', '/v1/payments')).body.payments;

/** Balances of each merchant's orders and payments, in minor units. */
const booksOf = async ({ members }: Marketplace) => {
  const { ask } = stoa.services.runtime;
  const books = [];
  for (const { store } of members) {
    const { balanced, lines } = ok(await ask('LedgerAdmin/GetTrialBalance', NO_TENANT, { store }));
    expect(balanced).toBe(true);
    books.push(...lines.map(({ accounts }) => ({ order: accounts.order ?? 0, payment: accounts.payment ?? 0 })));
  }
  return books;
};

describe('the payment of a checkout', () => {
  test('pays every order, and sends each merchant the event of its own share', async () => {
    const market = await openMarketplace(stoa, { merchants: 3 });
    const [one, two, three] = market.members as [Member, Member, Member];
    const group = await placed(market, [lineOf(one, 1), lineOf(two, 2), lineOf(three, 3)]);
    const opened = await pay(market, group);
    expect(opened.body, opened.text).toMatchObject({ success: true, provider: 'card_checkout', type: 'redirect' });
    expect(opened.body.checkout_url).toContain('/pay/');
    expect(await shown(market, group)).toMatchObject({ status: 'pending', amount_due: 60 });

    const settled = await decide(market, opened.body.reference, 'succeed');
    expect(settled.body, settled.text).toMatchObject({ status: 'succeeded', amount: 60, order_id: null });
    expect(await shown(market, group)).toMatchObject({ status: 'paid', total: 60, amount_due: 0 });
    for (const [member, share] of [
      [one, 10],
      [two, 20],
      [three, 30],
    ] as const) {
      const order = await orderOf(member);
      expect(order).toMatchObject({ payment_status: 'paid', order_status: 'confirmed', amount_paid: share });
      await eventually(async () => {
        expect(await eventsOf(member, 'payment.succeeded')).toMatchObject([{ amount: share, order_id: order.id }]);
        expect(await eventsOf(member, 'order.paid')).toHaveLength(1);
      });
      expect(await paymentsOf(member)).toMatchObject([{ status: 'succeeded', amount: share, order_id: order.id }]);
    }
    expect(await booksOf(market)).toEqual([
      { order: 1_000, payment: -1_000 },
      { order: 2_000, payment: -2_000 },
      { order: 3_000, payment: -3_000 },
    ]);
  });

  test('refunds a single order, and notifies its merchant only', async () => {
    const market = await openMarketplace(stoa);
    const [one, two] = market.members as [Member, Member];
    const group = await placed(market, [lineOf(one, 3), lineOf(two, 1)]);
    await decide(market, await startPayment(market, group), 'succeed');
    const { id, items } = await orderOf(one);
    const refund = { items: [{ order_item_id: items[0]!.id, quantity: 2, restock: true }] };
    const refunded = await one.send('POST', `/v1/orders/${id}/refunds`, refund);
    expect(refunded.body.refund, refunded.text).toMatchObject({ amount: 20 });
    await eventually(async () =>
      expect(await orderOf(one)).toMatchObject({
        payment_status: 'partially_refunded',
        amount_refunded: 20,
        refunds: [{ amount: 20, status: 'succeeded' }],
      }),
    );
    expect(await orderOf(two)).toMatchObject({ payment_status: 'paid', amount_refunded: 0, refunds: [] });
    await eventually(async () => {
      expect(await eventsOf(one, 'payment.refunded')).toMatchObject([{ amount: 30, amount_refunded: 20 }]);
      expect(await one.level()).toMatchObject({ on_hand: 99, held: 0 });
    });
    expect(await eventsOf(two, 'payment.refunded')).toEqual([]);
    expect(await booksOf(market)).toEqual([
      { order: 1_000, payment: -1_000 },
      { order: 1_000, payment: -1_000 },
    ]);
    expect(await shown(market, group)).toMatchObject({ status: 'paid', amount_due: 0 });
    const more = await one.send('POST', `/v1/orders/${id}/refunds`, { amount: 10.01 });
    expect(refusalFields(more)).toEqual([409, 'conflict', 'amount']);
  });

  test('covers the amounts still due, and is refused when nothing is due', async () => {
    const market = await openMarketplace(stoa, { merchants: 3 });
    const [one, two, three] = market.members as [Member, Member, Member];
    const group = await placed(market);
    const [first, second, third] = group.orders.map(({ order_id }) => order_id);
    await one.sign('PATCH', `/v1/orders/${first}`, { payment_status: 'paid' });
    await two.sign('PATCH', `/v1/orders/${second}`, { order_status: 'cancelled' });
    const settled = await decide(market, await startPayment(market, group), 'succeed');
    expect(settled.body).toMatchObject({ amount: 10 });
    expect((await three.orders())[0]).toMatchObject({ id: third, payment_status: 'paid' });
    expect(await paymentsOf(one)).toEqual([]);
    expect(refusalFields(await pay(market, group))).toEqual([409, 'conflict', 'group_id']);
  });

  test('pays once for thirty concurrent outcomes', async () => {
    const market = await openMarketplace(stoa);
    const group = await placed(market);
    const reference = await startPayment(market, group);
    const replies = await Promise.all(Array.from({ length: 30 }, () => decide(market, reference, 'succeed')));
    expect(replies.every(({ status }) => status === 200 || status === 409)).toBe(true);
    expect((await decide(market, reference, 'fail')).status).toBe(409);
    for (const member of market.members) {
      expect(await paymentsOf(member)).toHaveLength(1);
      await eventually(async () => expect(await eventsOf(member, 'order.paid')).toHaveLength(1));
    }
    expect(await booksOf(market)).toEqual(market.members.map(() => ({ order: 1_000, payment: -1_000 })));
  });

  test('leaves every order unpaid when it fails, notifies each merchant, and can be repeated', async () => {
    const market = await openMarketplace(stoa);
    const group = await placed(market);
    await decide(market, await startPayment(market, group), 'fail');
    for (const member of market.members) {
      expect(await orderOf(member)).toMatchObject({ payment_status: 'failed', amount_due: 10 });
      await eventually(async () => expect(await eventsOf(member, 'payment.failed')).toMatchObject([{ amount: 10 }]));
    }
    const again = await startPayment(market, group);
    for (const member of market.members) expect(await orderOf(member)).toMatchObject({ payment_status: 'pending' });
    await decide(market, again, 'succeed');
    expect(await shown(market, group)).toMatchObject({ status: 'paid' });
  });

  test('skips an order whose merchant reset the sandbox', async () => {
    const market = await openMarketplace(stoa);
    const [gone, left] = market.members as [Member, Member];
    const group = await placed(market);
    const reference = await startPayment(market, group);
    expect((await gone.send('POST', '/v1/sandbox/reset', {})).status).toBe(200);
    await decide(market, reference, 'succeed');
    expect(await orderOf(left)).toMatchObject({ payment_status: 'paid', amount_due: 0 });
    expect([await paymentsOf(gone), await eventsOf(gone, 'payment.succeeded')]).toEqual([[], []]);
    expect(await booksOf(market)).toEqual([{ order: 1_000, payment: -1_000 }]);
  });

  test('expires the former payment of the checkout', async () => {
    const market = await openMarketplace(stoa);
    const group = await placed(market);
    const [before, after] = [await startPayment(market, group), await startPayment(market, group)];
    expect((await decide(market, before, 'succeed')).status).toBe(409);
    expect((await decide(market, after, 'succeed')).status).toBe(200);
    expect(await shown(market, group)).toMatchObject({ status: 'paid' });
  });

  test('starts once under one idempotency key', async () => {
    const market = await openMarketplace(stoa);
    const group = await placed(market);
    const headers = { 'Idempotency-Key': randomUUID() };
    const replies = await Promise.all(Array.from({ length: 8 }, () => pay(market, group, {}, headers)));
    const references = replies.filter(({ status }) => status === 200).map(({ body }) => body.reference);
    expect(new Set(references).size).toBe(1);
    expect((await pay(market, group, {}, headers)).body).toMatchObject({ reference: references[0], idempotent: true });
  });

  test('refunds the share of an order that was paid elsewhere meanwhile', async () => {
    const market = await openMarketplace(stoa);
    const [one, two] = market.members as [Member, Member];
    const group = await placed(market);
    const reference = await startPayment(market, group);
    const noted = await one.sign('PATCH', `/v1/orders/${group.orders[0]!.order_id}`, { payment_status: 'paid' });
    expect(noted.status, noted.text).toBe(200);
    await decide(market, reference, 'succeed');
    await eventually(async () =>
      expect(await paymentsOf(one)).toMatchObject([{ status: 'refunded', amount_refunded: 10, needs_review: false }]),
    );
    expect(await orderOf(one)).toMatchObject({ payment_status: 'paid', amount_paid: 10, amount_refunded: 0 });
    expect(await orderOf(two)).toMatchObject({ payment_status: 'paid', amount_paid: 10 });
    expect(await booksOf(market)).toEqual([
      { order: 1_000, payment: 0 },
      { order: 1_000, payment: -1_000 },
    ]);
  });

  test('belongs to its operator alone', async () => {
    const market = await openMarketplace(stoa);
    const group = await placed(market);
    const reference = await startPayment(market, group);
    const other = await openOperator(stoa, [market.members[0]!.store]);
    const path = `/v1/cart/checkout/${group.group_id}/pay`;
    const body = { provider: 'card_checkout' };
    for (const key of [other.operator_test_key, market.operator.operator_key])
      expect((await stoa.send('POST', path, { key, body })).status).toBe(404);
    const asked = (key: string) =>
      stoa.send('POST', `/v1/sandbox/payments/${reference}`, { key, body: { outcome: 'succeed' } });
    expect((await asked(other.operator_test_key)).status).toBe(404);
    expect((await asked(market.members[0]!.keys.secret_test_key)).status).toBe(404);
    expect((await asked(market.operator.operator_key)).status).toBe(403);
    expect((await asked(market.members[0]!.keys.publishable_test_key)).status).toBe(403);
    expect(await shown(market, group)).toMatchObject({ status: 'pending' });
  });

  test('refuses unknown providers, unsupported currencies and invalid addresses', async () => {
    const market = await openMarketplace(stoa);
    const group = await placed(market);
    for (const [more, expected] of [
      [{ provider: 'nothing_known' }, [400, 'invalid_request', 'provider']],
      [{ provider: 'mobile_money', phone: '254712345678' }, [400, 'invalid_request', 'provider']],
      [{ provider: 'Card' }, [400, 'invalid_request', 'provider']],
      [{ email: 'nobody' }, [400, 'invalid_request', 'email']],
      [{ success_url: 'javascript:alert(1)' }, [400, 'invalid_request', 'success_url']],
    ] as const)
      expect(refusalFields(await pay(market, group, more)), JSON.stringify(more)).toEqual(expected);
    expect((await pay(market, { group_id: '00000000-0000-7000-8000-000000000000' })).status).toBe(404);
    const live = await openMarketplace(stoa, { environment: 'production' });
    expect(refusalFields(await pay(live, await placed(live)))).toEqual([400, 'invalid_request', 'provider']);
  });

  test('expires unpaid, and leaves the orders pending', async () => {
    const market = await openMarketplace(stoa);
    const group = await placed(market);
    const expired = await decide(market, await startPayment(market, group), 'expire');
    expect(expired.body).toMatchObject({ status: 'expired' });
    for (const member of market.members) expect(await orderOf(member)).toMatchObject({ payment_status: 'pending' });
    expect((await pay(market, group)).status).toBe(200);
  });
});

/** `part` is a refund in major units, and `units` the same refund in the provider's units. */
const CASES = [
  ['card_checkout', { currency: 'USD', price: 26.6, part: 10, units: 1_000 }],
  ['wallet', { currency: 'USD', price: 26.6, part: 10, units: 1_000 }],
  ['bank_africa', { currency: 'NGN', price: 1_300.5, part: 500.25, units: 50_025 }],
  ['mobile_money', { currency: 'KES', price: 1_300, part: 500, units: 500, phone: '254712345678' }],
  ['corner_bank', { currency: 'KWD', price: 13.305, part: 5.005, units: 5.005 }],
] as const;

describe.each(CASES)('a checkout that is paid through %s', (name, { currency, price, part, units, ...fields }) => {
  const provider = (): Provider => providers.get(name)!;
  const opened = async () => {
    const market = await openMarketplace(stoa, { price, store: { currency } });
    const connected = await market.send('POST', '/v1/marketplace/payment-providers', provider().connection);
    expect(connected.status, connected.text).toBe(201);
    const group = await placed(market);
    const { status, body, text } = await pay(market, group, { provider: name, ...fields });
    expect(status, text).toBe(200);
    return { market, group, session: body.session_id as string, account: connected.body.provider };
  };
  const report = ({ operator }: Marketplace, { url, headers, body }: Report): Promise<Reply> => {
    const search = url ? new URL(url).search : '';
    const path = `/v1/payments/callbacks/${name}/${operator.operator_id}/sandbox`;
    return stoa.send('POST', `${path}${search}`, { body, headers });
  };

  test('settles once by repeated and late reports, and refuses a forged one', async () => {
    const { market, group, session, account } = await opened();
    expect(account.callback_path).toBe(`/v1/payments/callbacks/${name}/${market.operator.operator_id}/sandbox`);
    provider().pay(session);
    expect((await report(market, provider().forge(session))).status).toBe(401);
    expect(await shown(market, group)).toMatchObject({ status: 'pending' });
    for (const _ of [1, 2]) expect((await report(market, provider().report(session))).status).toBe(200);
    expect(await shown(market, group)).toMatchObject({ status: 'paid', amount_due: 0 });
    for (const member of market.members) expect(await paymentsOf(member)).toMatchObject([{ amount: price }]);
    expect((await report(market, provider().report(session))).status).toBe(200);
    for (const { order, payment } of await booksOf(market)) expect(order + payment).toBe(0);
  });

  test('pays no order when the amount differs from the amount due', async () => {
    const { market, group, session } = await opened();
    provider().pay(session, 1);
    expect((await report(market, provider().report(session))).status).toBe(200);
    expect(await shown(market, group)).toMatchObject({ status: 'pending', amount_due: 2 * price });
    for (const member of market.members)
      expect([await paymentsOf(member), (await orderOf(member)).amount_paid]).toEqual([[], 0]);
    for (const books of await booksOf(market)) expect(books).toEqual({ order: 0, payment: 0 });
  });

  test('refunds each merchant’s share of a second payment', async () => {
    const { market, group, session } = await opened();
    const again = await pay(market, group, { provider: name, ...fields });
    expect(again.status, again.text).toBe(200);
    const second: string = again.body.session_id;
    // The provider has ended the first session, so it cannot be paid.
    if (name === 'card_checkout') return;
    for (const each of [second, session]) {
      provider().pay(each);
      for (const _ of [1, 2]) expect((await report(market, provider().report(each))).status).toBe(200);
    }
    expect(await shown(market, group)).toMatchObject({ status: 'paid', amount_due: 0 });
    // Payments that a merchant refunds by hand need review.
    const byHand = name === 'corner_bank' || name === 'mobile_money';
    for (const member of market.members)
      await eventually(async () => {
        expect(await orderOf(member)).toMatchObject({ payment_status: 'paid', amount_paid: price, amount_refunded: 0 });
        const payments = (await paymentsOf(member)).map((each: { status: string; needs_review: boolean }) => [
          each.status,
          each.needs_review,
        ]);
        expect(payments.toSorted()).toEqual(
          byHand
            ? [
                ['succeeded', false],
                ['succeeded', true],
              ]
            : [
                ['refunded', false],
                ['succeeded', false],
              ],
        );
      });
  });

  test('refunds a part of one order through the operator’s account', async () => {
    const { market, session } = await opened();
    const [one, two] = market.members as [Member, Member];
    provider().pay(session);
    await report(market, provider().report(session));
    const before = provider().refundedAmounts.length;
    const { id } = await orderOf(one);
    const refunded = await one.send('POST', `/v1/orders/${id}/refunds`, { amount: part });
    expect(refunded.status, refunded.text).toBe(201);
    // Daraja reports refunds, and a custom provider's merchant refunds by hand.
    if (name === 'mobile_money' || name === 'corner_bank')
      await eventually(async () => {
        if (name === 'mobile_money') expect(provider().refundsRequested).toBeGreaterThan(0);
        expect((await report(market, provider().reportRefund(session, units, false))).status).toBe(200);
        expect((await orderOf(one)).refunds).toMatchObject([{ status: 'succeeded' }]);
      });
    await eventually(async () => {
      expect((await orderOf(one)).refunds).toMatchObject([{ amount: part, status: 'succeeded' }]);
      expect(await paymentsOf(one)).toMatchObject([{ amount_refunded: part }]);
    });
    expect(provider().refundedAmounts.slice(before)).toEqual([units]);
    expect(await paymentsOf(two)).toMatchObject([{ amount_refunded: 0 }]);
    for (const { order, payment } of await booksOf(market)) expect(order + payment).toBe(0);
  });
});

describe('an operator’s payment providers', () => {
  test('connect, list and delete without showing credentials, for their own operator only', async () => {
    const market = await openMarketplace(stoa);
    const path = '/v1/marketplace/payment-providers';
    const { body, text } = await market.send('POST', path, providers.get('card_checkout')!.connection);
    expect(body.provider, text).toMatchObject({ provider: 'card_checkout', environment: 'sandbox' });
    expect(text).not.toContain('sk_test');
    expect((await market.send('GET', '/v1/marketplace/payment-providers')).body.providers).toEqual([body.provider]);
    const other = await openOperator(stoa, []);
    expect((await stoa.send('GET', path, { key: other.operator_test_key })).body.providers).toEqual([]);
    const foreign = `${path}/${body.provider.id}`;
    expect((await stoa.send('DELETE', foreign, { key: other.operator_test_key })).status).toBe(404);
    // The operator's provider is not one of the merchant's.
    expect((await market.members[0]!.send('GET', '/v1/payments/providers')).body.providers).toEqual([]);
    expect((await market.send('DELETE', foreign)).status).toBe(200);
    expect((await market.send('GET', path)).body.providers).toEqual([]);
    expect((await market.send('DELETE', `/v1/marketplace/payment-providers/${other.operator_id}`)).status).toBe(404);
  });
});

// Payments through a local stand-in of each provider: started, reported, verified and refunded, with reports that are
// late, repeated, forged or missing. Each amount is posted once.
import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { StoreOrder } from '#proto/gen/order.ts';
import { eventually } from '#test/support/server.ts';
import type { Keys, Reply } from '#test/support/stoa.ts';
import { errorOf, type PaymentSystem, startPaymentSystem } from './payment_system.ts';
import { startDaraja } from './provider/daraja.ts';
import { startMerchant } from './provider/merchant.ts';
import { startPaypal } from './provider/paypal.ts';
import { startPaystack } from './provider/paystack.ts';
import type { Provider, Report } from './provider/stand_in.ts';
import { startStripe } from './provider/stripe.ts';

/** For each provider: its currency, the price, a partial refund, and both amounts in the provider's units. */
const CASES = [
  ['card_checkout', { currency: 'USD', price: 26.6, units: 2_660, part: 10, partUnits: 1_000, email: 'a@b.example' }],
  ['wallet', { currency: 'USD', price: 26.6, units: 2_660, part: 10, partUnits: 1_000 }],
  [
    'bank_africa',
    { currency: 'NGN', price: 1_300.5, units: 130_050, part: 500.25, partUnits: 50_025, email: 'a@b.example' },
  ],
  ['mobile_money', { currency: 'KES', price: 1_300, units: 1_300, part: 500, partUnits: 500, phone: '254712345678' }],
  ['corner_bank', { currency: 'KWD', price: 13.305, units: 13.305, part: 5.005, partUnits: 5.005, country: 'KW' }],
] as const;

/** Waits for `times` further refund requests at the provider; a custom provider receives none. */
const askedFrom = (provider: Provider) => {
  const before = provider.refundsRequested;
  return (times: number): Promise<void> =>
    eventually(() => expect(provider.refundsRequested).toBe(provider.name === 'corner_bank' ? 0 : before + times));
};

let shop: PaymentSystem;
const providers = new Map<string, Provider>();
const stores = new Map<string, { readonly keys: Keys; readonly variant: string }>();
const clockNow = (): number => shop.clock.real();

beforeAll(async () => {
  const started = [await startStripe(clockNow), await startPaypal(), await startPaystack(), await startDaraja()];
  for (const { variable, standIn } of started) process.env[variable] = standIn.url;
  process.env.STOA_ALLOW_LOCAL_WEBHOOKS = '1';
  shop = await startPaymentSystem();
  for (const provider of [...started, await startMerchant(clockNow)]) providers.set(provider.name, provider);
  for (const [name, { currency, price }] of CASES) {
    const keys = await shop.stoa.createStore({ currency });
    const write = (path: string, body: unknown) => shop.send('POST', path, { key: keys.secret_test_key, body });
    const shipping_info = { requires_shipping: false };
    const product = await write('/v1/products', { name: 'Lamp', price, stock: 1_000, shipping_info });
    const connected = await write('/v1/payments/providers', providers.get(name)!.connection);
    expect(connected.status, connected.text).toBe(201);
    stores.set(name, { keys, variant: product.body.variant_id });
  }
});
afterAll(async () => {
  await shop.close();
  for (const { standIn } of providers.values()) await standIn.stop();
});

describe.each(CASES)('%s', (name, { currency, price, units, part, partUnits, ...fields }) => {
  const provider = (): Provider => providers.get(name)!;
  const sent = (method: string, path: string, body?: unknown, headers: Record<string, string> = {}): Promise<Reply> => {
    const { keys } = stores.get(name)!;
    return shop.send(method, path, {
      key: keys.secret_test_key,
      signWith: keys.hmac_test_secret,
      ...(body === undefined ? {} : { body }),
      headers,
    });
  };
  const placed = async (): Promise<StoreOrder> => {
    const items = [{ variant_id: stores.get(name)!.variant, quantity: 1 }];
    const { body, text } = await sent('POST', '/v1/orders', { items, email: 'ada@example.com' });
    expect(body?.order?.amount_due, text).toBe(price);
    return body.order;
  };
  const orderOf = async (id: string): Promise<StoreOrder> => (await sent('GET', `/v1/orders/${id}`)).body.order;
  const initialize = (order: StoreOrder, key = randomUUID()): Promise<Reply> =>
    sent(
      'POST',
      '/v1/payments/initialize',
      { provider: name, amount: price, currency, order_id: order.id, ...fields },
      { 'Idempotency-Key': key },
    );
  const startPayment = async (): Promise<{ order: StoreOrder; reference: string; session: string }> => {
    const order = await placed();
    const { status, body, text } = await initialize(order);
    expect(status, text).toBe(200);
    return { order, reference: body.reference, session: body.session_id };
  };
  const verify = (reference: string): Promise<Reply> =>
    sent('POST', '/v1/payments/verify', { provider: name, reference });
  const report = ({ url, headers, body }: Report): Promise<Reply> => {
    const { keys } = stores.get(name)!;
    const search = url ? new URL(url).search : '';
    if (url) expect(new URL(url).pathname).toBe(`/v1/payments/callbacks/${name}/${keys.store_id}/sandbox`);
    return shop.stoa.send('POST', `/v1/payments/callbacks/${name}/${keys.store_id}/sandbox${search}`, {
      body,
      headers,
    });
  };
  const paid = async (): Promise<{ order: StoreOrder; reference: string; session: string }> => {
    const one = await startPayment();
    provider().pay(one.session);
    // Daraja sends the receipt in the report only.
    provider().report(one.session);
    await verify(one.reference);
    expect((await report(provider().report(one.session))).status).toBe(200);
    return one;
  };
  const eventTypesOf = async (order: StoreOrder, types = ['payment.succeeded', 'payment.failed', 'order.paid']) =>
    (await shop.recordedEvents(stores.get(name)!.keys.store_id, 'sandbox', types))
      .filter(({ object }) => object.id === order.id || object.order_id === order.id)
      .map(({ type }) => type);
  const balanced = async (): Promise<void> => {
    const { sql } = shop.stoa.services.runtime.postgres;
    const [row] = await sql`
      select coalesce(sum(amount), 0)::bigint as sum from ledger.entry where store = ${stores.get(name)!.keys.store_id}`;
    expect(Number(row!.sum)).toBe(0);
  };
  const refund = (order: StoreOrder, amount: number) => sent('POST', `/v1/orders/${order.id}/refunds`, { amount });
  const refundsOf = async (order: StoreOrder) => (await orderOf(order.id)).refunds.map(({ status }) => status);

  afterEach(() => {
    provider().standIn.mood = 'well';
    if (provider().refunds !== 'at once') provider().refunds = 'at once';
  });

  test('starts once, in its provider’s units', async () => {
    const order = await placed();
    const before = provider().startedCount;
    const key = randomUUID();
    const { status, body, text } = await initialize(order, key);
    expect(status, text).toBe(200);
    expect(body).toMatchObject({ success: true, provider: name, environment: 'sandbox' });
    expect(body.type).toBe(name === 'mobile_money' ? 'push' : 'redirect');
    if (name === 'mobile_money') expect(body.checkout_url).toBeNull();
    else expect(body.checkout_url).toMatch(/^https:\/\/\w[\w.]*\.invalid\//);
    expect(provider().amountOf(body.session_id)).toBe(units);
    expect((await initialize(order, key)).body).toEqual({ ...body, idempotent: true });
    expect(provider().startedCount).toBe(before + 1);
    expect((await verify(body.reference)).body).toMatchObject({ status: 'pending', amount: price, currency });
    expect((await orderOf(order.id)).payment_status).toBe('pending');
  });

  test('settles once by reports and verifications in any number and order', async () => {
    for (const reportFirst of [true, false]) {
      const { order, reference, session } = await startPayment();
      provider().pay(session);
      const hear = async (): Promise<void> => {
        const replies = await Promise.all([1, 2, 3].map(() => report(provider().report(session))));
        for (const { status } of replies) expect(status).toBe(200);
      };
      if (reportFirst) await hear();
      expect((await verify(reference)).body).toMatchObject({ status: 'succeeded', success: true, amount: price });
      await hear();
      expect(await orderOf(order.id)).toMatchObject({
        order_status: 'confirmed',
        payment_status: 'paid',
        amount_paid: price,
        amount_due: 0,
      });
      expect(await eventTypesOf(order)).toEqual(['payment.succeeded', 'order.paid']);
    }
    await balanced();
  });

  test('ignores reports that are forged, unsigned or for another store', async () => {
    const { order, reference, session } = await startPayment();
    provider().pay(session);
    expect(errorOf(await report(provider().forge(session)))).toEqual([401, 'unauthorized', undefined]);
    const { url: _address, ...unsigned } = provider().report(session);
    expect((await report({ ...unsigned, headers: {} })).status).toBe(401);
    const outsider = await shop.stoa.createStore({ currency });
    const signed = provider().report(session);
    const path = `/v1/payments/callbacks/${name}/${outsider.store_id}/sandbox${signed.url ? new URL(signed.url).search : ''}`;
    expect((await shop.stoa.send('POST', path, signed)).status).toBe(401);
    expect((await orderOf(order.id)).payment_status).toBe('pending');
    expect((await verify(reference)).body.status).toBe('succeeded');
  });

  test('stays pending for review when the amount differs from the amount due', async () => {
    const { order, reference, session } = await startPayment();
    provider().pay(session, units / 5);
    expect((await report(provider().report(session))).status).toBe(200);
    expect((await verify(reference)).body).toMatchObject({ success: false, status: 'pending', needs_review: true });
    expect(await orderOf(order.id)).toMatchObject({ payment_status: 'pending', amount_paid: 0 });
    expect(await eventTypesOf(order)).toEqual([]);
    const { body } = await sent('GET', `/v1/payments?needs_review=true&order_id=${order.id}`);
    expect(body.payments).toMatchObject([{ reference, status: 'pending', order_id: order.id, amount: price }]);
    await balanced();
  });

  test('records and refunds a second payment of the same order', async () => {
    const order = await placed();
    const first = (await initialize(order)).body;
    const second = (await initialize(order)).body;
    // The provider has ended the first session, so it cannot be paid.
    const ends = name === 'card_checkout';
    expect((await verify(first.reference)).body.status).toBe(ends ? 'expired' : 'pending');
    if (ends) return;
    provider().pay(second.session_id);
    await report(provider().report(second.session_id));
    expect((await verify(second.reference)).body.status).toBe('succeeded');
    provider().pay(first.session_id);
    await Promise.all([1, 2, 3].map(() => report(provider().report(first.session_id))));
    await verify(first.reference);
    if (name === 'corner_bank') {
      // The custom provider receives no refund request: the merchant finds the payment in the list, refunds it and
      // reports the refund.
      const { body } = await sent('GET', '/v1/payments?needs_review=true&status=succeeded');
      expect(body.payments.map(({ reference }: { reference: string }) => reference)).toEqual([first.reference]);
      await report(provider().reportRefund(first.session_id, units, false));
    }
    if (name === 'mobile_money') {
      await eventually(() => expect(provider().refundsRequested).toBeGreaterThan(0));
      await report(provider().reportRefund(first.session_id, units, false));
    }
    await eventually(async () =>
      expect((await verify(first.reference)).body).toMatchObject({ status: 'refunded', needs_review: false }),
    );
    expect(await orderOf(order.id)).toMatchObject({ payment_status: 'paid', amount_paid: price, refunds: [] });
    const events = await eventTypesOf(order, ['payment.succeeded', 'payment.refunded', 'order.paid', 'order.refunded']);
    expect(events.toSorted()).toEqual(['order.paid', 'payment.refunded', 'payment.succeeded', 'payment.succeeded']);
    await balanced();
  });

  test('leaves the order open when declined, and a later payment succeeds', async () => {
    if (name === 'card_checkout') {
      // Stripe reports a decline; its session query does not contain it.
      const { order, session } = await startPayment();
      provider().decline(session);
      await report(provider().report(session));
      expect((await orderOf(order.id)).payment_status).toBe('failed');
      return;
    }
    const { order, reference, session } = await startPayment();
    provider().decline(session);
    expect((await verify(reference)).body).toMatchObject({ status: 'failed', success: false });
    expect((await orderOf(order.id)).payment_status).toBe('failed');
    const again = await initialize(order);
    expect((await orderOf(order.id)).payment_status).toBe('pending');
    provider().pay(again.body.session_id);
    expect((await verify(again.body.reference)).body.status).toBe('succeeded');
    expect(await eventTypesOf(order)).toEqual(['payment.failed', 'payment.succeeded', 'order.paid']);
  });

  test('answers 503 while the provider is down, and succeeds later under the same key', async () => {
    const order = await placed();
    const key = randomUUID();
    provider().standIn.mood = 'down';
    const reply = await initialize(order, key);
    expect([reply.status, reply.body.error.code]).toEqual([503, 'service_unavailable']);
    expect(reply.headers.get('retry-after')).toBe('2');
    provider().standIn.mood = 'well';
    expect((await initialize(order, key)).status).toBe(200);
  });

  test('reuses the session after a start whose answer was lost', async () => {
    const order = await placed();
    const key = randomUUID();
    const before = provider().startedCount;
    provider().standIn.mood = 'lost';
    expect((await initialize(order, key)).status).toBe(503);
    provider().standIn.mood = 'well';
    const { body } = await initialize(order, key);
    provider().pay(body.session_id);
    expect((await verify(body.reference)).body.status).toBe('succeeded');
    // Paystack and Daraja accept no idempotency key: the first session stays open, and no shopper is sent to it.
    if (name !== 'mobile_money' && name !== 'bank_africa') expect(provider().startedCount).toBe(before + 1);
    expect(await orderOf(order.id)).toMatchObject({ payment_status: 'paid', amount_paid: price });
  });

  test('verifies itself after a minute without a report', async () => {
    const { order, session } = await startPayment();
    provider().pay(session);
    shop.clock.advance(61_000);
    await eventually(async () => expect((await orderOf(order.id)).payment_status).toBe('paid'));
    expect(await eventTypesOf(order)).toEqual(['payment.succeeded', 'order.paid']);
  });

  test('refunds a part and the rest, and updates its order', async () => {
    const { order, reference, session } = await paid();
    const before = provider().refundedAmounts.length;
    const pending = name === 'mobile_money' || name === 'corner_bank';
    for (const [amount, back] of [
      [part, partUnits],
      [price - part, units - partUnits],
    ] as const) {
      const exact = Number(amount.toFixed(3));
      const asked = askedFrom(provider());
      const made = await refund(order, exact);
      expect([made.status, made.body.refund?.status], made.text).toEqual([201, 'pending']);
      if (pending) {
        await asked(1);
        expect((await refundsOf(order)).at(-1)).toBe('pending');
        const refundReport = provider().reportRefund(session, exact, false);
        for (let times = 0; times < 2; times++) expect((await report(refundReport)).status).toBe(200);
      }
      await eventually(async () => expect((await refundsOf(order)).at(-1)).toBe('succeeded'));
      expect(provider().refundedAmounts.at(-1)).toBeCloseTo(back, 3);
    }
    expect(provider().refundedAmounts).toHaveLength(before + 2);
    expect(await orderOf(order.id)).toMatchObject({ payment_status: 'refunded', amount_refunded: price });
    expect((await verify(reference)).body.status).toBe('refunded');
    expect(await eventTypesOf(order, ['payment.refunded'])).toEqual(['payment.refunded', 'payment.refunded']);
    await balanced();
  });

  test.skipIf(name === 'corner_bank')('stays paid when its provider refuses the refund', async () => {
    const { order } = await paid();
    provider().refunds = 'refused';
    expect((await refund(order, part)).status).toBe(201);
    await eventually(async () => expect(await refundsOf(order)).toEqual(['failed']));
    expect(await orderOf(order.id)).toMatchObject({ payment_status: 'paid', amount_refunded: 0, amount_paid: price });
    await balanced();
  });

  test.skipIf(name === 'corner_bank' || name === 'mobile_money')(
    'refunds once when the answer to the refund was lost',
    async () => {
      const { order } = await paid();
      const before = provider().refundedAmounts.length;
      const asked = askedFrom(provider());
      provider().standIn.mood = 'lost';
      expect((await refund(order, part)).status).toBe(201);
      await asked(1);
      expect(await refundsOf(order)).toEqual(['pending']);
      expect(provider().refundedAmounts).toHaveLength(before + 1);
      provider().standIn.mood = 'well';
      await eventually(async () => {
        shop.clock.advance(11_000);
        expect(await refundsOf(order)).toEqual(['succeeded']);
      });
      expect(provider().refundedAmounts).toHaveLength(before + 1);
      expect(await eventTypesOf(order, ['payment.refunded'])).toEqual(['payment.refunded']);
    },
  );

  test.skipIf(name === 'corner_bank' || name === 'mobile_money')(
    'keeps an unanswered refund pending while the provider refuses the credentials',
    async () => {
      const { order } = await paid();
      const before = provider().refundedAmounts.length;
      const asked = askedFrom(provider());
      provider().standIn.mood = 'lost';
      expect((await refund(order, part)).status).toBe(201);
      await asked(1);
      provider().standIn.mood = 'locked';
      const requestsBefore = provider().standIn.asked.length;
      await eventually(() => {
        shop.clock.advance(61_000);
        expect(provider().standIn.asked.length).toBeGreaterThan(requestsBefore + 1);
      });
      expect(await refundsOf(order)).toEqual(['pending']);
      provider().standIn.mood = 'well';
      await eventually(async () => {
        shop.clock.advance(3_600_000);
        expect(await refundsOf(order)).toEqual(['succeeded']);
      });
      expect(provider().refundedAmounts).toHaveLength(before + 1);
      expect(await orderOf(order.id)).toMatchObject({ payment_status: 'partially_refunded', amount_refunded: part });
      await balanced();
    },
  );

  test('verifies and refunds with new credentials after the former ones were replaced', async () => {
    const { order, session } = await paid();
    const open = await startPayment();
    provider().pay(open.session);
    provider().changeKeys();
    for (let tries = 0; tries < 2; tries++) expect((await verify(open.reference)).status).toBe(503);
    const connected = await sent('POST', '/v1/payments/providers', provider().connection);
    expect(connected.status, connected.text).toBe(201);
    expect((await verify(open.reference)).body).toMatchObject({ status: 'succeeded', amount: price });

    const asked = askedFrom(provider());
    expect((await refund(order, part)).status).toBe(201);
    await asked(1);
    if (name === 'mobile_money' || name === 'corner_bank')
      expect((await report(provider().reportRefund(session, part, false))).status).toBe(200);
    await eventually(async () => expect(await refundsOf(order)).toEqual(['succeeded']));
    expect(await orderOf(order.id)).toMatchObject({ payment_status: 'partially_refunded', amount_refunded: part });
    await balanced();
  });

  test.runIf(name === 'mobile_money')('requests a refund once after the provider was unreachable', async () => {
    const { order, session } = await paid();
    const before = provider().refundsRequested;
    // Daraja rejects the cached token, then fails to issue another.
    provider().standIn.mood = 'locked';
    expect((await refund(order, part)).status).toBe(201);
    provider().standIn.mood = 'down';
    const requestsBefore = provider().standIn.asked.length;
    await eventually(() => {
      shop.clock.advance(61_000);
      expect(provider().standIn.asked.length).toBeGreaterThan(requestsBefore + 1);
    });
    expect(provider().refundsRequested).toBe(before);
    expect(await refundsOf(order)).toEqual(['pending']);
    provider().standIn.mood = 'well';
    await eventually(() => {
      shop.clock.advance(3_600_000);
      expect(provider().refundsRequested).toBe(before + 1);
    });
    expect((await report(provider().reportRefund(session, part, false))).status).toBe(200);
    expect(await refundsOf(order)).toEqual(['succeeded']);
    await balanced();
  });

  test.skipIf(name === 'corner_bank' || name === 'mobile_money')('completes a later refund by its report', async () => {
    const { order, session } = await paid();
    provider().refunds = 'later';
    const asked = askedFrom(provider());
    expect((await refund(order, part)).status).toBe(201);
    await asked(1);
    expect(await refundsOf(order)).toEqual(['pending']);
    const refundReport = provider().reportRefund(session, partUnits, false);
    for (let times = 0; times < 3; times++) expect((await report(refundReport)).status).toBe(200);
    expect(await refundsOf(order)).toEqual(['succeeded']);
    expect(await orderOf(order.id)).toMatchObject({ amount_refunded: part });
    await balanced();
  });

  test.skipIf(name === 'mobile_money')('lowers the order’s amount by a refund that its provider started', async () => {
    const { order, session, reference } = await paid();
    const own = provider().reportRefund(session, partUnits, true);
    for (let times = 0; times < 3; times++) expect((await report(own)).status).toBe(200);
    expect(await orderOf(order.id)).toMatchObject({ payment_status: 'partially_refunded', amount_refunded: part });
    expect((await verify(reference)).body.status).toBe('succeeded');
    expect(await eventTypesOf(order, ['payment.refunded'])).toEqual(['payment.refunded']);
    await balanced();
  });

  // PayPal reports no refund that failed, and a merchant's own provider none that it did not give back.
  test.skipIf(name !== 'card_checkout' && name !== 'bank_africa')(
    'restores the order’s amount when a refund that its provider started fails',
    async () => {
      const { order, session, reference } = await paid();
      const own = provider().reportRefund(session, partUnits, true);
      expect((await report(own)).status).toBe(200);
      expect(await orderOf(order.id)).toMatchObject({ payment_status: 'partially_refunded', amount_refunded: part });
      const failure = own.body.replace(/"(refund\.)?(succeeded|processed)"/g, '"$1failed"');
      provider().standIn.twist = () => failure;
      const failed = provider().reportRefund(session, partUnits, true);
      provider().standIn.twist = (said) => said;
      for (let times = 0; times < 2; times++) expect((await report(failed)).status).toBe(200);
      expect(await orderOf(order.id)).toMatchObject({ payment_status: 'paid', amount_refunded: 0 });
      const { body } = await sent('GET', `/v1/payments?order_id=${order.id}`);
      expect(body.payments).toMatchObject([{ reference, status: 'succeeded', amount_refunded: 0 }]);
      await balanced();
    },
  );

  test('ignores signed reports with invalid content', async () => {
    if (name === 'wallet') return;
    const { order, session } = await startPayment();
    const { url, headers } = provider().report(session);
    for (const body of ['{"nonsense":true}', '{"Body":{"stkCallback":7}}', '[]', 'null', '7', 'nonsense']) {
      const reply = await report({ ...(url ? { url } : {}), headers, body });
      expect([200, 400, 401], `${body}: ${reply.text}`).toContain(reply.status);
    }
    expect((await orderOf(order.id)).payment_status).toBe('pending');
  });
});

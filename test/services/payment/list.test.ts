// The list of payments: pages, filters, and payments of every provider that need review.
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { createLog } from '#runtime/process/log.ts';
import { registry } from '#runtime/process/metric.ts';
import { openMarketplace, openOperator } from '#test/support/marketplace.ts';
import { eventually } from '#test/support/server.ts';
import type { Keys, Reply } from '#test/support/stoa.ts';
import { type PaymentSystem, startPaymentSystem } from './payment_system.ts';
import { startDaraja } from './provider/daraja.ts';
import { startMerchant } from './provider/merchant.ts';
import { startPaypal } from './provider/paypal.ts';
import { startPaystack } from './provider/paystack.ts';
import type { Provider, Report } from './provider/stand_in.ts';
import { startStripe } from './provider/stripe.ts';

/** A field of a provider's JSON as it is serialized. */
interface Member {
  readonly name: string;
  readonly value: string;
}

interface Till {
  readonly currency: string;
  readonly price: number;
  readonly phone?: string;
  readonly email?: string;
  readonly amount: Member;
  /** Null where the provider has one currency and does not send it. */
  readonly paidIn: Member | null;
  /** JSON values that differ from the amount due or are not an amount of this provider. */
  readonly odd: readonly string[];
  readonly otherCurrency: string;
}

const TILLS: Readonly<Record<string, Till>> = {
  card_checkout: {
    currency: 'USD',
    price: 26.6,
    email: 'a@b.example',
    amount: { name: 'amount_total', value: '2660' },
    paidIn: { name: 'currency', value: '"usd"' },
    odd: ['"2660"', '[2660]', '"0xa64"', '26.6', '266000', 'true', '2660.00000000000000000001'],
    otherCurrency: '"eur"',
  },
  wallet: {
    currency: 'USD',
    price: 26.6,
    amount: { name: 'value', value: '"26.60"' },
    paidIn: { name: 'currency_code', value: '"USD"' },
    odd: [
      '"2660"',
      '["26.60"]',
      '"0x1a"',
      '"26.6e0"',
      '" 26.60"',
      '"26.60000000000000000001"',
      '26.60000000000000000001',
    ],
    otherCurrency: '"EUR"',
  },
  bank_africa: {
    currency: 'NGN',
    price: 1_300.5,
    email: 'a@b.example',
    amount: { name: 'amount', value: '130050' },
    paidIn: { name: 'currency', value: '"NGN"' },
    odd: ['"130050"', '[130050]', '"0x1fc02"', '1300.5', '130050.00000000000000001'],
    otherCurrency: '"GHS"',
  },
  mobile_money: {
    currency: 'KES',
    price: 1_300,
    phone: '254712345678',
    amount: { name: 'Value', value: '1300' },
    paidIn: null,
    odd: ['[1300]', '"0x514"', '"1,300"', '13', '1300.0000000000000000001'],
    otherCurrency: '',
  },
  corner_bank: {
    currency: 'KWD',
    price: 13.305,
    amount: { name: 'amount', value: '13.305' },
    paidIn: { name: 'currency', value: '"KWD"' },
    odd: ['"13.305"', '[13.305]', '0.01', '0.00001', '13305', '13.30500000000000000001'],
    otherCurrency: '"BHD"',
  },
};

type Twist = (said: string) => string;
/** Replaces the value of a field; null deletes the field. */
const twisted =
  ({ name, value }: Member, other: string | null): Twist =>
  (said) =>
    other === null
      ? said.replaceAll(`"${name}":${value},`, '').replaceAll(`,"${name}":${value}`, '')
      : said.replaceAll(`"${name}":${value}`, `"${name}":${other}`);
const asItIs: Twist = (said) => said;

const twistsOf = ({ amount, paidIn, odd, otherCurrency }: Till): readonly (readonly [what: string, twist: Twist])[] => [
  ['no amount', twisted(amount, null)],
  ['an amount of null', twisted(amount, 'null')],
  ['an amount in words', twisted(amount, '"all of it"')],
  ...odd.map((value) => [`an amount of ${value}`, twisted(amount, value)] as const),
  ...(paidIn === null
    ? []
    : ([
        ['no currency', twisted(paidIn, null)],
        ['a currency of null', twisted(paidIn, 'null')],
        ['a currency that is a number', twisted(paidIn, '840')],
        ['a currency that there is not', twisted(paidIn, '"coins"')],
        ['another currency', twisted(paidIn, otherCurrency)],
      ] as const)),
];

const lines: string[] = [];
/** Log entries of payments that do not match. */
const reviewLogs = (): { payment: string; provider: string; discrepancy: string }[] =>
  lines.filter((line) => line.includes('that does not match')).map((line) => JSON.parse(line));

let shop: PaymentSystem;
const providers = new Map<string, Provider>();
const stores = new Map<string, { readonly keys: Keys; readonly variant: string }>();
beforeAll(async () => {
  const now = (): number => shop.clock.real();
  const started = [await startStripe(now), await startPaypal(), await startPaystack(), await startDaraja()];
  for (const { variable, standIn } of started) process.env[variable] = standIn.url;
  process.env.STOA_ALLOW_LOCAL_WEBHOOKS = '1';
  const log = createLog({ name: 'test', level: 'error', write: (line) => lines.push(line) });
  shop = await startPaymentSystem({}, { log });
  for (const provider of [...started, await startMerchant(now)]) providers.set(provider.name, provider);
  for (const [name, { currency, price }] of Object.entries(TILLS)) {
    const keys = await shop.stoa.createStore({ currency });
    const write = (path: string, body: unknown) => shop.send('POST', path, { key: keys.secret_test_key, body });
    const product = { name: 'Lamp', price, stock: 1_000, shipping_info: { requires_shipping: false } };
    const { body } = await write('/v1/products', product);
    expect((await write('/v1/payments/providers', providers.get(name)!.connection)).status).toBe(201);
    stores.set(name, { keys, variant: body.variant_id });
  }
});
afterAll(async () => {
  await shop.close();
  for (const { standIn } of providers.values()) await standIn.stop();
});

/** Requests of a shopper and of a provider to one of the stores. */
const till = (name: string) => {
  const { price, currency, phone, email } = TILLS[name]!;
  const provider = (): Provider => providers.get(name)!;
  const sent = (method: string, path: string, body?: unknown): Promise<Reply> => {
    const { keys } = stores.get(name)!;
    return shop.send(method, path, {
      key: keys.secret_test_key,
      signWith: keys.hmac_test_secret,
      ...(body === undefined ? {} : { body }),
    });
  };
  const startPayment = async (): Promise<{ order: string; reference: string; session: string }> => {
    const items = [{ variant_id: stores.get(name)!.variant, quantity: 1 }];
    const { body } = await sent('POST', '/v1/orders', { items, email: 'ada@example.com' });
    const reply = await sent('POST', '/v1/payments/initialize', {
      provider: name,
      amount: price,
      currency,
      order_id: body.order.id,
      ...(phone === undefined ? {} : { phone }),
      ...(email === undefined ? {} : { email }),
    });
    expect(reply.status, reply.text).toBe(200);
    return { order: body.order.id, reference: reply.body.reference, session: reply.body.session_id };
  };
  return {
    provider,
    sent,
    startPayment,
    orderOf: async (id: string) => (await sent('GET', `/v1/orders/${id}`)).body.order,
    verify: (reference: string): Promise<Reply> => sent('POST', '/v1/payments/verify', { provider: name, reference }),
    report: ({ url, headers, body }: Report): Promise<Reply> => {
      const search = url ? new URL(url).search : '';
      const path = `/v1/payments/callbacks/${name}/${stores.get(name)!.keys.store_id}/sandbox${search}`;
      return shop.stoa.send('POST', path, { headers, body });
    },
    listed: async (query: string): Promise<string[]> =>
      (await sent('GET', `/v1/payments?${query}`)).body.payments.map(
        ({ reference }: { reference: string }) => reference,
      ),
  };
};

describe.each(Object.keys(TILLS))('a success that %s reports and answers', (name) => {
  const { provider, startPayment, orderOf, verify, report, listed } = till(name);
  afterEach(() => {
    provider().standIn.twist = asItIs;
  });

  test.each(twistsOf(TILLS[name]!))('with %s pays nothing, is logged, and needs review', async (_, twist) => {
    const { price } = TILLS[name]!;
    const { order, reference, session } = await startPayment();
    provider().pay(session);
    const before = reviewLogs().length;
    provider().standIn.twist = twist;
    // PayPal first reports the approval; the payment is captured then.
    for (const _time of [1, 2]) expect((await report(provider().report(session))).status).toBe(200);
    const reported = reviewLogs().slice(before);
    expect(reported.length).toBeGreaterThan(0);
    expect(reported[0]).toMatchObject({ provider: name, discrepancy: expect.any(String) });
    expect((await verify(reference)).body).toMatchObject({ success: false, status: 'pending', needs_review: true });
    expect(reviewLogs().length).toBeGreaterThan(before + reported.length);
    expect(await orderOf(order)).toMatchObject({ payment_status: 'pending', amount_paid: 0, amount_due: price });
    expect(await listed(`needs_review=true&order_id=${order}`)).toEqual([reference]);
    expect(await listed(`needs_review=false&order_id=${order}`)).toEqual([]);
    provider().standIn.twist = asItIs;
    // A later report that matches settles the payment.
    expect((await report(provider().report(session))).status).toBe(200);
    expect((await verify(reference)).body).toMatchObject({ status: 'succeeded', needs_review: false });
    expect((await orderOf(order)).payment_status).toBe('paid');
    expect(await listed(`needs_review=true&order_id=${order}`)).toEqual([]);
  });

  test('needs review when only the answer to a verification lacks the amount', async () => {
    // Daraja's answers contain no amount: the shopper can only approve the requested one.
    if (name === 'mobile_money') return;
    const { reference, session } = await startPayment();
    provider().pay(session);
    provider().standIn.twist = twisted(TILLS[name]!.amount, null);
    expect((await verify(reference)).body).toMatchObject({ status: 'pending', needs_review: true });
    provider().standIn.twist = asItIs;
    expect((await verify(reference)).body).toMatchObject({ status: 'succeeded', needs_review: false });
  });
});

describe.each(Object.keys(TILLS).filter((name) => name !== 'mobile_money'))(
  'a refund that %s began by itself',
  (name) => {
    const { provider, sent, startPayment, orderOf, verify, report, listed } = till(name);
    afterEach(() => {
      provider().standIn.twist = asItIs;
      provider().refunds = 'at once';
    });
    const { paidIn, otherCurrency } = TILLS[name]!;

    test.each<[what: string, twist: Twist]>([
      ['an amount in words', (said) => said.replace(/"(amount|value)":"?[\d.]+"?/, '"$1":"some of it"')],
      ['no amount', (said) => said.replace(/"(amount|value)":"?[\d.]+"?/, '"$1":null')],
      ['a part of the smallest unit', (said) => said.replace(/"(amount|value)":("?)[\d.]+/, '"$1":$20.00001')],
      ['more than was paid', (said) => said.replace(/"(amount|value)":("?)[\d.]+/, '"$1":$2900000')],
      ['another currency', twisted(paidIn!, otherCurrency)],
    ])('with %s refunds nothing, is logged, and needs review', async (_, twist) => {
      const { price } = TILLS[name]!;
      const { order, reference, session } = await startPayment();
      provider().pay(session);
      expect((await verify(reference)).body.status).toBe('succeeded');
      const before = reviewLogs().length;
      provider().standIn.twist = twist;
      expect((await report(provider().reportRefund(session, 1, true))).status).toBe(200);
      expect(reviewLogs().slice(before)).toMatchObject([
        { provider: name, msg: 'received a provider refund that does not match the ledger; needs review' },
      ]);
      expect(await orderOf(order)).toMatchObject({ payment_status: 'paid', amount_paid: price, amount_refunded: 0 });
      expect(await listed(`needs_review=true&order_id=${order}`)).toEqual([reference]);
    });

    test('refunds once for ten concurrent reports, and needs no review', async () => {
      const { price } = TILLS[name]!;
      const { order, reference, session } = await startPayment();
      provider().pay(session);
      expect((await verify(reference)).body.status).toBe('succeeded');
      const before = reviewLogs().length;
      const own = provider().reportRefund(session, provider().amountOf(session), true);
      const replies = await Promise.all(Array.from({ length: 10 }, () => report(own)));
      expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200]));
      expect(reviewLogs().slice(before)).toEqual([]);
      expect(await listed(`needs_review=true&order_id=${order}`)).toEqual([]);
      expect(await orderOf(order)).toMatchObject({ amount_paid: price, amount_refunded: price });
    });

    test('exceeding the amount of its order refunds nothing, is logged, and needs review', async () => {
      const { price } = TILLS[name]!;
      const { order, reference, session } = await startPayment();
      provider().pay(session);
      expect((await verify(reference)).body.status).toBe('succeeded');
      provider().refunds = 'later';
      expect((await sent('POST', `/v1/orders/${order}/refunds`, { amount: 1 })).status).toBe(201);
      const before = reviewLogs().length;
      const own = provider().reportRefund(session, provider().amountOf(session), true);
      for (const _time of [1, 2]) expect((await report(own)).status).toBe(200);
      expect(reviewLogs()[before]).toMatchObject({
        msg: 'received a provider refund that does not match the ledger; needs review',
      });
      const { body } = await sent('GET', `/v1/payments?needs_review=true&order_id=${order}`);
      expect(body.payments).toMatchObject([{ reference, status: 'succeeded', amount_refunded: 0 }]);
      expect(await orderOf(order)).toMatchObject({ amount_paid: price, amount_refunded: 1 });
    });
  },
);

test('exports the number of payments that need review and the age of the oldest pending one', async () => {
  const counted = async (): Promise<number | undefined> =>
    (await registry.getSingleMetric('stoa_payments_needs_review')!.get()).values[0]?.value;
  const before = (await shop.stoa.services.runtime.postgres.sql`select from payment.payment where needs_review`).length;
  for (const name of Object.keys(TILLS)) {
    const { provider, startPayment, report } = till(name);
    const { session } = await startPayment();
    provider().pay(session, 1);
    await report(provider().report(session));
  }
  await eventually(async () => expect(await counted()).toBe(before + Object.keys(TILLS).length));
  const age = await registry.getSingleMetric('stoa_payments_pending_age_seconds')!.get();
  expect(age.values[0]!.value).toBeGreaterThan(0);
});

test('the list of payments is paged, newest first, and filtered', async () => {
  const { startPayment, sent } = till('corner_bank');
  const references: string[] = [];
  for (let count = 0; count < 3; count++) {
    references.unshift((await startPayment()).reference);
    shop.clock.advance(1_000);
  }
  const { body: first } = await sent('GET', '/v1/payments?status=pending&needs_review=false&limit=2');
  expect(first.pagination).toMatchObject({ limit: 2, has_more: true });
  const cursor = encodeURIComponent(first.pagination.next_cursor);
  const { body: second } = await sent('GET', `/v1/payments?status=pending&needs_review=false&limit=2&cursor=${cursor}`);
  const all = [...first.payments, ...second.payments].map(({ reference }: { reference: string }) => reference);
  expect(all).toEqual(references);
  expect((await sent('GET', '/v1/payments?status=lost')).status).toBe(400);
  expect((await sent('GET', `/v1/payments?limit=3&cursor=${cursor}`)).status).toBe(400);
});

test('settles a success whose charge_id contains characters that Postgres cannot store', async () => {
  const { provider, startPayment, verify, orderOf } = till('corner_bank');
  const { order, reference, session } = await startPayment();
  provider().pay(session);
  provider().standIn.twist = (said) => said.replace('{', '{"charge_id":"ch\\u0000\\ud800",');
  const verified = await verify(reference);
  provider().standIn.twist = asItIs;
  expect([verified.status, verified.body.status], verified.text).toEqual([200, 'succeeded']);
  expect((await orderOf(order)).payment_status).toBe('paid');
});

test('replaces an expires_at beyond the range of dates by the default expiry', async () => {
  const { provider, startPayment, sent } = till('corner_bank');
  provider().standIn.twist = (said) => said.replace('{', '{"expires_at":"+275760-09-12T00:00:00Z",');
  const { reference } = await startPayment().finally(() => {
    provider().standIn.twist = asItIs;
  });
  expect((await sent('GET', '/v1/payments?status=pending')).text).toContain(reference);
});

describe('the payments of a checkout over several merchants', () => {
  test('shows its operator alone the payments of a group, the newest first', async () => {
    const market = await openMarketplace(shop.stoa);
    const place = async (): Promise<string> => (await market.checkout()).body.checkout.group_id;
    const pay = async (group: string): Promise<string> => {
      shop.clock.advance(1_000);
      const body = { provider: 'card_checkout' };
      return (await market.send('POST', `/v1/cart/checkout/${group}/pay`, body)).body.reference;
    };
    const [group, other] = [await place(), await place()];
    const [before, after] = [await pay(group), await pay(group)];
    await pay(other);
    await market.send('POST', `/v1/sandbox/payments/${after}`, { outcome: 'succeed' });
    const path = `/v1/cart/checkout/${group}/payments`;
    const { payments } = (await market.send('GET', path)).body;
    expect(payments).toMatchObject([
      { reference: after, status: 'succeeded', amount: 20, order_id: null },
      { reference: before, status: 'expired', amount: 20 },
    ]);
    const { pagination } = (await market.send('GET', `${path}?limit=1`)).body;
    const second = `limit=1&cursor=${pagination.next_cursor}`;
    expect((await market.send('GET', `${path}?${second}`)).body.payments).toEqual([payments[1]]);
    const foreign = await market.send('GET', `/v1/cart/checkout/${other}/payments?${second}`);
    expect([foreign.status, foreign.body.error.param]).toEqual([400, 'cursor']);
    const { operator_test_key: key } = await openOperator(shop.stoa, [market.members[0]!.store]);
    expect((await shop.stoa.send('GET', path, { key })).status).toBe(404);
  });
});

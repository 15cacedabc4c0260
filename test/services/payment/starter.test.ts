// Payments of orders in another currency than the store's: their currency, captures of a part, and refunds at once.
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { StoreOrder } from '#proto/gen/order.ts';
import { eventually } from '#test/support/server.ts';
import { currencyOf } from '#values/currency.ts';
import { convertBack, inProportion, parseRate } from '#values/exchange.ts';
import { errorOf, type PaymentSystem, startPaymentSystem } from './payment_system.ts';
import { startPaypal } from './provider/paypal.ts';
import type { Provider } from './provider/stand_in.ts';
import { openTill, PRICE, type Till } from './till.ts';

const RATE = 0.9217;
const REFUNDERS = 8;
/** PRICE at RATE, rounded half up. */
const DUE = 24.52;

let shop: PaymentSystem;
let paypal: Provider;
beforeAll(async () => {
  paypal = await startPaypal();
  process.env[paypal.variable] = paypal.standIn.url;
  process.env.STOA_ALLOW_LOCAL_WEBHOOKS = '1';
  shop = await startPaymentSystem();
});
afterAll(async () => {
  await shop.close();
  await paypal.standIn.stop();
});

const open = async (provider: Provider | null = null): Promise<Till> => {
  const till = await openTill(shop, provider);
  const currencies = ['EUR', 'KWD'].map((currency) => ({ currency, prices: 'rate' }));
  const saved = await shop.send('PATCH', '/v1/store', { key: till.keys.secret_key, body: { currencies } });
  expect(saved.status, saved.text).toBe(200);
  for (const { currency } of currencies)
    expect((await till.write('PUT', `/v1/exchange-rates/${currency}`, { rate: RATE })).status).toBe(200);
  return till;
};

/** Returns what an order's account holds in a currency; checks that the books balance in each. */
const held = async ({ keys }: Till, { id }: StoreOrder, currency: string): Promise<number> => {
  const { balanced } = (await shop.stoa.services.runtime.ask(
    'LedgerAdmin/GetTrialBalance',
    { store: '', environment: 'production' },
    { store: keys.store_id },
  )) as { balanced: boolean };
  expect(balanced).toBe(true);
  const [row] = await shop.stoa.services.runtime.postgres.sql`
    select coalesce(sum(balance), 0)::bigint as balance from ledger.account
    where store = ${keys.store_id} and kind = 'order' and subject = ${id} and currency = ${currency}`;
  return Number(row!.balance);
};

const worth = convertBack(2_452, {
  from: currencyOf('USD'),
  to: currencyOf('EUR'),
  rate: parseRate(RATE)!,
  ending: null,
})!;

const authorized = async (till: Till, provider: Provider | null): Promise<{ order: StoreOrder; reference: string }> => {
  const order = await till.placed({ currency: 'EUR' });
  expect(order).toMatchObject({ currency: 'EUR', amount_due: DUE, store_amounts: { currency: 'USD' } });
  const { status, body, text } = await till.initialize(order);
  expect(status, text).toBe(200);
  provider?.pay(body.session_id);
  const answer = provider
    ? await till.write('POST', '/v1/payments/verify', { provider: provider.name, reference: body.reference })
    : await till.write('POST', `/v1/sandbox/payments/${body.reference}`, { outcome: 'succeed' });
  expect(answer.body, answer.text).toMatchObject({ status: 'authorized', amount: DUE, currency: 'EUR' });
  return { order, reference: body.reference };
};

const paid = async (till: Till): Promise<StoreOrder> => {
  const order = await till.placed({ currency: 'EUR' });
  const { body, text } = await till.initialize(order, { capture: 'automatic' });
  const settled = await till.write('POST', `/v1/sandbox/payments/${body.reference}`, { outcome: 'succeed' });
  expect(settled.body, text).toMatchObject({ status: 'succeeded', amount: DUE, currency: 'EUR' });
  await eventually(async () => expect(await till.orderOf(order)).toMatchObject({ payment_status: 'paid' }));
  return order;
};

test('takes the order’s currency where none is named, and refuses another one', async () => {
  const till = await open();
  const order = await till.placed({ currency: 'EUR' });
  expect(errorOf(await till.initialize(order, { currency: 'USD' }))).toEqual([400, 'invalid_request', 'currency']);
  expect(errorOf(await till.initialize(order, { amount: PRICE }))).toEqual([400, 'amount_mismatch', 'amount']);
  expect((await till.initialize(order)).status).toBe(200);
});

test.each([
  ['wallet', { currency: 'KWD' }, 'currency'],
  ['wallet', {}, 'provider'],
  ['bank_africa', { currency: 'KWD' }, 'currency'],
  ['mobile_money', { phone: '254700000000' }, 'provider'],
])(
  'refuses to pay with %s in a currency that it does not take, and stores nothing: %o',
  async (provider, more, param) => {
    const till = await open();
    const order = await till.placed({ currency: 'KWD' });
    const refused = await till.initialize(order, { provider, capture: 'automatic', ...more });
    expect(errorOf(refused), refused.text).toEqual([400, 'invalid_request', param]);
    const rows = await shop.stoa.services.runtime.postgres.sql`
    select 1 from payment.payment where store = ${till.keys.store_id}`;
    expect(rows).toHaveLength(0);
  },
);

test.each(['simulator', 'wallet'])(
  'captures a part in both currencies, and refunds it to nothing: %s',
  async (name) => {
    const provider = name === 'wallet' ? paypal : null;
    const till = await open(provider);
    const { order, reference } = await authorized(till, provider);
    // A new rate changes no placed order.
    await till.write('PUT', '/v1/exchange-rates/EUR', { rate: 2 });
    const part = await till.write('POST', `/v1/payments/${reference}/capture`, { amount: 20 });
    expect(part.body, part.text).toMatchObject({ status: 'succeeded', amount: 20, currency: 'EUR' });
    await eventually(async () =>
      expect(await till.orderOf(order)).toMatchObject({
        payment_status: 'paid',
        amount_paid: 20,
        amount_released: 4.52,
      }),
    );
    expect(await held(till, order, 'EUR')).toBe(2_000);
    expect(await held(till, order, 'USD')).toBe(inProportion(worth, 2_000, 2_452));
    for (const amount of [6.67, 13.33])
      expect((await till.write('POST', `/v1/orders/${order.id}/refunds`, { amount })).status).toBe(201);
    expect([await held(till, order, 'EUR'), await held(till, order, 'USD')]).toEqual([0, 0]);
    const { store_amounts } = await till.orderOf(order);
    expect(store_amounts).toMatchObject({
      exchange_rate: RATE,
      total_amount: worth / 100,
      amount_refunded: inProportion(worth, 2_000, 2_452) / 100,
    });
  },
);

test('voids an authorisation in a further currency', async () => {
  const till = await open();
  const { order, reference } = await authorized(till, null);
  expect((await till.write('POST', `/v1/payments/${reference}/void`)).body).toMatchObject({ status: 'voided' });
  await eventually(async () => expect((await till.orderOf(order)).payment_status).toBe('voided'));
  expect([await held(till, order, 'EUR'), await held(till, order, 'USD')]).toEqual([0, 0]);
});

test('gives the money back once for refunds at once, in both currencies', async () => {
  const till = await open();
  const order = await paid(till);
  const replies = await Promise.all(
    Array.from({ length: REFUNDERS }, () => till.write('POST', `/v1/orders/${order.id}/refunds`, { amount: 10 })),
  );
  const made = replies.filter(({ status }) => status === 201);
  expect(made, replies.map(({ text }) => text).join('\n')).toHaveLength(2);
  expect(await held(till, order, 'EUR')).toBe(452);
  expect(await held(till, order, 'USD')).toBe(inProportion(worth, 452, 2_452));
  expect((await till.write('POST', `/v1/orders/${order.id}/refunds`, { amount: 4.52 })).status).toBe(201);
  expect([await held(till, order, 'EUR'), await held(till, order, 'USD')]).toEqual([0, 0]);
  expect((await till.orderOf(order)).store_amounts).toMatchObject({ amount_refunded: worth / 100 });
});

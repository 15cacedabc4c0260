// The books after random business over HTTP: orders paid by cards, credit and payments, refunded, cancelled, several at a
// time. A short form by default; STOA_OPERATIONS=1000 for the long one, STOA_SEED for another course of things.
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { StoreOrder } from '#proto/gen/order.ts';
import type { GetTrialBalanceResponse } from '#proto/gen/value.ts';
import { type PaymentSystem, startPaymentSystem } from '#test/services/payment/payment_system.ts';
import { eventually } from '#test/support/server.ts';
import type { Reply } from '#test/support/stoa.ts';

const OPERATIONS = Number(process.env.STOA_OPERATIONS ?? 60);
const SEED = Number(process.env.STOA_SEED ?? 20_261_121);
const AT_ONCE = 4;

let shop: PaymentSystem;
beforeAll(async () => {
  shop = await startPaymentSystem();
});
afterAll(() => shop.close());

const write = (method: string, path: string, body?: unknown): Promise<Reply> =>
  shop.send(method, path, {
    key: shop.keys.secret_test_key,
    signWith: shop.keys.hmac_test_secret,
    ...(body === undefined ? {} : { body }),
  });

const step = fc.record({
  what: fc.constantFrom(
    'place',
    'place',
    'pay',
    'pay',
    'decline',
    'elsewhere',
    'refund',
    'refund',
    'cancel',
    'card',
    'credit',
  ),
  which: fc.nat(),
  quantity: fc.integer({ min: 1, max: 4 }),
  /** In cents. */
  amount: fc.integer({ min: 1, max: 4_000 }),
  withCard: fc.boolean(),
  withCredit: fc.boolean(),
});
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

test(`${OPERATIONS} random operations leave every account what the API says of it, and all together nothing`, {
  timeout: 600_000,
}, async () => {
  const { body: product } = await write('POST', '/v1/products', {
    name: 'Lesson',
    price: 13.37,
    stock: 100_000,
    shipping_info: { requires_shipping: false },
  });
  const shopper = await shop.newShopper(shop.keys, 'sandbox');
  const orders: string[] = [];
  const cards: { id: string; code: string }[] = [];
  const some = <T>(all: readonly T[], which: number): T | undefined => all[which % Math.max(1, all.length)];
  const orderOf = async (id: string): Promise<StoreOrder> => (await write('GET', `/v1/orders/${id}`)).body.order;

  const pay = async (id: string, outcome: string): Promise<Reply> => {
    const { amount_due } = await orderOf(id);
    const started = await write('POST', '/v1/payments/initialize', {
      provider: 'wallet',
      amount: Math.max(0.01, amount_due),
      order_id: id,
    });
    return started.status === 200
      ? write('POST', `/v1/sandbox/payments/${started.body.reference}`, { outcome })
      : started;
  };
  const place = async ({ which, quantity, amount, withCard, withCredit }: Step): Promise<Reply> => {
    const card = withCard ? some(cards, which) : undefined;
    const placed = await write('POST', '/v1/orders', {
      items: [{ variant_id: product.variant_id, quantity }],
      email: 'ada@example.com',
      ...(card ? { gift_card_codes: [card.code] } : {}),
      ...(withCredit ? { customer_id: shopper.id, store_credit: amount / 100 } : {}),
    });
    if (placed.status === 201) orders.push(placed.body.order.id);
    return placed;
  };
  const act = async (one: Step): Promise<Reply | null> => {
    const { what, which, amount } = one;
    const id = some(orders, which);
    if (what === 'card') {
      const made = await write('POST', '/v1/gift-cards', { amount: amount / 100 });
      cards.push(made.body.gift_card);
      return made;
    }
    if (what === 'credit')
      return write('POST', '/v1/store-credit', { customer_id: shopper.id, amount: amount / 100, reason: 'Sorry' });
    if (what === 'place') return place(one);
    if (id === undefined) return null;
    if (what === 'pay') return pay(id, 'succeed');
    if (what === 'decline') return pay(id, 'fail');
    if (what === 'elsewhere') return write('PATCH', `/v1/orders/${id}`, { payment_status: 'paid' });
    if (what === 'cancel') return write('PATCH', `/v1/orders/${id}`, { order_status: 'cancelled' });
    return write('POST', `/v1/orders/${id}/refunds`, { amount: amount / 100 });
  };

  const steps = fc.sample(step, { numRuns: OPERATIONS, seed: SEED });
  const outcomes = new Map<string, number>();
  for (let from = 0; from < steps.length; from += AT_ONCE)
    await Promise.all(
      steps.slice(from, from + AT_ONCE).map(async (one) => {
        const reply = await act(one);
        // A busy machine may be told to come again; nothing ever fails half-way.
        expect(reply?.status, reply?.text).not.toBe(500);
        const outcome = `${one.what} ${reply && reply.status < 300 ? 'done' : 'refused'}`;
        outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
      }),
    );
  // Something of everything was done, else this proves nothing.
  for (const what of ['place', 'pay', 'refund', 'cancel', 'card', 'credit'])
    expect(outcomes.get(`${what} done`), what).toBeGreaterThan(0);

  const { sql } = shop.stoa.services.runtime.postgres;
  const balanceOf = async (kind: string, subject: string): Promise<number> => {
    const [row] = await sql`
      select coalesce(sum(balance), 0)::bigint as balance from ledger.account
      where store = ${shop.keys.store_id} and kind = ${kind} and subject = ${subject}`;
    return Number(row!.balance);
  };
  const cents = (major: number): number => Math.round(major * 100);
  await eventually(async () => {
    const pending = await sql`select 1 from payment.refund where status = 'pending'`;
    expect(pending.length).toBe(0);
  });
  for (const id of orders) {
    const order = await orderOf(id);
    const { amount_paid, gift_card_total, store_credit_total, amount_refunded } = order;
    expect(await balanceOf('order', id), JSON.stringify(order)).toBe(
      cents(amount_paid + gift_card_total + store_credit_total - amount_refunded),
    );
    for (const amount of [order.amount_due, amount_paid, gift_card_total, store_credit_total, amount_refunded])
      expect(amount).toBeGreaterThanOrEqual(0);
    expect(order.refunds.reduce((sum, { amount }) => sum + cents(amount), 0)).toBe(cents(amount_refunded));
    for (const { status } of order.refunds) expect(status).toBe('succeeded');
  }
  for (const { id, code } of cards) {
    const { balance } = (await write('GET', `/v1/gift-cards?code=${code}`)).body.gift_card;
    expect(await balanceOf('gift_card', id)).toBe(cents(balance));
  }
  const balanced = (await shop.stoa.services.runtime.ask(
    'LedgerAdmin/GetTrialBalance',
    { store: '', environment: 'production' },
    { store: shop.keys.store_id },
  )) as GetTrialBalanceResponse;
  expect(balanced.balanced).toBe(true);
  for (const { sum, uneven, astray } of balanced.lines) expect([Number(sum), uneven, astray]).toEqual([0, 0, 0]);
});

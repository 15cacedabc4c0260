// Payments, gift cards and store credit that pay an order, and refunds to each of them.
import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Refusal, type Tenant } from '#runtime/call/call.ts';
import {
  disableCard,
  expiringCards,
  markExpiryPublished,
  namedIn,
  receiveElsewhere,
  receivePayment,
  recordProviderRefund,
  redeemCards,
  refundOrder,
  releaseOrder,
  reverseRefund,
  sharesOf,
  spendCredit,
} from '#services/ledger/index.ts';
import { type Book, openBook } from './book.ts';

let book: Book;
beforeAll(async () => {
  book = await openBook();
});
afterAll(() => book.close());

const currency = 'USD';
const pay = (tenant: Tenant, order: string | null, amount: number, payment: string = randomUUID()) =>
  book.run((tx) => receivePayment(tx, tenant, { payment, order, currency, amount }));
const refund = (tenant: Tenant, order: string, amount: number, id: string = randomUUID()) =>
  book.run((tx) => refundOrder(tx, tenant, { refund: id, order, currency, amount, reason: 'broken', creditor: null }));
const kinds = (parts: Awaited<ReturnType<typeof refund>>) =>
  parts instanceof Refusal
    ? [parts.code, parts.extra.details]
    : parts.map(({ source, amount }) => [source.kind, amount]);

/** An order of 100 paid by a card (30), credit (20) and a payment (50). */
const mixedOrder = async (tenant: Tenant) => {
  const order = randomUUID();
  const card = await book.card(tenant, 30);
  const customer = await book.creditor(tenant, 25);
  await book.run(async (tx) => {
    await redeemCards(tx, tenant, { order, currency, due: 100, codes: namedIn('gift_card_codes', [card.code]) });
    await spendCredit(tx, tenant, { order, customer, currency, amount: 20 });
  });
  const payment = randomUUID();
  await pay(tenant, order, 50, payment);
  return { order, card, customer, payment };
};

describe('value that goes back to a card', () => {
  const RETURNS = [
    [
      'a refund',
      (tenant: Tenant, order: string, creditor: string | null) =>
        book.run((tx) => refundOrder(tx, tenant, { refund: randomUUID(), order, currency, amount: 10, creditor })),
    ],
    [
      'a cancellation',
      (tenant: Tenant, order: string, creditor: string | null) =>
        book.run((tx) => releaseOrder(tx, tenant, { order, currency, creditor })),
    ],
  ] as const;
  const paidByCard = async (tenant: Tenant, expiresAt?: Date) => {
    const card = await book.card(tenant, 10, currency, expiresAt);
    const order = randomUUID();
    const codes = namedIn('gift_card_codes', [card.code]);
    await book.run((tx) => redeemCards(tx, tenant, { order, currency, due: 10, codes }));
    return { card, order };
  };
  const spend = (tenant: Tenant, { code }: { code: string }) => {
    const codes = namedIn('gift_card_codes', [code]);
    return book.run((tx) => redeemCards(tx, tenant, { order: randomUUID(), currency, due: 10, codes }));
  };
  const unpublishedExpiries = async (tenant: Tenant, at: number) =>
    (await expiringCards(book.postgres.sql, { tenant, until: new Date(at), max: 10 })).map(({ id }) => id);

  test.each(RETURNS)('%s fills an open card again', async (_name, giveBack) => {
    const tenant = book.newTenant();
    const { card, order } = await paidByCard(tenant);
    expect(await giveBack(tenant, order, randomUUID())).toMatchObject([
      { to: { kind: 'gift_card', subject: card.id } },
    ]);
    expect(await spend(tenant, card)).toMatchObject([{ amount: 10 }]);
  });

  test.each(RETURNS)('%s gives the customer store credit for an expired card', async (_name, giveBack) => {
    const tenant = book.newTenant();
    const customer = randomUUID();
    const { order } = await paidByCard(tenant, new Date(book.clock.real() + 1_000));
    book.clock.advance(1_000);
    expect(await giveBack(tenant, order, customer)).toMatchObject([
      { to: { kind: 'store_credit', subject: customer } },
    ]);
    expect(await book.balance(tenant, 'store_credit', customer)).toBe(10);
    expect(await book.balanced(tenant)).toBe(true);
  });

  test.each(RETURNS)(
    '%s opens an expired card for 90 days where the order has no customer',
    async (_name, giveBack) => {
      const tenant = book.newTenant();
      const { card, order } = await paidByCard(tenant, new Date(book.clock.real() + 1_000));
      book.clock.advance(1_000);
      await book.run((tx) => markExpiryPublished(tx.sql, tenant, card.id));
      const until = book.clock.real() + 90 * 86_400_000;
      expect(await giveBack(tenant, order, null)).toMatchObject([{ to: { kind: 'gift_card', subject: card.id } }]);
      expect([await unpublishedExpiries(tenant, until - 1), await unpublishedExpiries(tenant, until)]).toEqual([
        [],
        [card.id],
      ]);
      expect(await spend(tenant, card)).toMatchObject([{ amount: 10 }]);
    },
  );

  test('opens a disabled card as well', async () => {
    const tenant = book.newTenant();
    const card = await book.card(tenant, 20);
    const order = randomUUID();
    const codes = namedIn('gift_card_codes', [card.code]);
    await book.run((tx) => redeemCards(tx, tenant, { order, currency, due: 10, codes }));
    await book.run((tx) => disableCard(tx, tenant, card.id));
    await RETURNS[1][1](tenant, order, null);
    expect(await spend(tenant, card)).toMatchObject([{ amount: 10 }]);
  });

  test('goes back once, whichever of many refunds and cancellations come at once', async () => {
    const tenant = book.newTenant();
    const customer = randomUUID();
    const { order } = await paidByCard(tenant, new Date(book.clock.real() + 1_000));
    book.clock.advance(1_000);
    await Promise.all(Array.from({ length: 16 }, (_, at) => RETURNS[at % 2]![1](tenant, order, customer)));
    expect([await book.balance(tenant, 'store_credit', customer), await book.balance(tenant, 'order', order)]).toEqual([
      10, 0,
    ]);
  });
});

describe('an order', () => {
  test('holds the amounts of its gift card, store credit and payment', async () => {
    const tenant = book.newTenant();
    const { order, card, customer } = await mixedOrder(tenant);
    expect(await book.balance(tenant, 'order', order)).toBe(100);
    expect(await book.balance(tenant, 'gift_card', card.id)).toBe(0);
    expect(await book.balance(tenant, 'store_credit', customer)).toBe(5);
    expect(
      (await sharesOf(book.postgres.sql, tenant, order, currency)).map(({ source, amount }) => [source.kind, amount]),
    ).toEqual([
      ['payment', 50],
      ['store_credit', 20],
      ['gift_card', 30],
    ]);
  });

  test('receives a payment once, however often it is reported', async () => {
    const tenant = book.newTenant();
    const [order, payment] = [randomUUID(), randomUUID()];
    const outcomes = await Promise.all([1, 2, 3].map(() => pay(tenant, order, 50, payment)));
    expect(outcomes.filter(Boolean)).toHaveLength(1);
    expect(await book.balance(tenant, 'order', order)).toBe(50);
  });

  test('records a payment taken elsewhere once', async () => {
    const tenant = book.newTenant();
    const order = randomUUID();
    const note = () => book.run((tx) => receiveElsewhere(tx, tenant, { order, currency, amount: 9 }));
    expect([await note(), await note()]).toEqual([true, false]);
    expect(kinds(await refund(tenant, order, 9))).toEqual([['elsewhere', 9]]);
  });

  test('takes no more store credit than there is, of two orders at once neither', async () => {
    const tenant = book.newTenant();
    const customer = await book.creditor(tenant, 100);
    const spend = () =>
      book.run((tx) => spendCredit(tx, tenant, { order: randomUUID(), customer, currency, amount: 60 }));
    const outcomes = await Promise.all([spend(), spend()]);
    expect(outcomes.filter((outcome) => outcome === null)).toHaveLength(1);
    expect(outcomes.find((outcome) => outcome !== null)).toMatchObject({
      code: 'invalid_request',
      extra: { param: 'store_credit', details: 'The balance is 0.40 USD.' },
    });
    expect(await book.balance(tenant, 'store_credit', customer)).toBe(40);
  });
});

describe('a payment without an order', () => {
  test('becomes a deposit, and is refunded once', async () => {
    const tenant = book.newTenant();
    const payment = randomUUID();
    await pay(tenant, null, 50, payment);
    expect(await book.balance(tenant, 'deposit', payment)).toBe(50);
    const back = { refund: randomUUID(), payment, order: null, currency, amount: 50 };
    expect(await book.run((tx) => recordProviderRefund(tx, tenant, back))).toBe(true);
    expect(await book.run((tx) => recordProviderRefund(tx, tenant, back))).toBe(false);
    expect(await book.balance(tenant, 'deposit', payment)).toBe(0);
  });
});

describe('a refund', () => {
  test.each<[number, readonly (readonly [string, number])[]]>([
    [10, [['payment', 10]]],
    [50, [['payment', 50]]],
    [
      60,
      [
        ['payment', 50],
        ['store_credit', 10],
      ],
    ],
    [
      100,
      [
        ['payment', 50],
        ['store_credit', 20],
        ['gift_card', 30],
      ],
    ],
  ])('of %d goes to payments first, then store credit, then gift cards', async (amount, parts) => {
    const tenant = book.newTenant();
    const { order } = await mixedOrder(tenant);
    expect(kinds(await refund(tenant, order, amount))).toEqual(parts);
    expect(await book.balance(tenant, 'order', order)).toBe(100 - amount);
    expect(await book.balanced(tenant)).toBe(true);
  });

  test('goes on where the last one ended, up to what was paid', async () => {
    const tenant = book.newTenant();
    const { order, card, customer } = await mixedOrder(tenant);
    expect(kinds(await refund(tenant, order, 60))).toEqual([
      ['payment', 50],
      ['store_credit', 10],
    ]);
    expect(kinds(await refund(tenant, order, 41))).toEqual(['conflict', '0.40 USD can be refunded.']);
    expect(kinds(await refund(tenant, order, 40))).toEqual([
      ['store_credit', 10],
      ['gift_card', 30],
    ]);
    expect(await book.balance(tenant, 'gift_card', card.id)).toBe(30);
    expect(await book.balance(tenant, 'store_credit', customer)).toBe(25);
  });

  test('never exceeds the amount paid when several run at once', async () => {
    const tenant = book.newTenant();
    const { order } = await mixedOrder(tenant);
    const outcomes = await Promise.all(Array.from({ length: 6 }, () => refund(tenant, order, 30)));
    expect(outcomes.filter((outcome) => !(outcome instanceof Refusal))).toHaveLength(3);
    expect(await book.balance(tenant, 'order', order)).toBe(10);
    expect(await book.balanced(tenant)).toBe(true);
  });

  test('reverses once when its provider refuses it, and can be repeated', async () => {
    const tenant = book.newTenant();
    const { order, payment } = await mixedOrder(tenant);
    const id = randomUUID();
    await refund(tenant, order, 60, id);
    const source = { kind: 'payment', subject: payment } as const;
    const undo = () => book.run((tx) => reverseRefund(tx, tenant, { refund: id, order, currency, source, amount: 50 }));
    expect([await undo(), await undo()]).toEqual([true, false]);
    expect(await book.balance(tenant, 'order', order)).toBe(90);
    expect(kinds(await refund(tenant, order, 50))).toEqual([['payment', 50]]);
  });
});

describe('cancelling', () => {
  test('gives cards and credit back what they paid, and money stays until it is refunded', async () => {
    const tenant = book.newTenant();
    const { order, card, customer } = await mixedOrder(tenant);
    await refund(tenant, order, 55);
    const release = () => book.run((tx) => releaseOrder(tx, tenant, { order, currency, creditor: null }));
    expect((await release()).map(({ source, amount }) => [source.kind, amount])).toEqual([
      ['store_credit', 15],
      ['gift_card', 30],
    ]);
    expect(await release()).toEqual([]);
    expect([
      await book.balance(tenant, 'order', order),
      await book.balance(tenant, 'gift_card', card.id),
      await book.balance(tenant, 'store_credit', customer),
    ]).toEqual([0, 30, 25]);
    expect(await book.balanced(tenant)).toBe(true);
  });

  test('sends back every payment that arrives afterwards, and keeps the one that was faster', async () => {
    const tenant = book.newTenant();
    for (let round = 0; round < 5; round++) {
      const order = randomUUID();
      const release = () => book.run((tx) => releaseOrder(tx, tenant, { order, currency, creditor: null }));
      const arrive = (payment: string) =>
        book.run((tx) => receivePayment(tx, tenant, { payment, order, currency, amount: 10 }));
      const payments = Array.from({ length: 12 }, () => randomUUID());
      const outcomes = await Promise.all([...payments.map(arrive), release()]);
      const received = outcomes.filter((outcome) => outcome === 'received').length;
      expect(received).toBeLessThanOrEqual(1);
      expect(await arrive(randomUUID())).toBe('surplus');
      expect(await book.balance(tenant, 'order', order)).toBe(10 * received);
    }
    expect(await book.balanced(tenant)).toBe(true);
  });
});

describe('a thousand random operations', () => {
  test('leave a trial balance of zero and nothing below it', async () => {
    const tenant = book.newTenant();
    const orders = Array.from({ length: 12 }, () => randomUUID());
    const cards = await Promise.all(Array.from({ length: 4 }, () => book.card(tenant, 5_000)));
    const customers = await Promise.all(Array.from({ length: 4 }, () => book.creditor(tenant, 5_000)));
    const step = fc.record({
      what: fc.constantFrom('pay', 'card', 'credit', 'refund', 'cancel'),
      order: fc.nat(),
      at: fc.integer({ min: 0, max: 3 }),
      amount: fc.integer({ min: 1, max: 900 }),
    });
    const steps = fc.sample(step, { numRuns: 1_000, seed: 20_261_121 });
    const newOrder = (): string => {
      orders.push(randomUUID());
      return orders.at(-1)!;
    };
    const act = ({ what, order: which, at, amount }: (typeof steps)[number]): Promise<unknown> => {
      const order = orders[which % orders.length]!;
      if (what === 'pay') return pay(tenant, order, amount);
      if (what === 'refund') return refund(tenant, order, amount);
      if (what === 'cancel') return book.run((tx) => releaseOrder(tx, tenant, { order, currency, creditor: null }));
      if (what === 'credit')
        return book.run((tx) =>
          spendCredit(tx, tenant, { order: newOrder(), customer: customers[at]!, currency, amount }),
        );
      const codes = [cards[at]!.code];
      return book.run((tx) =>
        redeemCards(tx, tenant, { order: newOrder(), currency, due: amount, codes: namedIn('gift_card_codes', codes) }),
      );
    };
    for (let from = 0; from < steps.length; from += 8) await Promise.all(steps.slice(from, from + 8).map(act));
    expect(await book.balanced(tenant)).toBe(true);
    const held = await Promise.all([
      ...cards.map(({ id }) => book.balance(tenant, 'gift_card', id)),
      ...customers.map((customer) => book.balance(tenant, 'store_credit', customer)),
      ...orders.map((order) => book.balance(tenant, 'order', order)),
    ]);
    for (const amount of held) expect(amount).toBeGreaterThanOrEqual(0);
  });
});

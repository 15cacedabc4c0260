// Orders in another currency than the store's: both currencies balance through random histories of payments by cards,
// credit and providers, partial refunds, denied refunds and cancellations.
import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Refusal, type Tenant } from '#runtime/call/call.ts';
import {
  balanceOf,
  isBalanced,
  namedIn,
  type OrderBooks,
  receivePayment,
  recordProviderRefund,
  redeemCards,
  refundAsCredit,
  refundOrder,
  releaseOrder,
  reverseRefund,
  spendCredit,
  trialBalance,
} from '#services/ledger/index.ts';
import { currencyOf } from '#values/currency.ts';
import { convertBack, inProportion, parseRate, rateText } from '#values/exchange.ts';
import { type Book, openBook } from './book.ts';

let book: Book;
beforeAll(async () => {
  book = await openBook();
});
afterAll(() => book.close());

const STORE = 'USD';

const booksOf = (currency: string, rate: number, order_total: number): OrderBooks => {
  const exact = parseRate(rate)!;
  const total = convertBack(order_total, {
    from: currencyOf(STORE),
    to: currencyOf(currency),
    rate: exact,
    ending: null,
  })!;
  return { currency: STORE, rate: rateText(exact), total, order_total };
};

interface OpenOrder {
  readonly tenant: Tenant;
  readonly order: string;
  readonly currency: string;
  readonly books: OrderBooks;
  readonly customer: string;
}

const balances = async ({ tenant, order, currency }: OpenOrder): Promise<readonly [number, number]> => {
  const account = { kind: 'order', subject: order } as const;
  const { sql } = book.postgres;
  return [await balanceOf(sql, tenant, account, currency), await balanceOf(sql, tenant, account, STORE)];
};

/** The worth in the books follows from the balance, and every posting balances in each currency. */
const check = async (each: OpenOrder): Promise<void> => {
  const [own, worth] = await balances(each);
  expect(worth).toBe(inProportion(each.books.total, own, each.books.order_total));
  for (const balance of await trialBalance(book.postgres.sql, each.tenant))
    expect(isBalanced(balance), JSON.stringify(balance)).toBe(true);
};

const anyStep = fc.record({
  kind: fc.constantFrom('refund', 'credit', 'provider', 'denied', 'cancel'),
  share: fc.integer({ min: 1, max: 100 }),
});
const anyHistory = fc.record({
  currency: fc.constantFrom(['EUR', 0.9217] as const, ['JPY', 151.373] as const, ['KWD', 0.30713] as const),
  total: fc.integer({ min: 1, max: 500_000 }),
  card: fc.integer({ min: 0, max: 2_000 }),
  credit: fc.integer({ min: 0, max: 2_000 }),
  steps: fc.array(anyStep, { maxLength: 8 }),
});

const ok = <T>(made: T | Refusal): T => {
  if (made instanceof Refusal) throw new Error(made.message);
  return made;
};

test('balances both currencies through any history, and gives back exactly what came in', async () => {
  await fc.assert(
    fc.asyncProperty(anyHistory, async ({ currency: [currency, rate], total, card, credit, steps }) => {
      const tenant = book.newTenant();
      const books = booksOf(currency, rate, total);
      const customer = await book.creditor(tenant, credit + 1);
      const order = randomUUID();
      const payment = randomUUID();
      const open: OpenOrder = { tenant, order, currency, books, customer };
      const held = card > 0 ? await book.card(tenant, card) : null;
      const cards = held
        ? ok(
            await book.run((tx) =>
              redeemCards(tx, tenant, { order, currency, due: total, books, codes: namedIn('c', [held.code]) }),
            ),
          )
        : [];
      await check(open);
      const byCard = cards.reduce((sum, { amount }) => sum + amount, 0);
      const wanted = Math.min(total - byCard, Math.floor(((total - byCard) * credit) / 4_000));
      const spent = await book.run((tx) =>
        spendCredit(tx, tenant, { order, customer, currency, amount: wanted, books }),
      );
      const byCredit = spent instanceof Refusal ? 0 : wanted;
      const due = total - byCard - byCredit;
      if (due > 0)
        expect(
          await book.run((tx) => receivePayment(tx, tenant, { payment, order, currency, amount: due, books })),
        ).toBe('received');
      await check(open);
      expect(await balances(open)).toEqual([total, books.total]);

      let denied: { refund: string; amount: number } | null = null;
      let credited = false;
      for (const { kind, share } of steps) {
        const [own] = await balances(open);
        const amount = Math.max(1, Math.floor((own * share) / 100));
        if (own === 0 && kind !== 'denied') continue;
        const refund = randomUUID();
        if (kind === 'refund') {
          const parts = ok(
            await book.run((tx) => refundOrder(tx, tenant, { refund, order, currency, amount, creditor: null, books })),
          );
          const through = parts.find(({ source }) => source.kind === 'payment');
          if (through && denied === null) denied = { refund, amount: through.amount };
        } else if (kind === 'credit') {
          credited = true;
          ok(await book.run((tx) => refundAsCredit(tx, tenant, { refund, order, currency, amount, customer, books })));
        } else if (kind === 'provider' && due > 0) {
          const brought = -(await balanceOf(
            book.postgres.sql,
            tenant,
            { kind: 'payment', subject: payment },
            currency,
          ));
          const part = Math.min(amount, brought, own);
          if (part > 0)
            await book.run((tx) =>
              recordProviderRefund(tx, tenant, { refund, payment, order, currency, amount: part, books }),
            );
        } else if (kind === 'denied' && denied !== null) {
          const { refund: id, amount: part } = denied;
          denied = null;
          const source = { kind: 'payment', subject: payment } as const;
          expect(
            await book.run((tx) =>
              reverseRefund(tx, tenant, { refund: id, order, currency, source, amount: part, books }),
            ),
          ).toBe(true);
        } else if (kind === 'cancel')
          await book.run((tx) => releaseOrder(tx, tenant, { order, currency, creditor: null, books }));
        await check(open);
      }

      // All that is left goes back to the sources.
      const [left] = await balances(open);
      if (left > 0)
        ok(
          await book.run((tx) =>
            refundOrder(tx, tenant, { refund: randomUUID(), order, currency, amount: left, creditor: null, books }),
          ),
        );
      expect(await balances(open)).toEqual([0, 0]);
      await check(open);
      if (credited) return;
      const { sql } = book.postgres;
      if (held) expect(await balanceOf(sql, tenant, { kind: 'gift_card', subject: held.id }, STORE)).toBe(card);
      expect(await balanceOf(sql, tenant, { kind: 'store_credit', subject: customer }, STORE)).toBe(credit + 1);
      for (const code of [currency, STORE])
        expect(await balanceOf(sql, tenant, { kind: 'payment', subject: payment }, code)).toBe(0);
    }),
    { numRuns: 60 },
  );
}, 300_000);

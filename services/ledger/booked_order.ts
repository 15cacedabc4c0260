// Postings of an order in another currency than the store's: each carries the order's currency and, beside it, the worth
// in the store's, so that both balance.
import type { Tenant } from '#runtime/call/call.ts';
import type { Transaction } from '#runtime/postgres/database.ts';
import { currencyOf } from '#values/currency.ts';
import { type Conversion, inProportion, rateOf } from '#values/exchange.ts';
import type { Account, LedgerMove } from './account.ts';
import { lockBalance } from './posting.ts';

/** Worth of an order in the store's books. Amounts are in minor units. */
export interface OrderBooks {
  /** The store's. */
  readonly currency: string;
  /** Exact decimal: major units of the order's currency for one of the store's. */
  readonly rate: string;
  /** The order's total in it, at the rate of the order. */
  readonly total: number;
  /** The order's total in its own currency. */
  readonly order_total: number;
}

export const exchangeOf = ({ currency, rate }: OrderBooks, order: string): Conversion => ({
  from: currencyOf(currency),
  to: currencyOf(order),
  rate: rateOf(rate),
  ending: null,
});

/** The state of an order's account in both currencies, as postings change it. */
export interface BookedBalance {
  readonly books: OrderBooks;
  readonly own: number;
  readonly worth: number;
}

/** Locks both balances until the transaction ends. */
export const lockBooked = async (
  tx: Transaction,
  tenant: Tenant,
  { order, currency, books }: { readonly order: string; readonly currency: string; readonly books: OrderBooks },
): Promise<BookedBalance> => {
  const account: Account = { kind: 'order', subject: order };
  const own = await lockBalance(tx, tenant, account, currency);
  return { books, own, worth: await lockBalance(tx, tenant, account, books.currency) };
};

/**
 * Returns the balance after `change`, which is negative for refunded money. An order's worth in the books is proportional
 * to its balance: partial refunds in any sequence add up to exactly the whole, and a reversed refund restores the former
 * worth.
 */
export const balanceAfter = ({ books, own }: BookedBalance, change: number): BookedBalance => {
  const left = own + change;
  return { books, own: left, worth: left === 0 ? 0 : inProportion(books.total, left, books.order_total) };
};

/** Accounts of a source in the order's currency and in the store's; null if it has no worth in the latter. */
export interface BookedSource {
  readonly own: Account;
  readonly books: Account | null;
}

const move = (from: Account, to: Account, amount: number, currency: string): LedgerMove[] =>
  amount === 0 ? [] : [{ from, to, amount, currency }];

/**
 * Returns the moves of `amount` from the source to the order. The source gives `given` of the store's currency, and the
 * order takes `taken`; the difference of rounding is on the account `exchange`.
 */
export const movesIn = (
  { store }: Tenant,
  order: string,
  source: BookedSource,
  { amount, given, taken, books }: { amount: number; given: number; taken: number; books: OrderBooks },
): LedgerMove[] => {
  const to: Account = { kind: 'order', subject: order };
  const exchange: Account = { kind: 'exchange', subject: store };
  const from = source.books ?? exchange;
  const both = source.books === null ? taken : Math.min(given, taken);
  return [
    { from: source.own, to, amount },
    ...move(from, to, both, books.currency),
    ...move(exchange, to, taken - both, books.currency),
    ...(source.books === null ? [] : move(from, exchange, given - both, books.currency)),
  ];
};

/** Returns the moves of `amount` from the order back to a source: the reverse of `movesIn`. */
export const movesOut = (...arguments_: Parameters<typeof movesIn>): LedgerMove[] =>
  movesIn(...arguments_).map(({ from, to, ...rest }) => ({ from: to, to: from, ...rest }));

/** Returns the accounts by which a source takes part in an order in another currency. */
export const bookedSource = ({ kind, subject }: Account, converted: boolean): BookedSource => {
  const account: Account = { kind, subject };
  if (kind === 'gift_card' || kind === 'store_credit')
    return converted ? { own: { kind: `${kind}_exchange`, subject }, books: account } : { own: account, books: null };
  return { own: account, books: account };
};

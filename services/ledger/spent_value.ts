// Gift cards and store credit as they pay an order: also one in another currency than theirs, which is the store's.
import type { Tenant } from '#runtime/call/call.ts';
import type { Transaction } from '#runtime/postgres/database.ts';
import { convertBack, convertDown } from '#values/exchange.ts';
import type { Account, LedgerMove } from './account.ts';
import { balanceAfter, bookedSource, exchangeOf, lockBooked, movesIn, type OrderBooks } from './booked_order.ts';
import type { CardRow } from './table/gift_card.ts';

/** Amount that a card or credit pays in the order's currency, with the amount that it gives in its own. */
export interface SpentValue {
  readonly amount: number;
  readonly given: number;
  /** Whether its currency is the store's, and the order's another one. */
  readonly converted: boolean;
}

/** Rounds down what the card can pay, so that its rest stays on the card. Null if it does not pay in this currency. */
export const spendable = (
  { currency, balance }: Pick<CardRow, 'currency' | 'balance'>,
  order: { readonly currency: string; readonly books?: OrderBooks | null },
  due: number,
): SpentValue | null => {
  if (currency === order.currency) {
    const amount = Math.min(due, balance);
    return { amount, given: amount, converted: false };
  }
  if (!order.books || order.books.currency !== currency) return null;
  const exchange = exchangeOf(order.books, order.currency);
  const amount = Math.min(due, convertDown(balance, exchange) ?? due);
  return { amount, given: Math.min(balance, convertBack(amount, exchange) ?? balance), converted: true };
};

/** Returns the moves by which a card or credit pays an order. */
export const valueMoves = async (
  tx: Transaction,
  tenant: Tenant,
  source: Account,
  { order, currency, books }: { readonly order: string; readonly currency: string; readonly books?: OrderBooks | null },
  { amount, given, converted }: SpentValue,
): Promise<readonly LedgerMove[]> => {
  if (!books) return [{ from: source, to: { kind: 'order', subject: order }, amount }];
  const before = await lockBooked(tx, tenant, { order, currency, books });
  const taken = balanceAfter(before, amount).worth - before.worth;
  return movesIn(tenant, order, bookedSource(source, converted), { amount, given, taken, books });
};

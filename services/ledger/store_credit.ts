// Store credit of a customer, granted by the merchant and spent on orders.
import { type Refusal, refuse, type Tenant } from '#runtime/call/call.ts';
import type { Transaction } from '#runtime/postgres/database.ts';
import { currencyOf } from '#values/currency.ts';
import { convertBack } from '#values/exchange.ts';
import { AMOUNT_MAX, majorText } from '#values/money.ts';
import type { Account } from './account.ts';
import { exchangeOf, type OrderBooks } from './booked_order.ts';
import { lockBalance, post } from './posting.ts';
import { valueMoves } from './spent_value.ts';

export const creditOf = (customer: string): Account => ({ kind: 'store_credit', subject: customer });

export const grantCredit = (
  tx: Transaction,
  tenant: Tenant,
  grant: {
    /** Unique in a tenant, for example `return/<id>`. */
    readonly reference: string;
    readonly customer: string;
    readonly currency: string;
    readonly amount: number;
    readonly reason?: string | undefined;
    readonly order?: string | undefined;
  },
): Promise<string | null> =>
  post(tx, tenant, {
    kind: 'store_credit_granted',
    reference: grant.reference,
    currency: grant.currency,
    order: grant.order,
    reason: grant.reason,
    moves: [
      {
        from: { kind: 'store_credit_issue', subject: tenant.store },
        to: creditOf(grant.customer),
        amount: grant.amount,
      },
    ],
  });

export const spendCredit = async (
  tx: Transaction,
  tenant: Tenant,
  spent: {
    readonly order: string;
    readonly customer: string;
    readonly currency: string;
    readonly amount: number;
    readonly books?: OrderBooks | null;
  },
): Promise<Refusal | null> => {
  if (spent.amount === 0) return null;
  const { books, amount } = spent;
  // Store credit is in the store's currency, also for an order in another one.
  const held = books?.currency ?? spent.currency;
  const given = !books ? amount : (convertBack(amount, exchangeOf(books, spent.currency)) ?? AMOUNT_MAX);
  const balance = await lockBalance(tx, tenant, creditOf(spent.customer), held);
  if (balance < given) {
    const has = majorText(balance, currencyOf(held));
    return refuse('invalid_request', 'The customer has less store credit than that.', {
      param: 'store_credit',
      details: `The balance is ${has} ${held}.`,
    });
  }
  const posted = await post(tx, tenant, {
    kind: 'store_credit_spent',
    reference: `order/${spent.order}/store_credit`,
    order: spent.order,
    currency: spent.currency,
    moves: await valueMoves(tx, tenant, creditOf(spent.customer), spent, { amount, given, converted: true }),
  });
  if (posted === null) throw new Error(`order ${spent.order} was paid with store credit before`);
  return null;
};

// Whether a customer can still have store credit: one who is deleted could never spend it.
import { type Call, Refusal, refuse, type Tenant } from '#runtime/call/call.ts';
import type { Transaction } from '#runtime/postgres/database.ts';
import { isOpenCustomer } from '#services/customer/transaction.ts';
import type { Account } from '#services/ledger/index.ts';
import type { OrderNeighbours } from './neighbour.ts';
import type { WholeOrder } from './order.ts';

/** Null: they can. Asked before a connection is held; `param` is what would give it. */
export const creditObstacle = async (
  neighbours: Pick<OrderNeighbours, 'customer'>,
  call: Call,
  customer: string,
  param: string,
): Promise<Refusal | null> => {
  const found = await neighbours.customer(call, customer);
  if (!(found instanceof Refusal)) return null;
  if (found.code !== 'not_found') return found;
  return refuse('conflict', 'The customer is deleted, and can have no store credit.', { param });
};

/** Whether what is booked on the account can never be spent: it is the store credit of a customer who is deleted. */
export const isClosedCredit = async (tx: Transaction, tenant: Tenant, { kind, subject }: Account): Promise<boolean> =>
  kind === 'store_credit' && !(await isOpenCustomer(tx, tenant, subject));

/** The customer who can have store credit for what a gift card of the order paid; null where there is none. */
export const creditorOf = async (
  tx: Transaction,
  tenant: Tenant,
  { customer_id, gift_card_total }: Pick<WholeOrder, 'customer_id' | 'gift_card_total'>,
): Promise<string | null> => {
  if (customer_id === null || gift_card_total === 0) return null;
  return (await isOpenCustomer(tx, tenant, customer_id)) ? customer_id : null;
};

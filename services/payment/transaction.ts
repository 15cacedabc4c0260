// Functions for another domain's transaction, which links a payment by token to the order that the payment pays.
import type { Tenant } from '#runtime/call/call.ts';
import type { Transaction } from '#runtime/postgres/database.ts';
import type { Sql } from '#runtime/postgres/sql.ts';
import { findAuthorized, releasedAmountOf } from './table/payment.ts';
import { linkToOrder, lockReservation } from './table/token.ts';

export interface OrderAuthorization {
  readonly isAuthorized: boolean;
  /** Authorised amounts less their captures, in minor units. */
  readonly released: number;
}

/** Reads whether an order's payment is authorised, and what its captures released. */
export const authorizationOf = async (sql: Sql, tenant: Tenant, order: string): Promise<OrderAuthorization> => {
  const [authorized, released] = await Promise.all([
    findAuthorized(sql, tenant, order),
    releasedAmountOf(sql, tenant, order),
  ]);
  return { isAuthorized: authorized !== null, released };
};

/**
 * Links a reserved payment to its order. Returns false if the payment is not reserved for the order; the caller then
 * rolls back.
 */
export const takePayment = async (
  { sql }: Transaction,
  tenant: Tenant,
  payment: string,
  order: { readonly id: string; readonly order_number: string },
): Promise<boolean> => (await lockReservation(sql, tenant, payment)) && linkToOrder(sql, tenant, payment, order);

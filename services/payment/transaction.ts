// Functions for another domain's transaction, which links a payment by token to the order that the payment pays.
import type { Tenant } from '#runtime/call/call.ts';
import type { Transaction } from '#runtime/postgres/database.ts';
import { linkToOrder, lockReservation } from './table/token.ts';

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

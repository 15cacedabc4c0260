// Delegated payments inside another domain's transaction: the order that one pays takes it in its own commit.
import type { Tenant } from '#runtime/call/call.ts';
import type { Transaction } from '#runtime/postgres/database.ts';
import { linkToOrder, lockReservation } from './table/token.ts';

/** Links a reserved payment to its order. False: it is not reserved for the order, so the caller rolls back. */
export const takePayment = async (
  { sql }: Transaction,
  tenant: Tenant,
  payment: string,
  order: { readonly id: string; readonly order_number: string },
): Promise<boolean> => (await lockReservation(sql, tenant, payment)) && linkToOrder(sql, tenant, payment, order);

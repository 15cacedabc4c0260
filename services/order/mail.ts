// Mails about orders, returns and disputes.
import type { StoreOrder } from '#proto/gen/order.ts';
import type { Tenant } from '#runtime/call/call.ts';
import type { Transaction } from '#runtime/postgres/database.ts';
import { writeMail } from '#services/mail/transaction.ts';
import { currencyOf } from '#values/currency.ts';
import { toMajor } from '#values/money.ts';
import type { DisputeRecord } from './dispute/dispute.ts';
import type { WholeOrder } from './order.ts';
import type { ReturnRecord } from './return/return.ts';

/** `due` is the unpaid amount, in major units. An order that its buyer pays later is reserved for an hour. */
export const mailPlacedOrder = (tx: Transaction, tenant: Tenant, order: StoreOrder, due: number): Promise<void> =>
  writeMail(tx, tenant, {
    kind: 'order_placed',
    data: { order, due, reserved: due > 0 },
    to: order.email,
    cause: order.id,
    language: order.language,
  });

type ReturnMailKind = 'return_received' | 'return_decided' | 'return_arrived' | 'credit_offered';

/** `kind` names the step that the return has taken. */
export const mailReturn = (
  tx: Transaction,
  tenant: Tenant,
  kind: ReturnMailKind,
  given: ReturnRecord,
  { number, email, origin }: Pick<WholeOrder, 'number' | 'email' | 'origin'>,
): Promise<void> => {
  const amount = kind === 'credit_offered' ? given.offer_amount : null;
  return writeMail(tx, tenant, {
    kind,
    data: {
      order_number: String(number),
      status: given.status,
      note: kind === 'return_received' ? null : given.note,
      amount: amount === null ? null : toMajor(amount, currencyOf(given.currency)),
      currency: given.currency,
    },
    to: email,
    language: origin.language ?? null,
    // A store can offer credit for one return again.
    cause: kind === 'credit_offered' ? null : given.id,
  });
};

export const mailDispute = (
  tx: Transaction,
  tenant: Tenant,
  given: DisputeRecord,
  { number, email, origin }: Pick<WholeOrder, 'number' | 'email' | 'origin'>,
): Promise<void> =>
  writeMail(tx, tenant, {
    kind: given.status === 'open' ? 'dispute_opened' : 'dispute_changed',
    data: {
      order_number: String(number),
      status: given.status,
      resolution: given.resolution,
      note: given.note,
      amount: given.amount === null ? null : toMajor(given.amount, currencyOf(given.currency)),
      currency: given.currency,
    },
    to: email,
    language: origin.language ?? null,
    cause: `${given.id} ${given.status}`,
  });

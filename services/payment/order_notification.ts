// Notifies orders of the status of their payments and refunds.
import type { RpcRequest } from '#proto/gen/rpcs.ts';
import { Refusal, type Tenant } from '#runtime/call/call.ts';
import type { Runtime } from '#runtime/domain/runtime.ts';
import type { PaymentRecord } from './payment.ts';
import { ordersOf } from './share.ts';
import { markOrderNotified } from './table/payment.ts';
import { endedRefunds } from './table/refund.ts';

/** Marks the payment as notified last, so that the sweep repeats a failed notification. */
export type NotifyOrder = (tenant: Tenant, payment: PaymentRecord) => Promise<void>;

type OrderNotificationRpc = 'OrderDirectory/SettleOrder' | 'OrderDirectory/NotePayment' | 'OrderDirectory/NoteRefund';

export const openOrderNotification = ({
  postgres,
  ask,
  log,
}: Pick<Runtime, 'postgres' | 'ask' | 'log'>): NotifyOrder => {
  const notify = async <R extends OrderNotificationRpc>(
    rpc: R,
    tenant: Tenant,
    input: RpcRequest<R>,
  ): Promise<boolean> => {
    const reply = await ask(rpc, tenant, input);
    if (!(reply instanceof Refusal) || reply.code === 'not_found') return true;
    log.warn(
      { order_id: input.order_id, rpc, code: reply.code },
      'failed to notify an order of its payment; the sweep retries',
    );
    return false;
  };

  /** Notifies the orders of a payment with shares if it failed. If it was paid, each share notifies its own order. */
  const notifyOrders = async (tenant: Tenant, payment: PaymentRecord): Promise<void> => {
    if (payment.status === 'failed')
      for (const { tenant: merchant, order } of ordersOf(tenant, payment))
        if (!(await notify('OrderDirectory/NotePayment', merchant, { order_id: order, status: 'failed' }))) return;
    await markOrderNotified(postgres.sql, tenant, payment);
  };

  return async (tenant, payment) => {
    const { order_id } = payment;
    if (payment.shares !== null) return notifyOrders(tenant, payment);
    if (order_id === null) return;
    const settles = ['succeeded', 'refunded', 'authorized', 'voided'].includes(payment.status);
    // An expired payment needs no notification: the order stays unpaid, and another payment may be started.
    if (settles && !(await notify('OrderDirectory/SettleOrder', tenant, { order_id }))) return;
    if (
      payment.status === 'failed' &&
      !(await notify('OrderDirectory/NotePayment', tenant, { order_id, status: 'failed' }))
    )
      return;
    for (const { refund_id, succeeded } of await endedRefunds(postgres.sql, tenant, payment.id))
      if (!(await notify('OrderDirectory/NoteRefund', tenant, { order_id, refund_id, succeeded }))) return;
    await markOrderNotified(postgres.sql, tenant, payment);
  };
};

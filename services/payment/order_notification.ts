// An order is told how its payment stands, and how its refunds ended.
import type { RpcRequest } from '#proto/gen/rpcs.ts';
import { Refusal, type Tenant } from '#runtime/call/call.ts';
import type { Runtime } from '#runtime/domain/runtime.ts';
import type { PaymentRecord } from './payment.ts';
import { ordersOf } from './share.ts';
import { markOrderNotified } from './table/payment.ts';
import { endedRefunds } from './table/refund.ts';

/** What fails is told later: the payment is noted as told last. */
export type NotifyOrder = (tenant: Tenant, payment: PaymentRecord) => Promise<void>;

/** How an order learns of its payments. */
type OrderNotificationRpc = 'OrderDirectory/SettleOrder' | 'OrderDirectory/NotePayment' | 'OrderDirectory/NoteRefund';

export const openOrderNotification = ({
  postgres,
  ask,
  log,
}: Pick<Runtime, 'postgres' | 'ask' | 'log'>): NotifyOrder => {
  /** False: it has to be told again. */
  const notify = async <R extends OrderNotificationRpc>(
    rpc: R,
    tenant: Tenant,
    input: RpcRequest<R>,
  ): Promise<boolean> => {
    const reply = await ask(rpc, tenant, input);
    if (!(reply instanceof Refusal) || reply.code === 'not_found') return true;
    log.warn({ order_id: input.order_id, rpc, code: reply.code }, 'an order is told of its payment later');
    return false;
  };

  /** Shares that were paid tell their orders themselves. */
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
    const paid = payment.status === 'succeeded' || payment.status === 'refunded';
    // A page that was left alone says nothing about the order: another payment may be begun for it.
    if (paid && !(await notify('OrderDirectory/SettleOrder', tenant, { order_id }))) return;
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

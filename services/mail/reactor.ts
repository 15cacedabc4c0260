// Writes the mails that events cause. A mail's cause is an id from the event, so that an event that arrives again, or two
// events of one cause, send one mail.
import type { EventObjects } from '#proto/gen/event_map.ts';
import type { Shipment, StoreOrder } from '#proto/gen/order.ts';
import { Refusal, type Tenant } from '#runtime/call/call.ts';
import { Unavailable } from '#runtime/call/fault.ts';
import type { Runtime } from '#runtime/domain/runtime.ts';
import type { EventEnvelope, TruncatedObject } from '#runtime/event/envelope.ts';
import type { Transaction } from '#runtime/postgres/database.ts';
import { type Inbox, startInbox } from '#runtime/postgres/inbox.ts';
import { writeMail } from './transaction.ts';

const TYPES = [
  'order.created',
  'order.paid',
  'order.shipped',
  'order.fulfilled',
  'order.updated',
  'order.cancelled',
  'order.refunded',
  'payment.failed',
  'gift_card.issued',
  'cart.abandoned',
] as const;

type MailEvent = EventEnvelope<(typeof TYPES)[number]>;

/** Only the fields that a change of status or parcels concerns. */
type ParcelEvent = EventEnvelope<'order.shipped' | 'order.fulfilled' | 'order.updated'>;

interface Origin {
  readonly tx: Transaction;
  readonly tenant: Tenant;
}

/** An order or a customer of an earlier release names no language. */
const readerOf = ({ email: to, language = null }: { readonly email: string; readonly language?: string | null }) => ({
  to,
  language,
});

const isTruncated = (object: object): object is TruncatedObject => 'truncated' in object;

const succeeded = <T>(reply: T | Refusal, what: string): T => {
  if (reply instanceof Refusal) throw new Unavailable(`${what}: ${reply.message}`);
  return reply;
};

export const startReactor = ({ postgres, bus, namespace, log, ask }: Runtime): Inbox => {
  /** Returns null if the order was deleted meanwhile. */
  const findOrder = async (tenant: Tenant, id: string): Promise<StoreOrder | null> => {
    const reply = await ask('Order/GetOrder', tenant, { id });
    if (reply instanceof Refusal && reply.code === 'not_found') return null;
    return succeeded(reply, 'Order/GetOrder').order;
  };

  const orderOf = async (tenant: Tenant, object: StoreOrder | TruncatedObject): Promise<StoreOrder | null> =>
    isTruncated(object) ? (object.id === null ? null : findOrder(tenant, object.id)) : object;

  const findReader = async (tenant: Tenant, customer: string) => {
    const reply = await ask('CustomerDirectory/FindCustomer', tenant, { customer_id: customer });
    if (reply instanceof Refusal && reply.code === 'not_found') return null;
    return readerOf(succeeded(reply, 'CustomerDirectory/FindCustomer').customer);
  };

  const mailParcel = ({ tx, tenant }: Origin, order: StoreOrder, shipment: Shipment): Promise<void> =>
    writeMail(tx, tenant, { kind: 'order_shipped', data: { order, shipment }, ...readerOf(order), cause: shipment.id });

  /** Writes a mail for each new parcel; for an order that was marked as shipped without one, a mail about the order. */
  const mailParcels = async (origin: Origin, event: ParcelEvent, order: StoreOrder): Promise<void> => {
    const previous = event.previous_attributes ?? {};
    if (event.type === 'order.shipped') {
      const label = order.shipments.at(-1);
      if (label) await mailParcel(origin, order, label);
      return;
    }
    const before = new Set(
      ((previous.shipments as readonly Shipment[] | undefined) ?? order.shipments).map(({ id }) => id),
    );
    const sent = order.shipments.filter(({ id }) => !before.has(id));
    for (const shipment of sent) await mailParcel(origin, order, shipment);
    const { tx, tenant } = origin;
    if (event.type !== 'order.fulfilled' || sent.length > 0) return;
    const { carrier, tracking_number, tracking_url } = order;
    if (order.order_status === 'delivered')
      await writeMail(tx, tenant, { kind: 'order_delivered', data: { order }, ...readerOf(order), cause: order.id });
    else if (order.shipments.length === 0)
      await writeMail(tx, tenant, {
        kind: 'order_shipped',
        data: { order, shipment: { carrier, tracking_number, tracking_url } },
        ...readerOf(order),
        cause: order.id,
      });
  };

  const mailRefund = async (
    { tx, tenant }: Origin,
    { refund }: Pick<EventObjects['order.refunded'], 'refund'> | TruncatedObject,
    order: StoreOrder,
  ): Promise<void> => {
    // A refund of nothing only takes units back.
    if (!refund || refund.amount === 0) return;
    const { id, amount, reason } = refund;
    const data = { order, refund: { amount, reason } };
    await writeMail(tx, tenant, { kind: 'order_refunded', data, ...readerOf(order), cause: id });
  };

  const mailOrder = async (
    origin: Origin,
    event: EventEnvelope<`order.${string}` & MailEvent['type']>,
  ): Promise<void> => {
    const { tx, tenant } = origin;
    // Most changes of orders concern no parcel, and need no look at the order.
    if (event.type === 'order.updated' && !event.previous_attributes?.shipments) return;
    const order = await orderOf(tenant, event.data.object);
    if (!order?.email) return;
    const cause = order.id;
    const reader = readerOf(order);
    if (event.type === 'order.created') {
      const data = { order, due: order.amount_due, reserved: false };
      await writeMail(tx, tenant, { kind: 'order_placed', data, ...reader, cause });
    } else if (event.type === 'order.paid')
      await writeMail(tx, tenant, { kind: 'order_paid', data: { order }, ...reader, cause });
    else if (event.type === 'order.cancelled')
      await writeMail(tx, tenant, { kind: 'order_cancelled', data: { order }, ...reader, cause });
    else if (event.type === 'order.refunded') await mailRefund(origin, event.data.object, order);
    else await mailParcels(origin, event, order);
  };

  const mailFailedPayment = async ({ tx, tenant }: Origin, event: EventEnvelope<'payment.failed'>): Promise<void> => {
    const payment = event.data.object;
    if (isTruncated(payment) || payment.order_id === null) return;
    const order = await findOrder(tenant, payment.order_id);
    // Another payment may have succeeded meanwhile.
    if (!order?.email || order.amount_due === 0 || order.order_status === 'cancelled') return;
    const { amount, currency } = payment;
    const data = { order, payment: { amount, currency } };
    await writeMail(tx, tenant, { kind: 'payment_failed', data, ...readerOf(order), cause: payment.id });
  };

  const mailGiftCard = async ({ tx, tenant }: Origin, event: EventEnvelope<'gift_card.issued'>): Promise<void> => {
    const card = event.data.object;
    if (isTruncated(card) || card.customer_id === null) return;
    const reader = await findReader(tenant, card.customer_id);
    if (reader)
      await writeMail(tx, tenant, { kind: 'gift_card', data: { gift_card: card }, ...reader, cause: card.id });
  };

  const mailCart = async ({ tx, tenant }: Origin, event: EventEnvelope<'cart.abandoned'>): Promise<void> => {
    const cart = event.data.object;
    if (isTruncated(cart) || cart.customer_id === null || cart.items.length === 0) return;
    const reader = await findReader(tenant, cart.customer_id);
    if (reader) await writeMail(tx, tenant, { kind: 'abandoned_cart', data: { cart }, ...reader, cause: event.id });
  };

  return startInbox({
    postgres,
    bus,
    namespace,
    log,
    name: 'mail',
    types: TYPES,
    handle: (tx, event, tenant) => {
      const origin = { tx, tenant };
      if (event.type === 'payment.failed') return mailFailedPayment(origin, event);
      if (event.type === 'gift_card.issued') return mailGiftCard(origin, event);
      if (event.type === 'cart.abandoned') return mailCart(origin, event);
      return mailOrder(origin, event);
    },
  });
};

// What an endpoint can hear of: the types of the specification's table, "Event types".

export const EVENT_TYPES = [
  'order.created',
  'order.paid',
  'order.fulfilled',
  'order.shipped',
  'order.cancelled',
  'order.refunded',
  'order.updated',
  'payment.succeeded',
  'payment.failed',
  'payment.refunded',
  'customer.created',
  'customer.updated',
  'customer.deleted',
  'product.created',
  'product.updated',
  'product.stock_low',
  'product.out_of_stock',
  'cart.created',
  'cart.updated',
  'cart.abandoned',
  'gift_card.issued',
  'gift_card.redeemed',
  'gift_card.expired',
  'promotion.applied',
  'promotion.created',
  'promotion.activated',
  'promotion.deactivated',
  'collection.created',
  'collection.updated',
  'post.published',
  'lookbook.published',
  'review.approved',
  'store.updated',
  'payment_provider.connected',
  'shipping_provider.connected',
  'channel.connected',
  'feature.status_changed',
  'feed.sync.completed',
  'channel.sync.completed',
  'b2b.rfq.created',
  'b2b.quote.sent',
  'b2b.quote.accepted',
  'b2b.quote.rejected',
  'b2b.po.issued',
  'b2b.po.confirmed',
  'b2b.po.fulfilled',
  'b2b.invoice.issued',
  'b2b.invoice.paid',
  'b2b.invoice.overdue',
] as const;

/** "An endpoint subscribes to a chosen list of types or to all events." */
export const ALL = '*';

const KNOWN: ReadonlySet<string> = new Set(EVENT_TYPES);

/** Domains tell each other more than merchants are told. */
export const isEventType = (type: string): boolean => KNOWN.has(type);

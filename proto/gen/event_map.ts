// Generated from stoa/v1/*.proto by proto/generate: change the proto file and run `bun proto/generate/main.ts`.
import type { CartEvent, ChannelEvent, ChannelSyncEvent, CollectionEvent, CustomerEvent, FeatureEvent, FeedSyncEvent, GiftCardEvent, GiftCardRedeemedEvent, InvoiceEvent, LookbookEvent, OrderEvent, OrderRefundedEvent, PaymentEvent, PaymentProviderEvent, PaymentRefundedEvent, PostEvent, ProductEvent, PromotionAppliedEvent, PromotionEvent, PurchaseOrderEvent, ReviewEvent, RfqEvent, ShippingProviderEvent, StockEvent, StoreEvent, WholesaleQuoteEvent } from './event.ts';

/** What `data.object` holds in an event of each type: the resource, and what stands beside it. */
export interface EventObjects {
  "order.created": OrderEvent['object'];
  "order.paid": OrderEvent['object'];
  "order.fulfilled": OrderEvent['object'];
  "order.shipped": OrderEvent['object'];
  "order.cancelled": OrderEvent['object'];
  "order.updated": OrderEvent['object'];
  "order.refunded": OrderRefundedEvent['object'] & OrderRefundedEvent['extra'];
  "payment.succeeded": PaymentEvent['object'];
  "payment.failed": PaymentEvent['object'];
  "payment.authorized": PaymentEvent['object'];
  "payment.captured": PaymentEvent['object'];
  "payment.voided": PaymentEvent['object'];
  "payment.refunded": PaymentRefundedEvent['object'] & PaymentRefundedEvent['extra'];
  "customer.created": CustomerEvent['object'];
  "customer.updated": CustomerEvent['object'];
  "customer.deleted": CustomerEvent['object'];
  "product.created": ProductEvent['object'];
  "product.updated": ProductEvent['object'];
  "product.stock_low": StockEvent['object'] & StockEvent['extra'];
  "product.out_of_stock": StockEvent['object'] & StockEvent['extra'];
  "cart.created": CartEvent['object'];
  "cart.updated": CartEvent['object'];
  "cart.abandoned": CartEvent['object'];
  "post.published": PostEvent['object'];
  "lookbook.published": LookbookEvent['object'];
  "gift_card.issued": GiftCardEvent['object'];
  "gift_card.expired": GiftCardEvent['object'];
  "gift_card.redeemed": GiftCardRedeemedEvent['object'] & GiftCardRedeemedEvent['extra'];
  "promotion.applied": PromotionAppliedEvent['object'] & PromotionAppliedEvent['extra'];
  "promotion.created": PromotionEvent['object'];
  "promotion.activated": PromotionEvent['object'];
  "promotion.deactivated": PromotionEvent['object'];
  "collection.created": CollectionEvent['object'];
  "collection.updated": CollectionEvent['object'];
  "store.updated": StoreEvent['object'] & StoreEvent['extra'];
  "payment_provider.connected": PaymentProviderEvent['object'];
  "shipping_provider.connected": ShippingProviderEvent['object'] & ShippingProviderEvent['extra'];
  "feature.status_changed": FeatureEvent['object'];
  "feed.sync.completed": FeedSyncEvent['object'];
  "review.approved": ReviewEvent['object'];
  "b2b.rfq.created": RfqEvent['object'];
  "b2b.quote.sent": WholesaleQuoteEvent['object'];
  "b2b.quote.accepted": WholesaleQuoteEvent['object'];
  "b2b.quote.rejected": WholesaleQuoteEvent['object'];
  "b2b.po.issued": PurchaseOrderEvent['object'];
  "b2b.po.confirmed": PurchaseOrderEvent['object'];
  "b2b.po.fulfilled": PurchaseOrderEvent['object'];
  "b2b.invoice.issued": InvoiceEvent['object'];
  "b2b.invoice.paid": InvoiceEvent['object'];
  "b2b.invoice.overdue": InvoiceEvent['object'];
  "channel.connected": ChannelEvent['object'];
  "channel.sync.completed": ChannelSyncEvent['object'];
}

export type EventType = keyof EventObjects;

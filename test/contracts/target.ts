// The path and the key of an endpoint's call for an owner.
import type { Route } from '#proto/route.ts';
import type { Owner } from './owner.ts';

/** The path with a record of the owner's for every parameter. */
export const pathOf = ({ path, rpc }: Route, { records, keys }: Owner): string =>
  path.replace(/:(\w+)/g, (_whole, name: string) => {
    if (name === 'store') return keys.code;
    if (name === 'currency') return 'EUR';
    if (name === 'type') return 'terms';
    if (name === 'kind') return 'order_placed';
    if (name === 'token') return records.bounceToken;
    if (rpc.startsWith('StockAlert/')) return records.emptyProduct;
    if (name === 'slug' && rpc.startsWith('Marketplace/')) return records.section;
    if (name === 'slug') return rpc.startsWith('Catalog/') ? records.slug : records.story;
    if (name === 'variant_id') return records.variant;
    if (name === 'session_id') return records.customerSession;
    if (name === 'group_id') return SIMULATED.includes(rpc) ? records.sandboxCheckout : records.checkout;
    if (name === 'store_id') return keys.store_id;
    if (name === 'environment') return 'production';
    if (name === 'provider') return 'own_bank';
    if (name === 'reference') return SIMULATED.includes(rpc) ? records.authorizedPayment : records.payment;
    if (rpc.startsWith('Order/') || rpc === 'Return/CreateReturn') return records.order;
    if (rpc.startsWith('Return/')) return records.orderReturn;
    if (rpc.startsWith('Dispute/')) return records.dispute;
    if (path.startsWith('/v1/b2b/rfqs/')) return records.rfq;
    if (path.startsWith('/v1/b2b/quotes/')) return records.wholesaleQuote;
    if (rpc === 'Wholesale/FulfillPurchaseOrder') return records.confirmedOrder;
    if (path.startsWith('/v1/b2b/invoices/')) return records.invoice;
    if (path.startsWith('/v1/b2b/purchase-orders/')) return records.purchaseOrder;
    if (rpc.endsWith('Quote')) return records.quote;
    if (rpc.endsWith('CartDraft')) return records.draft;
    if (rpc.endsWith('CheckoutIntent')) return records.intent;
    if (rpc === 'CheckoutPayment/DisconnectProvider') return records.operatorProvider;
    if (rpc.endsWith('PaymentProvider')) return records.paymentProvider;
    if (rpc.startsWith('Key/')) return records.key;
    if (rpc === 'Staff/DeleteInvitation') return records.invitation;
    if (rpc.startsWith('StaffSession/')) return records.staffSession;
    if (rpc.startsWith('Staff/')) return records.member;
    if (rpc.startsWith('Channel/')) return records.channel;
    if (rpc.startsWith('Connect/')) return records.grant;
    if (rpc.startsWith('Webhook/')) return records.endpoint;
    if (rpc.startsWith('WebhookLog/')) return records.event;
    if (rpc.startsWith('Category/')) return records.category;
    if (rpc.startsWith('Collection/')) return records.collection;
    if (rpc.startsWith('PriceList/')) return records.priceList;
    if (name === 'export_id') return records.customerExport;
    if (/^Privacy\/\w*Eras/.test(rpc)) return records.erasedCustomer;
    if (/^(Privacy|Account(Session)?)\//.test(rpc)) return records.customer;
    if (rpc === 'Value/UpdateGiftCard') return records.giftCard;
    if (rpc === 'Messaging/DeleteMessage') return records.message;
    if (rpc.startsWith('Messaging/')) return records.thread;
    if (rpc.startsWith('Review/')) return records.review;
    if (rpc.startsWith('ShippingProvider/')) return records.provider;
    if (rpc.startsWith('Media/')) return records.media;
    if (rpc.startsWith('Promotion/')) return records.promotion;
    if (rpc.startsWith('TaxRate/')) return records.taxRate;
    if (rpc.startsWith('MailSuppression/')) return records.mailSuppression;
    if (rpc.startsWith('Blog/')) return records.post;
    if (rpc.startsWith('Lookbook/')) return records.lookbook;
    if (rpc.endsWith('Feed')) return records.feed;
    if (rpc.endsWith('Job')) return records.job;
    return records.product;
  });

/** Whether a call of the endpoint starts a job, which writes rows after the answer. */
export const startsJob = ({ path, rpc }: Route): boolean =>
  path.startsWith('/v1/ingestion/') || rpc.startsWith('Privacy/');

/** Endpoints that only the built-in simulator answers, for tests without a provider. */
export const SIMULATED = [
  'Payment/InitializePayment',
  'Payment/VerifyPayment',
  'Payment/CapturePayment',
  'Payment/VoidPayment',
  'CheckoutPayment/PayCheckout',
];

interface Credential {
  readonly key?: string;
  readonly signWith?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** The secret key that an endpoint is asked with: the sandbox's where it works there alone. A session's cookie has no key. */
export const secretOf = ({ access, rpc }: Route, { keys, ...owner }: Owner): Credential => {
  if (access.key === 'staff') return { headers: { Cookie: owner.staffCookie, 'X-Stoa-Dashboard': 'production' } };
  if (access.key === 'operator') return { key: SIMULATED.includes(rpc) ? owner.operatorTestKey : owner.operatorKey };
  const sandbox = access.key === 'secret_test' || SIMULATED.includes(rpc);
  const signWith = sandbox ? keys.hmac_test_secret : keys.hmac_secret;
  return { key: sandbox ? keys.secret_test_key : keys.secret_key, ...(access.signed ? { signWith } : {}) };
};

// Bodies for each endpoint that writes and needs no shopper: one that has an effect, and another one.
import { plainPng } from '#test/support/picture.ts';
import type { Owner } from './owner.ts';

export const OWN_PROVIDER = {
  name: 'Own',
  initialize_url: 'https://pay.invalid/initialize',
  verify_url: 'https://pay.invalid/verify',
  signing_secret: 'a-secret-of-both-sides',
};

export const BODIES: Readonly<Record<string, (owner: Owner) => readonly [unknown, unknown]>> = {
  'PATCH /v1/store': () => [{ description: 'once' }, { description: 'twice' }],
  'PUT /v1/store/policies/:type': () => [
    { title: 'T', body: 'once', publish: true },
    { title: 'T', body: 'twice', publish: true },
  ],
  'PUT /v1/exchange-rates/:currency': () => [{ rate: 0.92 }, { rate: 0.93 }],
  'POST /v1/keys': () => [
    { name: 'Once', type: 'secret', environment: 'sandbox' },
    { name: 'Twice', type: 'secret', environment: 'sandbox' },
  ],
  'PATCH /v1/keys/:id': () => [{ name: 'Once' }, { name: 'Twice' }],
  'POST /v1/keys/:id/roll': () => [{ overlap_hours: 168 }, { overlap_hours: 0 }],
  'POST /v1/staff/invitations': () => [
    { email: 'once@example.com', role: 'analyst' },
    { email: 'twice@example.com', role: 'analyst' },
  ],
  'PATCH /v1/staff/:id': () => [{ name: 'Once' }, { name: 'Twice' }],
  'POST /v1/products': () => [
    { name: 'Once', price: 1 },
    { name: 'Twice', price: 1 },
  ],
  'PATCH /v1/products/:id': () => [{ name: 'Once' }, { name: 'Twice' }],
  'POST /v1/products/:id/variants': () => [{ price: 1 }, { price: 2 }],
  'PATCH /v1/products/:id/variants/:variant_id': () => [{ price: 1 }, { price: 2 }],
  'POST /v1/categories': () => [{ name: 'Once' }, { name: 'Twice' }],
  'PATCH /v1/categories/:id': () => [{ name: 'Once' }, { name: 'Twice' }],
  'POST /v1/product-collections': () => [{ name: 'Once' }, { name: 'Twice' }],
  'PATCH /v1/product-collections/:id': () => [{ name: 'Once' }, { name: 'Twice' }],
  'PUT /v1/product-collections/:id/products': ({ records }) => [
    { product_ids: [] },
    { product_ids: [records.product] },
  ],
  'POST /v1/price-lists': () => [{ name: 'Once' }, { name: 'Twice' }],
  'PATCH /v1/price-lists/:id': () => [{ name: 'Once' }, { name: 'Twice' }],
  'POST /v1/search': () => [{ query: 'once' }, { query: 'twice' }],
  'POST /v1/events': ({ records }) => [
    { event_type: 'view', product_id: records.product, session_id: 'once' },
    { event_type: 'view', product_id: records.product, session_id: 'twice' },
  ],
  'POST /v1/recommendations': ({ records }) => [{ product_id: records.product }, { intent: 'trending' }],
  'POST /v1/media': () => [plainPng(9, 9), plainPng(9, 8)],
  'POST /v1/promotions': () => [
    { name: 'Once', type: 'percentage', value: 1 },
    { name: 'Twice', type: 'percentage', value: 2 },
  ],
  'PATCH /v1/promotions/:id': () => [{ name: 'Once' }, { name: 'Twice' }],
  'POST /v1/blog/posts': () => [{ title: 'Once' }, { title: 'Twice' }],
  'PATCH /v1/blog/posts/:id': () => [{ title: 'Once' }, { title: 'Twice' }],
  'POST /v1/lookbooks': () => [{ title: 'Once' }, { title: 'Twice' }],
  'PATCH /v1/lookbooks/:id': () => [{ title: 'Once' }, { title: 'Twice' }],
  'POST /v1/tax-rates': () => [
    { name: 'Once', country: 'KE', rate: 0.1 },
    { name: 'Twice', country: 'KE', rate: 0.2 },
  ],
  'PATCH /v1/tax-rates/:id': () => [{ name: 'Once' }, { name: 'Twice' }],
  'POST /v1/products/:id/back-in-stock': () => [{ email: 'once@example.com' }, { email: 'twice@example.com' }],
  'PUT /v1/mail-templates/:kind': () => [{ subject: 'Once' }, { subject: 'Twice' }],
  'POST /v1/mail-templates/:kind/preview': () => [{ subject: 'Once' }, { subject: 'Twice' }],
  'POST /v1/mail-suppressions/bounce-address': () => [{}, { again: true }],
  'POST /v1/inventory/adjustments': ({ records }) => [
    { variant_id: records.variant, delta: 1 },
    { variant_id: records.variant, delta: 2 },
  ],
  'POST /v1/customers': () => [{ email: 'once@example.com' }, { email: 'twice@example.com' }],
  'POST /v1/customers/:id/erase': () => [{ reason: 'Once' }, { reason: 'Twice' }],
  'PUT /v1/customers/:id/group': () => [{ group: 'once' }, { group: 'twice' }],
  'PATCH /v1/reviews/:id': () => [
    { status: 'rejected', rejection_reason: 'Once' },
    { status: 'rejected', rejection_reason: 'Twice' },
  ],
  'PATCH /v1/messaging/threads/:id': () => [{ status: 'closed' }, { status: 'open' }],
  'PATCH /v1/returns/:id': () => [{ status: 'approved' }, { status: 'received' }],
  'PATCH /v1/disputes/:id': () => [{ status: 'under_review' }, { status: 'rejected' }],
  'POST /v1/b2b/quotes': ({ records }) => [
    { customer_id: records.customer, items: [{ variant_id: records.variant, quantity: 1, unit_price: 1 }] },
    { customer_id: records.customer, items: [{ variant_id: records.variant, quantity: 2, unit_price: 1 }] },
  ],
  'POST /v1/b2b/invoices': ({ records }) => [
    { purchase_order_id: records.confirmedOrder },
    { purchase_order_id: records.confirmedOrder, items: null, again: true },
  ],
  'POST /v1/b2b/invoices/:id/pay': () => [{ amount: 8 }, { amount: 8, reference: 'Twice' }],
  'POST /v1/b2b/purchase-orders/:id/fulfill': () => [{ carrier: 'Once' }, { carrier: 'Twice' }],
  'PUT /v1/marketplace/collections/:slug': () => [
    { name: 'Once', placement_kind: 'merchant', items: [] },
    { name: 'Twice', placement_kind: 'merchant', items: [] },
  ],
  'POST /v1/cart/checkout': ({ keys, records }) =>
    ['Once', 'Twice'].map((note) => ({
      lines: [{ store_id: keys.store_id, variant_id: records.variant, quantity: 1 }],
      email: 'ada@example.com',
      shipping_address: { line1: '1', city: 'Nairobi', country: 'KE' },
      note,
    })) as [unknown, unknown],
  'POST /v1/cart/checkout/:group_id/pay': () => [
    { provider: 'card_checkout' },
    { provider: 'card_checkout', email: 'twice@example.com' },
  ],
  'PATCH /v1/marketplace/merchants/:store_id': () => [{ suspended: true }, { suspended: false }],
  'POST /v1/marketplace/payment-providers': () => [
    { provider: 'once', custom_provider: true, ...OWN_PROVIDER },
    { provider: 'twice', custom_provider: true, ...OWN_PROVIDER },
  ],
  'POST /v1/gift-cards': () => [{ amount: 1 }, { amount: 2 }],
  'PATCH /v1/gift-cards/:id': () => [{ status: 'disabled' }, { status: 'disabled', again: true }],
  'POST /v1/store-credit': ({ records }) => [
    { customer_id: records.customer, amount: 1 },
    { customer_id: records.customer, amount: 2 },
  ],
  'POST /v1/ingestion/push': () => [{ products: [{ external_id: 'once', name: 'Once' }] }, { products: [] }],
  'POST /v1/ingestion/feeds': () => [
    { url: 'https://feed.invalid/once', format: 'csv' },
    { url: 'https://feed.invalid/twice', format: 'csv' },
  ],
  'POST /v1/shipping/calculate': () => [
    { latitude: -1.28, longitude: 36.82 },
    { latitude: -4.05, longitude: 39.66 },
  ],
  'PUT /v1/shipping/config': () => [{ fallback: { rate: { fee: 1 } } }, { fallback: { rate: { fee: 2 } } }],
  'POST /v1/shipping/providers': () => [
    { kind: 'custom', name: 'Once', url: 'https://rates.invalid/once' },
    { kind: 'custom', name: 'Twice', url: 'https://rates.invalid/twice' },
  ],
  'PATCH /v1/ingestion/feeds/:id': () => [{ name: 'Once' }, { name: 'Twice' }],
  'POST /v1/orders': ({ records }) => [
    { items: [{ variant_id: records.variant, quantity: 1 }], email: 'once@example.com' },
    { items: [{ variant_id: records.variant, quantity: 1 }], email: 'twice@example.com' },
  ],
  'PATCH /v1/orders/:id': () => [{ note: 'Once' }, { note: 'Twice' }],
  'POST /v1/orders/:id/refunds': () => [{ amount: 1 }, { amount: 2 }],
  'POST /v1/orders/:id/shipments': () => [
    { carrier: 'Once', tracking_number: '1' },
    { carrier: 'Twice', tracking_number: '2' },
  ],
  'POST /v1/agent/quotes': ({ records }) => [
    { items: [{ variant_id: records.variant, quantity: 1 }] },
    { items: [{ variant_id: records.variant, quantity: 2 }] },
  ],
  'POST /v1/agent/cart-drafts': ({ records }) => [
    { items: [{ variant_id: records.variant, quantity: 1 }] },
    { items: [{ variant_id: records.variant, quantity: 2 }] },
  ],
  'PATCH /v1/agent/cart-drafts/:id': () => [{ email: 'once@example.com' }, { email: 'twice@example.com' }],
  'POST /v1/agent/checkout-intents': ({ records }) => [
    { items: [{ variant_id: records.variant, quantity: 1 }] },
    { items: [{ variant_id: records.variant, quantity: 2 }] },
  ],
  'PATCH /v1/agent/checkout-intents/:id': () => [{ email: 'once@example.com' }, { email: 'twice@example.com' }],
  'POST /v1/payments/initialize': () => [
    { provider: 'card_checkout', amount: 1, email: 'ada@example.com' },
    { provider: 'card_checkout', amount: 2, email: 'ada@example.com' },
  ],
  'POST /v1/payments/verify': ({ records }) => [
    { provider: 'card_checkout', reference: records.payment },
    { provider: 'wallet', reference: records.payment },
  ],
  'POST /v1/payments/:reference/capture': () => [{ amount: 9 }, { amount: 8 }],
  'POST /v1/payments/:reference/void': () => [{}, { again: true }],
  'POST /v1/payments/providers': () => [
    { provider: 'once', custom_provider: true, ...OWN_PROVIDER },
    { provider: 'twice', custom_provider: true, ...OWN_PROVIDER },
  ],
  'POST /v1/channels': () => [
    { provider: 'once', name: 'Once', url: 'https://channel.invalid/once', format: 'stoa' },
    { provider: 'twice', name: 'Twice', url: 'https://channel.invalid/twice', format: 'stoa' },
  ],
  'PATCH /v1/channels/:id': () => [{ name: 'Once' }, { name: 'Twice' }],
  'POST /v1/connect/sessions': () => [
    { client_name: 'Once', redirect_uri: 'https://app.invalid/once', scopes: ['orders:read'] },
    { client_name: 'Twice', redirect_uri: 'https://app.invalid/twice', scopes: ['orders:read'] },
  ],
  'POST /v1/webhook-endpoints': () => [
    { url: 'https://hooks.invalid/once', events: ['*'], enabled: false },
    { url: 'https://hooks.invalid/twice', events: ['*'], enabled: false },
  ],
  'PATCH /v1/webhook-endpoints/:id': () => [{ description: 'once' }, { description: 'twice' }],
  'POST /v1/webhook-endpoints/:id/test': () => [{ event_type: 'order.created' }, { event_type: 'order.paid' }],
  'POST /v1/sandbox/webhooks/replay': ({ records }) => [{ event_id: records.sandboxEvent }, { event_id: 'evt_twice' }],
  'POST /v1/sandbox/reset': () => [{}, { copy_catalogue: true }],
  'POST /v1/sandbox/time-travel': () => [{ advance_seconds: 60 }, { advance_seconds: 61 }],
  'POST /v1/sandbox/payments/:reference': () => [{ outcome: 'succeed' }, { outcome: 'fail' }],
};

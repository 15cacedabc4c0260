// Names, for each sentence of the API's requirements, the test file that shows it. In the parts named below no sentence and no
// row of a table is left out.
import { existsSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { passagesOf, specification } from '#test/support/specification.ts';

const SENTENCES: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  'reviews, returns, disputes and conversations': {
    'test/contracts/error_list.test.ts': [
      'Errors: 400, 401, 403, 404, 429, 500.',
      'Errors: 400, 401, 403, 404, 409 `conflict` (no pending store-credit offer), 429, 500.',
      'Errors listed: 400, 401, 403, 404, 409 `conflict`, 500.',
      '409 `conflict` (no pending store-credit offer)',
    ],
    'test/services/b2b/rpc/purchase_order.test.ts': ['| id | uuid |', 'Path: `id` (uuid).'],
    'test/services/content/rpc/lookbook.test.ts': ['Key: publishable or secret.'],
    'test/services/message/index.test.ts': [
      'required, gated by thread or message ownership',
      'reviews and conversations made with a test key are never visible to live keys',
    ],
    'test/services/order/dispute/rpc.test.ts': [
      'Dispute (as returned by cancel): `id` (uuid), `status` (string).',
      'response carries id and status `cancelled`',
      'cancellation is no longer allowed',
      'No body.',
      'merchant id, marketplace operator key only',
      'Response 200: `{ data: { id, status } }` with status `cancelled`.',
      "Cancels the shopper's own dispute while it is open; resolved or rejected disputes cannot be cancelled.",
    ],
    'test/services/order/return/decision.test.ts': [
      'a marketplace return never carries an offer, so always 409 on a marketplace key',
    ],
    'test/services/order/return/rpc.test.ts': [
      'Store credit result: `store_credit_id` (uuid), `amount` (number, major units).',
      "store credit issued to the customer's balance, spendable at checkout",
      'Path: `id` (uuid of the return).',
      'merchant id for operator keys only and required for them',
      '`reason_code` enum (`damaged`, `defective`, `wrong_item`, `not_as_described`, `wrong_size`, `no_longer_needed`, `arrived_late`, `other`)',
      '`resolution` enum (`full_refund`, `partial_refund`, `exchange`, `store_credit`; default `full_refund`)',
      '`items` optional array of lines each naming `order_item_id` and a quantity (omitted means every line in full)',
      'The store reviews and decides the refund;',
      '{ data: { store_credit_id, amount } }',
      'a free-text detail field required when reason_code is `other`',
      'one further text field with a maximum length of 50',
      "Allowed only while the order is inside the store's return window.",
      'the shopper is told by e-mail that the return was received',
      'exactly one of `x-auth-token`, `x-external-auth`, `x-idp-token`',
      'return has no pending store-credit offer; shown also on dispute cancel',
    ],
    'test/services/review/index.test.ts': [
      'marketplace operator key only and required for it',
      'Limit: 600 requests per hour per API key.',
      'the merchant owning the reviewed product; ignored for single-store keys',
      'An operator key may read an approved review of one of its merchants.',
      'the actions a shopper takes for themselves (cart, wishlist, reviews',
      'customer session token rejected',
      'submit or delete own review',
      '(helpful vote and listing return reasons need none)',
      '600 per hour per API key',
    ],
    'test/services/review/listing.test.ts': ['reviews list (publishable sees approved only)'],
    'test/services/review/review.test.ts': ['mean of approved reviews, 1 to 5, one decimal; null when none'],
    'test/services/review/rating_publisher.test.ts': [
      'approved reviews; 0 when none',
      'data arrives (for example first approved reviews)',
      'event `feature.status_changed` with previous_status',
      'capability crosses between awaiting data and available; carries feature, status (`available`, `awaiting_data`, `not_in_plan`), previous_status',
    ],
    'test/services/review/rpc.test.ts': [
      '| product_id | uuid |',
      '| variant_id, order_id | uuid or null |',
      '| customer_id | uuid |',
      '| customer_name | string |',
      '| rating | integer | 1 to 5 (range of the average is 1 to 5) |',
      '| title, body | string |',
      '| media_urls | array of uri |',
      '| status | enum | `approved` plus pending and rejected (see States) |',
      '| rejection_reason | string or null |',
      '| helpful_count | integer |',
      '| verified_purchase | boolean |',
      '| created_at, updated_at | date-time |',
      'becomes visible to publishable keys; event `review.approved`',
      'answered 404; secret keys see all statuses',
      'Response 200: `{ review: <Review> }`.',
      'Publishable sees only approved reviews; pending or rejected answer 404. Secret sees all statuses.',
      'review passes moderation; carries product_id, rating, verified_purchase',
      'non-approved review read with a publishable key',
    ],
    'test/services/store/feature.test.ts': ['data lost'],
  },
  'content, apps and channels': {
    'test/contracts/error_list.test.ts': [
      'Errors: 400, 401, 404 (no published lookbook with that slug), 429, 500.',
      '404 (no published lookbook with that slug)',
    ],
    'test/journeys/event_store_cause.ts': [
      'provider connected; carries provider',
      'catalogue push to a sales channel finishes; carries provider, status, items_total, items_pushed, items_rejected',
    ],
    'test/services/b2b/rpc/purchase_order.test.ts': ['| created_at | date-time |'],
    'test/services/connect/authorization.test.ts': [
      'Connect authorize validate, token and revoke: public, OAuth-style client credentials.',
      'list connect sessions',
    ],
    'test/services/content/view.test.ts': [
      'Headers: `x-visitor-id` and `x-session-id`, each taking precedence over its query form.',
      '`visitor_id` (string; attributes the view to the shopper in content analytics; without it a coarse request-derived fallback is used',
      '`session_id` (string; groups the view into a session; derived from the visitor when omitted)',
    ],
    'test/services/content/rpc/lookbook.test.ts': [
      '| title, slug, description | string |',
      'poster and fallback for video',
      '| video | uri or null | MP4, H.264 with AAC audio |',
      '| published_at | date-time |',
      'backing product collection, null when standalone',
      '`published`, `draft`; returned by the list, omitted by the single-lookbook response',
      'last edit by anyone; always set; equals created_at when never revised',
      'ordered gallery; each has `url` and `hotspots` (array of shoppable hotspots)',
      'Path: `slug` string.',
      'Response 200: lookbook (see Resources).',
      '`fields` (comma-separated; allowed: id, title, slug, description, featured_image, video, collection_id, published_at, created_at, images',
      'blog post or lookbook published',
      'unpublished lookbook',
    ],
  },
  'wholesale and marketplaces': {
    'test/contracts/access.test.ts': [
      'Marketplace operator keys act across merchants and, on several endpoints, must name the merchant with a query parameter.',
    ],
    'test/journeys/event_wholesale.ts': [
      'b2b.rfq.created; b2b.quote.sent, .accepted, .rejected; b2b.po.issued, .confirmed, .fulfilled; b2b.invoice.issued, .paid, .overdue',
      'for stores with wholesale enabled',
    ],
    'test/services/b2b/rpc/purchase_order.test.ts': [
      '| id | uuid | |',
      '| quote_id | uuid | |',
      '| po_number | string | |',
      '| status | string | value seen: `confirmed` |',
      '| currency | string | |',
      '| subtotal, tax_amount, total | number | major units |',
      '| payment_terms | string | |',
      '| created_at | date-time | |',
      'Key: API key plus buyer session (`x-auth-token` or `x-external-auth`, or `x-idp-token`; exactly one).',
      'Errors: 404, 500.',
      'Response 200: `{ data: <purchase order> }`.',
    ],
    'test/services/catalog/feed/index.test.ts': [
      'Published by default; a wholesale store publishes it only once the merchant turns it on, and the merchant may turn it off at any time.',
    ],
    'test/services/marketplace/rpc.test.ts': [
      'Single-store keys act on their own store.',
      '| slug, name, description | string | |',
      '| placement_kind | enum | `product`, `merchant`, `promotion` |',
      '| curated | boolean | always true |',
      'for product sections: objects with `merchant_store_id` (uuid) and `product_id` (uuid)',
      'Key: marketplace operator key required.',
      'Path: `slug` (from the section list).',
      'Response 200: curated section (see Resources).',
      'Errors: 400, 401, 404, 500.',
      'caps members returned',
      'marketplace section 1 to 100',
    ],
    'test/services/marketplace/shopper.test.ts': [
      'Marketplace endpoints require a marketplace operator key; the unified shopper profile also needs `X-Customer-Token`.',
    ],
    'test/services/recommendation/marketplace.test.ts': [
      "`channel` enum (`storefront`, `marketplace`; omit or `storefront` for a seller's own site)",
      'the body field wins if both are sent; the marketplace is resolved server-side from the store',
    ],
  },
};

/** Parts of the requirements, each by a section's heading or by how a row or a line begins, of which every passage is quoted. */
const WHOLE: Readonly<Record<string, readonly string[]>> = {
  'reviews, returns, disputes and conversations': [
    '### Review',
    '### Dispute, store credit result, payment result',
    '### GET /v1/reviews/{id}',
    '### POST /v1/returns/{id}/accept-credit',
    '### POST (request a return for an order)',
    '### POST /v1/disputes/{id}/cancel',
    '| average_rating |',
    '| review_count |',
    '| Review |',
    '| Dispute |',
    '| Return |',
    '| Feature availability |',
    '| /v1/messaging/* |',
    '| returns, disputes,',
    '| | review.approved |',
    '| Features |',
    '| conflict |',
    '| GET /v1/reviews/{id} |',
  ],
  'content, apps and channels': [
    '### Lookbook',
    '### GET /v1/lookbooks/{slug}',
    '- Connect authorize',
    '| | post.published, lookbook.published |',
    '| | payment_provider.connected, shipping_provider.connected, channel.connected |',
    '| | channel.sync.completed |',
  ],
  'wholesale and marketplaces': [
    '### Curated marketplace section',
    '### Wholesale purchase order',
    '### GET /v1/marketplace/collections/{slug}',
    '### GET /v1/b2b/purchase-orders/{id}',
    '- Marketplace endpoints require',
    '| Wholesale |',
  ],
};

/** Words at the beginning of a passage without a claim. */
const LABEL = /^(Query|Headers|Body|Credentials): /;

/** Text for comparison, without the signs of Markdown and quotes. */
const plain = (text: string): string => text.replace(/[`'"’“”|\\]/g, '').replace(/\s+/g, ' ');

describe.each(Object.entries(SENTENCES))('of %s', (_, files) => {
  const sentences = Object.values(files).flat();

  test.skipIf(specification === null).each(sentences)('the requirements say "%s"', (sentence) => {
    expect(plain(specification!)).toContain(plain(sentence));
  });

  test.each(Object.keys(files))('%s exists, which shows its sentences', (file) => {
    expect(existsSync(new URL(`../../${file}`, import.meta.url))).toBe(true);
  });
});

const quoted = Object.values(SENTENCES)
  .flatMap((files) => Object.values(files).flat())
  .map(plain);

/** Either contains the other: a quotation may extend past the end of a passage. */
const isQuoted = (passage: string): boolean => {
  const own = plain(passage)
    .trim()
    .replace(LABEL, '')
    .replace(/\)?\.$/, '');
  return quoted.some((sentence) => own.includes(sentence) || sentence.includes(own));
};

describe.skipIf(specification === null).each(Object.entries(WHOLE))('of %s', (_, parts) => {
  test.each(parts)('every passage of "%s" is quoted', (part) => {
    const passages = passagesOf(part);
    expect(passages).not.toEqual([]);
    expect(passages.filter((passage) => !isQuoted(passage))).toEqual([]);
  });
});

// What the specification says, sentence by sentence: each is the specification's own, and a test quotes it beside what shows it.
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { specification } from '#test/support/specification.ts';

const SENTENCES: Readonly<Record<string, readonly string[]>> = {
  'reviews, returns, disputes and conversations': [
    // Resources
    'mean of approved reviews, 1 to 5, one decimal; null when none',
    'approved reviews; 0 when none',
    '1 to 5 (range of the average is 1 to 5)',
    '`approved` plus pending and rejected (see States)',
    // States and transitions
    'becomes visible to publishable keys; event `review.approved`',
    'answered 404; secret keys see all statuses',
    'response carries id and status `cancelled`',
    'cancellation is no longer allowed',
    "store credit issued to the customer's balance, spendable at checkout",
    'a marketplace return never carries an offer, so always 409 on a marketplace key',
    'data arrives (for example first approved reviews)',
    'event `feature.status_changed` with previous_status',
    'data lost',
    // Endpoints
    'Publishable sees only approved reviews; pending or rejected answer 404. Secret sees all statuses.',
    'the merchant owning the reviewed product; ignored for single-store keys',
    'An operator key may read an approved review of one of its merchants.',
    '409 `conflict` (no pending store-credit offer)',
    '{ data: { store_credit_id, amount } }',
    'a free-text detail field required when reason_code is `other`',
    'default `full_refund`',
    'omitted means every line in full',
    'one further text field with a maximum length of 50',
    "Allowed only while the order is inside the store's return window.",
    'the shopper is told by e-mail that the return was received',
    "Cancels the shopper's own dispute while it is open; resolved or rejected disputes cannot be cancelled.",
    // Customer session tokens, environments, events, errors, limits
    'required, gated by thread or message ownership',
    'submit or delete own review',
    '(helpful vote and listing return reasons need none)',
    'exactly one of `x-auth-token`, `x-external-auth`, `x-idp-token`',
    'reviews and conversations made with a test key are never visible to live keys',
    'review passes moderation; carries product_id, rating, verified_purchase',
    'non-approved review read with a publishable key',
    'return has no pending store-credit offer; shown also on dispute cancel',
    '600 per hour per API key',
  ],
  'content, apps and channels': [
    // Resources
    'poster and fallback for video',
    'backing product collection, null when standalone',
    'returned by the list, omitted by the single-lookbook response',
    'last edit by anyone; always set; equals created_at when never revised',
    'ordered gallery; each has `url` and `hotspots`',
    // Endpoints
    'allowed: id, title, slug, description, featured_image, video, collection_id, published_at, created_at, images',
    'attributes the view to the shopper in content analytics; without it a coarse request-derived fallback is used',
    'groups the view into a session; derived from the visitor when omitted',
    '404 (no published lookbook with that slug)',
    // Authentication, events, errors
    'Connect authorize validate, token and revoke: public, OAuth-style client credentials.',
    'list connect sessions',
    'blog post or lookbook published',
    'provider connected; carries provider',
    'catalogue push to a sales channel finishes; carries provider, status, items_total, items_pushed, items_rejected',
    'unpublished lookbook',
  ],
  'wholesale and marketplaces': [
    // Global conventions
    'Marketplace operator keys act across merchants and, on several endpoints, must name the merchant with a query parameter.',
    // Resources
    'for product sections: objects with `merchant_store_id` (uuid) and `product_id` (uuid)',
    'always true',
    // Endpoints
    'Published by default; a wholesale store publishes it only once the merchant turns it on, and the merchant may turn it off at any time.',
    'caps members returned',
    'the body field wins if both are sent; the marketplace is resolved server-side from the store',
    'Response 200: `{ data: <purchase order> }`.',
    // Authentication, events, limits
    'Marketplace endpoints require a marketplace operator key; the unified shopper profile also needs `X-Customer-Token`.',
    'for stores with wholesale enabled',
    'marketplace section 1 to 100',
  ],
};

/** As texts are compared: signs of Markdown, of comments and of quoting apart, a comment of two lines as one. */
const plain = (text: string): string =>
  text
    .replace(/^\s*(\/\/|\*)\s?/gm, '')
    .replace(/[`'"’“”|\\]/g, '')
    .replace(/\s+/g, ' ');

const folder = fileURLToPath(new URL('..', import.meta.url));
const tests = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts') && !name.endsWith('quotation.test.ts'))
  .map((name) => plain(readFileSync(`${folder}/${name}`, 'utf8')));

describe.each(Object.entries(SENTENCES))('of %s', (_, sentences) => {
  test.skipIf(specification === null).each(sentences)('the specification says "%s"', (sentence) => {
    expect(plain(specification!)).toContain(plain(sentence));
  });

  test.each(sentences)('a test quotes "%s"', (sentence) => {
    expect(tests.some((text) => text.includes(plain(sentence)))).toBe(true);
  });
});

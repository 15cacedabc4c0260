// The table of events: its types, each documented as a webhook with an example that keeps its schema.
import { Value } from '@sinclair/typebox/value';
import { expect, it } from 'vitest';
import { openapiDocument } from '#proto/document.ts';
import type { EventType } from '#proto/gen/event_map.ts';
import { eventTypes } from '#proto/gen/event_table.ts';

/** The documented types of events, copied by hand, and those of payments that are authorised first. */
const TABLE: Readonly<Record<string, string>> = {
  order: 'created paid fulfilled shipped cancelled refunded updated',
  payment: 'succeeded failed refunded authorized captured voided',
  customer: 'created updated deleted',
  product: 'created updated stock_low out_of_stock',
  cart: 'created updated abandoned',
  gift_card: 'issued redeemed expired',
  promotion: 'applied created activated deactivated',
  collection: 'created updated',
  post: 'published',
  lookbook: 'published',
  review: 'approved',
  store: 'updated',
  payment_provider: 'connected',
  shipping_provider: 'connected',
  channel: 'connected sync.completed',
  feature: 'status_changed',
  feed: 'sync.completed',
  b2b: 'rfq.created quote.sent quote.accepted quote.rejected po.issued po.confirmed po.fulfilled invoice.issued invoice.paid invoice.overdue',
};

const TYPES = Object.entries(TABLE).flatMap(([group, names]) => names.split(' ').map((name) => `${group}.${name}`));

it('holds the documented types and no other', () => {
  expect(Object.keys(eventTypes).sort()).toEqual([...TYPES].sort());
});

it('matches the webhooks of the document', () => {
  const { webhooks } = openapiDocument('https://api.example.com') as { webhooks: Record<string, { post: unknown }> };
  expect(Object.keys(webhooks).sort()).toEqual([...TYPES].sort());
  expect(webhooks['order.paid']!.post).toMatchObject({
    summary: 'order.paid',
    requestBody: { content: { 'application/json': { example: { type: 'order.paid', api_version: 'v1' } } } },
  });
});

it.each(TYPES)('shows an example of %s that keeps its schema', (type) => {
  const { schema, example } = eventTypes[type as EventType];
  const data = { object: example, extra: example };
  expect([...Value.Errors(schema, data)]).toEqual([]);
});

// Truncates resources that are too large for a webhook.
import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import type { StoreOrder } from '#proto/gen/order.ts';
import { draftEnvelope } from '#runtime/event/envelope.ts';

const LARGE = { note: 'x'.repeat(300_000) } as StoreOrder;
const occurrence = (event: Parameters<typeof draftEnvelope>[1]['event']) => ({
  tenant: { store: randomUUID(), environment: 'sandbox' as const },
  event,
  createdAt: new Date(),
});
const object = (event: Parameters<typeof draftEnvelope>[1]['event']): unknown =>
  JSON.parse(`${draftEnvelope('evt_1', occurrence(event))}}`).data.object;

test('truncates a resource to its id', () => {
  const order = { ...LARGE, id: 'o1', checkout_intent_id: null };
  expect(object({ type: 'order.created', object: order })).toEqual({ id: 'o1', truncated: true });
});

test('keeps the checkout and the refund of a truncated order', () => {
  const refund = { id: 'r1', amount: 5, reason: null, status: 'pending' as const, created_at: '2026-01-01T00:00:00Z' };
  const order = { ...LARGE, id: 'o1', checkout_intent_id: 'c1', refund };
  expect(object({ type: 'order.refunded', object: order, previousAttributes: { amount_refunded: 0 } })).toEqual({
    id: 'o1',
    truncated: true,
    checkout_intent_id: 'c1',
    refund,
  });
});

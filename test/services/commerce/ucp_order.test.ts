// An order in UCP's words: how much of it the buyer has, and by which handovers.
import { describe, expect, test } from 'vitest';
import { type BoughtOrder, handoversOf, lineStatusOf, methodOf, ucpOrder } from '#services/commerce/ucp_order.ts';

const LINE = {
  id: 'mugs',
  variant_id: 'mug',
  name: 'Mug',
  variant_name: null,
  quantity: 3,
  quantity_fulfilled: 0,
  quantity_returned: 0,
  unit_price: 10,
  subtotal: 30,
  discount: 0,
  tax_amount: 0,
  total: 30,
};
const ORDER: BoughtOrder = {
  id: 'order',
  order_number: '1001',
  order_status: 'confirmed',
  delivered_at: null,
  checkout_intent_id: 'intent',
  currency: 'USD',
  subtotal: 30,
  discount_total: 0,
  shipping_total: 0,
  tax_total: 0,
  total_amount: 30,
  shipping_option_id: 'place',
  shipping_option_name: 'Kenya',
  shipping_address: null,
  items: [LINE],
  shipments: [],
  refunds: [],
};
const DELIVERED = { ...ORDER, order_status: 'delivered', delivered_at: '2026-05-02T00:00:00Z' };
const parcel = (quantity: number) => ({
  id: 'parcel',
  created_at: '2026-05-01T00:00:00Z',
  carrier: 'DHL',
  tracking_number: null,
  tracking_url: null,
  items: [{ order_item_id: 'mugs', quantity }],
});

describe('what of a line the buyer has', () => {
  test.each([
    ['confirmed', 0, 0, { left: 3, fulfilled: 0, status: 'processing' }],
    ['confirmed', 2, 0, { left: 3, fulfilled: 2, status: 'partial' }],
    ['confirmed', 3, 1, { left: 2, fulfilled: 2, status: 'fulfilled' }],
    // Sent without a shipment being recorded, picked up, downloaded.
    ['shipped', 0, 0, { left: 3, fulfilled: 3, status: 'fulfilled' }],
    ['delivered', 0, 0, { left: 3, fulfilled: 3, status: 'fulfilled' }],
    ['delivered', 1, 1, { left: 2, fulfilled: 2, status: 'fulfilled' }],
    ['delivered', 3, 3, { left: 0, fulfilled: 0, status: 'removed' }],
    ['cancelled', 0, 0, { left: 0, fulfilled: 0, status: 'removed' }],
  ])('%s, %i fulfilled, %i returned', (order_status, quantity_fulfilled, quantity_returned, expected) => {
    expect(lineStatusOf({ order_status }, { quantity: 3, quantity_fulfilled, quantity_returned })).toEqual(expected);
  });
});

describe('the handovers of an order', () => {
  test('cover each shipment, and for a delivered order the units in no shipment', () => {
    expect(handoversOf(ORDER)).toEqual([]);
    expect(handoversOf({ ...ORDER, shipments: [parcel(2)] })).toMatchObject([
      { id: 'parcel', carriage: { carrier: 'DHL' }, events: [{ id: 'parcel', type: 'shipped' }] },
    ]);
    expect(handoversOf({ ...DELIVERED, shipments: [parcel(2)] })).toMatchObject([
      { id: 'parcel', events: [{ type: 'shipped' }, { id: 'parcel_delivered', type: 'delivered' }] },
      {
        id: 'order',
        line_items: [{ id: 'mugs', quantity: 1 }],
        events: [{ id: 'order_delivered', type: 'delivered', occurred_at: DELIVERED.delivered_at }],
      },
    ]);
    expect(handoversOf({ ...DELIVERED, shipments: [parcel(3)] })).toHaveLength(1);
  });

  test('keep their published lines when units are returned', () => {
    const returned = { ...DELIVERED, items: [{ ...LINE, quantity_returned: 1 }] };
    expect(handoversOf(returned)).toEqual(handoversOf(DELIVERED));
    expect(ucpOrder(returned, '').fulfillment.events).toMatchObject([{ line_items: [{ id: 'mugs', quantity: 3 }] }]);
  });
});

test('goods that nothing delivers are digital', () => {
  expect(methodOf(ORDER)).toBe('shipping');
  expect(methodOf({ shipping_option_id: 'pickup:main', shipping_option_name: 'Main' })).toBe('pickup');
  expect(methodOf({ shipping_option_id: null, shipping_option_name: 'DHL Express' })).toBe('shipping');
  expect(methodOf({ shipping_option_id: null, shipping_option_name: null })).toBe('digital');
});

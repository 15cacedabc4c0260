// Delivery options as a shopper reads them.
import { expect, test } from 'vitest';
import { arrivalOf, isDeliveryFree } from '#edge/pages/storefront/delivery.ts';
import { wordsOf } from '#edge/pages/storefront/wording.ts';
import type { ShippingChoice } from '#proto/gen/client/message.ts';

const choice = (more: Partial<ShippingChoice> = {}): ShippingChoice => ({
  id: 'place',
  method: 'delivery',
  name: 'Kenya',
  fee: 6,
  currency: 'USD',
  is_free: false,
  estimate: null,
  available: true,
  ...more,
});
const promotion = (amount: number) => ({ promotion_id: 'p', code: null, title: 'We carry', amount });
const pickup = choice({ id: 'pickup:1', method: 'pickup', fee: 0, is_free: true });

test.each([
  ['a promotion before an option is chosen', null, [0], 0, true],
  ['a promotion that saves the fee of the chosen option', 'place', [6], 0, true],
  ['a promotion with the free option chosen', 'pickup:1', [0], 0, true],
  ['no promotion', null, [], 0, false],
  ['a discount alone', 'place', [6], 6, false],
  ['a discount with the free option chosen', 'pickup:1', [6], 0, false],
] as const)('tells whether delivery is free: %s', (_name, chosen, amounts, total, free) => {
  expect(
    isDeliveryFree({
      applied_promotions: amounts.map(promotion),
      shipping_option_id: chosen,
      shipping_options: [choice(), pickup],
      shipping_total: total,
    }),
  ).toBe(free);
});

test.each([
  ['en', { estimate: '2 days', delivery_from: '2026-03-02', delivery_to: '2026-03-03' }, '2 days, March 2 – 3'],
  ['en', { delivery_from: '2026-03-31', delivery_to: '2026-04-01' }, 'March 31 – April 1'],
  ['de', { delivery_from: '2026-03-02', delivery_to: '2026-03-04' }, '2.–4. März'],
  ['de', { delivery_from: '2026-03-02', delivery_to: '2026-03-02' }, '2. März'],
  ['en', { estimate: 'By bicycle' }, 'By bicycle'],
  ['en', {}, ''],
])('names the days of a delivery in %s: %o', (language, promise, text) => {
  expect(arrivalOf(choice(promise), wordsOf(language)).replace(/\s/g, ' ')).toBe(text);
});

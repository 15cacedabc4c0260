// The days on which a delivery is promised: working days after the handling, in the store's timezone.
import { beforeAll, describe, expect, test } from 'vitest';
import { promisedDays } from '#services/shipping/promise.ts';
import { calculate, configure, NAIROBI } from '#test/services/shipping/fixture.ts';
import { type Merchant, openMerchant } from '#test/support/catalog.ts';
import { sharedStoa } from '#test/support/stoa.ts';

// 2026-01-29 is a Thursday.
test.each([
  ['2026-01-29', 0, { min: 0, max: 0 }, '2026-01-29', '2026-01-29'],
  ['2026-01-29', 0, { min: 1, max: 2 }, '2026-01-30', '2026-02-02'],
  ['2026-01-29', 1, { min: 1, max: 2 }, '2026-02-02', '2026-02-03'],
  ['2026-01-30', 0, { min: 1, max: 5 }, '2026-02-02', '2026-02-06'],
  ['2026-01-31', 0, { min: 0, max: 1 }, '2026-02-02', '2026-02-03'],
  ['2026-02-01', 2, { min: 1, max: 1 }, '2026-02-05', '2026-02-05'],
])(
  'promises an order of %s with %d days of handling and %j days of delivery from %s to %s',
  (today, handlingDays, days, delivery_from, delivery_to) => {
    expect(promisedDays(days, { today: () => today, handlingDays })).toEqual({ delivery_from, delivery_to });
  },
);

test('promises nothing without structured days', () => {
  expect(promisedDays(null, { today: () => '2026-01-29', handlingDays: 0 })).toEqual({});
});

describe('a calculation', () => {
  let shop: Merchant;
  beforeAll(async () => {
    shop = await openMerchant(await sharedStoa(), { country: 'KE', timezone: 'Africa/Nairobi' });
  });

  test('answers the days of the rate and of each option, in working days', async () => {
    const estimate_days = { min: 1, max: 2 };
    const options = [
      { name: 'Express', fee: 12, estimate: 'today', estimate_days: { min: 0, max: 0 } },
      { name: 'Slow', fee: 1, estimate: 'some day' },
    ];
    const config = { handling_days: 1, fallback: { rate: { fee: 5, estimate: '1-2 days', estimate_days, options } } };
    await configure(shop, config);
    const [place, express, slow] = (await calculate(shop, NAIROBI)).options;
    expect(place).toMatchObject({ estimate: '1-2 days' });
    for (const day of [place.delivery_from, place.delivery_to, express.delivery_to]) {
      expect(day).toMatch(/^\d{4}-\d\d-\d\d$/);
      expect([0, 6]).not.toContain(new Date(day).getUTCDay());
    }
    expect(express.delivery_from).toBe(express.delivery_to);
    expect(place.delivery_from > express.delivery_to).toBe(true);
    expect(place.delivery_to > place.delivery_from).toBe(true);
    expect(slow).not.toHaveProperty('delivery_from');
  });

  test('refuses a span that ends before it begins', async () => {
    const config = { fallback: { rate: { fee: 5, estimate_days: { min: 3, max: 2 } } } };
    const { status, body } = await shop.secret('PUT', '/v1/shipping/config', config);
    expect([status, body.error.param]).toEqual([400, 'fallback.rate.estimate_days.max']);
  });
});

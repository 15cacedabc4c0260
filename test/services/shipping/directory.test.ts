// Tests what an order is charged for delivery, over HTTP.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { calculate, configure, KENYA, location, MOMBASA, NAIROBI, TOWN } from '#test/services/shipping/fixture.ts';
import { type Merchant, openMerchant } from '#test/support/catalog.ts';
import { type Stoa, sharedStoa } from '#test/support/stoa.ts';

const SHOP = { line1: '1 Shop Road', city: 'Nairobi', postal_code: '00100', country: 'KE' };

let stoa: Stoa;
let shop: Merchant;
let variant_id: string;
let pickup: string;
let express: string;
let late: string;
beforeAll(async () => {
  stoa = await sharedStoa();
  shop = await openMerchant(stoa, { country: 'KE' });
  variant_id = (await shop.createProduct({ price: 20, stock: 1_000 })).variant_id!;
  const options = [
    { name: 'Express', fee: 9 },
    { name: 'Late', fee: 7, minimum_order: 50 },
  ];
  const written = await configure(shop, {
    locations: [location('Nairobi', NAIROBI.latitude, NAIROBI.longitude, { pickup: true, address: SHOP })],
    zones: [{ ...TOWN, rate: { fee: 4, free_threshold: 60, options } }, KENYA],
  });
  pickup = `pickup:${written.locations[0].id}`;
  [express, late] = written.zones[0].rate.options.map(({ id }: { id: string }) => `opt:${id}`);
});

const ADDRESS = { first_name: 'Ada', last_name: 'Mwangi', line1: '12 Moi Avenue', city: 'Nairobi', country: 'KE' };
const AT_HOME = { ...ADDRESS, ...NAIROBI };
const IN_LONDON = { ...ADDRESS, city: 'London', country: 'GB' };

const order = async (body: object, quantity = 1) => {
  const items = [{ variant_id, quantity }];
  const reply = await shop.secret(
    'POST',
    '/v1/orders',
    { items, email: 'ada@example.com', ...body },
    { signWith: shop.keys.hmac_secret },
  );
  const { order: placed, error } = reply.body;
  if (error) return [reply.status, error.code, error.param];
  return [placed.shipping_option_id, placed.shipping_option_name, placed.shipping_total, placed.total_amount];
};

describe('an order', () => {
  test('charges the calculated fee, with `place` as the default option', async () => {
    const { options } = await calculate(shop, { ...NAIROBI, order_total: 20 });
    expect(options.slice(0, 2).map(({ fee }: { fee: number }) => fee)).toEqual([4, 9]);
    expect(await order({ shipping_address: AT_HOME })).toEqual(['place', 'Nairobi', 4, 24]);
    expect(await order({ shipping_address: AT_HOME, shipping_option_id: 'place' })).toEqual([
      'place',
      'Nairobi',
      4,
      24,
    ]);
    expect(await order({ shipping_address: AT_HOME, shipping_option_id: express })).toEqual([
      express,
      'Express',
      9,
      29,
    ]);
    expect(await order({ shipping_address: { ...ADDRESS, ...MOMBASA } })).toEqual(['place', 'Kenya', 8, 28]);
  });

  test('ships free from the threshold of the total before shipping', async () => {
    expect(await order({ shipping_address: AT_HOME }, 3)).toEqual(['place', 'Nairobi', 0, 60]);
    expect(await order({ shipping_address: AT_HOME, shipping_option_id: late }, 3)).toEqual([late, 'Late', 7, 67]);
  });

  test('"merchandise after discounts, before tax and shipping; free-delivery thresholds and minimum orders are measured against it"', async () => {
    const send = async (path: string, body: object) => {
      const { status, text, body: answer } = await shop.secret('POST', path, body);
      expect(status, text).toBe(201);
      return answer;
    };
    await send('/v1/promotions', { name: 'Less', code: 'LESS', type: 'fixed_amount', value: 0.01 });
    const discounted = { shipping_address: AT_HOME, promotion_codes: ['LESS'] };
    expect(await order(discounted, 3)).toEqual(['place', 'Nairobi', 4, 63.99]);
    expect(await order(discounted, 4)).toEqual(['place', 'Nairobi', 0, 79.99]);
    // With delivery or tax the total of 40.00 would reach the option's minimum of 50.00.
    const { tax_rate } = await send('/v1/tax-rates', { name: 'VAT', country: 'KE', rate: 0.5 });
    const asked = { shipping_address: AT_HOME, shipping_option_id: late };
    expect(await order(asked, 2)).toEqual([409, 'conflict', 'shipping_option_id']);
    expect(await order({ shipping_address: AT_HOME }, 2)).toEqual(['place', 'Nairobi', 4, 64]);
    await shop.secret('DELETE', `/v1/tax-rates/${tax_rate.id}`);
  });

  test('geocodes an address without coordinates, and uses its country when that fails', async () => {
    expect(await order({ shipping_address: ADDRESS })).toEqual(['place', 'Nairobi', 4, 24]);
    expect(await order({ shipping_address: { ...ADDRESS, city: 'Nowhere-at-all' } })).toEqual([
      'place',
      'Kenya',
      8,
      28,
    ]);
  });

  test('accepts pickup without an address', async () =>
    expect(await order({ shipping_option_id: pickup })).toEqual([pickup, 'Nairobi', 0, 20]));

  describe('that is picked up', () => {
    const rate = async (body: object): Promise<string> => {
      const { status, text, body: made } = await shop.secret('POST', '/v1/tax-rates', body);
      expect(status, text).toBe(201);
      return made.tax_rate.id;
    };
    const taxed = async (body: object, path = '/v1/orders') => {
      const asked = { items: [{ variant_id, quantity: 1 }], email: 'ada@example.com', ...body };
      const reply = await shop.secret('POST', path, asked, { signWith: shop.keys.hmac_secret });
      expect(reply.status, reply.text).toBe(201);
      return (reply.body.order ?? reply.body.data).tax_total;
    };
    let rates: string[];
    beforeAll(async () => {
      rates = [
        await rate({ name: 'VAT', country: 'KE', rate: 0.16 }),
        await rate({ name: 'VAT', country: 'GB', rate: 0.2 }),
        await rate({ name: 'City', country: 'KE', postal_prefix: '001', rate: 0.02 }),
      ];
    });
    afterAll(async () => {
      for (const id of rates) await shop.secret('DELETE', `/v1/tax-rates/${id}`);
    });

    test('taxes a pickup at the pickup location, not at the shopper’s address', async () => {
      const chosen = { shipping_option_id: pickup };
      expect(await taxed(chosen)).toBe(3.6);
      expect(await taxed({ ...chosen, shipping_address: IN_LONDON })).toBe(3.6);
      expect(await taxed({ ...chosen, billing_address: IN_LONDON })).toBe(3.6);
      // Shipped items are taxed at their destination.
      expect(await taxed({ shipping_address: AT_HOME })).toBe(3.2);
    });

    test('costs the same in a quote and an intent, whenever pickup is chosen', async () => {
      const chosen = { shipping_option_id: pickup };
      for (const path of ['/v1/agent/quotes', '/v1/agent/checkout-intents'])
        for (const shipping_address of [null, IN_LONDON])
          expect(await taxed({ ...chosen, shipping_address }, path), path).toBe(3.6);
      const { data: intent } = (
        await shop.secret('POST', '/v1/agent/checkout-intents', {
          items: [{ variant_id, quantity: 1 }],
          shipping_address: AT_HOME,
          shipping_option_id: 'place',
        })
      ).body;
      const choose = async (shipping_option_id: string) =>
        (await shop.secret('PATCH', `/v1/agent/checkout-intents/${intent.id}`, { shipping_option_id })).body.data
          .tax_total;
      expect([intent.tax_total, await choose(pickup), await choose('place')]).toEqual([3.2, 3.6, 3.2]);

      const quote = { items: [{ variant_id, quantity: 1 }], ...chosen };
      const { data: quoted } = (await shop.secret('POST', '/v1/agent/quotes', quote)).body;
      const placed = await shop.secret(
        'POST',
        '/v1/orders',
        { quote_id: quoted.id, email: 'ada@example.com', shipping_address: IN_LONDON },
        { signWith: shop.keys.hmac_secret },
      );
      expect([placed.status, placed.body.order.tax_total], placed.text).toEqual([201, 3.6]);
    });
  });

  test.each([
    [
      'an option below its minimum',
      () => ({ shipping_address: AT_HOME, shipping_option_id: late }),
      [409, 'conflict', 'shipping_option_id'],
    ],
    [
      'an option of another place',
      () => ({ shipping_address: { ...ADDRESS, ...MOMBASA }, shipping_option_id: express }),
      [404, 'not_found', 'shipping_option_id'],
    ],
    [
      'an option that is none',
      () => ({ shipping_address: AT_HOME, shipping_option_id: 'free' }),
      [404, 'not_found', 'shipping_option_id'],
    ],
    [
      'a location that is none',
      () => ({ shipping_option_id: 'pickup:elsewhere' }),
      [404, 'not_found', 'shipping_option_id'],
    ],
    ['a place beyond all rates', () => ({ shipping_address: IN_LONDON }), [400, 'shipping_not_deliverable', undefined]],
    [
      'a rate without its source',
      () => ({ shipping_address: AT_HOME, shipping_rate_id: 'x' }),
      [400, 'invalid_request', 'shipping_rate_source'],
    ],
    [
      'a rate of a carrier that is not connected',
      () => ({ shipping_address: AT_HOME, shipping_rate_id: 'x', shipping_rate_source: 'custom' }),
      [404, 'not_found', 'shipping_rate_id'],
    ],
  ])('is refused with %s', async (_name, body, refusal) => expect(await order(body())).toEqual(refusal));
});

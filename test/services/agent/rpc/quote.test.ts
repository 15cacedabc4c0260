// Quotes of the Agent API over HTTP: prices that stand for a while, for one order or one checkout intent.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ManualClock, manualClock } from '#runtime/process/clock.ts';
import { EMAIL, items, openShop as openShopOf, type Shop } from '#test/services/agent/shop.ts';
import { eventually } from '#test/support/server.ts';
import { type Stoa, startStoa } from '#test/support/stoa.ts';

let stoa: Stoa;
let clock: ManualClock;
beforeAll(async () => {
  clock = manualClock(Date.now());
  stoa = await startStoa({ clock });
});
afterAll(() => stoa.stop());

const MINUTE_MS = 60_000;

const openShop = (product: Record<string, unknown> = {}): Promise<Shop> => openShopOf(stoa, product);

describe('a quote', () => {
  test('freezes prices and holds nothing; an order takes it once', async () => {
    const shop = await openShop();
    const quoted = await shop.ask('POST', '/v1/agent/quotes', { items: items(shop) });
    expect(quoted.status, quoted.text).toBe(201);
    const quote = quoted.body.data;
    expect(quote).toMatchObject({
      status: 'open',
      subtotal: 20,
      grand_total: 20,
      lines: [{ unit_price: 10, quantity: 2 }],
    });
    expect(await shop.available()).toBe(5);
    await shop.write('PATCH', `/v1/products/${shop.product}`, { price: 99 });
    expect((await shop.ask('GET', `/v1/agent/quotes/${quote.id}`)).body.data).toEqual(quote);
    const placed = await shop.order({ quote_id: quote.id, email: EMAIL });
    expect([placed.status, placed.body.order?.total_amount], placed.text).toEqual([201, 20]);
    const again = await shop.order({ quote_id: quote.id, email: EMAIL });
    expect([again.status, again.body.error.code]).toEqual([409, 'conflict']);
    await eventually(async () =>
      expect((await shop.ask('GET', `/v1/agent/quotes/${quote.id}`)).body.data.status).toBe('used'),
    );
  });

  test('serves one of two concurrent orders', async () => {
    const shop = await openShop();
    const { data: quote } = (await shop.ask('POST', '/v1/agent/quotes', { items: items(shop, 1) })).body;
    const replies = await Promise.all([1, 2, 3].map(() => shop.order({ quote_id: quote.id, email: EMAIL })));
    expect(replies.map(({ status }) => status).sort()).toEqual([201, 409, 409]);
    await eventually(async () => expect(await shop.available()).toBe(4));
  });

  test('serves one checkout intent', async () => {
    const shop = await openShop();
    const { data: quote } = (await shop.ask('POST', '/v1/agent/quotes', { items: items(shop, 1) })).body;
    const replies = await Promise.all(
      [1, 2].map(() => shop.ask('POST', '/v1/agent/checkout-intents', { quote_id: quote.id })),
    );
    expect(replies.map(({ status }) => status).sort()).toEqual([201, 409]);
    await eventually(async () => expect(await shop.available()).toBe(4));
    expect((await shop.ask('GET', `/v1/agent/quotes/${quote.id}`)).body.data.status).toBe('used');
    expect((await shop.order({ quote_id: quote.id, email: EMAIL })).status).toBe(409);
  });

  test('serves an order or an intent when both are concurrent', async () => {
    const shop = await openShop();
    for (let round = 0; round < 3; round++) {
      const { data: quote } = (await shop.ask('POST', '/v1/agent/quotes', { items: items(shop, 1) })).body;
      const replies = await Promise.all([
        shop.order({ quote_id: quote.id, email: EMAIL }),
        shop.ask('POST', '/v1/agent/checkout-intents', { quote_id: quote.id }),
        shop.order({ quote_id: quote.id, email: EMAIL }),
        shop.ask('POST', '/v1/agent/checkout-intents', { quote_id: quote.id }),
      ]);
      expect(replies.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409]);
      expect((await shop.ask('GET', `/v1/agent/quotes/${quote.id}`)).body.data.status).toBe('used');
      await eventually(async () => expect(await shop.available()).toBe(4 - round));
    }
  });

  test('expires after 15 minutes, to the millisecond', async () => {
    const shop = await openShop();
    const { data: quote } = (await shop.ask('POST', '/v1/agent/quotes', { items: items(shop) })).body;
    const status = async () => (await shop.ask('GET', `/v1/agent/quotes/${quote.id}`)).body.data.status;
    clock.advance(15 * MINUTE_MS - 1);
    expect(await status()).toBe('open');
    clock.advance(1);
    expect(await status()).toBe('expired');
    const late = await shop.order({ quote_id: quote.id, email: EMAIL });
    expect([late.status, late.body.error.param]).toEqual([409, 'quote_id']);
  });

  test('quotes delivery to a point, and taxes of the order’s address', async () => {
    const shop = await openShop({ shipping_info: { requires_shipping: true } });
    const square = [
      [-0.5, 51],
      [0.5, 51],
      [0.5, 52],
      [-0.5, 52],
      [-0.5, 51],
    ];
    await shop.write('PUT', '/v1/shipping/config', {
      zones: [{ name: 'Near', kind: 'map', geometry: { type: 'Polygon', coordinates: [square] }, rate: { fee: 3 } }],
      fallback: { rate: { fee: 30 } },
    });
    await shop.write('POST', '/v1/tax-rates', { name: 'VAT', country: 'GB', rate: 0.2 });
    const point = { latitude: 51.5, longitude: -0.1 };
    const quoted = await shop.ask('POST', '/v1/agent/quotes', { items: items(shop, 1), ...point });
    expect(quoted.body.data, quoted.text).toMatchObject({ shipping_total: 3, tax_total: 0 });
    const shipping_address = { line1: '1 Lane', city: 'Nowhere at all', country: 'GB' };
    const placed = await shop.order({ quote_id: quoted.body.data.id, email: EMAIL, shipping_address });
    expect(placed.body.order, placed.text).toMatchObject({ shipping_total: 3, tax_total: 2, total_amount: 15 });
  });

  test('or an intent of what is not sent anywhere is taxed by the address that the order names', async () => {
    const shop = await openShop();
    await shop.write('POST', '/v1/tax-rates', { name: 'VAT', country: 'GB', rate: 0.2 });
    const body = { email: EMAIL, shipping_address: { line1: '1 Lane', city: 'London', country: 'GB' } };
    const quote_id = (await shop.ask('POST', '/v1/agent/quotes', { items: items(shop, 1) })).body.data.id;
    const created = await shop.ask('POST', '/v1/agent/checkout-intents', { items: items(shop, 1), email: EMAIL });
    for (const source of [{ quote_id }, { checkout_intent_id: created.body.data.id }, { items: items(shop, 1) }]) {
      const placed = await shop.order({ ...source, ...body });
      expect(placed.body.order, placed.text).toMatchObject({ tax_total: 2, total_amount: 12 });
    }
  });
});

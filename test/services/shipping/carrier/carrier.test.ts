// Tests live carrier rates over HTTP with a merchant extension played by a local server, charges of orders, and
// connected providers.
import { randomUUID } from 'node:crypto';
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import { connectOutbound } from '#runtime/outbound/outbound.ts';
import { manualClock } from '#runtime/process/clock.ts';
import { openCarriers } from '#services/shipping/carrier/carrier.ts';
import { secretContext } from '#services/shipping/table/provider.ts';
import { isSigned, json, openStandIn, type StandIn, shippoRate } from '#test/services/shipping/carrier/stand_in.ts';
import { KENYA, location, NAIROBI } from '#test/services/shipping/fixture.ts';
import { testLog, testSeal } from '#test/support/server.ts';
import { type Stoa, sharedStoa } from '#test/support/stoa.ts';
import { currencyOf } from '#values/currency.ts';
import {
  ADDRESS,
  account,
  BIKE,
  extension,
  offers,
  openSandbox as openSandboxOf,
  PARCEL,
  type Sandbox,
  ships,
} from './sandbox.ts';

let stoa: Stoa;
let office: StandIn;
beforeAll(async () => {
  stoa = await sharedStoa();
});
afterEach(() => office.stop());

/** Returns the sandbox whose stand-in the test stops afterwards. */
const openSandbox = async (): Promise<Sandbox> => {
  const sandbox = await openSandboxOf(stoa);
  office = sandbox.office;
  return sandbox;
};

describe('a custom extension', () => {
  test('"called with `{ address_to, parcel, items, order_total, currency }`, signed like a webhook"; "Rate object (`rates[]`): carries `rate_id` and `source`"', async () => {
    const sandbox = await openSandbox();
    const { signing_secret } = await extension(sandbox);
    offers(office, BIKE, { rate_id: 'van', fee: 3 });
    const answer = await sandbox.calculate();
    const [call] = office.to('/rates');
    expect(call!.body).toEqual({
      address_to: ADDRESS,
      parcel: PARCEL,
      items: sandbox.items,
      order_total: 60,
      currency: 'USD',
    });
    expect([call!.method, isSigned(call!, signing_secret), isSigned(call!, 'another')]).toEqual(['POST', true, false]);
    expect(answer).toMatchObject({ fee: null, rate_source: 'custom', applied_rule: 'none', deliverable: true });
    expect(answer).not.toHaveProperty('options');
    const common = { source: 'custom', currency: 'USD', estimate: null, expires_at: null };
    expect(answer.rates).toEqual([
      { ...common, rate_id: 'van', carrier: 'Own riders', service: 'van', fee: 3, delivery_days: null },
      { ...common, rate_id: 'bike', carrier: 'Riders', service: 'Bike', fee: 4.2, delivery_days: 1 },
    ]);
  });

  test('adds its rates to the store’s own when a place is sent; "rates: present only when the store has a carrier account or custom shipping extension and a destination address plus parcel were sent"', async () => {
    const sandbox = await openSandbox();
    await extension(sandbox);
    offers(office, BIKE);
    expect(await sandbox.calculate(NAIROBI)).toMatchObject({ fee: 8, rate_source: 'zone', rates: [{ fee: 4.2 }] });
    expect(await sandbox.calculate({ latitude: 51.5, longitude: 0, country_code: 'GB' })).toMatchObject({
      fee: null,
      deliverable: true,
      rate_source: 'custom',
      rates: [{ fee: 4.2 }],
    });
    expect(await sandbox.calculate({ ...NAIROBI, parcel: undefined })).not.toHaveProperty('rates');
    expect(office.asked).toHaveLength(2);
  });

  test('loses invalid rates of a malformed response and keeps the valid ones', async () => {
    const sandbox = await openSandbox();
    await extension(sandbox);
    offers(
      office,
      { rate_id: 'below', fee: -1 },
      { rate_id: 'text', fee: 'a lot' },
      { rate_id: 'hexadecimal', fee: '0x10' },
      { rate_id: 'power', fee: '1e1' },
      { rate_id: 'blank', fee: ' 5' },
      { rate_id: 'euro', fee: 1, currency: 'EUR' },
      { rate_id: 7, fee: 1 },
      { fee: 1 },
      { rate_id: 'late', fee: 1, expires_at: '2020-01-01T00:00:00Z' },
      { rate_id: 'bike', fee: 2.345, delivery_days: 'soon', carrier: 5 },
      { rate_id: 'bike', fee: 9 },
    );
    expect((await sandbox.calculate()).rates).toEqual([
      expect.objectContaining({ rate_id: 'bike', fee: 2.35, delivery_days: null, carrier: 'Own riders' }),
    ]);
    // Rounded from the text: as a double it would be 2.345, half a cent more.
    office.on('/rates', () => new Response('{"rates":[{"rate_id":"long","fee":2.34499999999999999999}]}'));
    expect((await sandbox.calculate({ order_total: 62 })).rates).toMatchObject([{ rate_id: 'long', fee: 2.34 }]);
    for (const answer of [
      () => new Response('{'),
      () => json([]),
      () => json({ rates: 5 }),
      () => json({ rates: [] }, 500),
      () => new Response(null, { status: 302, headers: { location: `${office.url}/elsewhere` } }),
      () => json({ rates: [BIKE], padding: 'x'.repeat(300_000) }),
    ]) {
      office.on('/rates', answer);
      expect((await sandbox.calculate({ order_total: 61 })).rates).toEqual([]);
    }
    expect(office.to('/elsewhere')).toHaveLength(0);
  });

  test('accepts an order with a rate id that Postgres cannot store', async () => {
    const sandbox = await openSandbox();
    await extension(sandbox);
    offers(office, { ...BIKE, carrier: '\0', service: 'Bi\0ke \ud800' });
    const placed = await sandbox.order('bike', 'custom');
    expect(placed.status, placed.text).toBe(201);
    expect(placed.body.order.shipping_option_name).toBe('Bike \ufffd');
    expect((await sandbox.calculate()).rates).toMatchObject([{ carrier: 'Own riders', service: 'Bike \ufffd' }]);
  });

  test('shows its last rates for the same consignment after three silent seconds, and never charges them', async () => {
    const sandbox = await openSandbox();
    await extension(sandbox);
    offers(office, BIKE);
    await sandbox.calculate();
    office.on('/rates', () => new Promise<Response>(() => {}));
    const [same, other] = await Promise.all([sandbox.calculate(), sandbox.calculate({ order_total: 1 })]);
    expect(same.rates).toEqual([expect.objectContaining({ rate_id: 'bike', fee: 4.2 })]);
    expect(other.rates).toEqual([]);
    const refused = await sandbox.order('bike', 'custom');
    expect([refused.status, refused.body.error.code]).toEqual([503, 'service_unavailable']);
  });

  test('"for a carrier option pass `rate_id` and `source` as `shipping_rate_id` and `shipping_rate_source` (the option is fetched again from its source before it is charged)"', async () => {
    const sandbox = await openSandbox();
    await extension(sandbox);
    offers(office, BIKE);
    await sandbox.calculate();
    offers(office, { ...BIKE, fee: 5.5 });
    const placed = await sandbox.order('bike', 'custom');
    expect(placed.status, placed.text).toBe(201);
    expect(placed.body.order).toMatchObject({ shipping_total: 5.5, total_amount: 65.5, shipping_option_name: 'Bike' });
    // The same parcel as the shown rate, and the charged merchandise total.
    expect(office.to('/rates').at(-1)!.body).toMatchObject({ parcel: PARCEL, order_total: 60, items: sandbox.items });
    offers(office, { ...BIKE, rate_id: 'van' });
    const gone = await sandbox.order('bike', 'custom');
    expect([gone.status, gone.body.error.code, gone.body.error.param]).toEqual([404, 'not_found', 'shipping_rate_id']);
    const elsewhere = await sandbox.order('van', 'carrier_account');
    expect([elsewhere.status, elsewhere.body.error.param]).toEqual([404, 'shipping_rate_id']);
    // No carrier showed this rate for the basket, so the parcel is estimated.
    expect((await sandbox.order('van', 'custom')).status).toBe(201);
    const calls = office.to('/rates').length;
    offers(office, { ...BIKE, rate_id: 'boat' });
    expect((await sandbox.order('boat', 'custom')).status).toBe(201);
    expect(office.to('/rates')).toHaveLength(calls + 1);
    expect(office.to('/rates').at(-1)!.body.parcel).toEqual({
      weight_grams: 1_400,
      length_cm: 25,
      width_cm: 15,
      height_cm: 24,
    });
  });

  test('"`pickup_only` offers no delivery option", "`local_only` delivers only within map zones and distance tiers": by no carrier either', async () => {
    const sandbox = await openSandbox();
    await extension(sandbox);
    offers(office, BIKE);
    const locations = [location('Nairobi', NAIROBI.latitude, NAIROBI.longitude, { pickup: true })];
    const around = { name: 'around', from_meters: 0, to_meters: 5_000, rate: { fee: 2 } };
    const ordered = async (config: object): Promise<unknown[]> => {
      await sandbox.write('PUT', '/v1/shipping/config', { locations, zones: [KENYA], ...config });
      const { status, body } = await sandbox.order('bike', 'custom');
      return [status, body.error?.code ?? body.order.shipping_total];
    };
    expect(await ordered({ restriction: 'pickup_only' })).toEqual([400, 'shipping_not_deliverable']);
    expect(await ordered({ restriction: 'local_only' })).toEqual([400, 'shipping_not_deliverable']);
    expect(office.to('/rates')).toHaveLength(0);
    expect(await ordered({ restriction: 'local_only', tiers: [around] })).toEqual([201, 4.2]);
    expect(await ordered({ zones: [] })).toEqual([201, 4.2]);
  });
});

test('shows cached rates of a silent extension for exactly fifteen minutes', async () => {
  office = openStandIn();
  offers(office, BIKE);
  const clock = manualClock(0);
  const tenant = { store: randomUUID(), environment: 'sandbox' } as const;
  const id = randomUUID();
  const secret = testSeal().close('whsec_x', secretContext(tenant, id));
  const created_at = new Date(0);
  const provider = { id, kind: 'custom', name: 'Riders', url: `${office.url}/rates`, secret, created_at } as const;
  const carriers = openCarriers({ seal: testSeal(), clock, log: testLog() }, connectOutbound({ allowLocal: true }));
  const fees = async (): Promise<number[]> => {
    const currency = currencyOf('USD');
    const consignment = { tenant, currency, sender: null, address_to: ADDRESS, parcel: PARCEL, items: [] };
    return (await carriers.rates([provider], { ...consignment, order_total: 60 })).map(({ fee }) => fee);
  };
  expect(await fees()).toEqual([4.2]);
  office.on('/rates', () => json({}, 500));
  clock.advance(15 * 60_000 - 1);
  expect(await fees()).toEqual([4.2]);
  clock.advance(1);
  expect(await fees()).toEqual([]);
});

describe('providers', () => {
  test('can be connected, listed without secrets and disconnected', async () => {
    const sandbox = await openSandbox();
    offers(office, BIKE);
    ships(office, shippoRate());
    const custom = await extension(sandbox);
    expect(custom.signing_secret).toMatch(/^whsec_/);
    const shippo = await account(sandbox);
    expect(Object.keys(shippo).sort()).toEqual(['base_url', 'created_at', 'id', 'kind', 'name']);
    const listed = await sandbox.write('GET', '/v1/shipping/providers');
    expect(listed.body.providers).toEqual([shippo, { ...custom, signing_secret: undefined }]);
    expect(listed.text).not.toMatch(/whsec_|shippo_test_1/);
    expect((await sandbox.calculate()).rates).toHaveLength(2);
    expect((await sandbox.write('DELETE', `/v1/shipping/providers/${custom.id}`)).body).toEqual({
      deleted: true,
      id: custom.id,
    });
    expect((await sandbox.calculate()).rates).toEqual([expect.objectContaining({ source: 'carrier_account' })]);
    expect((await sandbox.write('DELETE', `/v1/shipping/providers/${custom.id}`)).status).toBe(404);
  });

  test.each([
    ['an extension without a URL', { kind: 'custom' }, 'url'],
    ['an account without a key', { kind: 'carrier_account' }, 'api_key'],
    ['an extension in our own network', { kind: 'custom', url: 'http://10.0.0.1/' }, 'url'],
    [
      'an account in our own network',
      { kind: 'carrier_account', api_key: 'x', base_url: 'http://[fd00::1]/' },
      'base_url',
    ],
    ['a file', { kind: 'custom', url: 'file:///etc/passwd' }, 'url'],
    ['another kind', { kind: 'pigeon' }, 'kind'],
  ])('may not be %s', async (_name, body, param) => {
    const sandbox = await openSandbox();
    const { status, body: answer } = await sandbox.write('POST', '/v1/shipping/providers', { name: 'x', ...body });
    expect([status, answer.error.code, answer.error.param]).toEqual([400, 'invalid_request', param]);
  });
});

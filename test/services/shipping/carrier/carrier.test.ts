// Live rates over HTTP: a merchant's extension and a Shippo account, both played by a local server; what an order is
// charged, and that a label is bought once.
import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { connectOutbound } from '#runtime/outbound/outbound.ts';
import { stillClock } from '#runtime/process/clock.ts';
import { openCarriers } from '#services/shipping/carrier/carrier.ts';
import { secretContext } from '#services/shipping/table/provider.ts';
import {
  isSigned,
  json,
  openStandIn,
  type StandIn,
  shippoRate,
  shippoShipment,
  shippoTransaction,
} from '#test/services/shipping/carrier/stand_in.ts';
import { KENYA, location, NAIROBI } from '#test/services/shipping/shop.ts';
import { testLog, testSeal } from '#test/support/server.ts';
import { type Reply, type Stoa, startStoa } from '#test/support/stoa.ts';
import { currencyOf } from '#values/currency.ts';

let stoa: Stoa;
let office: StandIn;
beforeAll(async () => {
  process.env.STOA_ALLOW_LOCAL_WEBHOOKS = '1';
  stoa = await startStoa();
});
afterAll(() => stoa.stop());
afterEach(() => office.stop());

const PARCEL = { weight_grams: 850, length_cm: 30, width_cm: 20, height_cm: 10 };
const ADDRESS = { first_name: 'Ada', last_name: 'Mwangi', line1: '12 Moi Avenue', city: 'Nairobi', country: 'KE' };

interface Sandbox {
  readonly items: readonly { variant_id: string; quantity: number }[];
  write(method: string, path: string, body?: unknown): Promise<Reply>;
  sign(method: string, path: string, body: unknown, headers?: Record<string, string>): Promise<Reply>;
  /** Connects a provider; answers it with its signing secret. */
  // biome-ignore lint/suspicious/noExplicitAny: an answer
  connect(body: object): Promise<any>;
  calculate(more?: object): Promise<Reply['body']>;
  order(rate_id: string, source: string): Promise<Reply>;
}

/** A sandbox with a shop in Nairobi that delivers to Kenya for 8, and a product to send. */
const openSandbox = async (): Promise<Sandbox> => {
  office = openStandIn();
  const keys = await stoa.createStore({ country: 'KE' });
  const write = (method: string, path: string, body?: unknown) =>
    stoa.send(method, path, { key: keys.secret_test_key, ...(body === undefined ? {} : { body }) });
  const sign = (method: string, path: string, body: unknown, headers: Record<string, string> = {}) =>
    stoa.send(method, path, { key: keys.secret_test_key, body, signWith: keys.hmac_test_secret, headers });
  const must = async (sent: Promise<Reply>) => {
    const reply = await sent;
    expect(reply.status, reply.text).toBeLessThan(300);
    return reply.body;
  };
  await must(
    write('PUT', '/v1/shipping/config', {
      locations: [location('Nairobi', NAIROBI.latitude, NAIROBI.longitude)],
      zones: [KENYA],
    }),
  );
  const product = await must(
    write('POST', '/v1/products', {
      name: 'Lamp',
      price: 30,
      stock: 50,
      weight_grams: 700,
      shipping_info: { requires_shipping: true, weight_grams: 700, length_cm: 25, width_cm: 15, height_cm: 12 },
    }),
  );
  const items = [{ variant_id: product.variant_id, quantity: 2 }];
  return {
    items,
    write,
    sign,
    connect: async (body) => (await must(write('POST', '/v1/shipping/providers', body))).provider,
    calculate: (more = {}) =>
      must(
        stoa.send('POST', '/v1/shipping/calculate', {
          key: keys.publishable_test_key,
          body: { address_to: ADDRESS, parcel: PARCEL, items, order_total: 60, ...more },
        }),
      ),
    order: (rate_id, source) =>
      sign('POST', '/v1/orders', {
        items,
        email: 'ada@example.com',
        shipping_address: { ...ADDRESS, ...NAIROBI },
        shipping_rate_id: rate_id,
        shipping_rate_source: source,
      }),
  };
};

const extension = (sandbox: Sandbox) =>
  sandbox.connect({ kind: 'custom', name: 'Own riders', url: `${office.url}/rates` });
const offers = (...rates: object[]) => office.on('/rates', () => json({ rates }));
const BIKE = { rate_id: 'bike', carrier: 'Riders', service: 'Bike', fee: 4.2, currency: 'USD', delivery_days: 1 };

describe('a custom extension', () => {
  test('"called with `{ address_to, parcel, items, order_total, currency }`, signed like a webhook"; "Rate object (`rates[]`): carries `rate_id` and `source`"', async () => {
    const sandbox = await openSandbox();
    const { signing_secret } = await extension(sandbox);
    offers(BIKE, { rate_id: 'van', fee: 3 });
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

  test('is asked beside the store’s own rates where a place is sent; "rates: present only when the store has a carrier account or custom shipping extension and a destination address plus parcel were sent"', async () => {
    const sandbox = await openSandbox();
    await extension(sandbox);
    offers(BIKE);
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

  test('may answer nonsense: what can be charged is left of it', async () => {
    const sandbox = await openSandbox();
    await extension(sandbox);
    offers(
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
    // Rounded as it is written: a double would be 2.345, and that half a cent more.
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

  test('may name a rate as no database can keep it: it is ordered all the same', async () => {
    const sandbox = await openSandbox();
    await extension(sandbox);
    offers({ ...BIKE, carrier: '\0', service: 'Bi\0ke \ud800' });
    const placed = await sandbox.order('bike', 'custom');
    expect(placed.status, placed.text).toBe(201);
    expect(placed.body.order.shipping_option_name).toBe('Bike \ufffd');
    expect((await sandbox.calculate()).rates).toMatchObject([{ carrier: 'Own riders', service: 'Bike \ufffd' }]);
  });

  test('that is silent for three seconds is stood in for by what it last offered for the same consignment, never charged', async () => {
    const sandbox = await openSandbox();
    await extension(sandbox);
    offers(BIKE);
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
    offers(BIKE);
    await sandbox.calculate();
    offers({ ...BIKE, fee: 5.5 });
    const placed = await sandbox.order('bike', 'custom');
    expect(placed.status, placed.text).toBe(201);
    expect(placed.body.order).toMatchObject({ shipping_total: 5.5, total_amount: 65.5, shipping_option_name: 'Bike' });
    // For the parcel that the rate was shown for, and the merchandise that is charged.
    expect(office.to('/rates').at(-1)!.body).toMatchObject({ parcel: PARCEL, order_total: 60, items: sandbox.items });
    offers({ ...BIKE, rate_id: 'van' });
    const gone = await sandbox.order('bike', 'custom');
    expect([gone.status, gone.body.error.code, gone.body.error.param]).toEqual([404, 'not_found', 'shipping_rate_id']);
    const elsewhere = await sandbox.order('van', 'carrier_account');
    expect([elsewhere.status, elsewhere.body.error.param]).toEqual([404, 'shipping_rate_id']);
    // No carrier showed this one for the basket: it is packed by what the catalogue knows.
    expect((await sandbox.order('van', 'custom')).status).toBe(201);
    const calls = office.to('/rates').length;
    offers({ ...BIKE, rate_id: 'boat' });
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
    offers(BIKE);
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

test('what an extension last offered stands in for it for fifteen minutes, and not a moment longer', async () => {
  office = openStandIn();
  offers(BIKE);
  const clock = stillClock(0);
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

const account = (sandbox: Sandbox) =>
  sandbox.connect({
    kind: 'carrier_account',
    name: 'Shippo',
    api_key: 'shippo_test_1',
    base_url: `${office.url}/shippo`,
  });
const ships = (...rates: object[]) => office.on('/shippo/shipments/', () => shippoShipment(rates));
const sells = (given: object = {}) => office.on('/shippo/transactions/', () => shippoTransaction({ ...given }));
const RATE_ID = 'account_1:usps_priority:850g30x20x10';

describe('a carrier account', () => {
  test('is asked in the aggregator’s documented format, and its rates are told in the store’s currency', async () => {
    const sandbox = await openSandbox();
    await account(sandbox);
    const ground = { servicelevel: { name: 'Ground', token: 'usps_ground' }, amount: '5.10', estimated_days: 5 };
    ships(
      shippoRate(),
      shippoRate({ ...ground, duration_terms: '' }),
      shippoRate({ currency: 'GBP', currency_local: 'USD', amount_local: '4.00', servicelevel: { token: 'fedex' } }),
      shippoRate({ currency: 'GBP', currency_local: 'EUR' }),
      shippoRate({ servicelevel: null }),
      null as never,
    );
    const answer = await sandbox.calculate();
    const [call] = office.to('/shippo/shipments/');
    expect(call!.headers.get('authorization')).toBe('ShippoToken shippo_test_1');
    expect(call!.body).toEqual({
      address_from: {
        name: 'Nairobi',
        street1: '1 Nairobi Road',
        city: 'Nairobi',
        state: '',
        zip: '',
        country: 'KE',
      },
      address_to: expect.objectContaining({
        name: 'Ada Mwangi',
        street1: '12 Moi Avenue',
        city: 'Nairobi',
        country: 'KE',
      }),
      parcels: [{ length: '30', width: '20', height: '10', distance_unit: 'cm', weight: '850', mass_unit: 'g' }],
      async: false,
    });
    expect(answer).toMatchObject({ fee: null, rate_source: 'carrier_account' });
    expect(answer.rates).toMatchObject([
      { fee: 4, service: 'fedex', source: 'carrier_account', currency: 'USD' },
      { fee: 5.1, service: 'Ground', estimate: '5 days', delivery_days: 5 },
      { fee: 7.58, rate_id: RATE_ID, carrier: 'USPS', service: 'Priority Mail', delivery_days: 2 },
    ]);
  });

  test('is charged as its amount is written, and an amount that is no plain decimal is none', async () => {
    const sandbox = await openSandbox();
    await account(sandbox);
    // Numerals as they stand: a double would be 2.345 or 20, and that is something else.
    const written = {
      below: '2.34499999999999999999',
      half: '2.345',
      whole: '19.99999999999999999',
      tiny: '1e-400',
      text: '"2.34499999999999999999"',
      hexadecimal: '"0x10"',
      power: '"1e1"',
      small: '"1e-400"',
      blank: '" 5"',
      comma: '"1,5"',
      negative: '"-1"',
      endless: '1e999',
      truth: 'true',
      list: '[5]',
    };
    const texts = Object.entries(written).map(([token, amount]) =>
      JSON.stringify(shippoRate({ servicelevel: { token }, amount: 'AMOUNT' })).replace('"AMOUNT"', amount),
    );
    office.on('/shippo/shipments/', () => new Response(`{"rates":[${texts}]}`, { status: 201 }));
    const { rates } = await sandbox.calculate();
    expect(rates.map(({ service, fee }: { service: string; fee: number }) => [service, fee])).toEqual([
      ['tiny', 0],
      ['below', 2.34],
      ['text', 2.34],
      ['half', 2.35],
      ['whole', 20],
    ]);
  });

  test('sells a label for an order’s shipment, once under one key; "order.shipped: a shipping label is purchased"', async () => {
    const sandbox = await openSandbox();
    await account(sandbox);
    const offered = shippoRate({ amount: '8.00' });
    ships(offered);
    sells();
    const placed = await sandbox.order(RATE_ID, 'carrier_account');
    expect(placed.status, placed.text).toBe(201);
    const { id, shipping_total } = placed.body.order;
    expect(shipping_total).toBe(8);
    const key = { 'Idempotency-Key': randomUUID() };
    const ship = () =>
      sandbox.sign('POST', `/v1/orders/${id}/shipments`, { rate_id: RATE_ID, source: 'carrier_account' }, key);
    const shipped = await ship();
    expect(shipped.status, shipped.text).toBe(201);
    expect(shipped.body.shipment).toMatchObject({
      carrier: 'USPS',
      service: 'Priority Mail',
      tracking_number: '9499907123456123456781',
      label_url: expect.stringMatching(/\.pdf$/),
      source: 'carrier_account',
      fee: 8,
    });
    expect((await ship()).body.shipment.id).toBe(shipped.body.shipment.id);
    const [bought, ...more] = office.to('/shippo/transactions/');
    expect(bought!.body).toMatchObject({ rate: offered.object_id, async: false });
    expect(more).toEqual([]);
    const order = (await sandbox.write('GET', `/v1/orders/${id}`)).body.order;
    expect(order).toMatchObject({
      order_status: 'shipped',
      carrier: 'USPS',
      tracking_number: '9499907123456123456781',
    });
  });

  test('that refuses a label sells it at another try', async () => {
    const sandbox = await openSandbox();
    await account(sandbox);
    ships(shippoRate());
    sells({ status: 'ERROR', messages: [{ text: 'No funds' }] });
    const { id } = (await sandbox.order(RATE_ID, 'carrier_account')).body.order;
    const ship = () =>
      sandbox.write('POST', `/v1/orders/${id}/shipments`, { rate_id: RATE_ID, source: 'carrier_account' });
    const refused = await ship();
    expect([refused.status, refused.body.error.code]).toEqual([503, 'service_unavailable']);
    sells();
    expect((await ship()).status).toBe(201);
  });
});

describe('a label whose purchase was not answered', () => {
  /** As if so much time had passed since. */
  const later = () =>
    stoa.services.foundation.postgres.sql`update shipping.label set claimed_at = now() - interval '1 minute'`;

  test.each([
    ['had been bought, is found again and not bought twice', true, 1],
    ['had not been bought, is bought then', false, 2],
  ])('and %s', async (_name, arrived, purchases) => {
    const sandbox = await openSandbox();
    await account(sandbox);
    ships(shippoRate());
    const { id } = (await sandbox.order(RATE_ID, 'carrier_account')).body.order;
    const key = { 'Idempotency-Key': randomUUID() };
    const ship = () =>
      sandbox.sign('POST', `/v1/orders/${id}/shipments`, { rate_id: RATE_ID, source: 'carrier_account' }, key);
    const bought: unknown[] = [];
    office.on('/shippo/transactions/', async (call) => {
      if (call.method === 'GET') return json({ next: null, previous: null, results: bought });
      if (arrived)
        bought.push({ ...((await shippoTransaction().json()) as object), rate: { object_id: call.body.rate } });
      return new Response('', { status: 502 });
    });
    expect((await ship()).status).toBe(500);
    const early = await ship();
    expect([early.status, early.headers.get('retry-after')]).toEqual([409, '30']);
    await later();
    if (!arrived) sellsAfterLook();
    const shipped = await ship();
    expect(shipped.status, shipped.text).toBe(201);
    expect(shipped.body.shipment.tracking_number).toBe('9499907123456123456781');
    expect(office.to('/shippo/transactions/').filter(({ method }) => method === 'POST')).toHaveLength(purchases);
  });

  const sellsAfterLook = () =>
    office.on('/shippo/transactions/', ({ method }) =>
      method === 'GET' ? json({ results: [] }) : shippoTransaction(),
    );
});

describe('providers', () => {
  test('are connected, listed without their secrets, disconnected', async () => {
    const sandbox = await openSandbox();
    offers(BIKE);
    ships(shippoRate());
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

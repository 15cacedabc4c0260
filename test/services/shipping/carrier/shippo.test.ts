// Tests a Shippo account over HTTP, played by a local server: rates, and labels bought once.
import { randomUUID } from 'node:crypto';
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import {
  json,
  type StandIn,
  shippoRate,
  shippoShipment,
  shippoTransaction,
} from '#test/services/shipping/carrier/stand_in.ts';
import { type Stoa, sharedStoa } from '#test/support/stoa.ts';
import { account, openSandbox as openSandboxOf, type Sandbox, ships } from './sandbox.ts';

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

const sells = (given: object = {}) => office.on('/shippo/transactions/', () => shippoTransaction({ ...given }));
const RATE_ID = 'account_1:usps_priority:850g30x20x10';

describe('a carrier account', () => {
  test('receives the documented request, and its rates appear in the store’s currency', async () => {
    const sandbox = await openSandbox();
    await account(sandbox);
    const parcelService = {
      servicelevel: { name: 'Ground', token: 'usps_ground' },
      amount: '5.10',
      estimated_days: 5,
    };
    ships(
      office,
      shippoRate(),
      shippoRate({ ...parcelService, duration_terms: '' }),
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

  test('charges the amount as written and drops rates whose amount is no plain decimal', async () => {
    const sandbox = await openSandbox();
    await account(sandbox);
    // Amounts as text: as doubles they would be 2.345 and 20.
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
    ships(office, offered);
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

  test('sells a label on a retry after a refusal', async () => {
    const sandbox = await openSandbox();
    await account(sandbox);
    ships(office, shippoRate());
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

describe('a label whose purchase response was lost', () => {
  /** Moves the claim into the past. */
  const later = () =>
    stoa.services.runtime.postgres.sql`update shipping.label set claimed_at = now() - interval '1 minute'`;

  test.each([
    ['had been bought, is found again and not bought twice', true, 1],
    ['had not been bought, is bought then', false, 2],
  ])('and %s', async (_name, arrived, purchases) => {
    const sandbox = await openSandbox();
    await account(sandbox);
    ships(office, shippoRate());
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

describe('a label whose shipment is refused', () => {
  interface Sold {
    readonly object_id: string;
    readonly rate: string;
    readonly tracking_number: string;
  }

  /** Sells a separate label to each caller after `before` completes. */
  const sellsEach = (before: () => Promise<unknown> = async () => {}): readonly Sold[] => {
    const sold: Sold[] = [];
    office.on('/shippo/shipments/', () => shippoShipment([shippoRate()]));
    office.on('/shippo/transactions/', async ({ method, body }) => {
      if (method === 'GET')
        return json({ results: await Promise.all(sold.map((one) => shippoTransaction({ ...one }).json())) });
      await before();
      const id = randomUUID();
      const one = { object_id: `transaction_${id}`, rate: body.rate, tracking_number: id };
      sold.push(one);
      return shippoTransaction({ ...one });
    });
    return sold;
  };
  const voids = (status: string) => office.on('/shippo/refunds/', () => json({ status }, 201));
  const voided = () => office.to('/shippo/refunds/').map(({ body }) => body.transaction);
  const labels = (key: string) =>
    stoa.services.runtime.postgres.sql`select from shipping.label where label->>'tracking_number' = ${key}`;

  /** Cancels the order during the purchase of its label. */
  const cancelledWhileBought = async () => {
    const sandbox = await openSandbox();
    await account(sandbox);
    let order = '';
    const sold = sellsEach(() => sandbox.sign('PATCH', `/v1/orders/${order}`, { order_status: 'cancelled' }));
    order = (await sandbox.order(RATE_ID, 'carrier_account')).body.order.id;
    const ship = () =>
      sandbox.write('POST', `/v1/orders/${order}/shipments`, { rate_id: RATE_ID, source: 'carrier_account' });
    return { ship, sold };
  };

  test('voids the label when the order was cancelled during the purchase', async () => {
    const { ship, sold } = await cancelledWhileBought();
    voids('PENDING');
    expect((await ship()).status).toBe(409);
    expect(sold).toHaveLength(1);
    expect(voided()).toEqual([sold[0]!.object_id]);
    expect(await labels(sold[0]!.tracking_number)).toHaveLength(0);
  });

  test('keeps a record of a label that the carrier refuses to void', async () => {
    const { ship, sold } = await cancelledWhileBought();
    voids('ERROR');
    expect((await ship()).status).toBe(409);
    expect(voided()).toEqual([sold[0]!.object_id]);
    expect(await labels(sold[0]!.tracking_number)).toHaveLength(1);
  });

  test('voids the labels of all concurrent callers except the one that ships', async () => {
    const sandbox = await openSandbox();
    await account(sandbox);
    const sold = sellsEach();
    voids('SUCCESS');
    const { id } = (await sandbox.order(RATE_ID, 'carrier_account')).body.order;
    const ship = () =>
      sandbox.sign(
        'POST',
        `/v1/orders/${id}/shipments`,
        { rate_id: RATE_ID, source: 'carrier_account' },
        { 'Idempotency-Key': randomUUID() },
      );
    const replies = await Promise.all(Array.from({ length: 12 }, ship));
    const shipped = replies.filter(({ status }) => status === 201);
    expect(shipped, replies.map(({ text }) => text).join('\n')).toHaveLength(1);
    const { tracking_number } = shipped[0]!.body.shipment;
    const unused = sold.filter((one) => one.tracking_number !== tracking_number);
    expect(unused).toHaveLength(sold.length - 1);
    expect(voided().toSorted()).toEqual(unused.map(({ object_id }) => object_id).toSorted());
  });
});

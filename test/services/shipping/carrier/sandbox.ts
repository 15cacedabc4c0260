// Opens a sandbox store that ships from Nairobi, with a local server that plays its carriers.
import { expect } from 'vitest';
import { json, openStandIn, type StandIn, shippoShipment } from '#test/services/shipping/carrier/stand_in.ts';
import { KENYA, location, NAIROBI } from '#test/services/shipping/fixture.ts';
import type { Reply, Stoa } from '#test/support/stoa.ts';

export const PARCEL = { weight_grams: 850, length_cm: 30, width_cm: 20, height_cm: 10 };
export const ADDRESS = {
  first_name: 'Ada',
  last_name: 'Mwangi',
  line1: '12 Moi Avenue',
  city: 'Nairobi',
  country: 'KE',
};

export interface Sandbox {
  /** Plays the carriers; the test stops it. */
  readonly office: StandIn;
  readonly items: readonly { variant_id: string; quantity: number }[];
  write(method: string, path: string, body?: unknown): Promise<Reply>;
  sign(method: string, path: string, body: unknown, headers?: Record<string, string>): Promise<Reply>;
  /** Connects a provider and returns it with its signing secret. */
  // biome-ignore lint/suspicious/noExplicitAny: an answer
  connect(body: object): Promise<any>;
  calculate(more?: object): Promise<Reply['body']>;
  order(rate_id: string, source: string): Promise<Reply>;
}

/** Delivers to Kenya for 8 and has one product. */
export const openSandbox = async (stoa: Stoa): Promise<Sandbox> => {
  const office = openStandIn();
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
    office,
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

export const extension = ({ connect, office }: Sandbox) =>
  connect({ kind: 'custom', name: 'Own riders', url: `${office.url}/rates` });
export const offers = (office: StandIn, ...rates: object[]) => office.on('/rates', () => json({ rates }));
export const BIKE = {
  rate_id: 'bike',
  carrier: 'Riders',
  service: 'Bike',
  fee: 4.2,
  currency: 'USD',
  delivery_days: 1,
};

export const account = ({ connect, office }: Sandbox) =>
  connect({ kind: 'carrier_account', name: 'Shippo', api_key: 'shippo_test_1', base_url: `${office.url}/shippo` });
export const ships = (office: StandIn, ...rates: object[]) =>
  office.on('/shippo/shipments/', () => shippoShipment(rates));

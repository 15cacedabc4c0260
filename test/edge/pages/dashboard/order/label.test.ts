// A label for an order in a real browser: offered by a connected carrier for a box, bought, and shown with the shipment.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  json,
  openStandIn,
  type StandIn,
  shippoRate,
  shippoShipment,
  shippoTransaction,
} from '#test/services/shipping/carrier/stand_in.ts';
import { KENYA, location, NAIROBI } from '#test/services/shipping/fixture.ts';
import { join } from '#test/services/staff/client.ts';
import { type Browser, chromiumProgram, openBrowser } from '#test/support/browser.ts';
import { visitDashboard } from '#test/support/dashboard.ts';
import { type Keys, type Reply, type Stoa, sharedStoa } from '#test/support/stoa.ts';

const program = chromiumProgram();
const ADDRESS = { first_name: 'Ada', last_name: 'Mwangi', line1: '12 Moi Avenue', city: 'Nairobi', country: 'KE' };

describe.skipIf(!program)('the dialog of a shipment', { timeout: 120_000 }, () => {
  let stoa: Stoa;
  let keys: Keys;
  let office: StandIn;
  let browser: Browser;
  let order: Reply['body'];
  const { read, shows, press, fill, signInAs, checkLooks } = visitDashboard(
    () => browser.page,
    () => stoa.url,
  );
  const send = async (method: string, path: string, body?: unknown): Promise<Reply['body']> => {
    const reply = await stoa.send(method, path, {
      key: keys.secret_test_key,
      ...(body === undefined ? {} : { body }),
      ...(path.startsWith('/v1/orders') && method !== 'GET' ? { signWith: keys.hmac_test_secret } : {}),
    });
    expect(reply.status, reply.text).toBeLessThan(300);
    return reply.body;
  };

  beforeAll(async () => {
    stoa = await sharedStoa();
    office = openStandIn();
    office.on('/shippo/shipments/', () =>
      shippoShipment([
        shippoRate({
          object_id: 'slow',
          amount: '5.00',
          currency: 'USD',
          servicelevel: { name: 'Economy', token: 'economy' },
        }),
        shippoRate({
          object_id: 'fast',
          amount: '9.50',
          currency: 'USD',
          servicelevel: { name: 'Express', token: 'express' },
        }),
      ]),
    );
    office.on('/shippo/transactions/', ({ method }) =>
      method === 'GET' ? json({ results: [] }) : shippoTransaction(),
    );
    keys = await stoa.createStore({ country: 'KE' });
    await send('PUT', '/v1/shipping/config', {
      locations: [location('Nairobi', NAIROBI.latitude, NAIROBI.longitude)],
      zones: [KENYA],
    });
    const product = await send('POST', '/v1/products', {
      name: 'Lamp',
      price: 30,
      stock: 50,
      shipping_info: { requires_shipping: true, weight_grams: 700, length_cm: 25, width_cm: 15, height_cm: 12 },
    });
    ({ order } = await send('POST', '/v1/orders', {
      items: [{ variant_id: product.variant_id, quantity: 2 }],
      email: 'ada@example.com',
      shipping_address: { ...ADDRESS, ...NAIROBI },
    }));
    await send('PATCH', `/v1/orders/${order.id}`, { payment_status: 'paid' });
    await send('POST', '/v1/shipping/providers', {
      kind: 'carrier_account',
      name: 'Shippo',
      api_key: 'shippo_test_1',
      base_url: `${office.url}/shippo`,
    });
    browser = await openBrowser(program!);
    await browser.page.resize(1280, 900);
    await signInAs((await join(stoa, keys, 'orders')).cookie, `sandbox/orders/${order.id}`);
  }, 90_000);
  afterAll(async () => {
    await browser?.close();
    await office?.stop();
  });

  test('offers labels once the whole box is known', async () => {
    await press('Ship');
    await fill('How', 'label');
    await fill('Units of Lamp', '1');
    await fill('Weight of the box', '850');
    await fill('Length of the box', '30');
    await fill('Width of the box', '20');
    await press('Show offers');
    await shows('dialog .field:has([aria-invalid]) label', 'Height of the box');
    await fill('Height of the box', '10');
    await press('Show offers');
    await shows('dialog fieldset', /Economy.*5\.00.*Express.*9\.50/);
    await checkLooks('label');
    await browser.page.resize(1280, 900);
  });

  test('buys the chosen label for the chosen units, and links it to the order', async () => {
    await read(`document.querySelectorAll('dialog input[name=rate]')[1].click()`);
    await press('Buy the label for US$9.50');
    await shows('.time-line', /Shipped with .*9499907123456123456781/);
    expect(
      await read(`[...document.querySelectorAll('main a')].find((each) => each.textContent === 'Label').href`),
    ).toBe('https://labels.example/9499907123456123456781.pdf');
    const { order: shipped } = await send('GET', `/v1/orders/${order.id}`);
    expect(shipped.items).toMatchObject([{ quantity: 2, quantity_fulfilled: 1 }]);
    expect(shipped.shipments).toMatchObject([
      { source: 'carrier_account', service: 'Express', items: [{ quantity: 1 }] },
    ]);
    expect(browser.page.complaints.filter((text) => !text.includes('/shipping/calculate'))).toEqual([]);
  });
});

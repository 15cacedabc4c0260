// Shipping and billing addresses over HTTP: a bill goes to the shipping address or to another one, and a postal code of
// another country is refused with its field's path.
import { beforeAll, describe, expect, test } from 'vitest';
import { isForeignPostalCode } from '#services/commerce/address.ts';
import { items, openShop, type Shop } from '#test/services/agent/shop.ts';
import { type Reply, type Stoa, sharedStoa } from '#test/support/stoa.ts';

const HOME = { line1: '12 Moi Avenue', city: 'Nairobi', postal_code: '00100', country: 'KE' };
const OFFICE = {
  ...{ first_name: 'Ada', last_name: 'Mwangi', company: 'Kibo Traders', line1: '1 Canal Street', line2: 'Floor 2' },
  ...{ city: 'San Francisco', state: 'CA', postal_code: '94107', country: 'US', phone: '+14155550100' },
};
const EMAIL = 'ada@example.com';

let stoa: Stoa;
let shop: Shop;
beforeAll(async () => {
  stoa = await sharedStoa();
  shop = await openShop(stoa, { stock: 200 });
});

const ordered = async (more: object): Promise<Reply['body']> => {
  const reply = await shop.order({ items: items(shop, 1), email: EMAIL, ...more });
  expect(reply.status, reply.text).toBe(201);
  return reply.body.order;
};
const change = (id: string, body: object): Promise<Reply> =>
  stoa.send('PATCH', `/v1/orders/${id}`, { key: shop.secret_key, signWith: shop.hmac_secret, body });
const refused = ({ status, body }: Reply) => [status, body.error?.code, body.error?.param];

describe('an order', () => {
  test('bills its shipping address, or another one with all its fields', async () => {
    expect(await ordered({ shipping_address: HOME })).toMatchObject({ billing_address: HOME });
    const order = await ordered({ shipping_address: HOME, billing_address: OFFICE });
    expect(order).toMatchObject({ shipping_address: HOME, billing_address: OFFICE });
    expect((await shop.read(`/v1/orders/${order.id}`)).body.order.billing_address).toMatchObject(OFFICE);
  });

  test('changes its billing address until it is paid', async () => {
    const { id } = await ordered({ shipping_address: HOME });
    const changed = await change(id, { billing_address: OFFICE });
    expect(changed.body.order, changed.text).toMatchObject({ shipping_address: HOME, billing_address: OFFICE });
    await change(id, { payment_status: 'paid' });
    expect(refused(await change(id, { billing_address: HOME }))).toEqual([409, 'conflict', 'billing_address']);
    expect((await shop.read(`/v1/orders/${id}`)).body.order.billing_address).toMatchObject(OFFICE);
  });

  test('needs no state and no postal code', async () => {
    const { postal_code: _code, state: _state, ...bare } = OFFICE;
    expect(await ordered({ shipping_address: bare })).toMatchObject({ shipping_address: bare });
  });

  test('refuses a postal code that the country cannot have, and leaves nothing behind', async () => {
    const before = (await shop.read('/v1/orders?limit=100')).body.orders.length;
    for (const field of ['shipping_address', 'billing_address']) {
      const reply = await shop.order({
        ...{ items: items(shop, 1), email: EMAIL, shipping_address: HOME },
        [field]: { ...HOME, postal_code: 'SW1A 1AA' },
      });
      expect(refused(reply)).toEqual([400, 'invalid_request', `${field}.postal_code`]);
    }
    expect((await shop.read('/v1/orders?limit=100')).body.orders).toHaveLength(before);
    const { id } = await ordered({ shipping_address: HOME });
    const wrong = await change(id, { billing_address: { ...OFFICE, postal_code: '9410' } });
    expect(refused(wrong)).toEqual([400, 'invalid_request', 'billing_address.postal_code']);
  });
});

describe('a checkout intent', () => {
  const begin = async (more: object): Promise<Reply['body']> => {
    const reply = await shop.ask('POST', '/v1/agent/checkout-intents', { email: EMAIL, ...more });
    expect(reply.status, reply.text).toBe(201);
    return reply.body.data;
  };

  test('gives its billing address to its order', async () => {
    const { id, billing_address } = await begin({ items: items(shop, 1), shipping_address: HOME });
    expect(billing_address).toBeNull();
    const path = `/v1/agent/checkout-intents/${id}`;
    const patch = async (body: object) => (await shop.ask('PATCH', path, body)).body;
    expect((await patch({ billing_address: OFFICE })).data).toMatchObject({ billing_address: OFFICE });
    expect((await patch({ email: 'eve@example.com' })).data).toMatchObject({ billing_address: OFFICE });
    expect((await patch({ billing_address: { ...OFFICE, country: 'XX' } })).error.param).toBe(
      'billing_address.country',
    );
    const { body } = await shop.order({ checkout_intent_id: id });
    expect(body.order).toMatchObject({ shipping_address: HOME, billing_address: OFFICE, email: 'eve@example.com' });
  });

  test('forgets its billing address on null, and bills the shipping address', async () => {
    const { id } = await begin({ items: items(shop, 1), shipping_address: HOME, billing_address: OFFICE });
    const { body } = await shop.ask('PATCH', `/v1/agent/checkout-intents/${id}`, { billing_address: null });
    expect(body.data.billing_address).toBeNull();
    expect((await shop.order({ checkout_intent_id: id })).body.order.billing_address).toMatchObject(HOME);
  });

  test('takes the billing address of its cart draft', async () => {
    const made = await shop.ask('POST', '/v1/agent/cart-drafts', { items: items(shop, 1), billing_address: OFFICE });
    expect(made.body.data, made.text).toMatchObject({ billing_address: OFFICE });
    const path = `/v1/agent/cart-drafts/${made.body.data.id}`;
    const changed = await shop.ask('PATCH', path, { billing_address: { ...OFFICE, company: 'Meru Traders' } });
    expect(changed.body.data, changed.text).toMatchObject({ billing_address: { company: 'Meru Traders' } });
    const intent = await begin({ cart_draft_id: made.body.data.id, shipping_address: HOME });
    expect(intent).toMatchObject({ billing_address: { company: 'Meru Traders' } });
  });
});

test('refuses a customer’s address with the path of its postal code', async () => {
  const addresses = [HOME, { ...HOME, postal_code: '1' }];
  const reply = await shop.write('POST', '/v1/customers', { email: `${crypto.randomUUID()}@example.com`, addresses });
  const id = reply.status === 201 ? reply.body.customer.id : null;
  const answer = id === null ? reply : await shop.write('PATCH', `/v1/customers/${id}`, { addresses });
  expect(refused(answer)).toEqual([400, 'invalid_request', 'addresses[1].postal_code']);
});

test.each([
  ['KE', '00100'],
  ['GB', 'SW1A 1AA'],
  ['GB', 'sw1a1aa'],
  ['IE', 'D02X285'],
  ['IE', 'D02 X285'],
  ['US', '94107'],
  ['US', '94107-1234'],
  ['US', '941071234'],
  ['CA', 'h2x 1y4'],
  ['CA', 'H2X-1Y4'],
  ['DE', 'D-10115'],
  ['LV', '1010'],
  ['NL', 'NL-1234 AB'],
  ['PL', '00001'],
  ['PT', '1100-148'],
  ['SE', 'SE-114 55'],
  ['JP', '〒１００−０００１'],
  ['JP', '1000001'],
  ['NG', 'anything'],
  ['ZZ', '1'],
])('takes a postal code of %s: %s', (country, code) => {
  expect(isForeignPostalCode(code, country)).toBe(false);
});

test.each([
  ['KE', '100'],
  ['US', '9410'],
  ['US', 'SW1A 1AA'],
  ['DE', '1011'],
  ['GB', '94107'],
  ['CA', '1234'],
  ['NL', '1234'],
])('refuses a postal code that %s does not have: %s', (country, code) => {
  expect(isForeignPostalCode(code, country)).toBe(true);
});

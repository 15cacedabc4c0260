// "`null` for an optional input is as good as leaving it out": at every endpoint that takes a body, for every field that
// may be left out, at every depth.
import { randomUUID } from 'node:crypto';
import { Kind, type TSchema } from '@sinclair/typebox';
import { beforeAll, expect, test } from 'vitest';
import { routes } from '#proto/gen/routes.ts';
import type { Route } from '#proto/route.ts';
import { ROW_FIELDS } from '#services/catalog/ingestion/intake.ts';
import { type Merchant, openMerchant } from '#test/support/catalog.ts';
import { eventually } from '#test/support/server.ts';
import { type Reply, type Stoa, sharedStoa } from '#test/support/stoa.ts';

type Json = Readonly<Record<string, unknown>>;

let stoa: Stoa;
let shop: Merchant;
let variant: string;
let customer: string;
let token: string;
let order: string;
let line: string;
let ids: Readonly<Record<string, string>>;

const PASSWORD = 'correct horse battery';
/** The cart whose line is changed; every other call is another visitor's. */
const CART = 'null-input';

const fresh = (): string => randomUUID().slice(0, 8);
const email = (): string => `${fresh()}@example.com`;
const items = () => [{ variant_id: variant, quantity: 1 }];
const ADDRESS = { first_name: 'Ada', last_name: 'M', line1: '1 Moi Road', city: 'Nairobi', country: 'KE' };

interface Sending {
  readonly signed?: boolean;
  readonly token?: string;
  readonly session?: string;
}
const send = (verb: string, path: string, body: unknown, sending: Sending = {}): Promise<Reply> => {
  const { secret_key, secret_test_key, hmac_test_secret } = shop.keys;
  const address = Array.from({ length: 3 }, () => Math.floor(Math.random() * 256)).join('.');
  return stoa.send(verb, path, {
    key: path === '/v1/store' || path.includes('/policies/') ? secret_key : secret_test_key,
    body,
    headers: {
      'X-Session-Id': sending.session ?? fresh(),
      'X-Shopper-IP': `10.${address}`,
      ...(sending.token ? { 'x-auth-token': sending.token } : {}),
    },
    ...(sending.signed ? { signWith: hmac_test_secret } : {}),
  });
};
const made = async (path: string, body: unknown, sending: Sending = {}): Promise<Reply['body']> => {
  const reply = await send('POST', path, body, sending);
  expect(reply.status, `${path} ${reply.text}`).toBeLessThan(300);
  return reply.body;
};

const newOrder = async (): Promise<void> => {
  const { order: placed } = await made('/v1/orders', { items: items(), email: email() }, { signed: true });
  order = placed.id;
  line = placed.items[0].id;
};
/** An order that money can be given back of. */
const paidOrder = async (): Promise<void> => {
  await newOrder();
  const paid = await send('PATCH', `/v1/orders/${order}`, { payment_status: 'paid' }, { signed: true });
  expect(paid.status, paid.text).toBe(200);
};

beforeAll(async () => {
  stoa = await sharedStoa();
  shop = await openMerchant(stoa, { country: 'KE' });
  const soap = await made('/v1/products', {
    name: 'Soap',
    price: 10,
    stock: 100_000,
    shipping_info: { requires_shipping: false },
  });
  variant = soap.variant_id;
  const registered = await made('/v1/auth/register', { email: email(), password: PASSWORD });
  [customer, token] = [registered.customer.id, registered.session.access_token];
  const location = {
    name: 'Shop',
    latitude: -1.29,
    longitude: 36.79,
    address: { line1: '1', city: 'N', country: 'KE' },
  };
  const zone = { name: 'KE', kind: 'countries', countries: ['KE'], rate: { fee: 5 } };
  const config = await send('PUT', '/v1/shipping/config', { locations: [location], zones: [zone] });
  expect(config.status, config.text).toBe(200);
  const hook = { url: 'https://hooks.invalid/', events: ['channel.connected'] };
  const feed = { url: 'https://feed.invalid/a.csv', format: 'csv' };
  const shirt = await made('/v1/products', { name: 'Shirt', variants: [{ price: 1 }, { price: 2 }] });
  ids = {
    'Catalog/UpdateProduct': soap.id,
    'Catalog/CreateVariant': shirt.id,
    'Catalog/UpdateVariant': shirt.id,
    variant_id: shirt.variants[0].variant_id,
    Category: (await made('/v1/categories', { name: 'Care' })).category.id,
    Collection: (await made('/v1/product-collections', { name: 'Care' })).collection.id,
    PriceList: (await made('/v1/price-lists', { name: 'Care' })).price_list.id,
    Promotion: (await made('/v1/promotions', { name: 'Care', type: 'percentage', value: 10 })).promotion.id,
    TaxRate: (await made('/v1/tax-rates', { name: 'VAT', country: 'GB', rate: 0.2 })).tax_rate.id,
    Ingestion: (await made('/v1/ingestion/feeds', feed)).feed.id,
    Webhook: (await made('/v1/webhook-endpoints', hook)).webhook_endpoint.id,
    Account: customer,
    'Agent/UpdateCartDraft': (await made('/v1/agent/cart-drafts', { items: items() })).data.id,
    'Agent/UpdateCheckoutIntent': (await made('/v1/agent/checkout-intents', { items: items() })).data.id,
    item_id: (await made('/v1/cart/items', { variant_id: variant, quantity: 2 }, { session: CART })).cart.items[0].id,
    type: 'terms',
    currency: 'EUR',
  };
  await newOrder();
});

const pathOf = ({ path, rpc }: Route): string =>
  path.replace(/:(\w+)/g, (_whole, name: string) =>
    rpc.startsWith('Order/') ? order : (ids[rpc] && name === 'id' ? ids[rpc] : (ids[name] ?? ids[rpc.split('/')[0]!]))!,
  );

const PRODUCT = () => ({ name: 'Towel', price: 3, media: [{ url: 'https://cdn.invalid/a.jpg' }], shipping_info: {} });
const RATE = { fee: 5, category_rules: [], options: [{ name: 'Fast', fee: 9 }] };
const LOCATION = { name: 'A', latitude: 1, longitude: 2, address: { line1: '1', city: 'N', country: 'KE' } };

/** A valid body of each endpoint with few fields; before it the required rows are created. */
const BODIES: Readonly<Record<string, () => Json | Promise<Json>>> = {
  'POST /v1/agent/cart-drafts': () => ({ items: items(), shipping_address: ADDRESS }),
  'PATCH /v1/agent/cart-drafts/:id': () => ({ items: items() }),
  'POST /v1/agent/checkout-intents': () => ({ items: items(), shipping_address: ADDRESS }),
  'PATCH /v1/agent/checkout-intents/:id': () => ({ promotion_codes: [] }),
  'POST /v1/agent/quotes': () => ({ items: items(), shipping_address: ADDRESS }),
  'POST /v1/auth/magic-link': () => ({ email: email() }),
  'POST /v1/auth/register': () => ({ email: email(), password: PASSWORD }),
  'POST /v1/auth/reset-password': () => ({ email: email() }),
  'POST /v1/cart/gift-cards': async () => ({ code: (await made('/v1/gift-cards', { amount: 1 })).gift_card.code }),
  'POST /v1/cart/items': () => ({ variant_id: variant }),
  'PATCH /v1/cart': () => ({ currency: 'USD' }),
  'PATCH /v1/cart/items/:item_id': () => ({ quantity: 2 }),
  'POST /v1/cart/merge': () => ({ customer_id: customer }),
  'POST /v1/wishlist/items': () => ({ customer_id: customer, variant_id: variant }),
  'PATCH /v1/customers/:id': () => ({ first_name: 'Ada' }),
  'POST /v1/customers/:id/erase': () => ({ reason: 'Request' }),
  'POST /v1/cart/promotions': async () => {
    const code = fresh().toUpperCase();
    await made('/v1/promotions', { name: code, code, type: 'percentage', value: 1, stackable: true });
    return { code };
  },
  'POST /v1/categories': () => ({ name: 'Bath' }),
  'PATCH /v1/categories/:id': () => ({ name: 'Care' }),
  'POST /v1/customers': () => ({ email: email(), addresses: [ADDRESS] }),
  'POST /v1/events': () => ({ event_type: 'view', variant_id: variant }),
  'POST /v1/gift-cards': () => ({ amount: 5 }),
  'POST /v1/ingestion/feeds': () => ({ url: 'https://feed.invalid/a.csv', format: 'csv' }),
  'PATCH /v1/ingestion/feeds/:id': () => ({ name: 'F' }),
  'POST /v1/ingestion/push': () => ({ products: [{ external_id: 'towel', name: 'Towel', price: 3 }] }),
  'POST /v1/inventory/adjustments': () => ({ variant_id: variant, delta: 1 }),
  'POST /v1/orders': () => ({ items: items(), email: email(), shipping_address: ADDRESS }),
  'PATCH /v1/orders/:id': () => ({ note: 'N' }),
  'POST /v1/orders/:id/refunds': async () => {
    await paidOrder();
    return { amount: 1, items: [{ order_item_id: line, quantity: 1 }] };
  },
  'POST /v1/orders/:id/shipments': async () => {
    await newOrder();
    return { carrier: 'Own', tracking_number: '1', items: [{ order_item_id: line, quantity: 1 }] };
  },
  'POST /v1/payments/initialize': () => ({ provider: 'card_checkout', amount: 10, email: email() }),
  'POST /v1/payments/providers': () => ({
    provider: 'card_checkout',
    credentials: { secret_key: `sk_test_${fresh()}`, webhook_secret: 'whsec_1' },
  }),
  'POST /v1/price-lists': () => ({ name: 'L', prices: [{ variant_id: variant, price: 9 }] }),
  'PATCH /v1/price-lists/:id': () => ({ name: 'L' }),
  'POST /v1/pricing/query': () => ({ items: items() }),
  'POST /v1/product-collections': () => ({ name: `C ${fresh()}` }),
  'PATCH /v1/product-collections/:id': () => ({ name: 'C' }),
  'POST /v1/products': PRODUCT,
  'PATCH /v1/products/:id': () => ({ name: 'Soap' }),
  'POST /v1/products/:id/variants': () => ({ price: 3 }),
  'PATCH /v1/products/:id/variants/:variant_id': () => ({ price: 3 }),
  'POST /v1/promotions': () => ({ name: 'P', type: 'percentage', value: 1, applies_to: {} }),
  'PATCH /v1/promotions/:id': () => ({ name: 'P' }),
  'POST /v1/recommendations': () => ({ intent: 'trending' }),
  'POST /v1/sandbox/time-travel': () => ({ advance_seconds: 1 }),
  'POST /v1/search': () => ({ query: 'soap', filters: { price: {}, attributes: {} } }),
  'POST /v1/shipping/calculate': () => ({
    latitude: -1.29,
    longitude: 36.79,
    address_to: ADDRESS,
    parcel: { weight_grams: 1, length_cm: 1, width_cm: 1, height_cm: 1 },
  }),
  'PUT /v1/shipping/config': () => ({
    locations: [LOCATION],
    zones: [{ name: 'KE', kind: 'countries', countries: ['KE'], rate: RATE }],
    tiers: [{ name: 'T', from_meters: 0, rate: RATE }],
  }),
  'POST /v1/shipping/providers': () => ({ kind: 'carrier_account', name: 'S', api_key: 'shippo_test_1' }),
  'PATCH /v1/store': () => ({ name: 'Shop', feeds: {} }),
  'PUT /v1/exchange-rates/:currency': () => ({ rate: 0.92 }),
  'POST /v1/store-credit': () => ({ customer_id: customer, amount: 1 }),
  'PUT /v1/store/policies/:type': () => ({ title: 'T', body: 'B' }),
  'POST /v1/tax-rates': () => ({ name: 'T', country: 'FR', rate: 0.2 }),
  'PATCH /v1/tax-rates/:id': () => ({ name: 'T' }),
  'POST /v1/tax/preview': () => ({ items: items(), address: { country: 'KE' } }),
  'POST /v1/webhook-endpoints': () => ({ url: 'https://hooks.invalid/', events: ['channel.connected'] }),
  'PATCH /v1/webhook-endpoints/:id': () => ({ enabled: true }),
};

/** Endpoints that add something: their second answer differs. */
const ADDING: readonly string[] = [
  'POST /v1/products/:id/variants',
  'POST /v1/inventory/adjustments',
  'POST /v1/store-credit',
];

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const mayBeNull = (schema: TSchema): boolean =>
  schema[Kind] === 'Null' || (schema[Kind] === 'Union' && schema.anyOf.some(mayBeNull));

interface Attempt {
  readonly at: string;
  /** Whether null empties the field. */
  readonly empties: boolean;
  readonly body: unknown;
}

/** The value with null for one field more, for each that it leaves out. */
function* attempts(schema: TSchema, value: unknown, path: string): Generator<Attempt> {
  if (schema[Kind] === 'Union') return yield* attempts(schema.anyOf[0], value, path);
  if (schema[Kind] === 'Array' && Array.isArray(value)) {
    for (const [at, item] of value.entries())
      for (const inner of attempts(schema.items, item, `${path}[${at}]`))
        yield { ...inner, body: value.with(at, inner.body) };
    return;
  }
  if (schema[Kind] !== 'Object' || !isObject(value)) return;
  for (const [name, property] of Object.entries(schema.properties as Record<string, TSchema>)) {
    const at = path === '' ? name : `${path}.${name}`;
    if (Object.hasOwn(value, name)) {
      for (const inner of attempts(property, value[name], at))
        yield { ...inner, body: { ...value, [name]: inner.body } };
    } else if (!(schema.required as string[] | undefined)?.includes(name))
      yield { at, empties: mayBeNull(property), body: { ...value, [name]: null } };
  }
}

/** An answer without the fields that differ each time. */
const comparableAnswer = ({ text }: Reply): string =>
  text
    .replace(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, 'ID')
    .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'TIME')
    .replace(/"promotion_codes":\["\w+"\]/, '"promotion_codes":["CODE"]')
    .replace(
      /"(code|code_last4|order_number|product_slug|slug|email|name|title|reference|signing_secret|access_token|refresh_token|checkout_url|session_id|cursor|version|quantity|item_count|available|on_hand|message|now|balance)":("[^"]*"|[\d.]+)/g,
      '"$1":1',
    );

/** An endpoint of which no body stands above is held by the validator alone, which all of them share. */
const tried = routes.filter(({ verb, path }) => BODIES[`${verb} ${path}`] !== undefined);

test('endpoints that are gone have no body here', () => expect(tried).toHaveLength(Object.keys(BODIES).length));

test.each(tried.map((route) => [`${route.verb} ${route.path}`, route] as const))('%s', async (name, route) => {
  const { verb, access, request, params, headers } = route;
  const ask = (body: unknown): Promise<Reply> =>
    send(verb, pathOf(route), body, {
      signed: access.signed,
      ...(access.session === 'customer' || name.includes('/merge') ? { token } : {}),
      ...(verb === 'PATCH' ? { session: CART } : {}),
    });
  const body = BODIES[name]!;
  const elsewhere = new Set([...params, ...headers].map((each) => each.name));
  const count = [...attempts(request, await body(), '')].length;
  for (let at = 0; at < count; at++) {
    const plain = await body();
    const without = await ask(plain);
    expect(without.status, without.text).toBeLessThan(300);
    const attempt = [...attempts(request, await body(), '')][at]!;
    if (elsewhere.has(attempt.at)) continue;
    const reply = await ask(attempt.body);
    expect(reply.status, `${attempt.at}: ${reply.text}`).toBe(without.status);
    if (!ADDING.includes(name) && !(verb === 'PATCH' && attempt.empties))
      expect(comparableAnswer(reply), attempt.at).toBe(comparableAnswer(without));
  }
});

test('a pushed row', async () => {
  const row = { external_id: 'null-row', name: 'Row', price: 3 };
  const nulls = Object.fromEntries(Object.keys(ROW_FIELDS).map((field) => [field, null]));
  await made('/v1/ingestion/push', { products: [{ ...nulls, ...row }] }, { signed: true });
  await eventually(async () => {
    const { body } = await send('GET', '/v1/ingestion/jobs?limit=1', undefined);
    expect(body.jobs[0]).toMatchObject({ status: 'completed', rows_created: 1, rows_failed: 0, errors: [] });
  });
});

// Changes that name the state that they are based on, over HTTP: every kind of record that has a version.
import { beforeAll, describe, expect, test } from 'vitest';
import { NO_TENANT } from '#runtime/call/call.ts';
import { ok } from '#test/support/reply.ts';
import { type Keys, type Reply, type Stoa, sharedStoa } from '#test/support/stoa.ts';

const CALLERS = 8;

let stoa: Stoa;
let keys: Keys;
let operatorKey: string;
beforeAll(async () => {
  stoa = await sharedStoa();
  keys = await stoa.createStore();
  const operator = { name: 'Mall', stores: [keys.store_id] };
  operatorKey = ok(await stoa.services.runtime.ask('StoreAdmin/CreateOperator', NO_TENANT, operator)).operator_key;
});

interface Versioned {
  readonly name: string;
  /** The document in an answer. */
  readonly shown: (body: Reply['body']) => Reply['body'];
  /** The field that tests change. */
  readonly field: string;
  /** Makes a record, and returns how to change it. */
  readonly open: () => Promise<{ readonly version: string; readonly change: (body: object) => Promise<Reply> }>;
}

let records = 0;

const patched = (name: string, shown: Versioned['shown'], path: string, body: object): Versioned => ({
  name,
  shown,
  field: Object.keys(body)[0]!,
  open: async () => {
    const made = await stoa.send('POST', path, { key: keys.secret_key, body });
    expect(made.status, made.text).toBe(201);
    const { id, updated_at: version } = shown(made.body);
    return { version, change: (change) => stoa.send('PATCH', `${path}/${id}`, { key: keys.secret_key, body: change }) };
  },
});

const newCustomer = async () => {
  const body = { email: `shopper-${++records}@example.com`, password: 'correct horse battery staple' };
  const made = await stoa.send('POST', '/v1/auth/register', { key: keys.secret_key, body });
  expect(made.status, made.text).toBe(201);
  const { customer, session } = made.body;
  const path = `/v1/customers/${customer.id}`;
  return { version: customer.updated_at, path, headers: { 'x-auth-token': session.access_token } };
};

/** A record that each store has from the start; every test changes that of another store. */
const settingOf = (
  name: string,
  verb: 'PATCH' | 'PUT',
  path: string,
  shown: Versioned['shown'],
  [field, rest = {}]: readonly [field: string, rest?: object],
): Versioned => ({
  name,
  shown,
  field,
  open: async () => {
    const { secret_key: key } = await stoa.createStore();
    const read = await stoa.send('GET', path, { key });
    expect(read.status, read.text).toBe(200);
    const change = (body: object) => stoa.send(verb, path, { key, body: { ...rest, ...body } });
    return { version: shown(read.body).updated_at, change };
  },
});

const IMAGE = 'https://acme.example.com/a.jpg';

const RECORDS: readonly Versioned[] = [
  patched('post', ({ post }) => post, '/v1/blog/posts', { title: 'One', body: 'Text' }),
  patched('lookbook', (lookbook) => lookbook, '/v1/lookbooks', {
    title: 'One',
    images: [{ url: IMAGE, hotspots: [] }],
  }),
  patched('promotion', ({ promotion }) => promotion, '/v1/promotions', { name: 'One', type: 'percentage', value: 10 }),
  patched('collection', ({ collection }) => collection, '/v1/product-collections', { name: 'One' }),
  patched('category', ({ category }) => category, '/v1/categories', { name: 'One' }),
  patched('tax rate', (body) => body.tax_rate, '/v1/tax-rates', { name: 'One', country: 'KE', rate: 0.16 }),
  settingOf('store', 'PATCH', '/v1/store', ({ store }) => store, ['name']),
  settingOf('mail template', 'PUT', '/v1/mail-templates/order_placed', (body) => body.mail_template, ['subject']),
  {
    name: 'customer',
    shown: ({ customer }) => customer,
    field: 'first_name',
    open: async () => {
      const { version, path, headers } = await newCustomer();
      return { version, change: (body) => stoa.send('PATCH', path, { key: keys.secret_key, headers, body }) };
    },
  },
  {
    name: "customer's group",
    shown: ({ customer }) => customer,
    field: 'group',
    open: async () => {
      const { version, path } = await newCustomer();
      return { version, change: (body) => stoa.send('PUT', `${path}/group`, { key: keys.secret_key, body }) };
    },
  },
  {
    name: "product's variant",
    shown: ({ variants, updated_at }) => ({ ...variants[0], updated_at }),
    field: 'variant_name',
    open: async () => {
      const { secret_key: key } = keys;
      const body = { name: 'One', variants: [{ price: 1 }, { price: 2, variant_attributes: { size: 'L' } }] };
      const made = await stoa.send('POST', '/v1/products', { key, body });
      expect(made.status, made.text).toBe(201);
      const { id, variants, updated_at: version } = made.body;
      const path = `/v1/products/${id}/variants/${variants[0].variant_id}`;
      const change = (change: object) => stoa.send('PATCH', path, { key, body: change });
      return { version, change };
    },
  },
  patched('price list', ({ price_list }) => price_list, '/v1/price-lists', { name: 'One', prices: [] }),
  {
    name: 'section of a marketplace',
    shown: ({ collection }) => collection,
    field: 'name',
    open: async () => {
      const path = `/v1/marketplace/collections/section-${++records}`;
      const change = (body: object) =>
        stoa.send('PUT', path, { key: operatorKey, body: { placement_kind: 'merchant', items: [], ...body } });
      const made = await change({ name: 'One' });
      expect(made.status, made.text).toBe(200);
      return { version: made.body.collection.updated_at, change };
    },
  },
];

const outcomeOf = ({ status, body }: Reply) => [status, body.error?.code, body.error?.param];
const OUTDATED = [409, 'conflict', 'version'];

describe.each(RECORDS)('a change of a $name', ({ shown, field, open }) => {
  test('refuses an earlier version, and leaves the record as it is', async () => {
    const { version, change } = await open();
    const second = await change({ [field]: 'Two', version });
    expect(second.status, second.text).toBe(200);
    expect(shown(second.body)).toMatchObject({ [field]: 'Two' });
    const refused = await change({ [field]: 'Three', version });
    expect(outcomeOf(refused)).toEqual(OUTDATED);
    const now = shown(second.body).updated_at;
    expect(refused.body.error.message).toContain(now);
    const third = await change({ [field]: 'Three', version: now });
    expect(shown(third.body)).toMatchObject({ [field]: 'Three' });
    expect(shown(third.body).updated_at > now).toBe(true);
  });

  test('needs no version', async () => {
    const { version, change } = await open();
    expect((await change({ [field]: 'Two', version })).status).toBe(200);
    expect(shown((await change({ [field]: 'Three' })).body)).toMatchObject({ [field]: 'Three' });
  });

  test('refuses a version that is no time', async () => {
    const { change } = await open();
    expect(outcomeOf(await change({ [field]: 'Two', version: 'latest' }))).toEqual([400, 'invalid_request', 'version']);
  });

  test('succeeds for one of several callers with the same version', async () => {
    const { version, change } = await open();
    const replies = await Promise.all(
      Array.from({ length: CALLERS }, (_, caller) => change({ [field]: `By ${caller}`, version })),
    );
    const made = replies.filter(({ status }) => status === 200);
    expect(made).toHaveLength(1);
    expect(replies.filter((reply) => reply !== made[0]).map(outcomeOf)).toEqual(Array(CALLERS - 1).fill(OUTDATED));
  });
});

test('several callers with the same version replace the shipping configuration once, the first one too', async () => {
  const { secret_key: key } = await stoa.createStore();
  const path = '/v1/shipping/config';
  const put = (days: number, version: string) =>
    stoa.send('PUT', path, { key, body: { handling_days: days, version } });
  let { updated_at: version } = (await stoa.send('GET', path, { key })).body;
  expect(version).toBe('1970-01-01T00:00:00.000Z');
  for (const first of [10, 20]) {
    const replies = await Promise.all(Array.from({ length: CALLERS }, (_, caller) => put(first + caller, version)));
    const made = replies.findIndex(({ status }) => status === 200);
    const others = replies.filter((_, caller) => caller !== made);
    expect(others.map(outcomeOf)).toEqual(Array(CALLERS - 1).fill(OUTDATED));
    const { body } = await stoa.send('GET', path, { key });
    expect(body).toEqual(replies[made]!.body);
    expect([body.handling_days, body.updated_at > version]).toEqual([first + made, true]);
    version = body.updated_at;
  }
});

test('several callers with the same version set the products of a collection once', async () => {
  const send = (verb: 'POST' | 'PUT', path: string, body: object) =>
    stoa.send(verb, path, { key: keys.secret_key, body });
  const { collection } = (await send('POST', '/v1/product-collections', { name: 'Filled' })).body;
  const products = await Promise.all(
    Array.from({ length: CALLERS }, async (_, caller) => {
      const made = await send('POST', '/v1/products', { name: `Product ${caller}`, price: 5 });
      return made.body.id as string;
    }),
  );
  const replies = await Promise.all(
    products.map((product) =>
      send('PUT', `/v1/product-collections/${collection.id}/products`, {
        product_ids: [product],
        version: collection.updated_at,
      }),
    ),
  );
  const winners = products.filter((_, caller) => replies[caller]!.status === 200);
  expect(winners).toHaveLength(1);
  expect(replies.filter(({ status }) => status !== 200).map(outcomeOf)).toEqual(Array(CALLERS - 1).fill(OUTDATED));
  const query = `/v1/products?collection_id=${collection.id}`;
  const members = (await stoa.send('GET', query, { key: keys.secret_key })).body.products;
  expect(members.map(({ id }: { id: string }) => id)).toEqual(winners);
});

test('a version of a section that is gone is 404', async () => {
  const body = { name: 'One', placement_kind: 'merchant', items: [], version: new Date().toISOString() };
  const reply = await stoa.send('PUT', '/v1/marketplace/collections/gone', { key: operatorKey, body });
  expect(outcomeOf(reply)).toEqual([404, 'not_found', undefined]);
});

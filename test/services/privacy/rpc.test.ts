// Tests exports and erasures over HTTP: who may ask for them, what they answer, and that they happen once.
import { beforeAll, describe, expect, test } from 'vitest';
import { eventually } from '#test/support/server.ts';
import { type Keys, type Reply, type Stoa, sharedStoa } from '#test/support/stoa.ts';

const ADDRESS = { line1: '12 Moi Avenue', city: 'Nairobi', country: 'KE' };

let stoa: Stoa;
let keys: Keys;
beforeAll(async () => {
  stoa = await sharedStoa();
  keys = await stoa.createStore();
});

const send = (method: string, path: string, body?: unknown, headers = {}): Promise<Reply> =>
  stoa.send(method, path, { key: keys.secret_key, headers, ...(body === undefined ? {} : { body }) });

const made = async (reply: Promise<Reply>): Promise<Reply['body']> => {
  const { status, body, text } = await reply;
  expect(status, text).toBeLessThan(300);
  return body;
};

let people = 0;

interface Shopper {
  readonly id: string;
  readonly email: string;
  readonly session: Readonly<Record<string, string>>;
}

const profile = () => ({
  email: `ada${people++}@${keys.code}.example.com`,
  first_name: 'Ada',
  last_name: 'Mwangi',
  language: 'de',
});

/** A customer without a session, of whom there may be many in a minute. */
const create = async (): Promise<Omit<Shopper, 'session'>> => {
  const { customer } = await made(send('POST', '/v1/customers', profile()));
  return { id: customer.id, email: customer.email };
};

const register = async (): Promise<Shopper> => {
  const { email, ...names } = profile();
  const account = { email, password: 'correct horse battery', ...names };
  const { customer, session } = await made(send('POST', '/v1/auth/register', account));
  return { id: customer.id, email, session: { 'x-auth-token': session.access_token } };
};

const order = async (shopper: Pick<Shopper, 'email'> & { readonly id?: string }): Promise<Reply['body']> => {
  const product = await made(send('POST', '/v1/products', { name: 'Mug', price: 10, stock: 5 }));
  const body = {
    items: [{ variant_id: product.variant_id, quantity: 1 }],
    email: shopper.email,
    shipping_address: ADDRESS,
    note: 'Ring twice, Ada',
    ...(shopper.id && { customer_id: shopper.id }),
  };
  const placed = stoa.send('POST', '/v1/orders', { key: keys.secret_key, signWith: keys.hmac_secret, body });
  return (await made(placed)).order;
};

const erased = (id: string): Promise<Reply['body']> =>
  eventually(async () => {
    const { erasure } = await made(send('GET', `/v1/customers/${id}/erasure`));
    expect(erasure.status).toBe('complete');
    return erasure;
  });

const deletions = async (id: string): Promise<readonly { object: Record<string, unknown> }[]> => {
  const { webhook_events: events } = await made(send('GET', '/v1/webhook-events?type=customer.deleted&limit=100'));
  return events
    .map(({ data }: { data: { object: { id: string } } }) => data)
    .filter(({ object }: { object: { id: string } }) => object.id === id);
};

describe('an export', () => {
  test('contains everything about the customer, at the path of its answer', async () => {
    const ada = await register();
    const { id } = await order(ada);
    const thread = { customer_id: ada.id, subject: 'A chip', body: 'My mug has a chip.' };
    await made(
      stoa.send('POST', '/v1/messaging/threads', { key: keys.publishable_key, headers: ada.session, body: thread }),
    );
    const started = await send('POST', `/v1/customers/${ada.id}/export`);
    expect(started.status, started.text).toBe(202);
    const { path, id: exportId } = started.body.export;
    expect(path).toBe(`/v1/customers/${ada.id}/exports/${exportId}`);
    const { archive } = await eventually(async () => {
      const found = (await made(send('GET', `/v1/customers/${ada.id}/exports/${exportId}`))).export;
      expect(found.status).toBe('complete');
      return found;
    });
    expect(archive.customer).toMatchObject({ id: ada.id, email: ada.email, last_name: 'Mwangi', language: 'de' });
    expect(archive.orders.map((each: { id: string }) => each.id)).toEqual([id]);
    expect(archive.threads[0].messages[0].body).toBe('My mug has a chip.');
    expect(archive.sessions).toHaveLength(1);
  });

  test('answers the customer’s own session, and refuses others', async () => {
    const [ada, bob] = [await register(), await register()];
    const as = (shopper: Shopper, method: string, path: string) =>
      stoa.send(method, path, { key: keys.publishable_key, headers: shopper.session });
    const { path } = (await made(as(ada, 'POST', `/v1/customers/${ada.id}/export`))).export;
    expect((await as(ada, 'GET', path)).status).toBe(200);
    expect((await as(bob, 'GET', path)).status).toBe(403);
    expect((await as(bob, 'POST', `/v1/customers/${ada.id}/export`)).status).toBe(403);
    expect((await stoa.send('GET', path, { key: keys.publishable_key })).status).toBe(401);
    expect((await stoa.send('GET', path, { key: keys.secret_test_key })).status).toBe(404);
    const other = await stoa.createStore();
    expect((await stoa.send('GET', path, { key: other.secret_key })).status).toBe(404);
  });

  test('starts once for many callers, and replaces the one before', async () => {
    const ada = await create();
    const started = await Promise.all(Array.from({ length: 8 }, () => send('POST', `/v1/customers/${ada.id}/export`)));
    const paths = new Set(started.map(({ body }) => body.export.path));
    const { sql } = stoa.services.runtime.postgres;
    const rows = await sql<{ id: string }[]>`
      select id from privacy.export where store = ${keys.store_id} and customer = ${ada.id}`;
    expect(rows.length).toBe(1);
    // A caller that arrives after the first export is complete replaces it, and its answer may be anywhere in the list.
    const last = `/v1/customers/${ada.id}/exports/${rows[0]!.id}`;
    expect(paths).toContain(last);
    await eventually(async () => expect((await made(send('GET', last))).export.status).toBe('complete'));
    const next = (await made(send('POST', `/v1/customers/${ada.id}/export`))).export;
    expect((await send('GET', last)).status).toBe(404);
    expect((await send('GET', next.path)).status).toBe(200);
  });

  test('refuses a customer that does not exist', async () => {
    const refused = await send('POST', '/v1/customers/00000000-0000-7000-8000-000000000000/export');
    expect(refused.status).toBe(404);
  });
});

describe('an erasure', () => {
  test('ends the account at once, and leaves the amounts of orders without the person', async () => {
    const ada = await register();
    const [own, guests] = [await order({ ...ada, id: ada.id }), await order({ email: ada.email.toUpperCase() })];
    const started = await send('POST', `/v1/customers/${ada.id}/erase`, { reason: 'Request of 3 May' });
    expect([started.status, started.body.erasure.status]).toEqual([202, 'running']);
    expect((await send('GET', '/v1/auth/me', undefined, ada.session)).status).toBe(401);
    expect(await erased(ada.id)).toMatchObject({ reason: 'Request of 3 May', completed_at: expect.any(String) });
    for (const { id, total_amount } of [own, guests]) {
      const { order: left } = await made(send('GET', `/v1/orders/${id}`));
      expect(left).toMatchObject({
        email: `erased-${ada.id}@example.invalid`,
        total_amount,
        note: null,
        shipping_address: { line1: 'Erased', city: 'Erased', country: 'KE' },
      });
    }
    const events = await made(send('GET', '/v1/webhook-events?limit=100'));
    expect(JSON.stringify(events).toLowerCase()).not.toContain(ada.email);
  });

  test('sends customer.deleted once for many callers, and can be repeated', async () => {
    const ada = await create();
    const erase = () => send('POST', `/v1/customers/${ada.id}/erase`, { reason: 'Request of 3 May' });
    const started = await Promise.all(Array.from({ length: 8 }, erase));
    expect(started.map(({ status }) => status)).toEqual(Array(8).fill(202));
    await erased(ada.id);
    expect((await erase()).status).toBe(202);
    await erased(ada.id);
    const [event, ...more] = await deletions(ada.id);
    expect(more).toEqual([]);
    expect(event!.object).toMatchObject({ id: ada.id, addresses: [] });
    expect(JSON.stringify(event)).not.toContain('Mwangi');
  });

  test('reaches a customer who was deleted before, whose deletion is not told again', async () => {
    const ada = await create();
    const { id } = await order({ ...ada, id: ada.id });
    await made(send('DELETE', `/v1/customers/${ada.id}`));
    expect((await send('POST', `/v1/customers/${ada.id}/erase`, { reason: 'Request' })).status).toBe(202);
    await erased(ada.id);
    expect((await made(send('GET', `/v1/orders/${id}`))).order.email).toBe(`erased-${ada.id}@example.invalid`);
    expect(await deletions(ada.id)).toHaveLength(1);
  });

  test('leaves another customer to whom the person had something sent', async () => {
    const [ada, bob] = [await create(), await create()];
    await order({ email: bob.email, id: ada.id });
    const { id } = await order({ email: bob.email });
    await made(send('POST', `/v1/customers/${ada.id}/erase`, { reason: 'Request' }));
    await erased(ada.id);
    expect((await made(send('GET', `/v1/orders/${id}`))).order.email).toBe(bob.email);
    expect((await made(send('GET', `/v1/customers?email=${bob.email}`))).customers).toHaveLength(1);
  });

  test('frees the address, whose next account is not the erased person’s', async () => {
    const ada = await create();
    await made(send('POST', `/v1/customers/${ada.id}/erase`, { reason: 'Request' }));
    await erased(ada.id);
    const { customer } = await made(send('POST', '/v1/customers', { email: ada.email }));
    await made(send('POST', `/v1/customers/${ada.id}/erase`, { reason: 'Request' }));
    await erased(ada.id);
    expect((await made(send('GET', `/v1/customers?email=${ada.email}`))).customers[0].id).toBe(customer.id);
  });

  test('answers a repeated request without the person, and has no second effect', async () => {
    const headers = { 'Idempotency-Key': 'customer of the repetition' };
    const body = { email: `rep@${keys.code}.example.com`, first_name: 'Repetita' };
    const { customer } = await made(send('POST', '/v1/customers', body, headers));
    await made(send('POST', `/v1/customers/${customer.id}/erase`, { reason: 'Request' }));
    await erased(customer.id);
    const repeated = await made(send('POST', '/v1/customers', body, headers));
    expect(repeated.customer.id).toBe(customer.id);
    expect(JSON.stringify(repeated)).not.toContain('Repetita');
  });

  test.each([
    [{}, 'reason'],
    [{ reason: '  ' }, 'reason'],
    [{ reason: 'x'.repeat(501) }, 'reason'],
  ])('refuses a body of %j', async (body, param) => {
    const ada = await create();
    const refused = await send('POST', `/v1/customers/${ada.id}/erase`, body);
    expect([refused.status, refused.body.error.param]).toEqual([400, param]);
    expect((await made(send('GET', `/v1/customers?email=${ada.email}`))).customers).toHaveLength(1);
  });

  test('refuses every key but the store’s secret one', async () => {
    const ada = await register();
    const path = `/v1/customers/${ada.id}/erase`;
    const body = { reason: 'Request' };
    const refused = await stoa.send('POST', path, { key: keys.publishable_key, headers: ada.session, body });
    expect(refused.status).toBe(403);
    const other = await stoa.createStore();
    expect((await stoa.send('POST', path, { key: other.secret_key, body })).status).toBe(404);
    expect((await send('GET', `/v1/customers/${ada.id}/erasure`)).status).toBe(404);
  });
});

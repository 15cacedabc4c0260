// Audit records are as durable as the writes that they describe: one transaction commits both.
import { randomUUID } from 'node:crypto';
import { beforeAll, expect, test } from 'vitest';
import { type Keys, type Reply, type Stoa, sharedStoa } from '#test/support/stoa.ts';

let stoa: Stoa;
let keys: Keys;
beforeAll(async () => {
  stoa = await sharedStoa();
  keys = await stoa.createStore();
});

const write = async (method: string, path: string, body: unknown, headers = {}): Promise<Reply['body']> => {
  const key = { key: keys.secret_key, signWith: keys.hmac_secret };
  const { status, body: answer, text } = await stoa.send(method, path, { ...key, body, headers });
  expect(status, text).toBeLessThan(300);
  return answer;
};

/** Ids of the transactions that wrote a table's rows of the store. */
const transactionsOf = async (table: string, id: string, column = 'id'): Promise<readonly string[]> => {
  const { sql } = stoa.services.runtime.postgres;
  const rows = await sql<{ xmin: string }[]>`
    select xmin::text from ${sql(table)} where store = ${keys.store_id} and ${sql(column)}::text = ${id}`;
  return rows.map(({ xmin }) => xmin);
};

test.each([
  ['with a key', { 'Idempotency-Key': randomUUID() }],
  ['without a key', {}],
])('a write %s and its record commit together', async (_, headers) => {
  const body = { name: 'VAT', country: 'KE', rate: 0.16 };
  const made = await stoa.send('POST', '/v1/tax-rates', { key: keys.secret_key, body, headers });
  const { id } = made.body.tax_rate;
  expect(await transactionsOf('runtime.audit', id, 'resource_id')).toEqual(
    await transactionsOf('pricing.tax_rate', id),
  );
});

test('orders that share a transaction have a record each in it', async () => {
  const { variant_id } = await write('POST', '/v1/products', {
    name: 'Mug',
    price: 4,
    stock: 100,
    shipping_info: { requires_shipping: false },
  });
  const order = { items: [{ variant_id, quantity: 1 }], email: 'ada@example.com' };
  const made = await Promise.all(Array.from({ length: 8 }, () => write('POST', '/v1/orders', order)));
  const ids: string[] = made.map((each) => each.order.id);
  const used = new Set<string>();
  for (const id of ids) {
    const [own] = await transactionsOf('runtime.audit', id, 'resource_id');
    expect(await transactionsOf('orders.order', id)).toEqual([own]);
    used.add(own!);
  }
  expect(used.size).toBeLessThan(ids.length);
});

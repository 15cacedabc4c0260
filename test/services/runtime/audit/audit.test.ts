// Audit records are as durable as the writes that they describe: one transaction commits both.
import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import { refuse } from '#runtime/call/call.ts';
import { Unavailable } from '#runtime/call/fault.ts';
import { command, type Handler, query, read, transaction } from '#runtime/domain/rpc.ts';
import { Host } from '#runtime/host/host.ts';
import type { Answer } from '#runtime/link/frame.ts';
import { Cancellation } from '#runtime/link/server.ts';
import { ValueAsk } from '#runtime/link/value_ask.ts';
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

describe('a write outside of Postgres', () => {
  const hostOf = (handler: Handler): Host =>
    new Host(stoa.services.runtime, [{ name: 'category', services: { Category: { CreateCategory: handler } } }]);
  const call = (host: Host, requestId: string): Promise<Answer> | Answer =>
    host.dispatch(
      new ValueAsk({
        rpc: 'Category/CreateCategory',
        caller: {
          tenant: { store: keys.store_id, environment: 'production' },
          keyType: 'secret',
          keyId: 'till',
          customer: null,
        },
        timeoutMs: 5_000,
        requestId,
        trace: '',
        value: { name: 'Lamps' },
        rawBody: null,
        contentType: '',
        idempotency: null,
        revisionMin: 0,
      }),
      new Cancellation(),
    );
  const countOf = async (requestId: string): Promise<number> => {
    const { sql } = stoa.services.runtime.postgres;
    const rows = await sql`
      select 1 from runtime.audit
      where store = ${keys.store_id} and request_id = ${requestId} and resource_id = 'lamps'`;
    return rows.length;
  };
  const done = () => ({ category: { id: 'lamps', name: 'Lamps' } });

  test.each([
    ['read', read(done)],
    ['query', query(done)],
    ['command', command(done)],
    ['transaction', transaction(done)],
  ])('is recorded before its answer, for a handler of kind %s', async (kind, handler) => {
    const answer = await call(hostOf(handler), kind);
    expect(answer.refused).toBeNull();
    expect(await countOf(kind)).toBe(1);
  });

  test.each([
    ['read', read(() => refuse('conflict', 'No.'))],
    ['command', command(() => refuse('conflict', 'No.'))],
    ['transaction', transaction(() => refuse('conflict', 'No.'))],
  ])('leaves no record of a refusal, for a handler of kind %s', async (kind, handler) => {
    const answer = await call(hostOf(handler), `refused ${kind}`);
    expect(answer.refused?.code).toBe('conflict');
    expect(await countOf(`refused ${kind}`)).toBe(0);
  });

  test('answers nothing without its record', async () => {
    const { runtime } = stoa.services;
    const failing = {
      ...runtime,
      postgres: { ...runtime.postgres, transaction: () => Promise.reject(new Unavailable('The database is gone.')) },
    };
    const host = new Host(failing, [{ name: 'category', services: { Category: { CreateCategory: command(done) } } }]);
    const answer = await call(host, 'failed');
    expect(answer.refused?.code).toBe('server_error');
  });
});

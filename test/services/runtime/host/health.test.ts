// The health of a host whose Postgres answers reads and refuses writes, as a full disk and a standby do.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually, freshDatabase, openPostgres, serverUrls, type TestDatabase } from '#test/support/server.ts';
import { type Keys, type Stoa, startStoa } from '#test/support/stoa.ts';

let database: TestDatabase;
let stoa: Stoa;
let keys: Keys;
beforeAll(async () => {
  database = await freshDatabase();
  stoa = await startStoa({ databaseUrl: database.url });
  keys = await stoa.createStore();
});
afterAll(async () => {
  await stoa?.stop();
  await database?.drop();
});

/** Has every session of the database begin anew under the setting. */
const setReadOnly = async (value: 'on' | 'off'): Promise<void> => {
  const server = openPostgres(serverUrls().postgres, { connectionsMax: 1 });
  const name = new URL(database.url).pathname.slice(1);
  try {
    await server.sql.unsafe(`alter database ${name} set default_transaction_read_only = ${value}`);
    await server.sql`select pg_terminate_backend(pid) from pg_stat_activity where datname = ${name}`;
  } finally {
    await server.close();
  }
};

const create = (name: string) =>
  stoa.send('POST', '/v1/products', { key: keys.secret_key, body: { name: `Product ${name}`, price: 9 } });
const health = async () => (await stoa.send('GET', '/v1/health')).body;

test('reports postgres as degraded from the first refused write until writes are taken again', async () => {
  expect(await health()).toMatchObject({ status: 'ok', components: { postgres: 'ok' } });
  await setReadOnly('on');
  await eventually(async () => {
    expect((await create('lost')).status).toBe(503);
    expect(await health()).toMatchObject({ status: 'degraded', components: { services: 'ok', postgres: 'degraded' } });
  });
  expect(stoa.services.components()).toMatchObject({ postgres: 'degraded' });
  expect((await stoa.send('GET', '/v1/products', { key: keys.secret_key })).status).toBe(200);
  // The trial write says that there is still no room.
  await expect(stoa.services.runtime.postgres.probeWrite()).rejects.toThrow();
  expect(await health()).toMatchObject({ components: { postgres: 'degraded' } });

  await setReadOnly('off');
  // No caller writes meanwhile.
  await eventually(async () => expect(await health()).toMatchObject({ status: 'ok', components: { postgres: 'ok' } }));
  expect((await create('found')).status).toBe(201);
});

test('reports ok again at once where a caller’s write is taken', async () => {
  await setReadOnly('on');
  await eventually(async () => {
    expect((await create('lost')).status).toBe(503);
    expect(await health()).toMatchObject({ components: { postgres: 'degraded' } });
  });
  await setReadOnly('off');
  await eventually(async () => expect((await create('again')).status).toBe(201));
  expect(await health()).toMatchObject({ status: 'ok', components: { postgres: 'ok' } });
});

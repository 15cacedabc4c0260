// Who holds a sandbox lets it go, whatever went wrong.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually } from '#test/support/server.ts';
import { type Keys, type Stoa, startStoa } from '#test/support/stoa.ts';

let stoa: Stoa;
beforeAll(async () => {
  stoa = await startStoa();
});
afterAll(() => stoa.stop());

const sql = () => stoa.services.foundation.postgres.sql;
const reset = ({ secret_test_key: key }: Keys) => stoa.send('POST', '/v1/sandbox/reset', { key, body: {} });

/** Has Postgres refuse writes to a table, with this error. Returns how to have it take them again. */
const refusing = async (write: string, { store_id: store }: Keys, error: string, when = 'true') => {
  await sql().unsafe(`
    create or replace function refuse_${error}() returns trigger language plpgsql as
      'begin raise ${error}; end';
    create trigger refuse before ${write} for each row
      when (new.store = '${store}' and ${when}) execute function refuse_${error}()`);
  return () => sql().unsafe(`drop trigger refuse on ${write.split(' on ')[1]}`);
};

const isHeld = async ({ store_id: store }: Keys): Promise<boolean> =>
  (await sql()`select from sandbox.clock where store = ${store} and busy is not null`).length > 0;

test('its caller hears of the first problem though the sandbox cannot be let go, which is tried again', async () => {
  const keys = await stoa.createStore();
  const shutting = await refusing('insert on runtime.renewal', keys, 'lock_not_available');
  const lettingGo = await refusing('update on sandbox.clock', keys, 'raise_exception', 'new.busy is null');
  try {
    expect((await reset(keys)).status).toBe(503);
    expect(await isHeld(keys)).toBe(true);
  } finally {
    await shutting();
    await lettingGo();
  }
  await eventually(async () => expect(await isHeld(keys)).toBe(false));
  expect((await reset(keys)).status).toBe(200);
});

test('it is held no longer than its lease lasts where the end of it cannot be written down', async () => {
  const keys = await stoa.createStore();
  const ending = await refusing('update on sandbox.clock', keys, 'raise_exception', 'new.busy is null');
  try {
    expect((await reset(keys)).status).toBe(500);
  } finally {
    await ending();
  }
  await eventually(async () => expect((await reset(keys)).status).toBe(200));
});

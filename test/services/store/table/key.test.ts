// Records the last use of keys, and stores their texts in no row, log or event.
import { Writable } from 'node:stream';
import pino from 'pino';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type KeyOwner, LIVE_SECRET, openKeyOwner, statusWith as statusOf } from '#test/services/store/key_owner.ts';
import { eventually } from '#test/support/server.ts';
import { type Stoa, startStoa } from '#test/support/stoa.ts';

let stoa: Stoa;
let owner: KeyOwner;
let logged = '';
beforeAll(async () => {
  const log = pino(
    { level: 'trace' },
    new Writable({
      write: (chunk, _encoding, done) => {
        logged += String(chunk);
        done();
      },
    }),
  );
  stoa = await startStoa({ log, trustedProxies: '127.0.0.1' });
});
afterAll(() => stoa.stop());
beforeEach(async () => {
  owner = await openKeyOwner(stoa);
});

const statusWith = (key: string, path?: string, url?: string) => statusOf(stoa, key, path, url);

test('texts of keys stand in no row, log or event; a retry shows them', async () => {
  const headers = { 'Idempotency-Key': 'create once' };
  const [first, retry] = [
    await owner.send('POST', '/v1/keys', { body: LIVE_SECRET, headers }),
    await owner.send('POST', '/v1/keys', { body: LIVE_SECRET, headers }),
  ];
  expect(retry.headers.get('idempotent-replayed')).toBe('true');
  expect(retry.body).toEqual({ ...first.body, idempotent: true });
  const { id, secret, hmac_secret } = first.body.key;
  const rolled = (await owner.roll(id, 1)).body.key;
  await statusWith(secret, '/v1/nowhere');
  await owner.send('POST', '/v1/keys', { body: { ...LIVE_SECRET, name: secret, type: hmac_secret } });

  const { sql } = stoa.services.runtime.postgres;
  const tables = await sql<{ name: string }[]>`
    select quote_ident(table_schema) || '.' || quote_ident(table_name) as name from information_schema.tables
    where table_schema not in ('pg_catalog', 'information_schema') and table_type = 'BASE TABLE'`;
  expect(tables.length).toBeGreaterThan(50);
  const rows = await Promise.all(tables.map(({ name }) => sql.unsafe(`select t::text as text from ${name} t`)));
  const stored = rows.flat().map(({ text }) => text as string);
  for (const text of [secret, hmac_secret, rolled.secret, rolled.hmac_secret])
    for (const form of [text, Buffer.from(text).toString('hex')]) {
      expect(stored.some((row) => row.includes(form))).toBe(false);
      expect(logged.includes(form)).toBe(false);
    }
  expect(logged).not.toBe('');
});

describe('the last use', () => {
  const reported = () => stoa.edge.edge.keyUses.close();

  test('records the caller’s address, and no shopper’s', async () => {
    const { id, secret } = await owner.create({ scopes: ['catalog:read'] });
    const published = await owner.create({ type: 'publishable' });
    const before = Date.now();
    for (const key of [secret, published.secret])
      await stoa.send('GET', '/v1/products', { key, headers: { 'X-Forwarded-For': '203.0.113.9' } });
    await reported();
    const used = await owner.listed(id);
    expect(used.last_used_address).toBe('203.0.113.9');
    expect(Date.parse(used.last_used_at)).toBeGreaterThanOrEqual(before);
    expect(Date.parse(used.last_used_at)).toBeLessThanOrEqual(Date.now());
    expect(await owner.listed(published.id)).toMatchObject({
      last_used_address: null,
      last_used_at: expect.any(String),
    });

    // Long enough for the next use to be noted.
    await Bun.sleep(1_001);
    const refused = { key: secret, headers: { 'X-Forwarded-For': '2001:db8::7' } };
    expect((await stoa.send('GET', '/v1/orders', refused)).status).toBe(403);
    await reported();
    const later = await owner.listed(id);
    expect(later.last_used_address).toBe('2001:db8::7');
    expect(Date.parse(later.last_used_at)).toBeGreaterThan(Date.parse(used.last_used_at));
  });

  test('survives the stop of the edge that saw it', async () => {
    const { id, secret } = await owner.create();
    const other = stoa.anotherEdge();
    await eventually(async () => expect(await statusWith(secret, '/v1/store', other.url)).toBe(200));
    expect((await owner.listed(id)).last_used_at).toBeNull();
    await other.stop();
    expect((await owner.listed(id)).last_used_address).toBe('127.0.0.1');
  });

  test('ignores a late report, and one of another store', async () => {
    const { id } = await owner.create();
    const record = (store_id: string, used_at_ms: number, address: string) =>
      stoa.services.runtime.ask(
        'StoreDirectory/RecordKeyUses',
        { store: '', environment: 'production' },
        {
          uses: [{ store_id, key_id: id, used_at_ms, address }],
        },
      );
    await record(owner.keys.store_id, 2_000, 'second');
    await record(owner.keys.store_id, 1_000, 'first');
    await record((await stoa.createStore()).store_id, 3_000, 'third');
    expect(await owner.listed(id)).toMatchObject({
      last_used_at: new Date(2_000).toISOString(),
      last_used_address: 'second',
    });
  });
});

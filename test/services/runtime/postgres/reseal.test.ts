// The master key is changed: what lasts is sealed anew under the new key, and what stays under the old one is gone within days.
import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { NO_TENANT } from '#runtime/call/call.ts';
import { sealedColumnsOf } from '#runtime/domain/rpc.ts';
import type { Postgres } from '#runtime/postgres/database.ts';
import { canOpenAny, countSealed, type Resealed, resealAll, type SealedColumn } from '#runtime/postgres/reseal.ts';
import { openSeal, type Seal } from '#runtime/process/seal.ts';
import { insertSigningKey, keyContext } from '#services/webhook/table/signing_key.ts';
import { codeAt, dashboard, join } from '#test/services/staff/client.ts';
import {
  eventually,
  freshDatabase,
  freshNamespace,
  serverUrls,
  type TestDatabase,
  testLog,
} from '#test/support/server.ts';
import { type Keys, MASTER_KEY, type Stoa, startStoa } from '#test/support/stoa.ts';

const OLD = openSeal(MASTER_KEY);
const marks = new Set([OLD.currentKeyId]);
const fresh = (): string => {
  for (;;) {
    const key = randomBytes(32).toString('base64');
    const { currentKeyId } = openSeal(key);
    if (marks.has(currentKeyId)) continue;
    marks.add(currentKeyId);
    return key;
  }
};
const NEW_KEY = fresh();
const NEW = openSeal(NEW_KEY);
const BOTH = openSeal(`${NEW_KEY},${MASTER_KEY}`);

let database: TestDatabase;
let stoa: Stoa;
let postgres: Postgres;
let keys: Keys;
let columns: readonly SealedColumn[];
beforeAll(async () => {
  database = await freshDatabase();
  stoa = await startStoa({ databaseUrl: database.url });
  postgres = stoa.services.runtime.postgres;
  keys = await stoa.createStore();
  columns = sealedColumnsOf(stoa.services.runtime.domains);
  await fill();
});
afterAll(async () => {
  await stoa?.stop();
  await database?.drop();
});

const post = async (path: string, body: object) => {
  const reply = await stoa.send('POST', path, { key: keys.secret_key, body });
  expect(reply.status, reply.text).toBeLessThan(300);
  return reply.body;
};

/** Something in each of them. */
const fill = async (): Promise<void> => {
  const url = 'https://shop.example.com/';
  const { webhook_endpoint } = await post('/v1/webhook-endpoints', { url, events: ['*'] });
  await post(`/v1/webhook-endpoints/${webhook_endpoint.id}/rotate-secret`, {});
  await post('/v1/channels', { provider: 'own', name: 'Own', url, format: 'stoa' });
  await post('/v1/shipping/providers', { kind: 'custom', name: 'Own', url });
  const urls = { initialize_url: url, verify_url: url, signing_secret: 'a secret of both sides' };
  await post('/v1/payments/providers', { custom_provider: true, provider: 'own_pay', name: 'Own', ...urls });
  for (let n = 0; n < 3; n++) await post('/v1/gift-cards', { amount: 1 });
  const { ask } = stoa.services.runtime;
  await ask('StoreAdmin/CreateExternalAuthSecret', NO_TENANT, { store: keys.store_id });
  await ask('StoreAdmin/RotateHmacSecret', NO_TENANT, { store: keys.store_id });
  const till = { store: keys.store_id, name: 'Till', type: 'secret', environment: 'sandbox', scopes: null } as const;
  await ask('StoreAdmin/CreateKey', NO_TENANT, till);
  const [tenant, kid] = [{ store: keys.store_id, environment: 'production' } as const, 'a key'];
  const secret = OLD.close('a private key', keyContext(tenant.store, tenant.environment, kid));
  await fillTotp();
  await fillExport();
  await post('/v1/auth/reset-password', { email: 'ada@example.com' });
  const headers = { 'Idempotency-Key': 'lamps' };
  const stored = await stoa.send('POST', '/v1/categories', { key: keys.secret_key, headers, body: { name: 'Lamps' } });
  expect(stored.status).toBe(201);
  await insertSigningKey(postgres.sql, tenant, { kid, x: '', y: '', secret, created_at: new Date() });
};

/** A second factor that is on, and one that is not confirmed. */
const fillTotp = async (): Promise<void> => {
  for (const confirms of [true, false]) {
    const { cookie } = await join(stoa, keys, 'owner');
    const { secret } = (await dashboard(stoa, 'POST', '/v1/staff/session/totp', { cookie })).body;
    if (!confirms) continue;
    const body = { code: codeAt(secret, Date.now()) };
    const { status } = await dashboard(stoa, 'POST', '/v1/staff/session/totp/confirm', { cookie, body });
    expect(status).toBe(200);
  }
};

/** The data about a customer, once its archive is complete. */
const fillExport = async (): Promise<void> => {
  const { customer } = await post('/v1/customers', { email: 'ada@example.com' });
  await post(`/v1/customers/${customer.id}/export`, {});
  await eventually(async () => {
    const made = await postgres.sql`select from privacy.export where archive is not null`;
    expect(made.length).toBe(1);
  });
};

const sealedIn = ({ table, column, id, isShared }: SealedColumn) =>
  postgres.sql.unsafe<{ store: string; environment: 'production'; id: string; sealed: Uint8Array }[]>(`
    select store, ${isShared ? "'production'" : ''} environment, ${id ?? "''"}::text as id, ${column} as sealed from ${table}
    where octet_length(${column}) > 0`);

/** Counts columns with values that are not under the first key. */
const waitingUnder = async (seal: Seal): Promise<string[]> =>
  (await countSealed(postgres.sql, seal, columns)).filter(({ waiting }) => waiting > 0).map(({ name }) => name);

const sealedUnder = async (mark: number): Promise<string[]> => {
  const found: string[] = [];
  const all = await postgres.sql<{ of: string; column: string }[]>`
    select format('%I.%I', table_schema, table_name) as of, quote_ident(column_name) as column
    from information_schema.columns where data_type = 'bytea' and table_schema <> 'pg_catalog'`;
  for (const { of, column } of all) {
    // A digest is 32 bytes and may begin with any.
    const [row] = await postgres.sql.unsafe(`
      select from ${of} where octet_length(${column}) > 30 and octet_length(${column}) <> 32
        and substring(${column} from 1 for 2) = '\\x01${Buffer.of(mark).toString('hex')}'::bytea limit 1`);
    if (row) found.push(`${of}.${column}`);
  }
  return found.sort();
};

/** Until a run changes nothing, as its operator waits for: a row that is written meanwhile is left for the next one. */
const resealWhole = async (): Promise<Resealed> => {
  let [changed, closed] = [0, 0];
  for (;;) {
    const done = await resealAll(postgres.sql, BOTH, columns, testLog());
    closed = done.unreadable;
    if (done.changed === 0) return { changed, unreadable: closed };
    changed += done.changed;
  }
};

test('all that lasts is under the new key, and opens in its place', async () => {
  const named = columns.map(({ table, column }) => `${table}.${column}`);
  expect(await sealedUnder(OLD.currentKeyId!)).toEqual(named.sort());
  expect((await waitingUnder(BOTH)).sort()).toEqual(named);
  expect(await waitingUnder(OLD)).toEqual([]);
  const { changed, unreadable } = await resealWhole();
  expect(await waitingUnder(BOTH)).toEqual([]);
  expect(changed).toBeGreaterThanOrEqual(12);
  expect(unreadable).toBe(0);
  for (const of of columns)
    for (const row of await sealedIn(of)) expect(NEW.open(row.sealed, of.context(row, row.id))).not.toBe('');
  expect(await sealedUnder(OLD.currentKeyId!)).toEqual([]);
  expect(await resealAll(postgres.sql, BOTH, columns, testLog())).toEqual({ changed: 0, unreadable: 0 });
});

test('counts secrets that no key opens, and leaves them unchanged', async () => {
  const outsider = openSeal(`${fresh()},${MASTER_KEY}`);
  const { changed, unreadable } = await resealAll(postgres.sql, outsider, columns, testLog());
  expect(changed).toBe(0);
  expect(unreadable).toBeGreaterThanOrEqual(12);
  expect(await resealAll(postgres.sql, BOTH, columns, testLog())).toEqual({ changed: 0, unreadable: 0 });
});

test('a key of another deployment opens none of them, and a host with it says so in one sentence and ends', async () => {
  const { sql } = postgres;
  const other = fresh();
  expect(await canOpenAny(sql, openSeal(other), columns)).toBe(false);
  const current = [OLD, NEW, BOTH];
  expect(await Promise.all(current.map((seal) => canOpenAny(sql, seal, columns)))).toContain(true);
  expect(await canOpenAny(sql, openSeal(other), [])).toBe(null);
  const env = {
    ...process.env,
    DATABASE_URL: database.url,
    NATS_URL: serverUrls().nats,
    STOA_MASTER_KEY: other,
    STOA_LINK: '127.0.0.1:0',
    STOA_NAMESPACE: freshNamespace(),
    STOA_LOG_LEVEL: 'error',
  };
  const ended = spawnSync(process.execPath, ['services/main.ts'], { env, encoding: 'utf8', timeout: 120_000 });
  expect([ended.status, ended.stderr.trim().split('\n')]).toEqual([1, [expect.stringContaining('STOA_MASTER_KEY')]]);
});

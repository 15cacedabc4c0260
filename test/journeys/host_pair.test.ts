// Two services hosts over one database, the bus slow between them: an edge of both reads its own writes, and a sandbox is
// reset through one of them during writes of the other.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { BLOCKED_WRITE_LOCK, withWritesBlocked } from '#test/support/blocked_write.ts';
import { startProxy, type TestProxy } from '#test/support/proxy.ts';
import { eventually, freshDatabase, freshNamespace, serverUrls, type TestDatabase } from '#test/support/server.ts';
import { type Stoa, startStoa } from '#test/support/stoa.ts';

/** So much later one host hears what the other says over the bus. */
const LATE_MS = 200;
/** Which of two hosts is asked for a store's feed, and which for its settings, is drawn for each store. */
const STORES = 4;
/** Long enough for a reset that waits for no write of the other host. */
const OVERTAKING_MS = 400;

let database: TestDatabase;
let bus: TestProxy;
let far: Stoa;
let near: Stoa;
beforeAll(async () => {
  database = await freshDatabase();
  bus = await startProxy(serverUrls().nats);
  const shared = { databaseUrl: database.url, namespace: freshNamespace() };
  far = await startStoa({ ...shared, natsUrl: bus.url });
  near = await startStoa({ ...shared, beside: [far.services] });
  await eventually(() => expect(near.services.host.running).toBe(0));
});
afterAll(async () => {
  await near?.stop();
  await far?.stop();
  await bus?.close();
  await database?.drop();
});

test('shows a changed store profile in the next answer of every host, with its key and without', async () => {
  bus.lateMs = LATE_MS;
  for (let count = 0; count < STORES; count++) {
    const keys = await near.createStore();
    const feed = (name: string) => near.send('GET', `/v1/feeds/${keys.code}/${name}`);
    for (const [round, on] of [true, false, true].entries()) {
      const name = `Shop ${round}`;
      const change = { name, feeds: { llms_enabled: on, products_enabled: on } };
      const changed = await near.send('PATCH', '/v1/store', { key: keys.secret_key, body: change });
      expect(changed.status, changed.text).toBe(200);
      const [summary, products, store] = await Promise.all([
        feed('llms.txt'),
        feed('products.json'),
        near.send('GET', '/v1/store', { key: keys.publishable_key }),
      ]);
      expect([summary.status, products.status, store.body.store.name]).toEqual([on ? 200 : 404, on ? 200 : 404, name]);
      if (on) expect(summary.text).toContain(`# ${name}\n`);
    }
  }
  bus.lateMs = 0;
});

test('a sandbox is reset under the writes of the other host: these wait, and each is whole or was never done', async () => {
  const keys = await near.createStore();
  const key = keys.secret_test_key;
  const statuses = new Map<number, number>();
  let writing = true;
  const write = async (shopper: number): Promise<void> => {
    for (let turn = 0; writing; turn++) {
      const body = { name: `P-${shopper}-${turn}`, price: 5, stock: 9 };
      const { status } = await far.send('POST', '/v1/products', { key, body });
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
    }
  };
  const writers = Array.from({ length: 4 }, (_, shopper) => write(shopper));
  try {
    for (let round = 0; round < 4; round++) {
      const before = statuses.get(201) ?? 0;
      await eventually(() => expect(statuses.get(201) ?? 0).toBeGreaterThan(before + 4));
      const reset = await near.send('POST', '/v1/sandbox/reset', { key, body: {} });
      expect(reset.status, reset.text).toBe(200);
    }
  } finally {
    writing = false;
    await Promise.all(writers);
  }
  // A machine that stands still may keep a reset longer than a write waits.
  for (const status of statuses.keys()) expect([201, 503]).toContain(status);
  const { sql } = near.services.runtime.postgres;
  const torn = await sql`
    select p.id from catalog.product p
    left join catalog.variant v on v.store = p.store and v.environment = p.environment and v.product_id = p.id
    where p.store = ${keys.store_id} and v.id is null`;
  expect(torn).toHaveLength(0);
});

const isHalted = () =>
  eventually(async () => {
    const { sql } = near.services.runtime.postgres;
    const waiting = await sql`
      select from pg_locks where locktype = 'advisory' and not granted and classid = 0 and objid = ${BLOCKED_WRITE_LOCK}`;
    expect(waiting.length).toBeGreaterThan(0);
  });

const RATE = { name: 'VAT', country: 'KE', rate: 0.16 };
const ANN = { email: 'ann@example.com', password: 'correct horse battery' };
const THREAD = { subject: 'Welcome', body: 'To the lamps.' };

test.each([
  { what: 'a tax rate', table: 'pricing.tax_rate', path: '/v1/tax-rates', given: () => RATE },
  { what: 'a session', table: 'customer.session', path: '/v1/auth/login', given: () => ANN },
  {
    what: 'a message',
    table: 'message.message',
    path: '/v1/messaging/threads',
    given: (customer_id: string) => ({ ...THREAD, customer_id }),
  },
])('$what that one host writes while the other resets the sandbox does not outlive it', async (write) => {
  const keys = await near.createStore();
  const send = (path: string, body: object) => far.send('POST', path, { key: keys.secret_test_key, body });
  const { customer } = (await send('/v1/auth/register', ANN)).body;
  const { ask, postgres } = near.services.runtime;
  await withWritesBlocked(near.services.runtime.postgres, write.table, async (release) => {
    const writing = send(write.path, write.given(customer.id));
    await isHalted();
    const resetting = ask('Sandbox/ResetSandbox', { store: keys.store_id, environment: 'sandbox' }, {});
    await Bun.sleep(OVERTAKING_MS);
    release();
    expect((await writing).status).toBeLessThan(300);
    expect(await resetting).toMatchObject({ reset: true });
  });
  const left = await postgres.sql.unsafe(`select from ${write.table} where store = $1 and environment = 'sandbox'`, [
    keys.store_id,
  ]);
  expect(left).toHaveLength(0);
});

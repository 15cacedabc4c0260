// What becomes of pushed rows: counts, errors, the last one wins, replace, order, and workers that die.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { IngestionJob } from '#proto/gen/ingestion.ts';
import type { Tenant } from '#runtime/call.ts';
import { Unavailable } from '#runtime/fault.ts';
import type { WriteRows } from '#services/catalog/ingestion/intake.ts';
import { ICECAT_PRODUCTS, icecatIsThere, icecatPushes, icecatRows } from '#test/support/icecat.ts';
import { eventually } from '#test/support/server.ts';
import { countsOf, type IngestionHost, NOW, openIngestionHost } from './host.ts';

let host: IngestionHost;
beforeAll(async () => {
  host = await openIngestionHost();
  host.work({ leaseMs: 1_000 });
});
afterAll(() => host.close());

const shoe = (id: string, more: object = {}) => ({ external_id: id, name: `Shoe ${id}`, price: 10, stock: 5, ...more });
const shoes = (from: number, to: number, more: object = {}) =>
  Array.from({ length: to - from }, (_, index) => shoe(`S${from + index}`, more));

describe('a push', () => {
  test('is a queued job at once and a completed one later', async () => {
    const tenant = await host.newTenant();
    const job = await host.pushRows(tenant, [shoe('A'), shoe('B')]);
    expect(job).toMatchObject({ status: 'queued', mode: 'upsert', feed_id: null, rows_total: 2, finished_at: null });
    expect(await host.ended(tenant, job.id)).toEqual({
      id: job.id,
      status: 'completed',
      mode: 'upsert',
      feed_id: null,
      rows_total: 2,
      rows_created: 2,
      rows_updated: 0,
      rows_unchanged: 0,
      rows_failed: 0,
      rows_deactivated: 0,
      errors: [],
      created_at: new Date(NOW).toISOString(),
      started_at: new Date(NOW).toISOString(),
      finished_at: new Date(NOW).toISOString(),
    });
    expect([...(await host.products(tenant)).values()]).toEqual([
      { external_id: 'A', name: 'Shoe A', is_active: true, brand: null, price: 1_000, on_hand: 5 },
      { external_id: 'B', name: 'Shoe B', is_active: true, brand: null, price: 1_000, on_hand: 5 },
    ]);
  });

  test('counts what is new, changed and as it was', async () => {
    const tenant = await host.newTenant();
    expect(await host.take(tenant, [shoe('A'), shoe('B'), shoe('C')])).toEqual({ rows_total: 3, rows_created: 3 });
    expect(await host.take(tenant, [shoe('A'), shoe('B', { price: 11 }), shoe('C', { stock: 4 }), shoe('D')])).toEqual({
      rows_total: 4,
      rows_created: 1,
      rows_updated: 2,
      rows_unchanged: 1,
    });
    expect(await host.take(tenant, [shoe('A', { tags: ['x'], attributes: { a: 1, b: [true] } })])).toMatchObject({
      rows_updated: 1,
    });
    expect(await host.take(tenant, [shoe('A', { tags: ['x'], attributes: { a: 1, b: [true] } })])).toMatchObject({
      rows_unchanged: 1,
    });
  });

  test('changes only what a row names', async () => {
    const tenant = await host.newTenant();
    await host.take(tenant, [shoe('A', { brand: 'Acme', is_active: false })]);
    expect(await host.take(tenant, [{ external_id: 'A', price: 12.5 }])).toEqual({ rows_total: 1, rows_updated: 1 });
    expect((await host.products(tenant)).get('A')).toMatchObject({
      name: 'Shoe A',
      brand: 'Acme',
      price: 1_250,
      is_active: false,
    });
    expect(await host.take(tenant, [{ external_id: 'A', brand: null }])).toMatchObject({ rows_updated: 1 });
    expect((await host.products(tenant)).get('A')?.brand).toBeNull();
  });

  test('of two rows with one external_id the last wins, each counted as it came', async () => {
    const tenant = await host.newTenant();
    const rows = [shoe('A', { price: 1 }), shoe('B'), shoe('A', { price: 2 }), shoe('A', { price: 2 })];
    expect(await host.take(tenant, rows)).toEqual({
      rows_total: 4,
      rows_created: 2,
      rows_updated: 1,
      rows_unchanged: 1,
    });
    expect((await host.products(tenant)).get('A')?.price).toBe(200);
  });

  test('a last row that is wrong does not take the one before it along', async () => {
    const tenant = await host.newTenant();
    expect(await host.take(tenant, [shoe('A', { price: 1 }), shoe('A', { price: 'free' })])).toMatchObject({
      rows_created: 1,
      rows_failed: 1,
    });
    expect((await host.products(tenant)).get('A')?.price).toBe(100);
  });

  test('names every bad row and takes the others', async () => {
    const tenant = await host.newTenant();
    const rows = [
      shoe('A'),
      { external_id: 'N', price: 1 },
      shoe('P', { price: -1 }),
      { name: 'Nobody' },
      'nonsense',
      shoe('D', { price: 1.234 }),
      shoe('M', { media: [{ url: 'https://x.example/1.jpg' }, { url: 'ftp://x.example/2.jpg' }] }),
      shoe('V', { variants: [{ sku: 'V1', price: 3, stock: 1.5 }] }),
      shoe('Z'),
      shoe('E1', { sku: 'taken' }),
      shoe('E2', { sku: 'taken' }),
    ];
    const { errors, ...counts } = await host.take(tenant, rows);
    expect(counts).toEqual({ rows_total: 11, rows_created: 3, rows_failed: 8 });
    expect(
      (errors as IngestionJob['errors']).map(({ row, external_id, code, param }) => [row, external_id, code, param]),
    ).toEqual([
      [1, 'N', 'invalid_request', 'name'],
      [2, 'P', 'invalid_request', 'price'],
      [3, null, 'invalid_request', 'external_id'],
      [4, null, 'invalid_request', null],
      [5, 'D', 'invalid_request', 'price'],
      [6, 'M', 'invalid_request', 'media[1].url'],
      [7, 'V', 'invalid_request', 'variants[0].stock'],
      [10, 'E2', 'conflict', 'sku'],
    ]);
    expect([...(await host.products(tenant)).keys()].sort()).toEqual(['A', 'E1', 'Z']);
  });

  test('prices have the decimals of the currency', async () => {
    const yen = await host.newTenant('JPY');
    expect(await host.take(yen, [shoe('A', { price: 1200 }), shoe('B', { price: 1200.5 })])).toMatchObject({
      rows_created: 1,
      rows_failed: 1,
    });
    const dinar = await host.newTenant('KWD');
    expect(await host.take(dinar, [shoe('A', { price: 1.234 })])).toMatchObject({ rows_created: 1 });
    expect((await host.products(dinar)).get('A')?.price).toBe(1_234);
  });

  test('counts every failed row and keeps the first thousand errors', async () => {
    const tenant = await host.newTenant();
    const job = await host.pushRows(
      tenant,
      Array.from({ length: 1_300 }, () => ({ name: 'x' })),
    );
    const ended = await host.ended(tenant, job.id);
    expect([ended.status, ended.rows_failed, ended.errors.length]).toEqual(['completed', 1_300, 1_000]);
    expect(ended.errors.map(({ row }) => row)).toEqual(Array.from({ length: 1_000 }, (_, index) => index));
    const { jobs } = await host.call(tenant, 'Ingestion/ListJobs');
    expect(jobs[0].errors.length).toBe(10);
  });

  test('makes the categories it names, once', async () => {
    const tenant = await host.newTenant();
    await host.take(tenant, shoes(0, 700, { category: 'Shoes > Running' }));
    await host.take(tenant, [shoe('X', { category: 'shoes > Trail' })]);
    const rows = await host.postgres.sql<{ name: string; parent: string | null }[]>`
      select c.name, p.name as parent from catalog.category c
      left join catalog.category p on p.store = c.store and p.environment = c.environment and p.id = c.parent_id
      where c.store = ${tenant.store} order by c.name`;
    expect(rows.map(({ name, parent }) => [name, parent])).toEqual([
      ['Running', 'Shoes'],
      ['Shoes', null],
      ['Trail', 'Shoes'],
    ]);
  });

  test('writes the events of what it changed', async () => {
    const tenant = await host.newTenant();
    await host.take(tenant, [shoe('A'), shoe('B', { is_active: false })]);
    await host.take(tenant, [shoe('A', { price: 11 }), shoe('B', { is_active: false })]);
    const events = await host.events(tenant);
    expect(events.map(({ type, data }) => [type, data.object.name])).toEqual([
      ['product.created', 'Shoe A'],
      ['product.updated', 'Shoe A'],
    ]);
    expect(events[1]?.previous_attributes).toMatchObject({ price: 10 });
  });

  test('no product crosses from one tenant to another', async () => {
    const [one, other] = [await host.newTenant(), await host.newTenant()];
    const sandbox: Tenant = { ...one, environment: 'sandbox' };
    await host.take(one, [shoe('A')]);
    expect(await host.take(other, [shoe('A')])).toMatchObject({ rows_created: 1 });
    expect(await host.take(sandbox, [shoe('A')])).toMatchObject({ rows_created: 1 });
    expect(await host.take(sandbox, [], 'replace')).toEqual({ rows_deactivated: 1 });
    expect((await host.products(one)).get('A')?.is_active).toBe(true);
    expect((await host.products(other)).get('A')?.is_active).toBe(true);
  });
});

describe('a replace', () => {
  test('deactivates what it leaves out and brings back what it names', async () => {
    const tenant = await host.newTenant();
    await host.take(tenant, shoes(0, 4));
    expect(await host.take(tenant, [shoe('S0'), shoe('S1', { price: 12 }), shoe('S9')], 'replace')).toEqual({
      rows_total: 3,
      rows_created: 1,
      rows_updated: 1,
      rows_unchanged: 1,
      rows_deactivated: 2,
    });
    const active = async () =>
      [...(await host.products(tenant)).values()]
        .filter((product) => product.is_active)
        .map(({ external_id }) => external_id);
    expect((await active()).sort()).toEqual(['S0', 'S1', 'S9']);
    expect(await host.take(tenant, [shoe('S2'), shoe('S0', { is_active: false })], 'replace')).toMatchObject({
      rows_updated: 2,
      rows_deactivated: 2,
    });
    expect(await active()).toEqual(['S2']);
  });

  test('leaves alone what has no external id and what it names in a row that fails', async () => {
    const tenant = await host.newTenant();
    await host.take(tenant, [shoe('A'), shoe('B'), shoe('C')]);
    await host.postgres.transaction((tx) => host.write(tx, tenant, [{ name: 'By hand' }]));
    expect(await host.take(tenant, [shoe('A'), shoe('B', { price: -1 })], 'replace')).toMatchObject({
      rows_unchanged: 1,
      rows_failed: 1,
      rows_deactivated: 1,
    });
    const [hand] = await host.postgres.sql<{ is_active: boolean }[]>`
      select is_active from catalog.product where store = ${tenant.store} and name = 'By hand'`;
    expect(hand?.is_active).toBe(true);
    expect((await host.products(tenant)).get('B')?.is_active).toBe(true);
  });

  test('that could read no row at all deactivates nothing; an empty one everything', async () => {
    const tenant = await host.newTenant();
    await host.take(tenant, [shoe('A')]);
    expect(await host.take(tenant, [1, 2], 'replace')).toMatchObject({ rows_failed: 2 });
    expect((await host.products(tenant)).get('A')?.is_active).toBe(true);
    expect(await host.take(tenant, [], 'replace')).toEqual({ rows_deactivated: 1 });
    expect((await host.products(tenant)).get('A')?.is_active).toBe(false);
  });

  test('of many batches knows what the first ones named', async () => {
    const tenant = await host.newTenant();
    await host.take(tenant, shoes(0, 1_300));
    expect(await host.take(tenant, shoes(600, 1_900), 'replace')).toEqual({
      rows_total: 1_300,
      rows_created: 600,
      rows_unchanged: 700,
      rows_deactivated: 600,
    });
    const left = await host.postgres.sql`select 1 from catalog.ingestion_seen where store = ${tenant.store}`;
    expect(left.length).toBe(0);
  });
});

describe('NDJSON', () => {
  const push = (tenant: Tenant, text: string | Uint8Array, mode?: string) =>
    host.push(tenant, text, 'application/x-ndjson', mode);

  test('is one product a line; a line that cannot be read fails alone', async () => {
    const tenant = await host.newTenant();
    const text = `${JSON.stringify(shoe('A'))}\n{"external_id":"B",\n\n${JSON.stringify(shoe('C'))}\n`;
    const job = await push(tenant, text);
    expect(job.rows_total).toBe(3);
    expect(countsOf(await host.ended(tenant, job.id))).toEqual({
      rows_total: 3,
      rows_created: 2,
      rows_failed: 1,
      errors: [
        { row: 1, external_id: null, code: 'invalid_request', param: null, message: 'The row is not valid JSON.' },
      ],
    });
  });

  test('takes its mode from the query', async () => {
    const tenant = await host.newTenant();
    await host.take(tenant, [shoe('A'), shoe('B')]);
    const job = await push(tenant, JSON.stringify(shoe('A')), 'replace');
    expect(countsOf(await host.ended(tenant, job.id))).toMatchObject({ rows_unchanged: 1, rows_deactivated: 1 });
  });

  test('may not begin with a byte-order mark', async () => {
    const tenant = await host.newTenant();
    await expect(push(tenant, '\ufeff{}')).rejects.toThrow('byte-order mark');
  });
});

describe('a JSON push', () => {
  test.each<[string, string, string]>([
    ['takes its mode from the body', '{"mode":"replace","products":[]}', 'replace'],
    ['wherever it stands', '{"products":[{"a":"}"}],"other":{"mode":"no"},"mode" : "replace"}', 'replace'],
    ['upserts where it names none', '{"products":[]}', 'upsert'],
  ])('%s', async (_name, body, mode) => {
    const tenant = await host.newTenant();
    expect((await host.push(tenant, body, 'application/json')).mode).toBe(mode);
  });

  test('without products is refused', async () => {
    const tenant = await host.newTenant();
    await expect(host.push(tenant, '{"mode":"upsert"}', 'application/json')).rejects.toThrow('`products` is required');
    const { jobs } = await host.call(tenant, 'Ingestion/ListJobs');
    expect(jobs).toEqual([]);
  });

  test('of an internal caller is the request itself', async () => {
    const tenant = await host.newTenant();
    const { job } = await host.call(tenant, 'Ingestion/Push', { mode: 'replace', products: [shoe('A')] });
    expect(job).toMatchObject({ mode: 'replace', rows_total: 1 });
    expect(await host.ended(tenant, job.id)).toMatchObject({ rows_created: 1 });
  });
});

describe('the jobs of a tenant', () => {
  test('run one after the other in the order in which they were accepted', async () => {
    const tenant = await host.newTenant();
    const jobs: IngestionJob[] = [];
    for (let price = 1; price <= 8; price++) jobs.push(await host.pushRows(tenant, shoes(0, 30, { price })));
    for (const job of jobs) await host.ended(tenant, job.id);
    expect(new Set([...(await host.products(tenant)).values()].map(({ price }) => price))).toEqual(new Set([800]));
  });

  test('are listed newest first, page by page, by status, and to nobody else', async () => {
    const [tenant, other] = [await host.newTenant(), await host.newTenant()];
    const ids: string[] = [];
    for (let index = 0; index < 5; index++) ids.unshift((await host.pushRows(tenant, [shoe('A')])).id);
    for (const id of ids) await host.ended(tenant, id);
    const seen: string[] = [];
    let cursor: string | null = null;
    do {
      const page: { jobs: IngestionJob[]; pagination: { next_cursor: string | null; has_more: boolean } } =
        await host.call(tenant, 'Ingestion/ListJobs', { limit: 2, ...(cursor === null ? {} : { cursor }) });
      seen.push(...page.jobs.map(({ id }) => id));
      cursor = page.pagination.next_cursor;
      expect(page.pagination.has_more).toBe(cursor !== null);
    } while (cursor !== null);
    expect(seen).toEqual(ids);
    expect((await host.call(tenant, 'Ingestion/ListJobs', { status: 'failed' })).jobs).toEqual([]);
    expect((await host.call(tenant, 'Ingestion/ListJobs', { status: 'completed' })).jobs.length).toBe(5);
    const first = await host.call(tenant, 'Ingestion/ListJobs', { limit: 2 });
    const cursorOf = { limit: 2, cursor: first.pagination.next_cursor };
    expect(await host.refused(other, 'Ingestion/ListJobs', cursorOf)).toMatchObject({ code: 'invalid_request' });
    expect(await host.refused(tenant, 'Ingestion/ListJobs', { ...cursorOf, status: 'failed' })).toMatchObject({
      code: 'invalid_request',
      extra: { param: 'cursor' },
    });
    expect(await host.refused(other, 'Ingestion/GetJob', { id: ids[0]! })).toMatchObject({ code: 'not_found' });
  });
});

describe('a worker', () => {
  let own: IngestionHost;
  beforeEach(async () => {
    own = await openIngestionHost();
  });
  afterEach(() => own.close());

  /** Hands every batch to `write` after noting the external ids in it. */
  const noting =
    (seen: string[], write: WriteRows = own.write): WriteRows =>
    (tx, tenant, rows) => {
      seen.push(...rows.map((row) => row.external_id!));
      return write(tx, tenant, rows);
    };
  const ids = (from: number, to: number) => shoes(from, to).map(({ external_id }) => external_id);

  test('killed in the middle of a batch is followed by one that goes on behind the last commit', async () => {
    const tenant = await own.newTenant();
    const { id } = await own.pushRows(tenant, [...shoes(0, 250), shoe('S3', { price: 99 })], 'replace');
    const script = new URL('./doomed_worker.ts', import.meta.url).pathname;
    const doomed = spawn(process.execPath, [script, own.databaseUrl, '1000'], { stdio: ['ignore', 'pipe', 'inherit'] });
    await once(doomed.stdout, 'data');
    const job = async (): Promise<IngestionJob> => (await own.call(tenant, 'Ingestion/GetJob', { id })).job;
    expect(await job()).toMatchObject({ status: 'running', rows_total: 251, rows_created: 100 });
    doomed.kill('SIGKILL');
    await once(doomed, 'exit');
    expect((await own.products(tenant)).size).toBe(100);

    const seen: string[] = [];
    own.work({ write: noting(seen), rowsPerBatchMax: 50 });
    expect(countsOf(await own.ended(tenant, id))).toEqual({ rows_total: 251, rows_created: 250, rows_updated: 1 });
    expect(seen).toEqual([...ids(100, 250), 'S3']);
    expect((await own.products(tenant)).get('S3')?.price).toBe(9_900);
    // One event a change: none lost, none twice.
    expect((await own.events(tenant)).length).toBe(251);
  });

  test('that is stopped commits the batch in flight and hands the rest on at once', async () => {
    const tenant = await own.newTenant();
    const { id } = await own.pushRows(tenant, shoes(0, 200));
    const first: string[] = [];
    const worker = own.work({ write: noting(first), rowsPerBatchMax: 20 });
    await eventually(() => expect(first.length).toBeGreaterThan(20));
    await worker.stop();
    const { job } = await own.call(tenant, 'Ingestion/GetJob', { id });
    expect([job.status, job.rows_created]).toEqual(['running', first.length]);
    const second: string[] = [];
    own.work({ write: noting(second) });
    expect(countsOf(await own.ended(tenant, id))).toEqual({ rows_total: 200, rows_created: 200 });
    expect([...first, ...second]).toEqual(ids(0, 200));
  });

  test('that lost its lease changes nothing any more', async () => {
    const tenant = await own.newTenant();
    const { id } = await own.pushRows(tenant, shoes(0, 40));
    let release = (): void => {};
    const held = new Promise<void>((done) => {
      release = done;
    });
    const entered: string[] = [];
    const slow = own.work({
      write: async (tx, whose, rows) => {
        entered.push('batch');
        await held;
        return own.write(tx, whose, rows);
      },
    });
    await eventually(() => expect(entered).toEqual(['batch']));
    await own.postgres.sql`update catalog.ingestion_job set lease = ${crypto.randomUUID()}, leased_until = now()`;
    release();
    own.work();
    expect(countsOf(await own.ended(tenant, id))).toEqual({ rows_total: 40, rows_created: 40 });
    expect((await own.events(tenant)).length).toBe(40);
    await slow.stop();
  });

  test('finds the row that breaks the catalogue and takes the others', async () => {
    const tenant = await own.newTenant();
    own.work({
      write: (tx, whose, rows) => {
        if (rows.some((row) => row.external_id === 'S77')) throw new Error('out of order');
        return own.write(tx, whose, rows);
      },
    });
    const job = await own.ended(tenant, (await own.pushRows(tenant, shoes(0, 120))).id);
    expect(countsOf(job)).toEqual({
      rows_total: 120,
      rows_created: 119,
      rows_failed: 1,
      errors: [
        { row: 77, external_id: null, code: 'server_error', param: null, message: 'The row could not be written.' },
      ],
    });
  });

  test('tries again what the database cannot take now', async () => {
    const tenant = await own.newTenant();
    let refused = 0;
    own.work({
      write: (tx, whose, rows) => {
        if (++refused <= 2) throw new Unavailable('busy');
        return own.write(tx, whose, rows);
      },
    });
    expect(await own.take(tenant, shoes(0, 10))).toEqual({ rows_total: 10, rows_created: 10 });
  });

  test('gives a job up that gets no row further', async () => {
    const tenant = await own.newTenant();
    const { id } = await own.pushRows(tenant, [shoe('A')]);
    await own.postgres.sql`update catalog.ingestion_job set attempts = 5`;
    own.work();
    const job = await own.ended(tenant, id);
    expect([job.status, job.errors]).toEqual([
      'failed',
      [
        {
          row: null,
          external_id: null,
          code: 'server_error',
          param: null,
          message: 'The job could not be worked off.',
        },
      ],
    ]);
  });

  test('beside another one never works on the same tenant', async () => {
    const tenant = await own.newTenant();
    let at = 0;
    let most = 0;
    const write: WriteRows = async (tx, whose, rows) => {
      most = Math.max(most, ++at);
      try {
        return await own.write(tx, whose, rows);
      } finally {
        at--;
      }
    };
    for (let index = 0; index < 3; index++) own.work({ write, rowsPerBatchMax: 10 });
    const jobs: IngestionJob[] = [];
    for (let price = 1; price <= 6; price++) jobs.push(await own.pushRows(tenant, shoes(0, 40, { price })));
    for (const job of jobs) await own.ended(tenant, job.id);
    expect(most).toBe(1);
    expect(new Set([...(await own.products(tenant)).values()].map(({ price }) => price))).toEqual(new Set([600]));
  });
});

describe.runIf(icecatIsThere())('the real catalogue', () => {
  test('goes in whole, and is as it was the second time', async () => {
    const tenant = await host.newTenant();
    const rows = icecatRows();
    const pushes = icecatPushes(rows);
    const took = async () => {
      const counts: Record<string, unknown>[] = [];
      for (const push of pushes) {
        const job = await host.push(tenant, push, 'application/x-ndjson');
        counts.push(countsOf(await host.ended(tenant, job.id)));
      }
      return counts;
    };
    const sizes = (await took()).map((counts) => {
      expect(counts).toEqual({ rows_total: counts.rows_total, rows_created: counts.rows_total });
      return counts.rows_total as number;
    });
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBe(ICECAT_PRODUCTS);
    const products = await host.products(tenant);
    expect(products.size).toBe(ICECAT_PRODUCTS);
    for (const row of rows) expect(products.get(row.external_id)?.price).toBe(Math.round(row.price * 100));
    for (const counts of await took())
      expect(counts).toEqual({ rows_total: counts.rows_total, rows_unchanged: counts.rows_total });
  }, 120_000);
});

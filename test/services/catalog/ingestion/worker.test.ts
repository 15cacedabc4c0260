// Workers that die, stop, lose their lease or meet a failing row lose nothing and repeat nothing.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { IngestionJob } from '#proto/gen/ingestion.ts';
import type { Tenant } from '#runtime/call/call.ts';
import { Unavailable } from '#runtime/call/fault.ts';
import type { WriteRows } from '#services/catalog/ingestion/intake.ts';
import { RETENTION } from '#services/catalog/ingestion/job_table.ts';
import { hasIcecat, icecatPushes, someIcecatRows } from '#test/support/icecat.ts';
import { eventually } from '#test/support/server.ts';
import { countsOf, type IngestionHost, NOW, openIngestionHost, shoe, shoes } from './host.ts';

let own: IngestionHost;
beforeEach(async () => {
  own = await openIngestionHost();
});
afterEach(() => own.close());

describe('a worker', () => {
  /** Records the external ids of every batch before writing it. */
  const noting =
    (seen: string[], write: WriteRows = own.write): WriteRows =>
    (tx, tenant, rows) => {
      seen.push(...rows.map((row) => row.external_id!));
      return write(tx, tenant, rows);
    };
  const ids = (from: number, to: number) => shoes(from, to).map(({ external_id }) => external_id);

  test('continues after the last commit of a killed worker', async () => {
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
    // One event per change.
    expect((await own.events(tenant)).length).toBe(251);
  });

  test('commits the batch in flight when stopped, and releases the job at once', async () => {
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

  test('changes nothing after losing its lease', async () => {
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

  test('isolates a failing row and writes the others', async () => {
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

  test('retries what the database cannot take now', async () => {
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

  test('fails a job without progress', async () => {
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
          message: 'The job made no progress in several attempts.',
        },
      ],
    ]);
  });

  test('never shares a tenant with another worker', async () => {
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

describe('old finished jobs', () => {
  const DAY_MS = 86_400_000;
  /** Simulates that many earlier pushes. */
  const pushedEarlier = (tenant: Tenant, count: number, daysAgo: number) =>
    own.postgres.sql`
      with made as (
        insert into catalog.ingestion_job
          (store, environment, id, mode, format, status, created_at, started_at, finished_at)
        select ${tenant.store}::uuid, ${tenant.environment}, gen_random_uuid(), 'upsert', 'json', 'completed', at, at, at
        from (select ${new Date(NOW - daysAgo * DAY_MS)}::timestamptz as at) as earlier, generate_series(1, ${count})
        returning id
      )
      insert into catalog.ingestion_error (store, environment, job_id, number, code, message)
      select ${tenant.store}::uuid, ${tenant.environment}, id, 0, 'invalid_request', 'Bad.' from made`;
  const present = async (tenant: Tenant) => {
    const [row] = await own.postgres.sql<{ jobs: number; errors: number }[]>`
      select (select count(*)::integer from catalog.ingestion_job where store = ${tenant.store}) as jobs,
        (select count(*)::integer from catalog.ingestion_error where store = ${tenant.store}) as errors`;
    return row;
  };

  test('disappear with their errors beyond a thousand newer ones, except those of the last days', async () => {
    const [many, few, young] = [await own.newTenant(), await own.newTenant(), await own.newTenant()];
    await pushedEarlier(many, 300, 40);
    await pushedEarlier(many, RETENTION.newest, 31);
    await pushedEarlier(few, 5, 400);
    await pushedEarlier(young, RETENTION.newest + 20, 29);
    own.work();
    for (const tenant of [many, few, young]) await own.take(tenant, [shoe('A')]);
    // The push is one of the newest.
    await eventually(async () =>
      expect(await present(many)).toEqual({ jobs: RETENTION.newest, errors: RETENTION.newest - 1 }),
    );
    expect(await present(few)).toEqual({ jobs: 6, errors: 5 });
    expect(await present(young)).toEqual({ jobs: RETENTION.newest + 21, errors: RETENTION.newest + 20 });
  });
});

describe.runIf(hasIcecat())('the real catalogue', () => {
  test('ingests completely, and changes nothing the second time', async () => {
    own.work();
    const tenant = await own.newTenant();
    const rows = someIcecatRows();
    // More than one, each in batches.
    const pushes = icecatPushes(rows, 1024 * 1024);
    expect(pushes.length).toBeGreaterThan(1);
    const took = async () => {
      const counts: Record<string, unknown>[] = [];
      for (const push of pushes) {
        const job = await own.push(tenant, push, 'application/x-ndjson');
        counts.push(countsOf(await own.ended(tenant, job.id)));
      }
      return counts;
    };
    const sizes = (await took()).map((counts) => {
      expect(counts).toEqual({ rows_total: counts.rows_total, rows_created: counts.rows_total });
      return counts.rows_total as number;
    });
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBe(rows.length);
    const products = await own.products(tenant);
    expect(products.size).toBe(rows.length);
    for (const row of rows) expect(products.get(row.external_id)?.price).toBe(Math.round(row.price * 100));
    for (const counts of await took())
      expect(counts).toEqual({ rows_total: counts.rows_total, rows_unchanged: counts.rows_total });
  }, 600_000);
});

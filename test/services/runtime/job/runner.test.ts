// Jobs of a table: which are claimed and how often, what a failure or a killed process leaves, and which tenant is next.
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Tenant } from '#runtime/call/call.ts';
import type { DeclaredJob } from '#runtime/job/queue.ts';
import { type JobRunner, openJobRunner } from '#runtime/job/runner.ts';
import type { Postgres } from '#runtime/postgres/database.ts';
import { type Clock, type ManualClock, manualClock, systemClock } from '#runtime/process/clock.ts';
import { registry } from '#runtime/process/metric.ts';
import { addSandbox, closeSandbox, openSandbox } from '#test/support/sandbox_lock.ts';
import { eventually, freshDatabase, openPostgres, type TestDatabase, testLog } from '#test/support/server.ts';
import { addErrand, createErrands, type Errand, errands, walk } from './errand.ts';

const HOUR_MS = 3_600_000;
/** Renewed at a third of it, so a busy machine may be late by the rest. */
const LEASE_MS = 6_000;
let database: TestDatabase;
let postgres: Postgres;
let clock: ManualClock;
let live: Tenant;
let sandbox: Tenant;
let opened: JobRunner[];

beforeAll(async () => {
  database = await freshDatabase();
  postgres = openPostgres(database.url);
  await createErrands(postgres.sql);
});
afterAll(async () => {
  await postgres.close();
  await database.drop();
});
beforeEach(async () => {
  clock = manualClock(Date.now());
  live = { store: randomUUID(), environment: 'production' };
  sandbox = { store: randomUUID(), environment: 'sandbox' };
  opened = [];
  await postgres.sql`truncate errand, walk`;
});
afterEach(() => Promise.all(opened.map((jobs) => jobs.stop())));

const start = (kind: DeclaredJob, by: Clock = clock): JobRunner => {
  const jobs = openJobRunner({ postgres, clock: by, log: testLog() });
  jobs.start([kind]);
  opened.push(jobs);
  return jobs;
};
const add = (tenant: Tenant, id: string, at = clock.real()) => addErrand(postgres.sql, tenant, id, at);
const walks = async (): Promise<string[]> =>
  (await postgres.sql<{ id: string }[]>`select id from walk order by id`).map(({ id }) => id);
const row = async (id: string) => {
  const [found] = await postgres.sql<{ due_at: Date | null; leased_until: Date | null; attempts: number }[]>`
    select due_at, leased_until, attempts from errand where id = ${id}`;
  return found!;
};
const plain = (): DeclaredJob => errands((errand) => walk(postgres, errand));

test('runs what is due, and nothing before its time', async () => {
  await add(live, 'now');
  await add(live, 'later', clock.real() + HOUR_MS);
  start(plain());
  await eventually(async () => expect(await walks()).toEqual(['now']));
  clock.advance(HOUR_MS);
  await eventually(async () => expect(await walks()).toEqual(['later', 'now']));
});

test('runs a job whose rows are due from the beginning of time', async () => {
  await add(live, 'errand');
  await postgres.sql`update errand set due_at = '-infinity'`;
  start(plain());
  await eventually(async () => expect(await walks()).toEqual(['errand']));
});

test('runs each of many jobs once on three hosts', async () => {
  const ids = Array.from({ length: 60 }, (_, at) => `errand ${at}`);
  for (const id of ids) await add(live, id);
  for (let host = 0; host < 3; host++) start(plain());
  await eventually(async () => expect(await walks()).toHaveLength(60));
  expect(new Set(await walks())).toEqual(new Set(ids));
});

describe('a job that fails', () => {
  test.each<[how: string, fail: () => Promise<'again'>]>([
    ['says so', async () => 'again'],
    ['throws', () => Promise.reject(new Error('The bridge is closed.'))],
  ])('and %s is repeated after the pauses of its table, the last one over and over', async (_, fail) => {
    await add(live, 'errand');
    start(errands(fail));
    for (const [attempt, pauseMs] of [5_000, 60_000, 60_000].entries()) {
      await eventually(async () =>
        expect(await row('errand')).toEqual({
          due_at: new Date(clock.real() + pauseMs),
          leased_until: null,
          attempts: attempt + 1,
        }),
      );
      clock.advance(pauseMs);
    }
  });

  test('and whose row its own run moved is left as it was moved', async () => {
    await add(live, 'errand');
    const moved = new Date(clock.real() + HOUR_MS);
    start(
      errands(async () => {
        await postgres.sql`update errand set due_at = ${moved}, leased_until = null`;
        return 'again';
      }),
    );
    await eventually(async () => expect((await row('errand')).attempts).toBe(1));
    await Promise.all(opened.map((jobs) => jobs.stop()));
    expect((await row('errand')).due_at).toEqual(moved);
  });
});

test('renews the lease of a job that takes longer', async () => {
  const real = systemClock();
  await add(live, 'long', real.real());
  const { promise: finished, resolve: finish } = Promise.withResolvers<void>();
  const runs: Errand[] = [];
  const long = () =>
    errands(
      async (errand) => {
        runs.push(errand);
        await finished;
        return walk(postgres, errand);
      },
      { leaseMs: LEASE_MS },
    );
  start(long(), real);
  await eventually(() => expect(runs).toHaveLength(1));
  const firstEnd = (await row('long')).leased_until!;
  start(long(), real);
  await eventually(async () =>
    expect((await row('long')).leased_until!.getTime()).toBeGreaterThan(firstEnd.getTime() + LEASE_MS),
  );
  finish();
  await eventually(async () => expect(await walks()).toEqual(['long']));
  expect(runs).toHaveLength(1);
});

describe('a bounded number of places', () => {
  const { promise: released, resolve: release } = Promise.withResolvers<void>();

  test('leaves places for other tenants when one has thousands of jobs', async () => {
    await postgres.sql`
      insert into errand (store, environment, id, due_at)
      select ${live.store}, 'production', 'many ' || at, ${new Date(clock.real() - HOUR_MS)}::timestamptz + at * interval '1 ms'
      from generate_series(1, 5000) as at`;
    const running = new Set<string>();
    const slow = errands(
      async (errand) => {
        running.add(errand.id);
        if (errand.store === live.store) await released;
        return walk(postgres, errand);
      },
      { atOnce: 8, perTenant: 3 },
    );
    start(slow);
    await eventually(() => expect(running.size).toBe(3));
    await add(sandbox, 'other');
    await eventually(async () => expect(await walks()).toEqual(['other']));
    expect([...running].filter((id) => id.startsWith('many'))).toHaveLength(3);
    await postgres.sql`delete from errand where store = ${live.store} and leased_until is null`;
    release();
    await eventually(async () => expect(await walks()).toHaveLength(4));
  });

  test('gives the place of a job that waits for an answer to another one', async () => {
    for (let at = 0; at < 5; at++) await add(live, `errand ${at}`);
    const { promise: answered, resolve: answer } = Promise.withResolvers<void>();
    let waiting = 0;
    const asking = errands(
      async (errand, { whileWaiting }) => {
        await whileWaiting(() => {
          waiting++;
          return answered;
        });
        return walk(postgres, errand);
      },
      { atOnce: 1 },
    );
    start(asking);
    await eventually(() => expect(waiting).toBe(5));
    answer();
    await eventually(async () => expect(await walks()).toHaveLength(5));
  });
});

test('runs a sandbox’s jobs by its own clock, and only kinds that follow it', async () => {
  await add(sandbox, 'ahead', clock.real() + HOUR_MS);
  await add(live, 'live', clock.real() + HOUR_MS);
  clock.setOffset(sandbox, HOUR_MS);
  start(plain());
  await add(live, 'now');
  await eventually(async () => expect(await walks()).toEqual(['now']));
  start(errands((errand) => walk(postgres, errand), { clock: 'tenant' }));
  await eventually(async () => expect(await walks()).toEqual(['ahead', 'now']));
});

test('leaves the jobs of a sandbox that is being reset', async () => {
  await addSandbox(postgres, sandbox);
  await closeSandbox(postgres, sandbox, 5_000);
  await add(sandbox, 'shut');
  await add(live, 'open');
  start(plain());
  await eventually(async () => expect(await walks()).toEqual(['open']));
  await openSandbox(postgres, sandbox);
  await eventually(async () => expect(await walks()).toEqual(['open', 'shut']));
});

test('counts attempts by outcome, and tells for how long a job has been due', async () => {
  await add(live, 'late', clock.real() - HOUR_MS);
  const jobs = start(errands(async () => 'again', { atOnce: 0 }));
  const metric = async (name: string): Promise<number | undefined> => {
    const { values } = await registry.getSingleMetric(`stoa_${name}`)!.get();
    return values.find(({ labels }) => labels.kind === 'errand')?.value;
  };
  await eventually(async () => expect(await metric('jobs_late_seconds')).toBeGreaterThanOrEqual(HOUR_MS / 1_000));
  await jobs.stop();
  start(plain());
  await eventually(async () => expect(await metric('jobs_late_seconds')).toBe(0));
  expect(await registry.metrics()).toMatch(/stoa_jobs_total\{kind="errand",outcome="ended"[^}]*\} \d/);
});

describe('a process that is killed', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'stoa-jobs-'));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  test.each<[where: string, point: string, id: string, attempt: number]>([
    ['after its claim loses nothing', 'job_claim', 'errand', 2],
    ['after the work repeats nothing', 'job_run', 'errand', 1],
    ['after the note of a failure repeats the job by its table', 'job_note', 'twice', 2],
  ])('%s', async (_, point, id, attempt) => {
    await add(live, id);
    const order = join(folder, point);
    await writeFile(order, `${point}@${live.store}`);
    const script = new URL('errand_process.ts', import.meta.url).pathname;
    const run = () => Bun.spawn([process.execPath, script, database.url, order], { stderr: 'inherit' });
    const killed = run();
    await killed.exited;
    expect(killed.signalCode).toBe('SIGKILL');
    await writeFile(order, '');
    const next = run();
    const walked = await eventually(async () => {
      const found = await postgres.sql<{ attempt: number }[]>`select attempt from walk where store = ${live.store}`;
      expect(found.length).toBeGreaterThan(0);
      return found.map((each) => each.attempt);
    });
    next.kill();
    await next.exited;
    expect(walked).toEqual([attempt]);
    expect(await row(id)).toMatchObject({ due_at: null, attempts: attempt });
  });
});

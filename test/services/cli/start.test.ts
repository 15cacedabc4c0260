// `stoa start` as a user runs it: one process to start and stop, a system that survives its parts, nothing left behind.
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { commandLine } from '#services/cli/local/child.ts';
import { readRunning } from '#services/cli/running.ts';
import { ownPort } from '#test/support/port.ts';
import { eventually, openPostgres } from '#test/support/server.ts';
import { sendTo } from '#test/support/stoa.ts';

const MAIN = fileURLToPath(new URL('../../../services/cli/main.ts', import.meta.url));

const ACCESS = [
  'base_url',
  'store_id',
  'code',
  'secret_key',
  'publishable_key',
  'secret_test_key',
  'publishable_test_key',
  'hmac_secret',
  'hmac_test_secret',
];
const STAFF = ['staff_email', 'staff_password'];
const DEMO = [...ACCESS, 'operator_id', 'operator_key', 'operator_test_key', 'wholesale', ...STAFF, 'marketplace'];

/** Allows for tests that start whole systems at the same time. */
const STARTS = { timeout: 180_000 };
/** The longest wait for a start, within its test's time-out. */
const COMES_MS_MAX = 150_000;
/** The longest wait for a killed part, on a busy machine. */
const BACK_MS_MAX = 60_000;

let home: string;
let port: number;

interface Ended {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

class Run {
  readonly process: ChildProcess;
  readonly ended: Promise<Ended>;
  out = '';
  err = '';

  constructor(args: readonly string[], environment: Readonly<Record<string, string>> = {}) {
    const own = { DATABASE_URL: '', NATS_URL: '', REDIS_URL: '', STOA_DEMO: '0', NO_COLOR: '1' };
    this.process = spawn(process.execPath, [MAIN, ...args], {
      env: { ...process.env, ...own, STOA_HOME: home, PORT: String(port), ...environment },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.process.stdout!.on('data', (bytes) => {
      this.out += bytes;
    });
    this.process.stderr!.on('data', (bytes) => {
      this.err += bytes;
    });
    this.ended = new Promise((resolve) => {
      this.process.once('close', (code) => resolve({ code, out: this.out, err: this.err }));
    });
  }

  async ready(): Promise<this> {
    await this.until(() => expect(this.out).toContain('ready '));
    return this;
  }

  /** One that does not come so far is ended: the next start would find it in its home. */
  async until(holds: () => void): Promise<void> {
    const gone = this.ended.then(({ err }) => {
      throw new Error(`It ended: ${err}`);
    });
    gone.catch(() => {});
    try {
      await Promise.race([eventually(holds, COMES_MS_MAX), gone]);
    } catch (problem) {
      this.process.kill('SIGKILL');
      await this.ended;
      throw problem;
    }
  }
}

const stoa = (...args: string[]): Promise<Ended> => new Run(args).ended;

/** Lists the child processes of a supervisor, ended ones included. */
const partsOf = (supervisor: number): number[] =>
  readFileSync(`/proc/${supervisor}/task/${supervisor}/children`, 'utf8').split(' ').filter(Boolean).map(Number);

const partNamed = (supervisor: number, text: string): number =>
  partsOf(supervisor).find((pid) => commandLine(pid).includes(text)) ?? 0;

const status = async (path: string, key = ''): Promise<number> => {
  const headers: Record<string, string> = key ? { authorization: `Bearer ${key}` } : {};
  const answer = await fetch(`http://127.0.0.1:${port}${path}`, { headers, signal: AbortSignal.timeout(10_000) });
  await answer.arrayBuffer();
  return answer.status;
};

/** How many products the store's categories say it has. */
const countProducts = async (key: string): Promise<number> => {
  const answer = await fetch(`http://127.0.0.1:${port}/v1/categories`, { headers: { authorization: `Bearer ${key}` } });
  const { categories } = (await answer.json()) as { categories: { product_count: number }[] };
  return categories.reduce((total, { product_count }) => total + product_count, 0);
};

beforeAll(async () => {
  home = mkdtempSync(join(tmpdir(), 'stoa-start-'));
  port = await ownPort();
});

afterAll(() => rmSync(home, { recursive: true, force: true }));

const otherProgram = createServer();
let takenPort: number;

beforeAll(
  () =>
    new Promise<void>((resolve) => {
      otherProgram.listen(0, '127.0.0.1', () => {
        takenPort = (otherProgram.address() as AddressInfo).port;
        resolve();
      });
    }),
);

afterAll(() => void otherProgram.close());

describe('a started system', STARTS, () => {
  let run: Run;
  let supervisor: number;

  beforeAll(async () => {
    run = await new Run(['start']).ready();
    supervisor = run.process.pid!;
  }, STARTS.timeout);

  afterAll(async () => {
    run.process.kill('SIGKILL');
    await run.ended;
  });

  test('says on one line where it serves, and serves there', async () => {
    expect(run.out).toBe(`ready http://127.0.0.1:${port}\n`);
    expect(run.err).not.toContain('The demo shop');
    expect(await status('/v1/health')).toBe(200);
  });

  test('tells where its parts are, to its owner alone', () => {
    expect(readRunning(home)).toMatchObject({ pid: supervisor, base_url: `http://127.0.0.1:${port}` });
    for (const file of ['run.json', 'master.key', 'postgres.json', 'nats.json'])
      expect(statSync(join(home, file)).mode & 0o077).toBe(0);
  });

  test.each([
    [
      'services',
      [
        'stoa_build_info{version="1.0.0"',
        'stoa_payments_needs_review{',
        'stoa_payments_pending_age_seconds{',
        'stoa_outbox_depth{',
        'stoa_outbox_age_seconds{',
        'stoa_webhook_backlog{',
        'stoa_webhook_dead_letters_total{',
        'stoa_actor_log_gaps_total{',
        'stoa_projection_age_seconds{partition="0"',
      ],
    ],
    [
      'edge',
      [
        'stoa_build_info{version="1.0.0"',
        'stoa_cache_requests_total{result="hit"',
        'stoa_cache_requests_total{result="miss"',
      ],
    ],
  ] as const)("its %s are watched by the names that operators' alarms have", async (part, names) => {
    const internal = readRunning(home)!.internal[part];
    const lines = (await (await fetch(`http://127.0.0.1:${internal}/metrics`)).text()).split('\n');
    expect(names.filter((name) => !lines.some((line) => line.startsWith(name)))).toEqual([]);
  });

  test('spreads its actors over eight logs while it serves', async () => {
    const access = JSON.parse((await stoa('store', 'create', '--name', 'Stand', '--currency', 'KES', '--json')).out);
    const headers = { 'X-Session-Id': 'visit-1' };
    const send = (method: string, path: string, body?: object) =>
      sendTo(`http://127.0.0.1:${port}`, method, path, { key: access.secret_key, headers, ...(body ? { body } : {}) });
    const { body: product } = await send('POST', '/v1/products', { name: 'Cup', price: 3, stock: 9 });
    const put = await send('POST', '/v1/cart/items', { variant_id: product.variant_id, quantity: 2 });
    expect(put.body.cart.items).toMatchObject([{ quantity: 2 }]);
    expect(JSON.parse((await stoa('partitions', 'show', '--json')).out)).toMatchObject({ epoch: 0, partitions: 1 });
    const { code, out, err } = await stoa('partitions', 'set', '8');
    expect([code, out]).toEqual([0, 'Actors are spread over 8 logs.\n']);
    expect(err).toContain('Actors move from 1 log to 8 logs');
    expect((await send('GET', '/v1/cart')).body.cart.items).toMatchObject([{ quantity: 2 }]);
    const again = { epoch: 1, partitions: 8, changing: false, former_partitions_left: 0 };
    expect(JSON.parse((await stoa('partitions', 'set', '8', '--json')).out)).toEqual(again);
    expect((await stoa('partitions', 'set', '257')).err).toContain('must be from 1 to 256');
  });

  test('makes stores whose keys work at once', async () => {
    const { code, out } = await stoa(
      'store',
      'create',
      '--name',
      'Stall',
      '--currency',
      'kes',
      '--country',
      'KE',
      '--json',
    );
    expect(code).toBe(0);
    const access = JSON.parse(out);
    expect(Object.keys(access)).toEqual(ACCESS);
    expect(access.base_url).toBe(`http://127.0.0.1:${port}`);
    for (const name of ['secret_key', 'publishable_key', 'secret_test_key', 'publishable_test_key'])
      expect(await status('/v1/store', access[name])).toBe(200);
  });

  test('does with a store and its keys what it is told', async () => {
    const access = JSON.parse((await stoa('store', 'create', '--name', 'Kiosk', '--currency', 'KES', '--json')).out);
    const plan = await stoa('store', 'set-plan', '--store', access.code, '--plan', 'growth', '--json');
    expect(JSON.parse(plan.out)).toMatchObject({ store_id: access.store_id, plan: 'growth' });
    const limits = await stoa('store', 'limits', '--store', access.store_id, '--key-hour', '7', '--json');
    expect(JSON.parse(limits.out)).toMatchObject({ limits: { key_hour: 7 } });
    const rotated = JSON.parse((await stoa('keys', 'rotate', '--store', access.code, '--json')).out);
    await eventually(async () => expect(await status('/v1/store', access.secret_key)).toBe(401));
    expect(await status('/v1/store', rotated.secret_key)).toBe(200);
    expect((await stoa('keys', 'revoke', access.publishable_test_key)).code).toBe(0);
    await eventually(async () => expect(await status('/v1/store', access.publishable_test_key)).toBe(401));
    const operator = await stoa('operator', 'create', '--name', 'Mall', '--stores', access.code, '--json');
    const marketplace = JSON.parse(operator.out);
    expect(Object.keys(marketplace)).toEqual(['operator_id', 'operator_key', 'operator_test_key']);
    const seen = () => status(`/v1/store?store_id=${access.store_id}`, marketplace.operator_key);
    const member = ['--operator', marketplace.operator_id, '--store', access.code, '--json'];
    const left = await stoa('operator', 'remove-store', ...member);
    expect(JSON.parse(left.out)).toMatchObject({ stores: [] });
    await eventually(async () => expect(await seen()).toBe(404));
    const back = await stoa('operator', 'add-store', ...member);
    expect(JSON.parse(back.out)).toMatchObject({ stores: [access.store_id] });
    await eventually(async () => expect(await seen()).toBe(200));
    const outside = await stoa('keys', 'external-auth', '--store', access.code, '--test', '--json');
    expect(Object.keys(JSON.parse(outside.out))).toEqual(['external_auth_secret']);
  });

  test('adds up the books, and ends with 1 where they do not', async () => {
    const access = JSON.parse((await stoa('store', 'create', '--name', 'Bank', '--currency', 'USD', '--json')).out);
    const made = await fetch(`http://127.0.0.1:${port}/v1/gift-cards`, {
      method: 'POST',
      headers: { authorization: `Bearer ${access.secret_key}`, 'content-type': 'application/json' },
      body: '{"amount":25}',
    });
    expect(made.status).toBe(201);
    const addUp = () => stoa('ledger', '--store', access.store_id, '--json');
    const even = await addUp();
    expect([even.code, JSON.parse(even.out)]).toMatchObject([
      0,
      { balanced: true, lines: [{ environment: 'production', currency: 'USD', postings: 1, uneven: 0, astray: 0 }] },
    ]);
    // Replica mode switches off the database's constraints for this session.
    const postgres = openPostgres(readRunning(home)!.database_url);
    await postgres.transaction(async ({ sql }) => {
      await sql`set local session_replication_role = replica`;
      await sql`update ledger.account set balance = balance + 1 where store = ${access.store_id}`;
    });
    await postgres.close();
    const odd = await addUp();
    expect([odd.code, odd.err]).toEqual([1, expect.stringContaining('not balanced')]);
    expect(JSON.parse(odd.out)).toMatchObject({ balanced: false, lines: [{ astray: 1 }] });
  });

  test.each([
    { args: ['store', 'create', '--name', 'X', '--currency', 'ZZZ'], says: 'currency' },
    { args: ['store', 'create', '--name', 'X'], says: '--currency' },
    { args: ['store', 'create', '--name', 'X', '--currency', 'USD', '--plann', 'growth'], says: '--plann' },
    { args: ['store', 'set-plan', '--store', 'nobody', '--plan', 'growth'], says: 'No such store' },
    { args: ['store', 'set-plan', '--store', 'nobody', '--plan', 'gold'], says: '--plan' },
    { args: ['store', 'limits', '--store', 'nobody', '--key-hour', 'many'], says: '--key-hour' },
    { args: ['operator', 'create', '--name', 'X', '--stores', 'nobody'], says: 'No such store' },
    { args: ['keys', 'revoke', 'svc_sk_live_nobody'], says: 'No such key' },
    { args: ['keys', 'rotate', '--store', 'unknown'], says: 'No such store' },
    { args: ['ledger', '--store', '00000000-0000-4000-8000-000000000000'], says: 'No such store' },
    { args: ['start'], says: 'already running' },
    { args: ['fly'], says: 'fly' },
  ])('answers `stoa $args` with one sentence and exit code 1', async ({ args, says }) => {
    const { code, err } = await stoa(...args);
    expect(code).toBe(1);
    expect(err.trim().split('\n')).toHaveLength(1);
    expect(err).toContain(says);
  });

  test.each(['postgres', 'nats-server', 'services/main.ts', 'edge/main.ts'])(
    'brings back %s when it is killed',
    async (part) => {
      const before = partNamed(supervisor, part);
      process.kill(before, 'SIGKILL');
      await eventually(() => {
        const now = partNamed(supervisor, part);
        expect(now).toBeGreaterThan(0);
        expect(now).not.toBe(before);
      }, BACK_MS_MAX);
      await eventually(async () => expect(await status('/v1/health')).toBe(200), BACK_MS_MAX);
    },
  );

  test('stops with everything that it started, and is no longer found', async () => {
    const parts = partsOf(supervisor);
    expect(parts.length).toBeGreaterThanOrEqual(4);
    run.process.kill('SIGINT');
    const { code, out } = await run.ended;
    expect(code).toBe(0);
    expect(out).toBe(`ready http://127.0.0.1:${port}\n`);
    for (const pid of parts) expect(commandLine(pid)).toBe('');
    const { code: after, err } = await stoa('store', 'create', '--name', 'X', '--currency', 'USD');
    expect([after, err]).toEqual([1, expect.stringContaining('No Stoa is running')]);
  });
});

test('a system that was killed leaves no process behind, and the next start finds its stores', STARTS, async () => {
  const first = await new Run(['start']).ready();
  const access = JSON.parse((await stoa('store', 'create', '--name', 'Kept', '--currency', 'USD', '--json')).out);
  const parts = partsOf(first.process.pid!);
  expect(parts.length).toBeGreaterThanOrEqual(4);
  first.process.kill('SIGKILL');
  await first.ended;
  await eventually(() => expect(parts.map(commandLine).join('')).toBe(''));
  const second = await new Run(['start'], { STOA_TOPOLOGY: 'single' }).ready();
  expect(await status('/v1/store', access.secret_key)).toBe(200);
  second.process.kill('SIGTERM');
  expect((await second.ended).code).toBe(0);
});

test(
  'the demo store is made once: the next start has its keys, its products, and the new address',
  STARTS,
  async () => {
    const demo = join(home, 'demo.json');
    const first = await new Run(['start'], { STOA_DEMO: '' }).ready();
    await first.until(() => expect(first.err).toMatch(RegExp(`(The .+:${port}/(docs|dashboard|console|shop)\n){4}`)));
    const before = JSON.parse(readFileSync(demo, 'utf8'));
    expect(Object.keys(before)).toEqual(DEMO);
    expect(['base_url', ...Object.keys(before.wholesale)]).toEqual([...ACCESS, ...STAFF]);
    expect(await status(`/v1/store?store_id=${before.wholesale.store_id}`, before.operator_key)).toBe(200);
    expect(statSync(demo).mode & 0o077).toBe(0);
    const products = await countProducts(before.publishable_key);
    expect(products).toBeGreaterThan(0);
    first.process.kill('SIGINT');
    await first.ended;
    port = await ownPort();
    const second = await new Run(['start'], { STOA_DEMO: '' }).ready();
    expect(JSON.parse(readFileSync(demo, 'utf8'))).toEqual({ ...before, base_url: `http://127.0.0.1:${port}` });
    expect(await countProducts(before.publishable_key)).toBe(products);
    second.process.kill('SIGINT');
    await second.ended;
  },
);

test('a start that is stopped half-way leaves no process behind', STARTS, async () => {
  const run = new Run(['start']);
  await run.until(() => expect(partNamed(run.process.pid!, 'services/main.ts')).toBeGreaterThan(0));
  const parts = partsOf(run.process.pid!);
  run.process.kill('SIGTERM');
  expect((await run.ended).code).toBe(0);
  expect(run.out).toBe('');
  expect(parts.map(commandLine).join('')).toBe('');
});

test('a start that is stopped while it fills the demo store is not ready', STARTS, async () => {
  rmSync(join(home, 'demo.json'), { force: true });
  const run = new Run(['start'], { STOA_DEMO: '' });
  await run.until(() => expect(run.err).toContain('Filling the demo store.'));
  run.process.kill('SIGINT');
  expect([(await run.ended).code, run.out]).toEqual([0, '']);
});

test.each([
  { name: 'a taken port', variables: () => ({ PORT: String(takenPort) }), says: 'Set PORT' },
  {
    name: 'a database that does not answer',
    variables: () => ({ DATABASE_URL: 'postgres://x@127.0.0.1:1/x' }),
    says: 'DATABASE_URL',
  },
  { name: 'a broker that does not answer', variables: () => ({ NATS_URL: 'nats://127.0.0.1:1' }), says: 'NATS_URL' },
  { name: 'a home that cannot be', variables: () => ({ STOA_HOME: '/dev/null/home' }), says: 'STOA_HOME' },
])('$name is said in one sentence', async ({ variables, says }) => {
  const { code, out, err } = await new Run(['start'], variables()).ended;
  expect([code, out]).toEqual([1, '']);
  expect(err).toContain(says);
  expect(err).not.toContain('    at ');
  expect(existsSync(join(home, 'run.json'))).toBe(false);
});

// The way to Postgres: what commits, what rolls back, and that nothing waits for ever.
import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { Refusal, refuse, type Tenant } from '#runtime/call/call.ts';
import { isUniqueViolation, Unavailable, UnknownOutcome } from '#runtime/call/fault.ts';
import type { Postgres } from '#runtime/postgres/database.ts';
import { CONNECT_TIMEOUT_MS } from '#runtime/postgres/postgres.ts';
import { createLog } from '#runtime/process/log.ts';
import { anyEvent } from '#test/support/event.ts';
import { startProxy, type TestProxy } from '#test/support/proxy.ts';
import { eventually, freshDatabase, openPostgres, type TestDatabase } from '#test/support/server.ts';

const TENANT: Tenant = { store: '11111111-1111-4111-8111-111111111111', environment: 'production' };

let database: TestDatabase;
let postgres: Postgres;

beforeAll(async () => {
  database = await freshDatabase();
  postgres = openPostgres(database.url);
  await postgres.sql`create table item (id integer primary key, note text, amount bigint)`;
});
afterAll(async () => {
  await postgres.close();
  await database.drop();
});
afterEach(async () => {
  await postgres.sql`truncate item`;
});

const count = async (): Promise<number> => {
  const [row] = await postgres.sql<{ count: number }[]>`select count(*) from item`;
  return row?.count ?? -1;
};

const settled = (promise: Promise<unknown>): Promise<unknown> => promise.catch((problem: unknown) => problem);

describe('values', () => {
  test('int8 comes as a number, and one that a number cannot hold is a fault', async () => {
    const [row] = await postgres.sql<{ n: number }[]>`select ${9_007_199_254_740_991}::bigint as n`;
    expect(row?.n).toBe(9_007_199_254_740_991);
    await expect(postgres.sql`select 9007199254740993::bigint as n`).rejects.toThrow('too large for a number');
    expect(await count()).toBe(0);
  });

  test.each([
    ['integers', [1, 2, 3], 'int[]'],
    ['texts with quotes, commas and backslashes', ['a"b', 'c,d', 'e\\f', '{g}', ''], 'text[]'],
    ['nothing', [], 'text[]'],
    ['large integers', [9_007_199_254_740_991], 'bigint[]'],
  ] as const)('an array of %s comes back as it went', async (_, values, type) => {
    const fresh = openPostgres(database.url);
    // The very first statement of a client, too.
    const rows = await fresh.sql`select ${[...values] as string[]}::${fresh.sql.unsafe(type)} as values`;
    expect(rows[0]?.values).toEqual(values);
    await fresh.close();
  });

  test('sql.array and sql.json work in the first statement of a client', async () => {
    const fresh = openPostgres(database.url);
    const [row] =
      await fresh.sql`select ${fresh.sql.array(['a', 'b'])}::text[] as list, ${fresh.sql.json({ a: [1] })} as doc`;
    expect(row).toEqual({ list: ['a', 'b'], doc: { a: [1] } });
    await fresh.close();
  });

  test('helpers write rows, columns and fragments', async () => {
    const rows = [
      { id: 1, note: 'one', amount: 100 },
      { id: 2, note: 'two', amount: 200 },
    ];
    await postgres.transaction(async ({ sql }) => {
      await sql`insert into item ${sql(rows, 'id', 'note', 'amount')}`;
      await sql`update item set ${sql({ note: 'TWO' })} where ${sql`id = ${2}`}`;
    });
    expect(
      await postgres.sql`select ${postgres.sql(['id', 'note'])} from item where id in ${postgres.sql([2, 3])}`,
    ).toEqual([{ id: 2, note: 'TWO' }]);
  });
});

describe('a transaction', () => {
  test('commits a transaction and returns its value', async () => {
    const value = await postgres.transaction(async ({ sql }) => {
      await sql`insert into item (id) values (1)`;
      return 'done';
    });
    expect(value).toBe('done');
    expect(await count()).toBe(1);
  });

  test('rolls back for a refusal and answers it', async () => {
    const refusal = await postgres.transaction(async (tx) => {
      await tx.sql`insert into item (id) values (1)`;
      await tx.emit(TENANT, [anyEvent('product.created', { id: 'p' })]);
      return refuse('conflict', 'no');
    });
    expect(refusal).toBeInstanceOf(Refusal);
    expect(await count()).toBe(0);
    expect(await postgres.sql`select 1 from runtime.outbox`).toHaveLength(0);
  });

  test('rolls back for a fault and throws it as it is', async () => {
    const fault = new Error('handler is broken');
    await expect(
      postgres.transaction(async ({ sql }) => {
        await sql`insert into item (id) values (1)`;
        throw fault;
      }),
    ).rejects.toBe(fault);
    expect(await count()).toBe(0);
  });

  test('cannot commit after a statement failed, even if its failure was caught', async () => {
    await expect(
      postgres.transaction(async ({ sql }) => {
        await sql`insert into item (id) values (1)`;
        await settled(sql`insert into item (id) values (1)`);
        return 'carried on';
      }),
    ).rejects.toThrow('rolled back');
    expect(await count()).toBe(0);
  });

  test('names the conflicting row to the handler', async () => {
    await postgres.sql`insert into item (id) values (1)`;
    const problem = await settled(postgres.transaction(({ sql }) => sql`insert into item (id) values (1)`));
    expect(isUniqueViolation(problem, 'item_pkey')).toBe(true);
    expect(isUniqueViolation(problem, 'another_index')).toBe(false);
  });

  test('runs after-commit callbacks in order, once, and contains their faults', async () => {
    const seen: string[] = [];
    const value = await postgres.transaction(async (tx) => {
      tx.afterCommit(async () => {
        seen.push(`first sees ${await count()}`);
        throw new Error('a listener is broken');
      });
      tx.afterCommit(() => {
        seen.push('second');
      });
      await tx.sql`insert into item (id) values (1)`;
      return 'answered';
    });
    expect(value).toBe('answered');
    expect(seen).toEqual(['first sees 1', 'second']);
  });

  test('skips after-commit callbacks of a refused transaction', async () => {
    const seen: string[] = [];
    await postgres.transaction(async (tx) => {
      tx.afterCommit(() => {
        seen.push('ran');
      });
      return refuse('conflict', 'no');
    });
    expect(seen).toEqual([]);
  });

  test('commits both of two deadlocked transactions, the victim at its second try', async () => {
    await postgres.sql`insert into item (id, amount) values (1, 0), (2, 0)`;
    let tries = 0;
    let met = 0;
    // Postgres looks for deadlocks after a second, just when the lock's own limit ends: give it longer.
    const patient = openPostgres(database.url, { lockTimeoutMs: 20_000, statementTimeoutMs: 25_000 });
    const cross = (first: number, second: number) =>
      patient.transaction(async (tx) => {
        tries++;
        await tx.sql`update item set amount = amount + 1 where id = ${first}`;
        met++;
        await eventually(() => {
          if (met < 2) throw new Error('alone');
        });
        await tx.sql`update item set amount = amount + 1 where id = ${second}`;
        await tx.emit(TENANT, [anyEvent('product.updated', { id: 'p' })]);
      });
    await Promise.all([cross(1, 2), cross(2, 1)]);
    await patient.close();
    // Postgres may have chosen both of them to lose.
    expect([3, 4]).toContain(tries);
    expect(await postgres.sql`select amount from item`).toEqual([{ amount: 2 }, { amount: 2 }]);
    expect(await postgres.sql`delete from runtime.outbox returning position`).toHaveLength(2);
  });

  test('serialisation failures are tried once more and then given up as unavailable', async () => {
    let tries = 0;
    const problem = await settled(
      postgres.transaction(async ({ sql }) => {
        tries++;
        await sql`do $$ begin raise exception 'met' using errcode = '40001'; end $$`;
      }),
    );
    expect(problem).toBeInstanceOf(Unavailable);
    expect(tries).toBe(2);
  });

  test('refuses statements of an ended transaction', async () => {
    const ended = await postgres.transaction(async (tx) => ({ sql: tx.sql }));
    await expect(ended.sql`insert into item (id) values (1)`).rejects.toThrow('over');
    expect(await count()).toBe(0);
  });

  test('never goes on upon another connection after its own was lost', async () => {
    const problem = await settled(
      postgres.transaction(async ({ sql }) => {
        const [row] = await sql<{ pid: number }[]>`select pg_backend_pid() as pid`;
        await sql`insert into item (id) values (1)`;
        await postgres.sql`select pg_terminate_backend(${row?.pid ?? 0})`;
        await settled(sql`insert into item (id) values (2)`);
        await settled(sql`insert into item (id) values (3)`);
        await settled(Promise.all([sql`insert into item (id) values (4)`, sql`insert into item (id) values (5)`]));
        return 'carried on';
      }),
    );
    expect(problem).toBeInstanceOf(Unavailable);
    expect(await count()).toBe(0);
  });
});

describe('limits', () => {
  let small: Postgres;
  /** Gives up so soon that where the machine is busy it may do so without a reason. */
  let hasty: Postgres;
  beforeAll(() => {
    small = openPostgres(database.url, { connectionsMax: 2 });
    hasty = openPostgres(database.url, { connectionsMax: 2, statementTimeoutMs: 400, lockTimeoutMs: 200 });
  });
  afterAll(() => Promise.all([small.close(), hasty.close()]));

  test('a statement that takes too long is unavailable and leaves its connection usable', async () => {
    expect(await settled(hasty.transaction(({ sql }) => sql`select pg_sleep(5)`))).toBeInstanceOf(Unavailable);
    expect(await settled(hasty.sql`select pg_sleep(5)`)).toBeInstanceOf(Unavailable);
    await eventually(() => hasty.ping());
    expect(hasty.load.connections).toBe(1);
  });

  test('a lock that is not given is unavailable', async () => {
    await postgres.sql`insert into item (id) values (1)`;
    const outcome = await postgres.transaction(async ({ sql }) => {
      await sql`update item set note = 'mine' where id = 1`;
      return settled(hasty.transaction((tx) => tx.sql`update item set note = 'yours' where id = 1`));
    });
    expect(outcome).toBeInstanceOf(Unavailable);
  });

  test('refuses callers that wait too long for a connection, and serves the others', async () => {
    let release = (): void => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const holders = [1, 2].map(() =>
      small.transaction(async ({ sql }) => {
        await sql`select 1`;
        await held;
      }),
    );
    expect(await settled(small.sql`select 1`)).toBeInstanceOf(Unavailable);
    release();
    await Promise.all(holders);
    await small.ping();
  });

  test('three hundred statements at once pass through two connections', async () => {
    const rows = await Promise.all(Array.from({ length: 300 }, (_, at) => small.sql`select ${at}::int as at`));
    expect(rows.map(([row]) => row?.at)).toEqual(Array.from({ length: 300 }, (_, at) => at));
    expect(small.load).toEqual({ connections: 2, busy: 0, waiting: 0 });
  });
});

describe('a server in trouble', () => {
  const connectTimeoutMs = (): number => CONNECT_TIMEOUT_MS;
  let proxy: TestProxy;
  let client: Postgres;
  beforeEach(async () => {
    proxy = await startProxy(database.url);
    client = openPostgres(proxy.url, { connectionsMax: 4, statementTimeoutMs: 1_500, connectTimeoutMs });
    await eventually(() => client.ping());
  });
  afterEach(async () => {
    await client.close();
    await proxy.close();
  });

  test('fails running statements of a frozen server, refuses new ones at once, and recovers', async () => {
    proxy.freeze();
    const running = await Promise.all([
      settled(client.sql`select 1`),
      settled(client.transaction(({ sql }) => sql`select 1`)),
      settled(Promise.resolve(client.sql`select 2`)),
    ]);
    for (const problem of running) expect(problem).toBeInstanceOf(Unavailable);
    expect(client.available).toBe(false);
    expect(await settled(client.sql`select 1`)).toBeInstanceOf(Unavailable);
    expect(await settled(client.transaction(() => 'never runs'))).toBeInstanceOf(Unavailable);
    proxy.thaw();
    await eventually(() => client.ping());
    expect(client.available).toBe(true);
  });

  test('rolls back a transaction whose server froze', async () => {
    const problem = await settled(
      client.transaction(async ({ sql }) => {
        await sql`insert into item (id) values (1)`;
        proxy.freeze();
        await sql`insert into item (id) values (2)`;
      }),
    );
    expect(problem).toBeInstanceOf(Unavailable);
    proxy.thaw();
    await eventually(() => client.ping());
    expect(await count()).toBe(0);
  });

  test('frozen under a commit: the outcome is unknown, and said to be', async () => {
    proxy.onSent = (bytes) => {
      if (bytes.includes('commit')) proxy.freeze();
    };
    const problem = await settled(client.transaction(({ sql }) => sql`insert into item (id) values (1)`));
    expect(problem).toBeInstanceOf(UnknownOutcome);
  });

  test('cut: the statement ends and the next one finds a new connection', async () => {
    const patient = openPostgres(proxy.url, { connectionsMax: 4, statementTimeoutMs: 60_000, connectTimeoutMs });
    const running = settled(patient.sql`select pg_sleep(50)`);
    await eventually(async () => {
      const [row] = await postgres.sql`select 1 from pg_stat_activity where query like 'select pg_sleep(50)%'`;
      expect(row).toBeDefined();
    });
    proxy.cut();
    expect(await running).toBeInstanceOf(Unavailable);
    await eventually(() => patient.ping());
    await patient.close();
  });

  test('gone: callers are refused, and served again without help once it is back', async () => {
    const port = proxy.port;
    await proxy.close();
    const problems = await Promise.all(Array.from({ length: 50 }, () => settled(client.transaction(() => 'never'))));
    for (const problem of problems) expect(problem).toBeInstanceOf(Unavailable);
    expect(client.available).toBe(false);
    proxy = await startProxy(database.url, port);
    await eventually(() => client.ping());
  });

  test('silent from the first byte: connecting ends, too', async () => {
    proxy.freeze();
    const late = openPostgres(proxy.url, { connectionsMax: 1, connectTimeoutMs });
    expect(await settled(late.transaction(() => 'never'))).toBeInstanceOf(Unavailable);
    expect(late.available).toBe(false);
    await late.close();
  });

  test('stays available when this process stops while it connects', async () => {
    const late = openPostgres(proxy.url, { connectionsMax: 1, connectTimeoutMs: () => 800 });
    let answer: unknown = null;
    void settled(late.sql`select 1 as n`).then((found) => {
      answer = found;
    });
    while (answer === null) {
      const until = performance.now() + 200;
      while (performance.now() < until);
      await new Promise((soon) => setTimeout(soon, 0));
    }
    expect(answer).toEqual([{ n: 1 }]);
    await late.close();
  });

  test('sends a termination message for every closed connection', async () => {
    const polite = openPostgres(proxy.url, { connectionsMax: 2, connectTimeoutMs });
    await Promise.all([1, 2].map(() => polite.sql`select pg_sleep(0.05)`));
    let farewells = 0;
    proxy.onSent = (bytes) => {
      if (bytes.at(0) === 'X'.charCodeAt(0)) farewells++;
    };
    await polite.close();
    await eventually(() => expect(farewells).toBe(2));
    proxy.onSent = null;
  });

  test('closing every connection as soon as it is made: refused, not tried for ever', async () => {
    const rude = await startProxy(database.url);
    rude.onSent = () => rude.cut();
    const late = openPostgres(rude.url, { connectTimeoutMs });
    expect(await settled(late.transaction(() => 'never'))).toBeInstanceOf(Unavailable);
    await late.close();
    await rude.close();
  });

  test('one host of two gone: the other one serves', async () => {
    const { port } = proxy;
    await proxy.close();
    const address = new URL(database.url);
    const both = database.url.replace(address.host, `127.0.0.1:${port},${address.host}`);
    const late = openPostgres(both, { connectTimeoutMs });
    await eventually(() => late.ping());
    await late.close();
  });

  test('refuses a caller when the server lacks room, and keeps open connections', async () => {
    const role = `limited_${Date.now()}`;
    await postgres.sql.unsafe(`create role ${role} login password 'limited' connection limit 1`);
    const address = new URL(database.url);
    address.username = role;
    address.password = 'limited';
    const limited = openPostgres(address.toString());
    const second = await limited.transaction(async ({ sql }) => {
      await sql`select 1`;
      return settled(limited.sql`select 1`);
    });
    expect(second).toBeInstanceOf(Unavailable);
    expect(limited.available).toBe(true);
    await limited.ping();
    await limited.close();
  });

  test.each([
    ['a wrong password', { password: 'wrong' }, 'password authentication failed'],
    ['a database that is not there', { pathname: '/nowhere' }, 'does not exist'],
  ])('%s is said in the words of the server', async (_, change, words) => {
    const address = Object.assign(new URL(database.url), change);
    const wrong = openPostgres(address.toString());
    const problem = await settled(wrong.transaction(() => 'never'));
    expect(problem).toBeInstanceOf(Unavailable);
    expect((problem as Error).message).toContain(words);
    await wrong.close();
  });

  test('a stopped backend of an otherwise healthy server costs only its own statement', async () => {
    const [row] = await client.sql<{ pid: number }[]>`select pg_backend_pid() as pid`;
    const pid = row?.pid ?? 0;
    process.kill(pid, 'SIGSTOP');
    try {
      expect(await settled(client.sql`select 1`)).toBeInstanceOf(Unavailable);
      await eventually(() => client.ping());
    } finally {
      process.kill(pid, 'SIGCONT');
    }
  });
});

test('rejects waiting callers when closed while connecting', async () => {
  // The runner fails where a rejection is not handled.
  for (let round = 0; round < 40; round++) {
    const short = openPostgres(database.url, { connectionsMax: 3 });
    const asked = [1, 2, 3].map((n) => settled(short.sql`select ${n}::int as n`));
    await new Promise((over) => setTimeout(over, Math.random() * 25));
    await short.close();
    for (const answer of await Promise.all(asked))
      if (!Array.isArray(answer)) expect(answer).toBeInstanceOf(Unavailable);
  }
});

test('reports the statement that failed, though later ones fail sooner', async () => {
  const through = async (depth: number, work: () => PromiseLike<unknown>): Promise<unknown> =>
    depth === 0 ? await work() : await through(depth - 1, work);
  const insert = () =>
    postgres.transaction(({ sql }) =>
      Promise.all([through(20, () => sql`insert into item (id) values (${1})`), sql`select ${1}::integer as one`]),
    );
  await insert();
  expect(isUniqueViolation(await settled(insert()))).toBe(true);
});

test('reports a server without room for another connection, and keeps using the open ones', async () => {
  const role = `few_${randomUUID().replaceAll('-', '')}`;
  await postgres.sql.unsafe(`create role ${role} login connection limit 2 password 'few'`);
  const lines: string[] = [];
  const log = createLog({ name: 'test', write: (line) => void lines.push(line) });
  const few = openPostgres(Object.assign(new URL(database.url), { username: role, password: 'few' }).toString(), {
    log,
  });
  try {
    await few.ping();
    expect(few.lacksConnections).toBe(false);
    const asked = await Promise.all(Array.from({ length: 6 }, () => settled(few.sql`select pg_sleep(0.1)`)));
    const refused = asked.filter((answer) => answer instanceof Unavailable);
    expect(refused.length).toBeGreaterThan(0);
    expect(refused.length).toBeLessThan(asked.length);
    expect([few.available, few.lacksConnections]).toEqual([true, true]);
    expect(lines.filter((line) => line.includes('no room for another connection'))).toHaveLength(1);
  } finally {
    await few.close();
    await eventually(() => postgres.sql.unsafe(`drop role ${role}`));
  }
});

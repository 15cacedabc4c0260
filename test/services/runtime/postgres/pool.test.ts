// A bounded set of connections: who gets one, who waits, who is sent away.
import { expect, test, vi } from 'vitest';
import { Unavailable } from '#runtime/call/fault.ts';
import { IDLE_MS_MAX, type LentFor, Pool, type Pooled } from '#runtime/postgres/pool.ts';
import { eventually } from '#test/support/server.ts';

class Line implements Pooled {
  readonly number: number;
  dead = false;
  closed = false;
  readonly #answers: () => boolean;

  constructor(number: number, answers: () => boolean) {
    this.number = number;
    this.#answers = answers;
  }
  async check(): Promise<void> {
    if (!this.#answers()) throw new Error('no answer');
  }
  close(): void {
    this.closed = true;
  }
}

const setUp = (sizeMax: number, waitersMax = 10, waitMsMax = 5_000) => {
  const lines: Line[] = [];
  const server = { answers: true };
  const states: boolean[] = [];
  const pool = new Pool<Line>({
    open: () => {
      const line = new Line(lines.length, () => server.answers);
      lines.push(line);
      return line;
    },
    sizeMax,
    waitersMax,
    waitMsMax,
    probeMs: 1,
    changed: (available) => states.push(available),
  });
  return { pool, lines, server, states };
};

test('opens as many as are needed at once, never more than it may, and lends them again', async () => {
  const { pool, lines } = setUp(2);
  const [first, second] = [await pool.acquire(), await pool.acquire()];
  const waiting = pool.acquire();
  expect(pool.waiting).toBe(1);
  pool.release(first);
  expect(await waiting).toBe(first);
  pool.release(first);
  pool.release(second);
  expect([await pool.acquire(), await pool.acquire()]).toContain(first);
  expect(lines).toHaveLength(2);
});

test('closes connections of a burst after a while, and keeps the one in use', async () => {
  const now = vi.spyOn(performance, 'now').mockReturnValue(0);
  const { pool, lines } = setUp(3);
  const lent = [await pool.acquire(), await pool.acquire(), await pool.acquire()];
  for (const line of lent) pool.release(line);
  const working = lent[2]!;
  for (const [ms, size] of [
    [IDLE_MS_MAX, 3],
    [IDLE_MS_MAX + 1, 1],
    [9 * IDLE_MS_MAX, 1],
  ] as const) {
    now.mockReturnValue(ms);
    expect(await pool.acquire()).toBe(working);
    pool.release(working);
    expect(pool.size).toBe(size);
  }
  expect(lines.map(({ closed }) => closed)).toEqual([true, true, false]);
  now.mockRestore();
  expect(new Set([await pool.acquire(), await pool.acquire(), await pool.acquire()]).size).toBe(3);
});

test('reserves a fifth of the connections for statements', async () => {
  const { pool } = setUp(5);
  const lent = await Promise.all([1, 2, 3, 4].map(() => pool.acquire('transaction')));
  const order: LentFor[] = [];
  const acquireRecorded = (lentFor: LentFor) =>
    pool.acquire(lentFor).then((line) => {
      order.push(lentFor);
      return line;
    });
  const fifth = acquireRecorded('transaction');
  const statement = await pool.acquire();
  const second = acquireRecorded('statement');
  expect([pool.busy, pool.waiting]).toEqual([5, 2]);
  pool.release(statement);
  pool.release(await second);
  expect([order, pool.waiting]).toEqual([['statement'], 1]);
  pool.release(lent[0]!);
  expect(await fifth).toBe(lent[0]);
  lent[1]!.dead = true;
  const sixth = pool.acquire('transaction');
  pool.release(lent[1]!);
  pool.release(await sixth);
  expect([order, pool.waiting]).toEqual([['statement', 'transaction'], 0]);
});

test('serves waiting callers in order', async () => {
  const { pool } = setUp(1);
  const line = await pool.acquire();
  const served: number[] = [];
  const waiters = [1, 2, 3].map(async (number) => {
    const lent = await pool.acquire();
    served.push(number);
    pool.release(lent);
  });
  pool.release(line);
  await Promise.all(waiters);
  expect(served).toEqual([1, 2, 3]);
});

test('refuses a caller when the queue is full or the wait is too long', async () => {
  const { pool } = setUp(1, 2, 20);
  await pool.acquire();
  const outcomes = await Promise.allSettled([pool.acquire(), pool.acquire(), pool.acquire()]);
  for (const outcome of outcomes)
    expect(outcome).toMatchObject({ status: 'rejected', reason: expect.any(Unavailable) });
  expect(pool.waiting).toBe(0);
});

test('replaces a dead connection, also for a waiting caller', async () => {
  const { pool, lines } = setUp(1);
  const line = await pool.acquire();
  const waiting = pool.acquire();
  line.dead = true;
  pool.release(line);
  expect((await waiting).number).toBe(1);
  expect(line.closed).toBe(true);
  pool.release(await waiting);
  if (lines[1]) lines[1].dead = true;
  expect((await pool.acquire()).number).toBe(2);
  expect(pool.size).toBe(1);
});

test('refuses everybody at once while the server is suspect', async () => {
  const { pool, server, states, lines } = setUp(2);
  const [lent, idle] = [await pool.acquire(), await pool.acquire()];
  pool.release(idle);
  await pool.acquire();
  const waiting = pool.acquire();
  server.answers = false;
  pool.suspect();
  pool.suspect();
  await expect(waiting).rejects.toBeInstanceOf(Unavailable);
  await expect(pool.acquire()).rejects.toBeInstanceOf(Unavailable);
  await eventually(() => expect(lines.length).toBeGreaterThan(5));
  expect(lines.slice(2, -1).every((line) => line.closed)).toBe(true);
  server.answers = true;
  await eventually(() => expect(pool.available).toBe(true));
  expect(states).toEqual([false, true]);
  pool.release(lent);
  expect(await pool.acquire()).toBe(lent);
  expect(pool.size).toBe(2);
});

test('closes its connections on close and lends none afterwards', async () => {
  const { pool, lines } = setUp(1);
  const line = await pool.acquire();
  const waiting = pool.acquire();
  pool.close();
  await expect(waiting).rejects.toBeInstanceOf(Unavailable);
  await expect(pool.acquire()).rejects.toBeInstanceOf(Unavailable);
  pool.release(line);
  expect(lines.every(({ closed }) => closed)).toBe(true);
});

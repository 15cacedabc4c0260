// Allows one effect for each key, with replays, conflicts and repetitions.
import fc from 'fast-check';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type Call, type Environment, type Idempotency, Refusal, refuse } from '#runtime/call/call.ts';
import type { Postgres, Transaction } from '#runtime/postgres/database.ts';
import { claimKey, markReplayed, storeAnswer, sweepIdempotency } from '#runtime/postgres/idempotency.ts';
import { type ManualClock, manualClock } from '#runtime/process/clock.ts';
import { eventually, freshDatabase, openPostgres, type TestDatabase } from '#test/support/server.ts';

const STORE = '11111111-1111-4111-8111-111111111111';
const OTHER_STORE = '22222222-2222-4222-8222-222222222222';
const HOUR_MS = 3_600_000;
const NOON = Date.parse('2026-01-01T12:00:00Z');

let database: TestDatabase;
let postgres: Postgres;
let clock: ManualClock;

beforeAll(async () => {
  database = await freshDatabase();
  clock = manualClock(NOON);
  postgres = openPostgres(database.url, { clock, connectionsMax: 25 });
  await postgres.sql`create table effect (id integer generated always as identity)`;
});
afterAll(async () => {
  await postgres.close();
  await database.drop();
});
afterEach(async () => {
  await postgres.sql`truncate effect, runtime.idempotency restart identity`;
});

interface Asked extends Partial<Idempotency> {
  readonly store?: string;
  readonly environment?: Environment;
}

const callOf = ({ store = STORE, environment = 'production', ...asked }: Asked = {}): Call => ({
  tenant: { store, environment },
  keyType: 'secret',
  keyId: 'k',
  customer: null,
  customerSession: null,
  staffSession: null,
  session: null,
  requestId: 'r',
  trace: '',
  deadline: 0,
  signal: new AbortController().signal,
  idempotency: {
    key: 'key-1',
    scope: 'POST /v1/orders',
    fingerprint: 'aa',
    replayOnly: false,
    ...asked,
  },
  revisionMin: 0,
  contentType: 'application/json',
  rawBody: new Uint8Array(),
});

type Work = (tx: Transaction) => Promise<Refusal | string>;

const effect: Work = async (tx) => {
  const [row] = await tx.sql<{ id: number }[]>`insert into effect default values returning id`;
  return JSON.stringify({ id: row?.id });
};

const ask = (call: Call, work: Work = effect): Promise<Refusal | string> =>
  postgres.transaction(async (tx) => {
    const stored = await claimKey(tx, call);
    if (stored instanceof Refusal) return stored;
    if (stored) return `replayed ${Buffer.from(stored.body).toString()}`;
    const answer = await work(tx);
    if (answer instanceof Refusal) return answer;
    await storeAnswer(tx, call, Buffer.from(answer));
    return answer;
  });

const effects = async (): Promise<number> => {
  const [row] = await postgres.sql<{ count: number }[]>`select count(*) from effect`;
  return row?.count ?? -1;
};

describe('a key', () => {
  test('used again with the same body answers as the first time and does nothing', async () => {
    const first = await ask(callOf());
    expect(await ask(callOf())).toBe(`replayed ${first}`);
    expect(await ask(callOf())).toBe(`replayed ${first}`);
    expect(await effects()).toBe(1);
  });

  test('used again with another body conflicts', async () => {
    await ask(callOf());
    expect(await ask(callOf({ fingerprint: 'bb' }))).toMatchObject({ code: 'idempotency_conflict' });
    expect(await effects()).toBe(1);
  });

  test.each([
    ['another operation', { scope: 'POST /v1/payments' }],
    ['another store', { store: OTHER_STORE }],
    ['another environment', { environment: 'sandbox' }],
    ['another key', { key: 'key-2' }],
    ['a scope and key that only look alike when joined', { scope: 'POST /v1/orders\nkey', key: '-1' }],
  ] as const)('is its own under %s', async (_, asked) => {
    await ask(callOf());
    expect(await ask(callOf(asked))).not.toMatch(/^replayed/);
    expect(await effects()).toBe(2);
  });

  test('separates keys of calls without a store', async () => {
    const first = await ask(callOf({ store: '' }));
    expect(await ask(callOf({ store: '' }))).toBe(`replayed ${first}`);
  });

  test.each([
    ['refused', async () => refuse('conflict', 'no') as Refusal | string],
    [
      'broken',
      async (): Promise<Refusal | string> => {
        throw new Error('broken');
      },
    ],
  ])('whose first call was %s runs again', async (_, work) => {
    await ask(callOf(), work).catch(() => {});
    expect(await ask(callOf())).toMatch(/^\{"id":/);
    expect(await effects()).toBe(1);
  });

  test.each([
    ['just before 24 hours it is replayed', 24 * HOUR_MS - 1, 1],
    ['after 24 hours it runs again', 24 * HOUR_MS, 2],
  ])("%s, by the tenant's clock", async (_, passedMs, expected) => {
    const sandbox = callOf({ environment: 'sandbox' });
    await ask(sandbox);
    clock.setOffset(sandbox.tenant, passedMs);
    try {
      await ask(sandbox);
      expect(await effects()).toBe(expected);
      // And what ran again is remembered anew.
      expect(await ask(sandbox)).toMatch(/^replayed/);
    } finally {
      clock.setOffset(sandbox.tenant, 0);
    }
  });

  test('accepts an expired key with another body', async () => {
    const sandbox = { environment: 'sandbox' } as const;
    await ask(callOf(sandbox));
    clock.setOffset({ store: STORE, environment: 'sandbox' }, 24 * HOUR_MS);
    try {
      expect(await ask(callOf({ ...sandbox, fingerprint: 'bb' }))).toMatch(/^\{"id":/);
    } finally {
      clock.setOffset({ store: STORE, environment: 'sandbox' }, 0);
    }
  });
});

describe('at once', () => {
  test('twenty requests under one key have one effect; the others replay or wait', async () => {
    const outcomes = await Promise.all(Array.from({ length: 20 }, () => ask(callOf())));
    expect(await effects()).toBe(1);
    for (const outcome of outcomes)
      if (outcome instanceof Refusal) expect(outcome).toMatchObject({ code: 'conflict', extra: { retryAfterS: 1 } });
      else expect(outcome).toMatch(/^(replayed )?\{"id":1\}$/);
    expect(await ask(callOf())).toBe('replayed {"id":1}');
  });

  /** A client that asks again until it is answered, as the contract wants it. */
  const insist = (call: Call): Promise<string> =>
    eventually(async () => {
      const outcome = await ask(call);
      if (outcome instanceof Refusal) throw outcome;
      return outcome.replace('replayed ', '');
    });

  test('twenty clients that retry until they are answered have one effect and one answer', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => insist(callOf())));
    expect(new Set(answers).size).toBe(1);
    expect(await effects()).toBe(1);
  });

  test('refuses at once a request whose key is still running', async () => {
    const inside = await ask(callOf(), async (tx) => {
      const answer = await effect(tx);
      expect(await ask(callOf())).toMatchObject({ code: 'conflict', extra: { retryAfterS: 1 } });
      expect(await ask(callOf({ key: 'key-2' }))).toMatch(/^\{"id":/);
      return answer;
    });
    expect(inside).toMatch(/^\{"id":/);
    expect(await effects()).toBe(2);
  });

  test('sixty keys, five clients each: sixty effects', async () => {
    const answers = await Promise.all(Array.from({ length: 300 }, (_, at) => insist(callOf({ key: `k${at % 60}` }))));
    expect(new Set(answers).size).toBe(60);
    expect(await effects()).toBe(60);
  });
});

describe('what is stored', () => {
  test('cannot be read, nor moved to another key', async () => {
    await ask(callOf(), async () => '{"secret":"only for the caller"}');
    await ask(callOf({ key: 'key-2' }), async () => '{"mine":1}');
    const rows = await postgres.sql<{ answer: Buffer; key: Buffer }[]>`select * from runtime.idempotency`;
    expect(rows).toHaveLength(2);
    for (const row of rows)
      expect(JSON.stringify(row) + row.answer.toString('latin1')).not.toMatch(/caller|key-1|orders/);
    await postgres.sql`
      update runtime.idempotency as moved set answer = other.answer
      from runtime.idempotency as other where other.key <> moved.key`;
    await expect(ask(callOf())).rejects.toThrow('do not open');
  });

  test('sweeps answers that expired by the real clock', async () => {
    await ask(callOf({ key: 'old' }));
    clock.advance(20 * HOUR_MS);
    await ask(callOf({ key: 'new' }));
    await ask(callOf({ key: 'sandbox', environment: 'sandbox' }));
    clock.advance(5 * HOUR_MS);
    expect(await sweepIdempotency(postgres, clock.real())).toBe(1);
    expect(await sweepIdempotency(postgres, clock.real())).toBe(0);
    const left = await postgres.sql<{ environment: string }[]>`select environment from runtime.idempotency`;
    expect(left.map(({ environment }) => environment).sort()).toEqual(['production', 'sandbox']);
  });
});

describe('the mark of a replay', () => {
  test.each([
    ['{}', '{"idempotent":true}'],
    ['{"a":1}', '{"a":1,"idempotent":true}'],
    ['{"idempotent":false,"a":1}', '{"idempotent":true,"a":1}'],
    ['{"text":"\\"idempotent\\""}', '{"text":"\\"idempotent\\"","idempotent":true}'],
    ['[1]', '[1]'],
    ['"text"', '"text"'],
    ['', ''],
    ['{', '{'],
  ])('%s becomes %s', (body, marked) => {
    expect(Buffer.from(markReplayed(Buffer.from(body))).toString()).toBe(marked);
  });

  test('changes nothing else of any object', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (object) => {
        const body = Buffer.from(JSON.stringify(object));
        const before = Buffer.from(body);
        const marked = JSON.parse(Buffer.from(markReplayed(body)).toString());
        expect(marked).toEqual(JSON.parse(JSON.stringify({ ...object, idempotent: true })));
        expect(body.equals(before)).toBe(true);
      }),
    );
  });
});

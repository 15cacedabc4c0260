// Calls that go into one transaction: what keeps all of them out is not waited for twice.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Call, type Tenant, tenantKey } from '#runtime/call/call.ts';
import type { Staged } from '#runtime/domain/rpc.ts';
import { answered } from '#runtime/host/answer.ts';
import { GroupCommit, type Grouped } from '#runtime/host/group_commit.ts';
import type { Answer } from '#runtime/link/frame.ts';
import type { Postgres } from '#runtime/postgres/database.ts';
import { closeSandbox, openSandbox } from '#test/support/sandbox_lock.ts';
import { freshDatabase, openPostgres, type TestDatabase } from '#test/support/server.ts';

const PATIENCE_MS = 5_000;

let database: TestDatabase;
let postgres: Postgres;
beforeAll(async () => {
  database = await freshDatabase();
  postgres = openPostgres(database.url);
});
afterAll(async () => {
  await postgres.close();
  await database.drop();
});

const callOf = (tenant: Tenant): Grouped => ({
  call: {
    tenant,
    keyType: 'secret',
    keyId: '',
    customer: null,
    customerSession: null,
    staffSession: null,
    session: null,
    requestId: '',
    trace: '',
    deadline: Number.POSITIVE_INFINITY,
    signal: new AbortController().signal,
    idempotency: { key: randomUUID(), scope: 'POST /v1/orders', fingerprint: '', replayOnly: false },
    revisionMin: 0,
    contentType: 'application/json',
    rawBody: new Uint8Array(),
  } satisfies Call,
  input: {},
  prepared: null,
  audited: null,
});

const together: NonNullable<Staged<unknown, unknown, unknown>['group']> = {
  fits: () => true,
  run: (_tx, group) => group.map(() => ({ done: true })),
};

test('lets each call wait alone, and all at once, for a closed sandbox', async () => {
  const tenant: Tenant = { store: randomUUID(), environment: 'sandbox' };
  const commits = new GroupCommit(postgres, answered);
  const wait = () => postgres.transaction(() => answered({ done: true }), tenant);
  let alone = 0;
  const bothWait = Promise.withResolvers<string>();
  const enter = (): Promise<Answer> =>
    commits.enter(tenantKey(tenant, 'orders'), together, callOf(tenant), () => {
      if (++alone === 2) bothWait.resolve('waits');
      return wait();
    });
  await closeSandbox(postgres, tenant, PATIENCE_MS);
  const waited = wait().then(
    () => 'is in',
    () => 'was sent away',
  );
  const both = Promise.all([enter(), enter()]);
  expect(await Promise.race([waited, bothWait.promise])).toBe('waits');
  await openSandbox(postgres, tenant);
  expect(await waited).toBe('is in');
  expect((await both).map(({ refused }) => refused)).toEqual([null, null]);
  await Promise.all([enter(), enter(), enter()]);
  expect(alone).toBe(2);
});

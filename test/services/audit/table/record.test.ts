// Retention of audit records by the clock, and lists by index alone.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { forgetOld } from '#runtime/flow/retention.ts';
import type { SqlFragment } from '#runtime/postgres/sql.ts';
import { type ManualClock, manualClock } from '#runtime/process/clock.ts';
import { audit } from '#services/audit/index.ts';
import { type Keys, type Stoa, startStoa } from '#test/support/stoa.ts';

const DAY_MS = 86_400_000;
const DAYS = 400;
const OTHERS = 20_000;

let clock: ManualClock;
let stoa: Stoa;
let keys: Keys;
beforeAll(async () => {
  clock = manualClock(Date.now());
  stoa = await startStoa({ clock });
  keys = await stoa.createStore();
});
afterAll(() => stoa.stop());

const operations = async (): Promise<string[]> => {
  const { body } = await stoa.send('GET', '/v1/audit-log', { key: keys.secret_key });
  return body.audit_log.map(({ after }: { after: { name: string } }) => after.name);
};
const forget = async (): Promise<number> => {
  const [rule] = audit().retention!;
  return forgetOld({ postgres: stoa.services.runtime.postgres, clock }, rule!);
};

test('a record lasts 400 days of the clock', async () => {
  const write = (name: string) => stoa.send('POST', '/v1/categories', { key: keys.secret_key, body: { name } });
  await write('first');
  clock.advance(DAY_MS);
  await write('second');
  clock.advance((DAYS - 1) * DAY_MS - 60_000);
  expect(await forget()).toBe(0);
  expect(await operations()).toEqual(['second', 'first']);
  clock.advance(120_000);
  expect(await forget()).toBe(1);
  expect(await operations()).toEqual(['second']);
});

test('a list and the deletion read by index', async () => {
  const { sql } = stoa.services.runtime.postgres;
  const tenant = { store: keys.store_id, environment: 'production' };
  await sql`
    insert into runtime.audit (store, environment, id, created_at, recorded_at, actor_kind, actor, operation, resource, resource_id, change)
    select case when n % 2 = 0 then ${tenant.store}::uuid else ${randomUUID()}::uuid end, 'production', gen_random_uuid(),
      now() - n * interval '1 minute', now() - n * interval '1 minute', 'key', 'key ' || n % 50, 'updateProduct', 'product ' || n % 20, 'record ' || n % 500, '{}'
    from generate_series(1, ${OTHERS}) as n`;
  await sql`analyze runtime.audit`;
  const planOf = async (condition: SqlFragment): Promise<string> => {
    const plan = await sql<{ 'QUERY PLAN': string }[]>`
      explain select * from runtime.audit
      where store = ${tenant.store} and environment = 'production' ${condition}
      order by created_at desc, id desc limit 21`;
    return plan.map((line) => line['QUERY PLAN']).join('\n');
  };
  for (const [condition, index] of [
    [sql``, 'audit_pkey'],
    [sql`and actor = 'key 4'`, 'audit_by_actor'],
    [sql`and resource = 'product 4'`, 'audit_by_resource'],
    [sql`and resource = 'product 4' and resource_id = 'record 4'`, 'audit_by_record'],
    [sql`and created_at >= now() - interval '1 hour' and created_at < now()`, 'audit_pkey'],
  ] as const) {
    const plan = await planOf(condition);
    expect(plan).toMatch(new RegExp(`(using|on) ${index}`));
    expect(plan).not.toContain('Seq Scan');
  }
  const deletion = await sql<{ 'QUERY PLAN': string }[]>`
    explain select ctid from runtime.audit where recorded_at < now() - interval '13 days' order by recorded_at limit 1000`;
  expect(deletion.map((line) => line['QUERY PLAN']).join('\n')).toContain('using audit_by_age');
});

// Deletes rows a day after their retention and none a day before.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { forgetOld, type RetentionRule } from '#runtime/flow/retention.ts';
import type { Postgres } from '#runtime/postgres/database.ts';
import { sweepIdempotency } from '#runtime/postgres/idempotency.ts';
import { deleteDeadEvents, sweepInbox } from '#runtime/postgres/inbox.ts';
import { RETENTION as PROMISES } from '#services/agent/index.ts';
import { audit } from '#services/audit/index.ts';
import { RETENTION as STOCK } from '#services/catalog/index.ts';
import { deleteOldFailures } from '#services/customer/table/login.ts';
import { deleteOldMail } from '#services/mail/table/message.ts';
import { deleteOldThreads } from '#services/message/table/thread.ts';
import { RETENTION as DECISIONS } from '#services/order/index.ts';
import { RETENTION as TOKENS } from '#services/payment/index.ts';
import { deleteOldEvents } from '#services/webhook/table/event.ts';
import { freshDatabase, openPostgres, type TestDatabase } from '#test/support/server.ts';

const DAY_MS = 86_400_000;
const NOW = Date.UTC(2026, 5, 1);
const STORE = randomUUID();
const RULES: readonly RetentionRule[] = [
  ...PROMISES,
  ...STOCK,
  ...DECISIONS,
  ...TOKENS,
  { what: 'events that were given up', days: 90, forget: deleteDeadEvents },
];

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

const place = () => ({ store: STORE, environment: 'production', id: randomUUID() });

const rows: Readonly<Record<string, { readonly table: string; readonly add: (then: Date) => Promise<unknown> }>> = {
  'decisions about attempts at orders': {
    table: 'orders.decision',
    add: (then) => {
      const { id: attempt, ...at } = place();
      return postgres.sql`insert into orders.decision ${postgres.sql({ ...at, attempt, decided_at: then })}`;
    },
  },
  'payment tokens that ended': {
    table: 'payment.token',
    add: (then) =>
      postgres.sql`insert into payment.token ${postgres.sql({ ...place(), hash: Buffer.from(randomUUID()), intent: randomUUID(), currency: 'USD', amount_max: 1, declines: false, expires_at: then, created_at: then })}`,
  },
  'quotes that became no order': {
    table: 'agent.quote',
    add: (then) =>
      postgres.sql`insert into agent.quote ${postgres.sql({ ...place(), offer: '{}', expires_at: then, created_at: then })}`,
  },
  'cart drafts that became no order': {
    table: 'agent.draft',
    add: (then) =>
      postgres.sql`insert into agent.draft ${postgres.sql({ ...place(), items: '[]', promotion_codes: '[]', expires_at: then, created_at: then })}`,
  },
  'checkout intents that became no order': {
    table: 'agent.intent',
    add: (then) =>
      postgres.sql`insert into agent.intent ${postgres.sql({ ...place(), hold: randomUUID(), offer: '{}', status: 'open', expires_at: then, created_at: then })}`,
  },
  'events that were given up': {
    table: 'runtime.dead_event',
    add: (then) =>
      postgres.sql`insert into runtime.dead_event ${postgres.sql({ consumer: 'c', event: randomUUID(), payload: '', problem: '', died_at: then })}`,
  },
  'adjustments of stock': {
    table: 'catalog.inventory_adjustment',
    add: (then) =>
      postgres.sql`insert into catalog.inventory_adjustment ${postgres.sql({ ...place(), variant_id: randomUUID(), delta: 1, on_hand: 1, created_at: then })}`,
  },
  'prices that no longer apply': {
    table: 'catalog.price_period',
    add: (then) =>
      postgres.sql`insert into catalog.price_period ${postgres.sql({ store: STORE, environment: 'production', product_id: randomUUID(), variant_id: randomUUID(), currency: 'EUR', price: 1, selling_price: 1, starts_at: new Date(then.getTime() - 1), ends_at: then })}`,
  },
};

interface OwnRows {
  readonly rule: RetentionRule;
  readonly table: string;
  readonly add: (store: string, then: Date) => Promise<unknown>;
}

/** Rows of the kinds that a store can retain for fewer days, by the name of the setting. */
const ownRows: Readonly<Record<string, OwnRows>> = {
  events_days: {
    rule: { what: 'events', days: 30, setting: 'events_days', forget: deleteOldEvents },
    table: 'runtime.event',
    add: (store, then) =>
      postgres.sql`insert into runtime.event ${postgres.sql({ ...place(), store, id: `evt_${then.getTime()}_${randomUUID().slice(0, 8)}`, type: 'x', sequence: 1, payload: '{}', logged_at: then, created_at: then })}`,
  },
  mails_days: {
    rule: { what: 'mails', days: 7, setting: 'mails_days', forget: deleteOldMail },
    table: 'mail.message',
    add: (store, then) =>
      postgres.sql`insert into mail.message ${postgres.sql({ ...place(), store, kind: 'otp', recipient: 'a@b.example', state: 'sent', due_at: then, ends_at: then, created_at: then })}`,
  },
  checkouts_days: {
    rule: { ...PROMISES[0]!, days: null },
    table: 'agent.quote',
    add: (store, then) =>
      postgres.sql`insert into agent.quote ${postgres.sql({ ...place(), store, offer: '{}', expires_at: then, created_at: then })}`,
  },
  audit_days: {
    rule: audit().retention![0]!,
    table: 'runtime.audit',
    add: (store, then) =>
      postgres.sql`insert into runtime.audit ${postgres.sql({ ...place(), store, created_at: then, recorded_at: then, actor_kind: 'key', operation: 'x', resource: 'x', change: '{}' })}`,
  },
  messages_days: {
    rule: { what: 'threads', days: null, setting: 'messages_days', forget: deleteOldThreads },
    table: 'message.thread',
    add: (store, then) =>
      postgres.sql`insert into message.thread ${postgres.sql({ ...place(), store, customer_id: randomUUID(), subject: 'x', status: 'open', last_message_at: then, last_number: 1 })}`,
  },
};

const forget = (rule: RetentionRule): Promise<number> => forgetOld({ postgres, clock: { real: () => NOW } }, rule);
const count = async (table: string): Promise<number> =>
  (await postgres.sql.unsafe<[{ n: number }]>(`select count(*)::int as n from ${table}`))[0].n;

/** More than one slice of each, all of them over. */
const SWEPT = 5_001;
const of = `select '${STORE}'::uuid, 'production', sha256(n::text::bytea)`;
const many = `from generate_series(1, ${SWEPT}) as n`;
const OVER = `'2026-01-01'::timestamptz`;

test.each<[what: string, table: string, rows: string, sweep: () => Promise<number>]>([
  [
    'idempotency keys',
    'runtime.idempotency (store, environment, key, fingerprint, answer, expires_at)',
    `${of}, '', '', ${OVER} ${many}`,
    () => sweepIdempotency(postgres, NOW),
  ],
  [
    'notes of events',
    'runtime.inbox (consumer, event, handled_at)',
    `select 'c', n::text, now() - interval '15 days' ${many}`,
    () => sweepInbox(postgres),
  ],
  [
    'failed logins',
    'customer.login_failure (store, environment, account, failed_at, changed_at)',
    `${of}, '{}'::timestamptz[], ${OVER} ${many}`,
    () => deleteOldFailures(postgres.sql, new Date(NOW)),
  ],
])('all %s that are over go at once, however many came since the last sweep', async (_, into, rowsOf, sweep) => {
  await postgres.sql.unsafe(`insert into ${into} ${rowsOf}`);
  expect(await sweep()).toBe(SWEPT);
  expect(await count(into.split(' ')[0]!)).toBe(0);
});

describe('what is too old', () => {
  test.each(RULES.map((rule) => [rule.what, rule] as const))('of %s is forgotten by its clock', async (what, rule) => {
    const { table, add } = rows[what]!;
    const days = rule.days!;
    await add(new Date(NOW - (days - 1) * DAY_MS));
    for (let n = 0; n < 3; n++) await add(new Date(NOW - (days + 1) * DAY_MS));
    expect(await forget(rule)).toBe(3);
    expect(await count(table)).toBe(1);
    expect(await forget(rule)).toBe(0);
  });

  test.each(Object.keys(ownRows))('of %s of a store is forgotten after the days that it sets', async (setting) => {
    const { rule, table, add } = ownRows[setting]!;
    await postgres.sql`delete from ${postgres.sql(table)}`;
    const OTHER = randomUUID();
    const old = new Date(NOW - 3 * DAY_MS);
    for (const store of [STORE, OTHER]) await add(store, old);
    await add(STORE, new Date(NOW - DAY_MS));
    const runtime = { postgres, clock: { real: () => NOW } };
    expect(await forgetOld(runtime, rule, [{ store: STORE, days: { another_days: 1 } }])).toBe(0);
    expect(await forgetOld(runtime, rule, [{ store: STORE, days: { [setting]: 2 } }])).toBe(1);
    const [left] = await postgres.sql<{ stores: number }[]>`
      select count(distinct store)::int as stores from ${postgres.sql(table)} where store in (${STORE}, ${OTHER})`;
    expect(left!.stores).toBe(2);
    await postgres.sql`delete from ${postgres.sql(table)}`;
  });

  test('goes in slices', async () => {
    const sizes = [1_000, 1_000, 7];
    const limits: number[] = [];
    const forgetSome: RetentionRule['forget'] = async (_, __, limit) => {
      limits.push(limit);
      return sizes[limits.length - 1] ?? 0;
    };
    expect(await forget({ what: 'x', days: 1, forget: forgetSome })).toBe(2_007);
    expect(limits).toEqual([1_000, 1_000, 1_000]);
  });

  test('keeps the record that an order came from', async () => {
    const old = new Date(NOW - 1_000 * DAY_MS);
    const rule = RULES.find(({ what }) => what === 'quotes that became no order')!;
    const quote = { ...place(), offer: '{}', order_id: randomUUID(), expires_at: old, created_at: old };
    await postgres.sql`insert into agent.quote ${postgres.sql(quote)}`;
    expect(await forget(rule)).toBe(0);
    expect(await postgres.sql`select 1 from agent.quote where id = ${quote.id}`).toHaveLength(1);
  });
});

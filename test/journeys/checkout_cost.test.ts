// Bounds the transactions and statements of a paid order, as Postgres counts them, with all later work.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  type DatabaseUse,
  openCounter,
  STATISTICS_SETTINGS,
  type UseCounter,
  useBetween,
} from '#bench/database_use.ts';
import type { Postgres } from '#runtime/postgres/database.ts';
import type { LocalServer } from '#services/cli/local/child.ts';
import { startPostgres } from '#services/cli/local/postgres.ts';
import { eventually, openPostgres } from '#test/support/server.ts';
import { type Keys, type Reply, type Stoa, startStoa } from '#test/support/stoa.ts';

const VARIANTS = 8;
const CHECKOUTS = 24;
const IDLE_MS = 3_000;
/** Time for the later work of an order. */
const AFTERWARDS_MS = 1_500;
const PLACE = { latitude: -1.2683, longitude: 36.8111 };
const ADDRESS = { line1: '1 Moi Avenue', city: 'Nairobi', country: 'KE', ...PLACE };

let home: string;
let server: LocalServer;
let admin: Postgres;
let counter: UseCounter;
let stoa: Stoa;
let keys: Keys;
let option: string;
const variants: string[] = [];

const done = async (reply: Promise<Reply>): Promise<Reply['body']> => {
  const { status, body, text } = await reply;
  expect(status, text).toBeLessThan(300);
  return body;
};
const shopper = (path: string, body: unknown, headers = {}): Promise<Reply['body']> =>
  done(stoa.send('POST', path, { key: keys.publishable_key, body, headers }));
const merchant = (method: string, path: string, body: unknown): Promise<Reply['body']> =>
  done(stoa.send(method, path, { key: keys.secret_key, signWith: keys.hmac_secret, body }));
const calculate = (): Promise<Reply['body']> =>
  shopper('/v1/shipping/calculate', { ...PLACE, country_code: 'KE', order_total: 20 });

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'stoa-count-'));
  server = await startPostgres({ home, log: () => {}, durable: false, settings: STATISTICS_SETTINGS });
  const url = new URL(server.url);
  admin = openPostgres(new URL('/postgres', url).toString(), { connectionsMax: 1 });
  counter = await openCounter(admin.sql, url.pathname.slice(1));
  stoa = await startStoa({ databaseUrl: server.url });
  keys = await stoa.createStore({ country: 'KE', plan: 'enterprise' });
  for (let at = 0; at < VARIANTS; at++) {
    const product = { name: `Lamp ${at}`, price: 10, stock: 100_000, weight_grams: 100 };
    variants.push((await merchant('POST', '/v1/products', product)).variant_id);
  }
  await merchant('PUT', '/v1/shipping/config', {
    restriction: 'none',
    fulfil_from: 'primary',
    locations: [],
    zones: [{ name: 'Kenya', kind: 'countries', countries: ['KE'], rate: { fee: 4.5 } }],
    tiers: [],
    fallback: null,
  });
  option = (await calculate()).options[0].id;
});
afterAll(async () => {
  await stoa?.stop();
  await admin?.close();
  await server?.stop();
  await rm(home, { recursive: true, force: true });
});

let shoppers = 0;
const basket = (shopperNumber: number) => ({ variant_id: variants[shopperNumber % VARIANTS], quantity: 2 });

const pay = async (order: string): Promise<void> => {
  const paid = await merchant('PATCH', `/v1/orders/${order}`, { payment_status: 'paid' });
  expect(paid.order).toMatchObject({ order_status: 'confirmed', payment_status: 'paid' });
};

const byCart = async (): Promise<void> => {
  const number = shoppers++;
  const session = `shopper-${number}`;
  await shopper('/v1/cart/items', basket(number), { 'X-Session-Id': session });
  await calculate();
  const body = { cart: true, session_id: session, email: 'ada@example.com', shipping_address: ADDRESS };
  await pay((await merchant('POST', '/v1/orders', body)).order.id);
};

const byIntent = async (): Promise<void> => {
  const number = shoppers++;
  const { data: intent } = await shopper('/v1/agent/checkout-intents', {
    items: [basket(number)],
    email: `ada${number}@example.com`,
    shipping_address: ADDRESS,
    shipping_option_id: option,
  });
  await pay((await merchant('POST', '/v1/orders', { checkout_intent_id: intent.id })).order.id);
};

type Way = (checkout: () => Promise<void>) => Promise<void>;

const oneAfterTheOther: Way = async (checkout) => {
  for (let count = 0; count < CHECKOUTS; count++) await checkout();
};
const oneByOne: Way = async (checkout) => {
  for (let count = 0; count < CHECKOUTS / 2; count++) {
    await checkout();
    await sleep(AFTERWARDS_MS / 2);
  }
};
const allAtOnce: Way = async (checkout) => {
  await Promise.all(Array.from({ length: CHECKOUTS }, checkout));
};

const nothingWaits = () =>
  eventually(async () => expect(await stoa.services.runtime.postgres.sql`select from runtime.outbox`).toHaveLength(0));

/** Commits now and then, so that pollers look as often as they do beside checkouts: those looks are no checkout's. */
const awake = async (ms: number): Promise<void> => {
  for (const until = performance.now() + ms; performance.now() < until; await sleep(250))
    await admin.sql`select pg_current_xact_id()`;
};

const counted = async (way: Way, checkout: () => Promise<void>): Promise<DatabaseUse> => {
  for (let count = 0; count < VARIANTS; count++) await checkout();
  await nothingWaits();
  await sleep(AFTERWARDS_MS);
  const idle = await counter.read();
  const idleFrom = performance.now();
  await awake(IDLE_MS);
  const before = await counter.read();
  const from = performance.now();
  const first = shoppers;
  await way(checkout);
  await sleep(AFTERWARDS_MS);
  const after = await counter.read();
  return useBetween([idle, before, after], {
    times: shoppers - first,
    workMs: performance.now() - from,
    idleMs: from - idleFrom,
  });
};

/** The most frequent statements, for a reader who looks for an added one. */
const listed = ({ calls }: DatabaseUse): string =>
  calls
    .filter((each) => each.calls >= 0.1)
    .map(({ text, calls: count }) => `${count.toFixed(2)}  ${text.slice(0, 160)}`)
    .join('\n');

/**
 * Bounds of one checkout. How much later work several checkouts share depends on the machine's load, so the bounds leave
 * room for none being shared: they find a loop over rows, not one more statement. The bench prints the exact figures.
 */
const ALONE = { cart: { transactions: 14, statements: 90 }, intent: { transactions: 17, statements: 110 } };
const TOGETHER = { cart: { transactions: 7, statements: 38 }, intent: { transactions: 8, statements: 42 } };

describe.each([
  { name: 'one after the other', way: oneAfterTheOther, ...ALONE },
  { name: 'with a rest after each', way: oneByOne, ...ALONE },
  { name: 'all at once', way: allAtOnce, ...TOGETHER },
])('checkouts $name', ({ way, cart, intent }) => {
  test.each([
    ['of a cart', byCart, cart],
    ['of an intent', byIntent, intent],
  ])('%s', async (_, checkout, max) => {
    const use = await counted(way, checkout);
    const found = `${use.transactions.toFixed(1)} transactions, ${use.statements.toFixed(1)} statements`;
    if (process.env.STOA_LOG_LEVEL) console.info(`${found}\n${listed(use)}`);
    expect(use.transactions, `${found}\n${listed(use)}`).toBeLessThanOrEqual(max.transactions);
    expect(use.statements, `${found}\n${listed(use)}`).toBeLessThanOrEqual(max.statements);
  });
});

// Split checkout over merchants whose catalogues are not in memory: each is read when the checkout comes, and nothing of the
// checkout depends on which of them were.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { registry } from '#runtime/process/metric.ts';
import { type Line, lineOf, openMarketplace } from '#test/support/marketplace.ts';
import { eventually } from '#test/support/server.ts';
import { type Reply, type Stoa, startStoa } from '#test/support/stoa.ts';

const MERCHANTS = 6;
const STOCK = 10;
const CHECKOUTS = 12;

let stoa: Stoa;
beforeAll(async () => {
  // So little that one catalogue at most stays.
  stoa = await startStoa({ catalogBytesMax: 1 });
});
afterAll(() => stoa.stop());

const awake = async (): Promise<number> => {
  const metrics = await registry.getMetricsAsJSON();
  const found = metrics.find(({ name }) => name === 'stoa_catalogues_awake');
  return found!.values[0]!.value;
};

test('a checkout wakes the merchants that sleep, and is one order at each', async () => {
  const marketplace = await openMarketplace(stoa, { merchants: MERCHANTS, stock: STOCK });
  expect(await awake()).toBe(0);
  const { status, body, text } = await marketplace.checkout();
  expect(status, text).toBe(201);
  expect(await awake()).toBe(1);
  expect(body.checkout).toMatchObject({ total: 10 * MERCHANTS, orders: Array(MERCHANTS).fill({ total: 10 }) });
  for (const member of marketplace.members) expect(await member.orders()).toHaveLength(1);
});

test('checkouts at once over merchants that sleep sell each piece once, all orders or none', async () => {
  const marketplace = await openMarketplace(stoa, { merchants: MERCHANTS, stock: STOCK });
  const forth = marketplace.members.map((member) => lineOf(member));
  /** Repeats a request that a busy machine refuses. */
  const insist = (lines: readonly Line[]): Promise<Reply> =>
    eventually(async () => {
      const reply = await marketplace.checkout(lines);
      expect(reply.headers.has('retry-after'), reply.text).toBe(false);
      return reply;
    });
  const replies = await Promise.all(
    Array.from({ length: CHECKOUTS }, (_, at) => insist(at % 2 === 0 ? forth : forth.toReversed())),
  );
  const placed = replies.filter(({ status }) => status === 201).length;
  for (const { status, text } of replies) expect([201, 409], text).toContain(status);
  expect(placed).toBe(STOCK);
  for (const member of marketplace.members) {
    expect(await member.orders()).toHaveLength(placed);
    await eventually(async () => expect(await member.level()).toMatchObject({ on_hand: 0, held: 0, available: 0 }));
  }
});

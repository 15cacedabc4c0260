// Many write at once into a store of which nothing is in memory yet, as after a start: each transaction may ask for what
// another part has to read first.
import { randomUUID } from 'node:crypto';
import { beforeAll, expect, test } from 'vitest';
import { retryWhileBusy } from '#test/support/busy_retry.ts';
import { type Stoa, sharedStoa } from '#test/support/stoa.ts';

const CALLERS = 80;

let stoa: Stoa;
beforeAll(async () => {
  stoa = await sharedStoa();
});

type Write = readonly [path: string, bodyOf: (at: number) => object];
const writes: readonly Write[] = [
  ['/v1/gift-cards', () => ({ amount: 5 })],
  ['/v1/products', (at) => ({ name: `Cup ${at}`, price: 3, stock: 4 })],
  ['/v1/promotions', (at) => ({ name: `Spring ${at}`, code: `SPRING${at}`, type: 'percentage', value: 10 })],
  ['/v1/price-lists', (at) => ({ name: `Near ${at}`, prices: [] })],
  ['/v1/blog/posts', (at) => ({ title: `News ${at}` })],
];

test.each(writes)('%s: each of 80 callers at once is answered', { timeout: 60_000 }, async (path, bodyOf) => {
  for (const environment of ['secret_key', 'secret_test_key'] as const) {
    const { [environment]: key } = await stoa.createStore({ plan: 'enterprise' });
    // A busy machine may refuse some at first. If each waited for another, all would be refused again and again.
    const write = (_: unknown, at: number): Promise<Response> => {
      const headers = {
        Authorization: `Bearer ${key}`,
        'Content-Type': 'application/json',
        'Idempotency-Key': randomUUID(),
      };
      const body = JSON.stringify(bodyOf(at));
      return retryWhileBusy(() => fetch(`${stoa.url}${path}`, { method: 'POST', headers, body }));
    };
    const answers = await Promise.all(Array.from({ length: CALLERS }, write));
    expect(answers.map(({ status }) => status)).toEqual(Array(CALLERS).fill(201));
  }
});

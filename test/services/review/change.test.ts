// Concurrent changes of reviews: counts equal a recount in any order of arrival.
import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import type { ProductReview } from '#proto/gen/review.ts';
import {
  addProduct,
  approve,
  approved,
  eventsOf,
  list,
  openShop,
  type Product,
  reject,
  review,
  type Shop,
  type Shopper,
  signUp,
  startReviewServer,
  stoa,
  vote,
  write,
} from '#test/services/review/client.ts';
import { eventually } from '#test/support/server.ts';
import type { Reply } from '#test/support/stoa.ts';

const ROUNDS = 20;

let shop: Shop;
beforeAll(async () => {
  await startReviewServer();
  shop = await openShop();
});

const at = <T>(once: number, run: (each: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: once }, (_, each) => run(each)));
const tally = (replies: readonly Reply[]): Record<number, number> => {
  const counts: Record<number, number> = {};
  for (const { status } of replies) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
};
const remove = (id: string) => stoa.send('DELETE', `/v1/reviews/${id}`, { key: shop.secret });

const recounted = async ({ id }: Product): Promise<Record<string, number>> => {
  const { sql } = stoa.services.runtime.postgres;
  const rows = await sql<{ rating: number; count: number }[]>`
    select rating, count(*)::integer as count from review.review
    where store = ${shop.keys.store_id} and product_id = ${id} and status = 'approved' and deleted_at is null
    group by rating`;
  const none = { '1': 0, '2': 0, '3': 0, '4': 0, '5': 0 };
  return { ...none, ...Object.fromEntries(rows.map(({ rating, count }) => [String(rating), count])) };
};
const agrees = async (product: Product): Promise<void> => {
  const { summary } = (await list(shop, `?product_id=${product.id}`)).body;
  expect(summary.distribution).toEqual(await recounted(product));
  const { sql } = stoa.services.runtime.postgres;
  const [{ approved, all }] = await sql<[{ approved: number; all: number }]>`
    select (select approved from review.state where store = ${shop.keys.store_id})::integer as approved,
      (select count(*) from review.review
        where store = ${shop.keys.store_id} and status = 'approved' and deleted_at is null)::integer as all`;
  expect(approved).toBe(all);
  await eventually(async () => {
    const { body } = await stoa.send('GET', `/v1/products/${product.id}`, { key: shop.publishable });
    expect([body.average_rating, body.review_count]).toEqual([summary.average_rating, summary.review_count]);
  });
};

describe('concurrent calls', () => {
  test('create one review of 20 by the same shopper and product', async () => {
    const [shopper, mug] = [await signUp(shop), await addProduct(shop)];
    expect(tally(await at(20, () => write(shop, shopper, review(mug))))).toEqual({ 201: 1, 409: 19 });
    expect((await list(shop, `?customer_id=${shopper.id}`, shop.secret)).body.reviews).toHaveLength(1);
  });

  // A 409 without `Retry-After` would mean that the key's own review was taken for another one.
  test('create one review under one key, and answer the others with it or with 409 and Retry-After', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const [shopper, mug] = [await signUp(shop), await addProduct(shop)];
      const replies = await at(20, () => write(shop, shopper, review(mug), { 'Idempotency-Key': 'once' }));
      const ids = replies.filter(({ status }) => status === 201).map(({ body }) => body.review.id);
      expect(new Set(ids).size).toBe(1);
      for (const { status, headers } of replies)
        if (status !== 201) expect([status, headers.has('retry-after')]).toEqual([409, true]);
    }
  });

  test('approve once, count once and emit one event', async () => {
    const mug = await addProduct(shop);
    const { body } = await write(shop, await signUp(shop), review(mug));
    expect(tally(await at(20, () => approve(shop, body.review.id)))).toEqual({ 200: 20 });
    await agrees(mug);
    await eventually(async () => {
      const events = await eventsOf(shop, 'review.approved');
      expect(events.filter(({ id }) => id === body.review.id)).toHaveLength(1);
    });
  });

  test('count what remains after approvals, rejections and deletions', async () => {
    const mug = await addProduct(shop);
    for (let round = 0; round < 5; round++) {
      const { id } = await approved(shop, mug, { rating: 1 + round });
      await Promise.all([
        approve(shop, id),
        reject(shop, id),
        vote(shop, id),
        approve(shop, id),
        ...(round % 2 ? [remove(id), remove(id)] : []),
      ]);
    }
    await agrees(mug);
  });

  test('count 30 votes of one session once, of 30 sessions 30 times', async () => {
    const { id } = await approved(shop, await addProduct(shop));
    await at(30, () => vote(shop, id, 'one'));
    const replies = await at(30, (each) => vote(shop, id, `session-${each}`));
    expect(tally(replies)).toEqual({ 200: 30 });
    expect(replies.map(({ body }) => body.review.helpful_count).sort((a, b) => a - b)).toEqual(
      Array.from({ length: 30 }, (_, each) => each + 2),
    );
  });

  test('average 40 approvals of one product', async () => {
    const mug = await addProduct(shop);
    const ids = await at(40, async (each) => {
      const { body } = await write(shop, await signUp(shop), review(mug, { rating: 1 + (each % 5) }));
      return body.review.id as string;
    });
    expect(tally(await Promise.all(ids.map((id) => approve(shop, id))))).toEqual({ 200: 40 });
    await agrees(mug);
    expect((await list(shop, `?product_id=${mug.id}`)).body.summary).toMatchObject({
      average_rating: 3,
      review_count: 40,
    });
  });
});

type Step = {
  readonly by: number;
  readonly of: number;
  readonly act: 'write' | 'approve' | 'reject' | 'delete' | 'vote';
};

test('any history, sequential or concurrent, equals a recount', {
  timeout: 300_000,
}, async () => {
  const products = [await addProduct(shop), await addProduct(shop)] as const;
  const shoppers: Shopper[] = await at(3, () => signUp(shop));
  const step: fc.Arbitrary<Step> = fc.record({
    by: fc.nat(2),
    of: fc.nat(1),
    act: fc.constantFrom('write', 'approve', 'approve', 'reject', 'delete', 'vote'),
  });
  const take = async ({ by, of, act }: Step): Promise<void> => {
    const [shopper, product] = [shoppers[by]!, products[of]!];
    const mine = (await list(shop, `?customer_id=${shopper.id}&product_id=${product.id}`, shop.secret)).body
      .reviews as ProductReview[];
    const id = mine[0]?.id;
    if (act === 'write') await write(shop, shopper, review(product, { rating: 1 + ((by * 2 + of) % 5) }));
    else if (id === undefined) return;
    else if (act === 'approve') await approve(shop, id);
    else if (act === 'reject') await reject(shop, id);
    else if (act === 'delete') await remove(id);
    else await vote(shop, id, `voter-${by}`);
  };
  await fc.assert(
    fc.asyncProperty(fc.array(fc.array(step, { minLength: 1, maxLength: 4 }), { maxLength: 6 }), async (rounds) => {
      for (const steps of rounds) await Promise.all(steps.map(take));
      for (const product of products) {
        const { summary } = (await list(shop, `?product_id=${product.id}`)).body;
        expect(summary.distribution).toEqual(await recounted(product));
      }
    }),
    { numRuns: 40 },
  );
  for (const product of products) await agrees(product);
});

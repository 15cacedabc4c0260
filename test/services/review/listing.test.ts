// Lists of reviews over HTTP: visibility, filters, every sort order, pages and the rating summary.
import { beforeAll, describe, expect, test } from 'vitest';
import type { ProductReview } from '#proto/gen/review.ts';
import { tenantKey } from '#runtime/call/call.ts';
import {
  addProduct,
  approve,
  approved,
  errorOf,
  list,
  openShop,
  order,
  type Product,
  reject,
  review,
  type Shop,
  signUp,
  startReviewServer,
  stoa,
  vote,
  write,
} from '#test/services/review/client.ts';
import { encodeCursor } from '#values/cursor.ts';

let shop: Shop;
let mug: Product;
let cup: Product;
/** Approved reviews of the mug, oldest first. */
const mugs: ProductReview[] = [];
let pending: ProductReview;
let rejected: ProductReview;
let ofCup: ProductReview;

beforeAll(async () => {
  await startReviewServer();
  shop = await openShop();
  [mug, cup] = [await addProduct(shop), await addProduct(shop)];
  for (const [rating, bought, votes] of [
    [5, true, 0],
    [1, false, 2],
    [4, true, 1],
    [5, false, 0],
    [3, false, 2],
    [4, false, 1],
    [4, false, 0],
  ] as const) {
    const shopper = await signUp(shop);
    if (bought) await order(shop, shopper, mug);
    const { body } = await write(shop, shopper, review(mug, { rating }));
    const { id } = body.review;
    await approve(shop, id);
    for (let voter = 0; voter < votes; voter++) await vote(shop, id);
    mugs.push((await list(shop, `?product_id=${mug.id}`)).body.reviews.find((each: ProductReview) => each.id === id));
  }
  pending = (await write(shop, await signUp(shop), review(mug, { rating: 2 }))).body.review;
  rejected = (await write(shop, await signUp(shop), review(mug, { rating: 2 }))).body.review;
  await reject(shop, rejected.id);
  ofCup = await approved(shop, cup, { rating: 2 });
});

const idsOf = (reviews: readonly ProductReview[]): string[] => reviews.map(({ id }) => id);
const listed = async (query: string, key?: string): Promise<string[]> =>
  idsOf((await list(shop, query, key)).body.reviews);
const newest = (): string[] => idsOf(mugs).reverse();

const SUMMARY = {
  average_rating: 3.7,
  review_count: 7,
  distribution: { '1': 1, '2': 0, '3': 1, '4': 3, '5': 2 },
};

test('a publishable key sees approved ones, a secret key all of them, the newest first', async () => {
  expect(await listed('')).toEqual([ofCup.id, ...newest()]);
  expect(await listed('', shop.secret)).toEqual([ofCup.id, rejected.id, pending.id, ...newest()]);
  expect(await listed(`?product_id=${mug.id.toUpperCase()}`)).toEqual(newest());
  expect(await listed(`?product_id=${mug.id}`, shop.secret)).toEqual([rejected.id, pending.id, ...newest()]);
});

test('`summary` is there with `product_id`, always of the product’s approved reviews', async () => {
  for (const query of ['', '&rating=5', '&verified=true', '&limit=1', '&sort=helpful'])
    expect((await list(shop, `?product_id=${mug.id}${query}`)).body.summary).toEqual(SUMMARY);
  const secretly = await list(shop, `?product_id=${mug.id}&status=pending`, shop.secret);
  expect([secretly.body.summary, idsOf(secretly.body.reviews)]).toEqual([SUMMARY, [pending.id]]);
  expect((await list(shop)).body).not.toHaveProperty('summary');
  const unknown = await list(shop, '?product_id=00000000-0000-7000-8000-000000000000');
  expect(unknown.body).toMatchObject({ reviews: [], summary: { average_rating: null, review_count: 0 } });
});

describe('filters', () => {
  test('filters by rating and verified', async () => {
    const of = (keep: (each: ProductReview) => boolean) => idsOf(mugs.filter(keep)).reverse();
    expect(await listed(`?product_id=${mug.id}&rating=4`)).toEqual(of(({ rating }) => rating === 4));
    expect(await listed(`?product_id=${mug.id}&verified=true`)).toEqual(of((each) => each.verified_purchase));
    expect(await listed(`?product_id=${mug.id}&verified=false&rating=5`)).toEqual(
      of((each) => !each.verified_purchase && each.rating === 5),
    );
    expect(await listed('?rating=2')).toEqual([ofCup.id]);
  });

  test('filters by status and customer_id with a secret key alone: 403 with a hint', async () => {
    expect(await listed('?status=rejected', shop.secret)).toEqual([rejected.id]);
    expect(await listed(`?customer_id=${pending.customer_id}`, shop.secret)).toEqual([pending.id]);
    for (const query of ['status=approved', 'status=pending', `customer_id=${pending.customer_id}`]) {
      const reply = await list(shop, `?${query}`);
      expect(errorOf(reply).slice(0, 2)).toEqual([403, 'forbidden']);
      expect(reply.body.error.hint).toContain('svc_sk_');
    }
  });

  test.each([
    ['product_id=mug', 'product_id'],
    ['customer_id=ada', 'customer_id'],
    ['rating=0', 'rating'],
    ['rating=six', 'rating'],
    ['verified=maybe', 'verified'],
    ['status=new', 'status'],
    ['sort=best', 'sort'],
    ['limit=0', 'limit'],
    ['limit=101', 'limit'],
    ['cursor=abc', 'cursor'],
    ['fields=stars', 'fields'],
  ])('%s is 400', async (query, param) => {
    expect(errorOf(await list(shop, `?${query}`, shop.secret))).toEqual([400, 'invalid_request', param]);
  });
});

describe('orders', () => {
  const written = (each: ProductReview): number => mugs.findIndex(({ id }) => id === each.id);
  const sorted = (compare: (a: ProductReview, b: ProductReview) => number): string[] => idsOf([...mugs].sort(compare));
  const expected = (): Record<string, string[]> => ({
    newest: newest(),
    oldest: idsOf(mugs),
    rating_desc: sorted((a, b) => b.rating - a.rating || written(b) - written(a)),
    rating_asc: sorted((a, b) => a.rating - b.rating || written(a) - written(b)),
    helpful: sorted((a, b) => b.helpful_count - a.helpful_count || written(b) - written(a)),
  });

  test.each(['newest', 'oldest', 'rating_desc', 'rating_asc', 'helpful'])(
    '%s, whole and page by page',
    async (sort) => {
      const whole = expected()[sort]!;
      expect(await listed(`?product_id=${mug.id}&sort=${sort}`)).toEqual(whole);
      for (const limit of [1, 2, 3, 7]) {
        const seen: string[] = [];
        let cursor = '';
        for (let page = 0; page < 9; page++) {
          const { body } = await list(shop, `?product_id=${mug.id}&sort=${sort}&limit=${limit}${cursor}`);
          seen.push(...idsOf(body.reviews));
          expect(body.pagination).toMatchObject({ limit, has_more: body.pagination.next_cursor !== null });
          if (!body.pagination.has_more) break;
          cursor = `&cursor=${body.pagination.next_cursor}`;
        }
        expect(seen).toEqual(whole);
      }
    },
  );

  test('merges every status for a secret key', async () => {
    const all = await listed('?sort=oldest', shop.secret);
    expect(all).toEqual([...idsOf(mugs), pending.id, rejected.id, ofCup.id]);
    const first = await list(shop, '?sort=oldest&limit=8', shop.secret);
    const rest = await listed(`?sort=oldest&limit=8&cursor=${first.body.pagination.next_cursor}`, shop.secret);
    expect([...idsOf(first.body.reviews), ...rest]).toEqual(all);
  });

  test('a cursor is bound to its list, its filters, its sort and its tenant', async () => {
    const { body } = await list(shop, `?product_id=${mug.id}&limit=2`);
    const cursor = `cursor=${body.pagination.next_cursor}`;
    expect((await list(shop, `?product_id=${mug.id}&limit=5&${cursor}`)).status).toBe(200);
    for (const query of [
      cursor,
      `product_id=${cup.id}&${cursor}`,
      `product_id=${mug.id}&rating=5&${cursor}`,
      `product_id=${mug.id}&sort=helpful&${cursor}`,
    ])
      expect(errorOf(await list(shop, `?${query}`))).toEqual([400, 'invalid_request', 'cursor']);
    expect(errorOf(await list(shop, `?product_id=${mug.id}&${cursor}`, shop.secret))[2]).toBe('cursor');
    expect(errorOf(await list(await openShop(), `?product_id=${mug.id}&${cursor}`))[2]).toBe('cursor');
  });

  test.each(['rating_desc', 'rating_asc', 'helpful'])(
    'accepts a well-formed cursor with extreme values (%s)',
    async (sort) => {
      const scope = ['reviews', tenantKey(shop.tenant), false, mug.id, null, null, null, ['approved'], sort];
      for (const figure of [Number.MAX_SAFE_INTEGER, -Number.MAX_SAFE_INTEGER]) {
        const cursor = encodeCursor(JSON.stringify(scope), [figure, Date.now(), mug.id]);
        const { status, text, body } = await list(shop, `?product_id=${mug.id}&sort=${sort}&cursor=${cursor}`);
        expect(status, text).toBe(200);
        const before = sort === 'rating_asc' ? figure < 0 : figure > 0;
        expect(body.reviews).toHaveLength(before ? mugs.length : 0);
      }
    },
  );
});

test('a store’s list leaves out products that are hidden, and still fills its pages', async () => {
  const own = await openShop();
  const open = await addProduct(own);
  const shown: string[] = [];
  const hide: Product[] = [];
  for (let turn = 0; turn < 4; turn++) {
    shown.unshift((await approved(own, open)).id);
    for (let each = 0; each < 3; each++) {
      const hidden = await addProduct(own);
      await approved(own, hidden);
      hide.push(hidden);
    }
  }
  expect((await list(own)).body.reviews).toHaveLength(16);
  for (const { id } of hide)
    await stoa.send('PATCH', `/v1/products/${id}`, { key: own.secret, body: { is_active: false } });
  const first = (await list(own, '?limit=3')).body;
  expect([idsOf(first.reviews), first.pagination.has_more]).toEqual([shown.slice(0, 3), true]);
  const rest = (await list(own, `?limit=3&cursor=${first.pagination.next_cursor}`)).body;
  expect([idsOf(rest.reviews), rest.pagination.has_more]).toEqual([shown.slice(3), false]);
  expect((await list(own, '', own.secret)).body.reviews).toHaveLength(16);
  const closed = (await list(own, `?product_id=${hide[0]!.id}`)).body;
  expect(closed).toMatchObject({ reviews: [], summary: { average_rating: null, review_count: 0 } });
  const secretly = (await list(own, `?product_id=${hide[0]!.id}`, own.secret)).body;
  expect([secretly.reviews.length, secretly.summary.review_count]).toEqual([1, 1]);
});

test('`fields` cuts each review down, and nothing else', async () => {
  const { body } = await list(shop, `?product_id=${mug.id}&limit=1&fields=rating`);
  expect(body).toEqual({
    reviews: [{ rating: 4 }],
    pagination: expect.objectContaining({ has_more: true }),
    summary: SUMMARY,
  });
});

test('stores and environments have lists of their own', async () => {
  const other = await openShop('sandbox');
  expect((await list(other, '', other.secret)).body.reviews).toEqual([]);
  const own = await approved(other, await addProduct(other));
  expect(idsOf((await list(other)).body.reviews)).toEqual([own.id]);
  expect(idsOf((await list(shop)).body.reviews)).not.toContain(own.id);
  const live = { key: other.keys.publishable_key };
  expect((await stoa.send('GET', '/v1/reviews', live)).body.reviews).toEqual([]);
});

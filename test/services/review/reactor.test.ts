// The reviews, threads and events of a deleted customer, as publishable keys and secret keys read them.
import { beforeAll, expect, test } from 'vitest';
import type { ProductReview } from '#proto/gen/review.ts';
import {
  addProduct,
  approve,
  approved,
  list,
  openShop,
  type Product,
  read,
  review,
  type Shop,
  type Shopper,
  signUp,
  startReviewServer,
  stoa,
  vote,
  write,
} from '#test/services/review/client.ts';
import { openOperator } from '#test/support/marketplace.ts';
import { eventually } from '#test/support/server.ts';

let shop: Shop;
let mug: Product;
beforeAll(startReviewServer);

const ADA = { first_name: 'Ada', last_name: 'Lovelace' };
const NAMELESS = { customer_id: null, customer_name: 'Customer' };

const remove = async ({ id }: Shopper): Promise<void> => {
  expect((await stoa.send('DELETE', `/v1/customers/${id}`, { key: shop.secret })).status).toBe(200);
};

const written = async (shopper: Shopper, product = mug): Promise<ProductReview> => {
  const { id } = (await write(shop, shopper, review(product))).body.review;
  return (await approve(shop, id)).body.review;
};

beforeAll(async () => {
  shop = await openShop();
  mug = await addProduct(shop);
});

test('hides the name from publishable keys in a list, a read and a vote, under a new ETag, and not from a secret key', async () => {
  const ada = await signUp(shop, ADA);
  const [{ id }, other] = [await written(ada), await approved(shop, mug)];
  const named = { id, customer_id: ada.id, customer_name: 'Ada L.' };
  const query = `?product_id=${mug.id}&sort=oldest`;
  const secret = () => list(shop, query, shop.secret);
  const before = { list: await list(shop, query), read: await read(shop, id) };
  expect(before.list.body.reviews[0]).toMatchObject(named);
  expect(before.read.body.review).toMatchObject(named);
  expect((await secret()).body.reviews[0]).toMatchObject(named);

  await remove(ada);
  await eventually(async () => {
    const after = { list: await list(shop, query), read: await read(shop, id) };
    expect(after.list.body.reviews).toEqual([{ ...before.list.body.reviews[0], ...NAMELESS }, other]);
    expect(after.read.body.review).toEqual({ ...before.read.body.review, ...NAMELESS });
    expect(after.list.headers.get('etag')).not.toBe(before.list.headers.get('etag'));
    expect(after.read.headers.get('etag')).not.toBe(before.read.headers.get('etag'));
    expect((await secret()).body.reviews[0]).toMatchObject(named);
    expect((await read(shop, id, shop.secret)).body.review).toMatchObject(named);
  });
  // A second vote of the same session changes nothing and returns the review.
  for (const voted of [await vote(shop, id, 'one'), await vote(shop, id, 'one')])
    expect(voted.body.review).toMatchObject({ ...NAMELESS, helpful_count: 1 });
});

test('shows an operator’s key what it shows publishable keys', async () => {
  const ada = await signUp(shop, ADA);
  const { id } = await written(ada);
  const { operator_key: key } = await openOperator(stoa, [shop.keys.store_id]);
  const asked = () => stoa.send('GET', `/v1/reviews/${id}?store_id=${shop.keys.store_id}`, { key });
  expect((await asked()).body.review).toMatchObject({ customer_id: ada.id, customer_name: 'Ada L.' });
  await remove(ada);
  await eventually(async () => expect((await asked()).body.review).toMatchObject(NAMELESS));
});

test('covers reviews written while their customer is being deleted', async () => {
  const ada = await signUp(shop, ADA);
  const products = await Promise.all(Array.from({ length: 8 }, () => addProduct(shop)));
  const writing = products.map((product) => write(shop, ada, review(product)));
  await Promise.race(writing);
  await remove(ada);
  const replies = await Promise.all(writing);
  const made: string[] = replies.flatMap(({ status, body }) => (status === 201 ? [body.review.id] : []));
  expect(made.length).toBeGreaterThan(0);
  for (const id of made) await approve(shop, id);
  await eventually(async () => {
    for (const id of made) expect((await read(shop, id)).body.review).toMatchObject(NAMELESS);
  });
});

test('closes the customer’s threads to publishable keys, and shows them to a secret key', async () => {
  const ada = await signUp(shop, ADA);
  const headers = { 'x-auth-token': ada.token };
  const body = { subject: 'Where is my parcel?', body: 'It was to come on Monday.' };
  const { thread } = (await stoa.send('POST', '/v1/messaging/threads', { key: shop.publishable, headers, body })).body;
  const paths = ['/v1/messaging/threads', `/v1/messaging/threads/${thread.id}/messages`];
  for (const path of paths)
    expect((await stoa.send('GET', path, { key: shop.publishable, headers })).status, path).toBe(200);
  await remove(ada);
  await eventually(async () => {
    for (const path of paths)
      for (const session of [headers, {}])
        expect((await stoa.send('GET', path, { key: shop.publishable, headers: session })).status, path).toBe(401);
  });
  const { threads } = (await stoa.send('GET', `${paths[0]}?customer_id=${ada.id}`, { key: shop.secret })).body;
  expect(threads).toMatchObject([{ id: thread.id, customer_id: ada.id }]);
});

test('shows events, which name customers, to no publishable key', async () => {
  const log = (key: string) => stoa.send('GET', '/v1/webhook-events', { key });
  expect((await log(shop.publishable)).status).toBe(403);
  expect((await log(shop.secret)).status).toBe(200);
});

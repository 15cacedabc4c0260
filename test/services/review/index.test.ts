// Sessions that may write and delete reviews, by each of the three session headers.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { NO_TENANT } from '#runtime/call/call.ts';
import {
  addProduct,
  approved,
  openShop,
  type Product,
  read,
  review,
  type Shop,
  shopIn,
  startReviewServer,
  stoa,
} from '#test/services/review/client.ts';
import { ok } from '#test/support/reply.ts';
import {
  allowLocalVerifier,
  openShopperSessions,
  SESSION_HEADERS,
  type Shopper,
  type ShopperSessions,
} from '#test/support/session.ts';
import type { Reply } from '#test/support/stoa.ts';

let shop: Shop;
let doorkeeper: ShopperSessions;
let ada: Shopper;
let eve: Shopper;
let mug: Product;
beforeAll(async () => {
  allowLocalVerifier();
  await startReviewServer();
  doorkeeper = await openShopperSessions(stoa);
  shop = shopIn(await stoa.createStore({ plan: 'enterprise' }), 'sandbox');
  ada = await doorkeeper.signIn(shop.keys);
  eve = await doorkeeper.signIn(shop.keys);
});
beforeEach(async () => {
  mug = await addProduct(shop);
});
afterAll(async () => {
  doorkeeper.stop();
});

const send = (method: string, path: string, headers: Readonly<Record<string, string>>, key = shop.publishable) =>
  stoa.send(method, path, { key, headers, ...(method === 'POST' ? { body: review(mug) } : {}) });
const write = (headers: Readonly<Record<string, string>>): Promise<Reply> => send('POST', '/v1/reviews', headers);
const written = async (): Promise<string> => (await write(ada.headers)).body.review.id;

test.each(SESSION_HEADERS)('%s lets only its shopper write and delete', async (header) => {
  const shopper = await doorkeeper.assert(shop.keys, header, ada);
  const made = await write(shopper.headers);
  expect([made.status, made.body.review.customer_id, made.body.review.customer_name]).toEqual([201, ada.id, 'Ada']);
  const path = `/v1/reviews/${made.body.review.id}`;
  const outsider = await doorkeeper.assert(shop.keys, header, eve);
  expect((await send('DELETE', path, outsider.headers)).status).toBe(404);
  expect((await send('DELETE', path, shopper.headers)).body).toEqual({ deleted: true, id: made.body.review.id });
});

test('writing requires a session even with a secret key; deleting accepts either', async () => {
  const path = `/v1/reviews/${await written()}`;
  for (const key of [shop.publishable, shop.secret]) {
    const { status, body } = await send('POST', '/v1/reviews', {}, key);
    expect([status, body.error.code]).toEqual([401, 'unauthorized']);
  }
  expect((await send('DELETE', path, {})).status).toBe(401);
  expect((await send('DELETE', path, {}, shop.secret)).status).toBe(200);
});

test('a rejected or foreign session is 401', async () => {
  const path = `/v1/reviews/${await written()}`;
  const ofLive = await doorkeeper.signIn(shop.keys, { environment: 'production' });
  const nobodys = { 'x-auth-token': `at_${'0'.repeat(43)}` };
  for (const headers of [nobodys, { 'x-external-auth': 'nobody' }, ofLive.headers])
    for (const key of [shop.publishable, shop.secret]) {
      expect((await send('POST', '/v1/reviews', headers, key)).status).toBe(401);
      expect((await send('DELETE', path, headers, key)).status).toBe(401);
    }
});

test('two session headers at once are 400', async () => {
  const path = `/v1/reviews/${await written()}`;
  for (const first of SESSION_HEADERS)
    for (const second of SESSION_HEADERS.filter((header) => header > first)) {
      const [one, two] = [
        await doorkeeper.assert(shop.keys, first, ada),
        await doorkeeper.assert(shop.keys, second, ada),
      ];
      const headers = { ...one.headers, ...two.headers };
      for (const reply of [await write(headers), await send('DELETE', path, headers)])
        expect([reply.status, reply.body.error.code]).toEqual([400, 'invalid_request']);
    }
});

test('an operator reads its merchants’ approved reviews as their publishable keys do', async () => {
  const other = shopIn(await stoa.createStore({ plan: 'enterprise' }), 'sandbox');
  const made = await stoa.services.runtime.ask('StoreAdmin/CreateOperator', NO_TENANT, {
    name: 'Mall',
    stores: [shop.keys.store_id],
  });
  const { operator_test_key: key } = ok(made);
  const pending = await written();
  const { id } = await approved(shop, mug);
  const store = `store_id=${shop.keys.store_id}`;
  const read = async (path: string, query: string, by = key): Promise<readonly unknown[]> => {
    const { status, body } = await stoa.send('GET', `${path}?${query}`, { key: by });
    return [status, body.error?.param ?? body.review?.id ?? body.reviews?.map((each: { id: string }) => each.id)];
  };
  expect(await read(`/v1/reviews/${id}`, store)).toEqual([200, id]);
  expect(await read(`/v1/reviews/${pending}`, store)).toEqual([404, undefined]);
  expect(await read('/v1/reviews', `${store}&product_id=${mug.id}`)).toEqual([200, [id]]);
  expect(await read(`/v1/reviews/${id}`, '')).toEqual([400, 'store_id']);
  expect((await read(`/v1/reviews/${id}`, `store_id=${other.keys.store_id}`))[0]).toBe(404);
  expect((await read('/v1/reviews', `${store}&status=pending`))[0]).toBe(403);
  expect(await read(`/v1/reviews/${id}`, `store_id=${other.keys.store_id}`, shop.publishable)).toEqual([200, id]);
  const decision = { key, body: { status: 'approved' } };
  expect((await stoa.send('PATCH', `/v1/reviews/${pending}?${store}`, decision)).status).toBe(403);
});

test('"GET /v1/reviews/{id}: 600 per hour per API key", whatever else the key does', { timeout: 120_000 }, async () => {
  const own = await openShop();
  const { id } = await approved(own, await addProduct(own));
  for (let sent = 0; sent < 600; sent += 100) {
    const replies = await Promise.all(Array.from({ length: 100 }, () => read(own, id)));
    expect(replies.every(({ status }) => status === 200)).toBe(true);
  }
  const { status, headers, body } = await read(own, id);
  expect([status, body.error.code, headers.get('x-ratelimit-scope')]).toEqual([429, 'rate_limited', 'abuse']);
  expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
  expect((await read(own, id, own.secret)).status).toBe(200);
  expect((await stoa.send('GET', '/v1/reviews', { key: own.publishable })).status).toBe(200);
});

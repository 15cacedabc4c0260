// Reviews over HTTP: writing, reading, moderating, deleting and voting.
import { beforeAll, describe, expect, test } from 'vitest';
import {
  addProduct,
  approve,
  approved,
  errorOf,
  eventsOf,
  moderate,
  openShop,
  order,
  type Product,
  read,
  reject,
  review,
  type Shop,
  type Shopper,
  shopIn,
  signUp,
  startReviewServer,
  stoa,
  vote,
  write,
} from '#test/services/review/client.ts';
import { eventually } from '#test/support/server.ts';

const UNKNOWN_ID = '00000000-0000-7000-8000-000000000000';
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const DATE_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

let shop: Shop;
let mug: Product;
beforeAll(async () => {
  await startReviewServer();
  shop = await openShop();
  mug = await addProduct(shop);
});

describe('POST /v1/reviews', () => {
  test('writes a pending review with every field', async () => {
    const ada = await signUp(shop, { first_name: 'Ada', last_name: 'Lovelace' });
    const media_urls = ['https://example.com/a.jpg', 'http://example.com/b.mp4'];
    const reply = await write(shop, ada, review(mug, { variant_id: mug.variant.toUpperCase(), rating: 4, media_urls }));
    expect(reply.status).toBe(201);
    expect(reply.body).toEqual({
      review: {
        id: expect.stringMatching(UUID),
        product_id: mug.id,
        variant_id: mug.variant,
        order_id: null,
        customer_id: ada.id,
        customer_name: 'Ada L.',
        rating: 4,
        title: 'Keeps tea warm',
        body: 'And looks well on the table.',
        media_urls,
        status: 'pending',
        rejection_reason: null,
        helpful_count: 0,
        verified_purchase: false,
        created_at: expect.stringMatching(DATE_TIME),
        updated_at: reply.body.review.created_at,
      },
    });
    expect((await read(shop, reply.body.review.id, shop.secret)).body).toEqual(reply.body);
  });

  test.each<[string, Record<string, unknown>, string]>([
    ['a rating of 0', { rating: 0 }, 'rating'],
    ['a rating of 6', { rating: 6 }, 'rating'],
    ['half a star', { rating: 4.5 }, 'rating'],
    ['no rating', { rating: null }, 'rating'],
    ['no title', { title: null }, 'title'],
    ['an empty title', { title: '' }, 'title'],
    ['a blank title', { title: '  ' }, 'title'],
    ['a title of 201 characters', { title: 'x'.repeat(201) }, 'title'],
    ['an empty body', { body: '' }, 'body'],
    ['a blank body', { body: ' \n' }, 'body'],
    ['a body of 5,001 characters', { body: 'x'.repeat(5_001) }, 'body'],
    ['eleven media', { media_urls: Array(11).fill('https://example.com/') }, 'media_urls'],
    ['a medium that is no address', { media_urls: ['a.jpg'] }, 'media_urls[0]'],
    ['a script for a medium', { media_urls: ['https://example.com/', 'javascript:alert(1)'] }, 'media_urls[1]'],
    ['no product', { product_id: null }, 'product_id'],
    ['a product that is no id', { product_id: 'mug' }, 'product_id'],
    ['an order that is no id', { order_id: 'first' }, 'order_id'],
  ])('%s is 400', async (_name, given, param) => {
    expect(errorOf(await write(shop, await signUp(shop), review(mug, given)))).toEqual([400, 'invalid_request', param]);
  });

  test('takes texts at their bounds', async () => {
    const given = { title: 'x'.repeat(200), body: 'y'.repeat(5_000), media_urls: Array(10).fill('https://a.example/') };
    expect((await write(shop, await signUp(shop), review(mug, given))).status).toBe(201);
  });

  test('refuses products, variants and orders that are missing or do not belong together: 404 with `param`', async () => {
    const shopper = await signUp(shop);
    const hidden = await addProduct(shop, { is_active: false });
    const cup = await addProduct(shop);
    const gone = await addProduct(shop);
    await stoa.send('DELETE', `/v1/products/${gone.id}`, { key: shop.secret });
    const foreign = await addProduct(await openShop());
    const foreignOrder = await order(shop, await signUp(shop), mug);
    const otherOrder = await order(shop, shopper, cup);
    for (const [given, param] of [
      [{ product_id: UNKNOWN_ID }, 'product_id'],
      [{ product_id: hidden.id }, 'product_id'],
      [{ product_id: gone.id }, 'product_id'],
      [{ product_id: foreign.id }, 'product_id'],
      [{ variant_id: UNKNOWN_ID }, 'variant_id'],
      [{ variant_id: cup.variant }, 'variant_id'],
      [{ order_id: UNKNOWN_ID }, 'order_id'],
      [{ order_id: foreignOrder }, 'order_id'],
      [{ order_id: otherOrder }, 'order_id'],
    ] as const)
      expect(errorOf(await write(shop, shopper, review(mug, given)))).toEqual([404, 'not_found', param]);
    expect((await write(shop, shopper, review(mug))).status).toBe(201);
  });

  test('allows one review per customer and product, not counting deleted ones', async () => {
    const shopper = await signUp(shop);
    const first = await write(shop, shopper, review(mug));
    expect(errorOf(await write(shop, shopper, review(mug)))).toEqual([409, 'conflict', 'product_id']);
    expect((await write(shop, shopper, review(await addProduct(shop)))).status).toBe(201);
    await stoa.send('DELETE', `/v1/reviews/${first.body.review.id}`, { key: shop.secret });
    expect((await write(shop, shopper, review(mug, { rating: 1 }))).body.review.rating).toBe(1);
  });

  test('returns the same review for a repeated Idempotency-Key', async () => {
    const shopper = await signUp(shop);
    const key = { 'Idempotency-Key': 'one-review' };
    const first = await write(shop, shopper, review(mug), key);
    const again = await write(shop, shopper, review(mug), key);
    expect([again.status, again.body]).toEqual([201, { ...first.body, idempotent: true }]);
    // Keys of two shoppers are independent.
    expect((await write(shop, await signUp(shop), review(mug), key)).body.idempotent).toBeUndefined();
  });
});

describe('verified_purchase: a paid order of this customer holds the product', () => {
  test.each<[string, Record<string, unknown> | null, boolean]>([
    ['paid', { payment_status: 'paid' }, true],
    ['not paid', null, false],
    ['failed', { payment_status: 'failed' }, false],
  ])('with an order that is %s', async (_name, change, verified) => {
    const shopper = await signUp(shop);
    const order_id = await order(shop, shopper, mug, change);
    const { body } = await write(shop, shopper, review(mug, { order_id }));
    expect(body.review).toMatchObject({ order_id, verified_purchase: verified });
  });

  test('holds for a paid order that the review does not name, not for a cancelled one or another product', async () => {
    const [bought, cancelled, elsewhere] = [await signUp(shop), await signUp(shop), await signUp(shop)];
    await order(shop, bought, mug);
    const signed = { key: shop.secret, signWith: shop.hmac, body: { order_status: 'cancelled' } };
    await stoa.send('PATCH', `/v1/orders/${await order(shop, cancelled, mug)}`, signed);
    await order(shop, elsewhere, await addProduct(shop));
    for (const [shopper, verified] of [
      [bought, true],
      [cancelled, false],
      [elsewhere, false],
    ] as const)
      expect((await write(shop, shopper, review(mug))).body.review.verified_purchase).toBe(verified);
  });

  test('judges again at moderation and survives a refund', async () => {
    const shopper = await signUp(shop);
    const { body } = await write(shop, shopper, review(mug));
    expect(body.review.verified_purchase).toBe(false);
    const id = await order(shop, shopper, mug);
    expect((await approve(shop, body.review.id)).body.review.verified_purchase).toBe(true);
    const refund = { amount: 10, reason: 'Broken' };
    expect((await stoa.send('POST', `/v1/orders/${id}/refunds`, { key: shop.secret, body: refund })).status).toBe(201);
    expect((await reject(shop, body.review.id)).body.review.verified_purchase).toBe(true);
  });
});

describe('"Publishable sees only approved reviews; pending or rejected answer 404. Secret sees all statuses."', () => {
  test('GET /v1/reviews/{id} before and after each decision', async () => {
    const { body } = await write(shop, await signUp(shop), review(mug));
    const { id } = body.review;
    const seen = async () => [(await read(shop, id)).status, (await read(shop, id, shop.secret)).body.review.status];
    expect(await seen()).toEqual([404, 'pending']);
    await approve(shop, id);
    expect(await seen()).toEqual([200, 'approved']);
    await reject(shop, id);
    expect(await seen()).toEqual([404, 'rejected']);
    await approve(shop, id);
    expect(await seen()).toEqual([200, 'approved']);
    expect(errorOf(await read(shop, UNKNOWN_ID))).toEqual([404, 'not_found', undefined]);
    expect(errorOf(await read(shop, 'first'))).toEqual([400, 'invalid_request', 'id']);
  });

  test('reviews of a product that is hidden or deleted are hidden with it, at once', async () => {
    const cup = await addProduct(shop);
    const { id } = await approved(shop, cup);
    const active = (is_active: boolean) =>
      stoa.send('PATCH', `/v1/products/${cup.id}`, { key: shop.secret, body: { is_active } });
    const seen = async () => (await read(shop, id)).status;
    expect(await seen()).toBe(200);
    await active(false);
    expect(await seen()).toBe(404);
    expect((await vote(shop, id)).status).toBe(404);
    expect((await read(shop, id, shop.secret)).status).toBe(200);
    await active(true);
    expect(await seen()).toBe(200);
    await stoa.send('DELETE', `/v1/products/${cup.id}`, { key: shop.secret });
    expect(await seen()).toBe(404);
    expect((await read(shop, id, shop.secret)).status).toBe(200);
  });

  test('another store’s and another environment’s reviews are 404', async () => {
    const { id } = await approved(shop, mug);
    for (const other of [await openShop(), shopIn(shop.keys, 'sandbox')]) {
      expect((await read(other, id, other.secret)).status).toBe(404);
      expect((await approve(other, id)).status).toBe(404);
      expect((await vote(other, id)).status).toBe(404);
      expect((await stoa.send('DELETE', `/v1/reviews/${id}`, { key: other.secret })).status).toBe(404);
    }
    expect((await read(shop, id)).body.review.status).toBe('approved');
  });

  test('answers carry an ETag, and repeat as 304', async () => {
    const { id } = await approved(shop, mug);
    const first = await read(shop, id);
    expect(first.headers.get('cache-control')).toBe('private, max-age=0, must-revalidate');
    const headers = { 'If-None-Match': first.headers.get('etag')! };
    const again = await stoa.send('GET', `/v1/reviews/${id}`, { key: shop.publishable, headers });
    expect([again.status, again.headers.get('x-cache')]).toEqual([304, 'HIT-304']);
    await vote(shop, id);
    const changed = await stoa.send('GET', `/v1/reviews/${id}`, { key: shop.publishable, headers });
    expect([changed.status, changed.body.review.helpful_count]).toEqual([200, 1]);
  });

  test('`fields` cuts the review down', async () => {
    const { id, rating } = await approved(shop, mug);
    const { body } = await stoa.send('GET', `/v1/reviews/${id}?fields=rating,status`, { key: shop.publishable });
    expect(body).toEqual({ review: { rating, status: 'approved' } });
  });
});

describe('PATCH /v1/reviews/{id}', () => {
  test('"review passes moderation": "becomes visible to publishable keys; event `review.approved`", "carries product_id, rating, verified_purchase"', async () => {
    const other = await openShop();
    const cup = await addProduct(other);
    const { body } = await write(other, await signUp(other), review(cup, { rating: 4 }));
    const { id } = body.review;
    const done = await approve(other, id);
    expect(done.body.review).toEqual({ ...body.review, status: 'approved', updated_at: expect.any(String) });
    // A repeated approval and a rejection emit nothing; another approval does.
    expect((await approve(other, id)).body).toEqual(done.body);
    await reject(other, id);
    const again = await approve(other, id);
    await eventually(async () =>
      expect(await eventsOf(other, 'review.approved')).toEqual([done.body.review, again.body.review]),
    );
    expect(done.body.review).toMatchObject({ product_id: cup.id, rating: 4, verified_purchase: false });
  });

  test('a rejection requires a reason, and an approval removes it', async () => {
    const { id } = await approved(shop, mug);
    for (const rejection_reason of [undefined, null, '  '])
      expect(errorOf(await moderate(shop, id, { status: 'rejected', rejection_reason }))).toEqual([
        400,
        'invalid_request',
        'rejection_reason',
      ]);
    for (const [body, param] of [
      [{}, 'status'],
      [{ status: 'pending' }, 'status'],
      [{ status: 'hidden' }, 'status'],
      [{ status: 'rejected', rejection_reason: '' }, 'rejection_reason'],
      [{ status: 'rejected', rejection_reason: 'x'.repeat(501) }, 'rejection_reason'],
    ] as const)
      expect(errorOf(await moderate(shop, id, body))).toEqual([400, 'invalid_request', param]);
    expect((await reject(shop, id, 'x'.repeat(500))).body.review.rejection_reason).toHaveLength(500);
    expect((await reject(shop, id, 'Rude.')).body.review).toMatchObject({
      status: 'rejected',
      rejection_reason: 'Rude.',
    });
    const back = await moderate(shop, id, { status: 'approved', rejection_reason: 'Rude.' });
    expect(back.body.review).toMatchObject({ status: 'approved', rejection_reason: null });
    expect((await approve(shop, UNKNOWN_ID)).status).toBe(404);
    const denied = await stoa.send('PATCH', `/v1/reviews/${id}`, { key: shop.publishable, body: {} });
    expect([denied.status, denied.body.error.hint]).toEqual([403, expect.stringContaining('svc_sk_')]);
  });
});

describe('the store’s setting `review_approval`', () => {
  const set = (of: Shop, review_approval: string) =>
    stoa.send('PATCH', '/v1/store', { key: of.secret, body: { review_approval } });

  test('defaults to `manual`, is shown to secret keys only, and takes three values', async () => {
    const own = await openShop();
    const shownTo = async (key: string) => (await stoa.send('GET', '/v1/store', { key })).body.store.review_approval;
    expect([await shownTo(own.secret), await shownTo(own.publishable)]).toEqual(['manual', undefined]);
    expect((await set(own, 'all')).body.store.review_approval).toBe('all');
    expect([await shownTo(own.secret), await shownTo(own.publishable)]).toEqual(['all', undefined]);
    expect(errorOf(await set(own, 'some'))).toEqual([400, 'invalid_request', 'review_approval']);
    expect((await set(shopIn(own.keys, 'sandbox'), 'manual')).status).toBe(403);
    expect(await eventsOf(own, 'store.updated')).toEqual([]);
  });

  test.each([
    ['verified', false, 'pending'],
    ['verified', true, 'approved'],
    ['all', false, 'approved'],
  ])('%s, bought %s: %s', async (approval, bought, status) => {
    const own = await openShop();
    const cup = await addProduct(own);
    await set(own, approval);
    const shopper = await signUp(own);
    if (bought) await order(own, shopper, cup);
    const { body } = await write(own, shopper, review(cup));
    expect(body.review.status).toBe(status);
    const events = status === 'approved' ? [body.review] : [];
    await eventually(async () => expect(await eventsOf(own, 'review.approved')).toEqual(events));
    expect((await read(own, body.review.id)).status).toBe(status === 'approved' ? 200 : 404);
  });
});

describe('DELETE /v1/reviews/{id}', () => {
  const remove = (id: string, key: string, shopper?: Shopper) =>
    stoa.send('DELETE', `/v1/reviews/${id}`, { key, headers: shopper ? { 'x-auth-token': shopper.token } : {} });

  test('deletes for the writer or a secret key only', async () => {
    const [ada, bob] = [await signUp(shop), await signUp(shop)];
    const { body } = await write(shop, ada, review(mug));
    const { id } = body.review;
    expect((await remove(id, shop.publishable)).status).toBe(401);
    // Another shopper's review answers as if it did not exist.
    expect((await remove(id, shop.publishable, bob)).status).toBe(404);
    expect((await remove(id, shop.secret, bob)).status).toBe(404);
    expect((await remove(id, shop.publishable, ada)).body).toEqual({ deleted: true, id });
    expect((await remove(id, shop.publishable, ada)).status).toBe(404);
    expect((await read(shop, id, shop.secret)).status).toBe(404);
    const other = await approved(shop, mug);
    expect((await remove(other.id.toUpperCase(), shop.secret)).body).toEqual({ deleted: true, id: other.id });
    expect((await read(shop, other.id)).status).toBe(404);
  });
});

describe('POST /v1/reviews/{id}/helpful', () => {
  const helpful = (id: string, key: string, headers: Record<string, string>) =>
    stoa.send('POST', `/v1/reviews/${id}/helpful`, { key, headers });
  const countOf = async (voting: ReturnType<typeof helpful>) => (await voting).body.review.helpful_count;

  test('counts once for each session, needs no customer, and changes nothing else', async () => {
    const before = await approved(shop, mug);
    expect(await countOf(vote(shop, before.id, 'first'))).toBe(1);
    expect(await countOf(vote(shop, before.id, 'first'))).toBe(1);
    expect(await countOf(vote(shop, before.id, 'second'))).toBe(2);
    expect((await read(shop, before.id)).body.review).toEqual({ ...before, helpful_count: 2 });
    const other = await approved(shop, mug);
    expect(await countOf(vote(shop, other.id, 'first'))).toBe(1);
  });

  test('counts once per network without a session; a server names the network', async () => {
    const { id } = await approved(shop, mug);
    const from = (address: string) => helpful(id, shop.secret, { 'X-Shopper-IP': address });
    expect(await countOf(helpful(id, shop.publishable, {}))).toBe(1);
    // The header counts for secret keys only: a publishable key belongs to the shopper.
    expect(await countOf(helpful(id, shop.publishable, { 'X-Shopper-IP': '198.51.100.1' }))).toBe(1);
    expect(await countOf(from('198.51.100.1'))).toBe(2);
    expect(await countOf(from('198.51.100.1'))).toBe(2);
    expect(await countOf(from('2001:db8:1:2::1'))).toBe(3);
    // Same /64 network.
    expect(await countOf(from('2001:db8:1:2:3::4'))).toBe(3);
    expect(errorOf(await from('here'))).toEqual([400, 'invalid_request', 'X-Shopper-IP']);
    // A `network` in the body is ignored.
    const body = { network: '203.0.113.9' };
    const forged = await stoa.send('POST', `/v1/reviews/${id}/helpful`, { key: shop.publishable, body });
    expect(forged.body.review.helpful_count).toBe(3);
  });

  test('refuses an invalid session id, and does not count it by network', async () => {
    const { id } = await approved(shop, mug);
    for (const session of ['x'.repeat(129), 'two words'])
      expect(errorOf(await vote(shop, id, session))).toEqual([400, 'invalid_request', 'X-Session-Id']);
    expect((await read(shop, id)).body.review.helpful_count).toBe(0);
  });

  test('counts only visible reviews', async () => {
    const { body } = await write(shop, await signUp(shop), review(mug));
    expect((await vote(shop, body.review.id)).status).toBe(404);
    expect((await vote(shop, UNKNOWN_ID)).status).toBe(404);
  });
});

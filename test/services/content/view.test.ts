// Views of content: which requests count, how visitors are distinguished, and analytics.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { manualClock } from '#runtime/process/clock.ts';
import { viewOf } from '#services/content/view.ts';
import { ViewCounter } from '#services/content/view_counter.ts';
import { type Merchant, openMerchant } from '#test/support/catalog.ts';
import { eventually } from '#test/support/server.ts';
import { type Reply, type Stoa, startStoa } from '#test/support/stoa.ts';

const clock = manualClock(Date.parse('2026-06-01T12:00:00Z'));
const MINUTE_MS = 60_000;
let stoa: Stoa;
let merchant: Merchant;
beforeAll(async () => {
  stoa = await startStoa({ clock, trustedProxies: '127.0.0.1' });
});
afterAll(() => stoa?.stop());
beforeEach(async () => {
  merchant = await openMerchant(stoa);
  await merchant.secret('POST', '/v1/lookbooks', { title: 'Looked at', status: 'published' });
  await merchant.secret('POST', '/v1/blog/posts', { title: 'Read', status: 'published' });
});

const problemOf = ({ status, body }: Reply): unknown[] => [status, body.error?.code, body.error?.param];
const LOOKBOOK = '/v1/lookbooks/looked-at';
const POST = '/v1/blog/posts/read';

const look = (path: string, headers: Record<string, string> = {}, send = merchant.publishable): Promise<Reply> =>
  send('GET', path, undefined, { headers });
const analytics = async (query = '', send = merchant.secret) =>
  (await send('GET', `/v1/content/analytics${query}`)).body.analytics;
const counted = async (): Promise<number[]> => {
  const [first] = await analytics('?kind=lookbook');
  return first ? [first.views, first.visitors, first.sessions] : [0, 0, 0];
};

/** Lets time pass after pending views are counted. */
const pass = async (ms: number): Promise<void> => {
  await analytics();
  clock.advance(ms);
};

describe('a view', () => {
  test('counts for a GET by slug with a publishable key, of posts and lookbooks', async () => {
    await look(LOOKBOOK, { 'X-Visitor-Id': 'ann' });
    await look(POST, { 'X-Visitor-Id': 'ann' });
    await look(LOOKBOOK, { 'X-Visitor-Id': 'bob' });
    const day = (views: number) => [{ date: '2026-06-01', views, visitors: views }];
    expect(await analytics()).toEqual([
      {
        id: expect.any(String),
        kind: 'lookbook',
        slug: 'looked-at',
        title: 'Looked at',
        views: 2,
        visitors: 2,
        sessions: 2,
        daily: day(2),
      },
      {
        id: expect.any(String),
        kind: 'post',
        slug: 'read',
        title: 'Read',
        views: 1,
        visitors: 1,
        sessions: 1,
        daily: day(1),
      },
    ]);
  });

  test('ignores secret keys, lists, missing items, HEAD and refused requests', async () => {
    await look(LOOKBOOK, {}, merchant.secret);
    await look('/v1/lookbooks');
    await look('/v1/lookbooks/nothing');
    await look(`${LOOKBOOK}?fields=nothing`);
    await merchant.publishable('HEAD', LOOKBOOK);
    expect(await analytics()).toEqual([]);
  });

  test('counts for a 304 too', async () => {
    const etag = (await look(LOOKBOOK, { 'X-Visitor-Id': 'ann' })).headers.get('etag') as string;
    const again = await look(LOOKBOOK, { 'X-Visitor-Id': 'bob', 'If-None-Match': etag });
    expect(again.status).toBe(304);
    expect(await counted()).toEqual([2, 2, 2]);
  });

  test('counts once for “repeats of one session within 30 minutes”', async () => {
    const session = { 'X-Visitor-Id': 'ann', 'X-Session-Id': 'tuesday' };
    await look(LOOKBOOK, session);
    await look(LOOKBOOK, session);
    await pass(30 * MINUTE_MS - 1);
    await look(LOOKBOOK, session);
    expect(await counted()).toEqual([1, 1, 1]);
    await pass(1);
    await look(LOOKBOOK, session);
    expect(await counted()).toEqual([2, 1, 1]);
    await look(LOOKBOOK, { ...session, 'X-Session-Id': 'wednesday' });
    expect(await counted()).toEqual([3, 1, 2]);
  });

  test('counts once across midnight', async () => {
    const now = clock.real();
    await pass(Date.parse('2026-07-01T23:50:00Z') - now);
    await look(LOOKBOOK, { 'X-Visitor-Id': 'ann' });
    await pass(20 * MINUTE_MS);
    // Another host, which has not seen the first view.
    const seen = { kind: 'lookbook', slug: 'looked-at', visitor: 'ann', session: '', network: '', agent: '' } as const;
    const elsewhere = new ViewCounter(stoa.services.runtime);
    await elsewhere.count(merchant.tenant, [viewOf(merchant.tenant, seen, new Date(clock.real()), 'UTC')]);
    await look(LOOKBOOK, { 'X-Visitor-Id': 'ann' });
    const [first] = await analytics('?kind=lookbook');
    expect(first.daily).toEqual([{ date: '2026-07-01', views: 1, visitors: 1 }]);
    await pass(10 * MINUTE_MS);
    await look(LOOKBOOK, { 'X-Visitor-Id': 'ann' });
    const [later] = await analytics('?kind=lookbook');
    expect(later).toMatchObject({
      views: 2,
      visitors: 1,
      daily: [
        { date: '2026-07-01', views: 1 },
        { date: '2026-07-02', views: 1 },
      ],
    });
  });
});

describe('a visitor', () => {
  test('follows `visitor_id` and `session_id`, the header before the query parameter', async () => {
    await look(`${LOOKBOOK}?visitor_id=ann&session_id=one`);
    await look(LOOKBOOK, { 'X-Visitor-Id': 'ann', 'X-Session-Id': 'one' });
    await look(`${LOOKBOOK}?visitor_id=bob&session_id=two`, { 'X-Visitor-Id': 'ann', 'X-Session-Id': 'one' });
    expect(await counted()).toEqual([1, 1, 1]);
    await look(`${LOOKBOOK}?visitor_id=bob`);
    await look(`${LOOKBOOK}?visitor_id=b%6Fb`);
    expect(await counted()).toEqual([2, 2, 2]);
  });

  test('does not change the answer or its ETag', async () => {
    const one = await look(`${LOOKBOOK}?visitor_id=ann`, { 'X-Session-Id': 'one' });
    const other = await look(LOOKBOOK, { 'X-Visitor-Id': 'bob' });
    expect([other.text, other.headers.get('etag')]).toEqual([one.text, one.headers.get('etag')]);
  });

  test('falls back to network and agent without an id', async () => {
    const from = (address: string, agent: string) =>
      look(LOOKBOOK, { 'X-Forwarded-For': address, 'User-Agent': agent });
    await from('203.0.113.7', 'A');
    await from('203.0.113.7', 'A');
    expect(await counted()).toEqual([1, 1, 1]);
    await from('203.0.113.7', 'B');
    await from('203.0.113.8', 'A');
    await from('2001:db8::1', 'A');
    // Same network.
    await from('2001:db8::2', 'A');
    expect(await counted()).toEqual([4, 4, 4]);
  });

  test('leaves no id, address or agent in the database', async () => {
    await look(LOOKBOOK, { 'X-Visitor-Id': 'ann@example.com', 'User-Agent': 'A browser' });
    expect(await counted()).toEqual([1, 1, 1]);
    const { sql } = stoa.services.runtime.postgres;
    const rows = await sql`select * from content.view where store = ${merchant.keys.store_id}`;
    expect(rows).toHaveLength(1);
    expect(JSON.stringify(rows)).not.toMatch(/ann|browser/i);
    expect(Object.keys(rows[0] ?? {})).toEqual(
      expect.not.arrayContaining(['visitor_id', 'network', 'address', 'agent']),
    );
  });
});

describe('analytics', () => {
  test('filter by kind, id and days', async () => {
    const start = clock.real();
    const date = (days: number): string => new Date(start + days * 86_400_000).toISOString().slice(0, 10);
    await look(LOOKBOOK, { 'X-Visitor-Id': 'ann' });
    await look(POST, { 'X-Visitor-Id': 'ann' });
    await pass(2 * 86_400_000);
    await look(LOOKBOOK, { 'X-Visitor-Id': 'ann' });
    await look(LOOKBOOK, { 'X-Visitor-Id': 'bob' });
    const [lookbook, post] = await analytics();
    expect(lookbook).toMatchObject({
      kind: 'lookbook',
      views: 3,
      visitors: 2,
      sessions: 2,
      daily: [
        { date: date(0), views: 1, visitors: 1 },
        { date: date(2), views: 2, visitors: 2 },
      ],
    });
    expect(await analytics('?kind=post')).toEqual([post]);
    expect(await analytics(`?id=${lookbook.id}`)).toEqual([lookbook]);
    expect(await analytics(`?kind=post&id=${lookbook.id}`)).toEqual([]);
    const [early] = await analytics(`?kind=lookbook&to=${date(1)}`);
    expect([early.views, early.visitors]).toEqual([1, 1]);
    const [late] = await analytics(`?kind=lookbook&from=${date(1)}`);
    expect([late.views, late.visitors]).toEqual([2, 2]);
    // An item without views is listed when `id` names it.
    const [none] = await analytics(`?id=${post.id}&from=${date(1)}`);
    expect(none).toEqual({ ...post, views: 0, visitors: 0, sessions: 0, daily: [] });
    expect(await analytics(`?from=${date(3)}&to=${date(4)}`)).toEqual([]);
  });

  test('count days, and today, by the store’s `timezone`', async () => {
    const zoned = await openMerchant(stoa);
    await zoned.secret('PATCH', '/v1/store', { timezone: 'Pacific/Auckland' });
    await zoned.secret('POST', '/v1/lookbooks', { title: 'Looked at', status: 'published' });
    const days = async (query = '') =>
      (await analytics(query, zoned.secret)).flatMap(({ daily }: { daily: { date: string }[] }) =>
        daily.map(({ date }) => date),
      );
    // 23:30 and 00:30 in Auckland, on one UTC day.
    const evening = Date.parse('2026-09-01T11:30:00Z');
    await pass(evening - clock.real());
    await look(LOOKBOOK, { 'X-Visitor-Id': 'ann' }, zoned.publishable);
    await days();
    clock.advance(60 * MINUTE_MS);
    await look(LOOKBOOK, { 'X-Visitor-Id': 'ann' }, zoned.publishable);
    expect(await days()).toEqual(['2026-09-01', '2026-09-02']);
    expect(await days('?from=2026-09-01T12:30:00Z')).toEqual(['2026-09-02']);
    expect(await days('?to=2026-09-01T11:30:00Z')).toEqual(['2026-09-01']);
    // In New York the same moment is 08:30 on the first.
    await zoned.secret('PATCH', '/v1/store', { timezone: 'America/New_York' });
    await eventually(async () => expect(await days('?from=2026-09-01T12:30:00Z')).toEqual(['2026-09-01']));
  });

  test.each([
    ['?kind=picture', 'kind'],
    ['?id=x', 'id'],
    ['?from=yesterday', 'from'],
    ['?to=2026-02-30', 'to'],
    ['?from=2026-01-02&to=2026-01-01', 'from'],
    ['?from=2020-01-01&to=2026-01-01', 'from'],
  ])('%s is refused at %s', async (query, param) => {
    expect(problemOf(await merchant.secret('GET', `/v1/content/analytics${query}`))).toEqual([
      400,
      'invalid_request',
      param,
    ]);
  });

  test('require a secret key and show only its own store and environment', async () => {
    await look(LOOKBOOK);
    const refused = await merchant.publishable('GET', '/v1/content/analytics');
    expect([refused.status, typeof refused.body.error.hint]).toEqual([403, 'string']);
    expect(await analytics('', merchant.test)).toEqual([]);
    expect(await analytics('', (await openMerchant(stoa)).secret)).toEqual([]);
  });

  test('restart with a sandbox reset', async () => {
    const { publishable_test_key } = merchant.keys;
    const seen = async (): Promise<void> => {
      await merchant.test('POST', '/v1/lookbooks', { title: 'Tried', status: 'published' });
      await stoa.send('GET', '/v1/lookbooks/tried', { key: publishable_test_key });
      await eventually(async () => expect((await analytics('', merchant.test))[0]?.views).toBe(1));
    };
    await seen();
    await merchant.test('POST', '/v1/sandbox/reset', {});
    expect(await analytics('', merchant.test)).toEqual([]);
    await seen();
  });
});

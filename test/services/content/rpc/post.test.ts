// The blog over HTTP: fields, visibility, scheduled publication, slugs, lists and `post.published`.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { BlogPost } from '#proto/gen/blog.ts';
import { manualClock } from '#runtime/process/clock.ts';
import { type Merchant, openMerchant } from '#test/support/catalog.ts';
import { subscribeEvents } from '#test/support/event.ts';
import { eventually } from '#test/support/server.ts';
import { type Reply, type Stoa, startStoa } from '#test/support/stoa.ts';

const clock = manualClock(Date.parse('2026-06-01T12:00:00Z'));
let stoa: Stoa;
let merchant: Merchant;
beforeAll(async () => {
  stoa = await startStoa({ clock });
  merchant = await openMerchant(stoa);
});
afterAll(() => stoa?.stop());

const UNKNOWN_ID = '00000000-0000-4000-8000-000000000000';
const at = (seconds: number): string => new Date(clock.real() + seconds * 1_000).toISOString();
const problemOf = ({ status, body }: Reply): unknown[] => [status, body.error?.code, body.error?.param];

const create = async (body: object, of = merchant): Promise<BlogPost> => {
  const reply = await of.secret('POST', '/v1/blog/posts', body);
  if (reply.status !== 201) throw new Error(reply.text);
  return reply.body.post;
};
const change = (id: string, body: object, of = merchant): Promise<Reply> =>
  of.secret('PATCH', `/v1/blog/posts/${id}`, body);
const statusOf = async (slug: string, send = merchant.publishable): Promise<number> =>
  (await send('GET', `/v1/blog/posts/${slug}`)).status;

interface PublishedEvent {
  readonly slug: string;
  readonly at: string;
}

/** Collects `post.published` events of a store, oldest first. */
const listen = (store: string): readonly PublishedEvent[] => {
  const published: PublishedEvent[] = [];
  subscribeEvents(stoa.services.runtime, ({ type, created_at, data }, tenant) => {
    const { slug } = data.object as { slug: string };
    if (tenant.store === store && type === 'post.published') published.push({ slug, at: created_at });
  });
  return published;
};

describe('a post', () => {
  test('returns every field, with defaults for omitted ones', async () => {
    const bare = await create({ title: 'Crème brûlée, at last!' });
    expect(bare).toEqual({
      id: expect.any(String),
      title: 'Crème brûlée, at last!',
      slug: 'creme-brulee-at-last',
      excerpt: null,
      body: '',
      cover_image: null,
      author: null,
      tags: [],
      status: 'draft',
      published_at: null,
      seo_title: null,
      seo_description: null,
      created_at: at(0),
      updated_at: at(0),
    });
    const nulls = { slug: null, excerpt: null, body: null, tags: null, status: null, published_at: null, author: null };
    expect(await create({ title: 'Nulls', ...nulls })).toEqual({
      ...bare,
      id: expect.any(String),
      title: 'Nulls',
      slug: 'nulls',
    });
  });

  test('stores every field, and Markdown unchanged', async () => {
    const said = {
      title: 'How a kiondo is woven',
      slug: 'kiondo',
      excerpt: 'Sisal first.',
      body: '# Sisal\r\n\n<script>alert("no")</script>\n\n* one\n\n\tcode  \n',
      cover_image: 'https://cdn.example/kiondo.jpg',
      author: 'Wanjiru Kamau',
      tags: ['Craft', 'Baskets'],
      status: 'published',
      published_at: at(-86_400),
      seo_title: 'Kiondo weaving',
      seo_description: 'How it is done.',
    };
    const post = await create({ ...said, tags: ['Craft', 'Baskets', 'craft'] });
    expect(post).toMatchObject(said);
    for (const send of [merchant.publishable, merchant.secret]) {
      expect((await send('GET', '/v1/blog/posts/kiondo')).body).toEqual({ post });
    }
    const { body } = await merchant.publishable('GET', '/v1/blog/posts/kiondo?fields=title,tags');
    expect(body).toEqual({ post: { title: said.title, tags: said.tags } });
    const unknown = await merchant.publishable('GET', '/v1/blog/posts/kiondo?fields=title,html');
    expect(problemOf(unknown)).toEqual([400, 'invalid_request', 'fields']);
  });

  test('changes only the fields that a body names', async () => {
    const before = await create({ title: 'Old', excerpt: 'x', author: 'y', tags: ['a'] });
    clock.advance(1_000);
    const { body } = await change(before.id, { title: 'New', excerpt: null, body: 'text', tags: null, slug: null });
    expect(body.post).toEqual({ ...before, title: 'New', excerpt: null, body: 'text', updated_at: at(0) });
    expect((await change(before.id, { tags: [], slug: 'newer' })).body.post).toMatchObject({ tags: [], slug: 'newer' });
    expect(await statusOf('old', merchant.secret)).toBe(404);
    expect(problemOf(await change(UNKNOWN_ID, {}))).toEqual([404, 'not_found', undefined]);
  });

  test('releases its slug when deleted', async () => {
    const { id } = await create({ title: 'Going', status: 'published' });
    const gone = await merchant.secret('DELETE', `/v1/blog/posts/${id}`);
    expect(gone.body).toEqual({ deleted: true, id });
    expect(await statusOf('going', merchant.secret)).toBe(404);
    expect((await merchant.secret('DELETE', `/v1/blog/posts/${id}`)).status).toBe(404);
    expect((await change(id, {})).status).toBe(404);
    expect((await create({ title: 'Going' })).slug).toBe('going');
  });

  test.each([
    [{}, 'title'],
    [{ title: '' }, 'title'],
    [{ title: '   ' }, 'title'],
    [{ title: 'x'.repeat(301) }, 'title'],
    [{ title: 'x', slug: 'Not One' }, 'slug'],
    [{ title: 'x', slug: '-x' }, 'slug'],
    [{ title: 'x', cover_image: 'picture.jpg' }, 'cover_image'],
    [{ title: 'x', status: 'hidden' }, 'status'],
    [{ title: 'x', tags: [''] }, 'tags[0]'],
    [{ title: 'x', published_at: 'soon' }, 'published_at'],
    [{ title: 'x', status: 'scheduled' }, 'published_at'],
    [{ title: 'x', status: 'scheduled', published_at: '2026-06-01T11:59:59Z' }, 'published_at'],
    [{ title: 'x', status: 'published', published_at: '2099-01-01T00:00:00Z' }, 'published_at'],
  ])('is refused as %j at %s', async (body, param) => {
    expect(problemOf(await merchant.secret('POST', '/v1/blog/posts', body))).toEqual([400, 'invalid_request', param]);
  });
});

describe('slugs', () => {
  test('“come from the title, or are given (pattern of product slugs); a taken one is 409”', async () => {
    const first = await create({ title: 'The same' });
    expect(first.slug).toBe('the-same');
    expect((await create({ title: 'The Same!' })).slug).toBe('the-same-2');
    const given = await merchant.secret('POST', '/v1/blog/posts', { title: 'Other', slug: 'the-same' });
    expect(problemOf(given)).toEqual([409, 'conflict', 'slug']);
    const other = await create({ title: 'Another' });
    expect(problemOf(await change(other.id, { slug: 'the-same' }))).toEqual([409, 'conflict', 'slug']);
    expect((await change(first.id, { slug: 'the-same' })).status).toBe(200);
  });

  test('use the id if the title has no letters for an address', async () => {
    const { id, slug } = await create({ title: '日本' });
    expect(slug).toBe(id.slice(-8));
  });

  test('stay unique among concurrent requests', async () => {
    const tries = Array.from({ length: 8 }, () =>
      merchant.secret('POST', '/v1/blog/posts', { title: 'Race', slug: 'race' }),
    );
    const statuses = (await Promise.all(tries)).map(({ status }) => status).sort();
    expect(statuses).toEqual([201, ...Array(7).fill(409)]);
    const made = await Promise.all(Array.from({ length: 8 }, () => create({ title: 'x'.repeat(300) })));
    expect(new Set(made.map(({ slug }) => slug)).size).toBe(8);
  });

  test('do not collide between stores and environments', async () => {
    const other = await openMerchant(stoa);
    await create({ title: 'Mine', status: 'published' }, merchant);
    await create({ title: 'Mine', body: 'theirs', status: 'published' }, other);
    expect((await merchant.test('POST', '/v1/blog/posts', { title: 'Mine' })).status).toBe(201);
    expect((await merchant.publishable('GET', '/v1/blog/posts/mine')).body.post.body).toBe('');
  });
});

describe('“drafts and scheduled ones are 404 for publishable keys”', () => {
  test('holds for reads and lists, while a secret key sees all', async () => {
    const shop = await openMerchant(stoa);
    await create({ title: 'Draft' }, shop);
    await create({ title: 'Scheduled', status: 'scheduled', published_at: at(60) }, shop);
    await create({ title: 'Published', status: 'published' }, shop);
    for (const [slug, seen] of [
      ['draft', 404],
      ['scheduled', 404],
      ['published', 200],
    ] as const) {
      expect(await statusOf(slug, shop.publishable)).toBe(seen);
      expect(await statusOf(slug, shop.secret)).toBe(200);
    }
    const slugs = async (query: string, send = shop.secret) =>
      (await send('GET', `/v1/blog/posts${query}`)).body.posts.map(({ slug }: BlogPost) => slug);
    expect(await slugs('', shop.publishable)).toEqual(['published']);
    expect(await slugs('')).toEqual(expect.arrayContaining(['draft', 'scheduled', 'published']));
    for (const status of ['draft', 'scheduled', 'published'])
      expect(await slugs(`?status=${status}`)).toEqual([status]);
    const refused = await shop.publishable('GET', '/v1/blog/posts?status=draft');
    expect(problemOf(refused)).toEqual([403, 'forbidden', 'status']);
    expect(refused.body.error.hint).toEqual(expect.any(String));
  });

  test('allows no write with a publishable key', async () => {
    const { id } = await create({ title: 'Kept' });
    for (const reply of [
      await merchant.publishable('POST', '/v1/blog/posts', { title: 'x' }),
      await merchant.publishable('PATCH', `/v1/blog/posts/${id}`, {}),
      await merchant.publishable('DELETE', `/v1/blog/posts/${id}`),
    ])
      expect([reply.status, typeof reply.body.error.hint]).toEqual([403, 'string']);
  });
});

describe('`post.published`', () => {
  test('occurs once, at the first publication', async () => {
    const published = listen(merchant.keys.store_id);
    const { id } = await create({ title: 'Told once' });
    for (const status of ['published', 'draft', 'published', 'draft', 'published'])
      expect((await change(id, { status })).body.post.status).toBe(status);
    await create({ title: 'Told at once', status: 'published' });
    await eventually(() => expect(published).toHaveLength(2));
    expect(published.map(({ slug }) => slug)).toEqual(['told-once', 'told-at-once']);
  });

  test('“`scheduled` needs a future `published_at` and is published by the tenant’s clock”', async () => {
    const shop = await openMerchant(stoa);
    const published = listen(shop.keys.store_id);
    const due = at(60);
    const { id } = await create({ title: 'Later', status: 'scheduled', published_at: due }, shop);
    clock.advance(59_999);
    expect(await statusOf('later', shop.publishable)).toBe(404);
    clock.advance(1);
    // Regardless of the schedule's last round.
    const { body } = await shop.publishable('GET', '/v1/blog/posts/later');
    expect(body.post).toMatchObject({ status: 'published', published_at: due });
    await eventually(() => expect(published).toEqual([{ slug: 'later', at: due }]));
    expect((await change(id, { body: 'edited' }, shop)).body.post).toMatchObject({ status: 'published' });
    expect(published).toHaveLength(1);
  });

  test('does not occur for a cancelled schedule', async () => {
    const shop = await openMerchant(stoa);
    const published = listen(shop.keys.store_id);
    const { id } = await create({ title: 'Never', status: 'scheduled', published_at: at(60) }, shop);
    expect((await change(id, { status: 'draft' }, shop)).status).toBe(200);
    await create({ title: 'Ever', status: 'scheduled', published_at: at(61) }, shop);
    clock.advance(61_000);
    await eventually(() => expect(published).toHaveLength(1));
    expect(published[0]).toMatchObject({ slug: 'ever' });
    expect(await statusOf('never', shop.publishable)).toBe(404);
  });

  test('occurs when a sandbox’s clock passes it', async () => {
    const shop = await openMerchant(stoa);
    const published = listen(shop.keys.store_id);
    const due = at(86_400);
    const body = { title: 'Tomorrow', status: 'scheduled', published_at: due };
    await shop.test('POST', '/v1/blog/posts', body);
    const travelled = await shop.test('POST', '/v1/sandbox/time-travel', { advance_seconds: 86_401 });
    expect(travelled.body.fired).toEqual([{ type: 'post.published', count: 1 }]);
    expect((await shop.test('GET', '/v1/blog/posts/tomorrow')).body.post.status).toBe('published');
    await eventually(() => expect(published).toEqual([{ slug: 'tomorrow', at: due }]));
  });
});

describe('a list of posts', () => {
  let shop: Merchant;
  const walk = async (query: string, send = shop.publishable): Promise<string[]> => {
    const seen: string[] = [];
    for (let cursor: string | null = ''; cursor !== null; ) {
      const { body }: Reply = await send('GET', `/v1/blog/posts?${query}${cursor && `&cursor=${cursor}`}`);
      seen.push(...body.posts.map(({ title }: BlogPost) => title));
      cursor = body.pagination.next_cursor;
      expect(body.pagination.has_more).toBe(cursor !== null);
    }
    return seen;
  };

  beforeAll(async () => {
    shop = await openMerchant(stoa);
    // Three share a time: ties are neither lost nor repeated.
    for (const [title, days, tags] of [
      ['b', 2, ['News']],
      ['d', 4, []],
      ['c1', 3, ['news', 'Craft']],
      ['c2', 3, ['craft']],
      ['c3', 3, []],
      ['a', 1, ['crafty']],
    ] as const)
      await create({ title, tags, status: 'published', published_at: at(-days * 86_400) }, shop);
    await create({ title: 'draft', tags: ['news'] }, shop);
  });

  test('shows the newest published first, a secret key the newest written', async () => {
    const all = await walk('limit=100');
    expect(all).toEqual(['a', 'b', 'c3', 'c2', 'c1', 'd']);
    for (const limit of [1, 2, 3]) expect(await walk(`limit=${limit}`)).toEqual(all);
    expect(await walk('limit=2', shop.secret)).toEqual(['draft', 'a', 'c3', 'c2', 'c1', 'd', 'b']);
  });

  test('filters by `tag` regardless of letter case', async () => {
    expect(await walk('tag=NEWS')).toEqual(['b', 'c1']);
    expect(await walk('tag=craft&limit=1')).toEqual(['c2', 'c1']);
    expect(await walk('tag=nothing')).toEqual([]);
    expect(await walk('tag=news', shop.secret)).toEqual(['draft', 'c1', 'b']);
  });

  test('refuses a damaged cursor or one of another list', async () => {
    const { body } = await shop.publishable('GET', '/v1/blog/posts?limit=1');
    const cursor = body.pagination.next_cursor;
    for (const reply of [
      await shop.publishable('GET', `/v1/blog/posts?tag=news&cursor=${cursor}`),
      await shop.secret('GET', `/v1/blog/posts?cursor=${cursor}`),
      await merchant.publishable('GET', `/v1/blog/posts?cursor=${cursor}`),
      await shop.publishable('GET', `/v1/blog/posts?cursor=${cursor}x`),
    ])
      expect(problemOf(reply)).toEqual([400, 'invalid_request', 'cursor']);
    for (const limit of ['0', '101', 'x'])
      expect(problemOf(await shop.publishable('GET', `/v1/blog/posts?limit=${limit}`))).toEqual([
        400,
        'invalid_request',
        'limit',
      ]);
  });

  test('carries an ETag until it changes, as a post does', async () => {
    const post = (await shop.secret('GET', '/v1/blog/posts/d')).body.post as BlogPost;
    for (const path of ['/v1/blog/posts', '/v1/blog/posts/d']) {
      const first = await shop.publishable('GET', path);
      const etag = first.headers.get('etag') as string;
      const again = await shop.publishable('GET', path, undefined, { headers: { 'If-None-Match': etag } });
      expect([again.status, again.text, again.headers.get('x-cache')]).toEqual([304, '', 'HIT-304']);
      expect(again.headers.get('cache-control')).toBe('private, max-age=0, must-revalidate');
      expect((await shop.secret('GET', path)).headers.get('etag')).not.toBe(etag);
      await change(post.id, { body: `${path} changed` }, shop);
      const changed = await shop.publishable('GET', path, undefined, { headers: { 'If-None-Match': etag } });
      expect(changed.status).toBe(200);
    }
  });
});

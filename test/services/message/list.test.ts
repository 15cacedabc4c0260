// Lists of threads and messages over HTTP: order, pages while both sides write, filters and fields.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Message, Thread } from '#proto/gen/message.ts';
import type { Shopper } from '#test/support/session.ts';
import {
  as,
  asStore,
  begin,
  type Caller,
  clock,
  closeShop,
  errorOf,
  keys,
  made,
  newShopper,
  openShop,
  other,
  read,
  stoa,
  write,
} from './shop.ts';

let ada: Shopper;
beforeAll(openShop);
afterAll(closeShop);
/** A shopper of whom there is nothing yet. */
beforeEach(async () => {
  clock.advance(1_000);
  ada = await newShopper();
});

interface Page<T> {
  readonly rows: readonly T[];
  readonly next: string | null;
}

const THREADS = '/v1/messaging/threads';
const page = async <T>(call: Caller, path: string, cursor: string | null = null): Promise<Page<T>> => {
  const mark = path.includes('?') ? '&' : '?';
  const { threads, messages, pagination } = await made(call('GET', cursor ? `${path}${mark}cursor=${cursor}` : path));
  expect(pagination.has_more).toBe(pagination.next_cursor !== null);
  return { rows: threads ?? messages, next: pagination.next_cursor };
};
/** All pages; `between` happens after each. */
const all = async <T>(call: Caller, path: string, between: (page: number) => Promise<unknown> = async () => {}) => {
  const rows: T[] = [];
  let cursor: string | null = null;
  for (let at = 0; ; at++) {
    const one: Page<T> = await page<T>(call, path, cursor);
    rows.push(...one.rows);
    cursor = one.next;
    if (cursor === null) return rows;
    await between(at);
  }
};
const ids = (rows: readonly { readonly id: string }[]): readonly string[] => rows.map(({ id }) => id);
/** Threads of Ada's, each opened a second after the one before. */
const several = async (count: number): Promise<readonly string[]> => {
  const opened: string[] = [];
  for (let at = 0; at < count; at++) {
    clock.advance(1_000);
    opened.push((await begin(as(ada), { subject: `Thread ${at}` })).thread.id);
  }
  return opened;
};

describe('threads', () => {
  test('lists threads by last message, newest first', async () => {
    const [first, second, third] = await several(3);
    expect(ids(await all<Thread>(as(ada), THREADS))).toEqual([third, second, first]);
    clock.advance(1_000);
    await write(asStore(), second!);
    expect(ids(await all<Thread>(as(ada), THREADS))).toEqual([second, third, first]);
    clock.advance(1_000);
    await read(as(ada), first!);
    await made(asStore()('PATCH', `${THREADS}/${first}`, { status: 'closed' }));
    expect(ids(await all<Thread>(as(ada), THREADS))).toEqual([second, third, first]);
  });

  // "Lists accept `limit` and `cursor`. … Cursors are opaque and passed back unchanged."
  test.each([1, 2, 3, 7])('pages threads by %d, of the same moment too, without loss or repetition', async (limit) => {
    await several(3);
    for (let at = 0; at < 4; at++) await begin(as(ada));
    const whole = ids(await all<Thread>(as(ada), `${THREADS}?limit=100`));
    expect(whole).toHaveLength(7);
    expect(ids(await all<Thread>(as(ada), `${THREADS}?limit=${limit}`))).toEqual(whole);
  });

  test('keeps threads with new messages at their old position for a reader, and adds no new ones', async () => {
    const opened = await several(6);
    const inOrder = opened.toReversed();
    const seen = await all<Thread>(as(ada), `${THREADS}?limit=2`, async (at) => {
      // The one that comes last, one that was shown, and the next one; twice in the same moment as the page, then later.
      if (at > 0) clock.advance(1_000);
      await write(asStore(), inOrder[5]!);
      await write(as(ada), inOrder[0]!);
      await write(asStore(), inOrder[at + 2]!);
      await begin(as(ada));
    });
    expect(ids(seen)).toEqual(inOrder);
  });

  test('shows all threads to the store alone', async () => {
    const [mine] = await several(1);
    const eve = await newShopper();
    const { thread } = await begin(as(eve));
    expect(ids(await all<Thread>(as(ada), THREADS))).toEqual([mine]);
    const listed = ids(await all<Thread>(asStore(), `${THREADS}?limit=50`));
    expect(listed).toEqual(expect.arrayContaining([mine, thread.id]));
    expect(ids(await all<Thread>(asStore(), `${THREADS}?customer_id=${eve.id.toUpperCase()}`))).toEqual([thread.id]);
    expect(ids(await all<Thread>(as(ada), `${THREADS}?customer_id=${ada.id}`))).toEqual([mine]);
    expect((await as(ada)('GET', `${THREADS}?customer_id=${eve.id}`)).status).toBe(403);
    expect(await all(asStore(other), THREADS)).toEqual([]);
  });

  test('filters threads by status and by unread messages of the caller’s side', async () => {
    const [closed, answered, waiting] = (await several(3)) as [string, string, string];
    const list = async (call: Caller, query: string) =>
      ids(await all<Thread>(call, `${THREADS}?customer_id=${ada.id}&limit=1&${query}`));
    for (const thread of [closed, answered]) await read(asStore(), thread);
    await made(asStore()('PATCH', `${THREADS}/${closed}`, { status: 'closed' }));
    clock.advance(1_000);
    await write(asStore(), answered);
    for (const call of [as(ada), asStore()]) {
      expect(await list(call, 'status=closed')).toEqual([closed]);
      expect(await list(call, 'status=open')).toEqual([answered, waiting]);
    }
    expect(await list(asStore(), 'unread=true')).toEqual([waiting]);
    expect(await list(asStore(), 'unread=false')).toEqual([answered, closed]);
    expect(await list(as(ada), 'unread=true')).toEqual([answered]);
    expect(await list(as(ada), 'status=open&unread=false')).toEqual([waiting]);
    expect(errorOf(await as(ada)('GET', `${THREADS}?status=archived`))).toEqual([400, 'invalid_request', 'status']);
  });
});

describe('messages', () => {
  test('pages messages oldest first, without loss while more are written', async () => {
    const { thread, message } = await begin(as(ada));
    const path = `${THREADS}/${thread.id}/messages`;
    const written = [message.id];
    // Messages of one moment keep the order in which they were written.
    for (let at = 0; at < 4; at++)
      written.push((await write(at % 2 ? as(ada) : asStore(), thread.id, `Word ${at}`)).id);
    for (const limit of [1, 2, 5, 100])
      expect(ids(await all<Message>(as(ada), `${path}?limit=${limit}`))).toEqual(written);
    const seen = await all<Message>(asStore(), `${path}?limit=2`, async (at) => {
      if (at < 2) written.push((await write(as(ada), thread.id)).id);
      await made(as(ada)('DELETE', `/v1/messaging/messages/${written[0]}`));
    });
    expect(ids(seen)).toEqual(written);
  });
});

describe('a cursor', () => {
  test('opens only its own list', async () => {
    const opened = await several(2);
    await write(as(ada), opened[0]!);
    await write(as(ada), opened[1]!);
    const threads = `${THREADS}?limit=1`;
    const messages = `${THREADS}/${opened[0]}/messages?limit=1`;
    const [ofThreads, ofMessages] = [(await page(as(ada), threads)).next, (await page(as(ada), messages)).next];
    const eve = await newShopper();
    const outsider = await newShopper(other);
    for (const [call, path, cursor] of [
      [as(ada), threads, ofMessages],
      [as(ada), messages, ofThreads],
      [as(ada), `${THREADS}?limit=1&status=open`, ofThreads],
      [as(ada), `${THREADS}/${opened[1]}/messages?limit=1`, ofMessages],
      [as(eve), threads, ofThreads],
      [asStore(), threads, ofThreads],
      [asStore(), messages, ofMessages],
      [as(outsider, other), threads, ofThreads],
      [as(ada), threads, `${ofThreads}A`],
      [as(ada), threads, `${ofThreads!.slice(0, -2)}`],
      [as(ada), threads, 'eyJrIjoxfQ'],
    ] as const)
      expect(errorOf(await call('GET', `${path}&cursor=${cursor}`)), path).toEqual([400, 'invalid_request', 'cursor']);
    expect((await page(as(ada), threads, ofThreads)).rows).toHaveLength(1);
    expect((await page(as(ada), messages, ofMessages)).rows).toHaveLength(1);
  });

  test.each([
    [0, 400],
    [1, 200],
    [100, 200],
    [101, 400],
  ])('and a limit of %d is answered %d', async (limit, status) => {
    const { thread } = await begin(as(ada));
    for (const path of [THREADS, `${THREADS}/${thread.id}/messages`])
      expect((await as(ada)('GET', `${path}?limit=${limit}`)).status).toBe(status);
    const { pagination } = await made(as(ada)('GET', THREADS));
    expect(pagination).toEqual({ limit: 20, has_more: false, next_cursor: null });
  });
});

// "Field filtering: a `fields` query parameter holds a comma-separated list of fields to return; nested fields use dot
// notation"
test('returns exactly the documented fields', async () => {
  const attachments = [{ url: 'https://cdn.example.com/a.jpg', name: 'a.jpg', content_type: 'image/jpeg' }];
  const { thread } = await begin(as(ada), { attachments });
  const { threads, pagination } = await made(as(ada)('GET', `${THREADS}?fields=subject,unread_count`));
  expect(threads).toEqual([{ subject: thread.subject, unread_count: 0 }]);
  expect(pagination.limit).toBe(20);
  const path = `${THREADS}/${thread.id}/messages`;
  const { messages } = await made(as(ada)('GET', `${path}?fields=sender,attachments.name`));
  expect(messages).toEqual([{ sender: 'customer', attachments: [{ name: 'a.jpg' }] }]);
  for (const where of [THREADS, path]) {
    const reply = await as(ada)('GET', `${where}?fields=id,store_unread`);
    expect(errorOf(reply)).toEqual([400, 'invalid_request', 'fields']);
  }
});

// "Every GET endpoint supports ETag revalidation: a request with `If-None-Match` equal to the current ETag gets 304 with no
// body."
test('answers 304 for an unchanged list, with a separate tag for each side', async () => {
  const { thread } = await begin(as(ada));
  const byServer: Caller = (method, path, _body, headers) =>
    stoa.send(method, path, { key: keys.secret_test_key, headers: { ...ada.headers, ...headers } });
  for (const path of [THREADS, `${THREADS}/${thread.id}/messages`]) {
    const first = await as(ada)('GET', path);
    const tag = first.headers.get('etag')!;
    expect(tag).toMatch(/^"[^"]+"$/);
    expect(first.headers.get('cache-control')).toBe('private, no-store');
    const again = await as(ada)('GET', path, undefined, { 'If-None-Match': tag });
    expect([again.status, again.text, again.headers.get('x-cache')]).toEqual([304, '', 'HIT-304']);
    for (const call of [byServer, asStore()])
      expect((await call('GET', path, undefined, { 'If-None-Match': tag })).status).toBe(200);
  }
  const stale = (await as(ada)('GET', THREADS)).headers.get('etag')!;
  await write(asStore(), thread.id);
  const changed = await as(ada)('GET', THREADS, undefined, { 'If-None-Match': stale });
  expect([changed.status, changed.body.threads[0].unread_count]).toEqual([200, 1]);
});

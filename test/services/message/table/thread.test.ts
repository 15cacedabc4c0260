// Both sides write, read and delete concurrently: counts match the messages and none is lost.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  as,
  asStore,
  begin,
  closeShop,
  keys,
  made,
  messagesOf,
  newShopper,
  openShop,
  read,
  shown,
  stoa,
  write,
} from '#test/services/message/shop.ts';
import type { Shopper } from '#test/support/session.ts';

let ada: Shopper;
beforeAll(async () => {
  await openShop();
  ada = await newShopper();
});
afterAll(closeShop);

/** Counts unread messages from the rows themselves. */
const countedOf = async (thread: string) => {
  const messages = await messagesOf(asStore(), thread);
  const unread = (sender: string) =>
    messages.filter((each) => each.sender === sender && each.read_at === null && !each.deleted).length;
  return { customer: unread('store'), store: unread('customer') };
};
const shownOf = async (thread: string) => ({
  customer: (await shown(as(ada), thread)).unread_count,
  store: (await shown(asStore(), thread)).unread_count,
});
/** In no order that a test chose. */
const atOnce = <T>(calls: readonly (() => Promise<T>)[]): Promise<T[]> => Promise.all(calls.map((call) => call()));
const times = <T>(count: number, of: (at: number) => T): T[] => Array.from({ length: count }, (_, at) => of(at));

describe('at once', () => {
  test('writes twenty messages of each side at once, numbered in order and each counted', async () => {
    const { thread } = await begin(as(ada));
    const sent = await atOnce(
      times(20, (at) => [
        () => write(as(ada), thread.id, `Mine ${at}`),
        () => write(asStore(), thread.id, `Yours ${at}`),
      ]).flat(),
    );
    const messages = await messagesOf(asStore(), thread.id);
    expect(messages.map(({ id }) => id).sort()).toEqual([messages[0]!.id, ...sent.map(({ id }) => id)].sort());
    expect(await shownOf(thread.id)).toEqual({ customer: 20, store: 21 });
    const created = messages.map(({ created_at }) => created_at);
    expect(created).toEqual([...created].sort());
    expect((await shown(asStore(), thread.id)).last_message_at).toBe(created.at(-1));
  });

  test('keeps counts and messages consistent while some write, read and delete', async () => {
    const { thread } = await begin(as(ada));
    for (let round = 0; round < 6; round++) {
      const mine = await atOnce(times(4, () => () => write(as(ada), thread.id)));
      const theirs = await atOnce(times(4, () => () => write(asStore(), thread.id)));
      const remove = (call: ReturnType<typeof as>, id: string) => () =>
        made(call('DELETE', `/v1/messaging/messages/${id}`));
      await atOnce<unknown>([
        () => read(asStore(), thread.id),
        remove(as(ada), mine[0]!.id),
        remove(as(ada), mine[0]!.id),
        () => write(as(ada), thread.id),
        remove(asStore(), theirs[1]!.id),
        () => read(as(ada), thread.id),
        remove(asStore(), theirs[1]!.id),
        remove(as(ada), mine[2]!.id),
        () => write(asStore(), thread.id),
        () => made(asStore()('PATCH', `/v1/messaging/threads/${thread.id}`, { status: round % 2 ? 'open' : 'closed' })),
      ]);
      expect(await shownOf(thread.id)).toEqual(await countedOf(thread.id));
    }
  });

  test('deletes a message once for many callers', async () => {
    const { thread, message } = await begin(as(ada));
    await write(as(ada), thread.id);
    const replies = await atOnce(times(10, () => () => as(ada)('DELETE', `/v1/messaging/messages/${message.id}`)));
    expect(replies.map(({ status }) => status)).toEqual(times(10, () => 200));
    expect(await shownOf(thread.id)).toEqual({ customer: 0, store: 1 });
  });

  test('applies the later of closing and a shopper’s message', async () => {
    for (let round = 0; round < 10; round++) {
      const { thread } = await begin(as(ada));
      const path = `/v1/messaging/threads/${thread.id}`;
      const [closed] = await atOnce([
        () => made(asStore()('PATCH', path, { status: 'closed' })),
        () => made(as(ada)('POST', `${path}/messages`, { body: 'Wait!' })),
      ]);
      // The one that closed it had seen both messages, or else the second one opened it again.
      const status = closed.thread.unread_count === 2 ? 'closed' : 'open';
      expect((await shown(as(ada), thread.id)).status).toBe(status);
    }
  });

  test('opens one thread for ten requests with one key', async () => {
    const shopper = await newShopper();
    const body = { subject: 'Once', body: 'Only.' };
    const replies = await atOnce(
      times(10, () => () => as(shopper)('POST', '/v1/messaging/threads', body, { 'Idempotency-Key': 'once' })),
    );
    for (const { status } of replies) expect([201, 409]).toContain(status);
    expect((await made(as(shopper)('GET', '/v1/messaging/threads'))).threads).toHaveLength(1);
  });
});

test('stores no thread without a message and no message without a thread', async () => {
  const { sql } = stoa.services.runtime.postgres;
  await begin(as(ada));
  const [lost] = await sql<{ threads: number; messages: number }[]>`
    select
      (select count(*) from message.thread t where not exists (select from message.message m
        where m.store = t.store and m.environment = t.environment and m.thread_id = t.id))::integer as threads,
      (select count(*) from message.message m where not exists (select from message.thread t
        where m.store = t.store and m.environment = t.environment and m.thread_id = t.id))::integer as messages`;
  expect(lost).toEqual({ threads: 0, messages: 0 });
  const [stored] = await sql<{ last: string; number: string }[]>`
    select t.last_number as last, max(m.number) as number from message.thread t
    join message.message m on m.store = t.store and m.environment = t.environment and m.thread_id = t.id
    where t.store = ${keys.store_id} group by t.last_number, t.id having t.last_number <> max(m.number) limit 1`;
  expect(stored).toBeUndefined();
});

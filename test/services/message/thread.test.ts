// Threads: unread counts and status after any history of writing, reading and deleting.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  addMessage,
  type MessageRecord,
  markRead,
  newThread,
  otherSide,
  type Side,
  sideOf,
  type ThreadRecord,
  unreadOf,
  withoutMessage,
} from '#services/message/thread.ts';

const AT = new Date('2026-03-01T12:00:00Z');
const SIDES: readonly Side[] = ['customer', 'store'];
const WORDS = { body: 'Good morning.', attachments: [] };
const later = (seconds: number): Date => new Date(AT.getTime() + seconds * 1_000);
const fresh = (): ThreadRecord =>
  newThread({ id: 'thread', customer_id: 'ada', order_id: null, subject: 'Where is my parcel?' }, AT);

test('writes as the customer of the session, or as the store', () => {
  expect([sideOf({ customer: 'ada' }), sideOf({ customer: null })]).toEqual(['customer', 'store']);
});

describe('writing', () => {
  test.each(SIDES)('counts a message of the %s as unread by the other side only', (side) => {
    const answered = addMessage(fresh(), otherSide(side), 'a', WORDS, AT).thread;
    const { thread, message } = addMessage(answered, side, 'b', WORDS, later(1));
    expect([unreadOf(thread, side), unreadOf(thread, otherSide(side))]).toEqual([1, 1]);
    expect(message).toMatchObject({ id: 'b', thread_id: 'thread', sender: side, read_at: null, deleted_at: null });
    expect(thread.last_message_at).toEqual(later(1));
  });

  test('reopens a closed thread by a shopper’s message, and not by a store’s', () => {
    const closed: ThreadRecord = { ...fresh(), status: 'closed' };
    expect(addMessage(closed, 'store', 'a', WORDS, AT).thread.status).toBe('closed');
    expect(addMessage(closed, 'customer', 'a', WORDS, AT).thread.status).toBe('open');
  });

  test('dates no message before the previous one, even if a host’s clock is behind', () => {
    const { thread } = addMessage(fresh(), 'customer', 'a', WORDS, later(10));
    expect(addMessage(thread, 'store', 'b', WORDS, later(9)).message.created_at).toEqual(later(10));
    expect(markRead(thread, 'store', later(8))?.at).toEqual(later(10));
  });
});

test('changes nothing when all is read already', () => {
  const { thread } = addMessage(fresh(), 'store', 'a', WORDS, AT);
  expect(markRead(thread, 'store', later(1))).toBeNull();
  const read = markRead(thread, 'customer', later(1))!;
  expect(read).toEqual({ thread: { ...thread, customer_unread: 0 }, at: later(1) });
  expect(markRead(read.thread, 'customer', later(2))).toBeNull();
});

test('counts the other side’s unread and undeleted messages after any history', () => {
  const step = fc.record({
    does: fc.constantFrom('write', 'write', 'read', 'delete'),
    side: fc.constantFrom(...SIDES),
    pick: fc.nat(),
  });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      let thread = fresh();
      let messages: readonly MessageRecord[] = [];
      for (const [second, { does, side, pick }] of steps.entries()) {
        const now = later(second);
        if (does === 'write') {
          const next = addMessage(thread, side, `m${second}`, WORDS, now);
          thread = next.thread;
          messages = [...messages, next.message];
        } else if (does === 'read') {
          const read = markRead(thread, side, now);
          thread = read?.thread ?? thread;
          if (read)
            messages = messages.map((message) =>
              message.sender !== side && message.read_at === null ? { ...message, read_at: read.at } : message,
            );
        } else {
          const own = messages.filter(({ sender, deleted_at }) => sender === side && deleted_at === null);
          const message = own[pick % own.length];
          if (!message) continue;
          thread = withoutMessage(thread, message);
          messages = messages.map((each) => (each === message ? { ...each, deleted_at: now } : each));
        }
        for (const reader of SIDES)
          expect(unreadOf(thread, reader)).toBe(
            messages.filter((each) => each.sender !== reader && each.read_at === null && each.deleted_at === null)
              .length,
          );
        expect(thread.last_message_at).toEqual(messages.at(-1)?.created_at ?? AT);
      }
    }),
    { numRuns: 500 },
  );
});

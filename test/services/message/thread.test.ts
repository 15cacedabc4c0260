// A thread by itself: who has what to read after any history of writing, reading and taking back.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  begun,
  type MessageRecord,
  otherSide,
  type Side,
  sideOf,
  type ThreadRecord,
  unreadOf,
  wasRead,
  withdrawn,
  written,
} from '#services/message/thread.ts';

const AT = new Date('2026-03-01T12:00:00Z');
const SIDES: readonly Side[] = ['customer', 'store'];
const WORDS = { body: 'Good morning.', attachments: [] };
const later = (seconds: number): Date => new Date(AT.getTime() + seconds * 1_000);
const fresh = (): ThreadRecord =>
  begun({ id: 'thread', customer_id: 'ada', order_id: null, subject: 'Where is my parcel?' }, AT);

test('a customer behind the call speaks as that customer, a key alone for the store', () => {
  expect([sideOf({ customer: 'ada' }), sideOf({ customer: null })]).toEqual(['customer', 'store']);
});

describe('writing', () => {
  test.each(SIDES)('of the %s is the other side’s to read, and leaves its own count alone', (side) => {
    const heard = written(fresh(), otherSide(side), 'a', WORDS, AT).thread;
    const { thread, message } = written(heard, side, 'b', WORDS, later(1));
    expect([unreadOf(thread, side), unreadOf(thread, otherSide(side))]).toEqual([1, 1]);
    expect(message).toMatchObject({ id: 'b', thread_id: 'thread', sender: side, read_at: null, deleted_at: null });
    expect(thread.last_message_at).toEqual(later(1));
  });

  test('opens a closed thread where it is the shopper’s, and leaves it closed where it is the store’s', () => {
    const closed: ThreadRecord = { ...fresh(), status: 'closed' };
    expect(written(closed, 'store', 'a', WORDS, AT).thread.status).toBe('closed');
    expect(written(closed, 'customer', 'a', WORDS, AT).thread.status).toBe('open');
  });

  test('by a host whose clock is behind is not before what was written last', () => {
    const { thread } = written(fresh(), 'customer', 'a', WORDS, later(10));
    expect(written(thread, 'store', 'b', WORDS, later(9)).message.created_at).toEqual(later(10));
    expect(wasRead(thread, 'store', later(8))?.at).toEqual(later(10));
  });
});

test('reading what is read already changes nothing', () => {
  const { thread } = written(fresh(), 'store', 'a', WORDS, AT);
  expect(wasRead(thread, 'store', later(1))).toBeNull();
  const read = wasRead(thread, 'customer', later(1))!;
  expect(read).toEqual({ thread: { ...thread, customer_unread: 0 }, at: later(1) });
  expect(wasRead(read.thread, 'customer', later(2))).toBeNull();
});

test('each count is that of the other side’s messages that were neither read nor deleted, after any history', () => {
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
          const next = written(thread, side, `m${second}`, WORDS, now);
          thread = next.thread;
          messages = [...messages, next.message];
        } else if (does === 'read') {
          const read = wasRead(thread, side, now);
          thread = read?.thread ?? thread;
          if (read)
            messages = messages.map((message) =>
              message.sender !== side && message.read_at === null ? { ...message, read_at: read.at } : message,
            );
        } else {
          const own = messages.filter(({ sender, deleted_at }) => sender === side && deleted_at === null);
          const message = own[pick % own.length];
          if (!message) continue;
          thread = withdrawn(thread, message);
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

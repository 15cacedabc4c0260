// A thread and its messages, and how writing, reading and deleting change them. Pure.
import type { Message, Thread } from '#proto/gen/message.ts';
import type { Call } from '#runtime/call/call.ts';

export type Side = Message['sender'];

export interface ThreadRecord {
  readonly id: string;
  readonly customer_id: string;
  readonly order_id: string | null;
  readonly subject: string;
  readonly status: Thread['status'];
  readonly customer_unread: number;
  readonly store_unread: number;
  readonly last_message_at: Date;
}

export interface MessageRecord {
  readonly id: string;
  readonly thread_id: string;
  readonly sender: Side;
  readonly body: string | null;
  readonly attachments: Message['attachments'];
  readonly read_at: Date | null;
  readonly created_at: Date;
  readonly deleted_at: Date | null;
}

export interface MessageContent {
  readonly body: string;
  readonly attachments: Message['attachments'];
}

export const sideOf = ({ customer }: Pick<Call, 'customer'>): Side => (customer === null ? 'store' : 'customer');

export const otherSide = (side: Side): Side => (side === 'store' ? 'customer' : 'store');

export const unreadOf = (thread: ThreadRecord, side: Side): number => thread[`${side}_unread`];

/** Returns a time not before the thread's last message, because hosts' clocks may differ. */
const monotonicTime = ({ last_message_at: last }: ThreadRecord, now: Date): Date => (now < last ? last : now);

export interface ThreadOpening {
  readonly id: string;
  readonly customer_id: string;
  readonly order_id: string | null;
  readonly subject: string;
}

export const newThread = (opening: ThreadOpening, now: Date): ThreadRecord => ({
  ...opening,
  status: 'open',
  customer_unread: 0,
  store_unread: 0,
  last_message_at: now,
});

/**
 * Adds a message, which is unread for the other side. A customer's message reopens a closed thread; a store's does not.
 */
export const addMessage = (
  thread: ThreadRecord,
  sender: Side,
  id: string,
  { body, attachments }: MessageContent,
  now: Date,
): { readonly thread: ThreadRecord; readonly message: MessageRecord } => {
  const created_at = monotonicTime(thread, now);
  const reader = otherSide(sender);
  return {
    thread: {
      ...thread,
      status: sender === 'customer' ? 'open' : thread.status,
      [`${reader}_unread`]: unreadOf(thread, reader) + 1,
      last_message_at: created_at,
    },
    message: { id, thread_id: thread.id, sender, body, attachments, read_at: null, created_at, deleted_at: null },
  };
};

export const markRead = (
  thread: ThreadRecord,
  reader: Side,
  now: Date,
): { readonly thread: ThreadRecord; readonly at: Date } | null =>
  unreadOf(thread, reader) === 0
    ? null
    : { thread: { ...thread, [`${reader}_unread`]: 0 }, at: monotonicTime(thread, now) };

export const withoutMessage = (thread: ThreadRecord, { sender, read_at }: MessageRecord): ThreadRecord => {
  const reader = otherSide(sender);
  return read_at === null ? { ...thread, [`${reader}_unread`]: unreadOf(thread, reader) - 1 } : thread;
};

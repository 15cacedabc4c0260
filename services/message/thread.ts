// A thread and its messages: what each side's writing, reading and taking back makes of them.
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

/** What a side says. */
export interface Words {
  readonly body: string;
  readonly attachments: Message['attachments'];
}

/** Who speaks: a shopper with a session; without one the store, whose key let the call in. */
export const sideOf = ({ customer }: Pick<Call, 'customer'>): Side => (customer === null ? 'store' : 'customer');

export const otherSide = (side: Side): Side => (side === 'store' ? 'customer' : 'store');

export const unreadOf = (thread: ThreadRecord, side: Side): number => thread[`${side}_unread`];

/** Within a thread time never runs backwards, whichever host's clock tells it. */
const notBefore = ({ last_message_at: last }: ThreadRecord, now: Date): Date => (now < last ? last : now);

export interface ThreadOpening {
  readonly id: string;
  readonly customer_id: string;
  readonly order_id: string | null;
  readonly subject: string;
}

/** A thread before anything is written in it. */
export const begun = (opening: ThreadOpening, now: Date): ThreadRecord => ({
  ...opening,
  status: 'open',
  customer_unread: 0,
  store_unread: 0,
  last_message_at: now,
});

/** The thread with one more message, which is the other side's to read. A shopper's opens it, a store's never does. */
export const written = (
  thread: ThreadRecord,
  sender: Side,
  id: string,
  { body, attachments }: Words,
  now: Date,
): { readonly thread: ThreadRecord; readonly message: MessageRecord } => {
  const created_at = notBefore(thread, now);
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

/** The thread once this side has read all of it, and when that was; null where nothing was left to read. */
export const wasRead = (
  thread: ThreadRecord,
  reader: Side,
  now: Date,
): { readonly thread: ThreadRecord; readonly at: Date } | null =>
  unreadOf(thread, reader) === 0
    ? null
    : { thread: { ...thread, [`${reader}_unread`]: 0 }, at: notBefore(thread, now) };

/** The thread once a message of it is taken back: what was not read is no longer there to be read. */
export const withdrawn = (thread: ThreadRecord, { sender, read_at }: MessageRecord): ThreadRecord => {
  const reader = otherSide(sender);
  return read_at === null ? { ...thread, [`${reader}_unread`]: unreadOf(thread, reader) - 1 } : thread;
};

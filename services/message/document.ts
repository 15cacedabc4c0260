// Threads and messages as the API shows them.
import type { Message, Thread } from '#proto/gen/message.ts';
import { type MessageRecord, type Side, type ThreadRecord, unreadOf } from './thread.ts';

/** As this side sees it. */
export const threadDocument = (thread: ThreadRecord, side: Side): Thread => ({
  id: thread.id,
  subject: thread.subject,
  order_id: thread.order_id,
  customer_id: thread.customer_id,
  status: thread.status,
  unread_count: unreadOf(thread, side),
  last_message_at: thread.last_message_at.toISOString(),
});

export const messageDocument = (message: MessageRecord): Message => ({
  id: message.id,
  thread_id: message.thread_id,
  sender: message.sender,
  body: message.body,
  attachments: message.attachments,
  read_at: message.read_at?.toISOString() ?? null,
  created_at: message.created_at.toISOString(),
  ...(message.deleted_at === null ? {} : { deleted: true }),
});

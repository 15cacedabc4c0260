// Lists threads and messages in pages.
import type {
  ListThreadMessagesRequest,
  ListThreadMessagesResponse,
  ListThreadsRequest,
  ListThreadsResponse,
  Message,
  Thread,
} from '#proto/gen/message.ts';
import { type Call, foreignCursor, notFound, type Refusal, type Tenant, tenantKey } from '#runtime/call/call.ts';
import type { Sql } from '#runtime/postgres/sql.ts';
import { decodeCursor, encodeCursor } from '#values/cursor.ts';
import { findMessage, pageOfMessages } from './table/message.ts';
import { findThread, type ListingPosition, pageOfThreads, type ThreadCursor } from './table/thread.ts';
import { type MessageRecord, type Side, sideOf, type ThreadRecord, unreadOf } from './thread.ts';

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

const LIMIT_DEFAULT = 20;

/** Returns null for the first page; undefined if the cursor belongs to another list. */
const decodePosition = (scope: string, cursor: string | undefined): ListingPosition | null | undefined => {
  if (cursor === undefined) return null;
  const keys = decodeCursor(scope, cursor, ['time', 'place', 'time', 'place']);
  if (keys === null) return undefined;
  const [firstAt, first, lastAt, last] = keys.map(Number) as [number, number, number, number];
  return { first: { at: new Date(firstAt), number: first }, last: { at: new Date(lastAt), number: last } };
};

const encodePosition = (scope: string, { first, last }: ListingPosition): string =>
  encodeCursor(scope, [first.at.getTime(), first.number, last.at.getTime(), last.number]);

export const readThread = async (sql: Sql, tenant: Tenant, id: string): Promise<Thread | null> => {
  const found = await findThread(sql, tenant, null, id);
  return found && threadDocument(found, 'store');
};

export const readMessage = async (sql: Sql, tenant: Tenant, id: string): Promise<Message | null> => {
  const found = await findMessage(sql, tenant, id);
  return found && messageDocument(found);
};

export const listThreads = async (
  sql: Sql,
  { tenant, customer }: Call,
  { status, customer_id, unread, limit = LIMIT_DEFAULT, cursor }: ListThreadsRequest,
): Promise<ListThreadsResponse | Refusal> => {
  const side = sideOf({ customer });
  const filter = {
    owner: customer ?? customer_id?.toLowerCase() ?? null,
    status: status ?? null,
    unread: unread === undefined ? null : { side, some: unread },
  };
  const scope = JSON.stringify(['threads', tenantKey(tenant), side, filter]);
  const position = decodePosition(scope, cursor);
  if (position === undefined) return foreignCursor(cursor);
  const page = await pageOfThreads(sql, tenant, filter, position, limit + 1);
  const threads = page.slice(0, limit);
  const last: ThreadCursor | null = page.length > limit ? threads.at(-1)! : null;
  const next = last && encodePosition(scope, { first: position?.first ?? threads[0]!, last });
  return {
    threads: threads.map((thread) => threadDocument(thread, side)),
    pagination: { limit, has_more: next !== null, next_cursor: next },
  };
};

export const listMessages = async (
  sql: Sql,
  { tenant, customer }: Call,
  { id, limit = LIMIT_DEFAULT, cursor }: ListThreadMessagesRequest,
): Promise<ListThreadMessagesResponse | Refusal> => {
  const thread = await findThread(sql, tenant, customer, id);
  if (thread === null) return notFound('thread');
  const scope = JSON.stringify(['messages', tenantKey(tenant), customer, thread.id]);
  const keys = cursor === undefined ? [0] : decodeCursor(scope, cursor, ['place']);
  if (keys === null) return foreignCursor(cursor);
  const page = await pageOfMessages(sql, tenant, thread.id, Number(keys[0]), limit + 1);
  const messages = page.slice(0, limit);
  const next = page.length > limit ? encodeCursor(scope, [messages.at(-1)!.number]) : null;
  return {
    messages: messages.map(messageDocument),
    pagination: { limit, has_more: next !== null, next_cursor: next },
  };
};

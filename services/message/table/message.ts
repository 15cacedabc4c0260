// SQL of messages.
import type { Tenant } from '#runtime/call/call.ts';
import type { Sql } from '#runtime/postgres/sql.ts';
import { type MessageRecord, otherSide, type Side } from '#services/message/thread.ts';

const columns = (sql: Sql) => sql`
  m.id, m.thread_id, m.sender, m.body, m.attachments, m.read_at, m.created_at, m.deleted_at`;

export const insertMessage = async (
  sql: Sql,
  { store, environment }: Tenant,
  message: MessageRecord,
  number: number,
): Promise<void> => {
  await sql`
    insert into message.message (store, environment, id, thread_id, number, sender, body, attachments, created_at)
    values (${store}, ${environment}, ${message.id}, ${message.thread_id}, ${number}, ${message.sender},
      ${message.body}, ${JSON.stringify(message.attachments)}::text::json, ${message.created_at})`;
};

export type NumberedMessage = MessageRecord & { readonly number: number };

export const pageOfMessages = (
  sql: Sql,
  { store, environment }: Tenant,
  thread: string,
  after: number,
  limit: number,
): Promise<readonly NumberedMessage[]> => sql<NumberedMessage[]>`
  select ${columns(sql)}, m.number from message.message m
  where m.store = ${store} and m.environment = ${environment} and m.thread_id = ${thread} and m.number > ${after}
  order by m.number limit ${limit}`;

export const findMessage = async (
  sql: Sql,
  { store, environment }: Tenant,
  id: string,
): Promise<MessageRecord | null> => {
  const [message] = await sql<MessageRecord[]>`
    select ${columns(sql)} from message.message m
    where m.store = ${store} and m.environment = ${environment} and m.id = ${id}`;
  return message ?? null;
};

/** Marks all messages of the other side as read. The caller must hold the thread's lock. */
export const markMessagesRead = async (
  sql: Sql,
  { store, environment }: Tenant,
  thread: string,
  reader: Side,
  at: Date,
): Promise<void> => {
  await sql`
    update message.message set read_at = ${at}
    where store = ${store} and environment = ${environment} and thread_id = ${thread}
      and sender = ${otherSide(reader)} and read_at is null and deleted_at is null`;
};

export const eraseMessage = async (sql: Sql, { store, environment }: Tenant, id: string, at: Date): Promise<void> => {
  await sql`
    update message.message set body = null, attachments = '[]', deleted_at = ${at}
    where store = ${store} and environment = ${environment} and id = ${id}`;
};

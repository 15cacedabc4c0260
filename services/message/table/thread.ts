// SQL of threads.
import type { Tenant } from '#runtime/call/call.ts';
import type { Sql } from '#runtime/postgres/sql.ts';
import type { Side, ThreadRecord } from '#services/message/thread.ts';

/** Id of the customer whose threads are accessible; null for all threads of the store. */
export type ThreadOwner = string | null;

const columns = (sql: Sql) => sql`
  t.id, t.customer_id, t.order_id, t.subject, t.status, t.customer_unread, t.store_unread, t.last_message_at`;

const ofTenant = (sql: Sql, { store, environment }: Tenant) =>
  sql`t.store = ${store} and t.environment = ${environment}`;

const ofOwner = (sql: Sql, owner: ThreadOwner) => (owner === null ? sql`` : sql`and t.customer_id = ${owner}`);

export const findThread = async (
  sql: Sql,
  tenant: Tenant,
  owner: ThreadOwner,
  id: string,
): Promise<ThreadRecord | null> => {
  const [thread] = await sql<ThreadRecord[]>`
    select ${columns(sql)} from message.thread t where ${ofTenant(sql, tenant)} and t.id = ${id} ${ofOwner(sql, owner)}`;
  return thread ?? null;
};

export const lockThread = async (
  sql: Sql,
  tenant: Tenant,
  owner: ThreadOwner,
  id: string,
): Promise<ThreadRecord | null> => {
  const [thread] = await sql<ThreadRecord[]>`
    select ${columns(sql)} from message.thread t where ${ofTenant(sql, tenant)} and t.id = ${id} ${ofOwner(sql, owner)}
    for no key update`;
  return thread ?? null;
};

export const insertThread = async (sql: Sql, { store, environment }: Tenant, thread: ThreadRecord): Promise<number> => {
  const [row] = await sql<{ last_number: number }[]>`
    insert into message.thread (store, environment, id, customer_id, order_id, subject, status, customer_unread,
      store_unread, last_message_at, last_number)
    values (${store}, ${environment}, ${thread.id}, ${thread.customer_id}, ${thread.order_id}, ${thread.subject},
      ${thread.status}, ${thread.customer_unread}, ${thread.store_unread}, ${thread.last_message_at},
      nextval('message.number'))
    returning last_number`;
  return row!.last_number;
};

/**
 * Writes a thread with a new message, and returns the message's number. Numbers are drawn under the thread's lock, so
 * that they ascend within a thread.
 */
export const extendThread = async (sql: Sql, { store, environment }: Tenant, thread: ThreadRecord): Promise<number> => {
  const [row] = await sql<{ last_number: number }[]>`
    update message.thread set status = ${thread.status}, customer_unread = ${thread.customer_unread},
      store_unread = ${thread.store_unread}, last_message_at = ${thread.last_message_at},
      last_number = nextval('message.number')
    where store = ${store} and environment = ${environment} and id = ${thread.id}
    returning last_number`;
  return row!.last_number;
};

export const updateThread = async (sql: Sql, { store, environment }: Tenant, thread: ThreadRecord): Promise<void> => {
  await sql`
    update message.thread set status = ${thread.status}, customer_unread = ${thread.customer_unread},
      store_unread = ${thread.store_unread}
    where store = ${store} and environment = ${environment} and id = ${thread.id}`;
};

/** Position of a message in the tenant's list; a thread has the position of its last message. */
export interface ThreadCursor {
  readonly at: Date;
  readonly number: number;
}

export interface ThreadFilter {
  readonly owner: ThreadOwner;
  readonly status: ThreadRecord['status'] | null;
  readonly unread: { readonly side: Side; readonly some: boolean } | null;
}

export interface ListingPosition {
  readonly first: ThreadCursor;
  readonly last: ThreadCursor;
}

export type PositionedThread = ThreadRecord & { readonly at: Date; readonly number: number };

const matchesFilter = (sql: Sql, tenant: Tenant, { owner, status, unread }: ThreadFilter) => {
  const count = unread === null ? null : unread.side === 'store' ? sql`t.store_unread` : sql`t.customer_unread`;
  return sql`${ofTenant(sql, tenant)} ${ofOwner(sql, owner)}
    ${status === null ? sql`` : sql`and t.status = ${status}`}
    ${unread === null ? sql`` : unread.some ? sql`and ${count!} > 0` : sql`and ${count!} = 0`}`;
};

/**
 * Lists threads by their last message, newest first. Later pages use the positions at the time of the first page: a
 * thread that gets a message meanwhile is neither skipped nor repeated.
 */
export const pageOfThreads = (
  sql: Sql,
  tenant: Tenant,
  filter: ThreadFilter,
  position: ListingPosition | null,
  limit: number,
): Promise<readonly PositionedThread[]> => {
  if (position === null)
    return sql<PositionedThread[]>`
      select ${columns(sql)}, t.last_message_at as at, t.last_number as number from message.thread t
      where ${matchesFilter(sql, tenant, filter)}
      order by t.last_message_at desc, t.last_number desc limit ${limit}`;
  const { first, last } = position;
  return sql<PositionedThread[]>`
    (
      select ${columns(sql)}, t.last_message_at as at, t.last_number as number from message.thread t
      where ${matchesFilter(sql, tenant, filter)} and (t.last_message_at, t.last_number) < (${last.at}, ${last.number})
      order by t.last_message_at desc, t.last_number desc limit ${limit}
    ) union all (
      select ${columns(sql)}, m.created_at as at, m.number from message.thread t
      cross join lateral (
        select m.created_at, m.number from message.message m
        where m.store = t.store and m.environment = t.environment and m.thread_id = t.id
          and (m.created_at, m.number) <= (${first.at}, ${first.number})
        order by m.number desc limit 1
      ) m
      where ${matchesFilter(sql, tenant, filter)} and (t.last_message_at, t.last_number) > (${first.at}, ${first.number})
        and (m.created_at, m.number) < (${last.at}, ${last.number})
      order by m.created_at desc, m.number desc limit ${limit}
    )
    order by at desc, number desc limit ${limit}`;
};

/** Deletes threads, with their messages, whose last message is older than `before`. */
export const deleteOldThreads = async (
  sql: Sql,
  before: Date,
  limit: number,
  store: string | null,
): Promise<number> => {
  const gone = await sql`
    delete from message.thread where ctid = any(array(
      select ctid from message.thread
      where last_message_at < ${before} ${store === null ? sql`` : sql`and store = ${store}`} limit ${limit}))`;
  return gone.count;
};

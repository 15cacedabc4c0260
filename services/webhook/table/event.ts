// SQL of the event log.
import type { Tenant } from '#runtime/call/call.ts';
import type { Sql } from '#runtime/postgres/sql.ts';
import { type EventPosition, startPosition } from '#services/webhook/position.ts';

export interface EventRecord {
  readonly id: string;
  readonly type: string;
  readonly sequence: number;
  readonly payload: string;
}

const ID = /^evt_\w+$/;

export const findEvent = async (sql: Sql, { store, environment }: Tenant, id: string): Promise<EventRecord | null> => {
  if (!ID.test(id)) return null;
  const [row] = await sql<EventRecord[]>`
    select id, type, sequence, payload from runtime.event
    where store = ${store} and environment = ${environment} and id = ${id}`;
  return row ?? null;
};

/** Moves the event to the log's end, so that clients which follow the log get it again. */
export const republish = async (sql: Sql, { store, environment }: Tenant, id: string): Promise<void> => {
  await sql`
    update runtime.event set transaction_id = pg_current_xact_id()
    where store = ${store} and environment = ${environment} and id = ${id}`;
};

export interface EventPageQuery {
  readonly type: string | undefined;
  readonly before: number | null;
  readonly limit: number;
  /** Bytes of all events on a page; the first event is returned even if it is larger. */
  readonly bytesMax: number;
}

export const pageOfEvents = (sql: Sql, { store, environment }: Tenant, page: EventPageQuery): Promise<EventRecord[]> =>
  sql<EventRecord[]>`
    select id, type, sequence, payload from (
      select *, sum(octet_length(payload)) over (order by sequence desc) - octet_length(payload) as before
      from (
        select id, type, sequence, payload from runtime.event
        where store = ${store} and environment = ${environment}
          ${page.type === undefined ? sql`` : sql`and type = ${page.type}`}
          ${page.before === null ? sql`` : sql`and sequence < ${page.before}`}
        order by sequence desc limit ${page.limit}
      ) as found
    ) as measured
    where before < ${page.bytesMax} order by sequence desc`;

export const hasEventBefore = async (
  sql: Sql,
  { store, environment }: Tenant,
  { type, sequence }: { readonly type: string | undefined; readonly sequence: number },
): Promise<boolean> => {
  const [row] = await sql`
    select 1 from runtime.event
    where store = ${store} and environment = ${environment} and sequence < ${sequence}
      ${type === undefined ? sql`` : sql`and type = ${type}`} limit 1`;
  return row !== undefined;
};

export const positionNow = async (sql: Sql): Promise<EventPosition> => {
  const [row] = await sql<{ snapshot: string }[]>`select pg_current_snapshot()::text as snapshot`;
  return startPosition(row!.snapshot);
};

/**
 * Lists events after a position. Stops before the oldest running transaction, because that transaction may still add
 * events there.
 */
export const followEvents = (
  sql: Sql,
  { store, environment }: Tenant,
  after: EventPosition,
  { type, limit, bytesMax }: Omit<EventPageQuery, 'before'>,
): Promise<(EventRecord & { transaction: string })[]> =>
  sql<(EventRecord & { transaction: string })[]>`
    select id, type, sequence, payload, transaction_id::text as transaction from (
      select *, sum(octet_length(payload)) over (order by transaction_id, sequence) - octet_length(payload) as before
      from (
        select id, type, sequence, payload, transaction_id from runtime.event
        where store = ${store} and environment = ${environment}
          and (transaction_id, sequence) > (${after.transaction}::text::xid8, ${after.sequence}::bigint)
          and transaction_id < pg_snapshot_xmin(pg_current_snapshot())
          ${after.startSnapshot === '' ? sql`` : sql`and not pg_visible_in_snapshot(transaction_id, ${after.startSnapshot}::text::pg_snapshot)`}
          ${type === undefined ? sql`` : sql`and type = ${type}`}
        order by transaction_id, sequence limit ${limit}
      ) as found
    ) as measured
    where before < ${bytesMax} order by measured.transaction_id, sequence`;

/** The events of one store are found by their ids, which begin with the tenant's time. */
export const deleteOldEvents = async (sql: Sql, before: Date, limit: number, store: string | null): Promise<number> => {
  const old =
    store === null
      ? sql`logged_at < ${before}`
      : sql`store = ${store} and environment = any('{production,sandbox}') and id < ${`evt_${before.getTime()}`}`;
  const { count } = await sql`
    with old as (
      delete from runtime.event where ctid in (
        select ctid from runtime.event where ${old} limit ${limit})
      returning store, environment, id
    ), gone as (
      delete from webhook.delivery using old
      where delivery.store = old.store and delivery.environment = old.environment and delivery.event = old.id
    )
    select from old`;
  return count;
};

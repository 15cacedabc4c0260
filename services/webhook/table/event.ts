// SQL of the log of events.
import type { Tenant } from '#runtime/call/call.ts';
import type { Sql } from '#runtime/postgres/sql.ts';
import { beginAt, type EventPosition } from '#services/webhook/position.ts';

export interface EventRecord {
  readonly id: string;
  readonly type: string;
  readonly sequence: number;
  /** The envelope as it is sent. */
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

/** Followers hear of it again. */
export const tellAgain = async (sql: Sql, { store, environment }: Tenant, id: string): Promise<void> => {
  await sql`
    update runtime.event set told = pg_current_xact_id()
    where store = ${store} and environment = ${environment} and id = ${id}`;
};

export interface PageWish {
  readonly type: string | undefined;
  /** Those before this sequence number; null: from the newest. */
  readonly before: number | null;
  readonly limit: number;
  /** All of a page together, but for its first event. */
  readonly bytesMax: number;
}

/** Newest first; fewer than `limit` where they are large. */
export const pageOfEvents = (sql: Sql, { store, environment }: Tenant, wish: PageWish): Promise<EventRecord[]> =>
  sql<EventRecord[]>`
    select id, type, sequence, payload from (
      select *, sum(octet_length(payload)) over (order by sequence desc) - octet_length(payload) as before
      from (
        select id, type, sequence, payload from runtime.event
        where store = ${store} and environment = ${environment}
          ${wish.type === undefined ? sql`` : sql`and type = ${wish.type}`}
          ${wish.before === null ? sql`` : sql`and sequence < ${wish.before}`}
        order by sequence desc limit ${wish.limit}
      ) as found
    ) as measured
    where before < ${wish.bytesMax} order by sequence desc`;

/** Whether there is an event before this one. */
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

/** Whatever is told from here on lies behind it. */
export const positionNow = async (sql: Sql): Promise<EventPosition> => {
  const [row] = await sql<{ snapshot: string }[]>`select pg_current_snapshot()::text as snapshot`;
  return beginAt(row!.snapshot);
};

/** What was told behind a place, in order, up to what a transaction that still runs could slip in before. */
export const followEvents = (
  sql: Sql,
  { store, environment }: Tenant,
  after: EventPosition,
  { type, limit, bytesMax }: Omit<PageWish, 'before'>,
): Promise<(EventRecord & { told: string })[]> =>
  sql<(EventRecord & { told: string })[]>`
    select id, type, sequence, payload, told::text as told from (
      select *, sum(octet_length(payload)) over (order by told, sequence) - octet_length(payload) as before
      from (
        select id, type, sequence, payload, told from runtime.event
        where store = ${store} and environment = ${environment}
          and (told, sequence) > (${after.told}::text::xid8, ${after.sequence}::bigint)
          and told < pg_snapshot_xmin(pg_current_snapshot())
          ${after.seen === '' ? sql`` : sql`and not pg_visible_in_snapshot(told, ${after.seen}::text::pg_snapshot)`}
          ${type === undefined ? sql`` : sql`and type = ${type}`}
        order by told, sequence limit ${limit}
      ) as found
    ) as measured
    where before < ${bytesMax} order by measured.told, sequence`;

/** Forgets events logged before then, with all their deliveries; how many, at most a bounded batch. */
export const forgetEvents = async (sql: Sql, before: Date, limit: number): Promise<number> => {
  const { count } = await sql`
    with old as (
      delete from runtime.event where ctid in (
        select ctid from runtime.event where logged_at < ${before} limit ${limit})
      returning store, environment, id
    ), gone as (
      delete from webhook.delivery using old
      where delivery.store = old.store and delivery.environment = old.environment and delivery.event = old.id
    )
    select from old`;
  return count;
};

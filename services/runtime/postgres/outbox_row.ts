// Writes events to the outbox and moves them to the event log, in order.
import { type Tenant, tenantKey } from '#runtime/call/call.ts';
import type { EventPack } from '#runtime/event/batch.ts';
import { draftEnvelope } from '#runtime/event/envelope.ts';
import type { AnyOccurrence } from '#runtime/event/event.ts';
import { eventId, eventSuffixes, eventTimeSql } from '#runtime/event/event.ts';
import type { Sql, SqlFragment } from './sql.ts';

/** Limits of one outbox row, which one statement moves to the log. */
const PACK_EVENTS_MAX = 1_000;
const PACK_BYTES_WANTED = 700_000;
/** Separates packs; JSON never contains it unescaped. */
const BETWEEN_PACKS = '\u001e';

interface Draft {
  readonly tenant: Tenant;
  readonly heads: string[];
  readonly drafts: string[];
  length: number;
}

const packsOf = (occurrences: readonly AnyOccurrence[]): Draft[] => {
  const suffixes = eventSuffixes(occurrences.length);
  const packs: Draft[] = [];
  const open = new Map<string, Draft>();
  for (const [at, occurrence] of occurrences.entries()) {
    const { tenant, event, createdAt } = occurrence;
    const key = tenantKey(tenant);
    let pack = open.get(key);
    if (!pack || pack.heads.length >= PACK_EVENTS_MAX || pack.length >= PACK_BYTES_WANTED) {
      pack = { tenant, heads: [], drafts: [], length: 0 };
      packs.push(pack);
      open.set(key, pack);
    }
    const id = event.id ?? eventId(createdAt.getTime(), suffixes[at]);
    const text = draftEnvelope(id, occurrence);
    pack.heads.push(`${event.type} ${id}`);
    pack.drafts.push(text);
    pack.length += text.length;
  }
  return packs;
};

export const numberedEvents = (sql: Sql, occurrences: readonly AnyOccurrence[]) => {
  const packs = packsOf(occurrences);
  // Sends lines of one text, because Postgres escapes and parses arrays of long texts character by character.
  const heads = packs.map((pack) => pack.heads.join('\n')).join(BETWEEN_PACKS);
  const drafts = packs.map((pack) => pack.drafts.join('\n')).join(BETWEEN_PACKS);
  return sql`
    drawn as materialized (
      select pack.*, array(select nextval('runtime.outbox_position_seq') from generate_series(1, events)) as positions
      from rows from (
        unnest(
          ${packs.map(({ tenant }) => tenant.store)}::uuid[], ${packs.map(({ tenant }) => tenant.environment)}::text[],
          ${packs.map((pack) => pack.heads.length)}::integer[]),
        string_to_table(${heads}::text, ${BETWEEN_PACKS}::text), string_to_table(${drafts}::text, ${BETWEEN_PACKS}::text)
      ) as pack (store, environment, events, heads, drafts)
    )`;
};

const intoLog = (sql: Sql, loggedAt: Date) => sql`
  insert into runtime.event (store, environment, id, type, sequence, created_at, payload, logged_at)
  select store, environment, split_part(head, ' ', 2), split_part(head, ' ', 1), place,
    ${eventTimeSql(sql, sql`head`)}, draft || ',"sequence":' || place || '}',
    ${loggedAt}::timestamptz`;

export const insertOutbox = (sql: Sql) => sql`
  insert into runtime.outbox (position, store, environment, heads, positions, drafts)
  overriding system value
  select positions[events], store, environment, heads, positions, drafts from drawn`;

/**
 * Inserts all events with one statement of the caller's transaction. The transaction holds its row locks when sequences
 * are drawn, so the sequences follow the order of each object's changes.
 */
export const writeEvents = async (sql: Sql, occurrences: readonly AnyOccurrence[]): Promise<void> => {
  await sql`with ${numberedEvents(sql, occurrences)} ${insertOutbox(sql)}`;
};

/**
 * SQL that is true if every event is in the log. If a transaction checks this before it writes, its own events may go
 * to the log directly and still follow all earlier ones. `min` uses the index; `exists` would scan rows that wait for
 * the bus.
 */
export const isOutboxLogged = (sql: Sql) =>
  sql`(select min(position) from runtime.outbox where drafts is not null) is null`;

/** Inserts events directly into the log, which is allowed when `isOutboxLogged`; only publishing remains. */
export const logEvents = async (sql: Sql, occurrences: readonly AnyOccurrence[], loggedAt: Date): Promise<void> => {
  await sql`
    with ${numberedEvents(sql, occurrences)}, logged as (
      ${intoLog(sql, loggedAt)}
      from drawn
      cross join lateral rows from (
        string_to_table(heads, chr(10)), unnest(positions), string_to_table(drafts, chr(10))
      ) as event (head, place, draft)
    )
    insert into runtime.outbox (position, store, environment, heads, positions)
    overriding system value
    select positions[events], store, environment, heads, positions from drawn`;
};

/**
 * Inserts a marker, an event outside of the log that is published after everything committed before it. Returns the
 * marker's id.
 */
export const writeMarker = async (sql: Sql, { store, environment }: Tenant, type: string): Promise<string> => {
  const id = eventId(0);
  await sql`
    insert into runtime.outbox (position, store, environment, heads, positions)
    overriding system value
    select place, ${store}, ${environment}, ${`${type} ${id}`}, array[place]
    from nextval('runtime.outbox_position_seq') as place`;
  return id;
};

export interface PublishableRow extends EventPack {
  readonly position: number;
  /** Whether someone outside of Stoa may subscribe to the tenant's events. */
  readonly followed: boolean;
}

export type IsFollowed = (sql: Sql, row: SqlFragment) => SqlFragment;

export interface Drained {
  readonly rows: readonly PublishableRow[];
  readonly more: boolean;
}

export interface DrainOptions {
  readonly loggedAt: Date;
  readonly published: readonly number[];
  readonly read: readonly number[];
  readonly publishes: boolean;
  readonly followed: IsFollowed | undefined;
}

const BATCH_MAX = 256;
const LOGGED_BYTES_WANTED = 2_000_000;
const LAST = Number.MAX_SAFE_INTEGER;

const firstUnlogged = (sql: Sql) => sql`
  select position from (
    select position, bytes, sum(bytes) over (order by position) as total
    from (
      select position, octet_length(drafts) as bytes from runtime.outbox
      where drafts is not null order by position limit ${BATCH_MAX}
    ) as first
  ) as counted
  where total - bytes < ${LOGGED_BYTES_WANTED}`;

/**
 * Moves one batch of outbox rows to the event log and deletes rows already published. Must not run concurrently, to
 * keep the event log in order. Returns logged rows to publish, in order, ending before the first row that is not yet
 * logged.
 */
export const drainOutbox = async (
  sql: Sql,
  { loggedAt, published, read, publishes, followed }: DrainOptions,
): Promise<Drained> => {
  const readMax = publishes ? BATCH_MAX : 0;
  const [drained] = await sql<{ rows: PublishableRow[] | null; more: boolean }[]>`
    with gone as (
      delete from runtime.outbox where position = any(${published as number[]}::bigint[])
    ), pack as materialized (${firstUnlogged(sql)}), logged as (
      ${intoLog(sql, loggedAt)}
      from pack
      cross join lateral (select * from runtime.outbox as entry where entry.position = pack.position limit 1) as outbox
      cross join lateral rows from (
        string_to_table(heads, chr(10)), unnest(positions), string_to_table(drafts, chr(10))
      ) as event (head, place, draft)
      on conflict do nothing
    ), noted as (
      update runtime.outbox set drafts = null where position in (select position from pack)
      returning position, store, environment, heads, positions
    ), ready as (
      select position, store, environment, heads, positions from runtime.outbox
      where drafts is null and position <> all(${[...published, ...read]}::bigint[])
      order by position limit ${readMax}
    ), bound as materialized (
      select (
        select min(position) from runtime.outbox
        where drafts is not null and position > coalesce((select max(position) from pack), 0)
      ) as unlogged, (select max(position) from ready having count(*) = ${BATCH_MAX}::integer) as unread
    )
    select unlogged is not null or unread is not null as more, (
      select json_agg(json_build_object('position', position, 'store', store, 'environment', environment,
        'heads', heads, 'places', array_to_string(positions, ' '),
        'followed', ${followed?.(sql, sql`waiting`) ?? sql`true`}) order by position)
      from (select * from noted union all select * from ready) as waiting
      where ${publishes} and position < coalesce(unlogged, ${LAST}) and position <= coalesce(unread, ${LAST})
    ) as rows
    from bound`;
  return { rows: drained!.rows ?? [], more: drained!.more };
};

/** Returns the position of the tenant's newest event that is not in the log; null: all are. */
export const lastUnlogged = async (sql: Sql, { store, environment }: Tenant): Promise<number | null> => {
  const [row] = await sql<{ position: number | null }[]>`
    select max(position) as position from runtime.outbox
    where store = ${store} and environment = ${environment} and drafts is not null`;
  return row?.position ?? null;
};

/** Whether every event of the tenant up to the position is in the log. */
export const isLoggedUpTo = async (sql: Sql, { store, environment }: Tenant, position: number): Promise<boolean> => {
  const found = await sql`
    select from runtime.outbox
    where store = ${store} and environment = ${environment} and drafts is not null and position <= ${position} limit 1`;
  return found.count === 0;
};

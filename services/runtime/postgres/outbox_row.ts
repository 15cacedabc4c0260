// SQL of the outbox: what a transaction tells is a row there, and comes from there into the log, in the order written.
import { type Tenant, tenantKey } from '#runtime/call/call.ts';
import type { EventPack } from '#runtime/event/batch.ts';
import { draftEnvelope } from '#runtime/event/envelope.ts';
import type { AnyOccurrence } from '#runtime/event/event.ts';
import { eventId, eventSuffixes, eventTimeSql } from '#runtime/event/id.ts';
import type { Sql, SqlFragment } from './sql.ts';

/** What goes into one row of the outbox, and so into the log with one statement. */
const PACK_EVENTS_MAX = 1_000;
const PACK_BYTES_WANTED = 700_000;
/** Stands in no JSON as it is. */
const BETWEEN_PACKS = '\u001e';

interface Draft {
  readonly tenant: Tenant;
  readonly heads: string[];
  readonly drafts: string[];
  length: number;
}

/** By tenant, each one's in their order. */
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

/** What was told together, with the place in line of each event. */
export const numberedEvents = (sql: Sql, occurrences: readonly AnyOccurrence[]) => {
  const packs = packsOf(occurrences);
  // A line each: a list of long texts would be escaped here and read there character by character.
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

/** Puts each event of some packs into the log. */
const intoLog = (sql: Sql, loggedAt: Date) => sql`
  insert into runtime.event (store, environment, id, type, sequence, created_at, payload, logged_at)
  select store, environment, split_part(head, ' ', 2), split_part(head, ' ', 1), place,
    ${eventTimeSql(sql, sql`head`)}, draft || ',"sequence":' || place || '}',
    ${loggedAt}::timestamptz`;

/** What was drawn, into the outbox. */
export const insertOutbox = (sql: Sql) => sql`
  insert into runtime.outbox (position, store, environment, heads, positions, drafts)
  overriding system value
  select positions[events], store, environment, heads, positions, drafts from drawn`;

/**
 * Writes the events within the caller's transaction, all of them in one statement. Their places in line are drawn while
 * it holds whatever it changes, so that they follow the changes of each object.
 */
export const writeEvents = async (sql: Sql, occurrences: readonly AnyOccurrence[]): Promise<void> => {
  await sql`with ${numberedEvents(sql, occurrences)} ${insertOutbox(sql)}`;
};

/**
 * Whether nothing that was told waits for the log. Asked before the transaction writes anything, a follower of the log
 * meets what the transaction itself logs behind all that was told before. It asks for the first one: whether there is any
 * would be looked for row by row among all that waits for the bus.
 */
export const isOutboxLogged = (sql: Sql) =>
  sql`(select min(position) from runtime.outbox where drafts is not null) is null`;

/** The same where nothing waits: straight into the log, so that what is left to do is to publish it. */
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

/** A mark among the events: it travels behind what was committed before it, and leaves nothing in the log. Its id. */
export const writeMarker = async (sql: Sql, { store, environment }: Tenant, type: string): Promise<string> => {
  const id = eventId(0);
  await sql`
    insert into runtime.outbox (position, store, environment, heads, positions)
    overriding system value
    select place, ${store}, ${environment}, ${`${type} ${id}`}, array[place]
    from nextval('runtime.outbox_position_seq') as place`;
  return id;
};

/** What is in the log and may be published. */
export interface PublishableRow extends EventPack {
  readonly position: number;
  /** Whether a party outside may follow the tenant's events. */
  readonly followed: boolean;
}

/** Whether a party outside follows the tenant of the row of this name, with `store` and `environment`. */
export type IsFollowed = (sql: Sql, row: SqlFragment) => SqlFragment;

export interface Drained {
  /** In their order. */
  readonly rows: readonly PublishableRow[];
  /** Whether something waits still. */
  readonly more: boolean;
}

export interface DrainOptions {
  readonly loggedAt: Date;
  /** Positions of those that were published: they go. */
  readonly published: readonly number[];
  /** Positions of those that were read before and are not published yet. */
  readonly read: readonly number[];
  /** False: what waits goes into the log alone. */
  readonly publishes: boolean;
  readonly followed: IsFollowed | undefined;
}

const BATCH_MAX = 256;
const LOGGED_BYTES_WANTED = 2_000_000;
/** Behind every position. */
const LAST = Number.MAX_SAFE_INTEGER;

/** The first of those that wait for the log, as many as one statement takes. */
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
 * One batch into the log, and what was published out of the outbox: one such statement after the other, so that who
 * follows the log meets events in their order. Told is what is in the log and not published yet, up to what is not.
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

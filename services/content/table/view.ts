// SQL of views.
import type { Tenant } from '#runtime/call/call.ts';
import type { Sql } from '#runtime/postgres/sql.ts';
import { type ContentKind, type ContentView, REPEAT_MS } from '#services/content/view.ts';

/** Key by which views are sorted, so that two transactions lock the same rows in the same order. */
const keyOf = ({ kind, slug, session }: ContentView): string => `${session} ${kind} ${slug}`;

export const countViews = async (
  sql: Sql,
  { store, environment }: Tenant,
  views: readonly ContentView[],
): Promise<void> => {
  const sorted = [...views].sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
  const repeat = `${REPEAT_MS} milliseconds`;
  await sql`
    insert into content.view as known (store, environment, content, day, session, visitor, views, counted_at)
    select distinct on (seen.session, found.id) ${store}, ${environment}, found.id, seen.day, decode(seen.session, 'hex'),
      decode(seen.visitor, 'hex'), 1, seen.at
    from unnest(${sorted.map(({ kind }) => kind)}::text[], ${sorted.map(({ slug }) => slug)}::text[],
      ${sorted.map(({ session }) => session)}::text[], ${sorted.map(({ visitor }) => visitor)}::text[],
      ${sorted.map(({ seenAt }) => seenAt.toISOString())}::timestamptz[],
      ${sorted.map(({ day }) => day)}::date[]) as seen (kind, slug, session, visitor, at, day),
    lateral (
      select id from content.post
      where seen.kind = 'post' and store = ${store} and environment = ${environment} and slug = seen.slug
        and status = 'published' and deleted_at is null
      union all
      select id from content.lookbook
      where seen.kind = 'lookbook' and store = ${store} and environment = ${environment} and slug = seen.slug
        and status = 'published' and deleted_at is null
    ) as found
    where not exists (
      select 1 from content.view as eve
      where eve.store = ${store} and eve.environment = ${environment} and eve.content = found.id
        and eve.day = seen.day - 1 and eve.session = decode(seen.session, 'hex')
        and eve.counted_at > seen.at - ${repeat}::interval
    )
    order by seen.session, found.id
    on conflict (store, environment, content, day, session) do update
    set views = known.views + 1, counted_at = excluded.counted_at
    where excluded.counted_at >= known.counted_at + ${repeat}::interval`;
};

export interface ViewFilter {
  readonly kind: ContentKind | null;
  readonly id: string | null;
  /** First and last day, inclusive, as 2026-01-31. */
  readonly from: string;
  readonly to: string;
}

export interface ViewSums {
  readonly id: string;
  readonly kind: ContentKind;
  readonly slug: string;
  readonly title: string;
  readonly views: number;
  readonly visitors: number;
  readonly sessions: number;
}

export const sumsOfViews = async (
  sql: Sql,
  { store, environment }: Tenant,
  { kind, id, from, to }: ViewFilter,
  limit: number,
): Promise<ViewSums[]> => sql<ViewSums[]>`
  select content.id, content.kind, content.slug, content.title, coalesce(sum(view.views), 0)::int as views,
    count(distinct view.visitor)::int as visitors, count(distinct view.session)::int as sessions
  from (
    select id, 'post' as kind, slug, title, store, environment from content.post where deleted_at is null
    union all
    select id, 'lookbook', slug, title, store, environment from content.lookbook where deleted_at is null
  ) as content
  left join content.view as view
    on view.store = content.store and view.environment = content.environment and view.content = content.id
      and view.day between ${from}::date and ${to}::date
  where content.store = ${store} and content.environment = ${environment}
    and ${kind === null ? sql`true` : sql`content.kind = ${kind}`}
    and ${id === null ? sql`view.content is not null` : sql`content.id = ${id}`}
  group by content.id, content.kind, content.slug, content.title
  order by views desc, content.id limit ${limit}`;

export interface DayOfViews {
  readonly id: string;
  readonly date: string;
  readonly views: number;
  readonly visitors: number;
}

export const daysOfViews = async (
  sql: Sql,
  { store, environment }: Tenant,
  ids: readonly string[],
  { from, to }: Pick<ViewFilter, 'from' | 'to'>,
): Promise<DayOfViews[]> => sql<DayOfViews[]>`
  select content as id, day::text as date, sum(views)::int as views, count(distinct visitor)::int as visitors
  from content.view
  where store = ${store} and environment = ${environment} and content = any(${[...ids]}::uuid[])
    and day between ${from}::date and ${to}::date
  group by content, day order by content, day`;

export const sweepViews = async (sql: Sql, before: Date, limit: number): Promise<number> => {
  const gone = await sql`
    delete from content.view where (store, environment, content, day, session) in (
      select store, environment, content, day, session from content.view
      where day < ${before.toISOString().slice(0, 10)}::date order by day limit ${limit}
    )`;
  return gone.count;
};

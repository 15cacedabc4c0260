// SQL of posts.
import type { PublishedStory } from '#proto/gen/content.ts';
import type { Tenant } from '#runtime/call/call.ts';
import { type DueItem, type DueQuery, type DueRow, dueItemOf } from '#runtime/domain/due.ts';
import type { Sql } from '#runtime/postgres/sql.ts';
import type { PagePosition } from '#services/content/page.ts';
import type { PostRecord } from '#services/content/post.ts';
import type { ContentStatus } from '#services/content/publication.ts';
import { nameKey } from '#values/text.ts';
import type { FoundContent } from './revision.ts';

const columns = (sql: Sql) => sql`
  id, title, slug, excerpt, body, cover_image, author, tags, status, published_at, first_published_at, seo_title, seo_description,
  translations, created_at, updated_at`;

export const lockPost = async (sql: Sql, { store, environment }: Tenant, id: string): Promise<PostRecord | null> => {
  const [row] = await sql<PostRecord[]>`
    select ${columns(sql)} from content.post
    where store = ${store} and environment = ${environment} and id = ${id} and deleted_at is null for update`;
  return row ?? null;
};

export const readPost = async (sql: Sql, { store, environment }: Tenant, id: string): Promise<PostRecord | null> => {
  const [row] = await sql<PostRecord[]>`
    select ${columns(sql)} from content.post
    where store = ${store} and environment = ${environment} and id = ${id} and deleted_at is null`;
  return row ?? null;
};

export const findPost = async (
  sql: Sql,
  { store, environment }: Tenant,
  slug: string,
): Promise<FoundContent<PostRecord> | null> => {
  const [row] = await sql<FoundContent<PostRecord>[]>`
    select ${columns(sql)},
      (select revision from content.revision where store = ${store} and environment = ${environment}) as revision
    from content.post
    where store = ${store} and environment = ${environment} and slug = ${slug} and deleted_at is null`;
  return row ?? null;
};

export interface PostFilter {
  readonly tag: string | null;
  readonly status: ContentStatus | null;
  readonly now: Date;
}

const hasStatus = (sql: Sql, status: ContentStatus, now: Date) => {
  if (status === 'draft') return sql`status = 'draft'`;
  if (status === 'scheduled') return sql`status = 'scheduled' and published_at > ${now}`;
  return sql`(status = 'published' or status = 'scheduled' and published_at <= ${now})`;
};

export const pageOfPosts = async (
  sql: Sql,
  { store, environment }: Tenant,
  { tag, status, now }: PostFilter,
  after: PagePosition | null,
  limit: number,
): Promise<PostRecord[]> => {
  const time = status === 'published' ? sql`published_at` : sql`created_at`;
  return sql<PostRecord[]>`
    select ${columns(sql)} from content.post
    where store = ${store} and environment = ${environment} and deleted_at is null
      and ${status === null ? sql`true` : hasStatus(sql, status, now)}
      and ${tag === null ? sql`true` : sql`${nameKey(tag)} = any(tag_keys)`}
      and ${after === null ? sql`true` : sql`(${time}, id) < (${after.at}, ${after.id}::uuid)`}
    order by ${time} desc, id desc limit ${limit}`;
};

export const storiesOfPosts = async (
  sql: Sql,
  { store, environment }: Tenant,
  limit: number,
  language?: string,
): Promise<PublishedStory[]> => sql<PublishedStory[]>`
  select coalesce(translations -> ${language ?? null}::text ->> 'title', title) as title, slug,
    coalesce(translations -> ${language ?? null}::text ->> 'excerpt', excerpt, '') as about
  from content.post
  where store = ${store} and environment = ${environment} and deleted_at is null and status = 'published'
  order by published_at desc, id desc limit ${limit}`;

export const postSlugs = async (
  sql: Sql,
  { store, environment }: Tenant,
  start: string,
): Promise<ReadonlyMap<string, string>> => {
  const rows = await sql<{ slug: string; id: string }[]>`
    select slug, id from content.post
    where store = ${store} and environment = ${environment} and deleted_at is null
      and (slug = ${start} or slug like ${`${start}-%`})`;
  return new Map(rows.map(({ slug, id }) => [slug, id]));
};

export const savePost = async (sql: Sql, { store, environment }: Tenant, post: PostRecord): Promise<void> => {
  const { id, created_at, ...rest } = post;
  const row = {
    ...rest,
    tag_keys: post.tags.map(nameKey),
    translations: post.translations && sql.json(post.translations),
  };
  await sql`
    insert into content.post ${sql({ store, environment, id, created_at, ...row } as never)}
    on conflict (store, environment, id) do update set ${sql(row as never)}`;
};

export const deletePost = async (sql: Sql, { store, environment }: Tenant, id: string, now: Date): Promise<boolean> => {
  const gone = await sql`
    update content.post set deleted_at = ${now}
    where store = ${store} and environment = ${environment} and id = ${id} and deleted_at is null`;
  return gone.count > 0;
};

export const duePosts = async (sql: Sql, { tenant, until, max }: DueQuery): Promise<readonly DueItem[]> => {
  const rows = await sql<DueRow[]>`
    select store, environment, id, published_at as due_at from content.post
    where deleted_at is null and status = 'scheduled' and published_at <= ${until}
      and ${tenant === null ? sql`true` : sql`store = ${tenant.store} and environment = ${tenant.environment}`}
    order by published_at, id limit ${max}`;
  return rows.map(dueItemOf);
};

// SQL of lookbooks.
import type { PublishedStory } from '#proto/gen/content.ts';
import type { Tenant } from '#runtime/call/call.ts';
import type { Sql } from '#runtime/postgres/sql.ts';
import type { LookbookRecord } from '#services/content/lookbook.ts';
import type { PagePosition } from '#services/content/page.ts';
import type { FoundContent } from './revision.ts';

const columns = (sql: Sql) => sql`
  id, title, slug, description, featured_image, video, collection_id, status, published_at, first_published_at, images, translations,
  created_at, updated_at`;

export const lockLookbook = async (
  sql: Sql,
  { store, environment }: Tenant,
  id: string,
): Promise<LookbookRecord | null> => {
  const [row] = await sql<LookbookRecord[]>`
    select ${columns(sql)} from content.lookbook
    where store = ${store} and environment = ${environment} and id = ${id} and deleted_at is null for update`;
  return row ?? null;
};

export const readLookbook = async (
  sql: Sql,
  { store, environment }: Tenant,
  id: string,
): Promise<LookbookRecord | null> => {
  const [row] = await sql<LookbookRecord[]>`
    select ${columns(sql)} from content.lookbook
    where store = ${store} and environment = ${environment} and id = ${id} and deleted_at is null`;
  return row ?? null;
};

export const findLookbook = async (
  sql: Sql,
  { store, environment }: Tenant,
  slug: string,
): Promise<FoundContent<LookbookRecord> | null> => {
  const [row] = await sql<FoundContent<LookbookRecord>[]>`
    select ${columns(sql)},
      (select revision from content.revision where store = ${store} and environment = ${environment}) as revision
    from content.lookbook
    where store = ${store} and environment = ${environment} and slug = ${slug} and status = 'published'
      and deleted_at is null`;
  return row ?? null;
};

/** Returns a page, newest first: published lookbooks by time of publication, others by creation. */
export const pageOfLookbooks = async (
  sql: Sql,
  { store, environment }: Tenant,
  status: LookbookRecord['status'] | null,
  after: PagePosition | null,
  limit: number,
): Promise<LookbookRecord[]> => {
  const time = status === 'published' ? sql`published_at` : sql`created_at`;
  return sql<LookbookRecord[]>`
    select ${columns(sql)} from content.lookbook
    where store = ${store} and environment = ${environment} and deleted_at is null
      and ${status === null ? sql`true` : sql`status = ${status}`}
      and ${after === null ? sql`true` : sql`(${time}, id) < (${after.at}, ${after.id}::uuid)`}
    order by ${time} desc, id desc limit ${limit}`;
};

export const storiesOfLookbooks = async (
  sql: Sql,
  { store, environment }: Tenant,
  limit: number,
  language?: string,
): Promise<PublishedStory[]> => sql<PublishedStory[]>`
  select coalesce(translations -> ${language ?? null}::text ->> 'title', title) as title, slug,
    coalesce(translations -> ${language ?? null}::text ->> 'description', description) as about
  from content.lookbook
  where store = ${store} and environment = ${environment} and deleted_at is null and status = 'published'
  order by published_at desc, id desc limit ${limit}`;

export const lookbookSlugs = async (
  sql: Sql,
  { store, environment }: Tenant,
  start: string,
): Promise<ReadonlyMap<string, string>> => {
  const rows = await sql<{ slug: string; id: string }[]>`
    select slug, id from content.lookbook
    where store = ${store} and environment = ${environment} and deleted_at is null
      and (slug = ${start} or slug like ${`${start}-%`})`;
  return new Map(rows.map(({ slug, id }) => [slug, id]));
};

export const saveLookbook = async (
  sql: Sql,
  { store, environment }: Tenant,
  lookbook: LookbookRecord,
): Promise<void> => {
  const { id, created_at, images, ...rest } = lookbook;
  const translations = lookbook.translations && sql.json(lookbook.translations);
  const row = { ...rest, images: sql.json(images as never), translations };
  await sql`
    insert into content.lookbook ${sql({ store, environment, id, created_at, ...row } as never)}
    on conflict (store, environment, id) do update set ${sql(row as never)}`;
};

export const deleteLookbook = async (
  sql: Sql,
  { store, environment }: Tenant,
  id: string,
  now: Date,
): Promise<boolean> => {
  const gone = await sql`
    update content.lookbook set deleted_at = ${now}
    where store = ${store} and environment = ${environment} and id = ${id} and deleted_at is null`;
  return gone.count > 0;
};

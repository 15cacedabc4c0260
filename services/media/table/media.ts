// SQL of pictures and videos, and of leftovers: ids whose files no row names.
import type { Environment, Tenant } from '#runtime/call/call.ts';
import type { Sql } from '#runtime/postgres/sql.ts';

export interface RenditionRecord {
  readonly file: string;
  readonly width: number;
  readonly height: number;
  readonly bytes: number;
}

export interface MediaRecord {
  readonly id: string;
  readonly type: 'image' | 'video';
  readonly content_type: string;
  readonly name: string | null;
  readonly width: number;
  readonly height: number;
  readonly bytes: number;
  readonly renditions: readonly RenditionRecord[];
  readonly created_at: Date;
}

const columns = (sql: Sql) => sql`id, type, content_type, name, width, height, bytes, renditions, created_at`;

export const findMedia = async (sql: Sql, { store, environment }: Tenant, id: string): Promise<MediaRecord | null> => {
  const [row] = await sql<MediaRecord[]>`
    select ${columns(sql)} from media.media
    where store = ${store} and environment = ${environment} and id = ${id}`;
  return row ?? null;
};

export const pageOfMedia = async (
  sql: Sql,
  { store, environment }: Tenant,
  type: MediaRecord['type'] | null,
  after: { readonly createdAt: Date; readonly id: string } | null,
  limit: number,
): Promise<MediaRecord[]> => sql<MediaRecord[]>`
  select ${columns(sql)} from media.media
  where store = ${store} and environment = ${environment}
    and ${type === null ? sql`true` : sql`type = ${type}`}
    and ${after === null ? sql`true` : sql`(created_at, id) < (${after.createdAt}, ${after.id}::uuid)`}
  order by created_at desc, id desc limit ${limit}`;

export const insertMedia = async (sql: Sql, { store, environment }: Tenant, media: MediaRecord): Promise<void> => {
  await sql`
    insert into media.media (store, environment, ${columns(sql)})
    values (${store}, ${environment}, ${media.id}, ${media.type}, ${media.content_type}, ${media.name}, ${media.width},
      ${media.height}, ${media.bytes}, ${sql.json(media.renditions as never)}, ${media.created_at})`;
};

export const deleteMedia = async (sql: Sql, { store, environment }: Tenant, id: string): Promise<boolean> => {
  const gone = await sql`
    delete from media.media where store = ${store} and environment = ${environment} and id = ${id}`;
  return gone.count > 0;
};

export const knownMedia = async (
  sql: Sql,
  { store, environment }: Tenant,
  ids: readonly string[],
): Promise<string[]> => {
  const rows = await sql<{ id: string }[]>`
    select id from media.media where store = ${store} and environment = ${environment} and id = any(${ids as string[]})`;
  return rows.map(({ id }) => id);
};

export const insertLeftover = async (
  sql: Sql,
  { store, environment }: Tenant,
  id: string,
  since: Date,
): Promise<void> => {
  await sql`
    insert into media.leftover (store, environment, id, since) values (${store}, ${environment}, ${id}, ${since})`;
};

/** Returns false if a sweep has taken the id. */
export const deleteLeftover = async (sql: Sql, { store, environment }: Tenant, id: string): Promise<boolean> => {
  const gone = await sql`
    delete from media.leftover where store = ${store} and environment = ${environment} and id = ${id}`;
  return gone.count > 0;
};

interface Leftover {
  readonly store: string;
  readonly environment: Environment;
  readonly id: string;
}

export const oldLeftovers = async (sql: Sql, before: Date, limit: number): Promise<Leftover[]> => sql<Leftover[]>`
  select store, environment, id from media.leftover where since < ${before} order by since limit ${limit}`;

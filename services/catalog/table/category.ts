// Categories in Postgres.
import type { Tenant } from '#runtime/call.ts';
import type { Sql } from '#runtime/postgres.ts';
import type { CategoryRecord } from '#services/catalog/product.ts';

/** Those with these ids, with their parents, and those of any of these names in lower case, oldest first. */
export const findCategories = async (
  sql: Sql,
  { store, environment }: Tenant,
  ids: readonly string[],
  lowerNames: readonly string[] = [],
): Promise<CategoryRecord[]> => {
  if (ids.length + lowerNames.length === 0) return [];
  return sql<CategoryRecord[]>`
    select id, parent_id, name, slug, description, created_at from catalog.category
    where store = ${store} and environment = ${environment} and deleted_at is null
      and (id = any(${ids as string[]}::uuid[]) or lower(name) = any(${lowerNames as string[]}::text[])
        or id in (
          select parent_id from catalog.category
          where store = ${store} and environment = ${environment} and id = any(${ids as string[]}::uuid[])))
    order by created_at, id`;
};

/** Whether a live category has it. */
export const findCategorySlugs = async (
  sql: Sql,
  { store, environment }: Tenant,
  start: string,
): Promise<Set<string>> => {
  const rows = await sql<{ slug: string }[]>`
    select slug from catalog.category
    where store = ${store} and environment = ${environment} and deleted_at is null
      and (slug = ${start} or slug like ${`${start}-%`})`;
  return new Set(rows.map((row) => row.slug));
};

export const insertCategory = async (
  sql: Sql,
  { store, environment }: Tenant,
  revision: number,
  category: CategoryRecord,
): Promise<void> => {
  const { id, parent_id, name, slug, description, created_at } = category;
  await sql`
    insert into catalog.category
      (store, environment, id, parent_id, name, slug, description, created_at, updated_at, revision)
    values (${store}, ${environment}, ${id}, ${parent_id}, ${name}, ${slug}, ${description}, ${created_at},
      ${created_at}, ${revision})`;
};

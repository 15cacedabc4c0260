// SQL of categories.
import type { ProductSubcategory } from '#proto/gen/category.ts';
import type { Tenant } from '#runtime/call/call.ts';
import type { Sql } from '#runtime/postgres/sql.ts';
import type { CategoryRecord } from '#services/catalog/product.ts';

export const byPlace = (a: CategoryRecord, b: CategoryRecord): number =>
  (a.position ?? Number.MAX_SAFE_INTEGER) - (b.position ?? Number.MAX_SAFE_INTEGER) ||
  a.name.localeCompare(b.name, 'en') ||
  (a.id < b.id ? -1 : 1);

export const findCategories = async (
  sql: Sql,
  { store, environment }: Tenant,
  ids: readonly string[],
  lowerNames: readonly string[] = [],
): Promise<CategoryRecord[]> => {
  if (ids.length + lowerNames.length === 0) return [];
  return sql<CategoryRecord[]>`
    select id, parent_id, name, slug, description, position, translations, created_at, updated_at from catalog.category
    where store = ${store} and environment = ${environment} and deleted_at is null
      and (id = any(${ids as string[]}::uuid[]) or lower(name) = any(${lowerNames as string[]}::text[])
        or id in (
          select parent_id from catalog.category
          where store = ${store} and environment = ${environment} and id = any(${ids as string[]}::uuid[])))
    order by created_at, id`;
};

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
  const { id, parent_id, name, slug, description, translations, created_at, updated_at } = category;
  await sql`
    insert into catalog.category
      (store, environment, id, parent_id, name, slug, description, translations, created_at, updated_at, revision)
    values (${store}, ${environment}, ${id}, ${parent_id}, ${name}, ${slug}, ${description},
      ${translations && sql.json(translations)}, ${created_at}, ${updated_at}, ${revision})`;
};

export const changedCategories = async (
  sql: Sql,
  { store, environment }: Tenant,
  revision: number,
): Promise<{ categories: CategoryRecord[]; deletedIds: string[] }> => {
  const rows = await sql<(CategoryRecord & { deleted: boolean })[]>`
    select id, parent_id, name, slug, description, position, translations, created_at, updated_at, deleted_at is not null as deleted
    from catalog.category
    where store = ${store} and environment = ${environment} and revision > ${revision}`;
  return {
    categories: rows.filter((row) => !row.deleted).map(({ deleted: _deleted, ...row }) => row),
    deletedIds: rows.filter((row) => row.deleted).map((row) => row.id),
  };
};

export const updateCategory = async (
  sql: Sql,
  { store, environment }: Tenant,
  revision: number,
  { id, name, description, translations, updated_at }: CategoryRecord,
): Promise<void> => {
  await sql`
    update catalog.category
    set name = ${name}, description = ${description}, translations = ${translations && sql.json(translations)},
      updated_at = ${updated_at}, revision = ${revision}
    where store = ${store} and environment = ${environment} and id = ${id}`;
};

/** Moves the category below the parent, or to the top, behind its siblings; its products follow. */
export const moveCategory = async (
  sql: Sql,
  { store, environment }: Tenant,
  revision: number,
  { id, parent_id }: CategoryRecord,
  now: Date,
): Promise<void> => {
  await sql`
    update catalog.category set parent_id = ${parent_id}, position = null, revision = ${revision}
    where store = ${store} and environment = ${environment} and id = ${id}`;
  await sql`
    update catalog.product
    set category_id = ${parent_id ?? id}, subcategory_id = ${parent_id === null ? null : id}, updated_at = ${now},
      revision = ${revision}
    where store = ${store} and environment = ${environment} and deleted_at is null
      and (category_id = ${id} or subcategory_id = ${id})`;
};

export const findSiblings = (
  sql: Sql,
  { store, environment }: Tenant,
  parentId: string | null,
): Promise<CategoryRecord[]> => sql<CategoryRecord[]>`
  select id, parent_id, name, slug, description, position, translations, created_at, updated_at from catalog.category
  where store = ${store} and environment = ${environment} and deleted_at is null
    and parent_id is not distinct from ${parentId}::uuid`;

export const numberCategories = async (
  sql: Sql,
  { store, environment }: Tenant,
  revision: number,
  ids: readonly string[],
): Promise<void> => {
  await sql`
    update catalog.category set position = placed.position, revision = ${revision}
    from unnest(${ids as string[]}::uuid[]) with ordinality as placed (id, position)
    where store = ${store} and environment = ${environment} and category.id = placed.id`;
};

export const deleteCategory = async (
  sql: Sql,
  { store, environment }: Tenant,
  revision: number,
  { id, parent_id }: CategoryRecord,
  now: Date,
): Promise<void> => {
  await sql`
    update catalog.category set deleted_at = ${now}, revision = ${revision}
    where store = ${store} and environment = ${environment} and deleted_at is null and (id = ${id} or parent_id = ${id})`;
  if (parent_id === null) {
    await sql`
      update catalog.product
      set category_id = null, subcategory_id = null, updated_at = ${now}, revision = ${revision}
      where store = ${store} and environment = ${environment} and deleted_at is null and category_id = ${id}`;
  } else {
    await sql`
      update catalog.product set subcategory_id = null, updated_at = ${now}, revision = ${revision}
      where store = ${store} and environment = ${environment} and deleted_at is null and subcategory_id = ${id}`;
  }
};

export const categoryFamily = async (
  sql: Sql,
  { store, environment }: Tenant,
  id: string,
): Promise<{
  product_count: number;
  subcategories: ProductSubcategory[];
}> => {
  const counts = await sql<{ category_id: string; subcategory_id: string | null; products: number }[]>`
    select category_id, subcategory_id, count(*)::integer as products from catalog.product
    where store = ${store} and environment = ${environment} and deleted_at is null and is_active
      and (category_id = ${id} or subcategory_id = ${id})
    group by category_id, subcategory_id`;
  const children = (await findSiblings(sql, { store, environment }, id)).sort(byPlace);
  return {
    product_count: counts.reduce((sum, { products }) => sum + products, 0),
    subcategories: children.map(({ id: child, name, slug, translations, updated_at }) => ({
      id: child,
      name,
      slug,
      product_count: counts.find((count) => count.subcategory_id === child)?.products ?? 0,
      updated_at: updated_at.toISOString(),
      ...(translations && { translations }),
    })),
  };
};

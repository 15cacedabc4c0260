// SQL of the names and categories of products, deleted ones included, for reports.
import type { Tenant } from '#runtime/call/call.ts';
import type { Sql } from '#runtime/postgres/sql.ts';

export const categoriesOfProducts = async (
  sql: Sql,
  { store, environment }: Tenant,
  products: readonly string[],
): Promise<ReadonlyMap<string, string>> => {
  const rows = await sql<{ id: string; category: string }[]>`
    select id, category_id as category from catalog.product
    where store = ${store} and environment = ${environment} and id = any(${[...products]}::uuid[])
      and category_id is not null`;
  return new Map(rows.map(({ id, category }) => [id, category]));
};

type Names = Promise<ReadonlyMap<string, string>>;

export const namesOfProducts = async (sql: Sql, { store, environment }: Tenant, ids: readonly string[]): Names => {
  const rows = await sql<{ id: string; name: string }[]>`
    select id, name from catalog.product
    where store = ${store} and environment = ${environment} and id = any(${[...ids]}::uuid[])`;
  return new Map(rows.map(({ id, name }) => [id, name]));
};

export const namesOfCategories = async (sql: Sql, { store, environment }: Tenant, ids: readonly string[]): Names => {
  const rows = await sql<{ id: string; name: string }[]>`
    select id, name from catalog.category
    where store = ${store} and environment = ${environment} and id = any(${[...ids]}::uuid[])`;
  return new Map(rows.map(({ id, name }) => [id, name]));
};

// Curated sections in Postgres.
import type { Tenant } from '#runtime/call/call.ts';
import type { Sql } from '#runtime/postgres/sql.ts';
import type { SectionRecord } from '#services/marketplace/section.ts';

const columns = (sql: Sql) => sql`slug, name, description, placement_kind, items, created_at, updated_at`;

const selectSection = (sql: Sql, { store: operator, environment }: Tenant, slug: string) => sql`
  select ${columns(sql)} from marketplace.section
  where operator = ${operator} and environment = ${environment} and slug = ${slug}`;

export const findSection = async (sql: Sql, tenant: Tenant, slug: string): Promise<SectionRecord | null> => {
  const [row] = await sql<SectionRecord[]>`${selectSection(sql, tenant, slug)}`;
  return row ?? null;
};

export const lockSection = async (sql: Sql, tenant: Tenant, slug: string): Promise<SectionRecord | null> => {
  const [row] = await sql<SectionRecord[]>`${selectSection(sql, tenant, slug)} for update`;
  return row ?? null;
};

export const listSections = (
  sql: Sql,
  { store: operator, environment }: Tenant,
  after: string | null,
  limit: number,
) => sql<SectionRecord[]>`
  select ${columns(sql)} from marketplace.section
  where operator = ${operator} and environment = ${environment}
    ${after === null ? sql`` : sql`and slug > ${after}`}
  order by slug limit ${limit}`;

export const putSection = async (
  sql: Sql,
  { store: operator, environment }: Tenant,
  { items, ...section }: SectionRecord,
): Promise<void> => {
  const row = { operator, environment, ...section, items: sql.json(items.map((item) => ({ ...item }))) };
  await sql`
    insert into marketplace.section ${sql(row)}
    on conflict (operator, environment, slug) do update set name = excluded.name, description = excluded.description,
      placement_kind = excluded.placement_kind, items = excluded.items, updated_at = excluded.updated_at`;
};

export const deleteSection = async (
  sql: Sql,
  { store: operator, environment }: Tenant,
  slug: string,
): Promise<boolean> => {
  const gone = await sql`
    delete from marketplace.section
    where operator = ${operator} and environment = ${environment} and slug = ${slug} returning 1`;
  return gone.length > 0;
};

// SQL of customers and their passwords.
import type { Tenant } from '#runtime/call/call.ts';
import type { Sql } from '#runtime/postgres/sql.ts';
import type { CustomerRecord } from '#services/customer/customer.ts';
import { normalEmail } from '#values/text.ts';

export const customerColumns = (sql: Sql) => sql`
  c.id, c.external_id, c.email, c.first_name, c.last_name, c.phone, c.customer_group, c.addresses, c.metadata,
  c.language, c.created_at, c.updated_at`;

export const findCustomer = async (sql: Sql, tenant: Tenant, id: string): Promise<CustomerRecord | null> => {
  const [customer] = await sql<CustomerRecord[]>`
    select ${customerColumns(sql)} from customer.customer c
    where c.store = ${tenant.store} and c.environment = ${tenant.environment} and c.id = ${id}
      and c.deleted_at is null`;
  return customer ?? null;
};

export const emailIsTaken = async (sql: Sql, tenant: Tenant, email: string): Promise<boolean> => {
  const found = await sql`
    select 1 from customer.customer
    where store = ${tenant.store} and environment = ${tenant.environment} and email = ${email}
      and deleted_at is null`;
  return found.length > 0;
};

export const findAccount = async (
  sql: Sql,
  tenant: Tenant,
  email: string,
): Promise<(CustomerRecord & { readonly hash: string | null }) | null> => {
  const [account] = await sql<(CustomerRecord & { hash: string | null })[]>`
    select ${customerColumns(sql)}, p.hash
    from customer.customer c
    left join customer.password p on p.store = c.store and p.environment = c.environment and p.customer = c.id
    where c.store = ${tenant.store} and c.environment = ${tenant.environment} and c.email = ${email}
      and c.deleted_at is null`;
  return account ?? null;
};

export const insertCustomer = async (
  sql: Sql,
  tenant: Tenant,
  customer: CustomerRecord,
): Promise<'email' | 'external_id' | null> => {
  const inserted = await sql`
    insert into customer.customer (store, environment, id, external_id, email, first_name, last_name, phone,
      customer_group, addresses, metadata, language, created_at, updated_at)
    values (${tenant.store}, ${tenant.environment}, ${customer.id}, ${customer.external_id}, ${customer.email},
      ${customer.first_name}, ${customer.last_name}, ${customer.phone}, ${customer.customer_group},
      ${sql.json(customer.addresses as never)}, ${sql.json(customer.metadata)}, ${customer.language},
      ${customer.created_at}, ${customer.updated_at})
    on conflict do nothing`;
  if (inserted.count === 1) return null;
  return (await emailIsTaken(sql, tenant, customer.email)) ? 'email' : 'external_id';
};

export const findBySubject = async (
  sql: Sql,
  tenant: Tenant,
  externalId: string,
  id: string | null,
): Promise<string | null> => {
  const [found] = await sql<{ id: string }[]>`
    select id from customer.customer
    where store = ${tenant.store} and environment = ${tenant.environment} and deleted_at is null
      and (external_id = ${externalId} or id = ${id})
    order by external_id = ${externalId} desc nulls last limit 1`;
  return found?.id ?? null;
};

export const linkCustomer = async (sql: Sql, tenant: Tenant, customer: CustomerRecord): Promise<boolean> => {
  const { count } = await sql`
    update customer.customer c set external_id = ${customer.external_id}, updated_at = ${customer.updated_at}
    where store = ${tenant.store} and environment = ${tenant.environment} and id = ${customer.id}
      and external_id is null and deleted_at is null
      and not exists (select from customer.customer o where o.store = c.store and o.environment = c.environment
        and o.external_id = ${customer.external_id} and o.deleted_at is null)`;
  return count === 1;
};

export const lockCustomer = async (sql: Sql, tenant: Tenant, id: string): Promise<CustomerRecord | null> => {
  const [customer] = await sql<CustomerRecord[]>`
    select ${customerColumns(sql)} from customer.customer c
    where c.store = ${tenant.store} and c.environment = ${tenant.environment} and c.id = ${id}
      and c.deleted_at is null
    for no key update`;
  return customer ?? null;
};

export const updateCustomer = async (sql: Sql, tenant: Tenant, customer: CustomerRecord): Promise<void> => {
  await sql`
    update customer.customer set external_id = ${customer.external_id}, email = ${customer.email},
      first_name = ${customer.first_name}, last_name = ${customer.last_name}, phone = ${customer.phone},
      customer_group = ${customer.customer_group}, addresses = ${sql.json(customer.addresses as never)},
      metadata = ${sql.json(customer.metadata)}, language = ${customer.language}, updated_at = ${customer.updated_at}
    where store = ${tenant.store} and environment = ${tenant.environment} and id = ${customer.id}`;
};

export const markDeleted = async (sql: Sql, tenant: Tenant, id: string, at: Date): Promise<void> => {
  await sql`
    update customer.customer set deleted_at = ${at}
    where store = ${tenant.store} and environment = ${tenant.environment} and id = ${id}`;
};

export interface CustomerFilter {
  readonly email: string | null;
  readonly group: string | null;
  readonly search: string | null;
}

/**
 * Selects the ids of the customers that a search finds. Each branch of the union reads one index. The ids are used as an
 * array, for which Postgres reads the primary key; for a subquery it reads all customers.
 */
const idsFor = (sql: Sql, { store, environment }: Tenant, search: string) => {
  const prefix = `${search.replaceAll(/[\\%_]/g, '\\$&')}%`;
  const living = sql`store = ${store} and environment = ${environment} and deleted_at is null`;
  return sql`
    select id from customer.customer where ${living} and email like ${normalEmail(prefix)}
    union select id from customer.customer
      where ${living} and lower(coalesce(first_name || ' ', '') || coalesce(last_name, '')) like lower(${prefix})
    union select id from customer.customer where ${living} and lower(last_name) like lower(${prefix})`;
};

export const pageOfCustomers = (
  sql: Sql,
  tenant: Tenant,
  { email, group, search }: CustomerFilter,
  after: { readonly createdAt: Date; readonly id: string } | null,
  limit: number,
) => sql<CustomerRecord[]>`
  select ${customerColumns(sql)} from customer.customer c
  where c.store = ${tenant.store} and c.environment = ${tenant.environment} and c.deleted_at is null
    ${email === null ? sql`` : sql`and c.email = ${email}`}
    ${group === null ? sql`` : sql`and lower(c.customer_group) = lower(${group})`}
    ${search === null ? sql`` : sql`and c.id = any(array(${idsFor(sql, tenant, search)}))`}
    ${after === null ? sql`` : sql`and (c.created_at, c.id) < (${after.createdAt}, ${after.id})`}
  order by c.created_at desc, c.id desc limit ${limit}`;

export const savePassword = async (
  sql: Sql,
  tenant: Tenant,
  customer: string,
  hash: string,
  at: Date,
): Promise<void> => {
  await sql`
    insert into customer.password (store, environment, customer, hash, changed_at)
    values (${tenant.store}, ${tenant.environment}, ${customer}, ${hash}, ${at})
    on conflict (store, environment, customer) do update set hash = excluded.hash, changed_at = excluded.changed_at`;
};

export const deletePassword = async (sql: Sql, tenant: Tenant, customer: string): Promise<void> => {
  await sql`
    delete from customer.password
    where store = ${tenant.store} and environment = ${tenant.environment} and customer = ${customer}`;
};

export const findPassword = async (sql: Sql, tenant: Tenant, customer: string): Promise<string | null> => {
  const [found] = await sql<{ hash: string }[]>`
    select hash from customer.password
    where store = ${tenant.store} and environment = ${tenant.environment} and customer = ${customer}`;
  return found?.hash ?? null;
};

export const replacePassword = async (
  sql: Sql,
  tenant: Tenant,
  customer: string,
  before: string,
  hash: string,
  at: Date,
): Promise<boolean> => {
  const { count } = await sql`
    update customer.password set hash = ${hash}, changed_at = ${at}
    where store = ${tenant.store} and environment = ${tenant.environment} and customer = ${customer}
      and hash = ${before}`;
  return count === 1;
};

export const lockPassword = async (sql: Sql, tenant: Tenant, customer: string, hash: string): Promise<boolean> => {
  const held = await sql`
    select 1 from customer.password
    where store = ${tenant.store} and environment = ${tenant.environment} and customer = ${customer}
      and hash = ${hash}
    for share`;
  return held.length > 0;
};

/** Returns the addresses that a customer has or has proved, also of a deleted one. */
export const emailsOf = async (sql: Sql, { store, environment }: Tenant, customer: string): Promise<string[]> => {
  const rows = await sql<{ email: string }[]>`
    select email from customer.customer where store = ${store} and environment = ${environment} and id = ${customer}
    union select email from customer.email_proof
    where store = ${store} and environment = ${environment} and customer = ${customer}`;
  return rows.map(({ email }) => email);
};

export const accountEmails = async (
  sql: Sql,
  { store, environment }: Tenant,
  emails: readonly string[],
): Promise<string[]> => {
  const rows = await sql<{ email: string }[]>`
    select email from customer.customer
    where store = ${store} and environment = ${environment} and email = any(${emails as string[]}::text[])
      and deleted_at is null`;
  return rows.map(({ email }) => email);
};

// Erases a person from orders: amounts, lines and the country of delivery stay.
import {
  ERASED_MAX,
  ERASED_TEXT,
  type ErasureRule,
  erasedEmail,
  erasure,
  type Person,
} from '#runtime/domain/personal_data.ts';
import type { Sql, SqlFragment } from '#runtime/postgres/sql.ts';
import { normalEmail } from '#values/text.ts';

interface ErasedOrder {
  readonly id: string;
  /** Whether the order has the person's customer id. */
  readonly is_customers: boolean;
  readonly former_email: string;
}

/** Only the country stays, by which orders are taxed and reported. */
const placeless = (sql: Sql, column: string): SqlFragment => sql`
  case when ${sql(column)} is not null then json_build_object('line1', ${ERASED_TEXT}::text, 'city', ${ERASED_TEXT}::text,
    'country', ${sql(column)} ->> 'country') end`;

/** Includes orders without an account that were placed with one of the person's addresses. */
const eraseOrders = (sql: Sql, { tenant, id, emails }: Person): Promise<ErasedOrder[]> => sql<ErasedOrder[]>`
  with found as (
    select o.store, o.environment, o.id, o.email, o.customer_id is not null as is_customers from orders.order o
    where o.store = ${tenant.store} and o.environment = ${tenant.environment} and o.email <> ${erasedEmail(id)}
      and (o.customer_id = ${id} or (o.customer_id is null
        and normalize(lower(normalize(o.email, NFC)), NFC) = any(${emails as string[]}::text[])))
    limit ${ERASED_MAX} for no key update
  )
  update orders.order o set email = ${erasedEmail(id)},
    shipping_address = ${placeless(sql, 'o.shipping_address')}, billing_address = ${placeless(sql, 'o.billing_address')},
    tracking_number = null, tracking_url = null, note = null, metadata = '{}'
  from found where o.store = found.store and o.environment = found.environment and o.id = found.id
  returning o.id, found.is_customers, found.email as former_email`;

/** Returns the numbers of the parcels. */
const eraseParcels = async (sql: Sql, { tenant }: Person, orders: readonly string[]): Promise<string[]> => {
  const rows = await sql<{ tracking_number: string | null }[]>`
    with found as (
      select store, environment, order_id, id, tracking_number from orders.shipment
      where store = ${tenant.store} and environment = ${tenant.environment}
        and order_id = any(${orders as string[]}::uuid[])
    )
    update orders.shipment s set tracking_number = null, tracking_url = null, label_url = null
    from found where s.store = found.store and s.environment = found.environment and s.order_id = found.order_id
      and s.id = found.id
    returning found.tracking_number`;
  return rows.flatMap(({ tracking_number }) => tracking_number ?? []);
};

const eraseRefunds = async (sql: Sql, { tenant }: Person, orders: readonly string[]): Promise<void> => {
  await sql`
    update orders.refund set reason = null
    where store = ${tenant.store} and environment = ${tenant.environment}
      and order_id = any(${orders as string[]}::uuid[])`;
};

/** Returns the operators' checkouts that the orders belong to. */
const eraseGroups = async (sql: Sql, { tenant, id }: Person, orders: readonly string[]): Promise<string[]> => {
  const rows = await sql<{ id: string }[]>`
    update orders.checkout_group g set email = ${erasedEmail(id)} from orders.checkout_order c
    where c.store = ${tenant.store} and c.environment = ${tenant.environment}
      and c.order_id = any(${orders as string[]}::uuid[])
      and g.operator = c.operator and g.environment = c.environment and g.id = c.group_id
    returning g.id`;
  return rows.map((row) => row.id);
};

const orders: ErasureRule = {
  what: 'orders',
  stage: 'record',
  erase: async ({ sql }, person) => {
    const erased = await eraseOrders(sql, person);
    const ids = erased.map(({ id }) => id);
    const parcels = await eraseParcels(sql, person, ids);
    const groups = await eraseGroups(sql, person, ids);
    await eraseRefunds(sql, person, ids);
    const emails = erased.flatMap((order) => (order.is_customers ? normalEmail(order.former_email) : []));
    return { ids: [...ids, ...parcels, ...groups], emails, next: ids.length < ERASED_MAX ? null : 'more' };
  },
};

const eraseReturns = async (sql: Sql, { tenant, id }: Person, limit: number): Promise<string[]> => {
  const rows = await sql<{ id: string }[]>`
    update orders.return set reason_detail = null, contact_phone = null, note = null
    where ctid = any(array(
      select ctid from orders.return
      where store = ${tenant.store} and environment = ${tenant.environment} and customer_id = ${id}
        and num_nonnulls(reason_detail, contact_phone, note) > 0
      limit ${limit}))
    returning id`;
  return rows.map((row) => row.id);
};

const eraseDisputes = async (sql: Sql, { tenant, id }: Person, limit: number): Promise<string[]> => {
  const rows = await sql<{ id: string }[]>`
    update orders.dispute set description = ${ERASED_TEXT}, evidence_urls = '[]', note = null
    where ctid = any(array(
      select ctid from orders.dispute
      where store = ${tenant.store} and environment = ${tenant.environment} and customer_id = ${id}
        and (description <> ${ERASED_TEXT} or evidence_urls::text <> '[]' or note is not null)
      limit ${limit}))
    returning id`;
  return rows.map((row) => row.id);
};

export const orderErasures: readonly ErasureRule[] = [
  orders,
  erasure('returns', ({ sql }, person, limit) => eraseReturns(sql, person, limit)),
  erasure('disputes', ({ sql }, person, limit) => eraseDisputes(sql, person, limit)),
];

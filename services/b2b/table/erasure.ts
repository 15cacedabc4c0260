// Erases a person from wholesale records. Amounts, items, numbers of quotes and invoices, and countries stay.
import { ERASED_TEXT, type ErasureRule, erasedEmail, erasure, type Person } from '#runtime/domain/personal_data.ts';
import type { Sql, SqlFragment } from '#runtime/postgres/sql.ts';

const idsOf = (rows: readonly { readonly id: string }[]): string[] => rows.map(({ id }) => id);

const placeless = (sql: Sql, column: string): SqlFragment => sql`
  case when ${sql(column)} is not null then json_build_object('line1', ${ERASED_TEXT}::text, 'city', ${ERASED_TEXT}::text,
    'country', ${sql(column)} ->> 'country') end`;

/** Selects the customer's rows that still have text, by their place in the table. */
const left = (sql: Sql, table: string, { tenant, id }: Person, hasText: SqlFragment, limit: number): SqlFragment => sql`
  ctid = any(array(
    select ctid from ${sql(table)}
    where store = ${tenant.store} and environment = ${tenant.environment} and customer_id = ${id} and ${hasText}
    limit ${limit}))`;

const eraseRfqs = async (sql: Sql, person: Person, limit: number): Promise<string[]> =>
  idsOf(
    await sql<{ id: string }[]>`
      update b2b.rfq set note = null where ${left(sql, 'b2b.rfq', person, sql`note is not null`, limit)} returning id`,
  );

const eraseQuotes = async (sql: Sql, person: Person, limit: number): Promise<string[]> => {
  const hasText = sql`(num_nonnulls(note, reason) > 0
    or (shipping_address is not null and shipping_address ->> 'line1' is distinct from ${ERASED_TEXT}))`;
  return idsOf(
    await sql<{ id: string }[]>`
      update b2b.quote set note = null, reason = null, shipping_address = ${placeless(sql, 'shipping_address')}
      where ${left(sql, 'b2b.quote', person, hasText, limit)} returning id`,
  );
};

/** The buyer's own number is a text of the buyer; each of a customer's numbers stays different. */
const erasePurchaseOrders = async (sql: Sql, person: Person, limit: number): Promise<string[]> => {
  const replacement = erasedEmail(person.id);
  return idsOf(
    await sql<{ id: string }[]>`
      update b2b.purchase_order set email = ${replacement}, buyer_name = ${ERASED_TEXT}, po_number = ${ERASED_TEXT},
        po_key = id::text, shipping_address = ${placeless(sql, 'shipping_address')},
        billing_address = ${placeless(sql, 'billing_address')}
      where ${left(sql, 'b2b.purchase_order', person, sql`email <> ${replacement}`, limit)} returning id`,
  );
};

const eraseInvoices = async (sql: Sql, person: Person, limit: number): Promise<string[]> =>
  idsOf(
    await sql<{ id: string }[]>`
      update b2b.invoice set reference = null
      where ${left(sql, 'b2b.invoice', person, sql`reference is not null`, limit)} returning id`,
  );

export const wholesaleErasures: readonly ErasureRule[] = [
  erasure('requests for quotes', ({ sql }, person, limit) => eraseRfqs(sql, person, limit)),
  erasure('wholesale quotes', ({ sql }, person, limit) => eraseQuotes(sql, person, limit)),
  erasure('purchase orders', ({ sql }, person, limit) => erasePurchaseOrders(sql, person, limit)),
  erasure('invoices', ({ sql }, person, limit) => eraseInvoices(sql, person, limit)),
];

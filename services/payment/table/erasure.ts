// Erases a person from payments, refunds and the reasons in the ledger, whose amounts stay.
import { type ErasureRule, erasure, type Person, recordIds } from '#runtime/domain/personal_data.ts';
import type { Sql } from '#runtime/postgres/sql.ts';
import { eraseReasons } from '#services/ledger/index.ts';

const idsOf = (rows: readonly { readonly id: string }[]): string[] => rows.map(({ id }) => id);

/** Includes an operator's payments for the checkouts that the orders belong to. */
const erasePayments = async (sql: Sql, person: Person, limit: number): Promise<string[]> =>
  idsOf(
    await sql<{ id: string }[]>`
      with own as (
        select store, environment, id, whole_operator, whole_payment from payment.payment
        where store = ${person.tenant.store} and environment = ${person.tenant.environment}
          and order_id = any(${recordIds(person)}::uuid[])
      ), found as (
        select store, environment, id from own
        union select whole_operator, environment, whole_payment from own where whole_operator is not null
        union select store, environment, id from payment.payment
        where environment = ${person.tenant.environment} and checkout_group_id = any(${recordIds(person)}::uuid[])
      )
      update payment.payment p
      set phone = null, metadata = '{}', success_url = null, cancel_url = null, checkout_url = null
      where ctid = any(array(
        select p.ctid from payment.payment p join found using (store, environment, id)
        where num_nonnulls(p.phone, p.success_url, p.cancel_url, p.checkout_url) > 0 or p.metadata::text <> '{}'
        limit ${limit}))
      returning p.id`,
  );

const eraseRefunds = async (sql: Sql, person: Person, limit: number): Promise<string[]> =>
  idsOf(
    await sql<{ id: string }[]>`
      update payment.refund set reason = null
      where ctid = any(array(
        select ctid from payment.refund
        where store = ${person.tenant.store} and environment = ${person.tenant.environment} and reason is not null
          and payment_id = any(${recordIds(person)}::uuid[])
        limit ${limit}))
      returning id`,
  );

export const paymentErasures: readonly ErasureRule[] = [
  erasure('payments', ({ sql }, person, limit) => erasePayments(sql, person, limit)),
  erasure('refunds', ({ sql }, person, limit) => eraseRefunds(sql, person, limit)),
  erasure('reasons in the ledger', ({ sql }, person, limit) => eraseReasons(sql, person, limit)),
];

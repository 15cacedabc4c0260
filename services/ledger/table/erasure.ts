// Erases the reasons of postings about a person's orders and store credit.
import { type Person, recordIds } from '#runtime/domain/personal_data.ts';
import type { Sql } from '#runtime/postgres/sql.ts';

export const eraseReasons = async (sql: Sql, person: Person, limit: number): Promise<string[]> => {
  const { tenant, id } = person;
  const rows = await sql<{ id: string }[]>`
    update ledger.posting set reason = null
    where ctid = any(array(
      select p.ctid from ledger.posting p
      where p.store = ${tenant.store} and p.environment = ${tenant.environment} and p.reason is not null
        and (p.order_id = any(${recordIds(person)}::uuid[])
        or p.id in (
          select posting from ledger.entry
          where store = ${tenant.store} and environment = ${tenant.environment} and kind = 'store_credit'
            and subject = ${id}))
      limit ${limit}))
    returning id`;
  return rows.map((row) => row.id);
};

// Erases a person from mails: written ones, alerts that are waited for, and suppressed addresses.
import { type ErasureRule, erasure, type Person } from '#runtime/domain/personal_data.ts';
import type { Sql } from '#runtime/postgres/sql.ts';

const deleteOf = async (
  sql: Sql,
  table: string,
  column: string,
  { tenant, emails }: Person,
  limit: number,
): Promise<string[]> => {
  const rows = await sql<{ id: string }[]>`
    delete from ${sql(table)} where ctid = any(array(
      select ctid from ${sql(table)}
      where store = ${tenant.store} and environment = ${tenant.environment}
        and lower(${sql(column)}) = any(${emails as string[]}::text[])
      limit ${limit}))
    returning id`;
  return rows.map(({ id }) => id);
};

export const mailErasures: readonly ErasureRule[] = [
  erasure('mails', ({ sql }, person, limit) => deleteOf(sql, 'mail.message', 'recipient', person, limit)),
  erasure('stock alerts', ({ sql }, person, limit) => deleteOf(sql, 'mail.stock_alert', 'email', person, limit)),
  erasure('suppressed addresses', ({ sql }, person, limit) =>
    deleteOf(sql, 'mail.suppression', 'email', person, limit),
  ),
];

// SQL of the numbers by which both sides know what they agree on.
import type { Tenant } from '#runtime/call/call.ts';
import type { Sql } from '#runtime/postgres/sql.ts';

const FIRST = 1_001;

/** The next one of its kind. Others wait until it is committed, so that none is left out. */
export const nextNumber = async (
  sql: Sql,
  { store, environment }: Tenant,
  kind: 'rfq' | 'quote' | 'invoice',
): Promise<number> => {
  const [row] = await sql<{ last: number }[]>`
    insert into b2b.number as number (store, environment, kind, last)
    values (${store}, ${environment}, ${kind}, ${FIRST})
    on conflict (store, environment, kind) do update set last = number.last + 1
    returning last`;
  return row!.last;
};

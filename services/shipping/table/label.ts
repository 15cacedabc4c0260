// SQL of labels: a note before one is bought and what it was afterwards, so that a retry buys no second one.
import type { BuyLabelResponse } from '#proto/gen/shipping.ts';
import type { Tenant } from '#runtime/call.ts';
import type { Sql } from '#runtime/postgres.ts';

/** `claimed` for the first to come; then what was bought, null while nobody knows. */
export const claimLabel = async (
  sql: Sql,
  { store, environment }: Tenant,
  reference: string,
  now: Date,
): Promise<'claimed' | BuyLabelResponse | null> => {
  const { count } = await sql`
    insert into shipping.label (store, environment, reference, created_at)
    values (${store}, ${environment}, ${reference}, ${now}) on conflict do nothing`;
  if (count > 0) return 'claimed';
  const [row] = await sql<{ label: BuyLabelResponse | null }[]>`
    select label from shipping.label
    where store = ${store} and environment = ${environment} and reference = ${reference}`;
  return row?.label ?? null;
};

export const keepLabel = async (
  sql: Sql,
  { store, environment }: Tenant,
  reference: string,
  label: BuyLabelResponse,
): Promise<void> => {
  await sql`
    update shipping.label set label = ${sql.json(label as never)}
    where store = ${store} and environment = ${environment} and reference = ${reference}`;
};

/** Nothing was bought. */
export const dropLabel = async (sql: Sql, { store, environment }: Tenant, reference: string): Promise<void> => {
  await sql`
    delete from shipping.label
    where store = ${store} and environment = ${environment} and reference = ${reference} and label is null`;
};

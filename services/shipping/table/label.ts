// Label purchases in Postgres, recorded before and after buying, so that a retry does not buy a second label.
import type { BuyLabelResponse } from '#proto/gen/shipping_directory.ts';
import type { Tenant } from '#runtime/call/call.ts';
import type { Sql } from '#runtime/postgres/sql.ts';

/** Seconds after which another process may claim a purchase; longer than any purchase takes. */
const CLAIM_S = 30;

/**
 * State of a purchase: bought; claimed by this caller, with the record `purchase` of an earlier attempt if there was
 * one; or `taken` by another caller.
 */
export type LabelClaim = { readonly label: BuyLabelResponse } | { readonly purchase: string | null } | 'taken';

export const claimLabel = async (
  sql: Sql,
  { store, environment }: Tenant,
  reference: string,
  now: Date,
): Promise<LabelClaim> => {
  const { count } = await sql`
    insert into shipping.label (store, environment, reference, created_at)
    values (${store}, ${environment}, ${reference}, ${now}) on conflict do nothing`;
  if (count > 0) return { purchase: null };
  const [abandoned] = await sql<{ purchase: string | null }[]>`
    update shipping.label set claimed_at = now()
    where store = ${store} and environment = ${environment} and reference = ${reference}
      and label is null and claimed_at < now() - make_interval(secs => ${CLAIM_S})
    returning purchase`;
  if (abandoned) return abandoned;
  const [row] = await sql<{ label: BuyLabelResponse | null }[]>`
    select label from shipping.label
    where store = ${store} and environment = ${environment} and reference = ${reference}`;
  return row?.label ? { label: row.label } : 'taken';
};

export const recordPurchase = async (
  sql: Sql,
  { store, environment }: Tenant,
  reference: string,
  purchase: string,
): Promise<void> => {
  await sql`
    update shipping.label set purchase = ${purchase}
    where store = ${store} and environment = ${environment} and reference = ${reference}`;
};

export const saveLabel = async (
  sql: Sql,
  { store, environment }: Tenant,
  reference: string,
  label: BuyLabelResponse,
): Promise<void> => {
  await sql`
    update shipping.label set label = ${sql.json(label as never)}
    where store = ${store} and environment = ${environment} and reference = ${reference}`;
};

export interface ClaimedLabel {
  readonly label: BuyLabelResponse;
  readonly purchase: string | null;
}

/** Claims a bought label for voiding; of concurrent callers, all but one receive null. */
export const claimForVoid = async (
  sql: Sql,
  { store, environment }: Tenant,
  reference: string,
): Promise<ClaimedLabel | null> => {
  const [row] = await sql<ClaimedLabel[]>`
    with bought as (
      select label, purchase from shipping.label
      where store = ${store} and environment = ${environment} and reference = ${reference} and label is not null
      for update
    )
    update shipping.label l set label = null, claimed_at = now() from bought
    where l.store = ${store} and l.environment = ${environment} and l.reference = ${reference}
    returning bought.label, bought.purchase`;
  return row ?? null;
};

export const deleteClaim = async (sql: Sql, { store, environment }: Tenant, reference: string): Promise<void> => {
  await sql`
    delete from shipping.label
    where store = ${store} and environment = ${environment} and reference = ${reference} and label is null`;
};

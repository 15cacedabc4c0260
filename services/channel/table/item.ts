// Items sent to each channel, in Postgres.
import type { Tenant } from '#runtime/call/call.ts';
import type { Sql } from '#runtime/postgres/sql.ts';

export interface ItemRecord {
  readonly product: string;
  readonly digest: number;
  readonly rejection: string | null;
  readonly pushed_at: Date;
}

export const findItems = (
  sql: Sql,
  { store, environment }: Tenant,
  channel: string,
  products: readonly string[] | null,
): Promise<ItemRecord[]> =>
  sql<ItemRecord[]>`
    select product, digest, rejection, pushed_at from channel.item
    where store = ${store} and environment = ${environment} and channel = ${channel}
      ${products === null ? sql`` : sql`and product = any(${[...products]}::uuid[])`}`;

/**
 * Digest of items sent without a response, unequal to every product's digest, so that the item is sent again or
 * deleted.
 */
const UNANSWERED_DIGEST = -1;

/** Records items before they are first sent, since from then on the channel may have them. */
export const markSent = async (
  sql: Sql,
  { store, environment }: Tenant,
  channel: string,
  products: readonly string[],
  now: Date,
): Promise<void> => {
  await sql`
    insert into channel.item (store, environment, channel, product, digest, rejection, pushed_at)
    select ${store}, ${environment}, ${channel}, product, ${UNANSWERED_DIGEST}, null, ${now}
    from unnest(${[...products]}::uuid[]) as product order by product
    on conflict do nothing`;
};

export const saveItems = async (
  sql: Sql,
  { store, environment }: Tenant,
  channel: string,
  items: readonly ItemRecord[],
  gone: readonly string[],
): Promise<void> => {
  if (items.length > 0)
    await sql`
      insert into channel.item (store, environment, channel, product, digest, rejection, pushed_at)
      select ${store}, ${environment}, ${channel}, product, digest, rejection, pushed_at
      from jsonb_to_recordset(${sql.json(items.map((item) => ({ ...item, pushed_at: item.pushed_at.toISOString() })))})
        as sent (product uuid, digest bigint, rejection text, pushed_at timestamptz)
      on conflict (store, environment, channel, product) do update
        set digest = excluded.digest, rejection = excluded.rejection, pushed_at = excluded.pushed_at`;
  if (gone.length > 0)
    await sql`
      delete from channel.item
      where store = ${store} and environment = ${environment} and channel = ${channel} and product = any(${gone}::uuid[])`;
};

export interface RejectionRecord {
  readonly product: string;
  readonly rejection: string;
  readonly pushed_at: Date;
}

export const listRejections = (
  sql: Sql,
  { store, environment }: Tenant,
  channel: string,
  after: { readonly at: Date; readonly id: string } | null,
  limit: number,
): Promise<RejectionRecord[]> => sql<RejectionRecord[]>`
  select product, rejection, pushed_at from channel.item
  where store = ${store} and environment = ${environment} and channel = ${channel} and rejection is not null
    and ${after === null ? sql`true` : sql`(pushed_at, product) < (${after.at}, ${after.id}::uuid)`}
  order by pushed_at desc, product desc limit ${limit}`;

// SQL of what each channel was told of each product.
import type { Tenant } from '#runtime/call/call.ts';
import type { Sql } from '#runtime/postgres/sql.ts';

export interface ItemRecord {
  readonly product: string;
  readonly digest: number;
  /** Null: accepted. */
  readonly rejection: string | null;
  /** When it was sent, by the tenant's clock. */
  readonly pushed_at: Date;
}

/** Of these products; null: of all. */
export const itemsOf = (
  sql: Sql,
  { store, environment }: Tenant,
  channel: string,
  products: readonly string[] | null,
): Promise<ItemRecord[]> =>
  sql<ItemRecord[]>`
    select product, digest, rejection, pushed_at from channel.item
    where store = ${store} and environment = ${environment} and channel = ${channel}
      ${products === null ? sql`` : sql`and product = any(${[...products]}::uuid[])`}`;

/** The digest of what was sent and is not answered for: no product has it, so that it is due again, or to be taken back. */
const UNANSWERED = -1;

/** These are about to be sent for the first time: from here on the channel may know of them. */
export const noteSent = async (
  sql: Sql,
  { store, environment }: Tenant,
  channel: string,
  products: readonly string[],
  now: Date,
): Promise<void> => {
  await sql`
    insert into channel.item (store, environment, channel, product, digest, rejection, pushed_at)
    select ${store}, ${environment}, ${channel}, product, ${UNANSWERED}, null, ${now}
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
        as told (product uuid, digest bigint, rejection text, pushed_at timestamptz)
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

/** Newest first, behind the one that the keys name. */
export const pageOfRejections = (
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

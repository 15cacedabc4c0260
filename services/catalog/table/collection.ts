// SQL of collections and their products.
import type { CollectionTranslation } from '#proto/gen/collection.ts';
import type { Tenant } from '#runtime/call/call.ts';
import type { Sql } from '#runtime/postgres/sql.ts';
import type { Translations } from '#values/translation.ts';

export interface CollectionFields {
  readonly name: string;
  readonly slug: string;
  readonly description: string;
  readonly collection_type: 'featured_collections' | 'new_arrivals' | 'best_selling' | 'custom';
  readonly is_active: boolean;
  readonly show_on_homepage: boolean;
  readonly display_priority: number;
  readonly image: string | null;
  readonly image_mobile: string | null;
  readonly video: string | null;
  readonly translations: Translations<CollectionTranslation> | null;
}

export interface CollectionRecord extends CollectionFields {
  readonly id: string;
  readonly created_at: Date;
  readonly updated_at: Date;
  readonly product_ids: readonly string[];
}

type CollectionRow = Omit<CollectionRecord, 'product_ids'>;

const columns = (sql: Sql) => sql`
  id, name, slug, description, collection_type, is_active, show_on_homepage, display_priority, image, image_mobile,
  video, translations, created_at, updated_at`;

export const findCollection = async (
  sql: Sql,
  { store, environment }: Tenant,
  id: string,
): Promise<CollectionRow | null> => {
  const [row] = await sql<CollectionRow[]>`
    select ${columns(sql)} from catalog.collection
    where store = ${store} and environment = ${environment} and id = ${id} and deleted_at is null`;
  return row ?? null;
};

export const changedCollections = async (
  sql: Sql,
  { store, environment }: Tenant,
  revision: number,
): Promise<{ collections: CollectionRecord[]; deletedIds: string[] }> => {
  const rows = await sql<(CollectionRow & { deleted: boolean })[]>`
    select ${columns(sql)}, deleted_at is not null as deleted from catalog.collection
    where store = ${store} and environment = ${environment} and revision > ${revision}`;
  if (rows.length === 0) return { collections: [], deletedIds: [] };
  const members = await sql<{ collection_id: string; product_ids: string[] }[]>`
    select collection_id, array_agg(product_id order by position) as product_ids from catalog.collection_product
    where store = ${store} and environment = ${environment} and collection_id = any(${rows.map((row) => row.id)}::uuid[])
    group by collection_id`;
  const byId = new Map(members.map((member) => [member.collection_id, member.product_ids]));
  return {
    collections: rows
      .filter((row) => !row.deleted)
      .map(({ deleted: _deleted, ...row }) => ({ ...row, product_ids: byId.get(row.id) ?? [] })),
    deletedIds: rows.filter((row) => row.deleted).map((row) => row.id),
  };
};

/** Returns the named collections and those of the products, with only these products as members. */
export const collectionsAround = async (
  sql: Sql,
  { store, environment }: Tenant,
  ids: readonly string[],
  productIds: readonly string[],
): Promise<CollectionRecord[]> => {
  if (ids.length + productIds.length === 0) return [];
  const members = await sql<{ collection_id: string; product_ids: string[] }[]>`
    select collection_id, array_agg(product_id order by position) as product_ids
    from unnest(${productIds as string[]}::uuid[]) as wanted cross join lateral (
      select collection_id, product_id, position from catalog.collection_product
      where store = ${store} and environment = ${environment} and product_id = wanted offset 0
    ) as member
    group by collection_id`;
  const byId = new Map(members.map((member) => [member.collection_id, member.product_ids]));
  const rows = await sql<CollectionRow[]>`
    select ${columns(sql)} from catalog.collection
    where store = ${store} and environment = ${environment} and deleted_at is null
      and id = any(${[...new Set([...ids, ...byId.keys()])]}::uuid[])`;
  return rows.map((row) => ({ ...row, product_ids: byId.get(row.id) ?? [] }));
};

export const findCollectionSlugs = async (
  sql: Sql,
  { store, environment }: Tenant,
  start: string,
): Promise<Map<string, string>> => {
  const rows = await sql<{ slug: string; id: string }[]>`
    select slug, id from catalog.collection
    where store = ${store} and environment = ${environment} and deleted_at is null
      and (slug = ${start} or slug like ${`${start}-%`})`;
  return new Map(rows.map((row) => [row.slug, row.id]));
};

export const insertCollection = async (
  sql: Sql,
  { store, environment }: Tenant,
  revision: number,
  row: CollectionRow,
): Promise<void> => {
  await sql`
    insert into catalog.collection (store, environment, revision, ${columns(sql)})
    values (${store}, ${environment}, ${revision}, ${row.id}, ${row.name}, ${row.slug}, ${row.description},
      ${row.collection_type}, ${row.is_active}, ${row.show_on_homepage}, ${row.display_priority}, ${row.image},
      ${row.image_mobile}, ${row.video}, ${row.translations && sql.json(row.translations)}, ${row.created_at}, ${row.updated_at})`;
};

export const updateCollection = async (
  sql: Sql,
  { store, environment }: Tenant,
  revision: number,
  row: CollectionRow,
): Promise<void> => {
  await sql`
    update catalog.collection set revision = ${revision}, name = ${row.name}, slug = ${row.slug},
      description = ${row.description}, collection_type = ${row.collection_type}, is_active = ${row.is_active},
      show_on_homepage = ${row.show_on_homepage}, display_priority = ${row.display_priority}, image = ${row.image},
      image_mobile = ${row.image_mobile}, video = ${row.video},
      translations = ${row.translations && sql.json(row.translations)}, updated_at = ${row.updated_at}
    where store = ${store} and environment = ${environment} and id = ${row.id}`;
};

export const deleteCollection = async (
  sql: Sql,
  { store, environment }: Tenant,
  revision: number,
  id: string,
): Promise<void> => {
  await sql`
    update catalog.collection set revision = ${revision}, deleted_at = now()
    where store = ${store} and environment = ${environment} and id = ${id}`;
};

export const membersOf = async (
  sql: Sql,
  { store, environment }: Tenant,
  collectionId: string,
): Promise<readonly string[]> => {
  const rows = await sql<{ product_id: string }[]>`
    select product_id from catalog.collection_product
    where store = ${store} and environment = ${environment} and collection_id = ${collectionId}`;
  return rows.map((row) => row.product_id);
};

export const collectionMembers = async (
  sql: Sql,
  { store, environment }: Tenant,
  collectionId: string,
  limit: number,
): Promise<string[]> => {
  const rows = await sql<{ product_id: string }[]>`
    select product_id from catalog.collection_product
    where store = ${store} and environment = ${environment} and collection_id = ${collectionId} limit ${limit}`;
  return rows.map((row) => row.product_id);
};

export const setMembers = async (
  sql: Sql,
  { store, environment }: Tenant,
  collectionId: string,
  productIds: readonly string[],
): Promise<readonly string[]> => {
  const former = await sql<{ product_id: string }[]>`
    delete from catalog.collection_product
    where store = ${store} and environment = ${environment} and collection_id = ${collectionId}
    returning product_id`;
  if (productIds.length > 0)
    await sql`
      insert into catalog.collection_product (store, environment, collection_id, position, product_id)
      select ${store}, ${environment}, ${collectionId}, ordinality, id
      from unnest(${productIds as string[]}::uuid[]) with ordinality as member (id, ordinality)`;
  return former.map((row) => row.product_id);
};

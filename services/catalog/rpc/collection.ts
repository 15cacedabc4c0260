// Handlers of product collections.
import { randomUUIDv7 } from 'bun';
import type { CollectionRpcs, CollectionTranslation } from '#proto/gen/collection.ts';
import { notFound, Refusal, refuse, type Tenant } from '#runtime/call/call.ts';
import { type Handlers, transaction } from '#runtime/domain/rpc.ts';
import type { Sql } from '#runtime/postgres/sql.ts';
import type { Clock } from '#runtime/process/clock.ts';
import { collectionDocument, collectionPage, previousAttributesOf } from '#services/catalog/collection.ts';
import type { CataloguePool } from '#services/catalog/memory/pool.ts';
import type { AnnounceProducts } from '#services/catalog/product_write.ts';
import type { Profiles } from '#services/catalog/profile.ts';
import {
  deleteCollection,
  findCollection,
  findCollectionSlugs,
  insertCollection,
  membersOf,
  setMembers,
  updateCollection,
} from '#services/catalog/table/collection.ts';
import { missingProducts } from '#services/catalog/table/product.ts';
import { nextRevision, setRevision } from '#services/catalog/table/revision.ts';
import { changeTime, refuseOutdated } from '#services/commerce/record_version.ts';
import { languageOf, mergeTranslations } from '#services/commerce/translation.ts';
import { slugBase, uniqueSlug } from '#values/slug.ts';
import { EVERY_LANGUAGE } from '#values/translation.ts';
import { fromMemory, rendered, seesEverything } from './product.ts';

const refuseSlug = async (sql: Sql, tenant: Tenant, slug: string, id: string): Promise<Refusal | null> => {
  const owner = (await findCollectionSlugs(sql, tenant, slug)).get(slug);
  if (owner === undefined || owner === id) return null;
  return refuse('conflict', `The slug "${slug}" belongs to another collection. Choose another one.`, { param: 'slug' });
};

/** Shows the products, too, which the endpoint's answer leaves out. */
export const readCollection = async (sql: Sql, tenant: Tenant, id: string): Promise<object | null> => {
  const found = await findCollection(sql, tenant, id);
  return found && { ...collectionDocument(found, EVERY_LANGUAGE), product_ids: await membersOf(sql, tenant, found.id) };
};

export const collectionHandlers = (
  clock: Clock,
  profiles: Profiles,
  pool: CataloguePool,
  announce: AnnounceProducts,
): Handlers<CollectionRpcs> => ({
  ListCollections: fromMemory<CollectionRpcs['ListCollections']>(pool, (catalogue, call, input) => {
    const page = collectionPage(catalogue.collections, call.tenant, input, seesEverything(call));
    if (page instanceof Refusal) return page;
    const { collections, limit, nextCursor } = page;
    const pagination = { limit, has_more: nextCursor !== null, next_cursor: nextCursor };
    const language = languageOf(call, input);
    const documents = collections.map((collection) => collectionDocument(collection, language));
    return rendered({ collections: documents, pagination }, catalogue.revision);
  }),

  GetCollection: fromMemory<CollectionRpcs['GetCollection']>(pool, (catalogue, call, { id, ...view }) => {
    let collection = catalogue.collection(id);
    for (const other of catalogue.collections) if (other.slug === id) collection ??= other;
    if (!collection || !(collection.is_active || seesEverything(call))) return notFound('collection');
    return rendered({ collection: collectionDocument(collection, languageOf(call, view)) }, catalogue.revision);
  }),

  CreateCollection: transaction(async (tx, { tenant }, input) => {
    const { languages } = await profiles.get(tenant);
    const translations = mergeTranslations<CollectionTranslation>(null, input.translations, languages);
    if (translations instanceof Refusal) return translations;
    const revision = await nextRevision(tx.sql, tenant);
    const id = randomUUIDv7();
    const refusal = input.slug === undefined ? null : await refuseSlug(tx.sql, tenant, input.slug, id);
    if (refusal) return refusal;
    const taken = await findCollectionSlugs(tx.sql, tenant, slugBase(input.name, id));
    const now = clock.now(tenant);
    const collection = {
      id,
      name: input.name,
      slug: input.slug ?? uniqueSlug(input.name, id, (slug) => taken.has(slug)),
      description: input.description ?? '',
      collection_type: input.collection_type ?? ('custom' as const),
      is_active: input.is_active ?? true,
      show_on_homepage: input.show_on_homepage ?? false,
      display_priority: input.display_priority ?? 0,
      image: input.image ?? null,
      image_mobile: input.image_mobile ?? null,
      video: input.video ?? null,
      translations,
      created_at: now,
      updated_at: now,
    };
    await insertCollection(tx.sql, tenant, revision, collection);
    await setRevision(tx.sql, tenant, revision);
    const object = collectionDocument(collection);
    await tx.emit(tenant, [{ type: 'collection.created', object }]);
    announce(tx, tenant, revision, [id]);
    return rendered({ collection: collectionDocument(collection, EVERY_LANGUAGE) }, revision);
  }),

  UpdateCollection: transaction(async (tx, { tenant }, { id, version, ...change }) => {
    const { languages } = await profiles.get(tenant);
    const revision = await nextRevision(tx.sql, tenant);
    const before = await findCollection(tx.sql, tenant, id);
    if (!before) return notFound('collection');
    const outdated = refuseOutdated('collection', before, version);
    if (outdated) return outdated;
    const refusal = change.slug === undefined ? null : await refuseSlug(tx.sql, tenant, change.slug, before.id);
    if (refusal) return refusal;
    const translations = mergeTranslations<CollectionTranslation>(before.translations, change.translations, languages);
    if (translations instanceof Refusal) return translations;
    const named = Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined));
    const after = { ...before, ...named, translations, updated_at: changeTime(before, clock.now(tenant)) };
    await updateCollection(tx.sql, tenant, revision, after);
    await setRevision(tx.sql, tenant, revision);
    const object = collectionDocument(after);
    const previousAttributes = previousAttributesOf(before, after);
    if (previousAttributes) await tx.emit(tenant, [{ type: 'collection.updated', object, previousAttributes }]);
    announce(tx, tenant, revision, [before.id]);
    return rendered({ collection: collectionDocument(after, EVERY_LANGUAGE) }, revision);
  }),

  DeleteCollection: transaction(async (tx, { tenant }, { id }) => {
    const revision = await nextRevision(tx.sql, tenant);
    const collection = await findCollection(tx.sql, tenant, id);
    if (!collection) return notFound('collection');
    await deleteCollection(tx.sql, tenant, revision, collection.id);
    await setRevision(tx.sql, tenant, revision);
    // Announces the collection's products too, because pricing rules for the collection no longer apply to them.
    announce(tx, tenant, revision, [collection.id, ...(await membersOf(tx.sql, tenant, collection.id))]);
    return rendered({ deleted: true, id: collection.id }, revision);
  }),

  SetCollectionProducts: transaction(async (tx, { tenant }, { id, product_ids, version }) => {
    const revision = await nextRevision(tx.sql, tenant);
    const before = await findCollection(tx.sql, tenant, id);
    if (!before) return notFound('collection');
    const outdated = refuseOutdated('collection', before, version);
    if (outdated) return outdated;
    const ids = product_ids.map((productId) => productId.toLowerCase());
    // Checks only added products, because existing members may have been deleted since.
    const added = new Set(ids).difference(new Set(await membersOf(tx.sql, tenant, before.id)));
    const missing = await missingProducts(tx.sql, tenant, [...added]);
    const at = ids.findIndex((productId) => missing.has(productId));
    if (at >= 0) return notFound('product', `product_ids[${at}]`);
    const seen = new Set<string>();
    const doubled = ids.findIndex((productId) => seen.size === seen.add(productId).size);
    if (doubled >= 0) {
      return refuse('invalid_request', `The product ${ids[doubled]} is listed twice. Send each product once.`, {
        param: `product_ids[${doubled}]`,
      });
    }
    const after = { ...before, updated_at: changeTime(before, clock.now(tenant)) };
    const former = await setMembers(tx.sql, tenant, before.id, ids);
    await updateCollection(tx.sql, tenant, revision, after);
    await setRevision(tx.sql, tenant, revision);
    announce(tx, tenant, revision, [...new Set([before.id, ...former, ...ids])]);
    return rendered({ collection: collectionDocument(after, EVERY_LANGUAGE) }, revision);
  }),
});

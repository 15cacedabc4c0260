// Loads a tenant's catalogue from Postgres and applies later changes. Reads page by page, so that other calls run in
// between.

import type { Tenant } from '#runtime/call/call.ts';
import { yieldToEventLoop } from '#runtime/flow/slice.ts';
import type { Sql } from '#runtime/postgres/sql.ts';
import type { Clock } from '#runtime/process/clock.ts';
import type { ProductFrame } from '#services/catalog/product_text.ts';
import type { RevisionContent } from '#services/catalog/product_write.ts';
import { changedCategories } from '#services/catalog/table/category.ts';
import { changedCollections } from '#services/catalog/table/collection.ts';
import { currentLists } from '#services/catalog/table/price_list.ts';
import { changedLevels, changedProducts, newsSince, pageOfProducts } from '#services/catalog/table/product_reader.ts';
import { currentRevision } from '#services/catalog/table/revision.ts';
import { Catalogue } from './catalogue.ts';

/** Applying a page of 250 products blocks the process for about 5 ms. */
const PAGE_PRODUCTS = 250;

export const loadCatalogue = async (
  sql: Sql,
  clock: Clock,
  tenant: Tenant,
  frame: ProductFrame,
): Promise<Catalogue> => {
  const catalogue = new Catalogue(frame);
  // Reads the revision first: rows written during loading have a later one and are read again afterwards.
  const revision = await currentRevision(sql, tenant);
  if (revision === 0) return catalogue;
  await Promise.all([
    loadProducts(sql, tenant, catalogue),
    pullPriceLists(sql, clock, tenant, catalogue),
    pullGroups(sql, tenant, catalogue, 0),
  ]);
  catalogue.reprice(clock.now(tenant).getTime());
  catalogue.revision = revision;
  await pullCatalogue(sql, clock, tenant, catalogue);
  return catalogue;
};

/**
 * Applies the changes since the catalogue's revision. If only stock changed, which is the most frequent case, one
 * statement suffices.
 */
export const pullCatalogue = async (sql: Sql, clock: Clock, tenant: Tenant, catalogue: Catalogue): Promise<void> => {
  const since = catalogue.revision;
  const news = await newsSince(sql, tenant, since);
  if (news === null) return;
  if (news.price_lists) await pullPriceLists(sql, clock, tenant, catalogue);
  if (news.groups) await pullGroups(sql, tenant, catalogue, since);
  let after: { revision: number; id?: string } | null = news.products ? { revision: since } : null;
  while (after !== null) {
    const { products, deletedIds, next } = await changedProducts(sql, tenant, after, PAGE_PRODUCTS);
    catalogue.putProducts(products);
    catalogue.removeProducts(deletedIds);
    after = next;
  }
  // Reads levels after products: products read earlier may contain older levels.
  catalogue.putLevels(news.products ? await changedLevels(sql, tenant, since) : news.levels);
  catalogue.revision = news.revision;
};

export const applyContent = async (
  catalogue: Catalogue,
  revision: number,
  { products, categories, levels = [] }: RevisionContent,
): Promise<void> => {
  catalogue.putCategories(categories, []);
  for (let at = 0; at < products.length; at += PAGE_PRODUCTS) {
    if (at > 0) await yieldToEventLoop();
    catalogue.putProducts(products.slice(at, at + PAGE_PRODUCTS));
  }
  catalogue.putLevels(levels);
  catalogue.revision = revision;
};

const loadProducts = async (sql: Sql, tenant: Tenant, catalogue: Catalogue): Promise<void> => {
  let afterId = '';
  for (;;) {
    const page = await pageOfProducts(sql, tenant, afterId, PAGE_PRODUCTS);
    catalogue.putProducts(page);
    if (page.length < PAGE_PRODUCTS) return;
    afterId = page[page.length - 1]!.id;
  }
};

const pullPriceLists = async (sql: Sql, clock: Clock, tenant: Tenant, catalogue: Catalogue): Promise<void> => {
  const now = clock.now(tenant);
  catalogue.putPriceLists(await currentLists(sql, tenant, now), now.getTime());
};

const pullGroups = async (sql: Sql, tenant: Tenant, catalogue: Catalogue, since: number): Promise<void> => {
  const [{ categories, deletedIds }, collections] = await Promise.all([
    changedCategories(sql, tenant, since),
    changedCollections(sql, tenant, since),
  ]);
  catalogue.putCategories(categories, deletedIds);
  catalogue.putCollections(collections.collections, collections.deletedIds);
};

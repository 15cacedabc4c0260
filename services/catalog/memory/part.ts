// Reads a part of a catalogue from Postgres into the structures of a whole one, so that the same code answers from it.
import type { Tenant } from '#runtime/call/call.ts';
import type { Sql } from '#runtime/postgres/sql.ts';
import type { Clock } from '#runtime/process/clock.ts';
import type { ProductFrame } from '#services/catalog/product_text.ts';
import { findCategories } from '#services/catalog/table/category.ts';
import { collectionsAround } from '#services/catalog/table/collection.ts';
import { currentLists } from '#services/catalog/table/price_list.ts';
import { findProducts, findVariantOwners, productsBySlug } from '#services/catalog/table/product_reader.ts';
import { currentRevision } from '#services/catalog/table/revision.ts';
import { Catalogue } from './catalogue.ts';

/** Names of what a call reads of a catalogue. A text that is no id is skipped. */
export interface PartRequest {
  readonly products?: readonly string[];
  /** Variants, each with its whole product. */
  readonly variants?: readonly string[];
  readonly slugs?: readonly string[];
  readonly categories?: readonly string[];
  readonly collections?: readonly string[];
}

const ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

const idsOf = (names: readonly string[] | undefined): string[] => [
  ...new Set((names ?? []).filter((name) => ID.test(name)).map((name) => name.toLowerCase())),
];

const union = (requests: readonly PartRequest[], kind: keyof PartRequest): string[] =>
  requests.flatMap((request) => request[kind] ?? []);

/** Reads the products that the requests name, with all that their answers show: categories, collections, prices, stock. */
export const loadPart = async (
  sql: Sql,
  clock: Clock,
  tenant: Tenant,
  frame: ProductFrame,
  requests: readonly PartRequest[],
): Promise<Catalogue> => {
  const now = clock.now(tenant);
  const catalogue = new Catalogue(frame);
  const [revision, owners, slugOwners] = await Promise.all([
    currentRevision(sql, tenant),
    findVariantOwners(sql, tenant, idsOf(union(requests, 'variants'))),
    productsBySlug(sql, tenant, [...new Set(union(requests, 'slugs'))]),
  ]);
  catalogue.revision = revision;
  const ids = idsOf([...union(requests, 'products'), ...owners, ...slugOwners]);
  const products = await findProducts(sql, tenant, { ids });
  const shown = products.flatMap(({ category_id, subcategory_id }) => [category_id ?? '', subcategory_id ?? '']);
  const variants = products.flatMap((product) => product.variants.map(({ id }) => id));
  const [categories, collections, lists] = await Promise.all([
    findCategories(sql, tenant, idsOf([...union(requests, 'categories'), ...shown])),
    collectionsAround(sql, tenant, idsOf(union(requests, 'collections')), ids),
    currentLists(sql, tenant, now, variants),
  ]);
  catalogue.putPriceLists(lists, now.getTime());
  catalogue.putCategories(categories, []);
  catalogue.putCollections(collections, []);
  catalogue.putProducts(products);
  return catalogue;
};

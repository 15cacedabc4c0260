// Creates categories, collections and customers; leaves existing ones unchanged.

import type { CustomerResponse, ListCustomersResponse } from '#proto/gen/account.ts';
import type { CategoryResponse, ListCategoriesResponse } from '#proto/gen/category.ts';
import type { CollectionResponse, ProductCollection } from '#proto/gen/collection.ts';
import type { ListedProduct } from '#proto/gen/product.ts';
import type { CategoryRow, FoundCustomer, ImportedCatalogue, Problem } from './catalogue.ts';
import { eachOf, ImportRefused, type ImportTarget } from './shop.ts';

const CUSTOMERS_AT_ONCE = 8;
const MEMBERS_MAX = 5_000;

export interface Made {
  readonly created: number;
  readonly unchanged: number;
  readonly changed: number;
}

const same = (a: string, b: string): boolean => a.trim().toLowerCase() === b.trim().toLowerCase();

export const bringCategories = async (shop: ImportTarget, wanted: readonly CategoryRow[]): Promise<Made> => {
  if (wanted.length === 0) return { created: 0, unchanged: 0, changed: 0 };
  const { categories } = await shop.get<ListCategoriesResponse>('/v1/categories');
  let created = 0;
  let unchanged = 0;
  const make = async (body: object): Promise<string> => {
    created++;
    const what = 'The category';
    return shop.done(what, await shop.ask<CategoryResponse>('POST', '/v1/categories', body)).category.id;
  };
  for (const { name, description, subcategories = [] } of wanted) {
    const found = categories.find((one) => same(one.name, name));
    if (found) unchanged++;
    const parent_id = found?.id ?? (await make({ name, description }));
    for (const sub of subcategories)
      if (found?.subcategories.some((one) => same(one.name, sub.name))) unchanged++;
      else await make({ name: sub.name, parent_id });
  }
  return { created, unchanged, changed: 0 };
};

const membersOf = (
  { products, collections }: ImportedCatalogue,
  ids: ReadonlyMap<string, string>,
): Map<string, string[]> => {
  const members = new Map<string, string[]>(collections.map(({ name }) => [name, []]));
  for (const { product, collections: names } of products) {
    const id = ids.get(product.external_id);
    for (const name of id ? names : []) {
      const before = members.get(name);
      if (before) before.push(id!);
      else members.set(name, [id!]);
    }
  }
  return members;
};

export const bringCollections = async (
  shop: ImportTarget,
  catalogue: ImportedCatalogue,
  ids: ReadonlyMap<string, string>,
  problems: Problem[],
): Promise<Made> => {
  const made = { created: 0, unchanged: 0, changed: 0 };
  const members = membersOf(catalogue, ids);
  if (members.size === 0) return made;
  const known = await shop.all<ProductCollection>('/v1/product-collections', 'collections', 100);
  for (const [name, wanted] of members) {
    const refused = ({ param, message }: Pick<ImportRefused, 'param' | 'message'>): void =>
      void problems.push({ row: null, id: name, param, message, whole: true });
    const given = catalogue.collections.find((one) => one.name === name);
    const found = known.find((one) => (given?.slug ? one.slug === given.slug : same(one.name, name)));
    const answer = found ?? (await shop.ask<CollectionResponse>('POST', '/v1/product-collections', given ?? { name }));
    if (answer instanceof ImportRefused) {
      refused(answer);
      continue;
    }
    const id = 'collection' in answer ? answer.collection.id : answer.id;
    const before = found
      ? (
          await shop.all<Pick<ListedProduct, 'id'>>(
            `/v1/products?collection_id=${id}&sort=collection&fields=id`,
            'products',
            100,
          )
        ).map((one) => one.id)
      : [];
    const after = [...new Set([...before, ...wanted])];
    if (after.length > MEMBERS_MAX) {
      refused({ param: 'product_ids', message: `It would hold ${after.length} products; ${MEMBERS_MAX} fit.` });
      continue;
    }
    if (after.length > before.length) {
      const body = { product_ids: after };
      shop.done('The collection', await shop.ask('PUT', `/v1/product-collections/${id}/products`, body));
    }
    if (!found) made.created++;
    else if (after.length > before.length) made.changed++;
    else made.unchanged++;
  }
  return made;
};

export const bringCustomers = async (
  shop: ImportTarget,
  wanted: readonly FoundCustomer[],
  problems: Problem[],
  onProgress: (done: number) => void,
): Promise<Made> => {
  const made = { created: 0, unchanged: 0, changed: 0 };
  let done = 0;
  await eachOf(wanted, CUSTOMERS_AT_ONCE, async ({ row, customer }) => {
    const query = `/v1/customers?email=${encodeURIComponent(customer.email)}&fields=id`;
    const there = (await shop.get<ListCustomersResponse>(query)).customers.length > 0;
    const answer = there ? null : await shop.ask<CustomerResponse>('POST', '/v1/customers', customer);
    if (answer === null || (answer instanceof ImportRefused && answer.status === 409 && answer.param === 'email'))
      made.unchanged++;
    else if (answer instanceof ImportRefused)
      problems.push({ row, id: customer.email, param: answer.param, message: answer.message, whole: true });
    else made.created++;
    onProgress(++done);
  });
  return made;
};

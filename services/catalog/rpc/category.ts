// Handlers of categories.
import { randomUUIDv7 } from 'bun';
import type {
  CategoryRpcs,
  CategoryTranslation,
  ProductCategory,
  ProductSubcategory,
  WrittenCategory,
} from '#proto/gen/category.ts';
import { invalid, notFound, Refusal, refuse, type Tenant } from '#runtime/call/call.ts';
import { type Handlers, transaction } from '#runtime/domain/rpc.ts';
import type { Sql } from '#runtime/postgres/sql.ts';
import type { Clock } from '#runtime/process/clock.ts';
import type { Catalogue } from '#services/catalog/memory/catalogue.ts';
import type { CataloguePool } from '#services/catalog/memory/pool.ts';
import type { CategoryRecord } from '#services/catalog/product.ts';
import type { AnnounceProducts } from '#services/catalog/product_write.ts';
import type { Profiles } from '#services/catalog/profile.ts';
import {
  byPlace,
  categoryFamily,
  deleteCategory,
  findCategories,
  findCategorySlugs,
  findSiblings,
  insertCategory,
  moveCategory,
  numberCategories,
  updateCategory,
} from '#services/catalog/table/category.ts';
import { nextRevision, setRevision } from '#services/catalog/table/revision.ts';
import { changeTime, refuseOutdated } from '#services/commerce/record_version.ts';
import { languageOf, mergeTranslations } from '#services/commerce/translation.ts';
import { slugBase, uniqueSlug } from '#values/slug.ts';
import { type AnswerLanguage, EVERY_LANGUAGE, inLanguage } from '#values/translation.ts';
import { fromMemory, rendered } from './product.ts';

/** A subcategory is read by its name alone, and written back with all translated fields. */
const shownOf = (
  translations: CategoryRecord['translations'],
  language: AnswerLanguage,
): CategoryRecord['translations'] => {
  if (translations === null || language === EVERY_LANGUAGE) return translations;
  return Object.fromEntries(Object.entries(translations).map(([tag, { name }]) => [tag, name ? { name } : {}]));
};

const treeOf = (catalogue: Catalogue, language: AnswerLanguage): ProductCategory[] => {
  const children = new Map<string, ProductSubcategory[]>();
  const sorted = [...catalogue.categories].sort(byPlace);
  for (const { id, parent_id, name, slug, translations, updated_at } of sorted) {
    if (parent_id === null) continue;
    const siblings = children.get(parent_id) ?? [];
    const shown = { id, name, slug, product_count: catalogue.countIn(id), updated_at: updated_at.toISOString() };
    siblings.push(inLanguage(shown, shownOf(translations, language), language));
    children.set(parent_id, siblings);
  }
  return sorted
    .filter((category) => category.parent_id === null)
    .map(({ id, name, slug, description, translations, updated_at }) => {
      const subcategories = children.get(id) ?? [];
      const counted = { product_count: catalogue.countIn(id), subcategories };
      const category = { id, name, slug, description, ...counted, updated_at: updated_at.toISOString() };
      return inLanguage(category, translations, language);
    });
};

const writtenCategory = async (sql: Sql, tenant: Tenant, category: CategoryRecord): Promise<WrittenCategory> => {
  const { id, name, slug, description, parent_id, translations } = category;
  const family = await categoryFamily(sql, tenant, id);
  const written = { id, name, slug, description, parent_id, ...family };
  return { ...written, updated_at: category.updated_at.toISOString(), ...(translations && { translations }) };
};

const findOne = async (sql: Sql, tenant: Tenant, id: string): Promise<CategoryRecord | undefined> =>
  (await findCategories(sql, tenant, [id])).find((category) => category.id === id.toLowerCase());

export const readCategory = async (sql: Sql, tenant: Tenant, id: string): Promise<WrittenCategory | null> => {
  const found = await findOne(sql, tenant, id);
  return found ? writtenCategory(sql, tenant, found) : null;
};

const deepRefusal = ({ name }: CategoryRecord): Refusal =>
  refuse('invalid_request', `"${name}" is a subcategory, which cannot have subcategories. Name a top category.`, {
    param: 'parent_id',
  });

/** Returns why the category cannot be moved below the parent; null if it can. */
const moveRefusal = async (
  sql: Sql,
  tenant: Tenant,
  { id, name }: CategoryRecord,
  parentId: string | null,
): Promise<Refusal | null> => {
  if (parentId === null) return null;
  if (parentId === id)
    return invalid('parent_id', `"${name}" cannot be below itself. Name another category, or null for the top.`);
  const parent = await findOne(sql, tenant, parentId);
  if (!parent) return notFound('category', 'parent_id');
  if (parent.parent_id === id)
    return invalid('parent_id', `"${parent.name}" is below "${name}", which cannot be below it in turn.`);
  if (parent.parent_id !== null) return deepRefusal(parent);
  const below = (await findSiblings(sql, tenant, id)).length;
  return below === 0
    ? null
    : refuse('conflict', `"${name}" has subcategories (${below}), so it stays at the top. Move them first.`, {
        param: 'parent_id',
      });
};

const placeCategory = async (
  sql: Sql,
  tenant: Tenant,
  revision: number,
  category: CategoryRecord,
  position: number,
): Promise<void> => {
  const siblings = (await findSiblings(sql, tenant, category.parent_id)).sort(byPlace);
  const ids = siblings.flatMap(({ id }) => (id === category.id ? [] : id));
  await numberCategories(sql, tenant, revision, ids.toSpliced(position - 1, 0, category.id));
};

export const categoryHandlers = (
  clock: Clock,
  profiles: Profiles,
  pool: CataloguePool,
  announce: AnnounceProducts,
): Handlers<CategoryRpcs> => ({
  ListCategories: fromMemory<CategoryRpcs['ListCategories']>(pool, (catalogue, call, input) =>
    rendered({ categories: treeOf(catalogue, languageOf(call, input)) }, catalogue.revision),
  ),

  CreateCategory: transaction(
    async (tx, { tenant }, { name, description = null, parent_id = null, translations: given }) => {
      const { languages } = await profiles.get(tenant);
      const translations = mergeTranslations<CategoryTranslation>(null, given, languages);
      if (translations instanceof Refusal) return translations;
      const revision = await nextRevision(tx.sql, tenant);
      if (parent_id !== null) {
        const parent = await findOne(tx.sql, tenant, parent_id);
        if (!parent) return notFound('category', 'parent_id');
        if (parent.parent_id !== null) {
          return deepRefusal(parent);
        }
      }
      const id = randomUUIDv7();
      const taken = await findCategorySlugs(tx.sql, tenant, slugBase(name, id));
      const slug = uniqueSlug(name, id, (other) => taken.has(other));
      const now = clock.now(tenant);
      const category = {
        id,
        parent_id: parent_id?.toLowerCase() ?? null,
        name,
        slug,
        description,
        position: null,
        translations,
        created_at: now,
        updated_at: now,
      };
      await insertCategory(tx.sql, tenant, revision, category);
      await setRevision(tx.sql, tenant, revision);
      announce(tx, tenant, revision, null);
      return rendered({ category: await writtenCategory(tx.sql, tenant, category) }, revision);
    },
  ),

  UpdateCategory: transaction(async (tx, { tenant }, { id, version, translations: given, ...change }) => {
    const { parent_id, position, ...text } = change;
    const { languages } = await profiles.get(tenant);
    const revision = await nextRevision(tx.sql, tenant);
    const before = await findOne(tx.sql, tenant, id);
    if (!before) return notFound('category');
    const outdated = refuseOutdated('category', before, version);
    if (outdated) return outdated;
    const translations = mergeTranslations<CategoryTranslation>(before.translations, given, languages);
    if (translations instanceof Refusal) return translations;
    const now = clock.now(tenant);
    // The slug stays when the name changes, so that published links remain valid.
    const category = {
      ...before,
      name: text.name ?? before.name,
      description: text.description === undefined ? before.description : text.description,
      translations,
      parent_id: parent_id === undefined ? before.parent_id : (parent_id?.toLowerCase() ?? null),
      updated_at: changeTime(before, now),
    };
    await updateCategory(tx.sql, tenant, revision, category);
    if (category.parent_id !== before.parent_id) {
      const refused = await moveRefusal(tx.sql, tenant, before, category.parent_id);
      if (refused) return refused;
      await moveCategory(tx.sql, tenant, revision, category, now);
    }
    if (position !== undefined) await placeCategory(tx.sql, tenant, revision, category, position);
    await setRevision(tx.sql, tenant, revision);
    announce(tx, tenant, revision, null);
    return rendered({ category: await writtenCategory(tx.sql, tenant, category) }, revision);
  }),

  DeleteCategory: transaction(async (tx, { tenant }, { id }) => {
    const revision = await nextRevision(tx.sql, tenant);
    const category = await findOne(tx.sql, tenant, id);
    if (!category) return notFound('category');
    await deleteCategory(tx.sql, tenant, revision, category, clock.now(tenant));
    await setRevision(tx.sql, tenant, revision);
    announce(tx, tenant, revision, null);
    return rendered({ deleted: true, id: category.id }, revision);
  }),
});

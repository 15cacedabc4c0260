// Finds the categories that a batch of rows references by id or path, with one read. Creates missing paths.
import { randomUUIDv7 } from 'bun';
import { type Refusal, refuse, type Tenant } from '#runtime/call/call.ts';
import type { Sql } from '#runtime/postgres/sql.ts';
import { slugBase, uniqueSlug } from '#values/slug.ts';
import type { CategoryRecord, ProductRecord, ProductRow } from './product.ts';
import { findCategories, findCategorySlugs, insertCategory } from './table/category.ts';

const NAME_LENGTH_MAX = 300;

/**
 * Splits a path into category names, the top one first. Ignores names below the second level, because categories have
 * two.
 */
const readPath = (path: string): readonly string[] | Refusal => {
  const names = path
    .split('>')
    .map((name) => name.trim().normalize('NFC'))
    .slice(0, 2);
  if (names.some((name) => name === '' || [...name].length > NAME_LENGTH_MAX)) {
    const message = `\`category\` must be names of 1 to ${NAME_LENGTH_MAX} characters with " > " between them.`;
    return refuse('invalid_request', message, { param: 'category' });
  }
  return names;
};

const nameKey = (parent: string | null, name: string): string => `${parent ?? ''}/${name.toLowerCase()}`;

export class CategoryFinder {
  readonly #byId = new Map<string, CategoryRecord>();
  readonly #byName = new Map<string, CategoryRecord>();
  readonly made: CategoryRecord[] = [];

  static async of(
    sql: Sql,
    tenant: Tenant,
    rows: readonly ProductRow[],
    products: readonly ProductRecord[],
  ): Promise<CategoryFinder> {
    const ids = new Set<string>();
    const lowerNames = new Set<string>();
    for (const { category_id, subcategory_id } of [...rows, ...products]) {
      if (category_id) ids.add(category_id);
      if (subcategory_id) ids.add(subcategory_id);
    }
    for (const { category } of rows) {
      const names = category ? readPath(category) : [];
      if (Array.isArray(names)) for (const name of names) lowerNames.add(name.toLowerCase());
    }
    const finder = new CategoryFinder();
    for (const category of await findCategories(sql, tenant, [...ids], [...lowerNames])) finder.#remember(category);
    return finder;
  }

  readonly get = (id: string): CategoryRecord | undefined => this.#byId.get(id.toLowerCase());

  async resolve(sql: Sql, tenant: Tenant, revision: number, now: Date, row: ProductRow): Promise<ProductRow | Refusal> {
    const { category, ...rest } = row;
    if (category === undefined) return row;
    if (category === null || category.trim() === '') return { ...rest, category_id: null, subcategory_id: null };
    const names = readPath(category);
    if (!Array.isArray(names)) return names as Refusal;
    let parent: string | null = null;
    const ids: string[] = [];
    for (const name of names) {
      const found: CategoryRecord =
        this.#byName.get(nameKey(parent, name)) ?? (await this.#make(sql, tenant, revision, now, parent, name));
      parent = found.id;
      ids.push(found.id);
    }
    return { ...rest, category_id: ids[0]!, subcategory_id: ids[1] ?? null };
  }

  #remember(category: CategoryRecord): void {
    this.#byId.set(category.id, category);
    const key = nameKey(category.parent_id, category.name);
    if (!this.#byName.has(key)) this.#byName.set(key, category);
  }

  async #make(
    sql: Sql,
    tenant: Tenant,
    revision: number,
    now: Date,
    parent: string | null,
    name: string,
  ): Promise<CategoryRecord> {
    const id = randomUUIDv7();
    const taken = await findCategorySlugs(sql, tenant, slugBase(name, id));
    const slug = uniqueSlug(name, id, (slug) => taken.has(slug));
    const category = {
      id,
      parent_id: parent,
      name,
      slug,
      description: null,
      position: null,
      translations: null,
      created_at: now,
      updated_at: now,
    };
    await insertCategory(sql, tenant, revision, category);
    this.#remember(category);
    this.made.push(category);
    return category;
  }
}

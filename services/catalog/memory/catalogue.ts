// One tenant's catalogue in memory: products by id, by slug, by variant and in every sort order; categories,
// collections and prices. Never reads the database; the replica passes changes in.
import { nameFragment, newestFragment } from '#runtime/call/fragment_list.ts';
import type { CategoryRecord, ProductRecord } from '#services/catalog/product.ts';
import { categoryText, type ProductFrame } from '#services/catalog/product_text.ts';
import type { CollectionRecord } from '#services/catalog/table/collection.ts';
import type { VariantLevel } from '#services/catalog/table/product_reader.ts';
import { ProductEntry, type VariantEntry } from './entry.ts';
import { FieldSets } from './field_cut.ts';
import { cursorKeys, ProductOrder, type ProductSort, SORTS } from './order.ts';
import { type BoardList, type BoardPrice, PriceBoard } from './price_board.ts';

/** Approximate bytes of a product without its texts, measured on 300 stores of 200 products each. */
const PRODUCT_BYTES = 1_600;
const VARIANT_BYTES = 500;
const PRICE_BYTES = 100;

const TEXTS_MAX = 20_000;
const NO_COLLECTIONS: readonly string[] = [];

const sameTranslations = (a: CategoryRecord, b: CategoryRecord): boolean =>
  a.translations === b.translations || JSON.stringify(a.translations) === JSON.stringify(b.translations);

export class Catalogue {
  revision = 0;
  readonly cuts = new FieldSets();
  #frame: ProductFrame;
  readonly #products = new Map<string, ProductEntry>();
  readonly #bySlug = new Map<string, ProductEntry>();
  readonly #variants = new Map<string, VariantEntry>();
  readonly #categories = new Map<string, CategoryRecord>();
  readonly #collections = new Map<string, CollectionRecord>();
  readonly #orders = Object.fromEntries(SORTS.map((sort) => [sort, new ProductOrder(sort)])) as Record<
    ProductSort,
    ProductOrder
  >;
  readonly #board = new PriceBoard();
  #textBytes = 0;
  readonly #texts = new Map<string, string>();
  readonly #categoryTexts = new Map<string, string>();
  #counts: Map<string, number> | null = null;
  #memberships: Map<string, string[]> | null = null;
  #byDocId: (ProductEntry | null)[] = [];
  #active = 0;
  /**
   * A fragment is a product's cached JSON in lists. Fragments numbered up to this are stale, because a value in every
   * product has changed.
   */
  #outdated = 0;
  #deletionMark = nameFragment();

  constructor(frame: ProductFrame) {
    this.#frame = frame;
  }

  get frame(): ProductFrame {
    return this.#frame;
  }

  get size(): number {
    return this.#products.size;
  }

  get active(): number {
    return this.#active;
  }

  get deletionMark(): number {
    return this.#deletionMark;
  }

  get bytes(): number {
    const { size } = this.#products;
    return (
      this.#textBytes + size * PRODUCT_BYTES + this.#variants.size * VARIANT_BYTES + this.#board.size * PRICE_BYTES
    );
  }

  /** Returns when scheduled prices next change, in ms of the tenant's clock. */
  get pricesChangeAt(): number {
    return this.#board.changesAt;
  }

  readonly product = (id: string): ProductEntry | undefined => this.#products.get(id.toLowerCase());
  /** Finds a product by its docId in a search index, which is faster than by id. */
  byDocId(docId: number, id: string): ProductEntry | undefined {
    const known = this.#byDocId[docId];
    if (known?.id === id) return known;
    const found = this.product(id);
    // Bounds the array: a search index has about as many docIds as the catalogue has products.
    if (found && docId < this.#products.size * 2) {
      while (this.#byDocId.length <= docId) this.#byDocId.push(null);
      this.#byDocId[docId] = found;
    }
    return found;
  }

  readonly bySlug = (slug: string): ProductEntry | undefined => this.#bySlug.get(slug);
  readonly variant = (id: string): VariantEntry | undefined => this.#variants.get(id.toLowerCase());
  readonly category = (id: string): CategoryRecord | undefined => this.#categories.get(id.toLowerCase());
  readonly collection = (id: string): CollectionRecord | undefined => this.#collections.get(id.toLowerCase());

  get categories(): Iterable<CategoryRecord> {
    return this.#categories.values();
  }

  get collections(): Iterable<CollectionRecord> {
    return this.#collections.values();
  }

  sorted(sort: ProductSort): readonly ProductEntry[] {
    return this.#orders[sort].of(this.#products.values());
  }

  readonly countIn = (categoryId: string): number => {
    if (this.#counts === null) {
      this.#counts = new Map();
      for (const entry of this.#products.values()) {
        if (!entry.active) continue;
        for (const id of [entry.category_id, entry.subcategory_id]) {
          if (id !== null) this.#counts.set(id, (this.#counts.get(id) ?? 0) + 1);
        }
      }
    }
    return this.#counts.get(categoryId) ?? 0;
  };

  listPricesOf(variantId: string): readonly BoardPrice[] {
    return this.#board.pricesOf(variantId);
  }

  collectionsOf(productId: string): readonly string[] {
    if (this.#memberships === null) {
      this.#memberships = new Map();
      for (const { id, product_ids } of this.#collections.values()) {
        for (const product of product_ids) {
          const known = this.#memberships.get(product);
          if (known) known.push(id);
          else this.#memberships.set(product, [id]);
        }
      }
    }
    return this.#memberships.get(productId) ?? NO_COLLECTIONS;
  }

  /** Returns the JSON text of a product's categories; products in the same categories share one string. */
  categoryTextOf({ category_id, subcategory_id }: ProductEntry): string {
    const key = subcategory_id ?? category_id ?? '';
    let text = this.#categoryTexts.get(key);
    if (text === undefined) {
      const name = (id: string | null) => (id === null ? undefined : this.#categories.get(id));
      text = categoryText(name(category_id), name(subcategory_id));
      this.#categoryTexts.set(key, text);
    }
    return text;
  }

  /** Returns the number of the product's list fragment, a new one after the product's text changed. */
  fragmentOf(entry: ProductEntry): number {
    if (entry.fragment <= this.#outdated) entry.fragment = nameFragment();
    return entry.fragment;
  }

  putProducts(records: readonly ProductRecord[]): void {
    for (const record of records) this.#putProduct(record);
    this.#counts = null;
  }

  removeProducts(ids: readonly string[]): void {
    for (const id of ids) {
      const entry = this.#products.get(id);
      if (!entry) continue;
      this.#products.delete(id);
      this.#unindex(entry);
      entry.deleted = true;
      this.#deletionMark = nameFragment();
      for (const sort of SORTS) this.#orders[sort].moved(entry);
    }
    this.#counts = null;
    if (ids.length > 0) this.#byDocId = [];
  }

  putLevels(levels: readonly VariantLevel[]): void {
    for (const level of levels) this.#variants.get(level.variant_id)?.setLevel(level);
  }

  /** Applies changed categories. Only products in a renamed, moved or deleted category receive new fragments. */
  putCategories(records: readonly CategoryRecord[], deletedIds: readonly string[]): void {
    const changed = new Set<string>();
    for (const record of records) {
      const known = this.#categories.get(record.id);
      const isMoved = known?.parent_id !== record.parent_id;
      if (known?.name !== record.name || isMoved || !sameTranslations(known, record)) changed.add(record.id);
      this.#categories.set(record.id, record);
    }
    for (const id of deletedIds) if (this.#categories.delete(id)) changed.add(id);
    if (changed.size === 0) return;
    this.#categoryTexts.clear();
    for (const entry of this.#products.values()) {
      const { category_id, subcategory_id } = entry;
      const shows = (id: string | null): boolean => id !== null && changed.has(id);
      if (shows(category_id) || shows(subcategory_id)) entry.fragment = 0;
    }
  }

  putCollections(records: readonly CollectionRecord[], deletedIds: readonly string[]): void {
    for (const record of records) this.#collections.set(record.id, record);
    for (const id of deletedIds) this.#collections.delete(id);
    this.#memberships = null;
  }

  putPriceLists(lists: readonly BoardList[], now: number): void {
    this.#board.replace(lists);
    this.reprice(now);
  }

  /** Changes the currency or sign; stored amounts are not converted. */
  reframe(frame: ProductFrame, now: number): void {
    this.#frame = frame;
    this.#outdated = newestFragment();
    this.reprice(now);
  }

  reprice(now: number): void {
    for (const id of this.#board.set(now, this.#frame.currency.code)) {
      const variant = this.#variants.get(id);
      if (!variant) continue;
      variant.reprice(this.#board.get(id));
      if (variant.entry.defaultVariant !== variant) continue;
      this.#orders.price_asc.moved(variant.entry);
      this.#orders.price_desc.moved(variant.entry);
    }
  }

  #putProduct(record: ProductRecord): void {
    const known = this.#products.get(record.id);
    const before = known && SORTS.map((sort) => cursorKeys(sort, known));
    if (known) this.#unindex(known);
    const entry = known ?? new ProductEntry(record.id);
    entry.update(record, this.#board.get, this.#intern);
    this.#textBytes += entry.textBytes;
    this.#products.set(entry.id, entry);
    this.#bySlug.set(entry.slug, entry);
    for (const variant of entry.variants) this.#variants.set(variant.id, variant);
    if (entry.active) this.#active++;
    for (const [at, sort] of SORTS.entries()) {
      const keys = before?.[at];
      if (!keys || cursorKeys(sort, entry).some((key, index) => key !== keys[index])) this.#orders[sort].moved(entry);
    }
  }

  #unindex(entry: ProductEntry): void {
    this.#textBytes -= entry.textBytes;
    this.#bySlug.delete(entry.slug);
    for (const variant of entry.variants) this.#variants.delete(variant.id);
    if (entry.active) this.#active--;
  }

  readonly #intern = (text: string): string => {
    const known = this.#texts.get(text);
    if (known !== undefined) return known;
    // Clears the shared texts so that those of deleted products do not accumulate; products retain the strings they
    // reference.
    if (this.#texts.size >= TEXTS_MAX) this.#texts.clear();
    this.#texts.set(text, text);
    return text;
  };
}

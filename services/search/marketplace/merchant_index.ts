// One index over the products of all merchants that an operator sells for, so that one ranking, its statistics of terms
// and its facets cover all of them. Each merchant's catalogue feeds it.
import type { Product } from '#proto/gen/product.ts';
import type { SellingMerchant } from '#proto/gen/store_directory.ts';
import type { Tenant } from '#runtime/call/call.ts';
import { Semaphore } from '#runtime/flow/semaphore.ts';
import { yieldToEventLoop } from '#runtime/flow/slice.ts';
import type { SearchDocument } from '#services/search/engine/document.ts';
import { LIVE, ProductIndex } from '#services/search/engine/product_index.ts';
import type { VectorSource } from '#services/search/engine/vector_space.ts';
import { isDueToSave, packIndex, type SavedIndexes } from '#services/search/index_storage.ts';
import { documentOf } from '#services/search/product_document.ts';
import { inTurns, loads, type OpenVectorSource } from '#services/search/search_store.ts';
import {
  type CatalogueSource,
  type Edition,
  editionAfter,
  NO_EDITION,
  type ProductPage,
} from '#services/search/source.ts';
import type { SavedPart } from '#services/search/table/saved_index.ts';
import { type Analysis, analysisOf } from '#services/search/text/analysis.ts';

/** Names of attributes that merchants cannot set, because no real attribute's name contains a NUL. */
export const MERCHANT = '\0merchant';
export const CURRENCY = '\0currency';
export const FEATURED = '\0featured';

/** Catalogues that are read at once. */
const READS_MAX = 8;
const DOC_IDS_PER_SLICE = 50_000;
const PLAIN_TAG = 'en';

/** One merchant's part of the index. */
interface Feed {
  merchant: SellingMerchant;
  readonly tenant: Tenant;
  edition: Edition;
  /** Revision of the catalogue that the index has. */
  revision: number;
  /** Revision that the next read must reach. */
  revisionMin: number;
  /** Number of the merchant's products in the index. */
  size: number;
  isStale: boolean;
  /** Set when the merchant no longer sells, so that a running read adds nothing more. */
  isEnded: boolean;
  /** Resolves when all reads that were started have ended. */
  settled: Promise<void>;
}

/** Returns the language that most merchants write in: all texts of an index are analysed by one. */
const commonLanguage = (merchants: readonly SellingMerchant[]): string => {
  const counts = new Map<string, number>();
  for (const { language } of merchants) counts.set(language, (counts.get(language) ?? 0) + 1);
  return [...counts].toSorted(([a, more], [b, less]) => less - more || (a < b ? -1 : 1))[0]?.[0] ?? PLAIN_TAG;
};

export type MerchantSource = Pick<CatalogueSource, 'changed' | 'ids' | 'revisions'>;

export interface MerchantIndexTools {
  readonly source: MerchantSource;
  readonly saved: SavedIndexes;
  readonly openVectorSource: OpenVectorSource;
}

export class MerchantIndex {
  /** The operator. */
  readonly tenant: Tenant;
  /** Revisions are those of merchants' catalogues, and an operator has none. */
  readonly revision = 0;
  readonly index: ProductIndex;
  readonly vectorSource: VectorSource;
  /** Tag of the language by which texts are analysed. */
  readonly #tag: string;
  readonly #analysis: Analysis;
  readonly #source: MerchantSource;
  readonly #saved: SavedIndexes;
  readonly #reads = new Semaphore(READS_MAX);
  readonly #feeds = new Map<string, Feed>();
  readonly #categoryNames = new Map<string, string>();
  #merchants: readonly SellingMerchant[] = [];
  #isLoaded = false;
  #unsaved = 0;
  /** Resolves when the index may change again; null if it may. */
  #copied: Promise<void> | null = null;
  #aligned: Promise<boolean> = Promise.resolve(false);

  constructor(
    tenant: Tenant,
    { source, saved, openVectorSource }: MerchantIndexTools,
    merchants: readonly SellingMerchant[],
  ) {
    this.tenant = tenant;
    this.#tag = commonLanguage(merchants);
    this.#analysis = analysisOf(this.#tag);
    this.index = new ProductIndex(this.#analysis);
    this.#source = source;
    this.#saved = saved;
    this.vectorSource = openVectorSource(this.index, () => this.#documents());
    this.#merchants = merchants;
    for (const merchant of merchants) this.#open(merchant);
  }

  get bytes(): number {
    return this.index.memoryBytes;
  }

  categoryName(id: string): string | undefined {
    return this.#categoryNames.get(id);
  }

  merchantName(store: string): string | undefined {
    return this.#feeds.get(store)?.merchant.name;
  }

  /** Returns the merchant of a product. */
  merchantOf(docId: number): string {
    const column = this.index.attributes.column(MERCHANT)!;
    return String(column.dictionary.value(column.entries[docId]!));
  }

  async load(): Promise<void> {
    const restored = await this.#restore();
    if (!restored) this.index.beginLoad();
    await Promise.all([...this.#feeds.values()].map((feed) => this.#refresh(feed)));
    if (!restored) await inTurns(this.index.ending());
    this.#isLoaded = true;
    loads.inc({ from: restored ? 'saved' : 'catalogue' });
    this.vectorSource.update();
  }

  /** Sandboxes are not saved, because a reset of one must leave nothing of it behind. */
  get dueToSave(): boolean {
    return this.tenant.environment === 'production' && isDueToSave(this.index, this.#unsaved);
  }

  /** Saves the index, which does not change while it is copied. */
  async save(): Promise<void> {
    const generation = await this.#saved.generation(this.tenant);
    await this.#saved.write(this.tenant, generation, await this.#pack());
  }

  async #pack(): Promise<SavedPart[]> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#copied = promise;
    try {
      let state = this.index.state;
      for (; state === null; state = this.index.state) {
        await inTurns(this.index.packing());
        await yieldToEventLoop();
      }
      this.#unsaved = 0;
      const merchants = [...this.#feeds.values()].map(({ merchant: { store_id: store, currency }, revision }) => ({
        store,
        currency,
        revision,
      }));
      const categoryNames = [...this.#categoryNames];
      const store = { digests: new Float64Array(), merchants, categoryNames, tag: this.#tag };
      return await packIndex({ ...state, store });
    } finally {
      this.#copied = null;
      resolve();
    }
  }

  /**
   * Removes the products of merchants that no longer sell, and opens feeds for those that begin to. Returns whether any
   * did.
   */
  align(merchants: readonly SellingMerchant[]): Promise<boolean> {
    if (merchants === this.#merchants) return this.#aligned;
    this.#merchants = merchants;
    this.#aligned = this.#aligned.then(() => this.#align(merchants));
    return this.#aligned;
  }

  /** Marks a merchant's feed as stale. Returns whether the index has the merchant. */
  changed({ store, environment }: Tenant, revision: number): boolean {
    const feed = this.#feeds.get(store);
    if (!feed || environment !== this.tenant.environment) return false;
    feed.isStale = true;
    feed.revisionMin = Math.max(feed.revisionMin, revision);
    return true;
  }

  /** Compares the revisions of all catalogues with those that the index has, because a notice may have been lost. */
  async compareRevisions(): Promise<void> {
    for (const [store, revision] of await this.#source.revisions(this.tenant, [...this.#feeds.keys()]))
      if (revision > (this.#feeds.get(store)?.revision ?? 0)) this.changed({ ...this.tenant, store }, revision);
  }

  /** Reads all stale feeds. One that fails remains stale, does not stop the others, and is thrown in the end. */
  async update(): Promise<void> {
    // Packing would break a load. Feeds that became stale meanwhile are read behind it.
    if (!this.#isLoaded) return;
    const stale = [...this.#feeds.values()].filter(({ isStale }) => isStale);
    const reads = await Promise.allSettled(stale.map((feed) => this.#refresh(feed)));
    this.vectorSource.update();
    // Packs in the background, because searches find new products even before.
    if (this.index.needsTidying) void inTurns(this.index.tidying());
    const failed = reads.find((read) => read.status === 'rejected');
    if (failed) throw failed.reason;
  }

  close(): void {
    for (const feed of this.#feeds.values()) feed.isEnded = true;
    this.vectorSource.close();
  }

  #open(merchant: SellingMerchant): void {
    this.#feeds.set(merchant.store_id, {
      merchant,
      tenant: { store: merchant.store_id, environment: this.tenant.environment },
      edition: NO_EDITION,
      revision: 0,
      revisionMin: 0,
      size: 0,
      isStale: true,
      isEnded: false,
      settled: Promise.resolve(),
    });
  }

  async #align(merchants: readonly SellingMerchant[]): Promise<boolean> {
    const selling = new Map(merchants.map((merchant) => [merchant.store_id, merchant]));
    for (const [store, feed] of this.#feeds) {
      const merchant = selling.get(store);
      // Products have their merchant's currency as an attribute.
      if (merchant?.currency === feed.merchant.currency) {
        feed.merchant = merchant;
        continue;
      }
      feed.isEnded = true;
      this.#feeds.delete(store);
      await this.#removeExcept(store, new Set());
    }
    const opening = merchants.filter(({ store_id }) => !this.#feeds.has(store_id));
    for (const merchant of opening) this.#open(merchant);
    return opening.length > 0;
  }

  /** Reads a stale feed after its earlier reads. */
  #refresh(feed: Feed): Promise<void> {
    const read = feed.settled.then(() => this.#reads.run(() => this.#readIfStale(feed)));
    feed.settled = read.catch(() => {});
    return read;
  }

  async #readIfStale(feed: Feed): Promise<void> {
    if (!feed.isStale || feed.isEnded) return;
    feed.isStale = false;
    try {
      await this.#read(feed);
    } catch (problem) {
      feed.isStale = true;
      throw problem;
    }
  }

  async #read(feed: Feed): Promise<void> {
    let page: ProductPage;
    let revision = Number.POSITIVE_INFINITY;
    // Starts a new traversal (round 0): continuing an interrupted one would miss changes made since it started.
    feed.edition = { ...feed.edition, round: 0 };
    do {
      page = await this.#source.changed(feed.tenant, feed.edition, feed.revisionMin);
      while (this.#copied) await this.#copied;
      if (feed.isEnded) return;
      feed.edition = editionAfter(page);
      // Keeps the lowest revision of all pages, because changes made during a traversal appear only in the next.
      revision = Math.min(revision, page.revision);
      this.#put(feed, page.products);
      if (page.has_more) await yieldToEventLoop();
    } while (page.has_more);
    if (page.size !== feed.size) {
      const there = new Set(await this.#source.ids(feed.tenant));
      if (!feed.isEnded) feed.size -= await this.#removeExcept(feed.merchant.store_id, there);
    }
    feed.revision = Math.max(feed.revision, revision);
  }

  #put(feed: Feed, products: readonly Product[]): void {
    this.#unsaved += products.length;
    for (const product of products) {
      const document = this.#documentOf(feed, product);
      if (this.index.productIds.find(document.id) < 0) feed.size++;
      if (this.index.put(document)) this.vectorSource.productChanged(document);
      if (product.category_id) this.#categoryNames.set(product.category_id, product.category_name ?? '');
      if (product.subcategory_id) this.#categoryNames.set(product.subcategory_id, product.subcategory_name ?? '');
    }
  }

  #documentOf({ merchant }: Feed, product: Product): SearchDocument {
    const document = documentOf(product, this.#analysis);
    const attributes = [
      [MERCHANT, merchant.store_id],
      [CURRENCY, merchant.currency],
      [FEATURED, product.featured === true],
      ...document.attributes,
    ] as const;
    return { ...document, attributes };
  }

  /** Removes a merchant's products without those named, in slices. Returns how many. */
  async #removeExcept(store: string, there: ReadonlySet<string>): Promise<number> {
    const { attributes, productIds } = this.index;
    let removed = 0;
    for (let from = 0; from < this.index.docIdLimit; from += DOC_IDS_PER_SLICE) {
      if (from > 0) await yieldToEventLoop();
      while (this.#copied) await this.#copied;
      // Looks up the column in each slice, because an unused one is dropped and then no longer follows changes.
      const column = attributes.column(MERCHANT);
      const code = column?.dictionary.find(store);
      const end = Math.min(this.index.docIdLimit, from + DOC_IDS_PER_SLICE);
      for (let docId = from; docId < end; docId++) {
        if (column === null || column.entries[docId] !== code) continue;
        const id = productIds.id(docId);
        if (there.has(id)) continue;
        this.index.remove(id);
        removed++;
      }
    }
    this.#unsaved += removed;
    return removed;
  }

  /** Reads the saved index. Feeds of catalogues that have changed since, and of merchants that it lacks, remain stale. */
  async #restore(): Promise<boolean> {
    const saved = this.tenant.environment === 'production' ? await this.#saved.read(this.tenant) : null;
    if (!saved?.store.merchants || saved.store.tag !== this.#tag) return false;
    await inTurns(this.index.restoring(saved));
    for (const [id, name] of saved.store.categoryNames) this.#categoryNames.set(id, name);
    const merchants = new Map(saved.store.merchants.map((merchant) => [merchant.store, merchant]));
    // Visits the merchants of products, because an index that was saved during a removal also has some of others.
    for (const [store, size] of this.#sizes()) {
      const [merchant, feed] = [merchants.get(store), this.#feeds.get(store)];
      if (merchant && feed?.merchant.currency === merchant.currency)
        Object.assign(feed, { revision: merchant.revision, size, isStale: false });
      else await this.#removeExcept(store, new Set());
    }
    await this.compareRevisions();
    this.vectorSource.restored();
    return true;
  }

  /** Counts the products of each merchant. */
  #sizes(): ReadonlyMap<string, number> {
    const sizes = new Map<string, number>();
    for (let docId = 0; docId < this.index.docIdLimit; docId++) {
      if ((this.index.flags[docId]! & LIVE) === 0) continue;
      const store = this.merchantOf(docId);
      sizes.set(store, (sizes.get(store) ?? 0) + 1);
    }
    return sizes;
  }

  async *#documents(): AsyncIterable<readonly SearchDocument[]> {
    for (const feed of [...this.#feeds.values()]) {
      let edition = NO_EDITION;
      let page: ProductPage;
      do {
        page = await this.#source.changed(feed.tenant, edition, 0);
        edition = editionAfter(page);
        yield page.products.map((product) => this.#documentOf(feed, product));
      } while (page.has_more && !feed.isEnded);
    }
  }
}

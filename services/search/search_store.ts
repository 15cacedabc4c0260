// One tenant's search index with its vectors, updated from the catalogue.

import type { Product } from '#proto/gen/product.ts';
import type { Tenant } from '#runtime/call/call.ts';
import { yieldToEventLoop } from '#runtime/flow/slice.ts';
import { counter } from '#runtime/process/metric.ts';
import type { SearchDocument } from './engine/document.ts';
import type { Slices } from './engine/posting.ts';
import { ProductIndex } from './engine/product_index.ts';
import type { VectorSource } from './engine/vector_space.ts';
import { isDueToSave, packIndex, type SavedIndexes } from './index_storage.ts';
import { documentOf } from './product_document.ts';
import { type CatalogueSource, type Edition, editionAfter, NO_EDITION, type ProductPage } from './source.ts';
import { type Analysis, analysisOf } from './text/analysis.ts';

export const loads = counter(
  'search_index_loads_total',
  'Search indexes brought into memory, by what they came from.',
  ['from'],
);

export const inTurns = async (slices: Slices): Promise<void> => {
  for (const _ of slices) await yieldToEventLoop();
};

export type OpenVectorSource = (
  index: ProductIndex,
  all: () => AsyncIterable<readonly SearchDocument[]>,
) => VectorSource;

export interface IndexLanguage {
  readonly language: string | undefined;
  readonly tag: string;
}

const PLAIN_LANGUAGE: IndexLanguage = { language: undefined, tag: 'en' };

export class SearchStore {
  readonly tenant: Tenant;
  /** Language of the texts; undefined for the store's default one. */
  readonly language: string | undefined;
  /** Tag of the language by which texts are analysed. */
  readonly tag: string;
  readonly index: ProductIndex;
  revision = 0;
  readonly vectorSource: VectorSource;
  readonly #analysis: Analysis;
  readonly #source: CatalogueSource;
  readonly #saved: SavedIndexes;
  #generation: number | null = null;
  #unsaved = 0;
  readonly #categoryNames = new Map<string, string>();
  #edition: Edition = NO_EDITION;
  #updating: Promise<void> | null = null;

  constructor(
    tenant: Tenant,
    source: CatalogueSource,
    saved: SavedIndexes,
    openVectorSource: OpenVectorSource,
    { language, tag }: IndexLanguage = PLAIN_LANGUAGE,
  ) {
    this.tenant = tenant;
    this.language = language;
    this.tag = tag;
    this.#analysis = analysisOf(tag);
    this.index = new ProductIndex(this.#analysis);
    this.#source = source;
    this.#saved = saved;
    this.vectorSource = openVectorSource(this.index, () => this.#documents());
  }

  get bytes(): number {
    return this.index.memoryBytes;
  }

  categoryName(id: string): string | undefined {
    return this.#categoryNames.get(id);
  }

  async load(): Promise<void> {
    this.#generation = await this.#saved.generation(this.tenant);
    const restored = await this.#restore();
    if (!restored) {
      this.index.beginLoad();
      await this.#round(0);
      await inTurns(this.index.ending());
    }
    loads.inc({ from: restored ? 'saved' : 'catalogue' });
    this.vectorSource.update();
  }

  get dueToSave(): boolean {
    // An index in another language is built again after a restart.
    return this.language === undefined && isDueToSave(this.index, this.#unsaved);
  }

  /** Saves the index. Updates wait while it is copied, so that it does not change. */
  async save(): Promise<void> {
    // Reads digests before products: a product that changes in between differs from its digest and is read again at
    // start.
    const digests = new Map<string, number>();
    await this.#eachDigest((id, digest) => digests.set(id, digest));
    const packed = await this.#exclusively(async () => {
      await this.#round(0);
      let state = this.index.state;
      for (; state === null; state = this.index.state) {
        await inTurns(this.index.packing());
        await yieldToEventLoop();
      }
      this.#unsaved = 0;
      const { docIdLimit, productIds } = this.index;
      const byDocId = new Float64Array(docIdLimit).fill(Number.NaN);
      for (const [id, digest] of digests) {
        const docId = productIds.find(id);
        if (docId >= 0) byDocId[docId] = digest;
      }
      const store = { digests: byDocId, categoryNames: [...this.#categoryNames], tag: this.tag };
      return packIndex({ ...state, store });
    });
    await this.#saved.write(this.tenant, this.#generation, packed);
  }

  /** Reads changes until the index has the required revision. Runs one update at a time. */
  async update(revisionMin: number): Promise<void> {
    // Waits for a running update, which may have started before the change.
    while (this.#updating) await this.#updating.catch(() => {});
    if (revisionMin > 0 && this.revision >= revisionMin) return;
    await this.#exclusively(() => this.#round(revisionMin));
    this.vectorSource.update();
    // Packs in the background, because searches find new products even before.
    if (this.index.needsTidying) void inTurns(this.index.tidying());
  }

  close(): void {
    this.vectorSource.close();
  }

  async #exclusively<T>(run: () => Promise<T>): Promise<T> {
    while (this.#updating) await this.#updating.catch(() => {});
    const running = run();
    const taking = running.then(
      () => {},
      () => {},
    );
    this.#updating = taking;
    try {
      return await running;
    } finally {
      this.#updating = null;
    }
  }

  async #restore(): Promise<boolean> {
    const saved = this.language === undefined ? await this.#saved.read(this.tenant) : null;
    if (saved === null || saved.store.tag !== this.tag) return false;
    await inTurns(this.index.restoring(saved));
    for (const [id, name] of saved.store.categoryNames) this.#categoryNames.set(id, name);
    const { productIds } = this.index;
    const there = new Set<string>();
    const changed = new Set<string>();
    const { revision, edition } = await this.#eachDigest((id, digest) => {
      there.add(id);
      const docId = productIds.find(id);
      if (docId < 0 || saved.store.digests[docId] !== digest) changed.add(id);
    });
    for (const id of [...this.index.ids()]) if (!there.has(id)) this.index.remove(id);
    for await (const products of this.#source.named(this.tenant, [...changed])) this.#put(products);
    this.#edition = edition;
    this.revision = revision;
    this.vectorSource.restored();
    return true;
  }

  async #eachDigest(take: (id: string, digest: number) => void): Promise<{ revision: number; edition: Edition }> {
    let edition = NO_EDITION;
    let revision = Number.POSITIVE_INFINITY;
    for (;;) {
      const page = await this.#source.digests(this.tenant, edition);
      edition = editionAfter(page);
      revision = Math.min(revision, page.revision);
      for (const { product_id, digest } of page.digests) take(product_id, digest);
      // Traverses the digests again until a traversal returns none, because changes during one appear only in the next.
      if (page.digests.length === 0 && !page.has_more) return { revision, edition };
      await yieldToEventLoop();
    }
  }

  #put(products: readonly Product[]): void {
    for (const product of products) {
      const document = documentOf(product, this.#analysis);
      if (this.index.put(document)) this.vectorSource.productChanged(document);
      if (product.category_id) this.#categoryNames.set(product.category_id, product.category_name ?? '');
      if (product.subcategory_id) this.#categoryNames.set(product.subcategory_id, product.subcategory_name ?? '');
    }
    this.#unsaved += products.length;
  }

  async #round(revisionMin: number): Promise<void> {
    let page: ProductPage;
    let revision = Number.POSITIVE_INFINITY;
    // Starts a new traversal (round 0): continuing an interrupted one would miss changes made since it started.
    this.#edition = { ...this.#edition, round: 0 };
    do {
      page = await this.#source.changed(this.tenant, this.#edition, revisionMin, this.language);
      // Continues after this page. If the catalogue's process has changed, it sends all products again but no
      // deletions, which are found by comparing ids.
      this.#edition = editionAfter(page);
      // Keeps the lowest revision of all pages, because changes made during a traversal appear only in the next.
      revision = Math.min(revision, page.revision);
      this.#put(page.products);
      if (page.has_more) await yieldToEventLoop();
    } while (page.has_more);
    if (page.size !== this.index.size) await this.#removeDeleted();
    this.revision = Math.max(this.revision, revision);
  }

  async #removeDeleted(): Promise<void> {
    const there = new Set(await this.#source.ids(this.tenant));
    for (const id of this.index.ids()) if (!there.has(id)) this.index.remove(id);
  }

  async *#documents(): AsyncIterable<readonly SearchDocument[]> {
    let edition = NO_EDITION;
    let page: ProductPage;
    do {
      page = await this.#source.changed(this.tenant, edition, 0, this.language);
      edition = editionAfter(page);
      yield page.products.map((product) => documentOf(product, this.#analysis));
    } while (page.has_more);
  }
}

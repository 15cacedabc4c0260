// One tenant's searchable products: the index, kept in step with the catalogue, and what its products mean.
import type { Tenant } from '#runtime/call.ts';
import type { SearchDocument } from './engine/document.ts';
import type { Slices } from './engine/posting.ts';
import { ProductIndex } from './engine/product_index.ts';
import { type Meaning, pause } from './meaning/meaning.ts';
import { documentOf } from './product_document.ts';
import type { Edition, ProductPage, Source } from './source.ts';

const NOTHING: Edition = { instance: '', since: 0 };

/** Slice by slice, other calls in between. */
const inTurns = async (slices: Slices): Promise<void> => {
  for (const _ of slices) await pause();
};

/** Makes the meanings of one index; `all` goes through its products' documents. */
export type OpenMeaning = (index: ProductIndex, all: () => AsyncIterable<readonly SearchDocument[]>) => Meaning;

export class Shop {
  readonly tenant: Tenant;
  readonly index = new ProductIndex();
  /** The newest revision of the catalogue that is wholly in here. */
  revision = 0;
  readonly meaning: Meaning;
  readonly #source: Source;
  readonly #categoryNames = new Map<string, string>();
  #edition: Edition = NOTHING;
  #taking: Promise<void> | null = null;

  constructor(tenant: Tenant, source: Source, openMeaning: OpenMeaning) {
    this.tenant = tenant;
    this.#source = source;
    this.meaning = openMeaning(this.index, () => this.#documents());
  }

  get bytes(): number {
    return this.index.memoryBytes;
  }

  categoryName(id: string): string | undefined {
    return this.#categoryNames.get(id);
  }

  async load(): Promise<void> {
    this.index.beginLoad();
    await this.#round(0);
    await inTurns(this.index.ending());
    this.meaning.follow();
  }

  /** What changed since; callers who meet share one round. */
  async takeIn(revisionMin: number): Promise<void> {
    // A round that runs may have begun before the change.
    while (this.#taking) await this.#taking.catch(() => {});
    if (revisionMin > 0 && this.revision >= revisionMin) return;
    this.#taking = this.#round(revisionMin).finally(() => {
      this.#taking = null;
    });
    await this.#taking;
    this.meaning.follow();
    // Nobody waits for it: what is new is found before it is packed.
    if (this.index.scattered) void inTurns(this.index.tidying());
  }

  close(): void {
    this.meaning.close();
  }

  async #round(revisionMin: number): Promise<void> {
    let page: ProductPage;
    let revision = Number.POSITIVE_INFINITY;
    do {
      page = await this.#source.changed(this.tenant, this.#edition, revisionMin);
      // Another process' catalogue begins from its first product: what is gone shows by the ids alone.
      this.#edition = { instance: page.instance, since: page.edition };
      // The first page's: what is written later is in a later round.
      revision = Math.min(revision, page.revision);
      for (const product of page.products) {
        const document = documentOf(product);
        if (this.index.put(document)) this.meaning.took(document);
        if (product.category_id) this.#categoryNames.set(product.category_id, product.category_name ?? '');
        if (product.subcategory_id) this.#categoryNames.set(product.subcategory_id, product.subcategory_name ?? '');
      }
      if (page.has_more) await pause();
    } while (page.has_more);
    if (page.size !== this.index.size) await this.#forgetGone();
    this.revision = Math.max(this.revision, revision);
  }

  async #forgetGone(): Promise<void> {
    const there = new Set(await this.#source.ids(this.tenant));
    for (const id of this.index.ids()) if (!there.has(id)) this.index.remove(id);
  }

  async *#documents(): AsyncIterable<readonly SearchDocument[]> {
    let edition = NOTHING;
    let page: ProductPage;
    do {
      page = await this.#source.changed(this.tenant, edition, 0);
      edition = { instance: page.instance, since: page.edition };
      yield page.products.map(documentOf);
    } while (page.has_more);
  }
}

// One tenant's searchable products: the index, kept in step with the catalogue, and the space of meanings learnt from it.
import type { Tenant } from '#runtime/call.ts';
import type { Log } from '#runtime/log.ts';
import { learnMeaning } from './engine/meaning.ts';
import { ProductIndex } from './engine/product_index.ts';
import { documentOf } from './product_document.ts';
import type { Edition, ProductPage, Source } from './source.ts';

const NOTHING: Edition = { instance: '', since: 0 };
/** The space is learnt anew when so large a share of the products has changed since. */
const RELEARN_SHARE = 0.2;
const RELEARN_MIN = 20;

/** Lets other calls be answered. */
const pause = (): Promise<void> => new Promise((resume) => setImmediate(resume));

/** Spaces are learnt one after the other: each takes a processor for a moment. */
let turn: Promise<void> = Promise.resolve();

export class Shop {
  readonly tenant: Tenant;
  readonly index = new ProductIndex();
  /** The newest revision of the catalogue that is wholly in here. */
  revision = 0;
  readonly #source: Source;
  readonly #log: Log;
  readonly #categoryNames = new Map<string, string>();
  #edition: Edition = NOTHING;
  #taking: Promise<void> | null = null;
  /** Products that changed since the space was learnt. */
  #changed = 0;
  #learning: Promise<void> | null = null;
  #closed = false;

  constructor(tenant: Tenant, source: Source, log: Log) {
    this.tenant = tenant;
    this.#source = source;
    this.#log = log;
  }

  get bytes(): number {
    return this.index.memoryBytes;
  }

  /** Resolves once meanings are known; at once where they are, or where there are none to be. */
  get meaningful(): Promise<void> | null {
    return this.index.vectors.dimensions > 0 ? null : this.#learning;
  }

  categoryName(id: string): string | undefined {
    return this.#categoryNames.get(id);
  }

  async load(): Promise<void> {
    this.index.beginLoad();
    await this.#round(0);
    this.index.endLoad();
    this.#learnIfDue();
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
    this.#learnIfDue();
  }

  close(): void {
    this.#closed = true;
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
        this.index.put(documentOf(product));
        if (product.category_id) this.#categoryNames.set(product.category_id, product.category_name ?? '');
        if (product.subcategory_id) this.#categoryNames.set(product.subcategory_id, product.subcategory_name ?? '');
      }
      this.#changed += page.products.length;
      if (page.has_more) await pause();
    } while (page.has_more);
    if (page.size !== this.index.size) await this.#forgetGone();
    this.revision = Math.max(this.revision, revision);
  }

  async #forgetGone(): Promise<void> {
    const there = new Set(await this.#source.ids(this.tenant));
    for (const id of this.index.ids()) if (!there.has(id)) this.index.remove(id);
  }

  #learnIfDue(): void {
    const due = Math.max(RELEARN_MIN, this.index.size * RELEARN_SHARE);
    if (this.#learning || (this.index.vectors.dimensions > 0 && this.#changed < due)) return;
    this.#changed = 0;
    const learning = turn
      .then(() => (this.#closed ? undefined : learnMeaning(this.index, pause)))
      .catch((problem) => this.#log.warn({ err: problem }, 'meanings were not learnt'))
      .finally(() => {
        this.#learning = null;
      });
    this.#learning = learning;
    turn = learning;
  }
}

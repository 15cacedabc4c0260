// One write to the catalogue, in a transaction that holds the tenant's next revision: reads the context, saves
// products, emits events and announces the revision.
import type { Refusal, Tenant } from '#runtime/call/call.ts';
import type { Event, SerializedEvent } from '#runtime/event/event.ts';
import type { Transaction } from '#runtime/postgres/database.ts';
import type { Clock } from '#runtime/process/clock.ts';
import type { Currency } from '#values/currency.ts';
import { dayIn } from '#values/zone.ts';
import { CategoryFinder } from './category_finder.ts';
import type { CategoryRecord, ProductContext, ProductRecord, ProductRow } from './product.ts';
import { claimSkus } from './product_batch.ts';
import { productEvents } from './product_event.ts';
import { detailText } from './product_text.ts';
import type { Profile, Profiles } from './profile.ts';
import { findListPrices } from './table/price_list.ts';
import { type PriceChange, recordOwnPrices } from './table/price_period.ts';
import { findSkus, type ProductChange, saveProducts } from './table/product.ts';
import { findProducts, type VariantLevel } from './table/product_reader.ts';
import { nextRevision } from './table/revision.ts';
import type { Statistics } from './table/statistic.ts';

/** All changes of a revision, so that the catalogue in memory can apply them without reading Postgres. */
export interface RevisionContent {
  readonly products: readonly ProductRecord[];
  readonly categories: readonly CategoryRecord[];
  readonly levels?: readonly VariantLevel[];
}

/** Announces a revision after commit. If `products` is null, any product may have changed. */
export type AnnounceProducts = (
  tx: Transaction,
  tenant: Tenant,
  revision: number,
  products: readonly string[] | null,
  content?: RevisionContent,
) => void;

export interface WrittenProduct {
  readonly product: ProductRecord;
  readonly detail: string;
  readonly revision: number;
}

export interface WriteParts {
  readonly clock: Clock;
  readonly profiles: Profiles;
  readonly announce: AnnounceProducts;
  readonly productsAdded: Statistics['productsAdded'];
}

export interface WriteRequest {
  readonly tx: Transaction;
  readonly tenant: Tenant;
  readonly rows: readonly ProductRow[];
  readonly ids?: readonly string[];
  readonly externalIds?: readonly string[];
}

/** Maximum number of ids that a notice lists; if more changed, the notice says that anything may have changed. */
const SUBJECTS_MAX = 100;

export class ProductWrite implements ProductContext {
  readonly tx: Transaction;
  readonly tenant: Tenant;
  readonly profile: Profile;
  readonly revision: number;
  readonly categories: CategoryFinder;
  readonly now: Date;
  readonly today: string;
  readonly #parts: WriteParts;

  private constructor(
    parts: WriteParts,
    { tx, tenant }: WriteRequest,
    around: Pick<ProductWrite, 'profile' | 'revision' | 'categories'>,
  ) {
    this.#parts = parts;
    this.tx = tx;
    this.tenant = tenant;
    this.profile = around.profile;
    this.revision = around.revision;
    this.categories = around.categories;
    this.now = parts.clock.now(tenant);
    this.today = dayIn(this.profile.timezone, this.now);
  }

  /** Locks the tenant's next revision until the transaction ends. */
  static async begin(
    parts: WriteParts,
    request: WriteRequest,
  ): Promise<{ readonly write: ProductWrite; readonly products: ProductRecord[] }> {
    const { tx, tenant, rows, ids, externalIds } = request;
    const profile = await parts.profiles.get(tenant);
    const revision = await nextRevision(tx.sql, tenant);
    const products = await findProducts(tx.sql, tenant, { ids, externalIds });
    const categories = await CategoryFinder.of(tx.sql, tenant, rows, products);
    return { write: new ProductWrite(parts, request, { profile, revision, categories }), products };
  }

  get currency(): Currency {
    return this.profile.frame.currency;
  }

  get languages(): readonly string[] {
    return this.profile.languages;
  }

  get category(): ProductContext['category'] {
    return this.categories.get;
  }

  async details(variantIds: readonly string[]): Promise<(record: ProductRecord) => string> {
    const { tx, tenant, profile, currency, now, categories } = this;
    const prices = await findListPrices(tx.sql, tenant, variantIds, currency.code, now);
    return (record) => detailText(record, categories.get, (id) => prices.get(id) ?? null, profile.frame);
  }

  async save(changes: readonly ProductChange[]): Promise<Map<string, string>> {
    const { tx, tenant, profile, revision, categories } = this;
    const known = changes.flatMap(({ before }) => before?.variants.map((variant) => variant.id) ?? []);
    const detailOf = await this.details(known);
    // Starts the save without waiting, so that events are built while Postgres writes.
    const saving = saveProducts(tx.sql, tenant, revision, changes);
    const written = new Map<string, string>();
    const events: (Event | SerializedEvent)[] = [];
    for (const { before, after } of changes) {
      const shown = { record: after, detail: detailOf(after) };
      const was = before && { record: before, detail: detailOf(before) };
      written.set(after.id, shown.detail);
      events.push(...productEvents(was, shown, profile.lowStockThreshold));
      if (was && changes.length === 1) tx.note({ before: was.detail, after: shown.detail });
    }
    const [saved] = await Promise.all([saving, this.recordPrices(changes), tx.emit(tenant, events)]);
    const created = changes.filter(({ before }) => before === null).length;
    if (created > 0) tx.afterCommit(() => this.#parts.productsAdded(created));
    const anything = categories.made.length > 0 || changes.length > SUBJECTS_MAX;
    const content = { products: saved, categories: categories.made };
    this.announce(anything ? null : [...written.keys()], content);
    return written;
  }

  /** Records the prices that shoppers see from now on. */
  recordPrices(changes: readonly PriceChange[]): Promise<void> {
    return recordOwnPrices(this.tx.sql, this.tenant, changes, this.currency.code, this.now);
  }

  async saveOne(before: ProductRecord | null, after: ProductRecord): Promise<WrittenProduct | Refusal> {
    if (after === before) {
      const detailOf = await this.details(before.variants.map((variant) => variant.id));
      return { product: before, detail: detailOf(before), revision: this.revision - 1 };
    }
    const skus = after.variants.flatMap((variant) => variant.sku ?? []);
    const taken = claimSkus(await findSkus(this.tx.sql, this.tenant, skus), before, after);
    if (taken) return taken;
    const written = await this.save([{ before, after }]);
    return { product: after, detail: written.get(after.id)!, revision: this.revision };
  }

  announce(products: readonly string[] | null, content?: Parameters<AnnounceProducts>[4]): void {
    this.#parts.announce(this.tx, this.tenant, this.revision, products, content);
  }
}

// The catalogue's write core: products many at a time, with the categories they name, their events and their revision,
// in one transaction of one tenant. The REST handlers and ingestion both write through it.
import type { Product } from '#proto/gen/product.ts';
import { Refusal, refuse, type Tenant } from '#runtime/call/call.ts';
import type { Event, WrittenEvent } from '#runtime/event/event.ts';
import type { Transaction } from '#runtime/postgres/database.ts';
import type { Clock } from '#runtime/process/clock.ts';
import { CategoryFinder } from './category_finder.ts';
import {
  type CategoryRecord,
  type ProductContext,
  type ProductRecord,
  type ProductRow,
  writeProduct,
} from './product.ts';
import { claimSkus, RowBatch, skusOf } from './product_batch.ts';
import { productEvents, stockEvents } from './product_event.ts';
import { detailText } from './product_text.ts';
import type { Profile, Profiles } from './profile.ts';
import { findListPrices } from './table/price_list.ts';
import { deleteProduct, findSkus, type ProductChange, saveProducts } from './table/product.ts';
import { findProducts, type VariantLevel } from './table/product_reader.ts';
import { nextRevision, setRevision } from './table/revision.ts';
import type { Statistics } from './table/statistic.ts';

/** What became of a batch, a row at a time: an id stands once for each of its rows, in their order. */
export interface Upserted {
  readonly created: readonly string[];
  readonly updated: readonly string[];
  /** Ids of products that were already so; their rows cost no revision. */
  readonly unchanged: readonly string[];
  /** Rows that could not be written; the others were. */
  readonly failed: readonly { readonly row: number; readonly refusal: Refusal }[];
  /** Bears the batch's changes; 0 where there were none. */
  readonly revision: number;
}

/** One product as it was written. */
export interface WrittenProduct {
  readonly product: ProductRecord;
  /** The bare product detail, as JSON. */
  readonly detail: string;
  readonly revision: number;
}

/** All that a revision changed, where its writer knows it: memory need not read it back. */
export interface Whole {
  readonly products: readonly ProductRecord[];
  readonly categories: readonly CategoryRecord[];
  /** Stock levels of products that are otherwise as they were. */
  readonly levels?: readonly VariantLevel[];
}

/** Tells memory, edges and other hosts of a revision once it is committed; null: anything may have changed. */
export type AnnounceProducts = (
  tx: Transaction,
  tenant: Tenant,
  revision: number,
  products: readonly string[] | null,
  whole?: Whole,
) => void;

export interface ProductStore {
  /**
   * Writes rows: each is a new product, or a change of the one that its `id` or `external_id` names, which an earlier row
   * may have made or changed: only what comes of all of them is written and told. A bad row fails alone. One transaction
   * holds the tenant's turn until it commits: 500 rows are a good batch.
   */
  upsert(tx: Transaction, tenant: Tenant, rows: readonly ProductRow[]): Promise<Upserted>;
  create(tx: Transaction, tenant: Tenant, row: ProductRow): Promise<WrittenProduct | Refusal>;
  /** Changes one product as `alter` says; null where there is no such product. */
  change(
    tx: Transaction,
    tenant: Tenant,
    id: string,
    alter: Alter,
    row?: ProductRow,
  ): Promise<WrittenProduct | Refusal | null>;
  /** The revision that bears it; null where there is no such product. */
  delete(tx: Transaction, tenant: Tenant, id: string): Promise<number | null>;
  /** Tells which of a product's variants crossed a line with their stock, which is written. */
  tellStock(tx: Transaction, tenant: Tenant, product: string, crossed: readonly CrossedStock[]): Promise<void>;
}

export interface CrossedStock {
  readonly variant_id: string;
  /** What could be bought before. */
  readonly before: number;
}

type Alter = (before: ProductRecord, around: ProductContext) => ProductRecord | Refusal;

/** More subjects than this and a notice says "anything". */
const SUBJECTS_MAX = 100;

interface WriteContext extends ProductContext {
  readonly tx: Transaction;
  readonly tenant: Tenant;
  readonly profile: Profile;
  readonly revision: number;
  readonly categories: CategoryFinder;
}

export const openProductStore = (
  { clock }: { readonly clock: Clock },
  profiles: Profiles,
  announce: AnnounceProducts,
  grew: Statistics['grew'] = () => {},
): ProductStore => {
  const take = async (
    tx: Transaction,
    tenant: Tenant,
    rows: readonly ProductRow[],
    names: { ids?: readonly string[]; externalIds?: readonly string[] },
  ): Promise<{ turn: WriteContext; products: ProductRecord[] }> => {
    const profile = await profiles.get(tenant);
    const revision = await nextRevision(tx.sql, tenant);
    const products = await findProducts(tx.sql, tenant, names);
    const categories = await CategoryFinder.of(tx.sql, tenant, rows, products);
    const { currency } = profile.frame;
    const turn = {
      tx,
      tenant,
      profile,
      revision,
      categories,
      currency,
      now: clock.now(tenant),
      category: categories.get,
    };
    return { turn, products };
  };

  /** How products read, at the prices of these variants. */
  const details = async (
    turn: WriteContext,
    variantIds: readonly string[],
  ): Promise<(record: ProductRecord) => string> => {
    const { tx, tenant, profile, currency, now, categories } = turn;
    const prices = await findListPrices(tx.sql, tenant, variantIds, currency.code, now);
    return (record) => detailText(record, categories.get, (id) => prices.get(id) ?? null, profile.frame);
  };

  /** Writes the changes and their events; the details as they now read, by product. */
  const keep = async (turn: WriteContext, changes: readonly ProductChange[]): Promise<Map<string, string>> => {
    const { tx, tenant, profile, revision, categories } = turn;
    const known = changes.flatMap(({ before }) => before?.variants.map((variant) => variant.id) ?? []);
    const detailOf = await details(turn, known);
    // While Postgres writes, the events are made.
    const saving = saveProducts(tx.sql, tenant, revision, changes);
    const written = new Map<string, string>();
    const events: (Event | WrittenEvent)[] = [];
    for (const { before, after } of changes) {
      const shown = { record: after, detail: detailOf(after) };
      const was = before && { record: before, detail: detailOf(before) };
      written.set(after.id, shown.detail);
      events.push(...productEvents(was, shown, profile.lowStockThreshold));
    }
    const [saved] = await Promise.all([saving, tx.emit(tenant, events)]);
    const created = changes.filter(({ before }) => before === null).length;
    if (created > 0) tx.afterCommit(() => grew(created));
    const anything = categories.made.length > 0 || changes.length > SUBJECTS_MAX;
    const whole = { products: saved, categories: categories.made };
    announce(tx, tenant, revision, anything ? null : [...written.keys()], whole);
    return written;
  };

  const keepOne = async (
    turn: WriteContext,
    before: ProductRecord | null,
    after: ProductRecord,
  ): Promise<WrittenProduct | Refusal> => {
    if (after === before) {
      const detailOf = await details(
        turn,
        before.variants.map((variant) => variant.id),
      );
      return { product: before, detail: detailOf(before), revision: turn.revision - 1 };
    }
    const skus = after.variants.flatMap((variant) => variant.sku ?? []);
    const taken = claimSkus(await findSkus(turn.tx.sql, turn.tenant, skus), before, after);
    if (taken) return taken;
    const written = await keep(turn, [{ before, after }]);
    return { product: after, detail: written.get(after.id)!, revision: turn.revision };
  };

  return {
    async upsert(tx, tenant, rows) {
      const ids = rows.flatMap((row) => row.id?.toLowerCase() ?? []);
      const externalIds = rows.flatMap((row) => (row.id === undefined ? (row.external_id ?? []) : []));
      const { turn, products } = await take(tx, tenant, rows, { ids, externalIds });
      const owners = await findSkus(tx.sql, tenant, rows.flatMap(skusOf));

      const batch = new RowBatch(turn, products, owners);
      for (const [at, row] of rows.entries()) {
        const before = batch.known(row);
        if (row.id !== undefined && before === null) {
          batch.fail(at, refuse('not_found', 'No such product.', { param: 'id' }));
          continue;
        }
        const resolved = await turn.categories.resolve(tx.sql, tenant, turn.revision, turn.now, row);
        if (resolved instanceof Refusal) batch.fail(at, resolved);
        else batch.add(at, before, resolved);
      }
      const { changes, ...told } = batch.end();
      if (changes.length > 0) await keep(turn, changes);
      else if (turn.categories.made.length > 0) {
        await setRevision(tx.sql, tenant, turn.revision);
        announce(tx, tenant, turn.revision, null);
      }
      return {
        ...told,
        revision: changes.length > 0 || turn.categories.made.length > 0 ? turn.revision : 0,
      };
    },

    async create(tx, tenant, row) {
      const { turn } = await take(tx, tenant, [row], {});
      const after = writeProduct(null, row, turn);
      return after instanceof Refusal ? after : keepOne(turn, null, after);
    },

    async change(tx, tenant, id, alter, row = {}) {
      const { turn, products } = await take(tx, tenant, [row], { ids: [id] });
      const [before] = products;
      if (!before) return null;
      const after = alter(before, turn);
      return after instanceof Refusal ? after : keepOne(turn, before, after);
    },

    async delete(tx, tenant, id) {
      const { turn, products } = await take(tx, tenant, [], { ids: [id] });
      const [product] = products;
      if (!product) return null;
      await deleteProduct(tx.sql, tenant, turn.revision, product);
      await setRevision(tx.sql, tenant, turn.revision);
      // There is no event of a deletion: to listeners, what is deleted is hidden for good.
      const detailOf = await details(
        turn,
        product.variants.map((variant) => variant.id),
      );
      const hidden = { ...product, is_active: false };
      const before = { record: product, detail: detailOf(product) };
      await tx.emit(tenant, productEvents(before, { record: hidden, detail: detailOf(hidden) }, 0));
      announce(tx, tenant, turn.revision, [product.id]);
      return turn.revision;
    },

    async tellStock(tx, tenant, id, crossed) {
      const { turn, products } = await take(tx, tenant, [], { ids: [id] });
      const [product] = products;
      if (!product?.published_at) return;
      const detailOf = await details(
        turn,
        product.variants.map(({ id }) => id),
      );
      const shown: Product = JSON.parse(detailOf(product));
      const events = crossed.flatMap(({ variant_id, before }) => {
        const variant = product.variants.find((each) => each.id === variant_id);
        return variant ? stockEvents(shown, variant, before, turn.profile.lowStockThreshold) : [];
      });
      await tx.emit(tenant, events);
    },
  };
};

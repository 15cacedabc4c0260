// Writes batches of products in one transaction of one tenant, with categories, events and the revision. Used by API
// handlers and ingestion.
import type { Product } from '#proto/gen/product.ts';
import { notFound, Refusal, type Tenant } from '#runtime/call/call.ts';
import type { Transaction } from '#runtime/postgres/database.ts';
import type { Clock } from '#runtime/process/clock.ts';
import { type ProductContext, type ProductRecord, type ProductRow, writeProduct } from './product.ts';
import { RowBatch, skusOf } from './product_batch.ts';
import { productEvents, stockEvents } from './product_event.ts';
import type { AnnounceProducts } from './product_write.ts';
import { ProductWrite, type WriteParts, type WrittenProduct } from './product_write.ts';
import type { Profiles } from './profile.ts';
import { deleteProduct, findSkus } from './table/product.ts';
import { setRevision } from './table/revision.ts';
import type { Statistics } from './table/statistic.ts';

export interface UpsertResult {
  readonly created: readonly string[];
  readonly updated: readonly string[];
  /** Products that their rows did not change; these alone create no revision. */
  readonly unchanged: readonly string[];
  readonly failed: readonly { readonly row: number; readonly refusal: Refusal }[];
  readonly revision: number;
}

export interface ProductStore {
  /**
   * Creates a product for each row, or changes the product with the row's `id` or `external_id`, which may come from an
   * earlier row. Only the final state is written and emitted. A bad row does not affect the others. The tenant's other
   * writes wait until the transaction ends, so a batch should have at most about 500 rows.
   */
  upsert(tx: Transaction, tenant: Tenant, rows: readonly ProductRow[]): Promise<UpsertResult>;
  create(tx: Transaction, tenant: Tenant, row: ProductRow): Promise<WrittenProduct | Refusal>;
  change(
    tx: Transaction,
    tenant: Tenant,
    id: string,
    alter: Alter,
    row?: ProductRow,
  ): Promise<WrittenProduct | Refusal | null>;
  delete(tx: Transaction, tenant: Tenant, id: string): Promise<number | null>;
  emitStockEvents(tx: Transaction, tenant: Tenant, product: string, crossed: readonly CrossedStock[]): Promise<void>;
}

export interface CrossedStock {
  readonly variant_id: string;
  readonly before: number;
}

type Alter = (before: ProductRecord, around: ProductContext) => ProductRecord | Refusal;

export const openProductStore = (
  { clock }: { readonly clock: Clock },
  profiles: Profiles,
  announce: AnnounceProducts,
  productsAdded: Statistics['productsAdded'] = () => {},
): ProductStore => {
  const parts: WriteParts = { clock, profiles, announce, productsAdded };

  return {
    async upsert(tx, tenant, rows) {
      const ids = rows.flatMap((row) => row.id?.toLowerCase() ?? []);
      const externalIds = rows.flatMap((row) => (row.id === undefined ? (row.external_id ?? []) : []));
      const { write, products } = await ProductWrite.begin(parts, { tx, tenant, rows, ids, externalIds });
      const owners = await findSkus(tx.sql, tenant, rows.flatMap(skusOf));

      const batch = new RowBatch(write, products, owners);
      for (const [at, row] of rows.entries()) {
        const before = batch.existing(row);
        if (row.id !== undefined && before === null) {
          batch.fail(at, notFound('product', 'id'));
          continue;
        }
        const resolved = await write.categories.resolve(tx.sql, tenant, write.revision, write.now, row);
        if (resolved instanceof Refusal) batch.fail(at, resolved);
        else batch.add(at, before, resolved);
      }
      const { changes, ...outcome } = batch.outcome();
      if (changes.length > 0) await write.save(changes);
      else if (write.categories.made.length > 0) {
        await setRevision(tx.sql, tenant, write.revision);
        write.announce(null);
      }
      return {
        ...outcome,
        revision: changes.length > 0 || write.categories.made.length > 0 ? write.revision : 0,
      };
    },

    async create(tx, tenant, row) {
      const { write } = await ProductWrite.begin(parts, { tx, tenant, rows: [row] });
      const after = writeProduct(null, row, write);
      return after instanceof Refusal ? after : write.saveOne(null, after);
    },

    async change(tx, tenant, id, alter, row = {}) {
      const { write, products } = await ProductWrite.begin(parts, { tx, tenant, rows: [row], ids: [id] });
      const [before] = products;
      if (!before) return null;
      const after = alter(before, write);
      return after instanceof Refusal ? after : write.saveOne(before, after);
    },

    async delete(tx, tenant, id) {
      const { write, products } = await ProductWrite.begin(parts, { tx, tenant, rows: [], ids: [id] });
      const [product] = products;
      if (!product) return null;
      await deleteProduct(tx.sql, tenant, write.revision, product);
      await setRevision(tx.sql, tenant, write.revision);
      // Emits `product.updated` with the product as inactive, because deletion has no event type.
      const detailOf = await write.details(product.variants.map((variant) => variant.id));
      const hidden = { ...product, is_active: false };
      await write.recordPrices([{ before: product, after: hidden }]);
      const before = { record: product, detail: detailOf(product) };
      await tx.emit(tenant, productEvents(before, { record: hidden, detail: detailOf(hidden) }, 0));
      tx.note({ before: before.detail });
      write.announce([product.id]);
      return write.revision;
    },

    async emitStockEvents(tx, tenant, id, crossed) {
      const { write, products } = await ProductWrite.begin(parts, { tx, tenant, rows: [], ids: [id] });
      const [product] = products;
      if (!product?.published_at) return;
      const detailOf = await write.details(product.variants.map(({ id }) => id));
      const shown: Product = JSON.parse(detailOf(product));
      const events = crossed.flatMap(({ variant_id, before }) => {
        const variant = product.variants.find((each) => each.id === variant_id);
        return variant ? stockEvents(shown, variant, before, write.profile.lowStockThreshold) : [];
      });
      await tx.emit(tenant, events);
    },
  };
};

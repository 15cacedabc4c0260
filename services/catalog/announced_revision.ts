// What is told of a revision once it is committed.
import type { Tenant } from '#runtime/call/call.ts';
import type { Transaction } from '#runtime/postgres/database.ts';
import type { CategoryRecord, ProductRecord } from './product.ts';
import type { VariantLevel } from './table/product_reader.ts';

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

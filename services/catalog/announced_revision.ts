// The announcement of a committed revision.
import type { Tenant } from '#runtime/call/call.ts';
import type { Transaction } from '#runtime/postgres/database.ts';
import type { CategoryRecord, ProductRecord } from './product.ts';
import type { VariantLevel } from './table/product_reader.ts';

/** Everything that a revision changed, so that memory need not read it back from Postgres. */
export interface RevisionContent {
  readonly products: readonly ProductRecord[];
  readonly categories: readonly CategoryRecord[];
  readonly levels?: readonly VariantLevel[];
}

/** `products` null: anything may have changed. */
export type AnnounceProducts = (
  tx: Transaction,
  tenant: Tenant,
  revision: number,
  products: readonly string[] | null,
  content?: RevisionContent,
) => void;

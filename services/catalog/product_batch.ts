// Applies a batch of rows to products in memory, before anything is written to Postgres. Pure.
import { Refusal, refuse } from '#runtime/call/call.ts';
import { nameKey } from '#values/text.ts';
import { type ProductContext, type ProductRecord, type ProductRow, writeProduct } from './product.ts';
import type { ProductChange } from './table/product.ts';

export interface RowsOutcome {
  readonly changes: readonly ProductChange[];
  readonly created: readonly string[];
  readonly updated: readonly string[];
  readonly unchanged: readonly string[];
  readonly failed: readonly { readonly row: number; readonly refusal: Refusal }[];
}

export class RowBatch {
  readonly #context: ProductContext;
  readonly #byId: Map<string, ProductRecord>;
  readonly #byExternalId: Map<string | null, ProductRecord>;
  /** Ids of the products that own article numbers, by `nameKey` of the number. */
  readonly #owners: Map<string, string>;
  readonly #changed = new Map<string, ProductChange>();
  readonly #created: string[] = [];
  readonly #updated: string[] = [];
  readonly #unchanged: string[] = [];
  readonly #failed: { row: number; refusal: Refusal }[] = [];

  constructor(context: ProductContext, products: readonly ProductRecord[], owners: Map<string, string>) {
    this.#context = context;
    this.#byId = new Map(products.map((product) => [product.id, product]));
    this.#byExternalId = new Map(products.map((product) => [product.external_id, product]));
    this.#owners = owners;
  }

  existing(row: ProductRow): ProductRecord | null {
    const found =
      row.id === undefined ? this.#byExternalId.get(row.external_id ?? '') : this.#byId.get(row.id.toLowerCase());
    return found ?? null;
  }

  fail(row: number, refusal: Refusal): void {
    this.#failed.push({ row, refusal });
  }

  add(at: number, before: ProductRecord | null, resolved: ProductRow): void {
    const after = writeProduct(before, resolved, this.#context);
    if (after instanceof Refusal) {
      this.fail(at, after);
      return;
    }
    const taken = claimSkus(this.#owners, before, after);
    if (taken) this.fail(at, taken);
    else if (after === before) this.#unchanged.push(after.id);
    else this.#note(before, after);
  }

  #note(before: ProductRecord | null, after: ProductRecord): void {
    (before ? this.#updated : this.#created).push(after.id);
    const first = this.#changed.get(after.id);
    this.#changed.set(after.id, { before: first ? first.before : before, after });
    this.#byId.set(after.id, after);
    if (after.external_id !== null) this.#byExternalId.set(after.external_id, after);
  }

  outcome(): RowsOutcome {
    return {
      changes: [...this.#changed.values()],
      created: this.#created,
      updated: this.#updated,
      unchanged: this.#unchanged,
      failed: this.#failed,
    };
  }
}

export const skusOf = (row: ProductRow): string[] =>
  [row.sku, ...(row.variants ?? []).map((variant) => variant.sku)].filter((sku) => typeof sku === 'string');

/**
 * Assigns the article numbers of `after` to its product; refuses a number that another product owns. Unchanged numbers
 * are not checked.
 */
export const claimSkus = (
  owners: Map<string, string>,
  before: ProductRecord | null,
  after: ProductRecord,
): Refusal | null => {
  const own = new Set<string>();
  const present = new Map(before?.variants.map(({ id, sku }) => [id, sku]));
  for (const [at, { id, sku }] of after.variants.entries()) {
    if (sku === null) continue;
    const key = nameKey(sku);
    const isTaken = own.has(key) || (owners.has(key) && owners.get(key) !== after.id);
    if (isTaken && present.get(id) !== sku) {
      const param = after.has_variants ? `variants[${at}].sku` : 'sku';
      return refuse('conflict', `The article number "${sku}" belongs to another variant. Choose another one.`, {
        param,
      });
    }
    own.add(key);
  }
  for (const { sku } of before?.variants ?? []) if (sku !== null) owners.delete(nameKey(sku));
  for (const key of own) owners.set(key, after.id);
  return null;
};

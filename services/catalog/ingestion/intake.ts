// Validates rows, writes a batch of them as products in one transaction, and counts the outcomes.

import { type TObject, type TSchema, Type } from '@sinclair/typebox';
import { Text } from '#proto/format.ts';
import type { IngestionError } from '#proto/gen/ingestion.ts';
import { UpdateProductRequest } from '#proto/gen/product_request.schema.ts';
import { compile, type Validate } from '#proto/validate.ts';
import type { Tenant } from '#runtime/call/call.ts';
import type { Transaction } from '#runtime/postgres/database.ts';
import type { ProductRow } from '#services/catalog/product.ts';
import type { UpsertResult } from '#services/catalog/product_store.ts';
import { mediaReferencesIn } from '#services/commerce/media_reference.ts';
import type { IngestionMode, RowCounts } from './job_table.ts';
import { BadRow } from './source_row.ts';

// Excludes Stoa's ids: a merchant's file identifies products by `external_id` and categories by name, and knows no versions.
const {
  id: _id,
  category_id: _category,
  subcategory_id: _subcategory,
  version: _version,
  ...shared
} = (UpdateProductRequest as TObject).properties;

export const ROW_FIELDS: Readonly<Record<string, TSchema>> = {
  external_id: Text({ minLength: 1, maxLength: 200 }),
  category: Type.Optional(Type.Union([Text({ maxLength: 1_000 }), Type.Null()])),
  ...shared,
};

const checkFields = compile({ request: Type.Object({ ...ROW_FIELDS }) });

/** Validates a row: reports its first invalid field and drops unknown fields. A row names pictures by URL alone. */
const checkRow: Validate = (row) => {
  const verdict = checkFields(row);
  const [reference] = verdict.ok ? mediaReferencesIn('Catalog/UpdateProduct', verdict.value) : [];
  if (reference === undefined) return verdict;
  const { path } = reference;
  return { ok: false, param: path, message: `\`${path}\` must be an http or https URL.` };
};

/** Writes rows as products; the last of several rows of the same product wins. */
export type WriteRows = (tx: Transaction, tenant: Tenant, rows: readonly ProductRow[]) => Promise<UpsertResult>;

export interface NumberedRow {
  readonly number: number;
  readonly row: Record<string, unknown> | BadRow;
}

export interface IngestedRows {
  readonly counts: RowCounts;
  readonly errors: readonly IngestionError[];
  /** External ids of all rows that have a readable one, failed rows included. */
  readonly named: readonly string[];
}

const textOf = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null);

interface CheckedRow {
  readonly number: number;
  readonly externalId: string | null;
  readonly product: ProductRow | null;
  readonly error: IngestionError | null;
}

const check = ({ number, row }: NumberedRow, mode: IngestionMode): CheckedRow => {
  const failed = (externalId: string | null, param: string | null, message: string): CheckedRow => ({
    number,
    externalId,
    product: null,
    error: { row: number, external_id: externalId, code: 'invalid_request', param, message },
  });
  if (row instanceof BadRow) return failed(row.externalId, row.param, row.message);
  const externalId = textOf(row.external_id);
  const verdict = checkRow(row);
  if (!verdict.ok) return failed(externalId, verdict.param || null, verdict.message);
  const product = verdict.value as ProductRow;
  // In a replacement, products of the document become active; an upsert changes only the fields that the row contains.
  const named = mode === 'replace' && product.is_active === undefined ? { ...product, is_active: true } : product;
  return { number, externalId, product: named, error: null };
};

export const ingestRows = async (
  tx: Transaction,
  tenant: Tenant,
  rows: readonly NumberedRow[],
  mode: IngestionMode,
  write: WriteRows,
): Promise<IngestedRows> => {
  const checked = rows.map((row) => check(row, mode));
  const errors: IngestionError[] = checked.flatMap(({ error }) => error ?? []);
  const counts = {
    rows_created: 0,
    rows_updated: 0,
    rows_unchanged: 0,
    rows_failed: errors.length,
    rows_deactivated: 0,
  };
  const good = checked.filter(({ product }) => product !== null);
  if (good.length > 0) {
    const done = await write(
      tx,
      tenant,
      good.map(({ product }) => product!),
    );
    counts.rows_created += done.created.length;
    counts.rows_updated += done.updated.length;
    counts.rows_unchanged += done.unchanged.length;
    counts.rows_failed += done.failed.length;
    for (const { row, refusal } of done.failed) {
      const { number, externalId } = good[row]!;
      const { code, message, extra } = refusal;
      errors.push({ row: number, external_id: externalId, code, param: extra.param ?? null, message });
    }
  }
  errors.sort((a, b) => a.row! - b.row!);
  return { counts, errors, named: checked.flatMap(({ externalId }) => externalId ?? []) };
};

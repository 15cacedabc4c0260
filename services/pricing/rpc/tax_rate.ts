// Handles the rpcs of tax rates.

import { randomUUIDv7 } from 'bun';
import type { StoreTaxRate, TaxRateRpcs } from '#proto/gen/tax_rate.ts';
import { foreignCursor, notFound, Refusal, type Tenant, tenantKey } from '#runtime/call/call.ts';
import { type Handlers, query, transaction } from '#runtime/domain/rpc.ts';
import type { Transaction } from '#runtime/postgres/database.ts';
import type { Sql } from '#runtime/postgres/sql.ts';
import type { Clock } from '#runtime/process/clock.ts';
import { changeTime, refuseOutdated } from '#services/commerce/record_version.ts';
import type { ReferenceCheck } from '#services/pricing/reference_check.ts';
import type { AnnouncePrices } from '#services/pricing/rule_cache.ts';
import { raiseRevision } from '#services/pricing/table/promotion.ts';
import {
  deleteTaxRate,
  findTaxRate,
  listTaxRates,
  lockTaxRate,
  saveTaxRate,
} from '#services/pricing/table/tax_rate.ts';
import { parseTaxRate, type TaxRateRecord, taxRateDocument } from '#services/pricing/tax_rate.ts';
import { decodeCursor, encodeCursor } from '#values/cursor.ts';

const LIMIT_DEFAULT = 20;

export const readTaxRate = async (sql: Sql, tenant: Tenant, id: string): Promise<StoreTaxRate | null> => {
  const found = await findTaxRate(sql, tenant, id);
  return found && taxRateDocument(found);
};

export const taxRateHandlers = (
  clock: Clock,
  references: ReferenceCheck,
  announce: AnnouncePrices,
): Handlers<TaxRateRpcs> => {
  const save = async (tx: Transaction, tenant: Tenant, record: TaxRateRecord): Promise<void> => {
    await saveTaxRate(tx.sql, tenant, record);
    await raiseRevision(tx.sql, tenant);
    announce(tx, tenant);
  };

  return {
    ListTaxRates: query(async (sql, { tenant }, { limit = LIMIT_DEFAULT, cursor }) => {
      const scope = JSON.stringify(['tax_rates', tenantKey(tenant)]);
      const keys = cursor === undefined ? null : decodeCursor(scope, cursor, ['time', 'id']);
      if (cursor !== undefined && keys === null) {
        return foreignCursor(cursor);
      }
      const after = keys && { createdAt: new Date(Number(keys[0])), id: String(keys[1]) };
      const page = await listTaxRates(sql, tenant, after, limit + 1);
      const rates = page.slice(0, limit);
      const last = page.length > limit ? rates[limit - 1]! : null;
      const next = last && encodeCursor(scope, [last.created_at.getTime(), last.id]);
      return {
        tax_rates: rates.map(taxRateDocument),
        pagination: { limit, has_more: next !== null, next_cursor: next },
      };
    }),

    CreateTaxRate: transaction(async (tx, call, input) => {
      const now = clock.now(call.tenant);
      const record = parseTaxRate(input, { id: randomUUIDv7(), created_at: now, updated_at: now });
      if (record instanceof Refusal) return record;
      const missing = await references.findMissingCategory(call, record.category_id, null);
      if (missing) return missing;
      await save(tx, call.tenant, record);
      return { tax_rate: taxRateDocument(record) };
    }),

    UpdateTaxRate: transaction(async (tx, call, { id, version, ...change }) => {
      const { tenant } = call;
      const before = await lockTaxRate(tx.sql, tenant, id);
      if (!before) return notFound('tax rate');
      const outdated = refuseOutdated('tax rate', before, version);
      if (outdated) return outdated;
      const updatedAt = changeTime(before, clock.now(tenant));
      const metadata = { id: before.id, created_at: before.created_at, updated_at: updatedAt };
      const record = parseTaxRate({ ...taxRateDocument(before), ...change }, metadata);
      if (record instanceof Refusal) return record;
      const missing = await references.findMissingCategory(call, record.category_id, before.category_id);
      if (missing) return missing;
      await save(tx, tenant, record);
      return { tax_rate: taxRateDocument(record) };
    }),

    DeleteTaxRate: transaction(async (tx, { tenant }, input) => {
      const id = input.id.toLowerCase();
      if (!(await deleteTaxRate(tx.sql, tenant, id))) return notFound('tax rate');
      await raiseRevision(tx.sql, tenant);
      announce(tx, tenant);
      return { deleted: true, id };
    }),
  };
};

// The door of tax rates.
import { randomUUIDv7 } from 'bun';
import type { TaxRateRpcs } from '#proto/gen/tax_rate.ts';
import { notFound, Refusal, refuse, type Tenant, tenantKey } from '#runtime/call/call.ts';
import { type Handlers, query, transaction } from '#runtime/domain/rpc.ts';
import type { Transaction } from '#runtime/postgres/database.ts';
import type { Clock } from '#runtime/process/clock.ts';
import type { AnnouncePrices } from '#services/pricing/announcement.ts';
import type { Existence } from '#services/pricing/existence.ts';
import { raiseRevision } from '#services/pricing/table/revision.ts';
import { deleteTaxRate, lockTaxRate, pageOfTaxRates, saveTaxRate } from '#services/pricing/table/tax_rate.ts';
import { readTaxRate, shown, type TaxRateRecord } from '#services/pricing/tax_rate.ts';
import { decodeCursor, encodeCursor } from '#values/cursor.ts';

const LIMIT_DEFAULT = 20;

export const taxRateHandlers = (clock: Clock, exists: Existence, announce: AnnouncePrices): Handlers<TaxRateRpcs> => {
  const keep = async (tx: Transaction, tenant: Tenant, record: TaxRateRecord): Promise<void> => {
    await saveTaxRate(tx.sql, tenant, record);
    await raiseRevision(tx.sql, tenant);
    announce(tx, tenant);
  };

  return {
    ListTaxRates: query(async (sql, { tenant }, { limit = LIMIT_DEFAULT, cursor }) => {
      const scope = JSON.stringify(['tax_rates', tenantKey(tenant)]);
      const keys = cursor === undefined ? null : decodeCursor(scope, cursor, ['time', 'id']);
      if (cursor !== undefined && keys === null) {
        return refuse('invalid_request', 'The cursor is not one of this list.', { param: 'cursor' });
      }
      const after = keys && { createdAt: new Date(Number(keys[0])), id: String(keys[1]) };
      const page = await pageOfTaxRates(sql, tenant, after, limit + 1);
      const rates = page.slice(0, limit);
      const last = page.length > limit ? rates[limit - 1]! : null;
      const next = last && encodeCursor(scope, [last.created_at.getTime(), last.id]);
      return { tax_rates: rates.map(shown), pagination: { limit, has_more: next !== null, next_cursor: next } };
    }),

    CreateTaxRate: transaction(async (tx, call, input) => {
      const now = clock.now(call.tenant);
      const record = readTaxRate(input, { id: randomUUIDv7(), created_at: now, updated_at: now });
      if (record instanceof Refusal) return record;
      const missing = await exists.category(call, record.category_id, null);
      if (missing) return missing;
      await keep(tx, call.tenant, record);
      return { tax_rate: shown(record) };
    }),

    UpdateTaxRate: transaction(async (tx, call, { id, ...change }) => {
      const { tenant } = call;
      const before = await lockTaxRate(tx.sql, tenant, id);
      if (!before) return notFound('tax rate');
      const frame = { id: before.id, created_at: before.created_at, updated_at: clock.now(tenant) };
      const record = readTaxRate({ ...shown(before), ...change }, frame);
      if (record instanceof Refusal) return record;
      const missing = await exists.category(call, record.category_id, before.category_id);
      if (missing) return missing;
      await keep(tx, tenant, record);
      return { tax_rate: shown(record) };
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

// Handlers of ExchangeRate: merchants set the rates at which they sell in other currencies.
import type { ExchangeRateRpcs, StoreExchangeRate } from '#proto/gen/exchange_rate.ts';
import { notFound, Refusal, type Tenant } from '#runtime/call/call.ts';
import { type Handlers, query, transaction } from '#runtime/domain/rpc.ts';
import type { Runtime } from '#runtime/domain/runtime.ts';
import type { Sql } from '#runtime/postgres/sql.ts';
import type { StoreCaches } from './cache.ts';
import { exchangeRateDocument, parseExchangeRate } from './exchange_rate.ts';
import { deleteExchangeRate, findExchangeRate, listExchangeRates, saveExchangeRate } from './table/exchange_rate.ts';
import { lockStore } from './table/store.ts';

export const readExchangeRate = async (
  sql: Sql,
  tenant: Tenant,
  currency: string,
): Promise<StoreExchangeRate | null> => {
  const found = await findExchangeRate(sql, tenant, currency.toUpperCase());
  return found && exchangeRateDocument(found);
};

export const exchangeRateHandlers = (
  { clock }: Pick<Runtime, 'clock'>,
  caches: StoreCaches,
): Handlers<ExchangeRateRpcs> => ({
  ListExchangeRates: query(async (sql, { tenant }) => ({
    exchange_rates: (await listExchangeRates(sql, tenant)).map(exchangeRateDocument),
  })),

  PutExchangeRate: transaction(async (tx, { tenant }, input) => {
    // Locks the store, so that a change of its currency comes before or after the rate.
    const store = await lockStore(tx.sql, tenant.store);
    if (store === null) return notFound('store');
    const record = parseExchangeRate(input, store.currency, clock.now(tenant));
    if (record instanceof Refusal) return record;
    await saveExchangeRate(tx.sql, tenant, record);
    await caches.invalidateAfterCommit(tx, tenant.store);
    return { exchange_rate: exchangeRateDocument(record) };
  }),

  DeleteExchangeRate: transaction(async (tx, { tenant }, input) => {
    const currency = input.currency.toUpperCase();
    if (!(await deleteExchangeRate(tx.sql, tenant, currency))) return notFound('exchange rate');
    await caches.invalidateAfterCommit(tx, tenant.store);
    return { deleted: true, id: currency };
  }),
});

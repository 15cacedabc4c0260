// SQL of exchange rates.
import type { Tenant } from '#runtime/call/call.ts';
import type { Sql } from '#runtime/postgres/sql.ts';
import type { ExchangeRateRecord } from '#services/store/exchange_rate.ts';

const columns = (sql: Sql) => sql`currency, base_currency, rate::float8 as rate, round_to, max_age_hours, updated_at`;

export const listExchangeRates = (
  sql: Sql,
  { store, environment }: Tenant,
): Promise<readonly ExchangeRateRecord[]> => sql<ExchangeRateRecord[]>`
  select ${columns(sql)} from store.exchange_rate
  where store = ${store} and environment = ${environment} order by currency`;

export const findExchangeRate = async (
  sql: Sql,
  { store, environment }: Tenant,
  currency: string,
): Promise<ExchangeRateRecord | null> => {
  const [found] = await sql<ExchangeRateRecord[]>`
    select ${columns(sql)} from store.exchange_rate
    where store = ${store} and environment = ${environment} and currency = ${currency}`;
  return found ?? null;
};

export const saveExchangeRate = async (
  sql: Sql,
  { store, environment }: Tenant,
  { currency, base_currency, rate, round_to, max_age_hours, updated_at }: ExchangeRateRecord,
): Promise<void> => {
  await sql`
    insert into store.exchange_rate (store, environment, currency, base_currency, rate, round_to, max_age_hours, updated_at)
    values (${store}, ${environment}, ${currency}, ${base_currency}, ${String(rate)}::numeric, ${round_to},
      ${max_age_hours}, ${updated_at})
    on conflict (store, environment, currency) do update set base_currency = excluded.base_currency,
      rate = excluded.rate, round_to = excluded.round_to, max_age_hours = excluded.max_age_hours,
      updated_at = excluded.updated_at`;
};

/** Returns false if there was none. */
export const deleteExchangeRate = async (
  sql: Sql,
  { store, environment }: Tenant,
  currency: string,
): Promise<boolean> => {
  const { count } = await sql`
    delete from store.exchange_rate
    where store = ${store} and environment = ${environment} and currency = ${currency}`;
  return count === 1;
};

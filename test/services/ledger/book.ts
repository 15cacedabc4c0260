// A book of a tenant's own on a real database, and the words in which tests speak of it.
import { randomUUID } from 'node:crypto';
import type { Tenant } from '#runtime/call/call.ts';
import type { Postgres, Transaction } from '#runtime/postgres/database.ts';
import { type ManualClock, manualClock } from '#runtime/process/clock.ts';
import { type Account, balanceOf, grantCredit, isBalanced, issueCard, trialBalance } from '#services/ledger/index.ts';
import { outboxEvents } from '#test/support/event.ts';
import { freshDatabase, openPostgres } from '#test/support/server.ts';
import { currencyOf } from '#values/currency.ts';

export interface Book {
  readonly postgres: Postgres;
  readonly clock: ManualClock;
  newTenant(): Tenant;
  run<T>(work: (tx: Transaction) => Promise<T>): Promise<T>;
  /** A card with an amount in minor units on it: its id and its code. */
  card(tenant: Tenant, amount: number, currency?: string, expiresAt?: Date): Promise<{ id: string; code: string }>;
  /** A customer with so much credit. */
  creditor(tenant: Tenant, amount: number): Promise<string>;
  balance(tenant: Tenant, kind: Account['kind'], subject: string, currency?: string): Promise<number>;
  balanced(tenant: Tenant): Promise<boolean>;
  events(tenant: Tenant): Promise<string[]>;
  close(): Promise<void>;
}

export const openBook = async (): Promise<Book> => {
  const database = await freshDatabase();
  const clock = manualClock(Date.parse('2026-06-01T12:00:00Z'));
  const postgres = openPostgres(database.url, { clock });
  const run: Book['run'] = (work) => postgres.transaction(work);
  return {
    postgres,
    clock,
    run,
    newTenant: () => ({ store: randomUUID(), environment: 'production' }),
    card: (tenant, amount, currency = 'USD', expiresAt) =>
      run((tx) =>
        issueCard(tx, tenant, { currency: currencyOf(currency), amount, expiresAt: expiresAt ?? null, customer: null }),
      ),
    creditor: async (tenant, amount) => {
      const customer = randomUUID();
      await run((tx) => grantCredit(tx, tenant, { reference: randomUUID(), customer, currency: 'USD', amount }));
      return customer;
    },
    balance: (tenant, kind, subject, currency = 'USD') => balanceOf(postgres.sql, tenant, { kind, subject }, currency),
    balanced: async (tenant) => {
      const lines = await trialBalance(postgres.sql, tenant);
      return lines.length > 0 && lines.every(isBalanced);
    },
    events: async ({ store }) => (await outboxEvents(postgres.sql, { store })).map(({ type }) => type),
    close: async () => {
      await postgres.close();
      await database.drop();
    },
  };
};

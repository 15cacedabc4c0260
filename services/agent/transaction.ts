// Functions for another domain's transaction: the transaction that places an order also marks its quote or intent as
// used.
import type { Tenant } from '#runtime/call/call.ts';
import type { Transaction } from '#runtime/postgres/database.ts';
import {
  type CompletedIntent,
  completeIntents,
  type IntentBuyer,
  setBuyer,
  type UsedQuote,
  useQuotes,
} from './table/offer.ts';

/** Returns false if a quote was used or has expired; the caller then rolls back. */
export const takeQuotes = async (tx: Transaction, tenant: Tenant, quotes: readonly UsedQuote[]): Promise<boolean> =>
  quotes.length === 0 || (await useQuotes(tx.sql, tenant, quotes, tx.clock.now(tenant))) === quotes.length;

/** Returns false if an intent was completed, cancelled, changed or has expired; the caller then rolls back. */
export const takeIntents = async (
  tx: Transaction,
  tenant: Tenant,
  intents: readonly CompletedIntent[],
): Promise<boolean> =>
  intents.length === 0 || (await completeIntents(tx.sql, tenant, intents, tx.clock.now(tenant))) === intents.length;

/** Writes the buyer in the order's transaction, so that a refused order leaves the intent unchanged. */
export const nameBuyer = async (
  { sql }: Transaction,
  tenant: Tenant,
  intent: string,
  { email = null, buyer = null }: IntentBuyer,
): Promise<void> => {
  if (email === null && buyer === null) return;
  const { first_name = null, last_name = null, phone = null } = buyer ?? {};
  await setBuyer(sql, tenant, intent, { email, buyer: buyer && { first_name, last_name, phone } });
};

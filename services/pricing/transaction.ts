// Counts uses of promotions inside another domain's transaction, so that an order and the uses commit together.
import type { Tenant } from '#runtime/call/call.ts';
import type { Transaction } from '#runtime/postgres/database.ts';
import { identitiesOf } from './customer.ts';
import {
  insertIdentity,
  insertUses,
  lockCounters,
  lockCountersOf,
  type PromotionAmount,
  type RefusedUse,
  releaseUses,
} from './table/use.ts';

export interface PromotionUse {
  readonly order: string;
  readonly customer: string | null;
  readonly emails: readonly string[];
  readonly promotions: readonly PromotionAmount[];
}

/**
 * Counts an order's uses once. Returns the promotions whose limit is reached; the caller must then roll back. Call this
 * last, because the counters stay locked until commit. Locking is a separate statement, because a statement does not
 * see rows that commit while it waits for a lock. Both statements are sent in one round trip.
 */
export const usePromotions = async (
  { sql, clock }: Transaction,
  tenant: Tenant,
  { order, customer, emails, promotions }: PromotionUse,
): Promise<readonly RefusedUse[]> => {
  if (promotions.length === 0) return [];
  const ids = promotions.map(({ promotion }) => promotion);
  const use = { order, identities: identitiesOf(customer, emails), promotions };
  const [, refused] = await Promise.all([
    lockCounters(sql, tenant, ids),
    insertUses(sql, tenant, use, clock.now(tenant)),
  ]);
  return refused;
};

export const releasePromotions = async ({ sql, clock }: Transaction, tenant: Tenant, order: string): Promise<void> => {
  await Promise.all([lockCountersOf(sql, tenant, order), releaseUses(sql, tenant, order, clock.now(tenant))]);
};

/** Counts the uses of these orders for their new owner, too. */
export const assignUsesToCustomer = (
  { sql }: Transaction,
  tenant: Tenant,
  orders: readonly string[],
  customer: string,
): Promise<void> => insertIdentity(sql, tenant, orders, customer);

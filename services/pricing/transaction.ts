// Uses of promotions inside another domain's transaction: the order that uses them counts them in its own commit.
import type { Tenant } from '#runtime/call/call.ts';
import type { Transaction } from '#runtime/postgres/database.ts';
import { identitiesOf } from './identity.ts';
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
  /** The account's and the order's. */
  readonly emails: readonly string[];
  readonly promotions: readonly PromotionAmount[];
}

/**
 * Counts an order's promotions once and returns those whose limit is reached, with which the caller rolls back. Best called
 * last: the counters are locked until the commit. They are locked by a statement of its own, since the snapshot of a statement
 * is older than its locks; both travel together.
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

/** Releases what an order used, once. */
export const releasePromotions = async ({ sql, clock }: Transaction, tenant: Tenant, order: string): Promise<void> => {
  await Promise.all([lockCountersOf(sql, tenant, order), releaseUses(sql, tenant, order, clock.now(tenant))]);
};

/** Counts the uses of orders for the customer whom they belong to from now on, too. */
export const nameUser = (
  { sql }: Transaction,
  tenant: Tenant,
  orders: readonly string[],
  customer: string,
): Promise<void> => insertIdentity(sql, tenant, orders, customer);

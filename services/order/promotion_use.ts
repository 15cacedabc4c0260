// Uses of promotions by orders, within the order's own transaction: pricing counts them in functions of its schema.
import type { AppliedPromotion } from '#proto/gen/shared.ts';
import { type Refusal, refuse, type Tenant } from '#runtime/call/call.ts';
import type { Transaction } from '#runtime/postgres/database.ts';
import type { Currency } from '#values/currency.ts';
import { fromMajor } from '#values/money.ts';

export interface Redeemed {
  readonly order: string;
  /** The normal address that a limit per customer counts. */
  readonly customer: string;
  readonly currency: Currency;
  readonly promotions: readonly AppliedPromotion[];
  /** Whether the price was promised before: what applied by itself then stays taken off. */
  readonly promised: boolean;
}

/** A promotion without a code reached its limit since the order was priced: it is priced once more, without it. */
export const AUTOMATIC_USED_UP = refuse('conflict', 'A promotion ended at this moment. Send the order again.', {
  retryAfterS: 1,
});

const OBSTACLES: Readonly<Record<string, string>> = {
  usage_limit: 'This promotion has been used as often as it can be.',
  usage_limit_per_customer: 'This customer has used this promotion as often as is allowed.',
};

/** Null: all of them are used, for as long as the transaction is committed. */
export const redeemPromotions = async (
  tx: Transaction,
  { store, environment }: Tenant,
  { order, customer, currency, promotions, promised }: Redeemed,
): Promise<Refusal | null> => {
  if (promotions.length === 0) return null;
  const obstacles = await tx.sql<{ promotion: string; obstacle: string }[]>`
    select promotion, obstacle from pricing.redeem(${store}, ${environment}, ${order}, ${customer},
      ${promotions.map(({ promotion_id }) => promotion_id)}::uuid[],
      ${promotions.map(({ amount }) => fromMajor(amount, currency))}::bigint[],
      ${tx.clock.now({ store, environment })})`;
  const codeOf = (promotion: string) => promotions.find(({ promotion_id }) => promotion_id === promotion)?.code ?? null;
  const obstacle = obstacles.find(({ promotion }) => codeOf(promotion) !== null);
  if (!obstacle) return obstacles.length === 0 || promised ? null : AUTOMATIC_USED_UP;
  return refuse('promotion_not_applicable', OBSTACLES[obstacle.obstacle] ?? 'This promotion cannot be used.', {
    param: 'promotion_codes',
    details: codeOf(obstacle.promotion)!,
  });
};

/** A cancelled order used nothing. */
export const releasePromotions = async (
  tx: Transaction,
  { store, environment }: Tenant,
  order: string,
): Promise<void> => {
  await tx.sql`
    select pricing.release(${store}, ${environment}, ${order}, ${tx.clock.now({ store, environment })})`;
};

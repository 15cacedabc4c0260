// Uses of promotions by orders, within the order's own transaction: pricing counts them in functions of its schema.
import type { AppliedPromotion } from '#proto/gen/shared.ts';
import { type Refusal, refuse, type Tenant } from '#runtime/call.ts';
import type { Transaction } from '#runtime/transaction.ts';
import type { Currency } from '#values/currency.ts';
import { fromMajor } from '#values/money.ts';

export interface Redeemed {
  readonly order: string;
  /** Whoever a limit per customer counts: an id, else an e-mail address. */
  readonly customer: string;
  readonly currency: Currency;
  readonly promotions: readonly AppliedPromotion[];
}

const OBSTACLES: Readonly<Record<string, string>> = {
  usage_limit: 'This promotion has been used as often as it can be.',
  usage_limit_per_customer: 'This customer has used this promotion as often as is allowed.',
};

/** Null: all of them are used, for as long as the transaction is committed. */
export const redeemPromotions = async (
  tx: Transaction,
  { store, environment }: Tenant,
  { order, customer, currency, promotions }: Redeemed,
): Promise<Refusal | null> => {
  if (promotions.length === 0) return null;
  const [obstacle] = await tx.sql<{ promotion: string; obstacle: string }[]>`
    select promotion, obstacle from pricing.redeem(${store}, ${environment}, ${order}, ${customer},
      ${promotions.map(({ promotion_id }) => promotion_id)}::uuid[],
      ${promotions.map(({ amount }) => fromMajor(amount, currency))}::bigint[],
      ${tx.clock.now({ store, environment })})`;
  if (!obstacle) return null;
  const { code } = promotions.find(({ promotion_id }) => promotion_id === obstacle.promotion)!;
  return refuse('promotion_not_applicable', OBSTACLES[obstacle.obstacle] ?? 'This promotion cannot be used.', {
    param: 'promotion_codes',
    ...(code ? { details: code } : {}),
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

// Uses of promotions by an order, and the refusals where one cannot be used.
import type { AppliedPromotion } from '#proto/gen/shared.ts';
import { type Refusal, refuse, type Tenant } from '#runtime/call/call.ts';
import type { Transaction } from '#runtime/postgres/database.ts';
import { type PromotionUse, usePromotions } from '#services/pricing/transaction.ts';
import type { Currency } from '#values/currency.ts';
import { fromMajor } from '#values/money.ts';

export interface UsedPromotions extends Pick<PromotionUse, 'order' | 'customer' | 'emails'> {
  readonly currency: Currency;
  readonly promotions: readonly AppliedPromotion[];
  /** Whether the price was promised before: what applied by itself then stays taken off. */
  readonly promised: boolean;
}

/** A promotion without a code reached its limit since the order was priced: it is priced once more, without it. */
export const AUTOMATIC_USED_UP = refuse('conflict', 'A promotion ended at this moment. Send the order again.', {
  retryAfterS: 1,
});

const LIMIT_MESSAGES: Readonly<Record<string, string>> = {
  usage_limit: 'This promotion has been used as often as it can be.',
  usage_limit_per_customer: 'This customer has used this promotion as often as is allowed.',
};

/** Returns null once all of them are counted in the transaction. */
export const redeemPromotions = async (
  tx: Transaction,
  tenant: Tenant,
  { currency, promotions, promised, ...buyer }: UsedPromotions,
): Promise<Refusal | null> => {
  const obstacles = await usePromotions(tx, tenant, {
    ...buyer,
    promotions: promotions.map(({ promotion_id, amount }) => ({
      promotion: promotion_id,
      amount: fromMajor(amount, currency),
    })),
  });
  const codeOf = (promotion: string) => promotions.find(({ promotion_id }) => promotion_id === promotion)?.code ?? null;
  const obstacle = obstacles.find(({ promotion }) => codeOf(promotion) !== null);
  if (!obstacle) return obstacles.length === 0 || promised ? null : AUTOMATIC_USED_UP;
  return refuse('promotion_not_applicable', LIMIT_MESSAGES[obstacle.obstacle] ?? 'This promotion cannot be used.', {
    param: 'promotion_codes',
    details: codeOf(obstacle.promotion)!,
  });
};

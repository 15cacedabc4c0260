// Redeems the promotions of an order, and refuses the order if a promotion can no longer be used.
import type { AppliedPromotion } from '#proto/gen/shared.ts';
import { type Refusal, refuse, type Tenant } from '#runtime/call/call.ts';
import type { Transaction } from '#runtime/postgres/database.ts';
import { type PromotionUse, usePromotions } from '#services/pricing/transaction.ts';
import type { Currency } from '#values/currency.ts';
import { fromMajor } from '#values/money.ts';

export interface UsedPromotions extends Pick<PromotionUse, 'order' | 'customer' | 'emails'> {
  readonly currency: Currency;
  readonly promotions: readonly AppliedPromotion[];
  /** True if a quote or intent promised the prices: an automatic promotion then applies even beyond its limit. */
  readonly promised: boolean;
}

/** Refusal for an automatic promotion that reached its limit after pricing; a retry is priced without the promotion. */
export const AUTOMATIC_USED_UP = refuse(
  'conflict',
  'An automatic promotion reached its limit meanwhile. Retry the order.',
  {
    retryAfterS: 1,
  },
);

const LIMIT_MESSAGES: Readonly<Record<string, string>> = {
  usage_limit: 'This promotion has reached its usage limit.',
  usage_limit_per_customer: 'This customer has reached the usage limit of this promotion.',
};

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

// Selects promotions by schedule, status and usage limits, independent of the basket.
import { type Conversion, convert } from '#values/exchange.ts';
import { AMOUNT_MAX } from '#values/money.ts';
import { normalCode } from '#values/text.ts';
import type { EnteredCode } from './basket.ts';
import type { PromotionRule } from './discount.ts';
import { type Obstacle, UNKNOWN_CODE, USED_BY_CUSTOMER, USED_UP } from './obstacle.ts';
import { hasEnded, type LoadedRule, type Rules, statusObstacle } from './rule_cache.ts';
import type { Uses } from './table/use.ts';

export interface CandidatePromotions {
  readonly automatic: readonly LoadedRule[];
  readonly codes: readonly EnteredCode[];
  readonly expiredCodes: readonly string[];
  readonly unusableCodes: readonly string[];
}

const usageObstacle = (
  { record, hasUsageLimit }: LoadedRule,
  uses: ReadonlyMap<string, Uses> | null,
): Obstacle | null => {
  if (!hasUsageLimit) return null;
  const counted = uses
    ? (uses.get(record.id) ?? { total: 0, byCustomer: 0 })
    : { total: record.times_used, byCustomer: 0 };
  if (record.usage_limit !== null && counted.total >= record.usage_limit) return USED_UP;
  if (record.usage_limit_per_customer !== null && counted.byCustomer >= record.usage_limit_per_customer) {
    return USED_BY_CUSTOMER;
  }
  return null;
};

/** Converts the amounts of a rule in the store's currency; a rule in another currency is returned as it is. */
export const ruleIn = (rule: PromotionRule, { from, to, ...rest }: Conversion): PromotionRule => {
  if (rule.currency !== from.code) return rule;
  const converted = (amount: number): number => convert(amount, { from, to, ...rest }) ?? AMOUNT_MAX;
  return {
    ...rule,
    currency: to.code,
    value: rule.type === 'fixed_amount' ? converted(rule.value) : rule.value,
    minimum: rule.minimum === null ? null : converted(rule.minimum),
  };
};

export const candidatePromotions = (
  rules: Rules,
  codes: readonly string[],
  now: number,
  uses: ReadonlyMap<string, Uses> | null,
): CandidatePromotions => {
  const obstacle = (rule: LoadedRule): Obstacle | null => statusObstacle(rule, now) ?? usageObstacle(rule, uses);
  const entries = new Map<string, EnteredCode>();
  const expired: string[] = [];
  const unusable: string[] = [];
  for (const code of codes) {
    const normal = normalCode(code);
    if (entries.has(normal)) continue;
    const rule = rules.byCode.get(normal);
    const found = rule ? (obstacle(rule) ?? rule) : UNKNOWN_CODE;
    entries.set(normal, { code, found });
    if (rule && found !== rule) unusable.push(code);
    if (rule && hasEnded(rule, now)) expired.push(code);
  }
  const automatic = rules.automatic.filter((rule) => obstacle(rule) === null);
  return { automatic, codes: [...entries.values()], expiredCodes: expired, unusableCodes: unusable };
};

export const rulesWithUsageLimit = (rules: Rules, codes: readonly string[], now: number): LoadedRule[] => {
  const entered = codes.map((code) => rules.byCode.get(normalCode(code)));
  return [...rules.automatic, ...entered].filter(
    (rule): rule is LoadedRule => rule?.hasUsageLimit === true && statusObstacle(rule, now) === null,
  );
};

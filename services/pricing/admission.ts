// Which promotions may apply at this moment, whatever the basket: by their time, their status and how often they were used.
import { normalCode } from '#values/typed_name.ts';
import type { Entry } from './basket.ts';
import { isOver, type LoadedRule, type Rules, standstill } from './memory.ts';
import { type Obstacle, UNKNOWN_CODE, USED_BY_CUSTOMER, USED_UP } from './obstacle.ts';
import type { Uses } from './table/use.ts';

export interface Admission {
  /** Without a code. */
  readonly automatic: readonly LoadedRule[];
  /** Each code once, however it was spelled. */
  readonly entries: readonly Entry[];
  /** Codes, as entered, whose promotion is over. */
  readonly expired: readonly string[];
  /** Codes, as entered, whose promotion cannot be used now, whatever the basket. */
  readonly unusable: readonly string[];
}

/** `uses` is null where they could not be counted: what was known must do. */
const usedUp = ({ record, limited }: LoadedRule, uses: ReadonlyMap<string, Uses> | null): Obstacle | null => {
  if (!limited) return null;
  const counted = uses ? (uses.get(record.id) ?? { total: 0, own: 0 }) : { total: record.times_used, own: 0 };
  if (record.usage_limit !== null && counted.total >= record.usage_limit) return USED_UP;
  if (record.usage_limit_per_customer !== null && counted.own >= record.usage_limit_per_customer) {
    return USED_BY_CUSTOMER;
  }
  return null;
};

export const admit = (
  rules: Rules,
  codes: readonly string[],
  now: number,
  uses: ReadonlyMap<string, Uses> | null,
): Admission => {
  const obstacle = (rule: LoadedRule): Obstacle | null => standstill(rule, now) ?? usedUp(rule, uses);
  const entries = new Map<string, Entry>();
  const expired: string[] = [];
  const unusable: string[] = [];
  for (const code of codes) {
    const normal = normalCode(code);
    if (entries.has(normal)) continue;
    const rule = rules.byCode.get(normal);
    const found = rule ? (obstacle(rule) ?? rule) : UNKNOWN_CODE;
    entries.set(normal, { code, found });
    if (rule && found !== rule) unusable.push(code);
    if (rule && isOver(rule, now)) expired.push(code);
  }
  const automatic = rules.automatic.filter((rule) => obstacle(rule) === null);
  return { automatic, entries: [...entries.values()], expired, unusable };
};

/** Those that may apply, of whose uses there is a limit. */
export const limitedRules = (rules: Rules, codes: readonly string[], now: number): LoadedRule[] => {
  const entered = codes.map((code) => rules.byCode.get(normalCode(code)));
  return [...rules.automatic, ...entered].filter(
    (rule): rule is LoadedRule => rule?.limited === true && standstill(rule, now) === null,
  );
};

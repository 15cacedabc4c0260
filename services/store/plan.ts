// Plans and what they admit: the specification's "Limits", with a store's own overrides.
import type { Environment } from '#runtime/call/call.ts';

export type Plan = 'starter' | 'growth' | 'premium' | 'enterprise';

/** How a store pays: what its limits and features follow from. */
export interface PlanStanding {
  readonly plan: Plan;
  /** A trial belongs to a plan whose quota it gets a fifth of. */
  readonly trial: boolean;
  readonly lapsed: boolean;
}

/** Requests admitted in each fixed window; 0 is not metered. */
export interface PlanAllowance {
  readonly key_hour: number;
  readonly key_day: number;
  readonly network_hour: number;
  readonly month: number;
}

/** A store's own limits; null is the plan's. */
export type LimitOverrides = { readonly [window in keyof PlanAllowance]: number | null };

export const NO_OVERRIDES: LimitOverrides = { key_hour: null, key_day: null, network_hour: null, month: null };

/** "By agreement": nothing is metered until a limit is set. */
export const UNMETERED: PlanAllowance = { key_hour: 0, key_day: 0, network_hour: 0, month: 0 };

const LIMITS: Readonly<Record<Plan, PlanAllowance>> = {
  starter: { key_hour: 10_000, key_day: 50_000, network_hour: 2_000, month: 100_000 },
  growth: { key_hour: 30_000, key_day: 150_000, network_hour: 5_000, month: 1_000_000 },
  premium: { key_hour: 150_000, key_day: 750_000, network_hour: 25_000, month: 5_000_000 },
  enterprise: UNMETERED,
};
const TRIAL_THROTTLE = { key_hour: 2_500, key_day: 10_000, network_hour: 2_000 };
const TRIAL_QUOTA_SHARE = 5;

/** The limits that hold for a store's keys of one environment. Test keys are throttled but use no monthly quota. */
export const limitsOf = (
  standing: PlanStanding,
  overrides: LimitOverrides,
  environment: Environment,
): PlanAllowance => {
  const { plan, trial } = standing;
  const own = LIMITS[plan];
  const limits = trial ? { ...TRIAL_THROTTLE, month: own.month / TRIAL_QUOTA_SHARE } : own;
  return {
    key_hour: overrides.key_hour ?? limits.key_hour,
    key_day: overrides.key_day ?? limits.key_day,
    network_hour: overrides.network_hour ?? limits.network_hour,
    month: environment === 'sandbox' ? 0 : (overrides.month ?? limits.month),
  };
};

/** What the command line calls a plan: `trial` is a trial of the smallest one. */
export const planNamed = (name: Plan | 'trial', trial = false): Pick<PlanStanding, 'plan' | 'trial'> =>
  name === 'trial' ? { plan: 'starter', trial: true } : { plan: name, trial };

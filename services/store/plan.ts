// Plans and their request limits, which a store's overrides can replace.
import type { Environment } from '#runtime/call/call.ts';

export type Plan = 'starter' | 'growth' | 'premium' | 'enterprise';

export interface SubscriptionState {
  readonly plan: Plan;
  /** Whether the store is on trial, with a fifth of its plan's monthly quota. */
  readonly trial: boolean;
  readonly lapsed: boolean;
}

/** Requests per window; 0 means unlimited. */
export interface PlanAllowance {
  readonly key_hour: number;
  readonly key_day: number;
  readonly network_hour: number;
  readonly month: number;
}

/** Overrides of the plan's limits; null keeps the plan's. */
export type LimitOverrides = { readonly [window in keyof PlanAllowance]: number | null };

export const NO_OVERRIDES: LimitOverrides = { key_hour: null, key_day: null, network_hour: null, month: null };

/** Limits of the enterprise plan: none, unless an override is set. */
export const UNMETERED: PlanAllowance = { key_hour: 0, key_day: 0, network_hour: 0, month: 0 };

const LIMITS: Readonly<Record<Plan, PlanAllowance>> = {
  starter: { key_hour: 10_000, key_day: 50_000, network_hour: 2_000, month: 100_000 },
  growth: { key_hour: 30_000, key_day: 150_000, network_hour: 5_000, month: 1_000_000 },
  premium: { key_hour: 150_000, key_day: 750_000, network_hour: 25_000, month: 5_000_000 },
  enterprise: UNMETERED,
};
const TRIAL_THROTTLE = { key_hour: 2_500, key_day: 10_000, network_hour: 2_000 };
const TRIAL_QUOTA_SHARE = 5;

/** Returns the limits of a key. Test keys have no monthly quota. */
export const limitsOf = (
  subscription: SubscriptionState,
  overrides: LimitOverrides,
  environment: Environment,
): PlanAllowance => {
  const { plan, trial } = subscription;
  const own = LIMITS[plan];
  const limits = trial ? { ...TRIAL_THROTTLE, month: own.month / TRIAL_QUOTA_SHARE } : own;
  return {
    key_hour: overrides.key_hour ?? limits.key_hour,
    key_day: overrides.key_day ?? limits.key_day,
    network_hour: overrides.network_hour ?? limits.network_hour,
    month: environment === 'sandbox' ? 0 : (overrides.month ?? limits.month),
  };
};

/** Converts a plan's name on the command line; `trial` is a trial of the smallest plan. */
export const planNamed = (name: Plan | 'trial', trial = false): Pick<SubscriptionState, 'plan' | 'trial'> =>
  name === 'trial' ? { plan: 'starter', trial: true } : { plan: name, trial };

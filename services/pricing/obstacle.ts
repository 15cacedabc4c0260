// Reasons for which a promotion does not apply, each with a code and a message.
import type { BasketCode } from '#proto/gen/pricing_directory.ts';

export interface Obstacle {
  readonly cause: BasketCode['cause'];
  readonly reason: string;
}

const obstacle = (cause: Obstacle['cause'], reason: string): Obstacle => ({ cause, reason });

export const UNKNOWN_CODE = obstacle('unknown', 'No promotion has this code.');
export const NOT_STARTED = obstacle('inactive', 'This promotion has not started yet.');
export const PAUSED = obstacle('inactive', 'This promotion is paused.');
export const ENDED = obstacle('expired', 'This promotion has ended.');
export const USED_UP = obstacle('used_up', 'This promotion has reached its usage limit.');
export const USED_BY_CUSTOMER = obstacle(
  'used_by_customer',
  'This customer has reached the usage limit of this promotion.',
);
export const BELOW_MINIMUM = obstacle('minimum_not_met', 'The basket is below the minimum amount of this promotion.');
export const NO_ELIGIBLE_ITEM = obstacle('not_applicable', 'No item in the basket is eligible for this promotion.');
export const OTHERS_SAVE_MORE = obstacle(
  'not_combinable',
  'Other promotions save more, and this promotion cannot be combined with them.',
);
export const NOTHING_TO_DISCOUNT = obstacle(
  'not_applicable',
  'This promotion saves nothing: every eligible item already costs 0.',
);

export const wrongCurrency = (currency: string): Obstacle =>
  obstacle('not_applicable', `This promotion applies to baskets in ${currency} only.`);

export const tooFewUnits = (needed: number): Obstacle =>
  obstacle('minimum_not_met', `This promotion needs at least ${needed} eligible units in the basket.`);

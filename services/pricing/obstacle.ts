// Why a promotion does not apply: for programs and for people.
import type { BasketCode } from '#proto/gen/pricing_directory.ts';

export interface Obstacle {
  readonly cause: BasketCode['cause'];
  readonly reason: string;
}

const obstacle = (cause: Obstacle['cause'], reason: string): Obstacle => ({ cause, reason });

export const UNKNOWN_CODE = obstacle('unknown', 'There is no promotion with this code.');
export const NOT_BEGUN = obstacle('inactive', 'This promotion has not begun yet.');
export const PAUSED = obstacle('inactive', 'This promotion cannot be used at the moment.');
export const ENDED = obstacle('expired', 'This promotion has ended.');
export const USED_UP = obstacle('used_up', 'This promotion has been used up.');
export const USED_BY_CUSTOMER = obstacle(
  'used_by_customer',
  'This customer has used this promotion as often as it may be used.',
);
export const BELOW_MINIMUM = obstacle('minimum_not_met', 'The basket is below the least amount of this promotion.');
export const OUTSIDE = obstacle('not_applicable', 'Nothing in the basket takes part in this promotion.');
export const OUTDONE = obstacle(
  'not_combinable',
  'Other promotions save more, and this one cannot be combined with them.',
);
export const NOTHING_LEFT = obstacle('not_applicable', 'There is nothing left that this promotion could be taken off.');

export const otherCurrency = (currency: string): Obstacle =>
  obstacle('not_applicable', `This promotion is for baskets in ${currency}.`);

export const fewerPieces = (needed: number): Obstacle =>
  obstacle('minimum_not_met', `This promotion needs ${needed} pieces of what takes part in it.`);

// The bound of all amounts: what is beyond it is refused, never rounded.
import { AMOUNT_MAX } from '#values/money.ts';

/** A basket is worth more than can be said exactly. */
export class AmountTooLarge extends RangeError {
  constructor() {
    super('The basket is worth too much to be priced.');
  }
}

export const bounded = (amount: number): number => {
  if (amount > AMOUNT_MAX) throw new AmountTooLarge();
  return amount;
};

// Limits every priced amount to AMOUNT_MAX: a larger one is refused, never rounded.
import { AMOUNT_MAX } from '#values/money.ts';

export class AmountTooLarge extends RangeError {
  constructor() {
    super('The basket exceeds the largest amount that can be priced. Order fewer units.');
  }
}

export const bounded = (amount: number): number => {
  if (amount > AMOUNT_MAX) throw new AmountTooLarge();
  return amount;
};

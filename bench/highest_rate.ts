// Searches the highest rate at which a condition holds.

const TRIES = 7;
/** Factor for a rate that did not hold for longer. */
const REDUCTION = 0.95;

/** Searches near `guess`; a rate that holds is confirmed by a longer run. 0 when no rate holds. */
export const highestRate = async (
  guess: number,
  holds: (perSecond: number, longer: boolean) => Promise<boolean>,
): Promise<number> => {
  // A second try rules out a chance disturbance: other load, or a collection of garbage.
  const keeps = async (perSecond: number) => (await holds(perSecond, false)) || holds(perSecond, false);
  let [low, high] = [0, guess];
  // A disturbed first guess must not bound the result.
  while (await keeps(high)) [low, high] = [high, high * 2];
  for (let tries = 0; tries < TRIES; tries++) {
    const middle = (low + high) / 2;
    if (await keeps(middle)) low = middle;
    else high = middle;
  }
  // Seven lucky runs are no capacity: the rate, or a little less, has to hold for longer.
  while (low > 0 && !(await holds(low, true))) low *= REDUCTION;
  return low;
};

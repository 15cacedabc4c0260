// Looks for the highest rate that keeps a promise, by asking of one after the other whether it does.

const TRIES = 7;
/** Of a rate that did not hold for longer after all. */
const A_LITTLE_LESS = 0.95;

/** `guess` is a rate near it; `longer`: what was found has to hold once more. 0 where no rate keeps it. */
export const highestKept = async (
  guess: number,
  holds: (perSecond: number, longer: boolean) => Promise<boolean>,
): Promise<number> => {
  // Once may be a neighbour, or a collection of garbage.
  const keeps = async (perSecond: number) => (await holds(perSecond, false)) || holds(perSecond, false);
  let [low, high] = [0, guess];
  // Whatever disturbed the guess, it is no bound.
  while (await keeps(high)) [low, high] = [high, high * 2];
  for (let tries = 0; tries < TRIES; tries++) {
    const middle = (low + high) / 2;
    if (await keeps(middle)) low = middle;
    else high = middle;
  }
  // Seven lucky moments are no capacity: what was found has to hold for longer, or a little less of it.
  while (low > 0 && !(await holds(low, true))) low *= A_LITTLE_LESS;
  return low;
};

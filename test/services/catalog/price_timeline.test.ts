// Holds the timeline of prices and the lowest price before a reduction against a naive oracle that looks at every minute.
import { expect, test } from 'vitest';
import { lowestBeforeReduction, type PricePeriod, timelineOf } from '#services/catalog/price_timeline.ts';

const SEED = Number(process.env.STOA_SEED ?? 20_261_129);
const HISTORIES = 2_000;
const STEP_MS = 86_400_000 / 2;
const STEPS = 160;
const PRIOR_STEPS = 60;

/** A linear congruential generator, so that a seed replays a run. */
const randomOf = (seed: number) => {
  let state = seed >>> 0;
  return (below: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
};

const randomPeriods = (random: (below: number) => number): PricePeriod[] => {
  const periods: PricePeriod[] = [];
  for (const list of [null, 'a', 'b']) {
    for (let at = random(40); at < STEPS; ) {
      const end = at + 1 + random(70);
      const price = list === null && random(12) === 0 ? null : 10 + random(8);
      const sale = list === null && random(2) === 0 ? 8 + random(10) : null;
      const selling = price === null ? sale : Math.min(price, sale ?? price);
      const isOpen = end >= STEPS && random(2) === 0;
      periods.push({
        product_id: 'p',
        variant_id: 'v',
        price_list_id: list,
        currency: 'EUR',
        price,
        selling_price: selling,
        starts_at: new Date(at * STEP_MS),
        ends_at: isOpen ? null : new Date(end * STEP_MS),
      });
      at = end + (random(3) === 0 ? 1 + random(30) : 0);
    }
  }
  return periods;
};

interface Seen {
  readonly selling: number;
  readonly regular: number | null;
}

/** Returns the price that a shopper sees in one step. */
const seenAt = (periods: readonly PricePeriod[], step: number): Seen | null => {
  const ms = step * STEP_MS;
  const applying = periods.filter((each) => +each.starts_at <= ms && (each.ends_at === null || +each.ends_at > ms));
  const own = applying.find((each) => each.price_list_id === null);
  const prices = applying.flatMap((each) => each.selling_price ?? []);
  return own === undefined || prices.length === 0 ? null : { selling: Math.min(...prices), regular: own.price };
};

const lowestBySteps = (periods: readonly PricePeriod[], now: number): number | null => {
  const seen = Array.from({ length: now + 1 }, (_, step) => seenAt(periods, step));
  const isReduced = (each: Seen | null): boolean =>
    each !== null && each.regular !== null && each.selling < each.regular;
  if (!isReduced(seen[now]!)) return null;
  let began = now;
  while (began > 0 && isReduced(seen[began - 1]!) && seen[began - 1]!.selling >= seen[began]!.selling) began--;
  const prior = seen.slice(Math.max(0, began - PRIOR_STEPS), began).flatMap((each) => each?.selling ?? []);
  return prior.length === 0 ? null : Math.min(...prior);
};

test(`tells the same prices and the same lowest one as a look at every step (STOA_SEED=${SEED})`, () => {
  const random = randomOf(SEED);
  let found = 0;
  for (let history = 0; history < HISTORIES; history++) {
    const periods = randomPeriods(random);
    const now = STEPS - 1 - random(30);
    const shown = timelineOf(periods, 'EUR', now * STEP_MS);
    for (let step = 0; step <= now; step++) {
      const ms = step * STEP_MS;
      const at = shown.filter(({ fromMs, toMs }) => fromMs <= ms && (toMs === null || toMs > ms));
      const seen = seenAt(periods, step);
      expect(at.map(({ selling, regular }) => ({ selling, regular }))).toEqual(seen === null ? [] : [seen]);
    }
    const lowest = lowestBeforeReduction(shown);
    expect(lowest, `history ${history} of seed ${SEED}`).toBe(lowestBySteps(periods, now));
    if (lowest !== null) found++;
  }
  expect(found).toBeGreaterThan(HISTORIES / 20);
});

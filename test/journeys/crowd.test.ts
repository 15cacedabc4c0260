// A crowd wants one thing, by every way in which it is sold: each piece is sold at once, and none besides, since no caller is
// refused while one is free.
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  type BuyOne,
  buyAtOnce,
  byOrder,
  closeCrowd,
  createScarceVariant,
  mixBuyers,
  openCrowd,
  sellRest,
  UNITS,
  wasOverloaded,
} from './crowd.ts';

const CALLERS = 200;
/** `STOA_WAVES=100` for more. */
const WAVES = Number(process.env.STOA_WAVES ?? 3);

beforeAll(openCrowd);
afterAll(() => closeCrowd());

const crowds: [string, (variant: string) => Promise<BuyOne[]>][] = [
  ['single orders', async () => Array<BuyOne>(CALLERS).fill(byOrder)],
  ['orders, carts, intents, purchase orders and checkouts over merchants', (variant) => mixBuyers(variant, CALLERS)],
];

test.each(crowds)('%s: of 200 callers 150 get one of 150 pieces', { timeout: 240_000 }, async (_, waysOf) => {
  for (let count = 0; count < WAVES; count++) {
    const variant = await createScarceVariant();
    const ways = await waysOf(variant);
    wasOverloaded();
    const sold = await buyAtOnce(variant, ways);
    if (!wasOverloaded()) expect(sold).toBe(UNITS);
    await sellRest(variant, UNITS - sold);
  }
});

// A crowd wants one thing, by every way in which it is sold: each piece is sold at once, and none besides, since no caller is
// refused while one is free.
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  allWays,
  byOrder,
  closeCrowd,
  openCrowd,
  PIECES,
  scarce,
  sweep,
  type Way,
  wasOverloaded,
  wave,
} from './crowd.ts';

const CALLERS = 200;
/** `STOA_WAVES=100` for more. */
const WAVES = Number(process.env.STOA_WAVES ?? 3);

beforeAll(openCrowd);
afterAll(() => closeCrowd());

const crowds: [string, (variant: string) => Promise<Way[]>][] = [
  ['single orders', async () => Array<Way>(CALLERS).fill(byOrder)],
  ['orders, carts, intents, purchase orders and checkouts over merchants', (variant) => allWays(variant, CALLERS)],
];

test.each(crowds)('%s: of 200 callers 150 get one of 150 pieces', { timeout: 240_000 }, async (_, waysOf) => {
  for (let count = 0; count < WAVES; count++) {
    const variant = await scarce();
    const ways = await waysOf(variant);
    wasOverloaded();
    const sold = await wave(variant, ways);
    if (!wasOverloaded()) expect(sold).toBe(PIECES);
    await sweep(variant, PIECES - sold);
  }
});

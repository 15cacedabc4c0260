// Generates the requests of a shop on an ordinary day: mostly catalogue reads, some searches, a few carts and shipping
// calculations.
import { cart } from './cart.ts';
import { detail, list } from './catalogue.ts';
import { pricing } from './pricing.ts';
import { Dice, type Prepare, type Scenario } from './scenario.ts';
import { search } from './search.ts';
import { shipping } from './shipping.ts';

/** Shares of a hundred requests. */
const SHARES: readonly (readonly [number, Prepare])[] = [
  [30, list],
  [35, detail],
  [15, search],
  [5, pricing],
  [5, shipping],
  [10, cart],
];

export const mixed: Prepare = async (filled) => {
  const dice = new Dice(8);
  const deck: Scenario[] = [];
  for (const [share, prepare] of SHARES) {
    const scenario = await prepare(filled);
    for (let card = 0; card < share; card++) deck.push(scenario);
  }
  return {
    path: '/v1/products',
    next: (connection) => dice.pick(deck).next(connection),
    expected: new Set(deck.flatMap(({ expected }) => [...expected])),
    reference: null,
  };
};

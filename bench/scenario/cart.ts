// Generates cart requests: each shopper fills a cart, or all shoppers want the same variant.
import { postRequest } from '#bench/load.ts';
import { bearer, Dice, type Prepare, SUCCESS } from './scenario.ts';

const CARTS = 20_000;
const add = (key: Record<string, string>, session: string, variant: string): Buffer =>
  postRequest('/v1/cart/items', { ...key, 'X-Session-Id': session }, `{"variant_id":"${variant}","quantity":1}`);

export const cart: Prepare = async ({ store, variants }) => {
  const dice = new Dice(5);
  const key = bearer(store.publishable_key);
  const run = crypto.randomUUID().slice(0, 8);
  return {
    path: '/v1/cart/items',
    next: () => add(key, `${run}-${dice.below(CARTS)}`, dice.pick(variants)),
    // A cart that holds all that there is of a piece refuses another.
    expected: new Set([...SUCCESS, 409]),
    reference: null,
  };
};

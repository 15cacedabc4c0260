// A crowd around one piece: everybody reads its page, one in ten puts it into a cart of their own.
import { getRequest, postRequest } from '#bench/load.ts';
import { bearer, Dice, type Prepare, SUCCESS } from './scenario.ts';

const BUYERS_SHARE = 0.1;

export const flashSale: Prepare = async ({ store, productIds, variants }) => {
  const dice = new Dice(7);
  const key = bearer(store.publishable_key);
  const run = crypto.randomUUID().slice(0, 8);
  const page = getRequest(`/v1/products/${productIds[0]}`, key);
  const body = `{"variant_id":"${variants[0]}","quantity":1}`;
  let buyers = 0;
  return {
    path: '/v1/cart/items',
    next: () =>
      dice.next() >= BUYERS_SHARE
        ? page
        : postRequest('/v1/cart/items', { ...key, 'X-Session-Id': `${run}-${buyers++}` }, body),
    expected: new Set([...SUCCESS, 409]),
    reference: null,
  };
};

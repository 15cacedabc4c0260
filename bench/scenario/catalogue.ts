// Shoppers who browse: pages of the list with their filters and sorts, and details, some of them often.
import { getRequest } from '#bench/load.ts';
import { bearer, Dice, type Prepare, prepared, SUCCESS } from './scenario.ts';

const REQUESTS = 5_000;
const SORTS = ['newest', 'price_asc', 'price_desc', 'name'];

export const list: Prepare = async ({ store }) => {
  const dice = new Dice(1);
  const key = bearer(store.publishable_key);
  const next = prepared(REQUESTS, () =>
    getRequest(`/v1/products?sort=${dice.pick(SORTS)}&min_price=${dice.below(200)}&limit=20`, key),
  );
  return { path: '/v1/products', next, expected: SUCCESS, reference: null };
};

export const detail: Prepare = async ({ store, productIds }) => {
  const dice = new Dice(2);
  const key = bearer(store.publishable_key);
  const next = prepared(REQUESTS, () => getRequest(`/v1/products/${dice.popular(productIds)}`, key));
  return { path: '/v1/products/:id', next, expected: SUCCESS, reference: null };
};

// Generates requests that price baskets of ten lines.
import { checkedPath } from '#bench/constant.ts';
import { postRequest } from '#bench/load.ts';
import { bearer, Dice, type Prepare, prepared, SUCCESS } from './scenario.ts';

const REQUESTS = 5_000;
const LINES = 10;
const QUANTITY_MAX = 20;
const PATH = '/v1/pricing/query';

export const pricing: Prepare = async ({ store, variants }) => {
  const dice = new Dice(4);
  const key = bearer(store.publishable_key);
  const body = (): string =>
    JSON.stringify({
      items: Array.from({ length: LINES }, () => ({
        variant_id: dice.pick(variants),
        quantity: 1 + dice.below(QUANTITY_MAX),
      })),
    });
  const next = prepared(REQUESTS, () => postRequest(PATH, key, body()));
  const one = body();
  return {
    path: PATH,
    next,
    expected: SUCCESS,
    reference: (bytes) => postRequest(checkedPath(PATH, bytes), key, one),
  };
};

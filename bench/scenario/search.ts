// Generates searches for words of real product names, with twenty hits and three facets. One query in five has a typing error.
import { checkedPath } from '#bench/constant.ts';
import { postRequest } from '#bench/load.ts';
import { bearer, Dice, type Prepare, prepared, SUCCESS } from './scenario.ts';

const REQUESTS = 5_000;
const PATH = '/v1/search';
const SLIP_SHARE = 0.2;
const WORD_LENGTH_MIN = 5;

/** Leaves out one letter. */
const slip = (word: string, dice: Dice): string => {
  const at = 1 + dice.below(word.length - 1);
  return word.slice(0, at) + word.slice(at + 1);
};

export const search: Prepare = async ({ store, words }) => {
  const dice = new Dice(3);
  const key = bearer(store.publishable_key);
  const word = (): string => {
    const found = dice.pick(words);
    return found.length >= WORD_LENGTH_MIN && dice.next() < SLIP_SHARE ? slip(found, dice) : found;
  };
  const body = (): string =>
    JSON.stringify({
      query: Array.from({ length: 1 + dice.below(3) }, word).join(' '),
      mode: 'text',
      facets: ['brand', 'category', 'price'],
      limit: 20,
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

// The HTTP status of a page, which tells search engines whether to list it. Pure.
import type { ScreenAddress } from '#edge/pages/storefront/address.ts';
import type { Answers } from '#edge/pages/storefront/answer.ts';
import type { ShopFrame } from '#edge/pages/storefront/client.ts';
import { categoryNamed } from '#edge/pages/storefront/listing.tsx';

/** Screens with a name below their path, and those without. */
const NAMED = new Set(['products', 'collections', 'categories', 'policies', 'account', 'orders']);
const UNNAMED = new Set(['', 'products', 'search', 'cart', 'account', 'checkout']);

const OK = 200;
const NOT_FOUND = 404;
const UNAVAILABLE = 503;

/** Returns the status of a screen that one answer decides. */
const answerStatus = (answers: Answers, name: string): number => {
  const problem = answers.problem(name);
  if (problem === null) return OK;
  return problem.status >= 400 && problem.status < 500 ? NOT_FOUND : UNAVAILABLE;
};

export const statusOf = ({ screen, name }: ScreenAddress, frame: ShopFrame, answers: Answers): number => {
  if (!(name === '' ? UNNAMED : NAMED).has(screen)) return NOT_FOUND;
  if (screen === 'products' && name !== '') return answerStatus(answers, `product/${name}`);
  if (screen === 'categories') return categoryNamed(frame, name) ? OK : NOT_FOUND;
  if (screen === 'policies') return frame.policies.some(({ type }) => type === name) ? OK : NOT_FOUND;
  if (screen === 'collections') {
    const found = answers.get<{ collection: object | null }>(`collection/${name}`);
    return found === null ? answerStatus(answers, `collection/${name}`) : found.collection ? OK : NOT_FOUND;
  }
  return OK;
};

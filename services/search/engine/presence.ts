// Whether anybody has a term: in postings the dead stand until they are packed away.
import { SLOT_SHIFT } from './posting.ts';
import { LIVE, type ProductIndex } from './product_index.ts';

/** Of terms in so many postings it is looked up whether any of their products lives. */
export const FEW = 10;

/** Some product that lives has it; of terms that many have nobody counts the dead. */
export const isThere = (index: ProductIndex, term: number): boolean => {
  if (term < 0) return false;
  const { postings, flags } = index;
  const count = postings.count(term);
  if (count > FEW || !index.hasDead) return count > 0;
  if (anyAlive(flags, postings.packed, postings.start(term), postings.end(term))) return true;
  const recent = postings.recent(term);
  const packing = postings.packing(term);
  return anyAlive(flags, recent.postings, 0, recent.size) || anyAlive(flags, packing.postings, 0, packing.size);
};

const anyAlive = (flags: Uint8Array, list: Uint32Array, from: number, to: number): boolean => {
  for (let at = from; at < to; at++) if (flags[list[at]! >>> SLOT_SHIFT]! & LIVE) return true;
  return false;
};

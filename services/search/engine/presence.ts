// Tests whether any product, or a full page of products, contains a term. Deleted products, whose postings remain until
// packed, are excluded only from small counts.
import { DOC_ID_SHIFT, IMPACT_MASK } from './dense_posting.ts';
import { LIVE, type ProductIndex } from './product_index.ts';

/** Deleted products are excluded only for terms with at most this many postings. */
export const FEW = 10;

export const hasProducts = (index: ProductIndex, term: number): boolean => {
  if (term < 0) return false;
  const { postings, flags } = index;
  const count = postings.count(term);
  if (count > FEW || !index.hasDeleted) return count > 0;
  if (hasLive(flags, postings.packed, postings.start(term), postings.end(term))) return true;
  const recent = postings.recent(term);
  const packing = postings.packing(term);
  return hasLive(flags, recent.postings, 0, recent.size) || hasLive(flags, packing.postings, 0, packing.size);
};

const hasLive = (flags: Uint8Array, list: Uint32Array, from: number, to: number): boolean => {
  for (let at = from; at < to; at++) if (flags[list[at]! >>> DOC_ID_SHIFT]! & LIVE) return true;
  return false;
};

/** Approximate impact of a word in a product's name; words in descriptions have less. */
const PROMINENT_IMPACT = 130;
export const PAGE = 20;
const PLENTY = 1_000;
const room = new Uint32Array(PLENTY);

export const fillsPage = ({ postings }: ProductIndex, term: number): boolean => {
  const count = postings.count(term);
  if (count < PAGE) return false;
  if (count > PLENTY) return true;
  const settled = postings.packedPostings(term, room);
  const recent = postings.recent(term);
  const packing = postings.packing(term);
  const loud =
    countProminent(settled, settled.length) +
    countProminent(recent.postings, recent.size) +
    countProminent(packing.postings, packing.size);
  return loud >= PAGE;
};

const countProminent = (list: Uint32Array, size: number): number => {
  let loud = 0;
  for (let at = 0; at < size && loud < PAGE; at++) if ((list[at]! & IMPACT_MASK) >= PROMINENT_IMPACT) loud++;
  return loud;
};

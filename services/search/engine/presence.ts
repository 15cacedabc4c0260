// Whether any product, or a page of products, has a term; postings retain deleted products until packed.
import { IMPACT_MASK, SLOT_SHIFT } from './posting_layout.ts';
import { LIVE, type ProductIndex } from './product_index.ts';

/** Only up to this frequency are deleted products checked. */
export const FEW = 10;

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

/** The impact of a word in a name, roughly; descriptions have less. */
const LOUD = 130;
export const PAGE = 20;
const PLENTY = 1_000;
const room = new Uint32Array(PLENTY);

export const fillsPage = ({ postings }: ProductIndex, term: number): boolean => {
  const count = postings.count(term);
  if (count < PAGE) return false;
  if (count > PLENTY) return true;
  const settled = postings.settled(term, room);
  const recent = postings.recent(term);
  const packing = postings.packing(term);
  const loud =
    loudOnes(settled, settled.length) +
    loudOnes(recent.postings, recent.size) +
    loudOnes(packing.postings, packing.size);
  return loud >= PAGE;
};

const loudOnes = (list: Uint32Array, size: number): number => {
  let loud = 0;
  for (let at = 0; at < size && loud < PAGE; at++) if ((list[at]! & IMPACT_MASK) >= LOUD) loud++;
  return loud;
};

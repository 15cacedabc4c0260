// Similarity of products to a query or to another product, as the proximity of vectors.

import type { CompactUints } from './compact_uint.ts';
import { DOC_ID_SHIFT } from './dense_posting.ts';
import { type DocIdSet, WORD_MASK, WORD_SHIFT } from './doc_id_set.ts';
import type { Matches, Score } from './match.ts';
import { ACTIVE, type ProductIndex } from './product_index.ts';
import { rank, ranked } from './ranking.ts';
import type { Vectors } from './vector.ts';

/** Similarity may change the order of this many best matches by words, and adds at most this share to a score. */
const RESCORED = 128;
const SHARE = 0.02;
/** Scores are integers, so that they compare exactly on every page. */
const SIMILARITY_SCALE = 1_000_000;
const SIMILARITY_MIN = 0.3;

let scores = new Int32Array(0);
const reserve = ({ docIdLimit }: ProductIndex): void => {
  if (docIdLimit > scores.length) scores = new Int32Array(Math.ceil(docIdLimit * 1.25));
};

/**
 * Raises each score at or above a threshold by up to `SHARE`. Later pages reuse the threshold, so that a product's
 * score does not depend on other products.
 */
export const rescore = (
  index: ProductIndex,
  vectors: Vectors,
  matches: Matches,
  place: Float32Array,
  pinned: number | null,
): { readonly matches: Matches; readonly threshold: number } => {
  const { set, score, bound } = matches;
  if (bound === null) return { matches, threshold: 0 };
  reserve(index);
  const ranks = rank(set, bound);
  const threshold = pinned ?? thresholdOf(set, ranks, score);
  vectors.setQuery(place);
  for (let at = 0; at < ranks; at++) {
    if (ranked.bounds[at]! < threshold) continue;
    const word = ranked.words[at]!;
    const first = (word << WORD_SHIFT) + WORD_MASK;
    for (let rest = set.bits[word]!; rest !== 0; rest &= rest - 1) {
      const docId = first - Math.clz32(rest & -rest);
      const own = pinned === null ? scores[docId]! : score(docId);
      const near = own < threshold || !vectors.has(docId) ? 0 : Math.max(0, vectors.similarity(docId));
      scores[docId] = Math.round(own * (1 + SHARE * near));
    }
  }
  const boosted = (docId: number): number => (bound(docId >>> WORD_SHIFT) < threshold ? score(docId) : scores[docId]!);
  const raisedBound = (word: number): number => {
    const own = bound(word);
    return own < threshold ? own : Math.ceil(own * (1 + SHARE * SIMILARITY_MAX));
  };
  return { matches: { ...matches, score: boosted, bound: raisedBound }, threshold };
};

const SIMILARITY_MAX = 1.5;

const best = new Int32Array(RESCORED);

const thresholdOf = ({ bits }: DocIdSet, ranks: number, score: Score): number => {
  const { words, bounds } = ranked;
  let size = 0;
  for (let at = 0; at < ranks; at++) {
    if (size === RESCORED && bounds[at]! < best[0]!) continue;
    const first = (words[at]! << WORD_SHIFT) + WORD_MASK;
    for (let rest = bits[words[at]!]!; rest !== 0; rest &= rest - 1) {
      const docId = first - Math.clz32(rest & -rest);
      const own = score(docId);
      scores[docId] = own;
      if (size < RESCORED) rise(size++, own);
      else if (own > best[0]!) sink(own);
    }
  }
  return size < RESCORED ? 1 : Math.max(1, best[0]!);
};

const rise = (place: number, score: number): void => {
  let at = place;
  for (; at > 0 && best[(at - 1) >> 1]! > score; at = (at - 1) >> 1) best[at] = best[(at - 1) >> 1]!;
  best[at] = score;
};

const sink = (score: number): void => {
  let at = 0;
  for (let child = 1; child < RESCORED; child = at * 2 + 1) {
    if (child + 1 < RESCORED && best[child + 1]! < best[child]!) child++;
    if (best[child]! >= score) break;
    best[at] = best[child]!;
    at = child;
  }
  best[at] = score;
};

export const nearest = (
  index: ProductIndex,
  vectors: Vectors,
  matches: Matches,
  place: Float32Array | null,
): Matches => {
  reserve(index);
  if (place !== null) vectors.setQuery(place);
  matches.set.filter((docId) => {
    const near = place !== null && vectors.has(docId) ? vectors.similarity(docId) : 0;
    if (near < SIMILARITY_MIN) return false;
    scores[docId] = Math.round(near * SIMILARITY_SCALE);
    return true;
  });
  return {
    ...matches,
    score: (docId) => scores[docId]!,
    bound: null,
    scoreMax: SIMILARITY_SCALE,
  };
};

const SHARED_VALUE = { subcategory: 0.4, category: 0.3, brand: 0.2 } as const;

const similarityTo = (index: ProductIndex, docId: number): ((other: number) => number) => {
  const { vectors, brand, category, subcategory } = index;
  if (vectors.has(docId)) {
    vectors.setQuery(vectors.vector(docId));
    return (other) => (vectors.has(other) ? vectors.similarity(other) : 0);
  }
  const shared = (values: CompactUints, other: number, share: number): number =>
    values[docId]! > 0 && values[docId] === values[other] ? share : 0;
  return (other) =>
    shared(subcategory, other, SHARED_VALUE.subcategory) +
    shared(category, other, SHARED_VALUE.category) +
    shared(brand, other, SHARED_VALUE.brand);
};

const docIdsOf = ({ postings }: ProductIndex, term: number): number[] => {
  const settled = postings.packedPostings(term, new Uint32Array(postings.packedCount(term)));
  const newer = [postings.packing(term), postings.recent(term)].map((each) => each.postings.subarray(0, each.size));
  return [settled, ...newer].flatMap((list) => Array.from(list, (posting) => posting >>> DOC_ID_SHIFT));
};

/**
 * Words are compared only up to this many postings, because every comparison scans all of them. Larger catalogues have
 * vectors.
 */
const WORDS_MAX = 50_000;
const SHARED_WORDS = 0.2;

const sharedWords = (index: ProductIndex, docId: number, most: number): ((other: number) => number) => {
  if (index.postings.size > WORDS_MAX) return () => 0;
  const shared = new Float64Array(index.docIdLimit);
  for (let term = 0; term < index.vocabulary.size; term++) {
    const docIds = docIdsOf(index, term);
    if (!docIds.includes(docId)) continue;
    const weight = Math.log(1 + index.size / docIds.length);
    for (const each of docIds) shared[each]! += weight;
  }
  const whole = shared[docId]!;
  return (other) => (whole > 0 ? (most * shared[other]!) / whole : 0);
};

export interface SimilarProduct {
  readonly id: string;
  readonly docId: number;
  readonly score: number;
}

export const similarTo = (index: ProductIndex, id: string, limit: number): SimilarProduct[] => {
  const docId = index.productIds.find(id.toLowerCase());
  if (docId < 0) return [];
  const near = mostSimilar(index, docId, similarityTo(index, docId), limit);
  if (near.length < limit) {
    const known = new Set(near.map((each) => each.docId));
    const words = sharedWords(index, docId, Math.min(SHARED_WORDS, near.at(-1)?.score ?? 1));
    near.push(...mostSimilar(index, docId, (other) => (known.has(other) ? 0 : words(other)), limit - near.length));
  }
  return near.map((each) => ({
    id: index.productIds.id(each.docId),
    docId: each.docId,
    score: Math.min(1, Math.round(each.score * 10_000) / 10_000),
  }));
};

const mostSimilar = (
  index: ProductIndex,
  docId: number,
  likeness: (other: number) => number,
  limit: number,
): { docId: number; score: number }[] => {
  const near: { docId: number; score: number }[] = [];
  for (let other = 0; other < index.docIdLimit; other++) {
    if ((index.flags[other]! & ACTIVE) === 0 || other === docId) continue;
    const score = likeness(other);
    if (score <= 0 || (near.length === limit && score <= near[near.length - 1]!.score)) continue;
    let at = near.findIndex((each) => score > each.score);
    if (at < 0) at = near.length;
    near.splice(at, 0, { docId: other, score });
    if (near.length > limit) near.pop();
  }
  return near;
};

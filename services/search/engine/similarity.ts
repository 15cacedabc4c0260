// Scores by meaning: how near products are to a place in the space of meanings.
import type { Matches } from './match.ts';
import { SLOT_SHIFT } from './posting.ts';
import { ACTIVE, type ProductIndex } from './product_index.ts';

/** So many of the best by words may change places by meaning. */
const RESCORED = 128;
/** What meaning adds at most, as a share of the score by words. */
const SHARE = 0.02;
/** Scores by meaning alone are fine-grained integers, so that they compare exactly on every page. */
export const SIMILARITY_SCALE = 1_000_000;
/** Whoever is less near is about something else. */
const SIMILARITY_MIN = 0.3;

const histogram = new Uint32Array(1 << 12);

/**
 * Raises the best scores by up to `SHARE`. Scores from the threshold on are raised and the others are not, so that a
 * score depends on its own product alone: a page behind this one asks with the same threshold.
 */
export const rescore = (
  index: ProductIndex,
  { slots, size, scores }: Matches,
  place: Float32Array,
  pinned: number | null,
): number => {
  const threshold = pinned ?? thresholdOf(slots, size, scores);
  const { vectors } = index;
  vectors.aim(place);
  for (let at = 0; at < size; at++) {
    const slot = slots[at]!;
    const score = scores[slot]!;
    if (score < threshold || !vectors.has(slot)) continue;
    const near = Math.max(0, vectors.similarity(slot));
    scores[slot] = Math.round(score * (1 + SHARE * near));
  }
  return threshold;
};

/** About the score of the 128th best. */
const thresholdOf = (slots: Uint32Array, size: number, scores: Int32Array): number => {
  if (size <= RESCORED) return 1;
  let max = 1;
  for (let at = 0; at < size; at++) max = Math.max(max, scores[slots[at]!]!);
  const scale = (histogram.length - 1) / max;
  histogram.fill(0);
  for (let at = 0; at < size; at++) histogram[(scores[slots[at]!]! * scale) | 0]!++;
  let seen = 0;
  let bin = histogram.length - 1;
  for (; bin > 0; bin--) {
    seen += histogram[bin]!;
    if (seen >= RESCORED) break;
  }
  return Math.max(1, Math.ceil(bin / scale));
};

/** Of these, every product near enough. */
export const nearest = (index: ProductIndex, matches: Matches, place: Float32Array | null): Matches => {
  const { slots, size, scores } = matches;
  const { vectors } = index;
  let kept = 0;
  if (place !== null) vectors.aim(place);
  for (let at = 0; at < size && place !== null; at++) {
    const slot = slots[at]!;
    if (!vectors.has(slot)) continue;
    const near = vectors.similarity(slot);
    if (near < SIMILARITY_MIN) continue;
    scores[slot] = Math.round(near * SIMILARITY_SCALE);
    slots[kept++] = slot;
  }
  return { ...matches, size: kept, scoreMax: SIMILARITY_SCALE };
};

/** What sharing a value says of two products while nothing is known of meanings. */
const KINSHIP = { subcategory: 0.4, category: 0.3, brand: 0.2 } as const;

/** How like a product the others are: by meaning, or by their places in the shop where no meanings are known. */
const likenessTo = (index: ProductIndex, slot: number): ((other: number) => number) => {
  const { vectors, brand, category, subcategory } = index;
  if (vectors.has(slot)) {
    vectors.aim(vectors.place(slot));
    return (other) => (vectors.has(other) ? vectors.similarity(other) : 0);
  }
  const shared = (values: Uint32Array, other: number, share: number): number =>
    values[slot]! > 0 && values[slot] === values[other] ? share : 0;
  return (other) =>
    shared(subcategory, other, KINSHIP.subcategory) +
    shared(category, other, KINSHIP.category) +
    shared(brand, other, KINSHIP.brand);
};

/** Where a term stands, dead slots too. */
const standsIn = ({ postings }: ProductIndex, term: number): number[] => {
  const { postings: newest, size } = postings.recent(term);
  const packed = postings.packed.subarray(postings.start(term), postings.end(term));
  return [...packed, ...newest.subarray(0, size)].map((posting) => posting >>> SLOT_SHIFT);
};

/** In larger catalogues meanings are known, and going through all words would take too long. */
const WORDS_MAX = 50_000;
/** What having all the words of a product says of another one. */
const SHARED_WORDS = 0.2;

/** How much of a product's words the others have, the rarer ones counting more; up to `most`. */
const sharedWords = (index: ProductIndex, slot: number, most: number): ((other: number) => number) => {
  if (index.postings.size > WORDS_MAX) return () => 0;
  const shared = new Float64Array(index.slots);
  for (let term = 0; term < index.vocabulary.size; term++) {
    const slots = standsIn(index, term);
    if (!slots.includes(slot)) continue;
    const weight = Math.log(1 + index.size / slots.length);
    for (const each of slots) shared[each]! += weight;
  }
  const whole = shared[slot]!;
  return (other) => (whole > 0 ? (most * shared[other]!) / whole : 0);
};

/** Active products most like this one; none where it is not known. */
export const similarTo = (index: ProductIndex, id: string, limit: number): { id: string; score: number }[] => {
  const slot = index.identities.find(id.toLowerCase());
  if (slot < 0) return [];
  const near = mostLike(index, slot, likenessTo(index, slot), limit);
  // A young catalogue has no meanings, or only such as say nothing of this product: then its words go on.
  if (near.length < limit) {
    const known = new Set(near.map((each) => each.slot));
    const words = sharedWords(index, slot, Math.min(SHARED_WORDS, near.at(-1)?.score ?? 1));
    near.push(...mostLike(index, slot, (other) => (known.has(other) ? 0 : words(other)), limit - near.length));
  }
  return near.map((each) => ({
    id: index.identities.id(each.slot),
    score: Math.min(1, Math.round(each.score * 10_000) / 10_000),
  }));
};

const mostLike = (
  index: ProductIndex,
  slot: number,
  likeness: (other: number) => number,
  limit: number,
): { slot: number; score: number }[] => {
  const near: { slot: number; score: number }[] = [];
  for (let other = 0; other < index.slots; other++) {
    if ((index.flags[other]! & ACTIVE) === 0 || other === slot) continue;
    const score = likeness(other);
    if (score <= 0 || (near.length === limit && score <= near[near.length - 1]!.score)) continue;
    let at = near.findIndex((each) => score > each.score);
    if (at < 0) at = near.length;
    near.splice(at, 0, { slot: other, score });
    if (near.length > limit) near.pop();
  }
  return near;
};

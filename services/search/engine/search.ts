// Runs one search: interpretation, matching, filters, facets, order and page.
import { type Facet, type FacetCounter, openCounters } from './facet.ts';
import { type Dimension, dimensionsOf, type Filters, type Test } from './filter.ts';
import { type Matches, match, matchAll, matchAny, type Pins } from './match.ts';
import { orderOf, type ResultPosition, type ResultSort, Selection } from './order.ts';
import type { ProductIndex } from './product_index.ts';
import { type Correction, type Meaning, understand } from './query.ts';
import { nearest, rescore } from './similarity.ts';
import { SlotSet, wordsFor } from './slot_set.ts';
import { matchVariants, type VariantMatch } from './variant_match.ts';
import type { Vectors } from './vector.ts';

export type SearchMode = 'text' | 'semantic' | 'hybrid';

export interface SearchRequest {
  readonly text: string;
  readonly mode: SearchMode;
  readonly filters: Filters;
  readonly facets: readonly string[];
  readonly sort: ResultSort;
  readonly limit: number;
  readonly everything: boolean;
  readonly after: SearchCursor | null;
  /** The query's embedding; undefined to derive it from terms. */
  readonly place?: Float32Array | null;
}

export interface SearchCursor {
  readonly place: ResultPosition;
  readonly pins: Pins;
  readonly threshold: number;
  readonly semantic: boolean;
  /** The space that similarity used. */
  readonly space: number;
}

export interface Hit {
  readonly id: string;
  readonly score: number;
}

export interface Result {
  readonly hits: readonly Hit[];
  readonly slots: readonly number[];
  readonly facets: readonly Facet[];
  readonly corrections: readonly Correction[];
  readonly total: number;
  readonly next: SearchCursor | null;
}

export const search = (index: ProductIndex, domainClient: SearchRequest): Result => {
  const { text, mode, everything, after } = domainClient;
  if (text.trim() === '') {
    return page(index, domainClient, matchAll(index, everything), [], BY_WORDS);
  }
  const meaning = understand(index, text);
  const { corrections } = meaning;
  const byMeaning = after ? after.semantic : mode === 'semantic';
  const space = after ? index.spaces.find(after.space) : index.vectors;
  const meant = byMeaning ? placeOf(space, domainClient, meaning) : null;
  // Falls back to words where similarity is unknown.
  if (meant === null && !after?.semantic) {
    const matches = match(index, meaning, everything, after?.pins ?? null);
    if (mode !== 'hybrid' || after || matches.set.size > 0) {
      // A search that started without similarity continues without it.
      const raises = mode === 'hybrid' && domainClient.sort === 'relevance' && after?.threshold !== 0;
      const place = raises ? placeOf(space, domainClient, meaning) : null;
      if (place === null) return page(index, domainClient, matches, corrections, BY_WORDS);
      const { matches: raised, threshold } = rescore(index, space, matches, place, after?.threshold ?? null);
      return page(index, domainClient, raised, corrections, { threshold, semantic: false, space: space.mark });
    }
  }
  // No product matches half of the words: compares products with any of them; by similarity alone, all products.
  const { wants } = meaning;
  const any = after ? after.pins.relaxed : mode === 'hybrid' && wants.length > 0;
  const place = meant ?? placeOf(space, domainClient, meaning);
  const among = any || place === null ? matchAny(index, wants, everything) : matchAll(index, everything);
  const pins = { ...among.pins, weights: after?.pins.weights ?? wants.map(({ weight }) => weight) };
  const matches = { ...nearest(index, space, among, place), pins };
  return page(index, domainClient, matches, corrections, { threshold: 0, semantic: true, space: space.mark });
};

type Begun = Pick<SearchCursor, 'threshold' | 'semantic' | 'space'>;

const BY_WORDS: Begun = { threshold: 0, semantic: false, space: 0 };

/** Uses the first page's weights, although terms' frequencies may have changed. */
const placeOf = (space: Vectors, { place, after }: SearchRequest, { wants }: Meaning): Float32Array | null => {
  if (place !== undefined) return place;
  const terms = wants.flatMap(({ weight, alternatives }, at) =>
    alternatives
      .slice(0, TERMS_OF_A_WANT)
      .map(({ term, factor }) => ({ term, weight: (after?.pins.weights[at] ?? weight) * factor })),
  );
  return space.locate(terms);
};

const TERMS_OF_A_WANT = 4;
const SEMANTIC_MAX = 1_000;

const page = (
  index: ProductIndex,
  domainClient: SearchRequest,
  matches: Matches,
  corrections: readonly Correction[],
  begun: Begun,
): Result => {
  const { limit, sort, after } = domainClient;
  const variants = matchVariants(index, domainClient.filters, domainClient.facets);
  const dimensions = dimensionsOf(index, domainClient.filters, variants?.judges);
  const counters = openCounters(index, domainClient.facets);
  const { set, score, bound } = matches;
  const near = begun.semantic
    ? nearestOnly(index, matches, (slot) => failedAt(dimensions, slot) === PASSED && passesVariants(variants, slot))
    : null;
  keepPassing(set, dimensions, near, variants, {
    slots: (failed, slots, size) => {
      const { key } = dimensions[failed]!;
      for (const [at, counter] of counters.entries()) if (domainClient.facets[at] === key) counter.count(slots, size);
    },
    variants: (slot, failed) => {
      for (const [at, counter] of counters.entries()) {
        const key = domainClient.facets[at]!;
        if (failed === PASSED || dimensions[failed]!.key === key) variants?.count(slot, key, counter);
      }
    },
  });
  const total = set.count;
  if (counters.length > 0) countAll(index, set, total, counters, domainClient.everything, variants);
  const selection = new Selection(index, orderOf(index, sort, score), limit + 1, after?.place ?? null);
  if (sort === 'relevance' && bound !== null) selection.offerBest(set, bound);
  else selection.offerAll(set);
  const { slots: best, keys, size } = selection;
  const scored = sort === 'relevance' ? (at: number) => keys[at]! : (at: number) => score(best[at]!);
  const shown = Math.min(size, limit);
  const slots: number[] = [];
  for (let at = 0; at < shown; at++) slots.push(best[at]!);
  const scoreMax = matches.scoreMax || 1;
  return {
    hits: index.identities.idsOf(best, shown).map((id, at) => ({
      id,
      score: Math.max(0, Math.min(1, Math.round((scored(at) / scoreMax) * 10_000) / 10_000)),
    })),
    slots,
    facets: counters.map((counter) => counter.facet()),
    corrections,
    total,
    next: size > limit && shown > 0 ? { place: selection.place(best[shown - 1]!), pins: matches.pins, ...begun } : null,
  };
};

/** Counts the complement if the set is most of the visible products. */
const countAll = (
  index: ProductIndex,
  set: SlotSet,
  total: number,
  counters: readonly FacetCounter[],
  everything: boolean,
  variants: VariantMatch | null,
): void => {
  if (variants !== null) {
    // Products tested by variant are already counted.
    const slots = slotsRoom(total);
    set.read(slots);
    let size = 0;
    for (let at = 0; at < total; at++) if (!variants.judges(slots[at]!)) slots[size++] = slots[at]!;
    for (const counter of counters) counter.count(slots, size);
    return;
  }
  const most = !everything && total * 2 > index.census.size;
  const bySlot = counters.filter(({ countSet, countOthers }) => !countSet && !(most && countOthers));
  const byOthers = counters.filter(({ countOthers }) => most && countOthers);
  for (const { countSet } of counters) countSet?.(set);
  if (bySlot.length > 0) {
    const slots = slotsRoom(total);
    set.read(slots);
    for (const counter of bySlot) counter.count(slots, total);
  }
  if (byOthers.length > 0) {
    others.becomeRest(index.active, wordsFor(index.slots), set);
    const size = others.count;
    const slots = slotsRoom(size);
    others.read(slots);
    for (const counter of byOthers) counter.countOthers!(slots, size);
  }
};

const others = new SlotSet();

let counted = new Uint32Array(0);
const slotsRoom = (size: number): Uint32Array => {
  if (size > counted.length) counted = new Uint32Array(Math.ceil(size * 1.25));
  return counted;
};

interface CountedProducts {
  readonly slots: (dimension: number, slots: Uint32Array, size: number) => void;
  readonly variants: (slot: number, failed: number) => void;
}

const passesVariants = (variants: VariantMatch | null, slot: number): boolean =>
  variants === null || !variants.judges(slot) || variants.passes(slot);

/** Reports products that fail one dimension alone, which that dimension's facet counts. */
const keepPassing = (
  set: SlotSet,
  dimensions: readonly Dimension[],
  near: Test | null,
  variants: VariantMatch | null,
  tell: CountedProducts,
): void => {
  if (dimensions.length === 0 && near === null) return;
  const failing = dimensions.map((): number[] => []);
  set.filter((slot) => {
    const failed = near === null || near(slot) ? failedAt(dimensions, slot) : OUT;
    if (variants?.judges(slot) && failed !== OUT) {
      tell.variants(slot, failed);
      return failed === PASSED && variants.passes(slot);
    }
    if (failed >= 0) failing[failed]!.push(slot);
    return failed === PASSED;
  });
  for (const [at, each] of failing.entries()) tell.slots(at, Uint32Array.from(each), each.length);
};

const PASSED = -1;
const OUT = -2;

const failedAt = (dimensions: readonly Dimension[], slot: number): number => {
  let failed = PASSED;
  for (let at = 0; at < dimensions.length; at++) {
    if (dimensions[at]!.test(slot)) continue;
    if (failed !== PASSED) return OUT;
    failed = at;
  }
  return failed;
};

/** Limits a semantic search to its thousand nearest products; null if fewer match. */
const nearestOnly = ({ createdAt, identities }: ProductIndex, { set, score }: Matches, passes: Test): Test | null => {
  const size = set.count;
  if (size <= SEMANTIC_MAX) return null;
  const slots = slotsRoom(size);
  set.read(slots);
  const passing: number[] = [];
  for (let at = 0; at < size; at++) {
    const slot = slots[at]!;
    if (passes(slot)) passing.push(slot);
  }
  if (passing.length <= SEMANTIC_MAX) return null;
  const scores = passing.map(score).sort((a, b) => b - a);
  const floor = scores[SEMANTIC_MAX - 1]!;
  const beyond = passing
    .filter((slot) => score(slot) === floor)
    .sort((a, b) => createdAt[b]! - createdAt[a]! || identities.compare(b, a))
    .slice(SEMANTIC_MAX - scores.indexOf(floor));
  const out = new Set(beyond);
  return (slot) => score(slot) >= floor && !out.has(slot);
};

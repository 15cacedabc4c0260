// Runs one search: interprets and matches the query, then applies filters, facets, sort order and page.

import { DocIdSet, wordsFor } from './doc_id_set.ts';
import { type Facet, type FacetCounter, openCounters } from './facet.ts';
import { type Dimension, dimensionsOf, type Filters, type Test } from './filter.ts';
import { type Matches, match, matchAll, matchAny, type Pins } from './match.ts';
import { orderOf, type ResultPosition, type ResultSort, Selection } from './order.ts';
import type { ProductIndex } from './product_index.ts';
import { type Correction, type ParsedQuery, parseQuery } from './query.ts';
import { nearest, rescore } from './similarity.ts';
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
  /** The query's embedding; undefined if it is to be derived from the terms. */
  readonly vector?: Float32Array | null;
}

export interface SearchCursor {
  readonly position: ResultPosition;
  readonly pins: Pins;
  readonly threshold: number;
  readonly semantic: boolean;
  readonly space: number;
}

export interface Hit {
  readonly id: string;
  readonly score: number;
}

export interface Result {
  readonly hits: readonly Hit[];
  readonly docIds: readonly number[];
  readonly facets: readonly Facet[];
  readonly corrections: readonly Correction[];
  readonly total: number;
  readonly next: SearchCursor | null;
}

export const search = (index: ProductIndex, request: SearchRequest): Result => {
  const { text, mode, everything, after } = request;
  if (text.trim() === '') {
    return page(index, request, matchAll(index, everything), [], BY_WORDS);
  }
  const parsed = parseQuery(index, text);
  const { corrections } = parsed;
  const bySimilarity = after ? after.semantic : mode === 'semantic';
  const space = after ? index.spaces.find(after.space) : index.vectors;
  const semanticVector = bySimilarity ? queryVector(space, request, parsed) : null;
  if (semanticVector === null && !after?.semantic) {
    const matches = match(index, parsed, everything, after?.pins ?? null);
    if (mode !== 'hybrid' || after || matches.set.size > 0) {
      // A threshold of 0 means that the first page ranked by words alone; later pages do the same.
      const raises = mode === 'hybrid' && request.sort === 'relevance' && after?.threshold !== 0;
      const vector = raises ? queryVector(space, request, parsed) : null;
      if (vector === null) return page(index, request, matches, corrections, BY_WORDS);
      const { matches: boosted, threshold } = rescore(index, space, matches, vector, after?.threshold ?? null);
      return page(index, request, boosted, corrections, { threshold, semantic: false, space: space.mark });
    }
  }
  // Ranks by similarity, because no product contains half of the terms' weight. A hybrid search compares products with
  // any of the terms, a semantic one all products.
  const { terms } = parsed;
  const any = after ? after.pins.relaxed : mode === 'hybrid' && terms.length > 0;
  const vector = semanticVector ?? queryVector(space, request, parsed);
  const among = any || vector === null ? matchAny(index, terms, everything) : matchAll(index, everything);
  const pins = { ...among.pins, weights: after?.pins.weights ?? terms.map(({ weight }) => weight) };
  const matches = { ...nearest(index, space, among, vector), pins };
  return page(index, request, matches, corrections, { threshold: 0, semantic: true, space: space.mark });
};

type SearchStart = Pick<SearchCursor, 'threshold' | 'semantic' | 'space'>;

const BY_WORDS: SearchStart = { threshold: 0, semantic: false, space: 0 };

/**
 * Returns the query's vector. Later pages use the first page's weights, although the frequencies of terms may have
 * changed.
 */
const queryVector = (space: Vectors, { vector, after }: SearchRequest, { terms }: ParsedQuery): Float32Array | null => {
  if (vector !== undefined) return vector;
  const weighted = terms.flatMap(({ weight, alternatives }, at) =>
    alternatives
      .slice(0, SPELLINGS_PER_TERM)
      .map(({ term, factor }) => ({ term, weight: (after?.pins.weights[at] ?? weight) * factor })),
  );
  return space.queryVector(weighted);
};

const SPELLINGS_PER_TERM = 4;
const SEMANTIC_MAX = 1_000;

const page = (
  index: ProductIndex,
  request: SearchRequest,
  matches: Matches,
  corrections: readonly Correction[],
  start: SearchStart,
): Result => {
  const { limit, sort, after } = request;
  const variants = matchVariants(index, request.filters, request.facets);
  const dimensions = dimensionsOf(index, request.filters, variants?.judges);
  const counters = openCounters(index, request.facets);
  const { set, score, bound } = matches;
  const near = start.semantic
    ? semanticLimit(
        index,
        matches,
        (docId) => failedAt(dimensions, docId) === PASSED && passesVariants(variants, docId),
      )
    : null;
  applyFilters(set, dimensions, near, variants, {
    docIds: (failed, docIds, size) => {
      const { key } = dimensions[failed]!;
      for (const [at, counter] of counters.entries()) if (request.facets[at] === key) counter.count(docIds, size);
    },
    variants: (docId, failed) => {
      for (const [at, counter] of counters.entries()) {
        const key = request.facets[at]!;
        if (failed === PASSED || dimensions[failed]!.key === key) variants?.count(docId, key, counter);
      }
    },
  });
  const total = set.count;
  if (counters.length > 0) countAll(index, set, total, counters, request.everything, variants);
  const selection = new Selection(index, orderOf(index, sort, score), limit + 1, after?.position ?? null);
  if (sort === 'relevance' && bound !== null) selection.offerBest(set, bound);
  else selection.offerAll(set);
  const { docIds: best, keys, size } = selection;
  const scored = sort === 'relevance' ? (at: number) => keys[at]! : (at: number) => score(best[at]!);
  const shown = Math.min(size, limit);
  const docIds: number[] = [];
  for (let at = 0; at < shown; at++) docIds.push(best[at]!);
  const scoreMax = matches.scoreMax || 1;
  return {
    hits: index.productIds.idsOf(best, shown).map((id, at) => ({
      id,
      score: Math.max(0, Math.min(1, Math.round((scored(at) / scoreMax) * 10_000) / 10_000)),
    })),
    docIds,
    facets: counters.map((counter) => counter.facet()),
    corrections,
    total,
    next:
      size > limit && shown > 0
        ? { position: selection.positionOf(best[shown - 1]!), pins: matches.pins, ...start }
        : null,
  };
};

const countAll = (
  index: ProductIndex,
  set: DocIdSet,
  total: number,
  counters: readonly FacetCounter[],
  everything: boolean,
  variants: VariantMatch | null,
): void => {
  if (variants !== null) {
    // Leaves out products that are tested by variant, because they were counted during filtering.
    const docIds = docIdBuffer(total);
    set.read(docIds);
    let size = 0;
    for (let at = 0; at < total; at++) if (!variants.judges(docIds[at]!)) docIds[size++] = docIds[at]!;
    for (const counter of counters) counter.count(docIds, size);
    return;
  }
  const most = !everything && total * 2 > index.categoryCounts.size;
  const byDocId = counters.filter(({ countSet, countOthers }) => !countSet && !(most && countOthers));
  const byOthers = counters.filter(({ countOthers }) => most && countOthers);
  for (const { countSet } of counters) countSet?.(set);
  if (byDocId.length > 0) {
    const docIds = docIdBuffer(total);
    set.read(docIds);
    for (const counter of byDocId) counter.count(docIds, total);
  }
  if (byOthers.length > 0) {
    others.setDifference(index.active, wordsFor(index.docIdLimit), set);
    const size = others.count;
    const docIds = docIdBuffer(size);
    others.read(docIds);
    for (const counter of byOthers) counter.countOthers!(docIds, size);
  }
};

const others = new DocIdSet();

let counted = new Uint32Array(0);
const docIdBuffer = (size: number): Uint32Array => {
  if (size > counted.length) counted = new Uint32Array(Math.ceil(size * 1.25));
  return counted;
};

interface CountedProducts {
  readonly docIds: (dimension: number, docIds: Uint32Array, size: number) => void;
  readonly variants: (docId: number, failed: number) => void;
}

const passesVariants = (variants: VariantMatch | null, docId: number): boolean =>
  variants === null || !variants.judges(docId) || variants.passes(docId);

/**
 * Removes products that fail a filter. A product that fails a single dimension is passed to `tell`, because the facet
 * of that dimension counts it.
 */
const applyFilters = (
  set: DocIdSet,
  dimensions: readonly Dimension[],
  near: Test | null,
  variants: VariantMatch | null,
  tell: CountedProducts,
): void => {
  if (dimensions.length === 0 && near === null) return;
  const failing = dimensions.map((): number[] => []);
  set.filter((docId) => {
    const failed = near === null || near(docId) ? failedAt(dimensions, docId) : OUT;
    if (variants?.judges(docId) && failed !== OUT) {
      tell.variants(docId, failed);
      return failed === PASSED && variants.passes(docId);
    }
    if (failed >= 0) failing[failed]!.push(docId);
    return failed === PASSED;
  });
  for (const [at, each] of failing.entries()) tell.docIds(at, Uint32Array.from(each), each.length);
};

const PASSED = -1;
const OUT = -2;

const failedAt = (dimensions: readonly Dimension[], docId: number): number => {
  let failed = PASSED;
  for (let at = 0; at < dimensions.length; at++) {
    if (dimensions[at]!.test(docId)) continue;
    if (failed !== PASSED) return OUT;
    failed = at;
  }
  return failed;
};

const semanticLimit = ({ createdAt, productIds }: ProductIndex, { set, score }: Matches, passes: Test): Test | null => {
  const size = set.count;
  if (size <= SEMANTIC_MAX) return null;
  const docIds = docIdBuffer(size);
  set.read(docIds);
  const passing: number[] = [];
  for (let at = 0; at < size; at++) {
    const docId = docIds[at]!;
    if (passes(docId)) passing.push(docId);
  }
  if (passing.length <= SEMANTIC_MAX) return null;
  const scores = passing.map(score).sort((a, b) => b - a);
  const floor = scores[SEMANTIC_MAX - 1]!;
  const beyond = passing
    .filter((docId) => score(docId) === floor)
    .sort((a, b) => createdAt[b]! - createdAt[a]! || productIds.compare(b, a))
    .slice(SEMANTIC_MAX - scores.indexOf(floor));
  const out = new Set(beyond);
  return (docId) => score(docId) >= floor && !out.has(docId);
};

// Facets: the number of matching products for each value, without applying the facet's own filter.
import { type Column, MANY, TAGS } from './attribute.ts';
import type { CompactUints } from './compact_uint.ts';
import { type DocIdSet, WORD_MASK, WORD_SHIFT } from './doc_id_set.ts';
import type { AttributeValue } from './document.ts';
import { CONDITIONS, type ProductIndex } from './product_index.ts';

export interface FacetValue {
  readonly value: AttributeValue;
  readonly count: number;
}

export interface Facet {
  readonly key: string;
  readonly values?: readonly FacetValue[];
  readonly min?: number | null;
  readonly max?: number | null;
}

const VALUES_MAX = 100;
const ATTRIBUTES = 'attributes.';

export const isFacetKey = (key: string): boolean =>
  ['brand', 'category', 'price', 'condition', 'tag', 'rating'].includes(key) ||
  (key.startsWith(ATTRIBUTES) && key.length > ATTRIBUTES.length);

export interface FacetCounter {
  count(docIds: Uint32Array, size: number): void;
  /** Counts a whole set at once; defined where this is faster than by docId. */
  readonly countSet?: (set: DocIdSet) => void;
  readonly countOthers?: (docIds: Uint32Array, size: number) => void;
  countValues(values: ReadonlySet<number>): void;
  facet(): Facet;
}

let counts = new Uint32Array(1 << 12);

/** Opens a counter per facet. All counters use one array, each a separate range of it. */
export const openCounters = (index: ProductIndex, keys: readonly string[]): FacetCounter[] => {
  const plans = keys.map((key) => planOf(index, key));
  const size = plans.reduce((sum, { codes }) => sum + codes, 0);
  if (size > counts.length) counts = new Uint32Array(size * 2);
  else counts.fill(0, 0, size);
  let base = 0;
  return plans.map((plan) => {
    const counter = plan.open(base);
    base += plan.codes;
    return counter;
  });
};

interface Plan {
  readonly codes: number;
  readonly open: (base: number) => FacetCounter;
}

const planOf = (index: ProductIndex, key: string): Plan => {
  if (key === 'price') return { codes: 0, open: () => priceCounter(index) };
  if (key === 'rating') {
    return byCode(key, 51, index.rating, (code) => code / 10);
  }
  if (key === 'condition') return conditionPlan(index);
  const { brands, categories, categoryCounts } = index;
  if (key === 'brand')
    return byCode(key, brands.size + 1, index.brand, (code) => brands.value(code), categoryCounts.brands);
  if (key === 'category') {
    return byCode(
      key,
      categories.size + 1,
      index.category,
      (code) => categories.value(code),
      categoryCounts.categories,
    );
  }
  const column = index.attributes.column(key === 'tag' ? TAGS : key.slice(ATTRIBUTES.length));
  return column
    ? columnPlan(key, column)
    : { codes: 0, open: () => ({ count: () => {}, countValues: () => {}, facet: () => ({ key, values: [] }) }) };
};

const byCode = (
  key: string,
  codes: number,
  entries: CompactUints,
  value: (code: number) => AttributeValue,
  totals?: readonly number[],
): Plan => ({
  codes,
  open: (base) => ({
    count: (docIds, size) => {
      const into = counts;
      for (let at = 0; at < size; at++) into[base + entries[docIds[at]!]!]!++;
    },
    ...(totals && {
      countOthers: (docIds: Uint32Array, size: number) => {
        const into = counts;
        for (let code = 0; code < totals.length; code++) into[base + code]! += totals[code]!;
        for (let at = 0; at < size; at++) into[base + entries[docIds[at]!]!]!--;
      },
    }),
    countValues: (values) => countCodes(base, values),
    facet: () => ({ key, values: most(base, codes, value) }),
  }),
});

const countCodes = (base: number, codes: ReadonlySet<number>): void => {
  for (const code of codes) counts[base + code]!++;
};

const columnPlan = (key: string, { dictionary, entries, lists }: Column): Plan => {
  const codes = dictionary.size + 1;
  return {
    codes,
    open: (base) => ({
      count: (docIds, size) => {
        for (let at = 0; at < size; at++) {
          const entry = entries[docIds[at]!]!;
          if (entry < MANY) counts[base + entry]!++;
          else for (const code of lists[entry & ~MANY]!) counts[base + code]!++;
        }
      },
      countValues: (values) => countCodes(base, values),
      facet: () => ({ key, values: most(base, codes, (code) => dictionary.value(code)) }),
    }),
  };
};

const conditionPlan = (index: ProductIndex): Plan => ({
  codes: CONDITIONS.length + 1,
  open: (base) => ({
    count: (docIds, size) => {
      for (let at = 0; at < size; at++) {
        const mask = index.condition[docIds[at]!]!;
        for (let bit = 0; bit < CONDITIONS.length; bit++) if (mask & (1 << bit)) counts[base + bit + 1]!++;
      }
    },
    countValues: (values) => countCodes(base, values),
    facet: () => ({ key: 'condition', values: most(base, CONDITIONS.length + 1, (code) => CONDITIONS[code - 1]!) }),
  }),
});

const priceCounter = ({ price, prices, priceBounds }: ProductIndex): FacetCounter => {
  let min = Number.POSITIVE_INFINITY;
  let max = Number.NEGATIVE_INFINITY;
  const take = (amount: number): void => {
    if (amount < min) min = amount;
    if (amount > max) max = amount;
  };
  const takeDocId = (docId: number): void => {
    take(price[docId]!);
    if (prices.size > 0) prices.get(docId)?.forEach(take);
  };
  return {
    count: (docIds, size) => {
      for (let at = 0; at < size; at++) {
        const amount = price[docIds[at]!]!;
        if (amount < min) min = amount;
        if (amount > max) max = amount;
      }
      if (prices.size > 0) for (let at = 0; at < size; at++) prices.get(docIds[at]!)?.forEach(take);
    },
    countSet: ({ bits, words, size }) => {
      const { lows, highs } = priceBounds;
      for (let at = 0; at < size; at++) {
        const word = words[at]!;
        // Skips 32 docIds whose lowest and highest prices do not extend the range.
        if (lows[word]! >= min && highs[word]! <= max) continue;
        const first = (word << WORD_SHIFT) + WORD_MASK;
        for (let rest = bits[word]!; rest !== 0; rest &= rest - 1) takeDocId(first - Math.clz32(rest & -rest));
      }
    },
    countValues: (values) => values.forEach(take),
    facet: () => ({ key: 'price', min: min <= max ? min : null, max: min <= max ? max : null }),
  };
};

const most = (base: number, codes: number, value: (code: number) => AttributeValue): FacetValue[] => {
  let size = 0;
  /** Count below which a value is not added; grows once the list is full. */
  let least = 1;
  for (let code = 1; code < codes; code++) {
    const count = counts[base + code]!;
    if (count < least) continue;
    let low = 0;
    let high = size;
    while (low < high) {
      const middle = (low + high) >> 1;
      const other = counts[base + largest[middle]!]!;
      if (other > count || (other === count && precedes(value(largest[middle]!), value(code)))) low = middle + 1;
      else high = middle;
    }
    if (low === VALUES_MAX) continue;
    if (size < VALUES_MAX) size++;
    largest.copyWithin(low + 1, low, size - 1);
    largest[low] = code;
    if (size === VALUES_MAX) least = counts[base + largest[VALUES_MAX - 1]!]!;
  }
  return Array.from({ length: size }, (_, at) => {
    const code = largest[at]!;
    return { value: value(code), count: counts[base + code]! };
  });
};

const precedes = (a: AttributeValue, b: AttributeValue): boolean =>
  typeof a === 'number' && typeof b === 'number'
    ? a < b
    : // 40 and "40" look alike, and stand in one order however they came.
      String(a) < String(b) || (String(a) === String(b) && typeof a < typeof b);

const largest = new Uint32Array(VALUES_MAX);

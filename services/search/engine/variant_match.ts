// Filters that a single variant must meet together: tests and counts products whose variants differ. filter.ts tests
// all other products.
import { MANY } from './attribute.ts';
import type { AttributeValue } from './document.ts';
import type { FacetCounter } from './facet.ts';
import { type Filters, isWithin, type Range, wantedCodes } from './filter.ts';
import { CONDITIONS, type ProductIndex } from './product_index.ts';
import { codeOfPair, IN_STOCK_FACT, nameOfPair, pairOf } from './variant.ts';

const ATTRIBUTES = 'attributes.';

const isOfVariants = (key: string): boolean => key === 'price' || key === 'condition' || key.startsWith(ATTRIBUTES);

interface Condition {
  readonly key: string;
  readonly of: (docId: number) => (at: number) => boolean;
}

export interface VariantMatch {
  readonly judges: (docId: number) => boolean;
  readonly passes: (docId: number) => boolean;
  readonly count: (docId: number, key: string, counter: FacetCounter) => void;
}

export const matchVariants = (
  index: ProductIndex,
  filters: Filters,
  facets: readonly string[],
): VariantMatch | null => {
  const conditions = conditionsOf(index, filters);
  const { in_stock } = filters;
  const asked = conditions.length + (in_stock === undefined ? 0 : 1);
  if (asked === 0 || (asked === 1 && !facets.some(isOfVariants))) return null;
  const { variants } = index;

  /**
   * Finds the variants that meet all conditions except `ignored`. `found` meet the `in_stock` filter, too; `against`
   * are in stock although the filter requires that none is.
   */
  const meeting = (docId: number, ignored: string): { found: number[]; against: number[] } => {
    const found: number[] = [];
    const against: number[] = [];
    const tests = conditions.filter(({ key }) => key !== ignored).map((condition) => condition.of(docId));
    for (let at = variants.start(docId); at < variants.end(docId); at = variants.next(at)) {
      if (!tests.every((test) => test(at))) continue;
      const isStocked = (variants.facts(at) & IN_STOCK_FACT) !== 0;
      if (in_stock === undefined || isStocked === in_stock) found.push(at);
      else if (!in_stock) against.push(at);
    }
    return { found, against };
  };

  return {
    judges: (docId) => variants.has(docId),
    passes: (docId) => {
      const { found, against } = meeting(docId, '');
      return found.length > 0 && against.length === 0;
    },
    count: (docId, key, counter) => {
      const { found, against } = meeting(docId, key);
      if (isOfVariants(key))
        counter.countValues(distinct(valuesOf(index, docId, key, found), valuesOf(index, docId, key, against)));
      else if (found.length > 0 && against.length === 0) counter.count(Uint32Array.of(docId), 1);
    },
  };
};

const distinct = (found: readonly number[], against: readonly number[]): Set<number> =>
  new Set(found).difference(new Set(against));

const conditionsOf = (index: ProductIndex, { condition, price, attributes }: Filters): Condition[] => {
  const { variants } = index;
  const conditions: Condition[] = [];
  if (condition) {
    let mask = 0;
    for (const each of condition) mask |= IN_STOCK_FACT << (CONDITIONS.indexOf(each) + 1);
    conditions.push({ key: 'condition', of: () => (at) => (variants.facts(at) & mask) !== 0 });
  }
  if (price) {
    const isPriced = isWithin(price as Range);
    conditions.push({ key: 'price', of: () => (at) => isPriced(variants.price(at)) });
  }
  for (const [name, values] of Object.entries(attributes ?? {}))
    conditions.push({ key: ATTRIBUTES + name, of: attributeTest(index, name, values) });
  return conditions;
};

const attributeTest = (index: ProductIndex, name: string, values: readonly AttributeValue[]): Condition['of'] => {
  const column = index.attributes.column(name);
  if (column === null) return () => () => false;
  const wanted = wantedCodes(column.dictionary, values);
  const number = index.attributes.numberOf(name);
  const pairs = new Set([...wanted].map((code) => pairOf(number, code)));
  return (docId) => {
    if (sharedCodes(index, docId, name, number).some((code) => wanted.has(code))) return () => true;
    const { pool } = index.variants;
    return (at) => {
      for (let pair = at + 2; pair < index.variants.next(at); pair++) if (pairs.has(pool[pair]!)) return true;
      return false;
    };
  };
};

const sharedCodes = (index: ProductIndex, docId: number, name: string, number: number): number[] => {
  const column = index.attributes.column(name)!;
  const entry = column.entries[docId]!;
  const codes = entry < MANY ? (entry === 0 ? [] : [entry]) : column.lists[entry & ~MANY]!;
  const own = new Set<number>();
  const { variants } = index;
  for (let at = variants.start(docId); at < variants.end(docId); at = variants.next(at))
    eachCode(index, at, number, (code) => own.add(code));
  return codes.filter((code) => !own.has(code));
};

const eachCode = ({ variants }: ProductIndex, at: number, number: number, take: (code: number) => void): void => {
  for (let pair = at + 2; pair < variants.next(at); pair++)
    if (nameOfPair(variants.pool[pair]!) === number) take(codeOfPair(variants.pool[pair]!));
};

const valuesOf = (index: ProductIndex, docId: number, key: string, places: readonly number[]): number[] => {
  const { variants } = index;
  if (key === 'price') return places.map((at) => variants.price(at)).filter((price) => !Number.isNaN(price));
  if (key === 'condition')
    return places.flatMap((at) =>
      CONDITIONS.flatMap((_, bit) => (variants.facts(at) & (IN_STOCK_FACT << (bit + 1)) ? [bit + 1] : [])),
    );
  const name = key.slice(ATTRIBUTES.length);
  if (places.length === 0 || index.attributes.column(name) === null) return [];
  const number = index.attributes.numberOf(name);
  const codes = sharedCodes(index, docId, name, number);
  for (const at of places) eachCode(index, at, number, (code) => codes.push(code));
  return codes;
};

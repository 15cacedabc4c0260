// Pages of similarity search return every product once, even if the space is trained again meanwhile.
import { describe, expect, test } from 'vitest';
import { ProductIndex } from '#services/search/engine/product_index.ts';
import {
  type Result,
  type SearchCursor,
  type SearchMode,
  type SearchRequest,
  search,
} from '#services/search/engine/search.ts';
import { trainVectors } from '#services/search/engine/vector_training.ts';
import { namedProduct } from './named_product.ts';

const TOPICS = [
  'red boot runner sandal lace sole trail leather heel grip',
  'green kettle copper spout lid boil steam handle stove brew',
  'light lamp shade bulb glow amber stand switch cord dim',
  'heavy tent pole canvas peg rope camp shelter flap rain',
].map((words) => words.split(' '));

/** Four words of its topic and two of any: enough to relate words, few enough to distinguish them. */
const product = (number: number) => {
  const word = (at: number): string => {
    const seed = Math.imul((number + 1) * 31 + at, 0x9e3779b1) >>> 8;
    const topic = TOPICS[(at < 4 ? number : seed) % TOPICS.length]!;
    return topic[(seed >>> 4) % topic.length]!;
  };
  return namedProduct(number, [0, 1, 2, 3, 4, 5].map(word).join(' '));
};

const learn = (index: ProductIndex): Promise<void> => trainVectors(index, async () => {});

const ask = (index: ProductIndex, mode: SearchMode, more: Partial<SearchRequest> = {}): Result =>
  search(index, {
    ...{ text: 'red boot', mode, filters: {}, facets: [], sort: 'relevance' },
    ...{ limit: 5, everything: false, after: null, ...more },
  });

/** All pages, with a change between them. */
const pages = async (
  index: ProductIndex,
  mode: SearchMode,
  between: () => Promise<void>,
  more: Partial<SearchRequest> = {},
): Promise<string[]> => {
  const ids: string[] = [];
  for (let after: SearchCursor | null = null; ; ) {
    const { hits, next } = ask(index, mode, { ...more, after });
    ids.push(...hits.map(({ id }) => id));
    if (next === null) return ids;
    after = next;
    await between();
  }
};

const filled = async (count: number): Promise<ProductIndex> => {
  const index = new ProductIndex();
  for (let number = 1; number <= count; number++) index.put(product(number));
  await learn(index);
  expect(index.vectors.dimensions).toBeGreaterThan(0);
  return index;
};

describe.each(['semantic', 'hybrid'] as const)('pages of a %s search', (mode) => {
  test.each(['relevance', 'newest'] as const)(
    'by %s: products come, and twice the space is learnt anew',
    async (sort) => {
      const index = await filled(160);
      const before = ask(index, mode, { sort, limit: 1_000 }).hits.map(({ id }) => id);
      let number = 1_000;
      let learnt = 0;
      const ids = await pages(
        index,
        mode,
        async () => {
          for (let each = 0; each < 25; each++) index.put(product(++number));
          if (++learnt <= 2) await learn(index);
        },
        { sort },
      );
      expect(before.length).toBeGreaterThan(15);
      expect(new Set(ids).size).toBe(ids.length);
      expect(ids.filter((id) => before.includes(id))).toEqual(before);
    },
  );

  test('continue if they started before training', async () => {
    const index = new ProductIndex();
    for (let number = 1; number <= 160; number++) index.put(product(number));
    const before = ask(index, mode, { limit: 1_000 }).hits.map(({ id }) => id);
    expect(before.length).toBeGreaterThan(5);
    expect(await pages(index, mode, () => learn(index), { limit: 2 })).toEqual(before);
  });
});

test('the previous space answers during training', async () => {
  // Enough words for training to yield while it folds products in.
  const many = (number: number) => namedProduct(number, `${product(number).texts.name} type${number % 150}`);
  const index = new ProductIndex();
  for (let number = 1; number <= 9_000; number++) index.put(many(number));
  await learn(index);
  index.put(many(9_001));
  const before = ask(index, 'semantic').total;
  const during: number[] = [];
  await trainVectors(index, async () => void during.push(ask(index, 'semantic').total));
  expect(before).toBeGreaterThan(0);
  expect(new Set(during)).toEqual(new Set([before]));
});

test('a deleted or changed product is in no earlier space', async () => {
  const index = await filled(60);
  const { next } = ask(index, 'semantic');
  for (let number = 100; number < 140; number++) index.put(product(number));
  await learn(index);
  const mark = next!.space;
  expect(index.spaces.find(mark)).not.toBe(index.vectors);
  const docId = index.productIds.find(product(7).id);
  expect(index.spaces.find(mark).has(docId)).toBe(true);
  index.remove(product(7).id);
  expect(index.spaces.find(mark).has(docId)).toBe(false);
});

test('old spaces are dropped', async () => {
  const index = await filled(60);
  const mark = index.vectors.mark;
  const alone = index.spaces.memoryBytes;
  for (let round = 0; round < 5; round++) {
    for (let each = 0; each < 15; each++) index.put(product(100 + round * 15 + each));
    await learn(index);
    // A shopper with an old cursor continues in the newest.
    expect(index.spaces.find(mark) === index.vectors).toBe(round === 4);
  }
  expect(index.spaces.memoryBytes).toBeLessThan(alone * 20);
});

test('a change of price or stock triggers no training', () => {
  const index = new ProductIndex();
  expect(index.put(product(1))).toBe(true);
  expect(index.put({ ...product(1), price: 7, prices: [7], inStock: false })).toBe(false);
  expect(index.put(namedProduct(1, 'copper kettle'))).toBe(true);
});

// Compares the engine with a scan of every product: filters, facets, sorts and pages of random requests, while products
// change. STOA_QUESTIONS sets their number.
import { deserialize, serialize } from 'bun:jsc';
import { describe, expect, test } from 'vitest';
import { type AttributeValue, FIELDS, type SearchDocument } from '#services/search/engine/document.ts';
import type { ResultSort } from '#services/search/engine/order.ts';
import { ProductIndex } from '#services/search/engine/product_index.ts';
import { type SearchCursor, type SearchRequest, search } from '#services/search/engine/search.ts';
import { trainVectors } from '#services/search/engine/vector_training.ts';
import { answer, comparable, type Question } from './oracle.ts';

const QUESTIONS = Number(process.env.STOA_QUESTIONS ?? 200);
const PRODUCTS = 160;
/** Requests before a new set of products. */
const WORLD = 100;

/** No two are one edit apart or share a prefix. */
const WORDS = 'alpha bravo charlie foxtrot juliett november sierra uniform whiskey yankee'.split(' ');
const BRANDS = ['Acme', 'ACME', 'Zenith', 'Órbita', 'brand new'];
const COLOURS = ['red', 'Red', 'blue', 'green', 'straße'];
const SIZES = [38, 39.5, 40, 0, -1];
const TAGS = ['Sale', 'sale', 'new', 'eco'];
const CONDITIONS = ['new', 'refurbished', 'used'];
const RATINGS = [null, 1, 2.5, 4, 4.5, 5];
const CATEGORIES = Array.from({ length: 5 }, (_, n) => `00000000-0000-4000-9000-00000000000${n}`);
const SORTS: readonly ResultSort[] = ['newest', 'price_asc', 'price_desc', 'rating'];
const FACETS = ['brand', 'category', 'price', 'condition', 'tag', 'rating', 'attributes.colour', 'attributes.size'];

class Chance {
  #state: number;
  constructor(seed: number) {
    this.#state = seed;
  }
  below(end: number): number {
    this.#state = (Math.imul(this.#state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((this.#state / 2 ** 32) * end);
  }
  pick<T>(list: readonly T[]): T {
    return list[this.below(list.length)]!;
  }
  some<T>(list: readonly T[], most: number): T[] {
    return [...new Set(Array.from({ length: this.below(most + 1) }, () => this.pick(list)))];
  }
  is(share: number): boolean {
    return this.below(1_000) < share * 1_000;
  }
}

const amount = (chance: Chance): number => chance.below(2_000) / 100;

const distinct = <T>(values: readonly T[]): T[] => [
  ...new Map(values.map((value) => [JSON.stringify(value), value])).values(),
];

/** A product with several variants, as the catalogue describes it. */
const severalOf = (chance: Chance, document: SearchDocument): SearchDocument => {
  const variants = Array.from({ length: 2 + chance.below(2) }, () => ({
    condition: chance.pick(CONDITIONS),
    price: chance.is(0.9) ? amount(chance) : null,
    inStock: chance.is(0.5),
    attributes: distinct([
      ...document.attributes.slice(0, 1),
      ...chance.some(COLOURS, 1).map((value) => ['colour', value] as const),
      ...chance.some<AttributeValue>(SIZES, 2).map((value) => ['size', value] as const),
    ]),
  }));
  return {
    ...document,
    variants,
    attributes: distinct(variants.flatMap(({ attributes }) => attributes)),
    conditions: distinct(variants.map(({ condition }) => condition)),
    price: variants[0]!.price,
    prices: variants.flatMap(({ price }) => price ?? []),
    inStock: variants.some(({ inStock }) => inStock),
  };
};

const productOf = (chance: Chance, number: number): SearchDocument => {
  const one = productSoldAsOne(chance, number);
  return chance.is(0.4) ? severalOf(chance, one) : one;
};

const productSoldAsOne = (chance: Chance, number: number): SearchDocument => {
  const prices = Array.from({ length: chance.pick([0, 1, 1, 1, 3]) }, () => amount(chance));
  const attributes = [
    ...chance.some(COLOURS, 2).map((value) => ['colour', value] as const),
    ...chance.some<AttributeValue>(SIZES, 2).map((value) => ['size', value] as const),
    ...(chance.is(0.3) ? [['waterproof', chance.is(0.5)] as const] : []),
    ...(chance.is(0.1) ? [['size', '40'] as const] : []),
  ];
  const texts = Object.fromEntries(FIELDS.map((field) => [field, chance.is(0.3) ? chance.pick(WORDS) : '']));
  return {
    id: `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`,
    active: chance.is(0.9),
    texts: { ...(texts as SearchDocument['texts']), name: chance.some(WORDS, 3).join(' ') },
    brand: chance.is(0.8) ? chance.pick(BRANDS) : null,
    category: chance.is(0.8) ? chance.pick(CATEGORIES) : null,
    subcategory: chance.is(0.4) ? chance.pick(CATEGORIES) : null,
    tags: chance.some(TAGS, 3),
    attributes,
    conditions: chance.some(CONDITIONS, 2),
    price: prices[0] ?? null,
    prices,
    variants: [],
    inStock: chance.is(0.6),
    rating: chance.pick(RATINGS),
    reviews: chance.below(3),
    // Many share a time.
    createdAt: 1_700_000_000_000 + chance.below(40) * 1_000,
  };
};

const rangeOf = (chance: Chance, bound: () => number) => {
  const [one, other] = [bound(), bound()];
  return {
    gte: chance.is(0.7) ? Math.min(one, other) : undefined,
    lte: chance.is(0.7) ? Math.max(one, other) : undefined,
  };
};

const questionOf = (chance: Chance): Question => {
  const attributes: Record<string, readonly AttributeValue[]> = {};
  if (chance.is(0.3)) attributes.colour = [chance.pick(COLOURS), chance.pick([...COLOURS, 'nobody'])];
  if (chance.is(0.2)) attributes.size = [chance.pick<AttributeValue>([...SIZES, '40', 41])];
  if (chance.is(0.1)) attributes.waterproof = [chance.is(0.5)];
  if (chance.is(0.03)) attributes.nothing = ['x'];
  return {
    word: chance.is(0.5) ? chance.pick(WORDS) : null,
    filters: {
      ...(chance.is(0.3) ? { category_id: [chance.pick(CATEGORIES), chance.pick(CATEGORIES)] } : {}),
      ...(chance.is(0.3) ? { brand: [chance.pick(BRANDS).toUpperCase()] } : {}),
      ...(chance.is(0.2) ? { tag: [chance.pick(TAGS), chance.pick(TAGS)] } : {}),
      ...(chance.is(0.2) ? { condition: [chance.pick(CONDITIONS)] } : {}),
      ...(chance.is(0.3) ? { price: rangeOf(chance, () => amount(chance)) } : {}),
      ...(chance.is(0.2) ? { rating: rangeOf(chance, () => 1 + chance.below(41) / 10) } : {}),
      ...(chance.is(0.3) ? { in_stock: chance.is(0.5) } : {}),
      attributes,
    },
    facets: chance.some(FACETS, FACETS.length),
    sort: chance.pick(SORTS),
    everything: chance.is(0.2),
  };
};

/** All pages in order. */
const ask = (index: ProductIndex, question: Question, limit: number) => {
  const parsed = (after: SearchCursor | null): SearchRequest => ({
    ...question,
    text: question.word ?? '',
    mode: 'text',
    limit,
    after,
  });
  const first = search(index, parsed(null));
  const ids = first.hits.map(({ id }) => id);
  for (let next = first.next; next !== null; ) {
    const page = search(index, parsed(next));
    if (page.total !== first.total) throw new Error(`${page.total} in all, ${first.total} before`);
    ids.push(...page.hits.map(({ id }) => id));
    next = page.next;
  }
  return { ids, total: first.total, facets: first.facets };
};

/** Encoded and decoded, as for another process. */
const savedAndRead = (index: ProductIndex): ProductIndex => {
  index.merge();
  const read = new ProductIndex();
  for (const _ of read.restoring(deserialize(serialize(index.state)))) void 0;
  return read;
};

describe('filters over variants', () => {
  const variant = (size: number, price: number, inStock: boolean, condition: string) => ({
    condition,
    price,
    inStock,
    attributes: [['size', size] as const],
  });
  const variants = [variant(42, 50, false, 'new'), variant(43, 90, true, 'used')];
  const shoe: SearchDocument = {
    ...productSoldAsOne(new Chance(1), 1),
    active: true,
    variants,
    attributes: variants.flatMap(({ attributes }) => attributes),
    conditions: ['new', 'used'],
    price: 50,
    prices: [50, 90],
    inStock: true,
  };
  const index = new ProductIndex();
  index.put(shoe);
  const asked = (filters: Question['filters'], facets: readonly string[] = []) =>
    ask(index, { word: null, filters, facets, sort: 'newest', everything: true }, 10);

  test.each<[Question['filters'], boolean]>([
    [{ in_stock: true, attributes: { size: [42] } }, false],
    [{ in_stock: true, attributes: { size: [43] } }, true],
    [{ in_stock: false, attributes: { size: [42] } }, true],
    [{ in_stock: false }, false],
    [{ price: { lte: 60 }, attributes: { size: [43] } }, false],
    [{ condition: ['new'], in_stock: true }, false],
    [{ condition: ['used'], in_stock: true, price: { gte: 90 }, attributes: { size: [43] } }, true],
  ])('%j are met by one and the same variant: %s', (filters, found) => {
    expect(asked(filters).total).toBe(found ? 1 : 0);
  });

  test('facets count values of variants that meet the other filters', () => {
    const facets = ['attributes.size', 'price', 'condition'];
    expect(asked({ in_stock: true }, facets).facets).toMatchObject([
      { values: [{ value: 43, count: 1 }] },
      { min: 90, max: 90 },
      { values: [{ value: 'used', count: 1 }] },
    ]);
  });
});

describe('compared with an oracle', () => {
  // Ten thousand take minutes.
  const timeout = 30_000 + QUESTIONS * 30;
  test(`filters, facets, sorts and pages of ${QUESTIONS} random requests match`, { timeout }, () => {
    for (let world = 0; world * WORLD < QUESTIONS; world++) {
      const chance = new Chance(world + 1);
      let index = new ProductIndex();
      const documents = new Map<string, SearchDocument>();
      const put = (number: number): void => {
        const document = productOf(chance, number);
        documents.set(document.id, document);
        index.put(document);
      };
      index.beginLoad();
      for (let number = 0; number < PRODUCTS; number++) put(number);
      index.endLoad();
      for (let asked = 0; asked < WORLD && world * WORLD + asked < QUESTIONS; asked++) {
        // Changes some, removes some, adds some.
        for (let n = chance.below(4); n > 0; n--) {
          const number = chance.below(PRODUCTS + 40);
          const id = productOf(new Chance(1), number).id;
          if (chance.is(0.3)) {
            index.remove(id);
            documents.delete(id);
          } else put(number);
        }
        if (chance.is(0.02)) index.merge();
        if (chance.is(0.02)) index = savedAndRead(index);
        const question = questionOf(chance);
        const expected = answer(documents.values(), question);
        const found = ask(index, question, chance.pick([7, 20, 100]));
        const what = `world ${world}, question ${asked}: ${JSON.stringify(question)}`;
        expect(found.ids, what).toEqual(expected.ids);
        expect(found.total, what).toBe(expected.ids.length);
        expect(found.facets.map(comparable), what).toEqual(expected.facets);
      }
    }
  });

  test('semantic and multi-word results are counted and filtered exactly', async () => {
    const chance = new Chance(7);
    const index = new ProductIndex();
    // Words of few products, to train vectors from.
    const topic = (n: number): string => `topic${'abcdefghij'[n % 10]}${'klmn'[Math.floor(n / 10) % 4]}`;
    const documents = Array.from({ length: 400 }, (_, number) => {
      const product = productOf(chance, number);
      const description = `${product.texts.description} ${topic(number)} ${topic(chance.below(40))}`;
      return { ...product, texts: { ...product.texts, description } };
    });
    for (const document of documents) index.put(document);
    await trainVectors(index, async () => {});
    expect(index.vectors.dimensions).toBeGreaterThan(0);
    for (let asked = 0; asked < 60; asked++) {
      const question = questionOf(chance);
      const text = `${chance.pick(WORDS)} ${chance.is(0.5) ? chance.pick(WORDS) : topic(chance.below(40))}`;
      const mode = chance.pick(['text', 'semantic', 'hybrid'] as const);
      const base: SearchRequest = { ...question, text, mode, sort: 'relevance', limit: 100, after: null, facets: [] };
      const all = new Set<string>();
      for (let after: SearchCursor | null = null; ; ) {
        const page = search(index, { ...base, filters: {}, after });
        for (const { id } of page.hits) all.add(id);
        after = page.next;
        if (after === null) break;
      }
      const among = documents.filter(({ id }) => all.has(id));
      const expected = answer(among, { ...question, word: null });
      const found = search(index, { ...base, facets: question.facets });
      expect(found.total, JSON.stringify(question)).toBe(expected.ids.length);
      expect(found.facets.map(comparable)).toEqual(expected.facets);
    }
  });
});

describe('regardless of history', () => {
  test('several words return the same products in the same order', () => {
    const chance = new Chance(11);
    const said = (): string => WORDS[Math.min(chance.below(10), chance.below(10), chance.below(10))]!;
    const document = (number: number): SearchDocument => ({
      ...productOf(chance, number),
      texts: { ...productOf(chance, number).texts, name: `${said()} ${said()} ${chance.is(0.01) ? 'zebra' : said()}` },
    });
    // One index was loaded, changed and packed, so that docIds were reused; the other was filled in order.
    const packed = new ProductIndex();
    packed.beginLoad();
    for (let number = 0; number < 1_500; number++) packed.put(document(number));
    packed.endLoad();
    for (let number = 0; number < 1_500; number += 3) packed.remove(document(number).id);
    packed.merge();
    const documents = new Map<string, SearchDocument>();
    const plain = new ProductIndex();
    for (let number = 1_499; number >= 0; number--) {
      const each = document(number);
      documents.set(each.id, each);
      packed.put(each);
    }
    packed.merge();
    for (const each of documents.values()) plain.put(each);
    const read = savedAndRead(packed);
    for (let asked = 0; asked < 200; asked++) {
      const text = [chance.pick([...WORDS, 'zebra']), chance.pick(WORDS), said()].slice(chance.below(2)).join(' ');
      const question = { ...questionOf(chance), text, mode: 'text', sort: 'relevance', limit: 50 } as const;
      const filters = chance.is(0.5) ? {} : question.filters;
      const of = (index: ProductIndex) => ({ ...search(index, { ...question, filters, after: null }), docIds: null });
      expect(of(packed), JSON.stringify(question)).toEqual(of(plain));
      expect(of(read), JSON.stringify(question)).toEqual(of(plain));
    }
  });
});

describe('while postings are packed', () => {
  test('every product is found, including those changed meanwhile', () => {
    const chance = new Chance(23);
    const documents = new Map<string, SearchDocument>();
    const index = new ProductIndex();
    const change = (): void => {
      const document = productOf(chance, chance.below(300));
      if (chance.is(0.2)) {
        index.remove(document.id);
        documents.delete(document.id);
      } else {
        index.put(document);
        documents.set(document.id, document);
      }
    };
    const check = (): void => {
      const question = questionOf(chance);
      const found = ask(index, question, 50);
      const expected = answer(documents.values(), question);
      expect(found.ids, JSON.stringify(question)).toEqual(expected.ids);
      expect(found.facets.map(comparable)).toEqual(expected.facets);
    };
    for (let round = 0; round < 6; round++) {
      for (let changed = 0; changed < 300; changed++) change();
      let slices = 0;
      for (const _ of index.packing(100)) {
        slices++;
        change();
        check();
      }
      expect(slices).toBeGreaterThan(3);
      check();
    }
  });
});

describe('hostile requests', () => {
  const index = new ProductIndex();
  for (let number = 0; number < 50; number++) index.put(productOf(new Chance(number), number));
  test.each([
    ['a megabyte of one letter', 'a'.repeat(1 << 20)],
    ['ten thousand words', Array.from({ length: 10_000 }, (_, n) => `word${n}`).join(' ')],
    ['ten thousand times one word', 'alpha '.repeat(10_000)],
    ['an expression', '(a+)+$ [^\\d]* .*.*.*=.* (?:(?=a))\\1{1000}'],
    ['signs alone', '%_*?\\/"\'`;--<>(){}[]|&^$#@!~+=:,.'],
    ['a megabyte of joiners', 'a-'.repeat(1 << 19)],
    ['numbers without end', '9'.repeat(100_000)],
    ['a megabyte without spaces', '鞋'.repeat(1 << 18)],
    ['halves of characters', '\ud800 \udfff alpha\ud83d'],
    ['direction marks and joiners', '\u202ealpha\u200d\u200b\ufeff'],
    ['names of things every object has', '__proto__ constructor toString hasOwnProperty'],
  ])('%s are answered', (_name, text) => {
    for (const mode of ['text', 'semantic', 'hybrid'] as const) {
      const found = search(index, {
        text,
        mode,
        filters: { attributes: JSON.parse('{"__proto__":["x"]}') },
        facets: ['attributes.__proto__', 'attributes.constructor', 'brand'],
        sort: 'relevance',
        limit: 20,
        everything: true,
        after: null,
      });
      expect(found.total).toBe(0);
      expect(found.facets.length).toBe(3);
    }
  });
});

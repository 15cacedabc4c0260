// One tenant's search index: a number (docId) per product, values in columns, words in postings.
import { type Analysis, PLAIN } from '#services/search/text/analysis.ts';
import { Attributes, type AttributesState, TAGS } from './attribute.ts';
import { CategoryCounts, type CategoryCountsState } from './category_count.ts';
import { type CompactUints, lengthened as lengthenedUints, withNumber } from './compact_uint.ts';
import { DOC_IDS_MAX, IMPACT_MASK } from './dense_posting.ts';
import { Dictionary } from './dictionary.ts';
import { WORD_MASK, WORD_SHIFT, wordsFor } from './doc_id_set.ts';
import { type AttributeValue, FIELDS, type SearchDocument } from './document.ts';
import { Postings, type PostingsState, SLICE, type Slices } from './posting.ts';
import { PriceBounds } from './price_bound.ts';
import { ProductIds, type ProductIdsState } from './product_id.ts';
import { pairOf, Variants, type VariantsState } from './variant.ts';
import type { Vectors } from './vector.ts';
import { VectorSpaces } from './vector_space.ts';
import { Vocabulary, type VocabularyState } from './vocabulary.ts';
import { eachImpact, eachKind } from './weight.ts';

export const LIVE = 1;
export const ACTIVE = 2;
export const IN_STOCK = 4;

export const CONDITIONS = ['new', 'refurbished', 'used'];

const DOC_IDS_START = 64;

export interface ColumnsState {
  readonly flags: Uint8Array;
  readonly live: Int32Array;
  readonly active: Int32Array;
  readonly price: Float64Array;
  readonly prices: readonly (readonly [docId: number, prices: readonly number[]])[];
  readonly lows: Float64Array;
  readonly highs: Float64Array;
  readonly createdAt: Float64Array;
  readonly rating: Uint8Array;
  readonly reviews: CompactUints;
  readonly condition: Uint8Array;
  readonly brand: CompactUints;
  readonly category: CompactUints;
  readonly subcategory: CompactUints;
  readonly fingerprint: Uint32Array;
  readonly brands: readonly AttributeValue[];
  readonly categories: readonly AttributeValue[];
  readonly categoryCounts: CategoryCountsState;
  readonly docIdLimit: number;
  readonly size: number;
  readonly free: readonly number[];
}

export interface IndexState {
  readonly columns: ColumnsState;
  readonly postings: PostingsState;
  readonly vocabulary: VocabularyState;
  readonly productIds: ProductIdsState;
  readonly attributes: AttributesState;
  readonly variants: VariantsState;
}

export class ProductIndex {
  readonly analysis: Analysis;
  readonly postings = new Postings();
  readonly vocabulary = new Vocabulary((term) => this.postings.count(term));
  readonly productIds = new ProductIds(DOC_IDS_START);
  readonly attributes = new Attributes(DOC_IDS_START);
  readonly variants = new Variants(DOC_IDS_START);
  readonly spaces = new VectorSpaces();
  readonly brands = new Dictionary();
  readonly categories = new Dictionary();
  flags: Uint8Array = new Uint8Array(DOC_IDS_START);
  live: Int32Array = new Int32Array(wordsFor(DOC_IDS_START));
  active: Int32Array = new Int32Array(wordsFor(DOC_IDS_START));
  /** NaN for a product without a price. */
  price: Float64Array = new Float64Array(DOC_IDS_START);
  readonly prices = new Map<number, readonly number[]>();
  readonly priceBounds = new PriceBounds(DOC_IDS_START);
  readonly categoryCounts = new CategoryCounts();
  createdAt: Float64Array = new Float64Array(DOC_IDS_START);
  /** In tenths of a star; 0 without reviews. */
  rating: Uint8Array = new Uint8Array(DOC_IDS_START);
  reviews: CompactUints = new Uint8Array(DOC_IDS_START);
  condition: Uint8Array = new Uint8Array(DOC_IDS_START);
  brand: CompactUints = new Uint16Array(DOC_IDS_START);
  category: CompactUints = new Uint16Array(DOC_IDS_START);
  subcategory: CompactUints = new Uint16Array(DOC_IDS_START);
  #fingerprint: Uint32Array = new Uint32Array(DOC_IDS_START);
  /** Number of docIds in use, including those of deleted products. */
  #docIdLimit = 0;
  #live = 0;
  #free: number[] = [];
  /** docIds of deleted products that postings still contain. */
  #deleted: number[] = [];
  #isPacking = false;

  constructor(analysis: Analysis = PLAIN) {
    this.analysis = analysis;
  }

  get vectors(): Vectors {
    return this.spaces.current;
  }

  get size(): number {
    return this.#live;
  }

  get hasDeleted(): boolean {
    return this.#deleted.length > 0 || this.#isPacking;
  }

  get docIdLimit(): number {
    return this.#docIdLimit;
  }

  get memoryBytes(): number {
    const columns = [
      this.flags,
      this.price,
      this.createdAt,
      this.rating,
      this.reviews,
      this.condition,
      this.brand,
      this.category,
      this.subcategory,
      this.#fingerprint,
    ];
    return (
      columns.reduce((sum, { byteLength }) => sum + byteLength, 0) +
      this.live.byteLength * 2 +
      this.priceBounds.memoryBytes +
      this.categoryCounts.memoryBytes +
      this.prices.size * 100 +
      this.vocabulary.memoryBytes +
      this.postings.memoryBytes +
      this.productIds.memoryBytes +
      this.attributes.memoryBytes +
      this.variants.memoryBytes +
      this.spaces.memoryBytes
    );
  }

  /** Returns the index's own arrays; null while postings must be packed first. */
  get state(): IndexState | null {
    if (this.hasDeleted || !this.postings.isFullyPacked) return null;
    return {
      columns: this.#columns(),
      postings: this.postings.state,
      vocabulary: this.vocabulary.state,
      productIds: this.productIds.state,
      attributes: this.attributes.state,
      variants: this.variants.state,
    };
  }

  *restoring({ columns, postings, vocabulary, productIds, attributes, variants }: IndexState): Slices {
    yield* this.attributes.restoring(attributes);
    this.variants.restore(variants);
    this.postings.restore(postings);
    this.vocabulary.restore(vocabulary);
    this.productIds.restore(productIds);
    this.brands.restore(columns.brands);
    this.categories.restore(columns.categories);
    this.categoryCounts.restore(columns.categoryCounts);
    this.flags = columns.flags;
    this.live = columns.live;
    this.active = columns.active;
    this.price = columns.price;
    for (const [docId, prices] of columns.prices) this.prices.set(docId, prices);
    this.priceBounds.lows = columns.lows;
    this.priceBounds.highs = columns.highs;
    this.createdAt = columns.createdAt;
    this.rating = columns.rating;
    this.reviews = columns.reviews;
    this.condition = columns.condition;
    this.brand = columns.brand;
    this.category = columns.category;
    this.subcategory = columns.subcategory;
    this.#fingerprint = columns.fingerprint;
    this.#docIdLimit = columns.docIdLimit;
    this.#live = columns.size;
    this.#free = [...columns.free];
  }

  beginLoad(): void {
    this.postings.beginLoad();
  }

  endLoad(): void {
    for (const _ of this.ending()) void 0;
  }

  *ending(): Slices {
    yield* this.packing();
  }

  /** Adds or updates a product. Returns whether its texts changed; usually only prices and stock do. */
  put(document: SearchDocument): boolean {
    const fingerprint = fingerprintOf(document);
    const known = this.productIds.find(document.id);
    if (known >= 0 && this.#fingerprint[known] === fingerprint) {
      this.#setNumbers(known, document);
      return false;
    }
    if (known >= 0) this.#delete(known);
    const docId = this.#allocate();
    this.productIds.set(docId, document.id);
    this.#fingerprint[docId] = fingerprint;
    const pairs = [...document.attributes, ...document.tags.map((tag) => [TAGS, tag] as const)];
    this.attributes.set(docId, pairs);
    this.brand = withNumber(this.brand, docId, document.brand === null ? 0 : this.brands.code(document.brand));
    this.#setNumbers(docId, document);
    this.spaces.begin(docId);
    const add = (term: number, impact: number): void => {
      this.postings.add(term, docId, impact);
      this.spaces.add(term, impact);
    };
    eachImpact(document, this.vocabulary, add, this.analysis);
    this.spaces.end();
    eachKind(document, this.vocabulary, (term) => this.postings.add(term, docId, IMPACT_MASK), this.analysis);
    return true;
  }

  remove(id: string): void {
    const docId = this.productIds.find(id);
    if (docId >= 0) this.#delete(docId);
  }

  *ids(): Iterable<string> {
    for (let docId = 0; docId < this.#docIdLimit; docId++)
      if (this.flags[docId]! & LIVE) yield this.productIds.id(docId);
  }

  /** Whether packing or sorting is due; until then searches for recent terms take longer. */
  get needsTidying(): boolean {
    return !this.#isPacking && (this.postings.needsPacking || this.vocabulary.needsSorting);
  }

  tidying(): Slices {
    return this.postings.needsPacking ? this.packing() : this.vocabulary.sorting();
  }

  merge(): void {
    for (const _ of this.packing()) void 0;
  }

  /**
   * Packs the postings in slices of one or two milliseconds. Between slices the index may be searched and changed. When
   * packing ends, the docIds of products deleted before it began can be used again. Only one packing may run at a time.
   */
  *packing(slice = SLICE): Slices {
    if (this.#isPacking) return;
    const dead = this.#deleted;
    this.#deleted = [];
    this.#isPacking = true;
    if (this.postings.isLoading) yield* this.postings.renumbering(yield* this.vocabulary.arranging());
    yield* this.postings.pack(
      this.vocabulary.size,
      this.#docIdLimit,
      (docId) => (this.flags[docId]! & LIVE) !== 0,
      slice,
    );
    yield* this.vocabulary.sorting();
    this.#isPacking = false;
    this.#free = this.#free.concat(dead);
  }

  #columns(): ColumnsState {
    return {
      flags: this.flags,
      live: this.live,
      active: this.active,
      price: this.price,
      prices: [...this.prices],
      lows: this.priceBounds.lows,
      highs: this.priceBounds.highs,
      createdAt: this.createdAt,
      rating: this.rating,
      reviews: this.reviews,
      condition: this.condition,
      brand: this.brand,
      category: this.category,
      subcategory: this.subcategory,
      fingerprint: this.#fingerprint,
      brands: this.brands.state,
      categories: this.categories.state,
      categoryCounts: this.categoryCounts.state,
      docIdLimit: this.#docIdLimit,
      size: this.#live,
      free: this.#free,
    };
  }

  #setNumbers(docId: number, document: SearchDocument): void {
    this.#count(docId, -1);
    this.flags[docId] = LIVE | (document.active ? ACTIVE : 0) | (document.inStock ? IN_STOCK : 0);
    this.live[docId >>> WORD_SHIFT]! |= 1 << (docId & WORD_MASK);
    if (document.active) this.active[docId >>> WORD_SHIFT]! |= 1 << (docId & WORD_MASK);
    else this.active[docId >>> WORD_SHIFT]! &= ~(1 << (docId & WORD_MASK));
    this.price[docId] = document.price ?? Number.NaN;
    if (document.prices.every((price) => price === document.price)) this.prices.delete(docId);
    else this.prices.set(docId, document.prices);
    for (const price of document.prices) this.priceBounds.widen(docId >>> WORD_SHIFT, price);
    this.priceBounds.widen(docId >>> WORD_SHIFT, this.price[docId]!);
    this.createdAt[docId] = document.createdAt;
    this.rating[docId] = document.rating === null ? 0 : Math.round(document.rating * 10);
    this.reviews = withNumber(this.reviews, docId, document.reviews);
    const { category, subcategory } = document;
    this.category = withNumber(this.category, docId, category === null ? 0 : this.categories.code(category));
    this.subcategory = withNumber(
      this.subcategory,
      docId,
      subcategory === null ? 0 : this.categories.code(subcategory),
    );
    let condition = 0;
    for (const each of document.conditions) condition |= 1 << CONDITIONS.indexOf(each);
    this.condition[docId] = condition;
    this.variants.set(docId, document.variants, CONDITIONS, (name, value) =>
      pairOf(this.attributes.numberOf(name), this.attributes.codeOf(name, value)),
    );
    this.#count(docId, 1);
  }

  #count(docId: number, step: 1 | -1): void {
    if (this.flags[docId]! & ACTIVE) this.categoryCounts.move(this.brand[docId]!, this.category[docId]!, step);
  }

  #delete(docId: number): void {
    this.#count(docId, -1);
    this.productIds.delete(docId);
    this.attributes.clear(docId);
    this.variants.clear(docId);
    this.prices.delete(docId);
    this.spaces.clear(docId);
    this.flags[docId] = 0;
    this.live[docId >>> WORD_SHIFT]! &= ~(1 << (docId & WORD_MASK));
    this.active[docId >>> WORD_SHIFT]! &= ~(1 << (docId & WORD_MASK));
    this.#deleted.push(docId);
    this.#live--;
  }

  #allocate(): number {
    this.#live++;
    const free = this.#free.pop();
    if (free !== undefined) return free;
    if (this.#docIdLimit === DOC_IDS_MAX) throw new RangeError('An index holds no more products.');
    if (this.#docIdLimit === this.flags.length) this.#grow();
    return this.#docIdLimit++;
  }

  #grow(): void {
    const docIds = this.flags.length * 2;
    this.flags = lengthened(this.flags, new Uint8Array(docIds));
    this.live = lengthened(this.live, new Int32Array(wordsFor(docIds)));
    this.active = lengthened(this.active, new Int32Array(wordsFor(docIds)));
    this.price = lengthened(this.price, new Float64Array(docIds));
    this.createdAt = lengthened(this.createdAt, new Float64Array(docIds));
    this.rating = lengthened(this.rating, new Uint8Array(docIds));
    this.reviews = lengthenedUints(this.reviews, docIds);
    this.condition = lengthened(this.condition, new Uint8Array(docIds));
    this.brand = lengthenedUints(this.brand, docIds);
    this.category = lengthenedUints(this.category, docIds);
    this.subcategory = lengthenedUints(this.subcategory, docIds);
    this.#fingerprint = lengthened(this.#fingerprint, new Uint32Array(docIds));
    this.priceBounds.grow(docIds);
    this.productIds.grow(docIds);
    this.attributes.grow(docIds);
    this.variants.grow(docIds);
  }
}

const lengthened = <T extends Uint8Array | Int32Array | Uint32Array | Float64Array>(before: T, longer: T): T => {
  longer.set(before);
  return longer;
};

/** Hashes every value of a product that is searched, counted or filtered, except numbers. */
const fingerprintOf = ({ texts, brand, tags, attributes }: SearchDocument): number => {
  const whole = `${FIELDS.map((field) => texts[field]).join('\0')}\0${brand}\0${tags.join('\0')}\0${JSON.stringify(attributes)}`;
  return Number(BigInt.asUintN(32, BigInt(Bun.hash(whole))));
};

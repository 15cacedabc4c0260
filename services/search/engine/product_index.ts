// One tenant's search index: a docId per product, values in columns, words in postings.
import { Attributes, type AttributesState, TAGS } from './attribute.ts';
import { Census, type CensusState } from './census.ts';
import { Dictionary } from './dictionary.ts';
import { type AttributeValue, FIELDS, type SearchDocument } from './document.ts';
import { Identities, type IdentitiesState } from './identity.ts';
import { entered, lengthened as lengthenedNarrow, type Narrow } from './narrow.ts';
import { Postings, type PostingsState, SLICE, type Slices } from './posting.ts';
import { IMPACT_MASK, SLOTS_MAX } from './posting_layout.ts';
import { PriceBounds } from './price_bound.ts';
import { WORD_MASK, WORD_SHIFT, wordsFor } from './slot_set.ts';
import { Spaces } from './space.ts';
import { pairOf, Variants, type VariantsState } from './variant.ts';
import type { Vectors } from './vector.ts';
import { Vocabulary, type VocabularyState } from './vocabulary.ts';
import { eachImpact, eachKind } from './weight.ts';

export const LIVE = 1;
export const ACTIVE = 2;
export const IN_STOCK = 4;

export const CONDITIONS = ['new', 'refurbished', 'used'];

const SLOTS_START = 64;

export interface ColumnsState {
  readonly flags: Uint8Array;
  readonly live: Int32Array;
  readonly active: Int32Array;
  readonly price: Float64Array;
  readonly prices: readonly (readonly [slot: number, prices: readonly number[]])[];
  readonly lows: Float64Array;
  readonly highs: Float64Array;
  readonly createdAt: Float64Array;
  readonly rating: Uint8Array;
  readonly reviews: Narrow;
  readonly condition: Uint8Array;
  readonly brand: Narrow;
  readonly category: Narrow;
  readonly subcategory: Narrow;
  readonly fingerprint: Uint32Array;
  readonly brands: readonly AttributeValue[];
  readonly categories: readonly AttributeValue[];
  readonly census: CensusState;
  readonly slots: number;
  readonly size: number;
  readonly free: readonly number[];
}

export interface IndexState {
  readonly columns: ColumnsState;
  readonly postings: PostingsState;
  readonly vocabulary: VocabularyState;
  readonly identities: IdentitiesState;
  readonly attributes: AttributesState;
  readonly variants: VariantsState;
}

export class ProductIndex {
  readonly postings = new Postings();
  readonly vocabulary = new Vocabulary((term) => this.postings.count(term));
  readonly identities = new Identities(SLOTS_START);
  readonly attributes = new Attributes(SLOTS_START);
  readonly variants = new Variants(SLOTS_START);
  readonly spaces = new Spaces();
  readonly brands = new Dictionary();
  readonly categories = new Dictionary();
  flags: Uint8Array = new Uint8Array(SLOTS_START);
  live: Int32Array = new Int32Array(wordsFor(SLOTS_START));
  active: Int32Array = new Int32Array(wordsFor(SLOTS_START));
  /** NaN without a price. */
  price: Float64Array = new Float64Array(SLOTS_START);
  readonly prices = new Map<number, readonly number[]>();
  readonly priceBounds = new PriceBounds(SLOTS_START);
  readonly census = new Census();
  createdAt: Float64Array = new Float64Array(SLOTS_START);
  /** In tenths; 0 without reviews. */
  rating: Uint8Array = new Uint8Array(SLOTS_START);
  reviews: Narrow = new Uint8Array(SLOTS_START);
  condition: Uint8Array = new Uint8Array(SLOTS_START);
  brand: Narrow = new Uint16Array(SLOTS_START);
  category: Narrow = new Uint16Array(SLOTS_START);
  subcategory: Narrow = new Uint16Array(SLOTS_START);
  #fingerprint: Uint32Array = new Uint32Array(SLOTS_START);
  /** Includes deleted ones. */
  #slots = 0;
  #live = 0;
  #free: number[] = [];
  /** Deleted, but still in postings. */
  #dead: number[] = [];
  #packs = false;

  get vectors(): Vectors {
    return this.spaces.current;
  }

  get size(): number {
    return this.#live;
  }

  get hasDead(): boolean {
    return this.#dead.length > 0 || this.#packs;
  }

  get slots(): number {
    return this.#slots;
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
      this.census.memoryBytes +
      this.prices.size * 100 +
      this.vocabulary.memoryBytes +
      this.postings.memoryBytes +
      this.identities.memoryBytes +
      this.attributes.memoryBytes +
      this.variants.memoryBytes +
      this.spaces.memoryBytes
    );
  }

  /** Null while postings need packing. Returns the index's own arrays. */
  get state(): IndexState | null {
    if (this.hasDead || !this.postings.settledWholly) return null;
    return {
      columns: this.#columns(),
      postings: this.postings.state,
      vocabulary: this.vocabulary.state,
      identities: this.identities.state,
      attributes: this.attributes.state,
      variants: this.variants.state,
    };
  }

  *restoring({ columns, postings, vocabulary, identities, attributes, variants }: IndexState): Slices {
    yield* this.attributes.restoring(attributes);
    this.variants.restore(variants);
    this.postings.restore(postings);
    this.vocabulary.restore(vocabulary);
    this.identities.restore(identities);
    this.brands.restore(columns.brands);
    this.categories.restore(columns.categories);
    this.census.restore(columns.census);
    this.flags = columns.flags;
    this.live = columns.live;
    this.active = columns.active;
    this.price = columns.price;
    for (const [slot, prices] of columns.prices) this.prices.set(slot, prices);
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
    this.#slots = columns.slots;
    this.#live = columns.size;
    this.#free = [...columns.free];
  }

  /** Until `endLoad` nothing is found, and additions are cheap. */
  beginLoad(): void {
    this.postings.beginLoad();
  }

  endLoad(): void {
    for (const _ of this.ending()) void 0;
  }

  *ending(): Slices {
    yield* this.packing();
  }

  /** Returns whether texts changed: prices and stock change far more often. */
  put(document: SearchDocument): boolean {
    const fingerprint = fingerprintOf(document);
    const known = this.identities.find(document.id);
    if (known >= 0 && this.#fingerprint[known] === fingerprint) {
      this.#figures(known, document);
      return false;
    }
    if (known >= 0) this.#kill(known);
    const slot = this.#take();
    this.identities.set(slot, document.id);
    this.#fingerprint[slot] = fingerprint;
    const pairs = [...document.attributes, ...document.tags.map((tag) => [TAGS, tag] as const)];
    this.attributes.set(slot, pairs);
    this.brand = entered(this.brand, slot, document.brand === null ? 0 : this.brands.code(document.brand));
    this.#figures(slot, document);
    this.spaces.begin(slot);
    eachImpact(document, this.vocabulary, (term, impact) => {
      this.postings.add(term, slot, impact);
      this.spaces.add(term, impact);
    });
    this.spaces.end();
    eachKind(document, this.vocabulary, (term) => this.postings.add(term, slot, IMPACT_MASK));
    return true;
  }

  remove(id: string): void {
    const slot = this.identities.find(id);
    if (slot >= 0) this.#kill(slot);
  }

  *ids(): Iterable<string> {
    for (let slot = 0; slot < this.#slots; slot++) if (this.flags[slot]! & LIVE) yield this.identities.id(slot);
  }

  /** Until then recent terms are found at a higher cost. */
  get scattered(): boolean {
    return !this.#packs && (this.postings.scattered || this.vocabulary.scattered);
  }

  tidying(): Slices {
    return this.postings.scattered ? this.packing() : this.vocabulary.sorting();
  }

  merge(): void {
    for (const _ of this.packing()) void 0;
  }

  /**
   * Packs in slices of a millisecond or two, between which the index may be searched and changed. docIds deleted before
   * it are free afterwards. Runs one at a time.
   */
  *packing(slice = SLICE): Slices {
    if (this.#packs) return;
    const dead = this.#dead;
    this.#dead = [];
    this.#packs = true;
    if (this.postings.loads) yield* this.postings.renumbering(yield* this.vocabulary.arranging());
    yield* this.postings.pack(this.vocabulary.size, this.#slots, (slot) => (this.flags[slot]! & LIVE) !== 0, slice);
    yield* this.vocabulary.sorting();
    this.#packs = false;
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
      census: this.census.state,
      slots: this.#slots,
      size: this.#live,
      free: this.#free,
    };
  }

  #figures(slot: number, document: SearchDocument): void {
    this.#register(slot, -1);
    this.flags[slot] = LIVE | (document.active ? ACTIVE : 0) | (document.inStock ? IN_STOCK : 0);
    this.live[slot >>> WORD_SHIFT]! |= 1 << (slot & WORD_MASK);
    if (document.active) this.active[slot >>> WORD_SHIFT]! |= 1 << (slot & WORD_MASK);
    else this.active[slot >>> WORD_SHIFT]! &= ~(1 << (slot & WORD_MASK));
    this.price[slot] = document.price ?? Number.NaN;
    if (document.prices.every((price) => price === document.price)) this.prices.delete(slot);
    else this.prices.set(slot, document.prices);
    for (const price of document.prices) this.priceBounds.widen(slot >>> WORD_SHIFT, price);
    this.priceBounds.widen(slot >>> WORD_SHIFT, this.price[slot]!);
    this.createdAt[slot] = document.createdAt;
    this.rating[slot] = document.rating === null ? 0 : Math.round(document.rating * 10);
    this.reviews = entered(this.reviews, slot, document.reviews);
    const { category, subcategory } = document;
    this.category = entered(this.category, slot, category === null ? 0 : this.categories.code(category));
    this.subcategory = entered(this.subcategory, slot, subcategory === null ? 0 : this.categories.code(subcategory));
    let condition = 0;
    for (const each of document.conditions) condition |= 1 << CONDITIONS.indexOf(each);
    this.condition[slot] = condition;
    this.variants.set(slot, document.variants, CONDITIONS, (name, value) =>
      pairOf(this.attributes.numberOf(name), this.attributes.codeOf(name, value)),
    );
    this.#register(slot, 1);
  }

  #register(slot: number, step: 1 | -1): void {
    if (this.flags[slot]! & ACTIVE) this.census.move(this.brand[slot]!, this.category[slot]!, step);
  }

  #kill(slot: number): void {
    this.#register(slot, -1);
    this.identities.delete(slot);
    this.attributes.clear(slot);
    this.variants.clear(slot);
    this.prices.delete(slot);
    this.spaces.clear(slot);
    this.flags[slot] = 0;
    this.live[slot >>> WORD_SHIFT]! &= ~(1 << (slot & WORD_MASK));
    this.active[slot >>> WORD_SHIFT]! &= ~(1 << (slot & WORD_MASK));
    this.#dead.push(slot);
    this.#live--;
  }

  #take(): number {
    this.#live++;
    const free = this.#free.pop();
    if (free !== undefined) return free;
    if (this.#slots === SLOTS_MAX) throw new RangeError('An index holds no more products.');
    if (this.#slots === this.flags.length) this.#grow();
    return this.#slots++;
  }

  #grow(): void {
    const slots = this.flags.length * 2;
    this.flags = lengthened(this.flags, new Uint8Array(slots));
    this.live = lengthened(this.live, new Int32Array(wordsFor(slots)));
    this.active = lengthened(this.active, new Int32Array(wordsFor(slots)));
    this.price = lengthened(this.price, new Float64Array(slots));
    this.createdAt = lengthened(this.createdAt, new Float64Array(slots));
    this.rating = lengthened(this.rating, new Uint8Array(slots));
    this.reviews = lengthenedNarrow(this.reviews, slots);
    this.condition = lengthened(this.condition, new Uint8Array(slots));
    this.brand = lengthenedNarrow(this.brand, slots);
    this.category = lengthenedNarrow(this.category, slots);
    this.subcategory = lengthenedNarrow(this.subcategory, slots);
    this.#fingerprint = lengthened(this.#fingerprint, new Uint32Array(slots));
    this.priceBounds.grow(slots);
    this.identities.grow(slots);
    this.attributes.grow(slots);
    this.variants.grow(slots);
  }
}

const lengthened = <T extends Uint8Array | Int32Array | Uint32Array | Float64Array>(before: T, longer: T): T => {
  longer.set(before);
  return longer;
};

/** Covers everything searched, counted or filtered except numbers. */
const fingerprintOf = ({ texts, brand, tags, attributes }: SearchDocument): number => {
  const whole = `${FIELDS.map((field) => texts[field]).join('\0')}\0${brand}\0${tags.join('\0')}\0${JSON.stringify(attributes)}`;
  return Number(BigInt.asUintN(32, BigInt(Bun.hash(whole))));
};

// Trains vectors on one store's products by latent semantic analysis: terms of similar products get similar vectors.
// Needs no external model.

import { DOC_ID_SHIFT, IMPACT_MASK } from './dense_posting.ts';
import { bitCount, WORD_MASK, WORD_SHIFT, wordsFor } from './doc_id_set.ts';
import { LIVE, type ProductIndex } from './product_index.ts';
import { type Folding, Vectors } from './vector.ts';
import { isKindTerm, rarity } from './weight.ts';

const DIMENSIONS = 64;
const DIMENSIONS_LARGE = 32;
const LARGE = 200_000;
/** Number of products used for training. Vectors of other products are calculated from the trained terms. */
const TRAINING_PRODUCTS = 30_000;
const PRODUCTS_MIN = 8;
/**
 * Terms in fewer products, or in a larger share of them, are not trained: they relate or distinguish hardly any
 * products.
 */
const COUNT_MIN = 2;
const COUNT_SHARE_MAX = 0.2;
const SLICE = 200_000;
const PACKED_PER_SLICE = 1 << 18;

export type Pause = () => Promise<void>;

interface Matrix {
  readonly terms: Uint32Array;
  readonly weights: Float32Array;
  readonly list: (row: number) => Uint32Array;
  readonly docIds: number;
  readonly dimensions: number;
  readonly step: number;
}

/** Trains a space and calculates every product's vector in it. Products may change during training. */
export const trainVectors = async (index: ProductIndex, pause: Pause): Promise<void> => {
  if (index.size < PRODUCTS_MIN) return;
  // Training reads packed postings only. A small catalogue is packed first, because all of its postings may be recent;
  // in a large one recent postings hardly matter.
  if (index.postings.size <= PACKED_PER_SLICE) index.merge();
  const matrix = await matrixOf(index, pause);
  if (matrix.terms.length < 4) return;
  const rows = await trainAxes(index, matrix, pause);
  const folding = foldingOf(matrix, rows, index.vocabulary.size);
  // New products get vectors in the new space from now on. The previous space answers searches until all older products
  // have one, too.
  const space = new Vectors();
  space.replace(matrix.dimensions, index.docIdLimit, folding);
  index.spaces.prepare(space);
  const sums = await placeProducts({ ...matrix, step: 1 }, rows, pause);
  const { dimensions } = matrix;
  for (let docId = 0; docId < matrix.docIds; docId++) {
    if (docId % SLICE === SLICE - 1) await pause();
    if ((index.flags[docId]! & LIVE) === 0 || space.has(docId)) continue;
    space.set(docId, sums.subarray(docId * dimensions, (docId + 1) * dimensions));
  }
  index.spaces.adopt();
};

const matrixOf = async (index: ProductIndex, pause: Pause): Promise<Matrix> => {
  const { postings, vocabulary, size, docIdLimit } = index;
  const chosen: number[] = [];
  let written = new Uint32Array(0);
  const countMax = Math.max(COUNT_MIN, size * COUNT_SHARE_MAX);
  for (let term = 0; term < vocabulary.size; term++) {
    if (term % (SLICE * 4) === 0) await pause();
    const count = postings.packedCount(term);
    if (count >= COUNT_MIN && count <= countMax && !isKindTerm(vocabulary.text(term))) chosen.push(term);
  }
  const dimensions = Math.min(size > LARGE ? DIMENSIONS_LARGE : DIMENSIONS, size >> 1, chosen.length >> 1);
  return {
    terms: Uint32Array.from(chosen),
    weights: Float32Array.from(chosen, (term) => rarity(postings.packedCount(term), size) / 64),
    list: (row) => {
      const count = postings.packedCount(chosen[row]!);
      if (count > written.length) written = new Uint32Array(count * 2);
      return postings.packedPostings(chosen[row]!, written);
    },
    docIds: docIdLimit,
    dimensions: Math.max(1, dimensions),
    step: Math.max(1, Math.ceil(size / TRAINING_PRODUCTS)),
  };
};

/**
 * Finds the axes with a randomised range finder: one row per term, columns orthonormal. Two passes from terms to
 * products and back amplify the terms that products share.
 */
const trainAxes = async (index: ProductIndex, matrix: Matrix, pause: Pause): Promise<Float32Array> => {
  const { terms, docIds, dimensions, step } = matrix;
  const signs = new Float32Array(docIds * dimensions);
  for (let docId = 0; docId < docIds; docId += step) {
    if (docId % SLICE < step) await pause();
    if (index.flags[docId]! & LIVE) signsOf(index.productIds.id(docId), signs, docId * dimensions, dimensions);
  }
  const rows = new Float32Array(terms.length * dimensions);
  await placeTerms(matrix, signs, rows, pause);
  await orthonormalise(rows, dimensions, pause);
  return rows;
};

/**
 * Writes the initial row of a product: random signs from a hash of the id. Equal ids give equal signs, so after a small
 * change of the catalogue a new training yields similar vectors.
 */
const signsOf = (id: string, rows: Float32Array, from: number, dimensions: number): void => {
  const hash = BigInt(Bun.hash(id));
  const halves = [Number(BigInt.asUintN(32, hash)), Number(hash >> 32n)];
  for (let each = 0; each < dimensions; each++) rows[from + each] = ((halves[each >> 5]! >>> (each & 31)) & 1) * 2 - 1;
};

const placeProducts = async (matrix: Matrix, rows: Float32Array, pause: Pause): Promise<Float32Array> => {
  const { terms, weights, list, docIds, dimensions, step } = matrix;
  const sums = new Float32Array(docIds * dimensions);
  let work = 0;
  for (let row = 0; row < terms.length; row++) {
    if (work * dimensions > SLICE * 8) {
      work = 0;
      await pause();
    }
    const postings = list(row);
    work += postings.length;
    const from = row * dimensions;
    for (let at = 0; at < postings.length; at++) {
      const posting = postings[at]!;
      const docId = posting >>> DOC_ID_SHIFT;
      if (docId % step !== 0 || docId >= docIds) continue;
      const weight = weights[row]! * (posting & IMPACT_MASK);
      const to = docId * dimensions;
      for (let each = 0; each < dimensions; each++) sums[to + each]! += weight * rows[from + each]!;
    }
  }
  return sums;
};

const placeTerms = async (matrix: Matrix, sums: Float32Array, rows: Float32Array, pause: Pause): Promise<void> => {
  const { terms, weights, list, docIds, dimensions, step } = matrix;
  let work = 0;
  for (let row = 0; row < terms.length; row++) {
    if (work * dimensions > SLICE * 8) {
      work = 0;
      await pause();
    }
    const postings = list(row);
    work += postings.length;
    const to = row * dimensions;
    for (let at = 0; at < postings.length; at++) {
      const posting = postings[at]!;
      const docId = posting >>> DOC_ID_SHIFT;
      if (docId % step !== 0 || docId >= docIds) continue;
      const weight = weights[row]! * (posting & IMPACT_MASK);
      const from = docId * dimensions;
      for (let each = 0; each < dimensions; each++) rows[to + each]! += weight * sums[from + each]!;
    }
  }
};

const orthonormalise = async (rows: Float32Array, dimensions: number, pause: Pause): Promise<void> => {
  const gram = new Float64Array(dimensions * dimensions);
  const step = Math.max(1, Math.floor(SLICE / dimensions)) * dimensions;
  for (let start = 0; start < rows.length; start += step) {
    const end = Math.min(rows.length, start + step);
    for (let from = start; from < end; from += dimensions) {
      for (let a = 0; a < dimensions; a++) {
        const value = rows[from + a]!;
        for (let b = 0; b <= a; b++) gram[a * dimensions + b]! += value * rows[from + b]!;
      }
    }
    await pause();
  }
  factorise(gram, dimensions);
  for (let start = 0; start < rows.length; start += step) {
    const end = Math.min(rows.length, start + step);
    for (let from = start; from < end; from += dimensions) {
      for (let a = 0; a < dimensions; a++) {
        let value = rows[from + a]!;
        for (let b = 0; b < a; b++) value -= gram[a * dimensions + b]! * rows[from + b]!;
        rows[from + a] = value / gram[a * dimensions + a]!;
      }
    }
    await pause();
  }
};

/**
 * Replaces the lower triangle by the Cholesky factor. For a dependent column the divisor is huge, which makes the
 * column vanish.
 */
const factorise = (gram: Float64Array, size: number): void => {
  let largest = 0;
  for (let at = 0; at < size; at++) largest = Math.max(largest, gram[at * size + at]!);
  for (let a = 0; a < size; a++) {
    for (let b = 0; b <= a; b++) {
      let sum = gram[a * size + b]!;
      for (let each = 0; each < b; each++) sum -= gram[a * size + each]! * gram[b * size + each]!;
      if (a === b) gram[a * size + a] = sum > largest * 1e-9 ? Math.sqrt(sum) : Number.MAX_VALUE;
      else gram[a * size + b] = sum / gram[b * size + b]!;
    }
  }
};

const foldingOf = ({ terms, weights, dimensions }: Matrix, rows: Float32Array, vocabulary: number): Folding => {
  // Finds a term's row by the rank of its bit in a set of the trained terms, because most terms have no row.
  const words = wordsFor(vocabulary);
  const bits = new Int32Array(words);
  const ranks = new Uint32Array(words);
  for (let row = 0; row < terms.length; row++) bits[terms[row]! >>> WORD_SHIFT]! |= 1 << (terms[row]! & WORD_MASK);
  for (let word = 1; word < words; word++) ranks[word] = ranks[word - 1]! + bitCount(bits[word - 1]!);
  const row = (term: number): number => {
    const word = term >>> WORD_SHIFT;
    const bit = 1 << (term & WORD_MASK);
    return word < words && (bits[word]! & bit) !== 0 ? ranks[word]! + bitCount(bits[word]! & (bit - 1)) : -1;
  };
  const memoryBytes = rows.byteLength + weights.byteLength + bits.byteLength + ranks.byteLength;
  const mark = Number(BigInt.asUintN(32, BigInt(Bun.hash(rows))));
  return { dimensions, rows, row, weight: (term) => weights[row(term)]!, mark, memoryBytes };
};

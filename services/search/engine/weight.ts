// Calculates a term's impact on a document from its frequency in each field (BM25F).

import { type Analysis, PLAIN } from '#services/search/text/analysis.ts';
import { eachTerm, OWN, PART, type WordKind } from '#services/search/text/word.ts';
import { FIELDS, type SearchDocument, type TextField } from './document.ts';
import type { Vocabulary } from './vocabulary.ts';

interface Measure {
  readonly weight: number;
  /** How much a long field lowers impacts, from 0 to 1. */
  readonly norm: number;
  /** Usual length in terms. A constant instead of the average, so that impacts depend only on the document. */
  readonly usual: number;
}

const MEASURES: Readonly<Record<TextField, Measure>> = {
  name: { weight: 3, norm: 0.6, usual: 9 },
  head: { weight: 0.8, norm: 0, usual: 1 },
  brand: { weight: 2, norm: 0, usual: 1 },
  category: { weight: 2, norm: 0, usual: 2 },
  code: { weight: 3, norm: 0, usual: 3 },
  attribute: { weight: 0.25, norm: 0.7, usual: 32 },
  description: { weight: 1, norm: 0.75, usual: 11 },
};
/** Factor of a word's parts, relative to the whole word. */
const PART_SHARE = 0.5;
const SATURATION = 1;
const IMPACT_MAX = 255;
const FIELD_TERMS_MAX = 4_000;

/** Sums of one document. A map, because an array by term would be as long as the vocabulary. */
const sums = new Map<number, number>();
const terms: number[] = [];
const shares: number[] = [];

export const eachImpact = (
  document: SearchDocument,
  vocabulary: Vocabulary,
  take: (term: number, impact: number) => void,
  analysis: Analysis = PLAIN,
): void => {
  sums.clear();
  for (const field of FIELDS) {
    const text = document.texts[field];
    if (text === '') continue;
    terms.length = 0;
    let length = 0;
    const count = (term: string, kind: WordKind): void => {
      if (terms.length === FIELD_TERMS_MAX) return;
      shares[terms.length] = kind === PART ? PART_SHARE : 1;
      terms.push(vocabulary.add(term));
      if (kind === OWN) length++;
    };
    eachTerm(text, count, analysis);
    const { weight, norm, usual } = MEASURES[field];
    const share = weight / (1 - norm + (norm * length) / usual);
    for (let at = 0; at < terms.length; at++)
      sums.set(terms[at]!, Math.fround((sums.get(terms[at]!) ?? 0) + share * shares[at]!));
  }
  for (const [term, sum] of sums) take(term, Math.max(1, Math.round((IMPACT_MAX * sum) / (SATURATION + sum))));
};

/** Prefix of the terms that name a product's kind. No word of a query contains it. */
export const KIND = '\u0001\u0001';

export const isKindTerm = (text: string): boolean => text.startsWith(KIND);

export const eachKind = (
  { texts }: SearchDocument,
  vocabulary: Vocabulary,
  take: (term: number) => void,
  analysis: Analysis = PLAIN,
): void => {
  terms.length = 0;
  const note = (word: string, kind: WordKind): void => {
    // The second half of a noun that is written together names its kind: a `Kaffeebecher` is a `Becher`.
    const term = kind === PART && !analysis.compounds ? -1 : vocabulary.add(KIND + analysis.stem(word));
    if (term >= 0 && !terms.includes(term)) terms.push(term);
  };
  eachTerm(texts.head, note, analysis);
  for (const term of terms) take(term);
};

/** Inverse document frequency as an integer, so that sums are exact. */
export const rarity = (count: number, documents: number): number =>
  Math.max(1, Math.round(64 * Math.log(1 + (Math.max(0, documents - count) + 0.5) / (count + 0.5))));

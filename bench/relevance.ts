// Measures relevance: NDCG@10 against the judgements of people, and the share of misspelt queries that still find the
// product. Prints a line of JSON for each.
//
// Usage: npm run relevance
//
// Variables: STOA_DATA (folder of the data), SEED (of the misspellings), SLIPS (how many), EACH=1 (every query singly)
import type { SearchMode, SearchRequest } from '#services/search/engine/search.ts';
import { search } from '#services/search/engine/search.ts';
import { hasIcecat, type IcecatRow } from '#test/support/icecat.ts';
import {
  type Judgement,
  judgementsAreThere,
  openDealtElectronics,
  openElectronics,
  readJudgements,
  uuidOf,
} from './real_catalogue.ts';
import { Dice } from './scenario/scenario.ts';

const SHOWN = 10;
const SLIPS = Number(process.env.SLIPS ?? 4_000);
const SEED = Number(process.env.SEED ?? 11);
const PRODUCTS_OF_A_WORD_MAX = 10;
/** Least lengths of misspelt words. Among shorter ones more misspellings are other words. */
const WORD_LENGTHS_MIN = [5, 4, 3];

export const requestOf = (text: string, mode: SearchMode): SearchRequest => ({
  text,
  mode,
  filters: {},
  facets: [],
  sort: 'relevance',
  limit: SHOWN,
  everything: false,
  after: null,
});

const gained = (grades: readonly number[], gain: (grade: number) => number): number =>
  grades.slice(0, SHOWN).reduce((sum, grade, at) => sum + gain(grade) / Math.log2(at + 2), 0);

/** The share of the possible gain; a product without a grade gains nothing. */
export const ndcg = (shown: readonly string[], { grades }: Judgement, gain: (grade: number) => number): number => {
  const best = [...grades.values()].sort((a, b) => b - a);
  return (
    gained(
      shown.map((id) => grades.get(id) ?? 0),
      gain,
    ) / gained(best, gain)
  );
};

const LETTERS = 'abcdefghijklmnopqrstuvwxyz';
const DIGITS = '0123456789';

const EDITS = ['letter_less', 'letter_more', 'other_letter', 'swapped'];

/** One letter more, less, other or swapped. */
const slipped = (word: string, dice: Dice): { readonly slip: string; readonly edit: string } => {
  const at = dice.below(word.length);
  const letter = dice.pick([...(/\d/.test(word[at]!) ? DIGITS : LETTERS)]);
  const kind = dice.below(EDITS.length);
  const left = Math.min(at, word.length - 2);
  const slip = [
    word.slice(0, at) + word.slice(at + 1),
    word.slice(0, at) + letter + word.slice(at),
    word.slice(0, at) + letter + word.slice(at + 1),
    word.slice(0, left) + word[left + 1] + word[left] + word.slice(left + 2),
  ][kind]!;
  return { slip, edit: EDITS[kind]! };
};

/** Two ways to split a name into words: letters and digits, or text between spaces. */
const CUTS = {
  letters_and_digits: (name: string): string[] => name.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [],
  between_spaces: (name: string): string[] => name.toLowerCase().match(/[\p{L}\p{N}](?:\S*[\p{L}\p{N}])?/gu) ?? [],
};

const sortOf = (word: string): string => {
  if (/[^\p{L}\p{N}]/u.test(word)) return 'with_punctuation';
  if (!/\p{N}/u.test(word)) return 'letters';
  return /\p{L}/u.test(word) ? 'letters_with_digits' : 'digits';
};

/** Positions of the misspelling in a query. */
const QUERIES: Readonly<Record<string, (slip: string, word: string, row: IcecatRow) => string>> = {
  alone: (slip) => slip,
  behind_the_brand: (slip, _word, row) => `${row.brand} ${slip}`,
  before_the_brand: (slip, _word, row) => `${slip} ${row.brand}`,
  in_the_name: (slip, word, row) => row.name.toLowerCase().replace(word, () => slip),
};

/** How often each of several things happened. */
class Shares {
  readonly #counts = new Map<string, { all: number; good: number }>();

  add(key: string, good: boolean): void {
    const count = this.#counts.get(key) ?? { all: 0, good: 0 };
    this.#counts.set(key, { all: count.all + 1, good: count.good + Number(good) });
  }

  get all(): Readonly<Record<string, number>> {
    const entries = [...this.#counts].map(([key, { all, good }]) => [key, Math.round((good / all) * 10_000) / 10_000]);
    return Object.fromEntries(entries.sort()) as Record<string, number>;
  }
}

const FOUND_MAX = 400;

/** All queries, and those of one and of two words by themselves. */
const byWords = (judgements: readonly Judgement[]): Readonly<Record<string, readonly Judgement[]>> => {
  const of = (words: number) => judgements.filter(({ query }) => query.split(' ').length === words);
  return { any: judgements, one: of(1), two: of(2) };
};

/** The mean over the queries. */
export const gainOf = (judgements: readonly Judgement[], find: (text: string, judgement: Judgement) => string[]) => {
  const mean = (gain: (grade: number) => number): number => {
    const sum = judgements.reduce((sofar, each) => sofar + ndcg(find(each.query, each), each, gain), 0);
    return Math.round((sum / judgements.length) * 10_000) / 10_000;
  };
  return { ndcg_10: mean((grade) => grade), ndcg_10_exponential: mean((grade) => 2 ** grade - 1) };
};

/** Merchants among whom the catalogue is dealt out. */
export const MERCHANTS = 200;

const run = async (): Promise<void> => {
  const { index, rows } = await openElectronics();
  const find = (text: string, mode: SearchMode): string[] =>
    search(index, requestOf(text, mode)).hits.map(({ id }) => id);
  const judgements = readJudgements();
  const dealt = await openDealtElectronics(MERCHANTS);
  for (const mode of ['hybrid', 'text', 'semantic'] as const) {
    for (const [words, some] of Object.entries(byWords(judgements))) {
      const line = {
        bench: 'relevance',
        mode,
        words,
        queries: some.length,
        ...gainOf(some, (text) => find(text, mode)),
      };
      process.stdout.write(`${JSON.stringify(line)}\n`);
    }
    const overMerchants = gainOf(judgements, (text) => search(dealt, requestOf(text, mode)).hits.map(({ id }) => id));
    const line = { bench: 'relevance', case: 'merchants', merchants: MERCHANTS, mode, ...overMerchants };
    process.stdout.write(`${JSON.stringify(line)}\n`);
    // Most products of this catalogue were shown to no person: among those that were, is the order right?
    const found = (text: string): string[] =>
      search(index, { ...requestOf(text, mode), limit: FOUND_MAX }).hits.map(({ id }) => id);
    for (const [words, some] of Object.entries(byWords(judgements))) {
      const judged = gainOf(some, (text, { grades }) => found(text).filter((id) => grades.has(id)));
      const line = { bench: 'relevance', case: 'judged_alone', mode, words, queries: some.length, ...judged };
      process.stdout.write(`${JSON.stringify(line)}\n`);
    }
  }
  if (process.env.EACH === '1') {
    for (const each of judgements) {
      const score = ndcg(find(each.query, 'hybrid'), each, (grade) => grade);
      process.stderr.write(`${score.toFixed(3)} ${each.query}\n`);
    }
  }

  for (const [cut, wordsOf] of Object.entries(CUTS))
    for (const lengthMin of WORD_LENGTHS_MIN) slipIn(rows, wordsOf, cut, lengthMin, find);
};

const slipIn = (
  rows: readonly IcecatRow[],
  wordsOf: (name: string) => string[],
  cut: string,
  lengthMin: number,
  find: (text: string, mode: SearchMode) => string[],
): void => {
  const products = new Map<string, number>();
  for (const { name } of rows)
    for (const word of new Set(wordsOf(name))) products.set(word, (products.get(word) ?? 0) + 1);
  const dice = new Dice(SEED);
  let slips = 0;
  let found = 0;
  /** Slips that are themselves a word in the names of more products than are shown: a query with it means those. */
  let words = 0;
  const shares = { edit: new Shares(), word: new Shares(), query: new Shares() };
  const lost: string[] = [];
  while (slips < SLIPS) {
    const row = dice.pick(rows);
    const own = wordsOf(row.name).filter((word) => word.length >= lengthMin);
    const [rarest] = own.sort((a, b) => products.get(a)! - products.get(b)!);
    if (rarest === undefined || products.get(rarest)! > PRODUCTS_OF_A_WORD_MAX) continue;
    const { slip, edit } = slipped(rarest, dice);
    if (slip === rarest) continue;
    slips++;
    const finds = (text: string): boolean => find(text, 'hybrid').includes(uuidOf(row.external_id));
    const good = finds(slip);
    for (const [where, query] of Object.entries(QUERIES))
      shares.query.add(where, where === 'alone' ? good : finds(query(slip, rarest, row)));
    shares.edit.add(edit, good);
    shares.word.add(sortOf(rarest), good);
    if (good) {
      found++;
      continue;
    }
    if ((products.get(slip) ?? 0) >= SHOWN) words++;
    lost.push(`${rarest} > ${slip}`);
  }
  const line = {
    bench: 'relevance',
    case: 'slips',
    words: cut,
    word_length_min: lengthMin,
    slips,
    found: Math.round((found / slips) * 10_000) / 10_000,
    lost_to_other_words: Math.round((words / slips) * 10_000) / 10_000,
    found_by_edit: shares.edit.all,
    found_by_word: shares.word.all,
    found_by_query: shares.query.all,
  };
  process.stdout.write(`${JSON.stringify(line)}\n`);
  if (process.env.EACH === '1') process.stderr.write(`${lost.join('\n')}\n`);
};

if (import.meta.main) {
  if (hasIcecat() && judgementsAreThere()) await run();
  else process.stderr.write('The catalogue of electronics is not there: STOA_DATA names its folder. Skipped.\n');
}

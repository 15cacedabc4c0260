// How good the answers are: NDCG@10 against the judgements of people, and how often a slip of the finger still finds what
// was meant. Prints a line of JSON for each.
import type { Inquiry, Mode } from '#services/search/engine/search.ts';
import { search } from '#services/search/engine/search.ts';
import { icecatIsThere } from '#test/support/icecat.ts';
import { type Judgement, judgementsAreThere, openElectronics, readJudgements, uuidOf } from './real_catalogue.ts';
import { Dice } from './scenario/scenario.ts';

const SHOWN = 10;
const SLIPS = Number(process.env.SLIPS ?? 4_000);
const PRODUCTS_OF_A_WORD_MAX = 10;
/** Of the shorter ones, ever more slips are other words. */
const WORD_LENGTHS_MIN = [5, 4, 3];

const inquiry = (text: string, mode: Mode): Inquiry => ({
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

/** Of what could be gained, how much was; what nobody graded gains nothing. */
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

/** One letter more, less, other or swapped. */
const slipped = (word: string, dice: Dice): string => {
  const at = dice.below(word.length);
  const letter = dice.pick([...(/\d/.test(word[at]!) ? DIGITS : LETTERS)]);
  const kind = dice.below(4);
  if (kind === 0) return word.slice(0, at) + word.slice(at + 1);
  if (kind === 1) return word.slice(0, at) + letter + word.slice(at);
  if (kind === 2) return word.slice(0, at) + letter + word.slice(at + 1);
  const left = Math.min(at, word.length - 2);
  return word.slice(0, left) + word[left + 1] + word[left] + word.slice(left + 2);
};

const wordsOf = (name: string): string[] => name.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];

const run = async (): Promise<void> => {
  const { index, rows } = await openElectronics();
  const find = (text: string, mode: Mode): string[] => search(index, inquiry(text, mode)).hits.map(({ id }) => id);
  const judgements = readJudgements();
  for (const mode of ['hybrid', 'text', 'semantic'] as const) {
    const mean = (gain: (grade: number) => number): number => {
      const sum = judgements.reduce((sofar, each) => sofar + ndcg(find(each.query, mode), each, gain), 0);
      return Math.round((sum / judgements.length) * 10_000) / 10_000;
    };
    const linear = mean((grade) => grade);
    const exponential = mean((grade) => 2 ** grade - 1);
    const line = {
      bench: 'relevance',
      mode,
      queries: judgements.length,
      ndcg_10: linear,
      ndcg_10_exponential: exponential,
    };
    process.stdout.write(`${JSON.stringify(line)}\n`);
  }
  if (process.env.EACH === '1') {
    for (const each of judgements) {
      const score = ndcg(find(each.query, 'hybrid'), each, (grade) => grade);
      process.stderr.write(`${score.toFixed(3)} ${each.query}\n`);
    }
  }

  const products = new Map<string, number>();
  for (const { name } of rows)
    for (const word of new Set(wordsOf(name))) products.set(word, (products.get(word) ?? 0) + 1);
  for (const lengthMin of WORD_LENGTHS_MIN) {
    const dice = new Dice(11);
    let slips = 0;
    let found = 0;
    /** Slips that are themselves a word in the names of more products than are shown: whoever types it means those. */
    let words = 0;
    const lost: string[] = [];
    while (slips < SLIPS) {
      const row = dice.pick(rows);
      const own = wordsOf(row.name).filter((word) => word.length >= lengthMin);
      const [rarest] = own.sort((a, b) => products.get(a)! - products.get(b)!);
      if (rarest === undefined || products.get(rarest)! > PRODUCTS_OF_A_WORD_MAX) continue;
      const slip = slipped(rarest, dice);
      if (slip === rarest) continue;
      slips++;
      if (find(slip, 'hybrid').includes(uuidOf(row.external_id))) {
        found++;
        continue;
      }
      if ((products.get(slip) ?? 0) >= SHOWN) words++;
      lost.push(`${rarest} > ${slip}`);
    }
    const line = {
      bench: 'relevance',
      case: 'slips',
      word_length_min: lengthMin,
      slips,
      found: Math.round((found / slips) * 10_000) / 10_000,
      lost_to_other_words: Math.round((words / slips) * 10_000) / 10_000,
    };
    process.stdout.write(`${JSON.stringify(line)}\n`);
    if (process.env.EACH === '1') process.stderr.write(`${lost.join('\n')}\n`);
  }
};

if (import.meta.main) {
  if (icecatIsThere() && judgementsAreThere()) await run();
  else process.stderr.write('The catalogue of electronics is not there: STOA_DATA names its folder. Skipped.\n');
}

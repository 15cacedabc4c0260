// Measures the search engine on one core. Cases: queries a second over a real catalogue, the cost of facets, and a store of a
// million products: memory, latency, and the delay until a change is found. MILLION=0 leaves the large store out.
import type { SearchDocument } from '#services/search/engine/document.ts';
import { ProductIndex } from '#services/search/engine/product_index.ts';
import { type SearchMode, type SearchRequest, search } from '#services/search/engine/search.ts';
import { trainVectors } from '#services/search/engine/vector_training.ts';
import { documentOf } from '#services/search/product_document.ts';
import { hasIcecat, type IcecatRow } from '#test/support/icecat.ts';
import { catalogueRows } from './catalogue.ts';
import { median, print, round } from './figure.ts';
import { openElectronics, productOf } from './real_catalogue.ts';
import { Dice } from './scenario/scenario.ts';

const QUERIES = 4_000;
const ROUNDS = Number(process.env.ROUNDS ?? 5);
/** Until the machine code is made: who makes it works beside the queries, and its time would count as theirs. */
const ROUNDS_OF_WARMTH = 30;
/** For the large store it is made by then, and each round takes seconds. */
const ROUNDS_OF_WARMTH_LARGE = 2;
const LARGE = Number(process.env.MILLION ?? 1_000_000);
const SLIP_SHARE = 0.2;
const MEGABYTE = 1 << 20;
const FACETS = ['brand', 'category', 'price'];

const slip = (word: string, dice: Dice): string => {
  const at = 1 + dice.below(word.length - 1);
  return word.slice(0, at) + word.slice(at + 1);
};

/** One to three words of names, one in five with a letter left out. */
const queriesOf = (names: readonly string[], seed: number): string[] => {
  const dice = new Dice(seed);
  const words = names.flatMap((name) => name.match(/[\p{L}\p{N}]{3,}/gu) ?? []);
  const word = (): string => {
    const found = dice.pick(words);
    return found.length >= 5 && dice.next() < SLIP_SHARE ? slip(found, dice) : found;
  };
  return Array.from({ length: QUERIES }, () => Array.from({ length: 1 + dice.below(3) }, word).join(' '));
};

interface Run {
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
}

/** Counts processor time, so that other load on the machine does not count; latencies are of the quietest round. */
const run = (
  index: ProductIndex,
  texts: readonly string[],
  mode: SearchMode,
  facets: readonly string[],
  roundsOfWarmth: number,
): Run => {
  const requests = texts.map(
    (text): SearchRequest => ({
      text,
      mode,
      filters: {},
      facets,
      sort: 'relevance',
      limit: 20,
      everything: false,
      after: null,
    }),
  );
  const rounds = Array.from({ length: ROUNDS + roundsOfWarmth }, () => {
    const before = process.cpuUsage();
    const times = requests.map((request) => {
      const startedAt = performance.now();
      search(index, request);
      return performance.now() - startedAt;
    });
    const { user, system } = process.cpuUsage(before);
    times.sort((a, b) => a - b);
    return {
      perSecond: (texts.length * 1e6) / (user + system),
      p50Ms: times[times.length >> 1]!,
      p99Ms: times[Math.floor(times.length * 0.99)]!,
    };
  }).slice(roundsOfWarmth);
  return {
    perSecond: Math.round(median(rounds.map(({ perSecond }) => perSecond))),
    p50Ms: round(Math.min(...rounds.map(({ p50Ms }) => p50Ms)), 3),
    p99Ms: round(Math.min(...rounds.map(({ p99Ms }) => p99Ms)), 3),
  };
};

const compare = (
  what: string,
  index: ProductIndex,
  texts: readonly string[],
  roundsOfWarmth = ROUNDS_OF_WARMTH,
): void => {
  for (const mode of ['text', 'hybrid'] as const) {
    const plain = run(index, texts, mode, [], roundsOfWarmth);
    const faceted = run(index, texts, mode, FACETS, roundsOfWarmth);
    print({
      bench: 'search',
      case: what,
      mode,
      products: index.size,
      per_second: plain.perSecond,
      p50_ms: plain.p50Ms,
      p99_ms: plain.p99Ms,
      faceted_per_second: faceted.perSecond,
      faceted_p99_ms: faceted.p99Ms,
      facets_cost: round(plain.perSecond / faceted.perSecond),
    });
  }
};

const openMadeUp = async () => {
  const rows = (await catalogueRows()) as IcecatRow[];
  const index = new ProductIndex();
  index.beginLoad();
  for (const [at, row] of rows.entries()) index.put(documentOf(productOf(row, at)));
  index.endLoad();
  await trainVectors(index, async () => {});
  return { index, rows };
};

/** A large assortment: names and texts of a vocabulary in which, as in any language, few words are said most. */
const WORDS = 60_000;
const assortment = (dice: Dice) => {
  const letters = 'aeioubcdfghklmnprstvz';
  const words = Array.from({ length: WORDS }, (_, at) =>
    Array.from({ length: 3 + (at % 8) }, () => letters[dice.below(letters.length)]).join(''),
  );
  const text = (count: number): string => Array.from({ length: count }, () => dice.popular(words)).join(' ');
  return (at: number): SearchDocument => {
    const price = 1 + dice.below(50_000) / 100;
    const brand = `brand ${dice.popular(words)}`;
    const colour = words[dice.below(30)]!;
    return {
      id: `00000000-0000-4000-8000-${at.toString(16).padStart(12, '0')}`,
      active: true,
      texts: {
        name: text(8),
        head: '',
        brand,
        category: `${words[at % 400]} ${words[at % 40]}`,
        code: `SKU-${at}`,
        attribute: colour,
        description: text(12),
      },
      brand,
      category: `00000000-0000-4000-9000-${String(at % 400).padStart(12, '0')}`,
      subcategory: null,
      tags: [],
      attributes: [
        ['colour', colour],
        ['size', at % 12],
      ],
      conditions: ['new'],
      price,
      prices: [price],
      variants: [],
      inStock: at % 7 > 0,
      rating: null,
      reviews: 0,
      createdAt: 1_700_000_000_000 + at,
    };
  };
};

const large = async (): Promise<void> => {
  const product = assortment(new Dice(17));
  const index = new ProductIndex();
  const names: string[] = [];
  const startedAt = performance.now();
  index.beginLoad();
  for (let at = 0; at < LARGE; at++) {
    const document = product(at);
    if (at % 500 === 0) names.push(document.texts.name);
    index.put(document);
  }
  index.endLoad();
  const loadedAt = performance.now();
  await trainVectors(index, async () => {});
  const learntAt = performance.now();
  // A change is found as soon as it is put in; the worst of many says what a merge costs.
  let slowestMs = 0;
  for (let at = 0; at < 5_000; at++) {
    const changedAt = performance.now();
    const document = product((at * 7_919) % LARGE);
    index.put({ ...document, texts: { ...document.texts, name: `changed${at} ${document.texts.name}` } });
    const [hit] = search(index, requestOf(`changed${at}`)).hits;
    if (hit?.id !== document.id) throw new Error('A change was not found.');
    slowestMs = Math.max(slowestMs, performance.now() - changedAt);
  }
  const mergedAt = performance.now();
  index.merge();
  print({
    bench: 'search',
    case: 'a million products',
    products: index.size,
    load_s: round((loadedAt - startedAt) / 1_000, 1),
    learn_s: round((learntAt - loadedAt) / 1_000, 1),
    index_mb: Math.round(index.memoryBytes / MEGABYTE),
    meanings_mb: Math.round(index.vectors.memoryBytes / MEGABYTE),
    resident_mb: Math.round(process.memoryUsage.rss() / MEGABYTE),
    change_found_ms_max: round(slowestMs),
    merge_ms: Math.round(performance.now() - mergedAt),
  });
  compare('a million products', index, queriesOf(names, 23), ROUNDS_OF_WARMTH_LARGE);
};

const requestOf = (text: string): SearchRequest => ({
  text,
  mode: 'text',
  filters: {},
  facets: [],
  sort: 'relevance',
  limit: 20,
  everything: false,
  after: null,
});

const real = hasIcecat();
const { index, rows } = await (real ? openElectronics() : openMadeUp());
compare(
  real ? 'a real catalogue' : 'a made-up catalogue',
  index,
  queriesOf(
    rows.map(({ name }) => name),
    3,
  ),
);
if (LARGE > 0) await large();

// Measures what a translation costs: lists and searches in the second language of a store against the same in its default one, in one
// run, by processor time: a list from the cache of the edge, a list through the link, and searches.
import { catalogueRows, push } from './catalogue.ts';
import { median, print, round } from './figure.ts';
import { getRequest, load, postRequest } from './load.ts';
import { type BenchProcess, type BenchStore, processorMs, startStack } from './stack.ts';

const ROUNDS = Number(process.env.ROUNDS ?? 5);
const PRODUCTS = Number(process.env.PRODUCTS ?? 1_000);
const DURATION_MS = 2_000;
const WARM_MS = 1_000;
const CONNECTIONS = 32;
const CHANGES_AT_ONCE = 16;
const PAGE = 100;
const OWN = 'en';
const OTHER = 'de';
const WORD = /[\p{L}\p{N}]{3,}/gu;

interface Measure {
  readonly perSecond: number;
  /** Processor time of edge and services a request, in µs. */
  readonly processorUs: number;
}

interface Named {
  readonly id: string;
  readonly name: string;
}

interface Page {
  readonly products: readonly Named[];
  readonly pagination: { readonly next_cursor: string | null };
}

const stack = await startStack();

const change = async (edge: BenchProcess, store: BenchStore, path: string, body: object): Promise<void> => {
  const response = await fetch(edge.url + path, {
    method: 'PATCH',
    headers: { Authorization: `Bearer ${store.secret_key}`, 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
};

const listed = async (edge: BenchProcess, store: BenchStore): Promise<readonly Named[]> => {
  const found: Named[] = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const path = `/v1/products?limit=${PAGE}&fields=id,name${cursor && `&cursor=${encodeURIComponent(cursor)}`}`;
    const response = await fetch(edge.url + path, { headers: { Authorization: `Bearer ${store.publishable_key}` } });
    const { products, pagination } = (await response.json()) as Page;
    found.push(...products);
    cursor = pagination.next_cursor;
  }
  return found;
};

/** Translates every product by a word before its name, so that answers and searches are alike in both languages. */
const translateAll = async (edge: BenchProcess, store: BenchStore, products: readonly Named[]): Promise<void> => {
  const waiting = [...products];
  const work = async (): Promise<void> => {
    for (let next = waiting.pop(); next; next = waiting.pop())
      await change(edge, store, `/v1/products/${next.id}`, { translations: { [OTHER]: { name: `Das ${next.name}` } } });
  };
  await Promise.all(Array.from({ length: CHANGES_AT_ONCE }, work));
};

const measure = async (edge: BenchProcess, next: () => Buffer, ms: number): Promise<Measure> => {
  const { hostname, port } = new URL(edge.url);
  const pids = [...new Set([edge.pid, stack.services.pid])];
  const used = async (): Promise<number> =>
    (await Promise.all(pids.map(processorMs))).reduce((sum, each) => sum + each, 0);
  const before = await used();
  const target = { host: hostname, port: Number(port) };
  const result = await load({ target, connections: CONNECTIONS, durationMs: ms, next, expected: new Set([200]) });
  if (result.unexpected > 0) throw new Error(`${result.unexpected} of ${result.requests} answers were not 200.`);
  return { perSecond: result.perSecond, processorUs: (((await used()) - before) * 1_000) / result.requests };
};

try {
  const store = await stack.createStore();
  const cached = await stack.startEdge(128);
  const uncached = await stack.startEdge(0);
  await change(cached, store, '/v1/store', { languages: [OTHER] });
  await push(cached.url, store, await catalogueRows(PRODUCTS));
  const products = await listed(uncached, store);
  await translateAll(cached, store, products);
  const words = [...new Set(products.flatMap(({ name }) => name.match(WORD) ?? []))];
  const headersOf = (language: string) => ({
    Authorization: `Bearer ${store.publishable_key}`,
    'Accept-Language': language,
  });
  const searchesOf = (language: string): (() => Buffer) => {
    const requests = words.map((query) => postRequest('/v1/search', headersOf(language), JSON.stringify({ query })));
    let at = 0;
    return () => requests[at++ % requests.length]!;
  };
  const listOf = (language: string): (() => Buffer) => {
    const request = getRequest('/v1/products', headersOf(language));
    return () => request;
  };
  const cases: readonly (readonly [string, BenchProcess, (language: string) => () => Buffer])[] = [
    ['list from the cache', cached, listOf],
    ['list through the link', uncached, listOf],
    ['search', uncached, searchesOf],
  ];
  for (const [name, edge, requestsOf] of cases) {
    const requests: Readonly<Record<string, () => Buffer>> = { [OWN]: requestsOf(OWN), [OTHER]: requestsOf(OTHER) };
    const runs: Record<string, Measure[]> = { [OWN]: [], [OTHER]: [] };
    for (const language of [OWN, OTHER]) await measure(edge, requests[language]!, WARM_MS);
    // Interleaved, so that other load on the machine is shared by both.
    for (let time = 0; time < ROUNDS; time++)
      for (const language of time % 2 === 0 ? [OWN, OTHER] : [OTHER, OWN])
        runs[language]!.push(await measure(edge, requests[language]!, DURATION_MS));
    const of = (language: string, part: keyof Measure): number => median(runs[language]!.map((each) => each[part]));
    print({
      bench: 'language',
      case: name,
      products: products.length,
      ratio: round(of(OTHER, 'processorUs') / of(OWN, 'processorUs')),
      translated_us: round(of(OTHER, 'processorUs'), 1),
      default_us: round(of(OWN, 'processorUs'), 1),
      translated_per_second: round(of(OTHER, 'perSecond'), 0),
      default_per_second: round(of(OWN, 'perSecond'), 0),
    });
  }
} finally {
  await stack.stop();
}

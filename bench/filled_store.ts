// Creates the store for load scenarios: pushes a catalogue through the public API and lists its ids and words for requests.
import { CATALOGUE_SIZE, catalogueRows, push } from './catalogue.ts';
import type { FilledStore } from './scenario/scenario.ts';
import type { BenchProcess, Stack } from './stack.ts';

const STOCK = 1_000_000;
const PAGE = 100;
const PRODUCTS_ASKED_MAX = 5_000;
const WORD = /[\p{L}\p{N}]{3,}/gu;

interface Page {
  readonly products: readonly { readonly id: string; readonly variant_id: string | null; readonly name: string }[];
  readonly pagination: { readonly next_cursor: string | null };
}

const TRIES_MAX = 30;
const PAUSE_MS = 2_000;

/** A catalogue that was only just pushed may still be loading, on a busy machine. */
const fetchLoaded = async (url: string, headers: Record<string, string>): Promise<Response> => {
  for (let attempt = 1; ; attempt++) {
    const response = await fetch(url, { headers });
    if (response.ok) return response;
    if (response.status !== 503 || attempt === TRIES_MAX)
      throw new Error(`The catalogue was answered ${response.status}: ${await response.text()}`);
    await Bun.sleep(PAUSE_MS);
  }
};

export const fillStore = async (stack: Stack, edge: BenchProcess, products = CATALOGUE_SIZE): Promise<FilledStore> => {
  const store = await stack.createStore();
  // More than any run can buy: a scenario measures a shop, not an empty shelf.
  const rows = (await catalogueRows(products)).map((row) => ({ ...row, stock: STOCK }));
  await push(edge.url, store, rows);
  const found: Page['products'][number][] = [];
  for (let next: string | null = ''; next !== null && found.length < PRODUCTS_ASKED_MAX; ) {
    const response = await fetchLoaded(`${edge.url}/v1/products?limit=${PAGE}&min_price=0.01${next}`, {
      Authorization: `Bearer ${store.publishable_key}`,
    });
    const page = (await response.json()) as Page;
    found.push(...page.products);
    next = page.pagination.next_cursor && `&cursor=${encodeURIComponent(page.pagination.next_cursor)}`;
  }
  return {
    url: edge.url,
    store,
    variants: found.flatMap(({ variant_id: id }) => id ?? []),
    productIds: found.map(({ id }) => id),
    words: [...new Set(found.flatMap(({ name }) => name.match(WORD) ?? []))],
  };
};

// Handlers by which search reads products: those changed since an edition, and found products with scores.
import { randomUUID } from 'node:crypto';
import type { CatalogSourceRpcs, ListProductDigestsRequest } from '#proto/gen/catalog_source.ts';
import { Rendered } from '#runtime/call/call.ts';
import { newestFragment } from '#runtime/call/fragment_list.ts';
import { type Handlers, query } from '#runtime/domain/rpc.ts';
import {
  type FoundProducts,
  foundAnswer,
  pricedFoundAnswer,
  translatedDetail,
} from '#services/catalog/memory/answer.ts';
import type { Catalogue } from '#services/catalog/memory/catalogue.ts';
import type { ProductEntry } from '#services/catalog/memory/entry.ts';
import type { PartRequest } from '#services/catalog/memory/part.ts';
import type { CataloguePool } from '#services/catalog/memory/pool.ts';
import type { ShowPrices } from '#services/catalog/memory/shown_price.ts';
import type { PriceHistory } from '#services/catalog/price_history.ts';
import { currentRevisions } from '#services/catalog/table/revision.ts';
import type { AnswerLanguage } from '#values/translation.ts';
import { atPrices, fromMemory, fromPart, rendered } from './product.ts';

/** Identifies this process: editions are fragment numbers, which other processes do not share. */
const INSTANCE = randomUUID();

interface Traversal {
  readonly id: number;
  readonly names: readonly number[];
  readonly entries: readonly ProductEntry[];
  readonly end: number;
}

/**
 * Traversals retained per catalogue. A reader whose traversal was dropped starts a new one after the last edition it
 * read.
 */
const TRAVERSALS_MAX = 4;

const traversals = new WeakMap<Catalogue, readonly Traversal[]>();
let lastTraversal = 0;

const openTraversals = (catalogue: Catalogue): readonly Traversal[] => traversals.get(catalogue) ?? [];

const startTraversal = (catalogue: Catalogue, since: number): Traversal => {
  const changed: { readonly name: number; readonly entry: ProductEntry }[] = [];
  for (const entry of catalogue.sorted('newest')) {
    const name = catalogue.fragmentOf(entry);
    if (name > since) changed.push({ name, entry });
  }
  changed.sort((a, b) => a.name - b.name);
  const round = {
    id: ++lastTraversal,
    names: changed.map(({ name }) => name),
    entries: changed.map(({ entry }) => entry),
    end: newestFragment(),
  };
  traversals.set(catalogue, [round, ...openTraversals(catalogue)].slice(0, TRAVERSALS_MAX));
  return round;
};

const firstAfter = (names: readonly number[], since: number): number => {
  let low = 0;
  let high = names.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (names[middle]! <= since) low = middle + 1;
    else high = middle;
  }
  return low;
};

const COMMA = Buffer.from(',');

type PageRequest = Pick<ListProductDigestsRequest, 'instance' | 'since' | 'limit' | 'round'>;

/**
 * Returns the next page. A traversal omits changes made after it started, so it serves only the reader that started it.
 */
const pageAfter = (catalogue: Catalogue, { instance, since: edition = 0, limit = 0, round: id = 0 }: PageRequest) => {
  const since = instance === INSTANCE ? edition : 0;
  const { revision } = catalogue;
  if (limit === 0)
    return { page: [], head: { instance: INSTANCE, revision, edition: since, has_more: false, round: 0 } };
  const known = instance === INSTANCE ? openTraversals(catalogue).find((round) => round.id === id) : undefined;
  const round = known ?? startTraversal(catalogue, since);
  const { names, entries, end } = round;
  const page: ProductEntry[] = [];
  let at = firstAfter(names, since);
  for (; at < names.length && page.length < limit; at++) {
    const entry = entries[at]!;
    // Skips deleted products, and products that have changed again, which the next traversal will include.
    if (!entry.deleted && entry.fragment === names[at]) page.push(entry);
  }
  const more = at < names.length;
  if (!more)
    traversals.set(
      catalogue,
      openTraversals(catalogue).filter((other) => other !== round),
    );
  const head = {
    instance: INSTANCE,
    revision,
    edition: more ? names[at - 1]! : end,
    has_more: more,
    round: more ? round.id : 0,
  };
  return { page, head };
};

const withProducts = (
  head: object,
  entries: readonly ProductEntry[],
  catalogue: Catalogue,
  language?: AnswerLanguage,
): Buffer => {
  const before = JSON.stringify({ ...head, products: [] }).slice(0, -2);
  const parts: Uint8Array[] = [Buffer.from(before)];
  for (const [place, entry] of entries.entries()) {
    if (place > 0) parts.push(COMMA);
    parts.push(translatedDetail(entry, catalogue, language));
  }
  parts.push(Buffer.from(']}'));
  return Buffer.concat(parts);
};

const DIGEST_BITS = 53;

const digestOf = (entry: ProductEntry, catalogue: Catalogue, language: AnswerLanguage): number =>
  Number(BigInt.asUintN(DIGEST_BITS, BigInt(Bun.hash(translatedDetail(entry, catalogue, language)))));

const named = ({ product_ids }: { readonly product_ids?: readonly string[] }): PartRequest => ({
  products: product_ids ?? [],
});

export const sourceHandlers = (
  pool: CataloguePool,
  showPrices: ShowPrices,
  { lowestOf }: PriceHistory,
): Handlers<CatalogSourceRpcs> => ({
  ListRevisions: query(async (sql, { tenant: { environment } }, { stores = [] }) => {
    const revisions = await currentRevisions(
      sql,
      stores.map((store) => ({ store, environment })),
    );
    return { revisions: revisions.map(({ tenant: { store }, revision }) => ({ store_id: store, revision })) };
  }),

  ChangedProducts: fromMemory<CatalogSourceRpcs['ChangedProducts']>(pool, (catalogue, _call, request) => {
    const { page, head } = pageAfter(catalogue, request);
    return new Rendered(withProducts({ ...head, size: catalogue.size }, page, catalogue, request.language));
  }),

  ListProductDigests: fromMemory<CatalogSourceRpcs['ListProductDigests']>(pool, (catalogue, _call, request) => {
    const { page, head } = pageAfter(catalogue, request);
    const digests = page.map((entry) => ({
      product_id: entry.id,
      digest: digestOf(entry, catalogue, request.language),
    }));
    return rendered({ ...head, digests, removal: catalogue.deletionMark }, catalogue.revision);
  }),

  NamedProducts: fromPart<CatalogSourceRpcs['NamedProducts']>(
    pool,
    named,
    (catalogue, _call, { product_ids = [], language }) => {
      const entries = product_ids.flatMap((id) => catalogue.product(id) ?? []);
      return new Rendered(withProducts({}, entries, catalogue, language));
    },
  ),

  ListProductIds: fromMemory<CatalogSourceRpcs['ListProductIds']>(pool, (catalogue) =>
    rendered({ product_ids: catalogue.sorted('newest').map(({ id }) => id) }, catalogue.revision),
  ),

  FoundProducts: fromPart<CatalogSourceRpcs['FoundProducts']>(
    pool,
    ({ hits = [] }) => ({ products: hits.flatMap(({ product_id }) => product_id ?? []) }),
    (catalogue, call, { hits = [], doc_ids, currency, language, with_lowest_prices }) => {
      const found: FoundProducts[] = [];
      for (let at = 0; at < hits.length; at++) {
        const { product_id = '', score = 0 } = hits[at]!;
        const docId = doc_ids?.[at];
        const entry = docId === undefined ? catalogue.product(product_id) : catalogue.byDocId(docId, product_id);
        if (entry) found.push({ entry, score });
      }
      return atPrices(showPrices(catalogue, call, currency), async (prices) => {
        const entries = found.map(({ entry }) => entry);
        const lowest = with_lowest_prices ? await lowestOf(call.tenant, entries, prices) : null;
        return prices.currency === null && lowest === null
          ? new Rendered(foundAnswer(found, catalogue, language))
          : new Rendered(pricedFoundAnswer(found, catalogue, prices, { language, lowest }));
      });
    },
  ),
});

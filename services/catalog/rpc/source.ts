// What search asks of the catalogue: what changed, and products to be shown with their scores.
import { randomUUID } from 'node:crypto';
import type { CatalogSourceRpcs } from '#proto/gen/search.ts';
import { Rendered } from '#runtime/call/call.ts';
import { newestPiece } from '#runtime/call/piece_list.ts';
import type { Handlers } from '#runtime/door/rpc.ts';
import { detailAnswer, type FoundProducts, foundAnswer } from '#services/catalog/memory/answer.ts';
import type { Catalogue } from '#services/catalog/memory/catalogue.ts';
import type { ProductEntry } from '#services/catalog/memory/entry.ts';
import type { CataloguePool } from '#services/catalog/memory/pool.ts';
import { fromMemory, rendered } from './product.ts';

/** Editions are names of pieces, which no other process knows. */
const INSTANCE = randomUUID();

/** A round through what changed after an edition: the changed products by the names that their pieces had then. */
interface Round {
  readonly since: number;
  readonly names: readonly number[];
  readonly entries: readonly ProductEntry[];
  /** Whatever changes after the round began bears a newer name. */
  readonly end: number;
}

/** The newest round of each catalogue, so that its further pages are not each looked for anew. */
const rounds = new WeakMap<Catalogue, Round>();

const roundAfter = (catalogue: Catalogue, since: number): Round => {
  const known = rounds.get(catalogue);
  // A first page begins a round of its own: what changed after an earlier one began is in no page of that.
  if (known && known.since < since && since < known.end) return known;
  const changed: { readonly name: number; readonly entry: ProductEntry }[] = [];
  for (const entry of catalogue.sorted('newest')) {
    const name = catalogue.pieceOf(entry);
    if (name > since) changed.push({ name, entry });
  }
  changed.sort((a, b) => a.name - b.name);
  const round = {
    since,
    names: changed.map(({ name }) => name),
    entries: changed.map(({ entry }) => entry),
    end: newestPiece(),
  };
  rounds.set(catalogue, round);
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

/** One page of a round: its products, and where the next one begins. */
const pageAfter = (catalogue: Catalogue, since: number, limit: number) => {
  const { names, entries, end } = roundAfter(catalogue, since);
  const page: ProductEntry[] = [];
  let at = firstAfter(names, since);
  for (; at < names.length && page.length < limit; at++) {
    const entry = entries[at]!;
    // Changed again, or gone: the next round tells.
    if (!entry.gone && entry.piece === names[at]) page.push(entry);
  }
  const more = at < names.length;
  const edition = more ? names[at - 1]! : end;
  return { page, head: { instance: INSTANCE, revision: catalogue.revision, edition, has_more: more } };
};

/** An answer whose last field is a list of products. */
const withProducts = (head: object, entries: readonly ProductEntry[], catalogue: Catalogue): Buffer => {
  const before = JSON.stringify({ ...head, products: [] }).slice(0, -2);
  const parts: Uint8Array[] = [Buffer.from(before)];
  for (const [place, entry] of entries.entries()) {
    if (place > 0) parts.push(COMMA);
    parts.push(detailAnswer(entry, catalogue));
  }
  parts.push(Buffer.from(']}'));
  return Buffer.concat(parts);
};

const DIGEST_BITS = 53;

const digestOf = (entry: ProductEntry, catalogue: Catalogue): number =>
  Number(BigInt.asUintN(DIGEST_BITS, BigInt(Bun.hash(detailAnswer(entry, catalogue)))));

export const sourceHandlers = (pool: CataloguePool): Handlers<CatalogSourceRpcs> => ({
  ChangedProducts: fromMemory<CatalogSourceRpcs['ChangedProducts']>(pool, (catalogue, _call, request) => {
    const { instance = '', since = 0, limit = 0 } = request;
    const { page, head } = pageAfter(catalogue, instance === INSTANCE ? since : 0, limit);
    return new Rendered(withProducts({ ...head, size: catalogue.size }, page, catalogue), catalogue.revision);
  }),

  ListProductDigests: fromMemory<CatalogSourceRpcs['ListProductDigests']>(pool, (catalogue, _call, request) => {
    const { instance = '', since = 0, limit = 0 } = request;
    const { page, head } = pageAfter(catalogue, instance === INSTANCE ? since : 0, limit);
    const digests = page.map((entry) => ({ product_id: entry.id, digest: digestOf(entry, catalogue) }));
    return rendered({ ...head, digests }, catalogue.revision);
  }),

  NamedProducts: fromMemory<CatalogSourceRpcs['NamedProducts']>(pool, (catalogue, _call, { product_ids = [] }) => {
    const entries = product_ids.flatMap((id) => catalogue.product(id) ?? []);
    return new Rendered(withProducts({}, entries, catalogue), catalogue.revision);
  }),

  ListProductIds: fromMemory<CatalogSourceRpcs['ListProductIds']>(pool, (catalogue) =>
    rendered({ product_ids: catalogue.sorted('newest').map(({ id }) => id) }, catalogue.revision),
  ),

  FoundProducts: fromMemory<CatalogSourceRpcs['FoundProducts']>(pool, (catalogue, _call, { hits = [], slots }) => {
    const found: FoundProducts[] = [];
    for (let at = 0; at < hits.length; at++) {
      const { product_id = '', score = 0 } = hits[at]!;
      const slot = slots?.[at];
      const entry = slot === undefined ? catalogue.product(product_id) : catalogue.searched(slot, product_id);
      if (entry) found.push({ entry, score });
    }
    return new Rendered(foundAnswer(found, catalogue), catalogue.revision);
  }),
});
